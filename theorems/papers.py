"""Every claim of the three papers that this suite answers for, in the papers' order.

Restated in our own words.  ``home`` is the id of the claim that answers it (a module of that name,
once it is stated); a claim without evidence is open, and nothing here says otherwise.

A sentence about trained models that a theorem of ours explains has two homes: the theorem's, and an
empirical one that stays open until it is measured.  So B1 (``first_layer_ceiling`` is about the
first layer only), B3 (that mixing shortens is a theorem, that it is the *source* of trained sinks
is to be measured: ``p0_mask_source``) and B4 (a network shows that an MLP can do it, that trained
ones do is ``p0_mlp_write``).  B2 says that two blocks suffice, which a network of two blocks
answers, and B5 is a sentence of mathematics.
"""

from __future__ import annotations

from dataclasses import dataclass

PAPERS = {
    "A": "Ran-Milo 2026, arXiv 2603.11487: Attention Sinks Are Provably Necessary in Softmax "
    "Transformers",
    "B": "Peng et al. 2026, arXiv 2603.06591 v1: How Attention Sinks Emerge in LLMs (the P0 sink "
    "circuit)",
    "C": "Sun, Canziani, LeCun, Zhu 2026, arXiv 2603.05498: the spike, the sparse and the sink",
}


@dataclass(frozen=True)
class PaperClaim:
    """One claim of a paper: its id, the claims that answer it, and what the paper says."""

    id: str
    homes: tuple[str, ...]
    text: str


def _claims(*rows: tuple[str, str, str]) -> dict[str, PaperClaim]:
    return {id: PaperClaim(id, tuple(homes.split()), text) for id, homes, text in rows}


CLAIMS = _claims(
    (
        "A1",
        "trigger_task",
        "The trigger-conditional task: mean of the non-BOS tokens up to the trigger at the "
        "trigger, zero elsewhere.",
    ),
    (
        "A2",
        "one_layer_sink",
        "Theorem 1: a single softmax layer with vanishing error puts BOS mass → 1 at every "
        "non-trigger position.",
    ),
    (
        "A3",
        "deep_sink",
        "Theorem 2: in a stack of layers at least one layer sinks at some non-trigger position.",
    ),
    (
        "A4",
        "relu_no_sink",
        "Theorem 3: ReLU attention solves the task with zero error and no sink.",
    ),
    (
        "A5",
        "softmax_trained_sink",
        "One-layer softmax, trained: BOS ≈ 1 at non-trigger positions with negligible variance "
        "(1000 sequences, trigger at 8).",
    ),
    (
        "A6",
        "relu_trained_no_sink",
        "One-layer ReLU, trained: same accuracy, BOS ≈ 0 at non-trigger positions (a small BOS "
        "weight at the trigger row is seen in the paper's own figure).",
    ),
    (
        "A7",
        "heads_that_sink",
        "2 layers × 2 heads and 4 × 4, residual, trained: softmax sinks in at least one head per "
        "layer, not in all (one seed: 4 of 4 heads at 2×2, 8 of 16 at 4×4); ReLU in none.",
    ),
    (
        "A8",
        "sink_price anchor_needed",
        "Penalising or redistributing BOS attention inside softmax costs accuracy or moves the "
        "anchor elsewhere.",
    ),
    (
        "A9",
        "mechanisms",
        "The normalisation is the cause: mechanisms that can output zero (ReLU, gates, null "
        "slots, unnormalised scores) need no sink.",
    ),
    (
        "B1",
        "sink_without_bos first_layer_ceiling",
        "The sink on position zero does not need BOS: without it the sink is lost in the first "
        "layers only and is back by about the third.",
    ),
    (
        "B2",
        "p0_circuit",
        "Two blocks suffice: recognise position zero, amplify its ℓ₂ norm, send it to a fixed "
        "direction, attract attention, without token identity.",
    ),
    (
        "B3",
        "causal_asymmetry p0_mask_source",
        "The causal mask is the source: position zero attends only to itself, all others mix "
        "(cone model, Σp²).",
    ),
    ("B4", "p0_circuit p0_mlp_write", "The MLP turns that asymmetry into norm."),
    ("B5", "norm_stability", "Under pre-norm a state of large norm keeps its direction."),
    (
        "B6",
        "emergence_stages",
        "Training passes through three stages: early (diffuse, middle layers), transitional "
        "(other positions are tried), final (concentrated in the first two layers).",
    ),
    (
        "B7",
        "convergence_indicator",
        "The sink's concentration in the first layers tracks convergence: a usable indicator.",
    ),
    (
        "B8",
        "p0_across_families",
        "Seen across families (LLaMA, Qwen, Mistral, Pythia), the layer varying.  (Notes on the "
        "second version: Mistral-7B falls from about 87 % to 2 % without BOS, against B1.)",
    ),
    (
        "C1",
        "spike_life_cycle spike_chain",
        "Massive activations rise in one or two early step-up blocks, ride the residual stream, "
        "and are cancelled by late step-down blocks.",
    ),
    (
        "C2",
        "quadratic_amplifier swiglu_spectrum",
        "SwiGLU is a directional quadratic amplifier: SiLU near identity, S_k nearly rank one, "
        "one shared direction.",
    ),
    (
        "C3",
        "vocabulary_spikes",
        "Position zero spikes for almost every token of the vocabulary (98–99.9 %), other "
        "positions rarely: its attention output is a fixed linear map.",
    ),
    (
        "C4",
        "norm_sparsifies normed_spikes",
        "RMSNorm makes spike tokens bounded, sparse, nearly constant.",
    ),
    (
        "C5",
        "logit_gap sink_key_dimension",
        "Spike tokens' keys span one or two dimensions; heads align queries with them; the logit "
        "gap is the sink.",
    ),
    ("C6", "short_range", "Sinks route locally: they bias heads to short range."),
    (
        "C7",
        "norm_ablation",
        "Sandwich norm, its QK variant and DynamicTanh reduce spikes (520, 92, 153 against 3818) "
        "and keep sinks at equal perplexity.",
    ),
    (
        "C8",
        "gates_remove_sinks",
        "Conditional gates remove sinks (the paper's table shows spikes falling too, 186–202; a "
        "summary says that spikes may persist).",
    ),
    (
        "C9",
        "spike_gauge optimisation_health",
        "Spike size is independent of perplexity; sink ratio follows the health of optimisation.",
    ),
    (
        "C10",
        "head_dimension head_size_ablation",
        "Head dimension dominates: larger heads sink more.",
    ),
    (
        "C11",
        "silence_by_averaging long_context_only",
        "Training on long contexts only makes sinks collapse.",
    ),
    (
        "C12",
        "ffn_ablation",
        "FFN design (SwiGLU, GeLU, linear, attention only) changes spikes, not the existence of "
        "sinks.",
    ),
    ("C13", "spikes_across_families", "Seen in Llama 2/3 and Qwen 2.5/3."),
)
"""By id, A1 … C13."""
