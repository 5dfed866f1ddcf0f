"""Which Coq theorem proves which statement of the registry, as evidence of kind ``kernel``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from theorems.evidence import NotRun, Outcome, Run, check, evidence
from theorems.kernel import CoqMissing, Proof, check_proofs
from theorems.kernel_pins import TEMPLATES, pins


@dataclass(frozen=True)
class Theorem:
    """The Coq statement ``coq``, the registry statement that it proves, and what it says."""

    coq: str
    claim: str
    statement: str
    says: str


THEOREMS = tuple(
    Theorem(*row)
    for row in (
        (
            "one_layer_sink",
            "one_layer_sink",
            "one_layer_sink",
            "Theorem 1, sharp form: every non-trigger position, any simplex attention and values.",
        ),
        (
            "one_layer_sink_linear",
            "one_layer_sink",
            "one_layer_sink.linear",
            "The linear form, for every error.",
        ),
        (
            "one_layer_sink_epsilon",
            "one_layer_sink",
            "one_layer_sink.epsilon",
            "The paper's own form with the explicit η(ε) = εκ_L/(1+ε).",
        ),
        (
            "one_layer_sink_sharp",
            "one_layer_sink",
            "one_layer_sink",
            "The bound cannot be improved: a family with error exactly η comes as near as wanted.",
        ),
        (
            "one_layer_sink_softmax_after",
            "one_layer_sink",
            "one_layer_sink.softmax_after",
            "Softmax: m ≤ 4η at every non-trigger position.",
        ),
        (
            "one_layer_sink_softmax_before",
            "one_layer_sink",
            "one_layer_sink.softmax_before",
            "Softmax, before the trigger: m ≤ 2η/P₀ ≤ 3η.",
        ),
        (
            "one_layer_sink_softmax_slope",
            "one_layer_sink",
            "one_layer_sink.softmax_slope",
            "Softmax, before the trigger, L ≥ 5: m ≤ 2η/(1 − 18η/(L−4)).",
        ),
        (
            "softmax_after_sharp",
            "one_layer_sink",
            "one_layer_sink.softmax_after",
            "4η is a supremum for every η ≤ κ_L: one content, error exactly η, mass as near 4η as "
            "wanted.",
        ),
        (
            "softmax_before_sharp",
            "one_layer_sink",
            "one_layer_sink.softmax_before",
            "At L = 4 the bound 12η/(5 − 12η) is a supremum, approached with error exactly η.",
        ),
        (
            "deletion_identity",
            "one_layer_sink",
            "one_layer_sink.deletion",
            "Removing one visible token leaves the other weights in proportion.",
        ),
        (
            "deletion_lemma",
            "one_layer_sink",
            "one_layer_sink.deletion",
            "The deletion lemma, the step on which the expected-error form rests.",
        ),
        (
            "one_layer_sink_average",
            "one_layer_sink",
            "one_layer_sink.average",
            "Expected error η, laws of finite support: some position before the trigger has "
            "α < 1 − 3s with probability at most ((L−2)(L−1)/2 + 1)η/s.",
        ),
        (
            "softmax_rows_simplex",
            "one_layer_sink",
            "one_layer_sink",
            "Softmax of any logits gives simplex rows, so the theorem applies to softmax.",
        ),
        (
            "softmax_family",
            "one_layer_sink",
            "one_layer_sink",
            "Softmax attains a linear rate: the explicit solution's exact error and mass off BOS.",
        ),
        (
            "deep_sink",
            "deep_sink",
            "deep_sink",
            "Theorem 2 with a rate: at position 2 some layer sinks, for any number of layers.",
        ),
        (
            "deep_sink_any_position",
            "deep_sink",
            "deep_sink.any_position",
            "Theorem 2 at any position before the trigger.",
        ),
        (
            "relu_no_sink",
            "relu_no_sink",
            "relu_no_sink",
            "Theorem 3 for all lengths, widths and real contents: error 0, BOS weight 0.",
        ),
        (
            "sink_price",
            "sink_price",
            "sink_price",
            "ε of the mass off BOS anywhere costs an error of εκ_L/(1+ε).",
        ),
        (
            "anchor_needed",
            "anchor_needed",
            "anchor_needed",
            "Without BOS every simplex attention has error at least κ_L.",
        ),
        (
            "anchor_needed_attained",
            "anchor_needed",
            "anchor_needed",
            "The floor κ_L is attained.",
        ),
        (
            "two_heads",
            "sink_free_softmax",
            "sink_free_softmax",
            "Two heads in one layer: error at most L·e^(−K), BOS weight 1/i ≤ ½ off the trigger.",
        ),
        (
            "residual_two_layers",
            "sink_free_softmax",
            "sink_free_softmax.residual",
            "A residual stream of depth two: error at most 3L·e^(−K), BOS weight at most e^(−K).",
        ),
    )
)


@functools.cache
def proofs() -> dict[str, Proof]:
    """All theorems as the kernel sees them, checked once for each process."""
    homes = {t.coq: (t.claim, t.statement) for t in THEOREMS}
    try:
        return check_proofs(list(homes), pins(homes))
    except CoqMissing as missing:
        raise NotRun(str(missing)) from None


def _declare(theorem: Theorem) -> None:
    def kernel_proof(run: Run) -> Outcome:
        proof = proofs()[theorem.coq]
        axioms = sorted(a.rsplit(".", 1)[-1] for a in proof.axioms)
        pinned = "pinned to the registry's inequality" if theorem.coq in TEMPLATES else "by name"
        return check(
            True,
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
        files=("theorems/proofs/*.v", "theorems/proofs/_CoqProject"),
    )
    declare(kernel_proof)


for _theorem in THEOREMS:
    _declare(_theorem)
