"""The position-zero circuit: two blocks that find the first token, without BOS or positions.

``theorems.p0_circuit``, after Peng et al. 2026 (arXiv 2603.06591).  The stream has one coordinate
for each of V tokens and one more, s; a token starts as its one-hot vector; sequences have at most N
tokens.  Block 1 averages, with all logits 0, and adds: h_i(t) = [x_i = t] + share of t in x_1..x_i.
Its MLP has one unit per token,

    s_i = GN Σ_t ReLU(h_i(t) − (2 − 1/N)),       2 = Σ_t h_i(t), so no bias is needed.

A constant prefix has h_i(x_1) = 2 and gets s_i = G.  Any other has at most 2 − 1/i and gets exactly
0: that is how position zero is told from the rest.  Block 2 is a head with d_h = 1: query
Σ_t h_i(t)/2 = 1, key s_k, logit g·s_k, and values 0.  With E = e^{gG}:

* the mass on position zero is exactly 1/(1 + (i−1)/E), if the second token is another one;
* an initial run of r equal tokens shares it, E/(rE + i − r) each;
* position zero has norm √(4 + G²), and cosine G²/(4 + G²) with that of any other first token.

>>> from theorems.attention import picture
>>> network = circuit(3, N=5, G=Fraction(10), E=Fraction(99))
>>> print(picture(network.run([0, 1, 1, 0]).rows[1][0]))
1.00     .     .     .
0.99  0.01     .     .
0.98  0.01  0.01     .
0.97  0.01  0.01  0.01
>>> print(picture(network.run([0, 0, 0, 2]).rows[1][0])[-22:])
0.33  0.33  0.33  0.00
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from constructions.decoder import (
    Block,
    Decoder,
    Mlp,
    Stream,
    Trace,
    embed,
    every_sequence,
    softmax_rows,
)
from constructions.enumeration import as_fmpq, as_fraction
from constructions.networks import Head
from theorems.arrays import Array
from theorems.evidence import Outcome, Run, check, evidence
from theorems.p0_circuit import NORM, SHARED, SINK, SPIKE
from theorems.statement import Statement

SPIKE_AT = "s"


@dataclass(frozen=True)
class Circuit:
    """Two blocks on one-hot tokens; ``N`` is the largest length that they are built for."""

    stream: Stream
    decoder: Decoder
    N: int

    @property
    def tokens(self) -> tuple[str, ...]:
        """The names of the token coordinates."""
        return self.stream.names[: -1 if SPIKE_AT in self.stream.names else None]

    def embedding(self) -> Array:
        """One-hot rows (V, d)."""
        return self.stream.vectors(*({t: 1} for t in self.tokens))

    def run(self, ids: Any, kind: Callable[[Array], Array] = as_fmpq) -> Trace:
        """Everything on sequences of token ids (..., L); ``kind`` chooses the arithmetic."""
        return self.decoder.run(embed(kind(self.embedding()), ids))


def names(V: int) -> tuple[str, ...]:
    """Names for V tokens."""
    return tuple(f"token {t}" for t in range(V))


def thresholds(stream: Stream, tokens: tuple[str, ...], N: int) -> Array:
    """Units p_t = h(t) − (1 − 1/(2N)) Σ_t′ h(t′), one row each."""
    below = 1 - Fraction(1, 2 * N)
    return stream.vectors(*({u: (u == t) - below for u in tokens} for t in tokens))


def circuit(V: int, N: int, G: Fraction, E: Fraction) -> Circuit:
    """The circuit for V tokens and lengths up to N, spike G, sharpness g = ln(E)/G."""
    tokens = names(V)
    stream = Stream((*tokens, SPIKE_AT))
    average = Head(softmax_rows(stream.matrix({})), stream.matrix({(t, t): 1 for t in tokens}))
    amplify = Mlp(
        into=thresholds(stream, tokens, N),
        down=stream.vectors(*[{SPIKE_AT: G * N}] * V).T,
    )
    read = stream.matrix({(t, SPIKE_AT): 1 / (2 * G) for t in tokens})
    sink = Head(softmax_rows(read, E), stream.matrix({}))
    return Circuit(stream, Decoder((Block((average,), amplify), Block((sink,)))), N)


def constant_prefixes(ids: np.ndarray) -> np.ndarray:
    """Whether x_1..x_i are all equal, (..., L), for ids (..., L)."""
    return np.logical_and.accumulate(ids == ids[..., :1], axis=-1)


@dataclass(frozen=True)
class Found:
    """One position of one sequence: i is 1-based, ``run`` the length of the initial run."""

    i: int
    run: int
    constant: bool
    spike: Fraction
    row: tuple[Fraction, ...]


@cache
def survey(V: int, N: int, G: Fraction, E: Fraction, longest: int) -> tuple[frozenset[Found], int]:
    """Every position of every sequence over V tokens up to length ``longest``, without repeats."""
    return found_in(circuit(V, N, G, E), V, longest)


def found_in(network: Circuit, V: int, longest: int) -> tuple[frozenset[Found], int]:
    """As ``survey``, for any such network."""
    found, sequences = set(), 0
    for length in range(1, longest + 1):
        ids = every_sequence(V, length)
        trace = network.run(ids)
        spikes = network.stream.read(trace.states[1], SPIKE_AT)
        rows, same = trace.rows[1][0], constant_prefixes(ids)
        runs = same.sum(axis=-1)
        found |= {
            Found(
                i + 1,
                int(runs[n]),
                bool(same[n, i]),
                as_fraction(spikes[n, i]),
                tuple(as_fraction(w) for w in rows[n, i, : i + 1]),
            )
            for n in range(len(ids))
            for i in range(length)
        }
        sequences += len(ids)
    return frozenset(found), sequences


SIZES = ((Fraction(10), Fraction(100)), (Fraction(1, 3), Fraction(3, 2)))
"""Spikes G and E = e^{gG}: a strong circuit and a weak one."""


def cases(run: Run) -> Iterator[tuple[Fraction, Fraction, int, frozenset[Found], int]]:
    """(G, E, N, what was found, sequences), 3 tokens (in full 4), lengths up to 7."""
    V, longest = run.scale(3, 3, 4), 7
    for G, E in SIZES:
        for N in (longest, 100):
            yield G, E, N, *survey(V, N, G, E, longest)


def judged(
    run: Run, statement: Statement, values: Callable[[Found], Iterator[dict[str, Any]]]
) -> Outcome:
    """Passed if ``statement`` applies to what ``values`` makes of each position, and holds."""
    faults, asked, sequences = [], 0, 0
    for G, E, N, found, count in cases(run):
        for position in found:
            for given in values(position):
                known = given | {"i": position.i, "N": N, "E": E, "G": G}
                if not statement.applies(**known):
                    raise ValueError(f"{statement.name} does not apply at {known}")
                if not statement.holds(**known):
                    faults.append(f"{known}")
                asked += 1
        sequences += count
    figure = "; ".join(faults[:2]) or (
        f"{sequences} sequences, {asked} different positions: no deviation"
    )
    return check(not faults and asked > 0, figure, sequences=sequences, positions=asked)


@evidence("p0_circuit", kind="exact")
def mass_on_position_zero(run: Run) -> Outcome:
    """All sequences over 3 tokens up to length 7: the mass is 1/(1+(i−1)/E), exactly."""
    return judged(
        run, SINK, lambda p: iter([{"alpha": p.row[0]}] if p.run == 1 or p.i == 1 else [])
    )


@evidence("p0_circuit", kind="exact", statement="p0_circuit.spike")
def spike_on_constant_prefixes_only(run: Run) -> Outcome:
    """All sequences over 3 tokens up to length 7: s is G on constant prefixes, 0 elsewhere."""
    return judged(run, SPIKE, lambda p: iter([{"s": p.spike, "constant": int(p.constant)}]))


@evidence("p0_circuit", kind="exact", statement="p0_circuit.shared")
def initial_runs_share_the_sink(run: Run) -> Outcome:
    """All initial runs over 3 tokens up to length 7: E/(rE + i − r) on each of r tokens."""
    return judged(
        run,
        SHARED,
        lambda p: iter(
            [{"alpha": p.row[k], "r": p.run} for k in range(p.run)] if p.i > p.run else []
        ),
    )


@evidence("p0_circuit", kind="exact", statement="p0_circuit.norm")
def norm_and_direction(run: Run) -> Outcome:
    """Position zero after block 1: norm √(4+G²), and the cosine for each two first tokens."""
    holds, pairs = True, 0
    for V in range(2, run.scale(5, 7) + 1):
        for G in (Fraction(1, 7), Fraction(10), Fraction(3000)):
            h = circuit(V, 3, G, Fraction(2)).run(np.arange(V)[:, None]).states[1][:, 0]
            gram = h @ h.T
            for t in range(V):
                for u in range(t):
                    # Both norms are equal, so their product is a square and rational.
                    square = as_fraction(gram[t, t])
                    holds = holds and gram[u, u] == gram[t, t]
                    cosine = as_fraction(gram[t, u]) / square
                    holds = holds and NORM.holds(V=V, G=G, square=square, cosine=cosine)
                    pairs += 1
    return check(holds, f"{pairs} pairs of first tokens, G = 1/7, 10, 3000")
