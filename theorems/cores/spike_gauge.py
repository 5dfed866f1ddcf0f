"""The arithmetic of the gauge: one norm and one block of the rescaled network, and two spikes.

Notation: n² = ‖h‖² + dε before a norm, n_c the same in the rescaled network; g the state before a
block and v what the block writes; p = ‖h‖‖h′‖ and b′ = ab for the states of two spikes.

Not in z3: that a block whose last matrix is multiplied by c writes c times the same, and the
induction over blocks.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.smt import Apply, Core, Show, without
from theorems.spike_gauge import GAUGE, LIPSCHITZ, Q, a, b, c, d, h, h_c, rho, y, y_c

G, f, g, g_c, n, n_c, p, q, t = sp.symbols("G f g g_c n n_c p q t", real=True)
v, v_c, x = sp.symbols("v v_c x", real=True)
NAMES = {
    "c": "the factor",
    "g": "an entry of the state before a block",
    "g_c": "the same, rescaled",
    "v": "what the block adds to it",
    "v_c": "the same, rescaled",
    "h": "the entry after the block",
    "h_c": "the same, rescaled",
    "n": "√(‖h‖² + dε)/√d",
    "n_c": "the same, rescaled",
    "y": "the normalised entry",
    "y_c": "the same, rescaled",
    "d": "width",
    "a": "size of one spike",
    "b": "size of the other",
    "rho": "‖r‖²",
    "p": "‖h‖",
    "q": "‖h′‖",
    "x": "‖h‖‖h′‖",
    "f": "ab",
    "t": "1/a − 1/b",
    "G": "ρ(a−b)²",
    "Q": "‖RMSNorm(h) − RMSNorm(h′)‖²",
}

NORM = Core(
    name="the norm does not see the factor",
    symbols=NAMES,
    hypotheses=(c > 0, n > 0, n_c > 0, sp.Eq(n_c**2, c**2 * n**2)),
    conclusion=sp.Eq(n_c, c * n),
    says="‖ch‖² + d·c²ε = c²(‖h‖² + dε).",
    hints=(Show(sp.Eq((n_c - c * n) * (n_c + c * n), 0)),),
)
BLOCK = Core(
    name="one block",
    symbols=NAMES,
    hypotheses=(
        *assumed(GAUGE),
        sp.Eq(g_c, c * g),
        sp.Eq(v_c, c * v),
        sp.Eq(h, g + v),
        sp.Eq(h_c, g_c + v_c),
        n > 0,
        sp.Eq(n_c, c * n),
        sp.Eq(y * n, h),
        sp.Eq(y_c * n_c, h_c),
    ),
    conclusion=GAUGE.conclusion,
    says="The state after the block is c times as large, and normalised it is the same.",
    hints=(
        Show(sp.Eq(h_c, c * h)),
        Show(sp.Eq(y_c * c * n, y * c * n)),
        Show(c * n > 0, products=((c > 0, n > 0),)),
        Show(sp.Eq(y_c, y)),
    ),
)
GAUGE_LINKS = (
    Link(NORM, (NORM.false("a factor of either sign", hypotheses=without(NORM, c > 0)),)),
    Link(
        BLOCK,
        (
            BLOCK.false(
                "ε must scale too",
                hypotheses=(*without(BLOCK, sp.Eq(n_c, c * n)), n_c > c * n),
                narrow=(sp.Eq(c, 2), sp.Eq(h, 1), sp.Eq(g, 1), sp.Eq(n, 1), sp.Eq(n_c, 3)),
            ),
        ),
    ),
)

SHAPE = Core(
    name="a small angle",
    symbols=NAMES,
    hypotheses=(
        d >= 1,
        f > 0,
        rho >= 0,
        G >= 0,
        x > 0,
        x >= f,
        sp.Eq((x - f - rho) * (x + f + rho), G),
        sp.Eq(Q * x, 2 * d * (x - f - rho)),
    ),
    conclusion=Q * f**2 <= d * G,
    says="Q = 2dG/(x(x + f + ρ)) and x(x + f + ρ) ≥ 2f².",
    hints=(
        Show(x + f + rho > 0, using=(x > 0, f > 0, rho >= 0)),
        Show(sp.Eq(Q * x * (x + f + rho), 2 * d * G)),
        Show(x * (x + f + rho) >= 2 * f**2, using=(x >= f, f > 0, rho >= 0)),
        Show(Q * x >= 0),
        Show(Q >= 0),
        Show(
            Q * (2 * f**2) <= Q * (x * (x + f + rho)),
            products=((Q >= 0, x * (x + f + rho) >= 2 * f**2),),
        ),
    ),
)
TWO_SPIKES = Core(
    name="two spikes on one rest",
    symbols=NAMES,
    hypotheses=(
        *assumed(LIPSCHITZ),
        p > 0,
        q > 0,
        sp.Eq(p**2, a**2 + rho),
        sp.Eq(q**2, b**2 + rho),
        sp.Eq(x, p * q),
        sp.Eq(t, 1 / a - 1 / b),
        sp.Eq(f, a * b),
        sp.Eq(G, rho * (a - b) ** 2),
        sp.Eq(Q * x, 2 * d * (x - f - rho)),
    ),
    conclusion=LIPSCHITZ.conclusion,
    says="x² − (f + ρ)² = ρ(a−b)², and x ≥ f.",
    hints=(
        Show(f > 0, products=((a > 0, b > 0),)),
        Show(x > 0, products=((p > 0, q > 0),)),
        Show(G >= 0),
        Show(sp.Eq(x**2, (a**2 + rho) * (b**2 + rho))),
        Show(sp.Eq((x - f - rho) * (x + f + rho), G)),
        Show(
            (x - f - rho) * (x + f + rho) >= 0,
            using=(sp.Eq((x - f - rho) * (x + f + rho), G), G >= 0),
        ),
        Show(x >= f, using=((x - f - rho) * (x + f + rho) >= 0, x > 0, f > 0, rho >= 0)),
        Apply(SHAPE),
        Show(sp.Eq(t * f, b - a)),
        Show(sp.Eq(rho * t**2 * f**2, G)),
        Show(Q * f**2 <= d * rho * t**2 * f**2, products=((sp.Eq(rho * t**2 * f**2, G), d),)),
        Show(f**2 > 0, using=(f > 0,)),
        Show(d * rho * t**2 >= Q, using=(Q * f**2 <= d * rho * t**2 * f**2, f**2 > 0)),
    ),
    narrow=(sp.Eq(a, 3), sp.Eq(rho, 16), sp.Eq(b, sp.Rational(16, 3))),
)
DIRECTION_LINKS = (
    Link(
        SHAPE,
        (
            SHAPE.false(
                "not half of it",
                conclusion=2 * Q * f**2 <= d * G,
                narrow=(sp.Eq(rho, 0), sp.Eq(x, f + 1)),
            ),
        ),
    ),
    Link(
        TWO_SPIKES,
        (TWO_SPIKES.false("the rest counts", conclusion=d * (1 / a - 1 / b) ** 2 >= Q),),
    ),
)


@evidence("spike_gauge", kind="smt", settles=True)
def gauge_arithmetic(run: Run) -> Outcome:
    """z3 takes one norm and one block of the rescaled network, for every factor."""
    return outcome(GAUGE_LINKS, run)


@evidence("spike_gauge", kind="smt", settles=True, statement="spike_gauge.direction")
def direction_arithmetic(run: Run) -> Outcome:
    """z3 bounds the distance between two normalised spikes on one rest."""
    return outcome(DIRECTION_LINKS, run)
