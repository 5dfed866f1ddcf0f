"""Weight files: safetensors with the names of the paper's code, and metadata that say all else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from empirics.training.config import TrainConfig
from empirics.training.files import read_tensors
from empirics.training.model import MATRICES, Weights
from theorems.errors import UserError
from theorems.files import versions, write_atomically


def save_weights(path: Path, weights: Weights, config: TrainConfig, **about: Any) -> None:
    """Write one model (``len(weights) == 1``): ``layers.0.W_Q.weight`` … in (out, in) convention.

    The metadata say how to read it: token layout, configuration, versions.
    """
    tensors = {
        f"layers.{layer}.{name}.weight": getattr(weights, name)[0, layer].contiguous()
        for layer in range(config.layers)
        for name in MATRICES
    }
    metadata = {
        "layout": "ours",
        "attention": config.attention,
        "length": str(config.length),
        "content_dim": str(config.content_dim),
        "config": json.dumps(config.as_dict()),
        **{key: json.dumps(value) for key, value in about.items()},
        **versions(),
    }
    write_atomically(path, safetensors.torch.save(tensors, metadata))


def load_weights(path: Path) -> tuple[Weights, TrainConfig]:
    """What ``save_weights`` wrote.  Raises ``UserError`` for a file that is not that."""
    tensors, metadata = read_tensors(path)
    try:
        config = TrainConfig.from_dict(json.loads(metadata["config"]))
        stacks = (
            torch.stack([tensors[f"layers.{i}.{name}.weight"] for i in range(config.layers)])[None]
            for name in MATRICES
        )
        return Weights(*stacks), config
    except (KeyError, ValueError) as error:
        raise UserError(f"{path} is not a model trained here ({error}): retrain it") from error
