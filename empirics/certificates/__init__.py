"""Certificates: what a trained model does on every input, not on a sample.

    sinkproof certify model.safetensors --out certificate.json
    sinkproof certify model.safetensors --check certificate.json

``softmax_bounds`` and ``relu_bounds`` say what is bounded and why the bounds are sound;
``certificate`` writes them down with a worst input; ``checker`` verifies them from the weights, and
shares no code with the rest.
"""
