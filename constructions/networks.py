"""Small networks: heads side by side or in a residual stream, and something after them.

What Theorem 1 (Ran-Milo 2026, arXiv 2603.11487) speaks of is one head without residual.  A
``Network`` says what else there is, in the order in which it happens: layers of heads whose outputs
add up, a residual stream or none, and a gate or an MLP after the last layer.  Attention reads the
tokens themselves, never the state, so its rows are known for every layer at once.

>>> from constructions.directions import identity_off_bos
>>> from constructions.roles import Roles
>>> rest = Roles(4, ordinary=lambda i: {i: 1}, trigger=lambda j: {j: 1})
>>> M = identity_off_bos(3)
>>> cancelling = Network(((Head(rest, M), Head(rest, -M)),))
>>> found = inspect(TriggerTask(4, 0), cancelling, exact([[]]))
>>> print(f"error {found.error}, largest BOS weight {found.bos}, {found.inputs} inputs")
error 2/3, largest BOS weight 0, 2 inputs
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from constructions.balls import largest
from constructions.enumeration import RowsFn, as_fmpq, as_fraction, check_rows
from constructions.sharpness import lift
from theorems.arrays import Array, exact
from theorems.attention import attend
from theorems.trigger_task import CONTENT, TriggerTask


@dataclass(frozen=True)
class Head:
    """Rows from tokens, a value matrix of Fractions, and whether rows must sum to one."""

    rows: RowsFn
    M: Array
    simplex: bool = True


@dataclass(frozen=True)
class Pass:
    """Outputs (..., L, d), with the input subtracted if there is a residual, and all heads' rows.

    ``gate`` (..., L) is what multiplies each position's output, or ``None``.
    """

    outputs: Array
    rows: tuple[Array, ...]
    gate: Array | None


@dataclass(frozen=True)
class Network:
    """Layers of heads; with ``residual`` the target is x_i plus the task's own.

    ``gate`` gives one factor per position from the tokens; ``after`` turns (mixed, tokens) into
    outputs, token by token.
    """

    layers: tuple[tuple[Head, ...], ...]
    residual: bool = False
    gate: Callable[[Array], Array] | None = None
    after: Callable[[Array, Array], Array] | None = None

    @property
    def heads(self) -> tuple[Head, ...]:
        return tuple(head for layer in self.layers for head in layer)

    def run(self, tokens: Array) -> Pass:
        """What the network does on tokens (..., L, d) of any number kind."""
        state, seen = tokens, []
        for layer in self.layers:
            rows = [head.rows(tokens) for head in layer]
            parts = [
                attend(a, state, lift(head.M, tokens)) for a, head in zip(rows, layer, strict=True)
            ]
            update = sum(parts[1:], start=parts[0])
            state = state + update if self.residual else update
            seen += rows
        gate = None if self.gate is None else self.gate(tokens)
        if gate is not None:
            state = state * gate[..., None]
        if self.after is not None:
            state = self.after(state, tokens)
        return Pass(state - tokens if self.residual else state, tuple(seen), gate)


@dataclass(frozen=True)
class Found:
    """Extremes over inputs: Fractions, or balls or floats if the inputs were.

    ``error`` is η; ``bos`` the largest BOS weight of any head at a non-trigger position, the
    mirror image of what Theorem 1 bounds from below; ``gated`` the largest of |gate · BOS weight|
    there (``bos`` itself without a gate); ``bos_trigger`` the largest at a trigger's row.
    """

    error: Any
    bos: Any
    gated: Any
    bos_trigger: Any
    inputs: int


def look(task: TriggerTask, network: Network, batches: Iterable[Array]) -> Found:
    """The extremes over batches of tokens (N, L, d) of any number kind."""
    errors, off, gated, at, inputs = [], [], [], [], 0
    for tokens in batches:
        done = network.run(tokens)
        silent, speaking = task.non_trigger(tokens), tokens[..., 1] == 1
        errors.append(_most(abs(done.outputs - task.targets(tokens))))
        for rows in done.rows:
            bos = rows[..., 0]
            kept = bos if done.gate is None else bos * done.gate
            off.append(_most(abs(bos[silent])))
            gated.append(_most(abs(kept[silent])))
            at.append(_most(abs(bos[speaking])))
        inputs += tokens.shape[0]
    error, bos, through, trigger = (
        _most(np.array(found, dtype=object)) for found in (errors, off, gated, at)
    )
    return Found(error, bos, through, trigger, inputs)


def inspect(task: TriggerTask, network: Network, content_set: Array) -> Found:
    """The exact extremes over all inputs with contents in a finite set (|K|, n) of Fractions.

    Raises ``ValueError`` if some head's row is not what it claims (see ``enumeration``).
    """
    seen: list[list[Array | None]] = [[None] * task.length for _ in network.heads]

    def checked() -> Iterable[Array]:
        for j, tokens in task.every_input(as_fmpq(content_set)):
            for head, memory in zip(network.heads, seen, strict=True):
                check_rows(head.rows(tokens), j, content_set.shape[0], memory, head.simplex)
            yield tokens

    return look(task, network, checked())


def box(length: int, build: Callable[[TriggerTask], Network], like: Array | None = None) -> Any:
    """The exact error over *all* contents in [-1,1]ⁿ, n ≥ 1, of a network linear in the contents.

    Such a network reads flags and positions only, and treats every content coordinate alike, so
    what it writes there is Σ_k w_ik c_k with weights that do not depend on c.  Give token k the
    content e_k: the output shows the weights, and the largest error is Σ_k |w_ik − target's|.
    ``like`` holds the kind of number to work in, by default ``flint.fmpq``.
    """
    n = length - 1
    task = TriggerTask(length, n)
    kind = as_fmpq(exact([1])) if like is None else like
    contents, worst = lift(exact(np.eye(n, dtype=int)), kind), []
    network = build(task)
    for j in task.trigger_positions:
        tokens = task.tokens(contents, j)
        off = abs(network.run(tokens).outputs - task.targets(tokens))
        worst += [_most(off[:, :CONTENT]), _most(off[:, CONTENT:].sum(axis=1))]
    return _most(np.array(worst, dtype=object))


def _most(values: Array) -> Any:
    """The largest of non-negative numbers; zero for none."""
    if not values.size:
        return Fraction(0)
    first = values.flat[0]
    if isinstance(first, float | np.floating):
        return float(values.max())
    if any(isinstance(v, arb) for v in values.flat):
        return largest(np.array([v if isinstance(v, arb) else arb(0) for v in values.flat]))
    return as_fraction(values.max())
