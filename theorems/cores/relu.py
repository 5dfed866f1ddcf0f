"""The arithmetic of Theorem 3: the ReLU layer has error 0 and no weight on BOS, for every length.

Tokens have flags (bos, trig, ord), each 0 or 1 with sum one, and any real contents; BOS has none.
The layer is A[trig, ord] = A[trig, trig] = 1, all other logits 0, M = identity off BOS and 0 on
BOS, rows divided by max(1, i − 1).

Not in z3: the induction over the tokens of a sequence, of which "one more token" is the step.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.relu_no_sink import STATEMENT
from theorems.smt import Core, without
from theorems.statement import Statement
from theorems.symbols import L, alpha, eta, meaning, n

bos, trig, ordinary, content = sp.symbols("bos trig ord content", real=True)
q_bos, q_trig, q_ord = sp.symbols("query_bos query_trig query_ord", real=True)
w, S, x, i, out, y = sp.symbols("w S x i out y", real=True)
NAMES = {
    **meaning("L", "n", "eta", "alpha"),
    "bos": "BOS flag of the key",
    "trig": "trigger flag of the key",
    "ord": "ordinary flag of the key",
    "content": "a content coordinate of the key",
    "query_bos": "BOS flag of the query",
    "query_trig": "trigger flag of the query",
    "query_ord": "ordinary flag of the query",
    "w": "attention weight of a visible non-BOS token in the trigger's row",
    "S": "sum of the non-BOS tokens so far, one coordinate",
    "x": "one more token, the same coordinate",
    "i": "position of the query",
    "out": "output of the layer, one coordinate",
    "y": "target, the same coordinate",
}


def token(*flags: sp.Symbol) -> tuple[sp.Basic, ...]:
    """Flags are 0 or 1 and exactly one is set."""
    return (*(sp.Or(sp.Eq(f, 0), sp.Eq(f, 1)) for f in flags), sp.Eq(sp.Add(*flags), 1))


QUERY, KEY = token(q_bos, q_trig, q_ord), token(bos, trig, ordinary)
LOGIT = q_trig * (ordinary + trig)
RELU = sp.Max(0, LOGIT)

LOGITS = Core(
    name="which logits are one",
    symbols=NAMES,
    hypotheses=(*QUERY, *KEY),
    conclusion=sp.Eq(RELU, q_trig * (1 - bos)),
    says="ReLU of the logit is 1 for a trigger's query on a non-BOS key and 0 otherwise.",
)

WEIGHT = Core(
    name="the trigger's row",
    symbols=NAMES,
    hypotheses=(*QUERY, *KEY, i >= 3, sp.Eq(q_trig, 1), sp.Eq(w, RELU / sp.Max(1, i - 1))),
    conclusion=sp.And(
        sp.Implies(sp.Eq(bos, 1), sp.Eq(w, 0)), sp.Implies(sp.Eq(bos, 0), sp.Eq(w * (i - 1), 1))
    ),
    says="At the trigger BOS has weight 0 and every visible non-BOS token 1/(i − 1).",
)

OFF_TRIGGER = Core(
    name="the other rows",
    symbols=NAMES,
    hypotheses=(*QUERY, *KEY, i >= 1, sp.Eq(q_trig, 0), sp.Eq(w, RELU / sp.Max(1, i - 1))),
    conclusion=sp.Eq(w, 0),
    says="Every weight in a row that is not the trigger's is 0.",
)

TOKEN = (bos, trig, ordinary, content)
NO_CONTENT = sp.Implies(sp.Eq(bos, 1), sp.Eq(content, 0))


def value(kept: sp.Expr | int = 0) -> Core:
    """The value map (kept·bos, trig, ord, content): M has ``kept`` = 0."""
    values = (kept * bos, trig, ordinary, content)
    return Core(
        name="values are the tokens",
        symbols=NAMES,
        hypotheses=(*KEY, NO_CONTENT),
        conclusion=sp.And(
            sp.Implies(
                sp.Eq(bos, 0), sp.And(*(sp.Eq(v, c) for v, c in zip(values, TOKEN, strict=True)))
            ),
            sp.Implies(sp.Eq(bos, 1), sp.And(*(sp.Eq(v, 0) for v in values))),
        ),
        says="M leaves every non-BOS token as it is and sends BOS to 0.",
    )


VALUE = value()

ONE_MORE = Core(
    name="one more token",
    symbols=NAMES,
    hypotheses=(sp.Eq(out, w * S),),
    conclusion=sp.Eq(out + w * x, w * (S + x)),
    says="Equal weights on the tokens so far and on one more: weight times their sum.",
)


def last_step(statement: Statement = STATEMENT, divisor: sp.Expr = i - 1) -> Core:
    """To the conclusion of ``statement`` itself, at the trigger and off it."""
    return Core(
        name="last step",
        symbols=NAMES,
        hypotheses=(
            *statement.hypotheses,
            *QUERY,
            i >= 1,
            i <= L,
            sp.Implies(sp.Eq(q_trig, 1), i >= 3),
            sp.Eq(w, q_trig / sp.Max(1, divisor)),
            sp.Eq(out, w * S),
            sp.Implies(sp.Eq(q_trig, 1), sp.Eq(y * (i - 1), S)),
            sp.Implies(sp.Eq(q_trig, 0), sp.Eq(y, 0)),
            sp.Eq(eta, sp.Abs(out - y)),
            sp.Eq(alpha, RELU.xreplace({ordinary: 0, trig: 0}) / sp.Max(1, divisor)),
        ),
        conclusion=statement.conclusion,
        says="The mean at the trigger, nothing elsewhere, nothing on BOS.",
        narrow=(sp.Eq(L, 4), sp.Eq(n, 0), sp.Eq(i, 3), sp.Eq(q_trig, 1)),
    )


LAST = last_step()
LINKS = (
    Link(
        LOGITS,
        (
            LOGITS.false(
                "the trigger must not score BOS",
                conclusion=sp.Eq(sp.Max(0, q_trig * (ordinary + trig + bos)), q_trig * (1 - bos)),
            ),
        ),
    ),
    Link(WEIGHT, (WEIGHT.false("BOS is not counted", conclusion=sp.Eq(w * i, 1)),)),
    Link(
        OFF_TRIGGER,
        (
            OFF_TRIGGER.false(
                "not at the trigger", hypotheses=without(OFF_TRIGGER, sp.Eq(q_trig, 0))
            ),
        ),
    ),
    Link(VALUE, (replace(value(kept=1), name="values (false): the identity keeps BOS"),)),
    Link(
        ONE_MORE,
        (ONE_MORE.false("one more token changes the sum", conclusion=sp.Eq(out, w * (S + x))),),
    ),
    Link(LAST, (replace(last_step(divisor=i), name="last step (false): divided by i"),)),
)


@evidence("relu_no_sink", kind="smt", settles=True)
def relu_arithmetic(run: Run) -> Outcome:
    """z3 proves error 0 and BOS weight 0 of the ReLU layer from token flags, for every length.

    The induction over the tokens before the trigger is not in z3.
    """
    return outcome(LINKS, run)
