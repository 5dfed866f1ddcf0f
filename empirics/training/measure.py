"""What trained models attend to: BOS mass per position, observed error, and Theorem 1's bound.

Measured in float64 with the definitions of the task and of each mechanism, over fresh sequences
with the trigger fixed (at position 8, as in the paper) and over random triggers.  A largest error
over a sample under-estimates the supremum η, so the bound computed from it is *indicative*: it
says where the model would have to be if nothing worse existed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.data import Stream, generators_for
from empirics.training.model import Weights, forward, task_error
from empirics.training.plain import plain
from empirics.training.threads import limited_threads

MEASURE_STREAM = 1
"""Number of the random stream for measuring; training uses stream 0."""


@dataclass(frozen=True)
class BosMass:
    """BOS weight of one model over a sample, as nested lists (layers, heads, L).

    Entry i is position i+1.  Position 1 is BOS itself, where causal softmax has weight 1 by force.
    ``mean``, ``std``, ``least`` and ``most`` at a position run over the sequences whose trigger is
    elsewhere; ``None`` where there are none.
    """

    mean: list[Any]
    std: list[Any]
    least: list[Any]
    most: list[Any]


@dataclass(frozen=True)
class Measurement:
    """One model.  "Non-trigger" positions are i ≥ 2 without the trigger; heads and layers pooled.

    ``error`` is the largest |output − target| seen over both samples; ``floor`` the bound of
    Theorem 1 from it, ``None`` when it says nothing (error ≥ κ, rows that need not sum to one,
    residual, several heads or layers); ``above_floor`` the least BOS weight minus it.
    """

    seed: int
    error: float
    kappa: float
    least_bos: float
    most_bos: float
    floor: float | None
    above_floor: float | None
    trigger_bos: dict[str, float]
    fixed: BosMass
    random: BosMass

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        values: dict[str, Any] = plain(asdict(self))
        return values


def sink_floor(error: float, kappa: float) -> float | None:
    """1 − η/(κ_L − η): least BOS weight of a one-layer simplex model of error η (Theorem 1)."""
    return 1 - error / (kappa - error) if error < kappa else None


def _mass(bos: Tensor, elsewhere: Tensor) -> BosMass:
    """From BOS weights (layers, B, H, N) and where the trigger is not (B, N)."""
    where = elsewhere[None, :, None, :].to(bos.dtype)
    count = where.sum(dim=1)
    mean = (bos * where).sum(dim=1) / count
    variance = ((bos - mean[:, None]) ** 2 * where).sum(dim=1) / count
    least = torch.where(where > 0, bos, torch.inf).amin(dim=1)
    most = torch.where(where > 0, bos, -torch.inf).amax(dim=1)

    def rounded(x: Tensor) -> list[Any]:
        found: list[Any] = plain(torch.where(count > 0, x, torch.nan).tolist())
        return found

    return BosMass(rounded(mean), rounded(variance.sqrt()), rounded(least), rounded(most))


@dataclass(frozen=True)
class Sample:
    """What one model did on one sample: tensors, for those who want more than figures."""

    tokens: Tensor  # (B, N, d)
    triggers: Tensor  # (B,)
    rows: Tensor  # (layers, B, H, N, N)
    error: Tensor  # (B, N, d)

    @property
    def non_trigger(self) -> Tensor:
        """(B, N): positions i ≥ 2 (BOS excluded) that do not hold the trigger."""
        return (self.tokens[..., 0] == 0) & (self.tokens[..., 1] == 0)


def sample(
    config: TrainConfig,
    weights: Weights,
    seed: int,
    *,
    sequences: int = 1000,
    trigger: int | None = None,
) -> Sample:
    """Run one model (``len(weights) == 1``) on fresh sequences, in float64 by the definitions.

    On ``config.threads`` threads, like training.
    """
    stream = MEASURE_STREAM if trigger is None else MEASURE_STREAM + trigger
    generators = generators_for([seed], stream)
    with torch.no_grad(), limited_threads(config.threads):
        batch = Stream(config, generators, batch=sequences, dtype=torch.float64).draw(trigger)
        done = forward(weights.to(torch.float64), batch.tokens, config)
        error = task_error(done.outputs, batch.tokens, config)
    return Sample(batch.tokens[0], batch.triggers[0], done.rows[0], error[0])


def measure(
    config: TrainConfig,
    weights: Weights,
    *,
    sequences: int = 1000,
    trigger: int | None = None,
    seeds: Sequence[int] | None = None,
) -> list[Measurement]:
    """Measure every model of ``weights``; ``trigger`` defaults to 8, or the middle of a short task.

    ``seeds`` (default: those of the configuration) seed the fresh sequences, in a stream that
    training does not use.  Needs a BOS token.
    """
    if not config.bos:
        raise ValueError("BOS mass is undefined for the task without BOS: use `sample`")
    place = trigger if trigger is not None else min(8, (config.length + 3) // 2)
    named = config.seeds if seeds is None else tuple(seeds)
    if len(named) != len(weights):
        raise ValueError(f"{len(weights)} models but {len(named)} seeds")
    with limited_threads(config.threads):
        return [
            _measure_one(config, weights[index], seed, sequences, place)
            for index, seed in enumerate(named)
        ]


def _measure_one(
    config: TrainConfig, weights: Weights, seed: int, sequences: int, place: int
) -> Measurement:
    fixed = sample(config, weights, seed, sequences=sequences, trigger=place)
    random = sample(config, weights, seed, sequences=sequences)
    error = max(float(fixed.error.max()), float(random.error.max()))
    masses, off, at = [], [], []
    for one in (fixed, random):
        bos = one.rows[..., 0]
        masses.append(_mass(bos, one.tokens[..., 1] == 0))
        off.append(bos.transpose(1, 2)[..., one.non_trigger])
        at.append(bos.transpose(1, 2)[..., one.tokens[..., 1] == 1])
    least = min(float(x.min()) for x in off) + 0.0  # no −0
    applies = config.simplex and config.layers == config.heads == 1 and not config.residual
    floor = sink_floor(error, config.kappa) if applies else None
    trigger_row = torch.cat([x.flatten() for x in at])
    return Measurement(
        seed=seed,
        error=error,
        kappa=config.kappa,
        least_bos=least,
        most_bos=max(float(x.max()) for x in off) + 0.0,
        floor=floor,
        above_floor=None if floor is None else least - floor,
        trigger_bos={
            "mean": float(trigger_row.mean()),
            "std": float(trigger_row.std(correction=0)),
            "most": float(trigger_row.max()),
        },
        fixed=masses[0],
        random=masses[1],
    )
