"""The book as a reader meets it, once built: nothing from outside, nothing too wide."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.report.looking import errors, open_page, overflow, resize
from theorems.sources import ROOT

BUILT = ROOT / "build" / "docs"
PAGES = ("index", "one_layer", "boundary", "errata", "api/constructions/constructions.softmax_sink")


@pytest.mark.parametrize("width", [390, 1100])
def test_pages_load_from_a_file_alone(chrome: Any, width: int) -> None:
    if not (BUILT / "index.html").is_file():
        if os.environ.get("CI"):
            pytest.fail("the book is not built: CI runs `make docs` first")
        pytest.skip("the book is not built: run `make docs`")
    resize(chrome, width)
    for name in PAGES:
        asked = open_page(chrome, (BUILT / f"{name}.html").as_uri())
        assert [url for url in asked if not url.startswith(BUILT.as_uri())] == []
        assert errors(chrome) == []
        assert overflow(chrome) <= 0, name
        named = "return [...document.querySelectorAll('.theorem math')].length"
        if name in ("one_layer", "boundary"):
            assert chrome.execute_script(named) >= 5
