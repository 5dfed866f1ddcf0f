"""Whether the bounds of a certificate for several heads or a residual stream hold.

``box_bounds`` says why.  Intervals have rational ends, rounded outward to a grid after each layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from empirics.certificates.checker.intervals import (
    ONE,
    ZERO,
    Interval,
    combine,
    down,
    exp,
    form,
    hull,
    minus,
    plus,
    product,
    rounded,
    up,
)
from empirics.certificates.checker.softmax import first_mass, trigger
from empirics.certificates.checker.verdict import certain
from empirics.certificates.checker.walk import CONTENT, B, Head, O, T

Box = list[Interval]
Row = tuple[Fraction, Fraction, Interval]
"""A head's mass off BOS, the trigger's weight on BOS, and its own share of the rest."""


def verify(
    layers: Sequence[Sequence[Head]], L: int, figures: dict[str, Any], residual: bool
) -> None:
    """Raises ``Rejected`` unless every bound holds for every input."""
    n, said = layers[0][0].n, figures["mass_at_most"]
    begin = {k: start(k, n) for k in (B, T, O)}
    state = begin
    certain([len(m) for m in said] == [len(h) for h in layers], "a mass for every head")
    for index, heads in enumerate(layers):
        rows = [boxed_row(h, state, L) if index else first_row(h, L) for h in heads]
        for k, (mass, most) in enumerate(zip((r[0] for r in rows), said[index], strict=True)):
            certain(mass <= Fraction(most), f"the mass off BOS in layer {index + 1}, head {k + 1}")
        nothing = [(ZERO, ZERO)] * (n + CONTENT)
        following = {k: box if residual else nothing for k, box in state.items()}
        for row, head in zip(rows, heads, strict=True):
            for k, box in write(row, head, state).items():
                following[k] = [plus(a, b) for a, b in zip(following[k], box, strict=True)]
        state = {k: [rounded(x) for x in box] for k, box in following.items()}
    target = [(ZERO, ZERO), (ZERO, ONE / 2), (ONE / 2, ONE), *[(-ONE, ONE)] * n]
    for kind, name in ((B, "bos"), (O, "ordinary"), (T, "trigger")):
        wrong = minus(state[kind], begin[kind]) if residual else state[kind]
        wrong = minus(wrong, target) if kind == T else wrong
        error = max(max(-low, high) for low, high in wrong)
        certain(error <= Fraction(figures["error_at_most"][name]), f"the error of {name} rows")


def start(kind: int, n: int) -> Box:
    flags = [(Fraction(k == kind), Fraction(k == kind)) for k in range(CONTENT)]
    return flags + [(ZERO, ZERO) if kind == B else (-ONE, ONE)] * n


def first_row(head: Head, L: int) -> Row:
    spread, bos = trigger(head)
    low, high = down(1 / (1 + (L - 2) * spread.exp())), up(1 / (1 + (-spread).exp()))
    return first_mass(head, L), up(bos), (low, high)


def boxed_row(head: Head, state: dict[int, Box], L: int) -> Row:
    A = [[head.number(x) for x in row] for row in head.A]
    to_o, to_t = (exp(form(A, state[O], minus(state[k], state[B]))) for k in (O, T))
    other, bos = (exp(form(A, state[T], minus(state[k], state[T]))) for k in (O, B))
    S = (L - 2) * to_o[1] + to_t[1]
    weight = bos[1] / (bos[1] + 1 + other[0])
    return S / (1 + S), weight, (1 / (1 + (L - 2) * other[1]), 1 / (1 + other[0]))


def write(row: Row, head: Head, state: dict[int, Box]) -> dict[int, Box]:
    mass, bos, share = row
    v, o, t = ([combine(m, state[k]) for m in head.M] for k in (B, O, T))
    mixed = between(o, t, share)
    return {
        B: v,
        O: between(v, [hull(a, b) for a, b in zip(o, t, strict=True)], (ZERO, mass)),
        T: between(mixed, v, (ZERO, bos)),
    }


def between(x: Box, y: Box, part: Interval) -> Box:
    """Every x + part·(y − x), which also lies in the hull of x and y."""
    found = []
    for a, b, step in zip(x, y, minus(y, x), strict=True):
        moved, either = plus(a, product(part, step)), hull(a, b)
        found.append((max(moved[0], either[0]), min(moved[1], either[1])))
    return found
