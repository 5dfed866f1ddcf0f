"""Claims about one network: "this layer has error at most so much on every input".

Here the model is given and the search is for an input, by Hypothesis, which also makes it small.
The targets may be wrong on purpose, and so may the layer: the false neighbours of Theorem 3
(Ran-Milo 2026, arXiv 2603.11487) are no division by i − 1, and a mean of other tokens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, target

from constructions.relu_zero_error import relu_zero_error
from empirics.falsifier.bound import Bound, parse
from empirics.search.task_properties import (
    Input,
    divided_by_position,
    excluding_trigger,
    including_bos,
    task_inputs,
)
from theorems.arrays import Array, exact
from theorems.attention import MECHANISMS, AttentionLayer, Mechanism, causal_mask
from theorems.errors import UserError
from theorems.files import versions
from theorems.trigger_task import TRIGGER, TriggerTask

UNDIVIDED = Mechanism("ReLU", lambda z: z * (z > 0) * causal_mask(z), simplex=False)
DRAWS = 400


def _with_rows(mechanism: Mechanism) -> Callable[[int], AttentionLayer]:
    def build(width: int) -> AttentionLayer:
        layer = relu_zero_error(width)
        return AttentionLayer(layer.A, layer.M, mechanism)

    return build


LAYERS: dict[str, Callable[[int], AttentionLayer]] = {
    "ReLU divided by max(1, i−1)": relu_zero_error,
    "ReLU, never divided": _with_rows(UNDIVIDED),
    "linear, divided": _with_rows(MECHANISMS["linear"]),
}
TARGETS: dict[str, Callable[[TriggerTask, Array], Array]] = {
    "mean": lambda task, tokens: task.targets(tokens),
    "mean without the trigger": excluding_trigger,
    "mean with BOS": including_bos,
    "sum divided by i": divided_by_position,
}


@dataclass(frozen=True)
class FixedClaim:
    """The layer called ``layer`` has error at most ``bound`` (in L) against ``target``."""

    name: str
    layer: str = "ReLU divided by max(1, i−1)"
    target: str = "mean"
    bound: Bound = field(default_factory=lambda: parse("0", ("L",)))

    def __post_init__(self) -> None:
        if self.layer not in LAYERS or self.target not in TARGETS:
            raise UserError(f"unknown layer or target in {self.name}")

    def text(self) -> str:
        return f"η ≤ {self.bound} on every input: {self.layer}; target: {self.target}"


def error_of(claim: FixedClaim, tokens: Array) -> Fraction:
    """The exact error of the layer on tokens (L, d)."""
    length, width = tokens.shape
    layer, task = LAYERS[claim.layer](width), TriggerTask(length, width - 3)
    off = abs(layer(tokens) - TARGETS[claim.target](task, tokens))
    return Fraction(off.max())


def violates(claim: FixedClaim, length: int, error: Fraction) -> bool:
    """Whether the error is above the bound there."""
    bound = claim.bound.exact({"L": Fraction(length)})
    return bound is not None and bool(error > bound)


@dataclass
class FixedReport:
    """Inputs tried, the largest error, and the input that refutes the claim, if any."""

    claim: FixedClaim
    seed: int
    budget: int
    models: int = 0
    best: float = 0.0
    witness: Array | None = None
    error: Fraction | None = None
    seconds: float = 0.0

    @property
    def refuted(self) -> bool:
        return self.witness is not None

    def as_json(self) -> dict[str, Any]:
        """One object, which ``replay`` reads."""
        found: dict[str, Any] = {
            "subject": self.claim.name,
            "status": "refuted" if self.refuted else "not refuted",
            "fixed": {
                "name": self.claim.name,
                "layer": self.claim.layer,
                "target": self.claim.target,
                "bound": self.claim.bound.text,
                "says": self.claim.text(),
            },
            "figures": {"inputs": self.models, "largest_error": self.best},
            "settings": {"seed": self.seed, "budget": self.budget},
            "versions": versions(),
        }
        if self.witness is not None:
            found["tokens"] = [[str(x) for x in row] for row in self.witness]
            found["figures"]["eta"] = str(self.error)
        return found


def falsify_fixed(claim: FixedClaim, *, seed_: int = 0, budget: int = DRAWS) -> FixedReport:
    """Search for an input on which the layer is worse than claimed."""
    report, start = FixedReport(claim, seed_, budget), time.perf_counter()

    def one(x: Input) -> None:
        error = error_of(claim, x.tokens)
        report.models += 1
        report.best = max(report.best, float(error))
        target(min(float(error), 1e6), label="error")
        if violates(claim, x.task.length, error):
            report.witness, report.error = x.tokens, error
            raise AssertionError

    configured = settings(
        max_examples=min(budget, DRAWS),
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target, Phase.shrink],
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    with suppress(AssertionError):
        seed(seed_)(configured(given(task_inputs())(one)))()
    report.seconds = time.perf_counter() - start
    return report


def replay_fixed(data: Mapping[str, Any], path: Path) -> tuple[str, bool]:
    """Judge such a file anew: a sentence, and whether it refutes.  Raises ``UserError``."""
    try:
        said = data["fixed"]
        claim = FixedClaim(
            said["name"], said["layer"], said["target"], parse(said["bound"], ("L",))
        )
        tokens = exact(data["tokens"])
        length, width = tokens.shape
        task = TriggerTask(length, width - 3)
        flags = np.nonzero(tokens[:, TRIGGER])[0]
        valid = task.tokens(tokens[1:, 3:], int(flags[0]) + 1)
        if (valid != tokens).any():
            raise ValueError("the tokens are no valid input")
    except UserError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as wrong:
        raise UserError(f"{path}: the claim or its input is malformed ({wrong})") from None
    error = error_of(claim, tokens)
    if data["figures"].get("eta") != str(error):
        raise UserError(f"{path}: the file says another η than {error}: the file was changed")
    refutes = violates(claim, length, error)
    says = "refutes" if refutes else "is no counterexample to"
    return f"{path} {says} {claim.text()}: η = {error} at L = {length}", refutes


FIXED: dict[str, FixedClaim] = {
    claim.name: claim
    for claim in (
        FixedClaim("relu_no_sink"),
        FixedClaim("relu_no_sink.undivided", layer="ReLU, never divided"),
        FixedClaim("relu_no_sink.without_trigger", target="mean without the trigger"),
        FixedClaim("relu_no_sink.with_bos", target="mean with BOS"),
        FixedClaim("relu_no_sink.by_position", target="sum divided by i"),
        FixedClaim("mechanisms.linear", layer="linear, divided"),
    )
}
"""Theorem 3, its false neighbours, and linear scores, by name."""
