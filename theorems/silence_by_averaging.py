"""A head can be silent by averaging: over enough keys of mean zero no sink is needed.

Sun et al. 2026, arXiv 2603.05498, find that sinks collapse when only late positions are trained on
(sink ratio 1.2 % to 13.0 % against 46.0 %).  One reason: the mean of m independent values of mean
zero has size σ/√m, so that silence is to be had without a sink once m is large.  The trigger task
differs: its flags do not have mean zero.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

m = sp.Symbol("m", integer=True)
V, alpha, eta, sigma, x = sp.symbols("V alpha eta sigma x", real=True)

PAPER = (
    "Sun et al. 2026, Table 8: sink ratio 46.0 % with loss on positions 1 to 4096, 13.0 % on 1024 "
    "to 4096, 1.2 % on 2048 to 4096; trained, no explanation proved."
)
SETTING = (
    "One head with simplex weights on a sink of value zero (weight α) and m other keys; the values "
    "of those are independent, of mean zero, E‖v_k‖² = σ², and independent of the weights, which "
    "are held fixed; V = E‖o‖². "
)
SYMBOLS = {
    "m": "number of keys other than the sink",
    "alpha": "weight on the sink",
    "sigma": "root mean square of a value",
    "V": "E‖o‖², o the head's output",
}
WEIGHT = (alpha >= 0, alpha <= 1)

SILENCE = Statement(
    name="silence_by_averaging",
    title="The output of a head over m keys has E‖o‖² ≥ σ²(1−α)²/m",
    setting=SETTING,
    symbols=SYMBOLS,
    hypotheses=(m >= 1, *WEIGHT),
    conclusion=sigma**2 * (1 - alpha) ** 2 / m <= V,
    paper=PAPER,
    ours="attained by uniform weights, and by them alone",
    proof_idea="V = σ²Σα_k², and Cauchy and Schwarz.",
)

UNEVEN = Statement(
    name="silence_by_averaging.uneven",
    title="Any unevenness adds to it: equality only for uniform weights",
    setting=SETTING + "x = the weight of some key other than the sink.",
    symbols=SYMBOLS | {"x": "weight of one of the m keys"},
    hypotheses=(m >= 2, *WEIGHT, x >= 0, x <= 1 - alpha),
    conclusion=sigma**2 * ((1 - alpha) ** 2 / m + (x - (1 - alpha) / m) ** 2 * m / (m - 1)) <= V,
    paper=PAPER,
    ours="the case of equality with its rate, attained when the other m−1 weights are equal",
    proof_idea="Cauchy and Schwarz for the other m−1 weights.",
)

RMS = Statement(
    name="silence_by_averaging.needed",
    title="RMS silence η over m keys forces 1 − α ≤ (η/σ)√m",
    setting=SETTING + "V ≤ η².",
    symbols=SYMBOLS | {"eta": "root mean square of the output"},
    hypotheses=(m >= 1, *WEIGHT, eta >= 0, eta**2 >= V),
    conclusion=sigma**2 * (1 - alpha) ** 2 <= eta**2 * m,
    paper=PAPER,
    ours="how much sink silence takes at a given context; nothing once m ≥ σ²/η²",
    proof_idea="The first statement.",
)

NO_SINK = Statement(
    name="silence_by_averaging.no_sink",
    title="Over m ≥ σ²/η² keys uniform attention is silent with no sink at all",
    setting=SETTING + "No sink (α = 0), uniform weights.",
    symbols={n: SYMBOLS[n] for n in ("m", "sigma", "V")} | {"eta": "the silence asked for"},
    hypotheses=(m >= 1, eta > 0, sigma**2 <= m * eta**2),
    conclusion=eta**2 >= V,
    paper=PAPER,
    ours="a reason why training on late positions only removes sinks; not a proof that it does",
    proof_idea="V = σ²/m.",
)

CLAIM = Claim(
    id="silence_by_averaging",
    title="Over long contexts a head is silent without a sink",
    papers=("C11",),
    statements=(SILENCE, UNEVEN, RMS, NO_SINK),
)
