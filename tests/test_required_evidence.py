"""A suite that loses the evidence of a claim fails: what must be there, claim by claim."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from theorems import claims
from theorems.evidence import Evidence, Kind, discover

REQUIRED = {
    "trigger_task": {Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "one_layer_sink": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "deep_sink": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "relu_no_sink": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "sink_price": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "anchor_needed": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED, Kind.TRAINED},
    "softmax_trained_sink": {Kind.TRAINED},
    "relu_trained_no_sink": {Kind.TRAINED},
    "heads_that_sink": {Kind.TRAINED},
    "mechanisms": {Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED, Kind.TRAINED},
    "p0_circuit": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "causal_asymmetry": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED},
    "norm_stability": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "first_layer_ceiling": {Kind.KERNEL, Kind.EXACT, Kind.SEARCHED},
    "repeated_tokens": {Kind.KERNEL, Kind.MEASURED, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "nonlinearity_needed": {Kind.KERNEL, Kind.SMT, Kind.CERTIFIED, Kind.SEARCHED},
    "sink_free_softmax": {Kind.KERNEL, Kind.EXACT, Kind.CERTIFIED},
    "quadratic_amplifier": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "norm_sparsifies": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "logit_gap": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "spike_chain": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "sandwich_bound": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "head_dimension": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "decoupling": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "spike_gauge": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "sink_is_gate": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "silence_by_averaging": {Kind.KERNEL, Kind.SMT, Kind.EXACT, Kind.SEARCHED},
    "rope_budget": {Kind.SMT, Kind.EXACT, Kind.CERTIFIED, Kind.SEARCHED},
    "head_norm_tradeoff": {Kind.SMT, Kind.EXACT, Kind.SEARCHED},
}


def lost(items: Iterable[Evidence]) -> list[str]:
    """The required kinds that ``items`` lack, as sentences."""
    there = {(item.claim, item.kind) for item in items}
    return [
        f"{claim} has no {kind} evidence"
        for claim, kinds in REQUIRED.items()
        for kind in sorted(kinds)
        if (claim, kind) not in there
    ]


def test_no_claim_has_lost_its_evidence() -> None:
    assert lost(discover()) == []


@pytest.mark.parametrize("claim", REQUIRED)
def test_losing_one_kind_is_noticed(claim: str) -> None:
    for kind in REQUIRED[claim]:
        kept = [i for i in discover() if (i.claim, i.kind) != (claim, kind)]
        assert lost(kept) == [f"{claim} has no {kind} evidence"]


def test_every_statement_has_evidence_and_every_evidence_a_statement() -> None:
    supported = {(item.claim, item.statement) for item in discover()}
    stated = {(c.id, s.name) for c in claims.everything() for s in c.statements}
    empirical = {(c.id, c.id) for c in claims.everything() if not c.statements}
    assert stated - supported == set(), "statements without any evidence"
    assert supported - stated - empirical == set(), "evidence for a statement that does not exist"
