"""Spikes without sinks: the network of a spike's life cycle with its sink head's keys at zero.

``theorems.decoupling``.  ``spike_chain_network`` with one matrix removed: the step-up block still
writes 1440 and 1920 to BOS, the step-down block still takes them away, and attention is uniform.  A
key's importance is the mean over the queries that see it; that of BOS over 64 tokens is then
H₆₄/64 = .074 and with the sink head above .99.  The same holds without BOS, for the circuit of
``p0_pre_norm`` and a spike of 3000.

>>> trace = exact_network(Fraction(9), sink=False).run(prompt([0, 4095, 7]))
>>> print([str(v) for v in STREAM.read(trace.states[1], "q")], str(trace.rows[1][0][3, 0]))
['1920', '0', '0', '0'] 1/4
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx

from constructions.ball_statements import surely
from constructions.balls import balls, smallest
from constructions.decoder import Decoder, silu, softmax_rows
from constructions.networks import Head
from constructions.p0_pre_norm import pre_norm_circuit
from constructions.sinks_without_spikes import quiet_facts, sweep
from constructions.spike_chain_network import (
    GAPS,
    STREAM,
    exact_network,
    exact_scores,
    in_balls,
    ordinary_tokens_are_alike,
    prompt,
)
from theorems.arrays import Array
from theorems.attention import causal_mask, normalise
from theorems.decoupling import DECOUPLED, GATED, SINKS_WITHOUT_SPIKES, SPIKES_WITHOUT_SINKS
from theorems.evidence import Outcome, Run, check, evidence


def importance(rows: Array) -> Any:
    """The mean weight (Gu et al.) that key 1 gets from the queries of rows (L, L)."""
    return rows[:, 0].sum() / len(rows)


def loud_spike(length: int, E: Fraction, seed: int, sink: bool = False) -> tuple[Fraction, Array]:
    """The largest entry of any state, and the head's rows (L, L), on random ordinary tokens."""
    rng = random.Random(seed)
    h = prompt([rng.randrange(4096) for _ in range(length - 1)])
    trace = exact_network(E, sink).run(h)
    largest = max(abs(state).max() for state in (*trace.states, *trace.middles))
    return largest, trace.rows[1][0]


@evidence("decoupling", kind="exact", settles=True, statement="decoupling.spikes_without_sinks")
def spikes_stay_when_the_key_goes(run: Run) -> Outcome:
    """Spike 1920 and uniform attention, exactly; the importance of BOS is H_T/T."""
    holds, length = ordinary_tokens_are_alike(), run.scale(16, 20, 64)
    spike, rows = loud_spike(length, Fraction(9 * 10**6), run.seed)
    for i in range(2, length + 1):
        at = {"i": i, "spike": spike, "beta": rows[i - 1, 0]}
        holds = holds and SPIKES_WITHOUT_SINKS.holds(**at)
    harmonic = sum((Fraction(1, i) for i in range(1, length + 1)), Fraction(0)) / length
    holds = holds and importance(rows) == harmonic
    with_sink = importance(loud_spike(length, Fraction(9 * 10**6), run.seed, sink=True)[1])
    holds = holds and with_sink > Fraction(99, 100)
    figure = f"importance of BOS {float(harmonic):.3f} over {length} tokens, with the sink head"
    return check(holds, f"{figure} {float(with_sink):.7f}")


@evidence("decoupling", kind="certified", statement="decoupling.spikes_without_sinks")
def the_network_itself_attends_uniformly(run: Run) -> Outcome:
    """SiLU, RMSNorm and softmax in balls: 1920 on BOS, weights 1/i."""
    rng = random.Random(run.seed)
    trace = in_balls(silu, sink=False).run(balls(prompt([rng.randrange(4096) for _ in range(7)])))
    rows = trace.rows[1][0]
    holds = all(bool(abs(rows[i, k] * (i + 1) - 1) < 1e-12) for i in range(8) for k in range(i + 1))
    holds = holds and bool(abs(STREAM.read(trace.states[1], "q")[0] - 1920) < 1e-8)
    return check(holds, "8 tokens: uniform rows beside an entry of 1920")


