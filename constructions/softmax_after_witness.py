"""Softmax after the trigger: a mass of four times the error off BOS, and no less in general.

For position-free softmax, Theorem 1 (Ran-Milo 2026, arXiv 2603.11487) sharpens to m ≤ 4η after the
trigger (``theorems.one_layer_sink``, softmax_after).  Here is a bilinear layer with error η and
m = 4η, for one content and every η ≤ min(κ_L, 1/3 − κ_L), η < 1/6.  With N = L−2 and a number b
its unnormalised weights and its values on the flags (ordinary, trigger) are

                  key BOS      key ordinary      key trigger
    trigger          0              1                 b
    ordinary       1−4η       4η/((1+b)N)        4ηb/(1+b)
    value        (−η, −η)        (P−η, η)          (η, s−η)

    P = (1+b)/2 − 2ηb,   s = ((1+b)/2 − 2η)/b.

P and s make both flags of the trigger's output ½−η at j = 3, and both flags of the last row after
the trigger exactly η, whatever b is.  After n ordinary tokens the trigger's row stays within η iff
n(b−1)/((n+1)b) ≥ 4η, tightest at n = 2, and (b−1)/(b+1) ≤ 4η(n+1)/(n−1), tightest at n = N, where
the right side is η/κ_L.  So b = 1/(1−6η) is the smallest choice, and it works up to 1/3 − κ_L.

BOS weight 0 is the limit of softmax: with e > 0 in its place the error is η + O(e).  For L ≥ 8 and
1/3 − κ_L < η ≤ κ_L whether 4η is attained is open.

>>> from theorems.attention import picture
>>> from theorems.trigger_task import TriggerTask
>>> tokens = TriggerTask(length=5, content_dim=0).tokens(exact([[]] * 4), trigger=4)
>>> print(picture(softmax_after_witness(5, Fraction(1, 8)).rows(tokens)))
1.00     .     .     .     .
0.94  0.06     .     .     .
0.88  0.06  0.06     .     .
   .  0.17  0.17  0.67     .
0.50  0.03  0.03  0.40  0.03
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions.directions import matrix, one_content_values
from constructions.enumeration import Measured, measure
from constructions.sharp_witness import kappa
from theorems.arrays import exact
from theorems.attention import MECHANISMS, AttentionLayer
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import AFTER
from theorems.symbols import eta as eta_symbol
from theorems.symbols import m as m_symbol
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

LARGEST_ERROR = Fraction(1, 6)
"""b = 1/(1 − 6η) needs η below this."""


def softmax_after_witness(
    length: int, eta: Fraction, content: Sequence[Any] = (), *, bos: Any = 0
) -> AttentionLayer:
    """The layer for the content set {content}, ‖content‖ ≤ 1/2; ``bos`` is the trigger's e ≥ 0.

    Raises ``ValueError`` unless L ≥ 4 and 0 < η ≤ min(κ_L, 1/3 − κ_L), η < 1/6.
    """
    if length < 4 or not 0 < eta <= limit(length) or eta >= LARGEST_ERROR:
        raise ValueError(
            f"no witness at L = {length}, η = {eta}: it needs L >= 4, 0 < η < 1/6 and "
            "η <= min(κ_L, 1/3 − κ_L)"
        )
    b = 1 / (1 - 6 * eta)
    P = (1 + b) / 2 - 2 * eta * b
    s = ((1 + b) / 2 - 2 * eta) / b
    share = 4 * eta / (1 + b)
    weights = {
        (BOS, BOS): 1,
        (TRIGGER, BOS): bos,
        (TRIGGER, ORDINARY): 1,
        (TRIGGER, TRIGGER): b,
        (ORDINARY, BOS): 1 - 4 * eta,
        (ORDINARY, ORDINARY): share / (length - 2),
        (ORDINARY, TRIGGER): share * b,
    }
    values = one_content_values(
        content, bos=(-eta, -eta), ordinary=(P - eta, eta), trigger=(eta, s - eta)
    )
    return AttentionLayer(matrix(CONTENT + len(content), weights), values, MECHANISMS["weights"])


def limit(length: int) -> Fraction:
    """min(κ_L, 1/3 − κ_L): up to here the witness has error η."""
    return min(kappa(length), Fraction(1, 3) - kappa(length))


def measured(length: int, layer: AttentionLayer, content: Sequence[Any] = ()) -> Measured:
    """The layer on every input over its single content."""
    return measure(TriggerTask(length, len(content)), layer.rows, layer.M, exact([content]))


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_after")
def four_is_attained(run: Run) -> Outcome:
    """Error exactly η and m = 4η after the trigger; with BOS weight e > 0 the ratio tends to 4."""
    tiny, stricter = (
        Fraction(1, 10**6),
        replace(AFTER, conclusion=m_symbol <= sp.Rational(19, 5) * eta_symbol),
    )
    holds, refuted, nearest, count = True, True, Fraction(0), 0
    for length in range(4, run.scale(10, 12, 16) + 1):
        for share in (
            Fraction(1, 100),
            Fraction(1, 4),
            Fraction(1, 2),
            Fraction(9, 10),
            Fraction(1),
        ):
            eta = share * limit(length)
            if eta >= LARGEST_ERROR:
                continue
            content = ("1/2", "-1/3")[: count % 3]
            found = measured(length, softmax_after_witness(length, eta, content), content)
            assert found.bos_after is not None
            at = {"L": length, "m": 1 - found.bos_after, "eta": found.error}
            holds = holds and found.error == eta and AFTER.applies(**at)
            holds = holds and AFTER.holds(**at) and AFTER.excess(**at) == 0
            refuted = refuted and not stricter.holds(**at)
            soft = measured(length, softmax_after_witness(length, eta, bos=tiny * eta))
            assert soft.bos_after is not None
            at = {"L": length, "m": 1 - soft.bos_after, "eta": soft.error}
            holds = holds and AFTER.holds(**at) and soft.error <= eta * (1 + 10 * tiny)
            nearest, count = max(nearest, (1 - soft.bos_after) / soft.error), count + 1
    return check(holds and refuted, f"{count} layers: m = 4η exactly; 3.8η refuted", layers=count)
