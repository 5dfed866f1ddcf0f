"""Running evidence: one table of claims × evidence, for people and for machines."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from empirics.doctor import processors
from theorems.claim import Claim
from theorems.errors import UserError
from theorems.evidence import ROOMS, Evidence, Kind, Mode, Outcome, Run, discover
from theorems.files import versions
from theorems.ledger import Entry, entry, read, record
from theorems.paper_map import answered
from theorems.sources import ROOT, forget, source_hash
from theorems.status import Verdict, claim_verdict

MARK = {"passed": "[green]passed[/]", "failed": "[red]FAILED[/]", "not-run": "[yellow]not run[/]"}


@dataclass(frozen=True)
class Verification:
    """What one ``verify`` ran: outcomes in order, and the verdict on each claim afterwards."""

    claims: Sequence[Claim]
    outcomes: Sequence[tuple[Evidence, Outcome]]
    verdicts: Mapping[str, Verdict]
    mode: Mode
    seed: int

    @property
    def failed(self) -> bool:
        return any(o.status == "failed" for _, o in self.outcomes)

    @property
    def not_run(self) -> bool:
        return any(o.status == "not-run" for _, o in self.outcomes)


def run_evidence(
    wanted: Sequence[Claim],
    *,
    mode: Mode,
    kinds: Sequence[Kind],
    seed: int,
    ledger: Path | None,
    console: Console,
) -> Verification:
    """Run the evidence of ``wanted`` that belongs to ``mode`` and ``kinds``; record it.

    Raises ``UserError`` when nothing matches.
    """
    items = discover()
    ids = [c.id for c in wanted]
    wanted_statements = {(c.id, s.name) for c in wanted for s in c.statements}
    wanted_statements |= {(c.id, c.id) for c in wanted if not c.statements}
    chosen = [
        item
        for item in items
        if (item.claim, item.statement) in wanted_statements
        and item.kind in kinds
        and item.mode.rank <= mode.rank
    ]
    if not chosen:
        raise UserError(
            f"no evidence of kind {', '.join(kinds)} in mode {mode} for {', '.join(ids)}: "
            "`sinkproof show NAME` lists what there is"
        )
    chosen.sort(key=lambda item: (ids.index(item.claim), list(Kind).index(item.kind), item.name))
    outcomes = []
    fresh: dict[str, Entry] = {}
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        overall = bar.add_task("all evidence", total=len(chosen))
        for item in chosen:
            current_task = bar.add_task(item.id, total=1.0)

            def report(share: float, note: str = "", task: Any = current_task) -> None:
                bar.update(task, completed=share)

            outcome, made = run_one(item, Run(mode=mode, seed=seed, progress=report))
            outcomes.append((item, outcome))
            if made is not None:
                fresh[item.id] = made
                if ledger is not None:
                    record(made, ledger)
            bar.remove_task(current_task)
            bar.advance(overall)
    known = {**(read(ledger) if ledger is not None else {})}
    # What just ran decides, even where the ledger keeps an entry from a larger mode.
    known.update({id: e for id, e in fresh.items() if ledger is None or e.status == "failed"})
    verdicts = {c.id: claim_verdict(c, items, known) for c in wanted}
    return Verification(wanted, outcomes, verdicts, mode, seed)


def run_one(item: Evidence, run: Run) -> tuple[Outcome, Entry | None]:
    """Run ``item``; its entry speaks of the sources only if they stayed the same meanwhile."""
    try:
        before = source_hash(item)
    except FileNotFoundError as missing:
        return Outcome("not-run", str(missing)), None
    stamps = _stamps()
    outcome = item.collect(run)
    if _stamps() != stamps:
        forget()
    if source_hash(item) != before:
        changed = "its sources were changed while it ran: run it again"
        return Outcome("not-run", changed, seconds=outcome.seconds), None
    return outcome, entry(item, outcome, run)


def _stamps() -> list[tuple[int, int]]:
    """When each module was last written, and its size: whether to read the sources anew."""
    found = [p.stat() for room in ROOMS for p in sorted((ROOT / room).rglob("*.py"))]
    return [(stat.st_mtime_ns, stat.st_size) for stat in found]


def as_object(report: Verification) -> dict[str, Any]:
    """The machine-readable form of a verification."""
    rows = []
    for claim in report.claims:
        mine = [(i, o) for i, o in report.outcomes if i.claim == claim.id]
        if not mine:
            continue
        verdict = report.verdicts[claim.id]
        rows.append(
            {
                "id": claim.id,
                "claim": claim.id,
                "papers": list(claim.papers),
                "status": str(verdict.status),
                "evidence": [
                    {
                        "kind": str(i.kind),
                        "status": o.status,
                        "figure": o.figure,
                        "seconds": round(o.seconds, 3),
                        "name": i.name,
                        "statement": i.statement,
                        "says": i.says,
                        "finding": str(o.finding) if o.finding else None,
                        "figures": dict(o.figures),
                    }
                    for i, o in mine
                ],
            }
        )
    worst = "failed" if report.failed else "not-run" if report.not_run else "passed"
    counts = {s: sum(o.status == s for _, o in report.outcomes) for s in MARK}
    return {
        "subject": "verify",
        "status": worst,
        "figures": counts,
        "claims": rows,
        "settings": {"mode": str(report.mode), "seed": report.seed},
        "versions": versions(),
        "environment": {"platform": platform.platform(), "processors": processors()},
    }


def print_table(report: Verification, console: Console) -> None:
    """The table of claims × evidence with figures, claim by claim."""
    title = f"sinkproof verify, mode {report.mode}, seed {report.seed}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("figure", overflow="fold", ratio=1)
    table.add_column("s", justify="right", no_wrap=True)
    for claim in report.claims:
        mine = [(i, o) for i, o in report.outcomes if i.claim == claim.id]
        if not mine:
            continue
        names = f"{claim.id} {', '.join(answered(claim))}".strip()
        status = report.verdicts[claim.id].status
        table.add_row("[bold]claim[/]", "", f"[bold]{names}: {status}[/]", "")
        for item, outcome in mine:
            part = escape(item.statement.removeprefix(claim.id))
            figure = f"[dim]{part}[/] {escape(outcome.figure)}" if part else escape(outcome.figure)
            seconds = f"{outcome.seconds:.1f}"
            table.add_row(str(item.kind), MARK[outcome.status], figure, seconds)
        table.add_section()
    console.print(table)
    counts = {s: sum(o.status == s for _, o in report.outcomes) for s in MARK}
    total = sum(o.seconds for _, o in report.outcomes)
    console.print(
        f"{counts['passed']} passed, {counts['failed']} failed, {counts['not-run']} not run "
        f"in {total:.0f} s",
        highlight=False,
    )
    for item, outcome in report.outcomes:
        if outcome.status != "passed":
            console.print(f"{MARK[outcome.status]} {item.id}: {escape(outcome.figure)}")
