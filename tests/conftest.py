"""pytest as the proof check: evidence by claim and kind, and a ledger of claims at the end."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from empirics.search import profiles
from theorems import claims
from theorems.evidence import Kind
from theorems.ledger import Entry
from theorems.paper_map import answered
from theorems.status import judge

profiles.register()

MARKS = {kind: "search" if kind is Kind.SEARCHED else str(kind) for kind in Kind}


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--claim NAME`` (repeatable): only the evidence of these claims, by id or paper's id."""
    parser.addoption(
        "--claim", action="append", default=[], metavar="NAME", help="only evidence of this claim"
    )
    parser.addoption(
        "--mode",
        choices=["quick", "standard", "full"],
        default="standard",
        help="sizes of the evidence (evidence marked full always runs in full)",
    )


def pytest_configure(config: pytest.Config) -> None:
    for kind, mark in MARKS.items():
        config.addinivalue_line("markers", f"{mark}: evidence of kind {kind}")
    config.addinivalue_line("markers", "slow: needs more than the quick mode")
    config.addinivalue_line("markers", "full: long evidence, outside `make test`")
    try:
        for name in config.getoption("--claim"):
            claims.find(name)
    except claims.UserError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = {c.id for name in config.getoption("--claim") for c in claims.find(name)}
    if wanted:
        kept = [i for i in items if getattr(i, "callspec", None) and _claim_of(i) in wanted]
        config.hook.pytest_deselected(items=[i for i in items if i not in kept])
        items[:] = kept


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The ledger of claims: evidence by kind, and the status that this session supports."""
    by_claim: dict[str, list[Entry]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "evidence" and report.when == "call":
                    made = Entry(**json.loads(value))
                    by_claim.setdefault(made.claim, []).append(made)
    if not by_claim:
        return
    terminalreporter.section("ledger of claims")
    for claim in claims.everything():
        made = by_claim.get(claim.id)
        if made is None:
            continue
        passed = Counter(e.kind for e in made if e.status == "passed")
        of_all = Counter(e.kind for e in made)
        counts = "  ".join(f"{k} {passed[k]}/{of_all[k]}" for k in Kind if of_all[k])
        own = [e for e in made if e.statement == claim.id or e.status == "failed"]
        verdict = judge(own, empirical=not claim.statements)
        label = f"{claim.id} {', '.join(answered(claim))}"
        terminalreporter.write_line(f"{label:34} {verdict.status:38} {counts}")


def _claim_of(item: pytest.Item) -> str | None:
    evidence = item.callspec.params.get("item")  # type: ignore[attr-defined]
    return getattr(evidence, "claim", None)
