"""Spikes and sinks can be had apart: a network with sinks and no spikes, and the reverse.

Sun et al. 2026, arXiv 2603.05498, argue from ablations that spikes and sinks are separate, the
first an artefact of the architecture, the second a function.  Two networks show that both
separations are possible; the second differs from a network with both by one key vector.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

i = sp.Symbol("i", integer=True)
E, alpha, beta, h, spike, o, u = sp.symbols("E alpha beta h spike o u", real=True)

PAPER = (
    "Sun et al. 2026: with sandwich norm or DynamicTanh spikes go and sinks stay; a loss on late "
    "positions only removes sinks while spikes grow; trained, no construction."
)
QUIET = (
    "constructions.sinks_without_spikes: two blocks with sandwich norm, no BOS and no positions, "
    "a vocabulary and a largest length N of any size, any tokens of which the first two differ; "
    "E = e^Δ, Δ = g·d·K₀/(6√(K₀²+1)) for any g, K₀ > 0; h = the largest |entry| of any state, α = "
    "the mass that position i gives to position 1."
)
LOUD = (
    "constructions.spikes_without_sinks: the network of spike_chain with its sink head's keys set "
    "to zero; any ordinary tokens after BOS; spike = the largest entry of any state, β = the mass "
    "that position i gives to BOS."
)
SYMBOLS_QUIET = {
    "i": "position of the query, from 1",
    "E": "e^Δ",
    "h": "the largest |entry| of any state of the first network",
    "alpha": "the mass on position 1 in the first network",
}
SYMBOLS_LOUD = {
    "i": "position of the query, from 1",
    "spike": "the largest entry of any state of the second network",
    "beta": "the mass on BOS in the second network",
}
SINKS = sp.And(h <= 2, 1 / (1 + (i - 1) / E) <= alpha)
SPIKES = sp.And(sp.Eq(spike, 1920), sp.Eq(beta * i, 1))

DECOUPLED = Statement(
    name="decoupling",
    title="There are sinks without spikes and spikes without sinks",
    setting=QUIET + "  Here 3 tokens and lengths up to 7.  " + LOUD,
    symbols=SYMBOLS_QUIET | SYMBOLS_LOUD,
    hypotheses=(i >= 2, E > 0),
    conclusion=sp.And(SINKS, SPIKES),
    paper=PAPER,
    ours="two networks, exact; nothing is said about which of them training finds",
    proof_idea="The two statements below.",
)

SINKS_WITHOUT_SPIKES = Statement(
    name="decoupling.sinks_without_spikes",
    title="Sinks without spikes: no entry above 2 and a sink as sharp as wanted",
    setting=QUIET,
    symbols=SYMBOLS_QUIET,
    hypotheses=(i >= 2, E > 0),
    conclusion=SINKS,
    paper=PAPER,
    ours="the sink needs a direction, not a size",
    proof_idea="The MLP's output is normalised: position 1 gets its own direction, of norm one.",
)

SPIKES_WITHOUT_SINKS = Statement(
    name="decoupling.spikes_without_sinks",
    title="Spikes without sinks: an entry of 1920 and uniform attention",
    setting=LOUD,
    symbols=SYMBOLS_LOUD,
    hypotheses=(i >= 2,),
    conclusion=SPIKES,
    paper=PAPER,
    ours="with the sink head's keys back, the same spike has mass .9999983 at length 16",
    proof_idea="The spike stays in the residual stream; no key reads it.",
)

GATED = Statement(
    name="decoupling.gated",
    title="A gate in place of the sink leaves the spike, and every state, as it was",
    setting=(
        "The network of spike_chain against the same with its sink head replaced by uniform "
        "attention over the other keys, times the output gate (i−1)/(i−1 + E) = σ(LSE − Δ) of "
        "sink_is_gate; any ordinary tokens after BOS; o, u = the same entry of the same state in "
        "the two networks, spike = the largest entry and β = the mass on BOS in the second."
    ),
    symbols={
        "i": "position of the query, from 1",
        "E": "e^Δ",
        "spike": "the largest entry of any state of the gated network",
        "beta": "the mass on BOS in the gated network",
        "o": "an entry of a state with the sink",
        "u": "the same entry with the gate",
    },
    hypotheses=(i >= 2, E > 0),
    conclusion=sp.And(sp.Eq(spike, 1920), sp.Eq(beta, 0), sp.Eq(o, u)),
    paper=(
        "Sun et al. 2026, Table 7: conditional gates leave sink ratios of 4.5 to 31.2 % and spikes "
        "of 186 to 316 (3818 without); trained, no construction."
    ),
    ours=(
        "a gate that reads the head's own logits removes the sink and no spike: where training "
        "loses both, the gate alone does not force it"
    ),
    proof_idea="sink_is_gate; BOS writes nothing, and the MLPs read only what the head leaves.",
)

CLAIM = Claim(
    id="decoupling",
    title="Sinks without spikes, and spikes without sinks",
    statements=(DECOUPLED, SINKS_WITHOUT_SPIKES, SPIKES_WITHOUT_SINKS, GATED),
)
