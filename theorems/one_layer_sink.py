"""One layer must sink: Theorem 1 (Ran-Milo 2026, arXiv 2603.11487), explicit and sharp.

The paper shows that a single softmax layer with small enough error puts almost all weight on BOS
at every non-trigger position, with high probability over contents of bounded density, for an error
threshold that is not explicit.  Here the threshold and the bound are explicit and best possible,
for any content set, any attention whose rows are simplex rows, and any token-wise value map.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement
from theorems.symbols import KAPPA_L, L, alpha, epsilon, eta, kappa, m, meaning

PAPER = (
    "Ran-Milo 2026, Theorem 1: for every ε there is η > 0 such that a single softmax layer with "
    "error at most η has BOS weight at least 1 − ε at every non-trigger position, with high "
    "probability over contents of bounded density; η is not given."
)

SIMPLEX = (
    "One layer, one head, no residual; any simplex attention (rows non-negative, sum one, an "
    "arbitrary function of the whole prefix), any token-wise value map, any non-empty content "
    "set; every valid input, every non-trigger position i ≥ 2, α = α_i1."
)
BILINEAR = (
    "One layer, one head, no residual; the trigger's row is softmax of position-free logits (its "
    "unnormalised weights depend on the token pair alone), all other rows are arbitrary simplex "
    "rows; any token-wise value map, any non-empty content set; every valid input, m = 1 − α_i1."
)

SHARP = Statement(
    name="one_layer_sink",
    title="One simplex-attention layer with error below κ_L sinks at every non-trigger position",
    setting=SIMPLEX,
    symbols=meaning("L", "alpha", "eta"),
    hypotheses=(L >= 4, eta >= 0, alpha >= 0, alpha <= 1, eta < kappa),
    conclusion=(1 - alpha) * (kappa - eta) <= eta,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours=(
        "explicit constant, no probability, no density, any simplex attention and value map; "
        "sharp for every η < κ_L/2 (constructions.sharp_witness)"
    ),
    proof_idea=(
        "The BOS row gives ‖V(BOS)‖ ≤ η.  Look at the flag channels only.  The trigger rows after "
        "1 and after L−2 copies of one ordinary token have the targets (½,½) and (1−u,u), "
        "u = 1/(L−1).  A functional g that is equal on the row's mean ordinary value and on its "
        "trigger value sees only the mass off BOS: m|G| ≤ 2η; one of the two targets forces |G| "
        "to be large."
    ),
)

LINEAR = Statement(
    name="one_layer_sink.linear",
    title="The best linear form, valid for every error",
    setting=SIMPLEX,
    symbols=meaning("L", "alpha", "eta"),
    hypotheses=(L >= 4, eta >= 0, alpha >= 0, alpha <= 1),
    conclusion=1 - alpha <= 2 * eta / kappa,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours="one line for all η; the constant 2/κ_L is attained as η → κ_L/2",
    proof_idea="For η < κ_L/2, η/(κ_L − η) ≤ 2η/κ_L; otherwise the right side is at least 1.",
)

EPSILON = Statement(
    name="one_layer_sink.epsilon",
    title="The paper's own form: for every ε an explicit η(ε)",
    setting=SIMPLEX,
    symbols=meaning("L", "alpha", "eta", "epsilon"),
    hypotheses=(
        L >= 4,
        eta >= 0,
        alpha >= 0,
        alpha <= 1,
        epsilon >= 0,
        eta <= epsilon * kappa / (1 + epsilon),
    ),
    conclusion=1 - alpha <= epsilon,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours="η(ε) = εκ_L/(1+ε), and the conclusion holds for every input, not with high probability",
    proof_idea="Solve η/(κ_L − η) ≤ ε for η.",
)

P0 = sp.Symbol("P0", real=True)
BEFORE = Statement(
    name="one_layer_sink.softmax_before",
    title="Softmax, before the trigger: twice the error, divided by P₀ ≥ 2/3",
    setting=BILINEAR + " Positions before the trigger.",
    symbols=meaning("L", "m", "eta"),
    hypotheses=(L >= 4, eta >= 0, m >= 0, m <= 1, eta <= kappa),
    conclusion=m * P0 <= 2 * eta,
    where={kappa: KAPPA_L, P0: 1 - 1 / (2 * (L - 1)) - 2 * eta / (L - 3)},
    paper=PAPER,
    ours=(
        "position-free softmax roughly halves the constant; at L = 4 it is 12η/(5 − 12η), "
        "approached by one content as the weights on BOS and on the trigger itself vanish"
    ),
    proof_idea=(
        "The trigger rows after 1 and L−2 copies share unnormalised weights; eliminating the "
        "trigger's own value leaves p_o + η ≥ P₀ for every ordinary value p."
    ),
)

SLOPE = Statement(
    name="one_layer_sink.softmax_slope",
    title="Softmax, before the trigger, L ≥ 5: slope 2 as the error vanishes",
    setting=BILINEAR + " Positions before the trigger.",
    symbols=meaning("L", "m", "eta"),
    hypotheses=(L >= 5, eta >= 0, m >= 0, m <= 1, eta <= kappa, 18 * eta < L - 4),
    conclusion=m * (1 - 18 * eta / (L - 4)) <= 2 * eta,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours="the two bounds before the trigger hold together: the smaller one counts",
    proof_idea="The rows after 1, 2 and L−2 copies and the chord of the last two.",
)

AFTER = Statement(
    name="one_layer_sink.softmax_after",
    title="Softmax: four times the error, after the trigger too",
    setting=BILINEAR + " Every non-trigger position.",
    symbols=meaning("L", "m", "eta"),
    hypotheses=(L >= 4, eta >= 0, m >= 0, m <= 1, eta <= kappa),
    conclusion=m <= 4 * eta,
    where={kappa: KAPPA_L},
    paper=PAPER,
    ours=(
        "one constant for every position, approached for every η ≤ κ_L as the trigger's weight on "
        "BOS vanishes (constructions.softmax_after_witness has it at weight 0); κ_L is the exact "
        "threshold"
    ),
    proof_idea=(
        "q_t ≥ p̄_t follows from the two trigger rows; either q_o ≥ p̄_o and the ordinary channel "
        "alone gives m ≤ 2η/P₀, or a non-negative functional that is equal on p̄ and q gives 4η."
    ),
)

s, delta = sp.symbols("s delta", real=True)
AVERAGE = Statement(
    name="one_layer_sink.average",
    title="From the expected error: the paper's 'with high probability'",
    setting=(
        "One layer, one head, no residual, softmax of position-free logits at the trigger's row; "
        "contents i.i.d. from a law of finite support (the trigger's too), trigger position "
        "uniform on 3..L and independent of them; E[largest error of the sequence] ≤ η.  δ is the "
        "probability that some position 2..j−1 has α_i1 < 1 − 3s."
    ),
    symbols={
        **meaning("L", "eta"),
        "s": "threshold on the error, at most 1/6",
        "delta": "probability that some position before the trigger has α_i1 < 1 − 3s",
    },
    hypotheses=(L >= 4, eta >= 0, s > 0, s <= sp.Rational(1, 6), delta >= 0, delta <= 1),
    conclusion=delta * s <= ((L - 2) * (L - 1) / 2 + 1) * eta,
    paper=PAPER,
    ours=(
        "explicit probability, a constant about four times smaller than from Markov on each "
        "position; atoms allowed.  The same argument gives any law of contents; the kernel's "
        "proof is for finite support"
    ),
    proof_idea=(
        "If x is a content of low value then, by the deletion lemma, the errors of (BOS, x, y, b) "
        "and (BOS, y, b) add up to at least s for every y and b.  Averaged over x, y and b these "
        "are expected errors at j = 4 and j = 3, two of the L−2 positions, so low contents have "
        "mass at most (L−2)η/s.  On average (L−1)/2 ordinary contents stand before the trigger; "
        "Markov's inequality for the sequence itself adds η/s."
    ),
)

v, e_x, e_0 = sp.symbols("v e_x e_0", real=True)
DELETION = Statement(
    name="one_layer_sink.deletion",
    title="Two trigger rows that differ by one token bound its value's ordinary channel below",
    setting=(
        "Softmax of position-free logits at the trigger's row; the inputs (BOS, x, y, trigger) and "
        "(BOS, y, trigger), with ordinary channel of the output within e_x and e_0 of the target; "
        "v is the ordinary channel of V(x).  The contents need not be distinct."
    ),
    symbols={
        "e_x": "bound on the error at the trigger of (BOS, x, y, trigger)",
        "e_0": "bound on the error at the trigger of (BOS, y, trigger)",
        "v": "ordinary channel of the value of token x",
    },
    hypotheses=(e_x >= 0, e_0 >= 0, e_x + e_0 <= sp.Rational(1, 6)),
    conclusion=sp.Rational(2, 3) - e_x <= v,
    paper=PAPER,
    ours="the step from two good inputs to a value; the expected-error form rests on it",
    proof_idea=(
        "The other weights keep their ratios, so α V(x) = y + δ − (1 − α)(y′ + δ′) with targets "
        "2/3 and 1/2 of the two inputs; the worst case is α = 1."
    ),
)

CLAIM = Claim(
    id="one_layer_sink",
    title="One softmax layer with vanishing error has BOS mass → 1 at every non-trigger position",
    papers=("A2",),
    statements=(SHARP, LINEAR, EPSILON, BEFORE, SLOPE, AFTER, DELETION, AVERAGE),
)


def softmax_before_bound(length: int, error: Fraction) -> Fraction:
    """The smaller of the two bounds on m before the trigger, at L ≥ 4 and 0 ≤ η ≤ κ_L."""
    two_row = 2 * error / (1 - Fraction(1, 2 * (length - 1)) - 2 * error / (length - 3))
    if length >= 5 and 18 * error < length - 4:
        return min(two_row, 2 * error / (1 - 18 * error / (length - 4)))
    return two_row


def softmax_before_curve(length: int, error: Fraction) -> Fraction:
    """sup m before the trigger for one content, exactly: 2η/P*, at L ≥ 4 and 0 < η ≤ κ_L.

    P* = max_{1≤k≤L−3} 1 − ε*/((L−1)(k+1)) − 2η(k+1−ε*)/(L−2−k), with
    ε* = min(1, min_{2≤k≤L−3} 4η(k+1)²(L−1)/[(k−1)(L−2−k) + 4η(k+1)(L−1)]).
    """
    star = min(
        [Fraction(1)]
        + [
            4
            * error
            * (k + 1) ** 2
            * (length - 1)
            / ((k - 1) * (length - 2 - k) + 4 * error * (k + 1) * (length - 1))
            for k in range(2, length - 2)
        ]
    )
    best = max(
        1 - star / ((length - 1) * (k + 1)) - 2 * error * (k + 1 - star) / (length - 2 - k)
        for k in range(1, length - 2)
    )
    return 2 * error / best
