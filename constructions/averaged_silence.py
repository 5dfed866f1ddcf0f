"""A head that is silent by averaging: exact expectations over independent signs.

``theorems.silence_by_averaging`` (after Sun et al. 2026, arXiv 2603.05498).  The values of m keys
are ±σ, independent, each sign with probability ½, so an expectation is an average over 2^m cases.
Uniform weights over m keys make E‖o‖² = σ²(1−α)²/m, and nothing does better.

>>> power(uniform(keys=4, sink=Fraction(1, 2)), sigma=Fraction(1))
Fraction(1, 16)
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

from constructions.one_row import weighted_row
from constructions.pushed import sharp
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.silence_by_averaging import NO_SINK, RMS, SILENCE, UNEVEN


def uniform(keys: int, sink: Fraction) -> list[Fraction]:
    """The weights of ``keys`` keys that share what the sink leaves."""
    return [(1 - sink) / keys] * keys


def power(weights: Sequence[Fraction], sigma: Fraction, mean: Fraction = Fraction(0)) -> Fraction:
    """E‖Σ_k α_k v_k‖² over independent v_k = mean ± σ, by enumeration of the signs."""
    outputs = [
        sum(
            (a * (mean + sign * sigma) for a, sign in zip(weights, signs, strict=True)), Fraction(0)
        )
        for signs in itertools.product((-1, 1), repeat=len(weights))
    ]
    return sum((o**2 for o in outputs), Fraction(0)) / len(outputs)


SINKS = (Fraction(0), Fraction(1, 3), Fraction(9, 10))


@evidence("silence_by_averaging", kind="exact")
def uniform_weights_attain_it(run: Run) -> Outcome:
    """Uniform weights attain the bound by enumeration of all signs; 1.01 times tighter fails."""
    most = run.scale(8, 9, 12)
    holds = all(
        sharp(SILENCE, m=m, alpha=sink, sigma=sigma, V=power(uniform(m, sink), sigma))
        for m in range(1, most + 1)
        for sink in SINKS
        for sigma in (Fraction(1), Fraction(7, 3))
    )
    return check(holds, f"equality for m = 1..{most}, all {2**most} signs")


@evidence("silence_by_averaging", kind="exact")
def a_mean_breaks_it(run: Run) -> Outcome:
    """Values with a common mean are not silent: the mean stays whatever the number of keys."""
    holds = True
    for m in range(1, 9):
        found = power(uniform(m, Fraction(0)), Fraction(1), mean=Fraction(1))
        holds = holds and found == 1 + Fraction(1, m)
    return check(
        holds, "E‖o‖² = mean² + σ²/m, as with the trigger task's flags, whose mean is not zero"
    )


@evidence("silence_by_averaging", kind="exact", statement="silence_by_averaging.uneven")
def one_uneven_weight_attains_it(run: Run) -> Outcome:
    """One weight x and the others equal attain the bound; random weights are above it."""
    holds, rng = True, random.Random(run.seed)
    for m in range(2, run.scale(8, 11)):
        for sink in SINKS:
            for share in (Fraction(1, 5), Fraction(9, 10)):
                x = share * (1 - sink)
                weights = [x, *[(1 - sink - x) / (m - 1)] * (m - 1)]
                at = {"m": m, "alpha": sink, "sigma": Fraction(2)}
                holds = holds and sharp(UNEVEN, **at, x=x, V=power(weights, Fraction(2)))
        drawn = weighted_row(exact([rng.randint(1, 9) for _ in range(m)]))
        at = {"m": m, "alpha": Fraction(0), "sigma": Fraction(2), "V": power(drawn, Fraction(2))}
        holds = holds and all(UNEVEN.holds(**at, x=x) for x in drawn)
    return check(holds, "equality with m−1 equal weights")


@evidence("silence_by_averaging", kind="exact", statement="silence_by_averaging.needed")
def uniform_weights_need_the_least_sink(run: Run) -> Outcome:
    """A head of RMS exactly η has 1−α = (η/σ)√m with uniform weights; 1.01 tighter fails."""
    holds = True
    for root, m in ((1, 1), (2, 4), (3, 9)):
        for eta in (Fraction(1, 10), Fraction(1, 4)):
            sigma = Fraction(1)
            weights = uniform(m, 1 - eta * root / sigma)
            V = power(weights, sigma)
            at = {"m": m, "alpha": 1 - eta * root, "sigma": sigma, "eta": eta, "V": V}
            holds = holds and eta**2 == V and sharp(RMS, **at)
    return check(holds, "equality at 1, 4 and 9 keys")


@evidence("silence_by_averaging", kind="exact", statement="silence_by_averaging.no_sink")
def enough_keys_need_no_sink(run: Run) -> Outcome:
    """At m = σ²/η² uniform attention without a sink has RMS exactly η; with a key fewer more."""
    holds = True
    for m in range(2, run.scale(10, 12)):
        sigma, eta_squared = Fraction(1), Fraction(1, m)
        enough, fewer = (power(uniform(k, Fraction(0)), sigma) for k in (m, m - 1))
        holds = holds and enough == eta_squared and fewer > eta_squared
    for m, eta in ((4, Fraction(1, 2)), (9, Fraction(1, 3))):
        V = power(uniform(m, Fraction(0)), Fraction(1))
        holds = holds and sharp(NO_SINK, m=m, sigma=1, eta=eta, V=V)
    return check(holds, "silent at m = σ²/η², not before")
