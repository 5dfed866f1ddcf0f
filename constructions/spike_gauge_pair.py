"""Two networks with one function and spikes of different size.

``theorems.spike_gauge``.  A pre-norm decoder reads its residual stream through RMSNorm alone, so
multiplying all that is written to the stream by c, and every ε by c², changes no attention weight
and no output:

    ‖c·h‖² + d·c²ε = c²(‖h‖² + dε),      RMSNorm_{c²ε}(c·h) = RMSNorm_ε(h).

In rational numbers a norm must come out rational.  For two positions ε can be chosen so that both
do: M₁ + M₂ = K and M₁ − M₂ = (r₁ − r₂)/K give M₁² − r₁ = M₂² − r₂ = ε, with r the mean squares.

>>> base = rational_network(random.Random(0))
>>> states, rows, logits = base.run()
>>> louder_states, same_rows, same_logits = base.rescaled(Fraction(1000)).run()
>>> bool((louder_states == 1000 * states).all()), bool((same_logits == logits).all())
(True, True)
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from flint import ctx

from constructions.balls import balls
from constructions.decoder import (
    Block,
    Decoder,
    Mlp,
    Pointwise,
    in_kind,
    rms_norm,
    silu,
    softmax_rows,
)
from constructions.directions import random_rationals
from constructions.mlp_after_head import relu
from constructions.networks import Head
from constructions.normed_spike import spike
from constructions.pushed import gap, pushed
from constructions.rational_norm import mean_squares, rational_rms_norm
from constructions.sharpness import number
from theorems.arrays import Array
from theorems.attention import bilinear_logits, normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.spike_gauge import GAUGE, LIPSCHITZ

WIDTH, UNITS = 3, 2


def epsilon_for(states: Array) -> Fraction:
    """An ε > 0 that makes both norms of states (2, d) rational."""
    r_1, r_2 = mean_squares(states)
    K = 2 * (math.isqrt(math.ceil(max(r_1, r_2))) + 2)
    return ((K + (r_1 - r_2) / K) / 2) ** 2 - r_1


@dataclass(frozen=True)
class Network:
    """Embedded tokens (L, d), pre-norm blocks, the ε of each and of the last norm, outputs (V, d).

    ``norm`` makes a norm of an ε.
    """

    embedded: Array
    blocks: tuple[Block, ...]
    epsilons: tuple[Fraction, ...]
    output: Array
    norm: Callable[[Fraction], Pointwise] = rational_rms_norm

    def run(self) -> tuple[Array, Array, Array]:
        """States (blocks + 1, L, d), attention rows (heads, L, L), logits (L, V)."""
        normed = [
            replace(block, pre=self.norm(epsilon))
            for block, epsilon in zip(self.blocks, self.epsilons[:-1], strict=True)
        ]
        trace = Decoder(tuple(normed)).run(self.embedded)
        y = self.norm(self.epsilons[-1])(trace.states[-1])
        rows = np.array([row for block in trace.rows for row in block])
        return np.array(trace.states), rows, y @ in_kind(self.output, y).T

    def rescaled(self, c: Fraction, *, with_epsilon: bool = True, tied: bool = False) -> Network:
        """The embedding, every W_O and W_down times c, every ε times c².

        Without ``with_epsilon`` the ε stay, and with ``tied`` the output matrix grows too: both
        change the function.
        """
        return replace(
            self,
            embedded=self.embedded * number(c, self.embedded),
            blocks=tuple(louder(block, c) for block in self.blocks),
            epsilons=tuple(e * c**2 if with_epsilon else e for e in self.epsilons),
            output=self.output * c if tied else self.output,
        )


def louder(block: Block, c: Fraction) -> Block:
    """The block with its last matrices, W_O or W_down, times c."""
    heads = tuple(replace(head, M=head.M * c) for head in block.heads)
    mlp = replace(block.mlp, down=block.mlp.down * c) if isinstance(block.mlp, Mlp) else None
    return replace(block, heads=heads, mlp=mlp)


def attention_block(rng: random.Random, soft: bool) -> Block:
    """A head with random scores: softmax, or on rational states simplex with weights 1 + score²."""
    A, M = (random_rationals(rng, (WIDTH, WIDTH), 3) for _ in range(2))
    if soft:
        return Block(heads=(Head(softmax_rows(A, Fraction(2)), M),))
    return Block(heads=(Head(lambda y: normalise(1 + bilinear_logits(y, A) ** 2), M),))


def gated_block(rng: random.Random, soft: bool) -> Block:
    """A gated MLP with random weights and SiLU, or on rational states ReLU."""
    into, up = (random_rationals(rng, (UNITS, WIDTH), 3) for _ in range(2))
    down = random_rationals(rng, (WIDTH, UNITS), 3)
    return Block(mlp=Mlp(into=into, down=down, activation=silu if soft else relu, up=up))


def rational_network(rng: random.Random) -> Network:
    """Two tokens through attention and MLP, all three norms rational."""
    embedded = random_rationals(rng, (2, WIDTH), 3)
    states, blocks, epsilons = embedded, [], []
    for k in range(2):
        epsilons.append(epsilon_for(states))
        blocks.append((attention_block, gated_block)[k % 2](rng, soft=False))
        states = replace(blocks[-1], pre=rational_rms_norm(epsilons[-1]))(states)[1]
    output = random_rationals(rng, (3, WIDTH), 3)
    return Network(embedded, tuple(blocks), (*epsilons, epsilon_for(states)), output)


def softmax_network(rng: random.Random, length: int = 3) -> Network:
    """Attention, MLP, attention, MLP with softmax and SiLU, in balls; ε = 1/7."""
    embedded = balls(random_rationals(rng, (length, WIDTH), 3))
    blocks = tuple((attention_block, gated_block)[k % 2](rng, soft=True) for k in range(4))
    output = random_rationals(rng, (3, WIDTH), 3)
    return Network(embedded, blocks, (Fraction(1, 7),) * 5, output, rms_norm)


def same_function(left: Network, right: Network, c: Fraction) -> bool:
    """Whether every entry of every state, row and output obeys ``GAUGE``, exactly."""
    (h, rows, logits), (h_c, rows_c, logits_c) = left.run(), right.run()
    y, y_c = (
        np.concatenate([a.ravel(), b.ravel()]) for a, b in ((rows, logits), (rows_c, logits_c))
    )
    return all(
        GAUGE.holds(c=c, h=a, h_c=b, y=Fraction(0), y_c=Fraction(0))
        for a, b in zip(h.flat, h_c.flat, strict=True)
    ) and all(
        GAUGE.holds(c=c, h=Fraction(0), h_c=Fraction(0), y=a, y_c=b)
        for a, b in zip(y, y_c, strict=True)
    )


FACTORS = (Fraction(1000), Fraction(1, 7))


@evidence("spike_gauge", kind="exact")
def rescaled_networks_are_the_same_function(run: Run) -> Outcome:
    """Rational blocks rescaled: states times c, rows and outputs equal; tied outputs differ."""
    holds, tied, kept, count = True, 0, 0, run.scale(4, 12)
    for k in range(count):
        network = rational_network(random.Random(run.seed + k))
        for c in FACTORS:
            holds = holds and same_function(network, network.rescaled(c), c)
            tied += not same_function(network, network.rescaled(c, tied=True), c)
        try:
            kept += not same_function(network, network.rescaled(FACTORS[0], with_epsilon=False), c)
        except ValueError:  # the norm is irrational, so it is not that of the base network
            kept += 1
    passed = holds and tied == 2 * count and kept == count
    return check(
        passed, f"{count} networks, c = 1000 and 1/7; tied outputs and unscaled ε differ each time"
    )


@evidence("spike_gauge", kind="certified")
def softmax_and_swiglu_in_balls(run: Run) -> Outcome:
    """With softmax, SiLU and ε in balls: rows and outputs agree to 10⁻²⁰, spikes are c times."""
    holds, apart, count = True, 0, run.scale(3, 10)
    for k in range(count):
        with ctx.workprec(200):
            network = softmax_network(random.Random(run.seed + k))
            states, rows, logits = network.run()
            for c in FACTORS:
                h, same_rows, same = network.rescaled(c).run()
                for a, b in ((states * number(c, states), h), (rows, same_rows), (logits, same)):
                    holds = holds and all(bool(x < 1e-20) for x in abs(a - b).flat)
                other = network.rescaled(c, with_epsilon=False).run()[2]
                apart += any(bool(x > 1e-6) for x in abs(other - logits).flat)
    passed = holds and apart == 2 * count
    return check(passed, f"{count} networks agree; with ε unscaled all of them surely differ")


@evidence("spike_gauge", kind="exact", statement="spike_gauge.direction")
def large_spikes_on_one_rest_hardly_differ(run: Run) -> Outcome:
    """The bound is approached as both spikes grow, and 1.01 times tighter it is refuted."""
    holds, refuted, best = True, 0, Fraction(0)
    for t in (Fraction(1, 2**k) for k in range(1, 11)):
        for other in (t / 2, t / 3, t * 3):
            x, y = spike(2, t), spike(2, other)
            # Scaled so that both have the rest ‖r‖ = 1: a = cot φ.
            at = {"d": 2, "a": x[0] / x[1], "b": y[0] / y[1], "rho": Fraction(1)}
            at |= {"Q": 2 * ((x - y) @ (x - y))}
            if not LIPSCHITZ.applies(**at):
                continue
            holds = holds and LIPSCHITZ.holds(**at)
            refuted += not pushed(LIPSCHITZ).holds(**at)
            best = max(best, gap(LIPSCHITZ, **at))
    figure = f"up to {float(best):.7f} of the bound; 1.01 times tighter fails {refuted} times"
    return check(holds and refuted > 0 and best > Fraction(99999, 10**5), figure)
