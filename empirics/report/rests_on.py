"""What a proof uses of other statements, read off the proofs themselves; nothing is listed by hand.

In Coq a theorem rests on another when its proof, or a lemma in it, names the other's proof or the
one lemma that this proof applies (``one_layer_sink_proof`` is ``eapply sink``).  In z3 a proof
rests on a statement that one of its cores has among its hypotheses
(``theorems.cores.chain.granted``), or whose conclusion is one of the cases that it starts from.
"""

from __future__ import annotations

import functools
import itertools
import re
import types
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

from theorems import claims
from theorems.cores.chain import Link, granted
from theorems.evidence import Evidence, Kind
from theorems.kernel_tables import THEOREMS
from theorems.smt import Core
from theorems.sources import ROOT

NAMED = re.compile(
    r"^(?:Theorem|Lemma|Corollary|Fact|Remark|Definition|Fixpoint|Example)\s+(\w+)", re.MULTILINE
)


def rests_on(item: Evidence) -> list[str]:
    """Names of the statements, other than its own, that the proof ``item`` uses."""
    if item.kind is Kind.KERNEL:
        used = _kernel_uses().get(item.name, frozenset())
    elif item.kind is Kind.SMT:
        used = frozenset(name for core in cores(item.function) for name in _used_by(core, item))
    else:
        used = frozenset()
    return sorted(used - {item.statement})


def closure(start: str, mentions: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """All that ``start`` mentions, directly or through what it mentions."""
    seen: set[str] = set()
    pending = list(mentions.get(start, ()))
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += mentions.get(name, ())
    return frozenset(seen)


def coq_mentions(sources: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """For every named part of Coq ``sources``, as ``File.name``, the parts that it mentions.

    A word means the part of that name in its own file, or else in the files that this imports.
    """
    parts, imports = {}, {}
    for file, source in sources.items():
        code = re.sub(r"\(\*.*?\*\)", "", source, flags=re.DOTALL)
        starts = list(NAMED.finditer(code))
        parts[file] = {
            here.group(1): code[here.end() : after.start() if after else None]
            for here, after in itertools.zip_longest(starts, starts[1:])
        }
        required = " ".join(re.findall(r"Require\s+(?:Import|Export)\s+([^;]*?)\.\s", code))
        imports[file] = [name.removeprefix("Sinkproof.") for name in required.split()]
    mentions = {}
    for file, named in parts.items():
        seen = [other for other in (file, *reversed(imports[file])) if other in parts]
        for name, text in named.items():
            found = set()
            for word in set(re.findall(r"\w+", text)):
                home = next((other for other in seen if word in parts[other]), None)
                if home is not None:
                    found.add(f"{home}.{word}")
            mentions[f"{file}.{name}"] = frozenset(found - {f"{file}.{name}"})
    return mentions


def kernel_uses(
    mentions: Mapping[str, frozenset[str]], statements: Mapping[str, str], settling: frozenset[str]
) -> dict[str, frozenset[str]]:
    """By theorem, the statements whose proofs it uses.

    ``statements`` gives each theorem's statement; only ``settling`` theorems stand for one.
    """
    where = {part.partition(".")[2]: part for part in mentions}
    stands_for: dict[str, str] = {}
    for theorem in settling & {name.removesuffix("_proof") for name in where}:
        proof = where[f"{theorem}_proof"]
        stands_for[proof] = statements[theorem]
        lemmas = {p for p in mentions[proof] if p.partition(".")[2] not in statements}
        if len(lemmas) == 1:
            stands_for.setdefault(next(iter(lemmas)), statements[theorem])
    return {
        theorem: frozenset(
            stands_for[part]
            for part in closure(where.get(f"{theorem}_proof", ""), mentions) & stands_for.keys()
        )
        for theorem in statements
    }


@functools.cache
def _kernel_uses() -> dict[str, frozenset[str]]:
    files = sorted((ROOT / "theorems" / "proofs").glob("*.v"))
    mentions = coq_mentions({path.stem: path.read_text(encoding="utf-8") for path in files})
    statements = {t.coq: t.statement for t in THEOREMS}
    return kernel_uses(mentions, statements, frozenset(t.coq for t in THEOREMS if t.settles))


def cores(function: Any) -> list[Core]:
    """The z3 cores that an evidence function proves: in its closure, or globals that it names."""
    found: list[Core] = []
    seen: set[int] = set()
    pending: list[Any] = [function]
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Core):
            found.append(value)
        elif isinstance(value, Link):
            pending.append(value.core)
        elif isinstance(value, tuple | list):
            pending += value
        elif isinstance(value, types.FunctionType) and value.__module__.startswith("theorems."):
            pending += _named_by(value)
    return found


def _named_by(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        yield cell.cell_contents
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield function.__globals__[name]


def _used_by(core: Core, item: Evidence) -> Iterator[str]:
    for hypothesis in core.hypotheses:
        yield from _nearest(_formulas()["granted"].get(hypothesis, []), item)
        for case in hypothesis.args if isinstance(hypothesis, sp.Or) else ():
            yield from _nearest(_formulas()["concluded"].get(case, []), item)


def _nearest(names: list[str], item: Evidence) -> list[str]:
    """Of statements that say the same, one of the same claim, or the first of the registry."""
    others = [name for name in names if name != item.statement]
    return [n for n in others if n.partition(".")[0] == item.claim][:1] or others[:1]


@functools.cache
def _formulas() -> dict[str, dict[sp.Basic, list[str]]]:
    """Names of statements by their whole formula, and by their conclusion."""
    found: dict[str, dict[sp.Basic, list[str]]] = {"granted": {}, "concluded": {}}
    for claim in claims.everything():
        for s in claim.statements:
            found["granted"].setdefault(granted(s), []).append(s.name)
            found["concluded"].setdefault(s.conclusion, []).append(s.name)
    return found
