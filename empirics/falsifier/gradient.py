"""Batched gradient search: thousands of models at once climb toward a violation.

Each model has its own error to stay below, drawn log-uniformly from the claim's range, and
maximises log m with an exact penalty, loss = ρ·max(0, log η − log η_fixed) − log m (for a floor
without m: log η).  The supremum in η is a p-norm whose p grows.  The best of each round go to the
judge in rational numbers, with the best values for their rows by linear programming.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from empirics.falsifier.candidate import Candidate
from empirics.falsifier.claim import FLOOR, FalsifiableClaim
from empirics.falsifier.judge import ratio_of

RHO = 4.0
"""Above d log m / d log η on every curve that is known, so that the penalty is exact."""
TINY = 1e-12


class Family(Protocol):
    """A class of models as tensors with the models last."""

    L: int
    claim: FalsifiableClaim

    def start(self, rng: np.random.Generator, batch: int) -> list[Tensor]: ...

    def forward(self, parameters: list[Tensor]) -> tuple[Tensor, Tensor]: ...

    def candidate(self, parameters: list[Tensor], index: int) -> Candidate | None: ...


@dataclass(frozen=True)
class Round:
    """A round's best candidates, the models (with gradient) that it took, its best float ratio."""

    candidates: list[Candidate]
    models: int


def supremum(off: Tensor, p: float) -> Tensor:
    """The p-norm of each column, computed from its largest entry."""
    top = off.amax(dim=0).clamp_min(TINY)
    return top * (off / top).pow(p).sum(dim=0).pow(1 / p)


def loss_of(claim: FalsifiableClaim, off: Tensor, mass: Tensor, fixed: Tensor, p: float) -> Tensor:
    """The loss of every model."""
    error = supremum(off, p).log()
    if claim.kind == FLOOR and "m" not in claim.bound.text:
        return error
    m = mass.amax(dim=0).clamp_min(TINY).log()
    return RHO * (error - fixed.log()).relu() - m


def rounds(
    family: Family,
    rng: np.random.Generator,
    *,
    batch: int = 768,
    steps: int = 300,
    keep: int = 6,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Round]:
    """Rounds of ``batch`` models and ``steps`` steps, without end."""
    claim = family.claim
    limit = claim.limit(family.L)
    top = 0.5 if limit is None else max(float(limit), 1e-3)
    while True:
        parameters = [x.requires_grad_(True) for x in family.start(rng, batch)]
        fixed = torch.tensor(top * 10 ** -rng.uniform(0, 2.5, size=batch))
        optimiser = torch.optim.Adam(parameters, lr=0.1, betas=(0.9, 0.99))
        for step in range(steps):
            done = step / steps
            for group in optimiser.param_groups:
                group["lr"] = 0.1 * (0.01**done)
            off, mass = family.forward(parameters)
            loss = loss_of(claim, off, mass, fixed, 8 * 40**done)
            optimiser.zero_grad()
            loss.nan_to_num(0.0, 0.0, 0.0).sum().backward()
            for x in parameters:
                if x.grad is not None:
                    x.grad.nan_to_num_(0.0, 0.0, 0.0)
            optimiser.step()
            if step % 32 == 0 and stop():
                return
        yield Round(best(family, parameters, keep), batch * steps)


def best(family: Family, parameters: list[Tensor], keep: int) -> list[Candidate]:
    """The models nearest to a violation, in rational numbers."""
    claim, limit = family.claim, family.claim.limit(family.L)
    with torch.no_grad():
        off, mass = family.forward(parameters)
        error = off.amax(dim=0).clamp_min(TINY)
        ratio = torch.as_tensor(ratio_of(claim, family.L, error, mass.amax(dim=0)))
        ratio = ratio.expand_as(error).nan_to_num(-1.0, 1e9, -1.0)
        if limit is not None:
            ratio = torch.where(error <= float(limit) + 1e-9, ratio, ratio - 1e6)
        order = torch.argsort(ratio, descending=True)
    found = []
    detached = [x.detach() for x in parameters]
    for index in order[:keep].tolist():
        one = family.candidate(detached, index)
        if one is not None:
            found.append(one)
    return found
