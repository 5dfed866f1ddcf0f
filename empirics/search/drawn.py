"""A search over drawn objects that are judged by a statement's own exact predicate.

A *drawn* example holds the figures of one object (a row, a head, a stack), computed in rational
arithmetic.  The panel has the statement, the same bound made tighter, and any false forms given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from empirics.search.engine import Panel, Verdict, search
from empirics.search.judge import tightened, verdict
from empirics.search.report import SHARE, outcome
from theorems.evidence import Outcome, Run
from theorems.statement import Statement


@dataclass(frozen=True)
class Drawn:
    """What a statement is judged at, and the object itself for whoever reads a counterexample."""

    values: Mapping[str, Any]
    object: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""

    def figures(self) -> Mapping[str, str]:
        return {name: str(value) for name, value in self.object.items()}


def fractions(low: Any, high: Any, most: int = 12) -> SearchStrategy[Fraction]:
    """Rational numbers between ``low`` and ``high`` with denominators up to ``most``."""
    return st.fractions(low, high, max_denominator=most)


def judged(statement: Statement, *false: Statement) -> Callable[[Drawn], Panel]:
    """The judge: ``statement`` and the planted ``false`` forms at what was drawn."""

    def judge(drawn: Drawn) -> Panel:
        return {s.name: _verdict(s, s is not statement, drawn.values) for s in (statement, *false)}

    return judge


def survives(
    run: Run,
    statement: Statement,
    examples: SearchStrategy[Drawn],
    *false: Statement,
    tries: tuple[int, int, int] = (100, 150, 4000),
    share: float = SHARE,
    reach: Fraction | None = None,
) -> Outcome:
    """No example breaks ``statement``; every false form, the tightened one included, is broken."""
    planted = (tightened(statement), *false) if _ordered(statement) else false
    records = search(examples, judged(statement, *planted), tries=run.scale(*tries), start=run.seed)
    names = tuple(s.name for s in planted)
    return outcome(records, statement.name, names, share=share, reach=reach)


def _ordered(statement: Statement) -> bool:
    return isinstance(statement.conclusion, sp.Ge | sp.Gt | sp.Le | sp.Lt)


def _verdict(statement: Statement, planted: bool, values: Mapping[str, Any]) -> Verdict:
    if _ordered(statement):
        return verdict(statement, planted=planted, **values)
    figures = {name: str(value) for name, value in values.items()}
    return Verdict(statement.applies(**values), statement.holds(**values), None, figures, planted)
