"""Without an anchor there is no solution: the task with its BOS token removed."""

from __future__ import annotations

from theorems.claim import Claim
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, L, eta, kappa, meaning

STATEMENT = Statement(
    name="anchor_needed",
    title="On the task without BOS every simplex attention has error at least κ_L",
    setting=(
        "The task with BOS removed: L−1 tokens, the trigger at index 2..L−1 among them, the same "
        "targets; one layer, one head, no residual, any simplex attention, any token-wise value "
        "map, any non-empty content set."
    ),
    symbols=meaning("L", "eta"),
    hypotheses=(L >= 4, eta >= 0),
    conclusion=kappa <= eta,
    where={kappa: KAPPA_L},
    paper="Ran-Milo 2026: a penalised anchor moves elsewhere; no statement without one.",
    ours="an explicit floor ≥ 1/12, attained for one content (constructions.without_anchor)",
    proof_idea=(
        "If η < κ_L then ordinary values have norm at most η and both flags of the trigger's value "
        "exceed ¼ > η, so both output flags grow with the trigger's own weight; but from 1 to L−2 "
        "ordinary tokens the ordinary flag of the target must rise while the trigger flag falls."
    ),
)

CLAIM = Claim(
    id="anchor_needed",
    title="Simplex attention cannot solve the task without a token to rest on",
    papers=("A8",),
    statements=(STATEMENT,),
)
