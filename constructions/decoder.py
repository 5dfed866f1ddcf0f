"""Decoder blocks: heads and an MLP on a residual stream whose coordinates have names.

One block does, with norms that are the identity unless given,

    h ← h + post(Σ_heads α(pre(h)) pre(h) Mᵀ),        h ← h + post(mlp(pre(h))).

``pre`` is the norm of a pre-norm model, ``post`` the second one of sandwich norm.  Attention reads
the state, through ``theorems.attention``; a head is that of ``constructions.networks``.  Rational
states give rational results as long as scores are whole numbers and no norm or SiLU comes in; with
balls (``flint.arb``) as states everything is real arithmetic rounded outward.  Learned scales of a
norm belong to the matrix after it.

>>> stream = Stream(("a", "b", "s"))
>>> uniform = Block(heads=(Head(softmax_rows(stream.matrix({})), stream.matrix({("s", "a"): 1})),))
>>> embedding = stream.vectors({"a": 1}, {"b": 1})
>>> trace = Decoder((uniform,)).run(embed(embedding, [[0, 1, 1]]))
>>> print([str(v) for v in stream.read(trace.states[1], "s")[0]])
['1', '1/2', '1/3']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from constructions.enumeration import RowsFn, as_fraction
from constructions.mlp_after_head import relu
from constructions.networks import Head
from constructions.sharpness import SOFTMAX, Sharpness, attention, is_rational, lift, number
from theorems.arrays import Array, exact, is_exact, unit
from theorems.attention import attend, bilinear_logits

Pointwise = Callable[[Array], Array]
"""A function of states (..., d) or of numbers, entry by entry or vector by vector."""


@dataclass(frozen=True)
class Stream:
    """The residual stream: the names of its d coordinates, in order."""

    names: tuple[str, ...]

    def at(self, name: str) -> int:
        """The index of a coordinate.  Raises ``ValueError`` for a name that is not there."""
        return self.names.index(name)

    def vectors(self, *entries: Mapping[str, Any]) -> Array:
        """Rows (len(entries), d) of Fractions (or balls), each with the given coordinates."""
        return _table((len(entries), len(self.names)), {
            (row, self.at(name)): value
            for row, entry in enumerate(entries) for name, value in entry.items()
        })  # fmt: skip

    def matrix(self, entries: Mapping[tuple[str, str], Any]) -> Array:
        """The (d, d) matrix with entries (out, in) as a value map, (query, key) as a score."""
        width = len(self.names)
        where = {(self.at(out), self.at(source)): v for (out, source), v in entries.items()}
        return _table((width, width), where)

    def read(self, states: Array, name: str) -> Array:
        """One coordinate (...) of states (..., d)."""
        return states[..., self.at(name)]


def identity(states: Array) -> Array:
    """No norm."""
    return states


@dataclass(frozen=True)
class Mlp:
    """y ↦ W_down f(W_in y), or with ``up`` the gated W_down (f(W_in y) ⊙ W_up y); no biases.

    Shapes: ``into`` and ``up`` (units, d), ``down`` (d, units); f acts entry by entry.
    """

    into: Array
    down: Array
    activation: Pointwise = relu
    up: Array | None = None

    def __call__(self, y: Array) -> Array:
        """What is written, (..., d), for normed states (..., d)."""
        hidden = self.activation(y @ in_kind(self.into, y).T)
        if self.up is not None:
            hidden = hidden * (y @ in_kind(self.up, y).T)
        return hidden @ in_kind(self.down, y).T


@dataclass(frozen=True)
class Block:
    """Heads, then an MLP (either may be absent), each on the normed state, each added to it."""

    heads: tuple[Head, ...] = ()
    mlp: Pointwise | None = None
    pre: Pointwise = identity
    post: Pointwise = identity

    def __call__(self, h: Array) -> tuple[Array, Array, tuple[Array, ...]]:
        """The state after the heads, the state after the MLP, and the heads' rows (..., L, L)."""
        y = self.pre(h)
        rows = tuple(head.rows(y) for head in self.heads)
        if rows:
            parts = [attend(a, y, in_kind(b.M, y)) for a, b in zip(rows, self.heads, strict=True)]
            h = h + self.post(sum(parts[1:], start=parts[0]))
        after = h if self.mlp is None else h + self.post(self.mlp(self.pre(h)))
        return h, after, rows


