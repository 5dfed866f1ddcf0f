"""Attention variants that the fused trainer does not know, by their definitions.

A variant is softmax-like attention with something more: a sink logit to learn, a gate on what each
head writes, an MLP after the heads, or any rows of one's own.  The model is that of
``empirics.training.model`` otherwise: heads of full width, no biases, positions or norms.

* *sink logit*: one number per head in the divisor (``softmax_with_sink``), from 0.
* *gate*: what a head writes, entry by entry, times σ(G x_i), G of its own (reads the token), or
  times σ(g), g a vector (fixed).
* *MLP*: without residual, W₂ ReLU(W₁ [y; x_i] + b) of what the heads wrote beside the token; with
  residual it reads the state after the heads and adds to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.data import generators_for
from empirics.training.model import MATRICES, initial_weights
from theorems.attention import Mechanism, softmax_off_by_one

EXTRA_STREAM = 3
"""Number of the random stream for the first values of gates and MLPs."""
HIDDEN = 64
"""Units of an MLP."""


def fast_softmax(logits: Tensor) -> Tensor:
    """Softmax by torch's own kernel; tests pin it to ``theorems.attention.softmax``."""
    hidden = torch.full(logits.shape[-2:], -torch.inf, dtype=logits.dtype).triu(1)
    return torch.softmax(logits + hidden, dim=-1)


def fast_softmax_with_sink(logits: Tensor, sink: Tensor) -> Tensor:
    """The same for ``softmax_with_sink``: softmax with one more key, whose column is left out."""
    hidden = torch.full(logits.shape[-2:], -torch.inf, dtype=logits.dtype).triu(1)
    slot = sink[..., None, None].expand(*logits.shape[:-1], 1)
    return torch.softmax(torch.cat([logits + hidden, slot], dim=-1), dim=-1)[..., :-1]


@dataclass(frozen=True)
class Variant:
    """``rows`` takes logits (S, B, H, N, N); with ``sink`` it takes sink logits (S, 1, H) too."""

    name: str
    rows: Callable[..., Tensor] = fast_softmax
    simplex: bool = True
    sink: bool = False
    gate: str = ""  # "", "token" or "fixed"
    mlp: bool = False


VARIANTS = {
    v.name: v
    for v in (
        Variant("softmax"),
        Variant("softmax_off_by_one", softmax_off_by_one, simplex=False),
        Variant("sink_logit", fast_softmax_with_sink, simplex=False, sink=True),
        Variant("gate", gate="token"),
        Variant("fixed_gate", gate="fixed"),
        Variant("mlp", mlp=True),
    )
}


def of_mechanism(mechanism: Mechanism) -> Variant:
    """A mechanism of one's own as a variant."""
    return Variant(mechanism.name, mechanism.rows, mechanism.simplex)


def shapes(variant: Variant, config: TrainConfig) -> dict[str, tuple[int, ...]]:
    """The parameters of one model by name; ``MATRICES`` first, in the trainer's layout."""
    layers, H, d = config.layers, config.heads, config.width
    found: dict[str, tuple[int, ...]] = dict.fromkeys(MATRICES[:3], (layers, H * d, d))
    found["W_O"] = (layers, d, H * d)
    if variant.sink:
        found["sink"] = (layers, H)
    if variant.gate == "token":
        found["G"] = (layers, H * d, d)
    if variant.gate == "fixed":
        found["g"] = (layers, H * d)
    if variant.mlp:
        reads = d if config.residual else 2 * d
        found |= {"W_1": (layers, HIDDEN, reads), "b": (layers, HIDDEN), "W_2": (layers, d, HIDDEN)}
    return found


def start(variant: Variant, config: TrainConfig, generators: Sequence[torch.Generator]) -> Tensor:
    """First parameters, flat: (1, 1, S, P).

    The four matrices are those that the trainer draws from ``generators``; G is N(0, 0.02²) too,
    an MLP's matrices are N(0, 1/inputs), vectors are 0.
    """
    matrices = initial_weights(config, generators)
    extra = generators_for(config.seeds, EXTRA_STREAM)
    parts = []
    for name, shape in shapes(variant, config).items():
        if name in MATRICES:
            parts.append(getattr(matrices, name).flatten(1))
            continue
        scale = {"G": config.init_std, "W_1": shape[-1] ** -0.5, "W_2": shape[-1] ** -0.5}
        drawn = [torch.randn(shape, generator=g) * scale.get(name, 0.0) for g in extra]
        parts.append(torch.stack(drawn).flatten(1))
    return torch.cat(parts, dim=1)[None, None]


