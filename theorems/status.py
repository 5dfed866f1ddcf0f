"""Statuses, computed from evidence: nothing is typed by hand.

The status of a statement is that of its strongest kind of passed evidence; a claim's status is that
of its own (first) statement.  An empirical claim takes the most cautious finding of its runs.  Any
failed evidence outweighs all that passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from theorems.claim import Claim
from theorems.evidence import Evidence, Finding, Kind
from theorems.ledger import Entry, current


class Status(StrEnum):
    """What may be said of a statement, strongest first."""

    KERNEL = "proved (kernel)"
    SMT = "proved (arithmetic core by SMT only)"
    EXACT = "constructed (exact)"
    CERTIFIED = "certified"
    REPRODUCED = "reproduced"
    SMALL_SCALE = "reproduced at small scale"
    NOT_REPRODUCED = "not reproduced"
    INCONCLUSIVE = "inconclusive"
    CONTRADICTED = "contradicted"
    OPEN = "open"


BY_KIND = {
    Kind.KERNEL: Status.KERNEL,
    Kind.SMT: Status.SMT,
    Kind.EXACT: Status.EXACT,
    Kind.CERTIFIED: Status.CERTIFIED,
}
"""The status that a passed kind gives by itself; search and training need more."""

CAUTIOUS = (
    Finding.CONTRADICTED,
    Finding.NOT_REPRODUCED,
    Finding.INCONCLUSIVE,
    Finding.SMALL_SCALE,
    Finding.REPRODUCED,
)


@dataclass(frozen=True)
class Verdict:
    """A status and, in one line, the figure or reason behind it."""

    status: Status
    why: str


def judge(entries: Iterable[Entry]) -> Verdict:
    """The verdict on one statement (or empirical claim) from its current entries."""
    entries = list(entries)
    for e in entries:
        if e.status == "failed":
            if e.figures.get("counterexample"):
                return Verdict(Status.CONTRADICTED, f"{e.kind} {e.name}: {e.figure}")
            return Verdict(Status.OPEN, f"evidence failed: {e.kind} {e.name}: {e.figure}")
    passed = {Kind(e.kind): e for e in reversed(entries) if e.status == "passed"}
    for kind, status in BY_KIND.items():
        if kind in passed:
            return Verdict(status, passed[kind].figure)
    for finding in CAUTIOUS:
        for e in entries:
            if e.status == "passed" and e.finding == finding:
                return Verdict(Status(str(finding)), e.figure)
    if passed:
        strongest = next(k for k in Kind if k in passed)
        return Verdict(Status.OPEN, f"only {strongest}: {passed[strongest].figure}")
    return Verdict(Status.OPEN, "no evidence has been run")


def statement_verdicts(
    claim: Claim, items: Iterable[Evidence], entries: Mapping[str, Entry]
) -> dict[str, Verdict]:
    """The verdict on every statement of ``claim`` by name (the claim's id when it has none)."""
    names = [s.name for s in claim.statements] or [claim.id]
    by_name: dict[str, list[Entry]] = {name: [] for name in names}
    for item in items:
        if item.claim == claim.id and (found := current(item, entries)) is not None:
            by_name[item.statement].append(found)
    return {name: judge(found) for name, found in by_name.items()}


def claim_verdict(claim: Claim, items: Iterable[Evidence], entries: Mapping[str, Entry]) -> Verdict:
    """The verdict on ``claim``: that of its first statement, unless another one failed."""
    verdicts = list(statement_verdicts(claim, items, entries).values())
    broken = [v for v in verdicts if v.status is Status.CONTRADICTED]
    return broken[0] if broken else verdicts[0]
