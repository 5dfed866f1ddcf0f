"""Softmax before the trigger: the exact curve of mass against error for one content, attained.

Position-free softmax may keep m = 2η/P* off BOS before the trigger with an error of exactly η
(``theorems.one_layer_sink.softmax_before_curve``; Theorem 1 of Ran-Milo 2026, arXiv 2603.11487,
gives no constants).  The layer, with N = L−2 and n ordinary tokens before the trigger:

*Ordinary rows.*  v = (−η, −η) on the flags (ordinary, trigger) and p_o = P−η: mass m = 2η/P on
ordinary tokens moves the ordinary flag from −η just to η.  So P is to be made small.

*The trigger's row* weighs BOS by e, ordinary by 1, itself by β; ε = 1−e−β ≤ 1.  Times its sum
n+1−ε, its ordinary flag plus η is the line nP + X in n, X = β(q_o+η), and must lie between

    low(n) = n − ε + ε/(n+1)      and      high(n) = low(n) + 2η(n+1−ε),      n = 1..N.

X is free because q_o is.  Of all slopes the smallest is P = max_k (low(N) − high(k))/(N−k), and the
line through low(N).  The trigger flag gives a line np_t + Y that must stay within η(n+1−ε) of
1 − ε/(n+1); the chord of its upper ends does if any line does, p_t = η + ε/(2(L−1)), and it does
iff ε ≤ ε*, which keeps P below low's chords too.  P falls as ε grows (η < κ_L), so ε = ε*.

If ε* = 1 the trigger's own weights e, β must vanish: a supremum, approached by ε = 1−δ.  That is
the case at L = 4, where the curve 12η/(5−12η) is also the general bound.

>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=5, content_dim=0).tokens(exact([[]] * 4), trigger=5)
>>> print(picture(softmax_before_witness(5, Fraction(1, 300)).rows(tokens)))
1.00     .     .     .     .
1.00  0.00     .     .     .
1.00  0.00  0.00     .     .
0.99  0.00  0.00  0.00     .
0.08  0.28  0.28  0.28  0.08
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions.directions import matrix, one_content_values
from constructions.enumeration import measure
from constructions.sharp_witness import kappa
from theorems.arrays import exact
from theorems.attention import MECHANISMS, AttentionLayer
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import (
    AFTER,
    BEFORE,
    SLOPE,
    softmax_before_bound,
    softmax_before_curve,
)
from theorems.statement import Statement
from theorems.symbols import eta as eta_symbol
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

SHORTFALL = Fraction(1, 10**6)
"""δ: how far the trigger's own weights stay from the limit where the curve is a supremum."""


def largest_epsilon(length: int, eta: Fraction) -> Fraction:
    """ε*, the largest ε ≤ 1 that the trigger flag allows."""
    bounds = [Fraction(1)]
    for k in range(2, length - 2):
        top = 4 * eta * (k + 1) ** 2 * (length - 1)
        bounds.append(top / ((k - 1) * (length - 2 - k) + 4 * eta * (k + 1) * (length - 1)))
    return min(bounds)


def softmax_before_witness(
    length: int, eta: Fraction, content: Sequence[Any] = (), *, delta: Fraction = SHORTFALL
) -> AttentionLayer:
    """The layer for the content set {content}, ‖content‖ ≤ 1/2, at L ≥ 4 and 0 < η ≤ κ_L.

    Its weights are positive but for the ordinary query on the trigger, after which m is smaller.
    Raises ``ValueError`` outside that range.
    """
    if length < 4 or not 0 < eta <= kappa(length):
        raise ValueError(f"no witness at L = {length}, η = {eta}: it needs L >= 4, 0 < η <= κ_L")
    N, epsilon = length - 2, min(largest_epsilon(length, eta), 1 - delta)

    def low(n: int) -> Fraction:
        return n - epsilon + epsilon / (n + 1)

    def high(n: int) -> Fraction:
        return low(n) + 2 * eta * (n + 1 - epsilon)

    P = max((low(N) - high(k)) / (N - k) for k in range(1, N))
    X = low(N) - N * P
    p_t = eta + epsilon / (2 * (length - 1))
    Y = (1 - epsilon / 2) + eta * (2 - epsilon) - p_t
    e = beta = (1 - epsilon) / 2
    m = 2 * eta / P
    values = one_content_values(
        content,
        bos=(-eta, -eta),
        ordinary=(P - eta, p_t),
        trigger=(X / beta - eta, (Y + e * eta) / beta),
    )
    weights = {
        (BOS, BOS): 1,
        (TRIGGER, BOS): e,
        (TRIGGER, ORDINARY): 1,
        (TRIGGER, TRIGGER): beta,
        (ORDINARY, BOS): N * (1 - m) / m,  # so that N ordinary tokens have mass m together
        (ORDINARY, ORDINARY): 1,
    }
    return AttentionLayer(matrix(CONTENT + len(content), weights), values, MECHANISMS["weights"])


@dataclass(frozen=True)
class Point:
    """A layer's exact error and its largest mass off BOS before the trigger."""

    eta: Fraction
    m: Fraction


