"""The arithmetic of mechanisms that can write nothing: what each row misses or leaks, for all L.

Notation: the trigger's row sees r visible non-BOS tokens and misses ``eta`` of their mean; a
non-trigger row at position i leaks ``eta`` of what it sees and has BOS weight ``alpha``.  These
follow from the layer's weights, row by row (``constructions``); z3 shows that no row of any length
exceeds the statement's bound.  Not in z3: the weights themselves, and that no content in [−1, 1]ⁿ
makes more of a row than its share of one.

A fixed gate is another kind of argument: it moves into the value map, one key at a time (the
induction over keys is not in z3), and Theorem 1, with its own evidence, speaks of every value map.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theorems.cores.chain import Link, assumed, granted, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.mechanisms import (
    EVERY,
    GATE,
    OFF_BY_ONE,
    SIGMOID,
    SIGMOID_GATE,
    SINK_LOGIT,
    SLOTS,
    UNCONDITIONAL,
    E,
    S,
    T,
    r,
)
from theorems.one_layer_sink import SHARP
from theorems.smt import Core, Show
from theorems.statement import Statement
from theorems.symbols import L, alpha, eta, meaning

i = sp.Symbol("i", real=True)
NAMES = {
    **meaning("L", "eta", "alpha"),
    "E": "e^K",
    "S": "e^s",
    "r": "visible non-BOS tokens at the trigger",
    "i": "position of a non-trigger row",
}
AT_TRIGGER = (r >= 2, r <= L - 1)
SILENT = (i >= 2, i <= L)
NO_LEAK = sp.Eq(eta, 0)


def row_by_row(
    statement: Statement, missed: sp.Basic, leaked: sp.Basic, bos: sp.Basic, says: str
) -> Link:
    """A core for one mechanism: every row is one of two kinds, and both obey ``statement``."""
    core = Core(
        name=f"every row of {statement.name}",
        symbols=NAMES,
        hypotheses=(
            *statement.hypotheses,
            *AT_TRIGGER,
            *SILENT,
            sp.Or(missed, leaked),
            bos,
        ),
        conclusion=statement.conclusion,
        says=says,
        narrow=(sp.Eq(L, 4), sp.Eq(i, 2), sp.Eq(r, 2)),
    )
    tighter = statement.conclusion.xreplace({eta: eta * sp.Rational(101, 100)})
    return Link(core, (core.false("1% less error", conclusion=tighter),))


GATE_LINK = row_by_row(
    GATE,
    sp.Eq(eta * (1 + r * E), 1),
    NO_LEAK,
    sp.Eq(alpha * (1 + (i - 1) * E), 1),
    "The trigger's row misses 1/(1 + rE), at most 1/(1 + 2E); the gate stops all the rest.",
)
SIGMOID_GATE_LINK = row_by_row(
    SIGMOID_GATE,
    sp.Eq(eta * (1 + r * E) * (1 + E), 1 + E + r * E),
    sp.Eq(eta * (1 + (i - 1) * E) * (1 + E), (i - 1) * E),
    sp.Eq(alpha * (1 + (i - 1) * E), 1),
    "The trigger's row is short of a mean by (1 + E + rE)/((1 + rE)(1 + E)); others leak σ(−K).",
)
SINK_LOGIT_LINK = row_by_row(
    SINK_LOGIT,
    sp.Eq(eta * (1 + S + r * E), 1 + S),
    sp.Eq(eta * (S * E + i), i - 1),
    sp.Eq(alpha * (S * E + i), 1),
    "BOS and the slot keep 1 + S of 1 + S + rE at the trigger; elsewhere i keys weigh i/E.",
)
OFF_BY_ONE_LINK = row_by_row(
    OFF_BY_ONE,
    sp.Eq(eta * (2 + r * E), 2),
    sp.Eq(eta * (E + i), i - 1),
    sp.Eq(alpha * (E + i), 1),
    "The sink logit with S = 1.",
)
SIGMOID_LINK = row_by_row(
    SIGMOID,
    sp.Eq(eta * (1 + E), 1),
    sp.Eq(eta * (1 + E), 1),
    sp.Eq(alpha * (1 + E) * (i - 1), 1),
    "The mean times 1 − σ(−K) at the trigger and times σ(−K) elsewhere.",
)

SLOTS_CORE = Core(
    name="slots are one mechanism",
    symbols=dict(SLOTS.symbols),
    hypotheses=SLOTS.hypotheses,
    conclusion=SLOTS.conclusion,
    says="Numerator and denominator are divided by e^s.",
)
SLOTS_LINK = Link(
    SLOTS_CORE,
    (
        SLOTS_CORE.false(
            "not with the total left as it is",
            hypotheses=tuple(
                h.subs(1 + T / S, 1 + T) if h.has(T / S) else h for h in SLOTS.hypotheses
            ),
        ),
    ),
)


g, h, a, v, y, z = sp.symbols("g h a v y z", real=True)
ABSORBED = Core(
    name="a fixed gate moves into the values",
    symbols={
        "g": "the gate's factor for one output coordinate, the same for every query",
        "h": "the factor at another query, were the gate to read it",
        "a": "attention on one more key",
        "v": "that coordinate of the key's value",
        "y": "Σ α_k V(x_k) over the keys so far",
        "z": "Σ α_k gV(x_k) over the same keys",
    },
    hypotheses=(sp.Eq(z, g * y),),
    conclusion=sp.Eq(z + a * (g * v), g * (y + a * v)),
    says="g Σ α_k V(x_k) = Σ α_k gV(x_k), one key at a time; both sums begin at 0 = g·0.",
)
ABSORBED_LINK = Link(
    ABSORBED,
    (
        ABSORBED.false(
            "not with values that were scaled for another query",
            conclusion=sp.Eq(z + a * (h * v), g * (y + a * v)),
        ),
    ),
)
UNCONDITIONAL_CORE = Core(
    name="a fixed gate is covered by Theorem 1",
    symbols=NAMES | meaning("kappa"),
    hypotheses=(granted(SHARP), *assumed(UNCONDITIONAL)),
    conclusion=UNCONDITIONAL.conclusion,
    says="Theorem 1 speaks of any token-wise value map, so of diag(g)V too.",
    narrow=(sp.Eq(L, 4),),
)
UNCONDITIONAL_LINK = Link(
    UNCONDITIONAL_CORE,
    (
        UNCONDITIONAL_CORE.false(
            "not without Theorem 1",
            hypotheses=tuple(h for h in UNCONDITIONAL_CORE.hypotheses if h != granted(SHARP)),
        ),
    ),
)


def smaller_bounds() -> Link:
    """The bounds of the single mechanisms imply the one that they share."""
    bounds = [s.conclusion for s in (GATE, SIGMOID_GATE, OFF_BY_ONE, SIGMOID)]
    exact = sp.And(sp.Eq(eta, 0), sp.Eq(alpha, 0))
    core = Core(
        name="the shared bound",
        symbols=NAMES,
        hypotheses=(*EVERY.hypotheses, eta >= 0, alpha >= 0, sp.Or(*bounds, exact)),
        conclusion=EVERY.conclusion,
        says="1/(1 + 2E) + 1/(1 + E) ≤ 2/E, max(1/(1 + E), (L−1)/(E + L)) ≤ L/E.",
        hints=tuple(Show(EVERY.conclusion, assuming=b) for b in (*bounds, exact)),
        narrow=(sp.Eq(L, 3), sp.Eq(E, 8)),
    )
    return Link(core, (core.false("not 1/E", conclusion=eta * E <= 1),))


EVERY_LINK = smaller_bounds()
LINKS = (
    GATE_LINK,
    SIGMOID_GATE_LINK,
    SINK_LOGIT_LINK,
    OFF_BY_ONE_LINK,
    SIGMOID_LINK,
    SLOTS_LINK,
    ABSORBED_LINK,
    UNCONDITIONAL_LINK,
    EVERY_LINK,
)


def _declare(name: str, statement: Statement, says: str, *links: Link) -> None:
    def arithmetic(run: Run) -> Outcome:
        return outcome(links, run)

    arithmetic.__name__ = name
    arithmetic.__doc__ = says
    declare: Callable[[Callable[[Run], Outcome]], object] = evidence(
        "mechanisms", kind="smt", settles=True, statement=statement.name
    )
    declare(arithmetic)


for _name, _statement, _link in (
    ("gate_rows", GATE, GATE_LINK),
    ("sigmoid_gate_rows", SIGMOID_GATE, SIGMOID_GATE_LINK),
    ("sink_logit_rows", SINK_LOGIT, SINK_LOGIT_LINK),
    ("off_by_one_rows", OFF_BY_ONE, OFF_BY_ONE_LINK),
    ("sigmoid_rows", SIGMOID, SIGMOID_LINK),
):
    _says = f"z3: no row of any length exceeds the bound.  {_link.core.says}"
    _declare(_name, _statement, _says, _link)
_declare("slots_identity", SLOTS, "z3: sink logit and off-by-one give the same weight.", SLOTS_LINK)
_declare(
    "shared_bound", EVERY, "z3: each mechanism's own bound implies the shared one.", EVERY_LINK
)
_declare(
    "fixed_gate_is_covered",
    UNCONDITIONAL,
    "z3: a fixed gate moves into the value map, diag(g)V, and Theorem 1 speaks of every value map.",
    ABSORBED_LINK,
    UNCONDITIONAL_LINK,
)
