"""The cases that break naive code must be drawn often, not by luck: a share is stated for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from constructions.enumeration import measure
from constructions.sharp_witness import kappa
from empirics.strategies import (
    Model,
    attention_models,
    content_sets,
    gauge_pairs,
    logit_models,
    simplex_rows,
    stacks,
    tasks,
)
from empirics.strategies.draws import directions

pytestmark = pytest.mark.search

DRAWS = 120


def share(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> float:
    """The share of ``DRAWS`` examples that are ``wanted``, from a fixed start."""
    found: list[bool] = []

    @seed(0)
    @settings(
        max_examples=DRAWS,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(strategy)
    def look(example: Any) -> None:
        found.append(wanted(example))

    look()
    return sum(found) / len(found)


def applies(model: Model) -> bool:
    """Whether the error is below κ_L."""
    found = measure(model.task, model.rows, model.value, model.content_set)
    return found.error < kappa(model.task.length)


MODELS = attention_models(max_inputs=24)
SETS = tasks(max_content_dim=2).flatmap(content_sets)

CASES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], bool], float]] = {
    "L = 4": (tasks(), lambda t: t.length == 4, 0.3),
    "L = 6": (tasks(), lambda t: t.length == 6, 0.05),
    "n = 0": (tasks(), lambda t: t.content_dim == 0, 0.3),
    "n = 2": (tasks(), lambda t: t.content_dim == 2, 0.05),
    "several contents": (SETS, lambda c: len(set(c)) > 1, 0.05),
    "a repeated content": (SETS, lambda c: len(set(c)) < len(c), 0.01),
    "a corner of the sup ball": (directions(6), lambda v: set(map(abs, v)) == {1}, 0.3),
    "a zero weight": (simplex_rows(4), lambda r: 0 in r, 0.2),
    "a tie": (simplex_rows(4), lambda r: len(set(r) - {0}) < sum(x > 0 for x in r), 0.2),
    "a vertex": (simplex_rows(4), lambda r: 1 in r, 0.02),
    "within the hypothesis": (MODELS, applies, 0.5),
    "outside the hypothesis": (MODELS, lambda m: not applies(m), 0.02),
    "an arbitrary model": (MODELS, lambda m: m.family == "arbitrary", 0.04),
    "softmax within the hypothesis": (
        attention_models(softmax=True, max_inputs=24),
        applies,
        0.5,
    ),
    "three layers": (stacks(), lambda s: s.depth == 3, 0.1),
    "one layer": (stacks(), lambda s: s.depth == 1, 0.1),
    "a gauge that moves values": (
        gauge_pairs(),
        lambda p: p.first.values != p.second.values,
        0.5,
    ),
    "logits with a slope": (logit_models(), lambda m: m.slope != 0, 0.1),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_drawn_often_enough(name: str) -> None:
    strategy, wanted, least = CASES[name]
    assert share(strategy, wanted) >= least


def test_a_share_can_be_too_small() -> None:
    assert share(tasks(), lambda t: t.length == 7) == 0
