"""Real factors λ with Π(1 + λ_ℓ z) = 1 at 0 and at every 1/r, certified in rational arithmetic.

For ``constructions.residual_positionless``.  Layers of a residual stream that all average, each
with its own factor, are silent together if P(z) = Π(1 + λ_ℓ z) is 1 at the eigenvalues 1/r of
averaging, r = 2..L−1, and at 0.  With λ₁ = 1, P = (1 + z)Q, and Q must be 1/(1 + z) there.  Take

    Q = Q₀ + κ′·z·Π(z − 1/r),

Q₀ interpolating 1/(1 + z).  The second term vanishes at all L−1 nodes and changes sign between any
two of them and beyond the outer ones; κ′ is a power of two that makes it outweigh Q₀ at one point
in each gap.  So Q, of degree L−1, has L−1 real roots, and λ = −1/root.

>>> [round(float(x), 3) for x in factors(4)]
[1.0, 46.451, -2.463, -2.238]
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

from flint import arb, ctx, fmpq, fmpq_poly

from constructions.enumeration import as_fraction
from theorems.evidence import Outcome, Run, check, evidence

BITS = 512
"""Working precision: about 150 digits."""


def nodes(length: int) -> list[fmpq]:
    """0 and the eigenvalues 1/r of the averaging matrix, r = L−1..2, in increasing order."""
    return [fmpq(0), *(fmpq(1, r) for r in range(length - 1, 1, -1))]


def between(length: int) -> list[fmpq]:
    """A point on either side of each node: midpoints, and one beyond each end."""
    at = nodes(length)
    return [-at[1], *((a + b) / 2 for a, b in itertools.pairwise(at)), fmpq(1)]


@functools.cache
def silent_polynomial(length: int) -> fmpq_poly:
    """Q of degree L−1 with Q = 1/(1+z) at every node and a change of sign between them."""
    at, z = nodes(length), fmpq_poly([0, 1])
    interpolating = fmpq_poly([0])
    for a in at:
        basis = fmpq_poly([1 / (1 + a)])
        for b in at:
            if b != a:
                basis *= (z - b) / (a - b)
        interpolating += basis
    vanishing = functools.reduce(lambda p, a: p * (z - a), at, fmpq_poly([1]))
    needed = max(abs(interpolating(x) / vanishing(x)) for x in between(length))
    size = fmpq(2) ** (int(needed.p) // int(needed.q)).bit_length()
    return interpolating + size * vanishing


@functools.cache
def factor_balls(length: int) -> tuple[arb, ...]:
    """Balls that contain λ₁ = 1 and λ_ℓ = −1/root of Q, in the order of the roots."""
    with ctx.workprec(BITS):
        found = silent_polynomial(length).complex_roots()
        real = [r.real for r, _ in found if r.imag == 0]
        return (arb(1), *(-1 / r for r in sorted(real, key=float)))


@functools.cache
def factors(length: int) -> tuple[Fraction, ...]:
    """λ_ℓ as rational numbers, within 2^−``BITS`` or so of the true ones."""
    return tuple(as_fraction(ball.mid().fmpq()) for ball in factor_balls(length))


@evidence("sink_free_softmax", kind="exact", statement="sink_free_softmax.positionless")
def factors_are_real(run: Run) -> Outcome:
    """For L = 4..16, exactly: Q changes sign L−1 times, and (1 + z)Q is 1 at all its nodes."""
    holds = True
    for length in range(4, 17):
        Q = silent_polynomial(length)
        values = [Q(x) for x in between(length)]
        holds = holds and Q.degree() == length - 1 == len(values) - 1
        holds = holds and all(a * b < 0 for a, b in itertools.pairwise(values))
        holds = holds and all((1 + a) * Q(a) == 1 for a in nodes(length))
    return check(holds, "L = 4..16: all L−1 roots real by changes of sign, P = 1 at 0 and 1/r")
