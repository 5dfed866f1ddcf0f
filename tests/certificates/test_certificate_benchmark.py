"""The benchmark's baselines are honest: they bound what they say, and relax what they say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from empirics.certificates import weights

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "certificates.py"
MODEL = SCRIPT.parent.parent / "results/certificates/one_layer_softmax/seed-0.safetensors"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("certificate_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["certificate_benchmark"] = module
    spec.loader.exec_module(module)
    return module


def test_mccormick_is_between_the_true_maximum_and_the_sum_of_entries(bench):
    rng = np.random.default_rng(0)
    for n in (1, 2, 4):
        x, y, C = rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, n))
        relaxed = bench.mccormick(0.5, x, y, C, 1.0)
        corners = 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1.0
        true = max(0.5 + x @ c + np.abs(y + C.T @ c).sum() for c in corners)
        everything = 0.5 + np.abs(x).sum() + np.abs(y).sum() + np.abs(C).sum()
        assert true - 1e-9 <= relaxed <= everything + 1e-9
        assert bench.mccormick(0.5, x, y, C, -1.0) == pytest.approx(
            1.0 - bench.mccormick(0.5, -x, -y, -C, 1.0)
        )


def test_interval_scores_enclose_scores(bench):
    layer = weights.read(MODEL).layers[0]
    scores = bench.interval_scores(layer, 2)
    rng = np.random.default_rng(1)
    for _ in range(100):
        x, k = np.zeros(16), np.zeros(16)
        x[2] = k[2] = 1.0
        x[3:], k[3:] = rng.choice([-1.0, 1.0], (2, 13))
        low, high = scores[2]
        assert low <= (layer.W_Q @ x) @ (layer.W_K @ k) <= high


def test_a_run_meets_its_figures(bench, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["certificates.py", "--models", "1", "--json"])
    assert bench.main() == 0
    assert '"status": "met"' in capsys.readouterr().out
