"""Where the necessity ends: softmax solutions without a sink, once one hypothesis is dropped.

The one-layer theorem speaks of one head without residual.  With two heads in the layer, or with a
residual stream of depth two, softmax solves the task to any accuracy while every non-trigger
position keeps its BOS weight at or below one half.
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

CLAIM = Claim(
    id="sink_free_softmax",
    title="Softmax without a sink: two heads, or a residual stream of depth two",
    statements=(TWO_HEADS, RESIDUAL),
)
