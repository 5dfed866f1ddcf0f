"""What is claimed about attention sinks, and how it is proved.  Nothing here imports torch.

What everything speaks of

* ``trigger_task``: the trigger-conditional task; ``attention``: the mechanisms, each once
* ``symbols``: L, η, κ, α … as sympy symbols with their meaning
* ``arrays``: exact numbers and tensors through one door

What is claimed, one home module for each claim

* ``one_layer_sink``, ``deep_sink``, ``relu_no_sink``: Theorems 1 to 3 of Ran-Milo 2026
* ``sink_price``, ``anchor_needed``: what removing the sink, or BOS itself, costs
* ``sink_free_softmax``, ``mechanisms``: where the necessity ends
* ``p0_circuit``, ``causal_asymmetry``, ``norm_stability``, ``first_layer_ceiling``: position zero
  without BOS, after Peng et al. 2026; ``repeated_tokens``, ``nonlinearity_needed``: our own
* ``quadratic_amplifier``, ``norm_sparsifies``, ``logit_gap``, ``spike_chain``: from SwiGLU to a
  spike to a sink (Sun et al. 2026)
* ``sandwich_bound``, ``head_dimension``, ``rope_budget``, ``head_norm_tradeoff``: what norms, head
  sizes and rotations allow
* ``decoupling``, ``spike_gauge``, ``sink_is_gate``, ``silence_by_averaging``: what spikes and sinks
  are not needed for, and what for
* ``papers``: every claim of the three papers; ``claims``: the registry of them all

How a claim is written

* ``claim``, ``statement``: a claim and its statements as data
* ``expressions``: reading a sympy expression in other number systems
* ``plain_text``, ``coq_text``: printing one for people and for Coq

How it is checked

* ``evidence``: declaring evidence, its kinds and modes
* ``kernel``, ``kernel_theorems`` and ``proofs/``: Coq, its driver and what it proves
* ``kernel_sources``, ``kernel_gate``: what is refused, before and after compiling
* ``kernel_tables/``, ``kernel_pins``: what each Coq theorem must say
* ``smt``, ``smt_terms`` and ``cores/``: z3

How the result is kept

* ``sources``, ``ledger``, ``status``, ``paper_map``: from a hash of the sources to a status
* ``tightness``: how near to the bounds the searches came, for the map
* ``files``, ``errors``: writing in one step; the user's mistakes as one sentence
"""
