"""One job of a sweep, from its first step or from where it was stopped, to its line of results."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from torch import Tensor

from empirics.mechanisms.figures import figures
from empirics.mechanisms.jobs import Job
from empirics.mechanisms.variant_run import VariantRun, look_at
from empirics.mechanisms.variants import VARIANTS, VariantPass
from empirics.training.config import TrainConfig
from empirics.training.loop import train
from empirics.training.measure import sample
from theorems.files import versions

SEQUENCES = 400
CHECKPOINT = 200


class Stopped(Exception):  # noqa: N818 (a request, not a fault)
    """The sweep was asked to stop; everything up to the last checkpoint is on disk."""


def run_job(job: Job, folder: Path) -> dict[str, Any]:
    """Train (or go on training) a job and return its line.  Raises ``Stopped`` when asked to."""
    began, stop = time.perf_counter(), folder / "STOP"

    def progress(step: int, active: int, models: int, error: float) -> None:
        if stop.exists():
            raise Stopped

    progress(0, 0, 0, 0.0)
    models = (_fused if job.fused else _variant)(job, folder / job.hash, progress)
    return {
        "hash": job.hash,
        "key": job.key,
        "shape": job.shape,
        "variant": job.variant,
        "warm": job.warm,
        "config": job.config.as_dict(),
        "models": models,
        "seconds": round(time.perf_counter() - began, 1),
        "versions": versions(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def run_again(job: Job, **changes: Any) -> list[dict[str, Any]]:
    """The models of a job with some settings changed, trained here and now; keeps no files."""
    with TemporaryDirectory() as folder:
        changed = replace(job, config=replace(job.config, **changes))
        models: list[dict[str, Any]] = run_job(changed, Path(folder))["models"]
        return models


def _fused(job: Job, out: Path, progress: Any) -> list[dict[str, Any]]:
    config = job.config
    if job.warm:  # seconds long: begun anew when stopped
        cold = train(replace(config, bos_penalty=0.0, tolerance=TrainConfig.tolerance))
        done = train(config, start=cold.weights, progress=progress, log_every=CHECKPOINT)
    else:
        done = train(
            config,
            out=out,
            resume=(out / "run.json").exists(),
            progress=progress,
            checkpoint_every=CHECKPOINT,
            log_every=CHECKPOINT,
        )
    models = []
    for index, seed in enumerate(config.seeds):
        seen = sample(config, done.weights[index], seed, sequences=SEQUENCES)
        found = figures(seen.rows, seen.tokens, seen.error, bos=config.bos)
        models.append(_head(seed, done.steps[index], done.converged[index]) | found)
    return models


def _variant(job: Job, out: Path, progress: Any) -> list[dict[str, Any]]:
    config, variant = job.config, VARIANTS[job.variant]
    run = VariantRun(variant, config, out / "checkpoint.safetensors")
    done = run.train(progress, every=CHECKPOINT)
    models = []
    for index, seed in enumerate(config.seeds):
        one = done.theta[:, :, index : index + 1]
        seen, tokens, error = look_at(variant, config, one, seed, SEQUENCES)
        found = figures(seen.rows[0], tokens[0], error[0], *gated(seen))
        models.append(_head(seed, done.steps[index], done.converged[index]) | found)
    return models


def _head(seed: int, steps: int, converged: bool) -> dict[str, Any]:
    return {"seed": seed, "steps": steps, "converged": converged}


def gated(seen: VariantPass) -> tuple[Tensor, Tensor]:
    """The gates and BOS's writes of one model that was looked at closely."""
    assert seen.closely is not None
    return seen.closely.open[0], seen.closely.bos_writes[0]
