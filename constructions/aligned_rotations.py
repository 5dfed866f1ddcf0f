"""A query and a key that keep all that RoPE leaves them over N positions, in rational numbers.

``theorems.rope_budget``.  Take z = e^(iθ/2) with rational parts (a Pythagorean angle).  Then the
rotations z^(2j), their mean, and D_N(θ) = |sin(Nθ/2)|/(N|sin(θ/2)|) are rational, and the mean is
D_N times the turn z^(N−1), up to sign: turn each pair of the key by it and the mean logit is the
budget itself.

Pairs of numbers (x, y) stand for x + iy.

>>> z = half_angle(Fraction(1, 10))
>>> [round(float(dirichlet(z, N)), 4) for N in (1, 4, 16, 64)]
[1.0, 0.9033, 0.0151, 0.015]
"""

from __future__ import annotations

import random
from fractions import Fraction

from flint import arb

from constructions.pushed import sharp
from constructions.rational_norm import rational_root
from theorems.evidence import Outcome, Run, check, evidence
from theorems.rope_budget import BUDGET, DIRICHLET

Plane = tuple[Fraction, Fraction]
"""x + iy."""


def half_angle(t: Fraction) -> Plane:
    """z = e^(iθ/2) with tan(θ/4) = t."""
    return (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)


def times(a: Plane, b: Plane) -> Plane:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def power(z: Plane, n: int) -> Plane:
    """zⁿ for n ≥ 0."""
    result = (Fraction(1), Fraction(0))
    for _ in range(n):
        result = times(result, z)
    return result


def mean_rotation(z: Plane, N: int) -> Plane:
    """(1/N)Σ_{j<N} z^(2j)."""
    turns = [power(times(z, z), j) for j in range(N)]
    zero = Fraction(0)
    return sum((x for x, _ in turns), zero) / N, sum((y for _, y in turns), zero) / N


def dirichlet(z: Plane, N: int) -> Fraction:
    """D_N(θ) = |sin(Nθ/2)|/(N|sin(θ/2)|)."""
    return abs(power(z, N)[1]) / (N * abs(z[1]))


def mean_logit(pairs: list[tuple[Plane, Plane, Plane]], N: int, root: int) -> Fraction:
    """The mean over queries i ≤ N of the logit on key 1; ``pairs`` of (z, q, k), root = √d_h.

    The query at distance j is turned by jθ against the key: Re(q·conj(k)·z^(2j)).
    """
    total = Fraction(0)
    for j in range(N):
        for z, q, k in pairs:
            total += times(times(q, (k[0], -k[1])), power(z, 2 * j))[0]
    return total / N / root


def aligned_key(z: Plane, q: Plane, size: Fraction, N: int) -> Plane:
    """The key of length ``size`` that keeps the whole budget of the pair."""
    turn = times(q, power(z, N - 1))
    sign = 1 if power(z, N)[1] * z[1] >= 0 else -1
    length = norm(q)
    return sign * size * turn[0] / length, sign * size * turn[1] / length


def norm(q: Plane) -> Fraction:
    """|q|, where it is rational."""
    return rational_root(q[0] ** 2 + q[1] ** 2)


def slowest(d_h: int, base: int, N: int) -> arb:
    """D_N of the slowest pair of a head, θ = base^(−(d_h−2)/d_h), in balls."""
    half = (-(arb(d_h - 2) / d_h) * arb(base).log()).exp() / 2
    return abs((N * half).sin()) / (N * half.sin())


def drawn_pairs(rng: random.Random, count: int, N: int) -> list[tuple[Plane, Plane, Plane]]:
    """Random angles, queries and lengths, with the keys aligned."""
    pairs = []
    for _ in range(count):
        z = half_angle(Fraction(rng.randint(1, 20), rng.randint(21, 90)))
        x, y = half_angle(Fraction(rng.randint(-9, 9), 10))
        size = Fraction(rng.randint(1, 9))
        q = (size * x, size * y)
        pairs.append((z, q, aligned_key(z, q, Fraction(rng.randint(1, 9)), N)))
    return pairs


def budget(pairs: list[tuple[Plane, Plane, Plane]], N: int) -> Fraction:
    """Σ_p ‖q_p‖‖k_p‖D_N(θ_p)."""
    return sum((norm(q) * norm(k) * dirichlet(z, N) for z, q, k in pairs), Fraction(0))


@evidence("rope_budget", kind="exact")
def aligned_keys_keep_the_whole_budget(run: Run) -> Outcome:
    """Aligned keys attain the budget at d_h = 4 and 16; keys turned by another angle stay below."""
    rng, holds, below, count = random.Random(run.seed), True, 0, run.scale(6, 30)
    for _ in range(count):
        for root in (2, 4):
            N = rng.randint(1, 9)
            pairs = drawn_pairs(rng, root**2 // 2, N)
            at = {"d_h": root**2, "R": root, "budget": budget(pairs, N)}
            Z = mean_logit(pairs, N, root)
            holds = holds and (sharp(BUDGET, **at, Z=Z) if at["budget"] > 0 else at["budget"] == Z)
            turned = [(z, q, times(k, half_angle(Fraction(1, 3)))) for z, q, k in pairs]
            other = mean_logit(turned, N, root)
            holds = holds and BUDGET.holds(**at, Z=other)
            below += BUDGET.excess(**at, Z=other) < 0
    return check(holds and below > 0, f"{2 * count} heads attain it; turned keys stay below")


@evidence("rope_budget", kind="exact", statement="rope_budget.mean")
def sums_of_rotations_have_that_size(run: Run) -> Outcome:
    """The mean of N rational rotations has the stated size, exactly, for 9 angles."""
    holds, most = True, run.scale(20, 24, 60)
    for t in (Fraction(k, 10) for k in range(1, 10)):
        z = half_angle(t)
        omega = times(z, z)
        for N in range(1, most + 1):
            x, y = mean_rotation(z, N)
            Q = x**2 + y**2
            at = {"N": N, "Q": Q, "c": omega[0], "c_N": power(omega, N)[0]}
            holds = holds and DIRICHLET.holds(**at) and dirichlet(z, N) ** 2 == Q
            wrong = at | {"Q": Q * Fraction(101, 100)}
            holds = holds and (Q == 0 or not DIRICHLET.holds(**wrong))
    return check(holds, f"N = 1..{most}")


@evidence("rope_budget", kind="certified", statement="rope_budget.mean")
def small_heads_lack_a_slow_pair(run: Run) -> Outcome:
    """At base 10⁴, N = 4096 the slowest pair keeps .43 at d_h = 8, .93 at 16, .99 at 128."""
    kept = {d: slowest(d, 10**4, 4096) for d in (8, 16, 128)}
    low, high = {8: "0.43", 16: "0.93", 128: "0.99"}, {8: "0.44", 16: "0.94", 128: "1"}
    holds = all(bool(kept[d] > arb(low[d])) and bool(kept[d] < arb(high[d])) for d in kept)
    slow = {d: slowest(d, 5 * 10**5, 4096) for d in (4, 8, 16, 128)}
    holds = holds and all(bool(slow[d] > arb("0.99")) for d in (8, 16, 128))
    holds = holds and bool(slow[4] < arb("0.2"))
    figures = ", ".join(f"{float(v.mid()):.3f} at {d}" for d, v in kept.items())
    return check(
        holds, f"{figures}; at base 5·10⁵ above .99 from d_h = 8, {float(slow[4].mid()):.2f} at 4"
    )
