"""The runs that trained evidence shares: each is trained once per process, on one thread."""

from __future__ import annotations

import functools

from empirics.training.config import TrainConfig
from empirics.training.loop import Trained, train
from empirics.training.measure import Measurement, measure

POINTS = (0, 50, 100, 200, 300, 400, 500, 600, 700)
"""Numbers of updates at which one-layer runs keep their weights."""


@functools.lru_cache(maxsize=8)
def one_layer(attention: str, first_seed: int, models: int) -> Trained:
    """One layer, one head, as in the paper's first experiment, with weights kept at ``POINTS``."""
    seeds = tuple(range(first_seed, first_seed + models))
    return train(TrainConfig(attention=attention, seeds=seeds), snapshots=POINTS)


@functools.lru_cache(maxsize=8)
def measured(attention: str, first_seed: int, models: int) -> tuple[Measurement, ...]:
    """The models of ``one_layer``, measured: 1000 sequences with the trigger at 8, 1000 random."""
    run = one_layer(attention, first_seed, models)
    return tuple(measure(run.config, run.weights))
