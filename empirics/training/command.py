"""``sinkproof train``: train, measure and print, on top of ``train`` and ``measure``."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from empirics.training.checkpoint import RunFolder
from empirics.training.config import TrainConfig
from empirics.training.loop import Progress as Report
from empirics.training.loop import Trained, train
from empirics.training.measure import Measurement, measure
from empirics.training.plain import plain
from theorems.errors import UserError
from theorems.files import versions, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator


def train_command(
    *,
    attention: str = "softmax",
    layers: int = 1,
    heads: int = 1,
    seeds: int = 8,
    residual: bool | None = None,
    length: int = 16,
    content_dim: int = 13,
    steps: int = 50_000,
    lr: float | None = None,
    batch: int = 128,
    out: Path | None = None,
    resume: bool = False,
    threads: int = 1,
    worst_case: bool = False,
    as_json: bool = False,
) -> dict[str, Any]:
    """Train models with seeds 0..seeds−1, measure them, print the result and return it.

    Prints a table, or one JSON object with ``as_json`` and nothing else to standard output; a
    progress bar goes to standard error when that is a terminal.  With ``out`` the same object is
    kept there as ``measurement.json``.  With ``worst_case`` models that stopped are trained on with
    a term for the worst contents; steps count those before.  Raises ``UserError`` on wrong input.
    """
    from empirics.certificates import worst_case_training  # which imports this package

    if not isinstance(seeds, int) or seeds < 1:
        raise UserError(f"seeds = {seeds}: train at least one model")
    if resume and out is None:
        raise UserError("there is nothing to resume without a folder: give the folder of the run")
    config = TrainConfig(
        attention=attention,
        layers=layers,
        heads=heads,
        residual=residual,
        length=length,
        content_dim=content_dim,
        batch=batch,
        lr=lr,
        max_steps=steps,
        seeds=tuple(range(seeds)),
        threads=threads,
    )
    if worst_case:
        worst_case_training.check_trainable(config)
    with _bar(steps) as report:
        trained = train(config, out=out, resume=resume, progress=report)
    if worst_case:
        trained = worst_case_training.train_all_on(trained)
        if out is not None:
            RunFolder(Path(out)).finish(trained)
    found = measure(config, trained.weights)
    result = _result(trained, found)
    result["settings"]["worst_case"] = worst_case
    if out is not None:
        write_json(Path(out) / "measurement.json", result)
    if as_json:
        sys.stdout.write(json.dumps(result) + "\n")
    else:
        _print(trained, found)
    return result


@contextmanager
def _bar(steps: int) -> Iterator[Report | None]:
    """A progress bar on standard error, or nothing when that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("training", total=steps)

        def report(step: int, active: int, models: int, error: float) -> None:
            text = f"{active} of {models} models training, batch max error {error:.3g}"
            bar.update(task, completed=step, description=text)

        yield report


def _result(trained: Trained, found: list[Measurement]) -> dict[str, Any]:
    config = trained.config
    models = [
        {"steps": steps, "converged": converged, "batch_error": plain(error), **one.as_dict()}
        for steps, converged, error, one in zip(
            trained.steps, trained.converged, trained.error, found, strict=True
        )
    ]
    return {
        "subject": f"{config.attention} {config.layers}x{config.heads}",
        "status": "converged" if all(trained.converged) else "not converged",
        "figures": {"models": models, "bound": "indicative: error is a maximum over samples"},
        "settings": config.as_dict(),
        "versions": versions(),
    }


def _print(trained: Trained, found: list[Measurement]) -> None:
    config = trained.config
    shape = f"{config.layers} layer(s) × {config.heads} head(s)"
    table = Table(
        title=f"{config.attention}, {shape}, {'with' if config.residual else 'no'} residual, "
        f"L = {config.length}, n = {config.content_dim}",
        caption="least, most: BOS weight at non-trigger positions i ≥ 2, over 1000 sequences with "
        "a fixed and 1000 with random triggers. bound: what Theorem 1 asks of least; indicative, "
        "since a sampled maximum under-estimates the error. at trigger: mean BOS weight there.",
    )
    names = ("seed", "steps", "stopped", "max error", "least", "most", "bound", "at trigger")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for steps, converged, one in zip(trained.steps, trained.converged, found, strict=True):
        table.add_row(
            str(one.seed),
            str(steps),
            "yes" if converged else "no",
            f"{one.error:.4f}",
            f"{one.least_bos:.4f}",
            f"{one.most_bos:.4f}",
            "–" if one.floor is None else f"{one.floor:.4f}",
            f"{one.trigger_bos['mean']:.4f}",
        )
    Console().print(table)
