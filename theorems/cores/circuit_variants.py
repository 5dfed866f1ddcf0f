"""The arithmetic of the circuit's variants: pre-norm, anti-self attention and its price.

Notation as in ``theorems.cores.circuit``.  Not in z3: that a row is proportional to its weights,
that e^x grows, and that RMSNorm multiplies a state by one positive number.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.cores.circuit import SPIKE_LINKS
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import ANTI_SELF, GAIN, PRE_NORM
from theorems.smt import Core, Show, without
from theorems.statement import Statement

i, c, N, d = sp.symbols("i c N d", integer=True)
alpha, G, B, weight, gain = sp.symbols("alpha G B weight gain", real=True)
square, rest, X, epsilon, read, a = sp.symbols("square rest X epsilon read a", real=True)
NAMES = {
    "i": "length of the prefix of the query",
    "c": "how often a token occurs in the prefix",
    "N": "largest length",
    "d": "width",
    "alpha": "attention on position zero",
    "G": "size of the spike",
    "B": "e^β",
    "weight": "attention on all copies of the query's own token",
    "gain": "gain of the MLP",
    "square": "a squared norm, or a squared Lipschitz constant",
    "rest": "sum over the other keys of e^{−lead of position zero over it}",
    "X": "e^{the least lead}",
    "epsilon": "RMSNorm's ε",
    "read": "what the query reads, 1/√(‖h_i‖²/d + ε)",
    "a": "1/√(4/d + ε)",
}


def at_least(statement: Statement, names: Mapping[str, str], *more: sp.Basic) -> Core:
    """A row in which position zero leads every other key by at least ln X."""
    return Core(
        name=f"the least mass, {statement.name}",
        symbols=names,
        hypotheses=(
            *statement.hypotheses,
            *more,
            rest >= 0,
            rest <= (i - 1) / X,
            sp.Eq(alpha * (1 + rest), 1),
        ),
        conclusion=statement.conclusion,
        says="α = 1/(1 + rest), and each of the i − 1 other keys has at most 1/X.",
        hints=(Show(alpha > 0), Show((i - 1) / X >= 0)),
        narrow=(sp.Eq(i, 2), sp.Eq(X, 4)),
    )


def at_least_false(core: Core) -> Core:
    """The mass without the count of the other keys."""
    return core.false(
        "every other key takes its share",
        conclusion=alpha >= 1 / (1 + 1 / X),
        narrow=(sp.Eq(i, 3), sp.Eq(X, 4)),
    )


READS = Core(
    name="the query reads at least a",
    symbols=NAMES,
    hypotheses=(
        d >= 1,
        epsilon >= 0,
        square > 0,
        square <= 4,
        read > 0,
        sp.Eq(read**2 * (square / d + epsilon), 1),
        a > 0,
        sp.Eq(a**2 * (4 / d + epsilon), 1),
    ),
    conclusion=read >= a,
    says="Off position zero the norm without s is at most 2, as on it.",
    hints=(
        Show(square / d <= 4 / d, using=(d >= 1, square <= 4)),
        Show(
            read**2 * (square / d + epsilon) <= read**2 * (4 / d + epsilon),
            using=(d >= 1, square / d <= 4 / d),
        ),
        Show(4 / d + epsilon > 0, using=(d >= 1, epsilon >= 0)),
        Show(
            a**2 <= read**2,
            using=(
                4 / d + epsilon > 0,
                sp.Eq(a**2 * (4 / d + epsilon), 1),
                sp.Eq(read**2 * (square / d + epsilon), 1),
                read**2 * (square / d + epsilon) <= read**2 * (4 / d + epsilon),
            ),
        ),
        Show(read >= a, using=(read > 0, a > 0, a**2 <= read**2)),
    ),
    narrow=(sp.Eq(d, 4), sp.Eq(epsilon, 0), sp.Eq(square, 4)),
)
LEADS = at_least(PRE_NORM, NAMES)
AVOIDS = Core(
    name="a query that avoids its own token",
    symbols=NAMES,
    hypotheses=(
        N >= 2,
        B > 0,
        c >= 0,
        c <= i - 1,
        i <= N,
        sp.Eq(weight * (c + (i - c) * B), c),
    ),
    conclusion=weight <= (N - 1) / (N - 1 + B),
    says="c/(c + (i−c)B) with c ≤ N − 1 and i − c ≥ 1.",
    hints=(
        Show((i - c) * B >= B, products=((i - c - 1 >= 0, B > 0),)),
        Show(c + (i - c) * B > 0),
        Show(weight >= 0),
        Show(weight * (c + B) <= c, products=((weight >= 0, (i - c) * B >= B),)),
        Show(weight <= 1),
        Show(weight * (N - 1 + B) <= N - 1, products=((1 - weight >= 0, N - 1 - c >= 0),)),
    ),
    narrow=(sp.Eq(i, N),),
)
TWICE = Core(
    name="twice the spike",
    symbols=NAMES,
    hypotheses=(
        *ANTI_SELF.hypotheses,
        sp.Eq(gain * (1 - (N - 1) / (N - 1 + B)), G),
    ),
    conclusion=ANTI_SELF.conclusion,
    says="1 − (N−1)/(N−1+B) = B/(N−1+B), and B ≥ N − 1.",
    hints=(
        Show(sp.Eq(gain * B, G * (N - 1 + B))),
        Show(sp.Eq(gain, G * (1 + (N - 1) / B))),
        Show((N - 1) / B <= 1, using=(N >= 2, B >= N - 1)),
        Show(gain <= 2 * G, products=((G > 0, 1 - (N - 1) / B >= 0),)),
    ),
    narrow=(sp.Eq(N, 2),),
)
STEEP = Core(
    name="a gain that grows with N",
    symbols=NAMES,
    hypotheses=(*GAIN.hypotheses, square * 2 / N**2 >= G**2),
    conclusion=GAIN.conclusion,
    says="G ≤ slope·√2/N, the Lipschitz condition between two states √2/N apart.",
    hints=(Show(N**2 > 0),),
    narrow=(sp.Eq(N, 2),),
)

ANTI_SELF_LINKS = (
    Link(
        AVOIDS,
        (
            AVOIDS.false(
                "a constant prefix",
                hypotheses=(*without(AVOIDS, c <= i - 1), c <= i),
                narrow=(sp.Eq(N, 2), sp.Eq(i, 2), sp.Eq(c, 2), sp.Eq(B, 1)),
            ),
        ),
    ),
    Link(
        TWICE,
        (
            TWICE.false(
                "needs B ≥ N − 1",
                hypotheses=(*without(TWICE, B >= N - 1), B > 0),
                narrow=(sp.Eq(N, 3), sp.Eq(B, 1), sp.Eq(G, 1)),
            ),
        ),
    ),
)
GAIN_LINKS = (Link(STEEP, (STEEP.false("no more is forced", conclusion=square > G**2 * N**2),)),)
PRE_NORM_LINKS = (
    *SPIKE_LINKS,
    Link(
        READS,
        (
            READS.false(
                "not with longer states",
                hypotheses=without(READS, square <= 4),
                narrow=(sp.Eq(d, 1), sp.Eq(epsilon, 0), sp.Eq(square, 16)),
            ),
        ),
    ),
    Link(LEADS, (at_least_false(LEADS),)),
)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.pre_norm", settles=True)
def pre_norm_arithmetic(run: Run) -> Outcome:
    """z3 proves the spike, and the mass from the least lead, for all lengths."""
    return outcome(PRE_NORM_LINKS, run)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.anti_self", settles=True)
def anti_self_arithmetic(run: Run) -> Outcome:
    """z3 proves the threshold and the gain of at most 2G, for all lengths."""
    return outcome(ANTI_SELF_LINKS, run)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.gain", settles=True)
def gain_arithmetic(run: Run) -> Outcome:
    """z3 proves that the slope is at least GN/√2."""
    return outcome(GAIN_LINKS, run)
