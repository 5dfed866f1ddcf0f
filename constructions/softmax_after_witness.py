"""Softmax after the trigger: a mass of four times the error off BOS, and no less in general.

If the trigger's row is position-free softmax, Theorem 1 (Ran-Milo 2026, arXiv 2603.11487) sharpens
to m ≤ 4η after the trigger (``theorems.one_layer_sink``, softmax_after).  Both layers here have
error exactly η and m = 4η.

*Averaging witness*, for every L ≥ 4, every η ≤ κ_L and all contents with ‖c‖ ≤ 1/4.  The trigger
has weight 1 on each ordinary token and on itself; position i after it puts 1−4η on BOS, 2η on the
trigger, 2η/(i−2) on each ordinary token; positions before it are on BOS.  Flags (ordinary,
trigger) and contents of the values:

    BOS  v = (−η, −η; 0)        ordinary  p = (1, 0; c)        trigger  q = (−2η, 1−2η; c)

After n ordinary tokens the trigger writes (n−2η, 1−2η)/(n+1), at most 2η/(n+1) ≤ η too little.
After it, p and q in equal parts write 2η(1−2η) on both flags: from −η(1−4η), what BOS writes, to η.

*Bilinear witness*: the weights of all queries depend on pairs of tokens alone.  For one content,
η ≤ min(κ_L, 1/3 − κ_L) and η < 1/6, with N = L−2, b = 1/(1−6η), P = (1+b)/2 − 2ηb and
s = ((1+b)/2 − 2η)/b:

                  key BOS      key ordinary      key trigger
    trigger          0              1                 b
    ordinary       1−4η       4η/((1+b)N)        4ηb/(1+b)
    value        (−η, −η)        (P−η, η)          (η, s−η)

P and s make the trigger write ½−η on both flags at j = 3 and the last row after it η, whatever b
is.  After n ordinary tokens the trigger stays within η iff n(b−1)/((n+1)b) ≥ 4η, tightest at
n = 2, and (b−1)/(b+1) ≤ 4η(n+1)/(n−1), tightest at n = N, where the right side is η/κ_L.  So b is
the smallest choice and works up to 1/3 − κ_L.  Beyond, with all rows bilinear, 4η is open.

BOS weight 0 in the trigger's row is the limit of softmax: with weight e > 0 the error is η + O(e).

>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=5, content_dim=0).tokens(exact([[]] * 4), trigger=3)
>>> print(picture(AveragingWitness(5, 0, Fraction(1, 8)).rows(tokens)))
1.00     .     .     .     .
1.00     .     .     .     .
   .  0.50  0.50     .     .
0.50  0.12  0.25  0.12     .
0.50  0.08  0.25  0.08  0.08
>>> print(picture(bilinear_after_witness(5, Fraction(1, 8)).rows(tokens)))
1.00     .     .     .     .
0.94  0.06     .     .     .
   .  0.20  0.80     .     .
0.52  0.03  0.41  0.03     .
0.50  0.03  0.40  0.03  0.03
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from constructions.directions import identity_off_bos, matrix, one_content_values
from constructions.enumeration import Measured, RowsFn, Values, measure
from constructions.sharp_witness import kappa
from theorems.arrays import Array, exact
from theorems.attention import MECHANISMS, AttentionLayer, normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import AFTER
from theorems.symbols import eta as eta_symbol
from theorems.symbols import m as m_symbol
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask


@dataclass(frozen=True)
class AveragingWitness:
    """The first layer, in Fractions; ``bos`` is the trigger's weight e ≥ 0 on BOS.

    Raises ``ValueError`` unless L ≥ 4 and 0 ≤ η ≤ κ_L.
    """

    length: int
    content_dim: int
    eta: Fraction
    bos: Any = 0

    def __post_init__(self) -> None:
        _refuse(self.length, self.eta, kappa(self.length), "κ_L")

    def rows(self, tokens: Array) -> Array:
        """Attention rows (..., L, L) of tokens (..., L, d)."""
        here = tokens[..., TRIGGER : TRIGGER + 1]
        after = np.cumsum(here, axis=-2) - here
        share = exact([[Fraction(2, max(1, i - 2))] for i in range(1, self.length + 1)]) * self.eta
        at_trigger = self._weights(tokens, self.bos, 1, 1)
        before_it = self._weights(tokens, 1, 0, 0)
        after_it = self._weights(tokens, 1 - 4 * self.eta, share, 2 * self.eta)
        return normalise(at_trigger * here + before_it * (1 - here - after) + after_it * after)

    def _weights(self, tokens: Array, bos: Any, ordinary: Any, trigger: Any) -> Array:
        """Weights (..., L, L) of a query by the kind of its key."""
        keys = tokens[..., None, :, :]
        return keys[..., BOS] * bos + keys[..., ORDINARY] * ordinary + keys[..., TRIGGER] * trigger

    @property
    def M(self) -> Array:
        """The value matrix (d, d)."""
        eta, M = self.eta, identity_off_bos(CONTENT + self.content_dim)
        M[ORDINARY, BOS] = M[TRIGGER, BOS] = -eta
        M[ORDINARY, TRIGGER], M[TRIGGER, TRIGGER] = -2 * eta, 1 - 2 * eta
        return M


def bilinear_after_witness(length: int, eta: Fraction) -> AttentionLayer:
    """The second layer for n = 0.  Raises ``ValueError`` outside its range of L and η."""
    _refuse(length, eta, limit(length), "min(κ_L, 1/3 − κ_L)")
    if eta >= Fraction(1, 6):
        raise ValueError(f"no witness at η = {eta}: b = 1/(1 − 6η) needs η < 1/6")
    b = 1 / (1 - 6 * eta)
    P = (1 + b) / 2 - 2 * eta * b
    s = ((1 + b) / 2 - 2 * eta) / b
    share = 4 * eta / (1 + b)
    weights = {
        (BOS, BOS): 1,
        (TRIGGER, ORDINARY): 1,
        (TRIGGER, TRIGGER): b,
        (ORDINARY, BOS): 1 - 4 * eta,
        (ORDINARY, ORDINARY): share / (length - 2),
        (ORDINARY, TRIGGER): share * b,
    }
    M = one_content_values((), bos=(-eta, -eta), ordinary=(P - eta, eta), trigger=(eta, s - eta))
    return AttentionLayer(matrix(CONTENT, weights), M, MECHANISMS["weights"])


def limit(length: int) -> Fraction:
    """min(κ_L, 1/3 − κ_L): up to here the bilinear witness has error η."""
    return min(kappa(length), Fraction(1, 3) - kappa(length))


def _refuse(length: int, eta: Fraction, largest: Fraction, name: str) -> None:
    if length < 4 or not 0 <= eta <= largest:
        raise ValueError(
            f"no witness at L = {length}, η = {eta}: it needs L >= 4, 0 <= η <= {name}"
        )


def measured(length: int, rows: RowsFn, M: Values, content_set: Array) -> Measured:
    """A layer on every input over a content set (|K|, n)."""
    return measure(TriggerTask(length, content_set.shape[1]), rows, M, content_set)


CONTENT_SETS = (
    exact([[]]),
    exact([["1/4", "-1/4"]]),
    exact([["-1/4"], ["1/4"]]),
    exact([["1/4", "0"], ["-1/5", "1/4"]]),
)
SHARES = (Fraction(1, 100), Fraction(1, 2), Fraction(1))
STRICTER = replace(AFTER, conclusion=m_symbol <= sp.Rational(19, 5) * eta_symbol)


def _attains(length: int, eta: Fraction, found: Measured) -> bool:
    """Whether the error is η, m = 4η exactly, and a constant 3.8 is refuted."""
    at = {"L": length, "m": 1 - (found.bos_after or 0), "eta": found.error}
    meets = found.error == eta and AFTER.applies(**at) and AFTER.excess(**at) == 0
    return meets and AFTER.holds(**at) and not STRICTER.holds(**at)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_after")
def four_is_attained(run: Run) -> Outcome:
    """Averaging witness: error exactly η, m = 4η, for every η up to κ_L; 3.8η is refuted."""
    holds, count, longest = True, 0, run.scale(10, 12, 16)
    for length in range(4, longest + 1):
        for content_set in CONTENT_SETS if length <= run.scale(4, 6) else CONTENT_SETS[:2]:
            for share in SHARES:
                eta = share * kappa(length)
                layer = AveragingWitness(length, content_set.shape[1], eta)
                found = measured(length, layer.rows, layer.M, content_set)
                holds, count = holds and _attains(length, eta, found), count + 1
    figure = f"{count} layers, L = 4..{longest}, η up to κ_L: m = 4η exactly; 3.8η refuted"
    return check(holds, figure, layers=count)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_after")
def four_is_attained_by_bilinear_softmax(run: Run) -> Outcome:
    """Bilinear witness: error exactly η, m = 4η, for η up to min(κ_L, 1/3 − κ_L), below 1/6."""
    holds, count, longest = True, 0, run.scale(10, 12, 16)
    for length in range(4, longest + 1):
        for share in SHARES:
            eta = share * limit(length)
            if eta < Fraction(1, 6):
                layer = bilinear_after_witness(length, eta)
                found = measured(length, layer.rows, layer.M, exact([[]]))
                holds, count = holds and _attains(length, eta, found), count + 1
    return check(holds, f"{count} layers, L = 4..{longest}: m = 4η exactly", layers=count)


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.softmax_after")
def four_is_approached_with_positive_weights(run: Run) -> Outcome:
    """With weight e > 0 on BOS in the trigger's row, as in softmax, m/η tends to 4 from below."""
    holds, nearest, e = True, Fraction(0), Fraction(1, 10**6)
    for length in range(4, run.scale(9, 12, 16) + 1):
        for share in (Fraction(1, 100), Fraction(1, 2), Fraction(99, 100)):
            layer = AveragingWitness(length, 0, share * kappa(length), bos=e * share)
            found = measured(length, layer.rows, layer.M, exact([[]]))
            m = 1 - (found.bos_after or 0)
            at = {"L": length, "m": m, "eta": found.error}
            holds = holds and AFTER.applies(**at) and AFTER.holds(**at)
            holds = holds and 4 * (1 - 10 * e) <= m / found.error < 4
            nearest = max(nearest, m / found.error)
    return check(holds, f"m/η up to 4 − {float(4 - nearest):.0e}", nearest=str(nearest))
