"""Search for first layers, and constant sequences, that give position zero too much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from constructions.first_layer_law import Chain, First
from constructions.repeated_tokens import relative_rows, root_below
from empirics.search.engine import Panel, search
from empirics.search.judge import tightened
from empirics.search.judged import judged
from empirics.search.report import outcome
from theorems import first_layer_ceiling as ceiling
from theorems.evidence import Outcome, Run, evidence
from theorems.repeated_tokens import CEILING

TIGHTER = replace(
    ceiling.STATEMENT,
    name="the first layer, 30 % less (planted)",
    conclusion=ceiling.importance * ceiling.T * sp.Rational(13, 10) <= 1 + ceiling.Lambda,
)
STARTED = replace(ceiling.STATEMENT, name="the first layer, any start of the chain (planted)")
LESS = tightened(CEILING)


@dataclass(frozen=True)
class Layer:
    """Symmetric edges of a chain, a start, and weights by query, key and distance."""

    edges: tuple[int, ...]
    start: int
    table: tuple[Fraction, ...]
    T: int
    family: str = "two tokens"

    def figures(self) -> Mapping[str, object]:
        return {
            "edges": list(self.edges),
            "start": self.start,
            "weights": [str(w) for w in self.table],
            "T": self.T,
        }

    def heads(self) -> tuple[First, First]:
        """On the stationary chain, and on the chain that begins with the token ``start``."""
        a, b, c = (Fraction(e) for e in self.edges)
        steps = ((a / (a + b), b / (a + b)), (b / (b + c), c / (b + c)))
        total = a + 2 * b + c
        law = ((a + b) / total, (b + c) / total)
        fixed = tuple(Fraction(t == self.start) for t in range(2))

        def weight(query: int, key: int, lag: int) -> Fraction:
            return self.table[(2 * query + key) * self.T + lag]

        return First(Chain(law, steps), weight, self.T), First(
            Chain((fixed[0], fixed[1]), steps), weight, self.T
        )


@dataclass(frozen=True)
class Relative:
    """Weights G(0), …, G(N−1) of a head on a constant sequence."""

    weights: tuple[Fraction, ...]
    family: str = "constant sequence"

    def figures(self) -> Mapping[str, object]:
        return {"weights": [str(w) for w in self.weights]}


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    """Two tokens, T up to 6; weights of any size, or such that grow with the distance."""
    T = draw(st.integers(2, 6))
    edges = tuple(draw(st.sampled_from((1, 2, 9, 100))) for _ in range(3))
    sizes = draw(st.sampled_from(((1, 2, 3), (1, 10, 1000))))
    growth = draw(st.sampled_from((Fraction(1), Fraction(3, 2), Fraction(3))))
    table = tuple(draw(st.sampled_from(sizes)) * growth**lag for _ in range(4) for lag in range(T))
    return Layer(edges, draw(st.integers(0, 1)), table, T)


@st.composite
def relatives(draw: st.DrawFn) -> Relative:
    """Up to ten weights; half of them near the geometric ones, which attain the ceiling."""
    size = draw(st.integers(2, 10))
    step = Fraction(draw(st.integers(3, 12)), 2)
    noise = [Fraction(draw(st.integers(8, 12)), 10) for _ in range(size)]
    if draw(st.booleans()):
        shape = [Fraction(1)] + [step**i - step ** (i - 1) for i in range(1, size)]
        return Relative(tuple(w * n for w, n in zip(shape, noise, strict=True)))
    return Relative(tuple(Fraction(draw(st.integers(1, 1000))) for _ in range(size)))


def judge_layer(layer: Layer) -> Panel:
    """The ceiling on the stationary chain, 30 % less there, and the ceiling on another start."""
    head, started = layer.heads()
    known, low = head.known(), head.Lambda()
    # Each half of the conclusion at the end of Λ's ball that makes it harder.
    for end in low:
        if not ceiling.STATEMENT.holds(**known | {"Lambda": end}):
            known = known | {"Lambda": end}
    ratio = known["importance"] * layer.T / (1 + low[0])
    return {
        ceiling.STATEMENT.name: judged(ceiling.STATEMENT, known, ratio),
        TIGHTER.name: judged(TIGHTER, known),
        STARTED.name: judged(STARTED, started.known()),
    }


def judge_relative(case: Relative) -> Panel:
    """The ceiling on a constant sequence, and 30 % less."""
    rows, size = relative_rows(case.weights), len(case.weights)
    known = {
        "N": Fraction(size),
        "importance": sum(rows[:, 0]) / size,
        "alpha": rows[-1, -1],
        "rho": root_below(rows[-1, -1], size - 1),
    }
    ratio = known["importance"] * size / (1 + (size - 1) * (1 - known["rho"]))
    return {CEILING.name: judged(CEILING, known, ratio), LESS.name: judged(LESS, known)}


@evidence("first_layer_ceiling", kind="searched")
def no_first_layer_over_its_ceiling(run: Run) -> Outcome:
    """No stationary chain and first layer beat (1+Λ)/T; 30 % less, or another start, is broken."""
    records = search(layers(), judge_layer, tries=run.scale(120, 300, 2000), start=run.seed)
    return outcome(
        records,
        ceiling.STATEMENT.name,
        (TIGHTER.name, STARTED.name),
        reach=Fraction(17, 20),
    )


@evidence("repeated_tokens", kind="searched", statement="repeated_tokens.ceiling")
def no_relative_logits_over_the_ceiling(run: Run) -> Outcome:
    """No relative logits on a constant sequence beat the ceiling; 30 % less is broken."""
    records = search(relatives(), judge_relative, tries=run.scale(150, 400, 3000), start=run.seed)
    return outcome(records, CEILING.name, (LESS.name,), reach=Fraction(19, 20))
