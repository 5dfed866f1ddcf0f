"""Measuring, on models whose attention is known in closed form."""

import math

import pytest
import torch

from empirics.training import TrainConfig, measure
from empirics.training.data import generators_for
from empirics.training.evidence_deep import depth, solution
from empirics.training.measure import sample, sink_floor
from empirics.training.model import initial_weights

ONE = TrainConfig(length=8, content_dim=2, seeds=(0,))


@pytest.mark.parametrize("K", [1.0, 3.0, 6.0])
def test_softmax_solution_has_its_closed_form(K):
    found = measure(ONE, solution(ONE, K), sequences=400, trigger=5)[0]
    E = math.exp(K)
    for i in range(2, 9):
        mean, std = found.fixed.mean[0][0][i - 1], found.fixed.std[0][0][i - 1]
        if i == 5:
            assert mean is std is None
        else:
            # K on BOS, nought on the i − 1 others.
            assert mean == pytest.approx(E / (E + i - 1), rel=1e-5)
            assert std == pytest.approx(0, abs=1e-6)
    L = ONE.length
    assert found.least_bos == pytest.approx(E / (E + L - 1), rel=1e-5)
    assert found.trigger_bos["most"] == pytest.approx(1 / E / (1 / E + 2), rel=1e-5)
    supremum = max((L - 2) / (E + L - 2), (L - 1) / (E + L - 1))
    assert 0.3 * supremum < found.error <= supremum
    if found.error < ONE.kappa:
        assert found.floor == pytest.approx(1 - found.error / (ONE.kappa - found.error))
        assert found.above_floor is not None
        assert found.above_floor == pytest.approx(found.least_bos - found.floor)
        assert found.above_floor > 0
    else:
        assert found.floor is None


def test_floor():
    assert sink_floor(0.1, 0.2) == 0
    assert sink_floor(0.2, 0.2) is None


def test_measuring_uses_other_sequences_than_training_and_repeats_itself():
    weights = solution(ONE, 2.0)
    first, second = (measure(ONE, weights, sequences=50)[0] for _ in range(2))
    assert first == second
    trained = sample(ONE, weights, 0, sequences=5).tokens
    other = sample(ONE, weights, 1, sequences=5).tokens
    assert not torch.equal(trained, other)


def test_no_bound_where_the_theorem_is_silent():
    for config in (
        TrainConfig(attention="relu", length=8, content_dim=2),
        TrainConfig(heads=2, length=8, content_dim=2),
        TrainConfig(layers=2, length=8, content_dim=2),
    ):
        weights = initial_weights(config, generators_for(config.seeds))
        assert measure(config, weights, sequences=20)[0].floor is None


def test_misuse():
    bare = TrainConfig(length=8, content_dim=2, bos=False)
    weights = solution(ONE, 2.0)
    with pytest.raises(ValueError, match="without BOS"):
        measure(bare, weights)
    with pytest.raises(ValueError, match="1 models but 2 seeds"):
        measure(ONE, weights, seeds=(0, 1))


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_composed_solution_sinks_in_its_first_layer(layers):
    config = TrainConfig(layers=layers, residual=False, length=8, content_dim=2)
    found = depth(config, solution(config, 6.0), 0, sequences=100)
    assert found.error < 0.1
    assert found.composed > 0.95
    assert found.layers[0] > 0.9
