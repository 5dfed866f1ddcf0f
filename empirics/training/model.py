"""Attention-only models and what they compute, by the definition of each mechanism.

As in the paper's experiments every head has full width d and the heads are concatenated before
W_O; there are no biases, positions, norms, MLPs or temperature.  Matrices follow ``nn.Linear``,
(out, in).  The forward pass here is the judge: it measures trained models and pins the fused
training step (``empirics.training.step``), which never calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from theorems.attention import MECHANISMS

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


@dataclass(frozen=True)
class Weights:
    """Matrices of S models: W_Q, W_K, W_V (S, layers, H·d, d), W_O (S, layers, d, H·d)."""

    W_Q: Tensor
    W_K: Tensor
    W_V: Tensor
    W_O: Tensor

    def __len__(self) -> int:
        return self.W_Q.shape[0]

    def __getitem__(self, models: int | slice | Sequence[int]) -> Weights:
        """The weights of some models; a single index keeps the leading axis."""
        index = [models] if isinstance(models, int) else models
        return Weights(*(getattr(self, name)[index] for name in MATRICES))

    def to(self, dtype: torch.dtype) -> Weights:
        return Weights(*(getattr(self, name).to(dtype) for name in MATRICES))

    def flat(self) -> Tensor:
        """One tensor (2, 2, S, layers, H, d, d): [[W_Q, W_V], [W_K, W_Oᵀ]], head by head.

        A head acts only through A = W_QᵀW_K and (W_OW_V)ᵀ = W_VᵀW_Oᵀ, so both are
        ``flat[0].mT @ flat[1]``: this is the layout that training works in.
        """
        S, layers, hidden, d = self.W_Q.shape
        parts = (self.W_Q, self.W_V, self.W_K, self.W_O.mT)
        heads = [p.reshape(S, layers, hidden // d, d, d) for p in parts]
        return torch.stack(heads).reshape(2, 2, *heads[0].shape).contiguous()

    @classmethod
    def from_flat(cls, flat: Tensor) -> Weights:
        """The inverse of ``flat``; copies."""
        _, _, S, layers, H, d, _ = flat.shape
        W_Q, W_V, W_K, W_O = (p.reshape(S, layers, H * d, d).clone() for p in flat.flatten(0, 1))
        return cls(W_Q, W_K, W_V, W_O.mT.contiguous())


def initial_weights(config: TrainConfig, generators: Sequence[torch.Generator]) -> Weights:
    """Every entry from N(0, init_std²), model by model from its own generator."""
    d, hidden = config.width, config.heads * config.width
    shapes = [(config.layers, hidden, d)] * 3 + [(config.layers, d, hidden)]
    drawn = [
        [torch.randn(shape, generator=g) * config.init_std for shape in shapes] for g in generators
    ]
    return Weights(*(torch.stack(matrices) for matrices in zip(*drawn, strict=True)))


@dataclass(frozen=True)
class Pass:
    """What S models do on (S, B, N, d) tokens."""

    outputs: Tensor  # (S, B, N, d): what is compared with the target; residual input subtracted
    rows: Tensor  # (S, layers, B, H, N, N): attention of every head


def forward(weights: Weights, tokens: Tensor, config: TrainConfig) -> Pass:
    """The models' outputs and attention rows, straight from the definitions.

    In a residual stack the target is x_i plus the task's target, so ``outputs`` is the final state
    less x_i and faces ``TriggerTask.targets`` in both cases.  Differentiable.
    """
    S, B, N, d = tokens.shape
    mechanism = MECHANISMS[config.attention].rows
    state, all_rows = tokens, []
    for layer in range(config.layers):
        W_Q, W_K, W_V, W_O = (getattr(weights, name)[:, layer] for name in MATRICES)
        q, k, v = (
            (state @ W.mT[:, None]).view(S, B, N, config.heads, d).transpose(2, 3)
            for W in (W_Q, W_K, W_V)
        )
        rows = mechanism(q @ k.mT)
        heads = (rows @ v).transpose(2, 3).reshape(S, B, N, config.heads * d)
        update = heads @ W_O.mT[:, None]
        state = state + update if config.residual else update
        all_rows.append(rows)
    outputs = state - tokens if config.residual else state
    return Pass(outputs, torch.stack(all_rows, dim=1))


def task_error(outputs: Tensor, tokens: Tensor, config: TrainConfig) -> Tensor:
    """|output − target| at every entry, shape (S, B, N, d), with the task's own targets.

    ``tokens`` are what the model saw; without BOS the targets are those of the full sequence.
    """
    if config.bos:
        return (outputs - config.task.targets(tokens)).abs()
    bos = torch.zeros_like(tokens[..., :1, :])
    bos[..., 0] = 1
    full = torch.cat([bos, tokens], dim=-2)
    return (outputs - config.task.targets(full)[..., 1:, :]).abs()
