"""The cores on position zero reach the statements that they settle."""

from __future__ import annotations

import pytest

from theorems.claims import get
from theorems.cores import (
    circuit,
    circuit_swiglu,
    circuit_variants,
    circuit_without_mlp,
    mixed_states,
    norm_turns,
)
from theorems.evidence import discover
from theorems.statement import Statement

CLAIMS = ("p0_circuit", "causal_asymmetry", "norm_stability", "nonlinearity_needed")
LAST = {
    "p0_circuit": circuit.MASS,
    "p0_circuit.spike": circuit.SPIKES,
    "p0_circuit.shared": circuit.RUN,
    "p0_circuit.norm": circuit.LENGTHS,
    "p0_circuit.pre_norm": circuit_variants.LEADS,
    "p0_circuit.swiglu": circuit_swiglu.LEADS,
    "p0_circuit.anti_self": circuit_variants.TWICE,
    "p0_circuit.gain": circuit_variants.STEEP,
    "p0_circuit.no_mlp": circuit_without_mlp.LEADS_WITHOUT,
    "causal_asymmetry.collision": mixed_states.GAP,
    "norm_stability": norm_turns.TURN,
    "norm_stability.any_ratio": norm_turns.EVERY_RATIO,
    "norm_stability.epsilon": norm_turns.SHRUNK,
    "norm_stability.epsilon_any_ratio": norm_turns.SHRUNK_ANY,
    "norm_stability.plateau": norm_turns.LATER,
    "nonlinearity_needed": mixed_states.BOTH,
}
STATEMENTS = [s for c in CLAIMS for s in get(c).statements if s.name in LAST]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.name)
def test_last_step_reaches_the_statement_itself(statement: Statement) -> None:
    core = LAST[statement.name]
    assert core.conclusion == statement.conclusion
    assert set(statement.hypotheses) <= set(core.hypotheses)


def test_what_smt_settles_is_what_reaches_its_statement() -> None:
    found = {e.statement for e in discover(("theorems",)) if e.kind == "smt" and e.claim in CLAIMS}
    assert found == set(LAST)
