"""``sinkproof mechanisms`` and ``sinkproof sweep`` as a user meets them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from constructions.relu_zero_error import relu_zero_error
from empirics import command_line
from empirics.mechanisms import ROWS, Own, own_row
from empirics.mechanisms.showing import print_table
from theorems.attention import MECHANISMS


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sinkproof", *arguments])
        with pytest.raises(SystemExit) as stopped:
            command_line.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


def test_the_table_for_people(run) -> None:
    code, out, _ = run("mechanisms")
    assert code == 0
    for word in ("softmax-off-by-one", "sigmoid, undivided", "no solution", "one_layer_sink"):
        assert word in out


def test_the_table_for_machines(run, tmp_path: Path) -> None:
    code, out, _ = run("mechanisms", "--json", "--out", str(tmp_path / "table.json"))
    found = json.loads(out)
    assert code == 0
    assert found["subject"] == "mechanisms"
    rows = found["figures"]["rows"]
    assert [row["name"] for row in rows] == [row.name for row in ROWS]
    assert all(row["evidence"] for row in rows), "every row cites evidence"
    assert json.loads((tmp_path / "table.json").read_text("utf-8")) == found


def test_a_row_of_ones_own_stands_under_the_others() -> None:
    text = io.StringIO()
    row = own_row(Own(MECHANISMS["relu"], relu_zero_error))
    print_table(Console(file=text, width=140), own=[row])
    assert "not by Theorem 1" in text.getvalue()


def test_sweeps_are_listed(run, tmp_path: Path) -> None:
    code, out, _ = run("sweep", "list", "heads", "--out", str(tmp_path))
    assert code == 0
    assert len(out.splitlines()) == 2 * (4 + 8)
    assert "4x4 softmax 0 1" in out


def test_a_mistake_is_one_sentence(run, tmp_path: Path) -> None:
    code, out, err = run("sweep", "run", "tiny", "--out", str(tmp_path))
    assert (code, out) == (2, "")
    assert err == "sinkproof: unknown part 'tiny': choose among price, heads, small, large\n"
    code, _, err = run("sweep", "run", "price", "--out", str(tmp_path), "--backend", "dask")
    assert code == 2
    assert "--address" in err
