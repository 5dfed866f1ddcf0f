"""Heads whose true worst case is known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from constructions.directions import identity_off_bos, matrix
from empirics.certificates.forms import Head, from_matrices
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

K = 6
"""Sharpness: an ordinary query scores K on BOS, the trigger −20 (its BOS weight is below 1e-8)."""


@dataclass(frozen=True)
class Planted:
    """A head with its exact suprema, as balls, at L: mass (off BOS, or on it for ReLU) and error.

    ``mass`` or ``error`` is ``None`` where no closed form is written down here.
    """

    name: str
    attention: str
    head: Head
    mass: Callable[[int], arb] | None
    error: Callable[[int], arb] | None


def sink(n: int, extra: dict | None = None, values: dict | None = None) -> Head:
    """The softmax solution with further entries of A and M."""
    entries = {(ORDINARY, BOS): K, (TRIGGER, BOS): -20} | (extra or {})
    width = CONTENT + n
    return from_matrices(
        matrix(width, entries), identity_off_bos(width) + matrix(width, values or {})
    )


def silent(n: int, extra: dict | None = None, values: dict | None = None) -> Head:
    """The ReLU solution with further entries of A and M."""
    width = CONTENT + n
    entries = {(TRIGGER, ORDINARY): 1, (TRIGGER, TRIGGER): 1} | (extra or {})
    return from_matrices(
        matrix(width, entries), identity_off_bos(width) + matrix(width, values or {})
    )


def off(raised: Fraction | int) -> Callable[[int], arb]:
    """(L−1) keys, each ``raised`` − K above BOS."""

    def mass(length: int) -> arb:
        S = (length - 1) * (
            arb(Fraction(raised).numerator) / Fraction(raised).denominator - K
        ).exp()
        return S / (1 + S)

    return mass


def constant(x: Fraction | int) -> Callable[[int], arb]:
    return lambda length: arb(Fraction(x).numerator) / Fraction(x).denominator


def uneven(y: Fraction) -> Callable[[int], arb]:
    """The trigger's row with weights e^{±y} on contents ±1: the most over r keys, p of them up."""

    def error(length: int) -> arb:
        up, down = (arb(s * y.numerator) / y.denominator for s in (1, -1))
        up, down = up.exp(), down.exp()
        values = [
            2 * p * up / (p * up + (r - p) * down) - arb(2 * p) / r
            for r in range(2, length)
            for p in range(r + 1)
        ]
        best = values[0]
        for v in values:
            best = best.max(v)
        return best

    return error


TENTH = Fraction(1, 10)
CASES = [
    Planted("sink without contents", "softmax", sink(0), off(0), None),
    Planted("sink", "softmax", sink(2), off(0), off(0)),
    Planted(
        "keys' contents",
        "softmax",
        sink(3, {(ORDINARY, CONTENT): 1, (ORDINARY, CONTENT + 1): -TENTH}),
        off(1 + TENTH),
        off(1 + TENTH),
    ),
    Planted("query's content", "softmax", sink(2, {(CONTENT, BOS): TENTH}), off(TENTH), off(TENTH)),
    Planted(
        "two contents",
        "softmax",
        sink(2, {(CONTENT + k, CONTENT + k): Fraction(1, 2) for k in range(2)}),
        off(1),
        None,
    ),
    Planted(
        "values too large",
        "softmax",
        sink(2, values={(k, k): Fraction(1, 20) for k in range(1, 5)}),
        off(0),
        None,
    ),
    Planted(
        "uneven trigger", "softmax", sink(1, {(TRIGGER, CONTENT): TENTH}), off(0), uneven(TENTH)
    ),
    Planted("zero error", "relu", silent(3), constant(0), constant(0)),
    Planted(
        "weight on BOS",
        "relu",
        silent(2, {(ORDINARY, BOS): TENTH, (CONTENT, BOS): -TENTH}, {(CONTENT, BOS): TENTH}),
        constant(2 * TENTH),
        constant(Fraction(1, 50)),
    ),
    Planted(
        "BOS seen and written",
        "relu",
        silent(0, {(ORDINARY, BOS): TENTH}, {(ORDINARY, BOS): 2}),
        constant(TENTH),
        constant(2 * TENTH),
    ),
    Planted(
        "weights too large",
        "relu",
        silent(2, {(TRIGGER, ORDINARY): 1 + TENTH, (TRIGGER, TRIGGER): 1 + TENTH}),
        constant(0),
        constant(TENTH),
    ),
    Planted(
        "weights by contents",
        "relu",
        silent(2, {(TRIGGER, CONTENT): TENTH}),
        constant(0),
        constant(TENTH),
    ),
    Planted(
        "its own weight too large",
        "relu",
        silent(1, {(TRIGGER, TRIGGER): 1 + TENTH}),
        constant(0),
        constant(TENTH / 2),
    ),
    Planted(
        "the trigger reads BOS",
        "relu",
        silent(1, {(TRIGGER, BOS): TENTH}, {(CONTENT, BOS): Fraction(1, 2)}),
        constant(0),
        constant(TENTH / 4),
    ),
]
