"""What removing the sink costs: penalised models against the proven floor εκ_L/(1+ε)."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from constructions.sharp_witness import kappa
from empirics.mechanisms.price import LENGTH, points
from empirics.report.sections.section import Known, Section
from empirics.report.svg import Axis, Plot

GRID = [10 ** (-5 + k / 8) for k in range(41)]
"""ε of the drawn floor, 10⁻⁵ to 1."""


def figures(known: Known) -> dict[str, Any]:
    """Every stored model with a penalty on BOS mass, and the floor."""
    found = points()
    if not found:
        return {"missing": "`sinkproof sweep run price`, then `sinkproof sweep collect`"}
    size = kappa(LENGTH)
    closest = min((one.error / one.floor for one in found if one.floor > 0), default=None)
    return {
        "length": LENGTH,
        "kappa": float(size),
        "floor": [(e, float(Fraction(e) * size / (1 + Fraction(e)))) for e in GRID],
        "models": [asdict(one) for one in found],
        "closest": None if closest is None else float(f"{closest:.3g}"),
    }


def drawings(found: dict[str, Any]) -> dict[str, Markup]:
    """Observed error against the mass off BOS; the floor below all of them."""
    plot = Plot(
        f"Observed error against the largest mass off BOS of {len(found['models'])} models with a "
        f"penalty on BOS mass, and the proven floor; the nearest is {found['closest']} times it",
        x=Axis("ε, the largest mass off BOS", 1e-5, 1, log=True),
        y=Axis("observed error", 1e-6, 1, log=True),
    )
    plot.line(found["floor"], 3)
    for warm, colour in ((False, 1), (True, 2)):
        chosen = [m for m in found["models"] if m["warm"] == warm]
        titles = [
            f"λ = {m['penalty']:g}: ε = {m['epsilon']:.2g}, error {m['error']:.2g}" for m in chosen
        ]
        plot.dots([(m["epsilon"], m["error"]) for m in chosen], colour, titles=titles)
    return {"price": plot.svg()}


SECTION = Section("price", "What removing the sink costs", figures, drawings)
