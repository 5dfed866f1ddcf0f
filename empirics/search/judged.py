"""A statement at exact values as a verdict, with a ratio of the caller's own."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from empirics.search.engine import Verdict
from theorems.statement import Statement

PLANTED = "(planted)"
"""How the name of a false statement ends."""


def judged(
    statement: Statement, values: Mapping[str, Fraction], ratio: Fraction | None = None
) -> Verdict:
    """The statement at ``values``; ``ratio`` says how much of its bound is reached, if it has one.

    Irrational values are to be given at the end of their ball that makes the statement harder.
    """
    return Verdict(
        statement.applies(**values),
        statement.holds(**values),
        ratio,
        {k: str(v) for k, v in values.items()},
        planted=statement.name.endswith(PLANTED),
    )
