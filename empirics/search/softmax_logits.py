"""Search among softmax layers given by logits: rows in balls, three-valued verdicts."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from constructions.balls import balls, ends, largest, smallest
from empirics.search.engine import Panel, Record, Verdict, search
from empirics.search.judge import tightened, verdict, with_kappa
from empirics.search.report import NEAR, outcome
from empirics.strategies import LogitModel, PrefixLogits, logit_models, sharp_logit_models
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import BEFORE, SHARP
from theorems.statement import Statement
from theorems.trigger_task import ORDINARY

TIGHTER = tightened(BEFORE, "3/2")
LARGER = with_kappa(SHARP, "13/10")
Ends = tuple[Fraction, Fraction]
"""Rational ends of a ball."""


def judge(model: LogitModel | PrefixLogits) -> Panel:
    """Theorem 1, and its form for softmax where the logits are position-free."""
    task, errors, any_row, before = model.model.task, [], [], []
    for j, tokens in task.every_input(model.model.content_set):
        rows = model.rows(tokens)
        outputs = rows @ balls(model.model.value(tokens))
        errors.append(largest(abs(outputs - balls(task.targets(tokens)))))
        any_row.append(smallest(rows[..., 0][tokens[..., ORDINARY] == 1]))
        before.append(smallest(rows[:, 1 : j - 1, 0]))
    length, error = task.length, ends(largest(np.array(errors, dtype=object)))
    low, high = ends(smallest(np.array(any_row, dtype=object)))
    panel = {
        s.name: between(s, length, error, "alpha", (low, high), planted=s is LARGER)
        for s in (SHARP, LARGER)
    }
    if model.position_free:
        low, high = ends(smallest(np.array(before, dtype=object)))
        for statement in (BEFORE, TIGHTER):
            planted = statement is TIGHTER
            mass = (1 - high, 1 - low)
            panel[statement.name] = between(statement, length, error, "m", mass, planted=planted)
    return panel


def between(
    statement: Statement, length: int, error: Ends, name: str, value: Ends, *, planted: bool = False
) -> Verdict:
    """The verdict for η, and for α or m, known only to lie between rational ends.

    A larger η makes the hypothesis fail and the conclusion weaker; so do a larger α and a smaller
    m.  The statement surely holds if it does at the strong ends, is surely violated if it applies
    and fails at the weak ends, and is undecided otherwise.
    """
    strong, weak = (value[0], value[1]) if name == "alpha" else (value[1], value[0])
    hard = {"L": length, "eta": max(error[0], Fraction(0)), name: _unit(strong)}
    easy = {"L": length, "eta": error[1], name: _unit(weak)}
    surely = verdict(statement, planted=planted, **easy)
    violated = surely.applies and not surely.holds
    undecided = statement.applies(**hard) != surely.applies
    undecided = undecided or not (violated or statement.holds(**hard))
    figures = {"L": str(length), "eta": [str(x) for x in error], name: [str(x) for x in value]}
    applies = surely.applies and not undecided
    return Verdict(applies, not violated, surely.ratio, figures, planted, undecided)


def _unit(x: Fraction) -> Fraction:
    return min(max(x, Fraction(0)), Fraction(1))


def survived(
    records: Mapping[str, Record],
    statement: Statement,
    planted: Statement,
    reach: Fraction | None = None,
) -> Outcome:
    """The outcome for ``statement``, which fails when more than one try in twenty is undecided.

    ``planted`` is a false variant of the statement itself, which the same models must refute.
    """
    record = records[statement.name]
    if record.undecided * 20 > record.tries:
        return Outcome("failed", f"{record.undecided} of {record.tries} undecided")
    # Each drawn nudge of the logits costs error, so fewer of these models keep below κ.
    return outcome(records, statement.name, (planted.name,), share=0.4, reach=reach)


@functools.cache
def logit_search(tries: int, start: int) -> dict[str, Record]:
    """Softmax of rational logits: by token pair, some with a slope per distance, and by prefix.

    Position-free logits keep far from the bound of ``SHARP`` (m ≤ 4η against m ≤ η/(κ − η)), and so
    could not refute a false variant of it; logits that read the whole prefix come up to it.
    """
    return search([logit_models(), sharp_logit_models()], judge, tries=tries, start=start)


@evidence("one_layer_sink", kind="searched")
def no_softmax_of_logits_without_a_sink(run: Run) -> Outcome:
    """No softmax of logits surely violates Theorem 1, in balls; with κ 30 % larger one does."""
    records = logit_search(run.scale(160, 480, 3000), run.seed)
    return survived(records, SHARP, LARGER, NEAR)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.softmax_before")
def no_position_free_logits_before_the_trigger(run: Run) -> Outcome:
    """No position-free logits surely violate m·P₀ ≤ 2η before the trigger; 50 % tighter, some."""
    records = logit_search(run.scale(160, 480, 3000), run.seed)
    return survived(records, BEFORE, TIGHTER)
