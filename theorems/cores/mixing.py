"""The mixing step of Theorem 1: rows that reach a target from two ordinary values, averaged.

Not in z3: that the mean of any number of ordinary values is repeated averaging of two, of which
``MIXING`` is the inductive step.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, simplex, within
from theorems.cores.rules import CANCEL, x, y, z
from theorems.cores.two_targets import WEIGHTS, a_p, a_q, a_v, b_p, b_q, b_v
from theorems.smt import Apply, Core, Show
from theorems.symbols import eta, meaning

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

LINKS = (
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
