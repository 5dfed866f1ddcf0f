"""``falsify``: every engine that fits a claim, in turns, until a counterexample or the budget.

>>> report = falsify(named("one_layer_sink.softmax_before").changed(bound="1.9*eta"), seed=1)
>>> report.refuted, report.judged.m > Fraction(19, 10) * report.judged.eta
(True, True)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from empirics.falsifier import planar, structure
from empirics.falsifier.candidate import Candidate
from empirics.falsifier.claim import SIMPLEX, SOFTMAX, FalsifiableClaim, named
from empirics.falsifier.closed_form import PairModels
from empirics.falsifier.gradient import Family, rounds
from empirics.falsifier.judge import Judged, Verdict, judge
from empirics.falsifier.shrink import shrink
from empirics.falsifier.tree import TreeModels
from empirics.falsifier.witness import as_json, claim_json
from theorems.errors import UserError
from theorems.files import versions

BUDGET = 2_000_000
"""Models tried before a search gives up: evaluations, those of gradient steps included."""
DRAWS = 60
"""Models that Hypothesis draws in a turn."""
SIZE = 768 * 27 * 4
"""Batch × prefixes × length × layers × heads of the general family."""

__all__ = ["Fraction", "Report", "falsify", "named"]


@dataclass
class Report:
    """What a search found: the witness if the claim is refuted, and what was tried."""

    claim: FalsifiableClaim
    seed: int
    budget: int
    models: int = 0
    judgements: int = 0
    undecided: int = 0
    best: float = 0.0
    best_at: Judged | None = None
    best_model: Candidate | None = None
    witness: Candidate | None = None
    judged: Judged | None = None
    seconds: float = 0.0
    engines: dict[str, int] = field(default_factory=dict)

    @property
    def refuted(self) -> bool:
        return self.witness is not None

    def see(self, candidate: Candidate, judged: Judged) -> None:
        """Keep the best, and the first counterexample."""
        self.judgements += 1
        self.undecided += judged.verdict is Verdict.UNDECIDED
        if judged.verdict is Verdict.REFUTES and self.witness is None:
            self.witness, self.judged = candidate, judged
        if judged.ratio is not None and judged.ratio > self.best:
            self.best, self.best_at, self.best_model = judged.ratio, judged, candidate

    def as_json(self) -> dict[str, Any]:
        """One object: the witness file if refuted, with what was tried."""
        found: dict[str, Any] = {
            "subject": self.claim.name,
            "status": "not refuted",
            "claim": claim_json(self.claim),
            "figures": {},
            "versions": versions(),
        }
        if self.witness is not None and self.judged is not None:
            found = as_json(self.claim, self.witness, self.judged)
        found["figures"] |= {
            "models": self.models,
            "judgements": self.judgements,
            "undecided": self.undecided,
            "best_ratio": self.best,
            "engines": self.engines,
            "seconds": round(self.seconds, 2),
        }
        if self.best_at is not None and not self.refuted:
            found["figures"] |= {"best_eta": str(self.best_at.eta), "best_m": str(self.best_at.m)}
        found["settings"] = {"seed": self.seed, "budget": self.budget}
        return found


def falsify(
    claim: FalsifiableClaim,
    *,
    seed: int = 0,
    budget: int = BUDGET,
    progress: Callable[[float, str], None] = lambda share, note: None,
    threads: int = 1,
    small: bool = True,
) -> Report:
    """Search for a counterexample to ``claim``, and shrink it if it is to be ``small``."""
    if claim.mechanism == "undivided" and not _by_pairs(claim):
        raise UserError("undivided scores are searched in one layer, with every hypothesis kept")
    torch.set_num_threads(threads)
    report, start = Report(claim, seed, budget), time.perf_counter()
    turns = [engine for L in sorted(claim.lengths) for engine in engines(claim, L, seed, report)]
    while not report.refuted and report.models < budget:
        for name, turn in turns:
            progress(min(1.0, report.models / budget), f"{name}, best {report.best:.4f}")
            models = next(turn)
            report.models += models
            report.engines[name] = report.engines.get(name, 0) + models
            if report.refuted or report.models >= budget:
                break
    if report.witness is not None and small:
        progress(1.0, "shrinking")
        report.witness = shrink(report.witness, claim)
        report.judged = judge(report.witness, claim)
    report.seconds = time.perf_counter() - start
    return report


def engines(
    claim: FalsifiableClaim, L: int, seed: int, report: Report
) -> list[tuple[str, Iterator[int]]]:
    """The engines that fit the claim at length L; each turn of one gives the models it tried."""
    found = []
    rng = np.random.default_rng([seed, L])
    if claim.anchor:
        found.append((f"structure, L = {L}", _structure(claim, L, seed, report)))
    if planar.applies(claim):
        found.append((f"linear programs, L = {L}", _planar(claim, L, seed, report)))
        return found
    if not claim.anchor:
        return found
    if _by_pairs(claim):
        pairs = PairModels(claim, L)
        batch = max(96, min(768, 768 * 25 // sum(len(r.counts) for r in pairs.rows)))
        found.append((f"gradient, L = {L}", _gradient(pairs, rng, batch, report)))
    else:
        tree = TreeModels(claim, L)
        size = len(tree.prefixes) * L * claim.layers * claim.heads
        batch = max(48, min(768, SIZE // size))
        found.append((f"gradient over prefixes, L = {L}", _gradient(tree, rng, batch, report)))
    return found


def _by_pairs(claim: FalsifiableClaim) -> bool:
    general = claim.dropped & {"position_free", "no_mlp", "rows_sum_to_one"}
    return (
        claim.layers == 1
        and claim.own is None
        and not general
        and claim.mechanism not in (SIMPLEX, SOFTMAX)
    )


def _structure(claim: FalsifiableClaim, L: int, seed: int, report: Report) -> Iterator[int]:
    turn = 0
    while True:
        yield structure.search(claim, L, 1000 * seed + turn, DRAWS, report.see)
        turn += 1


def _planar(claim: FalsifiableClaim, L: int, seed: int, report: Report) -> Iterator[int]:
    turn = 0
    while True:
        one, models = planar.solve(planar.Plane(claim, L), 1000 * seed + turn)
        if one is not None:
            report.see(one, judge(one, claim))
        yield models
        turn += 1


def _gradient(
    family: Family, rng: np.random.Generator, batch: int, report: Report
) -> Iterator[int]:
    for done in rounds(family, rng, batch=batch):
        for one in done.candidates:
            report.see(one, judge(one, family.claim))
        yield done.models
