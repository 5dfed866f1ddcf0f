"""The gate: a generated Coq file that fixes every type before it sees a proof, then checks it.

Its first half knows the standard library and the trusted files and nothing else.  There every
question is written down as a definition: what each theorem says, what each pin says (the registry's
form of a statement, and ``iff``), and the axioms that may be used, by their full names.  Only then
are the proof files required, none imported, and each answer must have the type fixed before, under
a name that no file can guess.  Coq writes each list of assumptions to a file of its own, so that
nothing else that is printed can pass for one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from theorems.kernel_sources import KernelError, trusted_files

REALS = frozenset(
    {
        "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
        "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
    }
)
"""What Coq's own construction of the reals rests on."""

ALLOWED = REALS | {"Coq.Logic.Classical_Prop.classic"}
"""The axioms that a theorem may list; exp needs the excluded middle."""

CLOSED = "Closed under the global context"
LISTED = re.compile(r"([A-Za-z_][A-Za-z0-9_']*(?:\.[A-Za-z_][A-Za-z0-9_']*)*)(?: :.*)?")

OPENING = """\
(* Generated. First the questions: no proof file has been read yet. *)
Require Import Reals List Lra Lia.
From Sinkproof Require Import {trusted}.
Import ListNotations.
Open Scope R_scope.
"""


@dataclass(frozen=True)
class Pin:
    """A question of the gate: the Coq proposition ``text`` says the same as the statement ``of``.

    ``proof`` is a proof script of the equivalence.  Without ``of`` the text itself is proved.
    """

    name: str
    text: str
    proof: str
    of: str | None = None


@dataclass(frozen=True)
class Pins:
    """Pins, the ``definitions`` that their texts use, and the ``lemmas`` that their proofs use."""

    pins: tuple[Pin, ...] = ()
    definitions: str = ""
    lemmas: str = ""


@dataclass(frozen=True)
class Bundle:
    """Terms that are asked for their assumptions together, which is as fast as asking for one."""

    names: tuple[str, ...]
    terms: tuple[str, ...]
    allowed: frozenset[str]


@dataclass(frozen=True)
class Gate:
    """The text, the files that answer it, and the axioms of which it asks the printed names."""

    text: str
    bundles: tuple[Bundle, ...]
    axioms: tuple[str, ...]
    nonce: str = field(default="")


