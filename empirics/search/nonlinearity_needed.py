"""Search for two layers without a nonlinearity that prefer position zero on both sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

import numpy as np
from flint import ctx
from hypothesis import strategies as st

from constructions.balls import balls, ends
from constructions.decoder import (
    Block,
    Decoder,
    Mlp,
    Stream,
    embed,
    identity,
    rms_norm,
    softmax_rows,
)
from constructions.networks import Head
from constructions.p0_circuit import thresholds
from constructions.p0_pre_norm import BITS
from constructions.p0_without_mlp import FIRST, SECOND
from empirics.search.engine import Panel, search
from empirics.search.judged import judged
from empirics.search.report import outcome
from empirics.strategies.draws import rationals, vectors
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, evidence
from theorems.nonlinearity_needed import STATEMENT

NORMED = replace(STATEMENT, name="with RMSNorm before each layer (planted)")
BENT = replace(STATEMENT, name="with the circuit's ReLU units in between (planted)")
GRID = 2**256
Matrix = tuple[tuple[Fraction, ...], ...]

TOKENS = Stream(("a", "b", "c"))
UNITS = Mlp(thresholds(TOKENS, TOKENS.names, N=4), exact(-np.ones((3, 3), dtype=int)))
"""The circuit's units, which here lower every coordinate of a constant prefix."""


@dataclass(frozen=True)
class TwoLayers:
    """Embeddings of a, b, c, and for each layer scores and values; all (3, 3)."""

    embedding: Matrix
    score_1: Matrix
    value_1: Matrix
    score_2: Matrix
    family: str = "two layers"

    def figures(self) -> Mapping[str, object]:
        parts = ("embedding", "score_1", "value_1", "score_2")
        return {p: [[str(x) for x in row] for row in getattr(self, p)] for p in parts}

    def weights(self, norm: bool = False, bent: bool = False) -> dict[str, Fraction]:
        """p_1, p_4, q_1, q_4, rounded so that a lead of position zero is a sure one."""
        pre = rms_norm(Fraction(1, 1000)) if norm else identity
        E = Fraction(3)
        first = Head(softmax_rows(exact(self.score_1), E), exact(self.value_1))
        second = Head(softmax_rows(exact(self.score_2), E), exact(self.value_1))
        mlp = UNITS if bent else None
        network = Decoder((Block((first,), mlp, pre=pre), Block((second,), pre=pre)))
        with ctx.workprec(BITS):
            start = balls(embed(exact(self.embedding), np.array([FIRST, SECOND])))
            rows = network.run(start).rows[1][0][:, 4]
            found = {
                f"{name}_{k}": ends(row[k - 1])
                for name, row in zip("pq", rows, strict=True)
                for k in (1, 4)
            }
        # Ends of tiny weights have thousands of digits: round them further, still outward.
        return {
            k: Fraction(floor(low * GRID), GRID)
            if k.endswith("1")
            else Fraction(ceil(high * GRID), GRID)
            for k, (low, high) in found.items()
        }


@st.composite
def two_layers(draw: st.DrawFn) -> TwoLayers:
    """Any small rational weights; half of them near the network that RMSNorm makes work."""

    def any_matrix(top: int = 2) -> Matrix:
        return tuple(draw(vectors(3, rationals(top, (1, 2)))) for _ in range(3))

    if not draw(st.booleans()):
        return TwoLayers(any_matrix(), any_matrix(), any_matrix(), any_matrix())
    g = draw(st.integers(1, 20))
    noise = any_matrix(1)
    unit: Matrix = tuple(tuple(Fraction(i == k) for k in range(3)) for i in range(3))
    flat: Matrix = tuple(tuple(Fraction(0) for _ in row) for row in unit)
    score = tuple(tuple(-g + x / 20 for x in row) for row in noise)
    return TwoLayers(unit, flat, unit, score)


def judge(layers: TwoLayers) -> Panel:
    """Without a nonlinearity, with RMSNorm, and with ReLU units between the layers."""
    return {
        STATEMENT.name: judged(STATEMENT, layers.weights()),
        NORMED.name: judged(NORMED, layers.weights(norm=True)),
        BENT.name: judged(BENT, layers.weights(bent=True)),
    }


@evidence("nonlinearity_needed", kind="searched")
def no_linear_pair_prefers_position_zero(run: Run) -> Outcome:
    """No two linear layers lead on both sequences; some with RMSNorm or with ReLU do."""
    records = search(two_layers(), judge, tries=run.scale(150, 250, 3000), start=run.seed)
    return outcome(records, STATEMENT.name, (NORMED.name, BENT.name))
