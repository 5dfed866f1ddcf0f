"""Exact error and exact sink of a model, by going through every input over a finite content set.

Every construction and every search judges a model with these functions, so that "error" and
"sink" mean one thing: all valid inputs, every trigger position, every row (the BOS row too), every
coordinate, in exact arithmetic (``fractions.Fraction``, or ``flint.fmpq`` for speed).

A model is given as ``rows``, a function from tokens (..., L, d) to attention rows (..., L, L), and
``values``, a matrix M or a token-wise function from tokens to values (..., L, d).  The rows are
also checked: an arbitrary function of the prefix, but of nothing after it.

>>> from theorems.arrays import exact
>>> from theorems.attention import MECHANISMS, AttentionLayer
>>> task = TriggerTask(length=4, content_dim=0)
>>> uniform = AttentionLayer(exact([[1, 1, 1]] * 3), exact([[0, 0, 0], [0, 1, 0], [0, 0, 1]]),
...                          MECHANISMS["weights"])
>>> found = measure(task, uniform.rows, uniform.M, exact([[]]))
>>> print(f"error {found.error}, BOS weight >= {found.bos_before} before the trigger, "
...       f">= {found.bos_after} after it, {found.inputs} inputs")
error 2/3, BOS weight >= 1/3 before the trigger, >= 1/4 after it, 2 inputs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from theorems.arrays import Array
from theorems.attention import causal_mask, is_simplex
from theorems.trigger_task import TriggerTask

RowsFn = Callable[[Array], Array]
"""Tokens (..., L, d) to attention rows (..., L, L)."""

Values = Array | Callable[[Array], Array]
"""A value matrix M (d, d), or a token-wise function of tokens (..., L, d)."""


@dataclass(frozen=True)
class Case:
    """All inputs with the trigger at ``trigger`` (1-based): N = |K|^(L−1) of them.

    Shapes: tokens and outputs (N, L, d), rows (N, L, L), error (N,): the largest |output − target|
    of each input.
    """

    trigger: int
    tokens: Array
    rows: Array
    outputs: Array
    error: Array

    @property
    def bos_before(self) -> Array:
        """BOS weights (N, j−2) of the positions 2..j−1, before the trigger."""
        return self.rows[:, 1 : self.trigger - 1, 0]

    @property
    def bos_after(self) -> Array:
        """BOS weights (N, L−j) of the positions j+1..L, after the trigger."""
        return self.rows[:, self.trigger :, 0]


@dataclass(frozen=True)
class Measured:
    """What enumeration found: exact extremes over all inputs.

    ``error`` is η.  ``bos_before`` and ``bos_after`` are the smallest BOS weights of a non-trigger
    row before and after the trigger (``None`` after it when L = 3: there is no such row).
    ``bos_trigger`` is the smallest BOS weight of a trigger row, ``inputs`` the number of inputs.
    """

    error: Fraction
    bos_before: Fraction
    bos_after: Fraction | None
    bos_trigger: Fraction
    inputs: int

    @property
    def bos(self) -> Fraction:
        """The smallest BOS weight of any non-trigger row: the α that Theorem 1 is about."""
        return self.bos_before if self.bos_after is None else min(self.bos_before, self.bos_after)


def every_case(
    task: TriggerTask, rows: RowsFn, values: Values, content_set: Array, *, simplex: bool = True
) -> Iterator[Case]:
    """The model on all inputs over ``content_set`` (|K|, n), one trigger position at a time.

    Raises ``ValueError`` if a row has weight after its own position, reads a token after it, or,
    with ``simplex``, is negative somewhere or does not sum to exactly one.
    """
    seen: list[Array | None] = [None] * task.length
    for j, tokens in task.every_input(content_set):
        found = rows(tokens)
        check_rows(found, j, content_set.shape[0], seen, simplex)
        table = values(tokens) if callable(values) else tokens @ values.T
        outputs = found @ table
        error = np.abs(outputs - task.targets(tokens)).max(axis=(1, 2))
        yield Case(j, tokens, found, outputs, error)


def measure(
    task: TriggerTask, rows: RowsFn, values: Values, content_set: Array, *, simplex: bool = True
) -> Measured:
    """The exact error and smallest BOS weights over all inputs; raises as ``every_case`` does."""
    cases = list(every_case(task, rows, values, content_set, simplex=simplex))
    after = [as_fraction(case.bos_after.min()) for case in cases if case.bos_after.size]
    return Measured(
        error=max(as_fraction(case.error.max()) for case in cases),
        bos_before=min(as_fraction(case.bos_before.min()) for case in cases),
        bos_after=min(after, default=None),
        bos_trigger=min(as_fraction(c.rows[:, c.trigger - 1, 0].min()) for c in cases),
        inputs=sum(case.error.size for case in cases),
    )


def as_fraction(x: Any) -> Fraction:
    """An exact number (int, Fraction or ``flint.fmpq``) as a Fraction."""
    return Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else Fraction(x)


def as_fmpq(x: Array) -> Array:
    """An array of Fractions as one of ``flint.fmpq``: the same exact numbers, several times faster.

    An empty array (contents with n = 0) comes back unchanged, so its tokens stay Fractions.
    """
    flat = [fmpq(v.numerator, v.denominator) for v in x.flat]
    return np.array(flat, dtype=object).reshape(x.shape) if x.size else x


def check_rows(
    rows: Array, trigger: int, size: int, seen: list[Array | None], simplex: bool
) -> None:
    """Refuse rows (N, L, L) over all inputs that are not what they claim.

    ``size`` is |K|; ``seen``, L times ``None`` at first, remembers the rows before the trigger.
    Raises ``ValueError`` as ``every_case`` says.
    """
    length = rows.shape[-1]
    if simplex and not is_simplex(rows):
        raise ValueError(f"trigger at {trigger}: some row is not a causal simplex row")
    if ((rows != 0) & ~causal_mask(rows)).any():
        raise ValueError(f"trigger at {trigger}: some row has weight after its own position")
    for i in range(length):
        # Inputs are in lexicographic order, so those with equal tokens 1..i+1 stand together.
        block = rows[:, i].reshape(size**i, -1, length)
        first = block[:, 0]
        future = (block != first[:, None]).any()
        if i + 1 < trigger:
            known = seen[i]
            future = future or (known is not None and bool((known != first).any()))
            seen[i] = first
        if future:
            raise ValueError(f"the row of position {i + 1} depends on tokens after it")
