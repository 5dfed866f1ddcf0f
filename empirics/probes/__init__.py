"""Sinks and massive activations of real models, measured without the N × N matrix.

    from empirics.probes import measure
    measured = measure(model, input_ids, attention_mask)     # a loaded transformers model

* ``measuring``: one run of a model, every metric; ``figures``: the metrics and their definitions
* ``prompts``: which tokens are real, where each prompt begins; ``visibility``: masks as rules
* ``kernels``: attention with log-sum-exps in O(N) memory; ``attention``: the function registered
* ``records``: what is kept of each layer; ``contributions``: what the sink writes; ``states``: the
  residual stream; ``blocks``: a model's blocks whatever they are called, and hooks into them
* ``memory``: whether full matrices fit, where they are asked for
* ``repeated_tokens``: a theorem live on a model; ``smollm2``: a real model from the package index;
  ``evidence``: the one on the other
* ``loading``, ``inputs``, ``command``, ``showing``, ``plots``: the command ``sinkproof measure``
"""

from __future__ import annotations

from empirics.probes.measuring import Measured, measure

__all__ = ["Measured", "measure"]