def unpack(theta: Tensor, variant: Variant, config: TrainConfig) -> dict[str, Tensor]:
    """Views of flat parameters (1, 1, S, P) by name, each (S, …)."""
    named = shapes(variant, config)
    sizes = [math.prod(shape) for shape in named.values()]
    parts = theta[0, 0].split(sizes, dim=1)
    return {
        name: part.view(-1, *shape)
        for (name, shape), part in zip(named.items(), parts, strict=True)
    }


@dataclass(frozen=True)
class Closely:
    """What passes gates, all (S, layers, B, H, N).

    ``open``: the mean over a head's width of its gate, 1 without one.  ``bos_writes``: the sup norm
    of what BOS adds to a position's state through a head, after weight, gate and W_O (and before
    an MLP).
    """

    open: Tensor
    bos_writes: Tensor


@dataclass(frozen=True)
class VariantPass:
    """``outputs`` (S, B, N, d) face the task's targets; ``rows`` (S, layers, B, H, N, N)."""

    outputs: Tensor
    rows: Tensor
    closely: Closely | None = None


def forward(
    variant: Variant,
    parameters: Mapping[str, Tensor],
    tokens: Tensor,
    config: TrainConfig,
    *,
    closely: bool = False,
) -> VariantPass:
    """What S models do on (S, B, N, d) tokens; differentiable.  ``closely`` looks at gates too."""
    S, B, N, d = tokens.shape
    H, state = config.heads, tokens
    every_row, every_gate, every_write = [], [], []
    for layer in range(config.layers):
        at = {name: value[:, layer] for name, value in parameters.items()}
        q, k, v = (
            (state @ at[name].mT[:, None]).view(S, B, N, H, d).transpose(2, 3)
            for name in MATRICES[:3]
        )
        logits = q @ k.mT
        rows = variant.rows(logits, at["sink"][:, None]) if variant.sink else variant.rows(logits)
        heads = (rows @ v).transpose(2, 3).reshape(S, B, N, H * d)
        gate = _gate(variant, at, state)
        update = (heads if gate is None else heads * gate) @ at["W_O"].mT[:, None]
        if variant.mlp and not config.residual:
            update = _mlp(at, torch.cat([update, state], dim=-1))
        if closely:
            by_head = torch.ones_like(v) if gate is None else _by_head(gate, v)
            every_gate.append(by_head.mean(dim=-1))
            every_write.append(_bos_writes(at["W_O"], rows, v, by_head))
        state = state + update if config.residual else update
        if variant.mlp and config.residual:
            state = state + _mlp(at, state)
        every_row.append(rows)
    outputs = state - tokens if config.residual else state
    seen = None
    if closely:
        seen = Closely(torch.stack(every_gate, dim=1), torch.stack(every_write, dim=1))
    return VariantPass(outputs, torch.stack(every_row, dim=1), seen)


def _by_head(gate: Tensor, v: Tensor) -> Tensor:
    S, B, H, N, d = v.shape
    return gate.expand(S, B, N, H * d).reshape(S, B, N, H, d).transpose(2, 3)


def _bos_writes(W_O: Tensor, rows: Tensor, v: Tensor, gate: Tensor) -> Tensor:
    S, _, H, _, d = v.shape
    by_head = W_O.reshape(S, 1, d, H, d).permute(0, 1, 3, 4, 2)
    written = (v[:, :, :, :1] * gate) @ by_head
    return written.abs().amax(dim=-1) * rows[..., 0].abs()


def _gate(variant: Variant, at: Mapping[str, Tensor], state: Tensor) -> Tensor | None:
    if variant.gate == "token":
        return torch.sigmoid(state @ at["G"].mT[:, None])
    if variant.gate == "fixed":
        return torch.sigmoid(at["g"])[:, None, None]
    return None


def _mlp(at: Mapping[str, Tensor], seen: Tensor) -> Tensor:
    hidden = torch.relu(seen @ at["W_1"].mT[:, None] + at["b"][:, None, None])
    return hidden @ at["W_2"].mT[:, None]
