"""What each hypothesis of Theorem 1 does: drop it, and the search must find a counterexample.

A search that cannot tell a theorem from the same sentence without its hypotheses shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from constructions.enumeration import as_fraction, every_case
from empirics.search.engine import Panel, search
from empirics.search.judge import verdicts
from empirics.strategies import Model, Values, content_sets, tasks
from empirics.strategies.model import add, identity_off_bos, linear_values, times
from empirics.strategies.row_rules import (
    START,
    ByRole,
    Prefix,
    Row,
    RowRule,
    Self,
    Spread,
    UniformOffBos,
)
from empirics.strategies.solutions import target
from theorems.arrays import Array
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import SHARP

ZERO, ONE = Fraction(0), Fraction(1)
FACTORS = tuple(Fraction(k, 4) for k in range(5))


@dataclass(frozen=True)
class Scaled:
    """A row times a factor: it no longer sums to one."""

    base: RowRule
    factor: Fraction

    def __call__(self, prefix: Prefix) -> Row:
        return times(self.factor, self.base(prefix))


@dataclass(frozen=True)
class Wider:
    """A model outside the theorem: ``simplex`` rows or not, values moved per position or not.

    ``by_position[i]`` is added to the value of the trigger at 0-based position i.  ``bos_row``
    says whether the BOS row counts in the error.
    """

    family: str
    model: Model
    simplex: bool = True
    by_position: tuple[tuple[Fraction, ...], ...] = ()
    bos_row: bool = True

    def value(self, tokens: Array) -> np.ndarray:
        """Values of tokens and, when there are any, of positions."""
        out = self.model.value(tokens)
        for s, sequence in enumerate(self.model.read(tokens)):
            j = next(i for i, t in enumerate(sequence) if t.flag == 1)
            if self.by_position:
                out[s, j] = add(tuple(out[s, j]), self.by_position[j])
        return out

    def figures(self) -> dict[str, Any]:
        """The model, and what makes it wider."""
        return {**self.model.figures(), "values by position": str(self.by_position)}


@st.composite
def loose_rows(draw: st.DrawFn) -> Wider:
    """Rows that need not sum to one."""
    task = draw(tasks(max_length=5))
    contents = draw(content_sets(task))
    values = linear_values(task, contents, identity_off_bos(task))
    shapes: list[RowRule] = [Self(), UniformOffBos()]
    shape = draw(st.sampled_from(shapes))
    rest = Scaled(shape, draw(st.sampled_from(FACTORS)))
    model = Model("loose rows", task, contents, values, ByRole(UniformOffBos(), rest, rest))
    return Wider("loose rows", model, simplex=False)


@st.composite
def positional_values(draw: st.DrawFn) -> Wider:
    """Trigger values that know their position: partly the target, partly that of position 3."""
    task = draw(tasks())
    contents = draw(content_sets(task, 1))
    knows = draw(st.sampled_from(FACTORS))
    zero = (ZERO,) * task.width
    goals = [target(task, max(3, j), contents[0]) for j in range(1, task.length + 1)]
    moved = tuple(times(knows, add(y, times(-ONE, goals[0]))) for y in goals)
    values = Values(zero, (zero,), (goals[0],))
    # Ordinary tokens are worth nothing, so their rows are free before the trigger.
    mass = draw(st.sampled_from(FACTORS))
    after = Spread(ONE - mass, mass, ZERO)
    model = Model("positional values", task, contents, values, ByRole(Self(), after, after))
    return Wider("positional values", model, by_position=moved)


@st.composite
def free_bos_rows(draw: st.DrawFn) -> Wider:
    """A BOS value opposite to the one ordinary value, so that the two cancel in a row."""
    task = draw(tasks())
    contents = draw(content_sets(task, 1))
    plain = linear_values(task, contents, identity_off_bos(task))
    scale = draw(st.sampled_from((-ONE, -ONE, -ONE / 2, ONE)))
    values = plain.map(lambda t, x: times(scale, plain.ordinary[0]) if t == START else x)
    mass = draw(st.sampled_from((ONE / 2, *FACTORS)))
    rest = Spread(ONE - mass, mass, ZERO)
    model = Model("free BOS row", task, contents, values, ByRole(UniformOffBos(), rest, rest))
    return Wider("free BOS row", model, bos_row=False)


DROPPED: dict[str, Callable[[], st.SearchStrategy[Wider]]] = {
    "rows sum to one": loose_rows,
    "values do not know positions": positional_values,
    "the BOS row counts in the error": free_bos_rows,
}


def judge(wider: Wider) -> Panel:
    """Theorem 1's predicate at the error and BOS weights of a model outside its hypotheses."""
    model, error, alpha = wider.model, ZERO, ONE
    first = 0 if wider.bos_row else 1
    for case in every_case(
        model.task, model.rows, wider.value, model.content_set, simplex=wider.simplex
    ):
        off = np.abs(case.outputs - model.task.targets(case.tokens))[:, first:]
        error = max(error, as_fraction(off.max()))
        for weights in (case.bos_before, case.bos_after):
            alpha = min(alpha, *map(as_fraction, weights.flat), ONE)
    planted = replace(SHARP, name="one_layer_sink without a hypothesis (planted)")
    return verdicts([planted], L=model.task.length, alpha=max(alpha, ZERO), eta=error)


@evidence("one_layer_sink", kind="searched")
def every_hypothesis_is_needed(run: Run) -> Outcome:
    """Without simplex rows, position-free values or the BOS row, a counterexample is found."""
    tries, witnesses = run.scale(120, 200, 400), {}
    for name, strategy in DROPPED.items():
        (record,) = search(strategy(), judge, tries=tries, start=run.seed).values()
        if record.witness is not None:
            witnesses[name] = {k: record.witness[k] for k in ("L", "alpha", "eta")}
    figure = f"{len(witnesses)} of {len(DROPPED)} hypotheses dropped, each refuted: "
    figure += ", ".join(
        f"{name} (α = {w['alpha']}, η = {w['eta']})" for name, w in witnesses.items()
    )
    return check(set(witnesses) == set(DROPPED), figure, witnesses=witnesses)
