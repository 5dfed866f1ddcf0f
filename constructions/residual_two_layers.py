"""A residual stream of depth two needs no sink: what one layer adds, the next takes back.

``theorems.sink_free_softmax``; Theorem 2 (Ran-Milo 2026, arXiv 2603.11487) is about layers without
residual, and its residual form is false from depth two on.  The target is x_i, plus the mean at
the trigger; logits may read positions.

    off the trigger   logit K on oneself in both layers, 0 elsewhere
    at the trigger    logit −K on BOS in layer 1 and +K in layer 2, 0 elsewhere
    values            M₁ = identity off BOS,  M₂ = −½ (identity off BOS)

Off the trigger a state is doubled and halved, x → 2x → x.  The trigger adds the mean in layer 1 and
rests on BOS in layer 2.  The BOS weight off the trigger is 1/(E+i−1) ≤ 1/(E+1), and the error is at
most 3L e^{−K}.  Further layers may have M = 0.

>>> from theorems.arrays import exact
>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> network = residual_two_layers(TriggerTask(4, 0), Sharpness(Fraction(30)))
>>> for rows in network.run(tokens).rows:
...     print(picture(rows), end="\\n\\n")
1.00     .     .     .
0.03  0.97     .     .
0.02  0.49  0.49     .
0.03  0.03  0.03  0.91
<BLANKLINE>
1.00     .     .     .
0.03  0.97     .     .
0.94  0.03  0.03     .
0.03  0.03  0.03  0.91
<BLANKLINE>
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from constructions.directions import identity_off_bos
from constructions.networks import Head, Network
from constructions.sharpness import SOFTMAX, Scores, Sharpness, attention, lift
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, evidence
from theorems.sink_free_softmax import RESIDUAL
from theorems.trigger_task import TRIGGER, TriggerTask

HALF = Fraction(1, 2)


def self_scores(on_bos: int) -> Scores:
    """Score 1 on oneself off the trigger; at the trigger ``on_bos`` on BOS; 0 elsewhere."""

    def of(tokens: Array) -> Array:
        length = tokens.shape[-2]
        oneself = lift(exact(np.eye(length, dtype=int)), tokens)
        first = oneself[:1] * on_bos
        here = tokens[..., TRIGGER : TRIGGER + 1]
        return oneself * (1 - here) + first * here

    return of


def residual_two_layers(task: TriggerTask, sharpness: Sharpness) -> Network:
    """The stack for tokens of the task's width."""
    M = identity_off_bos(task.width)
    first = Head(attention(SOFTMAX, self_scores(-1), sharpness), M)
    second = Head(attention(SOFTMAX, self_scores(1), sharpness), -HALF * M)
    return Network(((first,), (second,)), residual=True)


def bounds(length: int, E: Any) -> Closed:
    """The proven bound 3L/E on η, and the largest BOS weight off the trigger exactly."""
    return Closed(3 * length / E, 3 * length / E, 1 / (E + 1))


SOLUTION = Construction(
    "residual, two layers", residual_two_layers, bounds, RESIDUAL, error_is_bound=True
)


@evidence("sink_free_softmax", kind="exact", statement="sink_free_softmax.residual", settles=True)
def residual_two_layers_exactly(run: Run) -> Outcome:
    """Two residual layers: η ≤ 3L/E and the BOS weight is 1/(E+1), in rational arithmetic."""
    return exactly(SOLUTION, run)


@evidence("sink_free_softmax", kind="certified", statement="sink_free_softmax.residual")
def residual_two_layers_in_balls(run: Run) -> Outcome:
    """Two residual layers of real softmax obey 3Le^(−K), in balls, up to L = 16 and n = 13."""
    return in_balls(SOLUTION, run)
