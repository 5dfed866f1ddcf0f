"""Faults of the position-zero circuit and its companions, each with the check that catches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.balls import balls, largest
from constructions.decoder import Block, Decoder, Mlp, every_sequence, softmax_rows
from constructions.enumeration import as_fraction
from constructions.networks import Head
from constructions.p0_anti_self import anti_self_circuit
from constructions.p0_circuit import SPIKE_AT, Circuit, circuit, constant_prefixes, found_in
from constructions.p0_pre_norm import extremes, pre_norm_circuit
from constructions.p0_without_mlp import FIRST, SECOND, without_mlp
from tests.negatives.planted_faults import Fault
from theorems.arrays import Array
from theorems.p0_circuit import SHARED, SINK

G, E = Fraction(10), Fraction(100)


def spikes(network: Circuit, longest: int = 5) -> str:
    """What block 1 writes to s on all sequences over 3 tokens up to ``longest``."""
    first = replace(network, decoder=Decoder(network.decoder.blocks[:1]))
    on, off = set(), {Fraction(0)}
    for length in range(1, longest + 1):
        ids = every_sequence(3, length)
        s = first.stream.read(first.run(ids).states[1], SPIKE_AT)
        same = constant_prefixes(ids)
        on |= {as_fraction(v) for v in s[same]}
        off |= {as_fraction(v) for v in s[~same]}
    written = sorted(off, key=abs)[-1]
    return f"{', '.join(map(str, sorted(on)))} on constant prefixes, up to {written} off them"


def masses(network: Circuit) -> str:
    """Whether the mass on position zero, and on an initial run, is what the statements say."""
    found, _ = found_in(network, 3, 5)
    failed = set()
    for p in found:
        known = {"i": p.i, "N": network.N, "E": E}
        if p.run == 1 and not SINK.holds(alpha=p.row[0], **known):
            failed.add("mass")
        if p.i > p.run and not SHARED.holds(alpha=p.row[0], r=p.run, **known):
            failed.add("shared mass")
    return ", ".join(sorted(failed)) or "all hold"


def changed(
    change: Callable[[Circuit], Circuit], look_at: Callable[[Circuit], str] = spikes
) -> Callable[[bool], str]:
    """The circuit for N = 5, perhaps changed."""

    def look(planted: bool) -> str:
        network = circuit(3, 5, G, E)
        return look_at(change(network) if planted else network)

    return look


def block_1(change: Callable[[Block], Block]) -> Callable[[Circuit], Circuit]:
    """The circuit with another first block."""

    def of(network: Circuit) -> Circuit:
        first, second = network.decoder.blocks
        return replace(network, decoder=Decoder((change(first), second)))

    return of


def with_mlp(change: Callable[[Mlp], Mlp]) -> Callable[[Circuit], Circuit]:
    """The circuit with another MLP in block 1."""

    def of(block: Block) -> Block:
        assert isinstance(block.mlp, Mlp)
        return replace(block, mlp=change(block.mlp))

    return block_1(of)


def lower_threshold(mlp: Mlp) -> Mlp:
    """2 − 2/N for 2 − 1/N."""
    return replace(mlp, into=mlp.into + Fraction(1, 10))


def linear(mlp: Mlp) -> Mlp:
    """No ReLU."""
    return replace(mlp, activation=lambda x: x)


def smaller_gain(mlp: Mlp) -> Mlp:
    return replace(mlp, down=mlp.down / 2)


def one(y: Array) -> Any:
    """The number one in the kind of ``y``."""
    return y.flat[0] * 0 + 1


def uncausal(block: Block) -> Block:
    """Block 1 averages the whole sequence, so that position zero mixes too."""

    def everything(y: Array) -> Array:
        length = y.shape[-2]
        return np.full((*y.shape[:-1], length), one(y) / length, dtype=object)

    return replace(block, heads=(replace(block.heads[0], rows=everything),))


def no_residual(block: Block) -> Block:
    """Block 1 without its own token: h_i are the shares alone."""
    (head,) = block.heads
    minus = Head(lambda y: np.eye(y.shape[-2], dtype=int) * one(y), -head.M)
    return replace(block, heads=(head, minus))


def doubled_query(network: Circuit) -> Circuit:
    """The sink head's query is the sum of the token coordinates, not half of it."""
    first, second = network.decoder.blocks
    tokens = network.tokens
    A = network.stream.matrix({(t, SPIKE_AT): 1 / G for t in tokens})
    head = replace(second.heads[0], rows=softmax_rows(A, E))
    return replace(network, decoder=Decoder((first, Block((head,)))))


