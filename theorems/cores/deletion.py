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
from theorems.one_layer_sink import AVERAGE, DELETION, delta, e_0, e_x, s, v
from theorems.smt import Apply, Core, Show, without
from theorems.statement import Statement
from theorems.symbols import L, eta, m, meaning

HALF, THIRD, SIXTH = sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(1, 6)

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
        o_s >= 2 * THIRD - e_x,
        o_d <= HALF + e_0,
        RENORMALISED,
    ),
    conclusion=DELETION.conclusion,
    says="α·(V(x₂)_o − 2/3 + e_x) ≥ (1 − α)(1/6 − e_x − e_0) ≥ 0, as α ≤ 1.",
    hints=(Show(DELETION.conclusion, products=((1 - a >= 0, DELETION.hypotheses[-1]),)),),
)


def deletion(statement: Statement = DELETION) -> Core:
    """From the two trigger rows to the conclusion of ``statement`` itself."""
    return Core(
        name="deletion pins down a value",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            *(h.xreplace({p: v}) for h in SPLIT.hypotheses),
            o_s >= 2 * THIRD - e_x,
            o_d <= HALF + e_0,
        ),
        conclusion=statement.conclusion,
        says="Errors e_x and e_0 with e_x + e_0 ≤ 1/6 at both triggers force V(x₂)_o ≥ 2/3 − e_x.",
        hints=(Apply(SPLIT, {p: v}), Apply(WORST)),
        narrow=NARROW,
    )


NARROW = (
    sp.Eq(e_x, sp.Rational(1, 24)),
    sp.Eq(e_0, e_x),
    *(sp.Eq(w, 1) for w in (w_1, w_3, w_t)),
    sp.Eq(p_3, 0),
)
DELETED = deletion()


def spoiled(statement: Statement = AVERAGE) -> Core:
    """What a low content costs, with the threshold s as ``statement`` has it."""
    return Core(
        name="a low content spoils one of two sequences",
        symbols=NAMES,
        hypotheses=(
            *(h for h in statement.hypotheses if h.free_symbols == {s}),
            v < 2 * THIRD - s,
            *without(DELETED, e_x + e_0 <= SIXTH),
        ),
        conclusion=s <= e_x + e_0,
        says=(
            "If V(x₂)_o < 2/3 − s then the errors at the triggers of S and S′ add up to at least s."
        ),
        hints=(Apply(DELETED, assuming=e_x + e_0 < s),),
    )


SPOILED = spoiled()

ROW = (m >= 0, m <= 1, *within(v_1, s), (1 - m) * v_1 + m * p <= s)
THREE = Core(
    name="three times the threshold",
    symbols=NAMES,
    hypotheses=(*ROW, 2 * THIRD - s <= p),
    conclusion=m <= 3 * s,
    says="A row before the trigger with error at most s and p_o ≥ 2/3 − s has m ≤ 3s.",
)

e_3, e_4, E_rest, E_bad, E_good, E_all, U, c, d_4, C, n, S_n, S_next = sp.symbols(
    "e_3 e_4 E_rest E_bad E_good E_all U c d_4 C n S_n S_next", real=True
)
PROBABILITIES = NAMES | {
    "e_3": "expected error given that the trigger is at position 3",
    "e_4": "expected error given that it is at position 4",
    "E_rest": "sum of the expected errors given each other position",
    "E_all": "expected error",
    "E_bad": "part of the expected error from sequences with error over s",
    "E_good": "the rest of the expected error",
    "U": "probability of an error over s",
    "c": "probability of the low contents, V(x)_o < 2/3 − s",
    "d_4": "part of e_4 from sequences whose first content is low",
    "C": "expected number of low contents before the trigger",
    "n": "number of trigger positions",
    "S_n": "1 + … + n, the ordinary tokens before the trigger, added up over n positions",
    "S_next": "the same for n + 1",
}

MARKOV = Core(
    name="Markov's inequality",
    symbols=PROBABILITIES,
    hypotheses=(E_good >= 0, s * U <= E_bad, sp.Eq(E_all, E_good + E_bad)),
    conclusion=s * U <= E_all,
    says="An expected error is at least s times the probability that the error exceeds s.",
)

CONTENTS = Core(
    name="low contents",
    symbols=PROBABILITIES,
    hypotheses=(c <= 1, e_3 >= 0, d_4 <= e_4, s * c <= d_4 + c * e_3),
    conclusion=s * c <= e_3 + e_4,
    says=(
        "S begins with x₂, S′ does not contain it: averaged over x₃ and t and over the low x₂, "
        "s ≤ error of S + error of S′ reads s·c ≤ d₄ + c·e₃."
    ),
)

TWO_POSITIONS = Core(
    name="two of the trigger's positions",
    symbols=PROBABILITIES,
    hypotheses=(
        L >= 4,
        E_rest >= 0,
        E_all <= eta,
        sp.Eq(e_3 + e_4 + E_rest, (L - 2) * E_all),
    ),
    conclusion=e_3 + e_4 <= (L - 2) * eta,
    says="The trigger is uniform on L − 2 positions, and two of them share (L − 2)η.",
    hints=(Show(e_3 + e_4 <= (L - 2) * eta, products=((L - 2 >= 0, E_all <= eta),)),),
)

NEXT = Core(
    name="ordinary tokens before the trigger",
    symbols=PROBABILITIES,
    hypotheses=(sp.Eq(2 * S_n, n * (n + 1)), sp.Eq(S_next, S_n + n + 1)),
    conclusion=sp.Eq(2 * S_next, (n + 1) * (n + 2)),
    says="By induction the counts j − 2 = 1, …, n add up to n(n+1)/2.",
)

