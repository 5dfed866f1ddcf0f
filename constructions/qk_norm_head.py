"""A head under QK-norm that sinks as much as its dimension allows.

``theorems.head_dimension``.  A query of ones and a key of ones are RMS-normalised already, their
inner product is d_h and the logit γ_qγ_k·d_h/√d_h; the other keys are the negative.  So the gap is
2γ_qγ_k√d_h, the largest there is, for every dimension.

>>> [round(float(most_mass(d_h, keys=4096).mid()), 4) for d_h in (8, 13, 14, 64, 128)]
[0.0653, 0.2485, 0.3028, 0.9995, 1.0]
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
from flint import arb

from constructions.ball_statements import surely, surely_broken
from constructions.balls import balls, largest
from constructions.decoder import rms_norm
from constructions.directions import random_rationals
from constructions.one_row import softmax_row, weighted_row
from constructions.pushed import sharp
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.head_dimension import CEILING, LOGIT, NEEDED


def extreme_logits(d_h: int, keys: int, g: Fraction = Fraction(1)) -> Array:
    """The logits (m,) in balls: g√d_h for the sink and −g√d_h for the rest."""
    ones = rms_norm()(balls(exact([1] * d_h)))
    z = (ones * ones).sum() * g.numerator / g.denominator / arb(d_h).sqrt()
    return np.array([z, *[-z] * (keys - 1)], dtype=object)


def most_mass(d_h: int, keys: int, g: Fraction = Fraction(1)) -> arb:
    """The ceiling 1/(1 + (m−1)e^(−2g√d_h)) in balls."""
    size = arb(d_h).sqrt() * g.numerator / g.denominator
    return 1 / (1 + (keys - 1) * (-2 * size).exp())


def turned(x: Array, cosines: Array, sines: Array) -> Array:
    """RoPE: pairs (2p, 2p+1) of x (..., d_h) turned by angles with these cosines and sines."""
    even, odd = x[..., ::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., ::2], out[..., 1::2] = even * cosines - odd * sines, even * sines + odd * cosines
    return out


def by_pair(scale: Array) -> Array:
    """max |γ_i| over each rotated pair, (d_h/2,)."""
    return np.maximum(abs(scale[::2]), abs(scale[1::2]))


@evidence("head_dimension", kind="exact")
def opposite_keys_attain_the_ceiling(run: Run) -> Outcome:
    """With the other keys opposite the mass is the ceiling, for every m; 1.01 tighter fails."""
    most = run.scale(24, 40, 128)
    holds = all(
        sharp(CEILING, m=m, E=E, alpha=weighted_row(exact([E, *[1 / E] * (m - 1)]))[0])
        for m in range(1, most + 1)
        for E in (Fraction(1), Fraction(7, 3), Fraction(1000))
    )
    return check(holds, f"equality for m = 1..{most}")


@evidence("head_dimension", kind="exact", statement="head_dimension.logit")
def ones_attain_the_logit(run: Run) -> Outcome:
    """A query and key of ones reach g√d_h exactly wherever √d_h is rational; 1.01 tighter fails."""
    holds = all(
        sharp(LOGIT, d_h=root**2, g=g, z=g * root**2 / Fraction(root))
        for root in range(1, 17)
        for g in (Fraction(1), Fraction(3, 7))
    )
    return check(holds, "equality for d_h = 1, 4, 9, …, 256")


@evidence("head_dimension", kind="certified")
def every_dimension_attains_it(run: Run) -> Outcome:
    """For every d_h the softmax row of the extreme head has the ceiling's mass, to 10⁻⁸."""
    most = run.scale(128, 256)
    holds = all(
        bool(abs(softmax_row(extreme_logits(d, 5))[0] - most_mass(d, 5)) < 1e-8)
        for d in range(1, most + 1)
    )
    return check(holds, f"d_h = 1..{most}")


