"""Helpers for writing cores, and the outcome of a chain of them as evidence."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theorems.evidence import Outcome, Run, check
from theorems.smt import TIMEOUT_S, Core, Status, counterexample, inhabitant, prove
from theorems.statement import Statement


@dataclass(frozen=True)
class Link:
    """A core of a proof, with variants of it that go too far and must be refuted."""

    core: Core
    false: tuple[Core, ...]


def definitions(statement: Statement) -> tuple[sp.Basic, ...]:
    """The constants of ``statement`` as equations."""
    return tuple(sp.Eq(symbol, expression) for symbol, expression in statement.where.items())


def assumed(statement: Statement) -> tuple[sp.Basic, ...]:
    """What ``statement`` assumes about its numbers, with its constants as equations."""
    return (*definitions(statement), *statement.hypotheses)


def granted(statement: Statement) -> sp.Basic:
    """``statement`` as one formula, for a core that uses it: hypotheses ⇒ conclusion.

    Its constants are written out, so that they are its own and not those of the user.
    """
    formula = sp.Implies(sp.And(*statement.hypotheses), statement.conclusion)
    for symbol, expression in reversed(list(statement.where.items())):
        formula = formula.xreplace({symbol: expression})
    return formula


def within(x: sp.Expr, radius: sp.Expr) -> tuple[sp.Basic, sp.Basic]:
    """|x| ≤ radius, as its upper and its lower half (in this order)."""
    return x <= radius, -radius <= x


def simplex(*weights: sp.Symbol) -> tuple[sp.Basic, ...]:
    """Each weight ≥ 0, in order, then: their sum is one."""
    return (*(w >= 0 for w in weights), sp.Eq(sp.Add(*weights), 1))


def outcome(links: tuple[Link, ...], run: Run, timeout_s: float = TIMEOUT_S) -> Outcome:
    """Passed if every core is proved and not vacuous, and every false variant is refuted.

    A variant that is left undecided is a failure, like a core that is.
    """
    faults: list[str] = []
    seconds: dict[str, float] = {}
    linear = nonlinear = 0
    for number, link in enumerate(links):
        run.progress(number / len(links), link.core.name)
        verdict = prove(link.core, timeout_s)
        seconds[link.core.name] = round(verdict.seconds, 3)
        linear, nonlinear = linear + verdict.linear, nonlinear + verdict.nonlinear
        if verdict.status is not Status.PROVED:
            faults.append(f"{link.core.name} {verdict.status}: {verdict.reason}")
        if inhabitant(link.core, timeout_s) is None:
            faults.append(f"{link.core.name}: no values found that satisfy its hypotheses")
        if not link.false:
            faults.append(f"{link.core.name}: no false variant")
        faults += [
            f"{variant.name} not refuted: {variant.says}"
            for variant in link.false
            if counterexample(variant, timeout_s) is None
        ]
    variants = sum(len(link.false) for link in links)
    figure = "; ".join(faults) or (
        f"{_count(len(links), 'step')} proved for all lengths and values, "
        f"{_count(variants, 'false variant')} refuted"
    )
    return check(
        not faults,
        figure,
        steps=len(links),
        variants=variants,
        linear_inferences=linear,
        nonlinear_inferences=nonlinear,
        seconds=seconds,
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
