"""A sink whose value is zero is a sigmoid gate on the head's output, exactly.

Sun et al. 2026, arXiv 2603.05498, call sinks implicit gates and find that explicit conditional
gates remove them.  The identity: softmax over the sink and the rest is a gate times softmax over
the rest.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

m = sp.Symbol("m", integer=True)
E, S, alpha, o, u, w = sp.symbols("E S alpha o u w", real=True)

PAPER = (
    "Sun et al. 2026: sinks act as input-conditioned gates, and conditional output gates remove "
    "them (sink ratio 4.5 % against 46.0 %); trained, no identity."
)

GATE = Statement(
    name="sink_is_gate",
    title="A zero-value sink multiplies the head's output by σ(LSE of the other logits − z₀)",
    setting=(
        "One softmax head, one query, any logits; the sink key 0 has value zero.  o = an entry of "
        "the output; u = the same entry with the sink key removed.  S/(S + w) = σ(LSE_{k≠0} z_k − "
        "z₀)."
    ),
    symbols={
        "o": "an entry of the head's output",
        "u": "the same entry of softmax over the other keys alone",
        "S": "Σ_{k≠0} e^(z_k)",
        "w": "e^(z₀)",
    },
    hypotheses=(S > 0, w > 0),
    conclusion=sp.Eq(o, S / (S + w) * u),
    paper=PAPER,
    ours="an exact identity: a head with this output gate needs no sink key, and conversely",
    proof_idea="Every other weight is e^(z_k)/(S + w) = (S/(S + w))·e^(z_k)/S.",
)

HALF = Statement(
    name="sink_is_gate.half",
    title="At a fixed gap Δ the gate opens with the context: the mass is ½ at m = 1 + e^Δ keys",
    setting="The sink's logit exceeds each of the m−1 others by exactly Δ; α = the sink's mass.",
    symbols={"m": "number of keys, the sink included", "E": "e^Δ", "alpha": "the sink's mass"},
    hypotheses=(m >= 1, E > 0),
    conclusion=sp.Eq((2 * alpha - 1) * (E + m - 1), E - m + 1),
    paper=PAPER,
    ours="so α > ½ iff m < 1 + e^Δ: a gate that must stay shut needs a gap that grows like ln m",
    proof_idea="α = E/(E + m − 1).",
)

CLAIM = Claim(
    id="sink_is_gate",
    title="A sink with value zero is a sigmoid gate on the head's output",
    statements=(GATE, HALF),
)
