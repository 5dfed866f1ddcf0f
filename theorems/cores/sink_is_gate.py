"""The arithmetic of "a sink is a gate": one division."""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.sink_is_gate import GATE, HALF, E, S, alpha, m, o, u, w
from theorems.smt import Core, Show, without

V = sp.Symbol("V", real=True)
NAMES = {
    "o": "an entry of the output",
    "u": "the same without the sink key",
    "S": "Σ_{k≠0} e^(z_k)",
    "w": "e^(z₀)",
    "V": "Σ_{k≠0} e^(z_k) v_k",
    "m": "number of keys",
    "E": "e^Δ",
    "alpha": "the sink's mass",
}
SILENT = sp.Eq(o * (S + w), V)

SIGMOID = Core(
    name="a sink is a gate",
    symbols=NAMES,
    hypotheses=(*assumed(GATE), SILENT, sp.Eq(u * S, V)),
    conclusion=GATE.conclusion,
    says="Both are the same sum, over S + w and over S.",
    hints=(Show(S + w > 0), Show(sp.Eq(o, V / (S + w)), using=(S + w > 0, SILENT))),
    narrow=(sp.Eq(S, 1), sp.Eq(w, 1)),
)
GATE_LINKS = (
    Link(
        SIGMOID,
        (
            SIGMOID.false(
                "the sink's value must be zero",
                hypotheses=(*without(SIGMOID, SILENT), sp.Eq(o * (S + w), V + w)),
            ),
        ),
    ),
)
HALF_CORE = Core(
    name="half open",
    symbols=NAMES,
    hypotheses=(*assumed(HALF), sp.Eq(alpha * (E + m - 1), E)),
    conclusion=HALF.conclusion,
    says="α = E/(E + m − 1).",
)
HALF_LINKS = (
    Link(
        HALF_CORE,
        (
            HALF_CORE.false(
                "not at m = e^Δ", conclusion=sp.Eq((2 * alpha - 1) * (E + m - 1), E - m)
            ),
        ),
    ),
)


@evidence("sink_is_gate", kind="smt", settles=True)
def gate_arithmetic(run: Run) -> Outcome:
    """z3 shows the identity for any weights and any sum of values."""
    return outcome(GATE_LINKS, run)


@evidence("sink_is_gate", kind="smt", settles=True, statement="sink_is_gate.half")
def half_arithmetic(run: Run) -> Outcome:
    """z3 shows that the mass passes ½ at m = 1 + e^Δ."""
    return outcome(HALF_LINKS, run)
