"""The sweeps: jobs run one after another or side by side, stopped and resumed at any moment.

    sinkproof sweep run small --out runs/mechanisms
    touch runs/mechanisms/STOP          # or SIGTERM: ends after the next checkpoint
    sinkproof sweep run small --out runs/mechanisms         # goes on
    sinkproof sweep collect --out runs/mechanisms

A finished job is one line of ``lines.jsonl``, with the job's hash; a job whose hash is there is not
run again, an unfinished one goes on from its own checkpoint, bit for bit.  ``collect`` writes one
small JSON file for each mechanism and shape into ``results/mechanisms``.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from empirics.mechanisms.job_run import Stopped, run_job
from empirics.mechanisms.jobs import PARTS, Job, of_parts
from empirics.training.files import read_metrics
from theorems.errors import UserError


def finished(folder: Path) -> dict[str, dict[str, Any]]:
    """The finished lines by hash; a line cut short by a hard stop does not count."""
    path = folder / "lines.jsonl"
    return {line["hash"]: line for line in read_metrics(path)} if path.exists() else {}


def sweep(
    jobs: Sequence[Job],
    folder: Path,
    *,
    workers: int = 1,
    backend: str | None = None,
    address: str = "",
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
def _parallel(workers: int, backend: str | None, address: str) -> Iterator[Any]:
    if workers == 1 and not backend:
        yield lambda jobs, folder: (_quietly(job, folder) for job in jobs)
        return
    if backend == "dask" and not address:
        raise UserError("--backend dask needs --address, such as tcp://host:8786")
    joblib = _needs("joblib", "several workers need joblib: pip install joblib")
    with ExitStack() as opened:
        if backend == "dask":
            cluster = _needs("distributed", "a cluster needs dask: pip install 'dask[distributed]'")
            opened.enter_context(cluster.Client(address))
            workers = -1  # all that the cluster has
        opened.enter_context(joblib.parallel_config(backend=backend or "loky", n_jobs=workers))
        parallel = joblib.Parallel(return_as="generator_unordered", pre_dispatch="all")
        call = joblib.delayed(_quietly)
        yield lambda jobs, folder: parallel(call(job, folder) for job in jobs)


def _needs(module: str, sentence: str) -> Any:
    """The optional ``module``.  Raises ``UserError`` with the sentence where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UserError(sentence) from None


def sweep_command(
    action: str,
    parts: Sequence[str],
    *,
    out: Path,
    workers: int = 1,
    backend: str | None = None,
    address: str = "",
) -> Iterator[str]:
    """``run`` the jobs of the parts (default: all), ``list`` them, or ``collect`` the results.

    Yields lines to print.  SIGTERM stops a run as the file STOP does.
    """
    if action == "collect":
        from empirics.mechanisms.collect import collect

        yield from map(str, collect(out))
        return
    jobs = of_parts(parts or list(PARTS))
    if action == "list":
        known = finished(out)
        for job in jobs:
            mark = "done" if job.hash in known else "    "
            yield " ".join([mark, job.hash, job.shape, job.key, *map(str, job.config.seeds)])
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: (out / "STOP").touch())
    try:
        for line in sweep(jobs, out, workers=workers, backend=backend, address=address):
            yield f"{line['shape']} {line['key']} {line['config']['seeds']} {line['seconds']} s"
    finally:
        signal.signal(signal.SIGTERM, before)
