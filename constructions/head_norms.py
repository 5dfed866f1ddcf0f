"""Two heads with one logit: cheap in entries when large, cheap in squares when small.

``theorems.head_norm_tradeoff``.  With entries of size w the most is reached by rows w·sign(h), all
d_h of them; for the least sum of squares one row is enough, a·h/‖h‖, and d_h only divides.

>>> h = exact([3, -4])
>>> for a in (1, 2, 4):  # √d_h = a²; the reach of entries of 1/10, and the cost of the logit 25
...     root = a**2
...     reached = logit(*bounded_entries(root**2, h, h, Fraction(1, 10)), h, h, root)
...     cheap = one_row(root**2, h, h, Fraction(a))
...     print(root**2, reached, logit(*cheap, h, h, root), cost(*cheap))
1 49/100 25 1
16 49/25 25 4
256 196/25 25 16
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from constructions.directions import random_rationals
from constructions.pushed import sharp
from constructions.rational_norm import rational_root
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.head_norm_tradeoff import ENTRYWISE, SQUARES, TRADEOFF

Weights = tuple[Array, Array]
"""W_Q and W_K, (d_h, d) each."""


def logit(W_Q: Array, W_K: Array, h_q: Array, h_k: Array, root: int) -> Fraction:
    """(W_Q h_q)·(W_K h_k)/√d_h, root = √d_h."""
    found: Fraction = (W_Q @ h_q) @ (W_K @ h_k) / root
    return found


def cost(W_Q: Array, W_K: Array) -> Fraction:
    """½(‖W_Q‖_F² + ‖W_K‖_F²)."""
    found: Fraction = ((W_Q * W_Q).sum() + (W_K * W_K).sum()) / 2
    return found


def bounded_entries(d_h: int, h_q: Array, h_k: Array, w: Fraction) -> Weights:
    """Every row w·sign(h): the largest logit under |entries| ≤ w."""
    ones = exact([[1]] * d_h)
    return ones * np.sign(h_q) * w, ones * np.sign(h_k) * w


def one_row(d_h: int, h_q: Array, h_k: Array, a: Fraction) -> Weights:
    """One row a·h/‖h‖ in each, the others zero: the logit a²‖h_q‖‖h_k‖/√d_h at the cost a²."""
    W_Q, W_K = (exact(np.zeros((d_h, len(h)), dtype=int)) for h in (h_q, h_k))
    W_Q[0], W_K[0] = a * h_q / length(h_q), a * h_k / length(h_k)
    return W_Q, W_K


def length(h: Array) -> Fraction:
    """‖h‖₂, where it is rational."""
    return rational_root(h @ h)


STATES = (
    (exact([3, -4]), exact([5, 12])),
    (exact([1, 2, 2]), exact([-2, 3, 6])),
    (exact([1]), exact([-2])),
)
"""Pairs h_q, h_k of rational length."""


def figures(weights: Weights, h_q: Array, h_k: Array, root: int) -> dict[str, Fraction | int]:
    """What the statements are judged at."""
    W_Q, W_K = weights
    return {
        "z": logit(W_Q, W_K, h_q, h_k, root),
        "d_h": root**2,
        "R": root,
        "w": max(abs(W_Q).max(), abs(W_K).max()),
        "q_1": abs(h_q).sum(),
        "k_1": abs(h_k).sum(),
        "cost": cost(W_Q, W_K),
        "q_2": length(h_q),
        "k_2": length(h_k),
    }


@evidence("head_norm_tradeoff", kind="exact", statement="head_norm_tradeoff.entries")
def equal_entries_attain_the_reach(run: Run) -> Outcome:
    """Rows w·sign(h) attain the reach at every √d_h = 1..8, and 1.01 times tighter it fails."""
    holds = all(
        sharp(ENTRYWISE, **figures(bounded_entries(root**2, q, k, w), q, k, root))
        for root in range(1, 9)
        for q, k in STATES
        for w in (Fraction(1, 10), Fraction(3))
    )
    return check(holds, "equality for d_h = 1, 4, …, 64")


@evidence("head_norm_tradeoff", kind="exact", statement="head_norm_tradeoff.frobenius")
def one_row_attains_the_cost(run: Run) -> Outcome:
    """One row of rank one attains the cost at every √d_h = 1..8; 1.01 times tighter it fails."""
    holds = all(
        sharp(SQUARES, **figures(one_row(root**2, q, k, a), q, k, root))
        for root in range(1, 9)
        for q, k in STATES
        for a in (Fraction(1, 10), Fraction(3))
    )
    return check(holds, "equality for d_h = 1, 4, …, 64")


@evidence("head_norm_tradeoff", kind="exact")
def larger_heads_are_favoured_and_penalised(run: Run) -> Outcome:
    """From d_h = 16 to 256 bounded entries reach 4 times the logit, and a logit costs 4 times."""
    rng, holds = random.Random(run.seed), True
    h = exact([3, -4])
    small, large = (bounded_entries(root**2, h, h, Fraction(1, 10)) for root in (4, 16))
    reach = logit(*large, h, h, 16) / logit(*small, h, h, 4)
    cheap, dear = one_row(16, h, h, Fraction(2)), one_row(256, h, h, Fraction(4))
    price = cost(*dear) / cost(*cheap)
    holds = logit(*cheap, h, h, 4) == logit(*dear, h, h, 16)
    for _ in range(run.scale(30, 200)):
        root = rng.randint(1, 3)
        q, k = rng.choice(STATES)
        W_Q, W_K = (random_rationals(rng, (root**2, len(q))) for _ in range(2))
        holds = holds and TRADEOFF.holds(**figures((W_Q, W_K), q, k, root))
    return check(holds and reach == price == 4, f"reach × {reach}, cost × {price}")
