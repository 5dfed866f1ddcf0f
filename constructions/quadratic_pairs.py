"""SwiGLU as a quadratic form: pairs of gates that are exact, and what any block does.

``theorems.quadratic_amplifier`` (after Sun et al. 2026, arXiv 2603.05498).  Two units with gates s
and −s, up s, and down λ and −λ write

    λ·SiLU(t)·t − λ·SiLU(−t)·t = λ·t²,      t = sᵀh,

because SiLU(t) − SiLU(−t) = t, with no approximation; ReLU and GELU do the same.  In a general
block SiLU(a) = ReLU(a) − |a|/(1+e^|a|), so the matrix of the quadratic form at h is the sum over
the units with a positive gate.  For the pair above that is λssᵀ, and the sum over all units is
twice that.

>>> square = amplifier([(exact([1, 0]), exact([0, 5]))], activation=relu)
>>> print(square(exact([3, 7])))
[Fraction(0, 1) Fraction(45, 1)]
>>> print(square_form(square, 1, exact([3, 7])), square_form(square, 1))
[[Fraction(5, 1) Fraction(0, 1)]
 [Fraction(0, 1) Fraction(0, 1)]] [[Fraction(10, 1) Fraction(0, 1)]
 [Fraction(0, 1) Fraction(0, 1)]]
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from constructions.ball_statements import surely, surely_broken, to_ball
from constructions.balls import balls
from constructions.decoder import Mlp, Pointwise, silu
from constructions.directions import random_rationals
from constructions.mlp_after_head import relu
from constructions.pushed import sharp
from theorems.arrays import Array, exact
from theorems.cores.quadratic_amplifier import SMALL
from theorems.evidence import Outcome, Run, check, evidence
from theorems.quadratic_amplifier import CONSTANT, PAIR, QUADRATIC, RANK_ONE, REMAINDER
from theorems.smt import Status, prove


def amplifier(terms: Sequence[tuple[Array, Array]], activation: Pointwise = silu) -> Mlp:
    """The gated MLP that writes Σ (sᵀy)²·v over the pairs (s, v) of vectors (d,), exactly.

    Two units a pair: gates ±s, up s, down ±v.
    """
    s = np.array([row for gate, _ in terms for row in (gate, -gate)], dtype=object)
    up = np.array([gate for gate, _ in terms for _ in range(2)], dtype=object)
    down = np.array([column for _, v in terms for column in (v, -v)], dtype=object)
    return Mlp(into=s, down=down.T, activation=activation, up=up)


def square_form(mlp: Mlp, channel: int, state: Array | None = None) -> Array:
    """S_k (d, d) of a gated MLP for output ``channel``: over the units active at ``state``.

    Without a state over all units, as in the paper.
    """
    count, width = mlp.into.shape
    units = range(count) if state is None else np.flatnonzero(mlp.into @ state > 0)
    ups = mlp.into if mlp.up is None else mlp.up
    U = exact(np.zeros((width, width), dtype=int))
    for i in units:
        U = U + mlp.down[channel, i] * np.outer(mlp.into[i], ups[i])
    return (U + U.T) / 2


def remainder(a: arb) -> arb:
    """|SiLU(a) − ReLU(a)| = |a|/(1 + e^|a|)."""
    return abs(a) / (1 + abs(a).exp())


def remainders(mlp: Mlp, channel: int, state: Array) -> arb:
    """R = Σ_i |W_down[k,i]|·|b_i|·|a_i|/(1 + e^|a_i|) at a state of Fractions."""
    gates, ups = balls(mlp.into @ state), balls(mlp.up @ state)
    weights = balls(mlp.down[channel])
    terms = [abs(w * b) * remainder(a) for w, b, a in zip(weights, ups, gates, strict=True)]
    return sum(terms, arb(0))


def gelu(x: Array) -> Array:
    """a·Φ(a), entry by entry, on balls."""
    return np.array([a * (1 + (a / arb(2).sqrt()).erf()) / 2 for a in x.flat]).reshape(x.shape)


def random_block(rng: random.Random, width: int, units: int, one_sign: bool = False) -> Mlp:
    """A SwiGLU block with rational weights; with ``one_sign`` up ≥ 0 and down ≥ 0."""
    into = random_rationals(rng, (units, width))
    up, down = random_rationals(rng, (units, width)), random_rationals(rng, (width, units))
    if one_sign:
        up, down = abs(up), abs(down)
    return Mlp(into=into, down=down, activation=silu, up=up)


def _at(mlp: Mlp, state: Array, over_all: bool = False) -> dict[str, arb]:
    """The figures of ``QUADRATIC`` for channel 0."""
    S = square_form(mlp, 0, None if over_all else state)
    form = balls(np.array([state @ S @ state], dtype=object))[0]
    return {"out": mlp(balls(state))[0], "form": form, "R": remainders(mlp, 0, state)}


@evidence("quadratic_amplifier", kind="certified")
def blocks_are_their_active_form(run: Run) -> Outcome:
    """Random SwiGLU blocks are within R of the active form; with terms of one sign, at R."""
    rng, count = random.Random(run.seed), run.scale(40, 200)
    decided, broken, at_R, wrong = 0, 0, True, 0
    for k in range(count):
        mlp = random_block(rng, 3, 4, one_sign=k % 2 == 0)
        state = abs(random_rationals(rng, (3,)))
        at = _at(mlp, state)
        decided += surely(QUADRATIC, **at)
        broken += surely_broken(QUADRATIC, **at)
        if k % 2 == 0:  # equality: the balls of the two sides meet, and are small
            off = at["form"] - at["out"] - at["R"]
            at_R = at_R and bool(off.contains(0)) and bool(abs(off) < 1e-9)
        wrong += surely_broken(QUADRATIC, **_at(mlp, state, over_all=True))
    figure = (
        f"{count} blocks: {decided} strictly within R, {count // 2} at R, none beyond; the form "
        f"over all units fails on {wrong}"
    )
    passed = broken == 0 and at_R and decided >= count // 3 and wrong > 0
    return check(passed, figure, decided=decided, all_units_fail=wrong)


@evidence(
    "quadratic_amplifier",
    kind="certified",
    settles=True,
    statement="quadratic_amplifier.remainder",
)
def remainder_below_its_bound(run: Run) -> Outcome:
    """0.2785·e^1.2785 ≥ 1 in balls, so that 0.2785·e^a ≥ a − 0.2785 for every a: the tangent there.

    With it z3 derives both bounds (theorems.cores.quadratic_amplifier); the remainder really
    exceeds 0.27846, and 0.2784 fails.
    """
    c = to_ball(Fraction(CONSTANT.p, CONSTANT.q))
    tangent = bool(c * (1 + c).exp() >= 1)
    proved = prove(SMALL).status is Status.PROVED
    a = arb("1.27846")
    reached = bool(remainder(a) > arb("0.27846"))
    fails = surely_broken(REMAINDER, a=a, E=a.exp(), r=remainder(a) + arb("0.0001"))
    return check(
        tangent and proved and reached and fails,
        "0.2785 holds for every gate; 0.27846 is exceeded at |a| = 1.27846",
    )


@evidence("quadratic_amplifier", kind="certified", statement="quadratic_amplifier.pair")
def pairs_are_exact(run: Run) -> Outcome:
    """λt² lies in the output of the pair with SiLU and GELU in balls, and with ReLU is exact."""
    rng, holds, one_gate, count = random.Random(run.seed), True, 0, run.scale(40, 200)
    for _ in range(count):
        s, h = random_rationals(rng, (3,)), random_rationals(rng, (3,))
        size, t = Fraction(rng.randint(-9, 9)), s @ h
        written = [amplifier([(s, exact([size, 0, 0]))], f)(balls(h))[0] for f in (silu, gelu)]
        square = balls(np.array([size * t**2], dtype=object))[0]
        holds = holds and all(bool(abs(x - square) < 1e-9) for x in written)
        rational = amplifier([(s, exact([size, 0, 0]))], relu)(h)[0]
        holds = holds and PAIR.holds(out=rational, lambda_1=size, t=t, E=1)
        half = Mlp(exact([s]), exact([[size], [0], [0]]), silu, exact([s]))
        a = balls(np.array([t], dtype=object))[0]
        one_gate += surely_broken(PAIR, out=half(balls(h))[0], lambda_1=size, t=a, E=a.exp())
    figure = f"{count} pairs exact with three activations; one gate alone fails on {one_gate}"
    return check(holds and one_gate > 0, figure)


@evidence("quadratic_amplifier", kind="exact", statement="quadratic_amplifier.rank_one")
def two_directions_attain_the_rank_one_bound(run: Run) -> Outcome:
    """A form of rank two attains the bound on its own span; a third direction keeps it strict."""
    s_1, s_2, s_3 = exact(["3/5", "4/5", 0]), exact(["-4/5", "3/5", 0]), exact([0, 0, 1])
    holds = True
    for first, second in ((7, 2), (7, -2), (-9, 9), (1, Fraction(1, 3))):
        S = first * np.outer(s_1, s_1) + second * np.outer(s_2, s_2)
        for x, y in ((1, 1), (10, 1), (Fraction(1, 7), -3)):
            at = _rank_one(S, s_1, Fraction(first), Fraction(second), x * s_1 + y * s_2)
            holds = holds and sharp(RANK_ONE, **at)
            off = _rank_one(S, s_1, Fraction(first), Fraction(second), x * s_1 + y * s_2 + s_3)
            holds = holds and RANK_ONE.holds(**off) and RANK_ONE.excess(**off) < 0
    return check(holds, "equality on span(s₁, s₂) for 4 forms; 1.01 times the left side refuted")


@evidence("quadratic_amplifier", kind="exact", statement="quadratic_amplifier.rank_one")
def the_leading_term_is_d_times_cos_squared(run: Run) -> Outcome:
    """For ‖h‖² = d and rank one the form is λ₁·d·cos², not λ₁·√d·cos (as notes on it print)."""
    d, s = 16, exact(["3/5", "4/5"])
    h = 4 * exact([1, 0])
    cos = (s @ h) / 4
    form = h @ (5 * np.outer(s, s)) @ h
    return check(
        form == 5 * d * cos**2 and form != 5 * 4 * cos,
        f"λ₁ = 5, d = 16, cos = 3/5: the form is {form}, λ₁√d·cos would be {5 * 4 * cos}",
    )


def _rank_one(
    S: Array, s_1: Array, lambda_1: Fraction, lambda_2: Fraction, h: Array
) -> dict[str, Any]:
    return {
        "form": h @ S @ h,
        "lambda_1": lambda_1,
        "lambda_2": lambda_2,
        "t": s_1 @ h,
        "N": h @ h,
    }
