"""The size of a spike is gauge: it can be changed at will without changing the function.

In a pre-norm decoder whose output matrix is not tied to the embedding, and without post-norms:
multiply the embedding, every W_O and W_down and the biases added to the stream by c > 0, and
every RMSNorm's ε by c².  So "an entry above 100" (Sun et al. 2024) is no property of the function,
and no function of the model's outputs can depend on the spike's size alone.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

d = sp.Symbol("d", integer=True)
a, b, c, rho, Q, h, h_c, y, y_c = sp.symbols("a b c rho Q h h_c y y_c", real=True)

PAPER = (
    "Sun et al. 2026: the size of spikes varies from 153 to 12275 over ablations at nearly equal "
    "perplexity; measured, one run each."
)

GAUGE = Statement(
    name="spike_gauge",
    title="Rescaling the residual stream multiplies spikes by c and changes nothing else",
    setting=(
        "Any pre-norm decoder without post-norms, output matrix untied; blocks read the stream "
        "through RMSNorm only, and write to it linearly last.  The rescaled network has embedding, "
        "every W_O, W_down and biases added to the stream times c, and every ε times c².  h, h_c: "
        "the same entry of the same state; y, y_c: the same attention weight or output."
    ),
    symbols={
        "c": "the factor",
        "h": "an entry of a state of the residual stream",
        "h_c": "the same entry in the rescaled network",
        "y": "an attention weight, a normalised entry or an output",
        "y_c": "the same in the rescaled network",
    },
    hypotheses=(c > 0,),
    conclusion=sp.And(sp.Eq(h_c, c * h), sp.Eq(y_c, y)),
    paper=PAPER,
    ours="exact, for every c: spike size says nothing about the function",
    proof_idea="RMSNorm with c²ε of c·h is RMSNorm with ε of h; each block then writes c times.",
)

LIPSCHITZ = Statement(
    name="spike_gauge.direction",
    title="Two spikes of sizes a and a′ on the same rest differ after RMSNorm by √d‖r‖|1/a − 1/a′|",
    setting="h = a·u + r and h′ = b·u + r, unit u, r ⟂ u, RMSNorm without ε.",
    symbols={
        "d": "width",
        "a": "size of the first spike",
        "b": "size of the second spike",
        "rho": "‖r‖²",
        "Q": "‖RMSNorm(h) − RMSNorm(h′)‖₂²",
    },
    hypotheses=(d >= 1, a > 0, b > 0, rho >= 0),
    conclusion=d * rho * (1 / a - 1 / b) ** 2 >= Q,
    paper=PAPER,
    ours="above a few times ‖r‖ the size no longer matters; approached as a and b grow",
    proof_idea="1 − C² = ρ(a−b)²/(‖h‖‖h′‖)² for the cosine C of the two states.",
)

CLAIM = Claim(
    id="spike_gauge",
    title="Spike size is a choice of scale",
    papers=("C9",),
    statements=(GAUGE, LIPSCHITZ),
)
