"""The command ``sinkproof falsify``: from options to a claim, a search or a replay."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from empirics.falsifier.claim import CLAIMS, FalsifiableClaim, named
from empirics.falsifier.judge import Judged, Verdict
from empirics.falsifier.search import Report, falsify
from empirics.falsifier.witness import as_json, replay
from theorems.errors import UserError


def changed_claim(
    name: str,
    *,
    bound: str | None,
    heads: int | None,
    layers: int | None,
    residual: bool | None,
    mechanism: str | None,
    rows: str | None,
    lengths: Sequence[int],
    contents: str | None,
    eta_max: str | None,
    drop: Sequence[str],
) -> FalsifiableClaim:
    """The claim ``name`` with what the options change.  Raises ``UserError``."""
    from empirics.falsifier.bound import parse

    claim = named(name)
    # The bound first: the default one may have no value where the changes lead.
    changes: dict[str, Any] = {}
    if eta_max is not None:
        limit = () if eta_max == "none" else (parse(eta_max, ("kappa", "L", "D")),)
        changes["eta_max"] = limit
    if mechanism is not None:
        changes["mechanism"] = mechanism
    if rows is not None:
        changes["rows"] = rows
    if contents is not None:
        changes["contents"] = parse_contents(contents)
    claim = claim.changed(bound, **changes)
    for hypothesis in drop:
        claim = claim.drop(hypothesis)
    sizes: dict[str, Any] = {}
    if layers is not None:
        sizes["layers"] = layers
    if heads is not None:
        sizes["heads"] = heads
    if residual is not None:
        sizes["residual"] = residual
    if lengths:
        sizes["lengths"] = tuple(sorted(set(lengths)))
    return replace(claim, **sizes)


def parse_contents(text: str) -> tuple[tuple[Fraction, ...], ...]:
    """``"-1 1"`` as two contents of one coordinate, ``"0,1 1,0"`` as two of two."""
    try:
        found = tuple(tuple(Fraction(x) for x in one.split(",")) for one in text.split())
    except (ValueError, ZeroDivisionError):
        found = ()
    if not found:
        raise UserError(f"contents {text!r}: write fractions, such as '-1 1' or '0,1 1,0'")
    return found


def falsify_command(
    name: str, *, seed: int, budget: int, threads: int, quiet: bool, **options: Any
) -> Report:
    """Search, with a progress bar on standard error."""
    claim = changed_claim(name, **options)
    with bar(quiet) as progress:
        return falsify(claim, seed=seed, budget=budget, progress=progress, threads=threads)


@contextmanager
def bar(quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on standard error: a share of the whole, and a note."""
    columns = (BarColumn(), TextColumn("{task.percentage:3.0f}%"), TimeElapsedColumn())
    shown = Progress(
        *columns,
        TextColumn("{task.description}"),
        console=Console(file=sys.stderr),
        transient=True,
        disable=quiet,
    )
    with shown:
        task = shown.add_task("starting", total=1.0)
        yield lambda share, note: shown.update(task, completed=share, description=note)


def lines_of(report: Report) -> Iterator[str]:
    """The report for people."""
    yield report.claim.text()
    if report.judged is not None and report.witness is not None:
        yield f"refuted: {sentence(report.judged)}"
        yield from model_lines(report)
    else:
        yield "not refuted"
        if report.best_at is not None:
            yield f"nearest: {sentence(report.best_at)}"
    engines = ", ".join(f"{n} {k}" for n, k in report.engines.items())
    yield (
        f"{report.models} models tried, {report.judgements} judged exactly"
        + (f", {report.undecided} undecided" if report.undecided else "")
        + f", best ratio {report.best:.6g} of the bound, {report.seconds:.1f} s ({engines})"
    )


def sentence(judged: Judged) -> str:
    """Exact figures of one model."""
    ratio = "" if judged.ratio is None else f", {judged.ratio:.6g} of the bound"
    bound = float(judged.bound or 0)
    return f"η = {short(judged.eta)}, m = {short(judged.m)}, bound {bound:.6g}{ratio}"


def short(x: Fraction) -> str:
    """An exact fraction if it is short, with its decimal value."""
    text = str(x)
    return (
        f"{text} ≈ {float(x):.6g}"
        if 3 < len(text) <= 30
        else text
        if len(text) <= 3
        else f"{float(x):.8g}"
    )


def model_lines(report: Report) -> Iterator[str]:
    """The witness, number by number, as far as a screen goes."""
    assert report.witness is not None
    yield f"the model, L = {report.witness.length}, in exact numbers:"
    for depth, layer in enumerate(report.witness.layers, start=1):
        for h, head in enumerate(layer, start=1):
            yield f"  layer {depth}, head {h}"
            for what, part in vars(head).items():
                rows = part.items() if isinstance(part, dict) else enumerate(part)
                for key, row in list(rows)[:24]:
                    yield f"    {what} {key}: {' '.join(map(str, row))}"


def replay_command(path: Path) -> tuple[dict[str, Any], str, bool]:
    """The object, a sentence, and whether the file refutes its claim."""
    claim, candidate, judged = replay(path)
    refuted = judged.verdict is Verdict.REFUTES
    says = "refutes" if refuted else f"is no counterexample ({judged.verdict}) to"
    text = f"{path} {says} {claim.text()}: {sentence(judged)}"
    return as_json(claim, candidate, judged), text, refuted


def names() -> str:
    return ", ".join(CLAIMS)
