"""Search for a stack of layers that solves the task and sinks nowhere (Theorem 2)."""

from __future__ import annotations

import functools
from dataclasses import replace
from fractions import Fraction

import numpy as np

from constructions.enumeration import as_fmpq, as_fraction, measure
from empirics.search.engine import Panel, Record, search
from empirics.search.judge import verdicts, with_kappa
from empirics.search.report import NEAR, outcome
from empirics.strategies import Stack, stacks
from theorems.deep_sink import ANY_POSITION, POSITION_TWO
from theorems.evidence import Outcome, Run, evidence
from theorems.symbols import eta, kappa, m

TIGHTER = with_kappa(POSITION_TWO, "13/10")
NO_ROOT = replace(
    POSITION_TWO,
    name="deep_sink, without the exponent 1/D (planted)",
    conclusion=m * (kappa - eta) <= eta,
)
ANY_TIGHTER = with_kappa(ANY_POSITION, "13/10")


def masses(stack: Stack) -> tuple[Fraction, Fraction]:
    """The largest, over inputs, of the smallest mass off BOS over the layers.

    First at position 2; then for the positions i before the trigger, over 2 ≤ i′ ≤ i as well, with
    the least favourable i: position 2 again, so that the second may not exceed the first.
    """
    second, anywhere = Fraction(0), Fraction(0)
    for j, tokens in stack.task.every_input(as_fmpq(stack.first.content_set)):
        off = np.array([1 - layer.rows(tokens)[:, 1 : j - 1, 0] for layer in stack.layers])
        least = off.min(axis=0)
        second = max(second, as_fraction(least[:, 0].max()))
        anywhere = max(anywhere, as_fraction(np.minimum.accumulate(least, axis=1).max()))
    return second, anywhere


def judge(stack: Stack) -> Panel:
    """The composed error, and the masses of the layers, in Theorem 2."""
    content_set = as_fmpq(stack.first.content_set)
    error = measure(stack.task, stack.rows, stack.value, content_set).error
    second, anywhere = masses(stack)
    at = {"L": stack.task.length, "D": stack.depth, "eta": error}
    panel: dict = verdicts((POSITION_TWO, TIGHTER, NO_ROOT), **at, m=second)
    return panel | verdicts((ANY_POSITION, ANY_TIGHTER), **at, m=anywhere)


@functools.cache
def stack_search(tries: int, start: int) -> dict[str, Record]:
    """Stacks of up to three layers."""
    return search([stacks(family="corner"), stacks()], judge, tries=tries, start=start)


def _records(run: Run) -> dict[str, Record]:
    return stack_search(run.scale(300, 600, 5000), run.seed)


@evidence("deep_sink", kind="searched")
def no_stack_without_a_sink(run: Run) -> Outcome:
    """No stack of up to three layers violates Theorem 2 at position 2; false forms fall."""
    planted = (TIGHTER.name, NO_ROOT.name)
    return outcome(_records(run), POSITION_TWO.name, planted, reach=NEAR)


@evidence("deep_sink", kind="searched", statement="deep_sink.any_position")
def no_stack_without_a_sink_before_any_position(run: Run) -> Outcome:
    """No stack of up to three layers violates Theorem 2 at any position before the trigger."""
    return outcome(_records(run), ANY_POSITION.name, (ANY_TIGHTER.name,), reach=NEAR)
