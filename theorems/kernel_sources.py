"""What a Coq source may contain before it is compiled, and which files make up the project.

The gate alone must refuse every proof that does not stand; this check comes first, refuses more
than it needs to, and says in plain words what was found.  Both are tested, each without the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Primitive|Modules?|Include"
    r"|Declare\s+(ML|Instance)|Admit\s+Obligations|Unset\s+(Guard|Positivity|Universe)\s+Checking"
    r"|bypass_check|Load|Add\s+(Rec\s+)?(LoadPath|ML)|Redirect|Cd|Drop|Extraction)\b"
)
"""Words that switch a check off, assume something or reach outside; comments are searched too."""

SECTIONS = re.compile(
    r"\b(?P<open>Section)\s+\w+|\b(?P<close>End)\s+\w+"
    r"|\b(?P<assumes>Variables?|Hypothes[ei]s|Context)\b"
)
NAME = re.compile(r"[A-Z][A-Za-z0-9_]*\.v", re.ASCII)
TRUSTED = ("Statements.v", "Vectors.v", "PositionZeroStatements.v", "SpikeStatements.v")
"""The files that people read, in the order in which each may rest on those before it."""

RESERVED = frozenset(
    {"Coq", "Classical_Prop", "ClassicalDedekindReals", "FunctionalExtensionality"}
    | {"Reals", "List", "Arith", "Bool", "Lia", "Lra"}
)
"""Modules of the standard library whose names no file of the project may take."""


class KernelError(Exception):
    """The proofs do not stand: the message says which and why."""


def project_files(folder: Path) -> list[str]:
    """The files that ``_CoqProject`` lists, in order, the trusted ones first.

    It must be ``-Q . Sinkproof`` and then one plain file name a line: no flag, no variable of make
    and no comment.  Raises ``KernelError`` for anything else.
    """
    first, *files = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines() or [""]
    if first != "-Q . Sinkproof":
        raise KernelError(f"_CoqProject must begin with '-Q . Sinkproof', not {first!r}")
    for line in files:
        if not NAME.fullmatch(line):
            raise KernelError(f"_CoqProject may list plain file names like Name.v, not {line!r}")
        if line.removesuffix(".v") in RESERVED:
            raise KernelError(f"{line} takes the name of a module of the standard library")
    trusted = trusted_files(files)
    if files[:1] != [TRUSTED[0]] or files[: len(trusted)] != trusted:
        raise KernelError(f"_CoqProject must list {', '.join(trusted or TRUSTED[:1])} first")
    if len(files) != len(set(files)):
        raise KernelError("_CoqProject must list every file once")
    return files


def trusted_files(files: Sequence[str]) -> list[str]:
    """Those of ``files`` that are trusted, in the order in which they may rest on each other."""
    return [file for file in TRUSTED if file in files]


def refuse_unsafe(source: str, file: str) -> None:
    """Raise ``KernelError`` if ``source`` could switch off a check or assume something."""
    if found := FORBIDDEN.search(source):
        raise KernelError(
            f"{file} contains {found.group()!r}, which is not allowed in a proof file"
        )
    if found := re.search(r"\S\(\*", source):
        raise KernelError(f"{file} contains {found.group()!r}: a comment begins after a blank")
    code = without_comments(source, strings=True)
    if odd := next((c for c in code if not (" " <= c <= "~" or c in "\n\t")), None):
        raise KernelError(f"{file} contains {odd!r} outside comments: only ASCII is allowed")
    if file in TRUSTED:
        _refuse_untrusted_imports(code, file)
    depth = 0
    for token in SECTIONS.finditer(without_comments(source)):
        if token["assumes"] and not depth:
            raise KernelError(f"{file} contains {token.group()!r} outside a section")
        depth += bool(token["open"]) - bool(token["close"])


def _refuse_untrusted_imports(code: str, file: str) -> None:
    earlier = {Path(name).stem for name in TRUSTED[: TRUSTED.index(file)]}
    clauses = re.findall(r"From\s+Sinkproof\s+Require\s+Import((?:\s+\w+)+)\s*\.", code)
    named = {name for clause in clauses for name in clause.split()}
    if code.count("Sinkproof") != len(clauses) or named - earlier:
        raise KernelError(f"{file} may not rest on files of the project that are not trusted")


def without_comments(source: str, strings: bool = False) -> str:
    """Coq ``source`` without its (nested) comments and, unless ``strings``, without its strings."""
    kept, depth, at = [], 0, 0
    for token in re.finditer(r'\(\*|\*\)|"[^"]*"', source):
        if depth == 0:
            kept.append(source[at : token.start()])
            if strings and token.group().startswith('"'):
                kept.append(token.group())
        if token.group() == "(*":
            depth += 1
        elif token.group() == "*)":
            depth = max(0, depth - 1)
        at = token.end()
    return " ".join([*kept, source[at:] if depth == 0 else ""])


def stated_in(name: str, folder: Path, files: Sequence[str]) -> str:
    """The one trusted file with ``Definition name``.  Raises ``KernelError`` when there is none."""
    pattern = re.compile(rf"\b(?:Definition|Fixpoint|Inductive)\s+{name}\b")
    trusted = trusted_files(files)
    homes = [
        f for f in trusted if pattern.search(without_comments((folder / f).read_text("utf-8")))
    ]
    if len(homes) != 1:
        where = "no trusted file" if not homes else f"several files ({', '.join(homes)})"
        raise KernelError(f"{name} is defined in {where} of _CoqProject")
    return homes[0]


def home_of(name: str, folder: Path, files: Sequence[str]) -> str:
    """The one file with ``Theorem name_proof : name.``"""
    pattern = re.compile(rf"\b(?:Theorem|Lemma|Definition)\s+{name}_proof\b")
    homes = [f for f in files if pattern.search(without_comments((folder / f).read_text("utf-8")))]
    if len(homes) != 1:
        where = "no file" if not homes else f"several files ({', '.join(homes)})"
        raise KernelError(f"{name}_proof is in {where} of _CoqProject")
    return homes[0]
