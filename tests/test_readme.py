"""The README is true: its code runs, its commands exist, its claims and folders are there."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import click
import pytest

from empirics.command_line import app
from theorems import claims
from theorems.sources import ROOT

README = ROOT / "README.md"

pytestmark = pytest.mark.skipif(not README.is_file(), reason="not in a checkout")


def text() -> str:
    """The README."""
    return README.read_text(encoding="utf-8")


def test_the_python_samples_run() -> None:
    samples = re.findall(r"```python\n(.*?)```", text(), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for sample in samples:
            exec(sample.replace("train=8", "train=1"), {})  # one seed here: seconds
    assert "(1 − α)·(κ − η) ≤ η" in printed.getvalue()
    assert "OwnRow(name='squared / count'" in printed.getvalue()


def commands() -> list[list[str]]:
    """Every ``sinkproof …`` line of the README's code blocks, split into words."""
    lines = re.findall(r"^sinkproof .*$", text(), re.M) if README.is_file() else []
    return [shlex.split(line.split("#")[0])[1:] for line in lines]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_understood(words: list[str]) -> None:
    """Parsed as the command line parses it, without running it."""
    name, *arguments = words
    command = app.commands[name]
    context = click.Context(command)
    command.parse_args(context, list(arguments))
    for value in context.params.values():
        names = value if isinstance(value, tuple) else ()
        if name in ("verify", "show"):
            for claim in names:
                assert str(claim) in ("kernel",) or claims.find(str(claim))


def test_every_claim_and_folder_it_names_is_there() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", text(), re.M)
    assert len(rows) >= 6
    for row in rows:
        assert claims.get(row).statements
    for folder in re.findall(r"^(?:  )?(\w+)/ ", text(), re.M):
        assert (ROOT / folder).is_dir() or (ROOT / "theorems" / folder).is_dir(), folder
