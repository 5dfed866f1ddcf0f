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
    Theorem(
        "sink_is_gate",
        "sink_is_gate",
        "sink_is_gate",
        "A sink of value zero is the gate σ(LSE − z₀) on softmax over the other keys.",
        witness="nonvacuous_gate",
        settles=True,
        classic=True,
    ),
    Theorem(
        "sink_gate_mass",
        "sink_is_gate",
        "sink_is_gate",
        "The sink's mass is one less the gate.",
        witness="nonvacuous_gate",
        classic=True,
    ),
    Theorem(
        "sink_half",
        "sink_is_gate",
        "sink_is_gate.half",
        "At a fixed gap the mass is one half at m = 1 + e^Δ keys, as an identity.",
        witness="nonvacuous_gap_equal",
        settles=True,
        classic=True,
    ),
    Theorem(
        "sink_half_mass",
        "sink_is_gate",
        "sink_is_gate.half",
        "The mass is at least one half exactly up to m = 1 + e^Δ keys.",
        witness="nonvacuous_gap_equal",
        classic=True,
    ),
    Theorem(
        "silu_identities",
        "quadratic_amplifier",
        "quadratic_amplifier.remainder",
        "a − SiLU(a) = a/(1 + e^a), and |SiLU − ReLU| is that at |a|.",
        classic=True,
    ),
    Theorem(
        "silu_remainder",
        "quadratic_amplifier",
        "quadratic_amplifier.remainder",
        "SiLU is ReLU up to 0.2785, and up to |a|e^(−|a|).",
        settles=True,
        classic=True,
    ),
    Theorem(
        "swiglu_active_set",
        "quadratic_amplifier",
        "quadratic_amplifier",
        "A SwiGLU output is a quadratic form over its open units, up to the remainders.",
        settles=True,
        classic=True,
    ),
    Theorem(
        "activations_halve",
        "quadratic_amplifier",
        "quadratic_amplifier.pair",
        "SiLU, ReLU and GELU satisfy f(a) − f(−a) = a.",
        witness="nonvacuous_amplifier",
        classic=True,
    ),
    Theorem(
        "amplifier_pair",
        "quadratic_amplifier",
        "quadratic_amplifier.pair",
        "Gates ±s, up s and down ±λ write λ(sᵀh)² with no error.",
        witness="nonvacuous_amplifier",
        settles=True,
        classic=True,
    ),
    Theorem(
        "amplifier_rank",
        "quadratic_amplifier",
        "quadratic_amplifier.pair",
        "2ρ units write a form of rank ρ with no error.",
        witness="nonvacuous_amplifier",
        classic=True,
    ),
    Theorem(
        "rank_one_bound",
        "quadratic_amplifier",
        "quadratic_amplifier.rank_one",
        "The leading eigenvector alone is the form up to |λ₂|(‖h‖² − (s₁ᵀh)²).",
        witness="nonvacuous_rank_one",
        settles=True,
        classic=True,
    ),
    Theorem(
        "rank_one_attained",
        "quadratic_amplifier",
        "quadratic_amplifier.rank_one",
        "That bound is attained at the second eigenvector.",
        witness="nonvacuous_rank_one",
        classic=True,
    ),
    Theorem(
        "norm_sparsifies",
        "norm_sparsifies",
        "norm_sparsifies",
        "RMSNorm of a spike is near √d·u.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "norm_sparsifies_converse",
        "norm_sparsifies",
        "norm_sparsifies.converse",
        "Only a large spike is near √d·u.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "norm_sparsifies_sparse",
        "norm_sparsifies",
        "norm_sparsifies.sparse",
        "Off the support of u the normalised spike is small.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "norm_bounds",
        "norm_sparsifies",
        "norm_sparsifies.bounded",
        "No entry of a normalised state exceeds √d.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "norm_sparsifies_keys",
        "norm_sparsifies",
        "norm_sparsifies.keys",
        "Keys of spikes are near one vector.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "sandwich_bound",
        "sandwich_bound",
        "sandwich_bound",
        "B normalised block outputs add at most Bγ√d, in the ℓ₂ and the sup norm.",
        witness="nonvacuous_sandwich",
        settles=True,
        classic=True,
    ),
    Theorem(
        "sandwich_blocks",
        "sandwich_bound",
        "sandwich_bound.blocks",
        "So a spike of size A takes (A − x₀)/(γ√d) blocks.",
        witness="nonvacuous_sandwich",
        settles=True,
        classic=True,
    ),
    Theorem(
        "sandwich_attained",
        "sandwich_bound",
        "sandwich_bound",
        "The bound is attained for every B, d and γ.",
        witness="nonvacuous_sandwich",
        classic=True,
    ),
    Theorem(
        "sandwich_pre_norm",
        "sandwich_bound",
        "sandwich_bound.pre_norm",
        "One pre-norm SwiGLU block of two units writes any size.",
        witness="nonvacuous_spike",
        settles=True,
        classic=True,
    ),
    Theorem(
        "head_dimension",
        "head_dimension",
        "head_dimension",
        "Under QK-norm a key's mass is at most 1/(1 + (m−1)e^(−2g√d_h)).",
        witness="nonvacuous_qk",
        settles=True,
        classic=True,
    ),
    Theorem(
        "head_dimension_logit",
        "head_dimension",
        "head_dimension.logit",
        "Under QK-norm no logit exceeds g√d_h, with RoPE and without.",
        witness="nonvacuous_qk",
        settles=True,
        classic=True,
    ),
    Theorem(
        "head_dimension_needed",
        "head_dimension",
        "head_dimension.needed",
        "Mass τ needs d_h ≥ (T/2g)².",
        witness="nonvacuous_qk",
        settles=True,
        classic=True,
    ),
    Theorem(
        "head_dimension_attained",
        "head_dimension",
        "head_dimension",
        "The ceiling is attained for every head size, number of keys and scale.",
        witness="nonvacuous_qk",
        classic=True,
    ),
    Theorem(
        "head_dimension_14",
        "head_dimension",
        "head_dimension.needed",
        "Mass 0.3 on one of 4096 keys at scales 1 takes a head of 14.",
        witness="nonvacuous_qk",
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
    "nonvacuous_gate": r"""
exists (z : list R) (vs : list vec) (k i : nat), (k < length z)%nat /\ (2 <= length z)%nat /\
length vs = length z /\ nth k vs (fun _ => 0) i = 0 /\ mix (softmax z) vs i <> 0""",
    "nonvacuous_amplifier": r"""
halves silu /\ glu silu 2 1 (paired_gate (fun _ _ => 1)) (paired_up (fun _ _ => 1))
(paired_down (fun _ => 3)) (fun _ => 2) = 12 /\ exists g : R -> R, forall a, g a + g (- a) = 1""",
    "nonvacuous_rank_one": r"""
exists (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R), (3 <= d)%nat /\
orthonormal_basis d s /\ eigenvectors d S s lambda /\ 0 < Rabs (lambda 1%nat) <= Rabs
(lambda 0%nat) /\ (forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat))""",
    "nonvacuous_spike": r"""
forall a : R, 0 < a -> exists (d e : nat) (u r : vec) (M : matrix) (i : nat), spike_state d a
u r /\ 0 < inner d r r /\ (i < d)%nat /\ u i = 0 /\ (forall x, norm e (apply d M x) <= 1 *
norm d x)""",
    "nonvacuous_sandwich": r"""
forall (d B : nat) (gamma : R), (1 <= d)%nat -> 0 <= gamma -> exists x, post_norm_blocks d B
gamma x /\ norm d (x B) = sqrt (INR d) * gamma * INR B""",
    "nonvacuous_qk": r"""
(forall d m : nat, (1 <= d)%nat -> (1 <= m)%nat -> exists gq gk eq x z, Forall (qk_logit d 1
gq gk eq x) z /\ length z = m) /\ (exists d gq gk, Nat.Even d /\ (1 <= d)%nat /\
rope_scales d 1 gq gk) /\ exists d gq gk eq x z tau T, (1 <= d)%nat /\ Forall (qk_logit d 1
gq gk eq x) z /\ (2 <= length z)%nat /\ 0 < tau < 1 /\ (INR (length z) - 1) * tau /
(1 - tau) = exp T /\ 0 <= T /\ tau <= mass z 0""",
}
"""By the name of the example in ``SpikeWitnesses.v``."""

SPIKES = Table(THEOREMS, TEMPLATES, LEMMAS, WITNESSES, "SpikeWitnesses")