@evidence("head_dimension", kind="certified", statement="head_dimension.logit")
def random_heads_with_rope(run: Run) -> Outcome:
    """Random heads with vector scales, ε and RoPE stay below; scales per coordinate do not do.

    Under RoPE the constant is per rotated pair: with γ_q = (1, 0) and γ_k = (0, 1) every γ_q,iγ_k,i
    is zero, and a turn by 90° aligns the two.
    """
    rng, holds, exceeded, count = random.Random(run.seed), True, 0, run.scale(40, 300)
    for _ in range(count):
        pairs = rng.randint(1, 4)
        t = random_rationals(rng, (pairs,))
        cosines, sines = balls((1 - t**2) / (1 + t**2)), balls(2 * t / (1 + t**2))
        gamma_q, gamma_k = random_rationals(rng, (2, 2 * pairs))
        q, k = (balls(x) for x in random_rationals(rng, (2, 2 * pairs)))
        norm = rms_norm(Fraction(1, rng.randint(10, 1000)))
        q, k = norm(q) * balls(gamma_q), turned(norm(k) * balls(gamma_k), cosines, sines)
        at = {"d_h": 2 * pairs, "z": (q * k).sum() / arb(2 * pairs).sqrt()}
        g = max(by_pair(gamma_q) * by_pair(gamma_k))
        holds = holds and surely(LOGIT, **at, g=g)
        exceeded += surely_broken(LOGIT, **at, g=max(abs(gamma_q * gamma_k)))
    # The counterexample above, exactly: √2·(1, 0) turned by 90° on √2·(0, 1), over √2.
    z = arb(2).sqrt()
    example = surely_broken(LOGIT, d_h=2, g=0, z=z) and not surely_broken(LOGIT, d_h=2, g=1, z=z)
    figure = f"{count} heads below the bound per pair; {exceeded} exceed the one per coordinate"
    return check(holds and example, figure)


@evidence("head_dimension", kind="certified", statement="head_dimension.needed")
def fourteen_for_a_sink_over_4096_keys(run: Run) -> Outcome:
    """At m = 4096, τ = 0.3, γ_qγ_k = 1 the bound is between 13 and 14, and 14 reaches 0.3."""
    tau = arb(3) / 10
    T = (4095 * tau / (1 - tau)).log()
    needed = surely(NEEDED, d_h=14, g=1, T=T) and surely_broken(NEEDED, d_h=13, g=1, T=T)
    reached = bool(most_mass(14, 4096) > tau) and bool(most_mass(13, 4096) < tau)
    least, at = float(((T / 2) ** 2).mid()), [float(most_mass(d, 4096).mid()) for d in (13, 14)]
    return check(
        needed and reached,
        f"d_h ≥ {least:.3f}; mass at most {at[0]:.3f} at 13 and {at[1]:.3f} at 14",
    )


@evidence("head_dimension", kind="certified")
def random_rows_stay_below(run: Run) -> Outcome:
    """Random QK-normed rows in balls never exceed the ceiling; with half its exponent some do."""
    rng, holds, above, count = random.Random(run.seed), True, 0, run.scale(30, 200)
    for _ in range(count):
        d_h, keys = rng.randint(1, 6), rng.randint(2, 6)
        norm = rms_norm(Fraction(1, 1000))
        drawn = random_rationals(rng, (keys + 1, d_h)) + Fraction(1, 10)
        q = norm(balls(drawn[0]))
        # The first key looks where the query does, the others away from it, more or less.
        near = exact([5 * drawn[0], *[-drawn[0]] * (keys - 1)])
        k = norm(balls(drawn[1:] / 4 + near))
        row = softmax_row(k @ q / arb(d_h).sqrt())
        E = arb(d_h).sqrt().exp()
        holds = holds and surely(CEILING, m=keys, E=E, alpha=largest(row))
        above += surely_broken(CEILING, m=keys, E=(arb(d_h).sqrt() / 2).exp(), alpha=largest(row))
    return check(holds and above > 0, f"{count} rows below; {above} above the ceiling of e^(−√d_h)")
