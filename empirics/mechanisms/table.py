"""The mechanism table: is a sink necessary, is there a solution without, what does training find?

One row per way of normalising attention (Ran-Milo 2026, arXiv 2603.11487, explains the sink by it).
*Necessary* cites a theorem of the registry or its absence.  The *solution* is a construction with
its error and largest BOS weight off the trigger at L = 16, e^K = 10³⁰, exact over all contents in
[-1,1]ⁿ.  What training finds is read from ``results/mechanisms``.

>>> for row in ROWS[:3]:
...     print(f"{row.name:24} {row.necessary:12} {row.because}")
softmax                  yes          one_layer_sink
softmax, two heads       no           sink_free_softmax
softmax, residual        no           sink_free_softmax.residual
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from constructions import softmax_sink, undivided_scores, ways_out
from constructions.networks import box, inspect
from constructions.sharpness import Sharpness
from constructions.sink_free import FULL_LENGTH, VERTICES
from empirics.mechanisms import trained
from empirics.mechanisms.trained import SHAPES
from theorems import claims
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, check, discover, evidence
from theorems.one_layer_sink import SHARP
from theorems.trigger_task import TriggerTask

TABLE_E = Fraction(10**30)
BY_NAME = {solution.name: solution for solution in ways_out.SOLUTIONS}


class Necessary(StrEnum):
    """Whether a sink is necessary for a small error."""

    YES = "yes"
    NO = "no"
    NO_SOLUTION = "no solution"  # the error is bounded below, with or without a sink


@dataclass(frozen=True)
class Solution:
    """A construction in exact figures, at one length and sharpness.

    ``bos`` is its largest BOS weight at a non-trigger position, or the smallest where a sink is
    necessary; ``gated`` the largest weight with which BOS reaches the output there, after a gate.
    """

    error: Fraction
    bos: Fraction
    gated: Fraction


@dataclass(frozen=True)
class Row:
    """One mechanism.  ``normaliser`` is the formula of a row, ``because`` a statement's name.

    ``construction`` names the solution, ``error`` its error as a formula, ``trained`` the key of
    what training found, ``shapes`` the shapes of it that belong to this row.
    """

    name: str
    normaliser: str
    necessary: Necessary
    because: str
    construction: str
    error: str
    trained: str = ""
    shapes: tuple[str, ...] = SHAPES

    def cells(self) -> dict[str, Any]:
        """By shape, what training found."""
        return trained.cells(self.trained, self.shapes)


_SOFTMAX = "e^z / Σ e^z"
ROWS = (
    Row(
        "softmax",
        _SOFTMAX,
        Necessary.YES,
        "one_layer_sink",
        "softmax_sink",
        "max((L−2)/(e^K+L−2), (L−1)/(e^K+L−1))",
        "softmax",
        ("1x1",),
    ),
    Row(
        "softmax, two heads",
        _SOFTMAX,
        Necessary.NO,
        "sink_free_softmax",
        "two heads",
        "max_r 1/(1+re^K) + r/(e^K+r)",
        "two_heads",
        ("1x1",),
    ),
    Row(
        "softmax, residual",
        _SOFTMAX,
        Necessary.NO,
        "sink_free_softmax.residual",
        "residual, two layers",
        "≤ 3Le^(−K)",
    ),
    Row(
        "softmax, residual, no positions",
        _SOFTMAX,
        Necessary.NO,
        "sink_free_softmax.positionless",
        "residual, no positions",
        "≤ L^L e^(−K), L ≤ 16",
        "softmax",
        ("2x2", "4x4"),
    ),
    Row(
        "softmax, MLP after it",
        _SOFTMAX,
        Necessary.NO,
        "sink_free_softmax.mlp",
        "MLP after the head",
        "1/(1+2e^K)",
        "mlp",
    ),
    Row(
        "softmax, gate that reads the token",
        "σ(Gx_i) · e^z / Σ e^z",
        Necessary.NO,
        "mechanisms.sigmoid_gate",
        "sigmoid gate",
        "≤ 1/(1+2e^K) + 1/(1+e^K)",
        "gate",
    ),
    Row(
        "softmax, fixed gate",
        "g · e^z / Σ e^z",
        Necessary.YES,
        "mechanisms.unconditional_gate",
        "softmax_sink",
        "as softmax",
        "fixed_gate",
    ),
    Row(
        "softmax-off-by-one",
        "e^z / (1 + Σ e^z)",
        Necessary.NO,
        "mechanisms.off_by_one",
        "softmax-off-by-one",
        "max(2/(2+2e^K), (L−1)/(e^K+L))",
        "softmax_off_by_one",
    ),
    Row(
        "softmax, sink logit or null key",
        "e^z / (e^s + Σ e^z)",
        Necessary.NO,
        "mechanisms.sink_logit",
        "softmax-off-by-one",
        "max((1+e^s)/(1+e^s+2e^K), (L−1)/(e^(K+s)+L))",
        "sink_logit",
    ),
    Row(
        "ReLU / count",
        "max(0, z) / (i−1)",
        Necessary.NO,
        "relu_no_sink",
        "relu",
        "0",
        "relu",
    ),
    Row(
        "sigmoid / count",
        "σ(z) / (i−1)",
        Necessary.NO,
        "mechanisms.sigmoid",
        "sigmoid",
        "σ(−K)",
        "sigmoid",
    ),
    Row(
        "linear / count",
        "z / (i−1)",
        Necessary.NO,
        "mechanisms.linear",
        "linear",
        "0",
        "linear",
    ),
    Row(
        "sigmoid, undivided",
        "σ(z)",
        Necessary.NO_SOLUTION,
        "mechanisms.undivided",
        "undivided_scores",
        "≥ 1/48 for L ≥ 5",
    ),
)


def solved(row: Row, length: int = FULL_LENGTH, E: Fraction = TABLE_E) -> Solution:
    """The exact figures of the row's construction at ``length`` ≥ 4, contents in [-1,1]ⁿ."""
    if row.construction == "softmax_sink":
        error, _, off = softmax_sink.closed_form(length, E, Fraction(1))
        return Solution(error, 1 - off, 1 - off)
    if row.construction == "undivided_scores":
        task = TriggerTask(length, 0)
        found = inspect(task, undivided_scores.undivided_scores(length), exact([[]]))
        return Solution(found.error, found.bos, found.gated)
    construction = BY_NAME[row.construction]
    closed = construction.closed(length, E)
    error, gated = closed.error, closed.bos
    if construction.error_is_bound and construction is not ways_out.POSITIONLESS_SOLUTION:
        error = box(length, construction.at(length, E))
    if row.trained.endswith("gate"):
        task = TriggerTask(4, 1)  # the largest is at position 2, for every length
        found = inspect(task, construction.build(task, Sharpness(E)), VERTICES["±1"])
        gated = found.gated
    return Solution(error, closed.bos, gated)


