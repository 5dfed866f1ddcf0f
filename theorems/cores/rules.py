"""Two rules of ordered fields that the other cores use, as cores of their own."""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link
from theorems.smt import Core

x, y, z = sp.symbols("x y z", real=True)
NUMBERS = {"x": "any number", "y": "any number", "z": "any number"}

PRODUCT = Core(
    name="product",
    symbols=NUMBERS,
    hypotheses=(x >= 0, y >= 0),
    conclusion=sp.And(x * y >= 0, sp.Implies(sp.And(x > 0, y > 0), x * y > 0)),
    says="A product of non-negative numbers is non-negative, of positive ones positive.",
)

CANCEL = Core(
    name="cancel",
    symbols=NUMBERS,
    hypotheses=(x > 0, x * y <= x * z),
    conclusion=y <= z,
    says="A positive factor may be cancelled from an inequality.",
)

LINKS = (
    Link(
        PRODUCT,
        (PRODUCT.false("one factor may be negative", hypotheses=(x >= 0,)),),
    ),
    Link(
        CANCEL,
        (CANCEL.false("the factor may vanish", hypotheses=(x >= 0, x * y <= x * z)),),
    ),
)