@dataclass(frozen=True)
class Trace:
    """A run: ``states[b]`` (..., L, d) before block b and last the final one.

    ``middles[b]`` is the state between the heads and the MLP of block b, ``rows[b]`` the attention
    rows of its heads.
    """

    states: tuple[Array, ...]
    middles: tuple[Array, ...]
    rows: tuple[tuple[Array, ...], ...]


@dataclass(frozen=True)
class Decoder:
    """Blocks in a row, on initial states (..., L, d)."""

    blocks: tuple[Block, ...] = field(default_factory=tuple)

    def run(self, states: Array) -> Trace:
        """Every state and every attention row."""
        seen, middles, rows = [states], [], []
        for block in self.blocks:
            middle, after, attended = block(seen[-1])
            seen.append(after)
            middles.append(middle)
            rows.append(attended)
        return Trace(tuple(seen), tuple(middles), tuple(rows))


def embed(embedding: Array, ids: Any) -> Array:
    """States (..., L, d) of token ids (..., L), from rows (V, d)."""
    return embedding[np.asarray(ids)]


def every_sequence(vocabulary: int, length: int) -> np.ndarray:
    """All id sequences (V^L, L), in lexicographic order."""
    return np.indices((vocabulary,) * length).reshape(length, -1).T


def softmax_rows(A: Array, E: Fraction = Fraction(1), bias: Pointwise | None = None) -> RowsFn:
    """Softmax of the logits ln(E)·(y_iᵀ A y_k + bias_ik), from states (..., L, d) to rows.

    ``bias`` gives the positions' part (L, L) of the score, in Fractions, from an (L, L) array of
    i − k.  On rational states the scores must be whole numbers, because weights are then E^score;
    ``ValueError`` otherwise.
    """

    def scores(y: Array) -> Array:
        found = bilinear_logits(y, in_kind(A, y))
        if bias is not None:
            index = np.arange(y.shape[-2])
            found = found + lift(bias(exact(index[:, None] - index[None, :])), y)
        if is_rational(found):
            for score in found.flat:
                if as_fraction(score).denominator != 1:
                    raise ValueError(
                        f"score {score} is not a whole number: rational attention has weights "
                        "E^score; give states as flint.arb balls"
                    )
        return found

    return attention(SOFTMAX, scores, Sharpness(E))


def norms(states: Array) -> Array:
    """ℓ₂ norms (...) of states (..., d): balls or floats."""
    return square_root((states * states).sum(axis=-1))


def rms_norm(epsilon: Fraction = Fraction(0), scale: Any = Fraction(1)) -> Pointwise:
    """RMSNorm, x ↦ scale·√d·x/√(‖x‖² + dε), on balls or floats."""

    def of(x: Array) -> Array:
        width = x.shape[-1]
        size = square_root((x * x).sum(axis=-1, keepdims=True) + number(width * epsilon, x))
        factor = scale if isinstance(scale, arb) else number(Fraction(scale), x)
        root = arb(width).sqrt() if is_exact(x) else float(np.sqrt(width))
        return x * (factor * root) / size

    return of


def silu(x: Array) -> Array:
    """a/(1 + e^(−a)), entry by entry, on balls or floats."""
    _refuse_rational(x, "SiLU")
    return x / (unit(x) + np.exp(-x))


def square_root(x: Array) -> Array:
    """√, entry by entry, on balls or floats; ``TypeError`` on rational numbers."""
    _refuse_rational(x, "a norm")
    return np.sqrt(x)


def in_kind(table: Array, like: Array) -> Array:
    """A weight matrix of Fractions in the number kind of ``like``; balls stay what they are."""
    return table if isinstance(table.flat[0], arb) else lift(table, like)


def _refuse_rational(x: Array, what: str) -> None:
    if is_exact(x) and is_rational(x):
        raise TypeError(f"{what} of rational numbers is irrational: give states as flint.arb balls")


def _table(shape: tuple[int, int], entries: Mapping[tuple[int, int], Any]) -> Array:
    """Fractions, or balls if any of the entries is one."""
    in_balls = any(isinstance(v, arb) for v in entries.values())
    table = np.full(shape, arb(0) if in_balls else Fraction(0), dtype=object)
    for where, value in entries.items():
        table[where] = value if isinstance(value, arb) else exact([value])[0]
        if in_balls and not isinstance(value, arb):
            table[where] = arb(table[where].numerator) / table[where].denominator
    return table
