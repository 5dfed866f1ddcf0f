"""The witnesses that make Theorem 1 sharp: (1−α)(κ_L−η) comes as close to η as one likes.

Ran-Milo 2026, arXiv 2603.11487, Theorem 1, in the sharp form of ``theorems.one_layer_sink``: error
η < κ_L = (L−3)/(4(L−1)) forces (1−α)(κ_L−η) ≤ η.  Here is a layer with error exactly η and

    (1−α)(κ_L−η) = (1−ε) η        at every non-trigger position,

for every L ≥ 4, every ε in (0, 1) and every η ≤ κ_L/(2−ε), so for all η ≤ κ_L/2 as ε → 0.

There is one content.  On the flags (ordinary, trigger), with u = 1/(L−1):

    BOS       v = (−η, η)                         as large as the BOS row allows
    ordinary  p = (s, −s),   s = (2κ−3η+εη)/(1−ε)
    trigger   q = v + (½+2η, ½−2η)/ε              far away, so that weight ε on itself suffices

A trigger at j puts ε on itself, θ(1−ε) on BOS and (1−θ)(1−ε) on the ordinary tokens before it,
θ = (1/(j−1) − u)/(½−u).  Its output runs along a line: y₃ + (η, −η) at j = 3 (θ = 1, no weight on
ordinary tokens at all), y_L + (−η, η) at j = L (θ = 0).  Any other row has mass m = 2η/(s+η) on
itself and 1−m on BOS, which moves it from v = (−η, η) just to (η, −η).

With η = 0 the layer is exact, and α = 1.

>>> from theorems.attention import picture
>>> witness = sharp_witness(length=4, eta=Fraction(1, 36), epsilon=Fraction(1, 10))
>>> tokens = TriggerTask(4, 0).tokens(exact([[], [], []]), trigger=3)
>>> print(picture(witness.rows(tokens)))
1.00     .     .     .
0.55  0.45     .     .
0.90     .  0.10     .
0.55     .     .  0.45
>>> print(witness.error, witness.m * (kappa(4) - witness.error) / witness.error)
1/36 9/10
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions.directions import one_content_values
from constructions.enumeration import Measured, measure
from constructions.roles import Roles, uniform
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.expressions import interpret
from theorems.one_layer_sink import EPSILON, LINEAR, SHARP
from theorems.sink_price import STATEMENT as PRICE
from theorems.statement import Statement
from theorems.symbols import KAPPA_L
from theorems.symbols import kappa as kappa_symbol
from theorems.trigger_task import TriggerTask


def kappa(length: int) -> Fraction:
    """κ_L = (L−3)/(4(L−1))."""
    return interpret(KAPPA_L, {"L": Fraction(length)})


@dataclass(frozen=True)
class Witness:
    """A layer given by its rows and value matrix, its error and its mass m off BOS."""

    rows: Roles
    M: Array
    error: Fraction
    m: Fraction


def sharp_witness(
    length: int, eta: Fraction, epsilon: Fraction, content: Sequence[Any] = ()
) -> Witness:
    """The witness with error ``eta`` for the content set {content}, in Fractions.

    Raises ``ValueError`` unless L ≥ 4, 0 < ε < 1 and 0 ≤ η ≤ κ_L/(2−ε) (beyond that m > 1).
    """
    limit = kappa(length)
    if length < 4 or not 0 < epsilon < 1 or not 0 <= eta <= limit / (2 - epsilon):
        raise ValueError(
            f"no witness at L = {length}, η = {eta}, ε = {epsilon}: it needs L >= 4, 0 < ε < 1 "
            f"and 0 <= η <= κ_L/(2−ε) = {limit / (2 - epsilon)}"
        )
    half, u = Fraction(1, 2), Fraction(1, length - 1)
    s = (2 * limit - 3 * eta + epsilon * eta) / (1 - epsilon)
    m = 2 * eta / (s + eta)
    v, p = (-eta, eta), (s, -s)
    q = (v[0] + (half + 2 * eta) / epsilon, v[1] + (half - 2 * eta) / epsilon)

    def trigger(j: int) -> dict[int, Fraction]:
        theta = (Fraction(1, j - 1) - u) / (half - u)
        before = uniform(2, j - 1, (1 - theta) * (1 - epsilon))
        return {1: theta * (1 - epsilon), **before, j: epsilon}

    rows = Roles(length, ordinary=lambda i: {1: 1 - m, i: m}, trigger=trigger)
    return Witness(rows, one_content_values(content, bos=v, ordinary=p, trigger=q), eta, m)


def measured(length: int, witness: Witness, content: Sequence[Any]) -> Measured:
    """The witness on every input over its single content."""
    return measure(TriggerTask(length, len(content)), witness.rows, witness.M, exact([content]))


def nudged(statement: Statement, factor: str) -> Statement:
    """The statement with κ_L multiplied by ``factor``: too strong when the factor exceeds 1."""
    return replace(statement, where={kappa_symbol: KAPPA_L * sp.Rational(factor)})


EPSILON_SMALL = Fraction(1, 1000)
"""How near to the limit the witnesses are pushed: every bound is met up to this share."""

SHARES = tuple(Fraction(k, 20) for k in (1, 2, 5, 8, 9, 10))
"""η as shares of κ_L; 1/2 is the end of the range."""

CONTENTS: tuple[tuple[str, ...], ...] = ((), ("1/3",), ("-5", "7/2"))


@evidence("one_layer_sink", kind="exact")
def bound_is_attained(run: Run) -> Outcome:
    """Error exactly η and (1−α)(κ−η) = (1−ε)η at every non-trigger row, for η up to κ_L/2."""
    longest, holds, refuted, count = run.scale(8, 10, 14), True, True, 0
    for length in range(4, longest + 1):
        for share in SHARES:
            for content in CONTENTS:
                eta = share * kappa(length)
                witness = sharp_witness(length, eta, EPSILON_SMALL, content)
                found = measured(length, witness, content)
                at = {"L": length, "alpha": found.bos, "eta": eta}
                alphas = {found.bos_before, found.bos_after}
                holds = holds and found.error == eta and alphas == {1 - witness.m}
                holds = holds and SHARP.applies(**at) and SHARP.holds(**at)
                holds = holds and SHARP.excess(**at) == -EPSILON_SMALL * eta
                refuted = refuted and not nudged(SHARP, "21/20").holds(**at)
                count += 1
    return check(
        holds and refuted,
        f"{count} witnesses, L = 4..{longest}: η(1 − {EPSILON_SMALL}) of η; κ·1.05 refuted by all",
        ratio=str(1 - EPSILON_SMALL),
        witnesses=count,
    )


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.linear")
def linear_constant_is_attained(run: Run) -> Outcome:
    """At η = κ_L/2 the mass off BOS is 1 − ε: no constant below 2/κ_L can do."""
    holds, refuted, longest = True, True, run.scale(8, 10, 14)
    for length in range(4, longest + 1):
        eta = kappa(length) / 2
        found = measured(length, sharp_witness(length, eta, EPSILON_SMALL), ())
        at = {"L": length, "alpha": found.bos, "eta": eta}
        holds = holds and found.error == eta and LINEAR.holds(**at)
        holds = holds and LINEAR.excess(**at) == -EPSILON_SMALL
        refuted = refuted and not nudged(LINEAR, "21/20").holds(**at)
    figure = f"m/η = (1 − {EPSILON_SMALL})·2/κ_L at L = 4..{longest}; constant 5% smaller refuted"
    return check(holds and refuted, figure)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.epsilon")
def error_threshold_is_attained(run: Run) -> Outcome:
    """An error 1% above η(ε) = εκ_L/(1+ε) allows a BOS weight below 1 − ε, for ε up to 0.9."""
    holds, refuted, count = True, True, 0
    for length in range(4, run.scale(8, 10, 14) + 1):
        for epsilon in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
            threshold = epsilon * kappa(length) / (1 + epsilon)
            below = measured(length, sharp_witness(length, threshold, EPSILON_SMALL), ())
            above = measured(
                length, sharp_witness(length, threshold * 101 / 100, EPSILON_SMALL), ()
            )
            for found in (below, above):
                at = {"L": length, "alpha": found.bos, "eta": found.error, "epsilon": epsilon}
                holds = holds and EPSILON.holds(**at) and EPSILON.applies(**at) == (found is below)
            at = {"L": length, "alpha": above.bos, "eta": above.error, "epsilon": epsilon}
            refuted = refuted and not nudged(EPSILON, "101/100").holds(**at)
            count += 1
    return check(
        holds and refuted, f"{count} pairs (L, ε): at η(ε) it holds, at 1.01·η(ε) it fails"
    )


@evidence("sink_price", kind="exact")
def price_is_attained(run: Run) -> Outcome:
    """The same layers, read the other way: to keep ε = m off BOS costs no more than the floor."""
    longest, holds, refuted, nearest = run.scale(8, 10, 14), True, True, Fraction(0)
    for length in range(4, longest + 1):
        for share in SHARES:
            eta = share * kappa(length)
            found = measured(length, sharp_witness(length, eta, EPSILON_SMALL), ())
            kept = 1 - found.bos
            at = {"L": length, "alpha": found.bos, "eta": found.error, "epsilon": kept}
            floor = found.error + PRICE.excess(**at)
            holds = holds and PRICE.applies(**at) and PRICE.holds(**at)
            holds = holds and found.error * (1 - EPSILON_SMALL) <= floor <= found.error
            refuted = refuted and not nudged(PRICE, "21/20").holds(**at)
            nearest = max(nearest, floor / found.error)
    figure = f"floor/η up to {float(nearest):.6f}, L = 4..{longest}; a floor 5% higher refuted"
    return check(holds and refuted, figure, nearest=str(nearest))
