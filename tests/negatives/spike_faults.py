"""Faults in what is shown on spikes and sinks, each planted in one place, with what must catch it.

The same shape as ``planted_faults``: with the switch off the check passes, with it on the check
gives the stated verdict.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from flint import arb

from constructions import spike_chain_network as chain
from constructions.aligned_rotations import budget, drawn_pairs, mean_logit, power, times
from constructions.averaged_silence import uniform
from constructions.ball_statements import surely, surely_broken, to_ball
from constructions.balls import balls
from constructions.decoder import Decoder, Mlp, identity, silu
from constructions.gap_mass import exactly_at_the_gap
from constructions.head_norms import STATES, figures, one_row
from constructions.one_row import weighted_row
from constructions.pushed import attains
from constructions.quadratic_pairs import amplifier, remainders, square_form
from constructions.rational_norm import rational_rms_norm
from constructions.sandwich_stack import along, greedy_stack, pair_of_size
from constructions.sink_gate import with_gate, with_sink
from constructions.sinks_without_spikes import QuietSink
from constructions.spike_gauge_pair import rational_network, same_function
from constructions.spikes_without_sinks import gated_network
from empirics.search.attention_mass import rows_with_a_gap
from empirics.search.drawn import Drawn, survives
from tests.negatives.planted_faults import Fault, answer
from theorems.arrays import exact
from theorems.decoupling import SINKS_WITHOUT_SPIKES
from theorems.evidence import Run
from theorems.head_dimension import CEILING, LOGIT
from theorems.head_norm_tradeoff import SQUARES
from theorems.logit_gap import LOGIT_GAP
from theorems.quadratic_amplifier import PAIR, QUADRATIC
from theorems.rope_budget import BUDGET
from theorems.sandwich_bound import SANDWICH
from theorems.silence_by_averaging import SILENCE
from theorems.spike_chain import NETWORK
from theorems.spike_gauge import GAUGE

ONE = Fraction(1)
HALF = Fraction(1, 2)


def verdict(holds: object) -> str:
    return "holds" if holds else "violated"


def form_over_all_units(planted: bool) -> str:
    """The pair of gates ±s against its quadratic form at a state with sᵀh = 3."""
    state = exact([3, 0])
    mlp = amplifier([(exact([1, 0]), exact([5, 0]))])
    S = square_form(mlp, 0, None if planted else state)
    at = {"out": mlp(balls(state))[0], "form": state @ S @ state, "R": remainders(mlp, 0, state)}
    return verdict(surely(QUADRATIC, **at))


def one_gate(planted: bool) -> str:
    s, down = exact([[1], [-1]]), exact([[5, -5]])
    if planted:
        s, down = s[:1], down[:, :1]
    mlp = Mlp(into=s, down=down, activation=silu, up=abs(s))
    out = mlp(balls(exact([3])))[0]
    return verdict(not surely_broken(PAIR, out=out, lambda_1=5, t=3, E=arb(3).exp()))


def wrong_step_down(change: Callable[[Mlp], Mlp]) -> Callable[[bool], str]:
    """The spike's network with its last block changed; BOS must be what it was."""

    def look(planted: bool) -> str:
        down = chain.step_down()
        assert isinstance(down, Mlp)
        network = chain.exact_network(ONE, down=change(down) if planted else down)
        trace = network.run(chain.prompt([0, 5]))
        final = abs(trace.states[-1][0] - chain.BOS).max()
        at = {"i": 3, "E": ONE, "alpha": trace.rows[1][0][2, 0], "spike": 1920, "final": final}
        return f"{verdict(NETWORK.holds(**at))}, final {final}"

    return look


def ordinary_token_on_the_spike(planted: bool) -> str:
    """An ordinary token with a part on the spike channels takes a logit of its own."""
    h = chain.prompt([0, 5])
    h[2, 2] = Fraction(1) if planted else Fraction(0)
    return answer(lambda: str(chain.exact_network(ONE).run(h).rows[1][0][2, 0]))


def sink_with_a_value(planted: bool) -> str:
    others, values = exact([1, 2]), exact([[4], [1]])
    out = with_sink(Fraction(6), others, values)
    if planted:
        out = out + weighted_row(exact([6, 1, 2]))[0]
    return verdict((out == with_gate(Fraction(6), others, values)).all())


