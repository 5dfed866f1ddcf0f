"""How near the best models known come to each bound: depth, and floors under the error.

Everything is measured over all inputs of the model, in rational arithmetic.  A share of 1 is a
bound that is attained.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from constructions.composition import sunk
from constructions.layer_stack import sharp_stack
from constructions.networks import inspect
from constructions.sharp_witness import EPSILON_SMALL, kappa, measured, sharp_witness
from constructions.undivided_scores import floor, undivided_scores
from constructions.without_anchor import best_without_anchor, error_without_bos
from theorems.anchor_needed import STATEMENT as ANCHOR
from theorems.arrays import exact
from theorems.deep_sink import POSITION_TWO
from theorems.mechanisms import UNDIVIDED
from theorems.sink_price import STATEMENT as PRICE
from theorems.sources import ROOT
from theorems.trigger_task import TriggerTask

NO_CONTENTS = exact([[]])
MASSES = (Fraction(1, 20), Fraction(1, 3), Fraction(1))
SEARCHED = ROOT / "results" / "falsifier"
LARGEST_STACK = 8
"""Lengths up to which stacks are measured here."""


def deep(layers: int) -> Callable[[int], Iterable[float]]:
    """Shares of the bound on the smallest mass off BOS at position 2 of a stack of D layers."""

    def shares(length: int) -> Iterable[float]:
        for mass in MASSES if length <= LARGEST_STACK else ():
            stack, _ = sharp_stack(length, layers, mass, EPSILON_SMALL)
            found = sunk(TriggerTask(length, 0), stack, NO_CONTENTS)
            allowed = float(found.error / (kappa(length) - found.error)) ** (1 / layers)
            yield float(found.at_two) / allowed

    return shares


def price(length: int) -> Iterable[float]:
    """Shares of the error that a mass kept off BOS costs: the floor over the error."""
    for share in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)):
        error = share * kappa(length)
        found = measured(length, sharp_witness(length, error, EPSILON_SMALL), ())
        at = {"alpha": found.bos, "eta": found.error, "epsilon": 1 - found.bos}
        yield float((found.error + PRICE.excess(L=length, **at)) / found.error)


def anchor(length: int) -> Iterable[float]:
    """κ_L over the error of the best layer without BOS."""
    task = TriggerTask(length, 0)
    yield float(kappa(length) / error_without_bos(task, best_without_anchor(length), NO_CONTENTS))


def undivided(length: int) -> Iterable[float]:
    """The floor of undivided scores over the error of the best layer."""
    if length >= 5:
        task = TriggerTask(length, 0)
        yield float(floor(length) / inspect(task, undivided_scores(length), NO_CONTENTS).error)


OTHERS: tuple[tuple[str, str, Callable[[int], Iterable[float]]], ...] = (
    (POSITION_TWO.name, "D = 2", deep(2)),
    (POSITION_TWO.name, "D = 4", deep(4)),
    (PRICE.name, "", price),
    (ANCHOR.name, "", anchor),
    (UNDIVIDED.name, "", undivided),
)
"""Statement, case, and the shares that its best models reach at one length."""


def searched(folder: Path = SEARCHED) -> list[dict[str, Any]]:
    """What the falsifier found on its own, if its table is there: by statement, case and length."""
    file = folder / "tightness.json"
    if not file.is_file():
        return []
    by_case: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in json.loads(file.read_text("utf-8"))["figures"]["rows"]:
        name, _, case = row["statement"].partition(", ")
        if row["ratio"] is not None:
            by_length = by_case.setdefault((name, case), {})
            by_length.setdefault(str(row["L"]), []).append(row["ratio"])
    return [
        {"name": name, "case": case, "by_length": {L: span(shares) for L, shares in found.items()}}
        for (name, case), found in by_case.items()
    ]


def span(shares: Iterable[float]) -> dict[str, float] | None:
    """The least and the largest, cut off after six digits; ``None`` of nothing."""
    known = [math.floor(share * 10**6) / 10**6 for share in shares]
    return {"least": min(known), "most": max(known)} if known else None
