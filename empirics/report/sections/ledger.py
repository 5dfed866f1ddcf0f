"""The ledger of claims: statements, statuses, and the evidence that each status comes from."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sympy as sp

from empirics.report.links import coq_file, source, test_name
from empirics.report.sections.section import Known, Section
from theorems import claims, papers
from theorems.claim import Claim
from theorems.evidence import Evidence, Kind
from theorems.ledger import current
from theorems.paper_map import answered
from theorems.plain_text import plain
from theorems.statement import Statement
from theorems.status import Status, Verdict, claim_verdict, statement_verdicts


def figures(known: Known) -> dict[str, Any]:
    """Every claim with its statements and evidence, and how many claims have each status."""
    shown = [_claim(claim, known) for claim in claims.everything()]
    counts = Counter(claim["status"] for claim in shown)
    return {
        "claims": shown,
        "counts": {str(status): counts[str(status)] for status in Status if counts[str(status)]},
        "kinds": [str(kind) for kind in Kind],
        "papers": papers.PAPERS,
    }


def _claim(claim: Claim, known: Known) -> dict[str, Any]:
    verdict = claim_verdict(claim, known.items, known.entries)
    verdicts = statement_verdicts(claim, known.items, known.entries)
    stated = {s.name: s for s in claim.statements}
    items = sorted(
        (item for item in known.items if item.claim == claim.id),
        key=lambda item: (list(Kind).index(item.kind), not item.settles, item.name),
    )
    mine = [_evidence(item, known) for item in items]
    parts = [_part(name, stated.get(name), verdict, mine) for name, verdict in verdicts.items()]
    return {
        "claim": claim.id,
        "title": claim.title,
        "answers": answered(claim),
        "papers": {p: papers.CLAIMS[p].text for p in claim.papers},
        "status": str(verdict.status),
        "why": verdict.why,
        "kinds": list(dict.fromkeys(e["kind"] for e in mine if e["status"] == "passed")),
        "statements": parts,
    }


def _part(
    name: str, statement: Statement | None, verdict: Verdict, evidence: list[dict[str, Any]]
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": name,
        "status": str(verdict.status),
        "why": verdict.why,
        "evidence": [e for e in evidence if e["statement"] == name],
    }
    if statement is not None:
        found |= {
            "title": statement.title,
            "setting": statement.setting,
            "text": statement.text(),
            "latex": statement.latex(),
            "symbols": {_letter(s): meaning for s, meaning in statement.symbols.items()},
            "paper": statement.paper,
            "ours": statement.ours,
            "proof_idea": statement.proof_idea,
        }
    return found


def _letter(name: str) -> str:
    return plain(sp.Symbol(name))


def _evidence(item: Evidence, known: Known) -> dict[str, Any]:
    found = current(item, known.entries)
    entry = {} if found is None else found.figures
    proof = coq_file(item.name) if item.kind is Kind.KERNEL else None
    return {
        "id": item.id,
        "statement": item.statement,
        "kind": str(item.kind),
        "says": item.says,
        "settles": item.settles,
        "status": found.status if found else "not-run",
        "finding": found.finding if found else None,
        "figure": found.figure if found else None,
        "mode": found.mode if found else str(item.mode),
        "axioms": [axiom.rpartition(".")[2] for axiom in entry.get("axioms", [])],
        "file": proof or source(item),
        "test": test_name(item),
    }


SECTION = Section("ledger", "The ledger of claims", figures)
