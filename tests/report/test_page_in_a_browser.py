"""The page as a reader meets it: no requests, no errors, filters, phone, dark, keyboard."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.report.conftest import Page
from tests.report.looking import errors, open_page, overflow, put, requests, resize, text

ENTER, SPACE, TAB = "\ue007", " ", "\ue004"
"""Keys as WebDriver writes them."""


def shown(chrome: Any) -> set[str]:
    """The ids of the claims that can be seen."""
    script = (
        "return [...document.querySelectorAll('.claim')].filter(c => c.offsetParent !== null)"
        ".map(c => c.id.replace('claim-', ''))"
    )
    return set(chrome.execute_script(script))


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("dark", [False, True])
def test_it_loads_without_errors_or_requests(
    chrome: Any, page: Page, width: int, dark: bool
) -> None:
    resize(chrome, width, dark=dark)
    assert open_page(chrome, page.address) == [page.address]
    chrome.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert overflow(chrome) <= 0
    assert errors(chrome) == []
    assert requests(chrome) == []


def test_a_request_and_an_error_would_be_noticed(chrome: Any, page: Page) -> None:
    planted = page.path.with_name("planted.html")
    planted.write_text(
        "<img src='missing.png'><div style='width:2000px'>wide</div><script>oops()</script>"
    )
    resize(chrome, 390)
    assert len(open_page(chrome, planted.resolve().as_uri())) == 2
    assert overflow(chrome) > 0
    assert any("oops" in message for message in errors(chrome))


def test_the_numbers_are_those_of_the_object(chrome: Any, page: Page) -> None:
    open_page(chrome, page.address)
    assert json.loads(text(chrome, "data")) == page.content
    counts = page.content["figures"]["ledger"]["counts"]
    seen = chrome.execute_script(
        "return [...document.querySelectorAll('.counts li:has(.status)')].map(li => ["
        "li.querySelector('.status').dataset.status, Number(li.querySelector('b').innerText)])"
    )
    assert dict(seen) == counts


def test_filters_show_what_they_say(chrome: Any, page: Page) -> None:
    claims = page.content["figures"]["ledger"]["claims"]
    resize(chrome, 1200)
    open_page(chrome, page.address)
    assert shown(chrome) == {c["claim"] for c in claims}
    open_ones = {c["claim"] for c in claims if c["status"] == "open"}
    put(chrome, "by-status", "open")
    assert shown(chrome) == open_ones
    assert text(chrome, "shown") == f"{len(open_ones)} of {len(claims)} claims"
    put(chrome, "by-paper", "C")
    assert shown(chrome) == {
        c["claim"]
        for c in claims
        if c["status"] == "open" and any(p[0] == "C" for p in c["papers"])
    }
    put(chrome, "by-status", "")
    put(chrome, "by-paper", "own")
    assert shown(chrome) == {c["claim"] for c in claims if not c["papers"]}
    put(chrome, "by-paper", "")
    put(chrome, "by-kind", "exact")
    assert shown(chrome) == {c["claim"] for c in claims if "exact" in c["kinds"]}
    put(chrome, "by-kind", "")
    put(chrome, "by-text", "a4 relu")
    assert shown(chrome) == {"relu_no_sink"}
    put(chrome, "by-text", "no such words")
    assert shown(chrome) == set()


def test_a_claim_can_be_linked_to_and_opened_by_keyboard(chrome: Any, page: Page) -> None:
    resize(chrome, 1200)
    open_page(chrome, page.address + "#claim-relu_no_sink")
    is_open = "return document.getElementById('claim-relu_no_sink').open"
    assert chrome.execute_script(is_open) is True
    summary = chrome.find_element("css selector", "#claim-relu_no_sink > summary")
    summary.send_keys(ENTER)
    assert chrome.execute_script(is_open) is False
    chrome.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    open_page(chrome, page.address)
    chrome.find_element("tag name", "body").send_keys(TAB)
    assert "Skip" in chrome.execute_script("return document.activeElement.textContent")


def test_everything_has_a_name_for_a_screen_reader(chrome: Any, page: Page) -> None:
    open_page(chrome, page.address)
    chrome.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")
    tree = chrome.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {"link", "button", "combobox", "searchbox", "slider", "img", "image", "checkbox"}
    nameless = [
        node
        for node in tree
        if node.get("role", {}).get("value") in named
        and not node.get("ignored")
        and not node.get("name", {}).get("value", "").strip()
    ]
    assert nameless == []


def test_dark_mode_changes_the_colours(chrome: Any, page: Page) -> None:
    seen = {}
    for dark in (False, True):
        resize(chrome, 1200, dark=dark)
        open_page(chrome, page.address)
        seen[dark] = chrome.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert seen[False] != seen[True]


def test_the_sliders_show_the_bound_and_the_best_model(chrome: Any, page: Page) -> None:
    bound = page.content["figures"]["bound"]
    open_page(chrome, page.address)
    for length, share in ((0, 0), (3, 6), (len(bound["lengths"]) - 1, len(bound["shares"]) - 1)):
        put(chrome, "bound-L", length)
        put(chrome, "bound-eta", share)
        row = bound["rows"][length * len(bound["shares"]) + share]
        assert (row["L"], row["share"]) == (bound["lengths"][length], bound["shares"][share])
        for k, one in enumerate(bound["bounds"], start=1):
            for id, name in (("allowed", "bound"), ("found", "best")):
                number = row["cells"][one["name"]][name]
                seen = text(chrome, f"{id}-{k}")
                assert seen == "–" if number is None else float(seen) == float(f"{number:.3g}")
            reached = row["cells"][one["name"]]["reached"]
            share = text(chrome, f"reached-{k}")
            assert share == "–" if reached is None else (share == "100 %") == (reached == 1)
        assert f"L = {row['L']}," in text(chrome, "bound-caption")
    assert errors(chrome) == []


def test_the_curves_move_with_the_length(chrome: Any, page: Page) -> None:
    open_page(chrome, page.address)
    line = "return document.getElementById('bound-3').getAttribute('points')"
    before = chrome.execute_script(line)
    put(chrome, "bound-L", 0)
    after = chrome.execute_script(line)
    put(chrome, "bound-L", len(page.content["figures"]["bound"]["lengths"]) - 1)
    again = chrome.execute_script(line)
    assert before == again != after
    # Drawn by the page, the curve is where it was when the page was written.
    drawn = page.html.split('id="bound-3" class="line k3" points="')[1].split('"')[0]
    places = [[float(x) for x in point.split(",")] for point in drawn.split()]
    flat = [float(x) for x in again.replace(" ", ",").split(",")]
    assert flat == pytest.approx([x for place in places for x in place], abs=0.11)


def test_a_construction_can_be_watched(chrome: Any, page: Page) -> None:
    rows = page.content["figures"]["rows"]
    open_page(chrome, page.address)
    for network in rows["networks"]:
        put(chrome, "rows-network", network["name"])
        put(chrome, "rows-trigger", 4)
        put(chrome, "rows-query", 4)
        pictures = chrome.find_elements("css selector", "#rows-pictures svg")
        assert len(pictures) == len(network["heads"])
        error = network["runs"]["rising"]["4"]["error"]
        assert float(text(chrome, "rows-caption").rpartition(" ")[2]) == error
    put(chrome, "rows-network", "relu, no sink")
    assert text(chrome, "rows-words") == (
        "Query 4, trigger: 0.333 on ordinary 2, 0.333 on ordinary 3, 0.333 on trigger 4."
    )
    put(chrome, "rows-query", 5)
    assert text(chrome, "rows-words") == "Query 5, ordinary: no weight to speak of."
    put(chrome, "rows-network", "softmax with a sink")
    assert text(chrome, "rows-words") == "Query 5, ordinary: 1 on BOS 1."
    button = chrome.find_element("id", "rows-play")
    button.send_keys(ENTER)
    assert text(chrome, "rows-query-value") == "6"
    button.send_keys(SPACE)
    assert text(chrome, "rows-play") == "Step through the queries"
