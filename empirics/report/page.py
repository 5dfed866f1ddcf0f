"""The page: one HTML file with its styles, scripts and figures inside."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from empirics.report.links import Links
from empirics.report.mathml import markup
from empirics.report.prose import prose
from empirics.report.sections import SECTIONS
from empirics.report.sections.section import Known
from theorems import claims
from theorems.files import versions
from theorems.sources import CHECKOUT
from theorems.statement import Statement

ASSETS = Path(__file__).parent / "assets"


def report_object(known: Known) -> dict[str, Any]:
    """All that the page shows, for machines."""
    entries = known.entries.values()
    return {
        "subject": "report",
        "status": "done",
        "figures": {section.name: section.figures(known) for section in SECTIONS},
        "settings": {
            "checkout": CHECKOUT,
            "ledger_entries": len(known.entries),
            "newest_entry": max((e.date for e in entries), default=None),
        },
        "versions": versions(),
    }


def environment(links: Links) -> jinja2.Environment:
    """The templates, with links as a page in that place needs them."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["prose"] = prose
    made.globals |= {
        "asset": _asset,
        "has": lambda name: (ASSETS / name).is_file(),
        "link": links.to,
        "formulas": _formulas,
    }
    return made


def render(content: Mapping[str, Any], folder: Path) -> str:
    """The page for ``content`` (see ``report_object``), to be written into ``folder``."""
    template = environment(Links(folder.resolve())).get_template("page.html")
    return template.render(content=content, sections=SECTIONS)


def _asset(name: str) -> Markup:
    """A style sheet or script of the package, to stand inside the page."""
    return Markup((ASSETS / name).read_text(encoding="utf-8"))


@functools.cache
def _formulas(name: str) -> dict[str, Any]:
    """The formulas of the statement ``name`` as MathML: hypotheses, conclusion and constants."""
    statement = _statements()[name]
    return {
        "hypotheses": [Markup(markup(h)) for h in statement.hypotheses],
        "conclusion": Markup(markup(statement.conclusion, block=True)),
        "where": [
            (Markup(markup(symbol)), Markup(markup(value)))
            for symbol, value in statement.where.items()
        ],
    }


@functools.cache
def _statements() -> dict[str, Statement]:
    return {s.name: s for claim in claims.everything() for s in claim.statements}
