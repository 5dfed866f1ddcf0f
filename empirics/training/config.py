"""What a training run is: the protocol of the paper's experiments as one frozen value.

Defaults are those of Ran-Milo 2026 (arXiv 2603.11487, section 4): d = 16, L = 16, batch 128, Adam
with betas (0.9, 0.95) and no schedule, learning rate 1e-3 for one layer and 1e-4 for residual
stacks, mean squared error, at most 50 000 steps, stop at batch max error < 5e-3, matrices drawn
from N(0, 0.02²), trigger uniform on 3..L.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from theorems.attention import MECHANISMS
from theorems.errors import UserError
from theorems.trigger_task import TriggerTask

TRAINABLE = ("softmax", "relu", "linear", "sigmoid", "softmax_off_by_one")
"""The mechanisms whose logits a model can learn (``weights`` takes weights, not logits)."""


@dataclass(frozen=True)
class TrainConfig:
    """One run: ``len(seeds)`` models of one shape, trained side by side.

    ``residual`` and ``lr`` default by depth: one layer has no residual and lr 1e-3; stacks have a
    residual and lr 1e-4; stacks without residual need 1e-3 to train at all.  With residual the
    target is x_i (plus the mean at the trigger).  ``bos=False`` is the task without an anchor: the
    same sequences with BOS dropped.  ``bos_penalty`` λ adds λ · (mean BOS weight over non-trigger
    rows i ≥ 2, layers and heads) to the loss.  Raises ``UserError`` on anything out of range.
    """

    attention: str = "softmax"
    layers: int = 1
    heads: int = 1
    residual: bool | None = None
    length: int = 16
    content_dim: int = 13
    batch: int = 128
    lr: float | None = None
    betas: tuple[float, float] = (0.9, 0.95)
    max_steps: int = 50_000
    tolerance: float = 5e-3
    init_std: float = 0.02
    seeds: tuple[int, ...] = (0,)
    threads: int = 1
    bos: bool = True
    bos_penalty: float = 0.0

    def __post_init__(self) -> None:
        if self.residual is None:
            object.__setattr__(self, "residual", self.layers > 1)
        if self.lr is None:
            object.__setattr__(self, "lr", 1e-4 if self.layers > 1 and self.residual else 1e-3)
        object.__setattr__(self, "seeds", tuple(self.seeds))
        object.__setattr__(self, "betas", tuple(self.betas))
        for problem in self._problems():
            raise UserError(problem)

    def _problems(self) -> list[str]:
        names = ", ".join(TRAINABLE)
        known = self.attention in TRAINABLE
        found = [] if known else [f"unknown attention {self.attention!r}: choose one of {names}"]
        for name, low in (
            ("layers", 1),
            ("heads", 1),
            ("length", 4),
            ("content_dim", 0),
            ("batch", 1),
            ("max_steps", 0),
            ("threads", 1),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or value < low:
                found.append(f"{name} = {value} is too small: it must be an integer >= {low}")
        if not self.seeds:
            found.append("no seeds given: a run needs at least one")
        if len(set(self.seeds)) != len(self.seeds) or any(s < 0 for s in self.seeds):
            found.append(f"seeds {self.seeds} must be distinct and non-negative")
        for name in ("lr", "tolerance", "init_std"):
            if not getattr(self, name) > 0 or getattr(self, name) == float("inf"):
                found.append(f"{name} = {getattr(self, name)} must be a positive number")
        if not all(0 <= b < 1 for b in self.betas) or len(self.betas) != 2:
            found.append(f"betas = {self.betas} must be two numbers in [0, 1)")
        if not math.isfinite(self.bos_penalty):
            found.append(f"bos_penalty = {self.bos_penalty} must be a finite number")
        if self.bos_penalty and not self.bos:
            found.append("bos_penalty needs a BOS token: use bos=True or bos_penalty=0")
        return found

    @property
    def task(self) -> TriggerTask:
        return TriggerTask(self.length, self.content_dim)

    @property
    def width(self) -> int:
        """d, the number of coordinates of a token and the width of every head."""
        return self.task.width

    @property
    def tokens(self) -> int:
        """Tokens a model sees: L, or L − 1 when BOS is dropped."""
        return self.length - (not self.bos)

    @property
    def simplex(self) -> bool:
        """Whether attention rows sum to one, so that T1 speaks about this model."""
        return MECHANISMS[self.attention].simplex

    @property
    def kappa(self) -> float:
        """κ_L = (L−3)/(4(L−1)), the threshold of Theorem 1."""
        return (self.length - 3) / (4 * (self.length - 1))

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; ``from_dict`` reads them back."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainConfig:
        """The configuration that ``as_dict`` wrote.  Raises ``UserError`` on unknown fields."""
        known = {f.name for f in fields(cls)}
        if not isinstance(values, Mapping) or not set(values) <= known:
            raise UserError("the stored configuration has fields unknown to this version")
        plain: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in values.items()
        }
        try:
            return cls(**plain)
        except TypeError as error:
            raise UserError(f"the stored configuration is damaged: {error}") from error

    def same_run(self, other: TrainConfig) -> bool:
        """Whether a run of ``other`` may be resumed as this: all but steps and threads agree."""
        return replace(self, max_steps=0, threads=1) == replace(other, max_steps=0, threads=1)
