"""The arithmetic of SwiGLU as a quadratic form, unit by unit and then in sum.

Notation: a unit has gate a, E = e^a, s = SiLU(a) = aE/(1 + E), remainder ρ = |a|/(1 + e^|a|), and
weight p = W_down[k,i]·b_i.  In an eigenbasis y_j = (s_jᵀh)² ≥ 0.

Not in z3: that E = e^a, of which only "E ≥ 1 iff a ≥ 0" and one tangent are used.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.quadratic_amplifier import (
    CONSTANT,
    PAIR,
    QUADRATIC,
    RANK_ONE,
    REMAINDER,
    E,
    N,
    R,
    a,
    form,
    lambda_1,
    lambda_2,
    out,
    r,
    t,
)
from theorems.smt import Core, Show, without

D, M, S, W, X, Y, Z, mu, p, q, s, y = sp.symbols("D M S W X Y Z mu p q s y", real=True)
NAMES = {
    "a": "a gate, or its size",
    "E": "e^a",
    "M": "e^|a|",
    "s": "SiLU(a)",
    "q": "SiLU(−a)",
    "W": "|a|/(1 + e^|a|)",
    "p": "W_down[k,i]·b_i",
    "X": "a sum",
    "Y": "a bound on |X|",
    "y": "one more bound, or (s_jᵀh)²",
    "Z": "one more term",
    "D": "the sum of W_down[k,i] b_i (SiLU(a_i) − ReLU(a_i))",
    "R": "the sum of the bounds",
    "out": "what is written",
    "form": "the quadratic form",
    "r": "|SiLU(a) − ReLU(a)|",
    "t": "sᵀh",
    "lambda_1": "the leading eigenvalue",
    "lambda_2": "the next eigenvalue",
    "mu": "another eigenvalue",
    "N": "‖h‖²",
    "S": "Σ_{j≥2} y_j",
}
SIDES = sp.Or(
    sp.And(a >= 0, E >= 1, sp.Eq(M, E)),
    sp.And(a <= 0, E > 0, E <= 1, sp.Eq(M * E, 1)),
)

UNIT = Core(
    name="SiLU is ReLU less a remainder",
    symbols=NAMES,
    hypotheses=(SIDES, M >= 1, sp.Eq(s * (1 + E), a * E), sp.Eq(W * (1 + M), sp.Abs(a))),
    conclusion=sp.And(sp.Eq(s, sp.Max(a, 0) - W), W >= 0),
    says="SiLU(a) = max(a, 0) − |a|/(1 + e^|a|), on either side of zero.",
    narrow=(sp.Eq(E, 2), sp.Eq(a, 3)),
)
TERM = Core(
    name="one unit",
    symbols=NAMES,
    hypotheses=(sp.Eq(s, sp.Max(a, 0) - W), W >= 0, sp.Eq(Z, p * s - p * sp.Max(a, 0))),
    conclusion=sp.Abs(Z) <= sp.Abs(p) * W,
    says="A unit with weight p is off by |p|·ρ from the active form.",
    hints=(Show(sp.Eq(Z, -p * W)),),
)
ONE_MORE = Core(
    name="one more unit",
    symbols=NAMES,
    hypotheses=(sp.Abs(X) <= Y, sp.Abs(Z) <= y),
    conclusion=sp.Abs(X + Z) <= Y + y,
    says="Induction over the units: errors add up to at most the sum of their bounds.",
)
FORM = Core(
    name="the block is the active form up to R",
    symbols=NAMES,
    hypotheses=(*assumed(QUADRATIC), sp.Eq(out, form + D), sp.Abs(D) <= R),
    conclusion=QUADRATIC.conclusion,
    says="out = Σ p_i SiLU(a_i) and hᵀS_k h = Σ p_i ReLU(a_i).",
)
QUADRATIC_LINKS = (
    Link(
        UNIT,
        (
            UNIT.false(
                "SiLU is not the identity on negative gates",
                conclusion=sp.Eq(s, a - W),
                narrow=(sp.Eq(E, sp.Rational(1, 2)), sp.Eq(a, -3)),
            ),
        ),
    ),
    Link(TERM, (TERM.false("no less", conclusion=2 * sp.Abs(Z) <= sp.Abs(p) * W),)),
    Link(ONE_MORE, (ONE_MORE.false("errors do not cancel", conclusion=sp.Abs(X + Z) <= Y),)),
    Link(FORM, (FORM.false("half of it", conclusion=2 * sp.Abs(out - form) <= R),)),
)

TANGENT = a - CONSTANT <= CONSTANT * E
SMALL = Core(
    name="the remainder is small",
    symbols=NAMES,
    hypotheses=(*assumed(REMAINDER), sp.Eq(r * (1 + E), a), TANGENT),
    conclusion=REMAINDER.conclusion,
    says="r = a/(1 + e^a) and 0.2785·e^a ≥ a − 0.2785, the tangent of e^a at 1.2785.",
    hints=(Show(r >= 0), Show(r * E <= a)),
)
REMAINDER_LINKS = (
    Link(
        SMALL,
        (
            SMALL.false("the tangent is used", hypotheses=without(SMALL, TANGENT)),
            SMALL.false("not 0.27", conclusion=r <= sp.Rational(27, 100)),
        ),
    ),
)

EXACT_PAIR = Core(
    name="a pair of gates is a square",
    symbols=NAMES,
    hypotheses=(
        *assumed(PAIR),
        sp.Eq(s * (1 + E), t * E),
        sp.Eq(q * (1 + E), -t),
        sp.Eq(out, lambda_1 * s * t - lambda_1 * q * t),
    ),
    conclusion=PAIR.conclusion,
    says="SiLU(t) = tE/(1+E) and SiLU(−t) = −t/(1+E) differ by t.",
    hints=(Show(sp.Eq((s - q) * (1 + E), t * (1 + E))), Show(sp.Eq(s - q, t))),
    narrow=(sp.Eq(E, 2), sp.Eq(t, 3)),
)
PAIR_LINKS = (
    Link(
        EXACT_PAIR,
        (
            EXACT_PAIR.false(
                "one gate alone is not",
                hypotheses=(*EXACT_PAIR.hypotheses[:-1], sp.Eq(out, lambda_1 * s * t)),
            ),
        ),
    ),
)

EIGEN = Core(
    name="one more eigenvector",
    symbols=NAMES,
    hypotheses=(
        sp.Abs(X) <= sp.Abs(lambda_2) * S,
        sp.Abs(mu) <= sp.Abs(lambda_2),
        y >= 0,
    ),
    conclusion=sp.Abs(X + mu * y) <= sp.Abs(lambda_2) * (S + y),
    says="Induction over the eigenvectors after the first.",
)
RANK = Core(
    name="the leading direction",
    symbols=NAMES,
    hypotheses=(
        *assumed(RANK_ONE),
        sp.Eq(form, lambda_1 * t**2 + X),
        sp.Eq(N, t**2 + S),
        sp.Abs(X) <= sp.Abs(lambda_2) * S,
    ),
    conclusion=RANK_ONE.conclusion,
    says="form = λ₁(s₁ᵀh)² + the rest, and the rest has squared length N − t².",
)
RANK_LINKS = (
    Link(EIGEN, (EIGEN.false("eigenvalues are ordered", hypotheses=EIGEN.hypotheses[::2]),)),
    Link(
        RANK,
        (
            RANK.false(
                "λ₂ counts in full",
                conclusion=2 * sp.Abs(form - lambda_1 * t**2) <= sp.Abs(lambda_2) * (N - t**2),
            ),
        ),
    ),
)


@evidence("quadratic_amplifier", kind="smt", settles=True)
def quadratic_arithmetic(run: Run) -> Outcome:
    """z3 proves SiLU = ReLU − remainder and sums it over any number of units."""
    return outcome(QUADRATIC_LINKS, run)


@evidence("quadratic_amplifier", kind="smt", statement="quadratic_amplifier.remainder")
def remainder_arithmetic(run: Run) -> Outcome:
    """z3 derives both bounds on the remainder from one tangent of the exponential."""
    return outcome(REMAINDER_LINKS, run)


@evidence("quadratic_amplifier", kind="smt", settles=True, statement="quadratic_amplifier.pair")
def pair_arithmetic(run: Run) -> Outcome:
    """z3 shows that the pair of gates is λt² for every t, λ and e^t."""
    return outcome(PAIR_LINKS, run)


@evidence("quadratic_amplifier", kind="smt", settles=True, statement="quadratic_amplifier.rank_one")
def rank_one_arithmetic(run: Run) -> Outcome:
    """z3 sums the rest over any number of eigenvectors."""
    return outcome(RANK_LINKS, run)
