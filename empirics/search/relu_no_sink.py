"""Search for an input on which the ReLU layer errs or looks at BOS (Theorem 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from constructions.enumeration import as_fraction
from empirics.search.engine import Panel, Verdict, search
from empirics.search.judge import verdict
from empirics.search.report import outcome
from empirics.strategies import ReluCase, relu_cases
from theorems.arrays import Array
from theorems.attention import AttentionLayer, Mechanism
from theorems.evidence import Outcome, Run, evidence
from theorems.relu_no_sink import STATEMENT
from theorems.trigger_task import BOS, ORDINARY, TRIGGER


def divided_by_i(layer: AttentionLayer) -> AttentionLayer:
    """ReLU attention that counts BOS among the visible tokens."""

    def rows(logits: Array) -> Array:
        out = layer.mechanism.rows(logits).copy()
        for i in range(out.shape[-2]):
            out[..., i, :] *= Fraction(max(1, i), i + 1)
        return out

    return replace(layer, mechanism=Mechanism("relu, divided by i", rows, simplex=False))


def without_itself(layer: AttentionLayer) -> AttentionLayer:
    """The trigger does not attend to itself, so its content is lost."""
    return _with(layer, "A", (TRIGGER, TRIGGER), Fraction(0))


def with_bos_value(layer: AttentionLayer) -> AttentionLayer:
    """The trigger attends to BOS, which has a value."""
    scored = _with(layer, "A", (TRIGGER, BOS), Fraction(1))
    return _with(scored, "M", (ORDINARY, BOS), Fraction(1, 10))


def talkative(layer: AttentionLayer) -> AttentionLayer:
    """Ordinary queries attend too."""
    return _with(layer, "A", (ORDINARY, ORDINARY), Fraction(1, 1000))


FAULTS: dict[str, Callable[[AttentionLayer], AttentionLayer]] = {
    "divisor i for i − 1": divided_by_i,
    "trigger without itself": without_itself,
    "BOS with a value": with_bos_value,
    "ordinary queries": talkative,
}


def at(case: ReluCase, layer: AttentionLayer, *, planted: bool = False) -> Verdict:
    """Theorem 3's predicate for ``layer`` on the one input of ``case``."""
    rows = layer.rows(case.tokens)
    error = as_fraction(case.task.error(layer(case.tokens), case.tokens))
    alpha = max(as_fraction(abs(a)) for a in rows[..., BOS].flat)
    n = case.task.content_dim
    return verdict(STATEMENT, planted=planted, L=case.task.length, n=n, eta=error, alpha=alpha)


def judge(case: ReluCase) -> Panel:
    """The layer itself, and each faulty layer as a planted falsehood."""
    false = {name: at(case, fault(case.layer), planted=True) for name, fault in FAULTS.items()}
    return {STATEMENT.name: at(case, case.layer), **false}


@evidence("relu_no_sink", kind="searched")
def no_input_with_an_error(run: Run) -> Outcome:
    """No rational contents, L ≤ 7, n ≤ 3, give the ReLU layer an error or any BOS weight."""
    tries = run.scale(100, 300, 3000)
    records = search(relu_cases(), judge, tries=tries, start=run.seed)
    return outcome(records, STATEMENT.name, tuple(FAULTS))


def _with(
    layer: AttentionLayer, part: str, entry: tuple[int, int], value: Fraction
) -> AttentionLayer:
    matrix = getattr(layer, part).copy()
    matrix[entry] = value
    return replace(layer, **{part: matrix})
