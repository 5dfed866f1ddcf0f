"""The first layer cannot sink on position zero without BOS, whatever its weights.

Peng et al. 2026 (arXiv 2603.06591) find that without BOS the sink is lost in the first layers only.
For the very first one this is forced on windows that are cut from a text at a random offset: a
prefix then looks like any other stretch of text, read backwards from its query.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

T = sp.Symbol("T", integer=True)
importance, Lambda, R, ell = sp.symbols("importance Lambda R ell", real=True)

STATEMENT = Statement(
    name="first_layer_ceiling",
    title="On stationary tokens no first layer gives position zero more than (1+R+ln T)/T",
    setting=(
        "Windows of T tokens of a finite vocabulary from a stationary law, no BOS; the first "
        "layer's logits are any function w(x_i, x_k, i−k) (no positions, RoPE, ALiBi), softmax.  "
        "importance = E[(1/T)Σ_i α_i1], Λ = E ln(1/α_TT)."
    ),
    symbols={
        "T": "length of the window",
        "importance": "expected importance of position zero in a head of the first layer",
        "Lambda": "E ln(1/α_TT), α_TT the weight of the last query on itself",
        "R": "range of one query's logits (or more)",
        "ell": "ln T (or more)",
    },
    hypotheses=(T >= 1, R >= 0, ell >= 0),
    conclusion=sp.And(importance * T <= 1 + Lambda, Lambda <= R + ell),
    paper="Peng et al. 2026: without BOS the first layers lose the sink; an observation.",
    ours=(
        "a theorem for the first layer, so sink rates are to be reported from the second on; not "
        "known to be attained, weights that grow like a geometric series come to 0.97 at T = 8 "
        "(constructions.first_layer_law)"
    ),
    proof_idea=(
        "Read backwards from the query, the law of a prefix does not depend on i, so α_i1 has the "
        "law of 1 − G_{i−1}/G_i, G_i the sum of the i nearest weights; 1 − x ≤ −ln x telescopes."
    ),
)

CLAIM = Claim(
    id="first_layer_ceiling",
    title="Without BOS the first layer cannot sink on position zero",
    papers=("B1",),
    statements=(STATEMENT,),
)
