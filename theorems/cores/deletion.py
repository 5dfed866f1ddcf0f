"""The arithmetic of T1-average: deletion of a token, and from the expected error to a probability.

Deletion compares two sequences with the same trigger: S = (BOS, x₂, x₃, t) and S′ = (BOS, x₃, t).
A position-free softmax gives the remaining tokens the same relative weights in both, so that with
α the weight of x₂ in S, output(S) = α·V(x₂) + (1 − α)·output(S′).

Not in z3: the laws of the contents themselves.  Probabilities and expectations enter as numbers
with the inequalities (Markov's and the union bound) that each step names.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome, within
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import AVERAGE, DELETION, delta, s, v
from theorems.smt import Apply, Core, Show, without
from theorems.statement import Statement
from theorems.symbols import L, eta, m, meaning

HALF, THIRD = sp.Rational(1, 2), sp.Rational(1, 3)

w_1, w_2, w_3, w_t, v_1, p, p_3, q, o_s, o_d, a = sp.symbols(
    "w_1 w_2 w_3 w_t v_1 p p_3 q o_s o_d a", real=True
)
NAMES = {
    **meaning("L", "m", "eta"),
    **AVERAGE.symbols,
    **DELETION.symbols,
    "w_1": "unnormalised weight on BOS",
    "w_2": "unnormalised weight on x₂",
    "w_3": "unnormalised weight on x₃",
    "w_t": "unnormalised weight of the trigger on itself",
    "v_1": "value of BOS, ordinary flag",
    "p": "value of x₂, or of the row's mean ordinary token, ordinary flag",
    "p_3": "value of x₃",
    "q": "value of the trigger",
    "o_s": "output at the trigger of S = (BOS, x₂, x₃, t)",
    "o_d": "output at the trigger of S′ = (BOS, x₃, t)",
    "a": "normalised weight of x₂ in S",
}

REST = w_1 + w_3 + w_t
SPLIT = Core(
    name="deleting a token",
    symbols=NAMES,
    hypotheses=(
        w_1 >= 0,
        w_2 > 0,
        w_3 >= 0,
        w_t > 0,
        sp.Eq(a * (REST + w_2), w_2),
        sp.Eq(o_s * (REST + w_2), w_1 * v_1 + w_2 * p + w_3 * p_3 + w_t * q),
        sp.Eq(o_d * REST, w_1 * v_1 + w_3 * p_3 + w_t * q),
    ),
    conclusion=sp.And(a > 0, a < 1, sp.Eq(o_s, a * p + (1 - a) * o_d)),
    says="Softmax without x₂ is softmax with x₂, renormalised: o_s = α·p + (1 − α)·o_s′.",
    hints=(
        Show(REST > 0),
        Show(REST + w_2 > 0),
        Show(sp.And(a > 0, a < 1), using=(w_2 > 0, REST > 0, sp.Eq(a * (REST + w_2), w_2))),
    ),
)

RENORMALISED = sp.Eq(o_s, a * v + (1 - a) * o_d)
WORST = Core(
    name="the worst case of deletion",
    symbols=NAMES,
    hypotheses=(
        a > 0,
        a <= 1,
        *assumed(DELETION),
        o_s >= 2 * THIRD - eta,
        o_d <= HALF + eta,
        RENORMALISED,
    ),
    conclusion=DELETION.conclusion,
    says="α·V(x₂)_o ≥ 1/6 − 2η + α(½ + η) ≥ α(2/3 − η), as 1/6 − 2η ≥ 0 and α ≤ 1.",
)


def deletion(statement: Statement = DELETION) -> Core:
    """From the two trigger rows to the conclusion of ``statement`` itself."""
    return Core(
        name="deletion pins down a value",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            *(h.xreplace({p: v}) for h in SPLIT.hypotheses),
            o_s >= 2 * THIRD - eta,
            o_d <= HALF + eta,
        ),
        conclusion=statement.conclusion,
        says="Error at most η ≤ 1/12 at both triggers forces V(x₂)_o ≥ 2/3 − η.",
        hints=(Apply(SPLIT, {p: v}), Apply(WORST)),
        narrow=(
            sp.Eq(eta, sp.Rational(1, 24)),
            *(sp.Eq(w, 1) for w in (w_1, w_3, w_t)),
            sp.Eq(p_3, 0),
        ),
    )


DELETED = deletion()
ROW = (m >= 0, m <= 1, *within(v_1, s), (1 - m) * v_1 + m * p <= s)
THREE = Core(
    name="three times the threshold",
    symbols=NAMES,
    hypotheses=(*ROW, 2 * THIRD - s <= p),
    conclusion=m <= 3 * s,
    says="A row before the trigger with error at most s and p_o ≥ 2/3 − s has m ≤ 3s.",
)

GOOD_PAIR = Core(
    name="good sequences have three times the threshold",
    symbols=NAMES,
    hypotheses=(
        s <= sp.Rational(1, 12),
        *SPLIT.hypotheses,
        o_s >= 2 * THIRD - s,
        o_d <= HALF + s,
        *ROW,
    ),
    conclusion=m <= 3 * s,
    says="Deletion at a good pair (x₃, t), and a good row on copies of x₂, together.",
    hints=(Show(s >= 0), Apply(DELETED, {eta: s, v: p}), Apply(THREE)),
)

E_j, E_rest, E_bad, E_good, B_j, U, c, b_3, b_4 = sp.symbols(
    "E_j E_rest E_bad E_good B_j U c b_3 b_4", real=True
)
PROBABILITIES = NAMES | {
    "E_j": "expected error given the trigger's position j",
    "E_rest": "sum of the expected errors given each other position",
    "E_bad": "part of an expected error from sequences with error over s",
    "E_good": "the rest of that expected error",
    "B_j": "probability of an error over s",
    "U": "probability of an error over s, all positions",
    "b_3": "probability that the trigger's error exceeds s, given j = 3",
    "b_4": "the same given j = 4",
    "c": "measure of the contents without a pair (x₃, t) that is good for both S and S′",
}

EACH_POSITION = Core(
    name="expected error at one trigger position",
    symbols=PROBABILITIES,
    hypotheses=(L >= 4, E_j >= 0, E_rest >= 0, E_j + E_rest <= (L - 2) * eta),
    conclusion=E_j <= (L - 2) * eta,
    says="j is uniform on L−2 positions, so each has expected error at most (L − 2)η.",
)

MARKOV = Core(
    name="Markov's inequality",
    symbols=PROBABILITIES,
    hypotheses=(E_good >= 0, s * B_j <= E_bad, sp.Eq(E_j, E_good + E_bad)),
    conclusion=s * B_j <= E_j,
    says="An expected error is at least s times the probability that the error exceeds s.",
)

d_4 = sp.Symbol("d_4", real=True)
CONTENTS = Core(
    name="contents without a good pair",
    symbols=PROBABILITIES | {"d_4": "∫ over those contents of the chance that S is bad"},
    hypotheses=(c >= 0, c <= 1, b_3 >= 0, d_4 <= b_4, c <= d_4 + c * b_3),
    conclusion=c <= b_3 + b_4,
    says=(
        "Each such content has P(S bad) + P(S′ bad) ≥ 1 over the pairs; integrated over them this "
        "is c ≤ ∫P(S bad) + c·P(S′ bad), so c ≤ b₃ + b₄."
    ),
)


def union(statement: Statement = AVERAGE) -> Core:
    """The union bound, to the conclusion of ``statement`` itself."""
    return Core(
        name="union bound",
        symbols=PROBABILITIES,
        hypotheses=(
            *statement.hypotheses,
            s * U <= eta,
            s * b_3 <= (L - 2) * eta,
            s * b_4 <= (L - 2) * eta,
            c <= b_3 + b_4,
            delta <= U + (L - 2) * c,
        ),
        conclusion=statement.conclusion,
        says=(
            "A position before the trigger can fail only if the sequence's error exceeds s or one "
            "of at most L−2 ordinary contents has no good pair."
        ),
        hints=(
            Show(s * c <= 2 * (L - 2) * eta, products=((s > 0, c <= b_3 + b_4),)),
            Show(
                statement.conclusion,
                products=(
                    (s > 0, delta <= U + (L - 2) * c),
                    (L - 2 > 0, s * c <= 2 * (L - 2) * eta),
                ),
            ),
        ),
        narrow=(sp.Eq(L, 4), sp.Eq(s, sp.Rational(1, 20)), sp.Eq(eta, sp.Rational(1, 1000))),
    )


UNION = union()
DELETION_LINKS = (
    Link(
        SPLIT,
        (
            SPLIT.false(
                "the relative weights must stay the same when x₂ is deleted",
                hypotheses=(
                    *SPLIT.hypotheses[:-1],
                    sp.Eq(o_d * (w_1 + 2 * w_3 + w_t), w_1 * v_1 + 2 * w_3 * p_3 + w_t * q),
                ),
            ),
        ),
    ),
    Link(
        WORST,
        (
            WORST.false(
                "1/12 is the threshold",
                hypotheses=(
                    eta <= sp.Rational(1, 11),
                    *without(WORST, eta <= sp.Rational(1, 12)),
                ),
            ),
        ),
    ),
    Link(
        DELETED,
        (
            replace(
                deletion(replace(DELETION, conclusion=2 * THIRD - eta / 2 <= v)),
                name="deletion (false)",
                narrow=(sp.Eq(eta, sp.Rational(1, 24)),),
            ),
        ),
    ),
)
LINKS = (
    *DELETION_LINKS,
    Link(THREE, (THREE.false("not 2.9", conclusion=m <= sp.Rational(29, 10) * s),)),
    Link(
        GOOD_PAIR,
        (
            GOOD_PAIR.false(
                "both sequences must be good",
                hypotheses=without(GOOD_PAIR, o_d <= HALF + s),
                narrow=tuple(sp.Eq(w, 1) for w in (w_1, w_2, w_3, w_t)),
            ),
        ),
    ),
    Link(
        EACH_POSITION,
        (
            EACH_POSITION.false(
                "errors must be non-negative", hypotheses=without(EACH_POSITION, E_rest >= 0)
            ),
        ),
    ),
    Link(
        MARKOV,
        (MARKOV.false("errors must be non-negative", hypotheses=without(MARKOV, E_good >= 0)),),
    ),
    Link(CONTENTS, (CONTENTS.false("not b₄ alone", conclusion=c <= b_4),)),
    Link(
        UNION,
        (
            replace(
                union(replace(AVERAGE, conclusion=delta * s <= 2 * (L - 2) ** 2 * eta)),
                name="union bound (false)",
                hints=(),
            ),
        ),
    ),
)


@evidence("one_layer_sink", kind="smt", statement=DELETION.name)
def deletion_arithmetic(run: Run) -> Outcome:
    """z3 proves from two trigger rows of one softmax that a deleted token's value is ≥ 2/3 − η.

    That softmax keeps the relative weights of the other tokens enters as a hypothesis.
    """
    return outcome(DELETION_LINKS, run)


@evidence("one_layer_sink", kind="smt", statement=AVERAGE.name)
def average_arithmetic(run: Run) -> Outcome:
    """z3 proves the deletion inequalities and the probability arithmetic of T1-average, all L ≥ 4.

    The measure theory (Fubini, that good pairs exist off a small set) enters as inequalities.
    """
    return outcome(LINKS, run)
