"""The command line as a user meets it: output, exit codes, one sentence for a mistake."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from empirics import command_line
from theorems import evidence as evidence_module
from theorems.evidence import Evidence, Kind, Mode, NotRun, Outcome, Run, check


def passes(run: Run) -> Outcome:
    "Passing means that it passes."
    return check(True, "all well", answer=42)


def fails(run: Run) -> Outcome:
    "Passing means that it passes."
    return check(False, "not well")


def cannot(run: Run) -> Outcome:
    "Passing means that it passes."
    raise NotRun("no tool here")


def declared(*functions: object) -> list[Evidence]:
    return [
        Evidence("relu_no_sink", Kind.EXACT, "relu_no_sink", Mode.QUICK, f, settles=True)  # type: ignore[arg-type]
        for f in functions
    ]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> object:
    """Run the command with arguments; returns exit code, standard output and error."""

    def call(*arguments: str, items: list[Evidence] | None = None) -> tuple[int, str, str]:
        from empirics import doctor, verification

        if items is not None:
            for module in (verification, command_line, doctor, evidence_module):
                monkeypatch.setattr(module, "discover", lambda: items)
        monkeypatch.setattr(sys, "argv", ["sinkproof", *arguments])
        with pytest.raises(SystemExit) as stopped:
            command_line.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


def test_verify_prints_a_table_and_records(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("verify", "A4", "--ledger", str(tmp_path), items=declared(passes))
    assert code == 0
    assert "all well" in out
    assert "1 passed, 0 failed, 0 not run" in out
    assert [p.name for p in tmp_path.iterdir()] == ["relu_no_sink.exact.passes.json"]


def test_verify_json_is_one_object_of_the_agreed_shape(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "out.json"
    code, out, _ = run(
        "verify", "--json", "--no-record", "--out", str(file), items=declared(passes, cannot)
    )
    assert code == 0
    shown = json.loads(out)
    assert shown == json.loads(file.read_text())
    assert {"subject", "status", "figures", "settings", "versions", "environment"} <= set(shown)
    (claim,) = shown["claims"]
    assert (claim["id"], claim["papers"]) == ("relu_no_sink", ["A4"])
    assert {"kind", "status", "figure", "seconds"} <= set(claim["evidence"][0])
    assert {e["status"] for e in claim["evidence"]} == {"passed", "not-run"}


@pytest.mark.parametrize(
    ("functions", "flags", "code"),
    [
        ((passes,), (), 0),
        ((passes, fails), (), 1),
        ((passes, cannot), (), 0),
        ((passes, cannot), ("--strict",), 3),
        ((fails, cannot), ("--strict",), 1),
    ],
)
def test_exit_codes(run, functions, flags, code) -> None:  # type: ignore[no-untyped-def]
    assert run("verify", "--no-record", *flags, items=declared(*functions))[0] == code


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("verify", "nonsense"), "unknown claim 'nonsense'"),
        (("show", "A77"), "unknown claim 'A77'"),
        (("verify", "--kind", "wishful"), "Invalid value for '--kind'"),
        (("verify", "--seed", "-1"), "Invalid value for '--seed'"),
        (("verify", "heads_that_sink", "--kind", "kernel"), "no evidence of kind kernel"),
        (("frobnicate",), "No such command 'frobnicate'"),
        (("map", "--ledger", "/nowhere"), "no ledger entries in /nowhere"),
        (("list", "--ledger", "/nowhere"), "there is no ledger folder /nowhere"),
        (("list", "--json", "--out", "/tmp"), "is a folder: give the name of a file"),
        (("train", "--length", "3"), "length = 3 is too small"),
        (("train", "--seeds", "0"), "train at least one model"),
        (("train", "--seeds", "-2"), "train at least one model"),
        (("train", "--content-dim", "-1"), "content"),
        (("train", "--attention", "hard"), "unknown attention 'hard'"),
        (("train", "--seeds", "1", "--out", "/proc/nowhere"), "cannot write"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run, arguments, sentence) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert err.startswith("sinkproof: ")
    assert err.count("\n") == 1


def test_one_statement_is_verified_alone(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("verify", "one_layer_sink.linear", "--kind", "smt", "--no-record", "--json")
    (claim,) = json.loads(out)["claims"]
    assert code == 0
    assert claim["id"] == "one_layer_sink"
    assert {e["statement"] for e in claim["evidence"]} == {"one_layer_sink.linear"}


def test_one_statement_is_shown_alone(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("show", "one_layer_sink.linear", "--json")
    shown = json.loads(out)
    assert code == 0
    assert [s["name"] for s in shown["statements"]] == ["one_layer_sink.linear"]
    assert {e["statement"] for e in shown["evidence"]} == {"one_layer_sink.linear"}
    assert "softmax_after" not in run("show", "one_layer_sink.linear")[1]


def test_show_prints_statement_constants_and_difference(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("show", "one_layer_sink")
    assert code == 0
    for part in ("(1 − α)·(κ − η) ≤ η", "κ = (L − 3)/(4·L − 4)", "paper:", "ours:", "proof:"):
        assert part in out
    assert "OneLayer.v" in out or "not run" in out


def test_show_latex_and_json(run) -> None:  # type: ignore[no-untyped-def]
    assert r"\Rightarrow" in run("show", "A4", "--latex")[1]
    shown = json.loads(run("show", "A8", "--json")[1])
    assert [c["claim"] for c in shown["claims"]] == ["sink_price", "anchor_needed"]


def test_list_has_every_claim(run) -> None:  # type: ignore[no-untyped-def]
    rows = json.loads(run("list", "--json")[1])["claims"]
    assert {"one_layer_sink", "p0_circuit", "spike_gauge"} <= {row["claim"] for row in rows}


def test_doctor_and_version(run) -> None:  # type: ignore[no-untyped-def]
    assert "kinds" in json.loads(run("doctor", "--json")[1])
    assert run("--version")[1].startswith("sinkproof, version ")


def test_map_writes_checks_and_notices(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ledger, file = str(tmp_path / "ledger"), tmp_path / "map.md"
    items = declared(passes)
    run("verify", "--ledger", ledger, items=items)
    where = ("--ledger", ledger, "--file", str(file))
    assert run("map", "--check", *where, items=items)[0] == 2, "there is no map yet"
    assert run("map", *where, items=items)[0] == 0
    assert run("map", "--check", *where, items=items)[0] == 0
    file.write_text(file.read_text().replace("constructed (exact)", "proved (kernel)"))
    code, _, err = run("map", "--check", *where, items=items)
    assert code == 1
    assert "out of date" in err


def test_map_check_notices_an_orphan(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ledger, file = str(tmp_path / "ledger"), tmp_path / "map.md"
    run("verify", "--ledger", ledger, items=declared(passes, fails))
    where = ("--ledger", ledger, "--file", str(file))
    run("map", *where, items=declared(passes))
    code, _, err = run("map", "--check", *where, items=declared(passes))
    assert code == 1
    assert "no such evidence is declared" in err
