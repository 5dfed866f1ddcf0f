"""Every piece of evidence as a test, named ``claim/kind/name``."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable

import pytest

from theorems.evidence import Evidence, Kind, Mode, Run, discover
from theorems.ledger import entry


def marked(item: Evidence) -> object:
    """``item`` as a parameter with its marks."""
    marks = ["search" if item.kind is Kind.SEARCHED else str(item.kind)]
    marks += ["slow"] if item.mode is not Mode.QUICK else []
    marks += ["full"] if item.mode is Mode.FULL else []
    return pytest.param(item, id=item.id, marks=[getattr(pytest.mark, m) for m in marks])


@pytest.mark.parametrize("item", [marked(item) for item in discover()])
def test_evidence(
    item: Evidence,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    asked = Mode(request.config.getoption("--mode"))
    run = Run(mode=asked if item.mode.rank <= asked.rank else item.mode)
    outcome = item.collect(run)
    made = dataclasses.asdict(entry(item, outcome, run))
    record_property("evidence", json.dumps(made, default=str))
    if outcome.status == "not-run":
        if os.environ.get("CI"):
            pytest.fail(f"evidence could not run, which CI does not allow: {outcome.figure}")
        pytest.skip(outcome.figure)
    assert outcome.status == "passed", outcome.figure
