"""What z3 proves for a statement on spikes and sinks is that statement, hypotheses and all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from theorems import (
    decoupling,
    head_dimension,
    head_norm_tradeoff,
    logit_gap,
    norm_sparsifies,
    quadratic_amplifier,
    rope_budget,
    sandwich_bound,
    silence_by_averaging,
    sink_is_gate,
    spike_chain,
    spike_gauge,
)
from theorems.cores import decoupling as decoupling_core
from theorems.cores import head_dimension as dimension_core
from theorems.cores import head_norm_tradeoff as tradeoff_core
from theorems.cores import logit_gap as gap_core
from theorems.cores import norm_sparsifies as norm_core
from theorems.cores import quadratic_amplifier as quadratic_core
from theorems.cores import rope_budget as rope_core
from theorems.cores import sandwich_bound as sandwich_core
from theorems.cores import silence_by_averaging as silence_core
from theorems.cores import sink_is_gate as gate_core
from theorems.cores import spike_chain as chain_core
from theorems.cores import spike_gauge as gauge_core
from theorems.cores.chain import Link
from theorems.evidence import discover
from theorems.smt import Status, prove
from theorems.statement import Statement

HOMES = (
    decoupling,
    head_dimension,
    head_norm_tradeoff,
    logit_gap,
    norm_sparsifies,
    quadratic_amplifier,
    rope_budget,
    sandwich_bound,
    silence_by_averaging,
    sink_is_gate,
    spike_chain,
    spike_gauge,
)
PROVED: list[tuple[Statement, tuple[Link, ...]]] = [
    (quadratic_amplifier.QUADRATIC, quadratic_core.QUADRATIC_LINKS),
    (quadratic_amplifier.REMAINDER, quadratic_core.REMAINDER_LINKS),
    (quadratic_amplifier.PAIR, quadratic_core.PAIR_LINKS),
    (quadratic_amplifier.RANK_ONE, quadratic_core.RANK_LINKS),
    (norm_sparsifies.NEAR, norm_core.NEAR_LINKS),
    (norm_sparsifies.FAR, norm_core.FAR_LINKS),
    (norm_sparsifies.SPARSE, norm_core.SPARSE_LINKS),
    (norm_sparsifies.BOUNDED, norm_core.BOUNDED_LINKS),
    (norm_sparsifies.KEYS, norm_core.KEYS_LINKS),
    (logit_gap.LOGIT_GAP, gap_core.GAP_LINKS),
    (logit_gap.STRICT, gap_core.STRICT_LINKS),
    (logit_gap.CONVERSE, gap_core.CONVERSE_LINKS),
    (spike_chain.CHAIN, chain_core.CHAIN_LINKS),
    (spike_chain.DIRECTION, chain_core.DIRECTION_LINKS),
    (spike_chain.GAP, chain_core.GAP_LINKS),
    (sandwich_bound.SANDWICH, sandwich_core.SANDWICH_LINKS),
    (sandwich_bound.BLOCKS, sandwich_core.BLOCKS_LINKS),
    (sandwich_bound.PRE_NORM, sandwich_core.PRE_NORM_LINKS),
    (head_dimension.CEILING, dimension_core.CEILING_LINKS),
    (head_dimension.LOGIT, dimension_core.LOGIT_LINKS),
    (head_dimension.NEEDED, dimension_core.NEEDED_LINKS),
    (decoupling.SINKS_WITHOUT_SPIKES, decoupling_core.LINKS),
    (spike_gauge.GAUGE, gauge_core.GAUGE_LINKS),
    (spike_gauge.LIPSCHITZ, gauge_core.DIRECTION_LINKS),
    (sink_is_gate.GATE, gate_core.GATE_LINKS),
    (sink_is_gate.HALF, gate_core.HALF_LINKS),
    (silence_by_averaging.SILENCE, silence_core.SILENCE_LINKS),
    (silence_by_averaging.UNEVEN, silence_core.UNEVEN_LINKS),
    (silence_by_averaging.RMS, silence_core.RMS_LINKS),
    (silence_by_averaging.NO_SINK, silence_core.NO_SINK_LINKS),
    (rope_budget.BUDGET, rope_core.BUDGET_LINKS),
    (rope_budget.DIRICHLET, rope_core.DIRICHLET_LINKS),
    (head_norm_tradeoff.TRADEOFF, tradeoff_core.BOTH_LINKS),
    (head_norm_tradeoff.ENTRYWISE, tradeoff_core.ENTRY_LINKS),
    (head_norm_tradeoff.SQUARES, tradeoff_core.SQUARE_LINKS),
]


@pytest.mark.parametrize(("statement", "links"), PROVED, ids=lambda x: getattr(x, "name", ""))
def test_the_last_step_is_the_statement_itself(statement, links) -> None:
    core = links[-1].core
    assert core.conclusion == statement.conclusion
    assert set(statement.hypotheses) <= set(core.hypotheses)


@pytest.mark.parametrize(("statement", "links"), PROVED, ids=lambda x: getattr(x, "name", ""))
def test_its_conclusion_is_not_among_its_hypotheses(statement, links) -> None:
    """Nor does it follow from the statement's own hypotheses alone: the steps are needed."""
    core = links[-1].core
    assert core.conclusion not in core.hypotheses
    bare = replace(core, hypotheses=statement.hypotheses, hints=())
    assert prove(bare, timeout_s=0.5).status is not Status.PROVED


def test_every_arithmetic_proof_of_a_spike_claim_is_listed() -> None:
    ids = {home.CLAIM.id for home in HOMES}
    proved = {e.statement for e in discover(("theorems",)) if e.kind == "smt" and e.claim in ids}
    assert proved == {statement.name for statement, _ in PROVED}


def test_a_statement_that_is_not_proved_for_all_sizes_is_a_network() -> None:
    """What has no arithmetic core is settled by the very network it speaks of, or in Coq."""
    stated = {s.name for home in HOMES for s in home.CLAIM.statements}
    without = stated - {statement.name for statement, _ in PROVED}
    assert without == {
        "spike_chain.network",
        "decoupling",
        "decoupling.spikes_without_sinks",
        "decoupling.gated",
    }
    for name in without:
        kinds = {e.kind for e in discover() if e.statement == name and e.settles}
        assert kinds <= {"exact", "certified", "kernel"}
        assert kinds


def test_no_two_steps_share_a_name() -> None:
    """The tests of ``tests/smt`` go by name: a shared one would hide a step."""
    cores = {id(link.core): link.core for _, links in PROVED for link in links}
    names = [core.name for core in cores.values()]
    assert len(set(names)) == len(names)
