"""The arithmetic of the collision gap, and of what a linear score cannot do.

Not in z3: that a sum of squares of counts is at most the square of their sum, and that a row's
order is that of its logits.
"""

from __future__ import annotations

import sympy as sp

from theorems.causal_asymmetry import COLLISION
from theorems.cores.chain import Link, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.nonlinearity_needed import STATEMENT as LINEAR
from theorems.smt import Core, Show, without

i, c = sp.symbols("i c", integer=True)
s, F, counts = sp.symbols("s F counts", real=True)
v_a, v_b, lam, mu = sp.symbols("v_a v_b lam mu", real=True)
p_1, p_4, q_1, q_4 = sp.symbols("p_1 p_4 q_1 q_4", real=True)

NAMES = {
    "i": "length of the prefix",
    "c": "how often the most frequent token occurs",
    "s": "‖o_i‖₂²",
    "F": "collision index",
    "counts": "sum of the squares of all counts",
    "v_a": "the query's score of the value of token a, as layer 1 writes it",
    "v_b": "the same of token b",
    "lam": "layer 1's weight of an a on the two a's of (a, a, b, b)",
    "mu": "layer 1's weight of a b on the two b's of it",
    "p_1": "weight on position zero, first sequence",
    "p_4": "weight on position four, first sequence",
    "q_1": "weight on position zero, second sequence",
    "q_4": "weight on position four, second sequence",
}

GAP = Core(
    name="the collision gap",
    symbols=NAMES,
    hypotheses=(
        *COLLISION.hypotheses,
        counts <= c**2 + (i - c) ** 2,
        sp.Eq(F * i**2, counts),
        sp.Eq(s, F),
    ),
    conclusion=COLLISION.conclusion,
    says="c² + (i−c)² ≤ (i−1)² + 1, because (c−1)(i−1−c) ≥ 0.",
    hints=(
        Show(counts <= (i - 1) ** 2 + 1, products=((c - 1 >= 0, i - 1 - c >= 0),)),
        Show(i**2 > 0),
        Show(sp.Eq(1 - 2 * (i - 1) / i**2, ((i - 1) ** 2 + 1) / i**2), using=(i >= 2,)),
        Show(s <= ((i - 1) ** 2 + 1) / i**2),
    ),
    narrow=(sp.Eq(i, 3), sp.Eq(c, 2)),
)

BOTH = Core(
    name="not on both sequences",
    symbols=NAMES,
    hypotheses=(
        *LINEAR.hypotheses,
        lam > 0,
        lam < 1,
        mu > 0,
        mu < 1,
        sp.Implies(p_1 > p_4, v_a > lam * v_a + (1 - lam) * v_b),
        sp.Implies(q_1 > q_4, v_b > mu * v_b + (1 - mu) * v_a),
    ),
    conclusion=LINEAR.conclusion,
    says="The first asks for v_a > v_b, the second for v_b > v_a.",
    narrow=(sp.Eq(lam, sp.Rational(1, 2)), sp.Eq(mu, sp.Rational(1, 2))),
)

COLLISION_LINKS = (
    Link(
        GAP,
        (
            GAP.false(
                "attained by one odd token",
                conclusion=s <= 1 - 2 * (i - 1) / i**2 * sp.Rational(101, 100),
            ),
            GAP.false(
                "not on constant prefixes",
                hypotheses=(*without(GAP, c <= i - 1), c <= i),
                narrow=(sp.Eq(i, 3), sp.Eq(c, 3), sp.Eq(counts, 9)),
            ),
        ),
    ),
)

LINEAR_LINKS = (
    Link(
        BOTH,
        (
            BOTH.false("one of them can", conclusion=p_1 <= p_4),
            BOTH.false(
                "a state that is not linear in the values",
                hypotheses=tuple(h for h in BOTH.hypotheses if not (h.has(q_1) and h.has(v_b))),
            ),
        ),
    ),
)


@evidence("causal_asymmetry", kind="smt", statement="causal_asymmetry.collision", settles=True)
def collision_arithmetic(run: Run) -> Outcome:
    """z3 proves the gap 2(i−1)/i² for all lengths and counts."""
    return outcome(COLLISION_LINKS, run)


@evidence("nonlinearity_needed", kind="smt", settles=True)
def linear_arithmetic(run: Run) -> Outcome:
    """z3 proves that linear scores cannot prefer position zero on both sequences."""
    return outcome(LINEAR_LINKS, run)
