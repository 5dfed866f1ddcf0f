"""``sinkproof report``: write the page, and open it."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from empirics.report.page import render, report_object
from empirics.report.sections.section import Known
from theorems.errors import UserError
from theorems.evidence import discover
from theorems.files import write_atomically
from theorems.ledger import Entry

PAGE = "index.html"


def contents(entries: Mapping[str, Entry]) -> dict[str, Any]:
    """What the page shows, with statuses from ``entries``."""
    return report_object(Known(discover(), entries))


def write(content: Mapping[str, Any], folder: Path) -> Path:
    """Write the page into ``folder``, made where it is missing; return its path.

    Raises ``UserError`` when ``folder`` is a file or may not be written.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError(f"--out {folder} is a file: give the folder for the page")
    path = folder / PAGE
    write_atomically(path, render(content, folder).encode())
    return path


def show(path: Path) -> bool:
    """Open the page in the user's browser; whether one was found."""
    return webbrowser.open(path.resolve().as_uri())
