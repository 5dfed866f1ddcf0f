"""Sinks without spikes: two blocks under sandwich norm in which no entry exceeds 2.

``theorems.decoupling``.  No BOS and no positions: position 1 is known by being alone.  Width V + 3,
coordinates t₁…t_V for the tokens, and c, s, z; the embedding of a token is e_t + e_c.  Every block
output is RMS-normalised with scale 1/√d, so it has length 1.

* Block 1, attention: uniform, and writes the tokens it sees.  Normalised that is p̂ = p/‖p‖ for
  the counts p; at position 1 it is the token itself.
* Block 1, MLP: θ = 1 + (N−1)/√((N−1)²+1), δ = 2 − θ, and K₀/δ·Σ_t ReLU(y(t) − θy(c)) on s,
  y(c) on z.  Once another token has occurred no entry 1 + p̂(t) exceeds θ, so it writes e_z;
  position 1 has 2 > θ and gets (K₀e_s + e_z)/√(K₀²+1).
* Block 2: d_h = 1, query g·y(c), key y(s).  Position 1 has the logit gdK₀/(√(K₀²+1)‖h_i‖‖h_1‖),
  at least Δ = gdK₀/(6√(K₀²+1)), the others 0.  It writes c, which then is 2 everywhere.

>>> network = QuietSink(vocabulary=3, most=7, g=Fraction(12), K_0=Fraction(10))
>>> row = network.decoder().run(network.embed([0, 1, 1, 2])).rows[1][0][3]
>>> print([f"{float(a.mid()):.5f}" for a in row], f"{float(network.gap().exp().mid()):.0f}")
['1.00000', '0.00000', '0.00000', '0.00000'] 153345
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from constructions.ball_statements import surely, to_ball
from constructions.balls import balls
from constructions.decoder import Block, Decoder, Mlp, Stream, embed, rms_norm, softmax_rows
from constructions.gap_mass import mass_of_gap
from constructions.networks import Head
from theorems.arrays import Array
from theorems.attention import bilinear_logits, softmax
from theorems.decoupling import SINKS_WITHOUT_SPIKES
from theorems.evidence import Outcome, Run, check, evidence


@dataclass(frozen=True)
class QuietSink:
    """The network for a vocabulary, a largest length N, the head's g and the MLP's K₀."""

    vocabulary: int
    most: int
    g: Fraction
    K_0: Fraction

    @property
    def stream(self) -> Stream:
        return Stream((*(f"t{k}" for k in range(self.vocabulary)), "c", "s", "z"))

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.stream.names[: self.vocabulary]

    def embed(self, ids: Any) -> Array:
        """States (L, d) in balls."""
        rows = self.stream.vectors(*({t: 1, "c": 1} for t in self.tokens))
        return balls(embed(rows, ids))

    def threshold(self) -> arb:
        """θ, between 1 and 2."""
        return 1 + (self.most - 1) / arb((self.most - 1) ** 2 + 1).sqrt()

    def gap(self) -> arb:
        """Δ = gdK₀/(6√(K₀²+1))."""
        K = to_ball(self.K_0)
        return to_ball(self.g) * len(self.stream.names) * K / (6 * (K**2 + 1).sqrt())

    def mlp(self) -> Mlp:
        """The MLP; y(c) is positive, so ReLU leaves it."""
        theta = self.threshold()
        into = self.stream.vectors(*({t: 1, "c": -theta} for t in self.tokens), {"c": 1})
        loud = to_ball(self.K_0) / (2 - theta)
        columns = [{"s": loud} for _ in self.tokens]
        return Mlp(into=into, down=self.stream.vectors(*columns, {"z": 1}).T)

    def decoder(self) -> Decoder:
        """The two blocks, for states in balls."""
        stream, norm = self.stream, rms_norm()
        unit = rms_norm(scale=1 / arb(len(stream.names)).sqrt())
        mean = Head(
            softmax_rows(stream.matrix({})), stream.matrix({(t, t): 1 for t in self.tokens})
        )
        scores = balls(stream.matrix({("c", "s"): self.g}))
        sink = Head(lambda y: softmax(bilinear_logits(y, scores)), stream.matrix({("c", "c"): 1}))
        return Decoder(
            (
                Block(heads=(mean,), mlp=self.mlp(), pre=norm, post=unit),
                Block(heads=(sink,), pre=norm, post=unit),
            )
        )


def counts(ids: Sequence[int], vocabulary: int) -> list[int]:
    """How often each token occurs."""
    return [list(ids).count(t) for t in range(vocabulary)]


def quiet_facts(vocabulary: int, most: int) -> bool:
    """Over every sequence whose first two tokens differ, exactly, in squares of whole numbers:

    no entry of p̂ exceeds 1, so none of a state exceeds 2; after position 1 none exceeds θ − 1; and
    ‖h_i‖² = 4 + 2p̂(x_i) ≤ 6, so every logit on position 1 is at least Δ.
    """
    fine = True
    for ids in itertools.product(range(vocabulary), repeat=most):
        if ids[0] != ids[1]:
            for i in range(2, most + 1):
                seen = counts(ids[:i], vocabulary)
                square = sum(n * n for n in seen)
                fine = fine and all(n * n <= square for n in seen)
                below = all(n * n * ((most - 1) ** 2 + 1) <= (most - 1) ** 2 * square for n in seen)
                fine = fine and below
    return fine


def sweep(length: int) -> tuple[QuietSink, list[Any], Array, Array]:
    """The network on every sequence of 3 tokens whose first two differ, of length up to 7.

    The sequences, the sink head's rows (…, L, L), and all states, in balls.
    """
    network = QuietSink(vocabulary=3, most=7, g=Fraction(12), K_0=Fraction(10))
    ids = [x for x in itertools.product(range(3), repeat=length) if x[0] != x[1]]
    trace = network.decoder().run(network.embed(np.array(ids)))
    return network, ids, trace.rows[1][0], np.array([*trace.states, *trace.middles])


@evidence("decoupling", kind="certified", statement="decoupling.sinks_without_spikes")
def every_sequence_sinks_on_its_first_token(run: Run) -> Outcome:
    """All sequences of 3 tokens and length 7 (5 at first) in balls: the mass is above its bound."""
    length, least, holds = run.scale(5, 7), arb(1), quiet_facts(3, 7)
    network, ids, rows, states = sweep(length)
    for row in rows:
        for i in range(2, length + 1):
            alpha = row[i - 1, 0]
            least = least.min(alpha)
            at = {"i": i, "E": network.gap().exp(), "h": 2, "alpha": alpha}
            holds = holds and surely(SINKS_WITHOUT_SPIKES, **at)
    top = max(abs(float(v.mid())) for v in states.flat)
    shown = f"least mass {float(least.mid()):.7f}, largest entry {top:.3f}"
    return check(holds and top < 2.001, f"{len(ids)} sequences: {shown}")


@evidence("decoupling", kind="certified", statement="decoupling.sinks_without_spikes")
def as_sharp_as_wanted(run: Run) -> Outcome:
    """With g = 60 the bound at 7 keys exceeds 1 − 10⁻²⁴, and a constant prefix shares its sink."""
    with ctx.workprec(160):
        bound = mass_of_gap(7, QuietSink(3, 7, Fraction(60), Fraction(10)).gap())
        sharp = bool(1 - bound < arb(10) ** -24)
    shared = QuietSink(3, 7, Fraction(12), Fraction(10))
    row = shared.decoder().run(shared.embed([0, 0, 1])).rows[1][0][2]
    both = bool(abs(row[0] - row[1]) < 1e-8) and bool(row[0] < arb("0.51"))
    return check(
        sharp and both,
        "a sink as sharp as wanted; (a, a, b) gives ½ to each a: the first two must differ",
    )
