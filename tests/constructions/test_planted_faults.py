"""Each construction with one thing wrong: an error or a sink must reappear, exactly."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from constructions.composition import Layer, Stack, sunk
from constructions.directions import identity_off_bos, matrix
from constructions.enumeration import measure
from constructions.layer_stack import averaging_stack, sharp_stack
from constructions.relu_zero_error import relu_zero_error
from constructions.roles import Roles
from constructions.sharp_witness import kappa, sharp_witness
from constructions.softmax_after_witness import AveragingWitness, bilinear_after_witness
from constructions.softmax_before_witness import softmax_before_witness
from constructions.softmax_sink import as_closed_form, closed_form, softmax_sink
from constructions.task_reference import agrees, by_hand
from constructions.without_anchor import (
    FALSE,
    Anchorless,
    best_without_anchor,
    error_without_bos,
    search_near_the_best,
    survived,
)
from theorems.arrays import exact
from theorems.attention import MECHANISMS, AttentionLayer, Mechanism
from theorems.one_layer_sink import SHARP
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

TASK = TriggerTask(length=4, content_dim=1)
CONTENTS = exact([["-1"], ["1"]])
HALF = Fraction(1, 2)


def relu_error(layer: AttentionLayer) -> Fraction:
    return measure(TASK, layer.rows, layer.M, CONTENTS, simplex=False).error


def test_relu_with_bos_counted_in_the_divisor() -> None:
    def rows(logits):
        length = logits.shape[-1]
        scale = exact([Fraction(max(1, i), i + 1) for i in range(length)])
        return MECHANISMS["relu"].rows(logits) * scale[:, None]

    layer = replace(relu_zero_error(TASK.width), mechanism=Mechanism("relu", rows, simplex=False))
    assert relu_error(layer) == Fraction(1, 3)


def test_relu_with_the_mean_excluding_the_trigger() -> None:
    layer = relu_zero_error(TASK.width)
    layer.A[TRIGGER, TRIGGER] = Fraction(0)
    assert relu_error(layer) == HALF


def test_relu_with_a_strict_mask() -> None:
    def rows(logits):
        strict = np.tri(logits.shape[-1], k=-1, dtype=bool)
        return MECHANISMS["relu"].rows(logits * strict)

    layer = replace(relu_zero_error(TASK.width), mechanism=Mechanism("relu", rows, simplex=False))
    assert relu_error(layer) == HALF


def test_linear_attention_in_place_of_relu_still_solves_it() -> None:
    layer = replace(relu_zero_error(TASK.width), mechanism=MECHANISMS["linear"])
    assert relu_error(layer) == 0


def test_softmax_in_place_of_relu_does_not() -> None:
    layer = replace(relu_zero_error(TASK.width), mechanism=MECHANISMS["weights"])
    layer.A[BOS, BOS] = layer.A[ORDINARY, ORDINARY] = layer.A[ORDINARY, TRIGGER] = Fraction(1)
    assert relu_error(layer) == 1


def test_softmax_sink_with_the_sharpness_flipped_loses_sink_and_accuracy() -> None:
    equal, right = as_closed_form(TASK, Fraction(100), CONTENTS)
    layer = softmax_sink(TASK.width, Fraction(1, 100))
    wrong = measure(TASK, layer.rows, layer.M, CONTENTS)
    assert equal
    assert wrong.error > HALF > right.error
    assert wrong.bos < Fraction(1, 100) < right.bos


def test_softmax_sink_with_a_value_on_bos() -> None:
    layer = softmax_sink(TASK.width, Fraction(10**6))
    layer.M[ORDINARY, BOS] = Fraction(1, 5)
    assert measure(TASK, layer.rows, layer.M, CONTENTS).error > Fraction(1, 5)


def test_softmax_sink_whose_trigger_sinks_too() -> None:
    layer = softmax_sink(TASK.width, Fraction(100))
    layer.A[TRIGGER, BOS] = Fraction(100)
    assert measure(TASK, layer.rows, layer.M, CONTENTS).error > HALF


@pytest.mark.parametrize("factor", [Fraction(99, 100), Fraction(101, 100)])
def test_closed_form_is_exact(factor: Fraction) -> None:
    _, found = as_closed_form(TASK, Fraction(50), CONTENTS)
    assert found.error == closed_form(4, Fraction(50), 1)[0] != closed_form(4, 50 * factor, 1)[0]


def test_sharp_witness_with_more_mass_has_more_error() -> None:
    eta = kappa(5) / 3
    witness = sharp_witness(5, eta, Fraction(1, 100))
    more = witness.m * Fraction(101, 100)
    rows = Roles(5, ordinary=lambda i: {1: 1 - more, i: more}, trigger=lambda j: {j: 1})
    rows.trigger = witness.rows.trigger
    found = measure(TriggerTask(5, 0), rows, witness.M, exact([[]]))
    assert found.error > eta
    assert SHARP.holds(L=5, alpha=found.bos, eta=found.error)


def test_sharp_witness_for_a_second_content_is_wrong() -> None:
    witness = sharp_witness(4, kappa(4) / 3, Fraction(1, 100), ("1",))
    found = measure(TASK, witness.rows, witness.M, exact([["1"], ["-1"]]))
    assert found.error > 1


@pytest.mark.parametrize(("length", "share"), [(3, "1/4"), (4, "2/3"), (5, "-1/4")])
def test_sharp_witness_refuses_what_it_cannot_do(length: int, share: str) -> None:
    with pytest.raises(ValueError, match="no witness at L"):
        sharp_witness(length, Fraction(share) * kappa(max(length, 4)), Fraction(1, 100))


def test_softmax_witnesses_refuse_what_they_cannot_do() -> None:
    with pytest.raises(ValueError, match="η <= κ_L"):
        AveragingWitness(12, 0, Fraction(21, 100))
    with pytest.raises(ValueError, match="1/3 − κ_L"):
        bilinear_after_witness(12, kappa(12))
    with pytest.raises(ValueError, match="κ_L"):
        softmax_before_witness(4, Fraction(1, 11))


def test_after_witness_without_its_negative_bos_value() -> None:
    eta = Fraction(1, 20)
    layer = bilinear_after_witness(5, eta)
    layer.M[ORDINARY, BOS] = layer.M[TRIGGER, BOS] = Fraction(0)
    assert measure(TriggerTask(5, 0), layer.rows, layer.M, exact([[]])).error > eta


def test_after_witness_on_larger_contents() -> None:
    eta, content_set = Fraction(1, 20), exact([["1/4"], ["-1/4"]])
    layer = AveragingWitness(4, 1, eta)
    assert measure(TASK, layer.rows, layer.M, content_set).error == eta
    assert measure(TASK, layer.rows, layer.M, content_set * Fraction(11, 10)).error > eta


def test_before_witness_without_its_trigger_value() -> None:
    eta = Fraction(1, 20)
    layer = softmax_before_witness(5, eta)
    layer.M[TRIGGER, TRIGGER] += layer.M[TRIGGER, TRIGGER] / 10
    assert measure(TriggerTask(5, 0), layer.rows, layer.M, exact([[]])).error > eta


def test_stack_whose_trigger_forgets_itself() -> None:
    stack = averaging_stack(4, TASK.width, layers=2, rho=Fraction(1, 10))
    forget = Roles(4, ordinary=lambda i: {1: Fraction(9, 10), i: Fraction(1, 10)},
                   trigger=lambda j: {2: 1})  # fmt: skip
    broken = Stack((stack.layers[0], Layer(forget, stack.layers[1].M)))
    assert sunk(TASK, stack, CONTENTS).error == Fraction(1, 100)
    assert sunk(TASK, broken, CONTENTS).error > HALF


def test_stack_with_values_multiplied_in_the_wrong_order() -> None:
    class Wrong(Stack):
        @property
        def M(self):
            first, second = self.layers
            return first.M @ second.M

    rows = averaging_stack(4, TASK.width, layers=1, rho=HALF).layers[0].rows
    swap = matrix(TASK.width, {(ORDINARY, TRIGGER): 1, (TRIGGER, ORDINARY): 1, (BOS, BOS): 1})
    forget = identity_off_bos(TASK.width)
    forget[ORDINARY, ORDINARY] = Fraction(0)
    with pytest.raises(ValueError, match="differ"):
        sunk(TASK, Wrong((Layer(rows, swap), Layer(rows, forget))), CONTENTS)


def test_one_layer_of_a_stack_that_does_not_sink_leaves_the_sink_to_the_others() -> None:
    stack, eta = sharp_stack(4, 2, HALF, Fraction(1, 100))
    awake = Roles(4, ordinary=lambda i: {i: 1}, trigger=lambda j: {j: 1})
    shallow = Stack((stack.layers[0], Layer(awake, stack.layers[1].M)))
    found = sunk(TriggerTask(4, 0), shallow, exact([[]]))
    assert found.at_two == HALF
    assert found.error > eta


def test_anchorless_layer_off_its_middle() -> None:
    best = best_without_anchor(5)
    M = best.M.copy()
    M[ORDINARY, TRIGGER] += Fraction(1, 100)
    task = TriggerTask(5, 0)
    assert error_without_bos(task, best, exact([[]])) == kappa(5)
    assert error_without_bos(task, Anchorless(best.rows, M), exact([[]])) > kappa(5)


def test_anchorless_rows_must_be_simplex() -> None:
    best = best_without_anchor(4)
    with pytest.raises(ValueError, match="simplex"):
        error_without_bos(
            TriggerTask(4, 0), Anchorless(lambda x: best.rows(x) / 2, best.M), exact([[]])
        )


class MeanWithoutTrigger(TriggerTask):
    def targets(self, tokens):
        index = exact([1, *range(1, self.length)])[:, None]
        return super().targets(tokens) - tokens * tokens[..., TRIGGER : TRIGGER + 1] / index


class TriggerEverywhere(TriggerTask):
    def non_trigger(self, tokens):
        return tokens[..., BOS] == 0


class LateTrigger(TriggerTask):
    def tokens(self, contents, trigger):
        return super().tokens(contents, min(trigger + 1, self.length))


@pytest.mark.parametrize("wrong", [MeanWithoutTrigger, TriggerEverywhere, LateTrigger])
def test_a_wrong_task_differs_from_the_one_by_hand(wrong) -> None:
    contents = exact([["1"], ["2"], ["-1/3"]])
    assert agrees(TASK, contents, 3)
    assert not agrees(wrong(4, 1), contents, 3)


def test_by_hand_is_what_the_definition_says() -> None:
    tokens, targets = by_hand([["2"], ["4"], ["9"]], trigger=3)
    assert tokens[2] == [0, 1, 0, 4]
    assert targets[2] == [0, HALF, HALF, 3]
    assert targets[3] == [0, 0, 0, 0]


def test_the_search_without_bos_fails_when_it_finds_too_much_or_nothing() -> None:
    broken, found, least = search_near_the_best(40, 0)
    assert (broken, found > 0) == (0, True)
    assert survived(40, broken, found, least).status == "passed"
    assert survived(40, 1, found, least).status == "failed"
    assert survived(40, 0, 0, least).status == "failed"
    too_high, _, _ = search_near_the_best(40, 0, FALSE)
    assert too_high == found
