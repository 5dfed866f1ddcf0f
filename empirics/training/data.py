"""Fresh batches of the trigger-conditional task for many models at once.

Each model has a generator of its own; everything else is one vectorised computation.  The tokens
are bit for bit those of ``TriggerTask.tokens`` and the means those of ``TriggerTask.targets`` up to
rounding; tests compare both, against exact fractions too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER


class Batch(NamedTuple):
    """Inputs of S models.  N tokens per sequence: L, or L − 1 without BOS."""

    tokens: Tensor  # (S, B, N, d)
    triggers: Tensor  # (S, B) 1-based positions in the sequence with BOS
    means: Tensor  # (S, B, d) the target at the trigger, less the residual x_j
    padded: Tensor  # (S, B, L, d) the tokens, after a zero token where BOS is dropped
    rows: Tensor  # (S·B,) where the trigger rows lie in padded.view(S·B·L, d)
    contents: Tensor  # (S, B, L−1, n) a view into tokens: all but the flags


@dataclass(frozen=True)
class _Tables:
    """Per trigger position j: the flags of the L tokens, and each token's share in the mean."""

    flags: Tensor  # (L+1, L, 3)
    shares: Tensor  # (L+1, L, 1)


def _tables(config: TrainConfig, dtype: torch.dtype) -> _Tables:
    L = config.length
    j = torch.arange(L + 1)[:, None]
    i = torch.arange(1, L + 1)[None, :]
    flags = torch.zeros(L + 1, L, 3, dtype=dtype)
    flags[..., BOS] = (i == 1).to(dtype) * config.bos
    flags[..., TRIGGER] = (i == j).to(dtype)
    flags[..., ORDINARY] = ((i > 1) & (i != j)).to(dtype)
    shares = ((i > 1) & (i <= j)).to(dtype) / (j - 1).clamp(min=1)
    return _Tables(flags, shares[..., None].contiguous())


class Stream:
    """An endless stream of batches for ``len(generators)`` models, in buffers it reuses.

    A batch is valid until the next call of ``draw``.  With ``block``, buffers hold as many models
    and ``draw`` must be asked for parts no larger, so that a part is used while it is in the cache.
    """

    def __init__(
        self,
        config: TrainConfig,
        generators: Sequence[torch.Generator],
        *,
        batch: int | None = None,
        block: int | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        S = min(len(generators), block or len(generators))
        B, L, d = batch or config.batch, config.length, config.width
        self.config, self.generators = config, list(generators)
        self._tables = _tables(config, dtype)
        self._count = B * (config.length - 1) * config.content_dim
        self._bits = torch.empty(S, (self._count + 1) // 2, dtype=torch.int64)
        self._triggers = torch.empty(S, B, dtype=torch.int64)
        self._row_before_first = torch.arange(S * B) * L - 1
        self._tokens = torch.zeros(S, B, L, d, dtype=dtype)
        self._weighted = torch.empty(S, B, L, d, dtype=dtype)
        self._means = torch.empty(S, B, d, dtype=dtype)

    def draw(self, trigger: int | None = None, *, part: slice | None = None) -> Batch:
        """The next batch; ``trigger`` fixes the trigger's position in 3..L for all sequences.

        ``part`` (a slice with a start and a stop) draws for some of the models only.
        Contents are uniform on the multiples of 2⁻³¹ in [−1, 1), rounded to the float type: two
        of them come from one 64-bit draw, which costs half of drawing two floats.
        """
        generators = self.generators if part is None else self.generators[part]
        S, B = len(generators), self._triggers.shape[1]
        L, n = self.config.length, self.config.content_dim
        bits, triggers, padded = self._bits[:S], self._triggers[:S], self._tokens[:S]
        for s, generator in enumerate(generators):
            bits[s].random_(-(2**63), None, generator=generator)
            triggers[s].random_(3, L + 1, generator=generator)
        if trigger is not None:
            triggers.fill_(trigger)
        contents = padded[:, :, 1:, CONTENT:]
        if n:
            signed = bits.view(torch.int32)[:, : self._count].view(S, B, L - 1, n)
            torch.mul(signed, 2.0**-31, out=contents)
        padded[..., :CONTENT] = self._tables.flags[triggers]
        weighted = torch.mul(padded, self._tables.shares[triggers], out=self._weighted[:S])
        means = torch.sum(weighted, dim=-2, out=self._means[:S])
        rows = self._row_before_first[: S * B] + triggers.view(-1)
        return Batch(
            padded[:, :, L - self.config.tokens :], triggers, means, padded, rows, contents
        )


def generators_for(seeds: Sequence[int], stream: int = 0) -> list[torch.Generator]:
    """One generator per seed; another ``stream`` number gives independent draws for a seed.

    The pair is hashed first, because torch's generator keeps only the low 32 bits of a seed.
    """
    states = (np.random.SeedSequence([seed, stream]).generate_state(1)[0] for seed in seeds)
    return [torch.Generator().manual_seed(int(state)) for state in states]
