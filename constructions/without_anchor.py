"""The task without BOS has no solution: the best layer there is, with error exactly κ_L.

``theorems.anchor_needed``: take the BOS token away and keep the rest, L−1 tokens with the trigger
at index 2..L−1 among them and the same targets.  A simplex row must now rest on something that
writes, and every layer has error at least κ_L = (L−3)/(4(L−1)).  (Ran-Milo 2026, arXiv 2603.11487,
discusses penalising the sink; this is the extreme case.)

For one content this is attained without any sharpness.  Every token attends to itself;

    value of an ordinary token   p = 0,
    value of the trigger         q = (y₃ + y_L)/2,

the middle of the two most distant targets y₃ = (½, ½) and y_L = (1−u, u), u = 1/(L−1), on the flags
(ordinary, trigger).  Silent rows are exact, and the trigger is off by (½−u)/2 = κ_L at both ends.

>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> print(picture(self_attention(without_bos(tokens))))
1.00     .     .
   .  1.00     .
   .     .  1.00
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.directions import one_content_values, random_rationals
from constructions.enumeration import RowsFn, as_fraction
from constructions.sharp_witness import kappa, nudged
from theorems.anchor_needed import STATEMENT
from theorems.arrays import Array, exact, zeros
from theorems.attention import attend, is_simplex, normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.statement import Statement
from theorems.trigger_task import TriggerTask


@dataclass(frozen=True)
class Anchorless:
    """A layer on the task without BOS: rows (..., L−1, L−1) from the tokens there, and M (d, d)."""

    rows: RowsFn
    M: Array


def without_bos(tokens: Array) -> Array:
    """Tokens (..., L, d) of the task without their first one."""
    return tokens[..., 1:, :]


def self_attention(tokens: Array) -> Array:
    """Every token attends to itself: identity rows."""
    count = tokens.shape[-2]
    rows = zeros((*tokens.shape[:-1], count), tokens)
    rows[..., range(count), range(count)] += 1
    return rows


def best_without_anchor(length: int, content: Sequence[Any] = ()) -> Anchorless:
    """The layer with error κ_L for the content set {content}, of any size."""
    u = Fraction(1, length - 1)
    middle = ((Fraction(1, 2) + 1 - u) / 2, (Fraction(1, 2) + u) / 2)
    M = one_content_values(content, bos=(0, 0), ordinary=(0, 0), trigger=middle)
    return Anchorless(self_attention, M)


def error_without_bos(task: TriggerTask, layer: Anchorless, content_set: Array) -> Fraction:
    """The exact error over all inputs and the L−1 positions that remain.

    The targets are those of the task with BOS, which never count it.  Raises ``ValueError`` if
    some row is not a simplex row.
    """
    worst = Fraction(0)
    for _, tokens in task.every_input(content_set):
        visible = without_bos(tokens)
        rows = layer.rows(visible)
        if not is_simplex(rows):
            raise ValueError("some row is not a causal simplex row")
        target = without_bos(task.targets(tokens))
        worst = max(worst, as_fraction(abs(attend(rows, visible, layer.M) - target).max()))
    return worst


@evidence("anchor_needed", kind="exact")
def floor_is_attained(run: Run) -> Outcome:
    """Self-attention has error exactly κ_L for one content; a floor 5% higher is refuted."""
    holds, refuted, longest = True, True, run.scale(10, 16, 24)
    for length in range(4, longest + 1):
        for content in ((), ("1/3",), ("-5", "7/2")):
            task = TriggerTask(length, len(content))
            layer = best_without_anchor(length, content)
            eta = error_without_bos(task, layer, exact([content]))
            holds = holds and eta == kappa(length) and STATEMENT.excess(L=length, eta=eta) == 0
            refuted = refuted and not nudged(STATEMENT, "21/20").holds(L=length, eta=eta)
    return check(holds and refuted, f"error κ_L at L = 4..{longest}; 1.05 κ_L refuted")


def _constant(rows: Array) -> RowsFn:
    return lambda tokens: zeros((len(tokens), 1, 1), tokens) + rows


FALSE = nudged(STATEMENT, "21/20")
"""The floor 5% higher: false, and layers near the best one show it."""


def search_near_the_best(
    count: int, seed: int, statement: Statement = STATEMENT
) -> tuple[int, int, Fraction]:
    """Of ``count`` drawn layers, those that violate ``statement`` and ``FALSE``; the least η/κ_L.

    Rows and values are those of the best layer, moved by random amounts of size 1 to 2⁻¹¹.
    """
    rng, broken, found, least = random.Random(seed), 0, 0, Fraction(10**9)
    for k in range(count):
        length = rng.randint(4, 7)
        best, size = best_without_anchor(length), Fraction(1, 2 ** (k % 12))
        noise = abs(random_rationals(rng, (length - 1, length - 1)))
        near = normalise(exact(np.eye(length - 1, dtype=int)) + size * noise)
        M = best.M + size * random_rationals(rng, best.M.shape) / 9
        layer = Anchorless(_constant(near), M)
        eta = error_without_bos(TriggerTask(length, 0), layer, exact([[]]))
        broken += not statement.holds(L=length, eta=eta)
        found += not FALSE.holds(L=length, eta=eta)
        least = min(least, eta / kappa(length))
    return broken, found, least


def survived(count: int, broken: int, found: int, least: Fraction) -> Outcome:
    """Passed when no layer went below the floor and some went below the planted, higher one."""
    figure = (
        f"{count} random layers near the best: {broken} below κ_L, smallest error "
        f"{float(least):.4f} κ_L; the planted floor 1.05 κ_L is refuted by {found}"
    )
    return check(broken == 0 and found > 0, figure, least=str(least), planted=found)


@evidence("anchor_needed", kind="searched")
def no_random_layer_is_better(run: Run) -> Outcome:
    """Random layers near the best ones: none has error below κ_L, some have less than 1.05 κ_L.

    A search, one token and one content: it settles nothing, and each error is exact.
    """
    count = run.scale(200, 1000, 5000)
    return survived(count, *search_near_the_best(count, run.seed))
