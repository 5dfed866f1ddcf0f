"""What is kept of each layer while the model runs: sink columns, key sums, values, contributions.

One record per layer and prompt, all of size O(T).  The mass of query i on key k is
exp(s_ik − LSE_i), with scale, cap, mask, bias and learned sink inside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import torch

from empirics.probes.attention import Call
from empirics.probes.blocks import Block, Blocks
from empirics.probes.kernels import SCORE_ENTRIES, hull, spread
from empirics.probes.prompts import Batch, Prompt
from theorems.errors import UserError


@dataclass
class PromptRecord:
    """One layer on one prompt: T tokens, H query heads, H_kv value heads, C first keys."""

    mass: torch.Tensor  # (H, T): of each query on the first token
    sums: torch.Tensor  # (H, C): over queries, of the mass on the first C tokens
    reach: torch.Tensor  # (C,): how many queries see these
    values: torch.Tensor  # (H_kv, T): ‖v_k‖₂
    learned: torch.Tensor | None  # (H, T): mass on the learned sink
    key_sums: torch.Tensor | None  # (H, T): over queries, of the mass on every key
    contribution: torch.Tensor | None = None  # (H, T): ‖g_i ⊙ α_i1 v_1 · W_O‖₂
    written: torch.Tensor | None = None  # (H, T): ‖g_i ⊙ o_i · W_O‖₂, all that the head writes
    gate: torch.Tensor | None = None  # (H, T): mean over channels of the gate


@dataclass
class LayerRecord:
    """One layer: its block, its attention module and shape, and a record for each prompt."""

    block: Block
    module: torch.nn.Module  # that calls the attention function
    heads: int
    kv_heads: int
    causal: bool
    window: int | None
    prompts: list[PromptRecord] = field(default_factory=list)
    first_values: list[torch.Tensor] = field(default_factory=list)  # (H, D_v) per prompt
    no_contribution: str | None = None
    calls: int = 0


class Records:
    """The recorder of one measurement: told of each attention call, in order."""

    def __init__(
        self, batch: Batch, blocks: Blocks, *, keys: int, all_keys: bool, matrices: bool = False
    ) -> None:
        self.batch, self.blocks = batch, blocks
        self.keys, self.all_keys, self.matrices = keys, all_keys, matrices
        self.layers: dict[int, LayerRecord] = {}
        self.full: dict[int, torch.Tensor] = {}
        self.seen = 0  # tokens of the batch that the model was given before this forward pass
        self.pass_number = 1
        self.latest: tuple[Block, torch.Tensor] | None = None  # output not yet projected

    def place(self, module: torch.nn.Module) -> str:
        """The layer of ``module``, for people."""
        block = self.blocks.of(module)
        return str(block) if block else type(module).__name__

    def record(self, call: Call) -> None:
        """Measure one call of attention on tokens ``seen`` … of the batch."""
        block = self.blocks.of(call.module)
        if block is None:
            raise UserError(
                f"{type(call.module).__name__} calls attention outside the model's blocks"
            )
        n = call.q.shape[2]
        if call.seen.placed and call.seen.q_offset != self.seen:
            raise UserError(
                f"{block}: queries begin at {call.seen.q_offset}, not at token {self.seen}"
            )
        if self.seen + n > self.batch.length or len(call.q) != len(self.batch.ids):
            raise UserError(f"{block}: attention runs on {len(call.q)} × {n} tokens, not the input")
        layer = self.layers.get(block.index) or self._new(block, call)
        layer.calls += 1
        if layer.calls != self.pass_number:
            raise UserError(f"{block}: attention is called twice in one pass")
        for i, prompt in enumerate(self.batch.prompts):
            low, high = max(prompt.first, self.seen), min(prompt.end, self.seen + n)
            if low < high:
                _Part(self, layer, call, prompt, i, low, high).measure()
        self.latest = block, call.output

    def _new(self, block: Block, call: Call) -> LayerRecord:
        H, Hv = call.q.shape[1], call.v.shape[1]
        layer = LayerRecord(block, call.module, H, Hv, True, call.window)
        C = self.keys
        for prompt in self.batch.prompts:
            T = prompt.length
            zeros = partial(torch.zeros, dtype=torch.float64)
            layer.prompts.append(
                PromptRecord(
                    mass=zeros(H, T),
                    sums=zeros(H, min(C, T)),
                    reach=torch.zeros(min(C, T), dtype=torch.long),
                    values=zeros(Hv, T),
                    learned=None if call.sink_logits is None else zeros(H, T),
                    key_sums=zeros(H, T) if self.all_keys or self.matrices else None,
                )
            )
        self.layers[block.index] = layer
        return layer


class _Part:
    """The queries ``low`` … ``high`` − 1 of one prompt in one call."""

    def __init__(
        self,
        records: Records,
        layer: LayerRecord,
        call: Call,
        prompt: Prompt,
        number: int,
        low: int,
        high: int,
    ) -> None:
        self.records, self.layer, self.call, self.prompt = records, layer, call, prompt
        self.kept, self.number = layer.prompts[number], number
        self.queries = slice(low - records.seen, high - records.seen)
        self.own = slice(low - prompt.first, high - prompt.first)
        self.rows = slice(prompt.row, prompt.row + 1)
        offset = call.seen.k_offset
        self.first_key = max(prompt.first - offset, 0)  # within the call
        self.evicted = max(offset - prompt.first, 0)  # keys of the prompt no longer in the cache
        self.end_key = min(prompt.end, records.seen + call.q.shape[2]) - offset

    def measure(self) -> None:
        """Everything that one call says about these queries."""
        self._check_rows()
        self._columns()
        self._values()
        if self.records.all_keys or self.records.matrices:
            self._every_key()

    def seen(self, queries: slice, keys: slice) -> torch.Tensor:
        """Visibility (1 or H, queries, keys), indices within the call."""
        return self.call.seen.block(self.rows, queries, keys, self.call.q.device)[0]

    def masses(self, queries: slice, keys: slice) -> torch.Tensor:
        """exp(s − LSE) (H, queries, keys), zero where hidden."""
        call, row = self.call, self.prompt.row
        k = spread(call.k[self.rows, :, keys], self.layer.heads)[0]
        s = call.logits.of(call.q[row, :, queries], k)
        bias = call.seen.added(self.rows, queries, keys)
        if bias is not None:
            s = s + bias[0].to(s)
        mass = (s - call.lse[row, :, queries, None]).exp()
        return mass.masked_fill(~self.seen(queries, keys), 0)

    def _check_rows(self) -> None:
        """No real query is without keys, and none sees keys outside its prompt."""
        call, block = self.call, self.layer.block
        if call.empty is not None:
            empty = call.empty.expand(len(call.q), -1, -1)[self.prompt.row, :, self.queries]
            if bool(empty.any()):
                i = int(empty.any(0).nonzero()[0]) + self.queries.start + self.records.seen
                raise UserError(f"{block}: the mask lets token {i} see no key at all")
        if not bool(call.lse[self.prompt.row, :, self.queries].isfinite().all()):
            raise UserError(f"{block}: attention logits are not finite")
        for keys in (slice(0, self.first_key), slice(self.end_key, call.k.shape[2])):
            step = max(1, SCORE_ENTRIES // max(1, keys.stop - keys.start))
            for start in range(self.queries.start, self.queries.stop, step):
                part = slice(start, min(start + step, self.queries.stop))
                if keys.start < keys.stop and bool(self.seen(part, keys).any()):
                    raise UserError(
                        f"{block}: tokens see keys outside their prompt (padding or another "
                        "document)"
                    )
        if self.own.start == 0 and self.first_key + 1 < self.end_key:
            start = self.queries.start
            ahead = self.seen(
                slice(start, start + 1), slice(self.first_key + 1, self.first_key + 2)
            )
            self.layer.causal = self.layer.causal and not bool(ahead.any())

    def _columns(self) -> None:
        """The first C keys, and the learned sink."""
        C = self.kept.sums.shape[1]
        keys = slice(self.first_key, min(self.first_key + C - self.evicted, self.end_key))
        kept = self.kept
        if keys.start < keys.stop:
            mass = self.masses(self.queries, keys).double().cpu()
            if bool((mass > 1 + 1e-3).any()):
                raise UserError(f"{self.layer.block}: rows do not sum to one under the probe")
            columns = slice(self.evicted, self.evicted + keys.stop - keys.start)
            kept.sums[:, columns] += mass.sum(1)
            kept.reach[columns] += self.seen(self.queries, keys).any(0).sum(0).cpu()
            if not self.evicted:
                kept.mass[:, self.own] = mass[..., 0]
        if kept.learned is not None and self.call.sink_logits is not None:
            lse = self.call.lse[self.prompt.row, :, self.queries]
            kept.learned[:, self.own] = (self.call.sink_logits[:, None] - lse).exp().double().cpu()

    def _values(self) -> None:
        """‖v‖₂ of the tokens that are new, and the first token's value itself."""
        n = self.own.stop - self.own.start
        values = self.call.v[self.prompt.row, :, self.end_key_of_queries(n)]
        self.kept.values[:, self.own] = values.norm(dim=-1).double().cpu()
        if self.own.start == 0:
            first = spread(values[None, :, :1], self.layer.heads)[0, :, 0]
            self.layer.first_values.append(first)

    def end_key_of_queries(self, n: int) -> slice:
        """Where the keys and values of these queries' own tokens are within the call."""
        start = self.queries.start + self.records.seen - self.call.seen.k_offset
        return slice(start, start + n)

    def _every_key(self) -> None:
        """Sums over queries of the mass on every key, in blocks of queries; rows must sum to 1."""
        width = self.end_key - self.first_key
        step = max(1, SCORE_ENTRIES // (width * self.layer.heads))
        total = self.call.q.new_zeros(self.layer.heads, width, dtype=torch.float64)
        full = self.records.matrices
        for start in range(self.queries.start, self.queries.stop, step):
            part = slice(start, min(start + step, self.queries.stop))
            low, high = hull(self.seen(part, slice(self.first_key, self.end_key)))
            mass = self.masses(part, slice(self.first_key + low, self.first_key + high))
            total[:, low:high] += mass.sum(1, dtype=torch.float64)
            if full:
                self._keep_matrix(mass, part, self.first_key + low)
        sums = total.cpu()
        where = slice(self.evicted, self.evicted + width)
        assert self.kept.key_sums is not None
        self.kept.key_sums[:, where] += sums
        rows = sums.sum(1)
        if self.kept.learned is not None:
            rows = rows + self.kept.learned[:, self.own].sum(1)
        n = self.own.stop - self.own.start
        if bool(((rows - n).abs() > 1e-4 * n).any()):
            raise UserError(f"{self.layer.block}: rows do not sum to one under the probe")

    def _keep_matrix(self, mass: torch.Tensor, part: slice, first: int) -> None:
        index, N = self.layer.block.index, self.records.batch.length
        if index not in self.records.full:
            shape = (len(self.records.batch.ids), self.layer.heads, N, N)
            self.records.full[index] = torch.zeros(shape, dtype=torch.float32)
        seen, offset = self.records.seen, self.call.seen.k_offset
        self.records.full[index][
            self.prompt.row,
            :,
            part.start + seen : part.stop + seen,
            first + offset : first + offset + mass.shape[2],
        ] = mass.float().cpu()
