"""Further training with a worst-case term, for models whose certificate has a gap.

A trained ReLU model may leave the logit of BOS unconstrained where random contents rarely reach:
in about one seed of sixteen some content draws weight to BOS.  The largest logits of ordinary
queries over the whole box are differentiable,

    z_BOS* = A_oB + ‖A_cB‖₁,    z_o*, z_t* = A_ok + A_co·c + ‖A_oc + Cᵀc‖₁ at their worst vertex c,

so the loss adds ReLU(z* + margin) for each of them.  For softmax the same term holds the gaps of
keys over BOS below −gap.

    sinkproof certify model.safetensors --train-on better.safetensors
    sinkproof train --attention relu --worst-case --out run
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from empirics.certificates.forms import order
from empirics.certificates.weights import WeightFile
from empirics.training import save_weights
from empirics.training.config import TrainConfig
from empirics.training.data import Stream, generators_for
from empirics.training.loop import Trained
from empirics.training.model import MATRICES, Weights, forward, task_error
from empirics.training.threads import limited_threads
from theorems.errors import UserError
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

STREAM = 7
"""Number of the random stream, unlike those of training and measuring."""


def worst_logits(A: Tensor, *, over_bos: bool) -> Tensor:
    """Largest logits of ordinary queries over all contents: on BOS, ordinary keys, the trigger.

    With ``over_bos`` they are counted from BOS, whose own entry is 0.  The worst vertex is found by
    alternating from random ones, so the values are lower bounds: the certificate judges.
    """
    C, y = A[CONTENT:, CONTENT:], A[ORDINARY, CONTENT:]
    bos = A[ORDINARY, BOS] + A[CONTENT:, BOS].abs().sum()
    found = [bos * 0 if over_bos else bos]
    start = torch.randint(0, 2, (32, len(y)), generator=torch.Generator().manual_seed(0))
    for key in (ORDINARY, TRIGGER):
        constant, slope = A[ORDINARY, key], A[CONTENT:, key]
        if over_bos:
            constant, slope = constant - A[ORDINARY, BOS], slope - A[CONTENT:, BOS]
        c = (2 * start - 1).to(A)
        with torch.no_grad():
            for _ in range(6):
                c = torch.where((y + c @ C).sign() @ C.T + slope >= 0, 1.0, -1.0).to(A)
        found.append((constant + c @ slope + (y + c @ C).abs().sum(dim=1)).max())
    return torch.stack(found)


def continue_training(
    weights: Weights,
    config: TrainConfig,
    *,
    steps: int = 300,
    margin: float = 0.1,
    gap: float = 10.0,
    strength: float = 0.1,
) -> tuple[Weights, float]:
    """One model (``len(weights) == 1``), trained on with the worst-case term, and its batch error.

    Stops as training does, at batch max error < ``config.tolerance``, once the term has vanished,
    or after ``steps``.  One thread, deterministic.
    """
    single = replace(config, seeds=(0,))
    parameters = [getattr(weights, name).clone().requires_grad_(True) for name in MATRICES]
    optimiser = torch.optim.Adam(parameters, lr=config.lr or 1e-3, betas=config.betas)
    stream = Stream(single, generators_for([0], STREAM), batch=config.batch, dtype=torch.float32)
    relu, worst = config.attention == "relu", float("inf")
    with limited_threads(1):
        for _ in range(steps):
            model = Weights(*parameters)
            batch = stream.draw()
            error = task_error(forward(model, batch.tokens, single).outputs, batch.tokens, single)
            A = parameters[0][0, 0].mT @ parameters[1][0, 0]
            z = worst_logits(A, over_bos=not relu)
            term = torch.relu(z + margin).sum() if relu else torch.relu(z[1:] + gap).sum()
            worst = error.detach().max().item()
            if worst < config.tolerance and term.item() == 0.0:
                break
            optimiser.zero_grad()
            (error.square().mean() + strength * term).backward()
            optimiser.step()
    return Weights(*(p.detach() for p in parameters)), worst


def check_trainable(config: TrainConfig) -> None:
    """Raises ``UserError`` for models that the worst-case term is not written for."""
    single = config.layers == config.heads == 1 and not config.residual
    if not single or config.attention not in ("softmax", "relu"):
        raise UserError(
            "worst-case training is for one layer with one head and no residual stream, softmax or "
            f"relu; this is {config.attention} {config.layers}x{config.heads}"
        )


def train_all_on(trained: Trained, *, steps: int = 3000) -> Trained:
    """Every model that had stopped, trained on; its last error says whether it stopped again.

    ``steps`` of the result still count the ordinary updates only.
    """
    config = trained.config
    check_trainable(config)
    models, errors = [], list(trained.error)
    for k, converged in enumerate(trained.converged):
        models.append(trained.weights[k])
        if converged:
            models[k], errors[k] = continue_training(trained.weights[k], config, steps=steps)
    weights = Weights(*(torch.cat([getattr(m, name) for m in models]) for name in MATRICES))
    stopped = tuple(
        was and error < config.tolerance
        for was, error in zip(trained.converged, errors, strict=True)
    )
    return replace(trained, weights=weights, converged=stopped, error=tuple(errors))


def train_on(file: WeightFile, into: Path, *, attention: str, length: int, layout: str) -> float:
    """Train the one head of ``file`` on and write it to ``into``; returns its batch max error.

    The result is in our layout.  Raises ``UserError`` for more than one layer or head, or when the
    stop criterion is not met.
    """
    config = TrainConfig(attention=attention, length=length, content_dim=file.width - CONTENT)
    layer, d = file.layers[0], file.width
    if len(file.layers) != 1 or layer.W_Q.shape != (d, d) or layer.W_V.shape != (d, d):
        raise UserError("only one layer with one head of full width can be trained on")
    place = order(layout, d)
    parts = [layer.W_Q[:, place], layer.W_K[:, place], layer.W_V[:, place], layer.W_O[place]]
    weights = Weights(*(torch.from_numpy(p.copy()).float()[None, None] for p in parts))
    better, error = continue_training(weights, config, steps=3000)
    if error >= config.tolerance:
        raise UserError(
            f"training on did not meet the stop criterion: batch max error {error:.2g}, not below "
            f"{config.tolerance:g}"
        )
    try:
        save_weights(into, better, config)
    except OSError as problem:
        raise UserError(f"cannot write {into}: {problem.strerror}") from None
    return error
