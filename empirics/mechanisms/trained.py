"""What training found, from the results that the sweeps left in ``results/mechanisms``.

A cell is one mechanism in one shape: over its seeds, how many met the stop criterion, the observed
error, and the mean BOS mass at non-trigger positions by head.
"""

from __future__ import annotations

import json
from typing import Any

from theorems.sources import ROOT

RESULTS = ROOT / "results" / "mechanisms"
SHAPES = ("1x1", "2x2", "4x4")


def cells(key: str) -> dict[str, Any]:
    """By shape, the summary of the mechanism ``key``; empty where nothing has been trained."""
    found = {}
    for shape in SHAPES:
        path = RESULTS / f"{key}-{shape}.json"
        if key and path.is_file():
            found[shape] = json.loads(path.read_text("utf-8"))["summary"]
    return found
