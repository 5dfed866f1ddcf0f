"""The arithmetic of silence by averaging: Cauchy and Schwarz, key by key.

Notation: S = 1 − α the mass off the sink, T = Σ_{k≠0} α_k², so that V = σ²T.

Not in z3: E‖Σα_k v_k‖² = σ²Σα_k² for independent values of mean zero.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.silence_by_averaging import (
    NO_SINK,
    RMS,
    SILENCE,
    UNEVEN,
    V,
    alpha,
    eta,
    m,
    sigma,
    x,
)
from theorems.smt import Core, Show, without

n = sp.Symbol("n", integer=True)
S, T = sp.symbols("S T", real=True)
NAMES = {
    "m": "number of keys other than the sink",
    "n": "how many keys have been added",
    "alpha": "weight on the sink",
    "sigma": "root mean square of a value",
    "V": "E‖o‖²",
    "eta": "root mean square of the output",
    "x": "one weight",
    "S": "a sum of weights",
    "T": "the sum of their squares",
}

CAUCHY = Core(
    name="one more weight",
    symbols=NAMES,
    hypotheses=(n >= 1, n * T >= S**2),
    conclusion=(S + x) ** 2 <= (n + 1) * (T + x**2),
    says="Induction over the keys: (S − nx)² ≥ 0.",
    hints=(
        Show(2 * S * x * n <= S**2 + n**2 * x**2, using=()),
        Show(2 * S * x * n <= n * T + n**2 * x**2),
        Show(2 * S * x <= T + n * x**2, using=(n >= 1, 2 * S * x * n <= n * T + n**2 * x**2)),
    ),
    narrow=(sp.Eq(n, 1),),
)
WEIGHED = (sp.Eq(S, 1 - alpha), m * T >= S**2, sp.Eq(V, sigma**2 * T))
SILENT = Core(
    name="silence",
    symbols=NAMES,
    hypotheses=(*assumed(SILENCE), *WEIGHED),
    conclusion=SILENCE.conclusion,
    says="V = σ²T ≥ σ²S²/m.",
    hints=(
        Show(S**2 / m <= T, using=(m >= 1, m * T >= S**2)),
        Show(sigma**2 * (S**2 / m) <= sigma**2 * T, using=(S**2 / m <= T,)),
    ),
    narrow=(sp.Eq(m, 1),),
)
SILENCE_LINKS = (
    Link(
        CAUCHY,
        (CAUCHY.false("each key counts", conclusion=(S + x) ** 2 <= n * (T + x**2)),),
    ),
    Link(
        SILENT,
        (SILENT.false("attained", conclusion=2 * sigma**2 * (1 - alpha) ** 2 / m <= V),),
    ),
)
OTHERS = (S - x) ** 2 <= (m - 1) * (T - x**2)
LOPSIDED = Core(
    name="an uneven weight",
    symbols=NAMES,
    hypotheses=(*assumed(UNEVEN), sp.Eq(S, 1 - alpha), OTHERS, sp.Eq(V, sigma**2 * T)),
    conclusion=UNEVEN.conclusion,
    says="x² + (S−x)²/(m−1) = S²/m + (x − S/m)²·m/(m−1) ≤ T.",
    hints=(
        Show(x**2 + (S - x) ** 2 / (m - 1) <= T, using=(m >= 2, OTHERS)),
        Show(
            sp.Eq(S**2 / m + (x - S / m) ** 2 * m / (m - 1), x**2 + (S - x) ** 2 / (m - 1)),
            using=(m >= 2,),
        ),
        Show(S**2 / m + (x - S / m) ** 2 * m / (m - 1) <= T),
        Show(
            sigma**2 * (S**2 / m + (x - S / m) ** 2 * m / (m - 1)) <= sigma**2 * T,
            using=(S**2 / m + (x - S / m) ** 2 * m / (m - 1) <= T,),
        ),
    ),
    narrow=(sp.Eq(m, 2),),
)
UNEVEN_LINKS = (
    Link(
        LOPSIDED,
        (LOPSIDED.false("the others are a simplex too", hypotheses=without(LOPSIDED, OTHERS)),),
    ),
)
FORCED = Core(
    name="what silence forces",
    symbols=NAMES,
    hypotheses=(*assumed(RMS), SILENCE.conclusion),
    conclusion=RMS.conclusion,
    says="σ²(1−α)²/m ≤ V ≤ η².",
    hints=(
        Show(sigma**2 * (1 - alpha) ** 2 / m <= eta**2),
        Show(
            sigma**2 * (1 - alpha) ** 2 <= eta**2 * m,
            using=(m >= 1, sigma**2 * (1 - alpha) ** 2 / m <= eta**2),
        ),
    ),
    narrow=(sp.Eq(m, 4),),
)
RMS_LINKS = (
    Link(
        FORCED,
        (FORCED.false("√m counts", conclusion=sigma**2 * (1 - alpha) ** 2 <= eta**2),),
    ),
)
UNIFORM = Core(
    name="no sink",
    symbols=NAMES,
    hypotheses=(*assumed(NO_SINK), sp.Eq(V * m, sigma**2)),
    conclusion=NO_SINK.conclusion,
    says="V = σ²/m.",
)
NO_SINK_LINKS = (
    Link(
        UNIFORM,
        (UNIFORM.false("enough keys", hypotheses=without(UNIFORM, sigma**2 <= m * eta**2)),),
    ),
)


@evidence("silence_by_averaging", kind="smt", settles=True)
def silence_arithmetic(run: Run) -> Outcome:
    """z3 proves the bound for any number of keys and any weights."""
    return outcome(SILENCE_LINKS, run)


@evidence("silence_by_averaging", kind="smt", settles=True, statement="silence_by_averaging.uneven")
def uneven_arithmetic(run: Run) -> Outcome:
    """z3 proves what one uneven weight adds."""
    return outcome((SILENCE_LINKS[0], *UNEVEN_LINKS), run)


@evidence("silence_by_averaging", kind="smt", settles=True, statement="silence_by_averaging.needed")
def needed_arithmetic(run: Run) -> Outcome:
    """z3 solves the bound for the mass off the sink."""
    return outcome(RMS_LINKS, run)


@evidence(
    "silence_by_averaging", kind="smt", settles=True, statement="silence_by_averaging.no_sink"
)
def no_sink_arithmetic(run: Run) -> Outcome:
    """z3 shows that enough uniform keys are silent."""
    return outcome(NO_SINK_LINKS, run)
