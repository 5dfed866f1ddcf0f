"""The mechanism table for people: on a terminal, and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from constructions.sink_free import FULL_LENGTH
from empirics.mechanisms.figures import SINKS
from empirics.mechanisms.own import OwnRow
from empirics.mechanisms.table import ROWS, TABLE_E, Necessary, Row, Solution, as_objects, solved
from empirics.mechanisms.trained import SHAPES, heads
from theorems.errors import UserError
from theorems.files import versions

CAPTION = (
    "η, BOS: error and BOS weight off the trigger (largest; smallest where a sink is necessary) at "
    "L = 16, e^K = 10³⁰, over all contents in [-1,1]ⁿ.  By training, layers x heads: models that "
    "met the stop criterion; heads with mean BOS mass > 0.9 off the trigger; the median of that "
    "mass, (after the gate), of the row's sum where that is not one."
)


def print_table(console: Console, own: Sequence[OwnRow] = ()) -> None:
    """The table, with rows of one's own under it."""
    table = Table(title="Which attention mechanisms need a sink", caption=CAPTION, show_lines=True)
    trained_in = [s for s in SHAPES if any(s in row.cells() for row in ROWS)]
    for name in ("mechanism", "sink necessary", "η", "BOS", *trained_in):
        # Names are read whole; what was trained may take several lines.
        widest = 18 if name == "mechanism" else None
        table.add_column(name, overflow="fold", min_width=widest)
    for row in ROWS:
        found = solved(row)
        trained = [cell_text(row.cells().get(shape)) for shape in trained_in]
        error = f"{float(found.error):.1e}" if found.error else "0"
        why = f"{row.necessary}: {row.because}"
        table.add_row(row.name, why, error, bos_text(row, found), *trained)
    for mine in own:
        error = "–" if mine.error is None else f"{float(mine.error):.1e}"
        bos = "–" if mine.bos is None else f"≤ {float(mine.bos):.1e}"
        trained = [cell_text(mine.training.get(shape)) for shape in trained_in]
        table.add_row(mine.name, mine.necessary, error, bos, *trained)
    console.print(table, crop=False)


def table_object() -> dict[str, Any]:
    """The table for machines."""
    return {
        "subject": "mechanisms",
        "status": "done",
        "figures": {"rows": as_objects()},
        "settings": {"length": FULL_LENGTH, "E": str(TABLE_E), "sinks": SINKS},
        "versions": versions(),
    }


def bos_text(row: Row, found: Solution) -> str:
    """BOS weight of the construction, and what of it passes a gate."""
    if row.necessary is Necessary.YES:
        return f"≥ 1 − {float(1 - found.bos):.0e}"
    text = f"≤ {float(found.bos):.1g}"
    return text if found.gated == found.bos else f"{text} ({float(found.gated):.0e})"


def cell_text(cell: dict[str, Any] | None) -> str:
    """A cell of what training found, or a dash."""
    if not cell:
        return "–"
    heads = f"{100 * cell['share_of_heads']:.0f} % sink"
    bos, through = abs(cell["bos"]["median"]), abs(cell["through"]["median"])
    mass = f"{bos:.3f}" if through == bos else f"{bos:.3f} ({through:.3f})"
    total = abs(cell["total"]["median"])
    if not 0.999 < total < 1.001:
        mass += f" of {total:.3f}"
    return f"{cell['stopped']}/{cell['models']}, {heads}, {mass}"


def draw(path: Path, shape: str = "2x2") -> None:
    """A figure: for each trained mechanism the mean BOS mass of every head, one dot a head.

    The format follows the suffix of ``path``.  Raises ``UserError`` without matplotlib or results.
    """
    try:
        import matplotlib
    except ImportError:
        raise UserError("figures need matplotlib: pip install 'sinkproof[plot]'") from None

    rows = [row for row in ROWS if shape in row.shapes and heads(row.trained, shape)]
    if not rows:
        raise UserError(
            f"nothing has been trained in shape {shape}: results/mechanisms has no file"
        )
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.45 * len(rows) + 1.3), layout="constrained")
    axes = figure.subplots()
    for line, row in enumerate(rows):
        masses = heads(row.trained, shape)
        spread = [line + 0.3 * (k / max(1, len(masses) - 1) - 0.5) for k in range(len(masses))]
        colour = "C3" if row.necessary is Necessary.YES else "C0"
        axes.scatter(masses, spread, s=12, alpha=0.6, color=colour, linewidths=0)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.invert_yaxis()
    axes.axvline(0.9, color="0.6", linewidth=0.8, linestyle=":")
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("mean BOS mass of a head off the trigger")
    axes.set_title(f"{shape.replace('x', ' × ')}, one dot per head; red: a sink is necessary")
    figure.savefig(path)
