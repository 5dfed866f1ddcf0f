"""The arithmetic of the circuit with SwiGLU: the scale is positive and nothing else gets a spike.

On a constant prefix one gate is x = βc₀/N and the other V − 1 are −(2N−1)x; x ≥ 1 + (ln V)/N.  With
SiLU(x) = x/(1+e^(−x)) and SiLU(−y) = −y/(1+e^y) the sum of the V units is positive when
1 + e^((2N−1)x) > (V−1)(2N−1)(1 + e^(−x)).

Not in z3: e^z ≥ z(1 + 1/e) for z ≥ 1, e^((2N−1)x) ≥ V·e^(2N−1) (from x ≥ 1 + (ln V)/N, N ≥ 1),
e^(−x) ≤ 1/e, and the rest of ``theorems.cores.circuit_variants``.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, outcome
from theorems.cores.circuit import SPIKE_LINKS
from theorems.cores.circuit_variants import at_least, at_least_false
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import SWIGLU
from theorems.smt import Core, Show, without

N, V, d, i = sp.symbols("N V d i", integer=True)
x, W, Y, Z, on, off = sp.symbols("x W Y Z on off", real=True)
gate, sigma, unit = sp.symbols("gate sigma unit", real=True)
scale, up, total, s = sp.symbols("scale up total s", real=True)
square, leak, epsilon, read, a = sp.symbols("square leak epsilon read a", real=True)
HALF = sp.Rational(1, 2)
BOUND = (V - 1) * (2 * N - 1) * (1 + W)
"""What 1 + e^((2N−1)x) must exceed."""
SUM = sp.Eq((on + (V - 1) * off) * ((1 + W) * (1 + Y)), x * (1 + Y) - x * BOUND)
NAMES = {
    "N": "largest length",
    "V": "size of the vocabulary",
    "d": "width",
    "i": "length of the prefix",
    "x": "gate of the token's own unit on a constant prefix",
    "W": "e^(−x)",
    "Y": "e^((2N−1)x)",
    "Z": "e^(2N−1)",
    "on": "SiLU(x)",
    "off": "SiLU(−(2N−1)x)",
    "gate": "gate of a unit off constant prefixes",
    "sigma": "logistic function of the gate",
    "unit": "SiLU of the gate",
    "scale": "scale of the MLP",
    "up": "Σy/2",
    "total": "sum of the units",
    "s": "coordinate s off constant prefixes",
    "square": "‖h_i‖² off constant prefixes, s included",
    "leak": "s₋, the largest |s| there",
    "epsilon": "RMSNorm's ε",
    "read": "what the query reads, 1/√(‖h_i‖²/d + ε)",
    "a": "1/√((4 + s₋²)/d + ε)",
    "X": "e^{the least lead}",
    "rest": "sum over the other keys of e^{−lead of position zero over it}",
    "alpha": "attention on position zero",
    "beta": "sharpness of the gate",
    "c_0": "1/√(4/d + ε)",
    "ell": "ln V (or more)",
}

SCALE = Core(
    name="the scale is positive",
    symbols=NAMES,
    hypotheses=(
        N >= 1,
        V >= 2,
        x >= 1,
        W > 0,
        Z >= (2 * N - 1) * (1 + W),
        Y >= V * Z,
        sp.Eq(on * (1 + W), x),
        sp.Eq(off * (1 + Y), -(2 * N - 1) * x),
    ),
    conclusion=on + (V - 1) * off > 0,
    says="1 + Y > VZ > (V−1)(2N−1)(1+W).",
    hints=(
        Show(
            (V - 1) * Z >= BOUND,
            products=((V - 1 >= 0, Z - (2 * N - 1) * (1 + W) >= 0),),
        ),
        Show((2 * N - 1) * (1 + W) > 0, products=((2 * N - 1 > 0, 1 + W > 0),)),
        Show(Z > 0),
        Show(1 + Y > BOUND),
        Show(x * (1 + Y) > x * BOUND, products=((x > 0, 1 + Y - BOUND > 0),)),
        Show(SUM, using=(sp.Eq(on * (1 + W), x), sp.Eq(off * (1 + Y), -(2 * N - 1) * x))),
        Show((1 + W) * (1 + Y) > 0, products=((1 + W > 0, 1 + Y > 0),)),
        Show(
            on + (V - 1) * off > 0,
            using=((1 + W) * (1 + Y) > 0, SUM, x * (1 + Y) > x * BOUND),
        ),
    ),
    narrow=(sp.Eq(N, 1), sp.Eq(V, 2), sp.Eq(x, 1), sp.Eq(W, HALF)),
)
SIGN = Core(
    name="off constant prefixes no unit is positive",
    symbols=NAMES,
    hypotheses=(gate <= 0, sigma > 0, sigma < 1, sp.Eq(unit, gate * sigma)),
    conclusion=unit <= 0,
    says="SiLU has the sign of its argument, and every p_t is at most 0.",
)
READS = Core(
    name="the query reads at least a",
    symbols=NAMES,
    hypotheses=(
        d >= 1,
        epsilon >= 0,
        square > 0,
        square <= 4 + leak**2,
        read > 0,
        sp.Eq(read**2 * (square / d + epsilon), 1),
        a > 0,
        sp.Eq(a**2 * ((4 + leak**2) / d + epsilon), 1),
    ),
    conclusion=read >= a,
    says="Off constant prefixes the token part of the state has norm at most 2, and |s| ≤ s₋.",
    hints=(
        Show(square / d <= (4 + leak**2) / d, using=(d >= 1, square <= 4 + leak**2)),
        Show(
            read**2 * (square / d + epsilon) <= read**2 * ((4 + leak**2) / d + epsilon),
            using=(d >= 1, square / d <= (4 + leak**2) / d),
        ),
        Show((4 + leak**2) / d + epsilon > 0, using=(d >= 1, epsilon >= 0)),
        Show(
            a**2 <= read**2,
            using=(
                (4 + leak**2) / d + epsilon > 0,
                sp.Eq(a**2 * ((4 + leak**2) / d + epsilon), 1),
                sp.Eq(read**2 * (square / d + epsilon), 1),
                read**2 * (square / d + epsilon) <= read**2 * ((4 + leak**2) / d + epsilon),
            ),
        ),
        Show(read >= a, using=(read > 0, a > 0, a**2 <= read**2)),
    ),
    narrow=(sp.Eq(d, 4), sp.Eq(epsilon, 0), sp.Eq(square, 4), sp.Eq(leak, 0)),
)
LEADS = at_least(SWIGLU, NAMES, scale > 0, up > 0, total <= 0, sp.Eq(s, scale * up * total))
LINKS = (
    *SPIKE_LINKS,
    Link(
        SCALE,
        (
            SCALE.false(
                "a dull gate",
                hypotheses=(
                    *without(SCALE, x >= 1, Y >= V * Z, Z >= (2 * N - 1) * (1 + W)),
                    x > 0,
                    Y > 1,
                ),
                narrow=(sp.Eq(N, 3), sp.Eq(V, 2), sp.Eq(x, 1), sp.Eq(W, HALF), sp.Eq(Y, 2)),
            ),
        ),
    ),
    Link(
        SIGN,
        (
            SIGN.false(
                "a gate that is on",
                hypotheses=without(SIGN, gate <= 0),
                narrow=(sp.Eq(gate, 1), sp.Eq(sigma, HALF)),
            ),
        ),
    ),
    Link(
        READS,
        (
            READS.false(
                "the leak counts",
                hypotheses=without(READS, square <= 4 + leak**2),
                narrow=(sp.Eq(d, 1), sp.Eq(epsilon, 0), sp.Eq(square, 16), sp.Eq(leak, 0)),
            ),
        ),
    ),
    Link(
        LEADS,
        (
            at_least_false(LEADS),
            LEADS.false(
                "a scale of the other sign",
                hypotheses=without(LEADS, scale > 0),
                conclusion=s <= 0,
                narrow=(sp.Eq(scale, -1), sp.Eq(up, 1), sp.Eq(total, -1)),
            ),
        ),
    ),
)


@evidence("p0_circuit", kind="smt", statement="p0_circuit.swiglu", settles=True)
def swiglu_arithmetic(run: Run) -> Outcome:
    """z3 proves the sign of the scale, s ≤ 0, and the mass from the least lead, for all sizes."""
    return outcome(LINKS, run)
