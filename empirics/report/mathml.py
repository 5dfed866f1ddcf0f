"""Statements as MathML, which browsers draw by themselves: no fonts and no scripts to load.

>>> import sympy as sp
>>> print(markup(sp.Symbol("eta") <= 1))
<math><mrow><mi>&#951;</mi><mo>&#x2264;</mo><mn>1</mn></mrow></math>
"""

from __future__ import annotations

import sympy as sp
from sympy.printing.mathml import MathMLPresentationPrinter


class Printer(MathMLPresentationPrinter):
    """sympy's printer with positive terms first, as ``theorems.plain_text`` writes them."""

    def _print_Add(self, e: sp.Add, order: object = None) -> object:
        terms = sorted(
            self._as_ordered_terms(e), key=lambda term: bool(term.could_extract_minus_sign())
        )
        row = self.dom.createElement("mrow")
        for position, term in enumerate(terms):
            negative = term.could_extract_minus_sign()
            if position or negative:
                row.appendChild(self._sign("-" if negative else "+"))
            shown = -term if negative else term
            row.appendChild(self._term(shown))
        return row

    def _print_And(self, e: sp.And) -> object:
        row = self.dom.createElement("mrow")
        for position, part in enumerate(sorted(e.args, key=sp.default_sort_key)):
            if position:
                word = self.dom.createElement("mtext")
                word.appendChild(self.dom.createTextNode("\u2002and\u2002"))
                row.appendChild(word)
            row.appendChild(self._print(part))
        return row

    def _sign(self, sign: str) -> object:
        mark = self.dom.createElement("mo")
        mark.appendChild(self.dom.createTextNode("\u2212" if sign == "-" else sign))
        return mark

    def _term(self, term: sp.Expr) -> object:
        if not term.is_Add:
            return self._print(term)
        row = self.dom.createElement("mrow")
        for part in (self._sign("("), self._print(term), self._sign(")")):
            row.appendChild(part)
        return row


def markup(expression: sp.Basic, *, block: bool = False) -> str:
    """``expression`` as a ``<math>`` element; ``block`` sets it on a line of its own."""
    body = Printer()._print(expression).toxml()
    body = body.replace("&amp;InvisibleTimes;", "&InvisibleTimes;").replace(
        "&InvisibleTimes;", "\u2062"
    )
    start = '<math display="block">' if block else "<math>"
    return f"{start}{_entities(body)}</math>"


def _entities(text: str) -> str:
    return "".join(c if c < "\x80" else f"&#{ord(c)};" for c in text)
