"""The registry holds every claim of the papers, and both kinds of names find it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import theorems
from theorems import claims, papers
from theorems.errors import UserError
from theorems.paper_map import answered


def test_every_paper_claim_is_there() -> None:
    expected = [f"A{i}" for i in range(1, 10)]
    expected += [f"B{i}" for i in range(1, 9)] + [f"C{i}" for i in range(1, 14)]
    assert list(papers.CLAIMS) == expected
    answered = {p for c in claims.everything() for p in c.papers}
    assert answered == set(expected)


def test_claims_and_papers_agree_on_who_answers_whom() -> None:
    for claim in claims.everything():
        for paper in claim.papers:
            assert claim.id in papers.CLAIMS[paper].homes


def test_both_names_find_a_claim() -> None:
    assert claims.get("A2") is claims.get("one_layer_sink")
    assert [c.id for c in claims.find("a8")] == ["sink_price", "anchor_needed"]


def test_an_unknown_name_is_one_sentence() -> None:
    with pytest.raises(UserError, match=r"unknown claim 'A99': `sinkproof list`"):
        claims.find("A99")


def test_every_home_module_is_listed() -> None:
    folder = Path(theorems.__file__).parent
    homes = {p.stem for p in folder.glob("*.py") if re.search(r"^CLAIM = ", p.read_text(), re.M)}
    assert homes == {module.CLAIM.id for module in claims.HOMES}


def test_statement_names_begin_with_their_claim() -> None:
    for claim in claims.everything():
        names = [s.name for s in claim.statements]
        assert len(set(names)) == len(names)
        assert all(name.split(".")[0] == claim.id for name in names)
        assert not names or names[0] == claim.id


def test_a_statement_stands_for_its_claim_with_it_alone() -> None:
    (found,) = claims.find("one_layer_sink.linear")
    assert (found.id, [s.name for s in found.statements]) == (
        "one_layer_sink",
        ["one_layer_sink.linear"],
    )
    assert claims.get("one_layer_sink").statements[0].name == "one_layer_sink"


def test_selected_claims_come_once_in_the_order_asked() -> None:
    chosen = claims.select(["sink_price", "one_layer_sink.linear", "one_layer_sink.average", "A8"])
    assert [c.id for c in chosen] == ["sink_price", "one_layer_sink", "anchor_needed"]
    assert {s.name for s in chosen[1].statements} == {
        "one_layer_sink.linear",
        "one_layer_sink.average",
    }
    assert chosen[0] == claims.get("sink_price")


def test_a_claim_says_when_it_answers_a_part_only() -> None:
    assert answered(claims.get("one_layer_sink")) == ["A2"]
    assert answered(claims.get("head_dimension")) == ["part of C10"]
    assert answered(claims.get("sink_is_gate")) == []
