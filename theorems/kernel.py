"""The driver of Coq's kernel: build the proofs, pin each to its statement, read its axioms.

``proofs/Statements.v`` is trusted and read by people; the proof files are not.  For every theorem
``X`` a generated gate contains ``Definition gate_X : Statements.X := File.X_proof`` and asks Coq
for the assumptions.  The gate refuses more than it accepts: an axiom outside the allowed group, a
theorem whose type is not the statement (a leaked section variable, a weakened form), an answer that
is missing or that mentions an unchecked fixpoint or universe, an object file that was not compiled
here from these sources, and any source that could switch a check off.

Coq exits with 0 in many of these cases, so its exit code alone proves nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROOFS = Path(__file__).resolve().parent / "proofs"

REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
    }
)
"""What Coq's own construction of the reals rests on."""

ALLOWED = REALS | {"Classical_Prop.classic"}
"""The axioms that a theorem may list; exp needs the excluded middle."""

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Unset\s+(Guard|Positivity|Universe)"
    r"\s+Checking|bypass_check|Load|Declare\s+ML|Add\s+(LoadPath|ML)|Redirect|Extraction)\b"
)
FLAGS = re.compile(r"-vos|-vok|-type-in-type|-impredicative-set|-noinit|-quick|-arg")

CLOSED = "Closed under the global context"


class KernelError(Exception):
    """The proofs do not stand: the message says which and why."""


class CoqMissing(Exception):  # noqa: N818 (a fact about the machine, not a fault)
    """There is no Coq on this machine."""


@dataclass(frozen=True)
class Proof:
    """One theorem as the kernel sees it: its file, and the axioms that its proof rests on."""

    name: str
    file: str
    axioms: frozenset[str]


@dataclass(frozen=True)
class Pin:
    """A lemma of the gate, such as: the registry's form of a statement is Coq's."""

    name: str
    text: str


def check_proofs(
    names: Sequence[str],
    pins: Sequence[Pin] = (),
    folder: Path = PROOFS,
    cache: Path | None = None,
    allowed: frozenset[str] = ALLOWED,
) -> dict[str, Proof]:
    """The proof of each theorem in ``names`` (statements of ``Statements.v``), or an error.

    Raises ``CoqMissing`` without Coq and ``KernelError`` when any theorem is not proved, not of the
    stated type, rests on other axioms than ``allowed``, or when a pin does not hold.
    """
    files = project_files(folder)
    for file in files:
        refuse_unsafe((folder / file).read_text(encoding="utf-8"), file)
    homes = {name: home_of(name, folder, files) for name in names}
    built = build(folder, files, cache or default_cache())
    answer = run_gate(built, gate_text(homes, pins, files))
    found = {}
    for name, home in homes.items():
        axioms = read_assumptions(answer, name)
        if extra := sorted(axioms - allowed):
            raise KernelError(f"{name} rests on {', '.join(extra)}, which is not allowed")
        found[name] = Proof(name, home, axioms)
    for pin in pins:
        if (axioms := read_assumptions(answer, f"pin_{pin.name}")) - allowed:
            raise KernelError(f"pin {pin.name} rests on {', '.join(sorted(axioms - allowed))}")
    return found


def project_files(folder: Path) -> list[str]:
    """The files that ``_CoqProject`` lists, in order.  Raises ``KernelError`` on unsafe flags."""
    text = (folder / "_CoqProject").read_text(encoding="utf-8")
    if unsafe := FLAGS.findall(text):
        raise KernelError(f"_CoqProject uses {' '.join(unsafe)}, which is not allowed")
    files = [line.strip() for line in text.splitlines() if line.strip().endswith(".v")]
    if not files:
        raise KernelError("_CoqProject lists no files: there is nothing to check")
    return files


def refuse_unsafe(source: str, file: str) -> None:
    """Raise ``KernelError`` if ``source`` could switch off a check or assume something."""
    if found := FORBIDDEN.search(without_comments(source)):
        raise KernelError(
            f"{file} contains {found.group()!r}, which is not allowed in a proof file"
        )


def without_comments(source: str) -> str:
    """Coq ``source`` with its (nested) comments and its strings removed."""
    kept, depth, at = [], 0, 0
    for token in re.finditer(r'\(\*|\*\)|"[^"]*"', source):
        if depth == 0:
            kept.append(source[at : token.start()])
        if token.group() == "(*":
            depth += 1
        elif token.group() == "*)":
            depth = max(0, depth - 1)
        at = token.end()
    return " ".join([*kept, source[at:] if depth == 0 else ""])


def home_of(name: str, folder: Path, files: Sequence[str]) -> str:
    """The one file with ``Theorem name_proof : name.``"""
    pattern = re.compile(rf"\b(?:Theorem|Lemma|Definition)\s+{name}_proof\b")
    homes = [f for f in files if pattern.search(without_comments((folder / f).read_text("utf-8")))]
    if len(homes) != 1:
        where = "no file" if not homes else f"several files ({', '.join(homes)})"
        raise KernelError(f"{name}_proof is in {where} of _CoqProject")
    return homes[0]


def default_cache() -> Path:
    """Where builds are kept, by content: SINKPROOF_CACHE, or the user's cache folder."""
    base = os.environ.get("SINKPROOF_CACHE") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "sinkproof" / "kernel"


