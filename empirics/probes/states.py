"""The residual stream at block outputs, before the final norm: size, spikes, P0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import torch

from empirics.probes.blocks import Blocks, inputs, outputs
from empirics.probes.prompts import Batch
from theorems.errors import UserError

MASSIVE = 100.0
"""Sun et al. 2024: |h| > 100 …"""
MASSIVE_RATIO = 1000.0
"""… and |h| ≥ 1000 × the median |h| of the same state."""
TOP = 5


@dataclass(frozen=True)
class State:
    """The output of one block (T, d) on one prompt, in figures."""

    norms: torch.Tensor  # (T,): ‖h_k‖₂
    first: torch.Tensor  # (d,): the state of P0
    median: float  # lower median of |h| over all tokens and channels
    top: tuple[tuple[float, int, int], ...]  # largest |h| with sign, token, channel
    massive: int  # entries that meet the criterion of Sun et al. 2024
    inner: float  # largest |h| among tokens other than P0


@dataclass
class States:
    """States by layer (−1 is what enters the first block) and prompt."""

    batch: Batch
    reduced: dict[int, list[State]] = field(default_factory=dict)
    parts: dict[int, list[torch.Tensor]] = field(default_factory=dict)

    def hear(self, layer: int, name: str, h: torch.Tensor) -> None:
        """A block's output on the next tokens; reduced as soon as all tokens are there."""
        if h.dim() != 3 or len(h) != len(self.batch.ids):
            raise UserError(f"{name}: its output of shape {tuple(h.shape)} is not (B, N, d)")
        h = h.detach()
        have = self.parts.setdefault(layer, [])
        have.append(h)
        if sum(x.shape[1] for x in have) == self.batch.length:
            whole = have[0] if len(have) == 1 else torch.cat(have, 1)
            self.reduced[layer] = [
                reduce(whole[p.row, p.first : p.end], name) for p in self.batch.prompts
            ]
            del self.parts[layer]


def reduce(h: torch.Tensor, name: str) -> State:
    """The figures of one state (T, d)."""
    dtype = str(h.dtype).removeprefix("torch.")
    h = h.to(torch.promote_types(h.dtype, torch.float32))
    if not bool(h.isfinite().all()):
        raise UserError(
            f"{name}: its states are not finite in {dtype}: load the model in a wider dtype"
        )
    size = h.abs()
    peaks = size.amax(1)
    largest = peaks.topk(min(TOP, len(h))).indices  # the TOP entries are in these tokens
    near = size[largest].flatten()
    d = h.shape[1]
    top = tuple(
        (float(h[largest[p // d], p % d]), int(largest[p // d]), int(p % d))
        for p in near.topk(min(TOP, len(near))).indices
    )
    median = float(size.median())
    massive = (size > MASSIVE) & (size >= MASSIVE_RATIO * median) & (median > 0)
    return State(
        norms=h.norm(dim=-1).double().cpu(),
        first=h[0].double().cpu(),
        median=median,
        top=top,
        massive=int(massive.sum()),
        inner=float(peaks[1:].max()) if len(h) > 1 else 0.0,
    )


@contextmanager
def states(batch: Batch, blocks: Blocks) -> Iterator[States]:
    """While open, the outputs of all blocks and the input of the first are heard."""
    heard = States(batch)

    def hearing(layer: int, name: str) -> Callable[[torch.Tensor], None]:
        return lambda h: heard.hear(layer, name, h)

    with ExitStack() as stack:
        first = blocks.blocks[0]
        stack.enter_context(inputs(first.module, hearing(-1, "the input of layer 0")))
        for block in blocks.blocks:
            stack.enter_context(outputs(block.module, hearing(block.index, str(block))))
        yield heard
