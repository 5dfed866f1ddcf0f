"""Runs are reproducible, stop seed by seed, and go on from a checkpoint bit for bit."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import torch

from empirics.training import TrainConfig, UserError, Weights, load_weights, train
from empirics.training.files import read_metrics
from empirics.training.loop import Training
from theorems.files import write_atomically
from theorems.sources import ROOT

SMALL = TrainConfig(
    attention="relu", length=5, content_dim=1, batch=32, seeds=(0, 1, 2), max_steps=1500, lr=5e-3
)


def same(first, second):
    equal = torch.equal(first.weights.flat(), second.weights.flat())
    return equal and first.steps == second.steps and first.error == second.error


@pytest.fixture(scope="module")
def straight():
    return train(SMALL, snapshots=(0, 100))


def test_models_stop_at_their_own_step(straight):
    assert all(straight.converged)
    assert len(set(straight.steps)) > 1
    assert all(e < SMALL.tolerance for e in straight.error)
    assert max(straight.steps) < SMALL.max_steps


def test_snapshots_hold_the_weights_on_the_way(straight):
    start = Training(SMALL).weights()
    assert torch.equal(straight.snapshots[0].W_Q, start.W_Q)
    assert not torch.equal(straight.snapshots[100].W_Q, start.W_Q)


def test_the_same_run_is_bit_equal(straight):
    assert same(train(SMALL), straight)


class HardStopError(Exception):
    """Stands for a hard stop of the machine."""


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_stopped_run_resumes_to_the_same_bits(tmp_path, straight, share):
    at = int(share * max(straight.steps))  # at the end some models have stopped

    def stop(step, active, models, error):
        if step >= at:
            raise HardStopError

    with pytest.raises(HardStopError):
        train(SMALL, out=tmp_path / "run", progress=stop, checkpoint_every=50, log_every=2)
    resumed = train(SMALL, out=tmp_path / "run", resume=True, checkpoint_every=50, log_every=2)
    assert same(resumed, straight)
    weights, config = load_weights(tmp_path / "run" / "weights" / "seed-2.safetensors")
    assert config == SMALL
    assert torch.equal(weights.W_O, straight.weights[2].W_O)
    steps = [line["step"] for line in read_metrics(tmp_path / "run" / "metrics.jsonl")]
    assert set(range(0, min(straight.steps), 2)) <= set(steps)


def test_a_killed_process_resumes_to_the_same_bits(tmp_path, straight):
    code = (
        "import json, sys, time; from empirics.training import TrainConfig, train; "
        "train(TrainConfig.from_dict(json.loads(sys.argv[1])), out=sys.argv[2], log_every=1, "
        "checkpoint_every=5, progress=lambda step, *_: time.sleep(60 if step >= 300 else 0))"
    )
    run = tmp_path / "run"
    command = [sys.executable, "-c", code, json.dumps(SMALL.as_dict()), str(run)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        deadline = time.monotonic() + 60
        while not (run / "checkpoint.safetensors").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert not (run / "result.json").exists()
    assert same(train(SMALL, out=run, resume=True), straight)
    list(read_metrics(run / "metrics.jsonl"))


def test_a_run_cut_by_its_steps_goes_on(tmp_path, straight):
    short = replace(SMALL, max_steps=130)
    assert not any(train(short, out=tmp_path / "run").converged)
    assert same(train(SMALL, out=tmp_path / "run", resume=True), straight)
    again = train(SMALL, out=tmp_path / "run", resume=True)
    assert same(again, straight)


def test_metrics_survive_a_line_cut_short(tmp_path):
    path = tmp_path / "run" / "metrics.jsonl"
    train(replace(SMALL, max_steps=50), out=tmp_path / "run", log_every=10)
    before = list(read_metrics(path))
    path.write_bytes(path.read_bytes()[:-20])
    assert list(read_metrics(path)) == before[:-1]
    train(replace(SMALL, max_steps=80), out=tmp_path / "run", resume=True, log_every=10)
    assert [line["step"] for line in read_metrics(path)] == [0, 10, 20, 30, 50, 60, 70]


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def fail(*paths):
        raise OSError("the machine stopped")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(UserError, match="the machine stopped"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_diverged_model_leaves_without_converging():
    run = train(replace(SMALL, lr=1e30, max_steps=20))
    assert not any(run.converged)
    assert max(run.steps) < 20


def test_a_run_may_start_from_given_weights(straight):
    again = train(replace(SMALL, max_steps=1), start=straight.weights)
    assert all(again.error[m] < 0.05 for m in range(3))
    with pytest.raises(UserError, match="needs"):
        train(replace(SMALL, layers=2), start=straight.weights)
    with pytest.raises(UserError, match="leave out the folder"):
        train(SMALL, start=straight.weights, out="unused")


def test_threads_are_put_back():
    before = torch.get_num_threads()
    train(replace(SMALL, max_steps=1, threads=before + 1))
    assert torch.get_num_threads() == before


def test_weights_select_models(straight):
    assert len(straight.weights) == 3
    assert isinstance(straight.weights[1], Weights)
    assert torch.equal(straight.weights[1].W_Q[0], straight.weights.W_Q[1])
    assert len(straight.weights[[0, 2]]) == 2