def build(folder: Path, files: Sequence[str], cache: Path) -> Path:
    """A folder with the compiled proofs, made from these very sources; returns its path.

    Sources are copied without object files, so a stale or foreign .vo is never used, and a kept
    build is used again only if every object file still has the hash that compiling gave it.
    """
    coqc = shutil.which("coqc")
    if coqc is None:
        raise CoqMissing("Coq is not installed: 'apt-get install coq' adds it")
    shown = subprocess.run([coqc, "--version"], capture_output=True, text=True, check=True).stdout
    digest = hashlib.sha256(shown.encode())
    for file in ["_CoqProject", *files]:
        digest.update(f"\0{file}\0".encode() + (folder / file).read_bytes())
    home = cache / digest.hexdigest()[:24]
    if _is_intact(home):
        return home
    shutil.rmtree(home, ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=cache, prefix="building-"))
    try:
        for file in ["_CoqProject", *files]:
            shutil.copyfile(folder / file, work / file)
        started = time.perf_counter()
        _run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq"], work)
        _run(["make", "-f", "Makefile.coq", f"-j{os.cpu_count() or 1}"], work)
        seconds = time.perf_counter() - started
        objects = {f: _hash(work / f) for f in sorted(p.name for p in work.glob("*.vo"))}
        missing = {Path(f).with_suffix(".vo").name for f in files} - set(objects)
        if missing:
            raise KernelError(f"Coq made no object file for {', '.join(sorted(missing))}")
        stamp = {"objects": objects, "seconds": round(seconds, 1), "coq": shown.split("\n")[0]}
        (work / "built.json").write_text(json.dumps(stamp), encoding="utf-8")
        work.rename(home)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return home


def gate_text(homes: Mapping[str, str], pins: Sequence[Pin], files: Sequence[str]) -> str:
    """The gate: one pinned definition and one question for each theorem, then the pins."""
    modules = [Path(f).stem for f in files if Path(f).stem != "Statements"]
    lines = ["(* Generated: pins every proof to its statement and prints its assumptions. *)"]
    lines += ["Require Import Reals List Lra Lia.", "Import ListNotations.", "Open Scope R_scope."]
    lines += [f"From Sinkproof Require {m}." for m in modules]
    lines += ["From Sinkproof Require Import Statements."]
    for name, home in homes.items():
        lines.append(
            f"Definition gate_{name} : Statements.{name} := {Path(home).stem}.{name}_proof."
        )
        lines += _ask(name, f"gate_{name}")
    for pin in pins:
        lines.append(pin.text)
        lines += _ask(f"pin_{pin.name}", f"pin_{pin.name}")
    return "\n".join(lines) + "\n"


def run_gate(built: Path, text: str) -> str:
    """What Coq prints on the gate.  Raises ``KernelError`` with Coq's own words when it refuses."""
    with tempfile.TemporaryDirectory() as scratch:
        gate = Path(scratch) / "Gate.v"
        gate.write_text(text, encoding="utf-8")
        return _run(["coqc", "-q", "-Q", str(built), "Sinkproof", gate.name], Path(scratch))


def read_assumptions(answer: str, name: str) -> frozenset[str]:
    """The axioms that Coq listed for ``name``.  Only a clear answer counts."""
    part = re.search(rf"^BEGIN {name}$\n(.*?)^END {name}$", answer, re.MULTILINE | re.DOTALL)
    body = part.group(1).strip() if part else ""
    if body == CLOSED:
        return frozenset()
    if not body.startswith("Axioms:"):
        raise KernelError(f"Coq gave no list of assumptions for {name}: {body[:200] or 'nothing'}")
    unchecked = re.search(r"is assumed|relies on|Theory:|is type-in-type", body)
    if unchecked:
        raise KernelError(f"{name} rests on something that Coq did not check: {body[:400]}")
    return frozenset(re.findall(r"^([A-Za-z_][\w.']*)(?=\s*(?::|$))", body[len("Axioms:") :], re.M))


def coqchk(built: Path, names: Sequence[str]) -> str:
    """The independent checker's summary on the modules ``names``; raises if it is not clean."""
    command = ["coqchk", "-silent", "-o", "-Q", ".", "Sinkproof", *names]
    shown = _run(command, built, limit=900, errors=True)  # it prints its summary as an error
    summary = shown[shown.find("CONTEXT SUMMARY") :]
    for heading in (
        "Constants/Inductives relying on type-in-type",
        "Constants/Inductives relying on unsafe (co)fixpoints",
        "Inductives whose positivity is assumed",
    ):
        if f"{heading}: <none>" not in summary:
            raise KernelError(f"coqchk does not say '{heading}: <none>'")
    listed = re.search(r"\* Axioms:(.*?)\n\s*\n", summary + "\n\n", re.DOTALL)
    if listed is None:
        raise KernelError("coqchk printed no list of axioms")
    allowed = {f"Coq.{where}.{name}" for name in ALLOWED for where in ("Reals", "Logic")}
    if extra := [a for a in listed.group(1).split() if a != "<none>" and a not in allowed]:
        raise KernelError(f"coqchk lists {', '.join(extra)}")
    return summary


def _ask(label: str, term: str) -> list[str]:
    mark = 'Goal True. idtac "{} ' + label + '". Abort.'
    return [mark.format("BEGIN"), f"Print Assumptions {term}.", mark.format("END")]


def _run(command: Sequence[str], folder: Path, limit: float = 600, errors: bool = False) -> str:
    """What ``command`` prints (with ``errors`` on standard error too); raises when it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        raise KernelError(f"{command[0]} took more than {limit:.0f} s") from None
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        raise KernelError(f"{command[0]} refuses: {said}")
    return done.stdout + done.stderr if errors else done.stdout


def _is_intact(home: Path) -> bool:
    try:
        objects = json.loads((home / "built.json").read_text(encoding="utf-8"))["objects"]
        return bool(objects) and all(_hash(home / f) == h for f, h in objects.items())
    except (OSError, ValueError, KeyError):
        return False


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
