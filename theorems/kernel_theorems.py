"""Which Coq theorem proves which statement of the registry, as evidence of kind ``kernel``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from theorems.evidence import NotRun, Outcome, Run, check, evidence
from theorems.kernel import CoqMissing, Proof, check_proofs, checked, own_axioms
from theorems.kernel_gate import ALLOWED
from theorems.kernel_pins import pins
from theorems.kernel_tables import TEMPLATES, THEOREMS, witness_pins
from theorems.kernel_tables.rows import Theorem

FILES = ("theorems/proofs/*.v", "theorems/proofs/_CoqProject")


@functools.cache
def proofs() -> dict[str, Proof]:
    """All theorems as the kernel sees them, checked once for each process."""
    homes = {t.coq: (t.claim, t.statement) for t in THEOREMS}
    allowed = {t.coq: t.allowed for t in THEOREMS}
    try:
        found = check_proofs(
            allowed, replace(known := pins(homes), pins=(*known.pins, *witness_pins()))
        )
        own = own_axioms(allowed)
        return {name: replace(proof, axioms=own[name]) for name, proof in found.items()}
    except CoqMissing as missing:
        raise NotRun(str(missing)) from None


def _declare(theorem: Theorem) -> None:
    def kernel_proof(run: Run) -> Outcome:
        proof = proofs()[theorem.coq]
        axioms = sorted(a.rpartition(".")[2] for a in proof.axioms)
        pinned = "pinned to the registry's inequality" if theorem.coq in TEMPLATES else "by name"
        return check(
            proof.axioms <= theorem.allowed,
            f"{theorem.coq}_proof in {proof.file}, {pinned}; axioms: {', '.join(axioms) or 'none'}",
            axioms=sorted(proof.axioms),
            file=f"theorems/proofs/{proof.file}",
        )

    kernel_proof.__name__ = theorem.coq
    kernel_proof.__doc__ = theorem.says
    declare: Callable[[Callable[[Run], Outcome]], object] = evidence(
        theorem.claim,
        kind="kernel",
        statement=theorem.statement,
        files=FILES,
        settles=theorem.settles,
    )
    declare(kernel_proof)


for _theorem in THEOREMS:
    _declare(_theorem)


@evidence("one_layer_sink", kind="kernel", mode="standard", files=FILES)
def coqchk_agrees(run: Run) -> Outcome:
    """Coq's independent checker accepts every object file, and lists no axiom but those allowed.

    It reads the compiled proofs alone: it shares neither the gate nor the search of the sources.
    """
    try:
        summary = checked()
    except CoqMissing as missing:
        raise NotRun(str(missing)) from None
    used = sorted(axiom for axiom in ALLOWED if axiom in summary)
    return check(True, f"coqchk: nothing unchecked; axioms: {', '.join(used)}", axioms=used)
