"""The arithmetic of the position-zero circuit: thresholds, gains and masses, for all lengths.

Notation: a prefix of i ≤ N tokens in which a token occurs c times; own = 1 if it is also the token
of position i.  Not in z3: that the shares of tokens are counts over i, that a row is proportional
to its weights, and that e^x grows.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import ANTI_SELF, GAIN, NO_MLP, NORM, PRE_NORM, SHARED, SINK, SPIKE
from theorems.smt import Core, Show, without
from theorems.statement import Statement

i, c, N, r, V = sp.symbols("i c N r V", integer=True)
own, unit, alpha, E, G, s, constant = sp.symbols("own unit alpha E G s constant", real=True)
B, weight, gain, square, cosine, dot = sp.symbols("B weight gain square cosine dot", real=True)
n, rest, X, top = sp.symbols("n rest X top", real=True)
NAMES = {
    "i": "length of the prefix",
    "c": "how often the token occurs in it",
    "N": "largest length",
    "r": "length of the initial run",
    "V": "size of the vocabulary",
    "own": "1 if the token is that of position i, else 0",
    "unit": "what the token's unit of the MLP reads",
    "alpha": "attention on position zero (on one of the run)",
    "E": "e^{gG}",
    "G": "size of the spike",
    "s": "coordinate s",
    "constant": "1 on constant prefixes, else 0",
    "B": "e^β",
    "weight": "attention on all copies of the query's own token",
    "gain": "gain of the MLP",
    "square": "a squared norm",
    "cosine": "cosine of two states of position zero",
    "dot": "inner product of two states of position zero",
    "n": "norm of a state, at most 2",
    "rest": "sum over the other keys of e^{−lead of position zero over it}",
    "X": "e^{the least lead}",
    "top": "a coordinate of a state: own + share",
}
PREFIX = (c >= 0, c <= i, i >= 1, i <= N, own >= 0, own <= 1)

BELOW = Core(
    name="off constant prefixes every unit is off",
    symbols=NAMES,
    hypotheses=(*PREFIX, c <= i - 1, sp.Eq(unit, own + c / i - (2 - 1 / N))),
    conclusion=unit <= 0,
    says="own + c/i ≤ 2 − 1/i ≤ 2 − 1/N.",
    hints=(
        Show(1 / i >= 1 / N, using=(i >= 1, i <= N)),
        Show(c / i <= 1 - 1 / i, using=(i >= 1, c <= i - 1)),
    ),
    narrow=(sp.Eq(i, 3), sp.Eq(own, 1)),
)
OTHERS = Core(
    name="on a constant prefix only the unit of its token is on",
    symbols=NAMES,
    hypotheses=(N >= 1, sp.Eq(unit, 2 - (2 - 1 / N))),
    conclusion=sp.And(sp.Eq(G * N * unit, G), -(2 - 1 / N) < 0),
    says="It reads 1/N, the others −(2 − 1/N).",
)
SPIKES = Core(
    name="the spike",
    symbols=NAMES,
    hypotheses=(
        *SPIKE.hypotheses,
        sp.Or(sp.Eq(constant, 1), sp.Eq(constant, 0)),
        sp.Implies(sp.Eq(constant, 1), sp.Eq(s, G * N * (2 - (2 - 1 / N)))),
        sp.Implies(sp.Eq(constant, 0), sp.Eq(s, 0)),
    ),
    conclusion=SPIKE.conclusion,
    says="The sum of the units that are on, times GN.",
)
MASS = Core(
    name="the mass on position zero",
    symbols=NAMES,
    hypotheses=(*SINK.hypotheses, sp.Eq(alpha * (E + i - 1), E)),
    conclusion=SINK.conclusion,
    says="One key has weight E, the other i − 1 have weight 1.",
)
RUN = Core(
    name="the mass on one of a run",
    symbols=NAMES,
    hypotheses=(*SHARED.hypotheses, sp.Eq(alpha * (r * E + i - r), E)),
    conclusion=SHARED.conclusion,
    says="r keys have weight E, the other i − r have weight 1.",
    hints=(Show(r * E + i - r > 0), Show(alpha > 0)),
    narrow=(sp.Eq(r, 2), sp.Eq(i, 3)),
)
LENGTHS = Core(
    name="norm and cosine",
    symbols=NAMES,
    hypotheses=(
        *NORM.hypotheses,
        sp.Eq(square, 2**2 + G**2),
        sp.Eq(dot, G * G),
        sp.Eq(cosine * square, dot),
    ),
    conclusion=NORM.conclusion,
    says="h_0 = 2e + G e_s: two different tokens share the last coordinate only.",
)
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
    hypotheses=GAIN.hypotheses,
    conclusion=GAIN.conclusion,
    says="G ≤ slope·√2/N.",
    hints=(Show(N**2 > 0),),
    narrow=(sp.Eq(N, 2),),
)
SHORTER = Core(
    name="mixed states are shorter by a known amount",
    symbols=NAMES,
    hypotheses=(i >= 2, n > 0, square >= 0, sp.Eq(n**2, square), square <= 4 - 4 / i + 2 / i**2),
    conclusion=sp.And(n < 2, 1 / n - sp.Rational(1, 2) >= (2 * i - 1) / (8 * i**2)),
    says="1/n − ½ = (4 − n²)/(2n(2 + n)) ≥ (4 − n²)/16, and 4 − n² ≥ (4i − 2)/i².",
    hints=(
        Show(sp.Eq(4 / i - 2 / i**2, (4 * i - 2) / i**2), using=(i >= 2,)),
        Show((4 * i - 2) / i**2 > 0, using=(i >= 2,)),
        Show(square < 4),
        Show(n < 2, using=(n > 0, sp.Eq(n**2, square), square < 4)),
        Show(
            1 / n - sp.Rational(1, 2) >= (4 - n**2) / 16,
            using=(n > 0, n < 2),
        ),
        Show(sp.Eq((2 * i - 1) / (8 * i**2), (4 * i - 2) / i**2 / 16), using=(i >= 2,)),
    ),
    narrow=(sp.Eq(i, 2),),
)


def at_least(statement: Statement, *more: sp.Basic) -> Core:
    """A row in which position zero leads every other key by at least ln X."""
    return Core(
        name=f"the least mass, {statement.name}",
        symbols=NAMES,
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


LEADS = at_least(PRE_NORM)
LEADS_WITHOUT = at_least(NO_MLP, sp.Eq(top, own + c / i), own <= 1, c <= i)

SPIKE_LINKS = (
    Link(
        BELOW,
        (
            BELOW.false(
                "N is the largest length",
                hypotheses=without(BELOW, i <= N),
                narrow=(sp.Eq(i, 3), sp.Eq(c, 2), sp.Eq(N, 2), sp.Eq(own, 1)),
            ),
            BELOW.false(
                "not with a threshold of 2 − 2/N",
                hypotheses=(
                    *without(BELOW, BELOW.hypotheses[-1]),
                    sp.Eq(unit, own + c / i - (2 - 2 / N)),
                ),
                narrow=(sp.Eq(i, 3), sp.Eq(c, 2), sp.Eq(N, 3), sp.Eq(own, 1)),
            ),
        ),
    ),
    Link(OTHERS, (OTHERS.false("not a gain of G", conclusion=sp.Eq(G * unit, G)),)),
    Link(SPIKES, (SPIKES.false("not G everywhere", conclusion=sp.Eq(s, G)),)),
)
MASS_LINKS = (
    *SPIKE_LINKS,
    Link(MASS, (MASS.false("the query sees itself", conclusion=sp.Eq(alpha, 1 / (1 + i / E))),)),
)
RUN_LINKS = (
    *SPIKE_LINKS,
    Link(RUN, (RUN.false("a run shares the mass", conclusion=sp.Eq(alpha, E / (E + i - 1))),)),
)
NORM_LINKS = (
    Link(
        LENGTHS,
        (LENGTHS.false("never the same direction", conclusion=cosine >= 1, narrow=(G < 1,)),),
    ),
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
PRE_NORM_LINKS = (*SPIKE_LINKS, Link(LEADS, (at_least_false(LEADS),)))
NO_MLP_LINKS = (
    Link(
        SHORTER,
        (
            SHORTER.false(
                "the lead is attained up to a factor of two at most",
                conclusion=1 / n - sp.Rational(1, 2) >= (2 * i - 1) / (2 * i**2),
                narrow=(sp.Eq(i, 2), sp.Eq(square, sp.Rational(9, 4))),
            ),
        ),
    ),
    Link(LEADS_WITHOUT, (at_least_false(LEADS_WITHOUT),)),
)


@evidence("p0_circuit", kind="smt", settles=True)
def mass_arithmetic(run: Run) -> Outcome:
    """z3 proves thresholds, spike and mass of the circuit for all lengths and sizes."""
    return outcome(MASS_LINKS, run)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.spike", settles=True)
def spike_arithmetic(run: Run) -> Outcome:
    """z3 proves that units are off exactly off constant prefixes, for all lengths."""
    return outcome(SPIKE_LINKS, run)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.shared", settles=True)
def shared_arithmetic(run: Run) -> Outcome:
    """z3 proves the mass on each token of an initial run, for all lengths."""
    return outcome(RUN_LINKS, run)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.norm", settles=True)
def norm_arithmetic(run: Run) -> Outcome:
    """z3 proves norm and cosine from the coordinates of position zero."""
    return outcome(NORM_LINKS, run)


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


@evidence("p0_circuit", kind="smt", statement="p0_circuit.no_mlp", settles=True)
def no_mlp_arithmetic(run: Run) -> Outcome:
    """z3 proves the lead of position zero under pre-norm, and the mass, for all lengths."""
    return outcome(NO_MLP_LINKS, run)
