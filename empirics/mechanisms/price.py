"""What a penalty on BOS mass costs: trained models against the proven floor εκ_L/(1+ε).

One softmax layer with λ · (BOS mass off the trigger) in its loss, from random matrices and from
models that sink already; ε = 1 − α is the largest mass off BOS that a model shows at a non-trigger
position, and its observed error can only under-estimate η.  (Ran-Milo 2026, arXiv 2603.11487,
discusses penalising or redistributing BOS attention.)
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from empirics.mechanisms.job_run import run_again
from empirics.mechanisms.jobs import PENALTIES, PRICE_STEPS, price
from empirics.mechanisms.trained import RESULTS, stored
from theorems import anchor_needed, sink_price
from theorems.errors import UserError
from theorems.evidence import Finding, NotRun, Outcome, Run, check, evidence

PRICE, ANCHOR = sink_price.STATEMENT, anchor_needed.STATEMENT
FILES = ("results/mechanisms/price/*.json",)
LENGTH = 16
ANCHORED = 0.5
"""A key that holds more than this of the mass of later silent rows is an anchor."""


@dataclass(frozen=True)
class Paid:
    """One model: its penalty, ε, observed error, the floor for that ε, and its largest column."""

    penalty: float
    warm: bool
    epsilon: float
    error: float
    floor: float
    anchor: int
    anchor_mass: float

    @property
    def obeys(self) -> bool:
        """Whether the observed error is at least the price of ε, by the statement itself."""
        epsilon = Fraction(self.epsilon)
        return PRICE.holds(L=LENGTH, alpha=1 - epsilon, eta=Fraction(self.error), epsilon=epsilon)


def paid(model: dict[str, Any], penalty: float, warm: bool) -> Paid:
    """Read one model's figures."""
    off = max(x for layer in model["off"] for x in layer)
    kappa = (LENGTH - 3) / (4 * (LENGTH - 1))
    columns = model["columns"][0][0]
    anchor = max(range(len(columns)), key=columns.__getitem__)
    return Paid(
        penalty,
        warm,
        off,
        model["error"],
        off * kappa / (1 + off),
        anchor + 1,
        columns[anchor],
    )


def points(folder: Path = RESULTS) -> list[Paid]:
    """Every stored model with a penalty, or none."""
    found = []
    for penalty in (0.0, *PENALTIES):
        for warm in (False, True):
            file = stored(f"price/penalty_{penalty:g}" + "_warm" * warm, "1x1", folder)
            found += [paid(model, penalty, warm) for model in (file or {"models": []})["models"]]
    return found


def judged(found: list[Paid]) -> Outcome:
    """Passed when every model pays its price; what A8 says of trained models is the finding.

    Reproduced when the error grows with the mass taken from BOS, or an anchor moves elsewhere.
    """
    holds = bool(found) and all(one.obeys for one in found)
    curve = [_medians(found, penalty, warm=True) for penalty in (0.0, *PENALTIES)]
    known = [c for c in curve if c]
    rises = all(low[1] <= high[1] * 1.5 for low, high in itertools.pairwise(known))
    costs = bool(known) and rises and known[-1][1] > 20 * known[0][1]
    moved = [one for one in found if one.anchor != 1 and one.anchor_mass > ANCHORED]
    closest = min((one.error / one.floor for one in found if one.floor > 0), default=0.0)
    text = "; ".join(f"ε = {e:.2g}: {error:.2g}" for e, error in known)
    figure = (
        f"{len(found)} models, λ = 0 and {PENALTIES[0]:g}..{PENALTIES[-1]:g}: observed error ≥ "
        f"{closest:.1f} × the floor εκ/(1+ε); from models that sink, median error at {text}; "
        f"an anchor moves elsewhere in {len(moved)}"
    )
    finding = Finding.REPRODUCED if costs or moved else Finding.NOT_REPRODUCED
    return check(holds, figure, finding=finding, closest=closest, moved=len(moved))


