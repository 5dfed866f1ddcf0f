"""Under QK-norm the head dimension caps every sink.

Queries and keys that are RMS-normalised per head, with scales γ_q and γ_k, have bounded logits,
and the bound grows with √d_h.  Sun et al. 2026, arXiv 2603.05498, find that larger heads sink more;
they train without this norm.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

m, d_h = sp.symbols("m d_h", integer=True)
E, T, alpha, g, tau, z = sp.symbols("E T alpha g tau z", real=True)

PAPER = (
    "Sun et al. 2026, Table 6: sink ratio 4.1 % at d_h = 8 to 46.0 % at 128; no statement, and "
    "no QK-norm alone."
)
SETTING = (
    "A softmax head with queries and keys RMS-normalised per head (any ε ≥ 0), logits q·k/√d_h, "
    "nothing added (no bias, cap or temperature); g = γ_qγ_k, for vector scales "
    "max_i|γ_q,i γ_k,i|, and under RoPE max over pairs p of max_{i∈p}|γ_q,i|·max_{i∈p}|γ_k,i|. "
)
SYMBOLS = {"d_h": "dimension of the head", "g": "γ_qγ_k, the product of the norms' scales"}
MASS = {
    "m": "number of keys that the query sees",
    "alpha": "attention mass on any one key",
}

CEILING = Statement(
    name="head_dimension",
    title="Under QK-norm no key gets more than 1/(1 + (m−1)e^(−2γ_qγ_k√d_h))",
    setting=SETTING + "E = e^(g√d_h).",
    symbols=MASS | {"E": "e^(γ_qγ_k√d_h)"},
    hypotheses=(m >= 1, E >= 1),
    conclusion=alpha <= 1 / (1 + (m - 1) / E**2),
    paper=PAPER,
    ours="a ceiling that rises with the head dimension, attained for every d_h and m",
    proof_idea="Every logit lies in [−g√d_h, g√d_h], so no two differ by more than 2g√d_h.",
)

LOGIT = Statement(
    name="head_dimension.logit",
    title="Under QK-norm |logit| ≤ γ_qγ_k√d_h",
    setting=SETTING,
    symbols=SYMBOLS | {"z": "any logit"},
    hypotheses=(d_h >= 1, g >= 0),
    conclusion=z**2 <= g**2 * d_h,
    paper=PAPER,
    ours="attained for every d_h",
    proof_idea="‖q‖‖k‖ ≤ g·d_h for rotations of normalised vectors, over √d_h.",
)

NEEDED = Statement(
    name="head_dimension.needed",
    title="A sink of mass τ needs d_h ≥ (ln((m−1)τ/(1−τ))/(2γ_qγ_k))²",
    setting=SETTING + "Some key gets mass at least τ; T = ln((m−1)τ/(1−τ)).",
    symbols=SYMBOLS | {"T": "ln((m−1)τ/(1−τ))"},
    hypotheses=(d_h >= 1, g > 0, T >= 0),
    conclusion=(T / (2 * g)) ** 2 <= d_h,
    paper=PAPER,
    ours="14 at m = 4096 keys, τ = 0.3 and γ_qγ_k = 1",
    proof_idea="The ceiling solved for d_h.",
)

CLAIM = Claim(
    id="head_dimension",
    title="Under QK-norm the head dimension caps the mass of a sink",
    papers=("C10",),
    statements=(CEILING, LOGIT, NEEDED),
)