def write_gate(
    homes: Mapping[str, tuple[str, str]],
    pins: Pins,
    files: Sequence[str],
    allowed: Mapping[str, frozenset[str]],
    *,
    singly: bool = False,
) -> Gate:
    """The gate for the theorems in ``homes``, each with the axioms ``allowed`` it.

    ``homes`` gives by name the trusted file that states it and the file that proves it.
    Theorems with the same axioms allowed are asked together, or each by itself with ``singly``.
    """
    nonce = secrets.token_hex(8)
    axioms = tuple(sorted(ALLOWED.union(*allowed.values())))
    trusted = " ".join(Path(file).stem for file in trusted_files(files))
    stated = {name: f"Sinkproof.{Path(file).stem}.{name}" for name, (file, _) in homes.items()}
    lines = [
        OPENING.format(trusted=trusted),
        *(f"Require {axiom.rpartition('.')[0]}." for axiom in axioms),
    ]
    lines += [f"Definition axiom_{i}_{nonce} := @{axiom}." for i, axiom in enumerate(axioms)]
    lines.append(pins.definitions)
    lines += [f"Definition says_{name}_{nonce} : Prop := {stated[name]}." for name in homes]
    for pin in pins.pins:
        whole = f"registry_{pin.name}_{nonce}"
        lines.append(f"Definition {whole} : Prop := {pin.text}.")
        if pin.of:
            whole = f"Coq.Init.Logic.iff {whole} {stated[pin.of]}"
        lines.append(f"Definition pinned_{pin.name}_{nonce} : Prop := {whole}.")
    lines.append("(* Then the answers. *)")
    lines += [f"Require Sinkproof.{Path(file).stem}." for file in files]
    for name, (_, home) in homes.items():
        proof = f"Sinkproof.{Path(home).stem}.{name}_proof"
        lines.append(f"Definition gate_{name}_{nonce} : says_{name}_{nonce} := {proof}.")
    lines.append(pins.lemmas)
    for pin in pins.pins:
        lines += [
            f"Lemma pin_{pin.name}_{nonce} : pinned_{pin.name}_{nonce}.",
            f"Proof.\nunfold pinned_{pin.name}_{nonce}.",
            f"{pin.proof}\nQed.",
        ]
    groups = [[name] for name in homes] if singly else _alike(allowed)
    bundles = [
        Bundle(tuple(group), tuple(f"gate_{n}_{nonce}" for n in group), allowed[group[0]])
        for group in groups
    ]
    rest = {f"pin {pin.name}": f"pin_{pin.name}_{nonce}" for pin in pins.pins}
    if rest:
        bundles.append(Bundle(tuple(rest), tuple(rest.values()), ALLOWED))
    lines.append("Set Printing Width 200.")
    for i in range(len(axioms)):
        lines.append(f'Redirect "axiom_{i}" Print Assumptions axiom_{i}_{nonce}.')
    for i, bundle in enumerate(bundles):
        terms = "".join(f"(Coq.Init.Datatypes.pair {term} " for term in bundle.terms)
        whole = f"{terms}Coq.Init.Datatypes.tt{')' * len(bundle.terms)}"
        lines.append(f"Definition bundle_{i}_{nonce} := {whole}.")
        lines.append(f'Redirect "bundle_{i}" Print Assumptions bundle_{i}_{nonce}.')
    return Gate("\n".join(lines) + "\n", tuple(bundles), axioms, nonce)


def _alike(allowed: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """The names in groups that are allowed the same axioms."""
    kinds = sorted(set(allowed.values()), key=len)
    return [[name for name in allowed if allowed[name] == kind] for kind in kinds]


def read_gate(gate: Gate, answers: Mapping[str, str]) -> list[frozenset[str]]:
    """The axioms of each bundle by their full names, from Coq's answers (file → text).

    Raises ``KernelError`` for an answer that is missing or unclear, and for any axiom but those
    allowed.  How Coq prints an axiom depends on what else is loaded, so Coq is asked that as well.
    """
    printed: dict[str, str] = {}
    for i, axiom in enumerate(gate.axioms):
        names = read_assumptions(answers.get(f"axiom_{i}", ""), axiom)
        if len(names) != 1 or names & set(printed):
            raise KernelError(f"Coq lists {sorted(names)} for the axiom {axiom}")
        printed[next(iter(names))] = axiom
    found = []
    for i, bundle in enumerate(gate.bundles):
        who = ", ".join(bundle.names)
        names = read_assumptions(answers.get(f"bundle_{i}", ""), who)
        full = {printed.get(name, name) for name in names}
        if extra := sorted(full - bundle.allowed):
            raise KernelError(f"{who} rests on {', '.join(extra)}, which is not allowed")
        found.append(frozenset(full))
    return found


def read_assumptions(answer: str, about: str) -> frozenset[str]:
    """The axioms in Coq's ``answer``, as printed.  Every line must be understood."""
    body = answer.strip()
    if body == CLOSED:
        return frozenset()
    heading, *lines = body.split("\n")
    if heading != "Axioms:":
        raise KernelError(f"Coq gave no list of assumptions for {about}: {body[:200] or 'nothing'}")
    found = set()
    for line in lines:
        if not line.strip() or line.startswith("  "):
            continue
        if not (name := LISTED.fullmatch(line)):
            raise KernelError(
                f"{about} rests on something that Coq did not check or that cannot be read: {line}"
            )
        found.add(name.group(1))
    if not found:
        raise KernelError(f"Coq gave no list of assumptions for {about}: it is empty")
    return frozenset(found)
