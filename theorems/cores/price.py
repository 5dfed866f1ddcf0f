"""The arithmetic of the price of removing the sink, from Theorem 1's conclusion."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, definitions, granted, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import SHARP
from theorems.sink_price import STATEMENT
from theorems.smt import Core
from theorems.statement import Statement
from theorems.symbols import L, alpha, epsilon, eta, kappa, meaning

delta = sp.Symbol("delta", real=True)
NAMES = meaning("L", "alpha", "eta", "kappa", "epsilon")


def price(statement: Statement = STATEMENT) -> Core:
    """From Theorem 1 to the conclusion of ``statement`` itself."""
    return Core(
        name="price of removing the sink",
        symbols=NAMES,
        hypotheses=(granted(SHARP), *assumed(statement)),
        conclusion=statement.conclusion,
        says="(1 − α)(κ_L − η) ≤ η with 1 − α ≥ ε, solved for η; η ≥ κ_L is trivial.",
        narrow=(sp.Eq(L, 4),),
    )


PRICE = price()
FLOOR = Core(
    name="the floor grows with the mass kept off BOS",
    symbols=NAMES | {"delta": "a smaller mass kept off BOS"},
    hypotheses=(
        *definitions(STATEMENT),
        L >= 4,
        delta >= 0,
        delta <= epsilon,
    ),
    conclusion=delta * kappa / (1 + delta) <= epsilon * kappa / (1 + epsilon),
    says="εκ_L/(1 + ε) is increasing in ε, so the largest mass off BOS sets the price.",
)

LINKS = (
    Link(
        PRICE,
        (
            replace(
                price(replace(STATEMENT, conclusion=epsilon * kappa <= eta)),
                name="price (false): εκ_L without the divisor",
            ),
            PRICE.false(
                "not at a row that keeps less than ε off BOS",
                hypotheses=tuple(h for h in PRICE.hypotheses if h != (alpha <= 1 - epsilon)),
            ),
        ),
    ),
    Link(
        FLOOR,
        (
            FLOOR.false(
                "not in proportion to ε",
                conclusion=2 * delta * kappa / (1 + delta) <= epsilon * kappa / (1 + epsilon),
                narrow=(sp.Eq(L, 4),),
            ),
        ),
    ),
)


@evidence("sink_price", kind="smt", settles=True)
def price_arithmetic(run: Run) -> Outcome:
    """z3 derives the floor under the error from Theorem 1's conclusion, for all L ≥ 4 and ε ≥ 0."""
    return outcome(LINKS, run)
