"""The figures behind the pictures: right, and said to be missing where they are."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from empirics.report import page as page_module
from empirics.report.heatmap import heatmap
from empirics.report.page import render
from empirics.report.sections import SECTIONS, attention, bound, price
from empirics.report.sections.section import Known, Section
from empirics.report.svg import Axis, Plot
from empirics.report.tightness import searched, span
from tests.report.conftest import Page
from theorems.one_layer_sink import AFTER, SHARP
from theorems.symbols import eta, m

NOTHING = Known((), {})


def test_the_largest_mass_is_the_edge_of_the_statement() -> None:
    for statement, name in ((SHARP, "alpha"), (AFTER, "m")):
        for error in (Fraction(1, 1000), Fraction(1, 30)):
            edge = bound.largest_mass(statement, 8, error)
            assert edge is not None
            assert 0 < edge < 1

            def at(mass: Fraction, name: str = name) -> dict[str, Fraction]:
                return {name: mass if name == "m" else 1 - mass}

            assert statement.holds(L=8, eta=error, **at(edge))
            assert not statement.holds(L=8, eta=error, **at(edge * Fraction(1001, 1000)))
    assert bound.largest_mass(SHARP, 8, Fraction(1)) is None


def test_a_bound_that_is_not_linear_is_refused() -> None:
    squared = replace(AFTER, conclusion=m**2 <= eta)
    with pytest.raises(ValueError, match="not linear"):
        bound.largest_mass(squared, 8, Fraction(1, 100))


def test_no_model_is_above_its_bound_and_each_bound_is_nearly_reached(page: Page) -> None:
    found = page.content["figures"]["bound"]
    for one in found["bounds"]:
        reached = [row["cells"][one["name"]]["reached"] for row in found["rows"]]
        known = [share for share in reached if share is not None]
        assert known
        assert 0.99 < max(known) <= 1


def test_every_bound_has_its_tightness_and_none_is_passed(page: Page) -> None:
    tight = page.content["figures"]["bound"]["tightness"]
    assert {t["name"] for t in tight} >= {"one_layer_sink", "deep_sink", "sink_price"}
    for row in tight:
        spans = [s for s in row["by_length"].values() if s is not None]
        assert spans, row["name"]
        assert all(0 < s["least"] <= s["most"] <= 1 for s in spans), row["name"]
        assert max(s["most"] for s in spans) > 0.99


def test_a_bound_that_is_passed_would_show() -> None:
    assert span([]) is None
    assert span([0.5, 1.25]) == {"least": 0.5, "most": 1.25}
    assert span([1 - 1e-9]) == {"least": 0.999999, "most": 0.999999}


def test_what_the_falsifier_found_is_shown_where_it_is_there(tmp_path: Path, page: Page) -> None:
    assert searched(tmp_path) == []
    found = [("one_layer_sink", 4, 0.99989), ("one_layer_sink", 4, 0.98), ("deep_sink", 8, 1.0)]
    rows = [{"statement": name, "L": length, "ratio": ratio} for name, length, ratio in found]
    (tmp_path / "tightness.json").write_text(json.dumps({"figures": {"rows": rows}}))
    table = searched(tmp_path)
    assert [row["name"] for row in table] == ["one_layer_sink", "deep_sink"]
    assert table[0]["by_length"] == {"4": {"least": 0.98, "most": 0.99989}}
    for shown, words in (([], "Not run: there is no table"), (table, "0.98–0.999")):
        figures = dict(page.content["figures"])
        figures["bound"] = {**figures["bound"], "searched": shown}
        assert words in render({**page.content, "figures": figures}, tmp_path)


def test_pictures_show_the_numbers() -> None:
    drawn = str(heatmap([[1.0], [0.25, 0.75]], "rows", trigger=2))
    assert re.findall(r'fill-opacity="([\d.]+)"', drawn) == ["1", "0.25", "0.75"]
    plot = Plot("p", x=Axis("x", 1, 100, log=True), y=Axis("y", 0, 1))
    low, middle, high = (plot.at(x, 0)[0] for x in (1, 10, 100))
    assert middle == pytest.approx((low + high) / 2)
    assert plot.at(1000, 2) == plot.at(100, 1)
    assert Axis("L", 4, 16).ticks() == [5, 10, 15]


def test_missing_results_are_said_to_be_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, page: Page
) -> None:
    monkeypatch.setattr(attention, "ROOT", tmp_path)
    monkeypatch.setattr(price, "points", list)
    monkeypatch.setattr(bound, "TRAINED", tmp_path / "none.json")
    assert "missing" in attention.figures(NOTHING)
    assert "missing" in price.figures(NOTHING)
    assert bound._trained() == []
    figures = dict(page.content["figures"])
    figures |= {"attention": attention.figures(NOTHING), "price": price.figures(NOTHING)}
    figures["bound"] = {**figures["bound"], "searched": [], "trained": []}
    html = render({**page.content, "figures": figures}, tmp_path)
    assert html.count("Not run: ") == 3


def test_a_section_is_one_module_and_its_template(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, page: Page
) -> None:
    (tmp_path / "extra.html").write_text(
        "<p>{{ figures.answer }} {{ drawings.none is defined }}</p>"
    )
    for path in page_module.ASSETS.iterdir():
        (tmp_path / path.name).write_text(path.read_text("utf-8"))
    extra = Section("extra", "One more", lambda known: {"answer": 42})
    monkeypatch.setattr(page_module, "SECTIONS", (*SECTIONS, extra))
    monkeypatch.setattr(page_module, "ASSETS", tmp_path)
    figures = {**page.content["figures"], "extra": extra.figures(NOTHING)}
    html = render({**page.content, "figures": figures}, tmp_path)
    assert '<a href="#section-extra">One more</a>' in html
    assert "<p>42 False</p>" in html
