"""The position-zero circuit with a cheap MLP: block 1 looks for other tokens than its own.

``theorems.p0_circuit``.  In ``constructions.p0_circuit`` block 1 averages, and a prefix of N tokens
with one odd token in it is hard to tell from a constant one: the two states differ by √2/N, so the
MLP needs a gain of the order of N.  Here the query scores −β on its own token and 0 on others.  On
a constant prefix that changes nothing; elsewhere the query's own token gets at most

    (N−1)/(N−1+B) ≤ ½,      B = e^β ≥ N − 1,

and h_i(x_i) is at most θ = 1 + that, against 2.  The gain G/(2−θ) = G(1 + (N−1)/B) ≤ 2G suffices.

>>> network = anti_self_circuit(3, N=7, G=Fraction(10), E=Fraction(99), B=Fraction(6))
>>> trace = network.run([0, 0, 0, 0, 0, 1, 0])
>>> [str(h) for h in network.stream.read(trace.middles[0], "token 0")]
['2', '2', '2', '2', '2', '30/31', '3/2']
>>> [str(s) for s in network.stream.read(trace.states[1], "s")]
['10', '10', '10', '10', '10', '0', '0']
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from constructions.decoder import Block, Decoder, Mlp, softmax_rows
from constructions.enumeration import as_fraction
from constructions.networks import Head
from constructions.p0_circuit import SPIKE_AT, Circuit, circuit, found_in, names
from theorems.evidence import Outcome, Run, check, evidence
from theorems.p0_circuit import ANTI_SELF, GAIN, SINK, SPIKE


def gain_needed(N: int, G: Fraction, B: Fraction) -> Fraction:
    """G(1 + (N−1)/B): what turns the smallest excess over the threshold into G."""
    return G * (1 + (N - 1) / B)


def anti_self_circuit(
    V: int, N: int, G: Fraction, E: Fraction, B: Fraction, gain: Fraction | None = None
) -> Circuit:
    """The circuit with logits −ln(B) on the query's own token, and the gain that it needs."""
    plain = circuit(V, N, G, E)
    stream, tokens = plain.stream, names(V)
    avoid = Head(
        softmax_rows(stream.matrix({(t, t): -1 for t in tokens}), B),
        stream.matrix({(t, t): 1 for t in tokens}),
    )
    half = (1 + (N - 1) / (N - 1 + B)) / 2
    gain = gain_needed(N, G, B) if gain is None else gain
    amplify = Mlp(
        into=stream.vectors(*({u: (u == t) - half for u in tokens} for t in tokens)),
        down=stream.vectors(*[{SPIKE_AT: gain}] * V).T,
    )
    _, sink = plain.decoder.blocks
    return Circuit(stream, Decoder((Block((avoid,), amplify), sink)), N)


@evidence("p0_circuit", kind="exact", statement="p0_circuit.anti_self")
def a_gain_of_twice_the_spike(run: Run) -> Outcome:
    """With B ≥ N − 1 and gain ≤ 2G: spike and sink are exact on all sequences up to length 7."""
    holds, sequences, G, E = True, 0, Fraction(10), Fraction(100)
    longest = run.scale(6, 7)
    for N, B in ((longest, Fraction(longest - 1)), (longest, Fraction(21)), (50, Fraction(49))):
        holds = holds and ANTI_SELF.holds(N=N, G=G, B=B, gain=gain_needed(N, G, B))
        found, count = found_in(anti_self_circuit(3, N, G, E, B), 3, longest)
        sequences += count
        for p in found:
            known = {"i": p.i, "N": N, "G": G, "E": E}
            holds = holds and SPIKE.holds(s=p.spike, constant=int(p.constant), **known)
            if p.run == 1:
                holds = holds and SINK.holds(alpha=p.row[0], **known)
    gains = [str(gain_needed(7, Fraction(1), B)) for B in (Fraction(6), Fraction(21))]
    return check(holds, f"{sequences} sequences; at N = 7 gains {', '.join(gains)} times G")


def steepest(V: int, N: int, G: Fraction) -> Fraction:
    """The largest ((s − s′)/‖h − h′‖)² over two states after block 1, lengths up to N."""
    states = {}
    network = circuit(V, N, G, Fraction(2))
    for length in range(1, N + 1):
        ids = np.indices((V,) * length).reshape(length, -1).T
        trace = network.run(ids)
        for h, after in zip(
            trace.middles[0].reshape(-1, V + 1), trace.states[1].reshape(-1, V + 1), strict=True
        ):
            states[tuple(as_fraction(x) for x in h)] = as_fraction(after[-1])
    known = list(states.items())
    return max(
        (s - t) ** 2 / sum((x - y) ** 2 for x, y in zip(h, k, strict=True))
        for a, (h, s) in enumerate(known)
        for k, t in known[:a]
    )


@evidence("p0_circuit", kind="exact", statement="p0_circuit.gain")
def averaging_makes_the_mlp_steep(run: Run) -> Outcome:
    """The circuit's MLP has slope exactly GN/√2 for two tokens, and a bit more for three."""
    G, exact_slopes, holds = Fraction(10), [], True
    for N in range(2, run.scale(5, 6) + 1):
        two, three = steepest(2, N, G), steepest(3, min(N, 4), G)
        holds = holds and GAIN.holds(N=N, G=G, square=two)
        holds = holds and GAIN.holds(N=min(N, 4), G=G, square=three)
        exact_slopes.append(2 * two / (G * N) ** 2)
    attained = all(ratio == 1 for ratio in exact_slopes)
    return check(holds and attained, f"slope² = (GN)²/2 for N = 2..{N}, two tokens")
