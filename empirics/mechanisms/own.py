"""A mechanism of one's own in the table, from a few lines.

Give the map from logits to rows, as in ``theorems.attention``, and, if there is one, a layer that
solves the task with it: bilinear logits A and values M, in Fractions for exact figures or floats::

    >>> import numpy as np
    >>> from constructions.relu_zero_error import relu_zero_error
    >>> from theorems.attention import Mechanism, linear
    >>> squared = Mechanism("squared / count", lambda z: linear(z * z), simplex=False)
    >>> row = own_row(Own(squared, layer=relu_zero_error))
    >>> print(row.name, "| sink necessary:", row.necessary, "| error", row.error, "BOS", row.bos)
    squared / count | sink necessary: not by Theorem 1 | error 0 BOS 0

``print_table(console, own=[row])`` shows it under the others.  With ``train=8`` one layer of it is
trained from 8 seeds, through torch's autograd on the rows as given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.enumeration import as_fmpq
from constructions.networks import Head, Network, inspect
from constructions.sink_free import VERTICES
from theorems.arrays import is_exact
from theorems.attention import AttentionLayer, Mechanism, bilinear_logits, causal_mask
from theorems.errors import UserError
from theorems.trigger_task import TriggerTask

NECESSARY = {True: "yes, by Theorem 1", False: "not by Theorem 1"}


@dataclass(frozen=True)
class Own:
    """A mechanism, and a layer by the width d of a token: its A, M and (ignored) mechanism."""

    mechanism: Mechanism
    layer: Callable[[int], AttentionLayer] | None = None


@dataclass(frozen=True)
class OwnRow:
    """What the table says of a mechanism; ``error`` and ``bos`` are ``None`` without a layer.

    Over every input at the given length with contents ±1.  ``training`` is a summary by shape.
    """

    name: str
    necessary: str
    error: Fraction | float | None
    bos: Fraction | float | None
    training: dict[str, Any] = field(default_factory=dict)


def own_row(own: Own, length: int = 4, train: int = 0) -> OwnRow:
    """The row of ``own``.  Raises ``UserError`` if its rows are not what it says they are."""
    honest(own.mechanism)
    name, necessary = own.mechanism.name, NECESSARY[own.mechanism.simplex]
    error, bos = (None, None) if own.layer is None else _measured(own, length)
    training: dict[str, Any] = {}
    if train:
        from empirics.mechanisms.train_own import trained_summary

        training = {"1x1": trained_summary(own.mechanism, seeds=train)}
    return OwnRow(name, necessary, error, bos, training)


def honest(mechanism: Mechanism, length: int = 6) -> None:
    """Check on random logits that rows are causal, and sum to one where the mechanism says so."""
    logits = np.random.default_rng(0).normal(size=(8, length, length)) * 3
    if mechanism.name == "weights":
        logits = np.exp(logits)
    rows = np.asarray(mechanism.rows(logits))
    if rows.shape != logits.shape or not np.isfinite(rows).all():
        raise UserError(f"{mechanism.name}: logits (..., L, L) must give finite rows of that shape")
    if (rows[:, ~causal_mask(logits)] != 0).any():
        raise UserError(f"{mechanism.name}: some row has weight after its own position")
    sums = rows.sum(axis=-1)
    simplex = bool((rows >= 0).all() and np.allclose(sums, 1, rtol=0, atol=1e-12))
    if mechanism.simplex != simplex:
        says = "sum" if mechanism.simplex else "need not sum"
        raise UserError(
            f"{mechanism.name}: its rows are said to {says} to one, but sum to "
            f"{sums.min():.3g}–{sums.max():.3g} on random logits"
        )


def _measured(own: Own, length: int) -> tuple[Any, Any]:
    assert own.layer is not None
    task = TriggerTask(length, 1)
    layer = own.layer(task.width)
    if is_exact(layer.A):
        A = as_fmpq(layer.A)
        head = Head(
            lambda tokens: own.mechanism.rows(bilinear_logits(tokens, A)),
            layer.M,
            simplex=own.mechanism.simplex,
        )
        found = inspect(task, Network(((head,),)), VERTICES["±1"])
        return found.error, found.bos
    errors, weights = [], []
    for _, tokens in task.every_input(np.array([[-1.0], [1.0]])):
        rows = own.mechanism.rows(bilinear_logits(tokens, layer.A))
        errors.append(float(task.error(rows @ (tokens @ layer.M.T), tokens)))  # type: ignore[arg-type]
        weights.append(np.abs(rows[..., 0])[task.non_trigger(tokens)].max())
    return max(errors), float(max(weights))
