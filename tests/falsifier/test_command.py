"""``sinkproof falsify`` as a user meets it: exit codes, one sentence, files judged anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from empirics import command_line
from empirics.falsifier import tightness as found_tightness
from theorems import tightness

BELOW = "0.9*eta/(kappa - eta)"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sinkproof", "falsify", *arguments])
        with pytest.raises(SystemExit) as stopped:
            command_line.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


def test_refuted_then_replayed_then_tampered(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "witness.json"
    claim = ("one_layer_sink", "--bound", BELOW, "--length", "4")
    code, out, _ = run(*claim, "--json", "--out", str(file))
    assert code == 1
    shown = json.loads(out)
    assert shown == json.loads(file.read_text())
    assert shown["status"] == "refuted"
    assert {"models", "best_ratio", "seconds", "eta", "m"} <= set(shown["figures"])
    code, out, _ = run("--replay", str(file))
    assert code == 1
    assert f"refutes m ≤ {BELOW}" in out

    data = json.loads(file.read_text())
    for change in (
        lambda d: d["figures"].update(eta="1/1000"),
        lambda d: d["figures"].update(m="1/7"),
        lambda d: d["figures"].update(verdict="agrees"),
        lambda d: d["model"]["layers"][0][0]["tokens"].update(o0=["0", "7", "7"]),
        lambda d: d["model"]["layers"][0][0]["prefix"].update({"b o0": ["1/2", "1"]}),
        lambda d: d["model"].update(length=5),
        lambda d: d["model"].update(length="4"),
        lambda d: d["model"].update(layers=[]),
        lambda d: d["model"]["layers"][0][0]["tokens"].update(o0=["1/0"]),
        lambda d: d["claim"].update(bound="__import__('os')"),
        lambda d: d["claim"].update(kind="other"),
        lambda d: d["claim"].update(heads="1"),
        lambda d: d.pop("claim"),
        lambda d: d.pop("figures"),
        lambda d: d["claim"].update(mechanism="own: mine"),
    ):
        spoiled = json.loads(json.dumps(data))
        change(spoiled)
        other = tmp_path / "spoiled.json"
        other.write_text(json.dumps(spoiled))
        code, out, err = run("--replay", str(other))
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_a_file_that_is_no_counterexample_says_so(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "witness.json"
    run("one_layer_sink", "--bound", BELOW, "--length", "4", "--out", str(file))
    data = json.loads(file.read_text())
    data["claim"]["bound"] = "eta/(kappa - eta)"
    data["figures"]["verdict"] = "agrees"
    file.write_text(json.dumps(data))
    code, out, _ = run("--replay", str(file))
    assert code == 0
    assert "is no counterexample (agrees) to" in out


def test_not_refuted_is_zero_with_figures(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("anchor_needed", "--length", "4", "--budget", "1000")
    assert code == 0
    assert "not refuted" in out
    assert "models tried" in out
    assert "best ratio" in out


def test_claims_about_one_network(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "input.json"
    code, out, _ = run("relu_no_sink.by_position", "--out", str(file))
    assert code == 1
    assert "η = 1/6" in out
    assert run("--replay", str(file))[0] == 1
    data = json.loads(file.read_text())
    data["tokens"][1] = ["0", "1", "0"]
    file.write_text(json.dumps(data))
    assert run("--replay", str(file))[0] == 2
    code, out, _ = run("relu_no_sink", "--budget", "30")
    assert code == 0
    code, _, err = run("relu_no_sink", "--heads", "2")
    assert code == 2
    assert "only --bound can be changed" in err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("one_layer_sink", "--bound", "1.9*etta"),
        ("one_layer_sink", "--bound", "eta/0"),
        ("one_layer_sink", "--length", "2"),
        ("one_layer_sink", "--length", "3"),
        ("one_layer_sink", "--heads", "0"),
        ("one_layer_sink", "--layers", "0"),
        ("one_layer_sink", "--drop", "gravity"),
        ("one_layer_sink", "--drop", "length_4"),
        ("one_layer_sink", "--rows", "none"),
        ("one_layer_sink", "--mechanism", "magic"),
        ("one_layer_sink", "--contents", "a b"),
        ("one_layer_sink", "--contents", "1/0"),
        ("one_layer_sink", "--contents", "1,2 3"),
        ("one_layer_sink", "--eta-max", "eta"),
        ("one_layer_sink", "--budget", "0"),
        ("anchor_needed", "--heads", "2"),
        ("--replay", "/nonexistent/file.json"),
        ("--replay", "/"),
        ("--open-questions", "--plot", "x.png"),
    ],
)
def test_a_mistake_is_one_sentence(run, arguments: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("sinkproof: ")
    assert err.count("\n") == 1


def test_the_map_prints_what_the_results_say(tmp_path: Path) -> None:
    rows = [
        {
            "key": "k", "statement": "s", "L": 4, "eta_share": share, "eta": 0.01, "m": 0.1,
            "kind": "mass", "proven": 0.11, "says": "4*eta", "ratio": ratio, "gap": 1 - ratio,
            "models": 5, "witness": "w.json",
        }
        for share, ratio in (("1/10", 0.5), ("1/4", 0.875))
    ]  # fmt: skip
    (tmp_path / "tightness.json").write_text(json.dumps(found_tightness.table(rows)))
    text = "\n".join(tightness.section(tmp_path))
    assert "| s | m ≤ 4*eta | 4 | 1/10: 0.5000 (`w.json`), 1/4: 0.8750 (`w.json`) | 0.12 |" in text
    assert tightness.section(tmp_path / "nothing") == []
    found_tightness.draw(tmp_path / "figure.svg", found_tightness.table(rows))
    assert (tmp_path / "figure.svg").stat().st_size > 1000


def test_committed_witnesses_are_what_the_results_say() -> None:
    """A sample of the committed files, judged anew."""
    from empirics.falsifier.witness import read, replay

    files = sorted((tightness.FOLDER / "witnesses").glob("*.json"))
    assert files
    for file in files[:: max(1, len(files) // 8)]:
        replay(file, read(file))
