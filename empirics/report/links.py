"""Where the page points: the project's own files, from wherever the page is written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

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
