"""The statements on position zero as Hypothesis tests that follow the loaded profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from empirics.search import (
    causal_asymmetry,
    first_layer,
    nonlinearity_needed,
    norm_stability,
    p0_circuit,
)
from empirics.search.engine import Verdict
from empirics.search.judged import judged
from theorems.p0_circuit import SPIKE

pytestmark = pytest.mark.search


def holds(panel: Mapping[str, Verdict], example: Any) -> None:
    """No true statement of the panel fails."""
    for name, verdict in panel.items():
        assert verdict.planted or verdict.holds, (name, verdict.figures, example.figures())


@given(causal_asymmetry.mixtures())
def test_mixing_identity(m: causal_asymmetry.Mixture) -> None:
    holds(causal_asymmetry.judge_mixture(m), m)


@given(causal_asymmetry.cone_cases())
def test_cone_model(case: causal_asymmetry.ConeCase) -> None:
    holds(causal_asymmetry.judge_cone(case), case)


@given(norm_stability.cases())
def test_turns(case: norm_stability.Case) -> None:
    holds(norm_stability.judge(case), case)


@given(first_layer.layers())
def test_first_layer(layer: first_layer.Layer) -> None:
    holds(first_layer.judge_layer(layer), layer)


@given(first_layer.relatives())
def test_constant_sequence(case: first_layer.Relative) -> None:
    holds(first_layer.judge_relative(case), case)


@given(p0_circuit.sequences())
def test_circuit(sequence: p0_circuit.Sequence) -> None:
    holds(p0_circuit.judge(sequence), sequence)


@given(nonlinearity_needed.two_layers())
def test_two_linear_layers(layers: nonlinearity_needed.TwoLayers) -> None:
    holds(nonlinearity_needed.judge(layers), layers)


def test_a_false_verdict_would_fail() -> None:
    false = judged(SPIKE, {"i": 1, "N": 2, "G": 1, "s": 2, "constant": 1})
    assert false.applies
    with pytest.raises(AssertionError, match="spike"):
        holds({"spike": false}, p0_circuit.Sequence((0,), 2, 1, 1, 2))
