"""The book: its samples run, and what is wrong in it ends the build."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from empirics.command_line import app
from theorems import claims, papers
from theorems.sources import ROOT

BOOK = ROOT / "docs"
PAGES = sorted(BOOK.glob("*.rst"))

pytestmark = pytest.mark.skipif(not BOOK.is_dir(), reason="not in a checkout")


@pytest.fixture(scope="module")
def book() -> ModuleType:
    """The Sphinx extension, from its file."""
    pytest.importorskip("sphinx", reason="the book needs: pip install 'sinkproof[docs]'")
    spec = importlib.util.spec_from_file_location("book", BOOK / "book.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["book"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_samples_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0


def test_there_are_samples_and_commands() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert text.count(">>> ") > 20
    commands = re.findall(r"^\.\. command:: (.*)$", text, re.M)
    assert len(commands) >= 4
    for line in commands:
        assert shlex.split(line)[1] in app.commands
    for line in re.findall(r"^\$ .*$|^   sinkproof .*$", text, re.M):
        pytest.fail(f"{line} is shown without being run: use the command directive")


def test_the_order_of_reading_and_every_claim_of_the_first_paper() -> None:
    index = (BOOK / "index.rst").read_text("utf-8")
    order = ["task", "one_layer", "depth", "relu", "boundary", "position_zero", "spikes", "limits"]
    places = [index.index(f"\n   {name}\n") for name in order]
    assert places == sorted(places)
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    shown = set(re.findall(r"^\.\. claim:: (\w+)$", text, re.M))
    stated = {c.id for c in claims.everything() if c.statements}
    of_a = {home for p in papers.CLAIMS.values() if p.id[0] == "A" for home in p.homes}
    assert stated & of_a <= shown
    letters = set(re.findall(r"^\.\. stated:: (\w)$", text, re.M))
    assert letters == set(papers.PAPERS) - {"A"}


def test_a_command_is_run_and_a_failing_one_ends_the_build(book: ModuleType) -> None:
    assert "ReLU attention solves the task" in book.run_command("sinkproof show A4")
    for line in ("sinkproof show A99", "sinkproof list --ledger /nowhere", "rm -r nothing"):
        with pytest.raises(book.ExtensionError):
            book.run_command(line)


def test_docstrings_keep_their_shape(book: ModuleType) -> None:
    text = book.to_rst(
        "One κ_L line.\n\n    A = 1,   B = 2\n\n* ``first``: one\n* second |x|\n\n>>> 1 + 1\n2\n"
    )
    assert "<p>One κ<sub>L</sub> line.</p>" in text
    assert '<pre class="formula">A = 1,   B = 2</pre>' in text
    assert "<ul><li><code>first</code>: one</li><li>second |x|</li></ul>" in text
    assert ".. code-block:: pycon\n\n   >>> 1 + 1\n   2" in text


def test_a_broken_link_ends_the_build(book: ModuleType, tmp_path: Path) -> None:
    built = SimpleNamespace(outdir=str(tmp_path), builder=SimpleNamespace(name="html"))
    (tmp_path / "good.html").write_text('<p id="a"><a href="#a"></a>')
    book.check_links(built, None)
    (tmp_path / "bad.html").write_text('<a href="good.html#b"></a>')
    with pytest.raises(book.ExtensionError, match=r"bad.html: good.html#b"):
        book.check_links(built, None)


@pytest.mark.parametrize("name", ["CITATION.cff", "CHANGELOG.md"])
def test_the_version_is_the_same_everywhere(name: str) -> None:
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version is not None
    assert version.group(1) in (ROOT / name).read_text("utf-8")
