"""Spikes and sinks: which Coq theorem proves which statement, and its witnesses."""

from __future__ import annotations

from theorems.kernel_tables.rows import Table, Theorem
from theorems.kernel_tables.spike_templates import LEMMAS, TEMPLATES

THEOREMS = (
    Theorem(
        "logit_gap",
        "logit_gap",
        "logit_gap",
        "A gap of Δ to every other logit gives the mass 1/(1 + (m−1)e^(−Δ)) at least.",
        witness="nonvacuous_gap",
        settles=True,
        classic=True,
    ),
    Theorem(
        "logit_gap_strict",
        "logit_gap",
        "logit_gap.strict",
        "More than that as soon as one logit lies further below.",
        witness="nonvacuous_gap",
        settles=True,
        classic=True,
    ),
    Theorem(
        "logit_gap_attained",
        "logit_gap",
        "logit_gap",
        "The bound is attained when every other logit is exactly Δ below.",
        witness="nonvacuous_gap_equal",
        classic=True,
    ),
    Theorem(
        "logit_gap_converse",
        "logit_gap",
        "logit_gap.converse",
        "No mass without a gap to the mean of the other logits.",
        witness="nonvacuous_gap",
        settles=True,
        classic=True,
    ),
    Theorem(
        "logit_gap_converse_equality",
        "logit_gap",
        "logit_gap.converse",
        "That bound is attained exactly when the other logits are equal.",
        witness="nonvacuous_gap",
        classic=True,
    ),
)

WITNESSES = {
    "nonvacuous_gap": r"""
exists (z : list R) (k : nat) (gap : R), (k < length z)%nat /\ (2 <= length z)%nat /\ Forall
(fun y => y + gap <= nth k z 0) (others k z) /\ Exists (fun y => y + gap < nth k z 0)
(others k z)""",
    "nonvacuous_gap_equal": r"""
exists (z : list R) (k : nat) (gap : R), (k < length z)%nat /\ (2 <= length z)%nat /\ Forall
(fun y => y + gap = nth k z 0) (others k z)""",
}
"""By the name of the example in ``SpikeWitnesses.v``."""

SPIKES = Table(THEOREMS, TEMPLATES, LEMMAS, WITNESSES, "SpikeWitnesses")
