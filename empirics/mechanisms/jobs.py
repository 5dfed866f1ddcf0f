"""The runs of the sweeps, each one configuration with a few seeds, named by a hash of itself.

Parts: ``price`` (one softmax layer with a penalty on BOS mass, from random matrices and from models
that sink already, and without BOS), ``heads`` (softmax and ReLU in 2 layers × 2 heads and 4 × 4 on
a residual stream), ``small`` (every mechanism with one layer, and 2 × 2), ``large`` (4 × 4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from empirics.mechanisms.variants import VARIANTS
from empirics.training.config import TRAINABLE, TrainConfig
from theorems.errors import UserError

PENALTIES = (1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 1e-1, 1.0)
"""λ over five decades, closer where the sink gives way."""
PRICE_STEPS = 5000
NEVER = 1e-9
"""A tolerance that is not met: such runs use all their steps."""
SHAPES = {"1x1": (1, 1), "1x2": (1, 2), "2x2": (2, 2), "4x4": (4, 4)}
SMALL_SEEDS = 16
LARGE_SEEDS = {"softmax": 16, "relu": 16}
FEW = 4
MLP_STEPS = 20_000
"""An MLP keeps models from the stop criterion; longer runs would cost more than all others."""
CHUNK = {"1x1": 8, "1x2": 8, "2x2": 4, "4x4": 2}
"""Seeds in one run: small enough to stop between, large enough to train side by side."""

MECHANISMS = ("softmax", "relu", "sigmoid", "linear", *(v for v in VARIANTS if v != "softmax"))


@dataclass(frozen=True)
class Job:
    """One run.  ``key`` and ``shape`` name the file of its models, ``variant`` what they are.

    A variant that is one of the fused trainer's mechanisms is trained by it.  ``warm`` jobs start
    from models that were trained without a penalty.
    """

    key: str
    shape: str
    variant: str
    config: TrainConfig
    warm: bool = False

    @property
    def hash(self) -> str:
        """Sixteen digits over all that decides the result."""
        settings = {k: v for k, v in self.config.as_dict().items() if k != "threads"}
        names = [self.variant, "warm"] if self.warm else [self.variant]
        content = json.dumps([*names, settings], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def fused(self) -> bool:
        return self.variant in TRAINABLE


def _chunks(seeds: int, size: int) -> Iterator[tuple[int, ...]]:
    for first in range(0, seeds, size):
        yield tuple(range(first, min(first + size, seeds)))


def _of(
    key: str, shape: str, seeds: int, variant: str = "", warm: bool = False, **settings: Any
) -> list[Job]:
    layers, heads = SHAPES[shape]
    variant = variant or key
    if variant == "mlp":
        settings = {"max_steps": MLP_STEPS} | settings
    attention = variant if variant in TRAINABLE else "softmax"
    return [
        Job(
            key,
            shape,
            variant,
            TrainConfig(attention, layers, heads, seeds=part, **settings),
            warm,
        )
        for part in _chunks(seeds, CHUNK[shape])
    ]


def price() -> list[Job]:
    """One softmax layer for each λ, cold and warm; the task without BOS, with contents or none."""
    jobs = []
    for penalty in (0.0, *PENALTIES):
        settings: dict[str, Any] = {"bos_penalty": penalty, "max_steps": PRICE_STEPS}
        jobs += _of(f"price/penalty_{penalty:g}", "1x1", 8, "softmax", **settings)
        settings |= {"tolerance": NEVER}
        jobs += _of(f"price/penalty_{penalty:g}_warm", "1x1", 8, "softmax", warm=True, **settings)
    for n in (13, 0):
        settings = {"bos": False, "content_dim": n, "max_steps": PRICE_STEPS}
        jobs += _of(f"price/no_bos_n{n}", "1x1", 8, "softmax", **settings)
    return jobs


def heads() -> list[Job]:
    """Softmax and ReLU, sixteen seeds each, in the paper's two stacks."""
    return [
        job
        for shape in ("2x2", "4x4")
        for name in ("softmax", "relu")
        for job in _of(name, shape, SMALL_SEEDS)
    ]


def small() -> list[Job]:
    """Every mechanism in one layer and in 2 × 2, sixteen seeds each; the cheapest runs first."""
    jobs = _of("two_heads", "1x2", SMALL_SEEDS, "softmax")
    for shape in ("1x1", "2x2"):
        for name in MECHANISMS:
            jobs += _of(name, shape, SMALL_SEEDS)
    layers = {job.hash: job.config.layers * (1 if job.fused else 5) for job in jobs}
    return sorted(jobs, key=lambda job: (job.variant == "mlp", layers[job.hash]))


def large() -> list[Job]:
    """4 × 4: sixteen seeds of softmax and ReLU, four of the others."""
    return [job for name in MECHANISMS for job in _of(name, "4x4", LARGE_SEEDS.get(name, FEW))]


PARTS = {"price": price, "heads": heads, "small": small, "large": large}


def of_parts(names: Sequence[str]) -> list[Job]:
    """The jobs of the named parts, each once.  Raises ``UserError`` for a name that is none."""
    for name in names:
        if name not in PARTS:
            raise UserError(f"unknown part {name!r}: choose among {', '.join(PARTS)}")
    return list({job.hash: job for name in names for job in PARTS[name]()}.values())
