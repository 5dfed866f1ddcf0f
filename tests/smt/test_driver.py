"""The driver proves what is true, refutes with exact models, and otherwise stays undecided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
import z3

from theorems.cores.chain import Link, outcome
from theorems.cores.one_layer import ASSEMBLED
from theorems.cores.rules import CANCEL, PRODUCT
from theorems.evidence import Run
from theorems.expressions import interpret
from theorems.smt import (
    Apply,
    Core,
    Show,
    Status,
    counterexample,
    inhabitant,
    product,
    prove,
    replay,
    without,
)
from theorems.smt_terms import Linear, ask

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)


def core(hypotheses, conclusion, **more):
    names = dict.fromkeys(("x", "y", "n"), "a number")
    return Core("test", names, tuple(hypotheses), conclusion, "a test", **more)


def test_a_truth_is_proved_and_a_falsehood_refuted():
    assert prove(core([x >= 1], x**2 >= x)).status is Status.PROVED
    verdict = prove(core([x >= 0], x**2 >= x))
    assert verdict.status is Status.REFUTED
    assert 0 < verdict.model["x"] < 1


def test_a_verdict_is_not_a_truth_value():
    with pytest.raises(TypeError, match="compare its status"):
        bool(prove(core([x >= 1], x >= 1)))


def test_out_of_time_is_undecided_and_never_passes():
    hard = replace(ASSEMBLED, hints=(), narrow=())
    verdict = prove(hard, timeout_s=0.001)
    assert verdict.status is Status.UNDECIDED
    assert verdict.reason
    failed = outcome((Link(replace(hard, name="hard"), (hard,)),), Run(), timeout_s=0.001)
    assert failed.status == "failed"
    assert "undecided" in failed.figure
    assert "not refuted" in failed.figure


def test_contradictory_hypotheses_are_flagged():
    vacuous = core([x > 1, x < 0], x > 5)
    assert prove(vacuous).status is Status.PROVED
    assert inhabitant(vacuous) is None
    report = outcome((Link(vacuous, (core([x > 1], x > 5),)),), Run())
    assert report.status == "failed"
    assert "no values found" in report.figure


def test_a_core_without_a_false_variant_fails():
    report = outcome((Link(core([x > 1], x > 0), ()),), Run())
    assert report.status == "failed"
    assert "no false variant" in report.figure


def test_a_true_variant_is_not_refuted():
    report = outcome((Link(core([x > 1], x > 0), (core([x > 2], x > 0),)),), Run())
    assert report.status == "failed"
    assert "not refuted" in report.figure


def test_a_false_core_fails():
    report = outcome((Link(core([x > 1], x > 2), (core([x > 1], x > 3),)),), Run())
    assert report.status == "failed"


def test_a_false_hint_does_not_help():
    assert prove(core([x >= 0], x >= 1, hints=(Show(x >= 2),))).status is Status.REFUTED


def test_a_hint_may_only_use_what_is_known():
    cheat = core([x >= 0], x >= 1, hints=(Show(x >= 1, using=(x >= 1,)),))
    assert prove(cheat).status is Status.REFUTED
    assert "used and not known" in prove(cheat).reason


def test_only_known_facts_are_multiplied():
    cheat = core([x >= 0], x * y >= 0, hints=(Show(x * y >= 0, products=((x >= 0, y >= 0),)),))
    assert prove(cheat).status is Status.REFUTED
    assert "used and not known" in prove(cheat).reason


def test_an_assumption_stays_an_assumption():
    local = core([x >= 0], y >= 0, hints=(Show(y >= 0, assuming=y >= x),))
    assert prove(local).status is Status.REFUTED


def test_a_false_lemma_cannot_be_applied():
    false = core([x >= 0], x >= 1)
    cheat = core([x >= 0], x >= 1, hints=(Apply(false),))
    assert prove(cheat).status is Status.REFUTED
    assert "lemma" in prove(cheat).reason


def test_a_lemma_needs_its_hypotheses():
    lemma = core([x >= 1], x**2 >= x)
    cheat = core([y >= 0], y**2 >= y, hints=(Apply(lemma, {x: y}),))
    assert prove(cheat).status is Status.REFUTED
    assert "hypothesis" in prove(cheat).reason
    assert prove(core([y >= 1], y**2 >= y, hints=(Apply(lemma, {x: y}),))).status is Status.PROVED


def test_a_denominator_that_may_vanish_is_not_proved():
    verdict = prove(core([x >= 0], y / x - y / x >= 0))
    assert verdict.status is Status.PROVED  # sympy cancels it: nothing is divided
    assert prove(core([x >= 0], 1 / x >= 0)).status is Status.UNDECIDED
    assert prove(core([x > 0], 1 / x >= 0)).status is Status.PROVED


def test_whole_numbers_are_not_refuted_by_fractions():
    between = core([n >= 1, n <= 2], sp.Or(n <= 1, n >= 2))
    assert prove(between).status is Status.UNDECIDED
    assert counterexample(between) is None
    assert prove(replace(between, hypotheses=(n >= 1, n <= 3))).status is not Status.PROVED


def test_an_irrational_model_is_not_counted():
    assert counterexample(core([sp.Eq(x**2, 2), x > 0], x > 2)) is None


def test_a_rational_model_near_an_irrational_one_is_found():
    point = counterexample(core([x**2 > 2, x**2 < 3, sp.Eq(y, x**2)], y < 0))
    assert point is not None
    assert 2 < point["x"] ** 2 == point["y"] < 3


def test_replay_is_exact():
    third = core([sp.Eq(3 * x, 1)], x > 1)
    assert replay(third, third.hypotheses, third.conclusion, {"x": Fraction(1, 3)})
    near = Fraction(1, 3) + Fraction(1, 10**30)
    assert not replay(third, third.hypotheses, third.conclusion, {"x": near})
    assert not replay(third, [1 / x > 0], third.conclusion, {"x": Fraction(0)})


def test_the_same_question_has_the_same_answer():
    query = core([x**2 + y**2 <= 1], x + y <= 1)
    assert counterexample(query) == counterexample(query)


def test_products_of_facts():
    assert product(x >= 0, y <= 1) == (x * (1 - y) >= 0)
    assert product(x > 0, y > 1) == (x * (y - 1) > 0)
    assert product(x > 0, y >= 1) == (x * (y - 1) >= 0)
    with pytest.raises(TypeError, match="no inequality"):
        product(x > 0, sp.Ne(y, 1))


@pytest.mark.parametrize("rule", [PRODUCT, CANCEL], ids=lambda c: c.name)
def test_the_rules_of_the_driver_are_proved(rule):
    assert prove(rule).status is Status.PROVED


def test_symbols_are_explained_and_not_confused():
    with pytest.raises(ValueError, match="not explained"):
        Core("bad", {}, (x > 0,), x > 0, "")
    with pytest.raises(ValueError, match="two different symbols"):
        core([x > 0], sp.Symbol("x") > 0)
    with pytest.raises(ValueError, match="no hypothesis"):
        without(core([x > 0], x > 0), y > 0)


LINEAR_QUERIES = [
    ([x * y <= 1, x >= 0], x * y <= 2),
    ([x * y <= y**2, sp.Abs(x) <= 1], 2 * x * y <= 2 * y**2 + sp.Abs(x)),
    ([sp.Eq(x * (y - 1), 3), x <= 2], x * y <= 5),
    ([sp.Or(x * y >= 1, y >= 1), y < 1], x * y >= 1),
    ([x**2 * y >= 1, x >= 0], x * y >= 0),
    ([x * y >= 0, y >= 0], x >= 0),
]


@pytest.mark.parametrize(("facts", "goal"), LINEAR_QUERIES)
def test_what_linear_arithmetic_proves_has_no_exception(facts, goal):
    """On a grid of rationals nothing that follows linearly fails; what fails is not shown."""
    grid = [Fraction(k, 2) for k in range(-5, 6)]
    points = [{"x": a, "y": b} for a in grid for b in grid]
    exceptions = [
        p for p in points if all(interpret(f, p) for f in facts) and not interpret(goal, p)
    ]
    shown = ask(Linear(), facts, goal, 5)[0] == z3.unsat
    assert not (shown and exceptions)
    assert shown == (goal not in (x * y >= 0, x >= 0))
