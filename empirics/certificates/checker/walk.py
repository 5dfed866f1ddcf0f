"""One head in integers, and the walk over the vertices of its content box."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

B, T, O, CONTENT = 0, 1, 2, 3  # noqa: E741
"""Flags in our layout: BOS, trigger, ordinary; contents follow."""


class Head:
    """A in integers of unit 1/a, M in Fractions from integers of unit 1/m."""

    def __init__(self, A: list[list[int]], M: list[list[int]], a: int, m: int) -> None:
        self.A, self.a, self.n = A, a, len(A) - CONTENT
        self.M = [[Fraction(x, m) for x in row] for row in M]
        self.C = [row[CONTENT:] for row in A[CONTENT:]]
        self.rising = sum(max(self.C[i][i], 0) for i in range(self.n))
        self.falling = sum(min(self.C[i][i], 0) for i in range(self.n))

    def number(self, x: int) -> Fraction:
        return Fraction(x, self.a)

    def exp(self, x: int) -> arb:
        return (arb(x) / self.a).exp()

    def form(self, query: int, key: int, other: int | None = None) -> list[int]:
        """Constant and slope in the query's content of z_key (− z_other), flags only."""
        rows = [self.A[query], *self.A[CONTENT:]]
        return [r[key] - (0 if other is None else r[other]) for r in rows]

    def walk(self, query: int, forms: list[list[int]]) -> Iterator[tuple[list[int], int, int]]:
        """At every vertex c: the forms, ‖q‖₁ and q·c, with q = A_query,c + Cᵀc.

        A step of the Gray code flips one coordinate, so that everything is updated by additions.
        """
        c, n = [-1] * self.n, self.n
        q = [y - sum(self.C[k][i] for k in range(n)) for i, y in enumerate(self.A[query][CONTENT:])]
        values = [f[0] - sum(f[1:]) for f in forms]
        for count in range(1, 2**n + 1):
            dot = sum(x if s > 0 else -x for x, s in zip(q, c, strict=True))
            yield values, sum(map(abs, q)), dot
            k = (count & -count).bit_length() - 1
            if k < n:
                c[k] = -c[k]
                step = 2 * c[k]
                q = [x + step * y for x, y in zip(q, self.C[k], strict=True)]
                values = [v + step * f[k + 1] for v, f in zip(values, forms, strict=True)]


def largest(row: list[Fraction]) -> Fraction:
    """The largest |value| of a non-BOS token on the channel with weights ``row``."""
    return max(abs(row[O]), abs(row[T])) + sum(map(abs, row[CONTENT:]))


def span(form: list[int]) -> tuple[int, int]:
    """Least and largest value of an affine form over the box."""
    width = sum(map(abs, form[1:]))
    return form[0] - width, form[0] + width
