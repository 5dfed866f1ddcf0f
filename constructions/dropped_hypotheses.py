"""Theorem 1 without one of its hypotheses is false: a layer for each, exact and without a sink.

``theorems.one_layer_sink`` (after Ran-Milo 2026, arXiv 2603.11487, Theorem 1) asks that the BOS row
counts in the error, that values do not depend on positions, that L ≥ 4, and that rows sum to one.
Each layer below drops one of these, solves its task with error exactly 0, and has non-trigger rows
with BOS weight at most 1/2.  All but the last are for one content c.

*Without the BOS row.*  M = identity off BOS, M·BOS = −(ordinary token): half on BOS and half on
itself is exact silence, the trigger averages.  Only the BOS row is wrong, by max(1, ‖c‖).

*Values that read positions.*  Ordinary values 0, and the trigger at j has the value y_j, which for
one content is known in advance; every token attends to itself.

*L = 3.*  There is one target only: value y₃ for the trigger, 0 for the rest, and self-attention.

*Rows that need not sum to one.*  ReLU attention, ``constructions.relu_zero_error``.

>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> print(picture(half_on_bos(4, ("2",)).rows(tokens)))
1.00     .     .     .
0.50  0.50     .     .
   .  0.50  0.50     .
0.50     .     .  0.50
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.directions import identity_off_bos, one_content_values
from constructions.enumeration import Measured, RowsFn, Values, every_case, measure
from constructions.relu_zero_error import relu_zero_error
from constructions.roles import Roles, uniform
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import SHARP
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Loophole:
    """A layer by its rows and its values: a matrix, or a function of tokens (..., L, d)."""

    rows: RowsFn
    values: Values


def half_on_bos(length: int, content: Sequence[Any]) -> Loophole:
    """Half on BOS, half on itself, with opposite values: exact but for the BOS row."""
    M = identity_off_bos(CONTENT + len(content))
    M[ORDINARY, BOS] = Fraction(-1)
    M[CONTENT:, BOS] = -exact(list(content))
    rows = Roles(length, ordinary=lambda i: {1: HALF, i: HALF}, trigger=lambda j: uniform(2, j))
    return Loophole(rows, M)


def values_by_position(length: int, content: Sequence[Any]) -> Loophole:
    """Everyone attends to itself; the trigger's value at j is the target y_j."""

    table = exact(np.zeros((length, CONTENT + len(content)), dtype=int))
    for j in range(3, length + 1):
        table[j - 1, TRIGGER] = Fraction(1, j - 1)
        table[j - 1, ORDINARY] = 1 - table[j - 1, TRIGGER]
        table[j - 1, CONTENT:] = exact(list(content))

    def values(tokens: Array) -> Array:
        return table * tokens[..., TRIGGER : TRIGGER + 1]

    return Loophole(_self_attention(length), values)


def single_target(content: Sequence[Any]) -> Loophole:
    """L = 3: the trigger's value is the only target y₃ = (½, ½; c)."""
    M = one_content_values(content, bos=(0, 0), ordinary=(0, 0), trigger=(HALF, HALF))
    return Loophole(_self_attention(3), M)


def _self_attention(length: int) -> Roles:
    return Roles(length, ordinary=lambda i: {i: 1}, trigger=lambda j: {j: 1})


def _measured(length: int, layer: Loophole, content: Sequence[Any]) -> Measured:
    task = TriggerTask(length, len(content))
    return measure(task, layer.rows, layer.values, exact([content]))


CONTENTS: tuple[tuple[str, ...], ...] = ((), ("1/3",), ("-5", "7/2"))


@evidence("one_layer_sink", kind="exact")
def bos_row_must_count(run: Run) -> Outcome:
    """With the BOS row left out of the error, α = 1/2 everywhere has error exactly 0."""
    holds = True
    for length in range(4, run.scale(8, 12) + 1):
        for content in CONTENTS:
            layer, task = half_on_bos(length, content), TriggerTask(length, len(content))
            for case in every_case(task, layer.rows, layer.values, exact([content])):
                off = abs(case.outputs - task.targets(case.tokens))
                holds = holds and (off[:, 1:] == 0).all() and (off[:, 0].max() >= 1)
            found = _measured(length, layer, content)
            holds = holds and found.bos_before == found.bos_after == HALF
            holds = holds and not SHARP.holds(L=length, alpha=HALF, eta=0)
            holds = holds and SHARP.holds(L=length, alpha=HALF, eta=found.error)
    return check(holds, "error 0 off the BOS row, α = 1/2; error ≥ 1 with it")


@evidence("one_layer_sink", kind="exact")
def values_must_not_read_positions(run: Run) -> Outcome:
    """With absolute positions in the values, BOS weight 0 everywhere has error exactly 0."""
    holds = True
    for length in range(4, run.scale(8, 12) + 1):
        for content in CONTENTS:
            found = _measured(length, values_by_position(length, content), content)
            at = {"L": length, "alpha": found.bos, "eta": found.error}
            holds = holds and found.error == found.bos == 0 and not SHARP.holds(**at)
    return check(holds, "error 0, α = 0 at every row")


@evidence("one_layer_sink", kind="exact")
def length_three_is_too_short(run: Run) -> Outcome:
    """At L = 3 BOS weight 0 has error exactly 0, so no positive constant can replace κ₃ = 0."""
    holds = True
    for content in CONTENTS:
        found = _measured(3, single_target(content), content)
        holds = holds and found.error == found.bos == 0 and found.bos_after is None
        at = {"L": 3, "alpha": found.bos, "eta": found.error}
        holds = holds and not SHARP.applies(**at)
        holds = holds and SHARP.excess(**at, kappa=Fraction(1, 10**6)) > 0
    return check(holds, "L = 3: error 0, α = 0")


@evidence("one_layer_sink", kind="exact")
def rows_must_sum_to_one(run: Run) -> Outcome:
    """ReLU rows, which need not sum to one, have error 0 and BOS weight 0 over many contents."""
    task, content_set = TriggerTask(5, 1), exact([["-1"], ["1/2"], ["3"]])
    layer = relu_zero_error(task.width)
    found = measure(task, layer.rows, layer.M, content_set, simplex=False)
    fails = not SHARP.holds(L=5, alpha=found.bos, eta=found.error)
    return check(
        found.error == found.bos == 0 and fails, f"error 0, α = 0 on {found.inputs} inputs"
    )
