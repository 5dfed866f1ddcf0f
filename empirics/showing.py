"""Claims as the ledger knows them: statements, statuses and evidence, shown without running it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from empirics.verification import MARK
from theorems import claims
from theorems.claim import Claim
from theorems.evidence import Evidence
from theorems.files import versions
from theorems.ledger import Entry, current
from theorems.paper_map import answered
from theorems.plain_text import plain
from theorems.status import claim_verdict, statement_verdicts


def claim_object(
    claim: Claim, items: Sequence[Evidence], entries: Mapping[str, Entry]
) -> dict[str, Any]:
    """A claim with its statements and the ledger's view of its evidence, for machines."""
    verdicts = statement_verdicts(claim, items, entries)
    return {
        "claim": claim.id,
        "title": claim.title,
        "papers": list(claim.papers),
        "status": str(claim_verdict(claim, items, entries).status),
        "statements": [
            {
                "name": s.name,
                "title": s.title,
                "setting": s.setting,
                "hypotheses": [str(h) for h in s.hypotheses],
                "conclusion": str(s.conclusion),
                "where": {str(k): str(v) for k, v in s.where.items()},
                "latex": s.latex(),
                "paper": s.paper,
                "ours": s.ours,
                "proof_idea": s.proof_idea,
                "status": str(verdicts[s.name].status),
            }
            for s in claim.statements
        ],
        "evidence": [
            _evidence_object(i, entries)
            for i in items
            if i.claim == claim.id and i.statement in verdicts
        ],
        "figures": {},
        "settings": {},
        "versions": versions(),
    }


def _evidence_object(item: Evidence, entries: Mapping[str, Entry]) -> dict[str, Any]:
    found = current(item, entries)
    return {
        "id": item.id,
        "statement": item.statement,
        "kind": str(item.kind),
        "mode": str(item.mode),
        "says": item.says,
        "file": item.module.replace(".", "/") + ".py",
        "test": f"tests/test_evidence.py::test_evidence[{item.id}]",
        "status": found.status if found else "not-run",
        "figure": found.figure if found else None,
    }


def print_claim(
    claim: Claim,
    items: Sequence[Evidence],
    entries: Mapping[str, Entry],
    console: Console,
    *,
    latex: bool = False,
) -> None:
    """A claim as text: statements, constants, the paper's form, proof idea, evidence."""
    verdicts = statement_verdicts(claim, items, entries)
    console.print(f"[bold]{claim.id}[/]  {claim.title}", highlight=False)
    if claim.papers:
        console.print(f"answers {', '.join(answered(claim))}", highlight=False)
    for s in claim.statements:
        console.print(f"\n[bold]{s.name}[/]  {escape(s.title)}", highlight=False)
        console.print(escape(s.latex() if latex else s.text()), highlight=False, soft_wrap=latex)
        for name, text in s.symbols.items():
            console.print(f"  {_greek(name)}: {escape(text)}", style="dim", highlight=False)
        console.print(f"paper: {escape(s.paper)}\nours:  {escape(s.ours)}", highlight=False)
        console.print(f"proof: {escape(s.proof_idea)}", highlight=False)
        verdict = verdicts[s.name]
        console.print(f"status: [bold]{verdict.status}[/] ({escape(verdict.why)})", highlight=False)
        _print_evidence(claim, s.name, items, entries, console)
    if not claim.statements:
        verdict = claim_verdict(claim, items, entries)
        console.print(f"status: [bold]{verdict.status}[/] ({escape(verdict.why)})", highlight=False)
        _print_evidence(claim, claim.id, items, entries, console)


def _print_evidence(
    claim: Claim,
    statement: str,
    items: Sequence[Evidence],
    entries: Mapping[str, Entry],
    console: Console,
) -> None:
    for item in items:
        if (item.claim, item.statement) == (claim.id, statement):
            found = current(item, entries)
            result = MARK[found.status] if found else MARK["not-run"]
            figure = escape(found.figure) if found else escape(item.says)
            console.print(f"  {item.kind:9} {result}  {figure}", highlight=False)
            console.print(
                f"            {item.module.replace('.', '/')}.py::{item.name}",
                style="dim",
                highlight=False,
            )


def _greek(name: str) -> str:
    return plain(sp.Symbol(name))


def listing(items: Sequence[Evidence], entries: Mapping[str, Entry]) -> list[dict[str, Any]]:
    """Every claim with papers, title and status."""
    rows = []
    for claim in claims.everything():
        verdict = claim_verdict(claim, items, entries)
        rows.append(
            {
                "claim": claim.id,
                "papers": list(claim.papers),
                "answers": answered(claim),
                "title": claim.title,
                "status": str(verdict.status),
                "why": verdict.why,
            }
        )
    return rows


def print_listing(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """The listing as a table."""
    table = Table()
    for column in ("claim", "answers", "status", "says"):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(
            row["claim"], ", ".join(row["answers"]), row["status"], escape(str(row["title"]))
        )
    console.print(table)
