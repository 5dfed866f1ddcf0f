"""Sound, much looser bounds for softmax layers with several heads or a residual stream.

The state of a token is BOS's, an ordinary token's or the trigger's; one box of balls per kind
encloses it after every layer, for every input and position (BOS sees only itself: a point, widened
by rounding).  The heads of the first layer have the vertex bounds of ``softmax_bounds``; later
logits are bilinear in two boxes.  With at most m off BOS a head writes v + [0,m](V − v) at an
ordinary token, v = M·BOS and V the hull of the values of other keys; at the trigger, a mixture of
ordinary values, its own and v.

The mass bounds of the first layer are as tight as for one head.  From the second layer on boxes
forget that states share their contents, so a bound may be 1, which says nothing; and the bound on
the error of the trigger's row is vacuous as soon as there are contents, since state and target are
compared as if their contents were unrelated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb

from constructions.balls import balls, ends
from empirics.certificates import softmax_bounds
from empirics.certificates.forms import Head
from empirics.certificates.judge import precision
from empirics.certificates.stack_bounds import exp_ends
from empirics.certificates.vertices import round_up
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

PRECISION = 64
Box = np.ndarray
"""Balls (d,): an enclosure of every state of one kind of token."""


@dataclass(frozen=True)
class Row:
    """Of one head, over all inputs: mass off BOS of ordinary rows; the trigger's weight on BOS and
    its own share of the rest, from ``low`` to ``high``."""

    mass: arb
    bos: arb
    low: arb
    high: arb


@dataclass(frozen=True)
class BoxBounds:
    """``mass[l][h]``: at most so much off BOS at any non-trigger position; ``rows``: the error."""

    mass: tuple[tuple[Fraction, ...], ...]
    rows: dict[str, Fraction]

    @property
    def eta(self) -> Fraction:
        return max(self.rows.values())


def bounds(layers: Sequence[Sequence[Head]], length: int, *, residual: bool) -> BoxBounds:
    """Bounds for layers of softmax heads at L = ``length`` ≥ 4."""
    with precision(PRECISION):
        begin = start(layers[0][0].content_dim)
        state, mass = begin, []
        for index, layer in enumerate(layers):
            rows = [
                boxed_row(head, state, length) if index else first_row(head, length)
                for head in layer
            ]
            written = [write(row, head, state) for row, head in zip(rows, layer, strict=True)]
            state = {
                kind: sum((w[kind] for w in written), box if residual else 0 * box)
                for kind, box in state.items()
            }
            mass.append(tuple(min(Fraction(1), _up(row.mass)) for row in rows))
        return BoxBounds(tuple(mass), errors(state, begin, residual=residual))


def start(n: int) -> dict[int, Box]:
    """The boxes of the input, by flag."""
    found = {}
    for flag in (BOS, TRIGGER, ORDINARY):
        flags = [arb(int(k == flag)) for k in range(CONTENT)]
        found[flag] = np.array(flags + [arb(0, 0 if flag == BOS else 1)] * n, dtype=object)
    return found


def first_row(head: Head, length: int) -> Row:
    """A head of the first layer, by vertices."""
    _, after = softmax_bounds.off_bos(head, length)
    spread, bos = (_ball(x) for x in softmax_bounds.trigger_row(head))
    low, high = 1 / (1 + (length - 2) * spread.exp()), 1 / (1 + (-spread).exp())
    return Row(_ball(max(after.values())), bos, low, high)


def boxed_row(head: Head, state: dict[int, Box], length: int) -> Row:
    """A head of a later layer, by boxes."""
    A = balls(np.array(head.A, dtype=object))
    query, trigger = state[ORDINARY] @ A, state[TRIGGER] @ A
    (_, to_o), (_, to_t) = (
        exp_ends(_dot(query, state[k] - state[BOS])) for k in (ORDINARY, TRIGGER)
    )
    (least, most), (_, bos) = (
        exp_ends(_dot(trigger, state[k] - state[TRIGGER])) for k in (ORDINARY, BOS)
    )
    low, high = 1 / (1 + (length - 2) * most), 1 / (1 + least)
    return Row(_part((length - 2) * to_o + to_t, arb(1)), _part(bos, 1 + least), low, high)


def write(row: Row, head: Head, state: dict[int, Box]) -> dict[int, Box]:
    """What a head adds to every kind of state."""
    M = balls(np.array(head.M, dtype=object))
    v, o, t = (M @ state[kind] for kind in (BOS, ORDINARY, TRIGGER))
    share = row.low.lower().union(row.high.upper())
    mixed = between(o, t, share)
    return {
        BOS: v,
        ORDINARY: between(v, hull(o, t), _from_zero(row.mass)),
        TRIGGER: between(mixed, v, _from_zero(row.bos)),
    }


def hull(x: Box, y: Box) -> Box:
    return np.array([a.union(b) for a, b in zip(x, y, strict=True)], dtype=object)


def between(x: Box, y: Box, part: arb) -> Box:
    """Every x + part·(y − x): by balls, and by the hull of both, of which it is a point."""
    moved = zip(x + part * (y - x), hull(x, y), strict=True)
    return np.array([a.intersection(b) for a, b in moved], dtype=object)


def errors(state: dict[int, Box], begin: dict[int, Box], *, residual: bool) -> dict[str, Fraction]:
    """The error: the state, less the input in a residual stream, less the target."""
    # the mean of r ≥ 2 tokens has the trigger's share 1/r from 0 to 1/2
    target = begin[ORDINARY] + arb(0.25, 0.25) * (begin[TRIGGER] - begin[ORDINARY])
    found = {}
    for kind, name in ((BOS, "bos"), (ORDINARY, "ordinary"), (TRIGGER, "trigger")):
        output = state[kind] - begin[kind] if residual else state[kind]
        wrong = output - target if kind == TRIGGER else output
        found[name] = max(_up(abs(x)) for x in wrong)
    return found


def _dot(x: Box, y: Box) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _from_zero(x: arb) -> arb:
    """A ball around every number from 0 to x."""
    return arb(0).union(x.upper())


def _part(x: arb, rest: arb) -> arb:
    """At most x/(x + rest), for an upper bound x and a lower bound of the rest; at most 1."""
    return (x / (x + rest)).min(arb(1)) if x.is_finite() else arb(1)


def _up(x: arb) -> Fraction:
    """The upper end, rounded up; what is not finite bounds nothing, and 10⁹ says so."""
    return round_up(ends(x)[1]) if x.is_finite() else Fraction(10**9)
