"""The ledger: one small JSON file for each piece of evidence that was run.

Statuses and ``paper_map.md`` are computed from these files alone.  An entry carries the hash of the
sources that it rests on; once that no longer matches, the entry counts as not run.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from theorems.errors import UserError
from theorems.evidence import Evidence, Mode, Outcome, Run
from theorems.files import versions, write_json
from theorems.sources import ROOT, source_hash

LEDGER = ROOT / "results" / "ledger"


@dataclass(frozen=True)
class Entry:
    """What one run of one piece of evidence showed."""

    claim: str
    statement: str
    kind: str
    name: str
    says: str
    file: str
    status: str
    figure: str
    figures: Mapping[str, Any]
    finding: str | None
    mode: str
    seed: int
    sources: str
    date: str
    versions: Mapping[str, str]

    @property
    def id(self) -> str:
        """The id of the evidence, ``claim/kind/name``."""
        return f"{self.claim}/{self.kind}/{self.name}"


def entry(item: Evidence, outcome: Outcome, run: Run) -> Entry:
    """The entry for ``outcome`` of ``item``, stamped with today's date and versions."""
    return Entry(
        claim=item.claim,
        statement=item.statement,
        kind=str(item.kind),
        name=item.name,
        says=item.says,
        file=item.module.replace(".", "/") + ".py",
        status=outcome.status,
        figure=outcome.figure,
        figures=dict(outcome.figures),
        finding=str(outcome.finding) if outcome.finding else None,
        mode=str(run.mode),
        seed=run.seed,
        sources=source_hash(item),
        date=datetime.date.today().isoformat(),
        versions=versions(),
    )


def read(folder: Path = LEDGER) -> dict[str, Entry]:
    """All entries in ``folder`` by id.  Raises ``UserError`` for a damaged file."""
    entries = {}
    for path in sorted(folder.glob("*.json")):
        try:
            loaded = Entry(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise UserError(
                f"ledger entry {path.name} is damaged ({error}): delete it and run "
                "`sinkproof verify` to write it again"
            ) from None
        entries[loaded.id] = loaded
    return entries


def record(new: Entry, folder: Path = LEDGER) -> bool:
    """Write ``new`` unless the ledger already knows as much; return whether it wrote.

    A run that could not take place writes nothing.  A passed entry from a larger mode that still
    matches its sources is kept when a smaller run passes too.  An entry that differs only in date
    and versions is kept, so that running the evidence again leaves the ledger as it is.
    """
    if new.status == "not-run":
        return False
    path = folder / f"{new.id.replace('/', '.')}.json"
    if path.is_file():
        old = read_one(path)
        if old is not None and old.sources == new.sources and old.status == new.status == "passed":
            larger = Mode(old.mode).rank > Mode(new.mode).rank
            if larger or _essence(old) == _essence(new):
                return False
    write_json(path, asdict(new))
    return True


def read_one(path: Path) -> Entry | None:
    """The entry in ``path``, or ``None`` when it is damaged."""
    try:
        return Entry(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        return None


def current(item: Evidence, entries: Mapping[str, Entry]) -> Entry | None:
    """The entry of ``item`` if there is one whose sources still match."""
    found = entries.get(item.id)
    return found if found is not None and found.sources == source_hash(item) else None


def orphans(items: Iterable[Evidence], entries: Mapping[str, Entry]) -> list[str]:
    """Ids of entries whose evidence is no longer declared."""
    return sorted(set(entries) - {item.id for item in items})


def _essence(e: Entry) -> tuple[Any, ...]:
    plain = json.loads(json.dumps(e.figures, default=str))
    return (e.statement, e.status, e.figure, plain, e.finding, e.mode, e.seed, e.says, e.file)
