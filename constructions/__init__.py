"""Explicit networks, exact, one idea a file: read them from top to bottom.

What solves the task

* ``relu_zero_error``: ReLU attention, error exactly 0, no weight on BOS (Theorem 3)
* ``softmax_sink``: the softmax solution with sharpness K, its error and BOS weight in closed form

What makes the theorems sharp

* ``sharp_witness``: (1−α)(κ_L−η) → η for simplex rows, and the price of removing the sink
* ``softmax_after_witness``: four times the error, after the trigger
* ``softmax_before_witness``: the exact curve before the trigger, for every length
* ``layer_stack``: D layers that attain the exponent and the constant of Theorem 2
* ``without_anchor``: the best there is without BOS, error exactly κ_L
* ``average_error``: expected errors, by enumeration over finite laws of contents

Where the necessity ends (``ways_out`` has them side by side)

* ``two_heads``: two softmax heads cancel off the trigger
* ``residual_two_layers``, ``residual_positionless``, ``silent_factors``: a residual stream, with
  positions in the logits at depth two, without them at depth L
* ``mlp_after_head``: an MLP after the head does the silence
* ``output_gate``: a gate that reads the token, and one that does not
* ``null_slot``: softmax-off-by-one, a sink logit, a null key: one mechanism
* ``divided_scores``: sigmoid and linear scores divided by the count of tokens
* ``undivided_scores``: without division there is a floor, attained

What the hypotheses are for

* ``dropped_hypotheses``: a sink-free layer for each hypothesis of Theorem 1 that is dropped

Spikes and sinks (Sun et al. 2026)

* ``quadratic_pairs``: SwiGLU units that square a direction, and any block's active form
* ``normed_spike``: a spike through RMSNorm: both bounds on its distance to a constant
* ``spike_gauge_pair``: two networks with one function and spikes of different size
* ``sandwich_stack``: the fastest growth under sandwich norm; one pre-norm block of any size
* ``qk_norm_head``, ``aligned_rotations``, ``head_norms``: heads that sink as much as QK-norm, RoPE
  and the norm of their weights allow
* ``sink_gate``, ``averaged_silence``: what a sink is, and how to be silent without one
* ``spike_chain_network``: three blocks with the whole life of a spike
* ``sinks_without_spikes``, ``spikes_without_sinks``: the two can be had apart
* ``gap_mass``: rows with a logit gap, and the mass that it buys
Position zero without BOS (Peng et al. 2026, arXiv 2603.06591)

* ``p0_circuit``: the circuit in two blocks, exact; sink mass, norm and direction in closed form
* ``p0_pre_norm``: the same with RMSNorm, with ReLU or SwiGLU, in balls
* ``p0_anti_self``: attention that avoids its own token makes the MLP cheap
* ``p0_without_mlp``: RMSNorm alone makes the sink, no MLP and no spike
* ``cone_model``: mixing shortens; the cone model by exact expectation, the collision index
* ``repeated_tokens``: a constant sequence has one state; how much position zero can get there
* ``first_layer_law``: the first layer's share for position zero over stationary tokens
* ``norm_turns``: how far a normalised state turns, and the case that attains it

What they are written and judged with

* ``enumeration``: exact error and BOS weight over all inputs with contents in a finite set
* ``task_reference``: the task by hand, to compare its definition with
* ``composition``: layers without residual are one layer
* ``networks``: heads, residual streams, gates; their exact error and largest BOS weight
* ``sharpness``: one construction in rational numbers, balls and floats
* ``sink_free``: what is asked of every sink-free solution
* ``decoder``: blocks with residual, norms and MLP, on a stream whose coordinates have names
* ``one_row``, ``pushed``: one query and its keys; bounds pushed past the truth
* ``rational_norm``: RMSNorm in rational numbers
* ``ball_statements``: a statement read in balls: surely true, surely false, or undecided
* ``unit_vectors``: rational unit vectors and exact expectations over finite laws
* ``directions``, ``roles``, ``balls``: matrices in named directions, rows by role, Arb balls

``from constructions import relu_zero_error`` imports a construction; nothing here imports torch.
Numbered theorems are those of Ran-Milo 2026, arXiv 2603.11487.
"""
