"""The position-zero circuit as trained models have it: RMSNorm before each part, ReLU or SwiGLU.

``theorems.p0_circuit``.  No biases; learned scales of the norms are divided into the next matrix.
The normalised state is y = h/√(‖h‖²/d + ε), with d = V + 1 and, on constant prefixes,
y = c₀h, c₀ = 1/√(4/d + ε).

* Block 1: W_O W_V = √(1/d + ε)·I undoes the norm of a one-hot token, so h_i is as without norm.
* MLP: the units p_t = y(t) − (1 − 1/(2N)) Σ y(t′) are homogeneous in y, so their signs are those of
  the exact circuit.  ReLU: s = (GN/c₀) Σ ReLU(p_t).  SwiGLU: gate βp_t, up Σy/2, and a scale that
  makes s = G on constant prefixes; off them every gate is negative and s ≤ 0.
* Block 2: query Σy(t)/2, key y(s), logit g times their product.

Roots and SiLU are irrational, so this runs in balls.  At i = N one unit of a prefix with one odd
token stands exactly at its threshold, which no ball can decide; lengths here stay below N.

>>> from theorems.attention import picture
>>> network = pre_norm_circuit(3, N=6, G=Fraction(50), E=Fraction(10))
>>> print(picture(network.run([0, 1, 1, 0], balls).rows[1][0]))
1.00     .     .     .
1.00  0.00     .     .
0.99  0.00  0.00     .
0.99  0.00  0.00  0.00
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from constructions.balls import balls, ends, largest, smallest
from constructions.decoder import (
    Block,
    Decoder,
    Mlp,
    Stream,
    every_sequence,
    rms_norm,
    silu,
    softmax_rows,
)
from constructions.networks import Head
from constructions.p0_circuit import SPIKE_AT, Circuit, constant_prefixes, names, thresholds
from theorems.arrays import Array
from theorems.evidence import Outcome, Run, check, evidence
from theorems.p0_circuit import PRE_NORM, SWIGLU
from theorems.statement import Statement

BITS = 128
RADIUS = arb(10) ** -25
"""How wide a ball around the spike G may be: it says that the working precision was enough."""


def ball(value: Fraction) -> arb:
    """A Fraction as a ball."""
    return arb(value.numerator) / value.denominator


def root(width: int, square: Any, epsilon: Fraction) -> arb:
    """√(square/d + ε), d = ``width``."""
    square = square if isinstance(square, arb) else ball(Fraction(square))
    return (square / width + ball(epsilon)).sqrt()


def relu_mlp(
    stream: Stream, tokens: tuple[str, ...], N: int, G: Fraction, epsilon: Fraction
) -> Mlp:
    """One ReLU unit per token; the spike is (GN/c₀) times their sum."""
    scale = ball(G * N) * root(len(stream.names), 4, epsilon)
    return Mlp(
        into=thresholds(stream, tokens, N),
        down=stream.vectors(*[{SPIKE_AT: scale}] * len(tokens)).T,
    )


def swiglu_mlp(
    stream: Stream, tokens: tuple[str, ...], N: int, G: Fraction, epsilon: Fraction, beta: Fraction
) -> Mlp:
    """One SwiGLU unit per token, gate βp_t, up Σy/2."""
    c_0 = 1 / root(len(stream.names), 4, epsilon)
    on, off = silu(ball(beta) * c_0 * np.array([arb(1) / N, arb(1) / N - 2], dtype=object))
    scale = ball(G) / (c_0 * (on + (len(tokens) - 1) * off))
    half = {t: Fraction(1, 2) for t in tokens}
    return Mlp(
        into=thresholds(stream, tokens, N) * beta,
        up=stream.vectors(*[half] * len(tokens)),
        down=stream.vectors(*[{SPIKE_AT: scale}] * len(tokens)).T,
        activation=silu,
    )


def least_beta(V: int, N: int, epsilon: Fraction) -> Fraction:
    """(N + ln V)/c₀, rounded up to a multiple of 1/1000."""
    least = ends((N + arb(V).log()) * root(V + 1, 4, epsilon))[1]
    return Fraction(math.floor(1000 * least) + 1, 1000)


def pre_norm_circuit(
    V: int,
    N: int,
    G: Fraction,
    E: Fraction,
    epsilon: Fraction = Fraction(1, 10**5),
    beta: Fraction | None = None,
) -> Circuit:
    """The circuit for V tokens, lengths up to N, e^g = E; SwiGLU if ``beta`` is given."""
    tokens = names(V)
    stream = Stream((*tokens, SPIKE_AT))
    norm, undo = rms_norm(epsilon), root(V + 1, 1, epsilon)
    average = Head(softmax_rows(stream.matrix({})), stream.matrix({(t, t): undo for t in tokens}))
    amplify = (
        relu_mlp(stream, tokens, N, G, epsilon)
        if beta is None
        else swiglu_mlp(stream, tokens, N, G, epsilon, beta)
    )
    read = stream.matrix({(t, SPIKE_AT): "1/2" for t in tokens})
    sink = Head(softmax_rows(read, E), stream.matrix({}))
    blocks = (Block((average,), amplify, pre=norm), Block((sink,), pre=norm))
    return Circuit(stream, Decoder(blocks), N)


@dataclass(frozen=True)
class Extremes:
    """Balls over all sequences of a length: spikes on and off constant prefixes, least mass by i.

    ``mass[i]`` (1-based i ≥ 2) is over the sequences whose second token differs.
    """

    on: Array
    off: Array
    mass: dict[int, arb]


def extremes(network: Circuit, length: int) -> Extremes:
    """What the network does on all sequences of one length ≥ 2."""
    ids = every_sequence(len(network.tokens), length)
    trace = network.run(ids, balls)
    spikes, same = network.stream.read(trace.states[1], SPIKE_AT), constant_prefixes(ids)
    weights = trace.rows[1][0][~same[:, 1], :, 0]
    mass = {i: smallest(weights[:, i - 1]) for i in range(2, length + 1)}
    return Extremes(spikes[same], spikes[~same], mass)


def strength(G: Fraction, E: Fraction, width: int, epsilon: Fraction, leak: arb) -> arb:
    """X = e^{gab} with a = 1/√((4+s₋²)/d + ε), b = G/√((G²+4)/d + ε), s₋ = ``leak``."""
    a = 1 / root(width, 4 + leak * leak, epsilon)
    b = ball(G) / root(width, G * G + 4, epsilon)
    return (ball(E).log() * a * b).exp()


SETTINGS = (
    (Fraction(50), Fraction(10**6), Fraction(1, 10**5), 8),
    (Fraction(3), Fraction(20), Fraction(1, 4), 8),
    (Fraction(50), Fraction(10**6), Fraction(0), 40),
)
"""Spike G, E = e^g, ε and N; all of 3 tokens."""


def certified(statement: Statement, run: Run, gated: bool) -> Outcome:
    """Spike and mass of the network in balls, over all sequences of 3 tokens."""
    faults: list[str] = []
    most, sequences, leaks = 0.0, 0, 0.0
    for G, E, epsilon, N in SETTINGS:
        beta = least_beta(3, N, epsilon) if gated else None
        network = pre_norm_circuit(3, N, G, E, epsilon, beta)
        for length in range(2, run.scale(6, 7) + 1):
            found, at = extremes(network, length), f"G = {G}, N = {N}, length {length}"
            sequences += 3**length
            if not all(s.contains(ball(G)) and s.rad() < RADIUS for s in found.on):
                faults.append(f"{at}: the spike is not {G}")
            top, leak = largest(found.off), largest(abs(found.off))
            if not (top <= 0 if gated else leak == 0):
                faults.append(f"{at}: s reaches {top} off constant prefixes")
            X = ends(strength(G, E, 4, epsilon, leak))[1]
            for i, mass in found.mass.items():
                known = {"i": i, "N": N, "X": X, "alpha": ends(mass)[0]}
                if beta is not None:
                    c_0, ell = ends(1 / root(4, 4, epsilon))[0], ends(arb(3).log())[1]
                    known |= {"c_0": c_0, "ell": ell, "beta": beta, "s": ends(top)[1]}
                if not statement.applies(**known) or not statement.holds(**known):
                    faults.append(f"{at}, i = {i}: mass {mass}")
                allowed = (i - 1) / (i - 1 + ball(X))
                most, leaks = max(most, float((1 - mass) / allowed)), max(leaks, float(leak))
    figure = "; ".join(faults[:3]) or (
        f"{sequences} sequences: the mass missed is at most {most:.3f} of what the bound allows, "
        f"|s| at most {leaks:.2g} off constant prefixes"
    )
    return check(not faults, figure, sequences=sequences)


@evidence("p0_circuit", kind="certified", statement="p0_circuit.pre_norm")
def pre_norm_in_balls(run: Run) -> Outcome:
    """RMSNorm, real softmax, ReLU: spike and mass on all sequences over 3 tokens, to length 7."""
    with ctx.workprec(BITS):
        return certified(PRE_NORM, run, gated=False)


@evidence("p0_circuit", kind="certified", statement="p0_circuit.swiglu")
def swiglu_in_balls(run: Run) -> Outcome:
    """The same with SwiGLU at the least β: spike exact, s ≤ 0 elsewhere, and the mass."""
    with ctx.workprec(BITS):
        return certified(SWIGLU, run, gated=True)


@evidence("p0_circuit", kind="certified", statement="p0_circuit.swiglu")
def swiglu_keeps_its_sign(run: Run) -> Outcome:
    """At the least β the scale is positive for V up to 10⁶, N up to 4096; β/4 may flip it."""
    holds, flipped, pairs = True, 0, 0
    with ctx.workprec(BITS):
        for V in (2, 3, 10, 1000, 50257, 10**6):
            for N in (1, 2, 3, 8, 64, 4096):
                # c₀β = N + ln V, whatever ε is.
                sharp = N + arb(V).log()
                for c_0_beta, planted in ((sharp, False), (sharp / 4, True)):
                    at = c_0_beta * np.array([arb(1) / N, arb(1) / N - 2], dtype=object)
                    on, off = silu(at)
                    written = on + (V - 1) * off
                    holds = holds and (planted or bool(written > 0))
                    flipped += planted and bool(written < 0)
                pairs += 1
    return check(
        holds and flipped > 0, f"{pairs} pairs of V and N; a quarter of β flips it for {flipped}"
    )
