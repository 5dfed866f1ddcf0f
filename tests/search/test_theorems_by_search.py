"""Every statement as a Hypothesis test that follows the loaded profile.

``pytest -m search --hypothesis-profile=explore`` runs these for long, at random, and keeps what it
finds.  A failure here is a counterexample to a theorem: it prints as a model in exact figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import currently_in_test_context, event, given, note, target

from empirics.search import anchor_needed, average_error, deep_sink, relu_no_sink, trigger_task
from empirics.search import softmax_logits as logits
from empirics.search.engine import Verdict, search
from empirics.search.one_layer_models import judge_simplex, judge_softmax
from empirics.search.report import NEAR
from empirics.search.task_properties import Input, task_inputs
from empirics.strategies import (
    LawModel,
    LogitModel,
    Model,
    PrefixLogits,
    ReluCase,
    Stack,
    attention_models,
    bilinear_models,
    logit_models,
    models_without_bos,
    relu_cases,
    sharp_logit_models,
    stacks,
)
from theorems.one_layer_sink import SHARP

pytestmark = pytest.mark.search


def holds(panel: Mapping[str, Verdict], example: Any) -> None:
    """No true statement of the panel fails; climb on every ratio."""
    family = getattr(example, "family", "")
    for name, verdict in panel.items():
        if verdict.planted:
            continue
        if currently_in_test_context():
            event(f"{name} {'applies' if verdict.applies else 'does not apply'}")
            if verdict.applies and verdict.ratio is not None:
                target(float(verdict.ratio), label=f"{name}: {family}")
            if not verdict.holds:
                note(f"{name} is refuted at {dict(verdict.figures)}: {example.figures()}")
        assert verdict.holds, name


@given(attention_models())
def test_theorem_1(model: Model) -> None:
    holds(judge_simplex(model), model)


@given(attention_models(family="corner"))
def test_theorem_1_near_its_sharp_layers(model: Model) -> None:
    holds(judge_simplex(model), model)


@given(sharp_logit_models())
def test_theorem_1_for_logits_near_its_sharp_layers(model: PrefixLogits) -> None:
    holds(logits.judge(model), model)


@given(attention_models(softmax=True))
def test_theorem_1_for_softmax(model: Model) -> None:
    holds(judge_softmax(model), model)


@given(logit_models())
def test_theorem_1_for_logits_in_balls(model: LogitModel) -> None:
    holds(logits.judge(model), model)


@given(bilinear_models())
def test_theorem_1_on_average(example: LawModel) -> None:
    holds(average_error.judge(example), example)


@given(stacks())
def test_theorem_2(stack: Stack) -> None:
    holds(deep_sink.judge(stack), stack)


@given(relu_cases())
def test_theorem_3(case: ReluCase) -> None:
    holds(relu_no_sink.judge(case), case)


@given(models_without_bos())
def test_no_anchor_no_task(model: Model) -> None:
    holds(anchor_needed.judge(model), model)


@given(task_inputs())
def test_the_task(x: Input) -> None:
    holds(trigger_task.judge(x), x)


def test_position_free_logits_alone_would_not_count_for_theorem_1() -> None:
    """They stay far from its bound: neither near enough, nor able to refute a κ 30 % larger."""
    far = search([logit_models()], logits.judge, tries=80)
    result = logits.survived(far, SHARP, logits.LARGER, NEAR)
    assert result.status == "failed"
    assert "0 of 1 planted falsehoods found" in result.figure
    assert "the search did not climb" in result.figure


def test_undecided_logits_do_not_count() -> None:
    found = dict(logits.logit_search(160, 0))
    assert logits.survived(found, SHARP, logits.LARGER, NEAR).status == "passed"
    found[SHARP.name] = replace(found[SHARP.name], undecided=9)
    assert logits.survived(found, SHARP, logits.LARGER, NEAR).status == "failed"


class Nothing:
    """An example without figures."""

    family = "none"

    def figures(self) -> dict[str, str]:
        return {}


def test_a_false_statement_would_fail() -> None:
    holds({"true": Verdict(True, True), "planted": Verdict(True, False, planted=True)}, Nothing())
    with pytest.raises(AssertionError, match="false"):
        holds({"false": Verdict(True, False)}, Nothing())
