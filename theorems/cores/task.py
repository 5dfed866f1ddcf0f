"""The arithmetic of the task: the flags of the targets, and what they alone rule out.

After n ordinary tokens and the trigger the target is the mean of n + 1 tokens.  Not in z3: the
count over a sequence, of which "one more ordinary token" is the inductive step.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, outcome, within
from theorems.evidence import Outcome, Run, evidence
from theorems.smt import Core, without
from theorems.symbols import KAPPA_L, L, eta, kappa, meaning

HALF = sp.Rational(1, 2)
n, S_o, S_t, S, y_o, y_t, y, c, C, x, k = sp.symbols("n S_o S_t S y_o y_t y c C x k", real=True)
NAMES = {
    **meaning("L", "eta", "kappa"),
    "n": "number of ordinary tokens before the trigger",
    "k": "another such number",
    "S_o": "sum of the ordinary flags",
    "S_t": "sum of the trigger flags",
    "S": "sum of a content coordinate over the ordinary tokens",
    "y_o": "ordinary flag of the target",
    "y_t": "trigger flag of the target",
    "y": "content coordinate of the target",
    "c": "content coordinate of the trigger",
    "C": "bound on the contents",
    "x": "an output, ordinary flag",
}

COUNT = Core(
    name="one more ordinary token",
    symbols=NAMES,
    hypotheses=(sp.Eq(S_o, n), sp.Eq(S_t, 0)),
    conclusion=sp.And(sp.Eq(S_o + 1, n + 1), sp.Eq(S_t + 0, 0)),
    says="Each ordinary token adds one to the ordinary flags and nothing to the trigger flags.",
)

TARGET = Core(
    name="flags of the target",
    symbols=NAMES,
    hypotheses=(
        n >= 1,
        sp.Eq(S_o, n),
        sp.Eq(S_t, 0),
        sp.Eq(y_o * (n + 1), S_o + 0),
        sp.Eq(y_t * (n + 1), S_t + 1),
    ),
    conclusion=sp.And(
        sp.Eq(y_o, n / (n + 1)),
        sp.Eq(y_t, 1 / (n + 1)),
        sp.Eq(y_o + y_t, 1),
        y_t > 0,
        y_t <= HALF,
        y_o >= HALF,
    ),
    says="They are (n, 1)/(n + 1): a point of the simplex with the ordinary flag at least ½.",
)

CONTENT = Core(
    name="contents of the target",
    symbols=NAMES,
    hypotheses=(n >= 1, *within(S, n * C), *within(c, C), sp.Eq(y * (n + 1), S + c)),
    conclusion=sp.And(*within(y, C)),
    says="Contents of size at most C have a mean of size at most C.",
)

SILENT = Core(
    name="silence costs a half",
    symbols=NAMES,
    hypotheses=(n >= 1, sp.Eq(y_o * (n + 1), n), *within(0 - y_o, eta)),
    conclusion=eta >= HALF,
    says="The output 0 at a trigger is wrong by at least ½.",
)

RISES = Core(
    name="more ordinary tokens raise the flag",
    symbols=NAMES,
    hypotheses=(n >= 1, k > n),
    conclusion=sp.And(n / (n + 1) < k / (k + 1), 1 / (k + 1) < 1 / (n + 1)),
    says="The ordinary flag of the target rises with n and the trigger flag falls.",
)

CONSTANT_OUTPUT = Core(
    name="one output for all triggers",
    symbols=NAMES,
    hypotheses=(
        sp.Eq(kappa, KAPPA_L),
        L >= 4,
        *within(x - HALF, eta),
        *within(x - (L - 2) / (L - 1), eta),
    ),
    conclusion=kappa <= eta,
    says="No single output is within less than κ_L of the targets after 1 and L − 2 tokens.",
)

LINKS = (
    Link(COUNT, (COUNT.false("an ordinary token has no trigger flag", conclusion=sp.Eq(S_t, 1)),)),
    Link(
        TARGET,
        (
            TARGET.false("the mean counts the trigger too", conclusion=sp.Eq(y_o, (n - 1) / n)),
            TARGET.false("needs one ordinary token", hypotheses=(n >= 0, *without(TARGET, n >= 1))),
        ),
    ),
    Link(
        CONTENT,
        (
            CONTENT.false(
                "the trigger's content counts", hypotheses=without(CONTENT, *within(c, C))
            ),
        ),
    ),
    Link(SILENT, (SILENT.false("a half suffices after one token", conclusion=eta > HALF),)),
    Link(RISES, (RISES.false("not if k < n", hypotheses=(n >= 1, k >= 1)),)),
    Link(
        CONSTANT_OUTPUT,
        (
            CONSTANT_OUTPUT.false(
                "κ_L is attained halfway",
                conclusion=sp.Rational(101, 100) * kappa <= eta,
                narrow=(sp.Eq(L, 4),),
            ),
        ),
    ),
)


@evidence("trigger_task", kind="smt", settles=True)
def task_arithmetic(run: Run) -> Outcome:
    """z3 proves the flags and size of the targets and the cost of silence, for every n ≥ 1.

    The count over a sequence is an induction whose step is proved here.
    """
    return outcome(LINKS, run)
