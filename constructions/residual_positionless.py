"""A residual stream of depth L needs no sink, though its logits read no positions.

``theorems.sink_free_softmax``; Theorem 2 (Ran-Milo 2026, arXiv 2603.11487) is about layers without
residual.  In ``residual_two_layers`` a position attends to itself, which needs positions.  Here the
logits are bilinear in the tokens' flags alone, the same in every layer but for one sign:

    off the trigger   −K on the trigger, 0 elsewhere: uniform over BOS and the ordinary tokens
    at the trigger    −K on BOS in layer 1, +K later, 0 elsewhere
    values            M_ℓ = λ_ℓ (identity off BOS),  λ₁ = 1

The trigger adds the mean in layer 1 and rests on BOS later.  Off it, for K → ∞, a layer is
1 + λ_ℓ U with U the causal averaging, whose eigenvalues are 1/r, r = 2..L−1.  All layers together
are silent if Π(1 + λ_ℓ z) is 1 at every 1/r and at 0; ``constructions.silent_factors`` gives such
λ, all real.  The BOS weight at a non-trigger position i is 1/i or 1/(i−1+e^{−K}), at most ½.

The error is C_L e^{−K} with C_L ≤ L^L for L ≤ 16, from the derivative by δ = e^{−K} over all of
[0, 10⁻¹⁰], in balls.  The layers undo each other's work (at L = 16 the product of all 1 + |λ_ℓ| is
about 10²²), so floats of 53 bits lose the solution beyond L = 10.

>>> from theorems.arrays import exact
>>> from theorems.attention import picture
>>> task = TriggerTask(length=4, content_dim=0)
>>> tokens = task.tokens(exact([[]] * 3), trigger=3)
>>> network = residual_positionless(task, Sharpness(Fraction(10**6)))
>>> print(picture(network.run(tokens).rows[1]))
1.00     .     .     .
0.50  0.50     .     .
1.00  0.00  0.00     .
0.33  0.33  0.00  0.33
"""

from __future__ import annotations

import functools
import random
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from constructions.balls import ends
from constructions.directions import identity_off_bos
from constructions.networks import Head, Network, box, inspect, look
from constructions.sharpness import SOFTMAX, Sharpness, attention, by_flags
from constructions.silent_factors import BITS, factor_balls, factors
from constructions.sink_free import VERTICES, Closed, Construction, full_size
from theorems.evidence import Outcome, Run, check, evidence
from theorems.sink_free_softmax import POSITIONLESS
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

SMALL = Fraction(1, 10**10)
"""The largest δ = e^{−K} for which the error bound is claimed."""


def residual_positionless(
    task: TriggerTask, sharpness: Sharpness, lambdas: tuple[Fraction, ...] | None = None
) -> Network:
    """The stack of depth L for a task with L ≥ 4, with the factors ``lambdas`` (default: λ)."""
    M = identity_off_bos(task.width)
    layers = []
    for depth, value in enumerate(factors(task.length) if lambdas is None else lambdas):
        scores = by_flags({(ORDINARY, TRIGGER): -1, (TRIGGER, BOS): 1 if depth else -1})
        layers.append((Head(attention(SOFTMAX, scores, sharpness), value * M),))
    return Network(tuple(layers), residual=True)


def averaging(length: int, trigger: int, first: bool, delta: arb) -> tuple[arb_mat, arb_mat]:
    """Weights of positions 2..L on positions 2..L, and their derivatives by δ = e^{−K}."""
    one, zero = arb(1), arb(0)
    rows, slopes = [], []
    for i in range(2, length + 1):
        keys = range(1, i + 1)
        at_trigger = {1} if first else set(keys) - {1}
        faint = at_trigger if i == trigger else {trigger} & set(keys)
        total, slope = len(keys) - len(faint) + len(faint) * delta, arb(len(faint))
        row, tilt = [], []
        for k in range(2, length + 1):
            weight, rise = (delta, one) if k in faint else (one, zero)
            row.append(weight / total if k in keys else zero)
            tilt.append((rise - weight * slope / total) / total if k in keys else zero)
        rows.append(row)
        slopes.append(tilt)
    return arb_mat(rows), arb_mat(slopes)


