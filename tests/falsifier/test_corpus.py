"""The corpus: what it holds, a subset of it in every run, resuming, and a table that can fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from empirics.falsifier import corpus_run
from empirics.falsifier.claim import HYPOTHESES, FalsifiableClaim
from empirics.falsifier.corpus import Variant, false_variants, true_variants, variants
from empirics.falsifier.corpus_run import attempt, read_lines, run, table
from empirics.falsifier.search import falsify
from tests.falsifier.holdouts import HOLDOUTS
from theorems.errors import UserError

FALSE, TRUE = list(false_variants()), list(true_variants())


def test_what_the_issue_asks_for_is_there() -> None:
    assert len(FALSE) >= 30
    assert len(TRUE) >= 15
    assert len({v.name for v in variants()}) == len(FALSE) + len(TRUE)
    searched = [v.claim for v in FALSE if isinstance(v.claim, FalsifiableClaim)]
    assert set().union(*(c.dropped for c in searched)) == set(HYPOTHESES)
    assert {3} <= {L for c in searched for L in c.lengths}


@pytest.mark.parametrize("variant", FALSE[4::5], ids=lambda v: v.name)
def test_a_subset_of_the_false_falls(variant: Variant) -> None:
    assert attempt(variant, seed=11)["refuted"]


@pytest.mark.parametrize("variant", TRUE[4::9], ids=lambda v: v.name)
def test_a_subset_of_the_true_stands(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_run, "TRUE_BUDGET", 40_000)
    assert not attempt(variant, seed=11)["refuted"]


@pytest.mark.full
@pytest.mark.parametrize("name", HOLDOUTS)
def test_holdouts_fall(name: str) -> None:
    assert sum(falsify(HOLDOUTS[name], seed=s, budget=3_000_000, small=False).refuted
               for s in range(3)) == 3  # fmt: skip


QUICK = [v for v in variants() if v.name.startswith("relu_no_sink.")]


def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, searched = tmp_path / "lines.jsonl", []

    def counted(variant: Variant, seed: int) -> dict:
        searched.append((variant.name, seed))
        if len(searched) == 3:
            raise KeyboardInterrupt
        return attempt(variant, seed)

    monkeypatch.setattr(corpus_run, "attempt", counted)
    with pytest.raises(KeyboardInterrupt):
        run(QUICK, seeds=2, workers=1, resume=file)
    assert len(read_lines(file)) == 2
    with file.open("a") as half:
        half.write('{"name": "cut sh')
    lines = run(QUICK, seeds=2, workers=1, resume=file)
    assert len(lines) == 2 * len(QUICK) == len(read_lines(file))
    assert len(searched) == 3 + 2 * len(QUICK) - 2
    assert table(lines, QUICK)["status"] == "required rates met"


def test_lines_of_other_sources_are_searched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lines.jsonl"
    run(QUICK[:1], seeds=1, workers=1, resume=file)
    monkeypatch.setattr(corpus_run, "source", lambda: "another")
    run(QUICK[:1], seeds=1, workers=1, resume=file)
    assert [line["source"] for line in read_lines(file)][1] == "another"


def test_a_spoiled_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("not json\n{}\n")
    with pytest.raises(UserError, match="line 1"):
        run(QUICK, workers=1, resume=file)


def test_the_table_says_when_a_rate_is_missed() -> None:
    lines = [attempt(v, seed) for v in QUICK for seed in range(2)]
    assert table(lines, QUICK)["figures"]["wrong"] == []
    missed = [{**line, "refuted": False} if line["seed"] else line for line in lines]
    assert table(missed, QUICK)["figures"]["wrong"] == [v.name for v in QUICK]
    really_true = [replace(QUICK[0], true=True)]
    assert table(lines, really_true)["figures"]["wrong"] == [QUICK[0].name]
    assert table([], QUICK)["status"] == "required rates not met"
    assert json.dumps(table(lines, QUICK), default=str)
