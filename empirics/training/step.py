"""One training step of many models: forward and backward pass by hand, in reused buffers.

Three things make it fast and change no result beyond rounding (tests pin loss and gradient to
autograd on the definition at 1e-12 in float64):

* a head acts only through A = W_QᵀW_K and M = W_OW_V, so tokens are multiplied by two matrices
  per head instead of four, and the gradients of A and M are carried to the factors at the end;
* nothing is computed that no gradient needs: the input of the first layer has none, targets are
  subtracted where they are not zero, the loss's factor is applied to d×d matrices;
* models are worked through in blocks whose buffers stay in the cache;
* where BOS is dropped a zero token keeps its place, since products of 16 rows are thrice as fast
  as of 15; its state and its gradients stay zero.

Shapes inside a block of c models, N = L: tokens (c, B, N, d); queries xᵀA of all heads
(c, B, N·H, d); rows (c, B, N·H, N), one row per query and head.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.data import Batch
from empirics.training.fused import FUSED, mask_of


class _Workspace:
    """The buffers of one block of c models, and views of them in the shapes that products take."""

    def __init__(self, config: TrainConfig, c: int, dtype: torch.dtype) -> None:
        B, N, d, H = config.batch, config.length, config.width, config.heads

        def layered(*shape: int) -> list[Tensor]:
            return [torch.empty(shape, dtype=dtype) for _ in range(config.layers)]

        self.out = layered(c, B * N, d)
        self.queries, self.mixed = layered(c, B * N, H * d), layered(c, B * N, H * d)
        self.rows = layered(c * B, N * H, N)
        self.scores = torch.empty(c * B, N * H, N, dtype=dtype)
        self.wide = torch.empty(c, B * N, H * d, dtype=dtype)
        self.below = [torch.empty(c, B * N, d, dtype=dtype) for _ in range(min(2, config.layers))]

        self.out_tokens = [x.view(c * B, N, d) for x in self.out]
        self.queries_by_head = [x.view(c * B, N * H, d) for x in self.queries]
        self.mixed_by_head = [x.view(c * B, N * H, d) for x in self.mixed]
        self.wide_by_head = self.wide.view(c * B, N * H, d)
        self.below_tokens = [x.view(c * B, N, d) for x in self.below]
        self.delta_rows = self.out[-1].view(c * B * N, d)
        self.delta_flat = self.out[-1].view(c, B * N * d).unbind()


class Source(Protocol):
    """Where batches come from: a ``Stream``."""

    def draw(self, *, part: slice) -> Batch:
        """A batch for the models of ``part``."""
        ...


class Step:
    """Loss and gradient of many models, ``block`` of them at a time; ``gradient`` does it all.

    The default block keeps about a megabyte of buffers alive, a core's second-level cache.
    """

    def __init__(
        self, config: TrainConfig, *, block: int | None = None, dtype: torch.dtype = torch.float32
    ) -> None:
        self.config, self.dtype = config, dtype
        self.block = block or max(2, 8 // (config.layers * config.heads)) * config.threads
        self._fused = FUSED[config.attention]
        self._mask = mask_of(config, dtype)
        self._workspaces: dict[int, _Workspace] = {}

    def workspaces(self) -> list[_Workspace]:
        """The buffers made so far, one set per size of block."""
        return list(self._workspaces.values())

    def gradient(self, theta: Tensor, stream: Source, grad: Tensor) -> tuple[Tensor, Tensor]:
        """Draw a batch for every model, block by block, and write ∂loss/∂theta into ``grad``.

        Returns (mean squared error, max error), each (S,), before any update.  ``theta`` and
        ``grad`` are (2, 2, S, layers, H, d, d), see ``Weights.flat``.  The loss averages over
        batch, positions and coordinates.
        """
        S = theta.shape[2]
        folded = torch.matmul(theta[0].mT, theta[1])
        d_folded = torch.empty_like(folded)
        squared, worst = [], []
        for start in range(0, S, self.block):
            part = slice(start, min(start + self.block, S))
            batch = stream.draw(part=part)
            for delta in self._block(folded[:, part], batch, d_folded[:, part]):
                low, high = torch.aminmax(delta)
                squared.append(torch.dot(delta, delta))
                worst.append(torch.maximum(-low, high))
        per_model = self.config.batch * self.config.tokens * self.config.width
        d_folded *= 2.0 / per_model
        torch.matmul(theta[1], d_folded.mT, out=grad[0])
        torch.matmul(theta[0], d_folded, out=grad[1])
        return torch.stack(squared) / per_model, torch.stack(worst)

    def _block(self, folded: Tensor, batch: Batch, d_folded: Tensor) -> tuple[Tensor, ...]:
        """Fill ``d_folded`` for a block of models; return output − target, one per model."""
        cfg, c = self.config, batch.padded.shape[0]
        B, N, d, H, layers = cfg.batch, cfg.length, cfg.width, cfg.heads, cfg.layers
        ws = self._workspaces.get(c)
        if ws is None:
            ws = self._workspaces[c] = _Workspace(cfg, c, self.dtype)
        tokens = batch.padded.view(c, B * N, d)
        # The heads side by side: (layers, c, d, H·d) and (layers, c, H·d, d).
        A = folded[0].permute(1, 0, 3, 2, 4).reshape(layers, c, d, H * d).unbind()
        M = folded[1].transpose(0, 1).reshape(layers, c, H * d, d).unbind()
        states = [tokens, *ws.out[:-1]]
        keys = [tokens.view(c * B, N, d), *ws.out_tokens[:-1]]

        for i in range(layers):
            torch.bmm(states[i], A[i], out=ws.queries[i])
            torch.bmm(ws.queries_by_head[i], keys[i].mT, out=ws.scores)
            self._fused.rows(ws.scores, self._mask, ws.rows[i])
            torch.bmm(ws.rows[i], keys[i], out=ws.mixed_by_head[i])
            if cfg.residual:
                torch.baddbmm(states[i], ws.mixed[i], M[i], out=ws.out[i])
            else:
                torch.bmm(ws.mixed[i], M[i], out=ws.out[i])

        delta = ws.out[-1]
        if cfg.residual:
            delta.sub_(tokens)
        ws.delta_rows.index_add_(0, batch.rows, batch.means.view(-1, d), alpha=-1)

        for i in reversed(range(layers)):
            d_folded[1][:, i] = torch.bmm(ws.mixed[i].mT, delta).view(c, H, d, d)
            torch.bmm(delta, M[i].mT, out=ws.wide)
            torch.bmm(ws.wide_by_head, keys[i].mT, out=ws.scores)
            if cfg.bos_penalty:
                self._penalise(ws.scores, batch.rows)
            self._fused.logits(ws.scores, ws.rows[i], self._mask)
            below, below_tokens = ws.below[i % 2], ws.below_tokens[i % 2]
            if i:
                # The state enters as values and keys here, as queries once ws.wide is free.
                torch.bmm(ws.rows[i].mT, ws.wide_by_head, out=below_tokens)
                below_tokens.baddbmm_(ws.scores.mT, ws.queries_by_head[i])
                if cfg.residual:
                    below.add_(delta)
            d_queries = torch.bmm(ws.scores, keys[i], out=ws.wide_by_head).view(c, B * N, H * d)
            d_folded[0][:, i] = torch.bmm(states[i].mT, d_queries).view(c, d, H, d).transpose(1, 2)
            if i:
                delta = below.baddbmm_(d_queries, A[i].mT)
        return ws.delta_flat

    def _penalise(self, d_rows: Tensor, rows_at: Tensor) -> None:
        """Add λ·∂(mean BOS weight over non-trigger rows i ≥ 2, layers, heads) to ``d_rows``.

        In units of the loss before its factor 2/(B·N·d), which is applied later.
        """
        cfg = self.config
        B, N, H = cfg.batch, cfg.length, cfg.heads
        count = B * (N - 2) * H * cfg.layers
        unit = cfg.bos_penalty / count * (B * N * cfg.width) / 2
        weight = torch.full((d_rows.shape[0], N), unit, dtype=self.dtype)
        weight[:, 0] = 0
        weight.view(-1)[rows_at] = 0
        d_rows[..., 0] += weight.repeat_interleave(H, dim=1)
