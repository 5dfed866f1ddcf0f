"""The price of removing the sink from simplex attention, as a floor under the error."""

from __future__ import annotations

from theorems.claim import Claim
from theorems.one_layer_sink import SIMPLEX
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, L, alpha, epsilon, eta, kappa, meaning

STATEMENT = Statement(
    name="sink_price",
    title="ε of the mass off BOS at one non-trigger position of one input costs η ≥ εκ_L/(1+ε)",
    setting=SIMPLEX,
    symbols=meaning("L", "alpha", "eta", "epsilon"),
    hypotheses=(L >= 4, eta >= 0, alpha >= 0, epsilon >= 0, alpha <= 1 - epsilon),
    conclusion=epsilon * kappa / (1 + epsilon) <= eta,
    where={kappa: KAPPA_L},
    paper="Ran-Milo 2026 discusses penalising or redistributing BOS attention; no bound.",
    ours="an explicit floor under the error, approached by constructions.sharp_witness",
    proof_idea="The one-layer theorem, read from the mass off BOS to the error.",
)

CLAIM = Claim(
    id="sink_price",
    title="Moving attention off BOS inside simplex attention costs accuracy",
    papers=("A8",),
    statements=(STATEMENT,),
)
