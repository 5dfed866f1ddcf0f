"""The sweeps: jobs run one after another or side by side, stopped and resumed at any moment.

    python -m empirics.mechanisms.sweep run small --out runs/mechanisms
    touch runs/mechanisms/STOP              # or SIGTERM: ends after the next checkpoint
    python -m empirics.mechanisms.sweep run small --out runs/mechanisms        # goes on
    python -m empirics.mechanisms.sweep collect --out runs/mechanisms

A finished job is one line of ``lines.jsonl``, with the job's hash; a job whose hash is there is not
run again, an unfinished one goes on from its own checkpoint, bit for bit.  ``collect`` writes one
small JSON file for each mechanism and shape into ``results/mechanisms``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from empirics.mechanisms.figures import figures
from empirics.mechanisms.jobs import PARTS, Job, of_parts
from empirics.mechanisms.summary import summary
from empirics.mechanisms.trained import RESULTS
from empirics.mechanisms.variant_run import VariantRun, look_at
from empirics.mechanisms.variants import VARIANTS
from empirics.training.config import TrainConfig
from empirics.training.files import read_metrics
from empirics.training.loop import train
from empirics.training.measure import sample
from theorems.errors import UserError
from theorems.files import versions, write_json

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
        found = figures(seen.rows[0], tokens[0], error[0], seen.open[0] if variant.gate else None)
        models.append(_head(seed, done.steps[index], done.converged[index]) | found)
    return models


def _head(seed: int, steps: int, converged: bool) -> dict[str, Any]:
    return {"seed": seed, "steps": steps, "converged": converged}


def finished(folder: Path) -> dict[str, dict[str, Any]]:
    """The finished lines by hash; a line cut short by a hard stop does not count."""
    path = folder / "lines.jsonl"
    return {line["hash"]: line for line in read_metrics(path)} if path.exists() else {}


def sweep(
    jobs: Sequence[Job], folder: Path, *, workers: int = 1, backend: str = "", address: str = ""
) -> Iterator[dict[str, Any]]:
    """Run what is not finished, and yield the new lines as they come; each is on disk by then.

    Ends early, without error, when ``folder/STOP`` appears.  ``backend`` "dask" spreads jobs over
    the cluster at ``address``, whose workers must see ``folder``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "STOP").unlink(missing_ok=True)
    known = finished(folder)
    left = [job for job in jobs if job.hash not in known]
    with (
        _parallel(workers, backend, address) as parallel,
        open(folder / "lines.jsonl", "a+b") as lines,
    ):
        _mend(lines)
        for line in parallel(left, folder):
            if line is None:
                continue
            lines.write((json.dumps(line) + "\n").encode())
            lines.flush()
            os.fsync(lines.fileno())
            yield line


def _mend(lines: Any) -> None:
    """End a last line that a hard stop cut short."""
    if lines.seek(0, os.SEEK_END):
        lines.seek(-1, os.SEEK_END)
        if lines.read(1) != b"\n":
            lines.write(b"\n")


def _quietly(job: Job, folder: Path) -> dict[str, Any] | None:
    """A job's line, or ``None`` if it was stopped."""
    try:
        return run_job(job, folder)
    except Stopped:
        return None


@contextmanager
def _parallel(workers: int, backend: str, address: str) -> Iterator[Any]:
    if workers == 1 and not backend:
        yield lambda jobs, folder: (_quietly(job, folder) for job in jobs)
        return
    joblib = _needs("joblib", "several workers need joblib: pip install joblib")
    settings: dict[str, Any] = {"n_jobs": workers}
    if backend == "dask":
        if not address:
            raise UserError("--backend dask needs --address, such as tcp://host:8786")
        cluster = _needs("distributed", "a cluster needs dask: pip install 'dask[distributed]'")
        cluster.Client(address)
        settings["n_jobs"] = -1
    with joblib.parallel_config(backend=backend or "loky", **settings):
        parallel = joblib.Parallel(return_as="generator_unordered", pre_dispatch="all")
        call = joblib.delayed(_quietly)
        yield lambda jobs, folder: parallel(call(job, folder) for job in jobs)


def _needs(module: str, sentence: str) -> Any:
    """The optional ``module``.  Raises ``UserError`` with the sentence where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UserError(sentence) from None


def collect(folder: Path, into: Path = RESULTS) -> list[Path]:
    """Write ``KEY-SHAPE.json`` for all finished lines: settings, versions, models, summary."""
    into.mkdir(parents=True, exist_ok=True)
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in finished(folder).values():
        groups.setdefault((line["key"], line["shape"]), []).append(line)
    written = []
    for (key, shape), lines in sorted(groups.items()):
        models = sorted((m for line in lines for m in line["models"]), key=lambda m: m["seed"])
        config = {k: v for k, v in lines[0]["config"].items() if k not in ("seeds", "threads")}
        path = into / f"{_file(key)}-{shape}.json"
        write_json(
            path,
            {
                "key": key,
                "shape": shape,
                "variant": lines[0]["variant"],
                "warm": lines[0].get("warm", False),
                "config": config,
                "seeds": [m["seed"] for m in models],
                "seconds": round(sum(line["seconds"] for line in lines), 1),
                "versions": lines[-1]["versions"],
                "date": max(line["date"] for line in lines),
                "summary": summary(models),
                "models": models,
            },
        )
        written.append(path)
    return written


def _file(key: str) -> str:
    return "_".join(key.replace("=", "").replace(",", "").split())


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; see the module's first lines."""
    parser = argparse.ArgumentParser(prog="sweep", description=__doc__)
    parser.add_argument("action", choices=("run", "collect", "list"))
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--out", type=Path, default=Path("runs/mechanisms"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--backend", choices=("loky", "dask"), default="")
    parser.add_argument("--address", default="", help="of a Dask scheduler")
    given = parser.parse_args(arguments)
    if given.action == "collect":
        for path in collect(given.out):
            print(path.name)
        return 0
    jobs = of_parts(given.parts or list(PARTS))
    known = finished(given.out)
    if given.action == "list":
        for job in jobs:
            mark = "done" if job.hash in known else "    "
            print(mark, job.hash, job.shape, job.key, *job.config.seeds)
        return 0

    def stop(number: int, frame: object) -> None:
        (given.out / "STOP").touch()

    signal.signal(signal.SIGTERM, stop)
    for line in sweep(
        jobs, given.out, workers=given.workers, backend=given.backend, address=given.address
    ):
        print(
            line["shape"], line["key"], line["config"]["seeds"], f"{line['seconds']} s", flush=True
        )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as problem:
        sys.exit(str(problem))
