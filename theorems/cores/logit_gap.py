"""The arithmetic of "the gap is the sink": from the other keys' weights to the sink's mass.

Notation: X = Σ_{k≠0} e^{z_k − z₀}, so that α(1 + X) = 1; t_k = z_k − z̄, so that Σt_k = 0.

Not in z3: that softmax is α = 1/(1 + X), and that the exponential lies above its tangents
(e^t ≥ 1 + t), from which the tangent form below is read off.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT, SYMBOLS, E, G, alpha, m, x
from theorems.smt import Core, without

n = sp.Symbol("n", integer=True)
S, T, X, t, y = sp.symbols("S T X t y", real=True)
NAMES = SYMBOLS | {
    "E": "e^Δ",
    "G": "e^(z₀ − z̄)",
    "X": "Σ_{k≠0} e^(z_k − z₀)",
    "S": "sum of n numbers",
    "T": "sum of n numbers",
    "n": "how many numbers have been added",
    "t": "one more number",
    "x": "e^(z_k − z₀) of one key",
    "y": "a bound on each number",
}
MASS = (X >= 0, sp.Eq(alpha * (1 + X), 1))

ONE_MORE = Core(
    name="one more key at the gap",
    symbols=NAMES,
    hypotheses=(n * y >= S, x <= y),
    conclusion=S + x <= (n + 1) * y,
    says="Induction over the keys: n terms of at most y add up to at most ny.",
)
ENOUGH = Core(
    name="a gap is enough",
    symbols=NAMES,
    hypotheses=(*assumed(LOGIT_GAP), *MASS, m - 1 >= X * E),
    conclusion=LOGIT_GAP.conclusion,
    says="α = 1/(1 + X) with X ≤ (m−1)e^(−Δ).",
)
STRICTLY = Core(
    name="equality needs every key exactly Δ below",
    symbols=NAMES,
    hypotheses=(*assumed(STRICT), *MASS, (X - x) * E <= m - 2),
    conclusion=STRICT.conclusion,
    says="The other m−2 terms are at most e^(−Δ) and x is less.",
)
TANGENTS = Core(
    name="one more tangent",
    symbols=NAMES,
    hypotheses=(n + T <= S, x >= 1 + t),
    conclusion=S + x >= (n + 1) + (T + t),
    says="Induction over the keys: Σe^t_k ≥ n + Σt_k, from e^t ≥ 1 + t.",
)
NEEDED = Core(
    name="a gap over the mean is needed",
    symbols=NAMES,
    hypotheses=(*assumed(CONVERSE), *MASS, sp.Eq(T, 0), (m - 1) + T <= X * G),
    conclusion=CONVERSE.conclusion,
    says="X = e^(z̄ − z₀)Σe^t_k ≥ (m−1)/G.",
)

GAP_LINKS = (
    Link(ONE_MORE, (ONE_MORE.false("each term counts", conclusion=S + x <= n * y),)),
    Link(
        ENOUGH,
        (
            ENOUGH.false("not with m−2 keys", conclusion=1 / (1 + (m - 2) / E) <= alpha),
            ENOUGH.false(
                "the gap is used", hypotheses=without(ENOUGH, m - 1 >= X * E), narrow=(sp.Eq(m, 2),)
            ),
        ),
    ),
)
STRICT_LINKS = (
    Link(
        STRICTLY,
        (
            STRICTLY.false(
                "with every key exactly Δ below it is an equality",
                hypotheses=(*without(STRICTLY, x * E < 1), x * E <= 1),
            ),
        ),
    ),
)
CONVERSE_LINKS = (
    Link(TANGENTS, (TANGENTS.false("not twice the slope", conclusion=S + x >= n + 1 + T + 2 * t),)),
    Link(
        NEEDED,
        (
            NEEDED.false("not with m keys", conclusion=alpha <= 1 / (1 + m / G)),
            NEEDED.false(
                "deviations from the mean add up to zero", hypotheses=without(NEEDED, sp.Eq(T, 0))
            ),
        ),
    ),
)


@evidence("logit_gap", kind="smt", settles=True)
def gap_arithmetic(run: Run) -> Outcome:
    """z3 derives the mass from the gap, for every number of keys and every Δ."""
    return outcome(GAP_LINKS, run)


@evidence("logit_gap", kind="smt", settles=True, statement="logit_gap.strict")
def equality_arithmetic(run: Run) -> Outcome:
    """z3 shows that the bound is strict as soon as one key lies further below."""
    return outcome(STRICT_LINKS, run)


@evidence("logit_gap", kind="smt", settles=True, statement="logit_gap.converse")
def converse_arithmetic(run: Run) -> Outcome:
    """z3 derives the upper bound from the tangents of the exponential, for every m and gap."""
    return outcome(CONVERSE_LINKS, run)