def gate_of_another_gap(planted: bool) -> str:
    """The gate in place of the sink, at twice the sink's e^Δ."""
    h, E = chain.prompt([0, 5, 9]), Fraction(4)
    one, other = chain.exact_network(E), gated_network(2 * E if planted else E)
    return verdict((one.run(h).states[-1] == other.run(h).states[-1]).all())


def rescaled(**options: bool) -> Callable[[bool], str]:
    """The gauge with one part of the rescaling forgotten or added."""

    def look(planted: bool) -> str:
        network, c = rational_network(random.Random(3)), Fraction(3)
        other = network.rescaled(c, **options) if planted else network.rescaled(c)
        try:
            return "same function" if same_function(network, other, c) else "another function"
        except ValueError:
            return "another function"

    return look


def post_norm_and_gauge(planted: bool) -> str:
    """A block under sandwich norm writes the same however large W_down is: no gauge."""
    c, start = Fraction(3), Fraction(5)
    if planted:
        h, h_c = (greedy_stack(1, ONE).run(along(16, a)).states[-1] for a in (start, c * start))
    else:
        h = pair_of_size(16, Fraction(7))(along(16, start))[1]
        h_c = pair_of_size(16, c * 7)(along(16, c * start))[1]
    return verdict(GAUGE.holds(c=c, h=h[0, 0], h_c=h_c[0, 0], y=0, y_c=0))


def sandwich_without_its_norm(planted: bool) -> str:
    stack = greedy_stack(3, ONE)
    if planted:
        stack = Decoder(tuple(replace(block, post=identity) for block in stack.blocks))
    reached = stack.run(along(16, Fraction(5))).states[-1][0, 0]
    at = {"B": 3, "d": 16, "R": 4, "gamma": 1, "x_0": 5, "x_B": reached}
    return f"{verdict(SANDWICH.holds(**at))}, norm {reached}"


def scale_forgotten(planted: bool) -> str:
    """QK-norm without 1/√d_h."""
    return verdict(LOGIT.holds(d_h=16, g=1, z=16 if planted else Fraction(16, 4)))


def keys_left_out(planted: bool) -> str:
    """A ceiling that counts one key more than the row has."""
    row = weighted_row(exact([2, HALF, HALF]))
    return verdict(CEILING.holds(m=4 if planted else 3, E=2, alpha=row[0]))


def key_turned_away(planted: bool) -> str:
    pairs = drawn_pairs(random.Random(0), 2, 4)
    if planted:
        pairs = [(z, q, times(k, power(z, 1))) for z, q, k in pairs]
    Z = mean_logit(pairs, 4, 2)
    return "attained" if attains(BUDGET, d_h=4, R=2, budget=budget(pairs, 4), Z=Z) else "below"


def opposite_values(planted: bool) -> str:
    """Two keys with values v and −v (not independent) are silent without a sink."""
    a, b = uniform(2, Fraction(0))
    V = (a - b) ** 2 if planted else a**2 + b**2
    return verdict(SILENCE.holds(m=2, alpha=0, sigma=1, V=V))


def cost_of_queries_only(planted: bool) -> str:
    q, k = STATES[0]
    weights = one_row(4, q, k, ONE)
    at = figures(weights, q, k, 2)
    if planted:
        at["cost"] = (weights[0] * weights[0]).sum() / 2
    return verdict(SQUARES.holds(**at))


def quiet(ids: list[int], most: int) -> str:
    """The quiet sink's row at the last position, against its bound."""
    network = QuietSink(3, most, Fraction(12), Fraction(10))
    alpha = network.decoder().run(network.embed(ids)).rows[1][0][-1, 0]
    at = {"i": len(ids), "E": network.gap().exp(), "h": 2, "alpha": alpha}
    return "holds" if surely(SINKS_WITHOUT_SPIKES, **at) else "violated"


def first_two_tokens_equal(planted: bool) -> str:
    return quiet([0, 0, 1] if planted else [0, 1, 1], 7)


def threshold_for_shorter_sequences(planted: bool) -> str:
    """θ for lengths up to 2 lets the MLP fire at position 7 of (a, b, b, …)."""
    return quiet([0, 1, 1, 1, 1, 1, 1], 2 if planted else 7)


def gap_of_the_wrong_sign(planted: bool) -> str:
    alpha = exactly_at_the_gap(5, Fraction(1, 4) if planted else Fraction(4))[0]
    return verdict(LOGIT_GAP.holds(m=5, E=4, alpha=alpha))


def irrational_norm(planted: bool) -> str:
    state = exact([1 if planted else 4, 3, 0, 0])
    return answer(lambda: str(rational_rms_norm()(state)[1]))


