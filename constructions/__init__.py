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

What the hypotheses are for

* ``dropped_hypotheses``: a sink-free layer for each hypothesis of Theorem 1 that is dropped

What they are written and judged with

* ``enumeration``: exact error and BOS weight over all inputs with contents in a finite set
* ``task_reference``: the task by hand, to compare its definition with
* ``composition``: layers without residual are one layer
* ``directions``, ``roles``, ``balls``: matrices in named directions, rows by role, Arb balls

``from constructions import relu_zero_error`` imports a construction; nothing here imports torch.
Numbered theorems are those of Ran-Milo 2026, arXiv 2603.11487.
"""
