"""A hash of everything that a piece of evidence rests on.

Evidence rests on its own module, on the project's modules that this imports, on the home of its
claim, and on the files it names (proofs, committed results).  Comments, docstrings and blank lines
do not count: explaining better must not cost a training run.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import io
import tokenize
from pathlib import Path

from theorems.evidence import ROOMS, Evidence

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds the three packages: the project's root in a checkout."""

CHECKOUT = (ROOT / "pyproject.toml").is_file()
"""Whether this is a checkout, with its ledger and results, rather than an installed package."""


def source_hash(item: Evidence) -> str:
    """Sixteen hexadecimal digits over all that ``item`` rests on."""
    modules = {item.module, f"theorems.{item.claim}"}
    pending = [m for m in modules if _file(m)]
    seen: set[str] = set()
    while pending:
        module = pending.pop()
        if module not in seen:
            seen.add(module)
            pending += imported(module)
    digest = hashlib.sha256()
    for module in sorted(seen):
        digest.update(f"{module}\0{_code_of(_file(module))}\0".encode())
    for pattern in item.files:
        found = sorted(ROOT.glob(pattern))
        if not found:
            raise FileNotFoundError(f"it rests on {pattern}, which matches no file here")
        for path in found:
            digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def imported(module: str) -> tuple[str, ...]:
    """The project's modules that ``module`` imports directly, by full name."""
    path = _file(module)
    if path is None:
        return ()
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(sorted(n for n in names if n.split(".")[0] in ROOMS and _file(n)))


def bare(source: str) -> str:
    """Python ``source`` without comments, docstrings and blank lines, otherwise untouched."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        holder = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, holder) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            for row in range(first.lineno - 1, first.end_lineno or first.lineno):
                lines[row] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def forget() -> None:
    """Read the sources anew the next time: they may have been edited meanwhile."""
    imported.cache_clear()
    _code_of.cache_clear()


def _file(module: str) -> Path | None:
    base = ROOT.joinpath(*module.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@functools.cache
def _code_of(path: Path) -> str:
    return bare(path.read_text(encoding="utf-8"))
