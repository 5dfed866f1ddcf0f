"""Search for a one-layer model that solves the task and does not sink (Theorem 1, all forms)."""

from __future__ import annotations

from empirics.search.engine import Record
from empirics.search.judge import tightened
from empirics.search.one_layer_models import (
    ANY_ROWS,
    FALSE_EPSILON,
    FALSE_SIMPLEX,
    simplex_search,
    softmax_search,
)
from empirics.search.report import NEAR, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import AFTER, BEFORE, EPSILON, LINEAR, SHARP, SLOPE


def simplex(run: Run) -> dict[str, Record]:
    """The shared search over simplex attention."""
    return simplex_search(run.scale(400, 1000, 6000), run.seed)


def softmax(run: Run) -> dict[str, Record]:
    """The shared search over position-free softmax."""
    return softmax_search(run.scale(300, 900, 6000), run.seed)


@evidence("one_layer_sink", kind="searched")
def no_simplex_layer_without_a_sink(run: Run) -> Outcome:
    """No simplex layer violates (1−α)(κ−η) ≤ η; with κ 30 % larger one is found."""
    return outcome(simplex(run), SHARP.name, (FALSE_SIMPLEX[0].name,), reach=NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.linear")
def no_layer_beats_the_linear_bound(run: Run) -> Outcome:
    """No simplex layer violates 1−α ≤ 2η/κ; with κ 30 % larger one is found."""
    return outcome(simplex(run), LINEAR.name, (FALSE_SIMPLEX[1].name,), reach=NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.epsilon")
def no_layer_beats_the_papers_form(run: Run) -> Outcome:
    """No simplex layer with η ≤ εκ/(1+ε) has 1−α > ε; with κ 30 % larger one is found."""
    return outcome(simplex(run), EPSILON.name, (FALSE_EPSILON.name,), reach=NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.softmax_before")
def no_softmax_row_before_the_trigger(run: Run) -> Outcome:
    """With softmax at the trigger no earlier row violates m·P₀ ≤ 2η; 30 % tighter, one does."""
    planted = (tightened(BEFORE).name, ANY_ROWS[0].name)
    return outcome(simplex(run) | softmax(run), BEFORE.name, planted, reach=NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.softmax_slope")
def no_softmax_row_before_the_trigger_at_slope_two(run: Run) -> Outcome:
    """For L ≥ 5 no row before the trigger violates slope 2; 30 % tighter, one does."""
    # Its hypotheses ask for L ≥ 5, which other searched statements do not.
    return outcome(softmax(run), SLOPE.name, (tightened(SLOPE).name,), share=0.25, reach=NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.softmax_after")
def no_softmax_row_after_the_trigger(run: Run) -> Outcome:
    """With softmax at the trigger no later row violates m ≤ 4η; 30 % tighter, one does."""
    planted = (tightened(AFTER).name, ANY_ROWS[1].name)
    return outcome(simplex(run) | softmax(run), AFTER.name, planted, reach=NEAR)
