"""A hypothesis that is weakened in the registry breaks the core that rests on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp

from theorems.cores import deep, deletion
from theorems.deep_sink import ANY_POSITION, POSITION_TWO
from theorems.one_layer_sink import AVERAGE, s
from theorems.smt import Core, Status, prove
from theorems.statement import Statement
from theorems.symbols import L

CASES = [
    (deletion.union, AVERAGE, L >= 4, L >= 3),
    (deletion.spoiled, AVERAGE, s <= sp.Rational(1, 6), s <= sp.Rational(1, 5)),
    (deep.last_step, POSITION_TWO, L >= 4, L >= 3),
    (deep.last_step, ANY_POSITION, L >= 4, L >= 3),
]


@pytest.mark.parametrize(("core", "statement", "old", "new"), CASES)
def test_a_weaker_hypothesis_breaks_the_core(
    core: Callable[[Statement], Core], statement: Statement, old: sp.Basic, new: sp.Basic
) -> None:
    assert prove(core(statement)).status is Status.PROVED
    assert old in statement.hypotheses
    weaker = tuple(new if h == old else h for h in statement.hypotheses)
    assert prove(core(replace(statement, hypotheses=weaker))).status is not Status.PROVED
