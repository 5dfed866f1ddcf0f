"""Attention with the log-sum-exp of every row, never holding an N × N matrix.

On the processor torch's own flash-attention kernel returns log-sum-exps beside its output; it is a
private operation, so it is tested on a small case first, and whatever it cannot do (soft-capped
logits, values of another width, other devices) goes to softmax in blocks of rows.  Half precision
is computed in float32, as log-sum-exps of half-precision kernels are off by up to 6e-5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch

from empirics.probes.visibility import Visibility

MASK_ENTRIES = 2**22
"""Entries of a block of the mask, 16 MB as float32."""
SCORE_ENTRIES = 2**22
"""Entries of a block of logits, all heads together."""


@dataclass(frozen=True)
class Logits:
    """How logits come from queries and keys: ``cap``·tanh(scale·q·k/``cap``) where capped."""

    scale: float
    cap: float | None = None

    def of(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        """Logits (…, n, m) of queries (…, n, D) on keys (…, m, D), masks and biases not added."""
        s = (q @ k.transpose(-1, -2)) * self.scale
        return s if self.cap is None else self.cap * torch.tanh(s / self.cap)


@dataclass(frozen=True)
class Attended:
    """Output (B, H, N, D_v), natural log-sum-exp (B, H, N), and rows without any visible key."""

    output: torch.Tensor
    lse: torch.Tensor
    empty: torch.Tensor | None


def attend(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, seen: Visibility, logits: Logits
) -> Attended:
    """softmax attention of q (B, H, N, D) over k (B, H_kv, M, D), v (B, H_kv, M, D_v).

    Rows that see no key get output 0, log-sum-exp 0 and a mark in ``empty`` (B or 1, H or 1, N).
    """
    quick = (
        q.device.type == "cpu"
        and logits.cap is None
        and q.shape[-1] == v.shape[-1]
        and kernel_works(q.dtype)
    )
    if quick and seen.plain is not None:
        out, lse = _flash(q, k, v, seen.plain == "causal", None, logits.scale)
        return Attended(out, lse, None)
    B, H, N, _ = q.shape
    per_row = len(k[0, 0]) * B * (1 if quick else H)
    rows = max(1, min(N, (MASK_ENTRIES if quick else SCORE_ENTRIES) // per_row))
    out = q.new_zeros(B, H, N, v.shape[-1])
    lse = q.new_zeros(B, H, N)
    empties = []
    for start in range(0, N, rows):
        part = slice(start, min(start + rows, N))
        everyone = slice(0, B)
        visible = seen.block(everyone, part, slice(0, k.shape[2]), q.device)
        low, high = hull(visible)
        visible = visible[..., low:high]
        empty = ~visible.any(-1)
        empties.append(empty)
        bias = seen.added(everyone, part, slice(low, high))
        keys, values = k[:, :, low:high], v[:, :, low:high]
        compute = _flash_masked if quick else _blocked
        out[:, :, part], lse[:, :, part] = compute(
            q[:, :, part], keys, values, visible, bias, logits
        )
        out[:, :, part].masked_fill_(empty[..., None], 0)
        lse[:, :, part].masked_fill_(empty, 0)
    empty = torch.cat(empties, -1)
    return Attended(out, lse, empty if bool(empty.any()) else None)


@cache
def kernel_works(dtype: torch.dtype) -> bool:
    """Whether torch's kernel gives output and log-sum-exp as softmax in float64 does."""
    generator = torch.Generator().manual_seed(0)
    q, k, v = (
        torch.randn(2, heads, 33, 16, generator=generator, dtype=torch.float64).to(dtype)
        for heads in (4, 2, 2)
    )
    causal = torch.ones(33, 33, dtype=torch.bool).tril()[None, None]
    window = causal & ~causal.tril(-5)
    wanted = [_reference(q, k, v, mask) for mask in (causal, window)]
    try:
        found = [
            _flash(q, k, v, True, None, 0.25),
            _flash_masked(q, k, v, window, None, Logits(0.25)),
        ]
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return False
    bound = 1e-12 if dtype == torch.float64 else 2e-5
    return all(
        x.shape == y.shape and bool(((x.double() - y).abs() <= bound).all())
        for pair, exact in zip(found, wanted, strict=True)
        for x, y in zip(pair, exact, strict=True)
    )


def _reference(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v = q.double(), k.double().repeat_interleave(2, 1), v.double().repeat_interleave(2, 1)
    s = (0.25 * q @ k.transpose(-1, -2)).masked_fill(~mask, -torch.inf)
    return s.softmax(-1) @ v, s.logsumexp(-1)


def _flash(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool,
    mask: torch.Tensor | None,
    scale: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    operation = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    out, lse = operation(q, k, v, 0.0, causal, attn_mask=mask, scale=scale)
    return out, lse


def _flash_masked(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    visible: torch.Tensor,
    bias: torch.Tensor | None,
    logits: Logits,
) -> tuple[torch.Tensor, torch.Tensor]:
    mask = q.new_zeros(()) if bias is None else bias.to(q)
    mask = torch.where(visible, mask, q.new_full((), -torch.inf))
    return _flash(q, k, v, False, mask.to(q.dtype).expand(len(q), -1, -1, -1), logits.scale)


def _blocked(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    visible: torch.Tensor,
    bias: torch.Tensor | None,
    logits: Logits,
) -> tuple[torch.Tensor, torch.Tensor]:
    s = logits.of(q, spread(k, q.shape[1]))
    if bias is not None:
        s = s + bias.to(s)
    s = s.masked_fill(~visible, -torch.inf)
    lse = s.logsumexp(-1)
    finite = lse.masked_fill(lse == -torch.inf, 0)  # rows without keys, which attend marks
    return (s - finite[..., None]).exp() @ spread(v, q.shape[1]), lse


def spread(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Keys or values (B, H_kv, …) as each query head sees them: (B, ``heads``, …)."""
    return x if x.shape[1] == heads else x.repeat_interleave(heads // x.shape[1], 1)


def hull(visible: torch.Tensor) -> tuple[int, int]:
    """First and last + 1 key that some row sees (the first key alone where no row sees any)."""
    columns = visible.flatten(0, -2).any(0).nonzero().flatten()
    return (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, 1)
