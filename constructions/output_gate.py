"""An output gate that reads the token needs no sink; a gate that does not read it changes nothing.

``theorems.mechanisms`` (after Ran-Milo 2026, arXiv 2603.11487).  One softmax head scores −K on BOS
and 0 elsewhere for every query, so that it writes nearly the mean, for everyone.  Then

    linear gate    g_i = t_i, the token's own trigger flag
    sigmoid gate   g_i = σ(K(t_i − o_i − b_i)), so σ(K) at the trigger and σ(−K) elsewhere.

With E = e^K the linear gate leaves exact silence off the trigger and η = 1/(1+2E); the sigmoid gate
adds at most σ(−K) = 1/(1+E).  The BOS weight off the trigger is 1/(1+(i−1)E) ≤ 1/(1+E), and what
reaches the output of it is g_i times that.

An *unconditional* gate is one factor for each output coordinate.  It is part of the value matrix,
diag(g) Σ α_ik M x_k = Σ α_ik (diag(g)M) x_k, so Theorem 1 holds for it.

>>> from theorems.arrays import exact
>>> task = TriggerTask(length=4, content_dim=0)
>>> tokens = task.tokens(exact([[]] * 3), trigger=3)
>>> done = sigmoid_gate(task, Sharpness(Fraction(30))).run(tokens)
>>> print(done.gate.astype(float).round(3))
[0.032 0.032 0.968 0.032]
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from constructions.directions import identity_off_bos, random_rationals
from constructions.mlp_after_head import OFF_BOS
from constructions.mlp_after_head import closed_form as averaging_form
from constructions.networks import Head, Network
from constructions.sharp_witness import kappa, sharp_witness
from constructions.sharpness import SOFTMAX, Sharpness, attention, logistic
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.arrays import Array
from theorems.attention import attend, normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.mechanisms import GATE, SIGMOID_GATE, UNCONDITIONAL
from theorems.trigger_task import TRIGGER, TriggerTask


def averaging_head(task: TriggerTask, sharpness: Sharpness) -> Head:
    """The head that writes nearly the mean of the visible tokens at every position."""
    return Head(attention(SOFTMAX, OFF_BOS, sharpness), identity_off_bos(task.width))


def linear_gate(task: TriggerTask, sharpness: Sharpness) -> Network:
    """The head behind the gate t_i."""
    return Network(((averaging_head(task, sharpness),),), gate=lambda tokens: tokens[..., TRIGGER])


def sigmoid_gate(task: TriggerTask, sharpness: Sharpness) -> Network:
    """The head behind the gate σ(K(t_i − o_i − b_i))."""

    def gate(tokens: Array) -> Array:
        flag = tokens[..., TRIGGER]
        return logistic(flag + flag - 1, sharpness)

    return Network(((averaging_head(task, sharpness),),), gate=gate)


def sigmoid_closed_form(length: int, E: Any) -> Closed:
    """η of the sigmoid gate with and without contents, and the largest BOS weight.

    The trigger's row misses 1 − σ(K)·rE/(1+rE) of a mean of r tokens; a row with k non-BOS tokens
    that should be silent lets σ(−K)·kE/(1+kE) of their mean through.
    """
    missed = [(r, 1 - E / (1 + E) * r * E / (1 + r * E)) for r in range(2, length)]
    leaked = [(k, k * E / (1 + k * E) / (1 + E)) for k in range(1, length)]
    return Closed(
        error=max(e for _, e in missed + leaked),
        error_without_contents=max(
            [Fraction(r - 1, r) * e for r, e in missed] + [e for _, e in leaked[:-1]]
        ),
        bos=1 / (1 + E),
    )


LINEAR_GATE = Construction("gate t", linear_gate, averaging_form, GATE)
SIGMOID_GATED = Construction("sigmoid gate", sigmoid_gate, sigmoid_closed_form, SIGMOID_GATE)


@evidence("mechanisms", kind="exact", statement="mechanisms.gate", settles=True)
def linear_gate_exactly(run: Run) -> Outcome:
    """The gate t: error and BOS weight equal their closed forms, in rational arithmetic."""
    return exactly(LINEAR_GATE, run)


@evidence("mechanisms", kind="certified", statement="mechanisms.gate")
def linear_gate_in_balls(run: Run) -> Outcome:
    """Real softmax behind the gate t obeys 1/(1 + 2e^K) to a part in 10¹², up to L = 16, n = 13."""
    return in_balls(LINEAR_GATE, run)


@evidence("mechanisms", kind="exact", statement="mechanisms.sigmoid_gate", settles=True)
def sigmoid_gate_exactly(run: Run) -> Outcome:
    """The sigmoid gate: error and BOS weight equal their closed forms, in rational arithmetic."""
    return exactly(SIGMOID_GATED, run)


@evidence("mechanisms", kind="certified", statement="mechanisms.sigmoid_gate")
def sigmoid_gate_in_balls(run: Run) -> Outcome:
    """Softmax behind a sigmoid gate obeys its bound to a part in 10¹², up to L = 16 and n = 13."""
    return in_balls(SIGMOID_GATED, run)


@evidence("mechanisms", kind="exact", statement="mechanisms.unconditional_gate")
def unconditional_gate_is_a_value_matrix(run: Run) -> Outcome:
    """A gate that reads nothing: the same outputs as diag(g)M, and Theorem 1 is sharp."""
    rng, holds, count = random.Random(run.seed), True, run.scale(20, 100)
    for _ in range(count):
        length, n = rng.randint(4, 7), rng.randint(0, 2)
        task = TriggerTask(length, n)
        tokens = task.tokens(random_rationals(rng, (length - 1, n)), rng.randint(3, length))
        rows = normalise(abs(random_rationals(rng, (length, length))) + 1)
        M = random_rationals(rng, (task.width, task.width))
        g = random_rationals(rng, (task.width,))
        gated = attend(rows, tokens, M) * g
        holds = holds and bool((gated == attend(rows, tokens, g[:, None] * M)).all())
    small = Fraction(1, 10**6)
    for length in (4, 5, 8):  # halved by the gate, doubled in M: the sharp witness again
        eta = kappa(length) / 3
        witness = sharp_witness(length, eta, small)
        tokens = TriggerTask(length, 0).tokens(random_rationals(rng, (length - 1, 0)), length)
        rows = witness.rows(tokens)
        same = attend(rows, tokens, 2 * witness.M) / 2 == attend(rows, tokens, witness.M)
        at = {"L": length, "eta": eta, "alpha": 1 - witness.m}
        holds = holds and bool(same.all()) and UNCONDITIONAL.holds(**at)
        holds = holds and UNCONDITIONAL.excess(**at) == -small * eta
    return check(holds, f"{count} random layers; the bound is attained at L = 4, 5, 8")
