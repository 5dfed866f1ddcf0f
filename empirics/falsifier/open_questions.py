"""Open questions, searched with a fixed budget: what was found, and what it suggests.

Each question is a list of claims of which nobody has a proof or a counterexample.  ``refuted``
settles one (exactly, with a witness file); "not refuted" and the best ratio are a figure, and a
reading of them is called a conjecture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from empirics.falsifier.bound import parse
from empirics.falsifier.claim import BILINEAR, SIMPLEX, FalsifiableClaim, named
from empirics.falsifier.corpus import TWO
from empirics.falsifier.search import Report, falsify
from empirics.falsifier.tightness import FOLDER
from empirics.falsifier.witness import as_json, read
from theorems.files import versions, write_json

BUDGET = 240_000
SHARP, BEFORE, AFTER = (
    named("one_layer_sink" + e) for e in ("", ".softmax_before", ".softmax_after")
)


@dataclass(frozen=True)
class Question:
    """What is asked, the claims that are searched, and what the answer is read as."""

    text: str
    claims: tuple[FalsifiableClaim, ...]
    reading: Callable[[list[Report]], str]


def below(claim: FalsifiableClaim, share: str) -> FalsifiableClaim:
    """The claim for η ≤ share · κ only."""
    return replace(claim, eta_max=(parse(f"{share}*kappa", ("kappa",)),))


def several_contents() -> Question:
    """T1 with K = {±1} and arbitrary simplex rows, as η → 0."""
    claims = []
    for rows, slope in (("before", "2*(L-1)/(L-2)"), ("after", "4")):
        one = SHARP.changed(bound=f"{slope}*eta", rows=rows, contents=TWO, lengths=(4,))
        claims.append(below(replace(one, name=f"contents ±1, {rows}, slope {slope}"), "0.25"))
    return Question(
        "Theorem 1 with two contents, L = 4, any simplex rows: are 2(L−1)/(L−2) before and 4 after "
        "the trigger the slopes as η → 0?  (Searched at η ≤ κ/4.)",
        tuple(claims),
        slopes,
    )


def slopes(reports: list[Report]) -> str:
    """What a search at finite errors says of slopes at zero: little, and nothing if it found
    nothing."""
    if any(r.best == 0 for r in reports):
        return "some search found no model with so small an error, so it says nothing; open"
    if any(r.refuted for r in reports):
        return "at finite η more than the slope is possible; the limit η → 0 is a conjecture, open"
    return "nothing above the conjectured slopes was found; they stay a conjecture"


def fixed_diameter() -> Question:
    """The curve of bilinear softmax with contents ±1."""
    claims = []
    for base, rows in ((BEFORE, "before"), (AFTER, "after")):
        for share in ("1", "0.1"):
            one = base.changed(mechanism=BILINEAR, rows=rows, contents=TWO, lengths=(4,))
            claims.append(below(replace(one, name=f"bilinear ±1, {rows}, η ≤ {share} κ"), share))
    return Question(
        "Bilinear softmax with contents ±1, L = 4: how near does it come to the proven bounds, "
        "which one content attains?",
        tuple(claims),
        lambda reports: (
            "conjecture: the exact curve at fixed diameter lies below the bounds by about "
            + ", ".join(f"{1 - r.best:.0%} ({r.claim.name.split(', ', 1)[1]})" for r in reports)
        ),
    )


def residual_stacks() -> Question:
    """Residual stacks, bilinear logits on the input tokens, contents ±1."""
    base = SHARP.changed(mechanism=BILINEAR, contents=TWO, residual=True)
    claims = tuple(
        replace(base.changed(layers=D, lengths=(L,)), name=f"residual ±1, L = {L}, D = {D}")
        for L, D in ((4, 2),)
    )
    return Question(
        "Residual stacks with bilinear position-free logits and two contents, L = 4, depth "
        "L − 2 = 2: does some layer obey Theorem 1's bound?",
        claims,
        _each("no", "not refuted within the budget; open"),
    )


def heads_in_depth() -> Question:
    """Several heads without residual at depth 2."""
    claims = []
    for mechanism in (SIMPLEX, BILINEAR):
        for contents, what in ((((),), "one content"), (TWO, "±1")):
            one = named("deep_sink").changed(
                heads=2, mechanism=mechanism, contents=contents, lengths=(4,)
            )
            claims.append(replace(one, name=f"two heads, D = 2, {mechanism}, {what}"))
    return Question(
        "Two heads in each of two layers, no residual: does some head of some layer obey "
        "Theorem 2's bound at position 2?",
        tuple(claims),
        _each("no", "not refuted within the budget; open"),
    )


def bounded_logits() -> Question:
    """One content, bilinear softmax whose weights differ by at most e^R."""
    claims = []
    for L in (4, 5, 8):
        for spread in (10, 100, 1000):
            bound = f"(L-1)/(4*(L-1 + {spread}))"
            one = named("anchor_needed").changed(
                bound=bound,
                anchor=True,
                mechanism=BILINEAR,
                lengths=(L,),
                spread=Fraction(spread),
            )
            claims.append(replace(one, name=f"e^R = {spread}, L = {L}"))
    return Question(
        "Softmax whose logits have range R in every row: how large must η be?  (Position L after "
        "the trigger keeps m ≥ (L−1)/(L−1+e^R), and m ≤ 4η for η ≤ κ, so "
        "η ≥ min(κ, (L−1)/(4(L−1+e^R))); the published solution has (L−1)/(L−1+e^R) at most.)",
        tuple(claims),
        lambda reports: (
            "the floor follows from m ≤ 4η; the least η found is "
            + ", ".join(f"{1 / r.best:.2f} × it ({r.claim.name})" for r in reports if r.best)
        ),
    )


def _each(refuted: str, standing: str) -> Callable[[list[Report]], str]:
    def read_off(reports: list[Report]) -> str:
        fallen = [r.claim.name for r in reports if r.refuted]
        stood = [r.claim.name for r in reports if not r.refuted]
        parts = [f"{refuted}, exactly refuted: {', '.join(fallen)}"] if fallen else []
        return "; ".join(parts + ([f"{standing}: {', '.join(stood)}"] if stood else []))

    return read_off


def questions() -> Iterator[Question]:
    """All of them."""
    yield bounded_logits()
    yield fixed_diameter()
    yield several_contents()
    yield heads_in_depth()
    yield residual_stacks()


def study(
    folder: Path = FOLDER, progress: Callable[[float, str], None] = lambda share, note: None
) -> dict[str, Any]:
    """Every question that ``folder`` has no answer to; written as they are answered."""
    path = folder / "open_questions.json"
    known = {q["question"]: q for q in read(path)["figures"]["questions"]} if path.is_file() else {}
    answers, wanted = [], list(questions())
    for count, question in enumerate(wanted):
        progress(count / len(wanted), question.text[:60])
        if question.text not in known:
            known[question.text] = answer(question, folder)
        answers.append(known[question.text])
        write_json(path, _object(answers))
    return _object(answers)


def answer(question: Question, folder: Path, budget: int = BUDGET) -> dict[str, Any]:
    """Search the claims of one question, keep the best models, and read them off."""
    reports, found = [], []
    for claim in question.claims:
        report = falsify(claim, seed=0, budget=budget)
        reports.append(report)
        model = report.witness if report.refuted else report.best_model
        judged = report.judged if report.refuted else report.best_at
        file = "open_" + "".join(c if c.isalnum() else "_" for c in claim.name) + ".json"
        line = f"{claim.name}: " + (
            "REFUTED"
            if report.refuted
            else f"not refuted, best {report.best:.4f} of the bound"
            if report.best
            else "not refuted, but no model with so small an error was found: it says nothing"
        )
        if model is not None and judged is not None:
            write_json(folder / "witnesses" / file, as_json(claim, model, judged))
            line += f", η = {float(judged.eta):.4g}, m = {float(judged.m):.4g} (`{file}`)"
        found.append(line)
    return {
        "question": question.text,
        "searched": f"{sum(r.models for r in reports)} models, at most {budget} a claim, seed 0",
        "found": found,
        "reading": question.reading(reports),
    }


def _object(answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "subject": "open questions",
        "status": "done",
        "figures": {"questions": answers},
        "settings": {"budget": BUDGET, "seed": 0},
        "versions": versions(),
    }


def lines(content: dict[str, Any]) -> list[str]:
    """The answers for people."""
    out = []
    for q in content["figures"]["questions"]:
        out += [q["question"], *(f"  {line}" for line in q["found"]), f"  {q['reading']}"]
    return out
