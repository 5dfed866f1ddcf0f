"""Search for a sequence on which the position-zero circuit errs, with other sizes and lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np
from hypothesis import strategies as st

from constructions.enumeration import as_fraction
from constructions.p0_circuit import SPIKE_AT, circuit, constant_prefixes
from empirics.search.engine import Panel, Record, Verdict, search
from empirics.search.judged import judged
from empirics.search.report import outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.p0_circuit import SHARED, SINK, SPIKE
from theorems.statement import Statement

SHORT = replace(SPIKE, name="a circuit built for half the length (planted)")
ALONE = replace(SHARED, name="a run that does not share (planted)", conclusion=SINK.conclusion)


@dataclass(frozen=True)
class Sequence:
    """Token ids below V, the sizes of the circuit, and the largest length that it is built for."""

    ids: tuple[int, ...]
    V: int
    G: Fraction
    E: Fraction
    N: int
    family: str = "sequence"

    def figures(self) -> Mapping[str, object]:
        return {"ids": list(self.ids), "V": self.V, "G": str(self.G), "E": str(self.E), "N": self.N}


@st.composite
def sequences(draw: st.DrawFn) -> Sequence:
    """Lengths 2 to 40: initial runs, one odd token, and anything."""
    V = draw(st.integers(2, 6))
    token = st.integers(0, V - 1)
    length = draw(st.integers(2, 40))
    run = draw(st.integers(1, length - 1))
    first = draw(token)
    ids = [first] * run + [draw(token) for _ in range(length - run)]
    if draw(st.booleans()):
        ids = [first] * length
        ids[draw(st.integers(1, length - 1))] = (first + 1) % V
    G, E = Fraction(draw(st.integers(1, 90)), 3), Fraction(draw(st.integers(2, 999)), 2)
    return Sequence(tuple(ids), V, G, E, length + draw(st.sampled_from((0, 1, 100))))


def spike_of(sequence: Sequence, N: int) -> tuple[list[Fraction], np.ndarray, np.ndarray]:
    """s at every position, whether the prefix is constant, and block 2's last row."""
    ids, network = np.array(sequence.ids), circuit(sequence.V, N, sequence.G, sequence.E)
    states = network.run(ids)
    s = [as_fraction(v) for v in network.stream.read(states.states[1], SPIKE_AT)]
    return s, constant_prefixes(ids), states.rows[1][0][-1]


def all_of(verdicts: list[Verdict]) -> Verdict:
    """One verdict for several positions: the first that fails, if any does."""
    failed = [v for v in verdicts if v.applies and not v.holds]
    return (failed or [v for v in verdicts if v.applies] or verdicts)[0]


def judge(sequence: Sequence) -> Panel:
    """Spike at every position, and the last row, as the statements say."""
    last = len(sequence.ids)
    known = {
        "N": Fraction(sequence.N),
        "G": sequence.G,
        "E": sequence.E,
    }

    def spikes(statement: Statement, s: list[Fraction], same: np.ndarray) -> Verdict:
        return all_of(
            [
                judged(
                    statement, known | {"i": Fraction(k + 1), "s": v, "constant": Fraction(int(c))}
                )
                for k, (v, c) in enumerate(zip(s, same, strict=True))
            ]
        )

    s, same, row = spike_of(sequence, sequence.N)
    run = int(same.sum())
    at = known | {"i": Fraction(last), "r": Fraction(run), "alpha": as_fraction(row[0])}
    half = circuit_for_half(sequence)
    return {
        SPIKE.name: spikes(SPIKE, s, same),
        SHARED.name: judged(SHARED, at),
        ALONE.name: judged(ALONE, at),
        SHORT.name: spikes(SHORT, half, same),
    }


def circuit_for_half(sequence: Sequence) -> list[Fraction]:
    """What block 1 writes when it is built for half of the length."""
    N = max(1, len(sequence.ids) // 2)
    network = circuit(sequence.V, N, sequence.G, sequence.E)
    first = replace(network, decoder=replace(network.decoder, blocks=network.decoder.blocks[:1]))
    states = first.run(np.array(sequence.ids)).states[1]
    return [as_fraction(v) for v in network.stream.read(states, SPIKE_AT)]


@cache
def found(tries: int, start: int) -> dict[str, Record]:
    """One search for both statements."""
    return search(sequences(), judge, tries=tries, start=start)


@evidence("p0_circuit", kind="searched", statement="p0_circuit.spike")
def no_sequence_fools_the_circuit(run: Run) -> Outcome:
    """No sequence up to length 40, V ≤ 6, fools block 1; built for half the length, some do."""
    records = found(run.scale(100, 200, 3000), run.seed)
    return outcome(records, SPIKE.name, (SHORT.name,))


@evidence("p0_circuit", kind="searched", statement="p0_circuit.shared")
def no_sequence_breaks_the_mass(run: Run) -> Outcome:
    """No sequence up to length 40 gets another mass on position zero; runs do share it."""
    records = found(run.scale(100, 200, 3000), run.seed)
    return outcome(records, SHARED.name, (ALONE.name,))
