"""Bounds over L and η beside the best models known: what is possible, and how near it comes.

The largest mass m off BOS that a statement allows comes from the registry's own inequality, in
rational arithmetic.  The best models are the witnesses of ``constructions``, each measured here
over all of its inputs; the trained ones were measured when they were stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from constructions import sharp_witness, softmax_after_witness, softmax_before_witness
from constructions.sharp_witness import EPSILON_SMALL, kappa
from empirics.report.sections.section import Known, Section
from empirics.report.svg import Axis, Plot
from empirics.report.tightness import OTHERS, searched, span
from theorems.arrays import exact
from theorems.one_layer_sink import AFTER, BEFORE, LINEAR, SHARP, SLOPE
from theorems.sources import ROOT
from theorems.statement import Statement

LENGTHS = (4, 5, 6, 8, 12, 16)
SHARES = tuple(
    Fraction(share) for share in ("1/1000", "1/200", "1/50", "1/20", "1/10", "1/4", "1/2", "1")
)
"""η as shares of κ_L."""
TRAINED = ROOT / "results" / "certificates" / "one_layer_softmax.json"


@dataclass(frozen=True)
class Bounded:
    """A statement that bounds the mass off BOS, and the family that comes nearest to it.

    ``best(L, η)`` is the mass m of a model with error at most η, ``None`` where there is none.
    """

    statement: Statement
    family: str
    best: Callable[[int, Fraction], Fraction | None]


def largest_mass(statement: Statement, length: int, eta: Fraction) -> Fraction | None:
    """The largest m ≤ 1 that ``statement`` allows at L and η; ``None`` where it does not apply.

    The conclusion is an inequality linear in m (or in α = 1 − m), which is checked.
    """

    def excess(m: Fraction) -> Fraction:
        at = {"m": m} if "m" in statement.symbols else {"alpha": 1 - m}
        found: Fraction = statement.excess(L=length, eta=eta, **at)
        return found

    mass = {"m": Fraction(0)} if "m" in statement.symbols else {"alpha": Fraction(1)}
    if not statement.applies(L=length, eta=eta, **mass):
        return None
    zero, one = excess(Fraction(0)), excess(Fraction(1))
    if excess(Fraction(1, 2)) != (zero + one) / 2:
        raise ValueError(f"{statement.name} is not linear in the mass off BOS")
    return min(Fraction(1), -zero / (one - zero))


def sharp(length: int, eta: Fraction) -> Fraction | None:
    """The witness of the sharp form, over every input with no contents."""
    if eta > kappa(length) / (2 - EPSILON_SMALL):
        return None
    witness = sharp_witness.sharp_witness(length, eta, EPSILON_SMALL)
    found = sharp_witness.measured(length, witness, ())
    return 1 - found.bos if found.error <= eta else None


def after(length: int, eta: Fraction) -> Fraction | None:
    """The averaging witness of softmax after the trigger."""
    witness = softmax_after_witness.AveragingWitness(length, 0, eta)
    found = softmax_after_witness.measured(length, witness.rows, witness.M, exact([[]]))
    return 1 - found.bos_after if found.error <= eta and found.bos_after is not None else None


def before(length: int, eta: Fraction) -> Fraction | None:
    """The witness of softmax before the trigger."""
    point = softmax_before_witness.point(length, eta)
    return point.m if point.eta <= eta else None


BOUNDS = (
    Bounded(SHARP, "constructions.sharp_witness", sharp),
    Bounded(LINEAR, "constructions.sharp_witness", sharp),
    Bounded(AFTER, "constructions.softmax_after_witness", after),
    Bounded(BEFORE, "constructions.softmax_before_witness", before),
    Bounded(SLOPE, "constructions.softmax_before_witness", before),
)


def figures(known: Known) -> dict[str, Any]:
    """For each L and η: what every statement allows, and the best model known."""
    best: dict[Any, Fraction | None] = {}
    rows = []
    for length in LENGTHS:
        for share in SHARES:
            eta = share * kappa(length)
            cells = {}
            for one in BOUNDS:
                key = (one.best, length, share)
                if key not in best:
                    best[key] = one.best(length, eta)
                bound = largest_mass(one.statement, length, eta)
                cells[one.statement.name] = _cell(bound, best[key])
            rows.append({"L": length, "share": str(share), "eta": float(eta), "cells": cells})
    return {
        "lengths": list(LENGTHS),
        "shares": [str(share) for share in SHARES],
        "kappa": {str(length): float(kappa(length)) for length in LENGTHS},
        "bounds": [
            {"name": b.statement.name, "title": b.statement.title, "family": b.family}
            for b in BOUNDS
        ],
        "rows": rows,
        "trained": _trained(),
        "tightness": _tightness(rows),
        "searched": searched(),
    }


def _cell(bound: Fraction | None, best: Fraction | None) -> dict[str, float | None]:
    reached = None if bound is None or best is None else float(best / bound)
    return {
        "bound": None if bound is None else float(bound),
        "best": None if best is None else float(best),
        "reached": reached,
    }


def _tightness(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each bound, by length, the least and largest share of it that a model reaches."""
    found = []
    for one in BOUNDS:
        name = one.statement.name
        spans = {}
        for length in LENGTHS:
            cells = [row["cells"][name] for row in rows if row["L"] == length]
            spans[str(length)] = span(c["reached"] for c in cells if c["reached"] is not None)
        found.append({"name": name, "case": "", "by_length": spans})
    for name, case, shares in OTHERS:
        spans = {str(length): span(shares(length)) for length in LENGTHS}
        found.append({"name": name, "case": case, "by_length": spans})
    return found


def _trained() -> list[dict[str, Any]]:
    """The stored one-layer softmax models: L, seed, observed error, largest mass off BOS."""
    if not TRAINED.is_file():
        return []
    stored = json.loads(TRAINED.read_text("utf-8"))
    return [
        {
            "L": stored["config"]["length"],
            "seed": model["seed"],
            "error": model["observed_error"],
            "mass": 1 - model["least_bos"],
        }
        for model in stored["models"]
    ]


def drawings(found: dict[str, Any]) -> dict[str, Markup]:
    """Bounds as lines and the best models as dots, over η as a share of κ_L, at the last length."""
    length = found["lengths"][-1]
    plot = Plot(
        "The largest mass off BOS that each statement allows, and the best models known",
        x=Axis("η as a share of κ", 0.001, 1, log=True),
        y=Axis("mass off BOS, m = 1 − α", 1e-5, 1, log=True),
    )
    rows = [row for row in found["rows"] if row["L"] == length]
    for colour, bounded in enumerate(found["bounds"], start=1):
        cells = [(float(Fraction(row["share"])), row["cells"][bounded["name"]]) for row in rows]
        for name, draw in (("bound", plot.line), ("best", plot.dots)):
            points = [(x, cell[name]) for x, cell in cells if cell[name] is not None]
            draw(points, colour, f"{name}-{colour}")
    models = [model for model in found["trained"] if model["L"] == length]
    plot.dots(
        [(model["error"] / found["kappa"][str(length)], model["mass"]) for model in models],
        2,
        "bound-trained",
        titles=[f"seed {m['seed']}: error {m['error']:.2g}, m = {m['mass']:.2g}" for m in models],
        hollow=True,
    )
    plot.line([(0.05, plot.y.low), (0.05, plot.y.high)], 5, "bound-marker", dashed=True)
    return {"curves": plot.svg()}


SECTION = Section("bound", "How much may stay off BOS", figures, drawings)
