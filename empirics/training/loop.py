"""Training many models side by side until each one meets the stop criterion.

Models leave the computation when they stop: a model whose batch max error falls below the
tolerance is kept as it is, before that batch's update.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from empirics.training.checkpoint import RunFolder
from empirics.training.config import TrainConfig
from empirics.training.data import Stream, generators_for
from empirics.training.model import Weights, initial_weights
from empirics.training.optimiser import Adam
from empirics.training.plain import plain
from empirics.training.step import Step
from empirics.training.threads import limited_threads
from theorems.errors import UserError
from theorems.files import versions

Progress = Callable[[int, int, int, float], None]
"""Called with (step, models still training, models in all, largest batch error)."""


@dataclass(frozen=True)
class Trained:
    """What a run left, one entry per seed of the configuration.

    ``steps`` counts updates made; ``error`` is the last batch's max error, before the last update
    for models that ran out of steps; ``snapshots`` maps a number of updates to the weights then.
    """

    config: TrainConfig
    weights: Weights
    steps: tuple[int, ...]
    converged: tuple[bool, ...]
    error: tuple[float, ...]
    snapshots: dict[int, Weights] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """Plain JSON values: configuration, and steps and errors per seed."""
        return {
            "config": self.config.as_dict(),
            "steps": list(self.steps),
            "converged": list(self.converged),
            "error": plain(self.error),
            "versions": versions(),
        }


class Training:
    """The state of a run: models still active, and the final weights of those that stopped."""

    def __init__(self, config: TrainConfig, start: Weights | None = None) -> None:
        self.config = config
        self.step = 0
        self.active = list(range(len(config.seeds)))
        self.generators = generators_for(config.seeds)
        weights = initial_weights(config, self.generators)
        if start is not None:
            _same_shape(start, weights)
            weights = start
        self.theta = weights.to(torch.float32).flat()
        self.adam = Adam(self.theta, float(config.lr or 0), config.betas)
        self.final = self.theta.clone()
        self.steps = [0] * len(config.seeds)
        self.converged = [False] * len(config.seeds)
        self.error = [float("nan")] * len(config.seeds)
        self._stepper = Step(config)
        self.rebuild()

    def rebuild(self) -> None:
        """Make the buffers that depend on which models are active."""
        self._stream = None
        if self.generators:
            self._stream = Stream(self.config, self.generators, block=self._stepper.block)
        self._grad = torch.empty_like(self.theta)

    @property
    def finished(self) -> bool:
        return not self.active or self.step >= self.config.max_steps

    def advance(self) -> tuple[list[int], list[float], list[float]]:
        """One step for every active model; returns (seed indices, loss, max error) before it."""
        assert self._stream is not None
        squared, worst = self._stepper.gradient(self.theta, self._stream, self._grad)
        seen, errors = list(self.active), worst.tolist()
        for model, error in zip(seen, errors, strict=True):
            self.error[model] = error
        # Written so that a diverged model (nan) leaves too, without having converged.
        if not all(error >= self.config.tolerance for error in errors):
            self._retire(errors)
        if self.active:
            self.step += 1
            self.adam.update(self.theta, self._grad, self.step)
        return seen, squared.tolist(), errors

    def _retire(self, errors: Sequence[float]) -> None:
        tolerance = self.config.tolerance
        for slot, (model, error) in enumerate(zip(self.active, errors, strict=True)):
            if not error >= tolerance:
                self.final[:, :, model] = self.theta[:, :, slot]
                self.steps[model] = self.step
                self.converged[model] = error < tolerance
        stay = [slot for slot, error in enumerate(errors) if error >= tolerance]
        index = torch.tensor(stay, dtype=torch.int64)
        grad = self._grad.index_select(2, index)
        self.theta = self.theta.index_select(2, index)
        self.adam.keep(index)
        self.active = [self.active[slot] for slot in stay]
        self.generators = [self.generators[slot] for slot in stay]
        self.rebuild()
        self._grad = grad

    def weights(self) -> Weights:
        """The current weights of every model, stopped or not."""
        flat: Tensor = self.final.clone()
        flat[:, :, self.active] = self.theta
        return Weights.from_flat(flat)

    def memory(self) -> int:
        """Bytes held in tensors: parameters, moments, gradients, batch and workspaces."""
        holders = [self, self.adam, self._stream, self._stepper, *self._stepper.workspaces()]
        seen: dict[int, int] = {}
        for holder in holders:
            for value in vars(holder).values() if holder is not None else ():
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, Tensor):
                        seen[item.untyped_storage().data_ptr()] = item.untyped_storage().nbytes()
        return sum(seen.values())

    def result(self, snapshots: dict[int, Weights]) -> Trained:
        steps = [self.step if m in self.active else s for m, s in enumerate(self.steps)]
        return Trained(
            self.config,
            self.weights(),
            tuple(steps),
            tuple(self.converged),
            tuple(self.error),
            snapshots,
        )


def _same_shape(start: Weights, weights: Weights) -> None:
    if start.W_Q.shape != weights.W_Q.shape or start.W_O.shape != weights.W_O.shape:
        raise UserError(
            f"starting weights have shape {tuple(start.W_Q.shape)}; "
            f"this configuration needs {tuple(weights.W_Q.shape)}"
        )


def train(
    config: TrainConfig,
    *,
    out: Path | str | None = None,
    resume: bool = False,
    start: Weights | None = None,
    snapshots: Sequence[int] = (),
    progress: Progress | None = None,
    checkpoint_every: int = 1000,
    log_every: int = 100,
) -> Trained:
    """Train one model per seed, all at once, and return them.

    ``out`` is a folder for the configuration, metrics (JSON lines), checkpoints and final weights;
    ``resume`` goes on from its last checkpoint, to the same result bit for bit at the same number
    of threads.  ``start`` replaces the random initial weights.  ``snapshots`` lists numbers of
    updates at which to keep the weights.  Raises ``UserError`` for a folder that cannot be used.
    """
    if start is not None and out is not None:
        raise UserError("a run from given weights cannot be resumed: leave out the folder")
    with torch.no_grad(), limited_threads(config.threads):
        folder = RunFolder.open(Path(out), config, resume=resume) if out is not None else None
        training = Training(config, start)
        if folder is not None:
            folder.restore(training)
        kept: dict[int, Weights] = {}
        while not training.finished:
            if training.step in snapshots:
                kept[training.step] = training.weights()
            before = training.step
            seen, losses, errors = training.advance()
            if before % log_every == 0 or len(training.active) < len(seen):
                if folder is not None:
                    folder.log(config, before, seen, losses, errors)
                if progress is not None:
                    progress(before, len(training.active), len(config.seeds), max(errors))
            if folder is not None and training.step % checkpoint_every == 0:
                folder.save(training)
        result = training.result(kept)
        if folder is not None:
            folder.save(training)
            folder.finish(result)
    return result
