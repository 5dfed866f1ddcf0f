"""What one trained model does with its attention, in a few small numbers.

Positions are 1-based in words; "silent" rows are those of non-trigger positions i ≥ 2.  Everything
is a mean over silent rows of fresh sequences unless it says otherwise.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from theorems.trigger_task import TRIGGER

SINKS = 0.9
"""A head sinks when its mean BOS mass at silent rows exceeds this."""


def figures(
    rows: Tensor,
    tokens: Tensor,
    error: Tensor,
    gates: Tensor | None = None,
    writes: Tensor | None = None,
    *,
    bos: bool = True,
) -> dict[str, Any]:
    """Figures of one model, as plain JSON values.

    ``rows`` (layers, B, H, N, N), ``tokens`` (B, N, d), ``error`` (B, N, d) absolute, ``gates``
    and ``writes`` (layers, B, H, N) or ``None``.  Lists run over layers, then heads:

    * ``bos``: BOS mass at silent rows; ``least``, ``most``: its extremes; ``off``: 1 − the least;
      ``through``: the mean of gate × BOS mass; ``writes``: that of the sup norm of what BOS adds
      (where known); ``trigger``: BOS mass at the trigger's row
    * ``total``: the row sum at silent rows (1 for simplex attention)
    * ``itself``: the weight of a silent row on its own token; ``on_trigger``: on the trigger, by
      silent rows after it
    * ``columns``: for key k = 1..N−1, the mean weight on it of silent rows after k

    Without a BOS token the first two points are left out.
    """
    flags = tokens[..., TRIGGER] == 1
    silent = (tokens[..., 0] == 0) & ~flags
    by_head = rows.transpose(1, 2)  # (layers, H, B, N, N)
    found: dict[str, Any] = {"error": _short(float(error.max()))}
    if bos:
        weight = by_head[..., 0]
        off = weight[..., silent]
        opened = 1.0 if gates is None else gates.transpose(1, 2)[..., silent]
        found |= {
            "bos": _nested(off.mean(dim=-1)),
            "least": _nested(off.amin(dim=-1)),
            "most": _nested(off.amax(dim=-1)),
            "off": _nested(1 - off.amin(dim=-1)),
            "through": _nested((off * opened).mean(dim=-1)),
            "trigger": _nested(weight[..., flags].mean(dim=-1)),
        }
        if writes is not None:
            found["writes"] = _nested(writes.transpose(1, 2)[..., silent].mean(dim=-1))
    itself = by_head.diagonal(dim1=-2, dim2=-1)[..., silent].mean(dim=-1)
    after = torch.tril(torch.ones_like(rows[0, 0, 0], dtype=torch.bool), diagonal=-1)
    pairs = silent[:, :, None] & after  # a silent query and an earlier key
    to_trigger = pairs & flags[:, None, :]
    count = pairs.sum(dim=(0, 1)).clamp(min=1)
    columns = (by_head * pairs).sum(dim=(-3, -2)) / count
    found |= {
        "total": _nested(by_head.sum(dim=-1)[..., silent].mean(dim=-1)),
        "itself": _nested(itself),
        "on_trigger": _nested((by_head * to_trigger).sum(dim=(-3, -2, -1)) / to_trigger.sum()),
        "columns": _nested(columns[..., :-1]),
    }
    return found


def sinking(found: dict[str, Any]) -> list[int]:
    """The number of heads that sink, layer by layer."""
    return [sum(mass > SINKS for mass in layer) for layer in found["bos"]]


def _nested(x: Tensor) -> Any:
    return _rounded(x.tolist())


def _rounded(values: Any) -> Any:
    return [_rounded(v) for v in values] if isinstance(values, list) else _short(values)


def _short(value: float) -> float | None:
    return None if value != value else float(f"{value:.4g}") + 0.0
