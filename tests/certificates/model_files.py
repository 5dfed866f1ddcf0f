"""Small model files for the tests."""

from __future__ import annotations

from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


def matrices(n: int = 2, attention: str = "softmax", *, shift: float = 0.0) -> dict[str, Tensor]:
    """A head near the explicit solution, in our layout: A = W_K, M = W_V, with some content."""
    d = n + 3
    generator = torch.Generator().manual_seed(n)
    A = torch.randn(d, d, generator=generator) / 64
    M = torch.randn(d, d, generator=generator) / 128 + torch.eye(d)
    M[:, 0] = shift
    A[2, 0] += 6.0 if attention == "softmax" else -0.5
    A[1, 0] -= 6.0 if attention == "softmax" else 0.5
    if attention == "relu":
        A[2, 1:] -= 0.5
        A[1, 1:3] += 1.0
    return {"W_Q": torch.eye(d), "W_K": A, "W_V": M, "W_O": torch.eye(d)}


def to_author(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same head in the layout BOS, trigger, content, ordinary."""
    d = tensors["W_Q"].shape[1]
    place = [0, 1, *range(3, d), 2]
    return {
        name: (w[place] if name == "W_O" else w[:, place]).contiguous()
        for name, w in tensors.items()
    }


def save(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> Path:
    """As safetensors, or as a torch state dict when the name ends in .pt."""
    if path.suffix == ".pt":
        torch.save(tensors, path)
    else:
        safetensors.torch.save_file(tensors, path, metadata)
    return path
