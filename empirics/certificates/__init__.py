"""Certificates: what a trained model does on every input, not on a sample.

    sinkproof certify model.safetensors --out certificate.json
    sinkproof certify model.safetensors --check certificate.json
    sinkproof certify model.safetensors --train-on better.safetensors

================================  ==========================================================
model                             what is bounded, and how tightly on the models kept here
================================  ==========================================================
one softmax head                  1 − BOS weight by position within 0.1 %, error within 2.2 ×
one ReLU head                     logits of ordinary queries exactly, error within 1.3 ×
stack of softmax heads            1 − BOS weight by layer and of the whole; error within 2.3 ×
                                  where the last layers keep the trigger's state, else vacuous
several heads, residual stream    1 − BOS weight by layer and head: as for one head in layer 1,
                                  loose after it; error vacuous as soon as there are contents
================================  ==========================================================

``softmax_bounds``, ``relu_bounds``, ``stack_bounds`` and ``box_bounds`` say what is bounded and why
that is sound; ``certificate`` writes it down with worst inputs; ``checker`` verifies it from the
weights alone and shares no code with the rest.  Contents are in [-1,1]ⁿ with n ≤ 16.  Any L ≥ 4:
bounds depend on it through counts; beyond L = 32 worst inputs are searched by their beginnings, and
the certificate says so.
"""
