"""Search for a state that breaks a statement on RMSNorm, spikes, sandwich norm or the gauge.

Lengths are rational: vectors lie in a plane at Pythagorean angles, and ε is whatever makes the norm
rational.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from constructions.normed_spike import spike
from constructions.rational_norm import rational_root
from constructions.spike_chain_network import tilted
from constructions.spike_gauge_pair import rational_network
from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.report import NEAR as CLOSE
from theorems import spike_chain as chain
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, evidence
from theorems.norm_sparsifies import FAR, NEAR, SPARSE, Q, Y, a, d, rho, t
from theorems.sandwich_bound import SANDWICH, B, R, gamma, x_0, x_end
from theorems.spike_gauge import GAUGE, LIPSCHITZ, c, h, h_c

SHARES = fractions(Fraction(1, 12), Fraction(11, 12))
WITHOUT_EPSILON = replace(
    NEAR, name="norm_sparsifies, without ε (planted)", conclusion=d * rho / a**2 >= Q
)
OVER_A = replace(
    FAR,
    name="norm_sparsifies.converse, over a² (planted)",
    conclusion=d * rho / a**2 <= Q,
)
WITHOUT_WIDTH = replace(
    SPARSE, name="norm_sparsifies.sparse, without √d (planted)", conclusion=t**2 / a**2 >= Y
)


UNTURNED = replace(
    chain.GAP,
    name="spike_chain.gap, as if the direction were exact (planted)",
    conclusion=chain.R * (chain.k - chain.o) <= chain.Delta,
)


@st.composite
def normed_states(draw: st.DrawFn) -> Drawn:
    """h = a·u + r under RMSNorm with an ε that makes the norm M rational."""
    width = draw(st.integers(2, 9))
    size = draw(fractions(Fraction(1, 2), 40))
    r = exact([0, *draw(st.lists(fractions(-3, 3), min_size=width - 1, max_size=width - 1))])
    state = exact([size, *[0] * (width - 1)]) + r
    square = state @ state
    # A rational M with M² ≥ ‖h‖², often equal or near to it.
    M = draw(fractions(0, 2)) + _upper_root(square)
    y = state / M
    y_0 = y - exact([1, *[0] * (width - 1)])
    k = draw(st.integers(1, width - 1))
    return Drawn(
        {
            "d": width,
            "a": size,
            "rho": r @ r,
            "epsilon": (M**2 - square) / width,
            "Q": width * (y_0 @ y_0),
            "Y": width * y[k] ** 2,
            "t": r[k],
        },
        {"h": state, "M": M},
    )


def _upper_root(square: Fraction) -> Fraction:
    """A rational number at or just above √square."""
    p, q = square.numerator, square.denominator
    low = Fraction(sp.integer_nthroot(p * q, 2)[0], q)
    return low if low**2 == square else low + Fraction(1, q)


@st.composite
def tilted_spikes(draw: st.DrawFn) -> Drawn:
    """A·u + b at a Pythagorean angle, any b of length at most B, B/A = sin of such an angle."""
    size = draw(fractions(Fraction(1, 3), 30))
    t = draw(SHARES)
    s, y = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    # The state is at an angle of at most φ: pull its half-tangent below that of B/A.
    state = spike(2, draw(fractions(0, 1)) * t)
    along = draw(fractions(0, 2)) if draw(st.booleans()) else state[0]
    b = size * along * state - exact([size, 0])
    width = draw(st.integers(1, 9))
    off = state - exact([1, 0])
    if b @ b > (size * y) ** 2 or t >= 1 or along == 0:
        b, off = exact([0, 0]), exact([0, 0])
    return Drawn({"A": size, "B": size * y, "s": s, "d": width, "Q": width * (off @ off)}, {"b": b})


@st.composite
def spiked_heads(draw: st.DrawFn) -> Drawn:
    """A tilted spike, a query whose W_Kᵀq has rational length, and another key's logit.

    f is the exact distance 2 sin(φ/2); the spike's state is at an angle of at most φ.
    """
    worst = tilted(draw(fractions(Fraction(1, 12), Fraction(4, 12))))
    half = (worst["f"] / 2) / rational_root(1 - (worst["f"] / 2) ** 2)  # tan(φ/2)
    turned = spike(2, half * draw(fractions(0, 1) | st.just(Fraction(1))))
    u, length = exact([1, 0]), draw(fractions(0, 5))
    sign = draw(st.sampled_from([1, -1]))
    key = sign * length * spike(2, draw(fractions(-1, 1)))
    if draw(st.booleans()):  # against the difference: the least favourable query
        key = length * (u - spike(2, half)) / worst["f"]
    R, other = draw(fractions(Fraction(1, 3), 6)), draw(fractions(-5, 5))
    gap = R * (key @ turned) - R * other
    return Drawn(
        {**worst, "R": R, "w": length, "k": key @ u, "o": other, "Delta": gap},
        {"turned": turned, "key": key},
    )


@st.composite
def stacks(draw: st.DrawFn) -> Drawn:
    """States in one plane after blocks that add vectors of rational length at most γ√d."""
    root, scale = draw(st.integers(1, 4)), draw(fractions(0, 4))
    x = exact([draw(fractions(0, 5)), 0])
    start = x[0]
    blocks = draw(st.integers(0, 6))
    for _ in range(blocks):
        share = draw(fractions(0, 1) | st.just(Fraction(1)))
        x = x + share * scale * root * spike(2, draw(st.just(Fraction(0)) | SHARES))
    length = _lower_root(x @ x)
    return Drawn(
        {"B": blocks, "d": root**2, "R": root, "gamma": scale, "x_0": start, "x_B": length},
        {"x": x},
    )


def _lower_root(square: Fraction) -> Fraction:
    """A rational number at or just below √square."""
    scaled = square * 10**12
    root = sp.integer_nthroot(scaled.numerator // scaled.denominator, 2)[0]
    exactly = Fraction(
        sp.integer_nthroot(square.numerator, 2)[0], sp.integer_nthroot(square.denominator, 2)[0]
    )
    return exactly if exactly**2 == square else Fraction(int(root), 10**6)


@st.composite
def two_spikes(draw: st.DrawFn) -> Drawn:
    """Two spikes on a rest of length 1, at Pythagorean angles."""
    x, y = spike(2, draw(SHARES)), spike(2, draw(SHARES))
    off = x - y
    return Drawn(
        {"d": 2, "a": x[0] / x[1], "b": y[0] / y[1], "rho": Fraction(1), "Q": 2 * (off @ off)}
    )


@st.composite
def gauged(draw: st.DrawFn) -> Drawn:
    """One entry of a state and one output of a rational network and of its rescaling."""
    network = rational_network(random.Random(draw(st.integers(0, 30))))
    factor = draw(fractions(Fraction(1, 9), 50))
    (states, _, logits), (louder, _, same) = network.run(), network.rescaled(factor).run()
    k, j = draw(st.integers(0, states.size - 1)), draw(st.integers(0, logits.size - 1))
    values = {"h": states.flat[k], "h_c": louder.flat[k], "y": logits.flat[j], "y_c": same.flat[j]}
    return Drawn({"c": factor, **values})


NOT_SCALED = replace(GAUGE, name="spike_gauge, spikes stay (planted)", conclusion=sp.Eq(h_c, h))
SQUARED = replace(
    GAUGE, name="spike_gauge, spikes times c² (planted)", conclusion=sp.Eq(h_c, c**2 * h)
)
ONE_FEWER = replace(
    SANDWICH,
    name="sandwich_bound, one block fewer (planted)",
    conclusion=x_end <= x_0 + (B - 1) * gamma * R,
)


@evidence("norm_sparsifies", kind="searched")
def no_spike_further_from_its_constant(run: Run) -> Outcome:
    """No state is further from √d·u than the bound; without ε, and 1.3 times tighter, some are."""
    return survives(run, NEAR, normed_states(), WITHOUT_EPSILON, reach=CLOSE)


@evidence("norm_sparsifies", kind="searched", statement="norm_sparsifies.converse")
def no_spike_nearer_to_its_constant(run: Run) -> Outcome:
    """No state is nearer to √d·u than the lower bound; over a², and 1.3 times, some are."""
    return survives(run, FAR, normed_states(), OVER_A, reach=CLOSE)


@evidence("norm_sparsifies", kind="searched", statement="norm_sparsifies.sparse")
def no_entry_above_its_share(run: Run) -> Outcome:
    """No entry off the spike exceeds its bound; without √d some do."""
    return survives(run, SPARSE, normed_states(), WITHOUT_WIDTH, reach=CLOSE)


@evidence("spike_chain", kind="searched", statement="spike_chain.direction")
def no_spike_turned_further(run: Run) -> Outcome:
    """No rest of length B turns a spike further than the bound; 1.3 times tighter some do."""
    return survives(run, chain.DIRECTION, tilted_spikes(), reach=CLOSE)


@evidence("spike_chain", kind="searched", statement="spike_chain.gap")
def no_smaller_gap(run: Run) -> Outcome:
    """No query has a smaller gap than stated; without the distance some have."""
    return survives(run, chain.GAP, spiked_heads(), UNTURNED)


@evidence("sandwich_bound", kind="searched")
def no_stack_grows_faster(run: Run) -> Outcome:
    """No stack of normalised writes exceeds the bound; 1.3 times tighter some do."""
    return survives(run, SANDWICH, stacks(), ONE_FEWER, reach=CLOSE)


@evidence("spike_gauge", kind="searched")
def no_rescaling_that_shows(run: Run) -> Outcome:
    """No rational network changes an output when rescaled; its spikes do, and by c, not c²."""
    return survives(run, GAUGE, gauged(), NOT_SCALED, SQUARED, tries=(60, 80, 1000))


@evidence("spike_gauge", kind="searched", statement="spike_gauge.direction")
def no_two_spikes_further_apart(run: Run) -> Outcome:
    """No two spikes on one rest are further apart than the bound; 1.3 times tighter some are."""
    return survives(run, LIPSCHITZ, two_spikes(), reach=CLOSE)
