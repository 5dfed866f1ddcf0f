"""Faults, each planted in one place, with the check that must catch it.

A fault is a function of one switch.  With the switch off the check passes, with it on the check
gives the stated verdict, so it is the fault that trips it and nothing else.  Faults are injected by
replacing what a module looks up or what a check is given; no file is edited.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from constructions.enumeration import as_fraction, measure
from constructions.relu_zero_error import relu_zero_error
from constructions.sharp_witness import kappa, sharp_witness
from empirics.search.engine import Verdict, search
from empirics.search.judge import verdict
from empirics.search.report import outcome
from empirics.search.softmax_logits import between
from empirics.search.task_properties import FAULTS as TASK_FAULTS
from empirics.search.task_properties import PROPERTIES, Input
from empirics.strategies import Model, attention_models
from empirics.strategies.model import identity_off_bos, linear_values
from empirics.strategies.row_rules import ByRole, Sink, UniformOffBos
from theorems import attention
from theorems.arrays import exact
from theorems.attention import MECHANISMS, AttentionLayer, Mechanism
from theorems.evidence import Evidence, Kind, Mode, Outcome, Run, check, evidence
from theorems.one_layer_sink import EPSILON, SHARP
from theorems.relu_no_sink import STATEMENT as RELU
from theorems.symbols import L
from theorems.symbols import kappa as kappa_symbol
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

TASK = TriggerTask(length=5, content_dim=1)
CONTENTS = exact([["-1"], ["1/2"]])
INPUT = Input(TASK, TASK.tokens(exact([["1"], ["-1/2"], ["3"], ["1/4"]]), 4), seed=1)
QUARTER = Fraction(1, 4)


@dataclass(frozen=True)
class Fault:
    """``look(planted)`` runs the check; it answers ``sound`` without the fault, else ``caught``."""

    name: str
    look: Callable[[bool], str]
    sound: str
    caught: str


def hard_sink() -> Model:
    """The plain solution with all other rows on BOS: error exactly 0."""
    contents = tuple(tuple(c) for c in CONTENTS)
    values = linear_values(TASK, contents, identity_off_bos(TASK))
    return Model("hard sink", TASK, contents, values, ByRole(UniformOffBos(), Sink(), Sink()))


def answer(action: Callable[[], Any]) -> str:
    """What ``action`` returns, or the exception that it raises, as a line."""
    try:
        return str(action())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def rows_changed(change: Callable[[np.ndarray, np.ndarray], None]) -> Callable[[bool], str]:
    """The hard sink measured, with ``change(rows, tokens)`` applied to its rows in place."""

    def look(planted: bool) -> str:
        model = hard_sink()

        def rows(tokens: np.ndarray) -> np.ndarray:
            out = model.rows(tokens)
            if planted:
                change(out, tokens)
            return out

        return answer(lambda: f"error {measure(TASK, rows, model.value, CONTENTS).error}")

    return look


def short_row(rows: np.ndarray, tokens: np.ndarray) -> None:
    rows[:, 2, 0] -= Fraction(1, 100)


def negative_weight(rows: np.ndarray, tokens: np.ndarray) -> None:
    rows[:, 2, 0] += 1
    rows[:, 2, 1] -= 1


def one_key_ahead(rows: np.ndarray, tokens: np.ndarray) -> None:
    rows[:, 1, 0], rows[:, 1, 2] = 1 - QUARTER, QUARTER


def reads_the_next_token(rows: np.ndarray, tokens: np.ndarray) -> None:
    """Row 2 moves weight when token 3 is the first content."""
    peeked = tokens[:, 2, -1] == CONTENTS[0, 0]
    rows[peeked, 1, 0], rows[peeked, 1, 1] = 1 - QUARTER, QUARTER


def bos_with_a_value(planted: bool) -> str:
    model = hard_sink()
    if planted:
        bos = tuple(QUARTER if k == ORDINARY else Fraction(0) for k in range(TASK.width))
        model = model.with_values(replace(model.values, bos=bos))
    return f"error {measure(TASK, model.rows, model.value, CONTENTS).error}"


def mask_shifted(by: int) -> Callable[[bool], str]:
    """The ReLU solution with key k visible to query i when k ≤ i + ``by``."""

    def look(planted: bool) -> str:
        with pytest.MonkeyPatch.context() as patch:
            if planted:
                patch.setattr(
                    attention, "causal_mask", lambda x: np.tri(x.shape[-1], k=by, dtype=bool)
                )
            layer = relu_zero_error(TASK.width)
            return answer(
                lambda: f"error {measure(TASK, layer.rows, layer.M, CONTENTS, simplex=False).error}"
            )

    return look


def relu_changed(change: Callable[[AttentionLayer], AttentionLayer]) -> Callable[[bool], str]:
    """Theorem 3's predicate for the ReLU solution, perhaps changed."""

    def look(planted: bool) -> str:
        layer = relu_zero_error(TASK.width)
        layer = change(layer) if planted else layer
        found = measure(TASK, layer.rows, layer.M, CONTENTS, simplex=False)
        holds = RELU.holds(L=5, n=1, eta=found.error, alpha=found.bos)
        return f"{'holds' if holds else 'violated'}, error {found.error}"

    return look


