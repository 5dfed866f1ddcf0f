"""What z3 proves for a statement on spikes and sinks is that statement, hypotheses and all."""

from __future__ import annotations

import pytest

from theorems.cores import logit_gap
from theorems.cores.chain import Link
from theorems.evidence import discover
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT
from theorems.smt import Core, Status, prove
from theorems.statement import Statement

PROVED: list[tuple[Statement, tuple[Link, ...]]] = [
    (LOGIT_GAP, logit_gap.GAP_LINKS),
    (STRICT, logit_gap.STRICT_LINKS),
    (CONVERSE, logit_gap.CONVERSE_LINKS),
]


def last(links: tuple[Link, ...]) -> Core:
    return links[-1].core


@pytest.mark.parametrize(("statement", "links"), PROVED, ids=lambda x: getattr(x, "name", ""))
def test_the_last_step_is_the_statement_itself(statement, links) -> None:
    assert last(links).conclusion == statement.conclusion
    assert set(statement.hypotheses) <= set(last(links).hypotheses)


@pytest.mark.parametrize(("statement", "links"), PROVED, ids=lambda x: getattr(x, "name", ""))
def test_its_false_variants_are_not_proved(statement, links) -> None:
    for link in links:
        for variant in link.false:
            assert prove(variant, timeout_s=1).status is not Status.PROVED


def test_every_arithmetic_proof_of_a_spike_claim_is_listed() -> None:
    claims = {statement.name.split(".")[0] for statement, _ in PROVED}
    proved = {e.statement for e in discover(("theorems",)) if e.kind == "smt" and e.claim in claims}
    assert proved == {statement.name for statement, _ in PROVED}
