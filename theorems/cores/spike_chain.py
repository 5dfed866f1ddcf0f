"""The arithmetic of the chain: from A and B to a direction, to a gap, to a mass.

Notation: h = A·u + b, x = u·b, z the length of b across u, p = A + x, n = ‖h‖; g = ‖h̃ − √d·u‖/√d;
e = q·W_K(h̃ − √d·u)/√d; F = e^(the true gap).
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, granted, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.logit_gap import LOGIT_GAP
from theorems.smt import Core, Show, without
from theorems.spike_chain import (
    CHAIN,
    DIRECTION,
    GAP,
    A,
    B,
    Delta,
    E,
    Q,
    R,
    alpha,
    d,
    f,
    k,
    m,
    o,
    s,
    w,
)

HALF = sp.Rational(1, 2)
F, e, g, n, p, x, y, z = sp.symbols("F e g n p x y z", real=True)
NAMES = {
    "A": "size of the spike",
    "B": "what it must outweigh",
    "x": "u·b",
    "z": "length of b across u",
    "p": "u·h",
    "n": "‖h‖",
    "d": "width",
    "s": "√(1 − B²/A²)",
    "Q": "‖h̃ − √d·u‖²",
    "R": "√(d/d_h)",
    "k": "q·W_K u",
    "w": "‖W_Kᵀq‖",
    "o": "the largest other q·W_K h̃/√d",
    "f": "√2·B/A",
    "g": "‖h̃ − √d·u‖/√d",
    "e": "q·W_K(h̃ − √d·u)/√d",
    "y": "B/A",
    "Delta": "the logit gap",
    "m": "number of keys",
    "E": "e^Δ for the explicit Δ",
    "F": "e^(the true gap)",
    "alpha": "the mass",
}

ANGLE = Core(
    name="the angle to the spike's direction",
    symbols=NAMES,
    hypotheses=(
        B >= 0,
        B < A,
        s >= 0,
        sp.Eq(s**2 * A**2, A**2 - B**2),
        x**2 + z**2 <= B**2,
        sp.Eq(p, A + x),
        n > 0,
        sp.Eq(n**2, p**2 + z**2),
    ),
    conclusion=p >= s * n,
    says="p²B² − (A²−B²)z² ≥ (Ax + B²)² ≥ 0, so p²A² ≥ (A²−B²)n².",
    hints=(
        Show(x >= -B, using=(x**2 + z**2 <= B**2, B >= 0)),
        Show(p > 0),
        Show(A**2 - B**2 > 0, using=(B >= 0, B < A)),
        Show(
            (A**2 - B**2) * z**2 <= (A**2 - B**2) * (B**2 - x**2),
            products=((A**2 - B**2 > 0, x**2 + z**2 <= B**2),),
        ),
        Show(
            sp.Eq(p**2 * B**2 - (A**2 - B**2) * (B**2 - x**2), (A * x + B**2) ** 2),
            using=(sp.Eq(p, A + x),),
        ),
        Show(p**2 * B**2 >= (A**2 - B**2) * z**2),
        Show(p**2 * A**2 >= (A**2 - B**2) * n**2),
        Show(sp.Eq((A**2 - B**2) * n**2, (s * n) ** 2 * A**2)),
        Show(p**2 * A**2 >= (s * n) ** 2 * A**2),
        Show(A**2 > 0, using=(B >= 0, B < A)),
        Show(p**2 >= (s * n) ** 2, using=(p**2 * A**2 >= (s * n) ** 2 * A**2, A**2 > 0)),
        Show(s * n >= 0, products=((s >= 0, n > 0),)),
        Show(p >= s * n, using=(p**2 >= (s * n) ** 2, p > 0, s * n >= 0)),
    ),
    narrow=(sp.Eq(A, 5), sp.Eq(B, 3)),
)
NEAR = Core(
    name="the direction",
    symbols=NAMES,
    hypotheses=(
        *assumed(DIRECTION),
        p >= s * n,
        n > 0,
        sp.Eq(Q * n, 2 * d * (n - p)),
    ),
    conclusion=DIRECTION.conclusion,
    says="Q = 2d(1 − p/n) for two vectors of length √d.",
    hints=(
        Show(d * (p - s * n) >= 0, using=(d >= 1, p >= s * n)),
        Show(Q * n <= 2 * d * (1 - s) * n),
        Show(2 * d * (1 - s) >= Q, using=(Q * n <= 2 * d * (1 - s) * n, n > 0)),
    ),
    narrow=(sp.Eq(A, 5), sp.Eq(B, 3), sp.Eq(d, 1)),
)
DIRECTION_LINKS = (
    Link(
        ANGLE,
        (
            ANGLE.false(
                "the rest is at most B",
                hypotheses=without(ANGLE, x**2 + z**2 <= B**2),
                narrow=(sp.Eq(A, 5), sp.Eq(B, 3), sp.Eq(x, -5), sp.Eq(z, 1)),
            ),
        ),
    ),
    Link(NEAR, (NEAR.false("not half of it", conclusion=d * (1 - s) >= Q),)),
)

ROOT = Core(
    name="√2·B/A is enough",
    symbols=NAMES,
    hypotheses=(s >= 0, sp.Eq(s**2, 1 - y**2)),
    conclusion=2 * (1 - s) <= 2 * y**2,
    says="1 − s ≤ 1 − s² = y² for 0 ≤ s ≤ 1.",
    hints=(Show(s <= 1, using=(sp.Eq(s**2, 1 - y**2),)),),
    narrow=(sp.Eq(y, 0),),
)
LOGITS = Core(
    name="the gap",
    symbols=NAMES,
    hypotheses=(
        *assumed(GAP),
        g >= 0,
        g**2 <= 2 * (1 - s),
        -w * g <= e,
        Delta >= R * (k + e) - R * o,
    ),
    conclusion=GAP.conclusion,
    says="The spike's logit is R(k + e), |e| ≤ wg, g ≤ f, and every other is at most R·o.",
    hints=(
        Show(g**2 <= f**2, using=(g**2 <= 2 * (1 - s), 2 * (1 - s) <= f**2)),
        Show(g <= f, using=(g**2 <= f**2, g >= 0, f >= 0)),
        Show(w * g <= w * f, products=((w >= 0, g <= f),)),
        Show(k - w * f - o <= k + e - o),
        Show(
            R * (k - w * f - o) <= R * (k + e - o), products=((R > 0, k - w * f - o <= k + e - o),)
        ),
    ),
    narrow=(sp.Eq(w, 0), sp.Eq(A, 1), sp.Eq(B, 0)),
)
WORST = (sp.Eq(A, 5), sp.Eq(B, 4), sp.Eq(w, 1), sp.Eq(g, HALF), sp.Eq(f, 1), sp.Eq(e, -HALF))
GAP_LINKS = (
    Link(
        ROOT,
        (
            ROOT.false(
                "not a quarter of it",
                conclusion=4 * (1 - s) <= y**2,
                narrow=(sp.Eq(y, sp.Rational(4, 5)), sp.Eq(s, sp.Rational(3, 5))),
            ),
        ),
    ),
    Link(
        LOGITS,
        (LOGITS.false("the key's error counts", conclusion=R * (k - o) <= Delta, narrow=WORST),),
    ),
)

MASS = Core(
    name="the mass",
    symbols=NAMES,
    hypotheses=(granted(LOGIT_GAP).xreplace({E: F}), *assumed(CHAIN), E <= F),
    conclusion=CHAIN.conclusion,
    says="The true gap is at least the explicit one; then logit_gap.",
    hints=(
        Show(1 / (1 + (m - 1) / F) <= alpha),
        Show(1 / F <= 1 / E, using=(E > 0, E <= F)),
        Show((m - 1) / F <= (m - 1) / E, products=((m >= 1, 1 / F <= 1 / E),)),
        Show((m - 1) / F >= 0, using=(m >= 1, E > 0, E <= F)),
    ),
    narrow=(sp.Eq(A, 1), sp.Eq(B, 0)),
)
FAR_BELOW = (sp.Eq(m, 2), sp.Eq(E, 1), sp.Eq(F, HALF), sp.Eq(alpha, HALF - HALF / 3))
CHAIN_LINKS = (
    Link(
        MASS, (MASS.false("the gap is used", hypotheses=without(MASS, E <= F), narrow=FAR_BELOW),)
    ),
)


@evidence("spike_chain", kind="smt", settles=True)
def chain_arithmetic(run: Run) -> Outcome:
    """z3 takes the explicit gap to the mass; its two inputs are proved as statements below."""
    return outcome((*DIRECTION_LINKS, *GAP_LINKS, *CHAIN_LINKS), run)


@evidence("spike_chain", kind="smt", settles=True, statement="spike_chain.direction")
def direction_arithmetic(run: Run) -> Outcome:
    """z3 bounds the distance of the normalised state to its constant, for all A > B ≥ 0."""
    return outcome(DIRECTION_LINKS, run)


@evidence("spike_chain", kind="smt", settles=True, statement="spike_chain.gap")
def gap_arithmetic(run: Run) -> Outcome:
    """z3 derives the gap from the distance."""
    return outcome(GAP_LINKS, run)
