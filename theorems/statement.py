"""A theorem's inequality as data: hypotheses, conclusion and constants as sympy objects.

From this one object come the printed text, the LaTeX, the exact predicate that every test and
search uses, the terms given to z3, and the comparison with the statement that Coq proves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from theorems.expressions import Exact, Floats, interpret
from theorems.plain_text import plain


@dataclass(frozen=True)
class Statement:
    """If all ``hypotheses`` hold then ``conclusion`` holds, with ``where`` defining constants.

    ``setting`` says in words for which models and inputs; ``symbols`` says what each symbol means.
    ``paper`` is what the source states and ``ours`` how this differs.  Constants in ``where`` may
    use symbols and earlier constants.
    """

    name: str
    title: str
    setting: str
    symbols: Mapping[str, str]
    hypotheses: tuple[sp.Basic, ...]
    conclusion: sp.Basic
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    paper: str = ""
    ours: str = ""
    proof_idea: str = ""

    def __post_init__(self) -> None:
        used = set().union(*(h.free_symbols for h in (*self.hypotheses, self.conclusion)))
        used |= set().union(*(e.free_symbols for e in self.where.values()), set())
        unexplained = {s.name for s in used - set(self.where)} - set(self.symbols)
        if unexplained:
            raise ValueError(f"statement {self.name}: {sorted(unexplained)} not explained")

    def constants(self, values: Mapping[str, Any], algebra: Exact | None = None) -> dict[str, Any]:
        """``values`` with every constant of ``where`` added that they do not give."""
        known = dict(values)
        for symbol, expression in self.where.items():
            known.setdefault(symbol.name, interpret(expression, known, algebra))
        return known

    def applies(self, **values: Any) -> bool:
        """Whether all hypotheses hold, exactly, at ``values`` (ints, Fractions)."""
        known = self.constants(_rational(values))
        return all(interpret(h, known) for h in self.hypotheses)

    def holds(self, **values: Any) -> bool:
        """The implication itself at ``values``: true unless it applies and fails."""
        if not self.applies(**values):
            return True
        return bool(interpret(self.conclusion, self.constants(_rational(values))))

    def excess(self, **values: Any) -> Any:
        """Left side minus right side of a conclusion ``left <= right``: positive is a violation.

        Exact on exact numbers, in floats when a value is a float or a tensor.  Raises
        ``TypeError`` when the conclusion is no inequality.
        """
        if not isinstance(self.conclusion, sp.Rel):
            raise TypeError(f"statement {self.name} does not conclude an inequality")
        inexact = any(isinstance(v, float) or hasattr(v, "dtype") for v in values.values())
        algebra = Floats() if inexact else Exact()
        known = self.constants(values if inexact else _rational(values), algebra)
        left, right = self.conclusion.lts, self.conclusion.gts
        return interpret(left, known, algebra) - interpret(right, known, algebra)

    def text(self) -> str:
        """The statement as a line of plain text per hypothesis and conclusion."""
        lines = [self.setting]
        if self.hypotheses:
            lines.append("If    " + ",  ".join(plain(h) for h in self.hypotheses))
        lines.append(("then  " if self.hypotheses else "      ") + plain(self.conclusion))
        lines += [f"where {plain(s)} = {plain(e)}" for s, e in self.where.items()]
        return "\n".join(lines)

    def latex(self) -> str:
        """The statement as LaTeX (one displayed formula)."""
        body = sp.latex(self.conclusion)
        if self.hypotheses:
            body = r",\; ".join(sp.latex(h) for h in self.hypotheses) + r" \;\Rightarrow\; " + body
        for symbol, expression in self.where.items():
            body += rf",\qquad {sp.latex(symbol)} = {sp.latex(expression)}"
        return body


def _rational(values: Mapping[str, Any]) -> dict[str, Any]:
    floats = [name for name, v in values.items() if isinstance(v, float)]
    if floats:
        raise TypeError(f"{', '.join(floats)} given as float: exact predicates take fractions")
    return {k: Fraction(v) if isinstance(v, int) else v for k, v in values.items()}
