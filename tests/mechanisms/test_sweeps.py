"""Sweeps: the variants are what they say, runs resume bit for bit, finished work is not redone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from empirics.mechanisms import job_run, sweep
from empirics.mechanisms.collect import collect
from empirics.mechanisms.figures import figures, sinking
from empirics.mechanisms.jobs import PARTS, Job, of_parts
from empirics.mechanisms.summary import summary
from empirics.mechanisms.variant_run import VariantRun, look_at
from empirics.mechanisms.variants import (
    VARIANTS,
    fast_softmax,
    fast_softmax_with_sink,
    forward,
    shapes,
    start,
    unpack,
)
from empirics.training import TrainConfig, train
from empirics.training.data import Stream, generators_for
from empirics.training.model import MATRICES, Weights
from empirics.training.model import forward as definition
from theorems.attention import softmax, softmax_with_sink
from theorems.errors import UserError

SMALL = TrainConfig(length=5, content_dim=2, batch=8, seeds=(0, 1, 2), max_steps=30)
STACK = replace(SMALL, layers=2, heads=2, residual=True, lr=1e-3)


def parameters(name: str, config: TrainConfig):
    theta = start(VARIANTS[name], config, generators_for(config.seeds))
    return unpack(theta.double() * 20, VARIANTS[name], config)


def tokens(config: TrainConfig):
    return Stream(config, generators_for(config.seeds), dtype=torch.float64).draw().tokens


@pytest.mark.parametrize("config", [SMALL, STACK], ids=["one layer", "2x2"])
def test_plain_softmax_is_the_trainers_model(config) -> None:
    found = parameters("softmax", config)
    done = forward(VARIANTS["softmax"], found, tokens(config), config)
    same = definition(Weights(*(found[m] for m in MATRICES)), tokens(config), config)
    assert torch.allclose(done.outputs, same.outputs, rtol=0, atol=1e-12)
    assert torch.allclose(done.rows, same.rows, rtol=0, atol=1e-14)
    assert done.closely is None


def test_fast_rows_are_those_of_the_definitions() -> None:
    logits = torch.randn(3, 4, 2, 6, 6, generator=torch.Generator().manual_seed(1)).double() * 9
    sinks = torch.tensor([[-2.0, 3.0]], dtype=torch.float64)
    fast, slow = fast_softmax(logits), softmax(logits)
    assert torch.allclose(fast, slow, rtol=0, atol=1e-15)
    fast, slow = fast_softmax_with_sink(logits, sinks), softmax_with_sink(logits, sinks)
    assert torch.allclose(fast, slow, rtol=0, atol=1e-15)


def test_variants_start_from_the_trainers_matrices() -> None:
    plain = start(VARIANTS["softmax"], SMALL, generators_for(SMALL.seeds))
    for name, variant in VARIANTS.items():
        theta = start(variant, SMALL, generators_for(SMALL.seeds))
        assert torch.equal(theta[..., : plain.shape[-1]], plain), name
        assert set(shapes(variant, SMALL)) >= set(MATRICES)


@pytest.mark.parametrize("config", [SMALL, STACK], ids=["one layer", "2x2"])
def test_neutral_additions_change_nothing(config) -> None:
    plain = parameters("softmax", config)
    x = tokens(config)
    want = forward(VARIANTS["softmax"], plain, x, config).outputs
    layers, H, d = config.layers, config.heads, config.width
    far = torch.full((3, layers, H), -800.0, dtype=torch.float64)
    sunk = forward(VARIANTS["sink_logit"], plain | {"sink": far}, x, config)
    assert torch.allclose(sunk.outputs, want, atol=1e-12)
    wide = torch.full((3, layers, H * d), 800.0, dtype=torch.float64)
    assert torch.allclose(
        forward(VARIANTS["fixed_gate"], plain | {"g": wide}, x, config).outputs, want, atol=1e-12
    )
    shut = parameters("gate", config) | {"G": torch.zeros(3, layers, H * d, d).double()}
    half = forward(VARIANTS["gate"], shut, x, config, closely=True).closely
    assert bool((half.open == 0.5).all())
    whole = forward(VARIANTS["softmax"], plain, x, config, closely=True).closely
    assert bool((whole.open == 1).all())
    if config.layers == 1:
        assert torch.allclose(half.bos_writes * 2, whole.bos_writes, atol=1e-12)


def test_a_gate_reads_the_token_and_a_fixed_one_does_not() -> None:
    x = tokens(SMALL)
    token, fixed = (
        forward(VARIANTS[name], parameters(name, SMALL), x, SMALL, closely=True).closely
        for name in ("gate", "fixed_gate")
    )
    assert float(token.open[0, 0].std()) > 0
    assert float(fixed.open[0, 0].std()) < 1e-12


def test_what_bos_writes_is_what_its_removal_takes_away() -> None:
    found, x = parameters("gate", SMALL), tokens(SMALL)
    done = forward(VARIANTS["gate"], found, x, SMALL, closely=True)
    silent = found | {"W_V": found["W_V"].clone()}
    silent["W_V"][..., 0] = 0.0  # BOS is the only token with this flag
    without = forward(VARIANTS["gate"], silent, x, SMALL)
    taken = (done.outputs - without.outputs).abs().amax(dim=-1)
    assert torch.allclose(done.closely.bos_writes[:, 0, :, 0], taken, atol=1e-12)


def test_off_by_one_rows_sum_to_less_than_one() -> None:
    name = "softmax_off_by_one"
    done = forward(VARIANTS[name], parameters(name, SMALL), tokens(SMALL), SMALL)
    assert bool((done.rows.sum(dim=-1) < 1).all())


def test_autograd_trains_as_the_fused_step_does() -> None:
    run = VariantRun(VARIANTS["softmax"], SMALL).train()
    fused = train(SMALL)
    slow = unpack(run.theta, VARIANTS["softmax"], SMALL)
    for name in MATRICES:
        assert torch.allclose(slow[name], getattr(fused.weights, name), atol=1e-4), name
    assert run.steps == fused.steps
    assert run.error == pytest.approx(fused.error, abs=1e-4)


@pytest.mark.parametrize("name", ["gate", "sink_logit", "mlp", "fixed_gate"])
def test_every_parameter_of_a_variant_learns(name: str) -> None:
    before = start(VARIANTS[name], SMALL, generators_for(SMALL.seeds))
    after = VariantRun(VARIANTS[name], SMALL).train().theta
    first, last = (unpack(t, VARIANTS[name], SMALL) for t in (before, after))
    for part in shapes(VARIANTS[name], SMALL):
        assert not torch.equal(first[part], last[part]), part


def test_models_that_are_good_enough_stop_and_the_others_go_on() -> None:
    loose = replace(SMALL, tolerance=0.5, max_steps=300, lr=1e-2)
    done = VariantRun(VARIANTS["softmax"], loose).train()
    fused = train(loose)
    assert done.steps == fused.steps
    assert done.converged == fused.converged
    assert len(set(done.steps)) > 1


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    whole = VariantRun(VARIANTS["gate"], SMALL).train()
    path = tmp_path / "c.safetensors"

    def stop(step: int, *_: object) -> None:
        if step == 20:
            raise job_run.Stopped

    with pytest.raises(job_run.Stopped):
        VariantRun(VARIANTS["gate"], SMALL, path).train(stop, every=10)
    again = VariantRun(VARIANTS["gate"], SMALL, path)
    assert again.step == 20
    assert torch.equal(again.train().theta, whole.theta)


JOBS = [
    Job("softmax", "1x1", "softmax", SMALL),
    Job("gate", "1x1", "gate", replace(SMALL, seeds=(0, 1))),
    Job("gate", "1x1", "gate", replace(SMALL, seeds=(2,))),
]


def test_finished_jobs_are_not_run_again(tmp_path: Path) -> None:
    first = list(sweep.sweep(JOBS[:2], tmp_path))
    assert [line["key"] for line in first] == ["softmax", "gate"]
    second = list(sweep.sweep(JOBS, tmp_path))
    assert [line["hash"] for line in second] == [JOBS[2].hash]
    assert len(sweep.finished(tmp_path)) == 3


def test_a_line_cut_short_is_run_again(tmp_path: Path) -> None:
    list(sweep.sweep(JOBS[1:], tmp_path))
    lines = tmp_path / "lines.jsonl"
    kept = lines.read_bytes()
    lines.write_bytes(kept[:-40])
    assert len(sweep.finished(tmp_path)) == 1
    again = list(sweep.sweep(JOBS[1:], tmp_path))
    assert [line["hash"] for line in again] == [JOBS[2].hash]
    assert len(sweep.finished(tmp_path)) == 2
    assert again[0]["models"] == json.loads(kept.splitlines()[-1])["models"]


@pytest.mark.parametrize("which", [0, 1], ids=["fused", "variant"])
def test_stop_and_resume_give_the_same_models(tmp_path: Path, which: int, monkeypatch) -> None:
    monkeypatch.setattr(job_run, "CHECKPOINT", 10)
    job = JOBS[which]
    whole = job_run.run_job(job, tmp_path / "whole")
    folder = tmp_path / "part"
    seen = 0

    class Stop:
        def exists(self) -> bool:
            nonlocal seen
            seen += 1
            return seen == 4

    monkeypatch.setattr(Path, "exists", _unless_stop(Path.exists, Stop()))
    with pytest.raises(job_run.Stopped):
        job_run.run_job(job, folder)
    assert (folder / job.hash).is_dir()
    again = job_run.run_job(job, folder)
    assert again["models"] == whole["models"]


def _unless_stop(exists, stop):
    return lambda path: stop.exists() if path.name == "STOP" else exists(path)


def test_the_stop_file_ends_a_sweep_without_an_error(tmp_path: Path) -> None:
    found = []
    for line in sweep.sweep(JOBS, tmp_path):
        found.append(line["hash"])
        (tmp_path / "STOP").touch()
    assert found == [JOBS[0].hash]


def test_collect_writes_one_file_for_each_mechanism(tmp_path: Path) -> None:
    mine = [replace(job, key=f"my_{job.key}") for job in JOBS]
    list(sweep.sweep([*mine, replace(JOBS[0], config=replace(SMALL, lr=0.5))], tmp_path / "runs"))
    paths = collect(tmp_path / "runs", tmp_path / "results")
    assert [p.name for p in paths] == ["my_gate-1x1.json", "my_softmax-1x1.json"]
    gate = json.loads(paths[0].read_text("utf-8"))
    assert gate["seeds"] == [0, 1, 2]
    assert gate["summary"]["models"] == 3
    assert gate["versions"]["torch"] == torch.__version__
    assert gate["config"]["length"] == 5


def test_hashes_tell_runs_apart_and_ignore_threads() -> None:
    jobs = of_parts(list(PARTS))
    assert len({job.hash for job in jobs}) == len(jobs)
    assert {job.hash for job in of_parts(["heads"])} < {
        j.hash for j in of_parts(["small", "large"])
    }
    job = jobs[0]
    assert replace(job, config=replace(job.config, threads=2)).hash == job.hash
    assert replace(job, config=replace(job.config, length=8)).hash != job.hash


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(UserError, match="choose among price, heads, small, large"):
        of_parts(["tiny"])


def test_workers_side_by_side_give_the_same_models(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    list(sweep.sweep(JOBS, tmp_path / "one"))
    assert len(list(sweep.sweep(JOBS, tmp_path / "two", workers=2))) == 3
    one, two = (sweep.finished(tmp_path / name) for name in ("one", "two"))
    assert {h: line["models"] for h, line in one.items()} == {
        h: line["models"] for h, line in two.items()
    }


@pytest.mark.filterwarnings("ignore")  # those of the cluster's own start and end
def test_a_dask_cluster_gives_the_same_models(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    list(sweep.sweep(JOBS[:1], tmp_path / "one"))
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        list(sweep.sweep(JOBS[:1], tmp_path / "two", backend="dask", address=address))
    one, two = (sweep.finished(tmp_path / name) for name in ("one", "two"))
    assert one[JOBS[0].hash]["models"] == two[JOBS[0].hash]["models"]


def test_dask_needs_an_address(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--address"):
        list(sweep.sweep(JOBS, tmp_path, backend="dask"))


def test_figures_by_hand() -> None:
    config = replace(SMALL, seeds=(0,), batch=4)
    batch = Stream(config, generators_for((0,)), dtype=torch.float64).draw()
    x = batch.tokens[0]
    rows = torch.zeros(1, 4, 1, 5, 5, dtype=torch.float64)
    rows[..., 0] = 1.0
    found = figures(rows, x, torch.zeros_like(x))
    assert found["bos"] == found["least"] == found["most"] == found["trigger"] == [[1.0]]
    assert found["columns"] == [[[1.0, 0.0, 0.0, 0.0]]]
    assert found["itself"] == found["on_trigger"] == [[0.0]]
    assert sinking(found) == [1]
    rows = torch.eye(5, dtype=torch.float64).expand(1, 4, 1, 5, 5)
    found = figures(rows, x, torch.zeros_like(x), torch.full((1, 4, 1, 5), 0.5))
    assert found["bos"] == [[0.0]]
    assert found["itself"] == found["total"] == [[1.0]]
    assert sinking(found) == [0]


def test_summary_counts_sinking_heads_by_layer() -> None:
    base = {"converged": True, "steps": 10, "error": 0.1, "total": [[1.0, 1.0]]}
    models = [
        base | {"seed": 0, "bos": [[0.95, 0.1], [0.2, 0.3]], "through": [[0.5, 0.1], [0.2, 0.3]]},
        base | {"seed": 1, "bos": [[0.95, 0.91], [0.2, 0.99]], "through": [[0.5, 0.1], [0.2, 0.3]]},
    ]
    found = summary(models)
    assert found["sinking_heads"] == [[0, 1, 1], [1, 1, 0]]
    assert found["share_of_heads"] == 4 / 8
    assert found["models_with_a_sink"] == 2
    assert found["bos"] == {"least": 0.1, "median": 0.605, "most": 0.99}


def test_looking_at_a_variant_uses_fresh_sequences() -> None:
    run = VariantRun(VARIANTS["gate"], SMALL).train()
    _, seen, error = look_at(VARIANTS["gate"], SMALL, run.theta[:, :, :1], 0, 16)
    assert seen.shape == error.shape == (1, 16, 5, 5)
