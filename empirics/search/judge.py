"""The judge: a model's exact error and BOS weights, put into a statement's own predicate.

η and α come from ``constructions.enumeration.measure`` over the model's whole content set, and the
verdict from the statement object itself (``applies``, ``holds``), so that search, proof and printed
text speak of one inequality.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions.enumeration import Measured, as_fmpq, measure
from empirics.search.engine import Verdict
from empirics.strategies import Model
from theorems.expressions import interpret
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, kappa


def measured(model: Model) -> Measured:
    """Error and BOS weights of ``model``, over every input on its content set.

    Raises ``ValueError`` if the model is not simplex attention.
    """
    return measure(model.task, model.rows, model.value, as_fmpq(model.content_set))


def verdict(statement: Statement, *, planted: bool = False, **values: Any) -> Verdict:
    """The statement at exact ``values``.

    The ratio is the left side of the concluded inequality over its right side: 1 at equality.  It
    is ``None`` when the right side is not positive.
    """
    applies = statement.applies(**values)
    ratio = None
    if applies and isinstance(statement.conclusion, sp.Rel) and not planted:
        known = statement.constants({k: Fraction(v) for k, v in values.items()})
        left = interpret(statement.conclusion.lts, known)
        right = interpret(statement.conclusion.gts, known)
        ratio = Fraction(left) / Fraction(right) if right > 0 else None
    figures = {k: str(v) for k, v in values.items()}
    return Verdict(applies, statement.holds(**values), ratio, figures, planted)


def verdicts(statements: Iterable[Statement], **values: Any) -> dict[str, Verdict]:
    """The panel of ``statements`` at ``values``; a name ending in ``(planted)`` is a false one."""
    return {s.name: verdict(s, planted=s.name.endswith("(planted)"), **values) for s in statements}


def tightened(statement: Statement, factor: str = "13/10") -> Statement:
    """The statement with the left side of its conclusion multiplied: a constant 30 % too small.

    Hypotheses stay what they are.
    """
    left, right = statement.conclusion.lts, statement.conclusion.gts
    conclusion = sp.LessThan(sp.Rational(factor) * left, right)
    return replace(
        statement, name=f"{statement.name}, {factor} times tighter (planted)", conclusion=conclusion
    )


def with_kappa(statement: Statement, factor: str) -> Statement:
    """The statement with κ_L multiplied by ``factor`` wherever it stands, hypotheses included."""
    where = {**statement.where, kappa: sp.Rational(factor) * KAPPA_L}
    return replace(statement, name=f"{statement.name}, κ × {factor} (planted)", where=where)
