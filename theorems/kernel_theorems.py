"""Which Coq theorem proves which statement of the registry, as evidence of kind ``kernel``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

from theorems.evidence import NotRun, Outcome, Run, check, evidence
from theorems.kernel import CoqMissing, Proof, check_proofs, checked, own_axioms
from theorems.kernel_gate import ALLOWED, REALS
from theorems.kernel_pins import pins
from theorems.kernel_templates import TEMPLATES
from theorems.kernel_witnesses import witness_pins


@dataclass(frozen=True)
class Theorem:
    """The Coq statement ``coq``, the registry statement that it proves, and what it says.

    ``settles`` is true where the two say the same; other theorems speak for a statement (its bound
    is attained, its setting is not empty) without proving it.  ``witness`` is the one of
    ``kernel_witnesses`` that meets the theorem's hypotheses, empty where it has none.
    ``classic`` is true where the proof may use the excluded middle.
    """

    coq: str
    claim: str
    statement: str
    says: str
    witness: str = ""
    settles: bool = False
    classic: bool = False

    @property
    def allowed(self) -> frozenset[str]:
        """The axioms that the theorem may rest on."""
        return ALLOWED if self.classic else REALS


FILES = ("theorems/proofs/*.v", "theorems/proofs/_CoqProject")

THEOREMS = (
    Theorem(
        "one_layer_sink",
        "one_layer_sink",
        "one_layer_sink",
        "Theorem 1, sharp form: every non-trigger position, any simplex attention and values.",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_linear",
        "one_layer_sink",
        "one_layer_sink.linear",
        "The linear form, for every error.",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_epsilon",
        "one_layer_sink",
        "one_layer_sink.epsilon",
        "The paper's own form with the explicit η(ε) = εκ_L/(1+ε).",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_sharp",
        "one_layer_sink",
        "one_layer_sink",
        "The bound cannot be improved: a family with error exactly η comes as near as wanted.",
        witness="nonvacuous_one_layer_sharp",
    ),
    Theorem(
        "one_layer_sink_softmax_after",
        "one_layer_sink",
        "one_layer_sink.softmax_after",
        "Softmax: m ≤ 4η at every non-trigger position.",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_softmax_before",
        "one_layer_sink",
        "one_layer_sink.softmax_before",
        "Softmax, before the trigger: m ≤ 2η/P₀ ≤ 3η.",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_softmax_slope",
        "one_layer_sink",
        "one_layer_sink.softmax_slope",
        "Softmax, before the trigger, L ≥ 5: m ≤ 2η/(1 − 18η/(L−4)).",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "softmax_after_sharp",
        "one_layer_sink",
        "one_layer_sink.softmax_after",
        "4η is a supremum for every η ≤ κ_L: one content, error exactly η, mass as near "
        "4η as wanted.",
        witness="nonvacuous_softmax_after_sharp",
        classic=True,
    ),
    Theorem(
        "softmax_before_sharp",
        "one_layer_sink",
        "one_layer_sink.softmax_before",
        "At L = 4 the bound 12η/(5 − 12η) is a supremum, approached with error exactly η.",
        witness="nonvacuous_softmax_before_sharp",
        classic=True,
    ),
    Theorem(
        "deletion_identity",
        "one_layer_sink",
        "one_layer_sink.deletion",
        "Removing one visible token leaves the other weights in proportion.",
    ),
    Theorem(
        "deletion_lemma",
        "one_layer_sink",
        "one_layer_sink.deletion",
        "The deletion lemma, the step on which the expected-error form rests.",
        witness="nonvacuous_deletion",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_average",
        "one_layer_sink",
        "one_layer_sink.average",
        "Expected error η, laws of finite support: some position before the trigger has α "
        "< 1 − 3s with probability at most ((L−2)(L−1)/2 + 1)η/s.",
        witness="nonvacuous_average",
        settles=True,
    ),
    Theorem(
        "softmax_rows_simplex",
        "one_layer_sink",
        "one_layer_sink",
        "Softmax of any logits gives simplex rows, so the theorem applies to softmax.",
    ),
    Theorem(
        "softmax_family",
        "one_layer_sink",
        "one_layer_sink",
        "Softmax attains a linear rate: the explicit solution's exact error and mass off BOS.",
        witness="nonvacuous_family",
    ),
    Theorem(
        "deep_sink",
        "deep_sink",
        "deep_sink",
        "Theorem 2 with a rate: at position 2 some layer sinks, for any number of layers.",
        witness="nonvacuous_deep",
        settles=True,
    ),
    Theorem(
        "deep_sink_any_position",
        "deep_sink",
        "deep_sink.any_position",
        "Theorem 2 at any position before the trigger.",
        witness="nonvacuous_deep",
        settles=True,
    ),
    Theorem(
        "relu_no_sink",
        "relu_no_sink",
        "relu_no_sink",
        "Theorem 3 for all lengths, widths and real contents: error 0, BOS weight 0.",
        witness="nonvacuous_relu",
        settles=True,
    ),
    Theorem(
        "sink_price",
        "sink_price",
        "sink_price",
        "ε of the mass off BOS anywhere costs an error of εκ_L/(1+ε).",
        witness="nonvacuous_price",
        settles=True,
    ),
    Theorem(
        "anchor_needed",
        "anchor_needed",
        "anchor_needed",
        "Without BOS every simplex attention has error at least κ_L.",
        witness="nonvacuous_anchor",
        settles=True,
    ),
    Theorem(
        "anchor_needed_attained",
        "anchor_needed",
        "anchor_needed",
        "The floor κ_L is attained.",
    ),
    Theorem(
        "two_heads",
        "sink_free_softmax",
        "sink_free_softmax",
        "Two heads in one layer: error at most L·e^(−K), BOS weight 1/i ≤ ½ off the trigger.",
        witness="nonvacuous_unit_box",
        settles=True,
    ),
    Theorem(
        "residual_two_layers",
        "sink_free_softmax",
        "sink_free_softmax.residual",
        "A residual stream of depth two: error at most 3L·e^(−K), BOS weight at most e^(−K).",
        witness="nonvacuous_unit_box",
        settles=True,
    ),
)


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
