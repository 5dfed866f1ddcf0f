"""Theorem 1 assembled from its two-target lemma, and its two corollaries, for every length L.

Not in z3: the two inductions over the tokens of a row.  "copies of a token" is the inductive step
of "a row over copies of one token has three weights", "mixing two rows" that of "the mean ordinary
value of a row obeys the trigger rows' equations".
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores import mixing, two_targets
from theorems.cores.chain import Link, assumed, definitions, granted, outcome, simplex, within
from theorems.cores.rules import x, y
from theorems.cores.two_targets import (
    BIG,
    BOUNDED,
    CONSTANT,
    FEW,
    FINAL,
    HALF,
    MANY,
    NAMES,
    NORMED,
    OPPOSITE_SIGN,
    ROW,
    SAME_SIGN,
    B,
    G,
    P,
    Q,
    a_p,
    a_q,
    a_v,
    b_p,
    b_q,
    b_v,
    g_o,
    g_t,
    larger,
    p_o,
    p_t,
    q_o,
    q_t,
    r,
    s,
    v_o,
    v_t,
    w_p,
    w_q,
)
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import EPSILON, LINEAR, SHARP
from theorems.smt import Apply, Core, Show
from theorems.statement import Statement
from theorems.symbols import L, alpha, epsilon, eta, kappa


def along(first: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """The functional g on a pair of flags (o, t)."""
    return g_o * first[0] + g_t * first[1]


def off_target(
    weights: tuple[sp.Symbol, ...], target: tuple[sp.Expr, sp.Expr] = (sp.Integer(0), sp.Integer(0))
) -> tuple[sp.Expr, sp.Expr]:
    """Output of a row with ``weights`` on v, p, q, minus its target, in both flag channels."""
    v, p, q = weights
    return (
        v * v_o + p * p_o + q * q_o - target[0],
        v * v_t + p * p_t + q * q_t - target[1],
    )


SELF, FIRST, LAST = (alpha, w_p, w_q), (a_v, a_p, a_q), (b_v, b_p, b_q)
EQUAL = sp.Eq(g_o * (p_o - q_o) + g_t * (p_t - q_t), 0)
ON_BOS, ON_P, ON_Q = along((v_o, v_t)), along((p_o, p_t)), along((q_o, q_t))
LARGE = {B: ON_BOS, G: ON_Q - ON_BOS, s: a_p + a_q, r: b_p + b_q}
BOUNDS = [(v_o, v_t), off_target(SELF), off_target(FIRST, FEW), off_target(LAST, MANY)]


def _trigger_row(weights: tuple[sp.Symbol, ...], target: tuple[sp.Expr, sp.Expr]) -> Show:
    """g on a trigger row: g(y + δ − v) is the weight off BOS times G."""
    _, p, q = weights
    return Show(
        sp.And(*within((p + q) * (ON_Q - ON_BOS) + ON_BOS - along(target), eta)),
        products=((EQUAL, p), (simplex(*weights)[-1], ON_BOS)),
    )


def assembled(statement: Statement = SHARP) -> Core:
    """Theorem 1 for one table of values, to the conclusion of ``statement`` itself."""
    return Core(
        name="one layer, assembled",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            *simplex(*SELF),
            *simplex(*FIRST),
            *simplex(*LAST),
            *(h for pair in BOUNDS for value in pair for h in within(value, eta)),
            NORMED,
            EQUAL,
        ),
        conclusion=statement.conclusion,
        says=(
            "Values v, p, q whose BOS row, two trigger rows and one other row have error ≤ η, and "
            "the functional of 'annihilator', give the conclusion of Theorem 1."
        ),
        hints=(
            *(Apply(BOUNDED, {x: first, y: second}) for first, second in BOUNDS),
            Show(sp.Eq(ON_P, ON_Q)),
            _trigger_row(FIRST, FEW),
            _trigger_row(LAST, MANY),
            Apply(CONSTANT),
            Apply(SAME_SIGN, LARGE, assuming=g_o * g_t >= 0),
            Apply(OPPOSITE_SIGN, LARGE, assuming=g_o * g_t < 0),
            Show(2 * kappa - 2 * eta <= sp.Abs(ON_Q - ON_BOS)),
            Apply(ROW, {B: ON_BOS, P: ON_P, Q: ON_Q}),
            Apply(FINAL, {G: ON_Q - ON_BOS}),
        ),
        narrow=sharp_point(),
    )


def sharp_point() -> tuple[sp.Basic, ...]:
    """The sharp family (constructions.sharp_witness) as equations: L = 4, η = 1/30, ε = 1/100."""
    error, small, k = sp.Rational(1, 30), sp.Rational(1, 100), sp.Rational(1, 12)
    height = (2 * k - 3 * error + small * error) / (1 - small)
    step = (HALF + 2 * error) / small, (HALF - 2 * error) / small
    q = -error + step[0], error + step[1]
    difference = height - q[0], -height - q[1]
    norm = sum(abs(d) for d in difference)
    mass = 2 * error / (height + error)
    point = {
        L: 4,
        eta: error,
        v_o: -error,
        v_t: error,
        p_o: height,
        p_t: -height,
        q_o: q[0],
        q_t: q[1],
        alpha: 1 - mass,
        w_p: mass,
        w_q: 0,
        a_v: 1 - small,
        a_p: 0,
        a_q: small,
        b_v: 0,
        b_p: 1 - small,
        b_q: small,
        g_o: difference[1] / norm,
        g_t: -difference[0] / norm,
    }
    return tuple(sp.Eq(symbol, value) for symbol, value in point.items())


ASSEMBLED = assembled()

LINEAR_FORM = Core(
    name="linear form",
    symbols=NAMES,
    hypotheses=(granted(SHARP), *assumed(LINEAR)),
    conclusion=LINEAR.conclusion,
    says="Theorem 1 gives 1 − α ≤ 2η/κ_L for every η.",
)

EPSILON_FORM = Core(
    name="epsilon form",
    symbols=NAMES,
    hypotheses=(granted(SHARP), *assumed(EPSILON)),
    conclusion=EPSILON.conclusion,
    says="Theorem 1 gives α ≥ 1 − ε for η ≤ εκ_L/(1 + ε).",
)


SHARP_LINKS = (
    *two_targets.LINKS,
    *mixing.LINKS,
    Link(
        ASSEMBLED,
        (replace(assembled(larger(SHARP, BIG)), name="one layer, assembled (false)", hints=()),),
    ),
)
LINEAR_LINKS = (
    Link(
        LINEAR_FORM,
        (
            LINEAR_FORM.false(
                "the constant 2/κ_L is best possible",
                conclusion=1 - alpha <= 19 * eta / (10 * kappa),
            ),
        ),
    ),
)
EPSILON_LINKS = (
    Link(
        EPSILON_FORM,
        (
            EPSILON_FORM.false(
                "εκ_L in place of εκ_L/(1 + ε) is too large",
                hypotheses=(
                    granted(SHARP),
                    *definitions(EPSILON),
                    *EPSILON.hypotheses[:-1],
                    eta <= epsilon * kappa,
                ),
            ),
        ),
    ),
)


@evidence("one_layer_sink", kind="smt", settles=True)
def one_layer_arithmetic(run: Run) -> Outcome:
    """z3 proves the arithmetic of Theorem 1 for all L ≥ 4: two targets, mixing step, final step.

    The inductions over a row's tokens, of which "copies of a token" and "mixing two rows" are the
    steps, are not in z3.
    """
    return outcome(SHARP_LINKS, run)


@evidence("one_layer_sink", kind="smt", settles=True, statement=LINEAR.name)
def linear_form_arithmetic(run: Run) -> Outcome:
    """z3 derives the linear form from Theorem 1's conclusion, for all L ≥ 4 and all errors."""
    return outcome(LINEAR_LINKS, run)


@evidence("one_layer_sink", kind="smt", settles=True, statement=EPSILON.name)
def epsilon_form_arithmetic(run: Run) -> Outcome:
    """z3 derives the paper's ε-form from Theorem 1's conclusion, for all L ≥ 4."""
    return outcome(EPSILON_LINKS, run)
