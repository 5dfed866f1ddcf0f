"""What trained models attend to: mean and standard deviation of every head's rows, as in the paper.

One stored model (the first seed) of each kind on 1000 fresh sequences with the trigger at 8
(Ran-Milo 2026, arXiv 2603.11487, shows the same for one softmax and one ReLU layer, and means for
2 × 2).  Measured with the mechanism's own definition, in float64.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from empirics.report.heatmap import heatmap
from empirics.report.sections.section import Known, Section
from empirics.training.measure import sample
from empirics.training.weights import load_weights
from theorems.sources import ROOT

SEQUENCES, TRIGGER = 1000, 8
STORED = {
    "one softmax layer": "results/certificates/one_layer_softmax",
    "one ReLU layer": "results/certificates/one_layer_relu",
    "2 layers of 2 softmax heads, residual": "results/certificates/two_by_two",
    "2 layers of 2 ReLU heads, residual": "results/certificates/two_by_two_relu",
}
"""By what is shown, the folder of weights; a folder that is not there is not shown."""


def figures(known: Known) -> dict[str, Any]:
    """The pictures' numbers, model by model and head by head."""
    models = []
    for name, folder in STORED.items():
        files = sorted((ROOT / folder).glob("seed-*.safetensors"))
        if files:
            models.append({"name": name, **_model(files[0])})
    if not models:
        return {"missing": "`sinkproof train` makes models; none is stored in results/certificates"}
    return {"sequences": SEQUENCES, "trigger": TRIGGER, "models": models}


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