def rescaled(factor: Callable[[int], Fraction]) -> Callable[[AttentionLayer], AttentionLayer]:
    """ReLU attention with the row of 0-based position i multiplied by ``factor(i)``."""

    def change(layer: AttentionLayer) -> AttentionLayer:
        def rows(logits: np.ndarray) -> np.ndarray:
            scale = exact([factor(i) for i in range(logits.shape[-1])])
            return MECHANISMS["relu"].rows(logits) * scale[:, None]

        return replace(layer, mechanism=Mechanism("rescaled", rows, simplex=False))

    return change


def without_own_content(layer: AttentionLayer) -> AttentionLayer:
    layer.A[TRIGGER, TRIGGER] = Fraction(0)
    return layer


def looks_at_bos(layer: AttentionLayer) -> AttentionLayer:
    layer.A[TRIGGER, BOS] = layer.A[ORDINARY, BOS] = Fraction(1)
    return layer


def task_changed(name: str) -> Callable[[bool], str]:
    """All properties of the task with another definition of its targets."""

    def look(planted: bool) -> str:
        with pytest.MonkeyPatch.context() as patch:
            original, (fault, _) = TriggerTask.targets, TASK_FAULTS[name]
            if planted:
                # The faulty definition calls the true one, so keep that reachable.
                true = _Task(TASK.length, TASK.content_dim, original)
                patch.setattr(TriggerTask, "targets", lambda self, tokens: fault(true, tokens))
            return broken(INPUT)

    return look


@dataclass(frozen=True)
class _Task:
    length: int
    content_dim: int
    define: Callable[..., np.ndarray]

    def targets(self, tokens: np.ndarray) -> np.ndarray:
        return self.define(TriggerTask(self.length, self.content_dim), tokens)


def broken(x: Input) -> str:
    """The properties of the task that fail on ``x``."""
    names = [name for name, holds in PROPERTIES.items() if not holds(x, x.task.targets)]
    return ", ".join(names) or "every property holds"


def error_without_bos_row(planted: bool) -> str:
    def error(self: TriggerTask, outputs: np.ndarray, tokens: np.ndarray) -> Fraction:
        return abs(outputs - self.targets(tokens))[..., 1:, :].max()

    with pytest.MonkeyPatch.context() as patch:
        if planted:
            patch.setattr(TriggerTask, "error", error)
        return broken(INPUT)


def with_constant(expression: sp.Expr) -> Callable[[bool], str]:
    """Theorem 1 with another κ at its sharp witness: it must hold, and with little to spare."""

    def look(planted: bool) -> str:
        statement = replace(SHARP, where={kappa_symbol: expression}) if planted else SHARP
        small = Fraction(1, 1000)
        witness = sharp_witness(5, kappa(5) / 4, small)
        found = measure(TriggerTask(5, 0), witness.rows, witness.M, exact([[]]))
        judged = verdict(statement, L=5, alpha=found.bos, eta=found.error)
        if not judged.holds:
            return "violated"
        assert judged.ratio is not None
        return "attained" if judged.ratio >= 1 - small else "not attained"

    return look


def flipped(planted: bool) -> str:
    statement = SHARP
    if planted:
        turned = sp.GreaterThan(SHARP.conclusion.lts, SHARP.conclusion.gts, evaluate=False)
        statement = replace(SHARP, conclusion=turned)
    holds = statement.holds(L=5, alpha=Fraction(99, 100), eta=Fraction(1, 100))
    return "holds" if holds else "violated"


def float_in_a_predicate(planted: bool) -> str:
    alpha = 0.9 if planted else Fraction(9, 10)
    return answer(lambda: SHARP.holds(L=4, alpha=alpha, eta=Fraction(1, 50)))


