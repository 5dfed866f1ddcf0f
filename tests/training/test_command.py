"""The train command: a table for people, one JSON object for machines, files in a folder."""

import doctest
import json

import pytest

import empirics.training
from empirics.training import plain
from empirics.training.command import train_command

OPTIONS = {"length": 5, "content_dim": 1, "batch": 16, "steps": 30, "seeds": 2}


def test_json_is_all_there_is_on_standard_output(capsys):
    result = train_command(**OPTIONS, as_json=True)
    captured = capsys.readouterr()
    assert json.loads(captured.out) == json.loads(json.dumps(result))
    assert captured.err == ""
    assert set(result) == {"subject", "status", "figures", "settings", "versions"}
    assert result["status"] == "not converged"
    model = result["figures"]["models"][1]
    assert model["seed"] == 1
    assert len(model["fixed"]["mean"][0][0]) == 5


def test_table(capsys):
    train_command(**OPTIONS, attention="relu", layers=2, heads=2)
    out = capsys.readouterr().out
    assert "relu, 2 layer(s) × 2 head(s), with residual, L = 5, n = 1" in out
    assert "indicative" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_folder(tmp_path, capsys):
    train_command(**OPTIONS, out=tmp_path / "run", as_json=True)
    first = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "run" / "measurement.json").read_text()) == first
    assert {p.name for p in (tmp_path / "run").iterdir()} == {
        "run.json",
        "metrics.jsonl",
        "checkpoint.safetensors",
        "weights",
        "result.json",
        "measurement.json",
    }
    train_command(**OPTIONS, out=tmp_path / "run", resume=True, as_json=True)
    assert json.loads(capsys.readouterr().out) == first


@pytest.mark.parametrize("options", [{"steps": 0}, {"lr": 1e30, "steps": 20}], ids=str)
def test_json_stays_json_without_finite_figures(options, tmp_path, capsys):
    train_command(**{**OPTIONS, **options}, out=tmp_path / "run", as_json=True)

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    result = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert result["figures"]["models"][0]["steps"] < 20
    json.loads((tmp_path / "run" / "result.json").read_text(), parse_constant=refuse)
    for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=refuse)


@pytest.mark.parametrize("module", [empirics.training, plain])
def test_examples(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)
