"""The arithmetic of T1-softmax: a position-free softmax row at the trigger, for every length L.

Notation: v, p, q the values of BOS, ordinary tokens and trigger in the flag channels o and t.  The
trigger's row after n copies of one ordinary token has unnormalised weights e on BOS, 1 on each
copy, b on itself, *the same for every n*: dividing its equation by the ordinary weight gives
e·v + n·p + b·q = (e + n + b)(y_n + δ_n) with y_n = (n, 1)/(n + 1), |δ_n| ≤ η.

Not in z3: the average over any number of ordinary keys ("averaging" is its inductive step), and
that softmax rows have this form.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, definitions, outcome, within
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import AFTER, BEFORE, P0, SLOPE
from theorems.smt import Apply, Core, Show, without
from theorems.statement import Statement
from theorems.symbols import L, eta, kappa, m, meaning

HALF = sp.Rational(1, 2)
N = L - 2

v_o, v_t, p_o, p_t, q_o, q_t, e, b = sp.symbols("v_o v_t p_o p_t q_o q_t e b", real=True)
g_o, g_t, X, G, m_p, m_q = sp.symbols("g_o g_t X G m_p m_q", real=True)
NAMES = {
    **meaning("L", "eta", "kappa", "m"),
    "P0": "the constant P₀ of the statement",
    "v_o": "ordinary flag of the value of BOS",
    "v_t": "trigger flag of the value of BOS",
    "p_o": "ordinary flag of an ordinary value, or of a mean of them",
    "p_t": "trigger flag of the same",
    "q_o": "ordinary flag of the value of the trigger",
    "q_t": "trigger flag of the value of the trigger",
    "e": "unnormalised weight on BOS, over that of an ordinary token",
    "b": "unnormalised weight on the trigger, over that of an ordinary token",
    "g_o": "what the functional g takes of the ordinary flag",
    "g_t": "what the functional g takes of the trigger flag",
    "X": "g on the value of BOS",
    "G": "g on p − v",
    "m_p": "weight of the row on ordinary tokens",
    "m_q": "weight of the row on the trigger",
}


def trigger_row(n: sp.Expr, flag: str) -> tuple[sp.Basic, sp.Basic]:
    """The trigger's row after n copies in channel o or t, multiplied by n + 1: upper, lower."""
    v, p, q, count = (v_o, p_o, q_o, n) if flag == "o" else (v_t, p_t, q_t, sp.Integer(1))
    output, weight = (n + 1) * (e * v + n * p + b * q), e + n + b
    return (
        output <= weight * (count + (n + 1) * eta),
        weight * (count - (n + 1) * eta) <= output,
    )


ONE_O, ONE_T = trigger_row(sp.Integer(1), "o"), trigger_row(sp.Integer(1), "t")
TWO_O = trigger_row(sp.Integer(2), "o")
MANY_O, MANY_T = trigger_row(N, "o"), trigger_row(N, "t")
WEIGHTS = (e >= 0, b > 0)
BOS_O, BOS_T = within(v_o, eta), within(v_t, eta)
SMALL_ERROR = 4 * (L - 1) * eta <= L - 3

n, R, Y, W = sp.symbols("n R Y W", real=True)
CLEARED = Core(
    name="row without denominators",
    symbols=NAMES
    | {"n": "number of copies", "R": "e·v + n·p + b·q", "W": "e + n + b", "Y": "flag count"},
    hypotheses=(n >= 1, W > 0, *within(R / W - Y / (n + 1), eta)),
    conclusion=sp.And(
        (n + 1) * R <= W * (Y + (n + 1) * eta), W * (Y - (n + 1) * eta) <= (n + 1) * R
    ),
    says="Output within η of the target, multiplied by the row's total weight and by n + 1.",
)

