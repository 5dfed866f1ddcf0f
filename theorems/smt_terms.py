"""sympy formulas as z3 terms: nonlinear, and linear with every monomial an unknown of its own."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp
import z3

from theorems.expressions import Exact, interpret


class Terms(Exact):
    """The algebra of z3's real terms, for ``theorems.expressions.interpret``.

    Division by zero is read as an arbitrary value: what is proved holds for every reading of it.
    """

    def __init__(self) -> None:
        self.context = z3.Context()

    def unknown(self, name: str) -> Any:
        """The real unknown called ``name``."""
        return z3.Real(name, self.context)

    def rational(self, p: int, q: int) -> Any:
        return z3.RatVal(p, q, self.context)

    def boolean(self, value: bool) -> Any:
        return z3.BoolVal(value, self.context)

    def power(self, base: Any, exponent: Any) -> Any:
        whole = _numeral(exponent)
        if whole is None or whole.denominator != 1:
            raise ValueError(f"power {exponent} is not a whole number: write the core without")
        if whole < 0:
            return self.inverse(self.power(base, self.rational(-int(whole), 1)))
        return self.mul([self.rational(1, 1), *[base] * int(whole)])

    def inverse(self, x: Any) -> Any:
        return 1 / x

    def absolute(self, x: Any) -> Any:
        return z3.If(x >= 0, x, -x)

    def minimum(self, xs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: z3.If(a <= b, a, b), xs)

    def maximum(self, xs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: z3.If(a >= b, a, b), xs)

    def conjunction(self, xs: list[Any]) -> Any:
        return z3.And(*xs, self.boolean(True))

    def disjunction(self, xs: list[Any]) -> Any:
        return z3.Or(*xs, self.boolean(False))

    def negation(self, x: Any) -> Any:
        return z3.Not(x)


class Linear(Terms):
    """The same, with every product of unknowns (and every inverse) replaced by a fresh unknown.

    Equal monomials get equal unknowns, and nothing else is said of them.  So whatever follows in
    this algebra follows for the real product; the converse may fail.
    """

    def __init__(self) -> None:
        super().__init__()
        self._factors: dict[str, tuple[str, ...]] = {}

    def mul(self, factors: list[Any]) -> Any:
        coefficient, alone = Fraction(1), None
        atoms: list[str] = []
        for factor in factors:
            number = _numeral(factor)
            if number is not None:
                coefficient *= number
                continue
            text = factor.sexpr()
            atoms += self._factors.get(text, (text,))
            alone = factor
        scale = self.rational(coefficient.numerator, coefficient.denominator)
        if alone is None:
            return scale
        if len(atoms) > 1:
            alone = self._named("·".join(sorted(atoms)), tuple(sorted(atoms)))
        return alone if coefficient == 1 else scale * alone

    def inverse(self, x: Any) -> Any:
        number = _numeral(x)
        if number:
            return self.rational(number.denominator, number.numerator)
        return self._named(f"1/({x.sexpr()})")

    def _named(self, name: str, factors: tuple[str, ...] = ()) -> Any:
        term = self.unknown(name)
        if factors:
            self._factors[term.sexpr()] = factors
        return term


def _numeral(term: Any) -> Fraction | None:
    return term.as_fraction() if z3.is_rational_value(term) else None


@functools.lru_cache(maxsize=4096)
def expanded(formula: sp.Basic) -> sp.Basic:
    """``formula`` with every comparison as "expanded polynomial against 0"."""
    if isinstance(formula, sp.Rel):
        return formula.func(sp.expand(formula.lhs - formula.rhs), 0)
    if isinstance(formula, sp.And | sp.Or | sp.Not | sp.Implies):
        return formula.func(*map(expanded, formula.args))
    return formula


def ask(
    algebra: Terms, facts: Iterable[sp.Basic], goal: sp.Basic, timeout_s: float
) -> tuple[z3.CheckSatResult, z3.Solver]:
    """Ask z3 for values at which all ``facts`` hold and ``goal`` fails.

    ``algebra`` must be fresh: each call has a context and a seed of its own, so that its answer
    does not depend on the calls before it.
    """

    def term(formula: sp.Basic) -> Any:
        formula = expanded(formula) if isinstance(algebra, Linear) else formula
        unknowns = {s.name: algebra.unknown(s.name) for s in formula.free_symbols}
        return interpret(formula, unknowns, algebra)

    solver = z3.Solver(ctx=algebra.context)
    solver.set(timeout=max(1, int(timeout_s * 1000)), random_seed=0)
    solver.add(*map(term, facts), algebra.negation(term(goal)))
    return solver.check(), solver
