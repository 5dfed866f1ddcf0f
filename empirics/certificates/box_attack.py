"""Searches for bad inputs of several heads or a residual stream, one ascent for all bounds.

There is a bound on the mass of every head and one on the error.  Chains of a sign-gradient ascent
go up one of these each, and every input that a chain passes counts for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import torch
from torch import Tensor

from empirics.certificates.attack import SEARCHED, Attacker, tensor
from empirics.certificates.forms import Head
from empirics.certificates.judge import Input, judge
from empirics.certificates.vertices import round_down
from empirics.training.threads import limited_threads
from theorems.attention import MECHANISMS, attend, bilinear_logits
from theorems.trigger_task import BOS, TriggerTask

Place = tuple[int, int]
"""A layer and one of its heads, from 0."""


@dataclass
class Worst:
    """The worst inputs so far, with their values in floats, of every head's mass and the error."""

    values: dict[Place | None, float] = field(default_factory=dict)
    inputs: dict[Place | None, Input] = field(default_factory=dict)

    def see(self, seen: dict[Place | None, Tensor], contents: Tensor, triggers: Tensor) -> None:
        """Keep what is worse than before; ``None`` stands for the error."""
        for place, values in seen.items():
            k = int(values.argmax())
            if float(values[k]) > self.values.get(place, -1.0):
                self.values[place] = float(values[k])
                self.inputs[place] = Input.of(contents[k].detach().numpy(), int(triggers[k]))


class BoxAttacker:
    """Searches against softmax layers, in double precision; deterministic for a seed."""

    def __init__(
        self, layers: Sequence[Sequence[Head]], length: int, *, residual: bool, seed: int = 0
    ) -> None:
        self.layers, self.residual = [list(layer) for layer in layers], residual
        self.task = TriggerTask(min(length, SEARCHED), layers[0][0].content_dim)
        self.length, self.seed = length, seed
        self.matrices = [[(tensor(h.A), tensor(h.M)) for h in layer] for layer in layers]

    def seen(self, contents: Tensor, triggers: Tensor) -> tuple[dict[Place | None, Tensor], Tensor]:
        """The largest masses and error of every input (B,), and errors by channel (B, d)."""
        tokens = self.task.tokens(contents, triggers)
        ordinary, state = self.task.non_trigger(tokens), tokens
        found: dict[Place | None, Tensor] = {}
        for index, layer in enumerate(self.matrices):
            added = torch.zeros_like(state)
            for h, (A, M) in enumerate(layer):
                rows = MECHANISMS["softmax"].rows(bilinear_logits(state, A))
                mass = torch.where(ordinary, 1 - rows[..., BOS], -1.0).amax(dim=1)
                found[index, h] = mass
                added = added + attend(rows, state, M)
            state = state + added if self.residual else added
        output = state - tokens if self.residual else state
        errors = (output - self.task.targets(tokens)).abs().amax(dim=1)
        return {**found, None: errors.amax(dim=1)}, errors

    def search(self, count: int = 128, steps: int = 24) -> Worst:
        """Uniform inputs, the worst vertices of the first layer, and the ascent, on one thread."""
        with limited_threads(1):
            worst = Worst()
            for head in self.layers[0]:
                self._look(worst, *Attacker(head, "softmax", self.length, self.seed).sinkless())
            uniform = Attacker(self.layers[0][0], "softmax", self.length, self.seed)
            self._look(worst, *uniform.uniform(512))
            contents, triggers = uniform.uniform(count)
            for step in range(steps if contents.numel() else 0):
                contents = self._up(contents, triggers, 2.0 if step % 2 else 1.0 / (1 + step))
                self._look(worst, contents, triggers)
        return worst

    def _look(self, worst: Worst, contents: Tensor, triggers: Tensor) -> None:
        with torch.no_grad():
            worst.see(self.seen(contents, triggers)[0], contents, triggers)

    def _up(self, contents: Tensor, triggers: Tensor, size: float) -> Tensor:
        """Chain k goes up the logarithm of quantity k mod the number of heads and channels."""
        contents = contents.detach().requires_grad_(True)
        seen, errors = self.seen(contents, triggers)
        masses = torch.stack([v for place, v in seen.items() if place is not None], dim=1)
        goals = torch.cat([masses.clamp(min=1e-300).log(), errors], dim=1)
        own = torch.arange(len(contents)) % goals.shape[1]
        (slope,) = torch.autograd.grad(goals.gather(1, own[:, None]).sum(), contents)
        return (contents.detach() + size * slope.sign()).clamp(-1, 1)


def witnesses(
    layers: Sequence[Sequence[Head]], length: int, *, residual: bool, seed: int = 0
) -> dict[str, Any]:
    """The worst inputs found, judged in balls: one for the error, one for every head's mass."""
    worst = BoxAttacker(layers, length, residual=residual, seed=seed).search()

    def judged(place: Place | None) -> dict[str, Any]:
        given = worst.inputs[place]
        seen = judge(layers, "softmax", given, residual=residual)
        where: dict[str, int] = {}
        if place is None:
            flat = max(range(seen.error_low.size), key=lambda k: seen.error_low.flat[k])
            row, where["coordinate"] = divmod(flat, seen.error_low.shape[1])
            value = seen.error_low.flat[flat]
        else:
            bos = seen.sinks[place[0]][place[1]][1]
            rows = [i for i in range(1, given.length) if i + 1 != given.trigger]
            row = min(rows, key=lambda i: bos[i])
            value = 1 - bos[row]
        return {
            "at_least": str(max(round_down(value), Fraction(0))),
            "position": row + 1,
            **where,
            "trigger": given.trigger,
            "contents": [[str(x) for x in content] for content in given.contents[:row]],
        }

    return {
        "error": judged(None),
        "mass": [[judged((i, h)) for h in range(len(row))] for i, row in enumerate(layers)],
    }
