"""Which attention mechanisms need a sink: the ones that cannot write nothing without one.

Ran-Milo 2026, arXiv 2603.11487, explains the sink by normalisation: a row that must sum to one has
to rest somewhere.  Each mechanism below can output zero without a sink, and for each there is one
explicit layer (``constructions``), with sharpness K, E = e^K, contents in [−1, 1]ⁿ.  Two rows go
the other way: a gate that does not read the token changes nothing, and scores that are never
divided cannot average.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.one_layer_sink import SIMPLEX
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, L, alpha, eta, kappa, meaning

E, S, r = sp.symbols("E S r", real=True)
w, T, beta = sp.symbols("w T beta", real=True)

PAPER = (
    "Ran-Milo 2026 proves that ReLU attention needs no sink, and says of gates, null slots and "
    "unnormalised scores that they should not either; no construction."
)
BOX = "contents in [−1, 1]ⁿ; α = the largest BOS weight at a non-trigger position"
_SYMBOLS = {
    **meaning("L", "eta", "alpha"),
    "E": "e^K, the exponential of the sharpness K",
    "alpha": "the largest BOS weight at a non-trigger position",
}
_GATED = "One softmax head that scores −K on BOS and 0 elsewhere, then an output gate: "

EVERY = Statement(
    name="mechanisms",
    title="Every mechanism that can write nothing solves the task with no sink",
    setting=(
        "One layer of one head with any of: a gate on the output that reads the token (linear, or "
        "a sigmoid), softmax-off-by-one (the same as a null key), a sigmoid or nothing for each "
        f"score, divided by the count of visible non-BOS tokens, ReLU; {BOX}."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E >= 1),
    conclusion=sp.And(eta * E <= L, alpha * E <= 1),
    paper=PAPER,
    ours="an explicit layer for each, error at most Le^(−K), every BOS weight at most e^(−K)",
    proof_idea="The statements of the single mechanisms, each with its own, smaller bound.",
)

GATE = Statement(
    name="mechanisms.gate",
    title="An output gate that reads the token",
    setting=_GATED + f"the token's own trigger flag; {BOX}.",
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= 1 / (1 + 2 * E), alpha <= 1 / (1 + E)),
    paper=PAPER,
    ours="off the trigger the output is exactly zero; the error is that of uniform attention",
    proof_idea="The mean of r tokens is missed by the BOS weight 1/(1 + rE) of the trigger's row.",
)

SIGMOID_GATE = Statement(
    name="mechanisms.sigmoid_gate",
    title="A sigmoid gate that reads the token",
    setting=_GATED + f"σ(K(t − o − b)) of the token's own flags; {BOX}.",
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= 1 / (1 + 2 * E) + 1 / (1 + E), alpha <= 1 / (1 + E)),
    paper=PAPER,
    ours="as with the linear gate, and σ(−K) more",
    proof_idea="A factor σ(K) at the trigger and σ(−K) elsewhere.",
)

UNCONDITIONAL = Statement(
    name="mechanisms.unconditional_gate",
    title="A gate that does not read the token changes nothing: Theorem 1 holds",
    setting="A fixed factor for each output coordinate.  " + SIMPLEX,
    symbols=meaning("L", "alpha", "eta"),
    hypotheses=(L >= 4, eta >= 0, alpha >= 0, alpha <= 1, eta < kappa),
    conclusion=(1 - alpha) * (kappa - eta) <= eta,
    where={kappa: KAPPA_L},
    paper="Ran-Milo 2026 does not tell gates apart.",
    ours="a sink-free gate has to read the token",
    proof_idea="diag(g) Σ α_ik V(x_k) = Σ α_ik (diag(g) V)(x_k): another token-wise value map.",
)

SINK_LOGIT = Statement(
    name="mechanisms.sink_logit",
    title="Softmax with a learned sink logit s, for every s",
    setting=(
        "One softmax head with e^s added to every divisor.  Ordinary queries score −K on all keys; "
        f"the trigger scores K on ordinary tokens and on itself, 0 on BOS; {BOX}."
    ),
    symbols={**_SYMBOLS, "S": "e^s, the weight of the slot that writes nothing"},
    hypotheses=(L >= 3, E > 0, S > 0),
    conclusion=sp.And(
        eta <= sp.Max((1 + S) / (1 + S + 2 * E), (L - 1) / (S * E + L)),
        alpha <= 1 / (S * E + 2),
    ),
    paper=PAPER,
    ours="exact error; the mass rests on the slot, and a slot with no value is not a sink token",
    proof_idea="Off the trigger the i visible keys weigh ie^(−K) against e^s.",
)

OFF_BY_ONE = Statement(
    name="mechanisms.off_by_one",
    title="Softmax-off-by-one: the sink logit zero",
    setting=SINK_LOGIT.setting.replace("e^s", "1"),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(
        eta <= sp.Max(2 / (2 + 2 * E), (L - 1) / (E + L)),
        alpha <= 1 / (E + 2),
    ),
    paper=PAPER,
    ours="exact error",
    proof_idea="The sink logit with s = 0.",
)

SLOTS = Statement(
    name="mechanisms.slots",
    title="Sink logit, null key and off-by-one are one mechanism",
    setting=(
        "A key of weight w = e^z in a row of total weight T.  α = its attention with the sink "
        "logit s; β = its attention under softmax-off-by-one, logits lowered by s.  A null key "
        "whose value is 0 and whose logit is s for every query gives the same row as the sink "
        "logit, entry by entry; its own column is the mass at rest."
    ),
    symbols={
        "w": "e^z of one visible key",
        "T": "the sum of e^z over the visible keys",
        "S": "e^s",
        "alpha": "attention on that key with the sink logit s",
        "beta": "attention on that key under softmax-off-by-one, logits lowered by s",
    },
    hypotheses=(
        S > 0,
        w >= 0,
        w <= T,
        sp.Eq(alpha * (S + T), w),
        sp.Eq(beta * (1 + T / S), w / S),
    ),
    conclusion=sp.Eq(alpha, beta),
    paper=PAPER,
    ours=(
        "logits that may add a constant (flags sum to one, so bilinear ones may) make the three "
        "the same; a null key whose logit varies with the query is more"
    ),
    proof_idea="Divide numerator and denominator by e^s.",
)

SIGMOID = Statement(
    name="mechanisms.sigmoid",
    title="A sigmoid for each score, divided by the count",
    setting=(
        "α_ik = σ(z_ik)/max(1, i−1): the trigger scores K on ordinary tokens and on itself, every "
        f"other pair −K; {BOX}."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= 1 / (1 + E), alpha <= 1 / (1 + E)),
    paper=PAPER,
    ours="the error is exactly σ(−K)",
    proof_idea="The mean times σ(K) at the trigger and times σ(−K) elsewhere.",
)

LINEAR = Statement(
    name="mechanisms.linear",
    title="Linear scores, divided by the count: exact",
    setting=(
        "α_ik = z_ik/max(1, i−1): the trigger scores 1 on ordinary tokens and on itself, every "
        "other pair 0; contents in Rⁿ; α = the largest |BOS weight| of any row."
    ),
    symbols=meaning("L", "eta") | {"alpha": "the largest |BOS weight| of any row"},
    hypotheses=(L >= 3,),
    conclusion=sp.And(sp.Eq(eta, 0), sp.Eq(alpha, 0)),
    paper=PAPER,
    ours="the ReLU solution never uses that ReLU cuts",
    proof_idea="All its scores are 0 or 1.",
)

UNDIVIDED = Statement(
    name="mechanisms.undivided",
    title="Position-free scores that are never divided cannot average: error at least 1/48",
    setting=(
        "One layer of one head, α_ik = f(z_ik) for any f (a sigmoid, ReLU, nothing) with logits "
        "that depend on the two tokens alone, no division; any token-wise value map, any non-empty "
        "content set; r any whole number in 2..L−1.  The best r gives the floor: r = 3 is 1/48 at "
        "L = 5, and the floor tends to 1/4 as L grows."
    ),
    symbols=meaning("L", "eta") | {"r": "a number of visible non-BOS tokens"},
    hypotheses=(L >= 5, r >= 2, r <= L - 1, eta >= 0),
    conclusion=(sp.Rational(1, 2) + 1 / (L - 1) - r / (2 * (L - 1)) - 1 / r) / 2 <= eta,
    paper="Ran-Milo 2026 names unnormalised scores without saying that a division is needed.",
    ours="sharp for one content (constructions.undivided_scores)",
    proof_idea=(
        "After r−1 copies of one ordinary token the trigger's row writes a + (r−1)g, linear in r; "
        "its trigger flag should be 1/r, which is convex, and the chord from 2 to L−1 is too high."
    ),
)

CLAIM = Claim(
    id="mechanisms",
    title="The normalisation is the cause: mechanisms that can write nothing need no sink",
    papers=("A9",),
    statements=(
        EVERY,
        GATE,
        SIGMOID_GATE,
        UNCONDITIONAL,
        OFF_BY_ONE,
        SINK_LOGIT,
        SLOTS,
        SIGMOID,
        LINEAR,
        UNDIVIDED,
    ),
)