def _medians(found: list[Paid], penalty: float, warm: bool) -> tuple[float, float] | None:
    chosen = [one for one in found if one.penalty == penalty and one.warm == warm]
    if not chosen:
        return None
    return median(one.epsilon for one in chosen), median(one.error for one in chosen)


@evidence("sink_price", kind="trained", files=FILES)
def penalised_models_pay(run: Run) -> Outcome:
    """Stored models with a penalty on BOS mass, λ over five decades, are above the price of ε."""
    found = points()
    if not found:
        raise NotRun("results/mechanisms has no penalised models: run from the project's folder")
    return judged(found)


@evidence("sink_price", kind="trained")
def a_penalty_is_paid_again(run: Run) -> Outcome:
    """A part of the sweep trained anew: at λ = 0.003 models that sink pay for what they give."""
    models, steps = run.scale(2, 4, 8), run.scale(1000, 2000, PRICE_STEPS)
    job = next(j for j in price() if j.warm and j.config.bos_penalty == 3e-3)
    seeds = tuple(range(run.seed, run.seed + models))
    trained = run_again(job, seeds=seeds, max_steps=steps)
    again = [paid(model, 3e-3, warm=True) for model in trained]
    holds = all(one.obeys and 0.01 < one.epsilon < 0.3 for one in again)
    figure = (
        f"{models} models, {steps} updates: ε = {min(p.epsilon for p in again):.2g}–"
        f"{max(p.epsilon for p in again):.2g}, observed error ≥ "
        f"{min(p.error / p.floor for p in again):.1f} × the floor"
    )
    return check(holds, figure)


@evidence("anchor_needed", kind="trained", files=FILES)
def stored_models_without_bos(run: Run) -> Outcome:
    """Stored models of the task without BOS have an observed error of at least κ_L."""
    files = [stored(f"price/no_bos_n{n}", "1x1") for n in (13, 0)]
    models = [model for file in files if file for model in file["models"]]
    if not models:
        raise NotRun("results/mechanisms has no models without BOS")
    holds = all(ANCHOR.holds(L=LENGTH, eta=Fraction(model["error"])) for model in models)
    holds = holds and not any(model["converged"] for model in models)
    least = min(model["error"] for model in models)
    anchored = sum(max(model["columns"][0][0]) > ANCHORED for model in models)
    figure = (
        f"{len(models)} models with n = 13 and n = 0: observed error ≥ {least:.3g}, κ = "
        f"{(LENGTH - 3) / (4 * (LENGTH - 1)):.3f}; another anchor in {anchored}"
    )
    return check(holds, figure, finding=Finding.REPRODUCED, least=least, anchored=anchored)


def draw(path: Path) -> None:
    """A figure: observed error against ε for every penalised model, over the proven floor.

    Raises ``UserError`` without matplotlib or results.
    """
    try:
        import matplotlib
    except ImportError:
        raise UserError("figures need matplotlib: pip install 'sinkproof[plot]'") from None
    found = points()
    if not found:
        raise UserError("no penalised models: `sinkproof sweep run price`, then collect")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.2), layout="constrained")
    axes = figure.subplots()
    kappa = (LENGTH - 3) / (4 * (LENGTH - 1))
    grid = [10 ** (-5 + 5 * k / 200) for k in range(201)]
    axes.plot(grid, [e * kappa / (1 + e) for e in grid], color="0.3", label="floor εκ/(1+ε)")
    for warm, marker in ((False, "o"), (True, "^")):
        chosen = [one for one in found if one.warm == warm]
        label = "from models that sink" if warm else "from random matrices"
        axes.scatter(
            [one.epsilon for one in chosen], [one.error for one in chosen],
            s=14, alpha=0.6, marker=marker, linewidths=0, label=label,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("ε: largest mass off BOS at a non-trigger position")
    axes.set_ylabel("observed error")
    axes.legend(frameon=False)
    figure.savefig(path)
