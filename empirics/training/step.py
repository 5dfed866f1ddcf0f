"""One training step of many models: forward and backward pass by hand, in reused buffers.

Three things make it fast and change no result beyond rounding (tests pin loss and gradient to
autograd on the definition at 1e-12 in float64):

* a head acts only through A = W_QᵀW_K and M = W_OW_V, so tokens are multiplied by two matrices
  per head instead of four, and the gradients of A and M are carried to the factors at the end;
* nothing is computed that no gradient needs: the input of the first layer has none, targets are
  subtracted where they are not zero, the loss's factor is applied to d×d matrices;
* models are worked through in blocks whose buffers stay in the cache.

Shapes inside a block of c models: tokens (c, B, N, d); queries xᵀA of all heads (c, B, N·H, d);
rows (c, B, N·H, N), one row per query and head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.data import Batch

_softmax_backward = torch.ops.aten._softmax_backward_data


@dataclass(frozen=True)
class _Fused:
    """A mechanism on masked logits, in place, and its derivative.

    ``rows(z, mask)`` turns logits into rows; ``logits(g, rows, mask)`` turns the gradient by rows
    into that by logits.  ``mask`` is −inf/0 to add for softmax, else the share 1/max(1, i−1) of a
    visible key and 0 above the diagonal.
    """

    rows: Callable[[Tensor, Tensor, Tensor], Tensor]
    logits: Callable[[Tensor, Tensor, Tensor], Tensor]


def _softmax_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.softmax(z.add_(mask), dim=-1, out=out)


def _softmax_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return _softmax_backward.out(g, rows, -1, rows.dtype, grad_input=g)


def _relu_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z.clamp_(min=0), mask, out=out)


def _relu_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return g.mul_(mask).mul_(rows > 0)


def _linear_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z, mask, out=out)


def _linear_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    return g.mul_(mask)


def _sigmoid_rows(z: Tensor, mask: Tensor, out: Tensor) -> Tensor:
    return torch.mul(z.sigmoid_(), mask, out=out)


def _sigmoid_logits(g: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
    # rows = mask·σ, so mask·σ(1−σ) = rows·(1 − rows/mask) where a key is visible, else 0.
    return g.mul_(rows).mul_(1 - rows / mask.clamp(min=torch.finfo(rows.dtype).tiny))


_FUSED = {
    "softmax": _Fused(_softmax_rows, _softmax_logits),
    "relu": _Fused(_relu_rows, _relu_logits),
    "linear": _Fused(_linear_rows, _linear_logits),
    "sigmoid": _Fused(_sigmoid_rows, _sigmoid_logits),
}


def _mask(config: TrainConfig, dtype: torch.dtype) -> Tensor:
    """(N·H, N): what ``_Fused`` needs to know of causality, one line per query and head."""
    N = config.tokens
    index = torch.arange(N)
    visible = index[None, :] <= index[:, None]
    if config.attention == "softmax":
        mask = torch.zeros(N, N, dtype=dtype).masked_fill_(~visible, -torch.inf)
    else:
        mask = visible.to(dtype) / index.clamp(min=1)[:, None]
    return mask.repeat_interleave(config.heads, dim=0)


class Step:
    """Loss and gradient for up to ``block`` models at a time; ``gradient`` is the whole API."""

    def __init__(
        self, config: TrainConfig, *, block: int | None = None, dtype: torch.dtype = torch.float32
    ) -> None:
        self.config, self.dtype = config, dtype
        self.block = block or max(1, 4 // (config.layers * config.heads))
        B, N, d, H = config.batch, config.tokens, config.width, config.heads
        c = min(self.block, len(config.seeds))

        def buffer(*shape: int) -> Tensor:
            return torch.empty(c, *shape, dtype=dtype)

        self._fused = _FUSED[config.attention]
        self._mask = _mask(config, dtype)
        self._outputs = [buffer(B * N, d) for _ in range(config.layers)]
        self._queries = [buffer(B * N, H * d) for _ in range(config.layers)]
        self._rows = [buffer(B, N * H, N) for _ in range(config.layers)]
        self._mixed = [buffer(B * N, H * d) for _ in range(config.layers)]
        self._scores = buffer(B, N * H, N)
        self._wide = buffer(B * N, H * d)
        self._grad_in = [buffer(B * N, d) for _ in range(min(2, config.layers))]

    def gradient(self, theta: Tensor, batch: Batch, grad: Tensor) -> tuple[Tensor, Tensor]:
        """Write ∂loss/∂theta into ``grad``; return (mean squared error, max error), each (S,).

        ``theta`` and ``grad`` are (2, 2, S, layers, H, d, d), see ``Weights.flat``.  The loss
        averages over batch, positions and coordinates; the errors are those before the update.
        """
        S = theta.shape[2]
        folded = theta[0].mT @ theta[1]
        d_folded = torch.empty_like(folded)
        squared = torch.empty(S, dtype=self.dtype)
        worst = torch.empty(S, dtype=self.dtype)
        for start in range(0, S, self.block):
            part = slice(start, min(start + self.block, S))
            self._block(folded[:, part], batch, part, d_folded[:, part], squared, worst)
        d_folded *= 2.0 / batch.tokens[0].numel()
        torch.matmul(theta[1], d_folded.mT, out=grad[0])
        torch.matmul(theta[0], d_folded, out=grad[1])
        return squared / batch.tokens[0].numel(), worst

    def _block(
        self,
        folded: Tensor,
        batch: Batch,
        part: slice,
        d_folded: Tensor,
        squared: Tensor,
        worst: Tensor,
    ) -> None:
        cfg, c = self.config, part.stop - part.start
        B, N, d, H = cfg.batch, cfg.tokens, cfg.width, cfg.heads
        tokens = batch.tokens[part].reshape(c, B * N, d)
        # (layers, c, d, H·d) and (layers, c, H·d, d): the heads side by side.
        A = folded[0].permute(1, 0, 3, 2, 4).reshape(cfg.layers, c, d, H * d)
        M = folded[1].transpose(0, 1).reshape(cfg.layers, c, H * d, d)

        states = [tokens]
        for layer in range(cfg.layers):
            x = states[-1]
            queries, rows, mixed = (
                buffers[layer][:c] for buffers in (self._queries, self._rows, self._mixed)
            )
            torch.bmm(x, A[layer], out=queries)
            scores = self._scores[:c].view(c * B, N * H, N)
            keys = x.view(c * B, N, d)
            torch.bmm(queries.view(c * B, N * H, d), keys.mT, out=scores)
            self._fused.rows(scores, self._mask, rows.view(c * B, N * H, N))
            torch.bmm(rows.view(c * B, N * H, N), keys, out=mixed.view(c * B, N * H, d))
            out = self._outputs[layer][:c]
            if cfg.residual:
                torch.baddbmm(x, mixed, M[layer], out=out)
            else:
                torch.bmm(mixed, M[layer], out=out)
            states.append(out)

        delta = states.pop()
        if cfg.residual:
            delta.sub_(tokens)
        rows_at = batch.rows[part.start * B : part.stop * B] - part.start * B * N
        delta.view(-1, d).index_add_(0, rows_at, batch.means[part].view(-1, d), alpha=-1)
        flat = delta.view(c, -1)
        low, high = torch.aminmax(flat, dim=1)
        torch.maximum(-low, high, out=worst[part])
        torch.linalg.vecdot(flat, flat, out=squared[part])

        for layer in reversed(range(cfg.layers)):
            x = states.pop()
            queries, rows, mixed = (
                buffers[layer][:c] for buffers in (self._queries, self._rows, self._mixed)
            )
            keys = x.view(c * B, N, d)
            rows3 = rows.view(c * B, N * H, N)
            d_folded[1][:, layer] = torch.bmm(mixed.mT, delta).view(c, H, d, d)
            d_mixed = torch.bmm(delta, M[layer].mT, out=self._wide[:c]).view(c * B, N * H, d)
            scores = self._scores[:c].view(c * B, N * H, N)
            torch.bmm(d_mixed, keys.mT, out=scores)
            if cfg.bos_penalty:
                self._penalise(scores, rows_at)
            self._fused.logits(scores, rows3, self._mask)
            if layer:
                # The state as values and as keys; then as queries, once d_mixed is free.
                below = self._grad_in[layer % 2][:c]
                below3 = below.view(c * B, N, d)
                torch.bmm(rows3.mT, d_mixed, out=below3)
                below3.baddbmm_(scores.mT, queries.view(c * B, N * H, d))
                if cfg.residual:
                    below.add_(delta)
            d_queries = torch.bmm(scores, keys, out=d_mixed)
            wide = d_queries.view(c, B * N, H * d)
            d_A = torch.bmm(x.mT, wide).view(c, d, H, d)
            d_folded[0][:, layer] = d_A.transpose(1, 2)
            if layer:
                below.baddbmm_(wide, A[layer].mT)
                delta = below

    def _penalise(self, d_rows: Tensor, rows_at: Tensor) -> None:
        """Add λ·∂(mean BOS weight over non-trigger rows i ≥ 2, layers, heads) to ``d_rows``.

        In units of the loss before its factor 2/(B·N·d), which is applied later.
        """
        cfg = self.config
        B, N, H = cfg.batch, cfg.tokens, cfg.heads
        count = B * (N - 2) * H * cfg.layers
        unit = cfg.bos_penalty / count * (B * N * cfg.width) / 2
        weight = torch.full((d_rows.shape[0], N), unit, dtype=self.dtype)
        weight[:, 0] = 0
        weight.view(-1)[rows_at] = 0
        d_rows[..., 0] += weight.repeat_interleave(H, dim=1)
