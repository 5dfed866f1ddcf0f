"""Rigorous bounds for one softmax head over every input with contents in [-1,1]ⁿ.

**Mass off BOS.**  An ordinary query with content c gives a key the gap z_k − z_BOS.  Another
ordinary key with content c′, and the trigger with content b, have gaps that are affine in c′ and
b with the same slope q(c) = A_oc + Cᵀc (C = A_cc), so both are largest at c′ = b = sign q(c):

    h_o(c) = A_oo − A_oB + (A_co − A_cB)·c + ‖q(c)‖₁,    h_t(c) likewise with t for o,
    g(c)   = A_oo − A_oB + (A_co − A_cB)·c + q(c)·c      for the query's own key.

Position i has 1 − α_i1 = S/(1+S), S at most (i−2)e^{h_o} + e^g before the trigger and
(i−3)e^{h_o} + e^{h_t} + e^g after it.  h_o and h_t are convex; g is convex in each coordinate once
negative C_ii are replaced by 0, which only raises it (C_ii c_i² ≤ 0).  So the supremum is a maximum
over vertices, and it is exact where no C_ii is negative.  As g ≤ h_o, e^{h_o} may stand for e^g
too; of the two bounds the smaller counts.

**Error.**  Rows: BOS gives |M_jB|.  An ordinary row with mass m off BOS gives at most
max(|v_j|, (1−m)|v_j| + m V_j), V_j the largest |value| of a key and v = M·BOS.  The trigger's row,
r = j−1 keys, D = M − 1:

    error_j = α_1 v_j + Σ_k α_k (D x_k)_j + Σ_k (α_k − 1/r) x_kj .

With logits of its r keys within a range Λ and BOS weight at most a, Σ|α_k − 1/r| is at most
2 tanh(Λ/4) + a: at fixed BOS weight the extreme weights take two values of ratio e^Λ, a share x of
them the larger one, and 2(xρ/(xρ+1−x) − x) ≤ 2(√ρ−1)/(√ρ+1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from constructions.balls import ends
from empirics.certificates.forms import Exact, Head
from empirics.certificates.vertices import (
    Vertices,
    add_above,
    exp_above,
    round_up,
    signs,
    times_above,
    undominated,
)
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER


@dataclass(frozen=True)
class Bounds:
    """Upper bounds over all inputs.

    ``before`` and ``after`` map a position (1-based) to a bound on its mass: 1 − α_i1 for softmax,
    the BOS weight α_i1 for ReLU; where positions are left out, the next one's bound holds of them.
    ``eta`` bounds the error; ``rows`` bounds it by kind of row.  ``logits`` bounds those of
    ordinary queries by key, for ReLU: none above 0, and rows vanish.
    """

    before: dict[int, Fraction]
    after: dict[int, Fraction]
    rows: dict[str, Fraction]
    logits: dict[str, Fraction] = field(default_factory=dict)

    @property
    def eta(self) -> Fraction:
        return max(self.rows.values())

    @property
    def mass(self) -> Fraction:
        """The bound for all non-trigger positions together."""
        return max([*self.before.values(), *self.after.values()])


ONE_BY_ONE = 1024
"""Positions up to here have bounds of their own; those beyond share one with their neighbours."""


def positions(first: int, last: int) -> list[tuple[int, int]]:
    """The ranges of positions that share a bound: single ones at first, then each twice as long."""
    single = min(last, max(first, ONE_BY_ONE))
    found, end = [(i, i) for i in range(first, single + 1)], single
    while end < last:
        found.append((end + 1, min(last, 2 * end)))
        end = found[-1][1]
    return found


def bounds(head: Head, length: int) -> Bounds:
    """Bounds for a softmax head at L = ``length`` ≥ 4."""
    with_precision = ctx.prec
    ctx.prec = 53
    try:
        before, after = off_bos(head, length)
        rows = {
            "bos": round_up(max(abs(row[BOS]) for row in head.M)),
            "ordinary": round_up(ordinary_error(head.M, max(after.values()))),
            "trigger": round_up(trigger_error(head)),
        }
    finally:
        ctx.prec = with_precision
    return Bounds(before, after, rows)


def off_bos(head: Head, length: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Bounds on 1 − α_i1 by position: 2..L−1 before the trigger, 4..L after it."""
    A, n = head.A, head.content_dim
    box = Vertices.for_entries(A, n)
    C = [row[CONTENT:] for row in A[CONTENT:]]
    q = box.direction(A[ORDINARY][CONTENT:], C)
    lowered = box.fixed([min(C[i][i], Fraction(0)) for i in range(n)]).sum()
    steep = np.abs(q).sum(axis=1)
    own = (q * signs(n)).sum(axis=1) - lowered
    gap = {key: _gap(box, A, ORDINARY, key) for key in (ORDINARY, TRIGGER)}
    e_o = exp_above(box.above(gap[ORDINARY] + steep))
    e_t = exp_above(box.above(gap[TRIGGER] + steep))
    e_s = exp_above(box.above(gap[ORDINARY] + own))
    e_o, e_t, e_s = undominated(e_o, e_t, e_s)
    before, after = {}, {}
    for _, i in positions(2, length - 1):
        before[i] = _mass(add_above(times_above(i - 2, e_o), e_s), times_above(i - 1, e_o))
    for _, i in positions(4, length):
        after[i] = _mass(
            add_above(times_above(i - 3, e_o), e_t, e_s), add_above(times_above(i - 2, e_o), e_t)
        )
    return before, after


