"""Sound, looser bounds for stacks of one-head softmax layers without residual.

Such a stack is one layer with weights W, the product of its rows, and values N = M_D ⋯ M_1: the
state of a position after layer l is N_l y, with y = Σ_k W_ik x_k a mixture of tokens.  So logits of
layer l + 1 are bilinear in two mixtures, by N_lᵀ A N_l, and only mixtures need enclosing.  In the
basis (1, b, t; content) of a mixture with weight b on BOS and t on the trigger (the ordinary flag
is 1 − b − t) an interval for each coordinate encloses

* an ordinary row's mixture: b ≥ 1 − m, t ≤ m, contents in ±m, where m bounds 1 − W_i1;
* the trigger's: b ≤ a, t between shares that follow from the spread of its logits, contents in ±1.

Logits of mixtures are bounded in balls, after splitting off the leading terms (u·y)(w·y′) of the
matrix, whose factors are enclosed exactly.  The first layer has the vertex bounds of
``softmax_bounds``.  From a layer to the next

* 1 − W_i1 of an ordinary row is at most m·(that before) + its weight on the trigger, and at most m;
* of the trigger's row, Σ_{k≥2} |W_jk − 1/r| grows by at most 2e and W_j1 by e, where 1 − e is the
  trigger's least weight on itself; they start at 2 tanh(Λ/4) + a and a.

The error follows as for one layer.  It is vacuous (1 or more) when a later layer moves the
trigger's state away from itself, since nothing is known of what it would read there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb

from constructions.balls import balls, ends
from empirics.certificates import softmax_bounds
from empirics.certificates.forms import Exact, Head
from empirics.certificates.judge import precision
from empirics.certificates.softmax_bounds import largest_value, ordinary_error
from empirics.certificates.vertices import round_up
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

PRECISION = 96
SPLIT = 1
"""Number of leading terms that are split off a matrix of logits."""

Box = np.ndarray
"""Balls (d,) around (1, b, t; content)."""


@dataclass(frozen=True)
class StackBounds:
    """Bounds over all inputs.

    ``mass[l]``: at most so much off BOS at any non-trigger position of layer l.  ``composed`` is
    the same for W.  ``rows`` bound the error by kind of row.  ``hints[l]``: the vectors u, w split
    off the logits of layer l + 1, with which a check repeats the bounds.
    """

    mass: tuple[Fraction, ...]
    composed: Fraction
    rows: dict[str, Fraction]
    hints: tuple[Exact, ...]

    @property
    def eta(self) -> Fraction:
        return max(self.rows.values())

    @property
    def vacuous(self) -> bool:
        """Whether the bound on the error says less than a model that is always silent."""
        return self.eta >= 1


@dataclass(frozen=True)
class Mixtures:
    """What encloses the rows of W after some layers: numbers of the module's docstring."""

    off: arb
    bos: arb
    share: arb
    uneven: arb

    def ordinary(self, n: int) -> Box:
        part = _from_zero(self.off)
        return np.array([arb(1), 1 - part, part, *[part.union(-part)] * n])

    def trigger(self, n: int) -> Box:
        return np.array([arb(1), _from_zero(self.bos), self.share, *[arb(0, 1)] * n])


def bounds(layers: Sequence[Head], length: int) -> StackBounds:
    """Bounds for a stack of single softmax heads at L = ``length`` ≥ 4."""
    n = layers[0].content_dim
    with precision(PRECISION):
        mass, mixed = first(layers[0], length)
        masses, hints, N = [mass], [], np.array(layers[0].M, dtype=object)
        for head in layers[1:]:
            split = Split.of(N.T @ np.array(head.A, dtype=object) @ N)
            mass, mixed = following(split, mixed, n, length)
            masses.append(mass)
            hints.append(split.vectors)
            N = np.array(head.M, dtype=object) @ N
        off, bos, uneven = (_up(x) for x in (mixed.off, mixed.bos, mixed.uneven))
    rows = {
        "bos": max(abs(x) for x in N[:, BOS]),
        "ordinary": ordinary_error(N.tolist(), off),
        "trigger": trigger_error(N.tolist(), bos, uneven),
    }
    rounded = {kind: round_up(x) for kind, x in rows.items()}
    return StackBounds(tuple(min(Fraction(1), _up(m)) for m in masses), off, rounded, tuple(hints))


