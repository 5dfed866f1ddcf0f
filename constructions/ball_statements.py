"""A statement read in ball arithmetic: surely true, surely false, or not decided.

Some statements speak of square roots and exponentials.  With balls for their symbols a comparison
is true only if it holds for every number in the balls, so "surely" means what it says; where balls
overlap both answers are no.

>>> from theorems.logit_gap import LOGIT_GAP
>>> third = arb(1) / 3
>>> surely(LOGIT_GAP, m=3, E=1, alpha=third + arb("0.001"))
True
>>> surely(LOGIT_GAP, m=3, E=1, alpha=third), surely_broken(LOGIT_GAP, m=3, E=1, alpha=third)
(False, False)
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from theorems.expressions import Exact, interpret
from theorems.statement import Statement


class Balls(Exact):
    """The algebra of ``flint.arb``, for ``theorems.expressions.interpret``."""

    def rational(self, p: int, q: int) -> Any:
        return arb(p) / q

    def power(self, base: Any, exponent: Any) -> Any:
        return base ** int(exponent.unique_fmpz())

    def minimum(self, xs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a.min(b), xs)

    def maximum(self, xs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a.max(b), xs)


def to_ball(value: Any) -> arb:
    """A ball around an int or a Fraction; balls stay what they are.

    Raises ``TypeError`` for floats, whose decimal reading is not what they hold.
    """
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float: give a Fraction or a ball")
    if isinstance(value, Fraction):
        return arb(value.numerator) / value.denominator
    return arb(value)


def surely(statement: Statement, **values: Any) -> bool:
    """Whether the conclusion holds for every number in the balls."""
    return _reads(statement, statement.conclusion, values)


def surely_broken(statement: Statement, **values: Any) -> bool:
    """Whether the conclusion fails for every number in the balls."""
    return _reads(statement, _denied(statement.conclusion), values)


def _denied(formula: sp.Basic) -> sp.Basic:
    if isinstance(formula, sp.And):
        return sp.Or(*map(_denied, formula.args))
    if isinstance(formula, sp.Equality):
        return sp.Or(formula.lhs < formula.rhs, formula.lhs > formula.rhs)
    return formula.negated


def _reads(statement: Statement, formula: sp.Basic, values: dict[str, Any]) -> bool:
    known = statement.constants({k: to_ball(v) for k, v in values.items()}, Balls())
    return bool(interpret(formula, known, Balls()))
