"""RMSNorm in rational numbers, where a norm is rational.

>>> from theorems.arrays import exact
>>> print(rational_rms_norm()(exact([3, 4, 0, 0])))
[Fraction(6, 5) Fraction(8, 5) Fraction(0, 1) Fraction(0, 1)]
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from constructions.decoder import Pointwise
from theorems.arrays import Array


def rational_root(square: Fraction) -> Fraction:
    """√square.  Raises ``ValueError`` where it is irrational."""
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if root**2 != square:
        raise ValueError(f"the norm √({square}) is irrational")
    return root


def rational_rms_norm(epsilon: Fraction = Fraction(0), scale: Fraction = Fraction(1)) -> Pointwise:
    """RMSNorm, times a scale, on states (..., d) of Fractions.

    Raises ``ValueError`` where √(mean square + ε) is irrational.
    """

    def of(x: Array) -> Array:
        squares = mean_squares(x) + epsilon
        roots = np.array([rational_root(v) for v in np.ravel(squares)], dtype=object)
        return x * scale / roots.reshape((*x.shape[:-1], 1))

    return of


def mean_squares(x: Array) -> Array:
    """‖x‖²/d (...) of states (..., d) of Fractions."""
    return (x * x).sum(axis=-1) / Fraction(x.shape[-1])