mu, e_1, e_2, b_1, b_2, p_1, p_2, v, q, T = sp.symbols(
    "mu e_1 e_2 b_1 b_2 p_1 p_2 v q T", real=True
)
e_bar, b_bar, p_bar = (
    mu * e_1 + (1 - mu) * e_2,
    mu * b_1 + (1 - mu) * b_2,
    mu * p_1 + (1 - mu) * p_2,
)
TWO_KEYS = tuple(
    (ee + n + bb) * T <= ee * v + n * pp + bb * q
    for ee, bb, pp in ((e_1, b_1, p_1), (e_2, b_2, p_2))
)
AVERAGING = Core(
    name="averaging over two ordinary keys",
    symbols=NAMES
    | {
        "mu": "share of the first key in the row's ordinary weight",
        "e_1": "e for the first key",
        "e_2": "e for the second key",
        "b_1": "b for the first key",
        "b_2": "b for the second key",
        "p_1": "value of the first key, one channel",
        "p_2": "value of the second key",
        "v": "value of BOS",
        "q": "value of the trigger",
        "n": "number of copies",
        "T": "target minus η (or, with all signs changed, target plus η)",
    },
    hypotheses=(mu >= 0, mu <= 1, *TWO_KEYS),
    conclusion=(e_bar + n + b_bar) * T <= e_bar * v + n * p_bar + b_bar * q,
    says="What holds for two keys holds for the averages of e, b and p: it is linear in them.",
)

THRESHOLD = Core(
    name="threshold",
    symbols=NAMES,
    hypotheses=(*definitions(AFTER), L >= 4, eta <= kappa),
    conclusion=sp.And(SMALL_ERROR, 4 * eta < 1),
    says="η ≤ κ_L, without denominators, and η < 1/4.",
)

P_LOW = Core(
    name="(i) ordinary values are large",
    symbols=NAMES,
    hypotheses=(*assumed(BEFORE), *WEIGHTS, ONE_O[0], MANY_O[1]),
    conclusion=p_o + eta >= P0,
    says="The rows after 1 and L−2 copies, e and b eliminated: p_o + η ≥ P₀.",
    narrow=(sp.Eq(L, 4), sp.Eq(e, 0)),
)

TWO_THIRDS = Core(
    name="P₀ ≥ 2/3",
    symbols=NAMES,
    hypotheses=assumed(BEFORE),
    conclusion=sp.Rational(2, 3) <= P0,
    says="For η ≤ κ_L the constant P₀ is at least 2/3.",
)

BEFORE_ROW = (1 - m) * v_o + m * p_o <= eta


def before(statement: Statement = BEFORE) -> Core:
    """Before the trigger, to the conclusion of ``statement`` itself."""
    return Core(
        name="before the trigger",
        symbols=NAMES,
        hypotheses=(*assumed(statement), *WEIGHTS, BOS_O[1], ONE_O[0], MANY_O[1], BEFORE_ROW),
        conclusion=statement.conclusion,
        says="A row of ordinary tokens before the trigger: m·P₀ ≤ 2η.",
        hints=(
            Apply(P_LOW),
            Show(
                statement.conclusion,
                products=((m >= 0, p_o + eta >= P0), (m <= 1, BOS_O[1])),
            ),
        ),
        narrow=(sp.Eq(L, 4), sp.Eq(e, 0), sp.Eq(eta, sp.Rational(1, 20))),
    )


BEFORE_CORE = before()

E, PP, RR = sp.symbols("E P R", real=True)
SLOPE_FACTS = (
    sp.And((E + 1) * HALF <= PP + RR, (E + 1) * (HALF + 2 * eta) >= PP + RR),
    (E + 2) * (sp.Rational(2, 3) + 2 * eta) >= 2 * PP + RR,
    (E + N) * N <= (N + 1) * (N * PP + RR),
)
THREE_ROWS = Core(
    name="three rows and their chord",
    symbols=NAMES | {"E": "e + b", "P": "p_o + η", "R": "e(v_o + η) + b(q_o + η)"},
    hypotheses=(L >= 5, eta >= 0, SMALL_ERROR, E >= 0, *SLOPE_FACTS),
    conclusion=(L - 4) - 18 * eta <= (L - 4) * PP,
    says="The o-channel of the rows after 1, 2 and L−2 copies: p_o + η ≥ 1 − 18η/(L − 4).",
    narrow=(sp.Eq(L, 5), sp.Eq(eta, sp.Rational(1, 40))),
)


