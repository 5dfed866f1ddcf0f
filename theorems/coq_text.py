"""A sympy expression as Coq text over the reals, so that a constant lives in one place only."""

from __future__ import annotations

import re
from typing import Any

from theorems.expressions import Exact


class CoqText(Exact):
    """The algebra whose values are Coq terms; use it with ``theorems.expressions.interpret``."""

    def rational(self, p: int, q: int) -> str:
        numeral = f"{abs(p)}" if q == 1 else f"({abs(p)} / {q})"
        return numeral if p >= 0 else f"(- {numeral})"

    def boolean(self, value: bool) -> str:
        return "True" if value else "False"

    def add(self, terms: list[Any]) -> str:
        return f"({' + '.join(terms)})"

    def mul(self, factors: list[Any]) -> str:
        return f"({' * '.join(factors)})"

    def power(self, base: Any, exponent: Any) -> str:
        if negative := re.fullmatch(r"\(- (\d+)\)", exponent):
            return f"(/ {base if negative[1] == '1' else self.power(base, negative[1])})"
        if below := re.fullmatch(r"\(\(- (\d+)\) \+ \(INR (\w+)\)\)", exponent):
            return f"({base} ^ ({below[2]} - {below[1]}))"
        if exponent.startswith("("):
            raise ValueError(
                f"power {exponent} has no Coq form here: use a whole exponent or n - 1"
            )
        return f"({base} ^ {exponent})"

    def absolute(self, x: Any) -> str:
        return f"(Rabs {x})"

    def minimum(self, xs: list[Any]) -> str:
        return xs[0] if len(xs) == 1 else f"(Rmin {xs[0]} {self.minimum(xs[1:])})"

    def maximum(self, xs: list[Any]) -> str:
        return xs[0] if len(xs) == 1 else f"(Rmax {xs[0]} {self.maximum(xs[1:])})"

    def less(self, a: Any, b: Any) -> str:
        return f"({a} < {b})"

    def less_equal(self, a: Any, b: Any) -> str:
        return f"({a} <= {b})"

    def equal(self, a: Any, b: Any) -> str:
        return f"({a} = {b})"

    def conjunction(self, xs: list[Any]) -> str:
        return "(" + r" /\ ".join(xs) + ")"

    def disjunction(self, xs: list[Any]) -> str:
        return "(" + r" \/ ".join(xs) + ")"

    def negation(self, x: Any) -> str:
        return f"(~ {x})"
