"""The judge of errors and sinks: right on cases computed by hand, and strict about rows."""

from fractions import Fraction

import flint
import numpy as np
import pytest

from constructions.directions import identity_off_bos
from constructions.enumeration import as_fmpq, as_fraction, every_case, measure
from constructions.relu_zero_error import relu_zero_error
from constructions.roles import Roles, uniform
from constructions.softmax_sink import softmax_sink
from theorems.arrays import exact
from theorems.trigger_task import CONTENT, TriggerTask

TASK = TriggerTask(length=4, content_dim=1)
CONTENTS = exact([["0"], ["1"], ["-1/2"]])
M = identity_off_bos(TASK.width)


def uniform_off_bos():
    return Roles(4, ordinary=lambda i: uniform(2, i), trigger=lambda j: uniform(2, j))


def test_every_input_and_row_is_counted() -> None:
    found = measure(TASK, uniform_off_bos(), M, CONTENTS)
    assert found.inputs == 2 * 3**3
    assert found.error == 1  # an ordinary token that repeats itself
    assert (found.bos, found.bos_before, found.bos_after, found.bos_trigger) == (0, 0, 0, 0)


def test_bos_row_counts() -> None:
    silent = Roles(4, ordinary=lambda i: {1: 1}, trigger=lambda j: uniform(2, j))
    values = M.copy()
    assert measure(TASK, silent, values, CONTENTS).error == 0
    values[CONTENT, 0] = Fraction(1, 7)
    assert measure(TASK, silent, values, CONTENTS).error == Fraction(1, 7)


def test_before_and_after_are_apart() -> None:
    def after(tokens):
        rows = Roles(4, ordinary=lambda i: {1: 1}, trigger=lambda j: uniform(2, j))(tokens)
        rows[:, 3] = np.where(
            (tokens[:, 2, 1] == 1)[:, None], exact(["1/3", "2/3", 0, 0]), rows[:, 3]
        )
        return rows

    found = measure(TASK, after, M, CONTENTS)
    assert (found.bos_before, found.bos_after) == (1, Fraction(1, 3))


def test_no_row_after_the_trigger_at_length_three() -> None:
    rows = Roles(3, ordinary=lambda i: {1: 1}, trigger=lambda j: uniform(2, j))
    found = measure(TriggerTask(3, 0), rows, identity_off_bos(3), exact([[]]))
    assert found.bos_after is None
    assert found.bos == 1


def test_value_function_equals_value_matrix() -> None:
    layer = softmax_sink(TASK.width, Fraction(10))
    by_matrix = measure(TASK, layer.rows, layer.M, CONTENTS)
    assert measure(TASK, layer.rows, lambda tokens: tokens @ layer.M.T, CONTENTS) == by_matrix


def test_fmpq_agrees_with_fractions() -> None:
    layer = softmax_sink(TASK.width, Fraction(10))
    quick = type(layer)(as_fmpq(layer.A), as_fmpq(layer.M), layer.mechanism)
    found = measure(TASK, quick.rows, quick.M, as_fmpq(CONTENTS))
    assert found == measure(TASK, layer.rows, layer.M, CONTENTS)
    assert isinstance(found.error, Fraction)
    assert as_fraction(flint.fmpq(1, 3)) == Fraction(1, 3)


def spoiled(change):
    def rows(tokens):
        result = uniform_off_bos()(tokens)
        change(result, tokens)
        return result

    return rows


def halve(rows, tokens):
    rows[..., 2, :] *= Fraction(1, 2)


def negative(rows, tokens):
    rows[..., 2, 0] -= Fraction(1, 2)
    rows[..., 2, 1] += Fraction(1, 2)


def see_the_next(rows, tokens):
    rows[..., 1, 1] -= Fraction(1, 2)
    rows[..., 1, 2] += Fraction(1, 2)


def read_later_content(rows, tokens):
    later = (tokens[..., 3, CONTENT] == 1)[..., None]
    rows[..., 1, :] = np.where(later, exact([1, 0, 0, 0]), rows[..., 1, :])


def read_later_trigger(rows, tokens):
    later = (tokens[..., 3, 1] == 1)[..., None]
    rows[..., 1, :] = np.where(later, exact([1, 0, 0, 0]), rows[..., 1, :])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (halve, "simplex"),
        (negative, "simplex"),
        (see_the_next, "simplex"),
        (read_later_content, "position 2 depends on tokens after it"),
        (read_later_trigger, "position 2 depends on tokens after it"),
    ],
)
def test_bad_rows_are_refused(change, says) -> None:
    with pytest.raises(ValueError, match=says):
        measure(TASK, spoiled(change), M, CONTENTS)


def test_weight_on_later_keys_is_refused_without_simplex_too() -> None:
    with pytest.raises(ValueError, match="after its own position"):
        measure(TASK, spoiled(see_the_next), M, CONTENTS, simplex=False)


def test_rows_that_need_not_sum_to_one_are_measured_on_request() -> None:
    layer = relu_zero_error(TASK.width)
    with pytest.raises(ValueError, match="simplex"):
        measure(TASK, layer.rows, layer.M, CONTENTS)
    assert measure(TASK, layer.rows, layer.M, CONTENTS, simplex=False).error == 0


def test_cases_give_the_error_of_each_input() -> None:
    cases = list(every_case(TASK, uniform_off_bos(), M, CONTENTS))
    assert [case.trigger for case in cases] == [3, 4]
    assert [case.error.shape for case in cases] == [(27,), (27,)]
    assert [case.bos_before.shape for case in cases] == [(27, 1), (27, 2)]
    assert [case.bos_after.shape for case in cases] == [(27, 1), (27, 0)]
