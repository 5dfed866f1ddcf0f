"""The driver of Coq's kernel: build the proofs, pin each to its statement, read its axioms.

``proofs/Statements.v`` and the other files of ``kernel_sources.TRUSTED`` are read by people; the
proof files are not.  Sources are first
read by ``kernel_sources``, then compiled here from nothing but themselves, then put to the gate of
``kernel_gate``.  Each refuses more than it accepts: an axiom outside the allowed group, a theorem
whose type is not the statement (a leaked section variable, a weakened form), an answer that is
missing or that mentions an unchecked fixpoint or universe, an object file that was not compiled
here from these sources, and any source that could switch a check off.  ``checked`` asks the
independent checker, coqchk, which reads the object files alone and knows nothing of the gate.

Coq exits with 0 in many of these cases, so its exit code alone proves nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theorems.files import write_json
from theorems.kernel_gate import ALLOWED, Gate, Pins, read_gate, write_gate
from theorems.kernel_sources import (
    KernelError,
    home_of,
    project_files,
    refuse_unsafe,
    stated_in,
)

PROOFS = Path(__file__).resolve().parent / "proofs"


class CoqMissing(Exception):  # noqa: N818 (a fact about the machine, not a fault)
    """There is no Coq on this machine."""


@dataclass(frozen=True)
class Proof:
    """One theorem as the kernel sees it: its file, and axioms that contain those it rests on."""

    name: str
    file: str
    axioms: frozenset[str]


def check_proofs(
    names: Sequence[str] | Mapping[str, frozenset[str]],
    pins: Pins | None = None,
    folder: Path = PROOFS,
    cache: Path | None = None,
) -> dict[str, Proof]:
    """The proof of each theorem in ``names`` (statements of the trusted files), or an error.

    As a mapping, ``names`` says which axioms each may rest on.  Those with the same answer are
    asked together, so a proof's ``axioms`` are those of its group.  Raises ``CoqMissing`` without
    Coq and ``KernelError`` when any theorem is not proved, not of the stated type or rests on other
    axioms, or when a pin does not hold.
    """
    allowed = names if isinstance(names, Mapping) else dict.fromkeys(names, ALLOWED)
    files = project_files(folder)
    for file in files:
        refuse_unsafe((folder / file).read_text(encoding="utf-8"), file)
    homes = _homes(allowed, folder, files)
    built = build(folder, files, cache or default_cache())
    gate = write_gate(homes, pins or Pins(), files, allowed)
    axioms: dict[str, frozenset[str]] = {}
    for bundle, found in zip(gate.bundles, read_gate(gate, run_gate(built, gate)), strict=True):
        axioms |= dict.fromkeys(bundle.names, found)
    return {name: Proof(name, home, axioms[name]) for name, (_, home) in homes.items()}


def _homes(names: Iterable[str], folder: Path, files: Sequence[str]) -> dict[str, tuple[str, str]]:
    """For each theorem the trusted file that states it and the file that proves it."""
    return {n: (stated_in(n, folder, files), home_of(n, folder, files)) for n in names}


def own_axioms(
    allowed: Mapping[str, frozenset[str]], folder: Path = PROOFS, cache: Path | None = None
) -> dict[str, frozenset[str]]:
    """The axioms that each theorem rests on, asked one by one.

    That takes a second for each, so the answer is kept beside the build, with the hashes of the
    object files that it speaks of.  ``check_proofs`` decides what stands; this only tells apart
    the members of a group.
    """
    files = project_files(folder)
    built = build(folder, files, cache or default_cache())

    def ask() -> dict[str, list[str]]:
        homes = _homes(allowed, folder, files)
        gate = write_gate(homes, Pins(), files, allowed, singly=True)
        found = read_gate(gate, run_gate(built, gate))
        return {b.names[0]: sorted(axioms) for b, axioms in zip(gate.bundles, found, strict=True)}

    asked = hashlib.sha256("\0".join(sorted(allowed)).encode()).hexdigest()[:12]
    return {n: frozenset(a) for n, a in _kept(built, f"axioms-{asked}", ask).items()}


def _kept(built: Path, name: str, make: Callable[[], Any]) -> Any:
    """What ``make`` returns, kept as JSON in ``built`` for the object files that are there now."""
    objects = json.loads((built / "built.json").read_text(encoding="utf-8"))["objects"]
    file = built / f"{name}.json"
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        if known["objects"] == objects:
            return known["answer"]
    except (OSError, ValueError, KeyError):
        pass
    answer = make()
    if not _is_intact(built):
        raise KernelError(f"the object files changed while they were read for {name}")
    write_json(file, {"objects": objects, "answer": answer})
    return answer


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
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f".{home.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two processes build once
        if not _is_intact(home):
            shutil.rmtree(home, ignore_errors=True)
            _compile(folder, files, home, shown)
    return home


def _compile(folder: Path, files: Sequence[str], home: Path, shown: str) -> None:
    work = Path(tempfile.mkdtemp(dir=home.parent, prefix="building-"))
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


def run_gate(built: Path, gate: Gate) -> dict[str, str]:
    """Coq's answers to the gate.  Raises ``KernelError`` with Coq's own words when it refuses."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "Gate.v"
        file.write_text(gate.text, encoding="utf-8")
        try:
            _run(["coqc", "-q", "-Q", str(built), "Sinkproof", file.name], Path(scratch))
        except KernelError as refusal:
            raise KernelError(str(refusal).replace(f"_{gate.nonce}", "")) from None
        return {f.stem: f.read_text("utf-8") for f in sorted(Path(scratch).glob("*.out"))}


def checked(folder: Path = PROOFS, cache: Path | None = None) -> str:
    """The independent checker's summary on all of ``folder``'s files; raises if it is not clean.

    It takes half a minute, so a clean summary is kept beside the build, with the hashes of the
    object files that it speaks of.
    """
    files = project_files(folder)
    built = build(folder, files, cache or default_cache())
    modules = [f"Sinkproof.{Path(f).stem}" for f in files]
    return read_summary(str(_kept(built, "checked", lambda: coqchk(built, modules))))


def coqchk(built: Path, names: Sequence[str]) -> str:
    """The independent checker's summary on the modules ``names``; raises if it is not clean."""
    command = ["coqchk", "-silent", "-o", "-Q", ".", "Sinkproof", *names]
    shown = _run(command, built, limit=900, errors=True)  # it prints its summary as an error
    return read_summary(shown[shown.find("CONTEXT SUMMARY") :])


def read_summary(summary: str) -> str:
    """``summary`` itself, if it is coqchk's and clean."""
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
    if extra := [a for a in listed.group(1).split() if a != "<none>" and a not in ALLOWED]:
        raise KernelError(f"coqchk lists {', '.join(extra)}")
    return summary


def _run(command: Sequence[str], folder: Path, limit: float = 600, errors: bool = False) -> str:
    """What ``command`` prints (with ``errors`` on standard error too); raises when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={k: v for k, v in os.environ.items() if not re.match("COQ|OCAML|MAKE", k)},
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
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
