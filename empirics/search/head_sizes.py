"""Search for a head that breaks a statement on what its size, norms and rotations allow."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from constructions.aligned_rotations import (
    budget,
    drawn_pairs,
    half_angle,
    mean_logit,
    mean_rotation,
    power,
    times,
)
from constructions.directions import random_rationals
from constructions.head_norms import STATES, bounded_entries, figures, one_row
from constructions.one_row import weighted_row
from constructions.qk_norm_head import by_pair, turned
from constructions.rational_norm import mean_squares, rational_root
from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.report import NEAR
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, evidence
from theorems.head_dimension import CEILING, LOGIT, E, alpha, g, m, z
from theorems.head_norm_tradeoff import ENTRYWISE, SQUARES
from theorems.rope_budget import BUDGET, DIRICHLET, N, Q, c, c_last

HALF_RANGE = replace(
    CEILING,
    name="head_dimension, half the range of logits (planted)",
    conclusion=alpha <= 1 / (1 + (m - 1) / E),
)
NO_DIMENSION = replace(
    LOGIT, name="head_dimension.logit, whatever the dimension (planted)", conclusion=z**2 <= g**2
)
PER_COORDINATE = replace(
    DIRICHLET,
    name="rope_budget.mean, divided by N once (planted)",
    conclusion=sp.Eq(N * Q * (1 - c), 1 - c_last),
)


@st.composite
def bounded_rows(draw: st.DrawFn) -> Drawn:
    """A row whose logits lie in [−ln E, ln E], given by their exponentials."""
    size = draw(fractions(1, 9))
    inside = fractions(1 / size, size, 200) | st.sampled_from([size, 1 / size])
    weights = exact([draw(inside) for _ in range(draw(st.integers(1, 8)))])
    row = weighted_row(weights)
    return Drawn({"m": len(row), "E": size, "alpha": max(row)}, {"weights": weights})


def normalised(x: Array) -> Array:
    """x over a rational number at or just above its root mean square."""
    square = mean_squares(x)
    try:
        return x / rational_root(square)
    except ValueError:
        scaled = int(square * 10**12)
        return x / Fraction(sp.integer_nthroot(scaled, 2)[0] + 1, 10**6)


@st.composite
def rotated_heads(draw: st.DrawFn) -> Drawn:
    """A query and a key under QK-norm (with an ε) and RoPE, d_h = 4 or 16, vector scales."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    root = draw(st.sampled_from([2, 4]))
    width = root**2
    angles = [half_angle(Fraction(rng.randint(-9, 9), 10)) for _ in range(width // 2)]
    cosines, sines = exact([x for x, _ in angles]), exact([y for _, y in angles])
    if draw(st.booleans()):  # the extreme head, or near it
        q = k = exact([1] * width)
        cosines, sines = cosines * 0 + 1, sines * 0
    else:
        q, k = random_rationals(rng, (2, width)) + Fraction(1, 10)
    gammas = exact([1] * width) if draw(st.booleans()) else random_rationals(rng, (width,))
    inner = (normalised(q) * gammas) @ turned(normalised(k) * gammas, cosines, sines)
    largest = max(by_pair(gammas)) ** 2
    return Drawn({"d_h": width, "g": largest, "z": inner / root}, {"q": q, "k": k})


@st.composite
def rotations(draw: st.DrawFn) -> Drawn:
    """The mean of N rational rotations."""
    turn = half_angle(draw(fractions(Fraction(1, 12), Fraction(11, 12))))
    count = draw(st.integers(1, 12))
    x, y = mean_rotation(turn, count)
    omega = times(turn, turn)
    return Drawn({"N": count, "Q": x**2 + y**2, "c": omega[0], "c_N": power(omega, count)[0]})


@st.composite
def rotary_heads(draw: st.DrawFn) -> Drawn:
    """A fixed query and key under RoPE, d_h = 4 or 16, the key aligned or turned away."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    root, count = draw(st.sampled_from([2, 4])), draw(st.integers(1, 6))
    pairs = drawn_pairs(rng, root**2 // 2, count)
    if draw(st.booleans()):
        pairs = [
            (x, q, times(k, half_angle(Fraction(rng.randint(-9, 9), 10)))) for x, q, k in pairs
        ]
    Z = mean_logit(pairs, count, root)
    return Drawn({"d_h": root**2, "R": root, "budget": budget(pairs, count), "Z": Z})


@st.composite
def weighted_heads(draw: st.DrawFn) -> Drawn:
    """W_Q and W_K of d_h = 1, 4 or 9 rows: extreme ones, or drawn, or the two mixed."""
    rng, root = random.Random(draw(st.integers(0, 10**6))), draw(st.integers(1, 3))
    q, k = draw(st.sampled_from(STATES))
    a = draw(fractions(Fraction(1, 4), 4))
    extreme = draw(st.sampled_from(["entries", "row", "none"]))
    if extreme == "entries":
        W_Q, W_K = bounded_entries(root**2, q, k, a)
    elif extreme == "row":
        W_Q, W_K = one_row(root**2, q, k, a)
    else:
        W_Q, W_K = (np.full((root**2, len(x)), Fraction(0), dtype=object) for x in (q, k))
    noise = draw(fractions(0, 1) | st.just(Fraction(0)))
    W_Q, W_K = (W + noise * random_rationals(rng, W.shape) for W in (W_Q, W_K))
    return Drawn(figures((W_Q, W_K), q, k, root), {"W_Q": W_Q, "W_K": W_K})


@evidence("head_dimension", kind="searched")
def no_row_above_the_ceiling(run: Run) -> Outcome:
    """No row with logits in [−ln E, ln E] exceeds the ceiling; false ceilings are exceeded."""
    return survives(run, CEILING, bounded_rows(), HALF_RANGE, reach=NEAR)


@evidence("head_dimension", kind="searched", statement="head_dimension.logit")
def no_logit_above_its_bound(run: Run) -> Outcome:
    """No QK-normalised logit exceeds g√d_h, with RoPE and vector scales; g alone is exceeded."""
    return survives(run, LOGIT, rotated_heads(), NO_DIMENSION, reach=NEAR)


@evidence("rope_budget", kind="searched")
def no_mean_logit_above_the_budget(run: Run) -> Outcome:
    """No fixed query and key exceed RoPE's budget on average; 1.3 times tighter some do."""
    return survives(run, BUDGET, rotary_heads(), reach=NEAR, tries=(60, 80, 2000))


@evidence("rope_budget", kind="searched", statement="rope_budget.mean")
def no_other_size_of_a_mean(run: Run) -> Outcome:
    """No mean of rotations has another size than D_N; divided by N once it is another."""
    return survives(run, DIRICHLET, rotations(), PER_COORDINATE)


@evidence("head_norm_tradeoff", kind="searched", statement="head_norm_tradeoff.entries")
def no_logit_beyond_the_reach(run: Run) -> Outcome:
    """No head with bounded entries exceeds the reach; 1.3 times tighter some do."""
    return survives(run, ENTRYWISE, weighted_heads(), reach=NEAR)


@evidence("head_norm_tradeoff", kind="searched", statement="head_norm_tradeoff.frobenius")
def no_cheaper_logit(run: Run) -> Outcome:
    """No head pays less than the cost; 1.3 times more some do not pay."""
    return survives(run, SQUARES, weighted_heads(), reach=NEAR)
