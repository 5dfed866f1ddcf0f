"""Rigorous bounds for one ReLU head over every input with contents in [-1,1]ⁿ.

**Weights of ordinary queries.**  With content c, the logit of BOS is A_oB + A_cB·c, and the largest
logits of an ordinary key and of the trigger are A_ok + A_ck·c + ‖q(c)‖₁, q(c) = A_oc + Cᵀc, for
k = o, t: convex in c, so vertices are enough.  Where all three are ≤ 0 for every c, the rows of all
ordinary queries are exactly zero, for every length.  Otherwise the BOS weight of position i is at
most its logit over i−1.

**Error.**  BOS row: ReLU(A_BB)|v_j|.  Ordinary rows: ReLU(z_B)|v_j| + max(ReLU(z_o), ReLU(z_t))V_j.
The trigger's row with r keys is a mean of r parts, each a product of an affine weight and an affine
value: with weights in z̄ ± R, |w·y − x| ≤ R|y| + |z̄y − x|, the last term in closed form.  BOS is
counted with the trigger's own key, since trained models let the two cancel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from empirics.certificates.forms import Exact, Head
from empirics.certificates.softmax_bounds import Bounds, largest_value, positions
from empirics.certificates.vertices import Vertices, round_up, signs
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER


@dataclass(frozen=True)
class Range:
    """A weight ReLU(z) for z between ``low`` and ``high``, as a centre and a radius."""

    low: Fraction
    high: Fraction

    @property
    def centre(self) -> Fraction:
        return (relu(self.low) + relu(self.high)) / 2

    @property
    def radius(self) -> Fraction:
        return (relu(self.high) - relu(self.low)) / 2


def relu(x: Fraction) -> Fraction:
    return max(x, Fraction(0))


def bounds(head: Head, length: int) -> Bounds:
    """Bounds for a ReLU head at L = ``length`` ≥ 4; masses are BOS weights."""
    logits = ordinary_logits(head)
    at_two = round_up(relu(logits["bos"]))
    before = {i: round_up(at_two / (first - 1)) for first, i in positions(2, length - 1)}
    after = {i: round_up(at_two / (first - 1)) for first, i in positions(4, length)}
    bos = relu(head.A[BOS][BOS])
    others = max(relu(logits["ordinary"]), relu(logits["trigger"]))
    rows = {
        "bos": round_up(bos * max(abs(row[BOS]) for row in head.M)),
        "ordinary": round_up(
            max(relu(logits["bos"]) * abs(r[BOS]) + others * largest_value(r) for r in head.M)
        ),
        "trigger": round_up(trigger_error(head, length)),
    }
    return Bounds(before, after, rows, {k: round_up(v) for k, v in logits.items()})


def ordinary_logits(head: Head) -> dict[str, Fraction]:
    """Upper bounds on the logits of every ordinary query, by key: the query's own is ordinary."""
    A, n = head.A, head.content_dim
    box = Vertices.for_entries(A, n)
    q = box.direction(A[ORDINARY][CONTENT:], [row[CONTENT:] for row in A[CONTENT:]])
    steep = np.abs(q).sum(axis=1)
    return {
        "bos": A[ORDINARY][BOS] + sum(abs(row[BOS]) for row in A[CONTENT:]),
        "ordinary": box.largest(_flags(box, A, ORDINARY, ORDINARY) + steep),
        "trigger": box.largest(_flags(box, A, ORDINARY, TRIGGER) + steep),
    }


def trigger_error(head: Head, length: int) -> Fraction:
    """The error of the trigger's row, for every trigger position up to ``length``."""
    bos, key, own = trigger_weights(head)
    worst = Fraction(0)
    for j, row in enumerate(head.M):
        one = [Fraction(int(j == k)) for k in range(len(row))]
        others = key.radius * _value(row, ORDINARY) + _off(row, one, key.centre, ORDINARY)
        alone = own.radius * _value(row, TRIGGER) + bos.radius * abs(row[BOS])
        alone += _off(row, one, own.centre, TRIGGER, extra=bos.centre * row[BOS])
        for r in (2, length - 1):
            worst = max(worst, (alone + (r - 1) * others) / r)
    return worst


def trigger_weights(head: Head) -> tuple[Range, Range, Range]:
    """Of the trigger's row: ranges of the logits of BOS, ordinary keys, the trigger itself."""
    A, n = head.A, head.content_dim
    box = Vertices.for_entries(A, n)
    C = [row[CONTENT:] for row in A[CONTENT:]]
    q = box.direction(A[TRIGGER][CONTENT:], C)
    steep, own = np.abs(q).sum(axis=1), (q * signs(n)).sum(axis=1)
    diagonal = box.fixed([C[i][i] for i in range(n)])
    flags, itself = _flags(box, A, TRIGGER, ORDINARY), _flags(box, A, TRIGGER, TRIGGER) + own
    wobble = sum((abs(row[BOS]) for row in A[CONTENT:]), Fraction(0))
    return (
        Range(A[TRIGGER][BOS] - wobble, A[TRIGGER][BOS] + wobble),
        Range(box.smallest(flags - steep), box.largest(flags + steep)),
        Range(
            box.smallest(itself - np.maximum(diagonal, 0).sum()),
            box.largest(itself - np.minimum(diagonal, 0).sum()),
        ),
    )


def _flags(box: Vertices, A: Exact, query: int, key: int) -> np.ndarray:
    return box.affine(A[query][key], [row[key] for row in A[CONTENT:]])


def _value(row: Sequence[Fraction], flag: int) -> Fraction:
    return abs(row[flag]) + sum(abs(x) for x in row[CONTENT:])


def _off(
    row: Sequence[Fraction],
    one: Sequence[Fraction],
    scale: Fraction,
    flag: int,
    extra: Fraction = Fraction(0),
) -> Fraction:
    """sup over contents of |scale·(Mx)_j − x_j + extra| for the token with this flag."""
    fixed = abs(scale * row[flag] - one[flag] + extra)
    content = zip(row[CONTENT:], one[CONTENT:], strict=True)
    return fixed + sum(abs(scale * m - e) for m, e in content)
