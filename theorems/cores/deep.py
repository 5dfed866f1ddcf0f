"""The arithmetic of Theorem 2: what the rows of a stack multiply to, and its last step.

Row i of the composed attention is Σ_k A_ik W_k, with A the upper layer's row and W_k the composed
row of position k below it.  BOS sees only itself, so W_1 is all on BOS.  With x_k = 1 − W_k1 the
composed mass off BOS is Σ_{k≥2} A_ik x_k; at position 2 it is a plain product.

Not in z3: the induction over layers and over keys, of which "one more layer" and "one more key"
are the steps, and the exponent: m^D enters as a number that is multiplied by m for each layer.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, assumed, granted, outcome, simplex
from theorems.deep_sink import ANY_POSITION, POSITION_TWO
from theorems.evidence import Outcome, Run, evidence
from theorems.one_layer_sink import SHARP
from theorems.smt import Core, Show, without
from theorems.statement import Statement
from theorems.symbols import D, L, alpha, m, meaning

X, Y, a, b, w_1, w_2, mass, rest, x, r = sp.symbols("X Y a b w_1 w_2 M_k M_r x r", real=True)
a_1, a_2, a_3, b_1, b_2, c_1, c_2, c_3 = sp.symbols("a_1 a_2 a_3 b_1 b_2 c_1 c_2 c_3", real=True)
p_1, p_2, p_3, f, g = sp.symbols("p_1 p_2 p_3 f g", real=True)
NAMES = {
    **meaning("L", "D", "eta", "kappa", "alpha"),
    "m": "the smallest mass off BOS over the layers (and positions)",
    "X": "m to the number of layers so far",
    "Y": "mass off BOS of the composed row so far",
    "a": "mass off BOS of the upper layer's row at position 2",
    "b": "mass off BOS of the composed row of position 2 below",
    "w_1": "weight of the composed row on BOS",
    "w_2": "weight of the composed row on position 2",
    "M_k": "weight of the upper row on one more key off BOS",
    "M_r": "its weight on the keys so far",
    "x": "composed mass off BOS of that key",
    "r": "Σ over the keys so far of weight times composed mass off BOS",
    **{f"a_{k}": f"weight of the upper row of position 3 on position {k}" for k in (1, 2, 3)},
    **{f"b_{k}": f"weight of the lower row of position 2 on position {k}" for k in (1, 2)},
    **{f"c_{k}": f"weight of the lower row of position 3 on position {k}" for k in (1, 2, 3)},
    **{f"p_{k}": f"state of position {k} below both layers, one channel" for k in (1, 2, 3)},
    "f": "value map of the lower layer (a number)",
    "g": "value map of the upper layer (a number)",
}

ROWS = (*simplex(a_1, a_2, a_3), *simplex(b_1, b_2), *simplex(c_1, c_2, c_3))
PRODUCT_ROW = (a_1 + a_2 * b_1 + a_3 * c_1, a_2 * b_2 + a_3 * c_2, a_3 * c_3)
COMPOSED = Core(
    name="two layers are one",
    symbols=NAMES,
    hypotheses=ROWS,
    conclusion=sp.And(
        *(w >= 0 for w in PRODUCT_ROW),
        sp.Eq(sp.Add(*PRODUCT_ROW), 1),
        sp.Eq(
            a_1 * g * (f * p_1)
            + a_2 * g * (b_1 * f * p_1 + b_2 * f * p_2)
            + a_3 * g * (c_1 * f * p_1 + c_2 * f * p_2 + c_3 * f * p_3),
            sum(w * (g * f) * p for w, p in zip(PRODUCT_ROW, (p_1, p_2, p_3), strict=True)),
        ),
    ),
    says=(
        "For three positions: the product of causal simplex rows is a causal simplex row, and the "
        "stack's output is that row over the product of the value maps."
    ),
    hints=(
        Show(
            sp.Eq(sp.Add(*PRODUCT_ROW), 1),
            products=((ROWS[6], a_2), (ROWS[10], a_3)),
        ),
    ),
)

POSITION_2 = Core(
    name="masses multiply at position 2",
    symbols=NAMES,
    hypotheses=(sp.Eq(w_1, (1 - a) + a * (1 - b)), sp.Eq(w_1 + w_2, 1)),
    conclusion=sp.Eq(1 - w_1, a * b),
    says="The composed row of position 2 has 1 − W_21 = (1 − α_21)(1 − W′_21).",
)

MORE_KEYS = Core(
    name="one more key",
    symbols=NAMES,
    hypotheses=(mass >= 0, rest >= 0, X >= 0, x >= X, rest * X <= r),
    conclusion=(rest + mass) * X <= r + mass * x,
    says="If every key has composed mass at least X off BOS, so has their weighted mean.",
)

MORE_LAYERS = Core(
    name="one more layer",
    symbols=NAMES,
    hypotheses=(m >= 0, m <= rest, X >= 0, rest * X <= Y),
    conclusion=sp.And(m * X >= 0, m * X <= Y),
    says="A layer with mass at least m off BOS multiplies the bound X by m: m^(k+1) = m·m^k.",
)


def last_step(statement: Statement = POSITION_TWO, factor: sp.Expr | int = 1) -> Core:
    """From the composed mass to the conclusion of ``statement`` itself, X standing for m^D."""
    return Core(
        name=f"last step of {statement.name}",
        symbols=NAMES,
        hypotheses=(
            granted(SHARP),
            *assumed(statement),
            alpha >= 0,
            alpha <= 1,
            X >= 0,
            factor * (1 - alpha) >= X,
        ),
        conclusion=statement.conclusion.xreplace({m**D: X}),
        says="Theorem 1 bounds the composed mass 1 − α, which is at least m^D.",
        narrow=(sp.Eq(L, 4),),
    )


COMMON_LINKS = (
    Link(
        COMPOSED,
        (
            COMPOSED.false(
                "rows must sum to one",
                hypotheses=without(COMPOSED, ROWS[6]),
            ),
        ),
    ),
    Link(
        MORE_LAYERS,
        (
            MORE_LAYERS.false(
                "every layer must keep m off BOS", hypotheses=without(MORE_LAYERS, m <= rest)
            ),
        ),
    ),
)


def _last(statement: Statement) -> Link:
    return Link(
        last_step(statement),
        (replace(last_step(statement, 2), name=f"last step of {statement.name} (false)"),),
    )


POSITION_LINKS = (
    *COMMON_LINKS,
    Link(
        POSITION_2,
        (POSITION_2.false("masses do not add", conclusion=sp.Eq(1 - w_1, a + b)),),
    ),
    _last(POSITION_TWO),
)
ANY_LINKS = (
    *COMMON_LINKS,
    Link(
        MORE_KEYS,
        (MORE_KEYS.false("every key counts", hypotheses=without(MORE_KEYS, x >= X)),),
    ),
    _last(ANY_POSITION),
)


@evidence("deep_sink", kind="smt", settles=True)
def deep_sink_arithmetic(run: Run) -> Outcome:
    """z3 proves the steps of Theorem 2 at position 2: product of masses, one more layer, last step.

    The induction over D layers is not in z3: m^D is a number that each layer multiplies by m.
    """
    return outcome(POSITION_LINKS, run)


@evidence("deep_sink", kind="smt", settles=True, statement=ANY_POSITION.name)
def any_position_arithmetic(run: Run) -> Outcome:
    """z3 proves the steps of Theorem 2 at any position: one more key, one more layer, last step.

    The inductions over keys and layers are not in z3.
    """
    return outcome(ANY_LINKS, run)
