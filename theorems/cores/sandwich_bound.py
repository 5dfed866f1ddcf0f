"""The arithmetic of sandwich norm: one normalised write, and B of them.

Notation: y the output before its norm, q = ‖y‖², M² = q + dε, v = ‖γ∘√d·y/M‖ what is added.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.sandwich_bound import (
    BLOCKS,
    PRE_NORM,
    SANDWICH,
    A,
    B,
    R,
    S,
    d,
    gamma,
    out,
    x_0,
    x_end,
)
from theorems.smt import Core, Show, without

M, n, q, t, v, x, y, lambda_ = sp.symbols("M n q t v x y lambda_", real=True)
NAMES = {
    "B": "number of blocks",
    "A": "size of the spike",
    "d": "width",
    "R": "√d",
    "gamma": "the largest |γ_i|",
    "x_0": "norm of the embedding",
    "x_B": "norm after B blocks",
    "M": "√(‖y‖² + dε)",
    "q": "‖y‖²",
    "v": "norm of what a block adds",
    "n": "number of blocks so far",
    "x": "norm so far",
    "y": "norm after one more",
    "S": "any size",
    "lambda_": "S/d",
    "t": "sᵀh̃",
    "out": "what is written",
}
NORMED = (M > 0, q >= 0, q <= M**2, v >= 0, v**2 * M**2 <= gamma**2 * d * q)

WRITE = Core(
    name="one write",
    symbols=NAMES,
    hypotheses=(d >= 1, R >= 0, sp.Eq(R**2, d), gamma >= 0, *NORMED),
    conclusion=v <= gamma * R,
    says="‖γ∘√d·y/M‖² ≤ γ²d‖y‖²/M² ≤ γ²d.",
    hints=(
        Show(gamma**2 * d >= 0, using=(d >= 1,)),
        Show(gamma**2 * d * q <= gamma**2 * d * M**2, using=(gamma**2 * d >= 0, q <= M**2)),
        Show(v**2 * M**2 <= gamma**2 * d * M**2),
        Show(v**2 <= gamma**2 * d, using=(v**2 * M**2 <= gamma**2 * d * M**2, M > 0)),
        Show(sp.Eq((gamma * R) ** 2, gamma**2 * d)),
        Show(gamma * R >= 0, products=((gamma >= 0, R >= 0),)),
    ),
)
ONE_MORE = Core(
    name="one more block",
    symbols=NAMES,
    hypotheses=(x <= x_0 + n * gamma * R, v <= gamma * R, y <= x + v),
    conclusion=y <= x_0 + (n + 1) * gamma * R,
    says="Induction over the blocks.",
)
ALL = Core(
    name="all blocks",
    symbols=NAMES,
    hypotheses=(*assumed(SANDWICH), x_end <= x_0 + n * gamma * R, sp.Eq(n, B)),
    conclusion=SANDWICH.conclusion,
    says="The induction at B.",
)
SANDWICH_LINKS = (
    Link(WRITE, (WRITE.false("the output is normalised", hypotheses=without(WRITE, q <= M**2)),)),
    Link(ONE_MORE, (ONE_MORE.false("every block", conclusion=y <= x_0 + n * gamma * R),)),
    Link(
        ALL, (ALL.false("not with one block fewer", conclusion=x_end <= x_0 + (B - 1) * gamma * R),)
    ),
)
SOLVED = Core(
    name="solved for the number of blocks",
    symbols=NAMES,
    hypotheses=(*assumed(BLOCKS), x_0 + B * gamma * R >= A),
    conclusion=BLOCKS.conclusion,
    says="A ≤ ‖x₀‖ + Bγ√d.",
    hints=(
        Show(R > 0, using=(R >= 0, sp.Eq(R**2, d), d >= 1)),
        Show(gamma * R > 0, products=((gamma > 0, R > 0),)),
        Show(A - x_0 <= B * (gamma * R)),
        Show((A - x_0) / (gamma * R) <= B, using=(gamma * R > 0, A - x_0 <= B * (gamma * R))),
    ),
    narrow=(sp.Eq(R, 1), sp.Eq(gamma, 1)),
)
BLOCKS_LINKS = (
    Link(SOLVED, (SOLVED.false("not one more", conclusion=(A - x_0) / (gamma * R) <= B - 1),)),
)
ANY_SIZE = Core(
    name="a write of any size",
    symbols=NAMES,
    hypotheses=(
        *assumed(PRE_NORM),
        sp.Eq(t**2, d),
        sp.Eq(lambda_ * d, S),
        sp.Eq(out, lambda_ * t**2),
    ),
    conclusion=PRE_NORM.conclusion,
    says="The pair writes λ(sᵀh̃)², with ‖h̃‖² = d.",
    narrow=(sp.Eq(t, 2),),
)
PRE_NORM_LINKS = (Link(ANY_SIZE, (ANY_SIZE.false("not at most d", conclusion=out <= d),)),)


@evidence("sandwich_bound", kind="smt", settles=True)
def sandwich_arithmetic(run: Run) -> Outcome:
    """z3 bounds one write and adds up any number of them."""
    return outcome(SANDWICH_LINKS, run)


@evidence("sandwich_bound", kind="smt", settles=True, statement="sandwich_bound.blocks")
def blocks_arithmetic(run: Run) -> Outcome:
    """z3 solves the bound for the number of blocks."""
    return outcome(BLOCKS_LINKS, run)


@evidence("sandwich_bound", kind="smt", settles=True, statement="sandwich_bound.pre_norm")
def pre_norm_arithmetic(run: Run) -> Outcome:
    """z3 shows that one pre-norm pair writes any size."""
    return outcome(PRE_NORM_LINKS, run)