def float_in_a_ball(planted: bool) -> str:
    return answer(lambda: f"{to_ball(0.5 if planted else HALF)}")


def overlapping_balls(planted: bool) -> str:
    """Equality within a ball's radius is neither surely true nor surely false."""
    alpha = arb("0.5") + (arb("0 +/- 0.1") if planted else arb("0.2"))
    at = {"m": 2, "E": 1, "alpha": alpha}
    return f"{surely(LOGIT_GAP, **at)}, {surely_broken(LOGIT_GAP, **at)}"


def search_that_draws_nothing_sharp(planted: bool) -> str:
    """Rows with the sink far above everything cannot refute a bound 30 % too high."""
    far = rows_with_a_gap().map(
        lambda drawn: Drawn({"m": 2, "E": Fraction(2), "alpha": Fraction(999, 1000)})
    )
    return survives(Run(), LOGIT_GAP, far if planted else rows_with_a_gap()).status


def search_with_a_counterexample(planted: bool) -> str:
    less = rows_with_a_gap().map(
        lambda drawn: Drawn({**drawn.values, "alpha": drawn.values["alpha"] * Fraction(9, 10)})
    )
    found = survives(Run(), LOGIT_GAP, less if planted else rows_with_a_gap())
    return found.status + (", with its witness" if "counterexample" in found.figures else "")


def weaker(mlp: Mlp) -> Mlp:
    return replace(mlp, down=mlp.down * Fraction(99, 100))


def silent(mlp: Mlp) -> Mlp:
    return replace(mlp, down=mlp.down * 0)


def one_channel(mlp: Mlp) -> Mlp:
    """Only the first spike channel is cleared."""
    down = mlp.down.copy()
    down[3] = np.array([Fraction(0)] * down.shape[1], dtype=object)
    return replace(mlp, down=down)


FAULTS = (
    Fault("a form over all units", form_over_all_units, "holds", "violated"),
    Fault("one gate for two", one_gate, "holds", "violated"),
    Fault(
        "a step-down 1 % weak",
        wrong_step_down(weaker),
        "holds, final 0",
        "violated, final 96/5",
    ),
    Fault("no step-down", wrong_step_down(silent), "holds, final 0", "violated, final 1920"),
    Fault(
        "a step-down on one channel",
        wrong_step_down(one_channel),
        "holds, final 0",
        "violated, final 1920",
    ),
    Fault(
        "an ordinary token on a spike channel",
        ordinary_token_on_the_spike,
        "1/3",
        "ValueError: a logit with the square 2304/425 is neither 0 nor Δ",
    ),
    Fault("a sink with a value", sink_with_a_value, "holds", "violated"),
    Fault("ε not rescaled", rescaled(with_epsilon=False), "same function", "another function"),
    Fault("a tied output matrix", rescaled(tied=True), "same function", "another function"),
    Fault("a norm on the outputs", post_norm_and_gauge, "holds", "violated"),
    Fault(
        "sandwich norm without its norm",
        sandwich_without_its_norm,
        "holds, norm 17",
        "violated, norm 40",
    ),
    Fault("QK-norm without 1/√d_h", scale_forgotten, "holds", "violated"),
    Fault("a gate of another gap", gate_of_another_gap, "holds", "violated"),
    Fault("a key too many", keys_left_out, "holds", "violated"),
    Fault("a key turned away", key_turned_away, "attained", "below"),
    Fault("values that cancel", opposite_values, "holds", "violated"),
    Fault("the cost of queries only", cost_of_queries_only, "holds", "violated"),
    Fault("the first two tokens equal", first_two_tokens_equal, "holds", "violated"),
    Fault("θ for shorter sequences", threshold_for_shorter_sequences, "holds", "violated"),
    Fault("a gap of the wrong sign", gap_of_the_wrong_sign, "holds", "violated"),
    Fault(
        "an irrational norm", irrational_norm, "6/5", "ValueError: the norm √(5/2) is irrational"
    ),
    Fault(
        "a float in a ball statement",
        float_in_a_ball,
        "0.500000000000000",
        "TypeError: 0.5 is a float: give a Fraction or a ball",
    ),
    Fault("balls that overlap", overlapping_balls, "True, False", "False, False"),
    Fault("a search far from the bound", search_that_draws_nothing_sharp, "passed", "failed"),
    Fault(
        "a counterexample",
        search_with_a_counterexample,
        "passed",
        "failed, with its witness",
    ),
)
