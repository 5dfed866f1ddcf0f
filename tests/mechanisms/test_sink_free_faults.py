"""Every sink-free solution with one thing wrong: an error or a sink reappears, exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from constructions import output_gate, residual_positionless, undivided_scores
from constructions.directions import identity_off_bos
from constructions.divided_scores import plain_scores, sigmoid_scores
from constructions.mlp_after_head import mlp_after_head
from constructions.networks import Head, Network, inspect
from constructions.null_slot import SCORES, SINK_LOGITS, closed_form, null_slot
from constructions.residual_two_layers import residual_two_layers
from constructions.sharpness import SIGMOID, SOFTMAX, Sharpness, attention, by_flags
from constructions.silent_factors import factors
from constructions.sink_free import VERTICES, exactly, in_balls
from constructions.two_heads import two_heads
from constructions.ways_out import SILENT, SOLUTIONS
from theorems.arrays import exact
from theorems.evidence import Run
from theorems.one_layer_sink import SHARP
from theorems.trigger_task import BOS, TRIGGER, TriggerTask

TASK = TriggerTask(length=4, content_dim=1)
SHARP_E = Sharpness(Fraction(10**12))
HALF = Fraction(1, 2)
CONTENTS = VERTICES["±1"]
IN_BALLS = (*SOLUTIONS[:2], SOLUTIONS[3], *SILENT[:4], *SINK_LOGITS)
"""The constructions whose evidence uses ``in_balls``."""


def found(network: Network):
    return inspect(TASK, network, CONTENTS)


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda s: s.name)
def test_right_it_has_neither_error_nor_sink(solution) -> None:
    right = found(solution.build(TASK, SHARP_E))
    assert right.error < Fraction(1, 10**9)
    assert right.bos <= HALF
    assert solution.obeys(4, SHARP_E.E, right.error, right.bos)


@pytest.mark.parametrize("solution", SOLUTIONS[:-2], ids=lambda s: s.name)
def test_with_the_sharpness_flipped_error_or_sink_reappears(solution) -> None:
    wrong = found(solution.build(TASK, Sharpness(1 / SHARP_E.E)))
    assert wrong.error > Fraction(1, 3)
    assert not solution.statement.holds(
        L=4, E=SHARP_E.E, eta=wrong.error, alpha=wrong.bos, **solution.symbols
    )


@pytest.mark.parametrize("mechanism", ["linear", "relu"])
def test_plain_scores_with_their_sign_flipped(mechanism: str) -> None:
    layer = plain_scores(TASK, SHARP_E, mechanism)
    rows = layer.heads[0].rows
    if mechanism == "linear":
        flipped = Head(lambda tokens: -rows(tokens), layer.heads[0].M, simplex=False)
    else:  # ReLU cuts the flipped scores off
        flipped = Head(lambda tokens: rows(tokens) * 0, layer.heads[0].M, simplex=False)
    assert found(Network(((flipped,),))).error >= 1


def test_two_heads_that_do_not_cancel() -> None:
    right = two_heads(TASK, SHARP_E)
    first, second = right.heads
    assert found(Network(((first, replace(second, M=first.M)),))).error > 1
    assert found(Network(((first,),))).error > HALF


def test_residual_whose_second_layer_takes_back_too_little() -> None:
    first, second = residual_two_layers(TASK, SHARP_E).heads
    wrong = replace(second, M=second.M * Fraction(9, 10))
    assert found(Network(((first,), (wrong,)), residual=True)).error > Fraction(1, 20)


def test_residual_without_its_second_layer() -> None:
    first, _ = residual_two_layers(TASK, SHARP_E).heads
    assert found(Network(((first,),), residual=True)).error > HALF


@pytest.mark.parametrize("dropped", range(4))
def test_positionless_with_one_factor_dropped(dropped: int) -> None:
    lambdas = tuple(x for k, x in enumerate(factors(4)) if k != dropped)
    network = residual_positionless.residual_positionless(TASK, SHARP_E, lambdas)
    assert found(network).error > HALF


@pytest.mark.parametrize("moved", range(4))
def test_positionless_with_one_factor_off_by_one_per_cent(moved: int) -> None:
    lambdas = tuple(x * (Fraction(101, 100) if k == moved else 1) for k, x in enumerate(factors(4)))
    network = residual_positionless.residual_positionless(TASK, SHARP_E, lambdas)
    assert found(network).error > Fraction(1, 1000)


def test_mlp_with_too_low_a_threshold() -> None:
    assert found(mlp_after_head(TASK, SHARP_E, C=Fraction(1))).error >= HALF - Fraction(1, 10**9)


def test_mlp_on_larger_contents_needs_a_larger_threshold() -> None:
    larger = exact([["-3"], ["3"]])
    assert inspect(TASK, mlp_after_head(TASK, SHARP_E), larger).error > 1
    assert inspect(TASK, mlp_after_head(TASK, SHARP_E, C=Fraction(6)), larger).error < HALF


@pytest.mark.parametrize("gated", [output_gate.linear_gate, output_gate.sigmoid_gate])
def test_a_gate_that_is_always_open_lets_everything_through(gated) -> None:
    right = gated(TASK, SHARP_E)
    opened = replace(right, gate=lambda tokens: tokens[..., BOS] * 0 + 1)
    wrong = found(opened)
    assert wrong.error > 1 - Fraction(1, 10**9)
    assert wrong.gated == wrong.bos


def test_behind_a_gate_that_is_always_open_only_a_sink_is_silent() -> None:
    right = output_gate.linear_gate(TASK, SHARP_E)
    sinking = attention(SOFTMAX, by_flags({(2, BOS): 1, (TRIGGER, BOS): -1}), SHARP_E)
    opened = replace(
        right,
        layers=((Head(sinking, identity_off_bos(TASK.width)),),),
        gate=lambda tokens: tokens[..., BOS] * 0 + 1,
    )
    again = found(opened)
    assert again.error < Fraction(1, 10**9)
    assert again.bos > 1 - Fraction(1, 10**9)


def test_a_gate_that_reads_the_token_escapes_theorem_1() -> None:
    right = found(output_gate.linear_gate(TASK, SHARP_E))
    assert not SHARP.holds(L=4, alpha=right.bos, eta=right.error)
    assert right.gated == 0


def test_without_its_slot_the_null_slot_layer_is_plain_softmax() -> None:
    plain = attention(SOFTMAX, SCORES, SHARP_E)
    wrong = found(Network(((Head(plain, identity_off_bos(TASK.width)),),)))
    assert wrong.error > HALF
    assert SHARP.holds(L=4, alpha=wrong.bos, eta=wrong.error)


def test_a_smaller_slot_has_a_larger_error() -> None:
    E = Fraction(10**6)
    errors = [
        found(null_slot(TASK, Sharpness(E), S)).error for S in (Fraction(1, 1000), Fraction(1))
    ]
    assert errors[0] > 100 * errors[1]
    assert errors[1] == closed_form(4, E).error


def test_sigmoid_scores_half_open_everywhere() -> None:
    layer = sigmoid_scores(TASK, SHARP_E)
    wrong = attention(SIGMOID, by_flags({}), SHARP_E)
    assert found(Network(((replace(layer.heads[0], rows=wrong),),))).error == HALF


def test_rows_that_see_the_future_are_refused() -> None:
    head = sigmoid_scores(TASK, SHARP_E).heads[0]
    wrong = replace(head, rows=lambda tokens: head.rows(tokens) + 1)
    with pytest.raises(ValueError, match="after its own position"):
        found(Network(((wrong,),)))


def test_undivided_layer_off_its_best_values() -> None:
    task = TriggerTask(6, 0)
    right = undivided_scores.undivided_scores(6)
    M = right.heads[0].M.copy()
    M[TRIGGER, TRIGGER] += Fraction(1, 1000)
    assert inspect(task, right, exact([[]])).error == undivided_scores.floor(6)
    moved = Network(((replace(right.heads[0], M=M),),))
    assert inspect(task, moved, exact([[]])).error > undivided_scores.floor(6)


def test_rows_that_do_not_sum_to_one_are_refused_where_simplex_is_claimed() -> None:
    head = null_slot(TASK, SHARP_E).heads[0]
    with pytest.raises(ValueError, match="simplex"):
        found(Network(((replace(head, simplex=True),),)))


def wrong_form(solution, **changes):
    return replace(solution, closed=lambda L, E: replace(solution.closed(L, E), **changes))


@pytest.mark.parametrize("solution", [SOLUTIONS[0], SOLUTIONS[6]], ids=lambda s: s.name)
def test_the_checks_notice_a_wrong_closed_form(solution) -> None:
    too_small = Fraction(1, 10**12)
    for change in ({"error": too_small}, {"bos": too_small}, {"error_without_contents": too_small}):
        assert exactly(wrong_form(solution, **change), Run()).status == "failed"
    for change in ({"error": too_small}, {"bos": too_small}, {"bos": HALF + too_small}):
        assert in_balls(wrong_form(solution, **change), Run()).status == "failed"


@pytest.mark.parametrize("solution", IN_BALLS, ids=lambda s: s.name)
def test_balls_that_are_too_wide_show_nothing(solution) -> None:
    for bits in (8, 16, 24):
        assert in_balls(solution, Run(), bits=bits).status == "failed"
    assert in_balls(solution, Run()).status == "passed"


def test_a_ball_with_a_small_lower_end_and_a_large_upper_end_fails() -> None:
    """A ball from half to one and a half times the true values encloses them and shows nothing."""
    solution = SOLUTIONS[0]

    def widened(task, sharpness):
        network = solution.build(task, sharpness)
        first, second = network.heads
        return Network(((replace(first, rows=lambda t: first.rows(t) * arb(1, 0.5)), second),))

    outcome = in_balls(replace(solution, build=widened), Run())
    assert outcome.status == "failed"
    assert "closed form" in outcome.figure


def test_the_checks_notice_a_wrong_network() -> None:
    solution = SOLUTIONS[0]

    def spoiled(task, sharpness):
        first, second = solution.build(task, sharpness).heads
        return Network(((first, replace(second, M=second.M * Fraction(99, 100))),))

    wrong = replace(solution, build=spoiled)
    assert exactly(wrong, Run()).status == "failed"
    assert in_balls(wrong, Run()).status == "failed"


def test_factors_are_those_of_a_polynomial_that_is_silent() -> None:
    for length in range(4, 9):
        for z in (Fraction(1, r) for r in range(2, length)):
            product = np.prod([1 + x * z for x in factors(length)])
            assert abs(product - 1) < Fraction(1, 10**100)
