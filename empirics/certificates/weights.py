"""Weights as other people's code saves them: safetensors or a torch state dict, read exactly.

A model has matrices W_Q, W_K, W_V, W_O, ``nn.Linear`` weights of shape (out, in), with or without
the suffix ``.weight``, and with the prefix ``layers.N.`` in stacks.  Half, bfloat16, single and
double precision are all exact as double precision, so an array of doubles holds the very numbers.
Anything else in the file (biases, embeddings) would make another function of it and is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch

from theorems.errors import UserError

MATRICES = ("W_Q", "W_K", "W_V", "W_O")
LAYOUTS = ("ours", "author")
"""Token layouts: BOS, trigger, ordinary, content; and BOS, trigger, content, ordinary."""

_NAME = re.compile(r"(?:layers\.(\d+)\.)?(W_[QKVO])(?:\.weight)?")
_EXACT = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@dataclass(frozen=True)
class Matrices:
    """One layer, double precision: W_Q, W_K, W_V of shape (hidden, d), W_O of shape (d, hidden)."""

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray


@dataclass(frozen=True)
class WeightFile:
    """What a file holds: its layers, the hash of their numbers, and what it says about itself."""

    layers: tuple[Matrices, ...]
    sha256: str
    metadata: Mapping[str, str]

    @property
    def width(self) -> int:
        """d, the number of coordinates of a token."""
        return int(self.layers[0].W_Q.shape[1])

    def stated(self, name: str) -> Any:
        """What the metadata of one of our own files states for ``name``, or ``None``."""
        try:
            about = {**json.loads(self.metadata.get("config", "{}")), **self.metadata}
        except ValueError:
            about = dict(self.metadata)
        return about.get(name)


def read(path: Path) -> WeightFile:
    """The weights in ``path``.  Raises ``UserError``, one sentence, for anything else."""
    tensors, metadata = _tensors(path)
    found: dict[int, dict[str, np.ndarray]] = {}
    for name, tensor in tensors.items():
        match = _NAME.fullmatch(name)
        if match is None:
            raise UserError(
                f"{path} holds {name!r}, which is not one of the matrices {', '.join(MATRICES)}: "
                "a certificate speaks about attention without biases or other parts"
            )
        layer = int(match[1] or 0)
        if match[2] in found.setdefault(layer, {}):
            raise UserError(f"{path} holds {match[2]} of layer {layer} twice")
        found[layer][match[2]] = _numbers(tensor, name, path)
    if sorted(found) != list(range(len(found))) or not found:
        raise UserError(f"{path} holds no layers numbered 0, 1, …: its layers are {sorted(found)}")
    for layer, matrices in found.items():
        for name in MATRICES:
            if name not in matrices:
                raise UserError(f"{path} lacks the matrix {name} of layer {layer}")
    layers = tuple(Matrices(**found[i]) for i in range(len(found)))
    _check_shapes(layers, path)
    return WeightFile(layers, fingerprint(layers), metadata)


def fingerprint(layers: tuple[Matrices, ...]) -> str:
    """SHA-256 over names, shapes and numbers: the same for every file format and precision."""
    digest = hashlib.sha256()
    for index, layer in enumerate(layers):
        for name in MATRICES:
            matrix = getattr(layer, name)
            digest.update(f"{index} {name} {matrix.shape[0]} {matrix.shape[1]}\n".encode())
            digest.update((matrix + 0.0).astype("<f8").tobytes())  # −0 and 0 are one number
    return digest.hexdigest()


def _tensors(path: Path) -> tuple[dict[str, torch.Tensor], Mapping[str, str]]:
    try:
        with path.open("rb") as file:
            head = file.read(9)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        if head[8:] == b"{":
            with safetensors.safe_open(path, framework="pt") as tensors:
                names = list(tensors.keys())
                found = {name: tensors.get_tensor(name) for name in names}
                return found, tensors.metadata() or {}
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # whatever a damaged or hostile file makes a reader raise
        raise UserError(
            f"{path} is neither a safetensors file nor a torch state dict of plain tensors"
        ) from None
    if not isinstance(loaded, dict) or not all(
        isinstance(k, str) and isinstance(v, torch.Tensor) for k, v in loaded.items()
    ):
        raise UserError(f"{path} is not a state dict: it must map names to tensors")
    return loaded, {}


def _numbers(tensor: torch.Tensor, name: str, path: Path) -> np.ndarray:
    if tensor.dtype not in _EXACT or tensor.dim() != 2 or tensor.layout != torch.strided:
        raise UserError(
            f"{path}: {name} is a {tensor.dim()}-dimensional tensor of {tensor.dtype}; a matrix of "
            "floating-point numbers is needed"
        )
    numbers = tensor.detach().to(torch.float64).numpy()
    if not np.isfinite(numbers).all():
        raise UserError(f"{path}: {name} holds NaN or infinite numbers, so nothing can be bounded")
    return numbers


def _check_shapes(layers: tuple[Matrices, ...], path: Path) -> None:
    width = layers[0].W_Q.shape[1]
    for index, layer in enumerate(layers):
        (h, d), (g, e) = layer.W_Q.shape, layer.W_V.shape
        agree = layer.W_K.shape == (h, d) and layer.W_O.shape == (e, g)
        if not agree or d != width or e != width or width < 3 or min(h, g) < 1:
            shapes = ", ".join(f"{n} {getattr(layer, n).shape}" for n in MATRICES)
            raise UserError(
                f"{path}: the shapes of layer {index} do not fit ({shapes}); W_Q, W_K, W_V are "
                "(hidden, d), W_O is (d, hidden) and d ≥ 3"
            )
