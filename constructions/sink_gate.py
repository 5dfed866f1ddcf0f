"""One head twice: with a sink key of value zero, and with an output gate instead.

``theorems.sink_is_gate`` (after Sun et al. 2026, arXiv 2603.05498).

    Σ_k α_k v_k = σ(LSE_{k≠0} z_k − z₀) · Σ_{k≠0} softmax_{k≠0}(z)_k v_k,      v₀ = 0.

>>> sink, others, values = Fraction(6), exact([1, 2]), exact([[4], [1]])
>>> print(with_sink(sink, others, values), with_gate(sink, others, values))
[Fraction(2, 3)] [Fraction(2, 3)]
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
from flint import arb

from constructions.balls import balls
from constructions.directions import random_rationals
from constructions.one_row import softmax_row, weighted_row
from theorems.arrays import Array, exact, zeros
from theorems.evidence import Outcome, Run, check, evidence
from theorems.sink_is_gate import GATE, HALF


def with_sink(sink: Fraction, others: Array, values: Array) -> Array:
    """The output (d,) from e^(z₀), the other weights e^(z_k) (m,) and their values (m, d)."""
    row = weighted_row(np.concatenate([exact([sink]), others]))
    return row @ np.concatenate([zeros((1, values.shape[1]), values), values])


def with_gate(sink: Fraction, others: Array, values: Array) -> Array:
    """The same head without the sink key, times S/(S + e^(z₀)) = σ(LSE − z₀)."""
    total = others.sum()
    return total / (total + sink) * (weighted_row(others) @ values)


def half_mass(keys: int, E: Fraction) -> Fraction:
    """The sink's mass over ``keys`` keys, all others ln E below it."""
    mass: Fraction = weighted_row(exact([E, *[1] * (keys - 1)]))[0]
    return mass


@evidence("sink_is_gate", kind="exact")
def a_gate_gives_the_same_output(run: Run) -> Outcome:
    """Random heads with a sink key equal the gated head, exactly; with a value at the sink not."""
    rng, holds, apart, count = random.Random(run.seed), True, 0, run.scale(60, 400)
    for _ in range(count):
        keys = rng.randint(1, 6)
        sink = Fraction(rng.randint(1, 90), rng.randint(1, 9))
        others = abs(random_rationals(rng, (keys,))) + Fraction(1, 9)
        values = random_rationals(rng, (keys, 2))
        sinking = with_sink(sink, others, values)
        holds = holds and bool((sinking == with_gate(sink, others, values)).all())
        inner = weighted_row(others) @ values
        at = {"S": others.sum(), "w": sink}
        holds = holds and all(
            GATE.holds(**at, o=a, u=b) for a, b in zip(sinking, inner, strict=True)
        )
        row = weighted_row(np.concatenate([exact([sink]), others]))
        spoken = row @ np.concatenate([exact([[1, 1]]), values])
        apart += not any(GATE.holds(**at, o=a, u=b) for a, b in zip(spoken, inner, strict=True))
    return check(holds and apart == count, f"{count} heads equal; a sink with a value never is")


@evidence("sink_is_gate", kind="certified")
def the_gate_is_a_sigmoid_of_logits(run: Run) -> Outcome:
    """From logits in balls: the softmax output meets σ(LSE − z₀) times the rest's, to 10⁻⁸."""
    rng, holds, count = random.Random(run.seed), True, run.scale(40, 200)
    for _ in range(count):
        logits = balls(random_rationals(rng, (rng.randint(2, 6),)))
        values = balls(random_rationals(rng, (len(logits) - 1,)))
        out = softmax_row(logits)[1:] @ values
        lse = sum((z.exp() for z in logits[1:]), arb(0)).log()
        gate = 1 / (1 + (logits[0] - lse).exp())
        holds = holds and bool(abs(out - gate * (softmax_row(logits[1:]) @ values)) < 1e-8)
    return check(holds, f"{count} heads agree")


@evidence("sink_is_gate", kind="exact", statement="sink_is_gate.half")
def half_at_one_plus_e_to_the_gap(run: Run) -> Outcome:
    """At m = 1 + e^Δ the mass is ½ exactly, above before and below after."""
    holds, most = True, run.scale(40, 50, 120)
    for keys in range(2, most + 1):
        E = Fraction(keys - 1)
        masses = [half_mass(keys + step, E) for step in (-1, 0, 1)]
        holds = holds and masses[1] == Fraction(1, 2) and masses[0] > masses[1] > masses[2]
        for step, mass in zip((-1, 0, 1), masses, strict=True):
            holds = holds and HALF.holds(m=keys + step, E=E, alpha=mass)
        holds = holds and not HALF.holds(m=keys, E=E, alpha=masses[0])
    return check(holds, f"½ exactly at m = 1 + e^Δ for e^Δ = 1..{most - 1}")
