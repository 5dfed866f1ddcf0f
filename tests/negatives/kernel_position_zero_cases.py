"""Statements on position zero that say a little too much, too little or something else.

Each case names a Coq theorem and changes the registry's statement that is pinned to it: the gate
must refuse the pin.  The variants that Coq itself refutes are in ``PositionZeroNegatives.v``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy as sp

from theorems import claims
from theorems.kernel_tables.position_zero import THEOREMS
from theorems.statement import Statement

Change = Callable[[Statement], Statement]


@dataclass(frozen=True)
class Case:
    """A change of the statement that is pinned to the theorem ``coq``."""

    coq: str
    what: str
    change: Change


def honest(coq: str) -> Statement:
    """The registry's statement of the Coq theorem ``coq``."""
    theorem = next(t for t in THEOREMS if t.coq == coq)
    return claims.get(theorem.claim).statement(theorem.statement)


def larger_side(make: Callable[[sp.Expr], sp.Expr]) -> Change:
    """``make(r)`` in the place of the larger side ``r`` of the conclusion, or of its one bound."""

    def change(statement: Statement) -> Statement:
        whole = statement.conclusion
        parts = whole.args if isinstance(whole, sp.And) else (whole,)
        (old,) = (part for part in parts if isinstance(part, sp.LessThan | sp.GreaterThan))
        new = sp.LessThan(old.lts, make(old.gts), evaluate=False)
        return replace(statement, conclusion=whole.xreplace({old: new}))

    return change


def symbol(name: str, make: Callable[[sp.Symbol], sp.Expr]) -> Change:
    """``make(name)`` in the place of the symbol ``name`` in the conclusion."""

    def change(statement: Statement) -> Statement:
        found = next(s for s in statement.conclusion.free_symbols if s.name == name)
        new = statement.conclusion.subs(found, make(found))
        return replace(statement, conclusion=new)

    return change


def hypothesis(at: int, make: Callable[[sp.Rel], sp.Basic]) -> Change:
    """``make(h)`` in the place of the hypothesis ``h`` number ``at``."""

    def change(statement: Statement) -> Statement:
        hypotheses = list(statement.hypotheses)
        hypotheses[at] = make(hypotheses[at])
        return replace(statement, hypotheses=tuple(hypotheses))

    return change


def shifted(by: sp.Rational) -> Callable[[sp.Rel], sp.Basic]:
    """A comparison with ``by`` added to its right side."""
    return lambda h: h.func(h.lhs, h.rhs + by)


MORE, LESS = sp.Rational(11, 10), sp.Rational(9, 10)

CASES = (
    Case("mixing_identity", "D times 1.1", symbol("D", lambda s: MORE * s)),
    Case("mixing_identity", "position two or later", hypothesis(0, shifted(sp.Integer(1)))),
    Case("cone_model", "S times 1.1", symbol("S", lambda s: MORE * s)),
    Case("collision_gap", "a gap 1.1 times as large", larger_side(lambda r: 1 - MORE * (1 - r))),
    Case("collision_gap", "constant prefixes too", hypothesis(2, shifted(sp.Integer(1)))),
    Case("repeated_token_ceiling", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("repeated_token_ceiling", "rho above 0.01", hypothesis(1, shifted(sp.Rational(1, 100)))),
    Case("repeated_token_range", "half the logarithm", symbol("ell", lambda s: s / 2)),
    Case("circuit_mass", "E times 1.1", symbol("E", lambda s: MORE * s)),
    Case("circuit_spike", "one token longer", hypothesis(1, shifted(sp.Integer(1)))),
    Case("circuit_anti_self", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("circuit_gain", "1.1 times as steep", larger_side(lambda r: MORE * r)),
    Case("circuit_gain", "0.9 times as steep", larger_side(lambda r: LESS * r)),
    Case("norm_stability", "rho up to 2", hypothesis(1, shifted(sp.Integer(1)))),
    Case("norm_stability", "moved times 1.1", symbol("moved", lambda s: MORE * s)),
    Case("plateau", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("first_layer_ceiling", "nine tenths of R", symbol("R", lambda s: LESS * s)),
    Case("nonlinearity_needed", "by a margin", larger_side(lambda r: r - sp.Rational(1, 100))),
)