def as_objects(rows: Sequence[Row] = ROWS) -> list[dict[str, Any]]:
    """The rows with evidence, the figures of their solutions, and what training found, for JSON."""
    found, items = [], discover()
    for row in rows:
        figures = {name: float(value) for name, value in asdict(solved(row)).items()}
        evidence_for = [item.id for item in items if item.statement == row.because]
        found.append(
            {**asdict(row), "solution": figures, "training": row.cells(), "evidence": evidence_for}
        )
    return found


def consistent(row: Row, length: int = 5) -> bool:
    """Whether the row's answer and its construction agree, exactly, at a small length.

    A sink is necessary: Theorem 1 applies to the construction and holds.  It is not: the
    construction's error vanishes and Theorem 1's conclusion fails for it.  No solution: the
    construction is one whose error is the floor.
    """
    stated = {s.name for c in claims.everything() for s in c.statements}
    if row.because not in stated:
        return False
    figures = solved(row, length)
    at = {"L": length, "alpha": figures.bos, "eta": figures.error}
    if row.necessary is Necessary.NO_SOLUTION:
        return figures.error == undivided_scores.floor(length)
    vanishes = figures.error < Fraction(1, 10**20)
    return vanishes and SHARP.applies(**at) and SHARP.holds(**at) == (row.necessary == "yes")


@evidence("mechanisms", kind="exact")
def table_of_mechanisms(run: Run) -> Outcome:
    """Every row's theorem is stated, and its construction bears it out, in rational arithmetic."""
    wrong = [row.name for row in ROWS if not consistent(row)]
    count = {answer: sum(row.necessary is answer for row in ROWS) for answer in Necessary}
    figure = (
        f"does not bear out: {', '.join(wrong)}"
        if wrong
        else (
            f"{len(ROWS)} mechanisms: a sink is necessary for {count[Necessary.YES]}, not for "
            f"{count[Necessary.NO]}, and {count[Necessary.NO_SOLUTION]} has no solution"
        )
    )
    return check(not wrong, figure, rows=as_objects())
