"""A token repeated from the start: every position is position zero's twin.

No layer of a causal Transformer can tell the positions of a constant sequence apart when positions
enter through the logits alone.  Attention may still prefer the first one; by how much is bounded.
Barbero et al. 2025 (arXiv 2504.02732) and Peng et al. 2026 (arXiv 2603.06591) repeat tokens in
experiments.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

i, N = sp.symbols("i N", integer=True)
alpha, slope, rho, importance, R, ell, delta = sp.symbols(
    "alpha slope rho importance R ell delta", real=True
)

PAPER = (
    "Peng et al. 2026 repeat the first token and measure the loss; no statement.  Barbero et al. "
    "2025 describe the same representations for repeated tokens."
)
RELATIVE = (
    "A constant sequence of length N; the logit of query i on key k is any function g(i−k), as it "
    "is for every relative position encoding (none, RoPE, ALiBi) on a constant sequence; softmax"
)

TWINS = Statement(
    name="repeated_tokens",
    title="On a constant sequence all positions have the same state in every layer",
    setting=(
        "A causal Transformer of any depth: simplex rows that may depend on anything, positions in "
        "the logits only (none, RoPE, ALiBi), any value maps, position-wise MLPs, norms and "
        "residuals (no token shift, no experts of limited capacity, no padding); a sequence of N "
        "equal tokens.  delta = the largest |h_i − h_1| over layers, positions and coordinates."
    ),
    symbols={
        "N": "length of the sequence",
        "delta": "largest difference of a state from position zero's in the same layer",
    },
    hypotheses=(N >= 1,),
    conclusion=sp.Eq(delta, 0),
    paper=PAPER,
    ours=(
        "exact, for any rows of sum one; false for absolute position embeddings and for rows that "
        "do not sum to one (constructions.repeated_tokens)"
    ),
    proof_idea="By induction every visible value is the same vector, and the row averages it.",
)

ALIBI = Statement(
    name="repeated_tokens.alibi",
    title="With ALiBi position zero gets at most 1/i",
    setting=RELATIVE + " of the logits g(j) = const − slope·j.",
    symbols={
        "i": "position of the query, 1-based",
        "slope": "slope of ALiBi",
        "alpha": "attention α_i1 of the query on position zero",
    },
    hypotheses=(i >= 1, slope >= 0),
    conclusion=alpha * i <= 1,
    paper=PAPER,
    ours="any g that does not grow with the distance will do",
    proof_idea="The weight on position zero is the smallest of i weights that sum to one.",
)

FLAT = Statement(
    name="repeated_tokens.no_positions",
    title="Without positions position zero gets exactly 1/i",
    setting=RELATIVE + " of logits g that are constant.",
    symbols={
        "i": "position of the query, 1-based",
        "alpha": "attention α_i1 of the query on position zero",
    },
    hypotheses=(i >= 1,),
    conclusion=sp.Eq(alpha * i, 1),
    paper=PAPER,
    ours="a repeated first token shares the sink equally",
    proof_idea="i equal weights that sum to one.",
)

CEILING = Statement(
    name="repeated_tokens.ceiling",
    title="The importance of position zero is bounded by the last token's weight on itself",
    setting=(
        RELATIVE + ".  importance = (1/N)Σ_i α_i1, alpha = α_NN; ρ any number with ρ^(N−1) ≤ α, "
        "the best being α^(1/(N−1))."
    ),
    symbols={
        "N": "length of the sequence",
        "importance": "mean over the queries i = 1..N of α_i1",
        "alpha": "weight α_NN of the last query on itself",
        "rho": "the (N−1)-th root of α_NN, or less",
    },
    hypotheses=(N >= 2, rho >= 0, rho ** (N - 1) <= alpha),
    conclusion=importance * N <= 1 + (N - 1) * (1 - rho),
    paper=PAPER,
    ours="attained when all 1 − α_i1, i ≥ 2, are equal",
    proof_idea="Π_{i=2..N}(1 − α_i1) = α_NN, and the arithmetic mean is at least the geometric.",
)

RANGE = Statement(
    name="repeated_tokens.range",
    title="An importance of position zero takes logits of a large range",
    setting=RELATIVE + " of logits whose largest and smallest differ by at most R.",
    symbols={
        "N": "length of the sequence",
        "importance": "mean over the queries i = 1..N of α_i1",
        "R": "range of the logits g (or more)",
        "ell": "ln N (or more)",
    },
    hypotheses=(N >= 2, R >= 0, ell >= 0),
    conclusion=importance * N <= 1 + R + ell,
    paper=PAPER,
    ours="at N = 64 an importance over 0.3 needs R > 14 (17.3 by the ceiling itself)",
    proof_idea="α_NN ≥ e^(−R)/N and n(1 − x^(1/n)) ≤ ln(1/x).",
)

CLAIM = Claim(
    id="repeated_tokens",
    title="Repeated first tokens share position zero's state in every layer",
    statements=(TWINS, FLAT, ALIBI, CEILING, RANGE),
)
