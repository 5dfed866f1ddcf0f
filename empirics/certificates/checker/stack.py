"""Whether the bounds of a certificate for a stack of one-head softmax layers hold.

``stack_bounds`` says why.  Here intervals have exact rational ends; exponentials are balls, whose
ends are rationals again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from empirics.certificates.checker.intervals import (
    ONE,
    ZERO,
    Interval,
    Matrix,
    combine,
    down,
    exp,
    form,
    minus,
    plus,
    product,
    transposed,
    up,
)
from empirics.certificates.checker.softmax import first_mass, trigger
from empirics.certificates.checker.verdict import certain
from empirics.certificates.checker.walk import CONTENT, B, Head, O, T, largest


def verify(heads: Sequence[Head], L: int, figures: dict[str, Any]) -> Fraction:
    """The bound on the error.  Raises ``Rejected`` unless every bound holds for every input."""
    n, said = heads[0].n, [Fraction(m) for m in figures["mass_at_most"]]
    mass = off = first_mass(heads[0], L)
    spread, start = trigger(heads[0])
    bos, uneven = up(start), up(2 * (spread / 4).tanh() + start)
    low = down((1 - start) / (1 + (L - 2) * spread.exp()))
    share = (low, up(1 / (1 + (-spread).exp())))
    certain(len(said) == len(heads) and mass <= said[0], "the mass off BOS in layer 1")
    N = heads[0].M
    for index, head in enumerate(heads[1:], start=1):
        A = [[head.number(x) for x in row] for row in head.A]
        E = rebased(times(transposed(N), times(A, N)))
        hints = [[Fraction(x) for x in v] for v in figures["hints"][index - 1]]
        o = [(ONE, ONE), (1 - off, ONE), (ZERO, off), *[(-off, off)] * n]
        t = [(ONE, ONE), (ZERO, bos), share, *[(-ONE, ONE)] * n]
        b = [(ONE, ONE), (ONE, ONE), *[(ZERO, ZERO)] * (n + 1)]
        to_o, to_t = (exp(logit(E, hints, o, minus(key, b))) for key in (o, t))
        on_t = ratio(to_t[1], 1 + 2 * to_o[0])
        mass = ratio((L - 2) * to_o[1] + to_t[1], ONE)
        away = [exp(logit(E, hints, t, minus(key, t)))[1] for key in (b, o)]
        moved = ratio(away[0] + (L - 2) * away[1], ONE)
        certain(mass <= said[index], f"the mass off BOS in layer {index + 1}")
        off, bos, uneven = min(mass * off + on_t, mass), min(ONE, bos + moved), uneven + 2 * moved
        share = (share[0] * (1 - moved), min(ONE, share[1] + moved))
        N = times(head.M, N)
    composed = Fraction(figures["composed_mass_at_most"])
    certain(off <= composed, "the mass off BOS of the whole stack")
    rows = {k: Fraction(v) for k, v in figures["error_at_most"].items()}
    for j, row in enumerate(N):
        v = abs(row[B])
        certain(v <= rows["bos"], "the error of the BOS row")
        silent = max(v, (1 - composed) * v + composed * largest(row))
        certain(silent <= rows["ordinary"], "the error of ordinary rows")
        deviation = largest([x - (j == k) for k, x in enumerate(row)])
        error = bos * v + deviation + (uneven if j != B else 0)
        certain(error <= rows["trigger"], "the error of the trigger's row")
    return max(rows.values())


def logit(E: Matrix, hints: Matrix, x: list[Interval], y: list[Interval]) -> Interval:
    """An interval around x·E y: plainly, and with the hints' (u·x)(w·y) split off."""
    plain, rest, split = form(E, x, y), E, (ZERO, ZERO)
    for u, w in zip(hints[::2], hints[1::2], strict=True):
        rest = [
            [e - a * b for e, b in zip(r, w, strict=True)] for r, a in zip(rest, u, strict=True)
        ]
        split = plus(split, product(combine(u, x), combine(w, y)))
    split = plus(split, form(rest, x, y))
    return max(plain[0], split[0]), min(plain[1], split[1])


def ratio(S: Fraction, rest: Fraction) -> Fraction:
    """S/(S + rest), increasing in S."""
    return S / (S + rest)


def times(X: Matrix, Y: Matrix) -> Matrix:
    columns = list(zip(*Y, strict=True))
    return [[sum((a * b for a, b in zip(row, c, strict=True)), ZERO) for c in columns] for row in X]


def rebased(E: Matrix) -> Matrix:
    """E in the basis (1, b, t; content), in which the ordinary flag is 1 − b − t."""
    order = [O, B, T, *range(CONTENT, len(E))]
    half = [[E[i][j] - (E[O][j] if i in (B, T) else 0) for j in range(len(E))] for i in order]
    return [[row[j] - (row[O] if j in (B, T) else 0) for j in order] for row in half]
