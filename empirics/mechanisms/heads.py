"""Which heads sink in trained residual stacks: softmax against ReLU, a distribution over seeds.

Ran-Milo 2026, arXiv 2603.11487, trains one seed of each: with softmax 4 of 4 heads sink at 2 layers
× 2 heads and 8 of 16 at 4 × 4, at least one in every layer; with ReLU none.  A head sinks when its
mean BOS mass at non-trigger positions exceeds 0.9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from empirics.mechanisms.figures import sinking
from empirics.mechanisms.trained import stored
from theorems.evidence import Finding, NotRun, Outcome, Run, check, evidence


@dataclass(frozen=True)
class Tally:
    """Over models of one kind: how many of the heads sink, by model and by layer."""

    models: int
    stopped: int
    heads: int
    in_models: tuple[int, ...]
    by_layer: tuple[tuple[int, ...], ...]

    @property
    def every_layer(self) -> int:
        """Models in which every layer has a head that sinks."""
        return sum(all(layer) for layer in zip(*self.by_layer, strict=True))

    def distribution(self) -> str:
        """How many models have how many sinking heads."""
        counts = sorted(Counter(self.in_models).items())
        return ", ".join(f"{heads}: {models}" for heads, models in counts)


def tally(models: Sequence[dict[str, Any]]) -> Tally:
    """Count sinking heads in models with ``figures``."""
    sunk = [sinking(model) for model in models]
    layers = len(models[0]["bos"])
    return Tally(
        models=len(models),
        stopped=sum(bool(model["converged"]) for model in models),
        heads=sum(len(layer) for layer in models[0]["bos"]),
        in_models=tuple(sum(layers) for layers in sunk),
        by_layer=tuple(tuple(s[layer] for s in sunk) for layer in range(layers)),
    )


def judged(softmax: Tally, relu: Tally, shape: str) -> Outcome:
    """What trained stacks say of A7: passed when there is something to count.

    Reproduced when every softmax model that met the stop criterion has a sinking head in every
    layer and no ReLU model has one.
    """
    complete = softmax.every_layer == softmax.models
    finding = Finding.REPRODUCED if complete and not any(relu.in_models) else Finding.NOT_REPRODUCED
    if not softmax.stopped or not relu.stopped:
        finding = Finding.INCONCLUSIVE
    layers = "; ".join(
        f"layer {number}: {sum(layer) / len(layer):.2g} of {softmax.heads // len(softmax.by_layer)}"
        for number, layer in enumerate(softmax.by_layer, start=1)
    )
    figure = (
        f"{shape}: of {softmax.heads} softmax heads sink (heads: models) {softmax.distribution()}; "
        f"mean by {layers}; a sink in every layer in {softmax.every_layer} of {softmax.models} "
        f"models ({softmax.stopped} met the stop criterion); ReLU: {sum(relu.in_models)} heads in "
        f"{relu.models} models ({relu.stopped})"
    )
    return check(
        softmax.models > 0 and relu.models > 0,
        figure,
        finding=finding,
        by_layer=[list(layer) for layer in softmax.by_layer],
        relu=sum(relu.in_models),
    )


def _stored(shape: str) -> Outcome:
    files = {key: stored(key, shape) for key in ("softmax", "relu")}
    if not all(files.values()):
        raise NotRun(f"results/mechanisms has no {shape} models of softmax and ReLU")
    softmax, relu = (tally(file["models"]) for file in files.values() if file)
    return judged(softmax, relu, shape)


@evidence("heads_that_sink", kind="trained", files=("results/mechanisms/*-2x2.json",))
def heads_of_two_by_two(run: Run) -> Outcome:
    """Stored 2 × 2 residual stacks, 16 seeds each of softmax and ReLU: which heads sink."""
    return _stored("2x2")


@evidence("heads_that_sink", kind="trained", files=("results/mechanisms/*-4x4.json",))
def heads_of_four_by_four(run: Run) -> Outcome:
    """Stored 4 × 4 residual stacks, 16 seeds each of softmax and ReLU: which heads sink."""
    return _stored("4x4")
