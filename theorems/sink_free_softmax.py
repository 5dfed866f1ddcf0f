"""Where the necessity ends: softmax solutions without a sink, once one hypothesis is dropped.

The one-layer theorem speaks of one head without residual and with nothing after it.  With two heads
in the layer, a residual stream of depth two (of depth L if logits read no positions), or an MLP
after the head, softmax solves the task to any accuracy while every non-trigger position keeps its
BOS weight at or below one half.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement
from theorems.symbols import L, alpha, eta, meaning

E = sp.Symbol("E", real=True)
_SYMBOLS = {**meaning("L", "eta", "alpha"), "E": "e^K, the exponential of the sharpness K"}

TWO_HEADS = Statement(
    name="sink_free_softmax",
    title="Two softmax heads in one layer need no sink",
    setting=(
        "Two heads, one layer, no residual, contents in [−1, 1]ⁿ: both attend uniformly off the "
        "trigger with opposite values, so they cancel there exactly; at the trigger head 1 scores "
        "−K on BOS and head 2 scores K.  α = the BOS weight of either head at a non-trigger row."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= L / E, alpha <= sp.Rational(1, 2)),
    paper="Ran-Milo 2026 states Theorem 1 for one head and does not say that one head is needed.",
    ours="one head is needed: with two the sink at non-trigger positions is not necessary",
    proof_idea="Opposite values cancel under equal rows; at the trigger the rows differ.",
)

RESIDUAL = Statement(
    name="sink_free_softmax.residual",
    title="Two residual softmax layers of one head need no sink",
    setting=(
        "Two layers of one head on a residual stream, logits that may read positions, contents in "
        "[−1, 1]ⁿ, target x_i plus the mean at the trigger: non-trigger rows attend to themselves, "
        "their state is doubled and halved; the trigger averages in layer 1 and rests on BOS in "
        "layer 2.  α = the BOS weight of either layer at a non-trigger row."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= 3 * L / E, alpha <= 1 / E),
    paper="Ran-Milo 2026 states Theorem 2 without residual and trains with one.",
    ours="the residual form of Theorem 2 is false at every depth from two on",
    proof_idea="x → 2x → x off the trigger, and x → x + mean at it, with errors of size e^(−K).",
)

POSITIONLESS = Statement(
    name="sink_free_softmax.positionless",
    title="L residual softmax layers of one head, logits without positions, need no sink",
    setting=(
        "L layers of one head on a residual stream; logits are bilinear in the input tokens' flags "
        "and read neither positions nor the state; contents in [−1, 1]ⁿ, target x_i plus the mean "
        "at the trigger.  Off the trigger every layer averages, with its own factor λ_ℓ; the "
        "trigger averages in layer 1 and rests on BOS later.  α = the largest BOS weight of any "
        "layer at a non-trigger row.  4 ≤ L ≤ 16 is what has been computed."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 4, L <= 16, E >= 10**10),
    conclusion=sp.And(eta * E <= L**L, alpha <= sp.Rational(1, 2)),
    paper="Ran-Milo 2026 states Theorem 2 without residual and trains with one.",
    ours=(
        "positions in the logits are not what lifts the residual form of Theorem 2; depth is.  "
        "Whether few layers suffice for two contents without positions is open"
    ),
    proof_idea=(
        "Off the trigger the layers compose to Π(1 + λ_ℓ U), U averaging, with eigenvalues 1/r, "
        "r = 2..L−1: a polynomial with real roots that is 1 at all of them."
    ),
)

MLP = Statement(
    name="sink_free_softmax.mlp",
    title="One softmax head followed by a ReLU MLP needs no sink",
    setting=(
        "One softmax head that scores −K on BOS and 0 elsewhere, then an MLP that reads what the "
        "head wrote beside the query's own trigger flag t: ReLU(y + 2(t − ½)) − ReLU(2(t − ½)); "
        "contents in [−1, 1]ⁿ.  α = the largest BOS weight at a non-trigger row."
    ),
    symbols=_SYMBOLS,
    hypotheses=(L >= 3, E > 0),
    conclusion=sp.And(eta <= 1 / (1 + 2 * E), alpha <= 1 / (1 + E)),
    paper="Ran-Milo 2026 studies attention without MLPs.",
    ours="an MLP before the head is covered by Theorem 1; one after it lifts the sink",
    proof_idea="Off the trigger the unit is below its threshold, at the trigger it is linear.",
)

CLAIM = Claim(
    id="sink_free_softmax",
    title="Softmax without a sink: two heads, a residual stream, or an MLP after the head",
    statements=(TWO_HEADS, RESIDUAL, POSITIONLESS, MLP),
)
