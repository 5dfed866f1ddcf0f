"""Figures of the constructions by hand, and guards that trip."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from constructions import spike_chain_network as chain
from constructions.aligned_rotations import half_angle, mean_rotation
from constructions.ball_statements import surely, surely_broken, to_ball
from constructions.balls import balls
from constructions.decoder import silu
from constructions.one_row import softmax_row, weighted_row
from constructions.pushed import attains, gap, pushed, sharp
from constructions.qk_norm_head import turned
from constructions.rational_norm import rational_rms_norm, rational_root
from constructions.spike_gauge_pair import epsilon_for
from constructions.spikes_without_sinks import importance
from theorems.arrays import exact
from theorems.logit_gap import LOGIT_GAP
from theorems.sink_is_gate import GATE

HALF = Fraction(1, 2)


def test_the_step_down_is_the_stated_number() -> None:
    assert Fraction(576001, 3840) == chain.MU
    assert chain.BOS @ chain.BOS == 10
    assert all(chain.ordinary(k) @ chain.ordinary(k) == 16 for k in (0, 7, 4095))


def test_the_spike_is_375_times_the_square_of_the_projection() -> None:
    cosine_squared = Fraction(4, 10)
    assert 375 * 16 * cosine_squared == chain.SIZE


def test_the_exact_network_is_the_network_in_balls() -> None:
    """With e^Δ for E, every state of the exact run lies in the balls of the real one."""
    h = chain.prompt([3, 77, 4000])
    exactly = chain.exact_network(Fraction(10**6)).run(h)
    real = chain.in_balls(silu).run(balls(h))
    for a, b in zip(exactly.states[:2], real.states[:2], strict=True):
        assert all(bool(abs(x - to_ball(y)) < 1e-8) for x, y in zip(b.flat, a.flat, strict=True))


def test_logits_are_zero_or_the_gap() -> None:
    spiked = chain.exact_network(Fraction(2)).run(chain.prompt([1, 2])).states[1]
    assert chain.exact_scores(spiked).tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    with pytest.raises(ValueError, match="neither 0 nor Δ"):
        chain.exact_scores(chain.prompt([1]) + chain.U)


def test_an_irrational_root_is_refused() -> None:
    assert rational_root(Fraction(9, 4)) == Fraction(3, 2)
    with pytest.raises(ValueError, match="irrational"):
        rational_root(Fraction(2))


def test_a_rational_norm_by_hand() -> None:
    y = rational_rms_norm(Fraction(11, 4), scale=Fraction(2))(exact([[3, 4, 0, 0]]))
    assert y.tolist() == [[Fraction(2), Fraction(8, 3), 0, 0]]


def test_the_chosen_epsilon_makes_both_norms_rational() -> None:
    states = exact([[1, 2, 0], [0, "1/3", 5]])
    epsilon = epsilon_for(states)
    assert epsilon > 0
    assert rational_rms_norm(epsilon)(states).shape == (2, 3)


def test_one_row_is_the_last_of_the_mechanism() -> None:
    assert weighted_row(exact([1, 2, 1])).tolist() == [Fraction(1, 4), HALF, Fraction(1, 4)]
    assert weighted_row(exact([0, 1])).tolist() == [0, 1]
    assert np.allclose(softmax_row(np.array([0.0, np.log(3.0)])), [0.25, 0.75])


def test_rope_turns_pairs() -> None:
    quarter = turned(exact([1, 0, 5, 7]), exact([0, 1]), exact([1, 0]))
    assert quarter.tolist() == [0, 1, 5, 7]


def test_a_full_turn_averages_to_nothing() -> None:
    assert mean_rotation((Fraction(0), Fraction(1)), 2) == (0, 0)
    x, y = half_angle(Fraction(1, 2))
    assert x**2 + y**2 == 1


def test_importance_is_a_mean_over_queries() -> None:
    assert importance(exact([[1, 0], ["1/2", "1/2"]])) == Fraction(3, 4)


def test_attained_pushed_and_gap() -> None:
    at = {"m": 2, "E": 1, "alpha": HALF}
    assert attains(LOGIT_GAP, **at)
    assert sharp(LOGIT_GAP, **at)
    assert not sharp(LOGIT_GAP, **at | {"alpha": Fraction(2, 3)})
    assert not attains(LOGIT_GAP, **at | {"E": -1})
    assert gap(LOGIT_GAP, **at | {"alpha": Fraction(2, 3)}) == Fraction(3, 4)
    assert pushed(LOGIT_GAP, "2").holds(**at | {"alpha": Fraction(1)})


def test_balls_decide_only_what_they_decide() -> None:
    wide = arb("0.5 +/- 0.1")
    assert not surely(LOGIT_GAP, m=2, E=1, alpha=wide)
    assert not surely_broken(LOGIT_GAP, m=2, E=1, alpha=wide)
    assert surely_broken(LOGIT_GAP, m=2, E=1, alpha=arb("0.3"))
    assert surely_broken(GATE, o=arb("0.3"), u=1, S=1, w=1)
    assert not surely_broken(GATE, o=wide, u=1, S=1, w=1)
    with pytest.raises(TypeError, match="float"):
        to_ball(0.5)
