"""A claim as data: what can be changed, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from empirics.falsifier.claim import HYPOTHESES, named
from theorems.errors import UserError

SHARP = named("one_layer_sink")


def test_every_hypothesis_can_be_dropped_by_name() -> None:
    for name in HYPOTHESES:
        claim = SHARP.changed(bound="12*eta").drop(name)
        assert not claim.keeps(name)
        assert name in claim.text()
    assert SHARP.drop("single_head").heads == 2
    assert (SHARP.drop("no_residual").layers, SHARP.drop("no_residual").residual) == (2, True)
    assert SHARP.changed(bound="12*eta").drop("length_4").lengths == (3,)
    softmax = named("one_layer_sink.softmax_after")
    assert softmax.drop("rows_sum_to_one").mechanism == "simplex"


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"lengths": (2,)}, "length 2"),
        ({"lengths": (3,)}, "length_4"),
        ({"lengths": ()}, "length"),
        ({"lengths": (99,)}, "length 99"),
        ({"heads": 0}, "heads 0"),
        ({"layers": 99}, "layers 99"),
        ({"mechanism": "magic"}, "unknown mechanism"),
        ({"rows": "some"}, "unknown rows"),
        ({"dropped": frozenset({"bos"})}, "unknown hypothesis"),
        ({"contents": ((Fraction(1),), ())}, "width"),
        ({"contents": ()}, "contents 0"),
        ({"anchor": False, "heads": 2}, "without BOS"),
        ({"spread": Fraction(2)}, "spread"),
    ],
)
def test_nonsense_is_one_sentence(change: dict, part: str) -> None:
    with pytest.raises(UserError, match=part):
        replace(SHARP, **change)


@pytest.mark.parametrize("bound", ["1/(L-4)", "eta/(kappa-kappa)", "-1", "eta - 2"])
def test_a_bound_that_never_says_anything_is_refused(bound: str) -> None:
    with pytest.raises(UserError, match="no value at L = 4"):
        SHARP.changed(bound=bound)


def test_unknown_names() -> None:
    with pytest.raises(UserError, match="can be falsified"):
        named("softmax_trained_sink")
    with pytest.raises(UserError, match="unknown hypothesis"):
        SHARP.drop("gravity")
