"""Files that a hard stop cannot spoil: written in full or not at all, or read line by line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from theorems.errors import UserError


def versions() -> dict[str, str]:
    """The versions a result depends on."""
    try:
        own = version("sinkproof")
    except PackageNotFoundError:
        own = "uninstalled"
    return {"sinkproof": own, "torch": torch.__version__}


def write_atomically(path: Path, content: bytes) -> None:
    """Write ``path`` in full or not at all, even if the machine stops meanwhile."""
    temporary = path.with_name(path.name + ".tmp")
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_atomically(path, (json.dumps(value, indent=1) + "\n").encode())


def read_metrics(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a metrics file; lines cut short by a hard stop are left out."""
    for line in path.read_bytes().splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and metadata of a safetensors file, or ``UserError``."""
    try:
        with safe_open(path, framework="pt") as file:
            names = list(file.keys())
            return {name: file.get_tensor(name) for name in names}, file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise UserError(f"{path} is damaged or unreadable ({error}): delete it") from error
