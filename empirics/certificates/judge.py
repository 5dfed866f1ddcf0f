"""The judge of one input: error and BOS weights in balls (softmax) or exactly (ReLU).

A number that the judge returns surely is a lower bound of what the model does on this input, so it
is a lower bound of the supremum as well.  The definitions are those of ``theorems``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from constructions.balls import ends
from empirics.certificates.forms import Head
from theorems.arrays import Array
from theorems.attention import MECHANISMS, attend, bilinear_logits
from theorems.trigger_task import BOS, TriggerTask

PRECISION = 96
"""Bits of the judge's balls."""


@dataclass(frozen=True)
class Input:
    """One valid input: contents (L−1, n) as Fractions in [-1,1], trigger position, 1-based."""

    contents: tuple[tuple[Fraction, ...], ...]
    trigger: int

    @classmethod
    def of(cls, contents: np.ndarray, trigger: int) -> Input:
        """From doubles, which are rationals; clipped to the box."""
        clipped = np.clip(contents, -1.0, 1.0)
        return cls(tuple(tuple(Fraction(float(x)) for x in row) for row in clipped), trigger)

    @property
    def length(self) -> int:
        return len(self.contents) + 1


@dataclass(frozen=True)
class Judged:
    """Lower and upper bounds on one input: |output − target| and BOS weight, by position and all.

    Arrays of Fractions: error (L, d), bos (L,).  The upper ends exceed the lower ones by rounding.
    """

    error_low: Array
    error_high: Array
    bos_low: Array
    bos_high: Array


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Arb at ``bits`` bits, and as it was afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def judge(head: Head | Sequence[Head], attention: str, given: Input) -> Judged:
    """``given`` run through the definitions of the task and of the mechanism.

    Of a stack, a sequence of heads, the BOS weights are those of the first layer.
    """
    heads = [head] if isinstance(head, Head) else list(head)
    contents = np.array(given.contents, dtype=object).reshape(
        1, given.length - 1, heads[0].content_dim
    )
    with precision(PRECISION):
        error, bos = evaluate(heads, attention, contents, np.array([given.trigger]))
        (low, high), (bos_low, bos_high) = _bounds(error[0]), _bounds(bos[0])
    return Judged(low, high, bos_low, bos_high)


def evaluate(
    heads: Sequence[Head], attention: str, contents: Array, triggers: np.ndarray
) -> tuple[Array, Array]:
    """|output − target| (B, L, d) and BOS weights (B, L), as balls for softmax, else as rationals.

    ``contents`` are Fractions (B, L−1, n), ``triggers`` positions (B,).
    """
    task = TriggerTask(contents.shape[1] + 1, heads[0].content_dim)
    number = _ball if attention == "softmax" else _rational
    matrices = [
        (_array(np.array(h.A, dtype=object), number), _array(np.array(h.M, dtype=object), number))
        for h in heads
    ]
    if contents.size:
        tokens = task.tokens(_array(contents, number), triggers)
    else:  # an empty array does not say which numbers it holds
        tokens = _bare(task, triggers, matrices[0][0])
    state, bos = tokens, None
    for A, M in matrices:
        rows = MECHANISMS[attention].rows(bilinear_logits(state, A))
        bos = rows[..., BOS] if bos is None else bos
        state = attend(rows, state, M)
    return abs(state - task.targets(tokens)), bos


def _bare(task: TriggerTask, triggers: np.ndarray, like: Array) -> Array:
    kinds = [
        [0] + [1 if i == j else 2 for i in range(2, task.length + 1)] for j in triggers.tolist()
    ]
    return np.eye(3, dtype=int)[np.array(kinds)].astype(object) * (like.flat[0] * 0 + 1)


def _array(values: Array, number: Callable[[Fraction], Any]) -> Array:
    return np.array([number(v) for v in values.flat], dtype=object).reshape(values.shape)


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _rational(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _bounds(x: Array) -> tuple[Array, Array]:
    pairs = [ends(v) if isinstance(v, arb) else 2 * (Fraction(int(v.p), int(v.q)),) for v in x.flat]
    low, high = (np.array(side, dtype=object).reshape(x.shape) for side in zip(*pairs, strict=True))
    return low, high
