"""A slot that writes nothing: softmax-off-by-one, a learned sink logit and a null key need no sink.

``theorems.mechanisms`` (after Ran-Milo 2026, arXiv 2603.11487).  With a sink logit s every divisor
has one more term, S = e^s; S = 1 is softmax-off-by-one.  The scores, with sharpness K and E = e^K:

                 key BOS   key ordinary   key trigger
    ordinary       −K          −K            −K
    trigger         0           K             K

Off the trigger the i visible keys weigh i/E against S, so the mass rests on the slot; BOS keeps
1/(SE+i) ≤ 1/(SE+2) of it.  At the trigger r tokens weigh rE against 1+S.  Over contents in [-1,1]ⁿ

    η = max( (1+S)/(1+S+2E),  (L−1)/(SE+L) )          (L ≥ 4).

The three mechanisms are one.  A *null key* with logit s for every query and value 0 gives each
visible key the same weight as the sink logit; its own column is the mass at rest, which a BOS token
would hold in plain softmax (a null key whose value is not 0 *is* a BOS token).  A sink logit s is
off-by-one with every logit lowered by s, and bilinear logits on tokens whose flags sum to one can
be lowered by any constant, x_iᵀ(−s·1·1ᵀ)x_k = −s.

>>> from theorems.arrays import exact
>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> network = null_slot(TriggerTask(4, 0), Sharpness(Fraction(30)))
>>> print(picture(network.run(tokens).rows[0]))
0.50     .     .     .
0.03  0.03     .     .
0.02  0.48  0.48     .
0.03  0.03  0.03  0.03
"""

from __future__ import annotations

import functools
import random
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.directions import identity_off_bos, random_rationals
from constructions.networks import Head, Network
from constructions.sharpness import Sharpness, attention, by_flags, with_null
from constructions.sink_free import Closed, Construction, exactly, in_balls
from theorems.arrays import Array
from theorems.attention import normalise, normalise_off_by_one, normalise_with_null
from theorems.evidence import Outcome, Run, check, evidence
from theorems.mechanisms import OFF_BY_ONE, SINK_LOGIT, SLOTS
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask

SCORES = by_flags(
    {(ORDINARY, key): -1 for key in (BOS, ORDINARY, TRIGGER)}
    | {(TRIGGER, ORDINARY): 1, (TRIGGER, TRIGGER): 1}
)


def null_slot(task: TriggerTask, sharpness: Sharpness, S: Fraction = Fraction(1)) -> Network:
    """The layer with sink logit log S; S = 1 is softmax-off-by-one."""
    rows = attention(with_null(S), SCORES, sharpness)
    return Network(((Head(rows, identity_off_bos(task.width), simplex=False),),))


def closed_form(length: int, E: Any, S: Fraction = Fraction(1)) -> Closed:
    """η with and without contents, and the largest BOS weight off the trigger."""
    missed = [(r, (1 + S) / (1 + S + r * E)) for r in range(2, length)]
    leaked = [(i - 1) / (S * E + i) for i in range(2, length + 1)]
    if length == 3:
        leaked.pop()  # its last position always holds the trigger
    flags = [Fraction(r - 1, r) * e for r, e in missed]
    return Closed(
        error=max([e for _, e in missed] + leaked),
        error_without_contents=max(flags + leaked[: length - 2]),
        bos=1 / (S * E + 2),
    )


OFF_BY_ONE_SOLUTION = Construction("softmax-off-by-one", null_slot, closed_form, OFF_BY_ONE)
SINK_LOGITS = tuple(
    Construction(
        f"sink logit log {S}",
        functools.partial(null_slot, S=S),
        functools.partial(closed_form, S=S),
        SINK_LOGIT,
        {"S": S},
    )
    for S in (Fraction(1, 8), Fraction(5))
)


def null_key(weights: Array, S: Fraction) -> Array:
    """Softmax over the visible keys and a null key of weight S, from exponentials; (..., L, L+1).

    The null key stands first, visible to everyone.
    """
    column = np.full((*weights.shape[:-1], 1), S, dtype=object)
    square = np.concatenate([column, weights], axis=-1)
    first = np.concatenate([column[..., :1, :], weights[..., :1, :] * 0], axis=-1)
    return normalise(np.concatenate([first, square], axis=-2))[..., 1:, :]


@evidence("mechanisms", kind="exact", statement="mechanisms.off_by_one", settles=True)
def off_by_one_exactly(run: Run) -> Outcome:
    """Softmax-off-by-one: error and BOS weight equal their closed forms, in rational arithmetic."""
    return exactly(OFF_BY_ONE_SOLUTION, run)


@evidence("mechanisms", kind="certified", statement="mechanisms.off_by_one")
def off_by_one_in_balls(run: Run) -> Outcome:
    """Real softmax-off-by-one obeys its bound to a part in 10¹², up to L = 16 and n = 13."""
    return in_balls(OFF_BY_ONE_SOLUTION, run)


@evidence("mechanisms", kind="exact", statement="mechanisms.sink_logit", settles=True)
def sink_logit_exactly(run: Run) -> Outcome:
    """A sink logit, e^s = 1/8 and 5: error and BOS weight equal their closed forms, exactly."""
    return _both(exactly, run)


@evidence("mechanisms", kind="certified", statement="mechanisms.sink_logit")
def sink_logit_in_balls(run: Run) -> Outcome:
    """Softmax with a sink logit, e^s = 1/8 and 5, obeys its bound to 10⁻¹² of it, up to L = 16."""
    return _both(in_balls, run)


def _both(how: Any, run: Run) -> Outcome:
    found = [how(construction, run) for construction in SINK_LOGITS]
    holds = all(outcome.status == "passed" for outcome in found)
    figure = next((o.figure for o in found if o.status == "failed"), found[-1].figure)
    return check(holds, f"e^s = 1/8 and 5: {figure}")


@evidence("mechanisms", kind="exact", statement="mechanisms.slots", settles=True)
def slots_are_one_mechanism(run: Run) -> Outcome:
    """Sink logit, null key, and off-by-one at shifted logits give the same rows, exactly."""
    rng, holds, count = random.Random(run.seed), True, run.scale(50, 200)
    for _ in range(count):
        length = rng.randint(2, 7)
        S = Fraction(rng.randint(1, 9), rng.randint(1, 9))
        weights = abs(random_rationals(rng, (length, length)))
        rows = normalise_with_null(weights, S)
        keyed = null_key(weights, S)
        holds = holds and bool((rows == keyed[..., 1:]).all())
        holds = holds and bool((keyed[..., 0] == 1 - rows.sum(axis=-1)).all())
        shifted = normalise_off_by_one(weights / S)  # e^{z−s} = e^z / S
        holds = holds and bool((rows == shifted).all())
        row = rng.randrange(length)
        total = weights[row, : row + 1].sum()
        at = {"w": weights[row, 0], "T": total, "S": S}
        holds = holds and SLOTS.holds(alpha=rows[row, 0], beta=shifted[row, 0], **at)
        holds = holds and SLOTS.applies(alpha=rows[row, 0], beta=shifted[row, 0], **at)
    return check(holds, f"{count} random rows of weights, L = 2..7, each entry equal")
