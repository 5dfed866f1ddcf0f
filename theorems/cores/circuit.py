"""The arithmetic of the position-zero circuit: thresholds, spike and mass, for all lengths.

Notation: a prefix of i ≤ N tokens in which a token occurs c times; own = 1 if it is also the token
of position i.  Not in z3: that the shares of tokens are counts over i, that a row is proportional
to its weights, and that e^x grows.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import NORM, SHARED, SINK, SPIKE
from theorems.smt import Core, Show, without

i, c, N, r, V = sp.symbols("i c N r V", integer=True)
own, unit, alpha, E, G, s, constant = sp.symbols("own unit alpha E G s constant", real=True)
square, cosine, dot = sp.symbols("square cosine dot", real=True)
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
    "square": "a squared norm",
    "cosine": "cosine of two states of position zero",
    "dot": "inner product of two states of position zero",
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
