"""Formulas as a reader would write them: κ − η before −η + κ, Greek letters, "=" and "and"."""

from __future__ import annotations

import sympy as sp
from sympy.printing.str import StrPrinter

GREEK = {"alpha": "α", "eta": "η", "kappa": "κ", "epsilon": "ε", "delta": "δ", "theta": "θ"}


class PlainPrinter(StrPrinter):
    """sympy's text printer with positive terms first and the papers' letters."""

    def _print_Symbol(self, e: sp.Symbol) -> str:
        return "_".join(GREEK.get(part, part) for part in e.name.split("_"))

    def _print_Add(self, e: sp.Add, order: object = None) -> str:
        terms = sorted(
            self._as_ordered_terms(e), key=lambda term: bool(term.could_extract_minus_sign())
        )
        text = self._print(terms[0])
        for term in terms[1:]:
            negative = term.could_extract_minus_sign()
            shown = -term if negative else term
            body = self._print(shown)
            if shown.is_Add:
                body = f"({body})"
            text += (" − " if negative else " + ") + body
        return text

    def _print_Relational(self, e: sp.Rel) -> str:
        sign = {"==": "=", "<=": "≤", ">=": "≥", "!=": "≠"}.get(e.rel_op, e.rel_op)
        return f"{self._print(e.lhs)} {sign} {self._print(e.rhs)}"

    def _print_And(self, e: sp.And) -> str:
        return " and ".join(self._print(a) for a in sorted(e.args, key=sp.default_sort_key))


def plain(expression: sp.Basic) -> str:
    """``expression`` as readable text."""
    text: str = PlainPrinter().doprint(expression)
    return text.replace("**", "^").replace("*", "·")
