"""The page without a browser: links, colours, missing results, mistakes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from empirics import command_line
from empirics.report import command
from empirics.report.links import broken
from empirics.report.mathml import markup
from empirics.report.page import ASSETS
from empirics.report.prose import prose
from tests.report.conftest import Page
from theorems import claims
from theorems.symbols import eta, kappa


def test_no_link_is_broken(page: Page) -> None:
    assert broken(page.html, page.path.parent) == []


def test_broken_links_are_noticed(tmp_path: Path) -> None:
    html = '<p id="a"><p id="a"><a href="#b"></a><a href="no.py"></a><a href="https://x.org/"></a>'
    assert broken(html, tmp_path) == ["a", "#b", "no.py", "https://x.org/"]
    (tmp_path / "other.html").write_text('<p id="there">')
    html = '<a href="other.html#there"></a><a href="other.html#gone"></a>'
    assert broken(html, tmp_path) == ["other.html#gone"]


def test_a_claim_leads_to_its_proof_and_its_test(page: Page) -> None:
    section = page.html.split('id="claim-one_layer_sink"')[1].split("</details>")[0]
    linked = re.findall(r'href="([^"]+)"', section)
    assert any(a.endswith("theorems/proofs/OneLayer.v") for a in linked)
    assert any(a.endswith("theorems/cores/one_layer.py") for a in linked)
    assert any(a.endswith("tests/test_evidence.py") for a in linked)


def test_every_statement_is_typeset(page: Page) -> None:
    for claim in claims.everything():
        for s in claim.statements:
            assert markup(s.conclusion, block=True) in page.html


def test_formulas() -> None:
    assert "<mi>&#951;</mi><mo>&#8722;</mo>" not in markup(kappa - eta)
    for text, html in (
        ("x_k <b> softmax_sink", "x<sub>k</sub> &lt;b&gt; softmax_sink"),
        ("εκ_L/(1+ε), Le^(−K), e^{−K}", "εκ<sub>L</sub>/(1+ε), Le<sup>−K</sup>, e<sup>−K</sup>"),
        ("(η/κ)^(1/D), α_i1, m^D", "(η/κ)<sup>1/D</sup>, α<sub>i1</sub>, m<sup>D</sup>"),
        (
            "``a_b`` and `c_d`, one_layer_sink",
            "<code>a_b</code> and <code>c_d</code>, one_layer_sink",
        ),
    ):
        assert str(prose(text)) == html


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` as WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_has_contrast_in_both_schemes() -> None:
    schemes = re.findall(r":root \{(.*?)\}", (ASSETS / "page.css").read_text("utf-8"), re.DOTALL)
    assert len(schemes) == 2
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", scheme))
        for text in ("ink", "soft", "accent", "proved", "partly", "seen", "against", "none"):
            for ground in ("paper", "card", "tint"):
                assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        for line in ("c1", "c2", "c3", "c4", "c5"):
            assert contrast(colours[line], colours["card"]) >= 3, line
    assert contrast("#777777", "#ffffff") < 4.5


def test_an_empty_ledger_shows_everything_as_not_run(tmp_path: Path) -> None:
    content = command.contents({})
    path = command.write(content, tmp_path / "deep" / "folder")
    statuses = {c["status"] for c in content["figures"]["ledger"]["claims"]}
    assert statuses == {"open"}
    assert "not-run" in path.read_text("utf-8")


@pytest.fixture
def said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> object:
    """Run ``sinkproof report`` with arguments; returns exit code, standard output and error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(command, "contents", lambda entries: {"subject": "report"})
        monkeypatch.setattr(command, "render", lambda content, folder: "<p>page</p>")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["sinkproof", "report", *arguments])
        with pytest.raises(SystemExit) as stopped:
            command_line.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return call


def test_out_may_not_be_a_file(said, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "file"
    file.write_text("mine")
    code, out, err = said("--out", str(file))
    assert (code, out) == (2, "")
    assert err == f"sinkproof: --out {file} is a file: give the folder for the page\n"
    assert file.read_text() == "mine"


def test_out_must_be_writable(said, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "file").write_text("mine")
    code, _, err = said("--out", str(tmp_path / "file" / "below"))
    assert code == 2
    assert err.count("\n") == 1
    assert "cannot write" in err


def test_json_writes_no_page_unless_asked(said, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert said("--json")[:2] == (0, '{\n "subject": "report"\n}\n')
    assert not (tmp_path / "build").exists()
    code, out, err = said("--json", "--out", "here")
    assert (code, out) == (0, '{\n "subject": "report"\n}\n')
    assert (err, (tmp_path / "here" / "index.html").read_text()) == (
        "wrote here/index.html\n",
        "<p>page</p>",
    )


def test_open_says_so_where_there_is_no_browser(said, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(command.webbrowser, "open", lambda address: False)
    code, out, err = said("--open")
    assert (code, out) == (0, "wrote build/report/index.html\n")
    assert "no browser was found" in err
