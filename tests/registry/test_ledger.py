"""The ledger: written in one step, read after damage, stale when the sources change."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from empirics import verification
from empirics.search import report
from empirics.search.engine import Record
from theorems import claims, ledger, sources, status
from theorems.errors import UserError
from theorems.evidence import Evidence, Finding, Kind, Mode, NotRun, Outcome, Run, check, evidence
from theorems.ledger import Entry


def passing(run: Run) -> Outcome:
    "Passing means that one is one."
    return check(1 == 1, "1 = 1", one=1)


def item(kind: Kind = Kind.EXACT, function: object = passing) -> Evidence:
    return Evidence("trigger_task", kind, "trigger_task", Mode.QUICK, function)  # type: ignore[arg-type]


def made(kind: Kind = Kind.EXACT, mode: Mode = Mode.QUICK, **changes: object) -> Entry:
    found = ledger.entry(item(kind), passing(Run(mode)), Run(mode))
    return replace(found, **changes)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def no_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "source_hash", lambda _: "0" * 16)


def test_an_entry_comes_back_as_written(tmp_path: Path) -> None:
    assert ledger.record(made(), tmp_path)
    assert ledger.read(tmp_path) == {"trigger_task/exact/passing": made()}


def test_running_again_leaves_the_ledger_as_it_is(tmp_path: Path) -> None:
    ledger.record(made(), tmp_path)
    assert not ledger.record(made(date="1999-01-01", versions={}), tmp_path)
    assert ledger.record(made(figure="another"), tmp_path)


def test_a_smaller_run_does_not_hide_a_larger_one_unless_it_fails(tmp_path: Path) -> None:
    ledger.record(made(mode=Mode.FULL, figure="full"), tmp_path)
    assert not ledger.record(made(figure="quick"), tmp_path)
    assert ledger.record(made(figure="quick", status="failed"), tmp_path)


def test_a_failure_stays_until_its_own_seed_passes_at_its_size(tmp_path: Path) -> None:
    failure = made(mode=Mode.STANDARD, seed=7, status="failed", figure="no")
    ledger.record(failure, tmp_path)
    assert not ledger.record(made(mode=Mode.QUICK, seed=7), tmp_path), "a smaller run"
    assert not ledger.record(made(mode=Mode.FULL, seed=0), tmp_path), "another seed"
    assert ledger.read(tmp_path)[failure.id] == failure
    assert ledger.record(made(mode=Mode.STANDARD, seed=7), tmp_path)


def test_a_failure_of_other_sources_does_not_stay(tmp_path: Path) -> None:
    ledger.record(made(mode=Mode.FULL, status="failed", sources="1" * 16), tmp_path)
    assert ledger.record(made(), tmp_path)


def test_a_run_that_did_not_happen_is_not_recorded(tmp_path: Path) -> None:
    assert not ledger.record(made(status="not-run"), tmp_path)
    assert ledger.read(tmp_path) == {}


def test_changed_sources_make_an_entry_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {made().id: made()}
    assert ledger.current(item(), entries) == made()
    monkeypatch.setattr(ledger, "source_hash", lambda _: "1" * 16)
    assert ledger.current(item(), entries) is None


def test_an_entry_that_says_something_else_is_stale() -> None:
    for changes in ({"says": "more"}, {"statement": "another"}, {"settles": True}):
        old = made(**changes)
        assert ledger.current(item(), {old.id: old}) is None, changes


def test_a_stale_larger_entry_is_replaced(tmp_path: Path) -> None:
    ledger.record(made(mode=Mode.FULL, sources="1" * 16), tmp_path)
    assert ledger.record(made(), tmp_path)


def test_a_damaged_entry_is_one_sentence(tmp_path: Path) -> None:
    whole = asdict(made())
    damaged = ['{"claim": ', "[]", "{}"]
    for field, value in (
        ("figure", None),
        ("status", "banana"),
        ("figures", [1]),
        ("mode", "xx"),
        ("finding", "foo"),
        ("kind", "wish"),
        ("settles", "yes"),
    ):
        damaged.append(json.dumps({**whole, field: value}))
    for text in damaged:
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(UserError, match=r"ledger entry x\.json is damaged"):
            ledger.read(tmp_path)
        assert ledger.read_one(tmp_path / "x.json") is None


def test_an_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        ledger.record(made(), tmp_path / "file" / "ledger")
    assert (tmp_path / "file").read_text() == ""


def test_comments_docstrings_and_blank_lines_do_not_count() -> None:
    first = '"""Doc."""\n\nx = 1  # one\n\n\ndef f():\n    """Doc."""\n    return "# kept"\n'
    second = '"""Other."""\nx = 1\ndef f():\n    """More\n    doc."""\n\n    return "# kept"\n'
    assert sources.bare(first) == sources.bare(second)
    assert '"# kept"' in sources.bare(first)
    assert sources.bare(first) != sources.bare(first.replace("x = 1", "x = 2"))


def test_evidence_rests_on_what_it_imports() -> None:
    assert "theorems.trigger_task" in sources.imported("theorems.claims")
    assert "theorems.claims" in sources.imported("theorems.paper_map")


def test_a_pattern_that_matches_nothing_is_an_error() -> None:
    lonely = replace(item(), files=("results/nothing-*.json",))
    with pytest.raises(FileNotFoundError, match="matches no file"):
        sources.source_hash(lonely)
    outcome, made_entry = verification.run_one(lonely, Run())
    assert (outcome.status, made_entry) == ("not-run", None)


def test_sources_that_change_during_a_run_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = iter(["0" * 16, "1" * 16])
    monkeypatch.setattr(verification, "source_hash", lambda _: next(hashes))
    outcome, made_entry = verification.run_one(item(), Run())
    assert (outcome.status, made_entry) == ("not-run", None)
    assert "changed while it ran" in outcome.figure


def settling(kind: Kind, **changes: object) -> Entry:
    return made(kind, settles=True, **changes)


def trained(finding: Finding, **changes: object) -> Entry:
    return made(Kind.TRAINED, finding=str(finding), **changes)


COUNTEREXAMPLE = {"counterexample": {"L": "4"}}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], status.Status.OPEN),
        ([settling(Kind.SEARCHED)], status.Status.OPEN),
        ([settling(Kind.EXACT), made(Kind.SEARCHED)], status.Status.EXACT),
        ([settling(Kind.EXACT), settling(Kind.SMT)], status.Status.SMT),
        ([settling(Kind.SMT), settling(Kind.KERNEL)], status.Status.KERNEL),
        ([settling(Kind.SMT), made(Kind.KERNEL)], status.Status.SMT),
        ([made(Kind.KERNEL), made(Kind.SMT), made(Kind.EXACT)], status.Status.OPEN),
        ([settling(Kind.KERNEL), made(Kind.EXACT, status="failed")], status.Status.OPEN),
        (
            [
                settling(Kind.KERNEL, status="failed"),
                made(Kind.SEARCHED, status="failed", figures=COUNTEREXAMPLE),
            ],
            status.Status.CONTRADICTED,
        ),
        ([trained(Finding.REPRODUCED)], status.Status.OPEN),
    ],
)
def test_a_statement_has_the_status_of_what_settles_it(
    entries: list[Entry], expected: status.Status
) -> None:
    assert status.judge(entries).status is expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([trained(Finding.REPRODUCED)], status.Status.REPRODUCED),
        ([trained(Finding.REPRODUCED), settling(Kind.CERTIFIED)], status.Status.CERTIFIED),
        ([trained(Finding.REPRODUCED), made(Kind.CERTIFIED)], status.Status.REPRODUCED),
        ([settling(Kind.CERTIFIED), trained(Finding.INCONCLUSIVE)], status.Status.INCONCLUSIVE),
        (
            [trained(Finding.REPRODUCED), trained(Finding.NOT_REPRODUCED)],
            status.Status.NOT_REPRODUCED,
        ),
        ([trained(Finding.NOT_REPRODUCED, status="failed")], status.Status.NOT_REPRODUCED),
        ([settling(Kind.CERTIFIED)], status.Status.OPEN),
        ([made(Kind.TRAINED)], status.Status.OPEN),
    ],
)
def test_an_empirical_claim_takes_the_most_cautious_finding(
    entries: list[Entry], expected: status.Status
) -> None:
    assert status.judge(entries, empirical=True).status is expected


def test_a_claim_has_the_status_of_its_own_statement() -> None:
    claim = claims.get("relu_no_sink")
    proof = replace(item(), claim=claim.id, statement=claim.id, settles=True)
    passed = ledger.entry(proof, passing(Run()), Run())
    assert status.claim_verdict(claim, [proof], {passed.id: passed}).status is status.Status.EXACT
    assert status.claim_verdict(claim, [proof], {}).status is status.Status.OPEN


def test_a_failure_at_any_statement_reaches_the_claim() -> None:
    claim = claims.get("one_layer_sink")
    own = replace(item(), claim=claim.id, statement=claim.id, settles=True)
    other = replace(own, kind=Kind.SEARCHED, statement="one_layer_sink.softmax_after")
    failing = check(False, "refuted", counterexample={"L": "4"})
    entries = [ledger.entry(own, passing(Run()), Run()), ledger.entry(other, failing, Run())]
    verdict = status.claim_verdict(claim, [own, other], {e.id: e for e in entries})
    assert verdict.status is status.Status.CONTRADICTED


def test_a_refuted_search_contradicts() -> None:
    """From the search's own report to the status: the two agree on where the witness is."""
    refuted = Record(tries=3, applied=3, witness={"L": "4", "eta": "0"})
    outcome = report.outcome({"s": refuted}, "s", ("planted",))
    assert outcome.status == "failed"
    found = ledger.entry(item(Kind.SEARCHED), outcome, Run())
    assert status.judge([found]).status is status.Status.CONTRADICTED


def test_evidence_outcomes() -> None:
    def missing(run: Run) -> Outcome:
        "d"
        raise NotRun("no coq")

    def broken(run: Run) -> Outcome:
        "d"
        raise ZeroDivisionError("by zero")

    assert item(function=missing).collect(Run()).status == "not-run"
    outcome = item(function=broken).collect(Run())
    assert outcome.status == "failed"
    assert "ZeroDivisionError: by zero (broken, line" in outcome.figure
    assert check(False, "f").status == "failed"
    assert item(function=lambda run: None).collect(Run()).status == "failed"
    for holds in ([False], None, "yes", 1):
        with pytest.raises(TypeError, match="check needs True or False"):
            check(holds, "f")


def test_evidence_without_a_meaning_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a docstring"):

        @evidence("trigger_task", kind="exact")
        def silent(run: Run) -> Outcome:
            return check(True, "nothing")


def test_scale_falls_back_to_the_smaller_mode() -> None:
    assert Run(Mode.FULL).scale(1) == 1
    assert Run(Mode.FULL).scale(1, 2) == 2
    assert Run(Mode.QUICK).scale(1, 2, 3) == 1
