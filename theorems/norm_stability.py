"""Under pre-norm a state of large norm keeps its direction.

Peng et al. 2026 (arXiv 2603.06591, v2) argue to first order: Norm(x+δ) − Norm(x) ≈ δ_⊥/‖x‖.  Here
the bound is exact and for every ratio.  Norms are ℓ₂; x̂ = x/‖x‖.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

d, B = sp.symbols("d B", integer=True)
rho, w, moved, size, size_after, step, root_d, C = sp.symbols(
    "rho w moved size size_after step root_d C", real=True
)

PAPER = "Peng et al. 2026, v2: Norm(x+δ) − Norm(x) ≈ δ_⊥/‖x‖, to first order."
_SYMBOLS = {
    "rho": "‖δ‖/‖x‖ (or more)",
    "w": "√(1 − ρ²) (or less)",
    "moved": "distance between the normalised states of x and x+δ",
    "size": "‖x‖",
    "size_after": "‖x+δ‖",
    "step": "‖δ‖",
}


def explained(*names: str) -> dict[str, str]:
    """The entries for ``names``."""
    return {name: _SYMBOLS[name] for name in names}


ROTATION = Statement(
    name="norm_stability",
    title="A relative change ρ < 1 turns the normalised state by at most √(2−2√(1−ρ²)) ≤ √2·ρ",
    setting=(
        "Vectors x, x+δ ≠ 0 of any dimension, ‖δ‖ ≤ ρ‖x‖, ρ < 1; moved = "
        "‖(x+δ)/‖x+δ‖ − x/‖x‖‖.  The best w is √(1−ρ²)."
    ),
    symbols=explained("rho", "w", "moved"),
    hypotheses=(rho >= 0, rho < 1, w >= 0, w**2 <= 1 - rho**2, moved >= 0),
    conclusion=sp.And(moved**2 <= 2 - 2 * w, moved**2 <= 2 * rho**2),
    paper=PAPER,
    ours="exact, not to first order; attained when δ ⟂ x+δ",
    proof_idea=(
        "With k the cosine between x and y = x+δ, ‖x‖² − ‖δ‖² = 2‖x‖‖y‖k − ‖y‖² ≤ ‖x‖²k², so "
        "k ≥ √(1−ρ²); and moved² = 2 − 2k."
    ),
)

ANY_RATIO = Statement(
    name="norm_stability.any_ratio",
    title="For every ratio: at most 2‖δ‖/(‖x‖ + ‖x+δ‖)",
    setting="Vectors x, x+δ ≠ 0 of any dimension; moved = ‖(x+δ)/‖x+δ‖ − x/‖x‖‖.",
    symbols=explained("moved", "size", "size_after", "step"),
    hypotheses=(size > 0, size_after > 0, step >= 0, moved >= 0),
    conclusion=moved * (size + size_after) <= 2 * step,
    paper=PAPER,
    ours="needs no small ratio; attained when x+δ is as long as x, or points the opposite way",
    proof_idea="4‖y−x‖² − moved²(‖x‖+‖y‖)² = 2(1+k)(‖x‖−‖y‖)² ≥ 0.",
)

WITH_EPSILON = (
    "RMSNorm(x) = √d·x/√(‖x‖² + dε) with ε ≥ 0 and both roots positive; "
    "moved = ‖RMSNorm(x+δ) − RMSNorm(x)‖."
)

EPSILON = Statement(
    name="norm_stability.epsilon",
    title="The same for RMSNorm with its ε",
    setting=WITH_EPSILON + "  ‖δ‖ ≤ ρ√(‖x‖² + dε), ρ < 1.",
    symbols={
        "d": "width of the state",
        "rho": "‖δ‖/√(‖x‖² + dε) (or more)",
        "w": "√(1 − ρ²) (or less)",
        "moved": "distance between RMSNorm(x) and RMSNorm(x+δ)",
    },
    hypotheses=(
        d >= 1,
        rho >= 0,
        rho < 1,
        moved >= 0,
        w >= 0,
        w**2 <= 1 - rho**2,
    ),
    conclusion=moved**2 <= d * (2 - 2 * w),
    paper=PAPER,
    ours="ε is one more coordinate √(dε), which δ does not touch",
    proof_idea="Dropping that coordinate after normalising only shortens the difference.",
)

EPSILON_ANY_RATIO = Statement(
    name="norm_stability.epsilon_any_ratio",
    title="RMSNorm with its ε, for every ratio",
    setting=WITH_EPSILON,
    symbols={
        "root_d": "√d",
        "moved": "distance between RMSNorm(x) and RMSNorm(x+δ)",
        "size": "√(‖x‖² + dε)",
        "size_after": "√(‖x+δ‖² + dε)",
        "step": "‖δ‖",
    },
    hypotheses=(root_d >= 1, size > 0, size_after > 0, step >= 0, moved >= 0),
    conclusion=moved * (size + size_after) <= 2 * root_d * step,
    paper=PAPER,
    ours="ε is one more coordinate √(dε), which δ does not touch",
    proof_idea="Dropping that coordinate after normalising only shortens the difference.",
)

PLATEAU = Statement(
    name="norm_stability.plateau",
    title="Later blocks that write bounded norms hardly turn a state of large norm",
    setting=(
        "A state of norm size; B later blocks each add a vector of norm at most C, BC < size; "
        "moved = the distance between the normalised states before and after."
    ),
    symbols=explained("moved", "size")
    | {"B": "number of later blocks", "C": "largest norm that a block writes"},
    hypotheses=(B >= 0, C >= 0, size > 0, size > B * C, moved >= 0),
    conclusion=moved**2 * size**2 <= 2 * B**2 * C**2,
    paper=PAPER,
    ours="explicit; the constant √2 is approached only as BC → size",
    proof_idea="‖δ‖ ≤ BC, and the main statement.",
)

CLAIM = Claim(
    id="norm_stability",
    title="Under pre-norm a state of large norm keeps its direction",
    papers=("B5",),
    statements=(ROTATION, ANY_RATIO, EPSILON, EPSILON_ANY_RATIO, PLATEAU),
)
