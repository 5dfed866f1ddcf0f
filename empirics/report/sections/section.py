"""What a section of the page is, and what all of them know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from theorems.evidence import Evidence
from theorems.ledger import Entry


@dataclass(frozen=True)
class Known:
    """Declared evidence and the ledger's entries: what every status comes from."""

    items: Sequence[Evidence]
    entries: Mapping[str, Entry]


@dataclass(frozen=True)
class Section:
    """``figures`` gives all that the section shows as JSON values; ``name`` names its template.

    ``drawings`` are its pictures, made from those figures.  A section without results says so in
    its figures: ``{"missing": how to make them}``.
    """

    name: str
    title: str
    figures: Callable[[Known], dict[str, Any]]
    drawings: Callable[[dict[str, Any]], dict[str, Markup]] = lambda figures: {}
