"""One-layer models: nudged, saturated and gauged solutions, and arbitrary ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from empirics.strategies.draws import BUDGET, content_sets, directions, rationals, tasks, vectors
from empirics.strategies.model import Model, Values, Vector, add, linear_values, times
from empirics.strategies.row_rules import (
    ByRole,
    Gauged,
    Mixed,
    PairWeights,
    RowRule,
    Seeded,
    Self,
    Spread,
)
from empirics.strategies.solutions import (
    SHARES_OF_KAPPA,
    Solution,
    corner_solutions,
    eliminated_solutions,
    gauge,
    kappa,
    plain_solutions,
    saturate,
    weighted_solutions,
)
from theorems.trigger_task import TriggerTask

SEEDS = st.integers(0, 999)
SHAPES_BEFORE: st.SearchStrategy[RowRule] = st.one_of(
    st.just(Spread(Fraction(0), Fraction(1), Fraction(0))),
    st.just(Self()),
    st.builds(Seeded, SEEDS, st.sampled_from((1, 3))),
)
SHAPES_AFTER: st.SearchStrategy[RowRule] = st.one_of(
    st.integers(0, 4).map(lambda k: Spread(Fraction(0), Fraction(k, 4), 1 - Fraction(k, 4))),
    st.just(Self()),
    st.builds(Seeded, SEEDS, st.sampled_from((1, 3))),
)


FAMILIES = {
    "plain": plain_solutions,
    "corner": corner_solutions,
    "weights": weighted_solutions,
    "elimination": eliminated_solutions,
}
ONE_CONTENT = ("corner", "elimination")


@st.composite
def solutions(
    draw: st.DrawFn, task: TriggerTask, family: str, max_inputs: int = BUDGET
) -> Solution:
    """A solution of a named family, with error of the order of a drawn part of κ_L (κ₄ at L = 3).

    One in three is moved off by a little: the values by a small vector each, and simplex rows by an
    arbitrary function of the prefix.
    """
    limit = 1 if family in ONE_CONTENT else max_inputs
    contents = draw(content_sets(task, limit))
    error = draw(st.sampled_from(SHARES_OF_KAPPA)) * kappa(max(4, task.length))
    solution = draw(FAMILIES[family](task, contents, error))
    if draw(st.integers(0, 2)) < 2:
        return solution
    size = error * draw(st.sampled_from((Fraction(1, 100), Fraction(1, 10), Fraction(1))))
    values = solution.values.map(lambda t, x: add(x, times(size, draw(directions(task.width)))))
    softmax = family in ("weights", "elimination")
    rule = solution.trigger if softmax else Mixed(solution.trigger, Seeded(draw(SEEDS)), size)
    return replace(solution, family=f"{solution.family}, nudged", values=values, trigger=rule)


@st.composite
def saturated_models(
    draw: st.DrawFn, task: TriggerTask, family: str, max_inputs: int = BUDGET
) -> Model:
    """A solution with all, or a drawn share, of the mass off BOS that its error allows."""
    solution = draw(solutions(task, family, max_inputs))
    share = draw(st.sampled_from((Fraction(1),) * 3 + (Fraction(1, 2), Fraction(9, 10))))
    return saturate(solution, draw(SHAPES_BEFORE), draw(SHAPES_AFTER), share)


@st.composite
def arbitrary_models(
    draw: st.DrawFn, task: TriggerTask, contents: tuple[Vector, ...], *, softmax: bool = False
) -> Model:
    """Anything the hypotheses allow: a matrix M or a table of values, any simplex rows."""
    size, width = len(contents), task.width
    if draw(st.booleans()):
        M = np.array([draw(vectors(width)) for _ in range(width)], dtype=object)
        values = linear_values(task, contents, M)
    else:
        table = [draw(vectors(width, rationals(1))) for _ in range(2 * size + 1)]
        values = Values(table[0], tuple(table[1 : size + 1]), tuple(table[size + 1 :]))
    rule: RowRule = Seeded(draw(SEEDS), draw(st.sampled_from((1, 3))))
    if softmax:
        rule = ByRole(draw(pair_weights(size)), rule, rule)
    return Model("arbitrary", task, contents, values, rule)


def pair_weights(contents: int) -> st.SearchStrategy[PairWeights]:
    """Arbitrary positive tables of unnormalised softmax weights, from 1/8 to 8."""
    size = 1 + 2 * contents
    entries = st.sampled_from([Fraction(2) ** k for k in range(-3, 4)])
    return st.builds(PairWeights, st.just(contents), st.tuples(*[vectors(size, entries)] * size))


@st.composite
def attention_models(
    draw: st.DrawFn,
    task: TriggerTask | None = None,
    *,
    softmax: bool = False,
    family: str | None = None,
    max_inputs: int = BUDGET,
) -> Model:
    """One-layer simplex-attention models over a finite content set, most of them near a solution.

    With ``softmax`` the trigger's row is softmax of position-free logits, given by its rational
    weights.  ``family`` names one of ``FAMILIES`` or ``"arbitrary"``; by default one model in eight
    is arbitrary and the rest solve the task to within a part of κ_L, so that the hypotheses of the
    one-layer theorems apply to most.  Enumerating a model takes at most ``max_inputs`` inputs.
    """
    task = draw(tasks()) if task is None else task
    if family is None:
        near = ("weights", "elimination") if softmax else ("plain", "corner")
        family = draw(st.sampled_from((*near * 4, "arbitrary")[1:]))
    if family == "arbitrary":
        return draw(arbitrary_models(task, draw(content_sets(task, max_inputs)), softmax=softmax))
    return draw(saturated_models(task, family, max_inputs))


@dataclass(frozen=True)
class GaugePair:
    """Two models with different values and rows and the same output on every input."""

    first: Model
    second: Model


@st.composite
def gauge_pairs(draw: st.DrawFn, task: TriggerTask | None = None) -> GaugePair:
    """A model and one that computes the same: V′ = v + λ(V − v) per token, weights divided by λ.

    λ ≥ 1 is drawn for every token separately, so M and the rows change and the outputs do not.
    """
    first = draw(attention_models(task))
    factors = {
        token: draw(st.sampled_from((Fraction(1), Fraction(3, 2), Fraction(4))))
        for token in first.alphabet[1:]
    }
    whole = Solution(first.family, first.task, first.contents, first.values, first.rule)
    moved = gauge(whole, factors.__getitem__)
    rule = Gauged(first.rule, tuple(factors.items()))
    second = Model(f"{first.family}, gauged", first.task, first.contents, moved.values, rule)
    return GaugePair(first, second)
