"""From the lines of finished jobs to one small file for each mechanism and shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from empirics.mechanisms.jobs import PARTS, of_parts
from empirics.mechanisms.summary import summary
from empirics.mechanisms.sweep import finished
from empirics.mechanisms.trained import RESULTS
from theorems.files import write_json


def collect(folder: Path, into: Path = RESULTS) -> list[Path]:
    """Write ``KEY-SHAPE.json`` for all finished lines: settings, versions, models, summary.

    A job that still exists gives the key, so that a renamed one need not be run again; models of a
    job that has changed since are left out.
    """
    jobs = of_parts(list(PARTS))
    keys = {job.hash: job.key for job in jobs}
    changed = {(job.key, job.shape) for job in jobs}
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in finished(folder).values():
        key, shape = keys.get(line["hash"], line["key"]), line["shape"]
        if line["hash"] not in keys and (key, shape) in changed:
            continue
        groups.setdefault((key, shape), []).append(line)
    written = []
    for (key, shape), lines in sorted(groups.items()):
        models = sorted((m for line in lines for m in line["models"]), key=lambda m: m["seed"])
        config = {k: v for k, v in lines[0]["config"].items() if k not in ("seeds", "threads")}
        path = into / f"{key}-{shape}.json"
        write_json(
            path,
            {
                "key": key,
                "shape": shape,
                "variant": lines[0]["variant"],
                "warm": lines[0].get("warm", False),
                "config": config,
                "seeds": [m["seed"] for m in models],
                "seconds": round(sum(line["seconds"] for line in lines), 1),
                "versions": lines[-1]["versions"],
                "date": max(line["date"] for line in lines),
                "summary": summary(models),
                "models": models,
            },
        )
        written.append(path)
    return written
