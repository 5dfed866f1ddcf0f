"""Each guard trips, with one sentence that names the fault, and writes nothing."""

import json
from dataclasses import replace

import pytest

from empirics.training import TrainConfig, UserError, load_weights, train
from empirics.training.command import train_command
from empirics.training.stored import store

TINY = TrainConfig(length=4, content_dim=1, batch=4, max_steps=3, seeds=(0, 1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"attention": "cosine"}, "unknown attention 'cosine': choose one of softmax, relu"),
        ({"attention": "weights"}, "unknown attention"),
        ({"layers": 0}, "layers = 0"),
        ({"heads": -1}, "heads = -1"),
        ({"length": 3}, "length = 3 is too small: it must be an integer >= 4"),
        ({"content_dim": -1}, "content_dim = -1"),
        ({"batch": 0}, "batch = 0"),
        ({"batch": 1.5}, "batch = 1.5"),
        ({"max_steps": -1}, "max_steps = -1"),
        ({"threads": 0}, "threads = 0"),
        ({"seeds": ()}, "no seeds"),
        ({"seeds": (1, 1)}, "distinct"),
        ({"seeds": (-1,)}, "non-negative"),
        ({"lr": 0.0}, "lr = 0.0"),
        ({"lr": float("nan")}, "lr = nan"),
        ({"tolerance": float("inf")}, "tolerance = inf"),
        ({"betas": (0.9, 1.0)}, "betas"),
        ({"betas": (0.9,)}, "betas"),
        ({"bos": False, "bos_penalty": 1.0}, "bos_penalty"),
        ({"bos_penalty": float("nan")}, "bos_penalty"),
    ],
    ids=str,
)
def test_configuration(change, words):
    with pytest.raises(UserError, match=words):
        replace(TINY, **change)


def test_defaults_follow_the_paper_by_depth():
    one, two, plain = (
        TrainConfig(layers=n, residual=r) for n, r in ((1, None), (2, None), (2, False))
    )
    assert (one.residual, one.lr) == (False, 1e-3)
    assert (two.residual, two.lr) == (True, 1e-4)
    assert (plain.residual, plain.lr) == (False, 1e-3)


def test_configuration_round_trip():
    assert TrainConfig.from_dict(json.loads(json.dumps(TINY.as_dict()))) == TINY
    with pytest.raises(UserError, match="unknown"):
        TrainConfig.from_dict({"colour": 1})
    with pytest.raises(UserError, match="damaged"):
        TrainConfig.from_dict({"seeds": 3})


@pytest.fixture
def run(tmp_path):
    train(TINY, out=tmp_path / "run")
    return tmp_path / "run"


def contents(folder):
    return {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_an_occupied_folder_is_left_alone(run):
    before = contents(run)
    with pytest.raises(UserError, match="already holds"):
        train(TINY, out=run)
    assert contents(run) == before


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UserError, match=r"already holds|cannot write"):
            train(TINY, out=path)


def test_a_folder_that_cannot_be_made():
    with pytest.raises(UserError, match="cannot write to /proc/sinkproof"):
        train(TINY, out="/proc/sinkproof")


def test_nothing_to_resume(tmp_path):
    with pytest.raises(UserError, match="no run to resume"):
        train(TINY, out=tmp_path / "none", resume=True)
    assert not (tmp_path / "none").exists()


def test_a_run_of_another_configuration(run):
    before = contents(run)
    with pytest.raises(UserError, match="another batch, lr"):
        train(replace(TINY, batch=5, lr=0.1), out=run, resume=True)
    assert contents(run) == before


def test_more_steps_or_threads_are_the_same_run(run):
    resumed = train(replace(TINY, max_steps=5, threads=2), out=run, resume=True)
    assert resumed.steps == (5, 5)


def damage_end(data):
    return data[:-3]


def damage_value(data):
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


def damage_all(data):
    return b"not a checkpoint"


@pytest.mark.parametrize("damage", [damage_end, damage_value, damage_all])
def test_a_damaged_checkpoint(run, damage):
    path = run / "checkpoint.safetensors"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(UserError, match=r"checkpoint\.safetensors is damaged"):
        train(replace(TINY, max_steps=9), out=run, resume=True)


def test_a_checkpoint_from_elsewhere(run, tmp_path):
    train(replace(TINY, seeds=(5, 6)), out=tmp_path / "other")
    (run / "checkpoint.safetensors").write_bytes(
        (tmp_path / "other" / "checkpoint.safetensors").read_bytes()
    )
    with pytest.raises(UserError, match="another configuration"):
        train(TINY, out=run, resume=True)


def test_weights_in_the_place_of_a_checkpoint(run):
    path = run / "checkpoint.safetensors"
    path.write_bytes((run / "weights" / "seed-0.safetensors").read_bytes())
    with pytest.raises(UserError, match="damaged"):
        train(TINY, out=run, resume=True)


def test_a_checkpoint_in_the_place_of_weights(run):
    with pytest.raises(UserError, match="not a model trained here"):
        load_weights(run / "checkpoint.safetensors")


def test_a_damaged_run_file(run):
    (run / "run.json").write_text("{")
    with pytest.raises(UserError, match="damaged"):
        train(TINY, out=run, resume=True)


def test_missing_weights(tmp_path):
    with pytest.raises(UserError, match="unreadable"):
        load_weights(tmp_path / "none.safetensors")


def test_storing_an_unfinished_run(tmp_path):
    with pytest.raises(UserError, match="no finished run"):
        store(tmp_path, "name", tmp_path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seeds": 0}, "at least one model"),
        ({"resume": True}, "without a folder"),
        ({"length": 3}, "length = 3"),
        ({"steps": -1}, "max_steps"),
    ],
    ids=str,
)
def test_command(options, words):
    with pytest.raises(UserError, match=words):
        train_command(**options)
