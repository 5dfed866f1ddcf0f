"""The certified evidence fails when a model, a bound or a witness is not what it should be."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest

from empirics.certificates import evidence
from empirics.certificates.evidence import Certified
from empirics.certificates.softmax_bounds import Bounds
from tests.certificates.test_soundness import random_head


def model(mass: str = "1/1000", eta: str = "1/50", **more) -> Certified:
    limits = Bounds({2: Fraction(mass)}, {4: Fraction(mass)}, {"trigger": Fraction(eta)})
    made = Certified(
        "seed-0", "", random_head(1, 0), "", limits, Fraction(1, 100), Fraction(1, 1001)
    )
    return dataclasses.replace(made, **more)


def test_good_numbers_pass():
    assert evidence.sinks([model()], 1, 1).status == "passed"
    assert evidence.obeys([model()]).status == "passed"
    assert evidence.pays([model()]).status == "passed"


@pytest.mark.parametrize(
    "bad",
    [
        model(
            mass="1/50",
        ),  # sinks too little, and far from what was found
        model(eta="1/25"),  # four times the worst found
        model(error=Fraction(1, 40)),  # an input beats the bound on the error
        model(mass="1/1002"),  # an input beats the bound on the mass
    ],
)
def test_bad_numbers_fail(bad: Certified):
    assert evidence.sinks([model(), bad], 2, 1).status == "failed"


def test_an_unchecked_certificate_fails():
    assert evidence.sinks([model()], 1, 0).status == "failed"


def test_a_model_that_refutes_theorem_1_fails():
    refuting = model(mass="1/5", error=Fraction(1, 100))
    assert evidence.obeys([model(), refuting]).status == "failed"
    assert evidence.pays([model(), refuting]).status == "failed"


def test_stored_models_are_there():
    for attention in ("softmax", "relu"):
        found = sorted(evidence.ROOT.glob(evidence.FOLDER.format(attention)))
        assert [Path(p).stem for p in found] == sorted(f"seed-{s}" for s in range(16))
