"""How tight the bounds are: proven, best found at fixed η, and the gap between them.

For each bound, length and error (a share of the largest of which the bound speaks) the searches
look for the largest m; a stopped study goes on where it was.  Every best model is kept as a witness
file with exact figures.  ``results/falsifier/tightness.json`` holds the table that paper_map.md
prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from empirics.falsifier.claim import BILINEAR, FLOOR, FalsifiableClaim, named
from empirics.falsifier.corpus import TWO
from empirics.falsifier.judge import Judged
from empirics.falsifier.judge import judge as judge_exactly
from empirics.falsifier.planar import Plane, applies, solve
from empirics.falsifier.search import falsify
from empirics.falsifier.witness import as_json, read
from theorems.errors import UserError
from theorems.files import versions, write_json
from theorems.sources import ROOT

FOLDER = ROOT / "results" / "falsifier"
SHARES = ("1/50", "1/10", "1/4", "49/100", "3/4", "19/20")
LENGTHS = (4, 5, 6, 8, 16)
BUDGET = 200_000
ROUNDS, NEAR = 3, 0.999
"""Global searches at a fixed error, and the ratio at which one is enough."""


@dataclass(frozen=True)
class Place:
    """One bound at one length; ``eta`` fixed, or ``None`` where every error is searched."""

    claim: FalsifiableClaim
    L: int
    eta: Fraction | None
    share: str = ""

    @property
    def key(self) -> str:
        return f"{self.claim.name}, L = {self.L}" + (f", η = {self.share} κ" if self.share else "")


def places() -> Iterator[Place]:
    """Everything that is studied."""
    for end in ("", ".softmax_before", ".softmax_after"):
        claim = named("one_layer_sink" + end)
        for L in LENGTHS:
            at = replace(claim, lengths=(L,))
            for share in SHARES:
                eta = Fraction(share) * claim.constants(L)["kappa"]
                if end or Fraction(share) <= Fraction(1, 2):  # T1 says m ≤ 1 beyond κ/2
                    yield Place(at, L, eta, share)
    for name in ("one_layer_sink.linear", "one_layer_sink.softmax_slope", "sink_price"):
        for L in (5, 8, 16):
            yield Place(replace(named(name), lengths=(L,)), L, None)
    for L in (4, 8, 16):
        yield Place(replace(named("anchor_needed"), lengths=(L,)), L, None)
    for L in (5, 6):
        yield Place(replace(named("mechanisms.undivided"), lengths=(L,)), L, None)
    for layers in (1, 2, 3):
        deep = named("deep_sink").changed(layers=layers, lengths=(4,))
        yield Place(replace(deep, name=f"deep_sink, D = {layers}"), 4, None)
    after = named("one_layer_sink.softmax_after").changed(mechanism=BILINEAR)
    for L in (4, 5):
        for contents, what in ((((),), "one content"), (TWO, "contents ±1")):
            one = after.changed(contents=contents, lengths=(L,))
            yield Place(replace(one, name=f"{after.name}, bilinear, {what}"), L, None)


def look(place: Place, seed: int = 0) -> tuple[Any, Judged | None, int]:
    """The best model of a place, its exact figures, and the models tried."""
    if place.eta is None or not applies(place.claim):
        report = falsify(place.claim, seed=seed, budget=BUDGET)
        if report.refuted:
            raise UserError(f"{place.key} is REFUTED: {report.as_json()['figures']}")
        return report.best_model, report.best_at, report.models
    best: tuple[Any, Judged | None] = (None, None)
    models = 0
    for turn in range(ROUNDS):
        plane = Plane(place.claim, place.L, float(place.eta))
        one, tried = solve(plane, 1000 * seed + turn)
        models += tried
        if one is not None:
            found = judge_exactly(one, place.claim)
            if found.ratio is not None and (best[1] is None or found.ratio > (best[1].ratio or 0)):
                best = (one, found)
        if best[1] is not None and (best[1].ratio or 0) > NEAR:
            break
    return *best, models


def row(place: Place, model: Any, judged: Judged | None, models: int, file: str) -> dict[str, Any]:
    """One line of the table."""
    bound = None if judged is None else judged.bound
    ratio = None if judged is None else judged.ratio
    return {
        "key": place.key,
        "statement": place.claim.name,
        "L": place.L,
        "eta_share": place.share or None,
        "eta": None if judged is None else float(judged.eta),
        "m": None if judged is None else float(judged.m),
        "kind": place.claim.kind,
        "proven": None if bound is None else float(bound),
        "says": place.claim.bound.text,
        "ratio": ratio,
        "gap": None if ratio is None else max(0.0, 1 - ratio),
        "models": models,
        "witness": file if model is not None else None,
    }


def study(
    folder: Path = FOLDER, progress: Callable[[float, str], None] = lambda share, note: None
) -> dict[str, Any]:
    """The whole table, place by place; what stands in ``folder`` is not searched again."""
    path = folder / "tightness.json"
    known = {r["key"]: r for r in read(path)["figures"]["rows"]} if path.is_file() else {}
    rows, wanted = [], list(places())
    for count, place in enumerate(wanted):
        progress(count / len(wanted), place.key)
        if place.key not in known:
            model, judged, models = look(place)
            file = f"tight_{count:03d}.json"
            if model is not None and judged is not None:
                write_json(folder / "witnesses" / file, as_json(place.claim, model, judged))
            known[place.key] = row(place, model, judged, models, file)
        rows.append(known[place.key])
        write_json(path, table(rows))
    return table(rows)


def table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The object that is written."""
    return {
        "subject": "tightness",
        "status": "done",
        "figures": {"rows": rows},
        "settings": {"seed": 0, "budget": BUDGET, "rounds": ROUNDS},
        "versions": versions(),
    }


def lines(content: dict[str, Any]) -> list[str]:
    """The table for people."""
    found = []
    for r in content["figures"]["rows"]:
        ratio = "nothing found" if r["ratio"] is None else f"{r['ratio']:.5f} of the bound"
        sign = "η ≥" if r["kind"] == FLOOR else "m ≤"
        found.append(f"{r['key']:55} {sign} {r['says']:42} {ratio}, {r['models']} models")
    return found


def draw(path: Path, content: dict[str, Any]) -> None:
    """Proven and found m/η over η/κ, a curve for each L, one panel for each bound."""
    try:
        import matplotlib
    except ImportError:
        raise UserError("figures need matplotlib: pip install 'sinkproof[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    rows = [r for r in content["figures"]["rows"] if r["eta_share"] and r["ratio"] is not None]
    statements = list(dict.fromkeys(r["statement"] for r in rows))
    if not rows:
        raise UserError("there is nothing to draw: run `sinkproof falsify --tightness` first")
    figure = Figure(figsize=(4 * len(statements), 3.6), layout="constrained")
    panels = figure.subplots(1, len(statements), squeeze=False)[0]
    for axes, statement in zip(panels, statements, strict=True):
        for colour, L in enumerate(sorted({r["L"] for r in rows})):
            mine = [r for r in rows if (r["statement"], r["L"]) == (statement, L)]
            x = [float(Fraction(r["eta_share"])) for r in mine]
            axes.plot(
                x, [r["proven"] / r["eta"] for r in mine], color=f"C{colour}", label=f"L = {L}"
            )
            axes.plot(
                x, [r["m"] / r["eta"] for r in mine], "o", color=f"C{colour}", fillstyle="none"
            )
        axes.set(title=statement, xlabel="η / κ", ylabel="m / η")
        axes.legend(fontsize="small")
    figure.suptitle("lines: proven bound, circles: largest mass found")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot draw to {path}: {error}") from None
