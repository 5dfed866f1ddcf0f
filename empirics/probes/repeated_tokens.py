"""One token repeated: without absolute positions every state is the same, and P0 is no sink.

A causal Transformer whose rows sum to one and whose positions enter only through logits (RoPE,
ALiBi, none) gives all positions the same state on a constant sequence, in every layer.  Attention
may still depend on the distance; for any logit g(i − k) the importance of P0 is at most
[1 + (N − 1)(1 − α_NN^{1/(N−1)})] / N, where α_NN is the last query's weight on itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from empirics.probes.blocks import find_blocks, listening, outputs
from empirics.probes.figures import importance
from empirics.probes.measuring import measure


@dataclass(frozen=True)
class Repeated:
    """What a model does with one token, N times."""

    spread: float  # largest ‖h_i − h_1‖ / ‖h_1‖ over layers and positions
    importance: torch.Tensor  # (layers, heads): of P0
    ceiling: torch.Tensor  # (layers, heads): of the theorem, from α_NN
    sink_rate: float  # percent of heads with importance of P0 over 0.3
    share: float  # first-token share


def repeated(model: Any, token: int, length: int = 64) -> Repeated:
    """Runs ``model`` on ``token`` repeated ``length`` times.  Raises as ``measure`` does."""
    spreads: list[float] = []

    def hear(h: torch.Tensor) -> None:
        exact = h[0].double()
        spreads.append(float((exact - exact[0]).norm(dim=1).max() / exact[0].norm()))

    ids = torch.full((1, length), token)
    with listening(*(outputs(block.module, hear) for block in find_blocks(model).blocks)):
        found = measure(model, ids, matrices=True)
    N = length
    heights, ceilings = [], []
    for layer in found.layers:
        last = found.matrices[layer.block.index][0, :, -1, -1].double()
        heights.append(importance(layer, 0)[:, 0])
        ceilings.append((1 + (N - 1) * (1 - last ** (1 / (N - 1)))) / N)
    height = torch.stack(heights)
    return Repeated(
        spread=max(spreads),
        importance=height,
        ceiling=torch.stack(ceilings),
        sink_rate=100 * float((height > 0.3).double().mean()),
        share=found.figures["first_token_share"],
    )
