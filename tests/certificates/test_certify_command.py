"""``sinkproof certify`` as a user meets it."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from empirics import command_line
from tests.certificates.model_files import matrices, save, to_author
from theorems.sources import ROOT


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run the command with arguments; returns exit code, standard output and error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sinkproof", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            command_line.main()
        seen = capsys.readouterr()
        return int(left.value.code or 0), seen.out, seen.err

    return call


def test_certify_then_check(run, tmp_path: Path):
    model = save(tmp_path / "m.pt", to_author(matrices()))
    kept = tmp_path / "c.json"
    code, out, err = run("certify", model, "--length", 6, "--json", "--out", kept)
    assert (code, err) == (0, "")
    made = json.loads(out)
    assert made == json.loads(kept.read_text())
    assert {"subject", "status", "figures", "settings", "versions"} <= set(made)
    assert made["settings"]["layout"] == "author"
    assert made["settings"]["length"] == 6
    assert str(tmp_path) not in out
    code, out, err = run("certify", model, "--check", kept)
    assert (code, err) == (0, "")
    assert "for every input" in out


def test_table_and_metadata(run, tmp_path: Path):
    stated = {"layout": "ours", "attention": "relu", "length": "5"}
    model = save(tmp_path / "m.safetensors", matrices(2, "relu"), stated)
    code, out, err = run("certify", model)
    assert (code, err) == (0, "")
    assert "relu, L = 5" in out
    assert "layout ours" in out


def test_mistakes_are_one_sentence(run, tmp_path: Path):
    model = save(tmp_path / "m.safetensors", matrices())
    good = tmp_path / "c.json"
    assert run("certify", model, "--length", 5, "--out", good)[0] == 0
    other = save(tmp_path / "o.safetensors", matrices(3))
    (tmp_path / "text").write_text("no")
    wide = save(tmp_path / "wide.safetensors", matrices(17))
    cases = {
        "other weights": (1, ("certify", other, "--check", good)),
        "malformed": (1, ("certify", tmp_path / "text", "--check", good)),
        "not a JSON file": (2, ("certify", model, "--check", model)),
        "cannot read": (2, ("certify", model, "--check", tmp_path / "absent")),
        "cannot read ": (2, ("certify", tmp_path / "absent", "--check", good)),
        "neither a safetensors": (2, ("certify", tmp_path / "text")),
        "for L ≥ 4": (2, ("certify", model, "--length", 3)),
        "2^17 vertices": (2, ("certify", wide)),
    }
    for says, (expected, arguments) in cases.items():
        code, out, err = run(*arguments)
        assert (code, out) == (expected, ""), says
        assert says in err
        assert err.startswith("sinkproof: ")
        assert err.count("\n") == 1


def test_training_on_closes_the_gap_of_a_stored_model(run, tmp_path: Path):
    seed = ROOT / "results" / "certificates" / "one_layer_relu" / "seed-12.safetensors"
    code, out, err = run("certify", seed, "--train-on", tmp_path / "b.safetensors", "--json")
    assert code == 0
    assert "batch max error 0.004" in err
    made = json.loads(out)
    assert made["subject"] == "b.safetensors"
    assert all(Fraction(z) < 0 for z in made["figures"]["logits_at_most"].values())
    before = json.loads(run("certify", seed, "--json")[1])
    assert Fraction(before["figures"]["logits_at_most"]["bos"]) > 0


def test_what_cannot_be_trained_on_or_split_is_one_sentence(run, tmp_path: Path):
    layer = matrices()
    model = save(
        tmp_path / "m.safetensors",
        {f"layers.{i}.{k}": v.clone() for i in (0, 1) for k, v in layer.items()},
    )
    for says, more in (
        ("only one head without residual", ("--residual", "--train-on", tmp_path / "b")),
        ("only one layer", ("--train-on", tmp_path / "b")),
        ("do not divide", ("--heads", "2")),
        ("do not divide", ("--heads", "0")),
        ("softmax only", ("--attention", "relu")),
    ):
        code, out, err = run("certify", model, *more)
        assert (code, out) == (2, ""), says
        assert says in err
        assert err.count("\n") == 1


def test_worst_case_training_goes_on_after_the_stop(run, tmp_path: Path):
    """An ordinary run leaves a logit near 0 at some vertex; going on gives all a margin of 0.1."""
    options = ("train", "--attention", "relu", "--length", 6, "--content-dim", 2, "--seeds", 2)
    made = {}
    for name, more in (("plain", ()), ("worst", ("--worst-case",))):
        code, out, _ = run(*options, *more, "--out", tmp_path / name, "--json")
        assert code == 0
        made[name] = json.loads(out)
        assert made[name]["status"] == "converged"
        assert made[name]["settings"]["worst_case"] is (name == "worst")
    most = {}
    for name in made:
        models = [tmp_path / name / "weights" / f"seed-{seed}.safetensors" for seed in range(2)]
        logits = [
            json.loads(run("certify", m, "--json")[1])["figures"]["logits_at_most"] for m in models
        ]
        most[name] = max(Fraction(z) for found in logits for z in found.values())
    assert most["worst"] < Fraction(-1, 20) < most["plain"]
    code, out, err = run("train", "--worst-case", "--layers", 2, "--seeds", 1)
    assert (code, out) == (2, "")
    assert "one layer with one head" in err
