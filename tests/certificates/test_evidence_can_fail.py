"""The certified evidence fails when a model, a bound or a witness is not what it should be."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest

from empirics.certificates import evidence, evidence_heads, evidence_stacks
from empirics.certificates.box_bounds import BoxBounds
from empirics.certificates.evidence import Certified
from empirics.certificates.softmax_bounds import Bounds
from empirics.certificates.stack_bounds import StackBounds
from tests.certificates.test_soundness import random_head
from theorems.evidence import Finding


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


def stack(
    mass: str = "1/10000000", composed: str = "1/100", eta: str = "1/30", reached: str = "1/50"
):
    limits = StackBounds(
        (Fraction(mass), Fraction(1)), Fraction(composed), {"trigger": Fraction(eta)}, ()
    )
    return "seed-0", limits, Fraction(reached)


WIDE = stack(eta="2", reached="9/10")
"""A model beyond Theorem 2 whose first layer sinks."""


def test_two_layers_that_sink_pass():
    outcome = evidence_stacks.verdict([stack(), stack(), WIDE])
    assert outcome.status == "passed"
    assert outcome.figures["applies"] == 2


@pytest.mark.parametrize(
    "models",
    [
        [stack(), *[stack(mass="1", composed="1", eta="2", reached="9/10")] * 7],
        [stack(), stack(), stack(mass="1/100000")],  # a first layer that sinks too little
        [stack(), stack(), stack(composed="1/10")],  # composed rows that do
        [stack(), stack(), stack(reached="1/29")],  # an input beats the bound
        [stack(), stack(), stack(reached="0")],  # no error at all: Theorem 2 asks for a full sink
        [stack(), WIDE],  # Theorem 2 applies to too few
        [stack(), stack(eta="1/4")],  # a bound on the error above κ = 13/60
    ],
)
def test_two_layers_that_do_not_fail(models):
    assert evidence_stacks.verdict(models).status == "failed"


def heads(first: str, second: str) -> BoxBounds:
    return BoxBounds(((Fraction(1), Fraction(first)), (Fraction(1), Fraction(second))), {})


def test_two_by_two_says_no_more_than_its_thresholds():
    good, loose = heads("1/100", "1/2"), heads("1/100", "1")
    outcome = evidence_heads.verdict([good, good, good, loose], 1)
    assert outcome.status == "passed"
    assert outcome.finding is None  # a part of A7
    for bad in ([good, good, loose, loose], [good, good, good, heads("1/10", "1/2")]):
        failed = evidence_heads.verdict(bad, 1)
        assert failed.status == "failed"
        assert failed.finding is Finding.INCONCLUSIVE
    assert evidence_heads.verdict([good], 0).status == "failed"
