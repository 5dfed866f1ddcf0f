"""The arithmetic of RMSNorm on a spike: two sides of a distance, entries, and keys.

Notation: M² = ‖h‖² + dε = a² + ρ + dε, c = a/M, so that RMSNorm(h) = √d(c·u + r/M), and
Q = ‖RMSNorm(h) − √d·u‖² = d((1−c)² + ρ/M²).
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.norm_sparsifies import (
    BOUNDED,
    FAR,
    KEYS,
    NEAR,
    SPARSE,
    K,
    Q,
    Y,
    a,
    d,
    epsilon,
    rho,
    t,
    w,
)
from theorems.smt import Apply, Core, Show, without

M, c, f, k, n = sp.symbols("M c f k n", real=True)
NAMES = {
    "d": "width",
    "a": "size of the spike",
    "rho": "‖r‖²",
    "epsilon": "RMSNorm's ε",
    "M": "√(‖h‖² + dε)",
    "c": "a/M",
    "f": "(ρ + dε)/a²",
    "k": "ρ/a²",
    "n": "h_i²",
    "Q": "‖RMSNorm(h) − √d·u‖²",
    "Y": "RMSNorm(h)_i²",
    "t": "r_i",
    "K": "‖W_K diag(γ)(RMSNorm(h) − √d·u)‖²",
    "w": "‖W_K diag γ‖₂",
}
STATE = (M > 0, sp.Eq(M**2, a**2 + rho + d * epsilon))
DISTANCE = sp.Eq(Q * M**2, d * ((M - a) ** 2 + rho))

SHAPE = Core(
    name="how far a normalised vector is",
    symbols=NAMES,
    hypotheses=(c > 0, f >= 0, sp.Eq(c**2 * (1 + f), 1), k >= 0, k <= f),
    conclusion=(1 - c) ** 2 + k * c**2 <= f,
    says="(1−c)² + fc² = 2 − 2c ≤ (1 − c²)/c² = f, since (1−c)²(1+2c) ≥ 0.",
    hints=(
        Show(c <= 1),
        Show(sp.Eq(f * c**2, 1 - c**2)),
        Show((1 - c) ** 2 * (1 + 2 * c) >= 0, using=(c > 0,)),
        Show(k * c**2 <= f * c**2, using=(k <= f,)),
        Show((1 - c) ** 2 + k * c**2 <= 2 - 2 * c),
        Show((2 - 2 * c) * c**2 <= f * c**2),
        Show(2 - 2 * c <= f),
    ),
    narrow=(sp.Eq(c, sp.Rational(3, 5)),),
)
NEARER = Core(
    name="near a constant",
    symbols=NAMES,
    hypotheses=(
        *assumed(NEAR),
        c > 0,
        f >= 0,
        k >= 0,
        sp.Eq(f * a**2, rho + d * epsilon),
        sp.Eq(k * a**2, rho),
        k <= f,
        sp.Eq(c**2 * (1 + f), 1),
        sp.Eq(Q, d * ((1 - c) ** 2 + k * c**2)),
    ),
    conclusion=NEAR.conclusion,
    says="The same, times d, with c = a/M, f = (ρ + dε)/a² and k = ρ/a².",
    hints=(
        Apply(SHAPE),
        Show(sp.Eq(f, (rho + d * epsilon) / a**2)),
        Show(d * f >= Q, products=((d >= 1, (1 - c) ** 2 + k * c**2 <= f),)),
    ),
    narrow=(sp.Eq(c, sp.Rational(3, 5)), sp.Eq(a, 1), sp.Eq(epsilon, 0)),
)
NEAR_LINKS = (
    Link(
        SHAPE,
        (
            SHAPE.false(
                "not half of it",
                conclusion=2 * ((1 - c) ** 2 + k * c**2) <= f,
                narrow=(sp.Eq(c, sp.Rational(4, 5)), sp.Eq(k, f)),
            ),
        ),
    ),
    Link(
        NEARER,
        (
            NEARER.false(
                "ε counts",
                conclusion=d * rho / a**2 >= Q,
                narrow=(sp.Eq(c, sp.Rational(3, 5)), sp.Eq(a, 1), sp.Eq(rho, 0), sp.Eq(d, 1)),
            ),
        ),
    ),
)
FARTHER = Core(
    name="and no nearer",
    symbols=NAMES,
    hypotheses=(*assumed(FAR), *STATE, DISTANCE),
    conclusion=FAR.conclusion,
    says="The part across u alone has squared length dρ/M².",
    hints=(Show(d * (M - a) ** 2 >= 0), Show(d * rho <= Q * M**2)),
)
FAR_LINKS = (
    Link(
        FARTHER,
        (
            FARTHER.false(
                "not dρ/a²",
                conclusion=d * rho / a**2 <= Q,
                narrow=(sp.Eq(a, 3), sp.Eq(rho, 16), sp.Eq(epsilon, 0)),
            ),
        ),
    ),
)
ENTRY = Core(
    name="an entry off the spike",
    symbols=NAMES,
    hypotheses=(*assumed(SPARSE), *STATE, sp.Eq(Y * M**2, d * t**2)),
    conclusion=SPARSE.conclusion,
    says="RMSNorm(h)_i = √d·r_i/M and M ≥ a.",
    hints=(
        Show(d * epsilon >= 0, products=((d >= 1, epsilon >= 0),)),
        Show(a**2 <= M**2),
        Show(Y >= 0),
        Show(Y * a**2 <= Y * M**2, products=((Y >= 0, a**2 <= M**2),)),
    ),
)
SPARSE_LINKS = (
    Link(
        ENTRY,
        (
            ENTRY.false(
                "not without the spike",
                conclusion=d * Y <= t**2 / a**2,
                narrow=(sp.Eq(a, 3), sp.Eq(rho, 16), sp.Eq(epsilon, 0), sp.Eq(t, 4)),
            ),
        ),
    ),
)
ROOM = Core(
    name="an entry of any state",
    symbols=NAMES,
    hypotheses=(*assumed(BOUNDED), n >= 0, M > 0, n <= M**2, sp.Eq(Y * M**2, d * n)),
    conclusion=BOUNDED.conclusion,
    says="h_i² ≤ ‖h‖² + dε.",
    hints=(Show(d * M**2 >= Y * M**2, products=((d >= 1, n <= M**2),)),),
)
BOUNDED_LINKS = (Link(ROOM, (ROOM.false("attained", conclusion=d > Y, narrow=(sp.Eq(n, M**2),)),)),)
KEY = Core(
    name="a key",
    symbols=NAMES,
    hypotheses=(*assumed(KEYS), NEAR.conclusion, Q >= 0, w**2 * Q >= K),
    conclusion=KEYS.conclusion,
    says="‖Wx‖² ≤ w²‖x‖², and the first statement.",
    hints=(Show(w**2 * Q <= w**2 * (d * (rho + d * epsilon) / a**2), using=(NEAR.conclusion,)),),
    narrow=(sp.Eq(a, 1),),
)
KEYS_LINKS = (Link(KEY, (KEY.false("w counts", hypotheses=without(KEY, w**2 * Q >= K)),)),)


@evidence("norm_sparsifies", kind="smt", settles=True)
def near_arithmetic(run: Run) -> Outcome:
    """z3 proves the upper bound for every width, spike, rest and ε."""
    return outcome(NEAR_LINKS, run)


@evidence("norm_sparsifies", kind="smt", settles=True, statement="norm_sparsifies.converse")
def far_arithmetic(run: Run) -> Outcome:
    """z3 proves the lower bound for every width, spike, rest and ε."""
    return outcome(FAR_LINKS, run)


@evidence("norm_sparsifies", kind="smt", settles=True, statement="norm_sparsifies.sparse")
def sparse_arithmetic(run: Run) -> Outcome:
    """z3 bounds the entries off the spike."""
    return outcome(SPARSE_LINKS, run)


@evidence("norm_sparsifies", kind="smt", settles=True, statement="norm_sparsifies.bounded")
def bounded_arithmetic(run: Run) -> Outcome:
    """z3 bounds every entry of every state by √d."""
    return outcome(BOUNDED_LINKS, run)


@evidence("norm_sparsifies", kind="smt", settles=True, statement="norm_sparsifies.keys")
def keys_arithmetic(run: Run) -> Outcome:
    """z3 carries the first statement over to keys."""
    return outcome(KEYS_LINKS, run)
