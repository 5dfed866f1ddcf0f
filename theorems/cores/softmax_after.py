"""The arithmetic of T1-softmax after the trigger: m ≤ 4η, in the steps (i) to (iv) of its proof.

Step (i), p_o + η ≥ P₀ ≥ 2/3, and the notation are in ``theorems.cores.softmax``.  p is the mean
ordinary value of the row; "averaging" there is the inductive step that gives it the trigger rows.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, definitions, outcome, simplex, within
from theorems.cores.rules import CANCEL, x, y, z
from theorems.cores.softmax import (
    AT_FOUR,
    BOS_O,
    BOS_T,
    HALF,
    MANY_O,
    MANY_T,
    NAMES,
    ONE_O,
    ONE_T,
    P_LOW,
    THRESHOLD,
    TWO_ROW_LINKS,
    TWO_THIRDS,
    WEIGHTS,
    G,
    X,
    b,
    e,
    g_o,
    g_t,
    m_p,
    m_q,
    p_o,
    p_t,
    q_o,
    q_t,
    v_o,
    v_t,
)
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import AFTER, BEFORE
from theorems.smt import Apply, Core, Show, without
from theorems.symbols import L, eta, kappa, m

T_RISES = Core(
    name="(ii) the trigger carries its flag",
    symbols=NAMES,
    hypotheses=(*assumed(AFTER), *WEIGHTS, *BOS_T, ONE_T[1], MANY_T[0]),
    conclusion=p_t <= q_t,
    says="The t-channel of the same two rows gives q_t ≥ p_t.",
    narrow=(sp.Eq(L, 4), sp.Eq(e, 0)),
)

FOUR = Core(
    name="four times the error",
    symbols=NAMES,
    hypotheses=(m >= 0, 4 * eta < 1, *within(X, eta), HALF - eta - X <= G, m * G <= eta - X),
    conclusion=m <= 4 * eta,
    says="m(½ − η − x) ≤ η − x with |x| ≤ η < 1/4 gives m ≤ 4η.",
)

ROW_O = (1 - m_p - m_q) * v_o + m_p * p_o + m_q * q_o <= eta
ROW_T = (1 - m_p - m_q) * v_t + m_p * p_t + m_q * q_t <= eta
AFTER_ROWS = (
    *assumed(AFTER),
    sp.Eq(m, m_p + m_q),
    m_p >= 0,
    m_q >= 0,
    *WEIGHTS,
    *BOS_O,
    *BOS_T,
)

HIGH = Core(
    name="(iii) after the trigger, q_o ≥ p_o",
    symbols=NAMES,
    hypotheses=(*AFTER_ROWS, *definitions(BEFORE)[1:], ONE_O[0], MANY_O[1], ROW_O, p_o <= q_o),
    conclusion=AFTER.conclusion,
    says="If q_o ≥ p_o, the ordinary channel of the row alone gives m ≤ 4η.",
    hints=(
        Apply(P_LOW),
        Apply(TWO_THIRDS),
        Apply(THRESHOLD),
        Show(
            m * (p_o - v_o) <= eta - v_o,
            using=(ROW_O, sp.Eq(m, m_p + m_q), m_q >= 0, p_o <= q_o),
        ),
        Apply(FOUR, {X: v_o, G: p_o - v_o}),
    ),
    narrow=(sp.Eq(L, 4), sp.Eq(eta, sp.Rational(1, 20)), sp.Eq(e, 0), sp.Eq(v_t, 0)),
)

S = sp.Symbol("S", real=True)
BALANCED = sp.Eq(g_o * (p_o - q_o) + g_t * (p_t - q_t), 0)
NONNEGATIVE = Core(
    name="a non-negative functional",
    symbols=NAMES | {"S": "(q_t − p_t) + (p_o − q_o)"},
    hypotheses=(
        p_t <= q_t,
        q_o < p_o,
        sp.Eq(S, (q_t - p_t) + (p_o - q_o)),
        sp.Eq(S * g_o, q_t - p_t),
        sp.Eq(S * g_t, p_o - q_o),
    ),
    conclusion=sp.And(*simplex(g_o, g_t), BALANCED),
    says="If q_t ≥ p_t and q_o < p_o then some g_o, g_t ≥ 0 with sum one is equal on p and q.",
)

ON_V, ON_P, ON_Q = g_o * v_o + g_t * v_t, g_o * p_o + g_t * p_t, g_o * q_o + g_t * q_t
UNIT = simplex(g_o, g_t)
LOW = Core(
    name="(iv) after the trigger, q_o < p_o",
    symbols=NAMES,
    hypotheses=(*AFTER_ROWS, ONE_O[1], ONE_T[1], ROW_O, ROW_T, *UNIT, BALANCED),
    conclusion=AFTER.conclusion,
    says="With that functional, the row after one copy and the row itself give m ≤ 4η.",
    hints=(
        Apply(THRESHOLD),
        Show(sp.And(*within(ON_V, eta)), using=(*UNIT, *BOS_O, *BOS_T)),
        Show(
            (e + 1 + b) * (HALF - eta - ON_V) <= (1 + b) * (ON_P - ON_V),
            products=(
                (UNIT[0], ONE_O[1]),
                (UNIT[1], ONE_T[1]),
                (BALANCED, b),
                *((UNIT[2], c) for c in (e, b, 1, e * eta, b * eta, eta)),
            ),
        ),
        Show(HALF - eta - ON_V >= 0),
        Show(
            (1 + b) * (HALF - eta - ON_V) <= (1 + b) * (ON_P - ON_V),
            products=((e >= 0, HALF - eta - ON_V >= 0),),
        ),
        Show(1 + b > 0),
        Apply(CANCEL, {x: 1 + b, y: HALF - eta - ON_V, z: ON_P - ON_V}),
        Show(
            m * (ON_P - ON_V) <= eta - ON_V,
            products=(
                (UNIT[0], ROW_O),
                (UNIT[1], ROW_T),
                (UNIT[2], eta),
                (BALANCED, m_q),
                (sp.Eq(m, m_p + m_q), ON_P - ON_V),
            ),
        ),
        Apply(FOUR, {X: ON_V, G: ON_P - ON_V}),
    ),
    narrow=(sp.Eq(L, 4), sp.Eq(eta, sp.Rational(1, 20))),
)


def sharp_point() -> tuple[sp.Basic, ...]:
    """Values and trigger weights of the one-content family that attains 4η, L = 4, η = 1/20."""
    error = sp.Rational(1, 20)
    own = 1 / (1 - 6 * error)
    point = {
        L: 4,
        eta: error,
        e: 0,
        b: own,
        v_o: -error,
        v_t: -error,
        p_o: (1 + own) / 2 - 2 * error * own - error,
        p_t: error,
        q_o: error,
        q_t: ((1 + own) / 2 - 2 * error) / own - error,
    }
    return tuple(sp.Eq(symbol, value) for symbol, value in point.items())


AFTER_LINKS = (
    *TWO_ROW_LINKS,
    Link(
        T_RISES,
        (
            T_RISES.false(
                "κ_L is the threshold",
                hypotheses=without(T_RISES, eta <= kappa),
                narrow=(sp.Eq(L, 4), sp.Eq(eta, sp.Rational(1, 10))),
            ),
        ),
    ),
    Link(FOUR, (FOUR.false("not 7/2", conclusion=m <= sp.Rational(7, 2) * eta),)),
    Link(
        HIGH,
        (HIGH.false("not 2η", conclusion=m <= 2 * eta, narrow=AT_FOUR),),
    ),
    Link(
        NONNEGATIVE,
        (
            NONNEGATIVE.false(
                "needs q_t ≥ p_t", hypotheses=(S > 0, *without(NONNEGATIVE, p_t <= q_t))
            ),
        ),
    ),
    Link(
        LOW,
        (LOW.false("not 7η/2", conclusion=m <= sp.Rational(7, 2) * eta, narrow=sharp_point()),),
    ),
)


@evidence("one_layer_sink", kind="smt", settles=True, statement=AFTER.name)
def softmax_after_arithmetic(run: Run) -> Outcome:
    """z3 proves m ≤ 4η after the trigger in steps (i) to (iv) of T1-softmax, for all L ≥ 4.

    The average over any number of ordinary keys, of which "averaging" is the step, is not in z3.
    """
    return outcome(AFTER_LINKS, run)
