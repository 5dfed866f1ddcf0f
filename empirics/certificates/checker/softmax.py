"""Whether the bounds of a softmax certificate hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from empirics.certificates.checker.verdict import ball, certain
from empirics.certificates.checker.walk import B, Head, O, T, largest

Bounds = Mapping[int, Fraction]


def verify(head: Head, before: Bounds, after: Bounds, rows: Mapping[str, Fraction]) -> None:
    """Raises ``Rejected`` unless every bound holds for every input."""
    gaps = [  # of another ordinary key, of the trigger, of the query's own key
        (o + s, t + s, o + dot - head.falling)
        for (o, t), s, dot in head.walk(O, [head.form(O, O, B), head.form(O, T, B)])
    ]
    table = [tuple(map(head.exp, gap)) for gap in largest_of(gaps)]
    # masses grow with the position: a bound at i holds for the positions before it too
    for i, m in before.items():
        own, other = [(i - 2) * o + g for o, _, g in table], [(i - 1) * o for o, _, _ in table]
        certain(below(m, own) or below(m, other), f"the mass at {i}, before the trigger")
    for i, m in after.items():
        own = [(i - 3) * o + t + g for o, t, g in table]
        other = [(i - 2) * o + t for o, t, _ in table]
        certain(below(m, own) or below(m, other), f"the mass at {i}, after the trigger")
    mass = max([*before.values(), *after.values()])
    spread, bos = trigger(head)
    for j, row in enumerate(head.M):
        v = abs(row[B])
        certain(v <= rows["bos"], "the error of the BOS row")
        silent = max(v, (1 - mass) * v + mass * largest(row))
        certain(silent <= rows["ordinary"], "the error of ordinary rows")
        deviation = largest([x - (j == k) for k, x in enumerate(row)])
        uneven = 2 * (spread / 4).tanh() + bos if j != B else arb(0)
        error = bos * ball(v) + ball(deviation) + uneven
        certain(bool(error <= ball(rows["trigger"])), "the error of the trigger's row")


def largest_of(gaps: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Those that no other is at least as large as in all three: the others cannot matter."""
    kept: list[tuple[int, int, int]] = []
    for gap in sorted(set(gaps), key=sum, reverse=True):
        if not any(all(x <= y for x, y in zip(gap, other, strict=True)) for other in kept):
            kept.append(gap)
    return kept


def below(mass: Fraction, sums: list[arb]) -> bool:
    """Whether S/(1+S) ≤ mass for each S, with certainty."""
    if mass >= 1:
        return True
    limit = ball(mass / (1 - mass))
    return all(bool(limit >= S) for S in sums)


def trigger(head: Head) -> tuple[arb, arb]:
    """Of the trigger's row: the range of its keys' logits, and the largest BOS weight."""
    delta, own = 0, []
    for (flags,), s, dot in head.walk(T, [head.form(T, T, O)]):
        delta = max(delta, s)
        own.append(flags + dot)
    low = min(-delta, min(own) - head.rising)
    high = max(delta, max(own) - head.falling)
    bos = head.form(T, B, O)
    top = bos[0] + sum(map(abs, bos[1:]))
    return arb(high - low) / head.a, 1 / (1 + 2 * head.exp(low - top))


def first_mass(head: Head, L: int) -> Fraction:
    """The largest mass off BOS in the first layer, at position L after the trigger."""
    own, other = arb(0), arb(0)
    for (o, t), s, dot in head.walk(O, [head.form(O, O, B), head.form(O, T, B)]):
        e_o, e_t = head.exp(o + s), head.exp(t + s)
        own = own.max((L - 3) * e_o + e_t + head.exp(o + dot - head.falling))
        other = other.max((L - 2) * e_o + e_t)
    S = own.min(other).upper().fmpq()
    return Fraction(int(S.p), int(S.p) + int(S.q))
