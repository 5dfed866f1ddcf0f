"""Trained evidence for the price of removing the sink, and for the need of an anchor.

A largest error over samples under-estimates the supremum η, so an observed error above a floor
for η confirms the floor without any reservation, for the inputs looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from empirics.training.config import TrainConfig
from empirics.training.loop import Trained, train
from empirics.training.measure import sample
from empirics.training.model import Weights
from empirics.training.runs import one_layer
from theorems import anchor_needed, sink_price
from theorems.evidence import Outcome, Run, check, evidence
from theorems.trigger_task import BOS, TRIGGER

PRICE, ANCHOR = sink_price.STATEMENT, anchor_needed.STATEMENT


def pays_the_price(trained: Trained, points: Mapping[int, Weights], sequences: int) -> Outcome:
    """Passed when at each point and for each model error ≥ εκ/(1+ε), ε its largest mass off BOS."""
    config = trained.config
    holds, closest, spread = True, float("inf"), []
    for weights in points.values():
        for index, seed in enumerate(config.seeds):
            seen = sample(config, weights[index], seed, sequences=sequences)
            alpha = seen.rows[0, :, 0, :, BOS][seen.non_trigger].min().item()
            off, error = 1 - Fraction(alpha), Fraction(seen.error.max().item())
            holds = holds and PRICE.holds(
                L=config.length, alpha=Fraction(alpha), eta=error, epsilon=off
            )
            floor = off * Fraction(config.length - 3, 4 * (config.length - 1)) / (1 + off)
            closest = min(closest, float(error / floor)) if floor else closest
            spread.append(float(off))
    figure = (
        f"{len(spread)} models (from {min(points)} updates to the stop), largest mass off BOS "
        f"{min(spread):.2g}–{max(spread):.2g}: observed error is ≥ {closest:.1f} × the floor"
    )
    return check(holds, figure, closest=closest)


def without_bos(trained: Trained, sequences: int) -> tuple[float, float]:
    """For a run without BOS: the least error observed at any point, the trigger's self-attention.

    The first is a minimum over models and points of training of a maximum over sequences; the
    second a mean over models and sequences, at the end.
    """
    config = trained.config
    errors, weights_on_itself = [], []
    for weights in (*trained.snapshots.values(), trained.weights):
        for index, seed in enumerate(config.seeds):
            seen = [
                sample(config, weights[index], seed, sequences=sequences, trigger=j)
                for j in (None, 3, config.length)
            ]
            errors.append(max(one.error.max().item() for one in seen))
            if weights is trained.weights:
                at_trigger = seen[0].tokens[..., TRIGGER] == 1
                diagonal = seen[0].rows[0, :, 0].diagonal(dim1=-2, dim2=-1)
                weights_on_itself.append(diagonal[at_trigger].mean().item())
    return min(errors), sum(weights_on_itself) / len(weights_on_itself)


def needs_an_anchor(runs: Sequence[Trained], sequences: int) -> Outcome:
    """Passed when the observed error is at least κ for every model, at each point of training."""
    holds, parts = True, []
    figures: dict[str, Any] = {}
    for trained in runs:
        config = trained.config
        least, itself = without_bos(trained, sequences)
        holds = holds and ANCHOR.holds(L=config.length, eta=Fraction(least))
        holds = holds and not any(trained.converged)
        parts.append(f"never below {least:.2g} with n = {config.content_dim}")
        figures[f"n = {config.content_dim}"] = {"least": least, "self_attention": itself}
    first = runs[0]
    least_self = min(f["self_attention"] for f in figures.values())
    figure = (
        f"{len(first.config.seeds)} softmax models without BOS, {max(first.steps)} updates: "
        f"observed error {', '.join(parts)}; κ = {first.config.kappa:.3f}; at the end the trigger "
        f"attends to itself (weight ≥ {least_self:.2f})"
    )
    return check(holds, figure, **figures)


@evidence("sink_price", kind="trained")
def models_pay_the_price(run: Run) -> Outcome:
    """Throughout training, a softmax model's observed error is above the price of its ε off BOS."""
    trained = one_layer("softmax", run.seed, run.scale(8, 32, 100))
    points = {**trained.snapshots, max(trained.steps): trained.weights}
    return pays_the_price(trained, points, sequences=200)


@evidence("anchor_needed", kind="trained")
def no_model_without_bos(run: Run) -> Outcome:
    """Softmax trained on the task without BOS never has an observed error below κ_L.

    Without contents (n = 0) a sequence is its trigger's position, so there the observed error is
    the supremum; the paper's n = 13 is trained too.
    """
    models, steps = run.scale(4, 8), run.scale(2000, 3000, 50_000)
    config = TrainConfig(
        seeds=tuple(range(run.seed, run.seed + models)), bos=False, max_steps=steps
    )
    points = [steps * k // 8 for k in range(8)]
    runs = [
        train(replace(config, content_dim=n), snapshots=points) for n in (config.content_dim, 0)
    ]
    return needs_an_anchor(runs, sequences=200)
