"""Spikes and sinks: which Coq theorem proves, or speaks for, which statement of the registry."""

from __future__ import annotations

from theorems.kernel_tables.rows import Theorem


def proves(statement: str, coq: str, witness: str, says: str) -> Theorem:
    """The row of a theorem that says what ``statement`` says; exp needs the excluded middle."""
    return Theorem(
        coq, statement.partition(".")[0], statement, says, witness, settles=True, classic=True
    )


def speaks_for(statement: str, coq: str, witness: str, says: str) -> Theorem:
    """The row of a theorem that goes with ``statement`` and does not settle it."""
    return Theorem(coq, statement.partition(".")[0], statement, says, witness, classic=True)


THEOREMS = (
    proves(
        "logit_gap",
        "logit_gap",
        "nonvacuous_gap",
        "A gap of Δ to every other logit gives the mass 1/(1 + (m−1)e^(−Δ)) at least.",
    ),
    proves(
        "logit_gap.strict",
        "logit_gap_strict",
        "nonvacuous_gap",
        "More than that as soon as one logit lies further below.",
    ),
    speaks_for(
        "logit_gap",
        "logit_gap_attained",
        "nonvacuous_gap_equal",
        "The bound is attained when every other logit is exactly Δ below.",
    ),
    proves(
        "logit_gap.converse",
        "logit_gap_converse",
        "nonvacuous_gap",
        "No mass without a gap to the mean of the other logits.",
    ),
    speaks_for(
        "logit_gap.converse",
        "logit_gap_converse_equality",
        "nonvacuous_gap",
        "That bound is attained exactly when the other logits are equal.",
    ),
    proves(
        "sink_is_gate",
        "sink_is_gate",
        "nonvacuous_gate",
        "A sink of value zero is the gate σ(LSE − z₀) on softmax over the other keys.",
    ),
    speaks_for(
        "sink_is_gate", "sink_gate_mass", "nonvacuous_gate", "The sink's mass is one less the gate."
    ),
    proves(
        "sink_is_gate.half",
        "sink_half",
        "nonvacuous_gap_equal",
        "At a fixed gap the mass is one half at m = 1 + e^Δ keys, as an identity.",
    ),
    speaks_for(
        "sink_is_gate.half",
        "sink_half_mass",
        "nonvacuous_gap_equal",
        "The mass is at least one half exactly up to m = 1 + e^Δ keys.",
    ),
    speaks_for(
        "quadratic_amplifier.remainder",
        "silu_identities",
        "",
        "a − SiLU(a) = a/(1 + e^a), and |SiLU − ReLU| is that at |a|.",
    ),
    proves(
        "quadratic_amplifier.remainder",
        "silu_remainder",
        "",
        "SiLU is ReLU up to 0.2785, and up to |a|e^(−|a|).",
    ),
    proves(
        "quadratic_amplifier",
        "swiglu_active_set",
        "",
        "A SwiGLU output is a quadratic form over its open units, up to the remainders.",
    ),
    speaks_for(
        "quadratic_amplifier.pair",
        "activations_halve",
        "nonvacuous_amplifier",
        "SiLU, ReLU and GELU satisfy f(a) − f(−a) = a.",
    ),
    proves(
        "quadratic_amplifier.pair",
        "amplifier_pair",
        "nonvacuous_amplifier",
        "Gates ±s, up s and down ±λ write λ(sᵀh)² with no error.",
    ),
    speaks_for(
        "quadratic_amplifier.pair",
        "amplifier_rank",
        "nonvacuous_amplifier",
        "2ρ units write a form of rank ρ with no error.",
    ),
    proves(
        "quadratic_amplifier.rank_one",
        "rank_one_bound",
        "nonvacuous_rank_one",
        "The leading eigenvector alone is the form up to |λ₂|(‖h‖² − (s₁ᵀh)²).",
    ),
    speaks_for(
        "quadratic_amplifier.rank_one",
        "rank_one_attained",
        "nonvacuous_rank_one",
        "That bound is attained at the second eigenvector.",
    ),
    proves(
        "norm_sparsifies", "norm_sparsifies", "nonvacuous_spike", "RMSNorm of a spike is near √d·u."
    ),
    proves(
        "norm_sparsifies.converse",
        "norm_sparsifies_converse",
        "nonvacuous_spike",
        "Only a large spike is near √d·u.",
    ),
    proves(
        "norm_sparsifies.sparse",
        "norm_sparsifies_sparse",
        "nonvacuous_spike",
        "Off the support of u the normalised spike is small.",
    ),
    proves(
        "norm_sparsifies.bounded",
        "norm_bounds",
        "nonvacuous_spike",
        "No entry of a normalised state exceeds √d.",
    ),
    proves(
        "norm_sparsifies.keys",
        "norm_sparsifies_keys",
        "nonvacuous_spike",
        "Keys of spikes are near one vector.",
    ),
    proves(
        "sandwich_bound",
        "sandwich_bound",
        "nonvacuous_sandwich",
        "B normalised block outputs add at most Bγ√d, in the ℓ₂ and the sup norm.",
    ),
    proves(
        "sandwich_bound.blocks",
        "sandwich_blocks",
        "nonvacuous_sandwich",
        "So a spike of size A takes (A − x₀)/(γ√d) blocks.",
    ),
    speaks_for(
        "sandwich_bound",
        "sandwich_attained",
        "nonvacuous_sandwich",
        "The bound is attained for every B, d and γ.",
    ),
    proves(
        "sandwich_bound.pre_norm",
        "sandwich_pre_norm",
        "nonvacuous_spike",
        "One pre-norm SwiGLU block of two units writes any size.",
    ),
    proves(
        "head_dimension",
        "head_dimension",
        "nonvacuous_qk",
        "Under QK-norm a key's mass is at most 1/(1 + (m−1)e^(−2g√d_h)).",
    ),
    proves(
        "head_dimension.logit",
        "head_dimension_logit",
        "nonvacuous_qk",
        "Under QK-norm no logit exceeds g√d_h, with RoPE and without.",
    ),
    proves(
        "head_dimension.needed",
        "head_dimension_needed",
        "nonvacuous_qk",
        "Mass τ needs d_h ≥ (T/2g)².",
    ),
    speaks_for(
        "head_dimension",
        "head_dimension_attained",
        "nonvacuous_qk",
        "The ceiling is attained for every head size, number of keys and scale.",
    ),
    speaks_for(
        "head_dimension.needed",
        "head_dimension_14",
        "nonvacuous_qk",
        "Mass 0.3 on one of 4096 keys at scales 1 takes a head of 14.",
    ),
    proves(
        "silence_by_averaging",
        "silence_by_averaging",
        "nonvacuous_silence",
        "Independent centred values leave an output of mean square σ²(1−α)²/m at least.",
    ),
    proves(
        "silence_by_averaging.uneven",
        "silence_uneven",
        "nonvacuous_silence",
        "More than that, by the deviation of any one weight.",
    ),
    speaks_for(
        "silence_by_averaging",
        "silence_equality",
        "nonvacuous_silence",
        "The bound is attained exactly by equal weights.",
    ),
    proves(
        "silence_by_averaging.needed",
        "silence_needed",
        "nonvacuous_silence",
        "Silence η leaves the other m keys the mass η√m/σ at most.",
    ),
    proves(
        "silence_by_averaging.no_sink",
        "silence_no_sink",
        "nonvacuous_silence",
        "From σ²/η² keys on, uniform weights without a sink are silent.",
    ),
    proves(
        "spike_gauge",
        "spike_gauge",
        "nonvacuous_gauge",
        "What is read through RMSNorm does not see the factor, at any depth.",
    ),
    proves(
        "spike_gauge.direction",
        "spike_gauge_direction",
        "nonvacuous_spike",
        "The normalised state hardly depends on the size of its spike.",
    ),
    proves(
        "spike_chain.direction",
        "spike_chain_direction",
        "nonvacuous_chain",
        "A state A·u + b with ‖b‖ ≤ B < A is near √d·u after RMSNorm.",
    ),
    proves(
        "spike_chain.gap",
        "spike_chain_gap",
        "nonvacuous_chain",
        "So its key exceeds the other keys by an explicit gap.",
    ),
    proves(
        "spike_chain", "spike_chain", "nonvacuous_chain", "So it gets the mass that this gap buys."
    ),
    speaks_for(
        "spike_chain",
        "spike_chain_write",
        "nonvacuous_chain_write",
        "Where the state comes from: B = ‖x‖ + τd(1−c²) + ξ for a block that is nearly λ_k ssᵀ.",
    ),
    proves(
        "spike_chain.network",
        "spike_chain_network",
        "nonvacuous_network",
        "The network: BOS rises to 1920, every later query sinks, BOS falls back exactly.",
    ),
    proves(
        "decoupling.spikes_without_sinks",
        "spikes_without_sinks",
        "nonvacuous_network",
        "The same with the sink's key at zero: spike 1920, uniform attention.",
    ),
)
