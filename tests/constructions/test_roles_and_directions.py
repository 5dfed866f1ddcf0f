"""Rows by role, matrices in named directions, and balls."""

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from constructions.balls import balls, ends, largest, smallest
from constructions.directions import matrix, one_content_values, random_rationals
from constructions.roles import uniform
from theorems.arrays import exact
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER


def test_matrix_refuses_floats() -> None:
    with pytest.raises(TypeError, match="float"):
        matrix(3, {(BOS, BOS): 0.5})


def test_one_content_values_write_the_content_by_the_flags() -> None:
    M = one_content_values(("6",), bos=(0, 0), ordinary=(1, 2), trigger=("1/2", "1/2"))
    assert [M[k, ORDINARY] for k in (ORDINARY, TRIGGER, CONTENT)] == [1, 2, 18]
    assert M[CONTENT, TRIGGER] == 6
    assert (M[:, BOS] == 0).all()


def test_uniform_sums_to_its_total() -> None:
    assert sum(uniform(2, 6, "1/3").values()) == Fraction(1, 3)


def test_random_rationals_come_from_their_seed() -> None:
    first, second, other = (random_rationals(random.Random(k), (2, 5)) for k in (1, 1, 2))
    assert (first == second).all()
    assert (first != other).any()


def test_extremes_of_balls_enclose_where_python_would_not() -> None:
    low, high = arb(1, 0.5), arb("1.2")
    assert largest(np.array([low, high])).overlaps(arb("1.5"))
    assert not max(high, low).overlaps(arb("1.5"))
    assert smallest(np.array([high, low])).overlaps(arb("0.5"))
    left, right = ends(low)
    assert left <= Fraction(1, 2) < Fraction(3, 2) <= right
    assert ends(balls(exact([["1/4"]]))[0, 0]) == (Fraction(1, 4), Fraction(1, 4))
