"""SwiGLU is a quadratic amplifier: exactly so on pairs of gates, and up to a bounded remainder.

Sun et al. 2026, arXiv 2603.05498, write a SwiGLU block on spike tokens as hᵀS_k h with
S_k the symmetric part of Σ_i W_down[k,i] W_gate[i] W_up[i]ᵀ, taking SiLU as the identity there.
SiLU is ReLU plus a remainder, so the sum runs over the units whose gate is positive, not over all.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

a, b, E, N, R, form, out, r, t, w = sp.symbols("a b E N R form out r t w", real=True)
lambda_1, lambda_2 = sp.symbols("lambda_1 lambda_2", real=True)
CONSTANT = sp.Rational(2785, 10000)
"""A bound on the largest a/(1 + e^a), which is 0.27846…"""

PAPER = (
    "Sun et al. 2026: where SiLU is near the identity, output k is hᵀS_k h with S_k from all units "
    "(appendix B.2); S_k is nearly rank one in trained models; no bound."
)
BLOCK = (
    "Any SwiGLU block, F_k(h) = Σ_i W_down[k,i] SiLU(a_i) b_i with gates a = W_gate h and b = "
    "W_up h, at any state h. "
)

QUADRATIC = Statement(
    name="quadratic_amplifier",
    title="SwiGLU is a quadratic form over the units whose gate is positive, up to a remainder",
    setting=BLOCK
    + "out = F_k(h); form = hᵀS_k h, S_k the symmetric part of Σ W_down[k,i] W_gate[i] W_up[i]ᵀ "
    "over the units with a_i > 0; R = Σ_i |W_down[k,i]|·|b_i|·|a_i|/(1 + e^|a_i|).",
    symbols={
        "out": "output k of the block",
        "form": "the quadratic form over the active units",
        "R": "the remainder, summed over all units",
    },
    hypotheses=(R >= 0,),
    conclusion=sp.Abs(out - form) <= R,
    paper=PAPER,
    ours=(
        "the sum runs over the units with a positive gate; the error is bounded at every state, "
        "with equality when all terms W_down[k,i] b_i have one sign"
    ),
    proof_idea="SiLU(a) = ReLU(a) − |a|/(1 + e^|a|) for every a.",
)

REMAINDER = Statement(
    name="quadratic_amplifier.remainder",
    title="The remainder of one unit is at most |a|e^(−|a|), and never above 0.2785",
    setting="r = |SiLU(a) − ReLU(a)| at any gate; a stands for |a|.",
    symbols={"a": "|a|, the size of the gate", "E": "e^|a|", "r": "|SiLU(a) − ReLU(a)|"},
    hypotheses=(a >= 0, E >= 1),
    conclusion=sp.And(r * E <= a, r <= CONSTANT),
    paper=PAPER,
    ours="explicit; the largest remainder is 0.27846…, at |a| = 1.27846…",
    proof_idea="r = a/(1 + e^a), and e^a lies above its tangent at 1 + 0.2785.",
)

PAIR = Statement(
    name="quadratic_amplifier.pair",
    title="Gates ±s with up s and down ±λ realise λ(sᵀh)² with no error",
    setting=(
        "Two SwiGLU units with gates s and −s, both with up s, and down λ and −λ, at any state h; "
        "t = sᵀh.  The same for GELU and ReLU in place of SiLU.  2ρ units suffice for rank ρ."
    ),
    symbols={
        "out": "what the two units write",
        "lambda_1": "λ",
        "t": "sᵀh",
        "E": "e^t",
    },
    hypotheses=(E > 0,),
    conclusion=sp.Eq(out, lambda_1 * t**2),
    paper=PAPER,
    ours="near-identity of SiLU is not needed: every quadratic form is realised exactly",
    proof_idea="SiLU(t) − SiLU(−t) = t.",
)

RANK_ONE = Statement(
    name="quadratic_amplifier.rank_one",
    title="The leading direction alone gives the form, up to |λ₂|·‖h − (s₁ᵀh)s₁‖²",
    setting=(
        "Any symmetric S with eigenvalues ordered by absolute value and unit leading eigenvector "
        "s₁, at any h; form = hᵀSh.  For ‖h‖² = d the leading term is λ₁·d·cos²(s₁, h)."
    ),
    symbols={
        "form": "hᵀSh",
        "lambda_1": "the eigenvalue of largest absolute value",
        "lambda_2": "the next one",
        "t": "s₁ᵀh",
        "N": "‖h‖²",
    },
    hypotheses=(sp.Abs(lambda_2) <= sp.Abs(lambda_1), t**2 <= N),
    conclusion=sp.Abs(form - lambda_1 * t**2) <= sp.Abs(lambda_2) * (N - t**2),
    paper=PAPER + "  Notes on its text have the leading term with √d·cos in place of d·cos².",
    ours="a bound with the second eigenvalue, attained on span(s₁, s₂)",
    proof_idea="In the eigenbasis the rest is Σ_{j≥2} λ_j (s_jᵀh)².",
)

CLAIM = Claim(
    id="quadratic_amplifier",
    title="SwiGLU is a directional quadratic amplifier, exactly or up to an explicit remainder",
    papers=("C2",),
    statements=(QUADRATIC, REMAINDER, PAIR, RANK_ONE),
)
