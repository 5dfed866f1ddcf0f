"""The judge of one input: error and BOS weights in balls (softmax) or exactly (ReLU).

A number that the judge returns surely is a lower bound of what the model does on this input, so it
is a lower bound of the supremum as well.  The definitions are those of ``theorems``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    ``bos`` is that of the first head of the first layer; ``sinks[l][h]`` has both ends for each.
    """

    error_low: Array
    error_high: Array
    bos_low: Array
    bos_high: Array
    sinks: tuple[tuple[tuple[Array, Array], ...], ...] = ()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Arb at ``bits`` bits, and as it was afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def judge(
    head: Head | Sequence[Head] | Sequence[Sequence[Head]],
    attention: str,
    given: Input,
    *,
    residual: bool = False,
) -> Judged:
    """``given`` run through the definitions of the task and of the mechanism.

    A sequence of heads is a stack; a sequence of sequences has several heads in each layer.
    """
    layers = by_layers(head)
    with precision(PRECISION):
        task = TriggerTask(given.length, layers[0][0].content_dim)
        tokens = tokens_of(task, [given], attention, array_of(layers[0][0].A, attention))
        error, bos = run(layers, attention, tokens, task, residual=residual)
        low, high = ranges(error[0])
        sinks = [[ranges(head_bos[0]) for head_bos in layer] for layer in bos]
    return Judged(low, high, *sinks[0][0], tuple(tuple(layer) for layer in sinks))


def by_layers(head: Head | Sequence[Head] | Sequence[Sequence[Head]]) -> list[list[Head]]:
    """The heads of every layer."""
    heads = [head] if isinstance(head, Head) else head
    return [[h] if isinstance(h, Head) else list(h) for h in heads]


def evaluate(
    heads: Sequence[Head], attention: str, contents: Array, triggers: np.ndarray
) -> tuple[Array, Array]:
    """|output − target| (B, L, d) and BOS weights (B, L), as balls for softmax, else as rationals.

    ``contents`` are Fractions (B, L−1, n), ``triggers`` positions (B,); of a stack the BOS weights
    are those of the first layer.
    """
    task = TriggerTask(contents.shape[1] + 1, heads[0].content_dim)
    given = [
        Input(tuple(map(tuple, c)), int(j))
        for c, j in zip(contents.tolist(), triggers.tolist(), strict=True)
    ]
    tokens = tokens_of(task, given, attention, array_of(heads[0].A, attention))
    error, bos = run(by_layers(heads), attention, tokens, task)
    return error, bos[0][0]


def run(
    layers: Sequence[Sequence[Head]],
    attention: str,
    tokens: Array,
    task: TriggerTask,
    *,
    residual: bool = False,
) -> tuple[Array, list[list[Array]]]:
    """|output − target| (B, L, d), and the BOS weights (B, L) of every layer and head.

    With ``residual`` the output is what the layers added to the tokens.
    """
    state, bos = tokens, []
    for layer in layers:
        added, sinks = 0 * state, []
        for head in layer:
            rows = MECHANISMS[attention].rows(bilinear_logits(state, array_of(head.A, attention)))
            sinks.append(rows[..., BOS])
            added = added + attend(rows, state, array_of(head.M, attention))
        state = state + added if residual else added
        bos.append(sinks)
    output = state - tokens if residual else state
    return abs(output - task.targets(tokens)), bos


def tokens_of(task: TriggerTask, given: Sequence[Input], attention: str, like: Array) -> Array:
    """The token sequences (B, L, d) of inputs of one length, in the numbers of ``like``."""
    triggers = np.array([one.trigger for one in given])
    if not task.content_dim:  # an empty array does not say which numbers it holds
        return _bare(task, triggers, like)
    shape = (len(given), task.length - 1, task.content_dim)
    contents = np.array([one.contents for one in given], dtype=object).reshape(shape)
    return task.tokens(array_of(contents, attention), triggers)


def _bare(task: TriggerTask, triggers: np.ndarray, like: Array) -> Array:
    kinds = [
        [0] + [1 if i == j else 2 for i in range(2, task.length + 1)] for j in triggers.tolist()
    ]
    return np.eye(3, dtype=int)[np.array(kinds)].astype(object) * (like.flat[0] * 0 + 1)


def array_of(values: Any, attention: str) -> Array:
    """Fractions as balls for softmax, as rationals for other mechanisms."""
    number = _ball if attention == "softmax" else _rational
    exact = np.array(values, dtype=object)
    return np.array([number(v) for v in exact.flat], dtype=object).reshape(exact.shape)


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _rational(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def ranges(x: Array) -> tuple[Array, Array]:
    """Lower and upper ends, as Fractions."""
    pairs = [ends(v) if isinstance(v, arb) else 2 * (Fraction(int(v.p), int(v.q)),) for v in x.flat]
    low, high = (np.array(side, dtype=object).reshape(x.shape) for side in zip(*pairs, strict=True))
    return low, high
