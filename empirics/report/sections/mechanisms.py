"""The mechanism table: is a sink necessary, is there a way without, and what does training find."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from empirics.mechanisms.figures import SINKS
from empirics.mechanisms.showing import bos_text, cell_text
from empirics.mechanisms.table import ROWS, Row, solved
from empirics.mechanisms.trained import SHAPES, heads
from empirics.report.sections.section import Known, Section
from empirics.report.strips import strip
from theorems import claims
from theorems.status import statement_verdicts


def figures(known: Known) -> dict[str, Any]:
    """The rows with their theorem's status, their solution and what training found."""
    status = {
        name: str(verdict.status)
        for claim in claims.everything()
        for name, verdict in statement_verdicts(claim, known.items, known.entries).items()
    }
    rows = [_row(row, status[row.because]) for row in ROWS]
    shapes = [shape for shape in SHAPES if any(shape in row["trained"] for row in rows)]
    return {"rows": rows, "shapes": shapes, "sinks": SINKS}


def _row(row: Row, status: str) -> dict[str, Any]:
    found, cells = solved(row), row.cells()
    return {
        "name": row.name,
        "normaliser": row.normaliser,
        "necessary": str(row.necessary),
        "because": row.because,
        "status": status,
        "error": float(found.error),
        "bos": bos_text(row, found),
        "trained": {shape: cell_text(cell) for shape, cell in cells.items()},
        "heads": {shape: heads(row.trained, shape) for shape in cells},
    }


def drawings(found: dict[str, Any]) -> dict[str, Markup]:
    """For each row and shape the BOS mass of every trained head, as a strip of dots."""
    return {
        f"{row['name']}-{shape}": strip(
            masses,
            f"{row['name']}, {shape}: BOS mass of {len(masses)} heads from {min(masses):.2g} to "
            f"{max(masses):.2g}",
            colour=2 if row["necessary"] == "yes" else 1,
        )
        for row in found["rows"]
        for shape, masses in row["heads"].items()
    }


SECTION = Section("mechanisms", "Which mechanisms need a sink", figures, drawings)
