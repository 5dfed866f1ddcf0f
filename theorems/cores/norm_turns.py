"""The arithmetic of the turn of a normalised state: a triangle with sides x, y = x+δ and δ.

Not in z3: that vectors have lengths and an angle with ‖δ‖² = ‖x‖² + ‖y‖² − 2‖x‖‖y‖k, and that
moved² = 2 − 2k.
"""

from __future__ import annotations

import sympy as sp

from theorems import norm_stability as stability
from theorems.cores.chain import Link, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.smt import Core, Show, without

rho, w, moved = sp.symbols("rho w moved", real=True)
x, y, k, step = sp.symbols("size size_after k step", real=True)
B, d = sp.symbols("B d", integer=True)
C, root_d, whole = sp.symbols("C root_d whole", real=True)

NAMES = {
    "size": "‖x‖ (with ε: √(‖x‖² + dε))",
    "size_after": "‖x+δ‖ (likewise)",
    "k": "cosine of the angle between x and x+δ (with the coordinate √(dε) appended)",
    "step": "‖δ‖",
    "rho": "a bound on ‖δ‖/‖x‖",
    "w": "at most √(1 − ρ²)",
    "moved": "distance between the normalised states",
    "whole": "the same with the coordinate √(dε), over √d",
    "d": "width",
    "root_d": "√d",
    "B": "number of later blocks",
    "C": "largest norm that a block writes",
}


LENGTHS = (x > 0, y > 0, step >= 0, k <= 1, k >= -1, sp.Eq(step**2, x**2 + y**2 - 2 * x * y * k))
"""Two sides of a triangle, the cosine of their angle, and the third side."""
SMALL = (rho >= 0, rho < 1, step <= rho * x)

ANGLE = Core(
    name="the angle",
    symbols=NAMES,
    hypotheses=(*LENGTHS, *SMALL),
    conclusion=sp.And(k > 0, k**2 >= 1 - rho**2),
    says="‖x‖² − ‖δ‖² = 2‖x‖‖y‖k − ‖y‖² ≤ ‖x‖²k², because (‖x‖k − ‖y‖)² ≥ 0.",
    hints=(
        Show(step**2 <= rho**2 * x**2, using=(step >= 0, step <= rho * x)),
        Show(rho**2 < 1, using=(rho >= 0, rho < 1)),
        Show(2 * x * y * k >= x**2 * (1 - rho**2) + y**2),
        Show(x**2 * (1 - rho**2) > 0, using=(x > 0, rho**2 < 1)),
        Show(2 * x * y * k > 0),
        Show(x * y > 0, using=(x > 0, y > 0)),
        Show(k > 0, using=(x * y > 0, 2 * x * y * k > 0)),
        Show((x * k - y) ** 2 >= 0, using=()),
        Show(x**2 * k**2 >= x**2 * (1 - rho**2)),
        Show(
            k**2 >= 1 - rho**2,
            using=(x > 0, x**2 * k**2 >= x**2 * (1 - rho**2)),
        ),
    ),
    narrow=(sp.Eq(x, 1), sp.Eq(y, 1), sp.Eq(rho, sp.Rational(1, 2))),
)
TURN = Core(
    name="the turn",
    symbols=NAMES,
    hypotheses=(
        *stability.ROTATION.hypotheses,
        k > 0,
        k <= 1,
        k**2 >= 1 - rho**2,
        sp.Eq(moved**2, 2 - 2 * k),
    ),
    conclusion=stability.ROTATION.conclusion,
    says="moved² = 2 − 2k, k ≥ w and k ≥ k² ≥ 1 − ρ².",
    hints=(
        Show(w**2 <= k**2),
        Show(w <= k, using=(w >= 0, k > 0, w**2 <= k**2)),
        Show(k >= k**2, using=(k > 0, k <= 1)),
    ),
    narrow=(
        sp.Eq(rho, sp.Rational(3, 5)),
        sp.Eq(k, sp.Rational(7, 8)),
        sp.Eq(moved, sp.Rational(1, 2)),
    ),
)
EVERY_RATIO = Core(
    name="every ratio",
    symbols=NAMES,
    hypotheses=(
        *stability.ANY_RATIO.hypotheses,
        *LENGTHS[3:],
        sp.Eq(moved**2, 2 - 2 * k),
    ),
    conclusion=stability.ANY_RATIO.conclusion,
    says="4‖δ‖² − moved²(‖x‖+‖y‖)² = 2(1+k)(‖x‖−‖y‖)² ≥ 0.",
    hints=(
        Show((1 + k) * (x - y) ** 2 >= 0, using=(k >= -1,)),
        Show(
            (2 - 2 * k) * (x + y) ** 2 <= 4 * (x**2 + y**2 - 2 * x * y * k),
            using=((1 + k) * (x - y) ** 2 >= 0,),
        ),
        Show(
            (moved * (x + y)) ** 2 <= (2 * step) ** 2,
            using=(
                sp.Eq(moved**2, 2 - 2 * k),
                LENGTHS[-1],
                (2 - 2 * k) * (x + y) ** 2 <= 4 * (x**2 + y**2 - 2 * x * y * k),
            ),
        ),
    ),
    narrow=(sp.Eq(x, 1), sp.Eq(y, 1), sp.Eq(moved, 1)),
)
SHRUNK = Core(
    name="RMSNorm with its ε",
    symbols=NAMES,
    hypotheses=(
        *stability.EPSILON.hypotheses,
        whole >= 0,
        whole**2 <= 2 - 2 * w,
        moved**2 <= d * whole**2,
    ),
    conclusion=stability.EPSILON.conclusion,
    says="The appended coordinate is dropped after normalising, and √d multiplies.",
    hints=(Show(d * whole**2 <= d * (2 - 2 * w), products=((d >= 0, 2 - 2 * w - whole**2 >= 0),)),),
    narrow=(sp.Eq(d, 4),),
)
SHRUNK_ANY = Core(
    name="RMSNorm with its ε, every ratio",
    symbols=NAMES,
    hypotheses=(
        *stability.EPSILON_ANY_RATIO.hypotheses,
        whole >= 0,
        whole * (x + y) <= 2 * step,
        moved <= root_d * whole,
    ),
    conclusion=stability.EPSILON_ANY_RATIO.conclusion,
    says="The same, times √d.",
    hints=(
        Show(
            moved * (x + y) <= root_d * whole * (x + y),
            products=((root_d * whole - moved >= 0, x + y >= 0),),
        ),
        Show(
            root_d * whole * (x + y) <= 2 * root_d * step,
            products=((root_d >= 0, 2 * step - whole * (x + y) >= 0),),
        ),
    ),
    narrow=(sp.Eq(root_d, 2),),
)
LATER = Core(
    name="the plateau",
    symbols=NAMES,
    hypotheses=(
        *stability.PLATEAU.hypotheses,
        step >= 0,
        step <= B * C,
        moved**2 * x**2 <= 2 * step**2,
    ),
    conclusion=stability.PLATEAU.conclusion,
    says="‖δ‖ ≤ BC, and moved ≤ √2·‖δ‖/‖x‖.",
    hints=(Show(step**2 <= (B * C) ** 2, using=(step >= 0, step <= B * C)),),
    narrow=(sp.Eq(B, 1), sp.Eq(x, 2), sp.Eq(C, 1)),
)


