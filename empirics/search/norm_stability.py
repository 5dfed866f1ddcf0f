"""Search for vectors whose normalised state turns further than the bounds allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import sympy as sp
from hypothesis import strategies as st

from constructions.norm_turns import Turn, half_angle
from empirics.search.engine import Panel, Record, search
from empirics.search.judge import tightened
from empirics.search.judged import judged
from empirics.search.report import outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.norm_stability import ANY_RATIO, ROTATION, moved, rho, w

HALF = replace(
    ROTATION,
    name="the turn, 30 % smaller (planted)",
    conclusion=moved**2 * sp.Rational(13, 10) <= 2 - 2 * w,
)
FLAT = replace(ROTATION, name="moved ≤ ρ (planted)", conclusion=moved <= rho)
TIGHT = tightened(ANY_RATIO)


@dataclass(frozen=True)
class Case:
    """A turn in exact numbers."""

    turn: Turn
    family: str = "turn"

    def figures(self) -> Mapping[str, object]:
        return {
            "half angle": [str(x) for x in self.turn.half],
            "ratio of lengths": str(self.turn.Y),
        }


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any angle up to 180° and any ratio of lengths, the critical ratio cos φ among them."""
    half = half_angle(Fraction(draw(st.integers(0, 60)), 60))
    cosine = half[1] ** 2 - half[0] ** 2
    ratio = Fraction(draw(st.integers(1, 90)), 30)
    if cosine > 0 and draw(st.booleans()):
        ratio = cosine * (1 + Fraction(draw(st.integers(-5, 5)), 50))
    return Case(Turn(half, Fraction(1), ratio))


def judge(case: Case) -> Panel:
    """Both statements and their planted neighbours."""
    turn = case.turn.rotation()
    allowed = 2 - 2 * turn["w"]
    part = turn["moved"] ** 2 / allowed if allowed > 0 and turn["rho"] < 1 else None
    every = case.turn.any_ratio()
    reached = (
        every["moved"] * (every["size"] + every["size_after"]) / (2 * every["step"])
        if every["step"] > 0
        else None
    )
    return {
        ROTATION.name: judged(ROTATION, turn, part),
        HALF.name: judged(HALF, turn),
        FLAT.name: judged(FLAT, turn),
        ANY_RATIO.name: judged(ANY_RATIO, every, reached),
        TIGHT.name: judged(TIGHT, every),
    }


@cache
def found(tries: int, start: int) -> dict[str, Record]:
    """One search for both statements."""
    return search(cases(), judge, tries=tries, start=start)


@evidence("norm_stability", kind="searched")
def no_step_turns_further(run: Run) -> Outcome:
    """No rational turn exceeds √(2−2√(1−ρ²)); 30 % less is broken, and so is ρ itself."""
    records = found(run.scale(150, 500, 5000), run.seed)
    return outcome(records, ROTATION.name, (HALF.name, FLAT.name), share=0.3, reach=Fraction(9, 10))


@evidence("norm_stability", kind="searched", statement="norm_stability.any_ratio")
def no_ratio_turns_further(run: Run) -> Outcome:
    """No rational turn exceeds 2‖δ‖/(‖x‖+‖x+δ‖); 30 % less is broken."""
    records = found(run.scale(150, 500, 5000), run.seed)
    return outcome(records, ANY_RATIO.name, (TIGHT.name,), reach=Fraction(9, 10))
