"""The causal mask makes position zero special: it sees only itself, all others mix.

Peng et al. 2026 (arXiv 2603.06591 v1) explain the sink on position zero by this asymmetry, with a
*cone model* of unit values.  What is exact in it: a mixture of unit vectors is shorter than one by
exactly its weighted disagreement, so position zero has the longest attention output of all.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

i, c, m = sp.symbols("i c m", integer=True)
s, s_0, D, F = sp.symbols("s s_0 D F", real=True)
a, S, Q, Q_next = sp.symbols("a S Q Q_next", real=True)

PAPER = (
    "Peng et al. 2026: position zero attends only to itself and keeps its value unmixed; all other "
    "positions average, which shortens their outputs."
)
CONE_PAPER = (
    "Peng et al. 2026, v1, Eq. 6: unit values at a constant angle to an axis, E‖Σp_k v_k‖² = "
    "α² + (1−α²)E[Σp_k²]; that E[Σp_k²] falls with the position is a premise there."
)
CONE = (
    "Values v_k = au + √(1−a²)s_k with u a fixed unit vector, s_k random unit vectors orthogonal "
    "to u and pairwise uncorrelated (E⟨s_k, s_l⟩ = 0; isotropic and independent ones are); "
    "weights p of sum one, random or not, independent of the s_k; d ≥ 2."
)
_CONE_SYMBOLS = {
    "a": "cosine between a value and the axis (the paper's α)",
    "Q": "E‖Σp_k v_k‖₂²",
}

MIXING = Statement(
    name="causal_asymmetry",
    title="Mixing unit values shortens them by exactly their disagreement",
    setting=(
        "Causal attention with simplex rows p over values v_k of ℓ₂ norm one, any dimension: "
        "s = ‖Σ_k p_k v_k‖₂² at position i, s_0 at position zero (i = 1), which sees only itself, "
        "D = Σ_{k<l} p_k p_l ‖v_k − v_l‖₂².  D = 0 exactly when all values of positive weight "
        "coincide."
    ),
    symbols={
        "i": "position, 1-based: the number of visible keys",
        "s": "‖Σp_k v_k‖₂² at position i",
        "s_0": "the same at position zero",
        "D": "Σ_{k<l} p_k p_l ‖v_k − v_l‖₂²",
    },
    hypotheses=(i >= 1,),
    conclusion=sp.And(sp.Eq(1 - s, D), sp.Eq(s_0, 1), s <= s_0),
    paper=PAPER,
    ours="an identity, for any unit vectors and any simplex row; no distribution",
    proof_idea=(
        "Σ_{k<l} p_k p_l ‖v_k − v_l‖² = Σ_{k<l} 2p_k p_l (1 − ⟨v_k, v_l⟩) = (Σp_k)² − ‖Σp_k v_k‖²."
    ),
)

CONE_MODEL = Statement(
    name="causal_asymmetry.cone",
    title="The cone model: the expected square of the output depends on Σp² alone",
    setting=CONE,
    symbols=_CONE_SYMBOLS | {"S": "E[Σp_k²]"},
    hypotheses=(a < 1, a > -1),
    conclusion=sp.Eq(Q, a**2 + (1 - a**2) * S),
    paper=CONE_PAPER,
    ours=(
        "zero correlation is enough in place of isotropy and independence of the directions; that "
        "the weights do not depend on them is needed (constructions.cone_model)"
    ),
    proof_idea="⟨v_k, v_l⟩ = a² + (1−a²)⟨s_k, s_l⟩; the cross terms have mean zero.",
)

CONE_UNIFORM = Statement(
    name="causal_asymmetry.cone_uniform",
    title="The cone model with uniform attention: strictly shorter with every token more",
    setting=CONE + "  The weights are uniform over m tokens; Q_next is Q for m+1 tokens.",
    symbols=_CONE_SYMBOLS | {"m": "number of visible tokens", "Q_next": "Q with one token more"},
    hypotheses=(a < 1, a > -1, m >= 1),
    conclusion=sp.And(sp.Eq(Q, a**2 + (1 - a**2) / m), Q_next < Q),
    paper=CONE_PAPER,
    ours="for uniform weights the premise of the paper is a theorem; for others it is empirical",
    proof_idea="Σp² = 1/m.",
)

COLLISION = Statement(
    name="causal_asymmetry.collision",
    title="Orthonormal values, uniform attention: the output's square is the collision index",
    setting=(
        "Uniform causal attention over orthonormal values, one for each token of the vocabulary: "
        "s = ‖o_i‖₂², F = Σ_t f(t)², f(t) the share of token t in x_1..x_i, c how often the most "
        "frequent one occurs; c < i, so the prefix is not constant (s = 1 if it is)."
    ),
    symbols={
        "i": "length of the prefix",
        "c": "how often the most frequent token occurs in it",
        "s": "‖o_i‖₂²",
        "F": "collision index Σ_t f(t)² of the prefix",
    },
    hypotheses=(i >= 2, c >= 1, c <= i - 1),
    conclusion=sp.And(sp.Eq(s, F), s <= 1 - 2 * (i - 1) / i**2),
    paper=PAPER,
    ours="a gap of 2(i−1)/i² between constant and other prefixes, attained by one odd token",
    proof_idea="Σc_t² ≤ c² + (i−c)² ≤ (i−1)² + 1 for 1 ≤ c ≤ i−1.",
)

CLAIM = Claim(
    id="causal_asymmetry",
    title="Position zero attends only to itself: its attention output is the longest",
    papers=("B3",),
    statements=(MIXING, CONE_MODEL, CONE_UNIFORM, COLLISION),
)
