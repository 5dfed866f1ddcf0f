"""The files of a check: a certificate, and weights as exact integers, read without the producer.

Safetensors are parsed from their bytes; for a torch state dict, torch's own loader is trusted.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from pathlib import Path
from typing import Any

from empirics.certificates.checker.verdict import Rejected

FORMAT = "sinkproof-certificate-1"
CODES = {"F64": "d", "F32": "f", "F16": "e", "BF16": "H"}
Numbers = list[list[float]]


def opened(
    certificate: dict[str, Any], model: str
) -> tuple[list[list[dict[str, Any]]], dict[str, Any], dict[str, Any]]:
    """A and M of every head by layers in our layout, settings, figures; digest and hash hold."""
    try:
        body = {k: v for k, v in certificate.items() if k != "digest"}
        settings, figures = body["settings"], body["figures"]
        if body["format"] != FORMAT:
            raise Rejected(f"the certificate is not of format {FORMAT}")
    except (KeyError, TypeError, AttributeError):
        raise Rejected(f"the file is not a certificate of format {FORMAT}") from None
    text = json.dumps(body, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    if hashlib.sha256(text.encode()).hexdigest() != certificate.get("digest"):
        raise Rejected("the certificate was changed after it was written: its digest differs")
    layers = weights(Path(model))
    if fingerprint(layers) != settings["weights_sha256"]:
        raise Rejected("the certificate is for other weights: their hash differs")
    heads, layout = settings["heads"], settings["layout"]
    return [acting(layer, layout, heads) for layer in layers], settings, figures


def acting(layer: dict[str, Numbers], layout: str, heads: int) -> list[dict[str, Any]]:
    """Per head A = W_QᵀW_K in integers of unit 1/a, and M = W_O W_V in integers of unit 1/m."""
    d = len(layer["W_Q"][0])
    place = {"ours": [*range(d)], "author": [0, 1, d - 1, *range(2, d - 1)]}[layout]
    found = []
    for h in range(heads):
        q, k, v, o = (
            matrix[len(matrix) * h // heads : len(matrix) * (h + 1) // heads]
            for matrix in (layer["W_Q"], layer["W_K"], layer["W_V"], transposed(layer["W_O"]))
        )
        A, a = product(transposed(q), k)
        M, m = product(transposed(o), v)
        matrices = {k: [[X[i][j] for j in place] for i in place] for k, X in (("A", A), ("M", M))}
        found.append({**matrices, "a": a, "m": m})
    if any(len(layer[name]) % heads for name in ("W_Q", "W_V")):
        raise Rejected("the heads do not divide the rows of the matrices")
    return found


def weights(path: Path) -> list[dict[str, Numbers]]:
    """Layers as matrices of doubles, by name."""
    data = path.read_bytes()
    if data[8:9] == b"{":
        tensors = safetensors(data)
    else:
        import torch

        state = torch.load(path, map_location="cpu", weights_only=True)
        tensors = {k: v.to(torch.float64).tolist() for k, v in state.items()}
    layers: dict[int, dict[str, Numbers]] = {}
    for name, matrix in tensors.items():
        parts = name.removesuffix(".weight").split(".")
        layer = int(parts[1]) if len(parts) == 3 and parts[0] == "layers" else 0
        layers.setdefault(layer, {})[parts[-1]] = matrix
    found = [layers[i] for i in range(len(layers))]
    if any(set(layer) != {"W_Q", "W_K", "W_V", "W_O"} for layer in found):
        raise Rejected("the model is not made of the matrices W_Q, W_K, W_V and W_O")
    if any(not math.isfinite(x) for layer in found for m in layer.values() for r in m for x in r):
        raise Rejected("the model holds NaN or infinite numbers")
    return found


def safetensors(data: bytes) -> dict[str, Numbers]:
    """The matrices of a safetensors file: a JSON header, then numbers, all little-endian."""
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in header.items():
        (rows, columns), (start, end) = about["shape"], about["data_offsets"]
        raw = data[8 + size + start : 8 + size + end]
        flat: Any = struct.unpack(f"<{rows * columns}{CODES[about['dtype']]}", raw)
        if about["dtype"] == "BF16":  # the upper half of a single-precision number
            flat = [struct.unpack("<f", struct.pack("<I", x << 16))[0] for x in flat]
        tensors[name] = [list(flat[r * columns : (r + 1) * columns]) for r in range(rows)]
    return tensors


def fingerprint(layers: list[dict[str, Numbers]]) -> str:
    """SHA-256 over names, shapes and numbers as double precision."""
    digest = hashlib.sha256()
    for index, layer in enumerate(layers):
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            matrix = layer[name]
            digest.update(f"{index} {name} {len(matrix)} {len(matrix[0])}\n".encode())
            for row in matrix:
                digest.update(struct.pack(f"<{len(row)}d", *(x + 0.0 for x in row)))
    return digest.hexdigest()


def transposed(matrix: Numbers) -> Numbers:
    return [list(column) for column in zip(*matrix, strict=True)]


def integers(matrix: Numbers) -> tuple[list[list[int]], int]:
    """The matrix as integers of a common unit 1/u, u a power of two, and u."""
    ratios = [[x.as_integer_ratio() for x in row] for row in matrix]
    unit = max(q for row in ratios for _, q in row)
    return [[p * (unit // q) for p, q in row] for row in ratios], unit


def product(left: Numbers, right: Numbers) -> tuple[list[list[int]], int]:
    """left · right in integers of unit 1/u, and u."""
    (x, u), (y, w) = integers(left), integers(right)
    columns = list(zip(*y, strict=True))
    return [[sum(map(int.__mul__, row, col)) for col in columns] for row in x], u * w
