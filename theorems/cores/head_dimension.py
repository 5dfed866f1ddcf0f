"""The arithmetic of QK-norm: from normalised vectors to logits, to masses, to a dimension.

Notation: P = Σq̂_p², K = Σk̂_p², S = Σ|q̂_p||k̂_p| over pairs (or coordinates), z√d_h the inner
product; X = Σ_{k≠0} e^{z_k − z₀}.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.head_dimension import CEILING, LOGIT, NEEDED, E, T, alpha, d_h, g, m, tau, z
from theorems.smt import Core, Show, without

n = sp.Symbol("n", integer=True)
K, P, R, S, X, x, y = sp.symbols("K P R S X x y", real=True)
NAMES = {
    "d_h": "dimension of the head",
    "g": "γ_qγ_k",
    "z": "a logit",
    "R": "√d_h",
    "P": "Σq̂²",
    "K": "Σk̂²",
    "S": "Σ|q̂||k̂|",
    "x": "one more |q̂|, one more weight, or T/(2g)",
    "y": "one more |k̂|, or a bound",
    "m": "number of keys",
    "n": "how many keys have been added",
    "E": "e^(g√d_h)",
    "X": "Σ_{k≠0} e^(z_k − z₀)",
    "alpha": "mass on a key",
    "tau": "the mass wanted",
    "T": "ln((m−1)τ/(1−τ))",
}

PAIRS = Core(
    name="one more normalised pair",
    symbols=NAMES,
    hypotheses=(2 * S <= P + K,),
    conclusion=2 * (S + x * y) <= (P + x**2) + (K + y**2),
    says="Induction over the pairs: 2xy ≤ x² + y².",
    hints=(Show(2 * x * y <= x**2 + y**2, using=()),),
)
INNER = Core(
    name="the logit",
    symbols=NAMES,
    hypotheses=(
        *assumed(LOGIT),
        R > 0,
        sp.Eq(R**2, d_h),
        2 * S <= P + K,
        d_h >= P,
        d_h >= K,
        S >= 0,
        sp.Abs(z) * R <= g * S,
    ),
    conclusion=LOGIT.conclusion,
    says="|z|√d_h ≤ g·S ≤ g·d_h.",
    hints=(
        Show(g * S <= g * d_h, products=((g >= 0, d_h - S >= 0),)),
        Show(sp.Abs(z) * R <= g * R * R),
        Show(sp.Abs(z) <= g * R, using=(sp.Abs(z) * R <= g * R * R, R > 0)),
        Show(g * R >= 0, products=((g >= 0, R > 0),)),
        Show(z**2 <= (g * R) ** 2, using=(sp.Abs(z) <= g * R, g * R >= 0)),
        Show(sp.Eq((g * R) ** 2, g**2 * d_h)),
    ),
    narrow=(sp.Eq(R, 2),),
)
LOGIT_LINKS = (
    Link(PAIRS, (PAIRS.false("not half", conclusion=4 * (S + x * y) <= P + x**2 + K + y**2),)),
    Link(
        INNER,
        (
            INNER.false("not without the dimension", conclusion=z**2 <= g**2),
            INNER.false("keys are normalised", hypotheses=without(INNER, d_h >= K)),
        ),
    ),
)

MORE_KEYS = Core(
    name="one more key in range",
    symbols=NAMES,
    hypotheses=(n * y <= S, x >= y),
    conclusion=S + x >= (n + 1) * y,
    says="Induction over the keys: each e^(z_k − z₀) is at least e^(−2g√d_h).",
)
MASS = Core(
    name="the ceiling",
    symbols=NAMES,
    hypotheses=(*assumed(CEILING), X >= 0, sp.Eq(alpha * (1 + X), 1), m - 1 <= X * E**2),
    conclusion=CEILING.conclusion,
    says="α = 1/(1 + X).",
    hints=(Show((m - 1) / E**2 <= X), Show((m - 1) / E**2 >= 0)),
    narrow=(sp.Eq(E, 2),),
)
CEILING_LINKS = (
    Link(MORE_KEYS, (MORE_KEYS.false("each key counts", conclusion=S + x >= (n + 2) * y),)),
    Link(
        MASS,
        (MASS.false("twice the largest logit", conclusion=alpha <= 1 / (1 + (m - 1) / E)),),
    ),
)

ODDS = Core(
    name="the odds of a sink",
    symbols=NAMES,
    hypotheses=(m >= 2, E >= 1, tau > 0, tau < 1, tau <= alpha, alpha * (1 + (m - 1) / E**2) <= 1),
    conclusion=(m - 1) * tau <= (1 - tau) * E**2,
    says="Mass τ at m keys needs E² ≥ (m−1)τ/(1−τ).",
    hints=(
        Show(1 + (m - 1) / E**2 >= 0),
        Show(
            tau * (1 + (m - 1) / E**2) <= alpha * (1 + (m - 1) / E**2),
            products=((tau <= alpha, 1 + (m - 1) / E**2 >= 0),),
        ),
        Show(tau * (m - 1) / E**2 <= 1 - tau),
        Show(E**2 > 0, using=(E >= 1,)),
        Show(
            tau * (m - 1) <= (1 - tau) * E**2,
            using=(tau * (m - 1) / E**2 <= 1 - tau, E**2 > 0),
        ),
    ),
    narrow=(sp.Eq(E, 2), sp.Eq(m, 2)),
)
SIZE = Core(
    name="the dimension of a sink",
    symbols=NAMES,
    hypotheses=(*assumed(NEEDED), R > 0, sp.Eq(R**2, d_h), 2 * g * R >= T, sp.Eq(T, 2 * g * x)),
    conclusion=NEEDED.conclusion,
    says="e^T ≤ E² = e^(2g√d_h), so T ≤ 2g√d_h.",
    hints=(
        Show(x <= R, using=(g > 0, 2 * g * R >= T, sp.Eq(T, 2 * g * x))),
        Show(x >= 0, using=(g > 0, T >= 0, sp.Eq(T, 2 * g * x))),
        Show(x**2 <= R**2, using=(x <= R, x >= 0)),
        Show(sp.Eq((T / (2 * g)) ** 2, x**2), using=(g > 0, sp.Eq(T, 2 * g * x))),
    ),
    narrow=(sp.Eq(R, 1),),
)
NEEDED_LINKS = (
    Link(ODDS, (ODDS.false("squared", conclusion=(m - 1) * tau <= (1 - tau) * E),)),
    Link(SIZE, (SIZE.false("no factor 2", conclusion=(T / g) ** 2 <= d_h),)),
)


@evidence("head_dimension", kind="smt", settles=True)
def ceiling_arithmetic(run: Run) -> Outcome:
    """z3 derives the ceiling from the range of the logits, for every number of keys."""
    return outcome(CEILING_LINKS, run)


@evidence("head_dimension", kind="smt", settles=True, statement="head_dimension.logit")
def logit_arithmetic(run: Run) -> Outcome:
    """z3 bounds the logit of normalised vectors, for every dimension."""
    return outcome(LOGIT_LINKS, run)


@evidence("head_dimension", kind="smt", settles=True, statement="head_dimension.needed")
def needed_arithmetic(run: Run) -> Outcome:
    """z3 solves the ceiling for the dimension."""
    return outcome(NEEDED_LINKS, run)