ANGLE_LINK = Link(
    ANGLE,
    (
        ANGLE.false(
            "needs a step that is shorter than the state",
            hypotheses=without(ANGLE, rho < 1),
            narrow=(sp.Eq(x, 1), sp.Eq(y, 1), sp.Eq(step, 2), sp.Eq(rho, 2)),
        ),
    ),
)
TURN_LINKS = (
    ANGLE_LINK,
    Link(
        TURN,
        (
            TURN.false(
                "not ρ itself",
                conclusion=moved <= rho,
                narrow=(
                    sp.Eq(k, sp.Rational(7, 25)),
                    sp.Eq(moved, sp.Rational(6, 5)),
                    sp.Eq(rho, sp.Rational(24, 25)),
                ),
            ),
        ),
    ),
)
ANY_LINKS = (
    Link(
        EVERY_RATIO,
        (
            EVERY_RATIO.false(
                "not twice the larger length",
                conclusion=2 * moved * sp.Max(x, y) <= 2 * step,
                narrow=(sp.Eq(x, 1), sp.Eq(y, 3), sp.Eq(k, -1), sp.Eq(moved, 2), sp.Eq(step, 4)),
            ),
        ),
    ),
)
EPSILON_LINKS = (
    *TURN_LINKS,
    Link(SHRUNK, (SHRUNK.false("√d counts", conclusion=moved**2 <= 2 - 2 * w),)),
)
EPSILON_ANY_LINKS = (
    *ANY_LINKS,
    Link(SHRUNK_ANY, (SHRUNK_ANY.false("√d counts", conclusion=moved * (x + y) <= 2 * step),)),
)
PLATEAU_LINKS = (
    *TURN_LINKS,
    Link(
        LATER,
        (
            LATER.false(
                "every block counts",
                conclusion=moved**2 * x**2 <= 2 * C**2,
                narrow=(sp.Eq(B, 2), sp.Eq(x, 4), sp.Eq(C, 1), sp.Eq(moved, sp.Rational(1, 2))),
            ),
        ),
    ),
)


@evidence("norm_stability", kind="smt", settles=True)
def turn_arithmetic(run: Run) -> Outcome:
    """z3 proves the turn for all lengths and angles."""
    return outcome(TURN_LINKS, run)


@evidence("norm_stability", kind="smt", statement="norm_stability.any_ratio", settles=True)
def any_ratio_arithmetic(run: Run) -> Outcome:
    """z3 proves 2‖δ‖/(‖x‖+‖x+δ‖) for all lengths and angles."""
    return outcome(ANY_LINKS, run)


@evidence("norm_stability", kind="smt", statement="norm_stability.epsilon", settles=True)
def epsilon_arithmetic(run: Run) -> Outcome:
    """z3 proves the turn of RMSNorm with its ε for all widths."""
    return outcome(EPSILON_LINKS, run)


@evidence("norm_stability", kind="smt", statement="norm_stability.epsilon_any_ratio", settles=True)
def epsilon_any_ratio_arithmetic(run: Run) -> Outcome:
    """z3 proves the bound for every ratio with ε, for all widths."""
    return outcome(EPSILON_ANY_LINKS, run)


@evidence("norm_stability", kind="smt", statement="norm_stability.plateau", settles=True)
def plateau_arithmetic(run: Run) -> Outcome:
    """z3 proves the plateau for any number of blocks."""
    return outcome(PLATEAU_LINKS, run)
