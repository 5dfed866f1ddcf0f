"""The softmax solution: sink everywhere but at the trigger.  Its rate is linear.

Ran-Milo 2026, arXiv 2603.11487, solves the task by a sink; here are its error and its BOS weight in
closed form.  With sharpness K, an ordinary query scores K on BOS, the trigger −K, all else 0;
M = identity off BOS, M·BOS = 0.  With E = e^K the unnormalised weights are

                 key BOS   key ordinary   key trigger
    ordinary        E           1              1
    trigger        1/E          1              1

so position i has m_i = 1 − α_i1 = (i−1)/(E+i−1) off BOS unless it is the trigger.  With C the
largest |content|, the largest error is that of a row that should be silent, reading the ordinary
flag of the L−2 tokens before a trigger at L, or contents C at position L after the trigger:

    η = max( (L−2)/(E+L−2),  C(L−1)/(E+L−1) )          (L ≥ 4, every E > 0).

Hence max m/η = 1/C when C ≥ 1, and it is between 1 and (L−1)/(L−2) otherwise: mass off BOS in
proportion to the error is all that Theorem 1 leaves, and it is all that softmax needs.

>>> from theorems.attention import picture
>>> task = TriggerTask(length=5, content_dim=0)
>>> tokens = task.tokens(exact([[]] * 4), trigger=4)
>>> print(picture(softmax_sink(task.width, E=Fraction(20)).rows(tokens)))
1.00     .     .     .     .
0.95  0.05     .     .     .
0.91  0.05  0.05     .     .
0.02  0.33  0.33  0.33     .
0.83  0.04  0.04  0.04  0.04
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from constructions.balls import balls, ends, largest, smallest
from constructions.directions import identity_off_bos, matrix
from constructions.enumeration import Measured, as_fmpq, measure
from theorems.arrays import Array, exact
from theorems.attention import MECHANISMS, AttentionLayer
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import AFTER, BEFORE, EPSILON, LINEAR, SHARP, SLOPE
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask


def softmax_sink(width: int, E: Fraction) -> AttentionLayer:
    """The layer for tokens of ``width`` coordinates, by its weights; E = e^K > 0 is a Fraction."""
    tokens = (ORDINARY, TRIGGER)
    weights: dict[tuple[int, int], Any] = {(q, k): 1 for q in tokens for k in tokens}
    weights |= {(BOS, BOS): 1, (ORDINARY, BOS): E, (TRIGGER, BOS): 1 / E}
    return AttentionLayer(matrix(width, weights), identity_off_bos(width), MECHANISMS["weights"])


def softmax_sink_logits(width: int, K: int) -> AttentionLayer:
    """The same layer by its logits ±K and real softmax, in balls of ``flint.arb``."""
    A = matrix(width, {(ORDINARY, BOS): K, (TRIGGER, BOS): -K})
    return AttentionLayer(balls(A), balls(identity_off_bos(width)), MECHANISMS["softmax"])


def closed_form(length: int, E: Any, content: Any) -> tuple[Any, Any, Any]:
    """η, and the largest mass m off BOS before and after the trigger, at L ≥ 4 and C = content."""
    before, after = (length - 2) / (E + length - 2), (length - 1) / (E + length - 1)
    return max(before, content * after), before, after


def as_closed_form(task: TriggerTask, E: Fraction, content_set: Array) -> tuple[bool, Measured]:
    """Whether enumeration over ``content_set`` finds exactly the closed forms, and its findings."""
    layer = softmax_sink(task.width, E)
    if content_set.size:
        layer = AttentionLayer(as_fmpq(layer.A), as_fmpq(layer.M), layer.mechanism)
    found = measure(task, layer.rows, layer.M, as_fmpq(content_set))
    largest = max(abs(content_set).flat, default=Fraction(0))
    expected = closed_form(task.length, E, largest)
    assert found.bos_after is not None
    return (found.error, 1 - found.bos_before, 1 - found.bos_after) == expected, found


CONTENT_SETS = {
    "none": exact(np.zeros((1, 0), dtype=int)),
    "±1": exact([[-1], [1]]),
    "±1 ±1": exact(list(product((-1, 1), repeat=2))),
    "0 1/2 -1/3": exact([["0"], ["1/2"], ["-1/3"]]),
    "-3 2": exact([[-3], [2]]),
}
"""The vertices of the box [-1,1]ⁿ (which is where the error is largest) and other finite sets."""


@evidence("one_layer_sink", kind="exact")
def softmax_sink_closed_forms(run: Run) -> Outcome:
    """Error and BOS mass equal their closed forms, and every bound of Theorem 1 holds of them."""
    longest, holds, applied, inputs = run.scale(5, 6, 7), True, 0, 0
    for length in range(4, longest + 1):
        for content_set in CONTENT_SETS.values():
            n = content_set.shape[1]
            if n == 2 and length > run.scale(4, 5):
                continue
            for E in (Fraction(1, 2), Fraction(10), Fraction(100), Fraction(10**6)):
                equal, found = as_closed_form(TriggerTask(length, n), E, content_set)
                eta, m = found.error, 1 - found.bos_before
                at: dict[str, Any] = {"L": length, "eta": eta}
                off = {"alpha": found.bos}
                if found.bos < 1:  # the ε of the paper's form that is just small enough
                    off["epsilon"] = 1 - found.bos
                bounds = SHARP.holds(**at, **off) and LINEAR.holds(**at, **off)
                bounds = bounds and EPSILON.holds(**at, **off)
                bounds = bounds and all(s.holds(**at, m=m) for s in (BEFORE, SLOPE))
                bounds = bounds and AFTER.holds(**at, m=1 - (found.bos_after or 0))
                applied += SHARP.applies(**at, **off)
                holds, inputs = holds and equal and bounds, inputs + found.inputs
    figure = f"{inputs} inputs, L = 4..{longest}; η < κ_L in {applied} models"
    return check(holds and applied > 0, figure, inputs=inputs, applied=applied)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.linear")
def softmax_sink_linear_rate(run: Run) -> Outcome:
    """Its largest m/η is 1/C, or for C < 1 in [1, (L−1)/(L−2)]: a linear rate is attained."""
    holds, ratios = True, []
    for length in range(4, 13):
        for E in (Fraction(10) ** k for k in range(1, 7)):
            for content in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)):
                eta, _, m = closed_form(length, E, content)
                ratios.append(m / eta)
                expected = m / eta == 1 / content if content >= 1 else m / eta >= 1
                holds = holds and expected and m / eta <= Fraction(length - 1, length - 2)
                holds = holds and LINEAR.excess(L=length, alpha=1 - m, eta=eta) <= 0
    figure = f"m/η between {float(min(ratios)):.3f} and {float(max(ratios)):.3f}, E = 10..10⁶"
    return check(holds, figure, largest=str(max(ratios)), smallest=str(min(ratios)))


@evidence("one_layer_sink", kind="certified")
def softmax_sink_in_balls(run: Run) -> Outcome:
    """Real softmax with logits ±K: Arb balls enclose the closed forms and satisfy Theorem 1."""
    holds, applied, radius = True, 0, 0.0
    for length, sharpness in product((4, 5), (2, 5, 9)):
        task = TriggerTask(length, 1)
        layer, errors, weights = softmax_sink_logits(task.width, sharpness), [], []
        for _, tokens in task.every_input(balls(CONTENT_SETS["±1"])):
            rows = layer.rows(tokens)
            errors += list(abs(rows @ (tokens @ layer.M.T) - task.targets(tokens)).flat)
            weights += list(rows[..., 0][tokens[..., ORDINARY] == 1])
        eta, alpha = largest(np.array(errors)), smallest(np.array(weights))
        expected, _, m = closed_form(length, arb(sharpness).exp(), 1)
        holds = holds and eta.overlaps(expected) and alpha.overlaps(1 - m)
        (low, high), (alpha_low, _) = ends(eta), ends(alpha)
        applied += SHARP.applies(L=length, alpha=alpha_low, eta=high)
        holds = holds and SHARP.holds(L=length, alpha=alpha_low, eta=low)
        radius = max(radius, float(eta.rad()), float(alpha.rad()))
    figure = f"K = 2, 5, 9: radius at most {radius:.0e}; η < κ_L surely in {applied} of 6"
    return check(holds and applied > 0, figure, applied=applied)
