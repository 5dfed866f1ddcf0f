"""The benchmark compares like with like: the same models on the same inputs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import torch

from empirics.falsifier.claim import named
from empirics.falsifier.closed_form import PairModels
from empirics.falsifier.corpus import TWO

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "falsifier.py"


def test_both_see_the_same_error_and_mass() -> None:
    spec = importlib.util.spec_from_file_location("falsifier_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    claim = named("one_layer_sink").changed(mechanism="bilinear", contents=TWO, lengths=(4,))
    fast, plain = PairModels(claim, 4), bench.Plain(4)
    parameters = fast.start(np.random.default_rng(1), 30)
    parameters[0] = parameters[0].clamp(-3, 3)
    for ours, theirs in zip(fast.forward(parameters), plain.forward(parameters), strict=True):
        torch.testing.assert_close(ours.amax(dim=0), theirs.amax(dim=0), rtol=1e-9, atol=1e-9)
