"""The searches over one-layer models, shared by the claims that they bear on.

One search puts every model to all statements of its class, true and planted.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from empirics.search.engine import Panel, Record, search
from empirics.search.judge import measured, tightened, verdict, verdicts, with_kappa
from empirics.strategies import Model, attention_models, tasks
from theorems.one_layer_sink import AFTER, BEFORE, EPSILON, LINEAR, SHARP, SLOPE
from theorems.sink_price import STATEMENT as PRICE
from theorems.trigger_task import TriggerTask

SIMPLEX = (SHARP, LINEAR, EPSILON, PRICE)
FALSE_SIMPLEX = (
    with_kappa(SHARP, "13/10"),
    with_kappa(LINEAR, "13/10"),
    with_kappa(PRICE, "13/10"),
)
FALSE_EPSILON = with_kappa(EPSILON, "13/10")
ANY_ROWS = tuple(
    replace(s, name=f"{s.name}, any simplex row at the trigger (planted)") for s in (BEFORE, AFTER)
)
"""The softmax statements with their hypothesis dropped: false of simplex rows in general."""


def judge_simplex(model: Model) -> Panel:
    """Theorem 1 in its three forms and the price: α is the smallest BOS weight of all rows.

    ε is put where each statement says most: the smallest that its hypotheses allow for a bound on
    α, and the mass that was kept for a floor under η.
    """
    found = measured(model)
    at: dict[str, Any] = {"L": model.task.length, "alpha": found.bos, "eta": found.error}
    panel: dict[str, Any] = verdicts((SHARP, LINEAR, *FALSE_SIMPLEX[:2]), **at)
    assert found.bos_after is not None  # L ≥ 4
    for statement, alpha in zip(ANY_ROWS, (found.bos_before, found.bos_after), strict=True):
        panel |= verdicts([statement], L=at["L"], eta=found.error, m=1 - alpha)
    panel |= verdicts((PRICE, FALSE_SIMPLEX[2]), **at, epsilon=1 - found.bos)
    for statement in (EPSILON, FALSE_EPSILON):
        epsilon = sharpest_epsilon(statement, at["L"], found.error)
        planted = statement is FALSE_EPSILON
        panel[statement.name] = verdict(statement, planted=planted, **at, epsilon=epsilon)
    return panel


def sharpest_epsilon(statement: Any, length: int, error: Fraction) -> Fraction:
    """The smallest ε with error ≤ εκ/(1+ε); 1 when there is none, or no smallest."""
    limit = statement.constants({"L": Fraction(length)})["kappa"]
    return Fraction(error / (limit - error)) if 0 < error < limit else Fraction(1)


def judge_softmax(model: Model) -> Panel:
    """T1-softmax: rows before and after the trigger apart."""
    found = measured(model)
    assert found.bos_after is not None  # L ≥ 4
    at: dict[str, Any] = {"L": model.task.length, "eta": found.error}
    before = (BEFORE, SLOPE, tightened(BEFORE), tightened(SLOPE))
    panel: dict[str, Any] = verdicts(before, **at, m=1 - found.bos_before)
    return panel | verdicts((AFTER, tightened(AFTER)), **at, m=1 - found.bos_after)


WITH_CONTENT = st.sampled_from((TriggerTask(4, 1), TriggerTask(4, 2), TriggerTask(5, 1)))
"""Tasks small enough for content sets of two or three."""


@functools.cache
def simplex_search(tries: int, start: int) -> dict[str, Record]:
    """Arbitrary simplex rows: two rounds in four with one content, where the bounds are sharp."""
    goals = (SHARP.name, LINEAR.name)
    sharp = attention_models(family="corner")
    several = WITH_CONTENT.flatmap(lambda task: attention_models(task, family="plain"))
    turns = [sharp, several, sharp, attention_models()]
    return search(turns, judge_simplex, tries=tries, start=start, climb=goals)


@functools.cache
def softmax_search(tries: int, start: int) -> dict[str, Record]:
    """Position-free softmax at the trigger, given by rational weights; other rows arbitrary."""
    turns = [attention_models(softmax=True, family=f) for f in ("elimination", "weights")]
    # The slope is a statement for L ≥ 5.
    turns += [tasks(5, 6).flatmap(lambda task: attention_models(task, softmax=True))]
    return search(turns, judge_softmax, tries=tries, start=start)
