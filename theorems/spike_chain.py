"""From a quadratic amplifier to a sink: the whole chain with its constants, and a network.

A SwiGLU block with S_k = λ_k ssᵀ + E_k, E_k s = 0, reads the normalised state x̃ of a token x and
writes a spike of size A = ‖λ‖·d·c² along u = λ/‖λ‖, c = sᵀx̃/√d.  What the spike must outweigh is
B = ‖x‖ + τ·d·(1−c²) + ξ (+ the norms of what later blocks write before the sink head), with
τ = (Σ‖E_k‖²)^½ and ξ the ℓ₂ norm of the SwiGLU remainders.  Sun et al. 2026, arXiv 2603.05498,
describe the chain (rise in a step-up block, plateau, sink, cancellation in a step-down block).
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

d, m, i = sp.symbols("d m i", integer=True)
A, B, Q, s, R, f, k, o, w = sp.symbols("A B Q s R f k o w", real=True)
Delta, E, alpha, spike, final = sp.symbols("Delta E alpha spike final", real=True)

PAPER = (
    "Sun et al. 2026: spikes rise in one or two step-up blocks, ride the residual stream, sink, "
    "and are cancelled by step-down blocks; observed in Llama and Qwen, no bound."
)
SETTING = (
    "A pre-norm decoder without ε: a token whose state is A·u + b with unit u and ‖b‖₂ ≤ B, and a "
    "softmax head that reads normalised states (weights W_Q, W_K, scale 1/√d_h). "
)
SYMBOLS = {
    "A": "size of the spike",
    "B": "what the spike must outweigh",
}
LOGITS = {
    "R": "√(d/d_h)",
    "k": "q·W_K u, q the query",
    "w": "‖W_Kᵀq‖₂",
    "o": "the largest q·W_K h̃/√d over the other keys",
    "f": "√(2 − 2s), or any number above it, such as √2·B/A",
}

CHAIN = Statement(
    name="spike_chain",
    title="A spike that outweighs the rest makes a sink of explicit mass",
    setting=SETTING
    + "E = e^Δ, Δ = √(d/d_h)·(q·W_K u − f·‖W_Kᵀq‖₂ − max_{k≠0} q·W_K h̃_k/√d), f = √2·B/A or the "
    "smaller √(2 − 2√(1−B²/A²)); α = the mass on the spike's key.",
    symbols=SYMBOLS
    | {
        "m": "number of keys that the query sees",
        "E": "e^Δ",
        "alpha": "the mass on the spike's key",
    },
    hypotheses=(B >= 0, B < A, m >= 1, E > 0),
    conclusion=1 / (1 + (m - 1) / E) <= alpha,
    paper=PAPER,
    ours="a sufficient condition with every constant explicit, and a network that meets it",
    proof_idea="spike_chain.direction, then spike_chain.gap, then logit_gap.",
)

DIRECTION = Statement(
    name="spike_chain.direction",
    title="A spike of size A beside at most B is within √(2d(1 − √(1−B²/A²))) of a constant",
    setting=SETTING + "Q = ‖h̃ − √d·u‖₂², h̃ the normalised state.",
    symbols=SYMBOLS | {"d": "width", "s": "√(1 − B²/A²)", "Q": "‖h̃ − √d·u‖₂²"},
    hypotheses=(d >= 1, B >= 0, B < A, s >= 0, sp.Eq(s**2, 1 - (B / A) ** 2)),
    conclusion=2 * d * (1 - s) >= Q,
    paper=PAPER,
    ours="attained when b is perpendicular to A·u + b",
    proof_idea="The angle between A·u + b and u is at most arcsin(B/A).",
)

GAP = Statement(
    name="spike_chain.gap",
    title="The logit gap of the spike's key, explicitly",
    setting=SETTING + "Δ = the spike's logit less the largest other.",
    symbols=SYMBOLS | LOGITS | {"s": "√(1 − B²/A²)", "Delta": "the logit gap"},
    hypotheses=(
        B >= 0,
        B < A,
        s >= 0,
        sp.Eq(s**2, 1 - (B / A) ** 2),
        R > 0,
        w >= 0,
        f >= 0,
        2 * (1 - s) <= f**2,
    ),
    conclusion=R * (k - w * f - o) <= Delta,
    paper=PAPER,
    ours="explicit; attained where the query reads the difference of h̃ and √d·u alone",
    proof_idea="‖h̃ − √d·u‖ ≤ √d·f by spike_chain.direction; then Cauchy and Schwarz.",
)

NETWORK = Statement(
    name="spike_chain.network",
    title="Three blocks: step-up, sink head, step-down; the final state of BOS is spike-free",
    setting=(
        "The network of constructions.spike_chain_network: width 16, A = 2400, channels 1440 and "
        "1920, d_h = 1, RMSNorm without ε, any of the 2¹² ordinary tokens at every position; α = "
        "the mass that position i gives to BOS, E = e^Δ with Δ = 16/√(1 + 10/A²)."
    ),
    symbols={
        "i": "position of the query, BOS at 1",
        "E": "e^Δ",
        "alpha": "the mass on BOS",
        "spike": "the largest entry of BOS between the two MLPs",
        "final": "the largest |final − initial| over the entries of BOS",
    },
    hypotheses=(i >= 2, E > 0),
    conclusion=sp.And(sp.Eq(spike, 1920), sp.Eq(final, 0), sp.Eq(alpha * (E + i - 1), E)),
    paper=PAPER,
    ours="rise, plateau, sink and exact cancellation in one network; mass .9999983 at length 16",
    proof_idea="Read constructions.spike_chain_network.",
)

CLAIM = Claim(
    id="spike_chain",
    title="From a quadratic amplifier to a sink, and back: constants and a network",
    papers=("C1",),
    statements=(CHAIN, DIRECTION, GAP, NETWORK),
)
