"""A pin of position zero breaks when the registry's statement changes a little."""

from __future__ import annotations

import functools
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.negatives.kernel_position_zero_cases import CASES, Case, honest
from theorems import kernel, kernel_sources
from theorems.kernel_pins import pin, pins
from theorems.kernel_tables import TEMPLATES

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


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


def test_every_false_variant_is_refuted_in_coq() -> None:
    source = (kernel.PROOFS / "PositionZeroNegatives.v").read_text("utf-8")
    code = kernel_sources.without_comments(source)
    variants = re.findall(r"Definition (\w+) : Prop", code)
    assert len(variants) >= 12
    assert variants == re.findall(r"Lemma (\w+)_is_false : ~ \1\.", code)