def float_in_an_exact_array(planted: bool) -> str:
    return answer(lambda: exact([0.1 if planted else "1/10"])[0])


def integers_in_an_exact_array(planted: bool) -> str:
    contents = exact([["1"], ["2"], ["3"], ["4"]])
    if planted:
        contents = np.array([[1], [2], [3], [4]], dtype=object)
    return answer(lambda: str(TASK.targets(TASK.tokens(contents, 3))[2, -1]))


def evidence_without_a_docstring(planted: bool) -> str:
    def declared(run: Run) -> Outcome:
        return check(True, "fine")

    declared.__doc__ = None if planted else "Passing means something."
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theorems.evidence._DECLARED", {})
        return answer(lambda: evidence("one_layer_sink", kind="exact")(declared) is declared)


def evidence_that_asserts_nothing(planted: bool) -> str:
    def function(run: Run) -> Any:
        """Passing means that something was looked at."""
        return None if planted else check(True, "looked at")

    item = Evidence("one_layer_sink", Kind.EXACT, "one_layer_sink", Mode.QUICK, function)
    return "passed" if answer(lambda: item.collect(Run()).status) == "passed" else "not passed"


def searched(
    judge: Callable[[Any], dict[str, Verdict]], planted_names: tuple[str, ...] = ("false",)
) -> str:
    """The outcome of a small search, by the start of its figure and its status."""
    found = outcome(search(attention_models(TASK_4), judge, tries=40), "true", planted_names)
    witness = found.figures.get("counterexample", {})
    return f"{found.status} with its witness" if "value of BOS" in witness else found.status


TASK_4 = TriggerTask(4, 0)
FALSE = Verdict(True, False, planted=True)


def search_that_never_applies(planted: bool) -> str:
    return searched(lambda m: {"true": Verdict(not planted, True), "false": FALSE})


def search_that_seldom_applies(planted: bool) -> str:
    calls = iter(range(10_000))

    def judge(model: Model) -> dict[str, Verdict]:
        applies = not planted or next(calls) % 4 == 0
        return {"true": Verdict(applies, True), "false": FALSE}

    return searched(judge)


def search_that_finds_nothing(planted: bool) -> str:
    """The planted false statement survives: the search is too weak to count."""
    false = replace(FALSE, holds=planted)
    return searched(lambda m: {"true": Verdict(True, True), "false": false})


def search_with_nothing_planted(planted: bool) -> str:
    names = () if planted else ("false",)
    return searched(lambda m: {"true": Verdict(True, True), "false": FALSE}, names)


def search_with_a_counterexample(planted: bool) -> str:
    def judge(model: Model) -> dict[str, Verdict]:
        error = as_fraction(measure(TASK_4, model.rows, model.value, exact([[]])).error)
        return {"true": Verdict(True, not planted or error < QUARTER / 5), "false": FALSE}

    return searched(judge)


def undecided_ball(planted: bool) -> str:
    """η is known to within a ball that reaches over what α allows."""
    high = Fraction(1, 20) if planted else Fraction(1, 1000)
    half = Fraction(1, 2)
    found = between(SHARP, 4, (Fraction(1, 1000), high), "alpha", (half, half))
    if found.undecided:
        return "undecided"
    return "holds" if found.holds else "violated"


def epsilon_of_the_wrong_threshold(planted: bool) -> str:
    """The paper's form with η(ε) = εκ for εκ/(1+ε)."""
    statement = EPSILON
    if planted:
        bound = sp.Symbol("epsilon", real=True) * kappa_symbol
        eta = sp.Symbol("eta", real=True)
        statement = replace(EPSILON, hypotheses=(*EPSILON.hypotheses[:-1], eta <= bound))
    half = Fraction(1, 2)
    error = half * kappa(5) / (1 + half) * Fraction(11, 10)
    witness = sharp_witness(5, error, Fraction(1, 1000))
    found = measure(TriggerTask(5, 0), witness.rows, witness.M, exact([[]]))
    holds = statement.holds(L=5, alpha=found.bos, eta=found.error, epsilon=half)
    return "holds" if holds else "violated"


NO_SIMPLEX = "ValueError: trigger at 3: some row is not a causal simplex row"

