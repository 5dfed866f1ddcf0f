"""Which keys a query may see, kept as a rule and evaluated block by block: O(N) memory.

transformers builds a mask from a function of four indices (batch, head, query, key).  The mask
function registered here keeps that function instead of an N × N tensor; the attention function asks
for the blocks that it needs.  A 4-D mask that the user gives is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class Visibility:
    """Keys ``k_offset`` … ``k_offset + keys`` − 1 as queries ``q_offset`` … may see them.

    ``plain`` is "causal" or "all" where no block needs to be evaluated.  ``dense`` (B or 1, H or 1,
    queries, keys) overrides ``rule``; ``bias`` of the same shape is added to the logits.
    """

    queries: int
    keys: int
    q_offset: int = 0
    k_offset: int = 0
    rule: Callable[..., torch.Tensor] | None = None
    padding: torch.Tensor | None = None
    plain: str | None = None
    dense: torch.Tensor | None = None
    bias: torch.Tensor | None = None
    placed: bool = True

    def block(self, rows: slice, queries: slice, keys: slice, device: torch.device) -> torch.Tensor:
        """Whether query (second axis from the end) sees key (last), for batch ``rows``: bool
        (rows or 1, H or 1, queries, keys), indices within this call."""
        if self.dense is not None:
            batch = rows if self.dense.shape[0] > 1 else slice(None)
            return self.dense[batch, :, queries, keys].to(device)
        q = torch.arange(queries.start, queries.stop, device=device) + self.q_offset
        k = torch.arange(keys.start, keys.stop, device=device) + self.k_offset
        q, k = q[None, None, :, None], k[None, None, None, :]
        if self.plain == "all":
            return torch.ones(1, 1, q.shape[2], k.shape[3], dtype=torch.bool, device=device)
        if self.plain == "causal" or self.rule is None:
            return k <= q
        b = torch.arange(rows.start, rows.stop, device=device)[:, None, None, None]
        seen = self.rule(b, torch.zeros(1, 1, 1, 1, dtype=torch.long, device=device), q, k)
        if self.padding is not None:
            seen = seen & self.padding.to(device)[b, k]
        return seen.expand(-1, -1, q.shape[2], k.shape[3])

    def added(self, rows: slice, queries: slice, keys: slice) -> torch.Tensor | None:
        """What is added to the logits of a block, or None."""
        if self.bias is None:
            return None
        batch = rows if self.bias.shape[0] > 1 else slice(None)
        return self.bias[batch, :, queries, keys]


def mask_function(
    batch_size: int,
    q_length: int | None = None,
    kv_length: int = 0,
    q_offset: int = 0,
    kv_offset: int = 0,
    mask_function: Callable[..., torch.Tensor] | None = None,
    attention_mask: torch.Tensor | None = None,
    local_size: int | None = None,
    allow_is_causal_skip: bool = True,
    allow_is_bidirectional_skip: bool = False,
    use_vmap: bool = False,
    **kwargs: Any,
) -> Visibility:
    """What transformers calls where ``sdpa_mask`` would build a tensor (same arguments).

    Version 4 gives ``cache_position`` (queries,) in place of ``q_length`` and ``q_offset``.
    """
    positions = kwargs.pop("cache_position", None)
    if positions is not None:
        q_length, q_offset = len(positions), int(positions[0])
    assert q_length is not None
    q_offset, kv_offset = int(q_offset), int(kv_offset)
    padding = attention_mask
    if padding is not None:
        missing = kv_length + kv_offset - padding.shape[-1]
        padding = torch.nn.functional.pad(padding.bool(), (0, max(missing, 0)))
        if bool(padding[:, kv_offset : kv_offset + kv_length].all()):
            padding = None
    shape: dict[str, Any] = {
        "queries": q_length,
        "keys": kv_length,
        "q_offset": q_offset,
        "k_offset": kv_offset,
    }
    if use_vmap:  # a rule that may not broadcast: let transformers evaluate it
        from transformers.masking_utils import sdpa_mask

        dense = sdpa_mask(
            batch_size=batch_size,
            q_length=q_length,
            kv_length=kv_length,
            q_offset=q_offset,
            kv_offset=kv_offset,
            mask_function=mask_function,
            attention_mask=attention_mask,
            allow_is_causal_skip=False,
            use_vmap=True,
            **kwargs,
        )
        return Visibility(**shape, dense=dense)
    whole = padding is None and (local_size is None or kv_length <= local_size)
    plain = None
    if whole and allow_is_causal_skip and q_length == kv_length and q_offset == kv_offset:
        plain = "causal"
    elif whole and allow_is_bidirectional_skip:
        plain = "all"
    return Visibility(**shape, rule=mask_function, padding=padding, plain=plain)


def from_tensor(mask: torch.Tensor, queries: int, keys: int) -> Visibility:
    """The visibility that a 4-D mask states: bool, or additive with the dtype's minimum (or −∞)
    for hidden keys and anything else a bias."""
    mask = mask[..., :queries, :keys]
    if mask.dtype == torch.bool:
        return Visibility(queries, keys, dense=mask, placed=False)
    hidden = mask <= torch.finfo(mask.dtype).min / 2
    bias = mask.masked_fill(hidden, 0)
    return Visibility(
        queries, keys, dense=~hidden, bias=bias if bool(bias.any()) else None, placed=False
    )
