"""What trained models attend to: mean and standard deviation of every head's rows, as in the paper.

The first stored seed of each kind of model, on 1000 fresh sequences with the trigger at 8
(Ran-Milo 2026, arXiv 2603.11487, shows the same for one softmax and one ReLU layer, and means for
2 × 2).  Measured with the mechanism's own definition, in float64.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from empirics.report.heatmap import heatmap
from empirics.report.sections.section import Known, Section
from empirics.training.config import TrainConfig
from empirics.training.measure import sample
from empirics.training.weights import load_weights
from theorems.sources import ROOT

SEQUENCES, TRIGGER = 1000, 8
FOLDERS = ("results/certificates/*", "results/training/*")
"""Where weights of trained models are kept, one folder for each kind of model."""


def figures(known: Known) -> dict[str, Any]:
    """The pictures' numbers, model by model and head by head."""
    folders = [folder for pattern in FOLDERS for folder in sorted(ROOT.glob(pattern))]
    files = [next(iter(sorted(folder.glob("seed-*.safetensors"))), None) for folder in folders]
    models = [_model(file) for file in files if file is not None]
    models = [model for model in models if model["length"] >= TRIGGER]
    models.sort(key=lambda m: (len(m["heads"]), m["attention"] != "softmax", m["name"]))
    if not models:
        return {"missing": "`sinkproof train` makes models; no weights are stored in `results`"}
    return {"sequences": SEQUENCES, "trigger": TRIGGER, "models": models}


def _name(config: TrainConfig) -> str:
    word = {"softmax": "softmax", "relu": "ReLU"}.get(config.attention, config.attention)
    if config.layers == config.heads == 1:
        return f"one {word} layer"
    heads = f" of {config.heads} heads" if config.heads > 1 else ""
    stream = "residual" if config.residual else "no residual"
    return f"{config.layers} {word} layers{heads}, {stream}"


def _model(file: Path) -> dict[str, Any]:
    weights, config = load_weights(file)
    seen = sample(config, weights, seed=0, sequences=SEQUENCES, trigger=TRIGGER)
    silent = [i for i in range(1, config.length) if i != TRIGGER - 1]
    heads = []
    for layer, rows in enumerate(seen.rows):
        for head in range(config.heads):
            mean, std = rows[:, head].mean(dim=0), rows[:, head].std(dim=0, correction=0)
            heads.append(
                {
                    "layer": layer + 1,
                    "head": head + 1,
                    "mean": _rounded(mean.tolist()),
                    "std": _rounded(std.tolist()),
                    "bos": round(abs(float(mean[silent, 0].mean())), 4),
                    "largest_std": float(f"{float(std[silent, 0].max()):.1g}"),
                }
            )
    return {
        "name": _name(config),
        "file": file.relative_to(ROOT).as_posix(),
        "attention": config.attention,
        "length": config.length,
        "error": float(f"{float(seen.error.max()):.3g}"),
        "heads": heads,
    }


def _rounded(rows: list[list[float]]) -> list[list[float]]:
    return [[round(abs(x), 4) for x in row[: i + 1]] for i, row in enumerate(rows)]


def drawings(found: dict[str, Any]) -> dict[str, Markup]:
    """For each model, head and statistic a picture, named ``model-head-statistic``."""
    pictures = {}
    for m, model in enumerate(found["models"]):
        for h, head in enumerate(model["heads"]):
            for what, word in (("mean", "Mean"), ("std", "Standard deviation of")):
                place = f"layer {head['layer']}, head {head['head']}"
                label = (
                    f"{word} attention of {model['name']}, {place}; a row for each query.  On BOS "
                    f"{head['bos']} at non-trigger rows, deviation at most "
                    f"{head['largest_std']:g}"
                )
                pictures[f"{m}-{h}-{what}"] = heatmap(head[what], label, found["trigger"])
    return pictures


SECTION = Section("attention", "What is seen", figures, drawings)
