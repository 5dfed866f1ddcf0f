"""A Sphinx extension: statements from the registry, commands that run, docstrings as they stand.

``.. claim:: ID`` shows a claim as the page does; ``.. stated:: B`` every claim that answers paper B
and is stated; ``.. command:: sinkproof …`` runs the command and shows what it printed; a command
that fails, a claim that does not exist and a link that leads nowhere end the build.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import re
import shlex
import textwrap
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from empirics.command_line import app as command_line
from empirics.report.links import Links, broken
from empirics.report.page import environment
from empirics.report.prose import prose
from empirics.report.sections import ledger
from empirics.report.sections.section import Known
from theorems import claims
from theorems.errors import UserError
from theorems.evidence import discover
from theorems.ledger import read


@functools.cache
def shown() -> dict[str, dict[str, Any]]:
    """Every claim as the ledger shows it, by id."""
    figures = ledger.figures(Known(discover(), read()))
    return {claim["claim"]: claim for claim in figures["claims"]}


class Shown(Directive):
    """What the claims in ``names`` say, with their statuses and evidence."""

    required_arguments = 1

    @property
    def names(self) -> list[str]:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        env = self.state.document.settings.env
        page = Path(env.app.outdir) / f"{env.docname}.html"
        template = environment(Links(page.parent)).get_template("claim.html")
        return [
            nodes.raw("", template.render(claim=shown()[name]), format="html")
            for name in self.names
        ]


class OneClaim(Shown):
    """``.. claim:: ID``"""

    @property
    def names(self) -> list[str]:
        try:
            return [claims.get(self.arguments[0]).id]
        except UserError as error:
            raise self.error(str(error)) from error


class Stated(Shown):
    """``.. stated:: LETTER``: the claims that answer the paper and have a statement."""

    @property
    def names(self) -> list[str]:
        letter = self.arguments[0]
        answering = [c for c in claims.everything() if any(p[0] == letter for p in c.papers)]
        return [c.id for c in answering if c.statements]


class Command(Directive):
    """``.. command:: sinkproof …`` with ``:lines: n`` to show the first n lines only."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"lines": directives.positive_int}  # noqa: RUF012 (as docutils asks)

    def run(self) -> list[nodes.Node]:
        line = self.arguments[0]
        printed = run_command(line)
        lines = printed.splitlines()
        kept = lines[: self.options.get("lines", len(lines))]
        text = "\n".join([f"$ {line}", *kept, *(["…"] if len(kept) < len(lines) else [])])
        return [nodes.literal_block(text, text, language="none")]


@functools.cache
def run_command(line: str) -> str:
    """What ``sinkproof …`` prints.  Raises ``ExtensionError`` when it fails."""
    program, *words = shlex.split(line)
    if program != "sinkproof":
        raise ExtensionError(f"only sinkproof commands are run, not {line!r}")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            code = command_line.main(words, standalone_mode=False) or 0
        except Exception as error:
            raise ExtensionError(f"{line}: {error}") from error
    if code:
        raise ExtensionError(f"{line} ended with code {code}")
    return printed.getvalue().rstrip()


def as_they_stand(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Docstrings are plain text: paragraphs, lists, examples, and indented formulas."""
    lines[:] = to_rst("\n".join(lines)).splitlines()


def to_rst(text: str) -> str:
    """A docstring of this project as reStructuredText, formulas set as the page sets them."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        body = block.rstrip()
        if not body.strip():
            continue
        if body.lstrip().startswith(">>>"):
            parts.append(
                ".. code-block:: pycon\n\n" + textwrap.indent(textwrap.dedent(body), "   ")
            )
        elif body.startswith("* "):
            entries = re.split(r"\n\* ", body[2:])
            items = "".join(f"<li>{prose(' '.join(entry.split()))}</li>" for entry in entries)
            parts.append(_raw(f"<ul>{items}</ul>"))
        elif body.startswith(" "):
            parts.append(_raw(f'<pre class="formula">{prose(textwrap.dedent(body))}</pre>'))
        else:
            parts.append(_raw(f"<p>{prose(body)}</p>"))
    return "\n\n".join(parts) + "\n"


def _raw(html: str) -> str:
    return ".. raw:: html\n\n" + textwrap.indent(html, "   ")


def check_links(app: Sphinx, failure: Exception | None) -> None:
    """End the build when a page of the book points to nothing."""
    if failure is not None or app.builder.name != "html":
        return
    bad = [
        f"{path.relative_to(app.outdir)}: {address}"
        for path in sorted(Path(app.outdir).rglob("*.html"))
        for address in broken(path.read_text("utf-8"), path.parent)
    ]
    if bad:
        raise ExtensionError(f"broken links: {'; '.join(bad[:20])}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known to Sphinx."""
    app.add_directive("claim", OneClaim)
    app.add_directive("stated", Stated)
    app.add_directive("command", Command)
    app.connect("autodoc-process-docstring", as_they_stand)
    app.connect("build-finished", check_links)
    return {"version": "1", "parallel_read_safe": False}
