"""One softmax head followed by a ReLU MLP needs no sink: the MLP does the silence.

``theorems.sink_free_softmax``.  An MLP *before* the head is a token-wise value map, which Theorem 1
(Ran-Milo 2026, arXiv 2603.11487) covers; one *after* it is not.  The head scores −K on BOS and 0
elsewhere for every query, so it writes nearly the mean of the visible tokens, for everyone.  The
MLP reads this beside the query's own trigger flag t (by a residual or by concatenation):

    y = ReLU(mean + C(t − ½)) − ReLU(C(t − ½)),   coordinate by coordinate, C = 2.

With contents in [-1,1]ⁿ no |mean| exceeds 1 = C/2.  So off the trigger both units are off and the
output is exactly 0; at the trigger both are linear and the output is the mean.  What remains is the
BOS weight 1/(1+rE) of the trigger's row, E = e^K: η = 1/(1+2E).  Non-trigger rows have BOS
weight at most 1/(1+E).

>>> from theorems.arrays import exact
>>> task = TriggerTask(length=4, content_dim=1)
>>> tokens = task.tokens(exact([["1/2"], ["-1"], ["1"]]), trigger=3)
>>> done = mlp_after_head(task, Sharpness(Fraction(30))).run(tokens)
>>> print(done.outputs.astype(float).round(3))
[[ 0.     0.     0.     0.   ]
 [ 0.     0.     0.     0.   ]
 [ 0.     0.492  0.492 -0.246]
 [ 0.     0.     0.     0.   ]]
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from constructions.directions import identity_off_bos
from constructions.networks import Head, Network
from constructions.sharpness import SOFTMAX, Sharpness, attention, by_flags, number
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.arrays import Array, is_exact
from theorems.evidence import Outcome, Run, evidence
from theorems.sink_free_softmax import MLP
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

OFF_BOS = by_flags({(q, BOS): -1 for q in (ORDINARY, TRIGGER)})
"""Every query but BOS's own averages the visible tokens and avoids BOS."""


def relu(x: Array) -> Array:
    """max(0, x), entry by entry; in balls the enclosure of it, also where the sign is open."""
    if is_exact(x):
        return np.array([v.max(v * 0) if hasattr(v, "rad") else max(v, v * 0) for v in x.flat],
                        dtype=object).reshape(x.shape)  # fmt: skip
    return x * (x > 0)


def gated_by_mlp(C: Fraction) -> Any:
    """The MLP with threshold C/2, as a function of (what the head wrote, the tokens)."""

    def after(mixed: Array, tokens: Array) -> Array:
        flag = tokens[..., TRIGGER : TRIGGER + 1]
        threshold = (flag + flag - 1) * number(C / 2, tokens)
        return relu(mixed + threshold) - relu(threshold)

    return after


def mlp_after_head(task: TriggerTask, sharpness: Sharpness, C: Fraction = Fraction(2)) -> Network:
    """Head and MLP for tokens of the task's width; C = 2 suffices for contents in [-1,1]ⁿ."""
    head = Head(attention(SOFTMAX, OFF_BOS, sharpness), identity_off_bos(task.width))
    return Network(((head,),), after=gated_by_mlp(C))


def closed_form(length: int, E: Any) -> Closed:
    """η with and without contents, and the largest BOS weight off the trigger."""
    missed = [(r, 1 / (1 + r * E)) for r in range(2, length)]
    return Closed(
        error=max(e for _, e in missed),
        error_without_contents=max(Fraction(r - 1, r) * e for r, e in missed),
        bos=1 / (1 + E),
    )


SOLUTION = Construction("MLP after the head", mlp_after_head, closed_form, MLP)


@evidence("sink_free_softmax", kind="exact", statement="sink_free_softmax.mlp", settles=True)
def mlp_exactly(run: Run) -> Outcome:
    """An MLP after the head: error and BOS weight equal their closed forms, exactly."""
    return exactly(SOLUTION, run)


@evidence("sink_free_softmax", kind="certified", statement="sink_free_softmax.mlp")
def mlp_in_balls(run: Run) -> Outcome:
    """Real softmax and an MLP obey 1/(1 + 2e^K) to a part in 10¹², up to L = 16 and n = 13."""
    return in_balls(SOLUTION, run)