def first(head: Head, length: int) -> tuple[arb, Mixtures]:
    """The first layer: its mass off BOS, and its mixtures."""
    _, after = softmax_bounds.off_bos(head, length)
    spread, bos = (_ball(x) for x in softmax_bounds.trigger_row(head))
    mass = _ball(max(after.values()))
    low = (1 - bos) / (1 + (length - 2) * spread.exp())
    share = low.lower().union((1 / (1 + (-spread).exp())).upper())
    return mass, Mixtures(mass, bos, share, 2 * (spread / 4).tanh() + bos)


def following(split: Split, before: Mixtures, n: int, length: int) -> tuple[arb, Mixtures]:
    """A later layer: its mass off BOS, and the mixtures after it."""
    o, t = before.ordinary(n), before.trigger(n)
    bos = np.array([arb(1), arb(1), *[arb(0)] * (n + 1)])
    (least_o, to_o), (_, to_t) = (exp_ends(split(o, key - bos)) for key in (o, t))
    # after the trigger, position 2 and the query itself are ordinary keys
    on_t = _mass(to_t / (1 + 2 * least_o))
    mass = _mass((length - 2) * to_o + to_t)
    away = [exp_ends(split(t, key - t))[1] for key in (bos, o)]
    moved = _mass(away[0] + (length - 2) * away[1])
    share = before.share + _from_zero(moved) * (arb(0).union(arb(1)) - before.share)
    off = (mass * before.off + on_t).min(mass)
    return mass, Mixtures(off, (before.bos + moved).min(arb(1)), share, before.uneven + 2 * moved)


@dataclass(frozen=True)
class Split:
    """Logits y·E y′ of mixtures as Σ (u·y)(w·y′) + y·R y′, exactly."""

    whole: np.ndarray
    vectors: Exact
    rest: np.ndarray

    @classmethod
    def of(cls, E: np.ndarray) -> Split:
        """From the matrix for tokens: the leading singular terms, as dyadic rationals."""
        d = len(E)
        basis = np.array([[Fraction(int(i == j)) for j in range(d)] for i in range(d)])
        basis[:, [BOS, TRIGGER, ORDINARY]] = basis[:, [ORDINARY, BOS, TRIGGER]]
        basis[ORDINARY, 1:CONTENT] = Fraction(-1)
        E = basis.T @ E @ basis
        left, size, right = np.linalg.svd(E.astype(np.float64))
        vectors, rest = [], E
        for k in range(min(SPLIT, d)):
            pair = [left[:, k] * np.sqrt(size[k]), right[k] * np.sqrt(size[k])]
            u, w = (np.array([Fraction(float(np.float32(x))) for x in v]) for v in pair)
            rest = rest - np.outer(u, w)
            vectors += [u.tolist(), w.tolist()]
        return cls(balls(E), vectors, balls(rest))

    def __call__(self, x: Box, y: Box) -> arb:
        """A ball around the logit, for every x and y in their boxes."""
        plain, split = _dot(x @ self.whole, y), _dot(x @ self.rest, y)
        v = [balls(np.array(vector, dtype=object)) for vector in self.vectors]
        for u, w in zip(v[::2], v[1::2], strict=True):
            split += _times(_dot(u, x), _dot(w, y))
        return plain.intersection(split)


def trigger_error(N: Exact, bos: Fraction, uneven: Fraction) -> Fraction:
    """The error of the trigger's row with W_j1 ≤ ``bos`` and Σ_{k≥2} |W_jk − 1/r| ≤ ``uneven``."""
    worst = Fraction(0)
    for j, row in enumerate(N):
        deviation = largest_value([x - (j == k) for k, x in enumerate(row)])
        error = bos * abs(row[BOS]) + deviation + (uneven if j != BOS else 0)
        worst = max(worst, error)
    return worst


def exp_ends(x: arb) -> tuple[arb, arb]:
    """The least and the largest e^x, by the ends: the ball of e^x may reach below 0."""
    return x.lower().exp().lower(), x.upper().exp().upper()


def _dot(x: Box, y: Box) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))


def _times(x: arb, y: arb) -> arb:
    """The product by the ends of both: a ball's own product is much wider for wide balls."""
    ends_of = [a * b for a in (x.lower(), x.upper()) for b in (y.lower(), y.upper())]
    low, high = ends_of[0], ends_of[0]
    for v in ends_of[1:]:
        low, high = low.min(v), high.max(v)
    return low.union(high)


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _from_zero(x: arb) -> arb:
    """A ball around every number from 0 to x."""
    return arb(0).union(x.upper())


def _mass(S: arb) -> arb:
    """S/(1+S) for an upper bound S; 1 where that is not finite."""
    return (S / (1 + S)).upper() if S.is_finite() else arb(1)


def _up(x: arb) -> Fraction:
    return round_up(ends(x)[1])