@evidence("decoupling", kind="certified", statement="decoupling.spikes_without_sinks")
def the_position_zero_circuit_too(run: Run) -> Outcome:
    """Without BOS: a spike of 3000 on position zero, importance H₆₄/64 with no key, near 1 with it.

    The pre-norm ReLU circuit of ``p0_pre_norm`` on 64 tokens, its second head with and without key.
    """
    rng = random.Random(run.seed)
    ids = [0, 1, *(rng.randrange(3) for _ in range(62))]
    found: dict[bool, arb] = {}
    with ctx.workprec(128):
        circuit = pre_norm_circuit(3, N=65, G=Fraction(3000), E=Fraction(10**4))
        first, second = circuit.decoder.blocks
        no_key = Head(softmax_rows(circuit.stream.matrix({})), circuit.stream.matrix({}))
        for key, block in ((True, second), (False, replace(second, heads=(no_key,)))):
            trace = replace(circuit, decoder=Decoder((first, block))).run(ids, balls)
            found[key] = importance(trace.rows[1][0])
        spike = circuit.stream.read(trace.states[1], "s")
        harmonic = sum((arb(1) / i for i in range(1, 65)), arb(0)) / 64
    loud = bool(abs(spike[0] - 3000) < 1e-20) and all(bool(abs(s) < 1e-20) for s in spike[1:])
    uniform = bool(abs(found[False] - harmonic) < 1e-20) and bool(found[False] < arb("0.3"))
    shown = ", with its key ".join(f"{float(found[key].mid()):.3f}" for key in (False, True))
    return check(loud and uniform and bool(found[True] > arb("0.99")), f"importance {shown}")


def gated_network(E: Fraction) -> Decoder:
    """The spike's network with a gate for its sink: no weight on BOS after position 1."""

    def rows(h: Array) -> Array:
        others = 1 - exact_scores(h)
        seen = (others * causal_mask(others)).sum(axis=1)
        return (seen / (seen + E))[:, None] * normalise(others)

    up, sink, down = exact_network(E).blocks
    head = replace(sink.heads[0], rows=rows, simplex=False)
    return Decoder((up, replace(sink, heads=(head,)), down))


@evidence("decoupling", kind="exact", settles=True, statement="decoupling.gated")
def a_gate_leaves_the_spike(run: Run) -> Outcome:
    """Every entry of every state is the same with the gate; spike 1920, and no mass on BOS."""
    rng, holds, length = random.Random(run.seed), ordinary_tokens_are_alike(), run.scale(8, 10, 24)
    for E in GAPS:
        h = prompt([rng.randrange(4096) for _ in range(length - 1)])
        sinking, gated = exact_network(E).run(h), gated_network(E).run(h)
        spike = max(abs(state).max() for state in gated.states)
        for i in range(2, length + 1):
            at = {"i": i, "E": E, "spike": spike, "beta": gated.rows[1][0][i - 1, 0]}
            for one, other in zip(sinking.states, gated.states, strict=True):
                pairs = zip(one[i - 1], other[i - 1], strict=True)
                holds = holds and all(GATED.holds(**at, o=o, u=u) for o, u in pairs)
        holds = holds and bool((sinking.states[-1] == gated.states[-1]).all())
    return check(holds, f"{length} tokens, four gaps: all states equal, 1920 stays, BOS gets 0")


@evidence("decoupling", kind="certified", settles=True)
def both_networks(run: Run) -> Outcome:
    """The first network on all 1458 sequences in balls, the second exact: both hold at each i."""
    network, ids, rows, _ = sweep(7)
    holds = quiet_facts(vocabulary=3, most=7) and ordinary_tokens_are_alike()
    spike, uniform = loud_spike(7, Fraction(10**5), run.seed)
    _, sinking = loud_spike(7, Fraction(10**5), run.seed, sink=True)
    holds = holds and DECOUPLED.conclusion == sp.And(
        SINKS_WITHOUT_SPIKES.conclusion, SPIKES_WITHOUT_SINKS.conclusion
    )
    for i in range(2, 8):
        quiet = {"i": i, "E": network.gap().exp(), "h": 2, "alpha": smallest(rows[:, i - 1, 0])}
        loud = {"i": i, "spike": spike, "beta": uniform[i - 1, 0]}
        holds = holds and surely(SINKS_WITHOUT_SPIKES, **quiet)
        holds = holds and SPIKES_WITHOUT_SINKS.holds(**loud)
        holds = holds and not SPIKES_WITHOUT_SINKS.holds(**loud | {"beta": sinking[i - 1, 0]})
    shown = "entries at most 2 beside a sink, 1920 beside uniform attention"
    return check(holds, f"{len(ids)} sequences: {shown}")
