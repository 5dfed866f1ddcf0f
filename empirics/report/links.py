"""Where the page points: the project's own files, from wherever the page is written."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from theorems.evidence import Evidence
from theorems.sources import ROOT

EVIDENCE_TESTS = "tests/test_evidence.py"
"""The file in which pytest runs every piece of evidence, one test each."""


@dataclass(frozen=True)
class Links:
    """Addresses of project files for a page in ``folder``."""

    folder: Path

    def to(self, path: str) -> str | None:
        """The address of ``path`` (from the project's root), ``None`` if there is no such file."""
        target = ROOT / path
        if not target.exists():
            return None
        return Path(os.path.relpath(target, self.folder)).as_posix()


def source(item: Evidence) -> str:
    """The file that declares ``item``, from the project's root."""
    path = item.module.replace(".", "/")
    return f"{path}.py" if (ROOT / f"{path}.py").is_file() else f"{path}/__init__.py"


def test_name(item: Evidence) -> str:
    """What pytest calls ``item``."""
    return f"{EVIDENCE_TESTS}::test_evidence[{item.id}]"


def coq_file(theorem: str) -> str | None:
    """The file of ``theorems/proofs`` that proves ``theorem``, from the project's root."""
    for path in sorted((ROOT / "theorems" / "proofs").glob("*.v")):
        if f"\nTheorem {theorem}_proof " in path.read_text(encoding="utf-8"):
            return path.relative_to(ROOT).as_posix()
    return None


class _Reader(HTMLParser):
    """Collects the ids and the addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            elif name in ("href", "src"):
                self.addresses.append(value or "")


def _read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    return reader


def broken(html: str, folder: Path) -> list[str]:
    """What is wrong with a page in ``folder``: ids used twice, addresses that lead nowhere.

    An address outside this machine is wrong too: the page is read without a network.
    """
    reader = _read(html)
    bad = [id for id, count in reader.ids.items() if count > 1]
    for address in reader.addresses:
        if address.startswith("data:"):
            continue
        path, _, anchor = address.partition("#")
        path = path.partition("?")[0]
        there = folder / unquote(path)
        if "://" in path or (path and not there.exists()):
            bad.append(address)
        elif anchor and (not path or there.suffix == ".html"):
            page = _read(there.read_text("utf-8")) if path else reader
            if unquote(anchor) not in page.ids:
                bad.append(address)
    return bad
