"""The two-target lemma of Theorem 1 and its last step, for every length L.

Notation: flag channels o (ordinary) and t (trigger) only; v, p, q the values of BOS, of a row's
mean ordinary token and of its trigger; a row is a point of the simplex with weights on v, p, q.
The trigger rows after 1 and after L−2 copies of one ordinary token have the targets (½, ½) and
((L−2)/(L−1), 1/(L−1)).  A functional g with |g_o| + |g_t| = 1 and g(p) = g(q) sees only the mass
off BOS; G = g(q) − g(v).
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, definitions, simplex, within
from theorems.cores.rules import x, y
from theorems.one_layer_sink import SHARP
from theorems.smt import Core, without
from theorems.statement import Statement
from theorems.symbols import L, alpha, eta, kappa, meaning

HALF = sp.Rational(1, 2)

v_o, v_t, p_o, p_t, q_o, q_t = sp.symbols("v_o v_t p_o p_t q_o q_t", real=True)
g_o, g_t, B, P, Q, G = sp.symbols("g_o g_t B P Q G", real=True)
s, r, w_p, w_q = sp.symbols("s r w_p w_q", real=True)
a_v, a_p, a_q, b_v, b_p, b_q = sp.symbols("a_v a_p a_q b_v b_p b_q", real=True)

VALUES = {
    "v_o": "ordinary flag of the value of BOS",
    "v_t": "trigger flag of the value of BOS",
    "p_o": "ordinary flag of the mean ordinary value of the row",
    "p_t": "trigger flag of the mean ordinary value of the row",
    "q_o": "ordinary flag of the value of the trigger",
    "q_t": "trigger flag of the value of the trigger",
}
FUNCTIONAL = {
    "g_o": "what the functional g takes of the ordinary flag",
    "g_t": "what the functional g takes of the trigger flag",
    "B": "g on the value of BOS",
    "P": "g on the mean ordinary value",
    "Q": "g on the value of the trigger",
    "G": "g(q) − g(v)",
}
WEIGHTS = {
    "w_p": "weight of the row on ordinary tokens",
    "w_q": "weight of the row on the trigger",
    "s": "weight off BOS at the trigger after one ordinary token",
    "r": "weight off BOS at the trigger after L−2 ordinary tokens",
    "a_v": "trigger row after one token: weight on BOS",
    "a_p": "trigger row after one token: weight on the ordinary token",
    "a_q": "trigger row after one token: weight on the trigger",
    "b_v": "trigger row after L−2 copies: weight on BOS",
    "b_p": "trigger row after L−2 copies: weight on the copies",
    "b_q": "trigger row after L−2 copies: weight on the trigger",
}
NAMES = {**VALUES, **FUNCTIONAL, **WEIGHTS, **meaning("L", "alpha", "eta", "kappa", "epsilon")}

NORMED = sp.Eq(sp.Abs(g_o) + sp.Abs(g_t), 1)
FEW, MANY = (HALF, HALF), ((L - 2) / (L - 1), 1 / (L - 1))

d_o, d_t, S = sp.symbols("d_o d_t S", real=True)
ANNIHILATOR = Core(
    name="annihilator",
    symbols=NAMES
    | {"d_o": "ordinary flag of p − q", "d_t": "trigger flag of p − q", "S": "|d_o| + |d_t|"},
    hypotheses=(
        sp.Eq(S, sp.Abs(d_o) + sp.Abs(d_t)),
        sp.Or(
            sp.And(sp.Eq(S, 0), sp.Eq(g_o, 1), sp.Eq(g_t, 0)),
            sp.And(S > 0, sp.Eq(S * g_o, d_t), sp.Eq(S * g_t, -d_o)),
        ),
    ),
    conclusion=sp.And(NORMED, sp.Eq(g_o * d_o + g_t * d_t, 0)),
    says="For every p − q there is a functional with |g_o| + |g_t| = 1 that is equal on p and q.",
)

COPIES = Core(
    name="copies of a token",
    symbols=NAMES,
    hypotheses=(sp.Eq(B, s * P),),
    conclusion=sp.Eq(B + r * P, (s + r) * P),
    says="Weights on copies of one token add up: weights s so far and r on one more copy.",
)

BOUNDED = Core(
    name="bounded functional",
    symbols=NAMES | {"x": "any number", "y": "any number"},
    hypotheses=(NORMED, *within(x, eta), *within(y, eta)),
    conclusion=sp.And(*within(g_o * x + g_t * y, eta)),
    says="Such a functional is at most η on a pair of numbers that are at most η.",
)

ROW = Core(
    name="row sees the mass off BOS",
    symbols=NAMES,
    hypotheses=(
        *simplex(alpha, w_p, w_q),
        sp.Eq(P, Q),
        *within(B, eta),
        *within(alpha * B + w_p * P + w_q * Q, eta),
    ),
    conclusion=sp.And(*within((1 - alpha) * (Q - B), 2 * eta)),
    says="A non-trigger row with g(p) = g(q) has (1 − α)|G| ≤ 2η.",
)

TWO_TARGETS = (
    *definitions(SHARP),
    L >= 4,
    NORMED,
    s >= 0,
    s <= 1,
    r >= 0,
    r <= 1,
    *within(B, eta),
    *within(s * G + B - (g_o * FEW[0] + g_t * FEW[1]), eta),
    *within(r * G + B - (g_o * MANY[0] + g_t * MANY[1]), eta),
)

SAME_SIGN = Core(
    name="two targets, same sign",
    symbols=NAMES,
    hypotheses=(*TWO_TARGETS, g_o * g_t >= 0),
    conclusion=HALF - 2 * eta <= sp.Abs(G),
    says="If g_o, g_t have the same sign, the target (½, ½) alone forces |G| ≥ ½ − 2η.",
)

OPPOSITE_SIGN = Core(
    name="two targets, opposite signs",
    symbols=NAMES,
    hypotheses=(*TWO_TARGETS, g_o * g_t < 0),
    conclusion=2 * kappa - 2 * eta <= sp.Abs(G),
    says="If g_o, g_t have opposite signs, the two targets differ by 2κ_L along g: |G| ≥ 2κ − 2η.",
)

CONSTANT = Core(
    name="size of kappa",
    symbols=NAMES,
    hypotheses=(*definitions(SHARP), L >= 4),
    conclusion=sp.And(sp.Rational(1, 12) <= kappa, 4 * kappa < 1),
    says="1/12 ≤ κ_L < 1/4, so ½ − 2η ≥ 2κ_L − 2η.",
)


def final(statement: Statement = SHARP) -> Core:
    """The last step of Theorem 1, to the conclusion of ``statement`` itself."""
    return Core(
        name="final step",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            2 * kappa - 2 * eta <= sp.Abs(G),
            *within((1 - alpha) * G, 2 * eta),
        ),
        conclusion=statement.conclusion,
        says="(1 − α)|G| ≤ 2η and |G| ≥ 2κ_L − 2η give (1 − α)(κ_L − η) ≤ η.",
    )


FINAL = final()


def larger(statement: Statement, factor: sp.Rational) -> Statement:
    """``statement`` with its κ_L multiplied by ``factor``."""
    return replace(statement, conclusion=statement.conclusion.xreplace({kappa: factor * kappa}))


BIG = sp.Rational(21, 20)
AT_FIVE = (sp.Eq(L, 5),)
LINKS = (
    Link(
        ANNIHILATOR,
        (
            ANNIHILATOR.false(
                "without the minus sign g is not equal on p and q",
                hypotheses=(
                    ANNIHILATOR.hypotheses[0],
                    S > 0,
                    sp.Eq(S * g_o, d_t),
                    sp.Eq(S * g_t, d_o),
                ),
            ),
        ),
    ),
    Link(
        COPIES,
        (COPIES.false("copies must be equal", conclusion=sp.Eq(B + r * Q, (s + r) * P)),),
    ),
    Link(
        BOUNDED,
        (
            BOUNDED.false(
                "a functional with |g_o| + |g_t| = 2 is not bounded by η",
                hypotheses=(
                    sp.Eq(sp.Abs(g_o) + sp.Abs(g_t), 2),
                    *without(BOUNDED, NORMED),
                ),
            ),
        ),
    ),
    Link(
        ROW,
        (
            ROW.false("the bound is not η", conclusion=sp.And(*within((1 - alpha) * (Q - B), eta))),
            ROW.false("g must be equal on p and q", hypotheses=without(ROW, sp.Eq(P, Q))),
        ),
    ),
    Link(
        SAME_SIGN,
        (SAME_SIGN.false("not ½ − η", conclusion=HALF - eta <= sp.Abs(G), narrow=AT_FIVE),),
    ),
    Link(
        OPPOSITE_SIGN,
        (
            OPPOSITE_SIGN.false(
                "not with a larger κ",
                conclusion=2 * BIG * kappa - 2 * eta <= sp.Abs(G),
                narrow=AT_FIVE,
            ),
        ),
    ),
    Link(
        CONSTANT,
        (CONSTANT.false("κ_L < 1/5 fails at long lengths", conclusion=5 * kappa < 1),),
    ),
    Link(FINAL, (replace(final(larger(SHARP, BIG)), name="final step (false)", narrow=AT_FIVE),)),
)
