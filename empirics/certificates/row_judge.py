"""The judge of one row of one head: O(L·d) balls, where ``judge`` takes all L² of them.

Position i sees the first i tokens only, so the rest of an input does not matter: what is judged may
be the beginning of a longer input.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from empirics.certificates.forms import Head
from empirics.certificates.judge import PRECISION, Input, array_of, precision, ranges, tokens_of
from theorems.arrays import Array
from theorems.attention import MECHANISMS, attend, bilinear_logits
from theorems.trigger_task import BOS, TriggerTask


@dataclass(frozen=True)
class JudgedRow:
    """Bounds on |output − target| by coordinate and on the BOS weight, at one position."""

    error_low: Array
    error_high: Array
    bos_low: Array
    bos_high: Array


def judge_row(head: Head, attention: str, given: Input, position: int) -> JudgedRow:
    """Row ``position`` of ``given``, in balls for softmax and exactly for ReLU."""
    with precision(PRECISION):
        A, M = (array_of(m, attention) for m in (head.A, head.M))
        task = TriggerTask(given.length, head.content_dim)
        tokens = tokens_of(task, [given], attention, A)[0]
        seen = tokens[:position]
        row = row_of((seen[-1] @ A) @ seen.T, attention)
        output = M @ (row @ seen)
        if position == given.trigger:
            output = output - seen[1:].sum(axis=0) / (position - 1)
        (low, high), (bos_low, bos_high) = ranges(abs(output)), ranges(row[:1])
    return JudgedRow(low, high, bos_low[0], bos_high[0])


def row_of(z: Array, attention: str) -> Array:
    """The last row of ``MECHANISMS[attention]`` from its logits, entries balls or rationals."""
    if attention == "relu":
        return np.array([max(v, fmpq(0)) / max(1, len(z) - 1) for v in z], dtype=object)
    weights = np.array([v.exp() for v in z], dtype=object)
    return weights / weights.sum()


def place(head: Head, attention: str, kind: str, given: Input) -> int:
    """The position where floats see the largest mass or error of ``given``."""
    task = TriggerTask(given.length, head.content_dim)
    contents = np.array(given.contents, dtype=np.float64).reshape(
        given.length - 1, head.content_dim
    )
    tokens = task.tokens(contents, given.trigger)
    A, M = (np.array(m, dtype=np.float64) for m in (head.A, head.M))
    mechanism = MECHANISMS[attention]
    rows = mechanism.rows(bilinear_logits(tokens, A))
    if kind == "mass":
        mass = 1 - rows[:, BOS] if mechanism.simplex else rows[:, BOS]
        value = np.where(task.non_trigger(tokens), mass, -1.0)
    else:
        value = abs(attend(rows, tokens, M) - task.targets(tokens)).max(axis=1)
    return int(value.argmax()) + 1
