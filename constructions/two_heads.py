"""Two softmax heads in one layer need no sink: they cancel.

``theorems.sink_free_softmax``; Theorem 1 (Ran-Milo 2026, arXiv 2603.11487) is about one head.  Both
heads score 0 everywhere but for the trigger's score on BOS, and write with opposite signs:

    head 1   A[trigger, BOS] = −K,  M = identity off BOS
    head 2   A[trigger, BOS] = +K,  M = −(identity off BOS)

Off the trigger both attend uniformly, and what one writes the other takes back: exact silence, with
BOS weight 1/i ≤ ½ at position i.  At the trigger head 1 averages and head 2 rests on BOS.  With
E = e^K and r = j−1 visible non-BOS tokens the two weights of a token there are E/(1+rE) and
1/(E+r), so over contents in [-1,1]ⁿ

    η = max_{2≤r≤L−1} [1/(1+rE) + r/(E+r)]  ≤  L e^{−K}.

The trigger's row does sink, in head 2; a non-trigger row never does.

>>> from theorems.arrays import exact
>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> for rows in two_heads(TriggerTask(4, 0), Sharpness(Fraction(30))).run(tokens).rows:
...     print(picture(rows), end="\\n\\n")
1.00     .     .     .
0.50  0.50     .     .
0.02  0.49  0.49     .
0.25  0.25  0.25  0.25
<BLANKLINE>
1.00     .     .     .
0.50  0.50     .     .
0.94  0.03  0.03     .
0.25  0.25  0.25  0.25
<BLANKLINE>
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from constructions.directions import identity_off_bos
from constructions.networks import Head, Network
from constructions.sharpness import SOFTMAX, Sharpness, attention, by_flags
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.evidence import Outcome, Run, evidence
from theorems.sink_free_softmax import TWO_HEADS
from theorems.trigger_task import BOS, TRIGGER, TriggerTask


def two_heads(task: TriggerTask, sharpness: Sharpness) -> Network:
    """The layer for tokens of the task's width."""
    M = identity_off_bos(task.width)
    heads = []
    for sign in (-1, 1):
        rows = attention(SOFTMAX, by_flags({(TRIGGER, BOS): sign}), sharpness)
        heads.append(Head(rows, -sign * M))
    return Network((tuple(heads),))


def closed_form(length: int, E: Any) -> Closed:
    """η with and without contents, and the largest BOS weight off the trigger."""
    missed = [(r, 1 / (1 + r * E) + r / (E + r)) for r in range(2, length)]
    return Closed(
        error=max(e for _, e in missed),
        error_without_contents=max(Fraction(r - 1, r) * e for r, e in missed),
        bos=Fraction(1, 2),
    )


SOLUTION = Construction("two heads", two_heads, closed_form, TWO_HEADS)


@evidence("sink_free_softmax", kind="exact", settles=True)
def two_heads_exactly(run: Run) -> Outcome:
    """Two heads: error and BOS weight equal their closed forms, in rational arithmetic."""
    return exactly(SOLUTION, run)


@evidence("sink_free_softmax", kind="certified")
def two_heads_in_balls(run: Run) -> Outcome:
    """Two heads of real softmax obey the bound Le^(−K), in balls, up to L = 16 and n = 13."""
    return in_balls(SOLUTION, run)
