"""The arithmetic of RoPE's budget: a sum of rotations telescopes, and bounds a pair's mean logit.

Notation: ω = c + is = e^(iθ), ω^n = c_n + is_n; P + iT = Σ_{j<n} ω^j.  For one pair a = q·k and
b = q×k, so that a² + b² = ‖q‖²‖k‖², and C + iD = (1/N)Σω^j.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.rope_budget import BUDGET, DIRICHLET, N, Q, R, Z, budget, c, c_last
from theorems.smt import Core, Show, without

C, D, P, S, T, X, a, b, s, z = sp.symbols("C D P S T X a b s z", real=True)
c_n, s_n, f, k, q, y, s_last = sp.symbols("c_n s_n f k q y s_N", real=True)
NAMES = {
    "c": "cos θ",
    "s": "sin θ",
    "c_n": "cos nθ",
    "s_n": "sin nθ",
    "c_N": "cos Nθ",
    "s_N": "sin Nθ",
    "P": "Σ cos jθ",
    "T": "Σ sin jθ",
    "N": "number of positions",
    "Q": "|mean rotation|²",
    "a": "q·k of a pair",
    "b": "q×k of a pair",
    "q": "‖q_p‖",
    "k": "‖k_p‖",
    "C": "mean of cos jθ",
    "D": "mean of sin jθ",
    "f": "D_N(θ)",
    "z": "the pair's mean logit, times √d_h",
    "y": "the pair's share of the budget",
    "S": "the sum over pairs so far",
    "X": "the budget so far",
    "Z": "the mean logit",
    "budget": "Σ‖q_p‖‖k_p‖D_N(θ_p)",
    "d_h": "dimension of the head",
    "R": "√d_h",
}


def sums(cosine: sp.Expr, sine: sp.Expr, P: sp.Expr, T: sp.Expr) -> tuple[sp.Basic, sp.Basic]:
    """(1 − ω)(P + iT) = 1 − (cosine + i·sine), real and imaginary part."""
    return sp.Eq((1 - c) * P + s * T, 1 - cosine), sp.Eq((1 - c) * T - s * P, -sine)


STEP = Core(
    name="one more rotation",
    symbols=NAMES,
    hypotheses=sums(c_n, s_n, P, T),
    conclusion=sp.And(*sums(c * c_n - s * s_n, s * c_n + c * s_n, P + c_n, T + s_n)),
    says="Induction over the positions: (1 − ω)(Σω^j + ω^n) = 1 − ω^(n+1).",
)
SIZE = Core(
    name="the size of the mean",
    symbols=NAMES,
    hypotheses=(
        *assumed(DIRICHLET),
        *sums(c_last, s_last, P, T),
        sp.Eq(c**2 + s**2, 1),
        sp.Eq(c_last**2 + s_last**2, 1),
        sp.Eq(N**2 * Q, P**2 + T**2),
    ),
    conclusion=DIRICHLET.conclusion,
    says="|1 − ω|²|Σω^j|² = |1 − ω^N|², and |1 − e^(iφ)|² = 2(1 − cos φ).",
    hints=(
        Show(
            sp.Eq(
                ((1 - c) * P + s * T) ** 2 + ((1 - c) * T - s * P) ** 2,
                ((1 - c) ** 2 + s**2) * (P**2 + T**2),
            ),
            using=(),
        ),
        Show(sp.Eq((1 - c) ** 2 + s**2, 2 * (1 - c)), using=(sp.Eq(c**2 + s**2, 1),)),
        Show(
            sp.Eq((1 - c_last) ** 2 + s_last**2, 2 * (1 - c_last)),
            using=(sp.Eq(c_last**2 + s_last**2, 1),),
        ),
        Show(sp.Eq(2 * (1 - c) * (P**2 + T**2), 2 * (1 - c_last))),
    ),
    narrow=(sp.Eq(c, 0), sp.Eq(s, 1), sp.Eq(N, 1)),
)
DIRICHLET_LINKS = (
    Link(
        STEP,
        (
            STEP.false(
                "angles add",
                conclusion=sp.And(*sums(c * c_n + s * s_n, s * c_n + c * s_n, P + c_n, T + s_n)),
            ),
        ),
    ),
    Link(
        SIZE,
        (
            SIZE.false(
                "divided by N",
                conclusion=sp.Eq(Q * (1 - c), 1 - c_last),
                narrow=(sp.Eq(c, 0), sp.Eq(s, 1), sp.Eq(N, 2), sp.Eq(c_last, -1), sp.Eq(s_last, 0)),
            ),
        ),
    ),
)

PAIR = Core(
    name="one pair",
    symbols=NAMES,
    hypotheses=(
        q >= 0,
        k >= 0,
        f >= 0,
        sp.Eq(a**2 + b**2, q**2 * k**2),
        sp.Eq(C**2 + D**2, f**2),
    ),
    conclusion=a * C + b * D <= q * k * f,
    says="Cauchy and Schwarz in the plane.",
    hints=(
        Show(
            sp.Eq((a * C + b * D) ** 2 + (a * D - b * C) ** 2, (a**2 + b**2) * (C**2 + D**2)),
            using=(),
        ),
        Show(sp.Eq((a**2 + b**2) * (C**2 + D**2), (q * k * f) ** 2)),
        Show((a * C + b * D) ** 2 <= (q * k * f) ** 2),
        Show(q * k >= 0, products=((q >= 0, k >= 0),)),
        Show(q * k * f >= 0, products=((q * k >= 0, f >= 0),)),
        Show(
            a * C + b * D <= q * k * f,
            using=((a * C + b * D) ** 2 <= (q * k * f) ** 2, q * k * f >= 0),
        ),
    ),
    narrow=(sp.Eq(b, 0), sp.Eq(D, 0)),
)
PAIRS = Core(
    name="one more rotary pair",
    symbols=NAMES,
    hypotheses=(S <= X, z <= y),
    conclusion=S + z <= X + y,
    says="Induction over the pairs.",
)
MEAN = Core(
    name="the budget",
    symbols=NAMES,
    hypotheses=(*assumed(BUDGET), sp.Eq(Z * R, S), budget >= S),
    conclusion=BUDGET.conclusion,
    says="Z = S/√d_h.",
    narrow=(sp.Eq(R, 2),),
)
BUDGET_LINKS = (
    Link(PAIR, (PAIR.false("both factors", hypotheses=without(PAIR, sp.Eq(C**2 + D**2, f**2))),)),
    Link(PAIRS, (PAIRS.false("every pair", conclusion=S + z <= X),)),
    Link(MEAN, (MEAN.false("not half", conclusion=budget / R >= 2 * Z),)),
)


@evidence("rope_budget", kind="smt", settles=True)
def budget_arithmetic(run: Run) -> Outcome:
    """z3 bounds one pair's mean logit and adds up any number of pairs."""
    return outcome(BUDGET_LINKS, run)


@evidence("rope_budget", kind="smt", settles=True, statement="rope_budget.mean")
def mean_arithmetic(run: Run) -> Outcome:
    """z3 telescopes the sum of rotations for any number of positions."""
    return outcome(DIRICHLET_LINKS, run)
