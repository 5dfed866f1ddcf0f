"""Search for simplex attention that solves the task without BOS."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from constructions.enumeration import as_fraction
from empirics.search.engine import Panel, search
from empirics.search.judge import verdicts, with_kappa
from empirics.search.report import outcome
from empirics.strategies import Model, models_without_bos
from theorems.anchor_needed import STATEMENT
from theorems.attention import is_simplex
from theorems.evidence import Outcome, Run, evidence

TIGHTER = with_kappa(STATEMENT, "13/10")


def error_without_bos(model: Model) -> Fraction:
    """The model's exact error on its inputs with BOS removed; its rule sees no BOS.

    Raises ``ValueError`` if a row is not a simplex row.
    """
    worst = Fraction(0)
    for _, tokens in model.task.every_input(model.content_set):
        goals = model.task.targets(tokens)[:, 1:]
        values = model.value(tokens)[:, 1:]
        for sequence, goal, value in zip(model.read(tokens), goals, values, strict=True):
            rest = sequence[1:]
            rows = np.full((len(rest), len(rest)), Fraction(0), dtype=object)
            for i in range(len(rest)):
                rows[i, : i + 1] = model.rule(rest[: i + 1])
            if not is_simplex(rows):
                raise ValueError("a row without BOS is not a simplex row")
            worst = max(worst, as_fraction(np.abs(rows @ value - goal).max()))
    return worst


def judge(model: Model) -> Panel:
    """The error on the task without BOS against κ."""
    return verdicts((STATEMENT, TIGHTER), L=model.task.length, eta=error_without_bos(model))


@evidence("anchor_needed", kind="searched")
def no_solution_without_an_anchor(run: Run) -> Outcome:
    """No simplex attention has error below κ without BOS; a floor 30 % higher is broken."""
    tries = run.scale(150, 400, 3000)
    records = search(models_without_bos(), judge, tries=tries, start=run.seed)
    return outcome(records, STATEMENT.name, (TIGHTER.name,), reach=Fraction(9, 10))
