"""Statuses, computed from evidence: nothing is typed by hand.

A statement has the status of the strongest kind of passed evidence that *settles* it (see
``theorems.evidence``): a proof of the statement itself, not of a lemma, a witness or an example.
A claim has the status of its own (first) statement.  An empirical claim has no statement; it takes
the most cautious finding of its runs.  Failed evidence for any statement outweighs what passed.
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
    """A status and, in one line, the figure or reason behind it; ``failed`` if evidence failed."""

    status: Status
    why: str
    failed: bool = False


def judge(entries: Iterable[Entry], *, empirical: bool = False) -> Verdict:
    """The verdict on one statement, or on an empirical claim, from its current entries."""
    entries = list(entries)
    if (failure := _failure(entries)) is not None:
        return failure
    passed = [e for e in entries if e.status == "passed"]
    certified = [e for e in passed if e.kind == Kind.CERTIFIED and e.settles]
    if empirical:
        for finding in CAUTIOUS:
            for e in passed:
                if e.finding == finding:
                    if finding is Finding.REPRODUCED and certified:
                        return Verdict(Status.CERTIFIED, certified[0].figure)
                    return Verdict(Status(str(finding)), e.figure)
    else:
        for kind, status in BY_KIND.items():
            for e in passed:
                if e.kind == kind and e.settles:
                    return Verdict(status, e.figure)
    if passed:
        strongest = min(passed, key=lambda e: list(Kind).index(Kind(e.kind)))
        return Verdict(Status.OPEN, f"only {strongest.kind} evidence: {strongest.figure}")
    return Verdict(Status.OPEN, "no evidence has been run")


def _failure(entries: Iterable[Entry]) -> Verdict | None:
    """What a failed entry says: a counterexample first, then a negative finding, then a fault."""
    failed = [e for e in entries if e.status == "failed"]
    for e in failed:
        if e.figures.get("counterexample"):
            why = f"counterexample by {e.kind} {e.name}: {e.figure}"
            return Verdict(Status.CONTRADICTED, why, failed=True)
    for finding in CAUTIOUS[:3]:
        for e in failed:
            if e.finding == finding:
                return Verdict(Status(str(finding)), e.figure, failed=True)
    for e in failed:
        why = f"evidence failed: {e.kind} {e.name}: {e.figure}"
        return Verdict(Status.OPEN, why, failed=True)
    return None


def statement_verdicts(
    claim: Claim, items: Iterable[Evidence], entries: Mapping[str, Entry]
) -> dict[str, Verdict]:
    """The verdict on every statement of ``claim`` by name (the claim's id when it has none).

    Evidence for statements that are not in ``claim`` is left out.
    """
    names = [s.name for s in claim.statements] or [claim.id]
    by_name: dict[str, list[Entry]] = {name: [] for name in names}
    for item in items:
        if item.claim != claim.id or item.statement not in by_name:
            continue
        if (found := current(item, entries)) is not None:
            by_name[item.statement].append(found)
    empirical = not claim.statements
    return {name: judge(found, empirical=empirical) for name, found in by_name.items()}


def claim_verdict(claim: Claim, items: Iterable[Evidence], entries: Mapping[str, Entry]) -> Verdict:
    """The verdict on ``claim``: that of its first statement, unless evidence for another failed."""
    verdicts = list(statement_verdicts(claim, items, entries).values())
    failed = [v for v in verdicts if v.failed]
    contradicted = [v for v in failed if v.status is Status.CONTRADICTED]
    return (contradicted or failed or verdicts)[0]
