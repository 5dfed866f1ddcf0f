"""``sinkproof measure`` on a tiny saved model: tables, JSON, figures, mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from empirics import command_line
from empirics.probes.loading import load
from tests.probes.families import make
from tests.probes.test_reported_problems import TEXT, tokenizer
from theorems.errors import UserError

IDS = ",".join(str(i) for i in range(3, 40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved Llama with a word tokenizer that puts BOS in front."""
    path = tmp_path_factory.mktemp("models") / "tiny"
    make("llama").save_pretrained(path)
    tokenizer("<s>", adds=True).save_pretrained(path)
    return path


def run(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["sinkproof", "measure", *words])
    with pytest.raises(SystemExit) as stopped:
        command_line.main()
    shown = capsys.readouterr()
    return int(stopped.value.code or 0), shown.out, shown.err


def test_tables_name_every_metric_with_its_definition(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from empirics.probes.figures import DEFINITIONS

    code, out, _ = run([str(folder), "--ids", IDS], monkeypatch, capsys)
    assert code == 0
    for name in DEFINITIONS:
        assert name in out
    assert "importance if uniform" in out
    assert "by layer" in out


def test_json_is_one_object(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run([str(folder), "--ids", IDS, "--json"], monkeypatch, capsys)
    shown = json.loads(out)
    assert code == 0
    assert {"subject", "status", "figures", "definitions", "settings", "versions"} <= set(shown)
    assert shown["subject"] == "tiny"
    assert shown["versions"]["transformers"]
    assert len(shown["figures"]["sink_rate"]["0.3"]) == 37


def test_text_bos_json_file_and_figures(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text, to, pictures = tmp_path / "text", tmp_path / "out.json", tmp_path / "pictures"
    text.write_text(TEXT)
    given = [str(folder), "--text", str(text), "--length", "16", "--json", str(to)]
    code, out, _ = run([*given, "--plot", str(pictures)], monkeypatch, capsys)
    assert (code, out) == (0, "")
    kept = json.loads(to.read_text())["settings"]
    assert kept["prompts"] == [16, 16]
    assert "<s>" in kept["bos"]
    names = {"sink_mass.png", "norms.png", "massive_activations.png"}
    assert {p.name for p in pictures.iterdir()} == names
    assert all(p.stat().st_size > 5000 for p in pictures.iterdir())
    code, _, _ = run([*given, "--bos", "drop"], monkeypatch, capsys)
    assert "nothing in front" in json.loads(to.read_text())["settings"]["bos"]


def mistakes(folder: Path) -> list[tuple[list[str], str]]:
    return [
        ([str(folder / "none")], "neither a folder of a model nor a GGUF file"),
        ([str(folder.parent)], "has no config.json"),
        ([str(folder), "--ids", "1,2,999"], "999 is not a token"),
        ([str(folder), "--ids", "3,4,5"], "prompt of 3 tokens"),
        ([str(folder), "--ids", IDS, "--bos", "add"], "ids are taken as they are"),
        ([str(folder), "--ids", IDS, "--text", str(folder / "config.json")], "either --text or"),
        ([str(folder), "--length", "1"], "leaves no room"),
        ([str(folder), "--text", str(folder / "none")], "there is no text"),
        ([str(folder), "--text", str(folder / "model.safetensors")], "not text in UTF-8"),
    ]


@pytest.mark.parametrize("number", range(9))
def test_mistakes_are_one_sentence(
    number: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, sentence = mistakes(folder)[number]
    code, out, err = run(words, monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert sentence in err


def test_missing_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    """A model that is partly random would give figures all the same."""
    from safetensors.torch import load_file, save_file

    weights: dict[str, Any] = load_file(folder / "model.safetensors")
    weights.pop("model.layers.1.self_attn.q_proj.weight")
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    (tmp_path / "config.json").write_text((folder / "config.json").read_text())
    with pytest.raises(UserError, match=r"lacks 1 weights .*q_proj"):
        load(tmp_path)


def test_damaged_and_pickled_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text((folder / "config.json").read_text())
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(UserError, match="no safetensors"):
        load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(UserError, match="cannot load"):
        load(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "no_such_model"}')
    with pytest.raises(UserError, match="cannot load"):
        load(tmp_path)
