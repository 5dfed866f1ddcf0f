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
from theorems.evidence import Evidence, Finding, Kind, Mode, Outcome, Run
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
    settles: bool
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
        settles=item.settles,
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
            loaded = _entry(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError, KeyError, OSError):
            raise UserError(
                f"ledger entry {path.name} is damaged: delete it and run `sinkproof verify` to "
                "write it again"
            ) from None
        entries[loaded.id] = loaded
    return entries


def record(new: Entry, folder: Path = LEDGER) -> bool:
    """Write ``new`` unless the ledger already knows as much; return whether it wrote.

    A run that could not take place writes nothing.  While the sources stay the same, an entry from
    a larger mode is kept when a smaller run passes, and a failure is kept until a run with its seed
    and at least its mode passes.  An entry that differs only in date and versions is kept, so that
    running the evidence again leaves the ledger as it is.
    """
    if new.status == "not-run":
        return False
    path = folder / f"{new.id.replace('/', '.')}.json"
    if path.is_file():
        old = read_one(path)
        if old is not None and old.sources == new.sources and new.status == "passed":
            larger = Mode(old.mode).rank > Mode(new.mode).rank
            unanswered = old.status == "failed" and (larger or old.seed != new.seed)
            if unanswered or (old.status == "passed" and larger) or _essence(old) == _essence(new):
                return False
    write_json(path, asdict(new))
    return True


def read_one(path: Path) -> Entry | None:
    """The entry in ``path``, or ``None`` when it is damaged."""
    try:
        return _entry(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, KeyError, OSError):
        return None


def _entry(content: Any) -> Entry:
    """The entry that ``content`` holds; raises when it is not one."""
    found = Entry(**content)
    texts = (found.claim, found.statement, found.name, found.says, found.figure, found.sources)
    if not all(isinstance(text, str) for text in texts) or not isinstance(found.figures, dict):
        raise TypeError("a field is of the wrong kind")
    if found.status not in ("passed", "failed") or not isinstance(found.settles, bool):
        raise ValueError("its status is none")
    Kind(found.kind), Mode(found.mode), Finding(found.finding or Finding.REPRODUCED)
    return found


def current(item: Evidence, entries: Mapping[str, Entry]) -> Entry | None:
    """The entry of ``item`` if it still speaks of the present sources, and of the same thing."""
    found = entries.get(item.id)
    try:
        if found is None or found.sources != source_hash(item):
            return None
    except FileNotFoundError:  # a result that it rests on is gone
        return None
    same = (found.statement, found.says, found.settles) == (item.statement, item.says, item.settles)
    return found if same else None


def orphans(items: Iterable[Evidence], entries: Mapping[str, Entry]) -> list[str]:
    """Ids of entries whose evidence is no longer declared."""
    return sorted(set(entries) - {item.id for item in items})


def _essence(e: Entry) -> tuple[Any, ...]:
    plain = json.loads(json.dumps(e.figures, default=str))
    return (e.statement, e.status, e.figure, plain, e.finding, e.settles, e.mode, e.seed, e.says)
