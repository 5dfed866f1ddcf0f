"""Unit vectors with rational coordinates, and finite laws of them: exact expectations.

Stereographic projection reaches every rational point of the sphere but the pole.

>>> from theorems.arrays import exact
>>> v = on_sphere(exact(["1/2", "2"]))
>>> print([str(x) for x in v], v @ v)
['4/21', '16/21', '13/21'] 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from theorems.arrays import Array, exact

Law = Sequence[tuple[Any, Fraction]]
"""A finite law: values with their probabilities."""


def on_sphere(t: Array) -> Array:
    """(2t, ‖t‖² − 1)/(‖t‖² + 1): the unit vector (d,) that belongs to t (d−1,)."""
    square = sum((x * x for x in t), start=Fraction(0))
    return exact([*(2 * x / (square + 1) for x in t), (square - 1) / (square + 1)])


def squared(v: Array) -> Fraction:
    """‖v‖₂²."""
    return Fraction(v @ v)


def axes(width: int) -> Law:
    """The isotropic law of ±e_1, …, ±e_d, each with probability 1/(2d)."""
    eye = exact(np.eye(width, dtype=int))
    return [(sign * e, Fraction(1, 2 * width)) for e in eye for sign in (1, -1)]


def independent(law: Law, count: int) -> Law:
    """Tuples of ``count`` independent draws."""
    return [
        (tuple(value for value, _ in draws), _chance(draws)) for draws in product(law, repeat=count)
    ]


def expectation(law: Law, of: Callable[[Any], Fraction]) -> Fraction:
    """E[of(X)], exactly.  Raises ``ValueError`` if the probabilities do not sum to one."""
    if sum(chance for _, chance in law) != 1:
        raise ValueError("the probabilities do not sum to one")
    return sum((chance * of(value) for value, chance in law), start=Fraction(0))


def _chance(draws: Sequence[tuple[Any, Fraction]]) -> Fraction:
    total = Fraction(1)
    for _, chance in draws:
        total *= chance
    return total
