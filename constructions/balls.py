"""Arb balls beside Fractions: into balls, largest and smallest ball of an array, and back out.

A ball is a midpoint with a radius that surely contains the true number.  ``max`` of Python must
not be used on balls: a comparison of overlapping balls is false both ways, so it may return the
smaller number.  ``arb.max`` encloses the maximum.

>>> from theorems.arrays import exact
>>> low, high = ends(balls(exact(["1/3"]))[0])
>>> low < Fraction(1, 3) < high
True
"""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
from flint import arb

from theorems.arrays import Array


def balls(x: Array) -> Array:
    """An array of Fractions as one of balls that contain them."""
    flat = [arb(v.numerator) / v.denominator for v in x.flat]
    return np.array(flat, dtype=object).reshape(x.shape)


def largest(x: Array) -> arb:
    """A ball that contains the largest of the numbers in a non-empty array of balls."""
    return functools.reduce(lambda a, b: a.max(b), x.flat)


def smallest(x: Array) -> arb:
    """A ball that contains the smallest of the numbers in a non-empty array of balls."""
    return functools.reduce(lambda a, b: a.min(b), x.flat)


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """The ends of a ball as Fractions, rounded outward."""
    low, high = ball.lower().fmpq(), ball.upper().fmpq()
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
