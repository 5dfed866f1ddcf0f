"""Whether larger heads sink more easily depends on the norm that training bounds.

The same logit takes, with more rows in W_Q and W_K, smaller entries but a larger Frobenius norm,
because it is divided by √d_h.  Optimisers that move every entry alike (Adam) and decay that
penalises the sum of squares pull to opposite sides.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

d_h = sp.Symbol("d_h", integer=True)
R, z, w, q_1, k_1, q_2, k_2, cost = sp.symbols("R z w q_1 k_1 q_2 k_2 cost", real=True)

PAPER = (
    "Sun et al. 2026, Table 6: larger heads sink more, trained with AdamW and weight decay 0.1; "
    "no statement."
)
SETTING = (
    "One head, z = (W_Q h_q)·(W_K h_k)/√d_h with W_Q, W_K of d_h rows; for the gap over another "
    "key put the difference of the two key states for h_k. "
)
SYMBOLS = {"z": "the logit, or the logit gap", "d_h": "dimension of the head", "R": "√d_h"}
ENTRIES = {"w": "the largest |entry| of W_Q and W_K", "q_1": "‖h_q‖₁", "k_1": "‖h_k‖₁"}
FROBENIUS = {"cost": "½(‖W_Q‖_F² + ‖W_K‖_F²)", "q_2": "‖h_q‖₂", "k_2": "‖h_k‖₂"}
HEAD = (d_h >= 1, R > 0, sp.Eq(R**2, d_h))
REACH = sp.Abs(z) <= R * w**2 * q_1 * k_1
COST = R * sp.Abs(z) <= cost * q_2 * k_2

TRADEOFF = Statement(
    name="head_norm_tradeoff",
    title="Bounded entries favour large heads, a bounded Frobenius norm penalises them",
    setting=SETTING,
    symbols=SYMBOLS | ENTRIES | FROBENIUS,
    hypotheses=(*HEAD, w >= 0, q_1 >= 0, k_1 >= 0, cost >= 0, q_2 >= 0, k_2 >= 0),
    conclusion=sp.And(REACH, COST),
    paper=PAPER,
    ours="the sign of the head-size effect follows the norm that training bounds; both attained",
    proof_idea="The two statements below.",
)

ENTRYWISE = Statement(
    name="head_norm_tradeoff.entries",
    title="Entries of size w reach a logit of at most √d_h·w²‖h_q‖₁‖h_k‖₁",
    setting=SETTING,
    symbols=SYMBOLS | ENTRIES,
    hypotheses=(*HEAD, w >= 0, q_1 >= 0, k_1 >= 0),
    conclusion=REACH,
    paper=PAPER,
    ours="the reach grows like √d_h; attained by rows w·sign(h)",
    proof_idea="|(W_Q h_q)_j| ≤ w‖h_q‖₁ in each of d_h rows.",
)

SQUARES = Statement(
    name="head_norm_tradeoff.frobenius",
    title="A logit gap of z costs ½(‖W_Q‖² + ‖W_K‖²) ≥ √d_h·|z|/(‖h_q‖‖h_k‖)",
    setting=SETTING,
    symbols=SYMBOLS | FROBENIUS,
    hypotheses=(*HEAD, cost >= 0, q_2 >= 0, k_2 >= 0),
    conclusion=COST,
    paper=PAPER,
    ours="the cost grows like √d_h; attained by one row each, of rank one",
    proof_idea="√d_h|z| ≤ ‖W_Q‖_F‖W_K‖_F‖h_q‖‖h_k‖, then the two means.",
)

CLAIM = Claim(
    id="head_norm_tradeoff",
    title="The sign of the head-size effect depends on the norm that training bounds",
    statements=(TRADEOFF, ENTRYWISE, SQUARES),
)
