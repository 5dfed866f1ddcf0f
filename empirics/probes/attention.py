"""The attention function that transformers calls while a model is measured.

Registered with a mask function of the same name: without one transformers passes no mask at all,
and padding and windows are silently lost.  What a keyword means is known or the call is refused:
``softcap`` caps logits, ``s_aux`` is a learned sink logit per head; the others do not change rows.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from empirics.probes.kernels import Logits, attend
from empirics.probes.visibility import Visibility, from_tensor, mask_function
from theorems.errors import UserError

NAME = "sinkprobe"
"""Neutral: transformers runs checks of its own on names that contain sdpa, flash or flex."""

HARMLESS = frozenset(
    {"position_ids", "cache_position", "use_cache", "output_attentions", "output_hidden_states"}
    | {"return_dict", "sliding_window", "logits_to_keep", "output_router_logits", "deterministic"}
)
"""Keywords that say nothing beyond what queries, keys and mask already say."""


@dataclass(frozen=True)
class Call:
    """One call of attention: q (B, H, n, D), k (B, H_kv, m, D), v (B, H_kv, m, D_v) in float32 (or
    float64), log-sum-exp (B, H, n) over keys and learned sink, and the sink logits (H,)."""

    module: torch.nn.Module
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    seen: Visibility
    logits: Logits
    lse: torch.Tensor
    empty: torch.Tensor | None
    sink_logits: torch.Tensor | None
    output: torch.Tensor
    window: int | None


class Recorder(Protocol):
    """Who is told of each call."""

    def place(self, module: torch.nn.Module) -> str:
        """The layer that ``module`` belongs to, for people."""

    def record(self, call: Call) -> None:
        """Measure the call."""


ACTIVE: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


def register() -> None:
    """Make ``NAME`` known to transformers, with its mask function."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(NAME, attention_function)
    AttentionMaskInterface.register(NAME, mask_function)


def attention_function(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | Visibility | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Attention output (B, n, H, D_v) in the model's dtype; the active recorder sees the call.

    Raises ``UserError``, naming the layer, where rows would not be what the probe takes them for.
    """
    recorder = ACTIVE.get()
    where = recorder.place(module) if recorder else type(module).__name__
    cap, sink = kwargs.pop("softcap", None), kwargs.pop("s_aux", None)
    causal, window = kwargs.pop("is_causal", None), kwargs.get("sliding_window")
    unknown = [n for n, x in kwargs.items() if n not in HARMLESS and x is not None]
    if unknown:
        raise UserError(
            f"{where}: attention gets the keyword {unknown[0]!r}, whose effect on the rows the "
            "probe does not know"
        )
    if dropout:
        raise UserError(f"{where}: attention has dropout {dropout}: call model.eval() first")
    if scaling is None and (
        getattr(module, "scale_attn_weights", True) is False
        or getattr(module, "scale_attn_by_inverse_layer_idx", False)
    ):
        raise UserError(f"{where}: attention is scaled in a way that it does not pass on")
    H, n, m = query.shape[1], query.shape[2], key.shape[2]
    if H % key.shape[1]:
        raise UserError(f"{where}: {H} query heads share {key.shape[1]} key heads unevenly")
    seen = _visibility(module, attention_mask, causal, n, m, where)
    exact = torch.promote_types(query.dtype, torch.float32)
    q, k, v = query.to(exact), key.to(exact), value.to(exact)
    scale = q.shape[-1] ** -0.5 if scaling is None else float(scaling)
    logits = Logits(scale, float(cap) if cap else None)
    found = attend(q, k, v, seen, logits)
    output, lse, sink_logits = found.output, found.lse, None
    if sink is not None:
        sink_logits = sink.detach().reshape(-1).to(q)
        if len(sink_logits) != H:
            raise UserError(f"{where}: {len(sink_logits)} learned sinks for {H} heads")
        keys_only = lse if found.empty is None else lse.masked_fill(found.empty, -torch.inf)
        lse = torch.logaddexp(keys_only, sink_logits[:, None])
        output = output * (keys_only - lse).exp()[..., None]
    output = output.transpose(1, 2).to(query.dtype).contiguous()
    if recorder:
        call = Call(module, q, k, v, seen, logits, lse, found.empty, sink_logits, output, window)
        recorder.record(call)
    return output, None


def _visibility(
    module: torch.nn.Module, mask: Any, causal: bool | None, n: int, m: int, where: str
) -> Visibility:
    """The mask that the layer was given as a visibility of n queries and m keys."""
    if isinstance(mask, Visibility):
        if (mask.queries, mask.keys) != (n, m):
            raise UserError(
                f"{where}: the mask is for {mask.queries} × {mask.keys} tokens, attention for "
                f"{n} × {m}"
            )
        return mask
    if isinstance(mask, torch.Tensor):
        if mask.dim() != 4 or mask.shape[2] < n or mask.shape[3] < m:
            raise UserError(
                f"{where}: a mask of shape {tuple(mask.shape)} does not cover {n} × {m} tokens"
            )
        return from_tensor(mask, n, m)
    if mask is not None:
        raise UserError(f"{where}: a mask of type {type(mask).__name__} is not understood")
    causal = getattr(module, "is_causal", True) if causal is None else causal
    if not causal or n == 1:
        return Visibility(n, m, plain="all", placed=False)
    if n != m:
        raise UserError(
            f"{where}: {n} queries on {m} keys without a mask: which key a query may see is not "
            "stated"
        )
    return Visibility(n, m, plain="causal", placed=False)
