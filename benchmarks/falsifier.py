"""Bilinear models per second with gradient: the falsifier's closed form beside a plain forward.

    python benchmarks/falsifier.py [--quick] [--json]

L = 4, contents ±1, d = 4.  The plain loop sends every model through every input: logits, softmax
and outputs of ``theorems.attention`` and the targets of ``theorems.trigger_task``, in a batch.
Both compute the largest error over all inputs and the largest mass off BOS of every model, and the
gradient of the same loss.  Processor seconds of one thread, so that other programs do not change
them; the two take turns and the fastest turn counts.  Exits with 1 below the floors.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from empirics.falsifier.claim import named
from empirics.falsifier.closed_form import PairModels
from empirics.falsifier.corpus import TWO
from empirics.falsifier.gradient import loss_of
from theorems.attention import attend, bilinear_logits, softmax
from theorems.trigger_task import TriggerTask

PER_SECOND = 25_000
"""Models with gradient a second on one core: half of what two cores must reach."""
RATIO = 3.0


class Plain:
    """The same models through every input, as a first program would."""

    def __init__(self, L: int) -> None:
        task = TriggerTask(L, 1)
        contents = torch.tensor(np.array(TWO, dtype=float))
        batches = [tokens for _, tokens in task.every_input(contents)]
        self.tokens = torch.cat(batches)
        self.targets = task.targets(self.tokens)
        self.silent = task.non_trigger(self.tokens)

    def forward(self, parameters: list[Tensor]) -> tuple[Tensor, Tensor]:
        """|output − target| (numbers, B) and m (rows, B), for A and M of shape (1, d, d, B)."""
        A, V = (x[0].movedim(-1, 0)[:, None] for x in parameters)
        rows = softmax(bilinear_logits(self.tokens, A))
        off = (attend(rows, self.tokens, V.mT) - self.targets).abs()
        mass = (1 - rows[..., 0])[:, self.silent]
        return off.flatten(1).T, mass.T


def timed(forward: Callable, claim, parameters: list[Tensor], repeats: int) -> float:  # type: ignore[no-untyped-def,type-arg]
    """Processor seconds of one evaluation with gradient."""
    fixed = torch.full(parameters[0].shape[-1:], 0.05, dtype=torch.float64)
    start = time.process_time()
    for _ in range(repeats):
        for x in parameters:
            x.grad = None
        off, mass = forward(parameters)
        loss_of(claim, off, mass, fixed, 16.0).sum().backward()
    return (time.process_time() - start) / repeats


def measure(batch: int = 768, turns: int = 5, repeats: int = 20) -> dict[str, float]:
    """Models per second of both, and their ratio."""
    torch.set_num_threads(1)
    claim = named("one_layer_sink").changed(mechanism="bilinear", contents=TWO, lengths=(4,))
    fast, plain = PairModels(claim, 4), Plain(4)
    parameters = [x.requires_grad_(True) for x in fast.start(np.random.default_rng(0), batch)]
    times: dict[str, list[float]] = {"closed form": [], "plain": []}
    for _ in range(turns):
        times["closed form"].append(timed(fast.forward, claim, parameters, repeats))
        times["plain"].append(timed(plain.forward, claim, parameters, max(1, repeats // 4)))
    speed = {name: batch / min(taken) for name, taken in times.items()}
    return {
        "models_per_second": speed["closed form"],
        "plain_models_per_second": speed["plain"],
        "ratio": speed["closed form"] / speed["plain"],
    }


def main() -> int:
    """Print the figures; 1 if one is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    found = measure(turns=2, repeats=5) if options.quick else measure()
    if options.json:
        print(json.dumps(found))
    else:
        print(
            f"{found['models_per_second']:.0f} bilinear models a second with gradient on one core "
            f"(floor {PER_SECOND}), plain {found['plain_models_per_second']:.0f}, "
            f"ratio {found['ratio']:.1f} (floor {RATIO})"
        )
    return int(found["models_per_second"] < PER_SECOND or found["ratio"] < RATIO)


if __name__ == "__main__":
    sys.exit(main())
