"""The arithmetic of "no anchor, no task": the task without BOS has error at least κ_L.

Notation: p, q the values of an ordinary token and of the trigger in the flag channels o and t; the
trigger's row after one token gives itself the weight a, after L−2 copies of that token the weight
c.  The first token sees only itself, and its target is 0.

Not in z3: that copies of one token share one value, so that a row collapses to two weights.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.anchor_needed import STATEMENT
from theorems.cores.chain import Link, assumed, definitions, outcome, within
from theorems.evidence import Outcome, Run, evidence
from theorems.smt import Apply, Core, Show, without
from theorems.statement import Statement
from theorems.symbols import L, eta, kappa, meaning

HALF = sp.Rational(1, 2)
a, c, p_o, p_t, q_o, q_t, p, q = sp.symbols("a c p_o p_t q_o q_t p q", real=True)
NAMES = {
    **meaning("L", "eta", "kappa"),
    "a": "weight of the trigger on itself after one ordinary token",
    "c": "weight of the trigger on itself after L−2 copies",
    "p_o": "ordinary flag of the ordinary value",
    "p_t": "trigger flag of the ordinary value",
    "q_o": "ordinary flag of the trigger's value",
    "q_t": "trigger flag of the trigger's value",
    "p": "a flag of the ordinary value",
    "q": "the same flag of the trigger's value",
}
WEIGHTS = (a >= 0, a <= 1, c >= 0, c <= 1)

RISES = Core(
    name="the trigger's value is larger in both flags",
    symbols=NAMES,
    hypotheses=(*WEIGHTS[:2], 4 * eta < 1, p <= eta, (1 - a) * p + a * q >= HALF - eta),
    conclusion=sp.And(q >= HALF - eta, p < q),
    says="Its flags are ½ after one token and p ≤ η, so q ≥ ½ − η > ¼ > η ≥ p.",
)

MORE = Core(
    name="the row moves one way",
    symbols=NAMES,
    hypotheses=(p <= q, a <= c),
    conclusion=(1 - a) * p + a * q <= (1 - c) * p + c * q,
    says="If q ≥ p, the flag of a row grows with its weight on the trigger.",
)

FIRST = (
    *within((1 - a) * p_o + a * q_o - HALF, eta),
    *within((1 - a) * p_t + a * q_t - HALF, eta),
)
LAST = (
    *within((1 - c) * p_o + c * q_o - (L - 2) / (L - 1), eta),
    *within((1 - c) * p_t + c * q_t - 1 / (L - 1), eta),
)
GAP = sp.And(
    sp.Eq((L - 2) / (L - 1) - HALF, 2 * kappa), sp.Eq(HALF - 1 / (L - 1), 2 * kappa), 4 * kappa < 1
)
DISTANCE = Core(
    name="the two targets differ by 2κ_L in both flags",
    symbols=NAMES,
    hypotheses=(*definitions(STATEMENT), L >= 4),
    conclusion=GAP,
    says="(L−2)/(L−1) − ½ = ½ − 1/(L−1) = 2κ_L, in opposite directions, and κ_L < ¼.",
)


def anchor(statement: Statement = STATEMENT) -> Core:
    """The whole argument, to the conclusion of ``statement`` itself."""
    small = eta < kappa
    return Core(
        name="no anchor, no task",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            *WEIGHTS,
            *within(p_o, eta),
            *within(p_t, eta),
            *FIRST,
            *LAST,
        ),
        conclusion=statement.conclusion,
        says=(
            "If η < κ_L then more weight on the trigger raises both flags; but from one token to "
            "L−2 the ordinary flag must rise by 2κ_L and the trigger flag fall by as much."
        ),
        hints=(
            Apply(DISTANCE),
            Apply(RISES, {p: p_o, q: q_o}, assuming=small),
            Apply(RISES, {p: p_t, q: q_t}, assuming=small),
            Apply(MORE, {p: p_o, q: q_o, a: c, c: a}, assuming=sp.And(small, c <= a)),
            Apply(MORE, {p: p_t, q: q_t}, assuming=sp.And(small, a <= c)),
            Show(sp.Or(a <= c, c <= a), using=()),
        ),
        narrow=(sp.Eq(L, 4), sp.Eq(p_o, 0), sp.Eq(p_t, 0), sp.Eq(a, 1), sp.Eq(c, 1)),
    )


ANCHOR = anchor()
LINKS = (
    Link(RISES, (RISES.false("¼ is the threshold", hypotheses=without(RISES, 4 * eta < 1)),)),
    Link(MORE, (MORE.false("needs q ≥ p", hypotheses=without(MORE, p <= q)),)),
    Link(
        DISTANCE,
        (
            DISTANCE.false(
                "not 3κ_L",
                conclusion=sp.Eq((L - 2) / (L - 1) - HALF, 3 * kappa),
                narrow=(sp.Eq(L, 4),),
            ),
        ),
    ),
    Link(
        ANCHOR,
        (
            replace(
                anchor(
                    replace(STATEMENT, conclusion=kappa * sp.Rational(101, 100) <= eta),
                ),
                name="no anchor (false): κ_L is attained",
                hints=(),
            ),
            ANCHOR.false(
                "the first token's own row is needed",
                hypotheses=tuple(
                    h for h in ANCHOR.hypotheses if h not in (*within(p_o, eta), *within(p_t, eta))
                ),
                narrow=(sp.Eq(L, 4), sp.Eq(a, 0), sp.Eq(c, 1), sp.Eq(eta, 0)),
            ),
        ),
    ),
)


@evidence("anchor_needed", kind="smt", settles=True)
def anchor_arithmetic(run: Run) -> Outcome:
    """z3 proves the full arithmetic of the floor κ_L without BOS, for all L ≥ 4."""
    return outcome(LINKS, run)
