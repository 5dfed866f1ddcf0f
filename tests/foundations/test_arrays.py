"""Exact numbers stay exact: integers and floats are refused where they would slip in."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb, fmpq

from theorems.arrays import exact, sup_norm, unit, zeros


def test_exact_makes_fractions_of_integers_and_strings() -> None:
    array = exact([[1, "1/3"], [Fraction(2, 4), np.int64(7)]])
    assert all(type(v) is Fraction for v in array.flat)
    assert array[0, 1] * 3 == 1


@pytest.mark.parametrize("value", [0.5, np.float32(1)])
def test_exact_refuses_floats(value: float) -> None:
    with pytest.raises(TypeError, match="is a float: write it as a fraction"):
        exact([value])


@pytest.mark.parametrize("one", [Fraction(1), fmpq(1), arb(1)])
def test_unit_and_zeros_keep_the_kind_of_number(one: object) -> None:
    array = np.array([one], dtype=object)
    assert type(unit(array)) is type(one)
    assert type(zeros((2,), array)[0]) is type(one)


def test_integers_in_an_exact_array_are_refused() -> None:
    with pytest.raises(TypeError, match="not int: build it with"):
        unit(np.array([1, 2], dtype=object))


def test_tensors_pass_through() -> None:
    x = torch.ones(2, dtype=torch.float64)
    assert unit(x) == 1.0
    assert zeros((3,), x).dtype == torch.float64
    assert sup_norm(torch.tensor([1.0, -2.0])) == 2.0


def test_sup_norm_of_overlapping_balls_contains_the_maximum() -> None:
    narrow, wide = arb(1), arb(0.9, 0.3)
    for order in ([narrow, wide], [wide, narrow]):
        found = sup_norm(np.array(order, dtype=object))
        assert found.upper() >= arb(1.19), "a wide ball reaches 1.2"
        assert found.lower() <= 1
    assert sup_norm(np.array([], dtype=object)) == 0
