"""Search for unit values that break the mixing identity, and for cone models that err."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from constructions.cone_model import (
    COSINES,
    Row,
    collisions,
    disagreement,
    expected_square,
    mix,
    output_square,
)
from constructions.unit_vectors import Law, axes, expectation, independent, on_sphere, squared
from empirics.search.engine import Panel, search
from empirics.search.judged import judged
from empirics.search.report import outcome
from empirics.strategies.draws import rationals, simplex_rows, vectors
from theorems.arrays import Array, exact
from theorems.causal_asymmetry import CONE_MODEL, MIXING, D, Q, S, a, s
from theorems.evidence import Outcome, Run, evidence

MORE = replace(
    MIXING,
    name="mixing, 1 % more disagreement (planted)",
    conclusion=sp.Eq(1 - s, D * sp.Rational(101, 100)),
)
FEWER = replace(
    CONE_MODEL,
    name="cone model, a² left out of the second term (planted)",
    conclusion=sp.Eq(Q, a**2 + S),
)
DEPENDENT = replace(CONE_MODEL, name="cone model, weights that look at the directions (planted)")


@dataclass(frozen=True)
class Mixture:
    """Unit values (as tuples) and a row; ``family`` for the report."""

    values: tuple[tuple[Fraction, ...], ...]
    row: Row
    family: str = "mixture"

    def figures(self) -> Mapping[str, object]:
        return {
            "values": [[str(x) for x in v] for v in self.values],
            "row": [str(p) for p in self.row],
        }


@dataclass(frozen=True)
class ConeCase:
    """Two or three tokens with directions ±e_1, …; two rows with chances, and a rule's row."""

    cosine: int
    width: int
    rows: tuple[Row, Row]
    chance: Fraction
    family: str = "cone"

    def figures(self) -> Mapping[str, object]:
        return {
            "a": str(COSINES[self.cosine][0]),
            "rows": [[str(p) for p in row] for row in self.rows],
            "chance": str(self.chance),
        }


@st.composite
def mixtures(draw: st.DrawFn) -> Mixture:
    """Up to five unit values in up to four dimensions, often equal."""
    width, size = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    pool = draw(st.lists(vectors(width, rationals()), min_size=1, max_size=size))
    chosen = [draw(st.sampled_from(pool)) for _ in range(size)]
    values = tuple(tuple(on_sphere(exact(list(t)))) for t in chosen)
    return Mixture(values, draw(simplex_rows(size)))


@st.composite
def cone_cases(draw: st.DrawFn) -> ConeCase:
    """A cone model with random rows, or with rows that depend on the directions."""
    size = draw(st.integers(2, 3))
    rows = draw(simplex_rows(size)), draw(simplex_rows(size))
    chance = draw(st.sampled_from((Fraction(1, 2), Fraction(1, 3), Fraction(1))))
    return ConeCase(draw(st.integers(0, len(COSINES) - 1)), draw(st.integers(1, 2)), rows, chance)


def judge_mixture(m: Mixture) -> Panel:
    """The identity, and the same with 1 % more disagreement."""
    values: list[Array] = [exact(list(v)) for v in m.values]
    known = {
        "i": Fraction(len(values)),
        "s": squared(mix(m.row, values)),
        "s_0": squared(values[0]),
        "D": disagreement(m.row, values),
    }
    return {t.name: judged(t, known) for t in (MIXING, MORE)}


def judge_cone(case: ConeCase) -> Panel:
    """The model with independent rows, and with the first row taken when s_1 = s_2 only."""
    a_, b = COSINES[case.cosine]
    first, second = case.rows
    law: Law = independent(axes(case.width), len(first))
    rows: Law = [(first, case.chance), (second, 1 - case.chance)]
    known = {
        "a": a_,
        "Q": expected_square(a_, b, rows, law),
        "S": expectation(rows, collisions),
    }

    def rule(directions: tuple[Array, ...]) -> Row:
        return first if bool((directions[0] == directions[1]).all()) else second

    looking = {
        "a": a_,
        "Q": expectation(law, lambda s: output_square(a_, b, rule(s), s)),
        "S": expectation(law, lambda s: collisions(rule(s))),
    }
    return {
        CONE_MODEL.name: judged(CONE_MODEL, known),
        FEWER.name: judged(FEWER, known),
        DEPENDENT.name: judged(DEPENDENT, looking),
    }


@evidence("causal_asymmetry", kind="searched")
def no_mixture_escapes_the_identity(run: Run) -> Outcome:
    """No rational unit values and row break the identity; 1 % more disagreement is broken."""
    records = search(mixtures(), judge_mixture, tries=run.scale(150, 400, 3000), start=run.seed)
    return outcome(records, MIXING.name, (MORE.name,))


@evidence("causal_asymmetry", kind="searched", statement="causal_asymmetry.cone")
def no_cone_model_errs(run: Run) -> Outcome:
    """No finite cone model with independent weights errs; with dependent weights some do."""
    records = search(cone_cases(), judge_cone, tries=run.scale(100, 300, 2000), start=run.seed)
    return outcome(records, CONE_MODEL.name, (FEWER.name, DEPENDENT.name))
