"""What a run leaves on disk, written so that a hard stop at any moment loses nothing finished.

A folder holds one run::

    run.json                     configuration, versions, date
    metrics.jsonl                one JSON object a line, only ever appended to
    checkpoint.safetensors       everything needed to go on, bit for bit
    weights/seed-S.safetensors   a model, once the run has ended
    result.json                  steps and errors per seed, once the run has ended

Files other than the metrics are written to a temporary name and moved into place.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import safetensors.torch
import torch
from torch import Tensor

from empirics.training.config import TrainConfig
from empirics.training.files import read_tensors
from empirics.training.plain import plain
from empirics.training.weights import save_weights
from theorems.errors import UserError
from theorems.files import versions, write_atomically, write_json

if TYPE_CHECKING:
    from empirics.training.loop import Trained, Training

CHECKPOINT_FORMAT = "sinkproof-checkpoint-1"


def _digest(tensors: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for key in sorted(tensors):
        digest.update(key.encode() + tensors[key].contiguous().numpy().tobytes())
    return digest.hexdigest()


class RunFolder:
    """The files of one run.  ``open`` is the way in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._checkpoint = path / "checkpoint.safetensors"
        self._metrics = path / "metrics.jsonl"

    @classmethod
    def open(cls, path: Path, config: TrainConfig, *, resume: bool) -> RunFolder:
        """A folder ready for this run: new, or that of the same run when ``resume``.

        Raises ``UserError``, before anything is written, if the folder holds something else, if
        there is nothing to resume, if the run there has another configuration, or if the folder
        cannot be written.
        """
        about = path / "run.json"
        try:
            if resume:
                _same_run(about, config)
            elif path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise UserError(
                    f"{path} already holds another run or files: choose a new folder, "
                    "or resume the run there"
                )
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError("no permission to write")
            folder = cls(path)
            write_json(
                about,
                {
                    "config": config.as_dict(),
                    "versions": versions(),
                    "date": datetime.now(UTC).isoformat(timespec="seconds"),
                },
            )
            folder._mend_metrics()
        except OSError as error:
            raise UserError(
                f"cannot write to {path} ({error.strerror or error}): choose another folder"
            ) from error
        return folder

    def _mend_metrics(self) -> None:
        """End a last line that a hard stop cut short, so that the next one starts afresh."""
        with open(self._metrics, "a+b") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
                if file.read(1) != b"\n":
                    file.write(b"\n")

    def log(
        self,
        config: TrainConfig,
        step: int,
        models: Sequence[int],
        losses: Sequence[float],
        errors: Sequence[float],
    ) -> None:
        """Append one line: loss and max error of the models still training.

        After a resume a step may occur twice; the later line is the one that counts.
        """
        line = {
            "step": step,
            "seeds": [config.seeds[m] for m in models],
            "loss": plain(losses),
            "error": plain(errors),
        }
        with open(self._metrics, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def save(self, training: Training) -> None:
        """Write the checkpoint that ``restore`` goes on from."""
        tensors = {
            "theta": training.theta.contiguous(),
            "adam.mean": training.adam.mean.contiguous(),
            "adam.square": training.adam.square.contiguous(),
            "final": training.final,
        }
        for slot, generator in enumerate(training.generators):
            tensors[f"generator.{slot}"] = generator.get_state()
        state = {
            "step": training.step,
            "active": training.active,
            "steps": training.steps,
            "converged": training.converged,
            "error": training.error,
        }
        metadata = {
            "format": CHECKPOINT_FORMAT,
            "config": json.dumps(training.config.as_dict()),
            "state": json.dumps(state),
            "digest": _digest(tensors),
        }
        write_atomically(self._checkpoint, safetensors.torch.save(tensors, metadata))

    def restore(self, training: Training) -> None:
        """Put ``training`` where the last checkpoint was, or leave it if there is none."""
        if not self._checkpoint.exists():
            return
        tensors, metadata = read_tensors(self._checkpoint)
        damaged = UserError(f"{self._checkpoint} is damaged: delete it to start the run again")
        if metadata.get("format") != CHECKPOINT_FORMAT:
            raise damaged
        if _digest(tensors) != metadata.get("digest"):
            raise damaged
        if not training.config.same_run(TrainConfig.from_dict(json.loads(metadata["config"]))):
            raise UserError(f"{self._checkpoint} belongs to another configuration")
        state = json.loads(metadata["state"])
        training.step = state["step"]
        training.active = state["active"]
        training.steps = state["steps"]
        training.converged = state["converged"]
        training.error = state["error"]
        training.theta = tensors["theta"]
        training.final = tensors["final"]
        training.generators = [torch.Generator() for _ in training.active]
        for slot, generator in enumerate(training.generators):
            generator.set_state(tensors[f"generator.{slot}"])
        training.adam.restore(tensors["adam.mean"], tensors["adam.square"])
        training.rebuild()

    def finish(self, result: Trained) -> None:
        """Write the final weights and the result."""
        config = result.config
        folder = self.path / "weights"
        folder.mkdir(exist_ok=True)
        for model, seed in enumerate(config.seeds):
            save_weights(
                folder / f"seed-{seed}.safetensors",
                result.weights[model],
                config,
                seed=seed,
                steps=result.steps[model],
                converged=result.converged[model],
            )
        write_json(self.path / "result.json", result.summary())


def _same_run(about: Path, config: TrainConfig) -> None:
    try:
        stored = TrainConfig.from_dict(json.loads(about.read_text("utf-8"))["config"])
    except FileNotFoundError:
        raise UserError(
            f"{about.parent} holds no run to resume: start one without resuming"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{about} is damaged ({error}): choose a new folder") from error
    if not stored.same_run(config):
        ours, theirs = config.as_dict(), stored.as_dict()
        names = [k for k in ours if ours[k] != theirs[k] and k not in ("max_steps", "threads")]
        raise UserError(
            f"{about.parent} holds a run with another {', '.join(names)}: "
            "resume with the same settings or choose a new folder"
        )
