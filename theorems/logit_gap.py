"""The logit gap is the sink: how much mass a gap of Δ buys over m keys, and how much it must.

Paper C (Sun et al. 2026, arXiv 2603.05498) explains a sink by the gap between the logit of the
spike token's key and the logits of all other keys.  Softmax turns a gap into mass, exactly.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

m = sp.Symbol("m", integer=True)
E, G, alpha, x = sp.symbols("E G alpha x", real=True)

PAPER = (
    "Sun et al. 2026 measure the gap between the sink's logit and the others in trained models "
    "and attribute the sink to it; no bound."
)
SETTING = (
    "One softmax row over m keys of any logits (positions, norms, temperature and masks inside); "
    "α = the mass on the sink key. "
)
SYMBOLS = {
    "m": "number of keys that the query sees, the sink key included",
    "alpha": "attention mass on the sink key",
}
GAP = {"E": "e^Δ, Δ the least gap between the sink's logit and another key's"}

LOGIT_GAP = Statement(
    name="logit_gap",
    title="A logit gap of Δ over m keys gives the sink mass at least 1/(1 + (m−1)e^(−Δ))",
    setting=SETTING + "The sink's logit exceeds every other by at least Δ (of either sign).",
    symbols=SYMBOLS | GAP,
    hypotheses=(m >= 1, E > 0),
    conclusion=1 / (1 + (m - 1) / E) <= alpha,
    paper=PAPER,
    ours="an explicit bound, attained iff every other logit is exactly Δ below",
    proof_idea="α = 1/(1 + Σe^(z_k − z₀)) and each of the m−1 terms is at most e^(−Δ).",
)

STRICT = Statement(
    name="logit_gap.strict",
    title="The bound is attained only if every other logit is exactly Δ below",
    setting=SETTING
    + "The sink exceeds every other logit by at least Δ; some other key has e^(z_k − z₀) = x.",
    symbols=SYMBOLS | GAP | {"x": "e^(z_k − z₀) of one key other than the sink"},
    hypotheses=(m >= 2, E > 0, x > 0, x * E < 1),
    conclusion=1 / (1 + (m - 1) / E) < alpha,
    paper=PAPER,
    ours="the case of equality",
    proof_idea="One term of the sum is smaller than e^(−Δ).",
)

CONVERSE = Statement(
    name="logit_gap.converse",
    title="Mass needs a gap: the sink's mass is at most 1/(1 + (m−1)e^(−(z₀ − z̄)))",
    setting=SETTING + "z̄ = the mean of the other m−1 logits.",
    symbols=SYMBOLS | {"G": "e^(z₀ − z̄), z₀ the sink's logit and z̄ the mean of the others"},
    hypotheses=(m >= 2, G > 0),
    conclusion=alpha <= 1 / (1 + (m - 1) / G),
    paper=PAPER,
    ours="a gap over the mean is necessary, not only sufficient; attained iff the others are equal",
    proof_idea="Jensen: Σe^(z_k) ≥ (m−1)e^z̄.",
)

CLAIM = Claim(
    id="logit_gap",
    title="The mass of a sink is its logit gap",
    papers=("C5",),
    statements=(LOGIT_GAP, STRICT, CONVERSE),
)
