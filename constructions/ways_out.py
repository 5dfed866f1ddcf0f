"""All sink-free solutions side by side, and the claim that they make together.

``theorems.mechanisms``; Ran-Milo 2026, arXiv 2603.11487, says that the normalisation is the cause.
Every mechanism that can write nothing has a layer with error at most Le^{−K} and every BOS weight
off the trigger at most e^{−K}; plain softmax has one too, once something stands beside the head, in
depth, or after it (``theorems.sink_free_softmax``), with BOS weight at most ½.

>>> for solution in SOLUTIONS:
...     closed = solution.closed(16, Fraction(10**20))
...     error, bos = f"{float(closed.error):.1e}", f"{float(closed.bos):.1e}"
...     print(f"{solution.name:22} η {'≤' if solution.error_is_bound else '='} {error}  BOS {bos}")
two heads              η = 1.5e-19  BOS 5.0e-01
residual, two layers   η ≤ 4.8e-19  BOS 1.0e-20
residual, no positions η ≤ 1.8e-01  BOS 5.0e-01
MLP after the head     η = 5.0e-21  BOS 1.0e-20
gate t                 η = 5.0e-21  BOS 1.0e-20
sigmoid gate           η = 1.5e-20  BOS 1.0e-20
softmax-off-by-one     η = 1.5e-19  BOS 1.0e-20
sigmoid                η = 1.0e-20  BOS 1.0e-20
linear                 η = 0.0e+00  BOS 0.0e+00
relu                   η = 0.0e+00  BOS 0.0e+00
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
from flint import arb

from constructions.balls import ends
from constructions.divided_scores import LINEAR_SOLUTION, RELU_SOLUTION, SIGMOID_SOLUTION
from constructions.mlp_after_head import SOLUTION as MLP_SOLUTION
from constructions.networks import box, inspect, look
from constructions.null_slot import OFF_BY_ONE_SOLUTION
from constructions.output_gate import LINEAR_GATE, SIGMOID_GATED
from constructions.residual_positionless import SOLUTION as POSITIONLESS_SOLUTION
from constructions.residual_two_layers import SOLUTION as RESIDUAL_SOLUTION
from constructions.sharpness import Sharpness
from constructions.sink_free import FULL_CONTENTS, FULL_LENGTH, SHARPNESSES, VERTICES, full_size
from constructions.two_heads import SOLUTION as TWO_HEADS_SOLUTION
from theorems.evidence import Outcome, Run, check, evidence
from theorems.mechanisms import EVERY
from theorems.trigger_task import TriggerTask

SILENT = (
    LINEAR_GATE,
    SIGMOID_GATED,
    OFF_BY_ONE_SOLUTION,
    SIGMOID_SOLUTION,
    LINEAR_SOLUTION,
    RELU_SOLUTION,
)
"""One layer of one head, with a mechanism that can write nothing."""

SOLUTIONS = (
    TWO_HEADS_SOLUTION,
    RESIDUAL_SOLUTION,
    POSITIONLESS_SOLUTION,
    MLP_SOLUTION,
    *SILENT,
)


@evidence("mechanisms", kind="exact", settles=True)
def every_mechanism_without_a_sink(run: Run) -> Outcome:
    """Gates, off-by-one, sigmoid, linear, ReLU: η ≤ L/E and BOS weight ≤ 1/E, exactly."""
    holds, inputs, names = True, 0, ", ".join(s.name for s in SILENT)
    for solution in SILENT:
        for E in SHARPNESSES:
            for length in range(4, run.scale(4, 5) + 1):
                task = TriggerTask(length, 1)
                network = solution.build(task, Sharpness(E))
                found = inspect(task, network, VERTICES["±1"])
                at = {"L": length, "E": E, "eta": found.error, "alpha": found.bos}
                holds = holds and EVERY.applies(**at) and EVERY.holds(**at)
                inputs += found.inputs
        E = SHARPNESSES[-1]
        error = box(FULL_LENGTH, solution.at(FULL_LENGTH, E))
        bos = solution.closed(FULL_LENGTH, E).bos
        holds = holds and EVERY.holds(L=FULL_LENGTH, E=E, eta=error, alpha=bos)
    return check(holds, f"{names}: {inputs} inputs, and all contents in [-1,1]ⁿ at L = 16")


@evidence("mechanisms", kind="certified")
def every_mechanism_in_balls(run: Run) -> Outcome:
    """The real mechanisms at L = 16, n = 13: the upper ends of the balls obey the bounds."""
    rng, holds, E = random.Random(run.seed), True, Fraction(10**6)
    task, ball = TriggerTask(FULL_LENGTH, FULL_CONTENTS), np.array([arb(1)], dtype=object)
    worst = Fraction(0)
    for solution in SILENT:
        network = solution.build(task, Sharpness(E))
        found = look(task, network, full_size(rng, ball))
        error, bos = ends(arb(found.error))[1], ends(arb(found.bos))[1]
        holds = holds and EVERY.holds(L=FULL_LENGTH, E=E, eta=error, alpha=bos)
        worst = max(worst, error)
    return check(holds, f"{len(SILENT)} mechanisms at e^K = 10⁶: η ≤ {float(worst):.2g}")
