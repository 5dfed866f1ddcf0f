"""What the strategies promise, checked on what they draw."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.balls import ends
from constructions.enumeration import measure
from constructions.relu_zero_error import relu_zero_error
from empirics.search.anchor_needed import error_without_bos
from empirics.strategies import (
    GaugePair,
    LawModel,
    LogitModel,
    Model,
    PrefixLogits,
    ReluCase,
    Stack,
    attention_models,
    bilinear_models,
    content_sets,
    gauge_pairs,
    inputs,
    logit_models,
    models_without_bos,
    relu_cases,
    sharp_logit_models,
    simplex_rows,
    solutions,
    stacks,
    tasks,
)
from empirics.strategies.attention_models import FAMILIES
from empirics.strategies.row_rules import PairWeights, Seeded, Token
from empirics.strategies.solutions import Solution, gauge, saturate, trigger_error
from theorems.attention import is_simplex
from theorems.trigger_task import BOS, ORDINARY, TRIGGER

pytestmark = pytest.mark.search

ANY_MODEL = st.one_of(
    attention_models(max_inputs=24), attention_models(max_inputs=24, softmax=True)
)


def on_every_input(model: Model, of: object) -> list[np.ndarray]:
    """``of(tokens)`` for each trigger position."""
    return [of(tokens) for _, tokens in model.task.every_input(model.content_set)]  # type: ignore[operator]


@given(ANY_MODEL)
def test_rows_are_simplex_rows_of_the_prefix(model: Model) -> None:
    # `measure` refuses rows that are not causal simplex rows of the prefix, exactly.
    found = measure(model.task, model.rows, model.value, model.content_set)
    assert 0 <= found.bos <= 1
    assert all(is_simplex(rows) for rows in on_every_input(model, model.rows))


@given(gauge_pairs())
def test_gauge_changes_rows_and_values_but_no_output(pair: GaugePair) -> None:
    first, second = (
        on_every_input(m, lambda tokens, m=m: m.rows(tokens) @ m.value(tokens))
        for m in (pair.first, pair.second)
    )
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


@st.composite
def families(draw: st.DrawFn) -> Solution:
    """A solution of any family."""
    task = draw(tasks())
    return draw(solutions(task, draw(st.sampled_from(sorted(FAMILIES))), 24))


@given(families(), st.integers(0, 99))
def test_saturating_costs_no_error_and_gauging_changes_none(solution: Solution, seed: int) -> None:
    """Mass off BOS is taken only where it is free; a gauge keeps the trigger's outputs."""
    error = trigger_error(solution)
    model = saturate(solution, Seeded(seed), Seeded(seed + 1))
    assert measure(model.task, model.rows, model.value, model.content_set).error == error
    moved = gauge(solution, lambda t: Fraction(3, 2) if t.flag == TRIGGER else Fraction(5, 4))
    assert trigger_error(moved) == error


@given(attention_models(softmax=True, max_inputs=24))
def test_the_trigger_row_of_softmax_models_is_position_free(model: Model) -> None:
    """A trigger's weights relative to its own depend on the key token alone, not on places."""
    ratios: dict[tuple[Token, Token], Fraction] = {}
    for _, tokens in model.task.every_input(model.content_set):
        for sequence, rows in zip(model.read(tokens), model.rows(tokens), strict=True):
            j = next(i for i, t in enumerate(sequence) if t.flag == TRIGGER)
            for token, weight in zip(sequence, rows[j, : j + 1], strict=False):
                # Softmax weights are positive, so each may be compared with the trigger's own.
                ratio = weight / rows[j, j]
                assert ratios.setdefault((sequence[j], token), ratio) == ratio > 0


@given(stacks(max_layers=3))
def test_a_stack_is_the_layer_it_composes_to(stack: Stack) -> None:
    for _, tokens in stack.task.every_input(stack.first.content_set):
        for layer in stack.layers:
            assert is_simplex(layer.rows(tokens))
        composed = stack.rows(tokens) @ stack.value(tokens)
        assert (composed == stack.outputs(tokens)).all()


@given(models_without_bos())
def test_models_without_bos_are_judged_without_it(model: Model) -> None:
    far = (Fraction(99),) * model.task.width
    moved = model.with_values(model.values.map(lambda t, x: far if t.flag == BOS else x))
    assert error_without_bos(model) == error_without_bos(moved)


@given(relu_cases(solution_only=False))
def test_the_relu_gauge_changes_no_output(case: ReluCase) -> None:
    plain = relu_zero_error(case.task.width)
    assert (case.layer(case.tokens) == plain(case.tokens)).all()


@given(bilinear_models())
def test_bilinear_models_have_a_law(example: LawModel) -> None:
    assert sum(example.law) == 1
    trigger = getattr(example.model.rule, "trigger", example.model.rule)
    assert isinstance(trigger, PairWeights)
    _, tokens = next(iter(example.model.task.every_input(example.model.content_set)))
    assert sum(example.probabilities(tokens)) == 1


@given(st.one_of(logit_models(), sharp_logit_models()))
def test_logit_rows_enclose_a_simplex_row(model: LogitModel | PrefixLogits) -> None:
    _, tokens = next(iter(model.model.task.every_input(model.model.content_set)))
    rows = model.rows(tokens)
    for total in rows.sum(axis=-1).flat:
        low, high = ends(total)
        assert low <= 1 <= high
        assert high - low < Fraction(1, 10**9)


@given(sharp_logit_models())
def test_logits_by_prefix_give_the_rows_of_their_model(model: PrefixLogits) -> None:
    for _, tokens in model.model.task.every_input(model.model.content_set):
        exactly = model.model.rows(tokens)
        for ball, row in zip(model.rows(tokens).flat, exactly.flat, strict=True):
            assert abs(ends(ball)[0] - row) < Fraction(1, 10**8)


@given(st.data())
def test_inputs_are_valid_and_content_sets_fit_the_budget(data: st.DataObject) -> None:
    task = data.draw(tasks(3, 6, 2))
    tokens = data.draw(inputs(task))
    assert tokens.shape == (task.length, task.width)
    assert sum(x[TRIGGER] for x in tokens) == 1
    assert sum(x[ORDINARY] for x in tokens) == task.length - 2
    contents = data.draw(content_sets(task, 20))
    assert len(contents) >= 1
    assert len(contents) == 1 or (task.length - 2) * len(contents) ** (task.length - 1) <= 20


@given(st.integers(1, 6).flatmap(simplex_rows))
def test_simplex_rows_are_simplex_rows(row: tuple[Fraction, ...]) -> None:
    assert sum(row) == 1
    assert min(row) >= 0


def test_seeded_rows_are_functions_of_the_prefix() -> None:
    prefix = (Token(0, 0), Token(ORDINARY, 0), Token(ORDINARY, 1))
    assert Seeded(5)(prefix) == Seeded(5)(prefix)
    rows = {Seeded(seed)(prefix) for seed in range(40)}
    assert len(rows) > 10
