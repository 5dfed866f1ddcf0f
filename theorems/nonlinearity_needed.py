"""Two attention layers alone cannot find position zero: something nonlinear is needed between them.

The circuit of Peng et al. 2026 (arXiv 2603.06591) puts an MLP between its two attention layers.
Without any nonlinearity there no two-layer network can do what it does; RMSNorm is one, and enough.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

p_1, p_4, q_1, q_4 = sp.symbols("p_1 p_4 q_1 q_4", real=True)

_SYMBOLS = {
    "p_1": "second-layer weight α_51 on (a, b, b, a, c)",
    "p_4": "second-layer weight α_54 on (a, b, b, a, c)",
    "q_1": "second-layer weight α_51 on (b, a, a, b, c)",
    "q_4": "second-layer weight α_54 on (b, a, a, b, c)",
}
PAPER = "Peng et al. 2026: the MLP of the first blocks amplifies; that one is needed is not said."

STATEMENT = Statement(
    name="nonlinearity_needed",
    title="Two linear-stream attention layers cannot prefer position zero on two given sequences",
    setting=(
        "Two layers of one softmax head on a residual stream, no positions, no norm, no MLP; any "
        "embedding; in layer 1 any logits and values of the tokens, in layer 2 bilinear logits.  "
        "On both (a, b, b, a, c) and (b, a, a, b, c), at the query c: position zero against "
        "position four, which holds the same token."
    ),
    symbols=_SYMBOLS,
    hypotheses=(p_1 >= 0, p_4 >= 0, q_1 >= 0, q_4 >= 0),
    conclusion=sp.Min(p_1 - p_4, q_1 - q_4) <= 0,
    paper=PAPER,
    ours="an impossibility, for any width, embedding and weights",
    proof_idea=(
        "The query's state is the same on both.  Position four's state differs from position "
        "zero's by a positive multiple of v_b − v_a on the first and of v_a − v_b on the second, "
        "and a linear key score cannot fall along both."
    ),
)

NORM = Statement(
    name="nonlinearity_needed.rms_norm",
    title="RMSNorm alone repairs it",
    setting=(
        "The same two layers with RMSNorm before each: the network without MLP of "
        "constructions.p0_without_mlp, sharpness g > 0, vocabulary of three tokens."
    ),
    symbols=_SYMBOLS | {"g": "sharpness of the second layer"},
    hypotheses=(sp.Symbol("g", real=True) > 0,),
    conclusion=sp.And(p_1 > p_4, q_1 > q_4),
    paper=PAPER,
    ours="so the MLP is not what is needed, a nonlinearity is",
    proof_idea="Mixed states are shorter, so their normalised coordinates are larger.",
)

CLAIM = Claim(
    id="nonlinearity_needed",
    title="The circuit needs a nonlinearity between its two attention layers",
    statements=(STATEMENT, NORM),
)
