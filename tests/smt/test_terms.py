"""The z3 algebras say what exact rational arithmetic says, and Linear only forgets."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from theorems.expressions import interpret
from theorems.one_layer_sink import CLAIM
from theorems.smt_terms import Linear, Terms, ask, expanded

x, y, z = sp.symbols("x y z", real=True)
RATIONALS = st.fractions(min_value=-3, max_value=3, max_denominator=7)
EXPRESSIONS = [
    x * y + 2 * z**3 - sp.Rational(1, 7),
    sp.Abs(x - y) * z - sp.Max(x, y, z) + sp.Min(x * y, z),
    (x - 1) ** 2 * (y + 3) / (4 * (z**2 + 1)),
]
FORMULAS = [
    sp.And(x <= y, sp.Or(y < z, sp.Eq(x, z))),
    sp.Implies(x * y >= 0, sp.Not(sp.Abs(x + y) < sp.Abs(x) + sp.Abs(y))),
    sp.Eq(sp.Max(x, y) - sp.Min(x, y), sp.Abs(x - y)),
]


def numerals(algebra: Terms, values: dict[str, Fraction]) -> dict[str, z3.RatNumRef]:
    return {k: algebra.rational(v.numerator, v.denominator) for k, v in values.items()}


@given(a=RATIONALS, b=RATIONALS, c=RATIONALS)
@settings(deadline=None, max_examples=20)
def test_algebra_agrees_with_fractions(a, b, c):
    values = {"x": a, "y": b, "z": c}
    algebra = Terms()
    for expression in EXPRESSIONS:
        term = z3.simplify(interpret(expression, numerals(algebra, values), algebra))
        assert term.as_fraction() == interpret(expression, values)
    for formula in FORMULAS:
        term = z3.simplify(interpret(formula, numerals(algebra, values), algebra))
        assert z3.is_true(term) == interpret(formula, values)


@given(a=RATIONALS, b=RATIONALS, c=RATIONALS)
@settings(deadline=None, max_examples=20)
def test_linear_agrees_on_numbers(a, b, c):
    """Between numbers nothing is forgotten: products and inverses of numerals are computed."""
    values = {"x": a, "y": b, "z": c}
    for expression in (EXPRESSIONS[0], EXPRESSIONS[2]):
        algebra = Linear()
        reading = sp.expand(expression)
        term = z3.simplify(interpret(reading, numerals(algebra, values), algebra))
        if z3.is_rational_value(term):
            assert term.as_fraction() == interpret(expression, values)
    for formula in FORMULAS:
        assert interpret(expanded(formula), values) == interpret(formula, values)


NUMBERS = st.fractions(min_value=0, max_value=1, max_denominator=30)


@given(values=st.lists(NUMBERS, min_size=10, max_size=10), length=st.integers(5, 12))
@settings(deadline=None, max_examples=20)
def test_statements_read_the_same_in_z3(values, length):
    for statement in CLAIM.statements:
        names = sorted(set(statement.symbols) - {"L"})
        known = {"L": Fraction(length), **dict(zip(names, values, strict=False))}
        try:
            known = statement.constants(known)
            exact = interpret(statement.conclusion, known)
        except ZeroDivisionError:
            continue
        algebra = Terms()
        term = interpret(statement.conclusion, numerals(algebra, known), algebra)
        assert z3.is_true(z3.simplify(term)) == exact


def test_linear_forgets_what_a_monomial_is():
    square = 2 * x <= x**2 + 1
    assert ask(Linear(), [], square, 5)[0] == z3.sat
    assert ask(Terms(), [], square, 5)[0] == z3.unsat


def test_linear_knows_equal_monomials():
    assert ask(Linear(), [x * y * z <= 1], z * x * y <= 2, 5)[0] == z3.unsat
    assert ask(Linear(), [sp.Eq(y * y * x, 3)], sp.Eq(x * y**2, 3), 5)[0] == z3.unsat


def test_linear_does_not_confuse_monomials():
    assert ask(Linear(), [x * y <= 1], x * z <= 1, 5)[0] == z3.sat
    assert ask(Linear(), [x**2 * y <= 1], x * y**2 <= 1, 5)[0] == z3.sat
    assert ask(Linear(), [1 / x <= 1], 1 / y <= 1, 5)[0] == z3.sat


def test_division_by_zero_is_any_value():
    """Nothing follows from a quotient whose denominator is zero."""
    assert ask(Terms(), [sp.Eq(x, 0)], 1 / x <= 5, 5)[0] == z3.sat


def test_a_power_that_is_not_whole_is_refused():
    with pytest.raises((ValueError, TypeError)):
        ask(Terms(), [], sp.sqrt(x) >= 0, 5)