COUNT = Core(
    name="low contents before the trigger",
    symbols=PROBABILITIES,
    hypotheses=(
        L >= 4,
        sp.Eq(n, L - 2),
        sp.Eq(2 * S_n, n * (n + 1)),
        sp.Eq(C * n, c * S_n),
    ),
    conclusion=sp.Eq(C, c * (L - 1) / 2),
    says="Each of the on average (L−1)/2 ordinary tokens before the trigger is low with chance c.",
    hints=(
        Show(sp.Eq(2 * C * n, c * n * (n + 1)), products=((sp.Eq(2 * S_n, n * (n + 1)), c),)),
        Show(n > 0),
    ),
)


def union(statement: Statement = AVERAGE) -> Core:
    """The union bound, from the steps before it to the conclusion of ``statement`` itself.

    Each step is applied, so what it asks of L must follow from the statement's own hypotheses.
    """
    steps = (MARKOV, CONTENTS, TWO_POSITIONS, COUNT)
    own = (L >= 4,)
    return Core(
        name="union bound",
        symbols=PROBABILITIES,
        hypotheses=(
            *statement.hypotheses,
            *dict.fromkeys(h for step in steps for h in step.hypotheses if h not in own),
            delta <= U + C,
        ),
        conclusion=statement.conclusion,
        says=(
            "A position before the trigger can fail only if the sequence's error exceeds s or some "
            "content before the trigger is low."
        ),
        hints=(
            *(Apply(step) for step in steps),
            Show(s * U <= eta),
            Show(s * c <= (L - 2) * eta),
            Show(L - 1 > 0),
            Show(
                statement.conclusion,
                products=(
                    (s > 0, delta <= U + C),
                    (sp.Eq(C, c * (L - 1) / 2), s),
                    (L - 1 > 0, s * c <= (L - 2) * eta),
                ),
            ),
        ),
        narrow=(
            *(sp.Eq(L, 4), sp.Eq(s, sp.Rational(1, 20)), sp.Eq(eta, sp.Rational(1, 1000))),
            *(sp.Eq(e_3, 0), sp.Eq(n, 2)),
        ),
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
                "1/6 is the threshold",
                hypotheses=(
                    e_x + e_0 <= sp.Rational(2, 11),
                    *without(WORST, e_x + e_0 <= SIXTH),
                ),
            ),
        ),
    ),
    Link(
        DELETED,
        (
            replace(
                deletion(replace(DELETION, conclusion=2 * THIRD - e_x / 2 <= v)),
                name="deletion (false)",
                hints=(),
                narrow=NARROW[:2],
            ),
        ),
    ),
)
LINKS = (
    *DELETION_LINKS,
    Link(
        SPOILED,
        (
            SPOILED.false(
                "S′ counts too: it may be bad alone",
                conclusion=s <= e_x,
                narrow=(
                    sp.Eq(s, sp.Rational(1, 12)),
                    sp.Eq(e_x, 0),
                    *(sp.Eq(w, 1) for w in (w_1, w_2, w_3, w_t)),
                ),
            ),
        ),
    ),
    Link(THREE, (THREE.false("not 2.9", conclusion=m <= sp.Rational(29, 10) * s),)),
    Link(CONTENTS, (CONTENTS.false("not e₄ alone", conclusion=s * c <= e_4),)),
    Link(
        TWO_POSITIONS,
        (
            TWO_POSITIONS.false(
                "errors must be non-negative", hypotheses=without(TWO_POSITIONS, E_rest >= 0)
            ),
            TWO_POSITIONS.false(
                "one position may bear it all", conclusion=2 * (e_3 + e_4) <= (L - 2) * eta
            ),
        ),
    ),
    Link(
        MARKOV,
        (MARKOV.false("errors must be non-negative", hypotheses=without(MARKOV, E_good >= 0)),),
    ),
    Link(NEXT, (NEXT.false("n(n+1)/2, not n²/2", conclusion=sp.Eq(2 * S_next, (n + 1) ** 2)),)),
    Link(COUNT, (COUNT.false("(L−1)/2, not (L−2)/2", conclusion=sp.Eq(C, c * (L - 2) / 2)),)),
    Link(
        UNION,
        tuple(
            replace(
                union(replace(AVERAGE, conclusion=delta * s <= constant * eta)),
                name="union bound (false)",
                says=says,
                hints=(),
            )
            for says, constant in (
                ("the sequence's own error counts", (L - 2) * (L - 1) / 2),
                ("not (L−2)²/2", (L - 2) ** 2 / 2 + 1),
            )
        ),
    ),
)


@evidence("one_layer_sink", kind="smt", settles=True, statement=DELETION.name)
def deletion_arithmetic(run: Run) -> Outcome:
    """z3 proves from two trigger rows of one softmax that a deleted token's value is ≥ 2/3 − η.

    That softmax keeps the relative weights of the other tokens enters as a hypothesis.
    """
    return outcome(DELETION_LINKS, run)


@evidence("one_layer_sink", kind="smt", settles=True, statement=AVERAGE.name)
def average_arithmetic(run: Run) -> Outcome:
    """z3 proves the deletion inequalities and the probability arithmetic of T1-average, all L ≥ 4.

    The measure theory (averages over contents and over the trigger's position) enters as
    inequalities.
    """
    return outcome(LINKS, run)
