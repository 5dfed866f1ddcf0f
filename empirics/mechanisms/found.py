"""Does gradient descent find the solution without a sink where there is one?  Counted.

Ran-Milo 2026, arXiv 2603.11487, trains softmax and ReLU.  A model *sinks* when some head's mean BOS
mass at non-trigger positions exceeds 0.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from empirics.mechanisms.figures import sinking
from empirics.mechanisms.job_run import run_again
from empirics.mechanisms.jobs import small
from empirics.mechanisms.table import ROWS, Necessary, Row
from empirics.mechanisms.trained import stored
from theorems.evidence import NotRun, Outcome, Run, check, evidence
from theorems.one_layer_sink import SHARP


@dataclass(frozen=True)
class Count:
    """Models of one row and shape: how many there are, met the stop criterion, and sink."""

    row: Row
    shape: str
    models: int
    stopped: int
    sink: int
    obey: bool

    def text(self) -> str:
        return f"{self.row.name} {self.shape}: {self.sink} of {self.models}"


def count(row: Row, shape: str, models: Sequence[dict[str, Any]], length: int) -> Count:
    """Count the models that sink.  ``obey``: Theorem 1 holds of each, if it is about them.

    With an observed error, which under-estimates η, Theorem 1's conclusion may only look broken;
    so ``obey`` is a check of the definitions, of the training and of the theorem together.
    """
    theorem = row.necessary is Necessary.YES and shape == "1x1"
    obey = all(
        SHARP.holds(
            L=length,
            alpha=min(Fraction(1), Fraction(min(x for layer in model["least"] for x in layer))),
            eta=Fraction(model["error"]),
        )
        for model in models
        if theorem
    )
    return Count(
        row,
        shape,
        len(models),
        sum(bool(model["converged"]) for model in models),
        sum(any(sinking(model)) for model in models),
        obey,
    )


def counts() -> list[Count]:
    """Every row and shape that has been trained."""
    found = []
    for row in ROWS:
        for shape in row.shapes:
            file = stored(row.trained, shape)
            if file:
                found.append(count(row, shape, file["models"], file["config"]["length"]))
    return found


def judged(found: Sequence[Count]) -> Outcome:
    """Passed when Theorem 1 holds of every model it is about and softmax and ReLU differ."""
    forced = [c for c in found if c.row.necessary is Necessary.YES]
    free = [c for c in found if c.row.necessary is Necessary.NO]
    holds = bool(forced) and all(c.obey for c in forced)
    holds = holds and all(c.sink == c.models for c in forced if c.shape == "1x1")
    holds = holds and all(c.sink == 0 for c in free if c.row.trained == "relu")
    must, may = ("; ".join(c.text() for c in group) for group in (forced, free))
    figure = f"models that sink; where they must: {must}; where they need not: {may}"
    return check(holds, figure, counts=[[c.row.trained, c.shape, c.sink, c.models] for c in found])


@evidence("mechanisms", kind="trained", files=("results/mechanisms/*.json",))
def what_training_finds(run: Run) -> Outcome:
    """Stored models: all sink where they must, ReLU never, and the rest is counted."""
    found = counts()
    if not found:
        raise NotRun("results/mechanisms has no models: run from the project's folder")
    return judged(found)


@evidence("mechanisms", kind="trained")
def a_part_is_trained_again(run: Run) -> Outcome:
    """One layer anew: softmax-off-by-one sinks though it need not, ReLU does not."""
    models, parts = run.scale(2, 4, 16), {}
    for name in ("softmax_off_by_one", "relu"):
        job = next(j for j in small() if (j.key, j.shape) == (name, "1x1"))
        seeds = tuple(range(run.seed, run.seed + models))
        parts[name] = run_again(job, seeds=seeds)
    sink = {name: sum(any(sinking(m)) for m in part) for name, part in parts.items()}
    holds = all(m["converged"] for part in parts.values() for m in part)
    holds = holds and sink == {"softmax_off_by_one": models, "relu": 0}
    least = min(m["bos"][0][0] for m in parts["softmax_off_by_one"])
    most = max(m["bos"][0][0] for m in parts["relu"])
    return check(
        holds,
        f"{models} models each: mean BOS mass ≥ {least:.3f} for off-by-one, ≤ {most:.2g} for ReLU",
    )
