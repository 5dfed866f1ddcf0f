"""Trained evidence for stacks without residual (Ran-Milo 2026, Theorem 2): some layer sinks.

Two layers train from random matrices with lr 1e-3, in 13 to 46 thousand updates; their weights are
in ``results/training/two_layers`` and are measured again here.  Four layers do not train from
random matrices in such a number of updates, so they start from a solution with noise added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.data import generators_for
from empirics.training.loop import train
from empirics.training.measure import sample
from empirics.training.model import MATRICES, Weights
from empirics.training.stored import stored_models
from theorems.deep_sink import POSITION_TWO
from theorems.evidence import NotRun, Outcome, Run, check, evidence
from theorems.one_layer_sink import SHARP
from theorems.trigger_task import BOS, ORDINARY, TRIGGER

TWO_LAYERS = ("results/training/two_layers.json", "results/training/two_layers/*.safetensors")
START_STREAM = 2
"""Number of the random stream for noise on starting weights."""


@dataclass(frozen=True)
class Depth:
    """One stack of one head per layer, over fresh sequences.

    ``error`` is the largest |output − target| seen.  ``off`` is, at position 2 of the worst
    sequence, the smallest mass off BOS of a layer.  ``composed`` is the least BOS weight of the
    composed row at a non-trigger position, and ``layers`` the mean BOS weight of each layer there.
    """

    error: float
    off: float
    composed: float
    layers: tuple[float, ...]


def depth(config: TrainConfig, weights: Weights, seed: int, sequences: int = 200) -> Depth:
    """Look at one stack with random triggers, and with the trigger first (3) and last (L)."""
    error, off, composed, means = 0.0, 0.0, 1.0, []
    for trigger in (None, 3, config.length):
        seen = sample(config, weights, seed, sequences=sequences, trigger=trigger)
        rows = seen.rows[:, :, 0]
        product = rows[0]
        for above in rows[1:]:
            product = above @ product
        error = max(error, seen.error.max().item())
        off = max(off, (1 - rows[:, :, 1, 0]).amin(dim=0).max().item())
        composed = min(composed, product[..., 0][seen.non_trigger].min().item())
        means.append(rows[..., 0][:, seen.non_trigger].mean(dim=1))
    return Depth(error, off, composed, tuple(torch.stack(means).mean(dim=0).tolist()))


def obeys(config: TrainConfig, found: Sequence[Depth]) -> bool:
    """Whether Theorem 2 at position 2 and its product form hold with the observed errors."""
    return all(
        POSITION_TWO.holds(
            L=config.length, D=config.layers, eta=Fraction(one.error), m=Fraction(one.off)
        )
        and SHARP.holds(
            L=config.length,
            eta=Fraction(one.error),
            alpha=min(Fraction(one.composed), Fraction(1)),
        )
        for one in found
    )


def report(config: TrainConfig, found: Sequence[Depth], trained: str) -> Outcome:
    """Passed when at least half of the stacks have η < κ (observed) and these obey Theorem 2."""
    able = [one for one in found if one.error < config.kappa]
    share = len(able) / len(found)
    layers = [list(one.layers) for one in found]
    if not able:
        return check(False, f"0 of {len(found)} stacks {trained} with η < κ", share=0.0)
    resting = [min(one.layers) for one in able]
    figure = (
        f"{len(able)} of {len(found)} stacks {trained} with η < κ (observed ≤ "
        f"{max(one.error for one in able):.2g}); composed BOS ≥ "
        f"{min(one.composed for one in able):.3f}; mean BOS of the layer that sinks most "
        f"≥ {min(max(one.layers) for one in able):.3f}, least {min(resting):.2f}–{max(resting):.2f}"
    )
    return check(share >= 0.5 and obeys(config, able), figure, share=share, layers=layers)


def solution(config: TrainConfig, sharpness: float) -> Weights:
    """A stack that solves the task, one model: each layer is softmax of bilinear logits.

    Layer 1: an ordinary query scores K on BOS, the trigger −K; values keep everything.  Then an
    ordinary position holds BOS's token, nearly, and the trigger the mean, whose flags sum to one
    off BOS; later layers score K between BOS flags and K between the others, so ordinary positions
    mix what is BOS's token anyway and the trigger keeps its mean.  The last layer's values drop
    the BOS flag.
    """
    d, K = config.width, sharpness
    first, later = torch.zeros(d, d), torch.zeros(d, d)
    first[ORDINARY, BOS], first[TRIGGER, BOS] = K, -K
    body = torch.zeros(d)
    body[[TRIGGER, ORDINARY]] = 1
    later += K * torch.outer(body, body)
    later[BOS, BOS] = K
    identity = torch.eye(d)
    last = identity.clone()
    last[BOS, BOS] = 0
    A = [first] + [later] * (config.layers - 1)
    M = [identity] * (config.layers - 1) + [last]
    # A = W_QᵀW_K and M = W_OW_V with W_K = W_V = identity.
    same = [identity] * config.layers
    stacks = ([a.mT for a in A], same, same, M)
    return Weights(*(torch.stack(matrices)[None] for matrices in stacks))


def noisy(weights: Weights, seeds: Sequence[int], noise: float) -> Weights:
    """One copy per seed with N(0, noise²) added to every entry."""
    copies = []
    for generator in generators_for(seeds, START_STREAM):
        parts: list[Tensor] = [getattr(weights, name) for name in MATRICES]
        copies.append([p + noise * torch.randn(p.shape, generator=generator) for p in parts])
    return Weights(*(torch.cat(matrices) for matrices in zip(*copies, strict=True)))


@evidence(
    "deep_sink",
    kind="trained",
    files=("results/training/two_layers.json", "results/training/two_layers/*"),
)
def stored_two_layer_models(run: Run) -> Outcome:
    """Stored two-layer models, trained from random matrices, obey Theorem 2 with η < κ."""
    models = stored_models("two_layers")
    if not models:
        raise NotRun("the stored two-layer models are not here: run from the project's folder")
    found = [depth(config, weights, about["seed"]) for about, config, weights in models]
    steps = [about["steps"] for about, _, _ in models]
    text = f"of 2 layers trained from random matrices in {min(steps)}–{max(steps)} updates"
    return report(models[0][1], found, text)


@evidence("deep_sink", kind="trained")
def stacks_from_noisy_solutions(run: Run) -> Outcome:
    """Stacks of 4 layers trained from noisy solutions obey Theorem 2 with η < κ."""
    seeds = tuple(range(run.seed, run.seed + run.scale(4, 8, 32)))
    config = TrainConfig(layers=4, residual=False, seeds=seeds, max_steps=6000)
    start = noisy(solution(config, sharpness=4.0), seeds, noise=0.05)
    before = [depth(config, start[i], seed, 50) for i, seed in enumerate(seeds)]
    trained = train(config, start=start)
    found = [depth(config, trained.weights[i], seed) for i, seed in enumerate(seeds)]
    outcome = report(config, found, "of 4 layers")
    worst = min(one.error for one in before)
    text = (
        f"{outcome.figure}; error ≥ {worst:.2g} at the noisy start, "
        f"{sum(trained.converged)} met the stop criterion in ≤ {max(trained.steps)} updates"
    )
    return replace(outcome, figure=text)


@evidence("deep_sink", kind="trained", mode="full")
def two_layers_from_random_matrices(run: Run) -> Outcome:
    """Two layers without residual, trained here from random matrices, obey Theorem 2 with η < κ."""
    seeds = tuple(range(run.seed, run.seed + 8))
    config = TrainConfig(layers=2, residual=False, seeds=seeds)

    def progress(step: int, active: int, models: int, error: float) -> None:
        run.progress(step / config.max_steps, f"{active} of {models} models training")

    trained = train(config, progress=progress)
    found = [depth(config, trained.weights[i], seed) for i, seed in enumerate(seeds)]
    spread = f"in {min(trained.steps)}–{max(trained.steps)} updates"
    return report(config, found, f"of 2 layers trained from random matrices {spread}")
