"""The arithmetic of scores that are never divided: they average no better than a line fits 1/r.

Notation: a is what BOS and the trigger itself write to the trigger flag of the trigger's row, and g
what one copy of an ordinary token adds; both are the same for every r, the number of visible
non-BOS tokens.  Not in z3: that a position-free undivided row writes a + (r−1)g.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome, within
from theorems.evidence import Outcome, Run, evidence
from theorems.mechanisms import UNDIVIDED, r
from theorems.smt import Core, Show
from theorems.statement import Statement
from theorems.symbols import L, eta, meaning

a, g = sp.symbols("a g", real=True)
NAMES = {
    **meaning("L", "eta"),
    "r": "a number of visible non-BOS tokens",
    "a": "trigger flag written by BOS and the trigger at the trigger's row",
    "g": "trigger flag added by one copy of the ordinary token",
}
SHORTEST = within(a + g - sp.Rational(1, 2), eta)
LONGEST = within(a + (L - 2) * g - 1 / (L - 1), eta)
BETWEEN = within(a + (r - 1) * g - 1 / r, eta)
ROOM = (L - 1 - r >= 0, r - 2 >= 0)


def undivided(statement: Statement = UNDIVIDED) -> Core:
    """From the three rows to the conclusion of ``statement`` itself."""
    return Core(
        name="no division, no average",
        symbols=NAMES,
        hypotheses=(*assumed(statement), *SHORTEST, *LONGEST, *BETWEEN),
        conclusion=statement.conclusion,
        says=(
            "The rows after 1, r−1 and L−2 copies lie on a line; weighted with L−1−r, L−3 and r−2 "
            "their errors add up to twice the gap between the chord of 1/r and 1/r."
        ),
        hints=(Show(sp.And(*ROOM), using=tuple(statement.hypotheses)),),
        narrow=(sp.Eq(L, 5), sp.Eq(r, 3)),
    )


UNDIVIDED_CORE = undivided()
HIGHER = UNDIVIDED.conclusion.lts * sp.Rational(101, 100) <= eta
LINKS = (
    Link(
        UNDIVIDED_CORE,
        (
            replace(
                undivided(replace(UNDIVIDED, conclusion=HIGHER)),
                name="no division (false): 1% more",
                hints=(),
            ),
            UNDIVIDED_CORE.false(
                "two rows do not suffice: a line passes through both",
                hypotheses=tuple(h for h in UNDIVIDED_CORE.hypotheses if h not in BETWEEN),
            ),
        ),
    ),
)


@evidence("mechanisms", kind="smt", settles=True, statement="mechanisms.undivided")
def undivided_arithmetic(run: Run) -> Outcome:
    """z3 proves the floor under the error of undivided scores, for all L ≥ 5 and 2 ≤ r ≤ L−1."""
    return outcome(LINKS, run)
