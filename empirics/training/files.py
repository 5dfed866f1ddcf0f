"""Reading what training left: metrics cut short by a hard stop, and safetensors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from theorems.errors import UserError


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
