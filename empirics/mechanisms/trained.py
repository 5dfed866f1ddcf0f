"""What training found, from the results that the sweeps left in ``results/mechanisms``.

A file is one mechanism in one shape: settings, versions, and its models; a *cell* is its summary.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from theorems.sources import ROOT

RESULTS = ROOT / "results" / "mechanisms"
SHAPES = ("1x1", "2x2", "4x4")
OTHER_SHAPE = {("two_heads", "1x1"): "1x2"}


def stored(key: str, shape: str, folder: Path = RESULTS) -> dict[str, Any] | None:
    """The file of mechanism ``key`` in ``shape``, or ``None``."""
    path = folder / f"{key}-{OTHER_SHAPE.get((key, shape), shape)}.json"
    found: dict[str, Any] | None = None
    if key and path.is_file():
        found = json.loads(path.read_text("utf-8"))
    return found


def cells(key: str, shapes: tuple[str, ...] = SHAPES) -> dict[str, Any]:
    """By shape, the summary of the mechanism ``key``; empty where nothing has been trained."""
    found = {shape: stored(key, shape) for shape in shapes}
    return {shape: file["summary"] for shape, file in found.items() if file}


def heads(key: str, shape: str) -> list[float]:
    """The mean BOS mass of every head of every model, or nothing."""
    file = stored(key, shape)
    models = file["models"] if file else []
    return [mass for model in models for layer in model["bos"] for mass in layer]
