"""A bound pushed past the truth, and whether a witness attains the true one and breaks the pushed.

>>> from theorems.logit_gap import LOGIT_GAP
>>> at = {"m": 5, "E": Fraction(4), "alpha": Fraction(1, 2)}
>>> attains(LOGIT_GAP, **at), pushed(LOGIT_GAP).holds(**at)
(True, False)
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from theorems.statement import Statement


def pushed(statement: Statement, factor: str = "101/100") -> Statement:
    """The statement with the smaller side of its conclusion multiplied: false where attained."""
    left, right = statement.conclusion.lts, statement.conclusion.gts
    return replace(statement, conclusion=sp.LessThan(sp.Rational(factor) * left, right))


def attains(statement: Statement, **values: Any) -> bool:
    """Whether the statement applies at exact ``values`` and holds there with equality."""
    return statement.applies(**values) and statement.excess(**values) == 0


def sharp(statement: Statement, **values: Any) -> bool:
    """Whether ``values`` attain the bound and refute the same bound one per cent tighter."""
    return attains(statement, **values) and not pushed(statement).holds(**values)


def gap(statement: Statement, **values: Any) -> Fraction:
    """How much of the bound is reached at ``values``: left side over right side, 1 at equality."""
    right = replace(statement, conclusion=sp.LessThan(0, statement.conclusion.gts))
    return 1 + Fraction(statement.excess(**values)) / -Fraction(right.excess(**values))