@functools.cache
def error_slope(length: int) -> tuple[arb, arb]:
    """A ball for C_L = sup |dη/dδ| over contents in the box and 0 ≤ δ ≤ ``SMALL``; η at δ = 0.

    What the network writes is linear in the contents, with weights S that start from the identity
    and go through S → S + λUS, so their derivative goes through S′ → S′ + λ(US′ + U′S).
    """
    with ctx.workprec(BITS):
        n, steepest, rest = length - 1, arb(0), arb(0)
        delta = arb(SMALL.numerator) / SMALL.denominator
        for spread in (arb(0), delta.union(arb(0))):
            for j in range(3, length + 1):
                S = arb_mat(n, n, [int(a == b) for a in range(n) for b in range(n)])
                target, slope = S, arb_mat(n, n)
                for depth, value in enumerate(factor_balls(length)):
                    U, dU = averaging(length, j, depth == 0, spread)
                    slope = slope + (U * slope + dU * S) * value
                    S = S + U * S * value
                mean = [[0] * n for _ in range(n)]
                mean[j - 2][: j - 1] = [1] * (j - 1)
                off = S - target - arb_mat(mean) * (arb(1) / (j - 1))
                if spread == 0:
                    rest = rest.max(_row_sums(off))
                else:
                    steepest = steepest.max(_row_sums(slope))
        return steepest, rest


def _row_sums(m: arb_mat) -> arb:
    sums = [sum((abs(v) for v in row), arb(0)) for row in m.tolist()]
    return functools.reduce(lambda a, b: a.max(b), sums)


def bounds(length: int, E: Any) -> Closed:
    """The bound L^L/E on η for L ≤ 16 and E ≥ 10¹⁰, and the largest BOS weight exactly."""
    return Closed(length**length / E, length**length / E, Fraction(1, 2))


SOLUTION = Construction(
    "residual, no positions", residual_positionless, bounds, POSITIONLESS, error_is_bound=True
)


@evidence(
    "sink_free_softmax", kind="exact", statement="sink_free_softmax.positionless", settles=True
)
def positionless_exactly(run: Run) -> Outcome:
    """With the factors rounded to rationals: η ≤ L^L/E and BOS weight ½, over all inputs."""
    holds, inputs = True, 0
    for length in range(4, run.scale(4, 5, 6) + 1):
        for E in (Fraction(10**10), Fraction(10**20)):
            for content_set in list(VERTICES.values())[: 3 if length == 4 else 2]:
                task = TriggerTask(length, content_set.shape[1])
                network = residual_positionless(task, Sharpness(E))
                found = inspect(task, network, content_set)
                holds = holds and SOLUTION.obeys(length, E, found.error, found.bos)
                holds = holds and found.bos == Fraction(1, 2)
                inputs += found.inputs
            error = box(length, SOLUTION.at(length, E))
            holds = holds and SOLUTION.obeys(length, E, error, Fraction(1, 2))
            holds = holds and error == max(error, found.error)
    figure = f"{inputs} inputs and the box, L = 4..{length}: at e^K = 10²⁰ η = {float(error):.2g}"
    return check(holds, figure, inputs=inputs)


@evidence("sink_free_softmax", kind="certified", statement="sink_free_softmax.positionless")
def error_falls_with_sharpness(run: Run) -> Outcome:
    """η ≤ C_L e^(−K) with C_L ≤ L^L, for all K ≥ log 10¹⁰ and all contents in [-1,1]ⁿ."""
    holds, parts = True, []
    for length in range(4, 17):
        steepest, rest = error_slope(length)
        low, high = ends(steepest)
        holds = holds and low > 0 and high <= length**length
        holds = holds and ends(rest)[1] < Fraction(1, 10**60) and rest.contains(0)
        parts.append(f"{float(high):.2g}")
    return check(holds, f"C_L = {', '.join(parts)} at L = 4..16; at K = ∞ error 0 to 60 digits")


@evidence("sink_free_softmax", kind="certified", statement="sink_free_softmax.positionless")
def positionless_in_balls(run: Run) -> Outcome:
    """Real softmax at L = 16, n = 13, in balls of 150 digits: η ≤ 16¹⁶ e^(−K), BOS ½ ± 10⁻⁶⁰."""
    rng, E = random.Random(run.seed), Fraction(10**40)
    with ctx.workprec(BITS):
        ball = np.array([arb(1)], dtype=object)
        task = TriggerTask(16, 13)
        batches = list(full_size(rng, ball))[:: run.scale(6, 2, 1)]
        found = look(task, residual_positionless(task, Sharpness(E)), batches)
        (low, high), (bos_low, bos_high) = ends(found.error), ends(found.bos)
    half = Fraction(1, 2)  # attained: no upper end of a ball can stay below it
    holds = SOLUTION.obeys(16, E, high, half) and bos_low <= half <= bos_high
    holds = holds and bos_high - bos_low <= Fraction(2, 10**60)
    digits = -int(np.floor(np.log10(float(high - low))))
    holds = holds and digits >= 60
    return check(holds, f"e^K = 10⁴⁰: η ≤ {float(high):.3g}, known to {digits} decimal places")
