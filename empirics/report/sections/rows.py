"""Constructions at work: attention of every head on a sequence, row by row, and what is written.

Sequences of length 8 with one content coordinate, at e^K = 10¹⁰, in rational arithmetic; shown to
three digits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from constructions import softmax_sink, ways_out
from constructions.networks import Head, Network
from constructions.sharpness import Sharpness
from empirics.report.sections.section import Known, Section
from theorems.arrays import exact
from theorems.trigger_task import ORDINARY, TRIGGER, TriggerTask

LENGTH, E = 8, Fraction(10**10)
CONTENTS = {
    "rising": ["-1", "-2/3", "-1/3", "0", "1/3", "2/3", "1"],
    "alternating": ["1", "-1", "1", "-1", "1", "-1", "1"],
    "all one": ["1"] * (LENGTH - 1),
}


def _sink(task: TriggerTask) -> Network:
    layer = softmax_sink.softmax_sink(task.width, E)
    return Network(((Head(layer.rows, layer.M),),))


def _built(build: Callable[[TriggerTask, Sharpness], Network]) -> Callable[[TriggerTask], Network]:
    return lambda task: build(task, Sharpness(E))


NETWORKS: dict[str, Callable[[TriggerTask], Network]] = {
    "softmax with a sink": _sink,
    **{f"{s.name}, no sink": _built(s.build) for s in ways_out.SOLUTIONS},
}


def figures(known: Known) -> dict[str, Any]:
    """For every network, contents and trigger: the rows of its heads, outputs and targets."""
    task = TriggerTask(LENGTH, 1)
    triggers = list(task.trigger_positions)
    shown = []
    for name, build in NETWORKS.items():
        network = build(task)
        runs = {c: {str(j): _run(task, network, c, j) for j in triggers} for c in CONTENTS}
        layers = [len(heads) for heads in network.layers]
        places = [
            f"layer {layer}, head {head}"
            for layer, heads in enumerate(layers, start=1)
            for head in range(1, heads + 1)
        ]
        # These rows read flags and positions, never contents: one set of rows for every trigger.
        rows = {j: [run[j].pop("rows") for run in runs.values()] for j in map(str, triggers)}
        if any(found != sets[0] for sets in rows.values() for found in sets):
            raise ValueError(f"the rows of {name} depend on contents: show them with each")
        shown.append(
            {
                "name": name,
                "heads": places,
                "rows": {j: sets[0] for j, sets in rows.items()},
                "runs": runs,
            }
        )
    return {
        "length": LENGTH,
        "sharpness": str(E),
        "contents": CONTENTS,
        "triggers": triggers,
        "networks": shown,
    }


def _run(task: TriggerTask, network: Network, contents: str, trigger: int) -> dict[str, Any]:
    tokens = task.tokens(exact([[c] for c in CONTENTS[contents]]), trigger)
    done = network.run(tokens)
    outputs, targets = (np.asarray(x, dtype=float) for x in (done.outputs, task.targets(tokens)))
    rows = [np.asarray(a, dtype=float) for a in done.rows]
    kept = [ORDINARY, TRIGGER, -1]
    return {
        "rows": [
            [[float(f"{x:.3g}") for x in row[: i + 1]] for i, row in enumerate(a)] for a in rows
        ],
        "outputs": [[float(f"{x:.3g}") + 0.0 for x in row[kept]] for row in outputs],
        "targets": [[float(f"{x:.3g}") + 0.0 for x in row[kept]] for row in targets],
        "error": float(f"{abs(outputs - targets).max():.2g}"),
    }


SECTION = Section("rows", "Watch a construction", figures)