def ordinary_error(M: Exact, mass: Fraction) -> Fraction:
    """The error of non-trigger rows with at most ``mass`` off BOS."""
    worst = Fraction(0)
    for row in M:
        v = abs(row[BOS])
        worst = max(worst, v, (1 - mass) * v + mass * largest_value(row))
    return worst


def largest_value(row: list[Fraction]) -> Fraction:
    """The largest |output| that one non-BOS key can have on a channel with weights ``row``."""
    return max(abs(row[TRIGGER]), abs(row[ORDINARY])) + sum(abs(x) for x in row[CONTENT:])


def trigger_error(head: Head) -> Fraction:
    """The error of the trigger's row, for every trigger position and length."""
    spread, bos_weight = trigger_row(head)
    uneven = ends(2 * (arb(spread.numerator) / spread.denominator / 4).tanh())[1] + bos_weight
    worst = Fraction(0)
    for j, row in enumerate(head.M):
        deviation = [x - (j == k) for k, x in enumerate(row)]
        error = bos_weight * abs(row[BOS]) + largest_value(deviation)
        worst = max(worst, error + (uneven if j != BOS else 0))
    return worst


def trigger_row(head: Head) -> tuple[Fraction, Fraction]:
    """Of the trigger's row: the range Λ of the logits of its keys, and its largest BOS weight.

    Relative to z₀(b) = A_to + A_co·b ordinary keys lie in ±‖q(b)‖₁, the trigger's own key at
    A_tt − A_to + (A_ct − A_co)·b + q(b)·b: extremes by vertices, as above.
    """
    A, n = head.A, head.content_dim
    box = Vertices.for_entries(A, n)
    C = [row[CONTENT:] for row in A[CONTENT:]]
    q = box.direction(A[TRIGGER][CONTENT:], C)
    steep = np.abs(q).sum(axis=1)
    diagonal = box.fixed([C[i][i] for i in range(n)])
    own = _difference(box, A, TRIGGER, TRIGGER, ORDINARY) + (q * signs(n)).sum(axis=1)
    delta = box.largest(steep)
    high = max(delta, box.largest(own - np.minimum(diagonal, 0).sum()))
    low = min(-delta, box.smallest(own - np.maximum(diagonal, 0).sum()))
    bos = box.largest(_difference(box, A, TRIGGER, BOS, ORDINARY))
    gap = bos - low  # of BOS over the lowest of at least two keys
    weight = 1 / (1 + 2 * (-arb(gap.numerator) / gap.denominator).exp())
    return high - low, ends(weight)[1]


def _gap(box: Vertices, A: Exact, query: int, key: int) -> np.ndarray:
    return _difference(box, A, query, key, BOS)


def _difference(box: Vertices, A: Exact, query: int, key: int, other: int) -> np.ndarray:
    """Flags' part of z_key − z_other of a query, in units, at every vertex of its content."""
    slope = [row[key] - row[other] for row in A[CONTENT:]]
    return box.affine(A[query][key] - A[query][other], slope)


def _mass(*alternatives: np.ndarray) -> Fraction:
    """S/(1+S) at the smallest of the alternatives' largest S, rounded up; 1 if that is infinite."""
    S = min(float(x.max()) for x in alternatives)
    if not np.isfinite(S):
        return Fraction(1)
    return min(Fraction(1), round_up(Fraction(S) / (1 + Fraction(S))))
