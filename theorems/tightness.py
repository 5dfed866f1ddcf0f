"""How tight the bounds are, for paper_map.md: what a search found beside what is proven.

The figures come from committed results (``results/falsifier``), which ``sinkproof falsify
--tightness`` and ``--open-questions`` write; this module only prints them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from theorems.sources import ROOT

FOLDER = ROOT / "results" / "falsifier"
INTRODUCTION = """\
## How tight the bounds are

The largest mass m off BOS that `sinkproof falsify --tightness` found at an error η (the least η for
floors), over what is proven: 1 is attained.  Each model is an exact witness file in
`results/falsifier/witnesses`, for `sinkproof falsify --replay`.  A search proves no gap.
"""


def section(folder: Path = FOLDER) -> list[str]:
    """Markdown lines: the table, and the open questions; nothing where there are no results."""
    lines: list[str] = []
    rows = _read(folder / "tightness.json").get("rows", [])
    if rows:
        lines += [INTRODUCTION, "| bound | proven | L | best of the bound, by η/κ | least gap |"]
        lines.append("|---|---|---|---|---|")
        places = dict.fromkeys((r["statement"], r["says"], r["kind"], r["L"]) for r in rows)
        for statement, says, kind, L in places:
            mine = [r for r in rows if (r["statement"], r["L"]) == (statement, L)]
            found = ", ".join(_found(r) for r in mine)
            gaps = [r["gap"] for r in mine if r["gap"] is not None]
            least = f"{min(gaps):.2g}" if gaps else "–"
            sign = "η ≥" if kind == "floor" else "m ≤"
            lines.append(f"| {statement} | {sign} {says} | {L} | {found} | {least} |")
        lines.append("")
    questions = _read(folder / "open_questions.json").get("questions", [])
    if questions:
        lines += ["## Open questions", ""]
        lines += ["Searched with a fixed budget; what is called a conjecture is not proven.", ""]
        lines += ["| question | searched | found | reading |", "|---|---|---|---|"]
        for q in questions:
            cells = (q["question"], q["searched"], "; ".join(q["found"]), q["reading"])
            lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
        lines.append("")
    return lines


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return figures


def _found(r: dict[str, Any]) -> str:
    share = f"{r['eta_share']}: " if r["eta_share"] else ""
    ratio = "–" if r["ratio"] is None else f"{r['ratio']:.4f}"
    return f"{share}{ratio} (`{r['witness']}`)" if r["witness"] else share + ratio
