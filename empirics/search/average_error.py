"""Search for a layer, softmax at the trigger, of small expected error that often does not sink."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from constructions.enumeration import as_fmpq, as_fraction, every_case
from empirics.search.engine import Panel, search
from empirics.search.judge import tightened, verdict, verdicts
from empirics.search.report import outcome
from empirics.strategies import LawModel, bilinear_models
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import AVERAGE

LIMIT = Fraction(1, 6)
JUST_BELOW = Fraction(999, 1000)
SMALLER = tightened(AVERAGE, "10")
"""The constant is not sharp: the search comes to about one part in six."""
STRICTER = replace(AVERAGE, name="one_layer_sink.average, sinks at 1 − s/30 (planted)")


def profile(example: LawModel) -> tuple[Fraction, dict[Fraction, Fraction]]:
    """The expected error, and the law of the largest mass off BOS before the trigger.

    The trigger is uniform on 3..L, contents are independent with the model's law; exact.
    """
    model = example.model
    share = Fraction(1, model.task.length - 2)
    expected, law = Fraction(0), dict[Fraction, Fraction]()
    for case in every_case(model.task, model.rows, model.value, as_fmpq(model.content_set)):
        chances = example.probabilities(case.tokens)
        for p, error, weights in zip(chances, case.error, case.bos_before, strict=True):
            expected += share * p * as_fraction(error)
            mass = 1 - min(as_fraction(a) for a in weights)
            law[mass] = law.get(mass, Fraction(0)) + share * p
    return expected, law


def sharpest(law: dict[Fraction, Fraction], per_error: Fraction) -> tuple[Fraction, Fraction]:
    """The s ≤ 1/6 with the largest δ·s, and δ = P(mass > per_error·s).

    δ is a step function of s, so s is best just below a step.
    """
    steps = [min(mass / per_error, LIMIT) * JUST_BELOW for mass in law if mass > 0]

    def chance(s: Fraction) -> Fraction:
        return sum((p for x, p in law.items() if x > per_error * s), Fraction(0))

    choices = [(s, chance(s)) for s in steps]
    return max(choices, key=lambda c: c[0] * c[1], default=(LIMIT * JUST_BELOW, Fraction(0)))


def judge(example: LawModel) -> Panel:
    """T1-average at its sharpest s; planted: a smaller constant, and a stricter notion of sink."""
    expected, law = profile(example)
    at = {"L": example.model.task.length, "eta": expected}
    s, delta = sharpest(law, Fraction(3))
    panel: dict = verdicts((AVERAGE, SMALLER), **at, s=s, delta=delta)
    s, delta = sharpest(law, Fraction(1, 30))
    panel[STRICTER.name] = verdict(STRICTER, planted=True, **at, s=s, delta=delta)
    return panel


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.average")
def no_law_without_a_likely_sink(run: Run) -> Outcome:
    """No finite law of contents violates δs ≤ ((L−2)(L−1)/2 + 1)η; a tenth of it falls."""
    tries = run.scale(300, 600, 3000)
    records = search(bilinear_models(), judge, tries=tries, start=run.seed)
    return outcome(records, AVERAGE.name, (SMALLER.name, STRICTER.name))
