"""The arithmetic of Theorem 1: one layer of simplex attention must sink, for every length L.

Notation: flag channels o (ordinary) and t (trigger) only; v, p, q the values of BOS, of the row's
mean ordinary token and of its trigger; a row is a point of the simplex with weights on v, p, q.
The trigger rows after 1 and after L−2 copies of one ordinary token have the targets (½, ½) and
((L−2)/(L−1), 1/(L−1)).

Not in z3: the two inductions over the tokens of a row.  ``COPIES`` is the inductive step of "a row
over copies of one token has three weights", ``MIXING`` that of "the mean ordinary value of a row
obeys the trigger rows' equations".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theorems.cores.chain import Link, assumed, definitions, granted, outcome, simplex, within
from theorems.cores.rules import CANCEL, x, y, z
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import EPSILON, LINEAR, SHARP
from theorems.smt import Apply, Core, Show, without
from theorems.statement import Statement
from theorems.symbols import L, alpha, epsilon, eta, kappa, meaning

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
            *definitions(SHARP),
            *statement.hypotheses,
            2 * kappa - 2 * eta <= sp.Abs(G),
            *within((1 - alpha) * G, 2 * eta),
        ),
        conclusion=statement.conclusion,
        says="(1 − α)|G| ≤ 2η and |G| ≥ 2κ_L − 2η give (1 − α)(κ_L − η) ≤ η.",
    )


FINAL = final()


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
            *(h for pair in BOUNDS for x in pair for h in within(x, eta)),
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


def sharp_point(
    length: int = 4, error: Fraction = Fraction(1, 30), small: Fraction = Fraction(1, 100)
) -> tuple[sp.Basic, ...]:
    """The member of the sharp family (constructions.sharp_witness) at L, η and ε, as equations."""
    k = Fraction(length - 3, 4 * (length - 1))
    height = (2 * k - 3 * error + small * error) / (1 - small)
    step = (HALF + 2 * error) / small, (HALF - 2 * error) / small
    q = -error + step[0], error + step[1]
    difference = height - q[0], -height - q[1]
    norm = sum(abs(d) for d in difference)
    mass = 2 * error / (height + error)
    point = {
        L: length,
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
    return tuple(sp.Eq(symbol, sp.nsimplify(value)) for symbol, value in point.items())


ASSEMBLED = assembled()

m_1, m_2, t_1, t_2, T = sp.symbols("mu_1 mu_2 t_1 t_2 T", real=True)
c_v, c_p, c_q = sp.symbols("c_v c_p c_q", real=True)
v, q, p_1, p_2, p, target = sp.symbols("v q p_1 p_2 p y", real=True)
FIRST_ROW = within(a_v * v + a_p * p_1 + a_q * q - target, eta)
SECOND_ROW = within(b_v * v + b_p * p_2 + b_q * q - target, eta)
MIXED = c_v * v + c_p * p + c_q * q - target
SHARES = (sp.Eq(t_1 * a_p, m_1), sp.Eq(t_2 * b_p, m_2), sp.Eq(T, t_1 + t_2))
NEW = (
    sp.Eq(T * c_v, t_1 * a_v + t_2 * b_v),
    sp.Eq(T * c_p, m_1 + m_2),
    sp.Eq(T * c_q, t_1 * a_q + t_2 * b_q),
)
MEAN = sp.Eq((m_1 + m_2) * p, m_1 * p_1 + m_2 * p_2)
POSITIVE = (m_1 > 0, m_2 > 0, a_p > 0, b_p > 0)
MIXING_NAMES = WEIGHTS | {
    "mu_1": "weight of the row on the first ordinary value",
    "mu_2": "weight of the row on the second ordinary value",
    "t_1": "μ₁/a_p",
    "t_2": "μ₂/b_p",
    "T": "t₁ + t₂",
    "c_v": "mixed row: weight on BOS",
    "c_p": "mixed row: weight on the mean ordinary value",
    "c_q": "mixed row: weight on the trigger",
    "v": "value of BOS, one channel",
    "q": "value of the trigger",
    "p_1": "first ordinary value",
    "p_2": "second ordinary value",
    "p": "their mean with weights μ₁, μ₂",
    "y": "the common target",
    **meaning("eta"),
}


def _mixed(first: sp.Basic, second: sp.Basic, side: sp.Expr) -> Show:
    return Show(
        T * side <= T * eta,
        products=(
            (t_1 > 0, first),
            (t_2 > 0, second),
            (NEW[0], v),
            (NEW[1], p),
            (NEW[2], q),
            (SHARES[0], p_1),
            (SHARES[1], p_2),
            (SHARES[2], target),
            (SHARES[2], eta),
        ),
    )


MIXING = Core(
    name="mixing two rows",
    symbols=MIXING_NAMES,
    hypotheses=(
        *POSITIVE,
        *simplex(a_v, a_p, a_q),
        *simplex(b_v, b_p, b_q),
        *FIRST_ROW,
        *SECOND_ROW,
        *SHARES,
        *NEW,
        MEAN,
    ),
    conclusion=sp.And(*simplex(c_v, c_p, c_q), *within(MIXED, eta)),
    says=(
        "Two ordinary values that each reach the target within η share a row that reaches it from "
        "their mean: average the rows with weights ∝ μ/a_p.  The weights do not depend on the "
        "channel, so one channel says it for all."
    ),
    hints=(
        Show(t_1 > 0, using=(m_1 > 0, a_p > 0, SHARES[0])),
        Show(t_2 > 0, using=(m_2 > 0, b_p > 0, SHARES[1])),
        Show(T > 0),
        Show(c_v >= 0, using=(T > 0, t_1 > 0, t_2 > 0, a_v >= 0, b_v >= 0, NEW[0])),
        Show(c_p >= 0, using=(T > 0, m_1 > 0, m_2 > 0, NEW[1])),
        Show(c_q >= 0, using=(T > 0, t_1 > 0, t_2 > 0, a_q >= 0, b_q >= 0, NEW[2])),
        Show(
            sp.Eq(T * (c_v + c_p + c_q), T),
            products=((simplex(a_v, a_p, a_q)[-1], t_1), (simplex(b_v, b_p, b_q)[-1], t_2)),
        ),
        Show(sp.Eq(c_v + c_p + c_q, 1), using=(T > 0, sp.Eq(T * (c_v + c_p + c_q), T))),
        _mixed(FIRST_ROW[0], SECOND_ROW[0], MIXED),
        Apply(CANCEL, {x: T, y: MIXED, z: eta}),
        _mixed(FIRST_ROW[1], SECOND_ROW[1], -MIXED),
        Apply(CANCEL, {x: T, y: -MIXED, z: eta}),
    ),
)

MIXING_ALONE = Core(
    name="mixing, a row without ordinary weight",
    symbols=MIXING_NAMES,
    hypotheses=(sp.Eq(a_p, 0), *FIRST_ROW),
    conclusion=sp.And(*within(a_v * v + a_p * p + a_q * q - target, eta)),
    says="If a row reaches the target with no ordinary weight, it does so whatever the mean is.",
)

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


def larger(statement: Statement, factor: sp.Rational) -> Statement:
    """``statement`` with its κ_L multiplied by ``factor``."""
    return replace(statement, conclusion=statement.conclusion.xreplace({kappa: factor * kappa}))


BIG = sp.Rational(21, 20)
AT_FIVE = (sp.Eq(L, 5),)
SHARP_LINKS = (
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
    Link(
        ASSEMBLED,
        (replace(assembled(larger(SHARP, BIG)), name="one layer, assembled (false)", hints=()),),
    ),
    Link(
        MIXING,
        (
            MIXING.false(
                "weights ∝ μ instead of μ/a_p do not mix",
                hypotheses=(
                    *(h for h in MIXING.hypotheses if h not in SHARES[:2]),
                    sp.Eq(t_1, m_1),
                    sp.Eq(t_2, m_2),
                ),
                conclusion=sp.And(*within(MIXED, eta)),
            ),
        ),
    ),
    Link(
        MIXING_ALONE,
        (MIXING_ALONE.false("needs a_p = 0", hypotheses=FIRST_ROW),),
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


@evidence("one_layer_sink", kind="smt")
def one_layer_arithmetic(run: Run) -> Outcome:
    """z3 proves the arithmetic of Theorem 1 for all L ≥ 4: two targets, mixing step, final step.

    The induction over the row's tokens, of which "mixing two rows" is the step, is not in z3.
    """
    return outcome(SHARP_LINKS, run)


@evidence("one_layer_sink", kind="smt", statement=LINEAR.name)
def linear_form_arithmetic(run: Run) -> Outcome:
    """z3 derives the linear form from Theorem 1's conclusion, for all L ≥ 4 and all errors."""
    return outcome(LINEAR_LINKS, run)


@evidence("one_layer_sink", kind="smt", statement=EPSILON.name)
def epsilon_form_arithmetic(run: Run) -> Outcome:
    """z3 derives the paper's ε-form from Theorem 1's conclusion, for all L ≥ 4."""
    return outcome(EPSILON_LINKS, run)
