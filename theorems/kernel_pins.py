"""The pins: the registry's inequality and Coq's statement say the same thing, proved in the gate.

A statement whose conclusion is a closed-form inequality is printed from sympy as Coq text, with all
its hypotheses, between the words of a template of ``kernel_tables``, and the gate proves the result
equivalent to the theorem in a trusted file of ``proofs/``.  Changing a constant on either side
breaks it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from theorems import claims
from theorems.coq_text import CoqText
from theorems.expressions import interpret
from theorems.kernel_gate import Pin, Pins
from theorems.kernel_tables import LEMMAS, TEMPLATES, Template
from theorems.statement import Statement

DEFINITIONS = """\
Definition registry_kappa (L : nat) : R := {kappa}.
Definition registry_P0 (L : nat) (eta : R) : R := {P0}.
"""


def pins(homes: Mapping[str, tuple[str, str]]) -> Pins:
    """The pins of the theorems in ``homes`` (Coq name → claim, statement) that have a template."""
    made = tuple(
        pin(name, claims.get(claim).statement(statement), TEMPLATES[name])
        for name, (claim, statement) in homes.items()
        if name in TEMPLATES
    )
    return Pins(made, _definitions(), LEMMAS)


def pin(name: str, statement: Statement, template: Template) -> Pin:
    """The statement as the registry has it, to be proved equivalent to Coq's ``name``.

    Raises ``ValueError`` when the template leaves out a hypothesis, has a place for one that does
    not exist, or was written for other words than the statement's ``setting``.
    """
    if words_hash(statement) != template.setting:
        raise ValueError(
            f"the words of {statement.name} changed: read the Coq words of its template again, "
            f"then set its hash to {words_hash(statement)!r}"
        )
    places = set(re.findall(r"\{(\w+)\}", template.text))
    parts = {str(i) for i in range(len(statement.hypotheses))} | {"conclusion"}
    if places != parts:
        raise ValueError(
            f"the template of {name} has places {sorted(places)}, not {sorted(parts)}: every "
            "hypothesis of the registry must be printed"
        )
    terms = {"L": "(INR L)", "eta": "eta", "kappa": "(registry_kappa L)", **template.terms}
    for symbol, expression in statement.where.items():
        terms.setdefault(symbol.name, _coq(expression, terms))
    printed = {
        str(i): _coq(h, {**terms, **template.assumed}) for i, h in enumerate(statement.hypotheses)
    }
    printed["conclusion"] = _coq(statement.conclusion, terms)
    text = re.sub(r"\{(\w+)\}", lambda place: printed[place.group(1)], template.text)
    return Pin(name, text, template.proof, of=name)


def words_hash(statement: Statement) -> str:
    """The beginning of the SHA-256 of what ``statement`` says in words, and of its symbols."""
    words = "\n".join([statement.setting, *(f"{k}: {v}" for k, v in statement.symbols.items())])
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def _definitions() -> str:
    where = claims.get("one_layer_sink").statement("one_layer_sink.softmax_before").where
    text = DEFINITIONS
    for symbol, expression in where.items():
        printed = _coq(expression, {"L": "(INR L)", "eta": "eta"})
        text = text.replace(f"{{{symbol.name}}}", printed)
    return text


def _coq(expression: object, terms: Mapping[str, str]) -> str:
    text: str = interpret(expression, terms, CoqText())
    return text
