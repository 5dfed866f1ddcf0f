"""The arithmetic of the trade-off: a logit under bounded entries, and under Frobenius norms.

Notation: S = Σ_j q_j k_j = z√d_h over the rows j; a = ‖W_Q‖_F, b = ‖W_K‖_F.

Not in z3: |(W h)_j| ≤ w‖h‖₁ and ‖W h‖₂ ≤ ‖W‖_F‖h‖₂, and Cauchy and Schwarz for q·k.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.head_norm_tradeoff import (
    COST,
    ENTRYWISE,
    REACH,
    SQUARES,
    TRADEOFF,
    R,
    cost,
    d_h,
    k_1,
    k_2,
    q_1,
    q_2,
    w,
    z,
)
from theorems.smt import Apply, Core, Show, without

n = sp.Symbol("n", integer=True)
S, a, b, x, y = sp.symbols("S a b x y", real=True)
NAMES = {
    "d_h": "dimension of the head",
    "R": "√d_h",
    "z": "the logit",
    "w": "the largest |entry|",
    "q_1": "‖h_q‖₁",
    "k_1": "‖h_k‖₁",
    "q_2": "‖h_q‖₂",
    "k_2": "‖h_k‖₂",
    "cost": "½(‖W_Q‖² + ‖W_K‖²)",
    "S": "Σq_jk_j",
    "n": "rows so far",
    "x": "one more q_j, or a bound",
    "y": "one more k_j, or a bound",
    "a": "‖W_Q‖_F",
    "b": "‖W_K‖_F",
}
BOUND = w**2 * q_1 * k_1

ROW = Core(
    name="one more row",
    symbols=NAMES,
    hypotheses=(
        w >= 0,
        q_1 >= 0,
        k_1 >= 0,
        sp.Abs(S) <= n * BOUND,
        sp.Abs(x) <= w * q_1,
        sp.Abs(y) <= w * k_1,
    ),
    conclusion=sp.Abs(S + x * y) <= (n + 1) * BOUND,
    says="Induction over the rows: |q_jk_j| ≤ w²‖h_q‖₁‖h_k‖₁.",
    hints=(
        Show(
            sp.Abs(x) * sp.Abs(y) <= (w * q_1) * (w * k_1),
            using=(sp.Abs(x) <= w * q_1, sp.Abs(y) <= w * k_1),
        ),
        Show(sp.Abs(x * y) <= BOUND, using=(sp.Abs(x) * sp.Abs(y) <= (w * q_1) * (w * k_1),)),
    ),
)
REACHED = Core(
    name="the reach of bounded entries",
    symbols=NAMES,
    hypotheses=(*assumed(ENTRYWISE), sp.Eq(z * R, S), sp.Abs(S) <= d_h * BOUND),
    conclusion=ENTRYWISE.conclusion,
    says="|z|√d_h ≤ d_h·w²‖h_q‖₁‖h_k‖₁.",
    hints=(
        Show(
            sp.Abs(z) * R <= R * R * BOUND,
            using=(R > 0, sp.Eq(R**2, d_h), sp.Eq(z * R, S), sp.Abs(S) <= d_h * BOUND),
        ),
        Show(sp.Abs(z) <= R * BOUND, using=(R > 0, sp.Abs(z) * R <= R * R * BOUND)),
    ),
    narrow=(sp.Eq(R, 2),),
)
ENTRY_LINKS = (
    Link(ROW, (ROW.false("every row", conclusion=sp.Abs(S + x * y) <= n * BOUND),)),
    Link(REACHED, (REACHED.false("√d_h counts", conclusion=sp.Abs(z) <= BOUND),)),
)
NORMS = sp.Abs(z) * R <= (a * q_2) * (b * k_2)
PAID = Core(
    name="the cost in squares",
    symbols=NAMES,
    hypotheses=(*assumed(SQUARES), NORMS, sp.Eq(2 * cost, a**2 + b**2)),
    conclusion=SQUARES.conclusion,
    says="√d_h|z| ≤ ‖W_Q‖‖W_K‖‖h_q‖‖h_k‖ and 2ab ≤ a² + b².",
    hints=(
        Show(a * b <= cost, using=(sp.Eq(2 * cost, a**2 + b**2),)),
        Show(q_2 * k_2 >= 0, products=((q_2 >= 0, k_2 >= 0),)),
        Show(
            a * b * (q_2 * k_2) <= cost * (q_2 * k_2), products=((a * b <= cost, q_2 * k_2 >= 0),)
        ),
    ),
    narrow=(sp.Eq(R, 2), sp.Eq(a, 1), sp.Eq(b, 1)),
)
SQUARE_LINKS = (
    Link(
        PAID,
        (
            PAID.false("not twice", conclusion=2 * COST.lts <= COST.gts),
            PAID.false("√d_h counts", hypotheses=without(PAID, NORMS)),
        ),
    ),
)
BOTH = Core(
    name="both",
    symbols=NAMES,
    hypotheses=(
        *assumed(TRADEOFF),
        sp.Eq(z * R, S),
        sp.Abs(S) <= d_h * BOUND,
        NORMS,
        sp.Eq(2 * cost, a**2 + b**2),
    ),
    conclusion=TRADEOFF.conclusion,
    says="One head has both bounds.",
    hints=(Apply(REACHED), Apply(PAID)),
    narrow=(sp.Eq(R, 2), sp.Eq(z, 0), sp.Eq(S, 0), sp.Eq(a, 0), sp.Eq(b, 0)),
)
BOTH_LINKS = (
    Link(
        BOTH,
        (
            BOTH.false(
                "not the square",
                conclusion=sp.And(REACH, 2 * COST.lts <= COST.gts),
                narrow=(
                    sp.Eq(R, 1),
                    sp.Eq(a, 1),
                    sp.Eq(b, 1),
                    sp.Eq(z, 1),
                    sp.Eq(S, 1),
                    sp.Eq(q_2, 1),
                    sp.Eq(k_2, 1),
                    sp.Eq(w, 1),
                    sp.Eq(q_1, 1),
                    sp.Eq(k_1, 1),
                ),
            ),
        ),
    ),
)


@evidence("head_norm_tradeoff", kind="smt", settles=True)
def tradeoff_arithmetic(run: Run) -> Outcome:
    """z3 derives both bounds for one head, for every dimension."""
    return outcome((*ENTRY_LINKS, *SQUARE_LINKS, *BOTH_LINKS), run)


@evidence("head_norm_tradeoff", kind="smt", settles=True, statement="head_norm_tradeoff.entries")
def entries_arithmetic(run: Run) -> Outcome:
    """z3 adds up any number of rows with bounded entries."""
    return outcome(ENTRY_LINKS, run)


@evidence("head_norm_tradeoff", kind="smt", settles=True, statement="head_norm_tradeoff.frobenius")
def frobenius_arithmetic(run: Run) -> Outcome:
    """z3 derives the cost in squares."""
    return outcome(SQUARE_LINKS, run)
