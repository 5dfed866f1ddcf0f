"""Sandwich norm bounds the spike: a block whose output is normalised writes at most γ√d.

Sun et al. 2026, arXiv 2603.05498, find that a second RMSNorm, on each block's output, cuts the
spike from 3818 to 520 and leaves the sinks.  At d = 4096, 64 blocks and γ = 1 the bound below is
4096 + ‖x₀‖, so by itself it does not explain that table.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

B, d = sp.symbols("B d", integer=True)
A, R, S, gamma, x_0, x_end, out = sp.symbols("A R S gamma x_0 x_B out", real=True)

PAPER = "Sun et al. 2026, Table 5: spike 520 with sandwich norm against 3818; no bound."
SETTING = (
    "B blocks on a residual stream, each block's output RMS-normalised (any ε ≥ 0) with learned "
    "scales of absolute value at most γ; any blocks, any input.  Norms are ℓ₂, or all sup. "
)
SYMBOLS = {
    "B": "number of block outputs that have been added (two for an attention and an MLP block)",
    "d": "width",
    "R": "√d",
    "gamma": "the largest |γ_i| of the output norms",
    "x_0": "norm of the embedding",
}
HYPOTHESES = (B >= 0, d >= 1, R >= 0, sp.Eq(R**2, d), gamma >= 0, x_0 >= 0)

SANDWICH = Statement(
    name="sandwich_bound",
    title="Under sandwich norm B blocks raise the norm of a state by at most Bγ√d",
    setting=SETTING,
    symbols=SYMBOLS | {"x_B": "norm of the state after B blocks"},
    hypotheses=HYPOTHESES,
    conclusion=x_end <= x_0 + B * gamma * R,
    paper=PAPER,
    ours="attained for every B, γ and d by blocks that all write the embedding's one direction",
    proof_idea="‖γ∘RMSNorm(y)‖₂ ≤ γ√d, and the triangle inequality B times.",
)

BLOCKS = Statement(
    name="sandwich_bound.blocks",
    title="A spike of size A takes at least (A − ‖x₀‖)/(γ√d) blocks",
    setting=SETTING,
    symbols=SYMBOLS | {"A": "size of an entry, or norm, of the state after B blocks"},
    hypotheses=(*HYPOTHESES, gamma > 0),
    conclusion=(A - x_0) / (gamma * R) <= B,
    paper=PAPER,
    ours="spikes can only grow block by block: one step-up block cannot make them",
    proof_idea="The first statement, solved for B.",
)

PRE_NORM = Statement(
    name="sandwich_bound.pre_norm",
    title="A single pre-norm block writes a spike of any size: no bound is free of its weights",
    setting=(
        "One pre-norm SwiGLU block with gates ±s, up s and down ±S/d, on a state along the unit "
        "vector s, RMSNorm without ε."
    ),
    symbols={"S": "any size", "d": "width", "out": "what the block writes"},
    hypotheses=(d >= 1, S >= 0),
    conclusion=sp.Eq(out, S),
    paper=PAPER,
    ours="the contrast to the first statement",
    proof_idea="quadratic_amplifier.pair at ‖h̃‖² = d.",
)

CLAIM = Claim(
    id="sandwich_bound",
    title="Sandwich norm bounds spikes by the number of blocks",
    statements=(SANDWICH, BLOCKS, PRE_NORM),
)
