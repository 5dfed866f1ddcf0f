"""ReLU attention needs no sink: Theorem 3 (Ran-Milo 2026, arXiv 2603.11487)."""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement
from theorems.symbols import L, alpha, eta, meaning, n

STATEMENT = Statement(
    name="relu_no_sink",
    title="One ReLU-attention layer solves the task exactly, with no weight on BOS in any row",
    setting=(
        "The explicit layer A[trigger, ordinary] = A[trigger, trigger] = 1, all other logits 0, "
        "M = identity off BOS and 0 on BOS; every input with contents in Rⁿ, every position; "
        "α = the BOS weight of any row."
    ),
    symbols=meaning("L", "n", "eta", "alpha"),
    hypotheses=(L >= 3, n >= 0),
    conclusion=sp.And(sp.Eq(eta, 0), sp.Eq(alpha, 0)),
    paper="Ran-Milo 2026, Theorem 3: some ReLU layer has zero error and no sink.",
    ours="the same, written out, for all real contents; all rows but the trigger's vanish",
    proof_idea=(
        "At the trigger the logits are 1 on every ordinary token and on itself and 0 on BOS, so "
        "dividing by the j−1 visible non-BOS tokens gives the mean; every other query scores 0."
    ),
)

CLAIM = Claim(
    id="relu_no_sink",
    title="ReLU attention solves the task with zero error and no sink",
    papers=("A4",),
    statements=(STATEMENT,),
)
