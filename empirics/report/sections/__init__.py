"""The sections of the page, one module each, in the order in which they are read.

A section is its figures and, beside the page's other assets, a template of the same name that shows
nothing but them (and a script, if it has one).  To add one, write the two and list the module here.
"""

from __future__ import annotations

from empirics.report.sections import attention, bound, graph, ledger, mechanisms, price, rows
from empirics.report.sections.section import Section

SECTIONS: tuple[Section, ...] = (
    attention.SECTION,
    ledger.SECTION,
    graph.SECTION,
    bound.SECTION,
    rows.SECTION,
    mechanisms.SECTION,
    price.SECTION,
)
"""In the page's order."""
