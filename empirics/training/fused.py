"""Each mechanism on masked logits and its derivative, in place: what the fused step runs.

Tests pin them to ``theorems.attention.MECHANISMS``, the definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.training.config import TrainConfig

_softmax_backward = torch.ops.aten._softmax_backward_data


@dataclass(frozen=True)
class Fused:
    """A mechanism on masked logits, in place, and its derivative.

    ``rows(z, mask)`` turns logits into rows; ``logits(g, rows, mask)`` turns the gradient by rows
    into that by logits.  ``mask`` is −inf/0 to add for softmax, else the share 1/max(1, i−1) of a
    visible key and 0 above the diagonal.
    """

    rows: Callable[[Tensor, Tensor, Tensor], Tensor]
    logits: Callable[[Tensor, Tensor, Tensor], Tensor]


def _softmax_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.softmax(z.add_(mask), dim=-1, out=out)


def _softmax_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return _softmax_backward.out(g, rows, -1, rows.dtype, grad_input=g)


def _off_by_one_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    top = z.add_(mask).amax(dim=-1, keepdim=True).clamp_(min=0)
    total = z.sub_(top).exp_().sum(dim=-1, keepdim=True).add_(top.neg_().exp_())
    return torch.div(z, total, out=out)


def _relu_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z.clamp_(min=0), mask, out=out)


def _relu_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return g.mul_(mask).mul_(rows > 0)


def _linear_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z, mask, out=out)


def _linear_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return g.mul_(mask)


def _sigmoid_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z.sigmoid_(), mask, out=out)


def _sigmoid_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    # rows = mask·σ, so mask·σ(1−σ) = rows·(1 − rows/mask) where a key is visible, else 0.
    return g.mul_(rows).mul_(1 - rows / mask.clamp(min=torch.finfo(rows.dtype).tiny))


FUSED = {
    "softmax": Fused(_softmax_rows, _softmax_logits),
    # Its slot writes nothing, so its share of the gradient is zero and softmax's formula holds.
    "softmax_off_by_one": Fused(_off_by_one_rows, _softmax_logits),
    "relu": Fused(_relu_rows, _relu_logits),
    "linear": Fused(_linear_rows, _linear_logits),
    "sigmoid": Fused(_sigmoid_rows, _sigmoid_logits),
}


def mask_of(config: TrainConfig, dtype: torch.dtype) -> Tensor:
    """(N·H, N): what ``Fused`` needs to know of causality, one line per query and head."""
    N = config.length
    index = torch.arange(N)
    visible = index[None, :] <= index[:, None]
    if not config.bos:
        # The zero token in the place of BOS sees only itself and is seen by nobody else.
        visible[1:, 0] = False
    if config.attention.startswith("softmax"):
        mask = torch.zeros(N, N, dtype=dtype).masked_fill_(~visible, -torch.inf)
    else:
        mask = visible.to(dtype) / (index - int(not config.bos)).clamp(min=1)[:, None]
    return mask.repeat_interleave(config.heads, dim=0)
