"""The arithmetic of a sink on position zero by RMSNorm alone: mixed states are shorter.

Not in z3: that the collision index obeys its bound (``theorems.cores.mixed_states``), that a row is
proportional to its weights, and that e^x grows.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.cores.circuit_variants import at_least, at_least_false
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import NO_MLP
from theorems.smt import Core, Show, without

i, k, c, d = sp.symbols("i k c d", integer=True)
own, square, n, n_k, top = sp.symbols("own square n n_k top", real=True)
share, collision, lead = sp.symbols("share collision lead", real=True)
HALF = sp.Rational(1, 2)
NAMES = {
    "i": "length of the prefix of the query",
    "k": "length of the prefix of a key, 2 ≤ k ≤ i",
    "c": "how often a token occurs in the prefix",
    "d": "width",
    "own": "1 if the token is that of position i, else 0",
    "alpha": "attention on position zero",
    "square": "a squared norm, or a squared Lipschitz constant",
    "n": "norm of the query's state, at most 2",
    "n_k": "norm of a key's state",
    "rest": "sum over the other keys of e^{−lead of position zero over it}",
    "X": "e^{the least lead}",
    "top": "a coordinate of a state: own + share",
    "share": "share of the query's own token in its prefix",
    "collision": "collision index of the prefix",
    "lead": "score of position zero over that of another key, over g",
}

SQUARE = Core(
    name="the norm of a mixed state",
    symbols=NAMES,
    hypotheses=(
        i >= 2,
        share <= 1 - 1 / i,
        collision <= 1 - 2 * (i - 1) / i**2,
        sp.Eq(square, 1 + 2 * share + collision),
    ),
    conclusion=square <= 4 - 4 / i + 2 / i**2,
    says="‖e + f‖² = 1 + 2f(x_i) + Σf².",
    hints=(Show(sp.Eq(1 - 2 * (i - 1) / i**2, 1 - 2 / i + 2 / i**2), using=(i >= 2,)),),
    narrow=(sp.Eq(i, 2),),
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
FALLS = Core(
    name="the least lead is over the last key",
    symbols=NAMES,
    hypotheses=(k >= 2, k <= i),
    conclusion=(2 * k - 1) / (8 * k**2) >= (2 * i - 1) / (8 * i**2),
    says="(2k−1)i² − (2i−1)k² = (i−k)(2ki − i − k) ≥ 0.",
    hints=(
        Show(2 * k * i - i - k >= 0, products=((k - 2 >= 0, i - 2 >= 0),)),
        Show(
            (2 * k - 1) * i**2 >= (2 * i - 1) * k**2,
            products=((i - k >= 0, 2 * k * i - i - k >= 0),),
        ),
        Show(sp.And(k**2 > 0, i**2 > 0)),
        Show(
            (2 * k - 1) / (8 * k**2) >= (2 * i - 1) / (8 * i**2),
            using=((2 * k - 1) * i**2 >= (2 * i - 1) * k**2, k >= 2, i >= 2),
        ),
    ),
    narrow=(sp.Eq(k, 2), sp.Eq(i, 3)),
)
LEAD = Core(
    name="the lead",
    symbols=NAMES,
    hypotheses=(
        d >= 1,
        i >= 2,
        n > 0,
        n <= 2,
        n_k > 0,
        1 / n_k - HALF >= (2 * i - 1) / (8 * i**2),
        sp.Eq(lead, d / n * (1 / n_k - HALF)),
    ),
    conclusion=lead >= d * (2 * i - 1) / (16 * i**2),
    says="u_i(u_k − u_0) = (d/‖h_i‖)(1/‖h_k‖ − 1/‖h_0‖), ‖h_0‖ = 2.",
    hints=(
        Show(1 / n >= HALF, using=(n > 0, n <= 2)),
        Show((2 * i - 1) / (8 * i**2) > 0, using=(i >= 2,)),
        Show(
            1 / n * (1 / n_k - HALF) >= HALF * (2 * i - 1) / (8 * i**2),
            products=(
                (1 / n - HALF >= 0, 1 / n_k - HALF >= 0),
                (1 / n - HALF >= 0, 1 / n_k - HALF - (2 * i - 1) / (8 * i**2) >= 0),
            ),
        ),
        Show(
            d / n * (1 / n_k - HALF) >= d * (HALF * (2 * i - 1) / (8 * i**2)),
            products=((d >= 0, 1 / n * (1 / n_k - HALF) - HALF * (2 * i - 1) / (8 * i**2) >= 0),),
        ),
    ),
    narrow=(sp.Eq(i, 2), sp.Eq(n, 1), sp.Eq(n_k, 1), sp.Eq(d, 3)),
)
LEADS_WITHOUT = at_least(NO_MLP, NAMES, sp.Eq(top, own + c / i), own <= 1, c <= i)

NO_MLP_LINKS = (
    Link(
        SQUARE,
        (
            SQUARE.false(
                "not on constant prefixes",
                hypotheses=without(SQUARE, share <= 1 - 1 / i),
                narrow=(sp.Eq(i, 2), sp.Eq(share, 1), sp.Eq(collision, HALF)),
            ),
        ),
    ),
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
    Link(
        FALLS,
        (
            FALLS.false(
                "from the second key on",
                hypotheses=(k >= 1, k <= i),
                conclusion=(2 * k - 1) / (8 * k**2) > (2 * i - 1) / (8 * i**2),
                narrow=(sp.Eq(k, 2), sp.Eq(i, 2)),
            ),
        ),
    ),
    Link(
        LEAD,
        (
            LEAD.false(
                "needs a short query",
                hypotheses=without(LEAD, n <= 2),
                narrow=(sp.Eq(i, 2), sp.Eq(n, 8), sp.Eq(d, 1), sp.Eq(n_k, sp.Rational(4, 3))),
            ),
        ),
    ),
    Link(LEADS_WITHOUT, (at_least_false(LEADS_WITHOUT),)),
)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.no_mlp", settles=True)
def no_mlp_arithmetic(run: Run) -> Outcome:
    """z3 proves the lead of position zero under pre-norm, and the mass, for all lengths."""
    return outcome(NO_MLP_LINKS, run)
