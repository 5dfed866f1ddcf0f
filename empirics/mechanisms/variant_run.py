"""Training a variant by autograd, with the trainer's data, protocol and optimiser.

Stops and goes on bit for bit: a checkpoint holds parameters, moments and generators.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

from empirics.mechanisms.variants import Variant, VariantPass, forward, start, unpack
from empirics.training.config import TrainConfig
from empirics.training.data import Stream, generators_for
from empirics.training.files import read_tensors
from empirics.training.measure import MEASURE_STREAM
from empirics.training.model import task_error
from empirics.training.optimiser import Adam
from empirics.training.threads import limited_threads
from theorems.files import write_atomically

BLOCK = 4
"""Models whose graph is alive at once."""
Progress = Callable[[int, int, int, float], None]
"""As in ``empirics.training.loop``: (step, models still training, models in all, max error)."""


@dataclass(frozen=True)
class VariantTrained:
    """Final parameters (1, 1, S, P), and per seed the updates made and the last batch's error."""

    theta: Tensor
    steps: tuple[int, ...]
    converged: tuple[bool, ...]
    error: tuple[float, ...]


class VariantRun:
    """The state of a run; ``train`` takes it to its end."""

    def __init__(self, variant: Variant, config: TrainConfig, path: Path | None = None) -> None:
        self.variant, self.config, self.path = variant, config, path
        models = len(config.seeds)
        self.step, self.active = 0, list(range(models))
        self.steps, self.converged = [0] * models, [False] * models
        self.error = [float("nan")] * models
        self.generators = generators_for(config.seeds)
        self.theta = start(variant, config, self.generators)
        self.final = self.theta.clone()
        self.adam = Adam(self.theta, float(config.lr or 0), config.betas)
        if path is not None and path.exists():
            self._restore(path)
        self._stream = self._new_stream()

    def _new_stream(self) -> Stream | None:
        return Stream(self.config, self.generators) if self.generators else None

    def train(self, progress: Progress | None = None, every: int = 100) -> VariantTrained:
        """Train to the end; ``progress`` is called every ``every`` steps, after a checkpoint."""
        with limited_threads(self.config.threads):
            while self.active and self.step < self.config.max_steps:
                if self.step % every == 0:
                    if self.path is not None and self.step:
                        self.save(self.path)
                    if progress is not None:
                        worst = max(self.error[m] for m in self.active)
                        progress(self.step, len(self.active), len(self.config.seeds), worst)
                self._advance()
        self.final[:, :, self.active] = self.theta
        for model in self.active:
            self.steps[model] = self.step
        return VariantTrained(
            self.final, tuple(self.steps), tuple(self.converged), tuple(self.error)
        )

    def _advance(self) -> None:
        assert self._stream is not None
        batch = self._stream.draw()
        grad, errors = torch.empty_like(self.theta), []
        width = self.config.width
        for first in range(0, len(self.active), BLOCK):
            part = slice(first, first + BLOCK)
            theta = self.theta[:, :, part].detach().requires_grad_()
            tokens = batch.tokens[part]
            done = forward(
                self.variant, unpack(theta, self.variant, self.config), tokens, self.config
            )
            c, B, N, _ = tokens.shape
            rows = batch.rows[first * B : (first + c) * B] - first * B * N
            delta = done.outputs.reshape(-1, width).index_add(
                0, rows, batch.means[part].reshape(-1, width), alpha=-1
            )
            delta = delta.view(c, -1)
            (grad[:, :, part],) = torch.autograd.grad((delta**2).mean(dim=1).sum(), theta)
            errors += delta.detach().abs().amax(dim=1).tolist()
        for model, error in zip(self.active, errors, strict=True):
            self.error[model] = error
        stay = [slot for slot, error in enumerate(errors) if error >= self.config.tolerance]
        if len(stay) < len(errors):
            grad = self._retire(stay, errors, grad)
        if self.active:
            self.step += 1
            self.adam.update(self.theta, grad, self.step)

    def _retire(self, stay: list[int], errors: list[float], grad: Tensor) -> Tensor:
        for slot, (model, error) in enumerate(zip(self.active, errors, strict=True)):
            if slot not in stay:  # below the tolerance, or nan
                self.final[:, :, model] = self.theta[:, :, slot]
                self.steps[model], self.converged[model] = self.step, error < self.config.tolerance
        index = torch.tensor(stay, dtype=torch.int64)
        self.theta = self.theta.index_select(2, index)
        self.adam.keep(index)
        self.active = [self.active[slot] for slot in stay]
        self.generators = [self.generators[slot] for slot in stay]
        self._stream = self._new_stream()
        return grad.index_select(2, index)

    def save(self, path: Path) -> None:
        """Write the checkpoint that a later run goes on from."""
        tensors = {
            "theta": self.theta.contiguous(),
            "mean": self.adam.mean.contiguous(),
            "square": self.adam.square.contiguous(),
            "final": self.final,
        }
        for slot, generator in enumerate(self.generators):
            tensors[f"generator.{slot}"] = generator.get_state()
        state = {
            name: getattr(self, name) for name in ("step", "active", "steps", "converged", "error")
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, safetensors.torch.save(tensors, {"state": json.dumps(state)}))

    def _restore(self, path: Path) -> None:
        tensors, metadata = read_tensors(path)
        for name, value in json.loads(metadata["state"]).items():
            setattr(self, name, value)
        self.theta, self.final = tensors["theta"], tensors["final"]
        self.adam.restore(tensors["mean"], tensors["square"])
        self.generators = [torch.Generator() for _ in self.active]
        for slot, generator in enumerate(self.generators):
            generator.set_state(tensors[f"generator.{slot}"])


def look_at(
    variant: Variant, config: TrainConfig, theta: Tensor, seed: int, sequences: int
) -> tuple[VariantPass, Tensor, Tensor]:
    """One model (1, 1, 1, P) on fresh sequences with random triggers, in float64.

    Returns what it does, the tokens (1, B, N, d) and |output − target| of the same shape.
    """
    generators = generators_for([seed], MEASURE_STREAM)
    with torch.no_grad(), limited_threads(config.threads):
        batch = Stream(config, generators, batch=sequences, dtype=torch.float64).draw()
        parameters = unpack(theta.to(torch.float64), variant, config)
        done = forward(variant, parameters, batch.tokens, config, closely=True)
        return done, batch.tokens, task_error(done.outputs, batch.tokens, config)
