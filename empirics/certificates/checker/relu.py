"""Whether the bounds of a ReLU certificate hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from empirics.certificates.checker.verdict import certain
from empirics.certificates.checker.walk import CONTENT, B, Head, O, T, largest, span

Weight = tuple[Fraction, Fraction]
"""A range of weights as centre and radius."""


def verify(
    head: Head,
    length: int,
    before: Mapping[int, Fraction],
    after: Mapping[int, Fraction],
    rows: Mapping[str, Fraction],
    logits: Mapping[str, Fraction],
) -> None:
    """Raises ``Rejected`` unless every bound holds for every input."""
    walked = head.walk(O, [head.form(O, O), head.form(O, T)])
    ordinary, trigger = zip(*((o + s, t + s) for (o, t), s, _ in walked), strict=True)
    tops = {"bos": span(head.form(O, B))[1], "ordinary": max(ordinary), "trigger": max(trigger)}
    most = {key: head.number(top) for key, top in tops.items()}
    for key, top in most.items():
        certain(top <= logits[key], f"the logits of ordinary queries on {key}")
    for start, weights in ((2, before), (4, after)):
        for i, weight in sorted(weights.items()):  # of positions start..i, the first has the most
            reached = max(most["bos"], Fraction(0))
            certain(reached <= weight * (start - 1), f"the BOS weight at {i}")
            start = i + 1
    z_bos, z_o, z_t = (max(most[key], Fraction(0)) for key in ("bos", "ordinary", "trigger"))
    first = max(head.number(head.A[B][B]), Fraction(0))
    sink, others, alone = trigger_weights(head)
    for j, row in enumerate(head.M):
        v = row[B]
        certain(first * abs(v) <= rows["bos"], "the error of the BOS row")
        silent = z_bos * abs(v) + max(z_o, z_t) * largest(row)
        certain(silent <= rows["ordinary"], "the error of ordinary rows")
        itself = part(row, j, T, alone, sink[0] * v) + sink[1] * abs(v)
        other = part(row, j, O, others, Fraction(0))
        for r in (2, length - 1):
            certain(
                itself + (r - 1) * other <= r * rows["trigger"], "the error of the trigger's row"
            )


def trigger_weights(head: Head) -> tuple[Weight, Weight, Weight]:
    """Of the trigger's row: the weights of BOS, of ordinary keys, and of itself."""
    walked = head.walk(T, [head.form(T, O), head.form(T, T)])
    lows, highs, own = zip(*((o - s, o + s, t + dot) for (o, t), s, dot in walked), strict=True)

    def between(low: int, high: int) -> Weight:
        low, high = max(low, 0), max(high, 0)
        return head.number(high + low) / 2, head.number(high - low) / 2

    return (
        between(*span(head.form(T, B))),
        between(min(lows), max(highs)),
        between(min(own) - head.rising, max(own) - head.falling),
    )


def part(row: list[Fraction], j: int, flag: int, weight: Weight, extra: Fraction) -> Fraction:
    """sup |w·(Mx)_j − x_j + extra| over contents and weights w, for the token with this flag."""
    centre, radius = weight
    size = abs(row[flag]) + sum(map(abs, row[CONTENT:]))
    fixed = abs(centre * row[flag] - (j == flag) + extra)
    off = [abs(centre * x - (j == k)) for k, x in enumerate(row) if k >= CONTENT]
    return radius * size + fixed + sum(off)
