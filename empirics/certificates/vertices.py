"""Functions of one content at every vertex of [-1,1]ⁿ, in fixed point, rounded outward.

A function that is convex in each coordinate separately takes its largest value over the box at a
vertex: move one coordinate after the other to the end at which it does not decrease.  So sums of
exponentials of affine functions, of ‖y + Cᵀc‖₁ and of quadratics with a non-negative diagonal are
bounded over the whole box by 2ⁿ values.

Numbers are rounded down to integers of unit 2^−bits once; from there int64 arithmetic is exact, and
``slack`` units cover the roundings of all entries that a value adds up: none where all entries are
whole units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb

from theorems.errors import UserError

MOST = 16
"""Largest n that is enumerated."""


@lru_cache(maxsize=4)
def signs(n: int) -> np.ndarray:
    """All sign vectors, (2ⁿ, n) of int64.  Raises ``UserError`` for n > ``MOST``."""
    if n > MOST:
        raise UserError(
            f"n = {n} content coordinates mean 2^{n} vertices: certificates go up to n = {MOST}"
        )
    bits = np.arange(2**n)[:, None] >> np.arange(n)[None, :]
    return 2 * (bits & 1) - 1


@dataclass(frozen=True)
class Vertices:
    """The vertices of [-1,1]ⁿ and the fixed point in which functions on them are computed."""

    n: int
    bits: int
    slack: int

    @classmethod
    def for_entries(cls, matrix: Sequence[Sequence[Fraction]], n: int) -> Vertices:
        """A fixed point fine enough, and coarse enough that no sum of entries can overflow."""
        total = 4 * sum(abs(x) for row in matrix for x in row) + 1
        bits = min(50, 58 - (total.numerator // total.denominator).bit_length())
        if bits < 20:
            raise UserError("the weights are too large to be bounded in fixed point")
        whole = all((1 << bits) % x.denominator == 0 for row in matrix for x in row)
        return cls(n, bits, 0 if whole else 2 * (n + 3) ** 2)

    def fixed(self, values: Sequence[Fraction]) -> np.ndarray:
        """Each value rounded down to whole units."""
        unit = 1 << self.bits
        return np.array([(v.numerator * unit) // v.denominator for v in values], dtype=np.int64)

    def affine(self, constant: Fraction, slope: Sequence[Fraction]) -> np.ndarray:
        """constant + slope·c in units, (2ⁿ,)."""
        return signs(self.n) @ self.fixed(slope) + self.fixed([constant])[0]

    def direction(self, y: Sequence[Fraction], C: Sequence[Sequence[Fraction]]) -> np.ndarray:
        """y + Cᵀc in units, (2ⁿ, n)."""
        flat = self.fixed([x for row in C for x in row]).reshape(self.n, self.n)
        return signs(self.n) @ flat + self.fixed(y)

    def above(self, units: np.ndarray) -> np.ndarray:
        """Doubles that are at least the true values behind ``units``."""
        rounded = np.nextafter((units + self.slack).astype(np.float64), np.inf)
        return np.ldexp(rounded, -self.bits)

    def largest(self, units: np.ndarray) -> Fraction:
        """At least the largest true value."""
        return Fraction(int(units.max()) + self.slack, 1 << self.bits)

    def smallest(self, units: np.ndarray) -> Fraction:
        """At most the smallest true value."""
        return Fraction(int(units.min()) - self.slack, 1 << self.bits)


def exp_above(x: np.ndarray) -> np.ndarray:
    """Doubles that are at least e^x, by Arb; infinite where that overflows."""
    capped = np.minimum(x, 700.0)
    balls = (arb(float(v)).exp() for v in capped)
    # converting the midpoint and adding the radius lose less than two units in the last place
    above = np.array([float(b.mid()) + float(b.rad()) for b in balls])
    return np.where(x > 700.0, np.inf, np.nextafter(np.nextafter(above, np.inf), np.inf))


def add_above(*terms: np.ndarray) -> np.ndarray:
    """A sum of doubles, every addition rounded up."""
    total = terms[0]
    for term in terms[1:]:
        total = np.nextafter(total + term, np.inf)
    return total


def times_above(factor: int, x: np.ndarray) -> np.ndarray:
    """factor · x for x ≥ 0, rounded up; exactly zero for factor 0."""
    return np.nextafter(factor * x, np.inf) if factor else np.zeros_like(x)


def undominated(*columns: np.ndarray) -> tuple[np.ndarray, ...]:
    """The entries that no other exceeds or equals in all columns: enough for a function that
    increases in each of them to take its largest value."""
    rows, kept = np.stack(columns, axis=1), []
    while len(rows):
        top = rows[rows.sum(axis=1).argmax()]
        kept.append(top)
        rows = rows[(rows > top).any(axis=1)]
    return tuple(np.array(kept).T)


def round_up(x: Fraction, digits: int = 6) -> Fraction:
    """The least decimal that is ≥ x and has ``digits`` significant digits, or one or two more."""
    return -round_down(-x, digits)


def round_down(x: Fraction, digits: int = 6) -> Fraction:
    """The largest decimal that is ≤ x and has ``digits`` significant digits, or one or two more."""
    size = len(str(abs(x.numerator))) - len(str(x.denominator))
    unit = Fraction(10) ** (digits - size)
    scaled = x * unit
    return Fraction(scaled.numerator // scaled.denominator) / unit