FAULTS = (
    Fault("a row that does not sum to one", rows_changed(short_row), "error 0", NO_SIMPLEX),
    Fault("a negative weight", rows_changed(negative_weight), "error 0", NO_SIMPLEX),
    Fault("a row that sees one key ahead", rows_changed(one_key_ahead), "error 0", NO_SIMPLEX),
    Fault(
        "a row that depends on the next token",
        rows_changed(reads_the_next_token),
        "error 0",
        "ValueError: the row of position 2 depends on tokens after it",
    ),
    Fault("BOS with a value", bos_with_a_value, "error 0", "error 1/4"),
    Fault(
        "a mask that shows one future key",
        mask_shifted(1),
        "error 0",
        "ValueError: trigger at 3: some row has weight after its own position",
    ),
    Fault("a mask without the diagonal", mask_shifted(-1), "error 0", "error 1/2"),
    Fault(
        "ReLU without 1/(i − 1)",
        relu_changed(rescaled(lambda i: Fraction(max(1, i)))),
        "holds, error 0",
        "violated, error 3",
    ),
    Fault(
        "ReLU divided by i",
        relu_changed(rescaled(lambda i: Fraction(max(1, i), i + 1))),
        "holds, error 0",
        "violated, error 1/3",
    ),
    Fault(
        "the trigger's own content dropped",
        relu_changed(without_own_content),
        "holds, error 0",
        "violated, error 1/2",
    ),
    Fault(
        "ReLU with weight on BOS",
        relu_changed(looks_at_bos),
        "holds, error 0",
        "violated, error 0",
    ),
    Fault(
        "a mean that excludes the trigger",
        task_changed("mean excludes the trigger"),
        "every property holds",
        "mean_at_trigger",
    ),
    Fault(
        "a mean that includes BOS",
        task_changed("mean includes BOS"),
        "every property holds",
        "mean_at_trigger, contents_shift",
    ),
    Fault(
        "the wrong divisor",
        task_changed("divided by j"),
        "every property holds",
        "mean_at_trigger, contents_shift",
    ),
    Fault(
        "a target after the trigger",
        task_changed("target kept after the trigger"),
        "every property holds",
        "zero_elsewhere",
    ),
    Fault(
        "an error without the BOS row",
        error_without_bos_row,
        "every property holds",
        "loss_sees_every_row",
    ),
    Fault(
        "κ with L − 2 for L − 3",
        with_constant((L - 2) / (4 * (L - 1))),
        "attained",
        "violated",
    ),
    Fault(
        "κ 5 % too large",
        with_constant(SHARP.where[kappa_symbol] * sp.Rational(21, 20)),
        "attained",
        "violated",
    ),
    Fault(
        "κ 10 % too small",
        with_constant(SHARP.where[kappa_symbol] * sp.Rational(9, 10)),
        "attained",
        "not attained",
    ),
    Fault("κ without its 4", with_constant((L - 3) / (L - 1)), "attained", "violated"),
    Fault("η(ε) without 1/(1 + ε)", epsilon_of_the_wrong_threshold, "holds", "violated"),
    Fault("≤ turned round", flipped, "holds", "violated"),
    Fault(
        "a float in an exact predicate",
        float_in_a_predicate,
        "True",
        "TypeError: alpha given as float: exact predicates take fractions",
    ),
    Fault(
        "a float in an exact array",
        float_in_an_exact_array,
        "1/10",
        "TypeError: 0.1 is a float: write it as a fraction, for instance '1/3'",
    ),
    Fault(
        "integers in an exact array",
        integers_in_an_exact_array,
        "3/2",
        "TypeError: an exact array holds Fraction, fmpq or arb entries, not int: "
        "build it with theorems.arrays.exact",
    ),
    Fault(
        "evidence without a docstring",
        evidence_without_a_docstring,
        "True",
        "ValueError: evidence one_layer_sink/exact/declared needs a docstring that says what "
        "passing means",
    ),
    Fault("evidence that asserts nothing", evidence_that_asserts_nothing, "passed", "not passed"),
    Fault("hypotheses that never apply", search_that_never_applies, "passed", "failed"),
    Fault("hypotheses that seldom apply", search_that_seldom_applies, "passed", "failed"),
    Fault("a planted falsehood that survives", search_that_finds_nothing, "passed", "failed"),
    Fault("a search with nothing planted", search_with_nothing_planted, "passed", "failed"),
    Fault(
        "a counterexample",
        search_with_a_counterexample,
        "passed",
        "failed with its witness",
    ),
    Fault("balls that overlap", undecided_ball, "violated", "undecided"),
)
