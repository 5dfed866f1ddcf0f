"""What a head's attention to the first token writes: ‖g_i ⊙ α_i1 v_1 · W_O‖₂ beside the mass α_i1.

The output projection is the first linear map that a block calls after its attention function.  It
counts only where its input is the attention output itself, or that output times a sigmoid gate that
the probe can compute (the second half of each head of a doubled query projection, as in Qwen3-Next,
or a map named ``gate_proj``/``g_proj``) and then finds to be so.  Otherwise there is no figure, and
a sentence says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import nn

from empirics.probes.blocks import Block, Blocks
from empirics.probes.records import LayerRecord, Records

GATE_NAMES = ("gate_proj", "g_proj")


@contextmanager
def contributions(records: Records, blocks: Blocks) -> Iterator[None]:
    """While open, the records of each layer get contributions as its projection is called."""
    with ExitStack() as stack:
        for block in blocks.blocks:
            watch = _Watch(records, block)
            for name, module in block.module.named_modules():
                if _weight(module) is None:
                    continue
                handle = module.register_forward_pre_hook(watch.before)
                stack.callback(handle.remove)
                if name.rpartition(".")[2] in ("q_proj", *GATE_NAMES):
                    handle = module.register_forward_hook(watch.after)
                    stack.callback(handle.remove)
        yield


class _Watch:
    """One block: remembers what may be gates, and meets the first linear map after attention."""

    def __init__(self, records: Records, block: Block) -> None:
        self.records, self.block = records, block
        self.gates: list[torch.Tensor] = []

    def after(self, module: nn.Module, args: tuple[Any, ...], result: Any) -> None:
        self.gates = [*self.gates[-2:], result.detach()]

    def before(self, module: nn.Module, args: tuple[Any, ...]) -> None:
        if self.records.latest is None or self.records.latest[0] is not self.block:
            return
        output = self.records.latest[1]
        self.records.latest = None
        layer = self.records.layers[self.block.index]
        gate = _gate(args[0] if args else None, output, self.gates)
        weight = _weight(module)
        self.gates = []
        if isinstance(gate, str) or weight is None or weight.device.type == "meta":
            layer.no_contribution = gate if isinstance(gate, str) else "its weights are elsewhere"
            return
        _add(self.records, layer, output, gate, weight)


def _gate(
    given: torch.Tensor | None, output: torch.Tensor, candidates: list[torch.Tensor]
) -> torch.Tensor | str | None:
    """The gate (B, n, H, D_v) between attention and projection; None if there is none; or why the
    probe cannot tell."""
    B, n, H, D = output.shape
    if given is None or given.shape[-1] != H * D or given.numel() != output.numel():
        return "the map after attention does not take the heads' outputs"
    given = given.detach().reshape(B, n, H, D)
    if torch.equal(given, output):
        return None
    bound = 4 * torch.finfo(output.dtype).eps
    for candidate in candidates:
        for logits in _shapes(candidate, B, n, H, D):
            gated = output * torch.sigmoid(logits)
            if bool(((given - gated).abs() <= bound * output.abs()).all()):
                return torch.sigmoid(logits).expand_as(output)
    return "something that the probe does not know lies between attention and its projection"


def _shapes(x: torch.Tensor, B: int, n: int, H: int, D: int) -> Iterator[torch.Tensor]:
    if x.numel() == 2 * B * n * H * D:
        yield x.reshape(B, n, H, 2 * D)[..., D:]
    elif x.numel() == B * n * H * D:
        yield x.reshape(B, n, H, D)
    elif x.numel() == B * n * H:
        yield x.reshape(B, n, H, 1)


def _weight(module: nn.Module) -> torch.Tensor | None:
    """The matrix (d, inputs) of a linear map, else None."""
    if isinstance(module, nn.Linear):
        return module.weight
    if type(module).__name__ == "Conv1D" and isinstance(module.weight, torch.Tensor):
        return module.weight.T
    return None


def _add(
    records: Records,
    layer: LayerRecord,
    output: torch.Tensor,
    gate: torch.Tensor | None,
    weight: torch.Tensor,
) -> None:
    H, D = output.shape[2:]
    exact = torch.promote_types(output.dtype, torch.float32)
    maps = weight.detach().to(exact).reshape(len(weight), H, D).unbind(1)
    grams = [W.T.double() @ W.double() for W in maps]  # W_hᵀW_h, so that no (n, d) is made
    for i, prompt in enumerate(records.batch.prompts):
        low = max(prompt.first, records.seen)
        high = min(prompt.end, records.seen + output.shape[1])
        if low >= high:
            continue
        queries = slice(low - records.seen, high - records.seen)
        own = slice(low - prompt.first, high - prompt.first)
        kept = layer.prompts[i]
        if kept.contribution is None or kept.written is None:
            kept.contribution = torch.zeros_like(kept.mass)
            kept.written = torch.zeros_like(kept.mass)
            kept.gate = None if gate is None else torch.zeros_like(kept.mass)
        for h, gram in enumerate(grams):
            head = output[prompt.row, queries, h].double()  # (n, D)
            value = layer.first_values[i][None, h].double()  # (1, D)
            if gate is not None and kept.gate is not None:
                g = gate[prompt.row, queries, h].double()
                head, value = head * g, value * g
                kept.gate[h, own] = g.mean(-1).cpu()
            kept.contribution[h, own] = kept.mass[h, own] * _norm(value, gram).cpu()
            kept.written[h, own] = _norm(head, gram).cpu()


def _norm(x: torch.Tensor, gram: torch.Tensor) -> torch.Tensor:
    """‖x W_hᵀ‖₂ of rows x (n, D) from W_hᵀW_h (D, D)."""
    return torch.einsum("na,na->n", x @ gram, x).clamp(min=0).sqrt()
