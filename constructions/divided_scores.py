"""Scores that are divided by a count instead of by their sum need no sink: sigmoid and linear.

``theorems.mechanisms`` (after Ran-Milo 2026, arXiv 2603.11487).  α_ik = f(z_ik)/max(1, i−1): the
divisor is the number of visible non-BOS tokens, as for ReLU (``constructions.relu_zero_error``):

    sigmoid   the trigger scores K on ordinary tokens and on itself, every other pair −K
    linear    the trigger scores 1 there, every other pair 0

With E = e^K the sigmoid layer writes σ(K) of the mean at the trigger and σ(−K) of it elsewhere: its
error is σ(−K) = 1/(1+E) exactly, with or without contents, and so is its largest BOS weight off the
trigger.  The linear layer is the ReLU solution, which never uses that ReLU cuts: error exactly 0.

>>> from theorems.arrays import exact
>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> network = sigmoid_scores(TriggerTask(4, 0), Sharpness(Fraction(30)))
>>> print(picture(network.run(tokens).rows[0]))
0.03     .     .     .
0.03  0.03     .     .
0.02  0.48  0.48     .
0.01  0.01  0.01  0.01
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from constructions.directions import identity_off_bos
from constructions.networks import Head, Network
from constructions.sharpness import PLAIN, SIGMOID, Sharpness, attention, by_flags, unsharpened
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.evidence import Outcome, Run, evidence
from theorems.mechanisms import LINEAR
from theorems.mechanisms import SIGMOID as SIGMOID_STATEMENT
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

AVERAGED = {(TRIGGER, ORDINARY): 1, (TRIGGER, TRIGGER): 1}
"""The pairs that count: the trigger looks at ordinary tokens and at itself."""

FLAGS = (BOS, TRIGGER, ORDINARY)
ON_OR_OFF = by_flags({(q, k): AVERAGED.get((q, k), -1) for q in FLAGS for k in FLAGS})
ON_OR_ZERO = by_flags(AVERAGED)


def sigmoid_scores(task: TriggerTask, sharpness: Sharpness) -> Network:
    """The sigmoid layer for tokens of the task's width."""
    rows = attention(SIGMOID, ON_OR_OFF, sharpness)
    return Network(((Head(rows, identity_off_bos(task.width), simplex=False),),))


def plain_scores(task: TriggerTask, sharpness: Sharpness, mechanism: str = "linear") -> Network:
    """The linear (or ReLU) layer for tokens of the task's width; sharpness plays no part."""
    rows = unsharpened(PLAIN[mechanism], ON_OR_ZERO)
    return Network(((Head(rows, identity_off_bos(task.width), simplex=False),),))


def sigmoid_form(length: int, E: Any) -> Closed:
    """η with and without contents, and the largest BOS weight off the trigger: all σ(−K)."""
    return Closed(1 / (1 + E), 1 / (1 + E), 1 / (1 + E))


def plain_form(length: int, E: Any) -> Closed:
    """Nothing is missed and nothing leaks."""
    return Closed(Fraction(0), Fraction(0), Fraction(0))


SIGMOID_SOLUTION = Construction("sigmoid", sigmoid_scores, sigmoid_form, SIGMOID_STATEMENT)
LINEAR_SOLUTION = Construction("linear", plain_scores, plain_form, LINEAR)
RELU_SOLUTION = Construction(
    "relu", functools.partial(plain_scores, mechanism="relu"), plain_form, LINEAR
)


@evidence("mechanisms", kind="exact", statement="mechanisms.sigmoid", settles=True)
def sigmoid_exactly(run: Run) -> Outcome:
    """Sigmoid scores, divided: the error and the largest BOS weight are σ(−K), exactly."""
    return exactly(SIGMOID_SOLUTION, run)


@evidence("mechanisms", kind="certified", statement="mechanisms.sigmoid")
def sigmoid_in_balls(run: Run) -> Outcome:
    """Real sigmoid scores, divided, obey σ(−K) to a part in 10¹², up to L = 16 and n = 13."""
    return in_balls(SIGMOID_SOLUTION, run)


@evidence("mechanisms", kind="exact", statement="mechanisms.linear", settles=True)
def linear_exactly(run: Run) -> Outcome:
    """Linear scores, divided: error and BOS weight exactly 0."""
    return exactly(LINEAR_SOLUTION, run)
