"""Reading a sympy expression in other number systems.

A statement's inequality is one sympy object.  ``interpret`` evaluates it with exact rationals,
with tensors, as z3 terms or as Coq text, by saying what each operation means there.  sympy's own
``lambdify`` is not used, because it writes the constant 1/4 as a Python float.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp


class Exact:
    """Python's operators, with ``Fraction`` constants; subclasses change what differs."""

    def rational(self, p: int, q: int) -> Any:
        return Fraction(p, q)

    def boolean(self, value: bool) -> Any:
        return value

    def add(self, terms: list[Any]) -> Any:
        return functools.reduce(operator.add, terms)

    def mul(self, factors: list[Any]) -> Any:
        return functools.reduce(operator.mul, factors)

    def power(self, base: Any, exponent: Any) -> Any:
        whole = int(exponent)
        if whole != exponent:
            raise ValueError(f"power {exponent} is not a whole number: write the statement without")
        return base**whole

    def absolute(self, x: Any) -> Any:
        return abs(x)

    def minimum(self, xs: list[Any]) -> Any:
        return min(xs)

    def maximum(self, xs: list[Any]) -> Any:
        return max(xs)

    def less(self, a: Any, b: Any) -> Any:
        return a < b

    def less_equal(self, a: Any, b: Any) -> Any:
        return a <= b

    def equal(self, a: Any, b: Any) -> Any:
        return a == b

    def conjunction(self, xs: list[Any]) -> Any:
        return all(xs)

    def disjunction(self, xs: list[Any]) -> Any:
        return any(xs)

    def negation(self, x: Any) -> Any:
        return not x


class Floats(Exact):
    """For floats and tensors, which do not multiply with Fractions.  Never a judge."""

    def rational(self, p: int, q: int) -> float:
        return p / q


def interpret(expression: sp.Basic, values: Mapping[str, Any], algebra: Exact | None = None) -> Any:
    """The value of ``expression`` with its symbols (by name) replaced by ``values``.

    Understands +, ·, integer powers, |·|, min, max, comparisons, and, or, not, ⇒ and the sum and
    minimum over an integer index with numeric limits.  Raises ``KeyError`` for a symbol without a
    value and ``TypeError`` for anything else.
    """
    how = algebra or Exact()

    def read(e: sp.Basic) -> Any:
        match e:
            case sp.Symbol():
                if e.name not in values:
                    raise KeyError(f"no value given for {e.name} (given: {', '.join(values)})")
                return values[e.name]
            case sp.Rational():
                return how.rational(int(e.p), int(e.q))
            case sp.Add():
                return how.add([read(a) for a in e.args])
            case sp.Mul():
                return how.mul([read(a) for a in e.args])
            case sp.Pow():
                return how.power(read(e.base), read(e.exp))
            case sp.Abs():
                return how.absolute(read(e.args[0]))
            case sp.Min():
                return how.minimum([read(a) for a in e.args])
            case sp.Max():
                return how.maximum([read(a) for a in e.args])
            case sp.StrictLessThan() | sp.StrictGreaterThan():
                return how.less(read(e.lts), read(e.gts))
            case sp.LessThan() | sp.GreaterThan():
                return how.less_equal(read(e.lts), read(e.gts))
            case sp.Equality():
                return how.equal(read(e.lhs), read(e.rhs))
            case sp.And():
                return how.conjunction([read(a) for a in e.args])
            case sp.Or():
                return how.disjunction([read(a) for a in e.args])
            case sp.Not():
                return how.negation(read(e.args[0]))
            case sp.Implies():
                return how.disjunction([how.negation(read(e.args[0])), read(e.args[1])])
            case sp.logic.boolalg.BooleanAtom():
                return how.boolean(bool(e))
        raise TypeError(f"{type(e).__name__} in {expression} has no reading")

    return read(expression)