def one_key_ahead(network: Circuit) -> Circuit:
    """The sink head looks at the key before the one that it should."""
    first, second = network.decoder.blocks
    rows = second.heads[0].rows

    def shifted(y: Array) -> Array:
        found = rows(y).copy()
        found[..., 1:, :] = np.roll(found[..., 1:, :], 1, axis=-1)
        return found

    head = replace(second.heads[0], rows=shifted)
    return replace(network, decoder=Decoder((first, Block((head,)))))


def longer_than_built_for(planted: bool) -> str:
    """Sequences of length 6 in a circuit for N = 5."""
    return spikes(circuit(3, 5, G, E), 6 if planted else 5)


def anti_self(change: Callable[[Circuit], Circuit]) -> Callable[[bool], str]:
    """The circuit with anti-self attention for N = 5, B = 4 and gain 2G, perhaps changed."""

    def look(planted: bool) -> str:
        network = anti_self_circuit(3, 5, G, E, Fraction(4))
        return spikes(change(network) if planted else network)

    return look


def smaller_gain_of(network: Circuit) -> Circuit:
    return anti_self_circuit(3, network.N, G, E, Fraction(4), Fraction(3, 2) * G)


def no_aversion(block: Block) -> Block:
    return replace(block, heads=circuit(3, 5, G, E).decoder.blocks[0].heads)


def dull_gate(planted: bool) -> str:
    """SwiGLU with β = 1/100: the sign of what it writes is lost."""
    beta = Fraction(1, 100) if planted else Fraction(40)
    found = extremes(pre_norm_circuit(3, 6, G, E, Fraction(0), beta), 4)
    return "s > 0 off constant prefixes" if largest(found.off) > 0 else "s ≤ 0 off them"


def without_norm(planted: bool) -> str:
    """The network without MLP, with and without RMSNorm, on the two sequences."""
    network = without_mlp(3, Fraction(10**4), norm=not planted)
    rows = network.run(np.array([FIRST, SECOND]), balls).rows[1][0][:, 4]
    ahead = [bool(row[0] > row[3]) for row in rows]
    return "position zero leads on both" if all(ahead) else f"leads: {ahead}"


EXACT = "10 on constant prefixes, up to 0 off them"
HOLD = "all hold"
FAULTS = (
    Fault(
        "a threshold of 2 − 2/N",
        changed(with_mlp(lower_threshold)),
        EXACT,
        "20 on constant prefixes, up to 10 off them",
    ),
    Fault(
        "an MLP without ReLU",
        changed(with_mlp(linear)),
        EXACT,
        "-170 on constant prefixes, up to -170 off them",
    ),
    Fault(
        "half the gain",
        changed(with_mlp(smaller_gain)),
        EXACT,
        "5 on constant prefixes, up to 0 off them",
    ),
    Fault(
        "a first block that is not causal",
        changed(block_1(uncausal)),
        EXACT,
        "0, 10 on constant prefixes, up to 0 off them",
    ),
    Fault(
        "a first block without residual",
        changed(block_1(no_residual)),
        EXACT,
        "5 on constant prefixes, up to 0 off them",
    ),
    Fault(
        "sequences longer than N",
        longer_than_built_for,
        EXACT,
        "10 on constant prefixes, up to 5/3 off them",
    ),
    Fault("a query twice as large", changed(doubled_query, masses), HOLD, "mass, shared mass"),
    Fault(
        "a sink head that looks one key late",
        changed(one_key_ahead, masses),
        HOLD,
        "mass, shared mass",
    ),
    Fault(
        "a gain of 3G/2 at B = N − 1",
        anti_self(smaller_gain_of),
        EXACT,
        "15/2 on constant prefixes, up to 0 off them",
    ),
    Fault(
        "attention that does not avoid its token",
        anti_self(block_1(no_aversion)),
        EXACT,
        "10 on constant prefixes, up to 6 off them",
    ),
    Fault("a gate that is too dull", dull_gate, "s ≤ 0 off them", "s > 0 off constant prefixes"),
    Fault(
        "no norm and no MLP", without_norm, "position zero leads on both", "leads: [False, False]"
    ),
)
