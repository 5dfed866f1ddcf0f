"""Weight files: the paper code's names, nn.Linear's convention, metadata that say how to read."""

import json

import pytest
import torch
from safetensors import safe_open
from torch import nn

from empirics.training import TrainConfig, forward, load_weights, save_weights
from empirics.training.data import Stream, generators_for
from empirics.training.model import initial_weights

CONFIG = TrainConfig(layers=2, heads=3, length=6, content_dim=2, batch=5, seeds=(4,), init_std=0.5)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "model.safetensors"
    weights = initial_weights(CONFIG, generators_for(CONFIG.seeds))
    save_weights(path, weights, CONFIG, seed=4, steps=7)
    return path, weights


def test_names_shapes_and_metadata(saved):
    path, weights = saved
    with safe_open(path, framework="pt") as file:
        names, metadata = set(file.keys()), file.metadata()
        d, hidden = CONFIG.width, 3 * CONFIG.width
        assert file.get_tensor("layers.1.W_O.weight").shape == (d, hidden)
        assert file.get_tensor("layers.0.W_Q.weight").shape == (hidden, d)
        assert torch.equal(file.get_tensor("layers.1.W_V.weight"), weights.W_V[0, 1])
    assert names == {f"layers.{i}.W_{x}.weight" for i in (0, 1) for x in "QKVO"}
    assert metadata["layout"] == "ours"
    assert (metadata["attention"], metadata["length"], metadata["content_dim"]) == (
        "softmax",
        "6",
        "2",
    )
    assert (metadata["seed"], metadata["steps"]) == ("4", "7")
    assert metadata["torch"] == torch.__version__
    assert json.loads(metadata["config"])["heads"] == 3


def test_round_trip(saved):
    path, weights = saved
    again, config = load_weights(path)
    assert config == CONFIG
    assert torch.equal(again.flat(), weights.flat())


def test_forward_is_that_of_linear_modules(saved):
    path, weights = saved
    x = Stream(CONFIG, generators_for(CONFIG.seeds)).draw().tokens
    state, d, H = x[0], CONFIG.width, CONFIG.heads
    B, L, _ = state.shape
    hidden_keys = torch.ones(L, L).triu(1).bool()
    with safe_open(path, framework="pt") as file, torch.no_grad():
        for i in range(CONFIG.layers):
            linear = {}
            for name in ("W_Q", "W_K", "W_V", "W_O"):
                matrix = file.get_tensor(f"layers.{i}.{name}.weight")
                linear[name] = nn.Linear(matrix.shape[1], matrix.shape[0], bias=False)
                linear[name].weight.copy_(matrix)
            q, k, v = (
                linear[n](state).view(B, L, H, d).transpose(1, 2) for n in ("W_Q", "W_K", "W_V")
            )
            scores = (q @ k.transpose(-1, -2)).masked_fill(hidden_keys, -torch.inf)
            mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, L, H * d)
            state = state + linear["W_O"](mixed)
    outputs = forward(weights, x, CONFIG).outputs[0]
    assert torch.allclose(outputs, state - x[0], atol=1e-5)
