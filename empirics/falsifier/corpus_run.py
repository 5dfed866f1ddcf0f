"""The corpus, seed by seed, over worker processes; stopped, it goes on where it was.

Every finished search is a line of JSON.  A line is taken up again only if its claim, seed, budget
and the falsifier's own source are those that would be searched now.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import multiprocessing
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from empirics.falsifier.claim import FalsifiableClaim
from empirics.falsifier.corpus import Variant, variants
from empirics.falsifier.fixed import falsify_fixed
from empirics.falsifier.search import falsify
from theorems.errors import UserError
from theorems.files import versions
from theorems.sources import bare, imported

SEEDS = 10
TRUE_SEEDS = 2
FALSE_BUDGET = 3_000_000
TRUE_BUDGET = 300_000
NEEDED = 0.9
"""The share of seeds in which a false variant must be refuted."""

Line = dict[str, Any]


def attempt(variant: Variant, seed: int) -> Line:
    """One search, as a line."""
    start = time.process_time()
    claim = variant.claim
    if isinstance(claim, FalsifiableClaim):
        report: Any = falsify(claim, seed=seed, budget=budget(variant), small=False)
        best = report.best
    else:
        report = falsify_fixed(claim, seed_=seed)
        best = report.best
    return {
        **key(variant, seed),
        "refuted": report.refuted,
        "models": report.models,
        "best": best if best < float("inf") else None,
        "cpu_seconds": round(time.process_time() - start, 2),
    }


def budget(variant: Variant) -> int:
    return TRUE_BUDGET if variant.true else FALSE_BUDGET


def key(variant: Variant, seed: int) -> Line:
    """What makes a line that of this search."""
    return {
        "name": variant.name,
        "says": variant.claim.text(),
        "seed": seed,
        "budget": budget(variant),
        "source": source(),
    }


@functools.cache
def source() -> str:
    """A hash of all that the searches import: a changed engine searches again."""
    pending, seen = ["empirics.falsifier.search", "empirics.falsifier.fixed"], set[str]()
    while pending:
        module = pending.pop()
        if module not in seen:
            seen.add(module)
            pending += imported(module)
    digest = hashlib.sha256()
    for module in sorted(seen):
        path = Path(str(importlib.import_module(module).__file__))
        digest.update(f"{module}\0{bare(path.read_text(encoding='utf-8'))}\0".encode())
    return digest.hexdigest()[:16]


def read_lines(path: Path | None) -> list[Line]:
    """The lines of a file that an earlier run left; a last line cut short is dropped."""
    if path is None or not path.exists():
        return []
    lines: list[Line] = []
    try:
        text = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise UserError(f"cannot read {path}: give another file to --resume") from None
    for number, line in enumerate(text, start=1):
        try:
            found = json.loads(line)
            if not isinstance(found["refuted"], bool) or not isinstance(found["models"], int):
                raise TypeError
            _text(found)
        except (ValueError, KeyError, TypeError):
            if number < len(text):
                raise UserError(
                    f"{path}, line {number}: not a line of the corpus; give another file"
                ) from None
            break
        lines.append(found)
    return lines


def run(
    wanted: Sequence[Variant],
    *,
    seeds: int = SEEDS,
    true_seeds: int = TRUE_SEEDS,
    workers: int = 2,
    resume: Path | None = None,
    progress: Callable[[float, str], None] = lambda share, note: None,
) -> list[Line]:
    """Every variant with every seed; lines are appended to ``resume`` as they come."""
    jobs = [
        (variant, seed)
        for variant in wanted
        for seed in range(true_seeds if variant.true else seeds)
    ]
    known = {_text(line): line for line in read_lines(resume)}
    done = [known[_text(key(*job))] for job in jobs if _text(key(*job)) in known]
    left = [job for job in jobs if _text(key(*job)) not in known]
    if resume is not None:
        resume.parent.mkdir(parents=True, exist_ok=True)
        # What an interrupted run left half-written goes.
        resume.write_text("".join(json.dumps(x) + "\n" for x in known.values()), encoding="utf-8")

    def keep(line: Line) -> None:
        done.append(line)
        if resume is not None:
            with resume.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        progress(len(done) / len(jobs), f"{len(done)} of {len(jobs)}: {line['name']}")

    progress(len(done) / max(1, len(jobs)), "starting")
    if workers == 1:
        for variant, seed in left:
            keep(attempt(variant, seed))
        return done
    # Leaving the pool, also by Ctrl-C, ends its processes at once.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for line in pool.imap_unordered(_attempt, left):
            keep(line)
    return done


def _attempt(job: tuple[Variant, int]) -> Line:
    return attempt(*job)


def _text(line: Line) -> str:
    return json.dumps([line["name"], line["says"], line["seed"], line["budget"], line["source"]])


def table(lines: Iterable[Line], wanted: Sequence[Variant]) -> dict[str, Any]:
    """One object: a row for each variant, and whether the required rates are met."""
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line["name"], []).append(line)
    rows, wrong = [], []
    for variant in wanted:
        mine = by_name.get(variant.name, [])
        refuted = sum(line["refuted"] for line in mine)
        right = refuted == 0 if variant.true else refuted >= NEEDED * len(mine)
        if not right or not mine:
            wrong.append(variant.name)
        bests = [line["best"] for line in mine if line["best"] is not None]
        rows.append(
            {
                "name": variant.name,
                "kind": variant.kind,
                "says": variant.claim.text(),
                "true": variant.true,
                "seeds": len(mine),
                "refuted": refuted,
                "models": max((line["models"] for line in mine), default=0),
                "best_ratio": max(bests, default=None),
                "cpu_seconds": round(sum(line["cpu_seconds"] for line in mine), 1),
            }
        )
    total = sum(row["cpu_seconds"] for row in rows)
    return {
        "subject": "falsifier corpus",
        "status": "required rates met" if not wrong else "required rates not met",
        "figures": {
            "false": sum(not v.true for v in wanted),
            "true": sum(v.true for v in wanted),
            "wrong": wrong,
            "cpu_seconds": round(total, 1),
            "rows": rows,
        },
        "settings": {"false_budget": FALSE_BUDGET, "true_budget": TRUE_BUDGET, "needed": NEEDED},
        "versions": versions(),
    }


def everything() -> list[Variant]:
    return variants()
