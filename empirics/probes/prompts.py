"""The tokens to measure: which are real, and where each prompt begins and ends.

A batch row is one prompt with padding on either side, or several packed documents; every metric is
per prompt, and a prompt's first real token is its P0, wherever padding or packing puts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from theorems.errors import UserError

SHORTEST = 10
"""Below this length a uniform causal head has importance H_T/T > 0.292 at key 1: at T ≤ 9 it counts
as a sink at ε = 0.3."""


@dataclass(frozen=True)
class Prompt:
    """Tokens ``first`` … ``end`` − 1 of batch row ``row``."""

    row: int
    first: int
    end: int

    @property
    def length(self) -> int:
        """T, the number of real tokens."""
        return self.end - self.first


@dataclass(frozen=True)
class Batch:
    """What the model is given: ids (B, N), its mask and positions, and the prompts in it."""

    ids: torch.Tensor
    attention_mask: torch.Tensor | None
    position_ids: torch.Tensor | None
    prompts: tuple[Prompt, ...]

    @property
    def length(self) -> int:
        """N, padding included."""
        return int(self.ids.shape[1])

    def tokens(self, prompt: Prompt) -> list[int]:
        """The prompt's token ids."""
        return [int(x) for x in self.ids[prompt.row, prompt.first : prompt.end]]


def batch_of(
    input_ids: Any,
    attention_mask: torch.Tensor | None = None,
    position_ids: torch.Tensor | None = None,
    *,
    allow_short: bool = False,
) -> Batch:
    """The batch of ids (N,) or (B, N), with a mask (B, N) of real tokens or a 4-D mask of the
    model's own form, and position ids (B, N) that start again at 0 where a document begins.

    Raises ``UserError`` for other shapes, holes in a mask, and prompts under 10 tokens unless
    ``allow_short``.
    """
    ids = torch.as_tensor(input_ids)
    ids = ids[None] if ids.dim() == 1 else ids
    if ids.dim() != 2 or 0 in ids.shape or ids.is_floating_point() or ids.dtype == torch.bool:
        raise UserError(
            f"input_ids of shape {tuple(ids.shape)} and type {ids.dtype}: give token ids (B, N)"
        )
    real = torch.ones_like(ids, dtype=torch.bool)
    if attention_mask is not None:
        attention_mask = torch.as_tensor(attention_mask)
        if attention_mask.dim() == 2:
            if attention_mask.shape != ids.shape:
                raise UserError(
                    f"attention_mask of shape {tuple(attention_mask.shape)} for ids of shape "
                    f"{tuple(ids.shape)}: give one entry per token"
                )
            real = attention_mask.bool()
        elif attention_mask.dim() != 4:
            raise UserError(
                f"attention_mask of shape {tuple(attention_mask.shape)}: give (B, N), or the 4-D "
                "mask that the model takes"
            )
    if position_ids is not None:
        position_ids = torch.as_tensor(position_ids)
        if position_ids.shape != ids.shape:
            raise UserError(
                f"position_ids of shape {tuple(position_ids.shape)} for ids of shape "
                f"{tuple(ids.shape)}: give one position per token"
            )
    prompts = [p for row in range(len(ids)) for p in _prompts(row, real[row], position_ids)]
    if len(prompts) > len(ids) and attention_mask is not None:
        raise UserError(
            "packed documents need attention_mask=None: transformers keeps documents apart by "
            "position_ids only without a mask"
        )
    for prompt in prompts:
        if prompt.length < (2 if allow_short else SHORTEST):
            raise UserError(
                f"row {prompt.row} has a prompt of {prompt.length} tokens: below {SHORTEST} a "
                "uniform head looks like a sink (H_T/T); give longer prompts, or allow_short=True"
            )
    return Batch(ids, attention_mask, position_ids, tuple(prompts))


def _prompts(row: int, real: torch.Tensor, position_ids: torch.Tensor | None) -> list[Prompt]:
    where = real.nonzero().flatten().tolist()
    if not where:
        raise UserError(f"row {row} of attention_mask has no real token: leave that row out")
    first, end = where[0], where[-1] + 1
    if len(where) != end - first:
        raise UserError(
            f"row {row} of attention_mask has padding between real tokens: pad on one side"
        )
    starts = [first]
    if position_ids is not None:
        steps = position_ids[row, first:end].diff()
        starts += [first + 1 + int(i) for i in (steps != 1).nonzero().flatten()]
    return [Prompt(row, a, b) for a, b in zip(starts, [*starts[1:], end], strict=True)]
