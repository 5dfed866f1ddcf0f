"""The benchmark compares like with like: its plain loop is the same task and the same model."""

import importlib.util
from pathlib import Path

import pytest
import torch

from empirics.training import TrainConfig, Weights, forward
from empirics.training.threads import limited_threads

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "training.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("training_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_plain_examples_are_the_tasks(bench):
    config = TrainConfig(length=6, content_dim=2)
    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        x, y = bench.plain_example(config, generator)
        trigger = int(x[:, 1].argmax()) + 1
        assert torch.equal(config.task.tokens(x[1:, 3:], trigger), x)
        assert torch.allclose(config.task.targets(x), y, atol=1e-6)


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (2, 2)])
def test_plain_model_is_the_models_definition(bench, layers, heads):
    config = TrainConfig(layers=layers, heads=heads, length=6, content_dim=2, init_std=0.4)
    torch.manual_seed(0)
    plain = bench.PlainModel(config)
    stacks = (
        torch.stack([layer[name].weight.detach() for layer in plain.layers])[None]
        for name in ("W_Q", "W_K", "W_V", "W_O")
    )
    x, _ = bench.plain_example(config, torch.Generator().manual_seed(1))
    ours = forward(Weights(*stacks), x[None, None], config).outputs[0, 0]
    with torch.no_grad():
        theirs = plain(x[None])[0] - (x if config.residual else 0)
    assert torch.allclose(ours, theirs, atol=1e-5)


def test_rows_of_the_benchmark(bench):
    with limited_threads(1):
        rows = bench.compare(1, 1, rate=1e11, threads=1, quick=True)
    assert [row["seeds"] for row in rows] == [1, 32]
    assert all(row["share_of_bound"] > 0 for row in rows)
    assert bench.operations(TrainConfig()) == 9 * 2 * 128 * 16**3
