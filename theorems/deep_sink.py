"""In a stack of layers some layer must sink: Theorem 2 (Ran-Milo 2026, arXiv 2603.11487).

D layers without residual and without MLP are one layer whose rows are the product of the layers'
rows (simplex again, and causal), so the one-layer theorem bounds the product of the masses off BOS.
"""

from __future__ import annotations

from theorems.claim import Claim
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, D, L, eta, kappa, m, meaning

PAPER = (
    "Ran-Milo 2026, Theorem 2: for small enough error at least one layer puts almost all its mass "
    "on BOS at some position, with high probability; no rate."
)
STACK = (
    "D layers composed without residual and without MLP, each with arbitrary simplex rows and its "
    "own value matrix; every valid input."
)

POSITION_TWO = Statement(
    name="deep_sink",
    title="At position 2 some layer of a stack has mass off BOS at most (η/(κ_L − η))^(1/D)",
    setting=STACK
    + "  m = min over the layers of 1 − α_21, at position 2, which is never BOS or trigger.",
    symbols={
        **meaning("L", "D", "eta"),
        "m": "the smallest mass off BOS at position 2, over the layers",
    },
    hypotheses=(L >= 4, D >= 1, eta >= 0, eta < kappa, m >= 0, m <= 1),
    conclusion=m**D * (kappa - eta) <= eta,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours=(
        "explicit rate at every input, at a fixed position; exponent and constant are attained "
        "(constructions.layer_stack)"
    ),
    proof_idea=(
        "BOS attends only to itself in every layer, so the composed row of position 2 has mass off "
        "BOS equal to the product of the layers' masses; the one-layer theorem bounds it."
    ),
)

ANY_POSITION = Statement(
    name="deep_sink.any_position",
    title="Before any non-trigger position i before the trigger, some layer sinks at some i′ ≤ i",
    setting=STACK
    + "  i is any non-trigger position before the trigger; m = min over layers and 2 ≤ i′ ≤ i "
    "of 1 − α_i′1.",
    symbols={
        **meaning("L", "D", "eta"),
        "m": "the smallest mass off BOS over the layers and 2 ≤ i′ ≤ i",
    },
    hypotheses=POSITION_TWO.hypotheses,
    conclusion=POSITION_TWO.conclusion,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours=(
        "explicit rate at every input, for a position of one's choice; exponent and constant are "
        "attained (constructions.layer_stack)"
    ),
    proof_idea="If every mass off BOS exceeds ρ then the composed mass exceeds ρ^D.",
)

CLAIM = Claim(
    id="deep_sink",
    title="In a stack of softmax layers at least one layer sinks at some non-trigger position",
    papers=("A3",),
    statements=(POSITION_TWO, ANY_POSITION),
)
