"""The trigger-conditional task (Ran-Milo 2026, arXiv 2603.11487, section 3).

A sequence has one BOS token first, exactly one trigger at a position ``j`` in ``3..L``, and
ordinary tokens elsewhere.  A token has ``d = n + 3`` coordinates::

    BOS       (1, 0, 0; 0 … 0)
    trigger   (0, 1, 0; c)          the trigger keeps content
    ordinary  (0, 0, 1; c)

At the trigger the target is the mean of all non-BOS tokens up to and including it, over all
coordinates; at every other position, BOS and the positions after the trigger included, it is 0.
The *error* of a model is the largest |output − target| over valid inputs, positions and
coordinates.  Positions are 1-based in words and formulas; arrays index them from 0.

This is the only definition of the task: statements, constructions, searches and trainers share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import sympy as sp

from theorems.arrays import Array, is_exact, namespace, sup_norm, unit, zeros
from theorems.claim import Claim
from theorems.statement import Statement

BOS, TRIGGER, ORDINARY, CONTENT = 0, 1, 2, 3
"""Coordinates of the flags, and the first content coordinate."""


@dataclass(frozen=True)
class TriggerTask:
    """Sequences of ``length`` tokens (L ≥ 3) with ``content_dim`` (n ≥ 0) content coordinates."""

    length: int
    content_dim: int

    def __post_init__(self) -> None:
        if self.length < 3:
            raise ValueError(
                f"length L = {self.length} is too short: BOS, an ordinary token and the trigger "
                "need L >= 3 (the theorems need L >= 4)"
            )
        if self.content_dim < 0:
            raise ValueError(f"content_dim n = {self.content_dim} is negative: use n >= 0")

    @property
    def width(self) -> int:
        """The number d = n + 3 of coordinates of a token."""
        return self.content_dim + CONTENT

    @property
    def trigger_positions(self) -> range:
        """The positions 3..L (1-based) at which the trigger may stand."""
        return range(3, self.length + 1)

    def tokens(self, contents: Array, trigger: int | Array) -> Array:
        """The token sequences with given contents and trigger positions.

        ``contents`` has shape (..., L−1, n): the content of each non-BOS token.  ``trigger`` is a
        1-based position or an integer array that broadcasts against ``contents``' leading axes.
        Returns shape (..., L, d).  Raises ``ValueError`` for a wrong shape or position.
        """
        *lead, count, n = contents.shape
        if (count, n) != (self.length - 1, self.content_dim):
            raise ValueError(
                f"contents end in shape ({count}, {n}); a task with L = {self.length} and "
                f"n = {self.content_dim} needs ({self.length - 1}, {self.content_dim})"
            )
        xp = namespace(contents)
        where: Array = trigger if hasattr(trigger, "shape") else xp.asarray(trigger)
        if not bool(xp.all((where >= 3) & (where <= self.length))):
            raise ValueError(f"trigger position {trigger} is outside 3..{self.length}")
        positions = xp.arange(2, self.length + 1, device=getattr(contents, "device", None))
        one = unit(contents)
        is_trigger = xp.broadcast_to(where[..., None] == positions, (*lead, count))
        flag = zeros((*lead, count), contents) + is_trigger * one
        body = xp.concat([xp.stack([flag * 0, flag, one - flag], axis=-1), contents], axis=-1)
        bos = zeros((*lead, 1, self.width), contents)
        bos[..., 0, BOS] = one
        return xp.concat([bos, body], axis=-2)

    def targets(self, tokens: Array) -> Array:
        """The target of every position, shape (..., L, d), read off the tokens themselves.

        y_i = t_i · (1/(i−1)) · Σ_{k=2..i} x_k, with t_i the trigger flag of token i.
        """
        xp = namespace(tokens)
        seen = xp.cumulative_sum(tokens[..., 1:, :], axis=-2)
        count = xp.arange(1, self.length, device=getattr(tokens, "device", None))
        mean = seen * (unit(tokens) / _column(count, tokens))
        bos_row = zeros((*tokens.shape[:-2], 1, self.width), tokens)
        return xp.concat([bos_row, mean * tokens[..., 1:, TRIGGER : TRIGGER + 1]], axis=-2)

    def error(self, outputs: Array, tokens: Array) -> object:
        """The largest |output − target| over all sequences, positions and coordinates given."""
        return sup_norm(outputs - self.targets(tokens))

    def non_trigger(self, tokens: Array) -> Array:
        """Boolean (..., L): the positions i ≥ 2 that do not hold the trigger."""
        xp = namespace(tokens)
        return xp.astype(tokens[..., BOS] + tokens[..., TRIGGER] == 0, xp.bool)

    def every_input(self, content_set: Array) -> Iterator[tuple[int, Array]]:
        """All valid inputs over a finite content set of shape (|K|, n), trigger by trigger.

        Yields ``(j, tokens)`` with tokens of shape (|K|^(L−1), L, d).
        """
        size = content_set.shape[0]
        choice = np.indices((size,) * (self.length - 1)).reshape(self.length - 1, -1).T
        contents = content_set[choice]
        for j in self.trigger_positions:
            yield j, self.tokens(contents, j)


def _column(count: Array, like: Array) -> Array:
    """``count`` as a column of the number kind of ``like``, so that 1/count stays exact."""
    if is_exact(like):
        return np.array([unit(like) * int(c) for c in count], dtype=object)[:, None]
    return namespace(like).astype(count, like.dtype)[:, None]


_j, _L, _y_o, _y_t = sp.symbols("j L y_o y_t", real=True)

STATEMENT = Statement(
    name="trigger_task",
    title="At the trigger the target's flags count the tokens it averages",
    setting=(
        "The trigger-conditional task; trigger at position j.  The content channels of the target "
        "are the mean of the contents at positions 2..j, and every other position's target is 0."
    ),
    symbols={
        "j": "position of the trigger, 1-based",
        "L": "sequence length, BOS included",
        "y_o": "ordinary flag of the target at the trigger",
        "y_t": "trigger flag of the target at the trigger",
    },
    hypotheses=(_L >= 3, _j >= 3, _j <= _L),
    conclusion=sp.And(sp.Eq(_y_o * (_j - 1), _j - 2), sp.Eq(_y_t * (_j - 1), 1)),
    paper="Ran-Milo 2026, section 3: mean of the non-BOS tokens up to and including the trigger.",
    ours="the same; all coordinates are averaged, and the flags alone carry the theorems",
    proof_idea="Positions 2..j hold j−2 ordinary tokens and the trigger.",
)

CLAIM = Claim(
    id="trigger_task",
    title="The trigger-conditional task: the mean at the trigger, zero elsewhere",
    papers=("A1",),
    statements=(STATEMENT,),
)
