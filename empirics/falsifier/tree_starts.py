"""Where the general family starts: random models, perturbed published solutions, boundary points.

The published solution is that of one layer: off the trigger all on BOS, at the trigger the mean of
the other tokens, values the identity off BOS, at a random finite sharpness.  In stacks the further
layers attend to themselves and pass on what they get; further heads are noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from empirics.falsifier.claim import SOFTMAX

if TYPE_CHECKING:
    from empirics.falsifier.tree import TreeModels


def start(family: TreeModels, rng: np.random.Generator, batch: int) -> list[Tensor]:
    """Random, perturbed solutions of one layer, and boundary points, a third each."""
    D, H, d, N, L = (
        family.claim.layers,
        family.claim.heads,
        family.d,
        len(family.prefixes),
        family.L,
    )
    shape = (D, H, N, L) if family.free else (D, H, d, d)
    spread = rng.choice([0.5, 1.5, 3.0], size=batch)
    logits = rng.normal(size=(*shape, batch)) * spread
    M = rng.normal(size=(D, H, *family.value_shape, batch)) * rng.choice([0.3, 1.0], size=batch)
    third = batch // 3
    noise = rng.choice([0.03, 0.3, 1.0], size=third)
    sharp = rng.uniform(0.5, 6.0, size=third)
    first, values = solution(family)
    logits[..., :third] = logits[..., :third] * noise + first[..., None] * sharp
    M[..., :third] = M[..., :third] * noise + values[..., None]
    corner = rng.choice([-6.0, 0.0, 6.0], size=(*shape, third))
    logits[..., third : 2 * third] = corner + 0.1 * logits[..., third : 2 * third]
    M[..., third : 2 * third] *= 10 ** rng.uniform(-1, 1.5, size=third)
    M[..., 0, :] = 0
    found = [torch.tensor(logits), torch.tensor(M)]
    if family.claim.mechanism == SOFTMAX:
        k = len(family.claim.contents)
        found.append(torch.tensor(rng.normal(size=(D, H, k, family.T, batch)) * spread))
    if not family.claim.keeps("no_mlp"):
        found += start_mlp(family, rng, batch)
    return found


def start_mlp(family: TreeModels, rng: np.random.Generator, batch: int) -> list[Tensor]:
    """Two units for every coordinate, near the identity y = ReLU(y) − ReLU(−y) or random."""
    d = family.d
    first = np.concatenate([np.eye(d, d + 3), -np.eye(d, d + 3)])[..., None]
    second = np.concatenate([np.eye(d), -np.eye(d)], axis=1)[..., None]
    size = rng.choice([0.1, 0.5, 1.0], size=batch)
    return [
        torch.tensor(first + size * rng.normal(size=(2 * d, d + 3, batch))),
        torch.tensor(size * rng.normal(size=(2 * d, batch))),
        torch.tensor(second + size * rng.normal(size=(d, 2 * d, batch))),
    ]


def solution(family: TreeModels) -> tuple[np.ndarray, np.ndarray]:
    """The published one-layer solution at sharpness one; other layers and heads do nothing."""
    D, H, d, N, L = (
        family.claim.layers,
        family.claim.heads,
        family.d,
        len(family.prefixes),
        family.L,
    )
    rows = np.zeros((N, L))
    rows[:, 0] = np.where(family.speaks.numpy(), -1, 1)
    logits = np.zeros((D, H, N, L) if family.free else (D, H, d, d))
    values = np.zeros((D, H, *family.value_shape))
    if family.free:
        logits[0, :] = rows
        own = np.zeros((N, L))
        own[np.arange(N), family.position.numpy()] = 1
        logits[1:] = own
    elif family.claim.mechanism in ("relu", "linear") or family.claim.own is not None:
        logits[0, :, 1, 1:3] = 1
    else:
        logits[0, :, 2, 0], logits[0, :, 1, 0] = 1, -1
    silent = family.tokens.numpy().copy()
    silent[0], silent[:, 0] = 0, 0
    if not family.claim.keeps("position_free"):
        values[0, 0] = np.tile(silent, (L, 1))
    elif family.by_matrix:
        values[0, 0] = np.diag([0.0, *[1.0] * (d - 1)])
        if not family.claim.residual:
            values[1:, 0] = np.eye(d)
    else:
        values[0, 0] = silent
    return logits, values
