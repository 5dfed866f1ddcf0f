"""Scores that are never divided cannot average, unless the logits read positions.

``theorems.mechanisms`` (after Ran-Milo 2026, arXiv 2603.11487).  Here α_ik = f(z_ik) for any f, of
logits that depend on the two tokens alone.  After r−1 copies of one ordinary token the trigger's
row writes a + (r−1)g, linear in r, while the trigger flag of its target is 1/r.  With R = L−1 the
chord of 1/r from 2 to R is too high by

    ½ + 1/R − r/(2R) − 1/r,

and no line does better than half of the largest such gap: 1/48 at L = 5, towards 1/4 as L grows.

*The floor is attained*, for one content c, by linear scores: the trigger scores 1 on ordinary
tokens and on itself, all else 0, with the values p of an ordinary token and q of the trigger

    p_t = −1/(2R),  q_t = ½ − floor − p_t,  p_o = −p_t,  q_o = 1 − q_t.

All silent rows are 0, and there is no weight on BOS.

*Positions in the logits restore the division*: with the logit −log(r−1) at the trigger's row a
sigmoid is σ = 1/(1 + (r−1)) = 1/r exactly.

>>> [str(floor(L)) for L in (5, 6, 9, 17)]
['1/48', '1/30', '1/16', '5/48']
>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=5, content_dim=0).tokens(exact([[]] * 4), trigger=5)
>>> print(picture(undivided_scores(5).run(tokens).rows[0][4:]))
   .  1.00  1.00  1.00  1.00
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions.directions import identity_off_bos, one_content_values, random_rationals
from constructions.divided_scores import ON_OR_ZERO
from constructions.networks import Head, Network, inspect
from constructions.sharpness import lift
from theorems.arrays import Array, exact
from theorems.attention import causal_mask
from theorems.evidence import Outcome, Run, check, evidence
from theorems.mechanisms import UNDIVIDED
from theorems.statement import Statement
from theorems.trigger_task import TRIGGER, TriggerTask


def floor(length: int) -> Fraction:
    """Half the largest gap between the chord of 1/r from 2 to L−1 and 1/r; L ≥ 4."""
    R = length - 1
    return max(
        (Fraction(1, 2) + Fraction(1, R) - Fraction(r, 2 * R) - Fraction(1, r)) / 2
        for r in range(2, length)
    )


def undivided(scores: Array) -> Array:
    """The scores themselves, causally masked."""
    return scores * causal_mask(scores)


def undivided_scores(length: int, content: Sequence[Any] = ()) -> Network:
    """The layer with error exactly ``floor(length)`` for the content set {content}; L ≥ 4."""
    R = length - 1
    p_t = Fraction(-1, 2 * R)
    q_t = Fraction(1, 2) - floor(length) - p_t
    M = one_content_values(content, bos=(0, 0), ordinary=(-p_t, p_t), trigger=(1 - q_t, q_t))
    head = Head(lambda tokens: undivided(ON_OR_ZERO(tokens)), M, simplex=False)
    return Network(((head,),))


def positions_divide(task: TriggerTask) -> Network:
    """Undivided sigmoid with logit −log(r−1), r = i−1, at the trigger's row i; elsewhere −∞."""

    def rows(tokens: Array) -> Array:
        r = exact([[max(2, i)] for i in range(task.length)])
        weights = lift(1 / (r - 1), tokens)  # e^z
        sigmoid = weights / (1 + weights) * tokens[..., TRIGGER : TRIGGER + 1]
        off_bos = lift(exact([[0] + [1] * (task.length - 1)]), tokens)
        return undivided(sigmoid * off_bos)

    return Network(((Head(rows, identity_off_bos(task.width), simplex=False),),))


def stronger(factor: Fraction) -> Statement:
    """The statement with a floor ``factor`` times as high: false for every factor above 1."""
    floor_r = UNDIVIDED.conclusion.lts * sp.Rational(factor.numerator, factor.denominator)
    return replace(UNDIVIDED, conclusion=floor_r <= UNDIVIDED.conclusion.gts)


@evidence("mechanisms", kind="exact", statement="mechanisms.undivided")
def undivided_floor_is_attained(run: Run) -> Outcome:
    """Linear undivided scores attain the floor exactly, with no BOS weight; 5% more is refuted."""
    holds, refuted, longest = True, True, run.scale(9, 16, 24)
    for length in range(5, longest + 1):
        for content in ((), ("1/3",), ("-5", "7/2")):
            task = TriggerTask(length, len(content))
            found = inspect(task, undivided_scores(length, content), exact([content]))
            holds = holds and found.error == floor(length) and found.bos == 0
            gaps = []
            for r in range(2, length):
                holds = holds and UNDIVIDED.applies(L=length, r=r, eta=found.error)
                gaps.append(UNDIVIDED.excess(L=length, r=r, eta=found.error))
                refuted = refuted and gaps[-1] <= 0
            holds = holds and max(gaps) == 0
            best = 2 + gaps.index(0)
            higher = stronger(Fraction(21, 20))
            refuted = refuted and not higher.holds(L=length, r=best, eta=found.error)
    return check(
        holds and refuted,
        f"error exactly the floor at L = 5..{longest}: 1/48 to {float(floor(longest)):.3f}",
        floor=str(floor(longest)),
    )


@evidence("mechanisms", kind="searched", statement="mechanisms.undivided")
def no_undivided_layer_is_better(run: Run) -> Outcome:
    """Random undivided scores and values near the best ones: the error is never below the floor."""
    rng, holds, least = random.Random(run.seed), True, Fraction(10**9)
    count, caught, higher = run.scale(40, 200, 1000), 0, stronger(Fraction(21, 20))
    for k in range(count):
        length, size = rng.randint(5, 8), Fraction(1, 2 ** (k % 12))
        network = undivided_scores(length)
        M = network.heads[0].M + size * random_rationals(rng, (3, 3)) / 9
        scores = exact([[0, 0, 0], [0, 1, 1], [0, 0, 0]]) + size * random_rationals(rng, (3, 3)) / 9

        def rows(tokens: Array, A: Array = scores) -> Array:
            return undivided(tokens @ A @ tokens.swapaxes(-1, -2))

        task = TriggerTask(length, 0)
        found = inspect(task, Network(((Head(rows, M, simplex=False),),)), exact([[]]))
        at = {"L": length, "eta": found.error}
        holds = holds and all(UNDIVIDED.holds(r=r, **at) for r in range(2, length))
        least = min(least, found.error / floor(length))
        caught += not all(higher.holds(r=r, **at) for r in range(2, length))
    figure = f"{count} layers: smallest error {float(least):.3f} of the floor; a floor 5% higher is"
    return check(holds and caught > 0, f"{figure} refuted by {caught}", least=str(least))


@evidence("mechanisms", kind="exact", statement="mechanisms.undivided")
def positions_in_the_logits_divide(run: Run) -> Outcome:
    """With logits −log(r−1) an undivided sigmoid averages exactly: position-free is needed."""
    holds = True
    for length in range(5, run.scale(6, 7) + 1):
        task = TriggerTask(length, 1)
        found = inspect(task, positions_divide(task), exact([["-1"], ["1/2"]]))
        holds = holds and found.error == found.bos == 0
        holds = holds and not UNDIVIDED.holds(L=length, r=3, eta=found.error)
    return check(holds, "error 0 and no BOS weight")
