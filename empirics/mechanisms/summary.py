"""Many models of one kind in one line: medians, ranges and counts over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from empirics.mechanisms.figures import SINKS, sinking


def summary(models: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of models of one mechanism and shape, each with ``figures``.

    ``sinking_heads`` counts, layer by layer, how many models have 0, 1, … heads that sink;
    ``bos`` is over all heads, ``bos_of_heads`` their sorted means in one list per model.
    """
    found: dict[str, Any] = {
        "models": len(models),
        "stopped": sum(bool(m["converged"]) for m in models),
        "steps": _range(m["steps"] for m in models),
        "error": _range(m["error"] for m in models),
        "total": _range(x for m in models for x in _flat(m["total"])),
    }
    if "bos" in models[0]:
        heads = len(models[0]["bos"][0])
        counts = [[0] * (heads + 1) for _ in models[0]["bos"]]
        for model in models:
            for layer, sunk in enumerate(sinking(dict(model))):
                counts[layer][sunk] += 1
        means = [x for m in models for x in _flat(m["bos"])]
        found |= {
            "bos": _range(means),
            "through": _range(x for m in models for x in _flat(m["through"])),
            "sinking_heads": counts,
            "share_of_heads": sum(x > SINKS for x in means) / len(means),
            "models_with_a_sink": sum(any(sinking(dict(m))) for m in models),
        }
        if "writes" in models[0]:
            found["writes"] = _range(x for m in models for x in _flat(m["writes"]))
    return found


def _flat(values: Any) -> list[float]:
    if isinstance(values, list):
        return [x for v in values for x in _flat(v)]
    return [] if values is None else [values]


def _range(values: Iterable[float | None]) -> dict[str, float | None]:
    """Least, median and largest; ``None`` for an empty list."""
    known = sorted(v for v in values if v is not None)
    if not known:
        return {"least": None, "median": None, "most": None}
    shown = {"least": known[0], "median": median(known), "most": known[-1]}
    return {name: float(f"{value:.4g}") for name, value in shown.items()}
