"""Search for tokens on which the two decoupled networks spike or sink where they should not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from constructions.ball_statements import surely, surely_broken
from constructions.sinks_without_spikes import QuietSink, counts
from constructions.spike_chain_network import STREAM, exact_network, prompt
from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.engine import Panel, Verdict, search
from empirics.search.report import outcome
from theorems.decoupling import SINKS_WITHOUT_SPIKES, SPIKES_WITHOUT_SINKS, E, alpha, beta, h, i
from theorems.evidence import Outcome, Run, evidence
from theorems.spike_chain import NETWORK

LOWER = replace(
    SINKS_WITHOUT_SPIKES,
    name="decoupling.sinks_without_spikes, no entry above 1 (planted)",
    conclusion=h <= 1,
)
TWICE = replace(
    SINKS_WITHOUT_SPIKES,
    name="decoupling.sinks_without_spikes, a gap of 2Δ (planted)",
    conclusion=1 / (1 + (i - 1) / E**2) <= alpha,
)
SINKING = replace(
    SPIKES_WITHOUT_SINKS,
    name="decoupling.spikes_without_sinks, half on BOS (planted)",
    conclusion=beta >= sp.Rational(1, 2),
)
KEPT = replace(
    NETWORK,
    name="spike_chain.network, the spike stays (planted)",
    conclusion=sp.Gt(sp.Symbol("final", real=True), 0),
)


@dataclass(frozen=True)
class Quiet:
    """A network with sinks and no spikes, and a sequence whose first two tokens differ."""

    network: QuietSink
    ids: tuple[int, ...]
    family: str = ""

    def figures(self) -> Mapping[str, str]:
        return {"network": str(self.network), "ids": str(self.ids)}


@st.composite
def quiet_sequences(draw: st.DrawFn) -> Quiet:
    """Vocabularies of 2 to 4, lengths 2 to 6, any g and K₀."""
    size = draw(st.integers(2, 4))
    first, second = draw(st.permutations(range(size)))[:2]
    ids = (first, second, *draw(st.lists(st.integers(0, size - 1), max_size=4)))
    most = len(ids) + draw(st.integers(0, 3))
    g, K_0 = draw(fractions(Fraction(1, 4), 12)), draw(fractions(Fraction(1, 4), 20))
    return Quiet(QuietSink(size, most, g, K_0), ids)


def judge(example: Quiet) -> Panel:
    """The network run in balls; its largest entry is judged in squares, since it is 2 exactly."""
    network, ids = example.network, example.ids
    trace = network.decoder().run(network.embed(ids))
    entries = [counts(ids[: k + 1], network.vocabulary) for k in range(len(ids))]
    bounded = all(n * n <= sum(x * x for x in seen) for seen in entries for n in seen)
    at = {
        "i": len(ids),
        "E": network.gap().exp(),
        "h": 2 if bounded else 3,
        "alpha": trace.rows[1][0][-1, 0],
    }
    panel = {}
    for statement in (SINKS_WITHOUT_SPIKES, LOWER, TWICE):
        yes, no = surely(statement, **at), surely_broken(statement, **at)
        planted = statement is not SINKS_WITHOUT_SPIKES
        panel[statement.name] = Verdict(
            yes or no, not no, planted=planted, undecided=not (yes or no), figures={"at": str(at)}
        )
    return panel


@st.composite
def loud_prompts(draw: st.DrawFn) -> Drawn:
    """The spike's network with and without the sink head's keys, on any ordinary tokens."""
    h = prompt(draw(st.lists(st.integers(0, 4095), min_size=1, max_size=6)))
    E = draw(fractions(Fraction(3, 2), 900))
    runs = {sink: exact_network(E, sink).run(h) for sink in (True, False)}
    spike = max(abs(state).max() for run in runs.values() for state in run.states)
    return Drawn(
        {
            "i": len(h),
            "E": E,
            "spike": spike,
            "alpha": runs[True].rows[1][0][-1, 0],
            "beta": runs[False].rows[1][0][-1, 0],
            "final": abs(runs[True].states[-1][0] - h[0]).max(),
        },
        {"tokens": STREAM.read(h, "x1")},
    )


@evidence("decoupling", kind="searched", statement="decoupling.sinks_without_spikes")
def no_sequence_without_its_sink(run: Run) -> Outcome:
    """No network, sequence, g or K₀ lacks the sink, in balls; a gap twice as large is not there."""
    records = search(quiet_sequences(), judge, tries=run.scale(60, 80, 2000), start=run.seed)
    return outcome(records, SINKS_WITHOUT_SPIKES.name, (LOWER.name, TWICE.name), share=0.9)


@evidence("decoupling", kind="searched", statement="decoupling.spikes_without_sinks")
def no_prompt_with_a_sink(run: Run) -> Outcome:
    """No ordinary tokens make a sink without the key; half of the mass on BOS is not there."""
    return survives(run, SPIKES_WITHOUT_SINKS, loud_prompts(), SINKING, tries=(40, 50, 1000))


@evidence("spike_chain", kind="searched", statement="spike_chain.network")
def no_prompt_that_keeps_its_spike(run: Run) -> Outcome:
    """No ordinary tokens leave the spike on BOS or change the mass; "the spike stays" falls."""
    return survives(run, NETWORK, loud_prompts(), KEPT, tries=(40, 50, 1000))