def slope(statement: Statement = SLOPE) -> Core:
    """Before the trigger, three rows, to the conclusion of ``statement`` itself."""
    shifted = {E: e + b, PP: p_o + eta, RR: e * (v_o + eta) + b * (q_o + eta)}
    return Core(
        name="before the trigger, slope two",
        symbols=NAMES,
        hypotheses=(
            *assumed(statement),
            *WEIGHTS,
            BOS_O[1],
            *ONE_O,
            TWO_O[0],
            MANY_O[1],
            BEFORE_ROW,
        ),
        conclusion=statement.conclusion,
        says="A row of ordinary tokens before the trigger: m(1 − 18η/(L − 4)) ≤ 2η.",
        hints=(
            Apply(THRESHOLD),
            Apply(THREE_ROWS, shifted),
            Show(
                m * ((L - 4) - 18 * eta) <= (L - 4) * (2 * eta),
                products=(
                    (m >= 0, (L - 4) - 18 * eta <= (L - 4) * (p_o + eta)),
                    (L - 4 > 0, m * (p_o + eta) <= 2 * eta),
                ),
            ),
            Show(
                statement.conclusion,
                using=(L >= 5, m * ((L - 4) - 18 * eta) <= (L - 4) * (2 * eta)),
            ),
        ),
        narrow=(sp.Eq(L, 5), sp.Eq(eta, sp.Rational(1, 40))),
    )


SLOPE_CORE = slope()


AT_FOUR = (sp.Eq(L, 4), sp.Eq(eta, sp.Rational(1, 20)))
AT_FIVE = (sp.Eq(L, 5), sp.Eq(eta, sp.Rational(1, 1000)))
LARGER_P0 = replace(BEFORE, conclusion=m * (P0 + sp.Rational(1, 20)) <= 2 * eta)
SMALLER_SLOPE = replace(SLOPE, conclusion=m * (1 - 17 * eta / (L - 4)) <= 2 * eta)

TWO_ROW_LINKS = (
    Link(
        CLEARED,
        (
            CLEARED.false(
                "weights must be positive",
                hypotheses=without(CLEARED, W > 0),
                narrow=(sp.Eq(W, -1),),
            ),
        ),
    ),
    Link(
        AVERAGING,
        (AVERAGING.false("shares must be at most 1", hypotheses=without(AVERAGING, mu <= 1)),),
    ),
    Link(
        THRESHOLD,
        (THRESHOLD.false("η may exceed 1/5", conclusion=5 * eta < 1, narrow=(sp.Eq(L, 50),)),),
    ),
    Link(
        P_LOW,
        (P_LOW.false("not P₀ + η/10", conclusion=P0 + eta / 10 <= p_o + eta, narrow=AT_FOUR),),
    ),
    Link(
        TWO_THIRDS,
        (
            TWO_THIRDS.false(
                "P₀ = 2/3 at L = 4 and η = κ_L",
                conclusion=sp.Rational(7, 10) <= P0,
                narrow=(sp.Eq(L, 4),),
            ),
        ),
    ),
)
BEFORE_LINKS = (
    *TWO_ROW_LINKS,
    Link(BEFORE_CORE, (replace(before(LARGER_P0), name="before (false)", narrow=AT_FOUR),)),
)
SLOPE_LINKS = (
    *TWO_ROW_LINKS[:3],
    Link(
        THREE_ROWS,
        (
            THREE_ROWS.false(
                "18 is best possible at L = 5",
                conclusion=(L - 4) - 17 * eta <= (L - 4) * PP,
                narrow=AT_FIVE,
            ),
        ),
    ),
    Link(SLOPE_CORE, (replace(slope(SMALLER_SLOPE), name="slope (false)", narrow=AT_FIVE),)),
)


@evidence("one_layer_sink", kind="smt", settles=True, statement=BEFORE.name)
def softmax_before_arithmetic(run: Run) -> Outcome:
    """z3 proves m·P₀ ≤ 2η before the trigger from the rows of T1-softmax, for all L ≥ 4.

    That the trigger's softmax row has the form of a trigger row here is not in z3.
    """
    return outcome(BEFORE_LINKS, run)


@evidence("one_layer_sink", kind="smt", settles=True, statement=SLOPE.name)
def softmax_slope_arithmetic(run: Run) -> Outcome:
    """z3 proves slope two before the trigger from the rows after 1, 2, L−2 copies, all L ≥ 5.

    That the trigger's softmax row has the form of a trigger row here is not in z3.
    """
    return outcome(SLOPE_LINKS, run)
