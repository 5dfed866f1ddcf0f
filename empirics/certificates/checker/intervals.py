"""Intervals with rational ends, exact but for exponentials, which are balls rounded outward."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from empirics.certificates.checker.verdict import ball

Interval = tuple[Fraction, Fraction]
Matrix = list[list[Fraction]]
ZERO, ONE = Fraction(0), Fraction(1)


def form(E: Matrix, x: list[Interval], y: list[Interval]) -> Interval:
    total = (ZERO, ZERO)
    for column, b in zip(transposed(E), y, strict=True):
        total = plus(total, product(combine(column, x), b))
    return total


def combine(weights: list[Fraction], x: list[Interval]) -> Interval:
    ends = [
        (w * a, w * b) if w >= 0 else (w * b, w * a) for w, (a, b) in zip(weights, x, strict=True)
    ]
    return sum((a for a, _ in ends), ZERO), sum((b for _, b in ends), ZERO)


def plus(x: Interval, y: Interval) -> Interval:
    return x[0] + y[0], x[1] + y[1]


def minus(x: list[Interval], y: list[Interval]) -> list[Interval]:
    return [(a - d, b - c) for (a, b), (c, d) in zip(x, y, strict=True)]


def product(x: Interval, y: Interval) -> Interval:
    ends = [a * b for a in x for b in y]
    return min(ends), max(ends)


def exp(x: Interval) -> Interval:
    return down(ball(x[0]).exp()), up(ball(x[1]).exp())


def hull(x: Interval, y: Interval) -> Interval:
    return min(x[0], y[0]), max(x[1], y[1])


def rounded(x: Interval) -> Interval:
    """Outward, to multiples of 2^-100."""
    unit = 1 << 100
    low, high = x[0] * unit, x[1] * unit
    return Fraction(low.__floor__(), unit), Fraction(high.__ceil__(), unit)


def up(x: arb) -> Fraction:
    """The upper end.  Raises for infinity and nan, which bound nothing."""
    end = x.upper().fmpq()
    return Fraction(int(end.p), int(end.q))


def down(x: arb) -> Fraction:
    return max(-up(-x), ZERO)


def transposed(X: Matrix) -> Matrix:
    return [list(column) for column in zip(*X, strict=True)]
