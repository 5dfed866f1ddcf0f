"""Trained evidence for the price of removing the sink, and for the need of an anchor.

A largest error over samples under-estimates the supremum η, so an observed error above a floor
for η confirms the floor without any reservation, for the inputs looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import torch

from empirics.training.config import TrainConfig
from empirics.training.loop import Trained, train
from empirics.training.measure import sample
from empirics.training.model import Weights
from empirics.training.runs import one_layer
from theorems import anchor_needed, sink_price
from theorems.evidence import Outcome, Run, check, evidence

PRICE, ANCHOR = sink_price.STATEMENT, anchor_needed.STATEMENT


def pays_the_price(trained: Trained, points: Mapping[int, Weights], sequences: int) -> Outcome:
    """Passed when at each point and for each model error ≥ εκ/(1+ε), ε its largest mass off BOS."""
    config = trained.config
    holds, closest, spread = True, float("inf"), []
    for weights in points.values():
        for index, seed in enumerate(config.seeds):
            seen = sample(config, weights[index], seed, sequences=sequences)
            alpha = seen.rows[:, :, 0, :, 0][0][seen.non_trigger].min().item()
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


def needs_an_anchor(trained: Trained, sequences: int) -> Outcome:
    """Passed when the observed error is at least κ for every model, at each point of training."""
    config = trained.config
    errors = [
        max(
            sample(config, weights[index], seed, sequences=sequences, trigger=j).error.max().item()
            for j in (None, 3, config.length)
        )
        for weights in (*trained.snapshots.values(), trained.weights)
        for index, seed in enumerate(config.seeds)
    ]
    least = min(errors)
    holds = all(ANCHOR.holds(L=config.length, eta=Fraction(e)) for e in errors)
    figure = (
        f"{len(config.seeds)} softmax models without BOS, {max(trained.steps)} updates: observed "
        f"error never below {least:.2g} ≥ κ = {config.kappa:.3f}; none met the stop criterion"
    )
    return check(holds and not any(trained.converged), figure, least=least)


def first_attention_without_bos(trained: Trained) -> float:
    """The mean weight of non-trigger rows i ≥ 3 on the first token, where BOS would have been."""
    config = trained.config
    means = []
    for index, seed in enumerate(config.seeds):
        seen = sample(config, trained.weights[index], seed)
        rows = seen.rows[0, :, 0]
        quiet = seen.non_trigger.clone()
        quiet[:, 0] = False
        means.append(rows[..., 0][quiet].mean())
    return float(torch.stack(means).mean())


@evidence("sink_price", kind="trained")
def models_pay_the_price(run: Run) -> Outcome:
    """Throughout training, a softmax model's observed error is above the price of its ε off BOS."""
    trained = one_layer("softmax", run.seed, run.scale(8, 32, 100))
    points = {**trained.snapshots, max(trained.steps): trained.weights}
    return pays_the_price(trained, points, sequences=200)


@evidence("anchor_needed", kind="trained")
def no_model_without_bos(run: Run) -> Outcome:
    """Softmax trained on the task without BOS never has an observed error below κ_L."""
    models, steps = run.scale(4, 8), run.scale(2000, 8000, 50_000)
    seeds = tuple(range(run.seed, run.seed + models))
    points = [steps * k // 8 for k in range(8)]
    config = TrainConfig(seeds=seeds, bos=False, max_steps=steps)
    return needs_an_anchor(train(config, snapshots=points), sequences=300)