def point(length: int, eta: Fraction, content: Sequence[Any] = ()) -> Point:
    """The witness for ``eta``, measured by enumeration."""
    layer = softmax_before_witness(length, eta, content)
    found = measure(TriggerTask(length, len(content)), layer.rows, layer.M, exact([content]))
    return Point(found.error, 1 - found.bos_before)


def with_factor(statement: Statement, factor: str) -> Statement:
    """The statement with its right side 2η multiplied by ``factor`` (below 1: too strong)."""
    left = statement.conclusion.args[0]
    return replace(statement, conclusion=left <= 2 * sp.Rational(factor) * eta_symbol)


def shares(length: int) -> list[Fraction]:
    """Errors from near 0 up to κ_L."""
    return [kappa(length) * Fraction(k, 100) for k in (1, 10, 50, 90, 100)]


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_before")
def curve_is_attained(run: Run) -> Outcome:
    """Error exactly η and m = 2η/P* (or 1 − O(δ) of it) for every L; no bound is exceeded."""
    holds, exactly, count, gap = True, 0, 0, Fraction(0)
    for length in range(4, run.scale(10, 13, 16) + 1):
        for eta in shares(length):
            content = ("1/2", "-1/3")[: count % 3]
            at, curve = point(length, eta, content), softmax_before_curve(length, eta)
            holds = holds and at.eta == eta and curve * (1 - SHORTFALL) <= at.m <= curve
            holds = holds and (at.m == curve or largest_epsilon(length, eta) == 1)
            where = {"L": length, "m": at.m, "eta": eta}
            holds = holds and BEFORE.applies(**where) and BEFORE.holds(**where)
            holds = holds and SLOPE.holds(**where) and at.m <= softmax_before_bound(length, eta)
            gap = max(gap, softmax_before_bound(length, eta) / curve)
            exactly, count = exactly + (at.m == curve), count + 1
    return check(
        holds,
        f"{count} layers, {exactly} on the curve exactly; bound at most {float(gap):.3f} × curve",
        largest_gap=str(gap),
    )


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_before")
def two_over_p0_is_attained_at_four(run: Run) -> Outcome:
    """At L = 4 the general bound 12η/(5−12η) is attained; 1% below it is refuted."""
    holds, refuted = True, True
    for share in range(1, 101, run.scale(9, 3, 1)):
        at = point(4, kappa(4) * share / 100)
        where = {"L": 4, "m": at.m, "eta": at.eta}
        bound = 12 * at.eta / (5 - 12 * at.eta)
        holds = holds and bound == softmax_before_bound(4, at.eta) and BEFORE.holds(**where)
        holds = holds and bound * (1 - SHORTFALL) <= at.m
        refuted = refuted and not with_factor(BEFORE, "99/100").holds(**where)
    return check(holds and refuted, "m within 10⁻⁶ of 12η/(5−12η) for η up to κ₄; 0.99 × refuted")


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_slope")
def slope_two_is_attained(run: Run) -> Outcome:
    """As η → 0 the mass before the trigger is 2η for every L ≥ 5; a slope of 1.99 is refuted."""
    holds, refuted, longest, ratios = True, True, run.scale(12, 16, 20), []
    for length in range(5, longest + 1):
        at = point(length, Fraction(1, 10**5))
        where = {"L": length, "m": at.m, "eta": at.eta}
        ratios.append(at.m / at.eta)
        holds = holds and SLOPE.applies(**where) and SLOPE.holds(**where)
        refuted = refuted and not with_factor(SLOPE, "199/200").holds(**where)
    figure = (
        f"m/η = {float(min(ratios)):.5f}..{float(max(ratios)):.5f} at η = 10⁻⁵, L = 5..{longest}"
    )
    return check(holds and refuted, figure)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_after")
def threshold_is_exact(run: Run) -> Outcome:
    """An error 1% above κ_L allows no sink at all: BOS weight 0, before and after the trigger."""
    holds, refuted = True, True
    for length in range(4, run.scale(8, 10, 12) + 1):
        weights = {(BOS, BOS): 1, (TRIGGER, ORDINARY): 1, (TRIGGER, TRIGGER): 1000 * length}
        A = matrix(CONTENT, {**weights, (ORDINARY, ORDINARY): 1})
        u = Fraction(1, length - 1)
        middle = ((Fraction(3, 2) - u) / 2, (Fraction(1, 2) + u) / 2)  # of y₃ and y_L
        M = one_content_values((), bos=(0, 0), ordinary=(0, 0), trigger=middle)
        layer = AttentionLayer(A, M, MECHANISMS["weights"])
        found = measure(TriggerTask(length, 0), layer.rows, layer.M, exact([[]]))
        holds = holds and found.bos == 0 and 1 < found.error / kappa(length) < Fraction(101, 100)
        for statement in (BEFORE, AFTER):
            looser = replace(statement, hypotheses=statement.hypotheses[:-1])
            at = {"L": length, "m": 1 - found.bos, "eta": found.error}
            holds = holds and not statement.applies(**at)
            refuted = refuted and looser.applies(**at) and not looser.holds(**at)
    return check(holds and refuted, "error < 1.01 κ_L with m = 1 everywhere: η ≤ κ_L is needed")
