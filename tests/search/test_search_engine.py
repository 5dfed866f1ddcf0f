"""The engine: repeatable, climbing, shrinking, and its witnesses stand on their own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.enumeration import measure
from empirics.search.engine import ROUND, Verdict, search
from empirics.search.judge import measured, tightened, verdict, with_kappa
from empirics.search.one_layer_models import judge_simplex
from empirics.search.replay import replay
from empirics.search.report import outcome
from empirics.strategies import Model, attention_models
from theorems.one_layer_sink import BEFORE, SHARP
from theorems.trigger_task import TriggerTask

pytestmark = pytest.mark.search


def small(x: int) -> dict[str, Verdict]:
    """A false statement about integers: x < 100."""
    return {"small": Verdict(True, x < 100, Fraction(abs(x), 100), {"x": x})}


def test_the_same_start_finds_the_same() -> None:
    numbers = st.integers(-50, 50)
    runs = [search(numbers, small, tries=80, start=start)["small"] for start in (3, 3, 4)]
    assert (runs[0].tries, runs[0].best_figures) == (runs[1].tries, runs[1].best_figures)
    assert runs[0].witness is None


@pytest.mark.parametrize("start", range(3))
def test_a_counterexample_is_shrunk_to_the_least(start: int) -> None:
    record = search(st.integers(0, 10_000), small, tries=200, start=start)["small"]
    assert record.witness is not None
    assert record.witness["x"] == 100


@pytest.mark.parametrize("start", range(5))
def test_the_search_climbs(start: int) -> None:
    """Within ten steps of a hilltop inside the range: one random draw in forty thousand is."""

    def near(point: tuple[int, int]) -> dict[str, Verdict]:
        x, y = point
        off = abs(x - 1234) + abs(y - 2345)
        return {"near": Verdict(True, True, 1 - Fraction(off, 10_000))}

    pairs = st.tuples(st.integers(0, 3162), st.integers(0, 3162))
    best = search(pairs, near, tries=2 * ROUND, start=start)["near"].best
    assert best is not None
    assert best >= Fraction(999, 1000)


def test_turns_are_taken() -> None:
    seen: list[Any] = []

    def judge(x: Any) -> dict[str, Verdict]:
        seen.append(x)
        return {"any": Verdict(True, True)}

    strategies = [st.integers(0, 10**6), st.text(min_size=1), st.booleans()]
    search(strategies, judge, tries=60)
    assert {type(x) for x in seen} == {int, str, bool}


def test_planted_statements_do_not_stop_a_search() -> None:
    def judge(x: int) -> dict[str, Verdict]:
        return {"true": Verdict(True, True), "false": Verdict(True, x < 5, planted=True)}

    records = search(st.integers(0, 10**6), judge, tries=50)
    assert records["true"].tries == 50
    assert records["false"].witness is not None


@given(st.booleans().flatmap(lambda s: attention_models(softmax=s, max_inputs=24)))
def test_figures_are_enough_to_judge_again(model: Model) -> None:
    found, again = measured(model), replay(model.figures())
    assert (found.error, found.bos_before, found.bos_after) == (
        again.error,
        again.bos_before,
        again.bos_after,
    )


@given(attention_models(max_inputs=24))
def test_fast_rationals_judge_as_fractions_do(model: Model) -> None:
    assert measured(model) == measure(model.task, model.rows, model.value, model.content_set)


def test_a_tampered_witness_is_noticed() -> None:
    model = next(iter(_models(1)))
    figures = model.figures()
    key = max(figures["rows by prefix"], key=len)
    figures["rows by prefix"][key][0] = "2"
    with pytest.raises(ValueError, match="not a simplex row"):
        replay(figures)


def test_a_refuted_statement_comes_with_a_witness_that_replays() -> None:
    """Theorem 1 with κ 30 % larger, passed off as true."""
    false = with_kappa(SHARP, "13/10")

    def judge(model: Model) -> dict[str, Verdict]:
        found = measured(model)
        at = {"L": model.task.length, "alpha": found.bos, "eta": found.error}
        return {"claim": verdict(false, **at)}

    records = search(attention_models(TriggerTask(4, 0), family="corner"), judge, tries=300)
    found = outcome(records, "claim", ("claim",))
    assert found.status == "failed"
    assert found.figure.startswith("REFUTED")
    witness = found.figures["counterexample"]
    again = replay(witness)
    alpha = min(again.bos_before, again.bos_after)
    assert (str(alpha), str(again.error)) == (witness["alpha"], witness["eta"])
    assert not false.holds(L=4, alpha=alpha, eta=again.error)
    assert SHARP.holds(L=4, alpha=alpha, eta=again.error)


@given(attention_models(max_inputs=24))
def test_tightened_statements_are_tighter(model: Model) -> None:
    """Whatever violates a true form violates the planted one: the planted statement is stronger."""
    found = measured(model)
    at = {"L": model.task.length, "alpha": found.bos, "eta": found.error}
    assert SHARP.holds(**at) or not with_kappa(SHARP, "13/10").holds(**at)
    at = {"L": model.task.length, "m": 1 - found.bos_before, "eta": found.error}
    assert BEFORE.holds(**at) or not tightened(BEFORE).holds(**at)
    assert judge_simplex(model)[SHARP.name].holds


def _models(count: int) -> list[Model]:
    found: list[Model] = []

    def judge(model: Model) -> dict[str, Verdict]:
        found.append(model)
        return {"any": Verdict(True, True)}

    search(attention_models(), judge, tries=count)
    return found
