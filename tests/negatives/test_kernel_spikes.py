"""A pin of spikes and sinks breaks when the registry's statement changes a little."""

from __future__ import annotations

import functools
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.negatives.kernel_position_zero_cases import Case
from tests.negatives.kernel_spike_cases import CASES
from theorems import claims, kernel, kernel_sources
from theorems.kernel_pins import pin, pins
from theorems.kernel_tables import TEMPLATES, THEOREMS
from theorems.statement import Statement

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


def honest(coq: str) -> Statement:
    """The registry's statement of the Coq theorem ``coq``."""
    theorem = next(t for t in THEOREMS if t.coq == coq)
    return claims.get(theorem.claim).statement(theorem.statement)


def answer_to(case: Case) -> str:
    """What the driver says when the statement is the changed one."""
    wrong = pin(case.coq, case.change(honest(case.coq)), TEMPLATES[case.coq])
    try:
        return f"accepted: {kernel.check_proofs([case.coq], replace(pins({}), pins=(wrong,)))}"
    except kernel.KernelError as refusal:
        return str(refusal)


@functools.cache
def answers() -> dict[Case, str]:
    """The answers to all cases, two at a time."""
    kernel.build(kernel.PROOFS, kernel.project_files(kernel.PROOFS), kernel.default_cache())
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(CASES, pool.map(answer_to, CASES), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.coq}: {c.what}")
def test_a_changed_statement_breaks_its_pin(case: Case) -> None:
    statement = honest(case.coq)
    assert case.change(statement) != statement
    assert answers()[case].startswith("coqc refuses")


def test_false_variants_are_refuted_in_coq() -> None:
    source = (kernel.PROOFS / "SpikeNegatives.v").read_text("utf-8")
    refuted = re.findall(r"_is_false : ~ \(forall", kernel_sources.without_comments(source))
    assert len(refuted) == 20, "two for each group"
