"""A row with a logit gap: every other key exactly Δ below the sink, and what the gap then buys.

``theorems.logit_gap`` (after Sun et al. 2026, arXiv 2603.05498).  With E = e^Δ a rational number
the row is exact: weights E, 1, …, 1, so the sink has E/(E + m − 1), which is the bound itself.  A
key that is further below raises the mass; a spread of the other logits about their mean lowers it.

>>> print(exactly_at_the_gap(keys=4, E=Fraction(9)))
[Fraction(3, 4) Fraction(1, 12) Fraction(1, 12) Fraction(1, 12)]
>>> print(mass_of_gap(keys=2048, gap=arb(16)).str(6, radius=False))
0.999770
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from constructions.one_row import softmax_row, weighted_row
from constructions.pushed import sharp
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT

GAPS = (Fraction(1, 3), Fraction(1), Fraction(2), Fraction(10**6))
"""e^Δ: a negative gap, none, and two positive ones."""


def exactly_at_the_gap(keys: int, E: Fraction) -> Array:
    """The row (m,) whose other keys are all exactly Δ = ln E below the sink, which is key 0."""
    return weighted_row(exact([E, *[1] * (keys - 1)]))


def mass_of_gap(keys: int, gap: arb) -> arb:
    """The sink's mass when all other keys are exactly ``gap`` below: 1/(1 + (m−1)e^(−Δ))."""
    return 1 / (1 + (keys - 1) * (-gap).exp())


def spread(keys: int, E: Fraction, ratio: Fraction) -> Array:
    """The same row with half of the others' weights times ``ratio`` and as many divided by it.

    The mean of the other logits stays z₀ − ln E; ``keys`` is odd.
    """
    half = (keys - 1) // 2
    return weighted_row(exact([E, *[ratio] * half, *[1 / ratio] * half]))


@evidence("logit_gap", kind="exact")
def the_gap_bound_is_attained(run: Run) -> Outcome:
    """With every other key exactly Δ below, the mass is the bound; one 1% higher is refuted."""
    most = run.scale(24, 32, 128)
    holds = all(
        sharp(LOGIT_GAP, m=m, E=E, alpha=exactly_at_the_gap(m, E)[0])
        for m in range(1, most + 1)
        for E in GAPS
    )
    return check(holds, f"equality for m = 1..{most}; 1.01 times the bound refuted")


@evidence("logit_gap", kind="exact", statement="logit_gap.strict")
def only_equal_gaps_attain_it(run: Run) -> Outcome:
    """One key a little lower makes the bound strict; at x = e^(−Δ) it is an equality."""
    holds, most = True, run.scale(24, 32, 128)
    for m in range(2, most + 1):
        for E in GAPS:
            for share in (Fraction(1, 2), 1 - Fraction(1, 10**9)):
                row = weighted_row(exact([E, *[1] * (m - 2), share]))
                at = {"m": m, "E": E, "x": share / E, "alpha": row[0]}
                holds = holds and STRICT.applies(**at) and STRICT.holds(**at)
            edge = {"m": m, "E": E, "x": 1 / E, "alpha": exactly_at_the_gap(m, E)[0]}
            holds = holds and not STRICT.applies(**edge) and STRICT.excess(**edge) == 0
    return check(holds, f"strict for m = 2..{most}, even one part in 10⁹ lower")


@evidence("logit_gap", kind="exact", statement="logit_gap.converse")
def equal_others_need_the_least_gap(run: Run) -> Outcome:
    """Equal other logits attain the upper bound; spread about the same mean they stay below."""
    holds, most = True, run.scale(25, 33, 129)
    for m in range(3, most + 1, 2):
        for E in GAPS:
            holds = holds and sharp(CONVERSE, m=m, G=E, alpha=exactly_at_the_gap(m, E)[0])
            holds = holds and CONVERSE.excess(m=m, G=E, alpha=spread(m, E, Fraction(3))[0]) < 0
    return check(holds, f"equality for odd m = 3..{most}; strict with a spread of ±ln 3")


@evidence("logit_gap", kind="certified")
def softmax_itself_gives_that_mass(run: Run) -> Outcome:
    """The softmax row of real logits, in balls, contains 1/(1 + (m−1)e^(−Δ)) to 10⁻⁷⁰."""
    holds = True
    with ctx.workprec(256):
        for m in (2, 16, run.scale(64, 128)):
            for gap in (arb(16), arb(2).sqrt(), -arb(1) / 3):
                row = softmax_row(np.array([gap, *[arb(0)] * (m - 1)], dtype=object))
                holds = holds and bool(abs(row[0] - mass_of_gap(m, gap)) < arb(10) ** -70)
    return check(holds, "masses of three gaps at three lengths agree to 70 digits")
