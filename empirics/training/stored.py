"""Results worth keeping: a finished run's weights and figures under ``results/training``.

    sinkproof train --layers 2 --heads 1 --no-residual --seeds 8 --out runs/two_layers
    python -m empirics.training.stored runs/two_layers two_layers

writes ``results/training/two_layers.json`` (configuration, versions, date, steps and observed
errors per seed) and the weights beside it in ``two_layers/``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from empirics.training.config import TrainConfig
from empirics.training.measure import measure
from empirics.training.model import Weights
from empirics.training.plain import plain
from empirics.training.weights import load_weights
from theorems.errors import UserError
from theorems.files import write_atomically, write_json
from theorems.sources import ROOT

STORED = ROOT / "results" / "training"


def store(run: Path, name: str, into: Path = STORED) -> Path:
    """Keep the finished run in folder ``run`` under ``name``; returns the path of the figures."""
    try:
        about = json.loads((run / "run.json").read_text("utf-8"))
        result = json.loads((run / "result.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{run} holds no finished run ({error}): let it finish first") from error
    config = TrainConfig.from_dict(result["config"])
    folder = into / name
    folder.mkdir(parents=True, exist_ok=True)
    models: list[dict[str, Any]] = []
    for index, seed in enumerate(config.seeds):
        file = f"seed-{seed}.safetensors"
        weights, _ = load_weights(run / "weights" / file)
        seen = measure(config, weights, seeds=(seed,))[0]
        models.append(
            {
                "seed": seed,
                "steps": result["steps"][index],
                "converged": result["converged"][index],
                "batch_error": result["error"][index],
                "observed_error": plain(seen.error),
                "least_bos": plain(seen.least_bos),
            }
        )
        write_atomically(folder / file, (run / "weights" / file).read_bytes())
    figures = into / f"{name}.json"
    head = {key: about[key] for key in ("date", "versions")}
    write_json(figures, {**head, "config": config.as_dict(), "models": models})
    return figures


def stored_models(name: str) -> list[tuple[dict[str, Any], TrainConfig, Weights]]:
    """(figures, configuration, weights) of every model kept under ``name``; empty if none is."""
    figures = STORED / f"{name}.json"
    if not figures.exists():
        return []
    found = []
    for model in json.loads(figures.read_text("utf-8"))["models"]:
        weights, config = load_weights(STORED / name / f"seed-{model['seed']}.safetensors")
        found.append((model, config, weights))
    return found


if __name__ == "__main__":
    try:
        print(store(Path(sys.argv[1]), sys.argv[2]))
    except (UserError, IndexError) as problem:
        sys.exit(str(problem) if isinstance(problem, UserError) else str(__doc__))
