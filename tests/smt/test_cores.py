"""Every core is proved and not vacuous, every false variant refuted, every statement reached."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

import theorems.cores
from theorems import (
    anchor_needed,
    deep_sink,
    mechanisms,
    one_layer_sink,
    relu_no_sink,
    sink_price,
)
from theorems.cores import (
    anchor,
    deep,
    deletion,
    one_layer,
    price,
    relu,
    softmax,
    softmax_after,
    task,
)
from theorems.cores.chain import Link
from theorems.evidence import Run, discover
from theorems.expressions import interpret
from theorems.smt import Core, Status, counterexample, inhabitant, prove
from theorems.symbols import KAPPA_L, D, L, epsilon, eta, kappa, m
from theorems.trigger_task import ORDINARY, TRIGGER, TriggerTask

CLAIMS = (
    one_layer_sink.CLAIM,
    deep_sink.CLAIM,
    relu_no_sink.CLAIM,
    sink_price.CLAIM,
    anchor_needed.CLAIM,
)
EVIDENCE = [e for e in discover(("theorems",)) if e.kind == "smt"]


def every_link() -> dict[str, Link]:
    found: dict[str, Link] = {}
    for module in pkgutil.iter_modules(theorems.cores.__path__, "theorems.cores."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if name.endswith("LINKS"):
                found |= {link.core.name: link for link in value}
    return found


LINKS = every_link()


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_core_holds_and_its_variants_do_not(link):
    assert prove(link.core).status is Status.PROVED
    point = inhabitant(link.core)
    assert point is not None
    assert all(interpret(h, point) is True for h in link.core.hypotheses)
    assert link.false
    for variant in link.false:
        point = counterexample(variant)
        assert point is not None, variant.says
        assert all(isinstance(v, Fraction) for v in point.values())
        assert all(interpret(h, point) is True for h in variant.hypotheses)
        assert interpret(variant.conclusion, point) is False


@pytest.mark.parametrize("item", EVIDENCE, ids=lambda e: e.id)
def test_evidence_passes(item):
    result = item.collect(Run())
    assert result.status == "passed", result.figure
    assert "refuted" in result.figure


def test_every_statement_has_evidence():
    statements = {s.name for claim in CLAIMS for s in claim.statements}
    others = {"trigger_task"} | {s.name for s in mechanisms.CLAIM.statements}
    others -= {"mechanisms.linear"}  # an equation between rationals: constructions.divided_scores
    # Claims outside the trigger task have their own test of this kind.
    here = {claim.id for claim in CLAIMS} | {"trigger_task", "mechanisms"}
    assert {e.statement for e in EVIDENCE if e.claim in here} == statements | others


LAST = {
    "one_layer_sink": one_layer.ASSEMBLED,
    "one_layer_sink.linear": one_layer.LINEAR_FORM,
    "one_layer_sink.epsilon": one_layer.EPSILON_FORM,
    "one_layer_sink.softmax_before": softmax.BEFORE_CORE,
    "one_layer_sink.softmax_slope": softmax.SLOPE_CORE,
    "one_layer_sink.softmax_after": softmax_after.LOW,
    "one_layer_sink.deletion": deletion.DELETED,
    "one_layer_sink.average": deletion.UNION,
    "deep_sink": deep.POSITION_LINKS[-1].core,
    "deep_sink.any_position": deep.ANY_LINKS[-1].core,
    "relu_no_sink": relu.LAST,
    "sink_price": price.PRICE,
    "anchor_needed": anchor.ANCHOR,
}


STATEMENTS = [s for c in CLAIMS for s in c.statements]


def test_both_cases_after_the_trigger_reach_the_statement():
    assert softmax_after.HIGH.conclusion == softmax_after.LOW.conclusion


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.name)
def test_last_step_reaches_the_statement_itself(statement):
    core = LAST[statement.name]
    conclusion = statement.conclusion.xreplace({m**D: deep.X})
    assert core.conclusion == conclusion
    for symbol, expression in statement.where.items():
        assert sp.Eq(symbol, expression) in core.hypotheses


def nudged(statement):
    """The statement with a κ_L that is ten per cent too large."""
    return replace(statement, where={**statement.where, kappa: sp.Rational(11, 10) * KAPPA_L})


LARGE_P0 = {kappa: KAPPA_L, one_layer_sink.P0: 1 - 1 / (3 * (L - 1)) - 2 * eta / (L - 3)}
CHANGED: list[tuple[str, Core]] = [
    ("κ of Theorem 1", one_layer.assembled(nudged(one_layer_sink.SHARP))),
    ("κ of no anchor", anchor.anchor(nudged(anchor_needed.STATEMENT))),
    ("κ of the price", price.price(nudged(sink_price.STATEMENT))),
    ("κ of depth", deep.last_step(nudged(deep_sink.POSITION_TWO))),
    (
        "P₀",
        softmax.before(replace(one_layer_sink.BEFORE, where=LARGE_P0)),
    ),
    (
        "18 of the slope",
        softmax.slope(
            replace(one_layer_sink.SLOPE, conclusion=m * (1 - 12 * eta / (L - 4)) <= 2 * eta)
        ),
    ),
    (
        "the average's (L−2)(L−1)/2+1",
        deletion.union(
            replace(
                one_layer_sink.AVERAGE,
                conclusion=one_layer_sink.delta * one_layer_sink.s <= (L - 2) * (L - 1) / 2 * eta,
            )
        ),
    ),
    (
        "the price's divisor",
        price.price(replace(sink_price.STATEMENT, conclusion=epsilon * kappa <= eta)),
    ),
    ("the mean's divisor", relu.last_step(divisor=relu.i)),
]


@pytest.mark.parametrize("core", [c for _, c in CHANGED], ids=[name for name, _ in CHANGED])
def test_a_changed_constant_breaks_the_proof(core):
    assert prove(core, timeout_s=1).status is not Status.PROVED


@pytest.mark.parametrize("n", range(1, 6))
def test_the_targets_of_the_task_are_those_of_the_core(n):
    length = n + 2
    contents = np.array([[Fraction(k, 7)] for k in range(length - 1)], dtype=object)
    task_ = TriggerTask(length, 1)
    tokens = task_.tokens(contents, length)
    row = task_.targets(tokens)[length - 1]
    point = {"n": Fraction(n), "S_o": Fraction(n), "S_t": Fraction(0)}
    point |= {"y_o": row[ORDINARY], "y_t": row[TRIGGER]}
    assert all(interpret(h, point) for h in task.TARGET.hypotheses)
    assert interpret(task.TARGET.conclusion, point)
