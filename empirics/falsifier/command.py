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

from empirics.falsifier import corpus_run, open_questions, tightness
from empirics.falsifier.bound import parse
from empirics.falsifier.claim import CLAIMS, FalsifiableClaim, named
from empirics.falsifier.fixed import FIXED, FixedClaim, FixedReport, falsify_fixed, replay_fixed
from empirics.falsifier.judge import Judged, Verdict
from empirics.falsifier.search import Report, falsify
from empirics.falsifier.witness import as_json, read, replay
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


def fixed_claim(name: str, *, bound: str | None, **options: Any) -> FixedClaim:
    """A claim about one network, with another bound on its error.  Raises ``UserError``."""
    given = [key for key, value in options.items() if value not in (None, (), [])]
    if given:
        raise UserError(
            f"{name} is about one network, so --{given[0].replace('_', '-')} has no meaning: only "
            "--bound can be changed (an upper bound on η, in L)"
        )
    claim = FIXED[name]
    return claim if bound is None else replace(claim, bound=parse(bound, ("L",)))


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
) -> Report | FixedReport:
    """Search, with a progress bar on standard error."""
    if name in FIXED:
        return falsify_fixed(fixed_claim(name, **options), seed_=seed, budget=budget)
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


def lines_of(report: Report | FixedReport) -> Iterator[str]:
    """The report for people."""
    yield report.claim.text()
    if isinstance(report, FixedReport):
        if report.witness is not None:
            rows = "; ".join(" ".join(map(str, row)) for row in report.witness)
            yield f"refuted: η = {report.error} on the input (tokens) {rows}"
        yield f"{report.models} inputs tried, largest error {report.best:.6g}"
        return
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
    data = read(path)
    if "fixed" in data:
        text, refuted = replay_fixed(data, path)
        return data, text, refuted
    claim, candidate, judged = replay(path, data)
    refuted = judged.verdict is Verdict.REFUTES
    says = "refutes" if refuted else f"is no counterexample ({judged.verdict}) to"
    text = f"{path} {says} {claim.text()}: {sentence(judged)}"
    return as_json(claim, candidate, judged), text, refuted


def corpus_command(seeds: int, workers: int, resume: Path | None, *, quiet: bool) -> dict[str, Any]:
    """The whole corpus, as one object."""
    wanted = corpus_run.everything()
    with bar(quiet) as progress:
        lines = corpus_run.run(
            wanted,
            seeds=seeds,
            true_seeds=min(seeds, corpus_run.TRUE_SEEDS),
            workers=workers,
            resume=resume,
            progress=progress,
        )
    return corpus_run.table(lines, wanted)


def study_command(
    questions: bool, plot: Path | None, *, quiet: bool
) -> tuple[dict[str, Any], list[str]]:
    """The tightness table or the open questions; what results already hold is not searched."""
    study: Any = open_questions if questions else tightness
    if plot is not None and questions:
        raise UserError("--plot draws the tightness table: use it with --tightness")
    with bar(quiet) as progress:
        content = study.study(progress=progress)
    if plot is not None:
        tightness.draw(plot, content)
    return content, study.lines(content)


def corpus_lines(content: dict[str, Any]) -> list[str]:
    """The table for people."""
    found = content["figures"]
    lines = [
        f"{'true ' if row['true'] else 'false'} {row['refuted']:>3} of {row['seeds']:>2} refuted  "
        f"{'best ' + format(row['best_ratio'], '.5g') if row['best_ratio'] else '':18}"
        f"{row['cpu_seconds']:>7} s  {row['kind']}: {row['name']}"
        for row in found["rows"]
    ]
    wrong = f": {'; '.join(found['wrong'])}" if found["wrong"] else ""
    lines.append(
        f"{found['false']} false and {found['true']} true variants, {found['cpu_seconds']} s of "
        f"CPU; {content['status']}{wrong}"
    )
    return lines


def names() -> str:
    """The claims that can be named."""
    return ", ".join([*CLAIMS, *FIXED])
