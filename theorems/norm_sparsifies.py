"""RMSNorm makes a spike bounded, sparse and nearly constant: how nearly, in both directions.

A state is h = a·u + r with a unit vector u (the spike's direction), r ⟂ u and a > 0; RMSNorm(h) =
√d·h/√(‖h‖² + dε).  Sun et al. 2026, arXiv 2603.05498, observe that spike tokens become one
sparse vector after RMSNorm; appendix B.3 has the bound √d on every entry.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

d = sp.Symbol("d", integer=True)
a, rho, epsilon, Q, Y, t, K, w = sp.symbols("a rho epsilon Q Y t K w", real=True)

PAPER = (
    "Sun et al. 2026: after RMSNorm spike tokens are bounded (entries at most √d, appendix B.3), "
    "sparse and nearly constant (cosine near 1 between spike tokens), measured."
)
STATE = "Any state h = a·u + r with unit u, r ⟂ u, a > 0, and RMSNorm with any ε ≥ 0. "
SYMBOLS = {
    "d": "width",
    "a": "size of the spike along u",
    "rho": "‖r‖², r the rest of the state",
    "epsilon": "RMSNorm's ε",
}
DISTANCE = {"Q": "‖RMSNorm(h) − √d·u‖₂²"}
HYPOTHESES = (d >= 1, a > 0, rho >= 0, epsilon >= 0)

NEAR = Statement(
    name="norm_sparsifies",
    title="The larger the spike, the nearer its normalised state to the constant √d·u",
    setting=STATE,
    symbols=SYMBOLS | DISTANCE,
    hypotheses=HYPOTHESES,
    conclusion=d * (rho + d * epsilon) / a**2 >= Q,
    paper=PAPER,
    ours="explicit, with ε; for ε = 0 the ratio of the two sides is 2c²/(1 + c), c = cos(h, u)",
    proof_idea="With M² = ‖h‖² + dε: Q/d ≤ 2 − 2a/M ≤ (M² − a²)/a².",
)

FAR = Statement(
    name="norm_sparsifies.converse",
    title="And only then: the distance is at least √d·‖r‖/√(‖h‖² + dε)",
    setting=STATE,
    symbols=SYMBOLS | DISTANCE,
    hypotheses=HYPOTHESES,
    conclusion=d * rho / (a**2 + rho + d * epsilon) <= Q,
    paper=PAPER,
    ours="so closeness to a fixed direction is equivalent to a large spike over the rest",
    proof_idea="The part of RMSNorm(h) across u is √d·r/√(‖h‖² + dε).",
)

SPARSE = Statement(
    name="norm_sparsifies.sparse",
    title="Off the spike's channels every normalised entry is at most √d·|r_i|/a",
    setting=STATE + "A coordinate i with u_i = 0.",
    symbols=SYMBOLS | {"Y": "RMSNorm(h)_i²", "t": "r_i"},
    hypotheses=(*HYPOTHESES, t**2 <= rho),
    conclusion=d * t**2 / a**2 >= Y,
    paper=PAPER,
    ours="explicit",
    proof_idea="‖h‖² + dε ≥ a².",
)

BOUNDED = Statement(
    name="norm_sparsifies.bounded",
    title="Every normalised entry is at most √d",
    setting="Any state and any coordinate, RMSNorm with any ε ≥ 0.",
    symbols={"d": "width", "Y": "RMSNorm(h)_i²"},
    hypotheses=(d >= 1,),
    conclusion=d >= Y,
    paper=PAPER,
    ours="the paper's B.3, attained by a state with one coordinate and ε = 0",
    proof_idea="h_i² ≤ ‖h‖².",
)

KEYS = Statement(
    name="norm_sparsifies.keys",
    title="The sink's key differs from a constant by at most ‖W_K diag γ‖₂ times that",
    setting=STATE + "Keys W_K diag(γ) RMSNorm(h), γ the norm's learned scale.",
    symbols=SYMBOLS
    | {"K": "‖W_K diag(γ)(RMSNorm(h) − √d·u)‖₂²", "w": "the spectral norm ‖W_K diag γ‖₂"},
    hypotheses=(*HYPOTHESES, w >= 0),
    conclusion=w**2 * d * (rho + d * epsilon) / a**2 >= K,
    paper=PAPER,
    ours="explicit: all spike tokens have one key, up to that distance",
    proof_idea="‖Wx‖₂ ≤ ‖W‖₂‖x‖₂ on the first statement.",
)

CLAIM = Claim(
    id="norm_sparsifies",
    title="RMSNorm turns a spike into a bounded, sparse, nearly constant state",
    papers=("C4",),
    statements=(NEAR, FAR, SPARSE, BOUNDED, KEYS),
)
