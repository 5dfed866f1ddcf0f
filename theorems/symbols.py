"""The symbols of the trigger-conditional theory, named as in the papers."""

from __future__ import annotations

import sympy as sp

L, n, D = sp.symbols("L n D", integer=True)
alpha, eta, kappa, epsilon, m, K = sp.symbols("alpha eta kappa epsilon m K", real=True)

KAPPA_L = (L - 3) / (4 * (L - 1))
"""κ_L = (L − 3)/(4(L − 1)): 1/12 at L = 4, tending to 1/4."""

MEANING = {
    "L": "sequence length, BOS included",
    "n": "number of content coordinates",
    "D": "number of layers",
    "alpha": "attention weight that a non-trigger position gives to BOS",
    "m": "1 − α, the mass off BOS of a non-trigger row",
    "eta": "largest |output − target| over valid inputs, positions and coordinates",
    "kappa": "κ_L",
    "epsilon": "how far the BOS weight stays below one",
    "K": "sharpness of the logits",
}


def meaning(*names: str) -> dict[str, str]:
    """The entries of ``MEANING`` for ``names``."""
    return {name: MEANING[name] for name in names}
