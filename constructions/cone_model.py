"""Mixing shortens: the identity behind position zero's asymmetry, and the cone model, exactly.

``theorems.causal_asymmetry``, after Peng et al. 2026 (arXiv 2603.06591 v1, Eq. 6).  Values of norm
one, mixed by a simplex row, lose exactly their weighted disagreement:

    1 − ‖Σp_k v_k‖² = Σ_{k<l} p_k p_l ‖v_k − v_l‖².

In the cone model v_k = au + √(1−a²)s_k, and E‖Σp_k v_k‖² = a² + (1−a²)E[Σp_k²] when the weights do
not depend on the directions.  Expectations here are sums over finite laws of rational unit vectors:
the signed axes (isotropic, independent), and laws that are only uncorrelated.

That the weights are independent is needed.  With a = 2/5 and two tokens, let the row be uniform
when ⟨s_1, s_2⟩ > 0 and a vertex otherwise; for directions with |⟨s_1, s_2⟩| = 3/8, the mean of
isotropic ones in five dimensions:

>>> Q, said = dependent_weights()
>>> print(float(Q), "and not", float(said))
0.86875 and not 0.79
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from constructions.unit_vectors import Law, axes, expectation, independent, on_sphere, squared
from theorems.arrays import Array, exact
from theorems.causal_asymmetry import COLLISION, CONE_MODEL, CONE_UNIFORM, MIXING
from theorems.evidence import Outcome, Run, check, evidence

ONE = Fraction(1)
COSINES = ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13)), (0 * ONE, ONE))
"""Pairs a, √(1−a²) that are both rational."""
Row = tuple[Fraction, ...]


def mix(row: Row, values: list[Array]) -> Array:
    """Σ p_k v_k."""
    first, *rest = (p * v for p, v in zip(row, values, strict=True))
    for term in rest:
        first = first + term
    return first


def disagreement(row: Row, values: list[Array]) -> Fraction:
    """D = Σ_{k<l} p_k p_l ‖v_k − v_l‖²."""
    return sum(
        (
            row[k] * row[m] * squared(values[k] - values[m])
            for m in range(len(row))
            for k in range(m)
        ),
        start=Fraction(0),
    )


def random_row(rng: random.Random, size: int) -> Row:
    """A point of the simplex; vertices, zeros and ties included."""
    weights = [rng.choice((0, 0, 1, 1, 2, 5)) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def random_unit(rng: random.Random, width: int) -> Array:
    """A rational unit vector (width,)."""
    return on_sphere(
        exact([Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(width - 1)])
    )


@evidence("causal_asymmetry", kind="exact")
def identity_on_random_values(run: Run) -> Outcome:
    """Rational unit vectors and rows: the identity to the last digit, position zero longest."""
    rng, holds, count, coincide = random.Random(run.seed), True, run.scale(300, 1000, 5000), 0
    for _ in range(count):
        i, width = rng.randint(1, 6), rng.randint(1, 5)
        pool = [random_unit(rng, width) if width > 1 else exact([1]) for _ in range(3)]
        values, row = [rng.choice(pool) for _ in range(i)], random_row(rng, i)
        s, D, s_0 = squared(mix(row, values)), disagreement(row, values), squared(values[0])
        holds = holds and MIXING.holds(i=i, s=s, D=D, s_0=s_0)
        used = [v for p, v in zip(row, values, strict=True) if p > 0]
        equal = all((v == used[0]).all() for v in used)
        holds = holds and (s == s_0) == equal
        coincide += equal
    return check(holds, f"{count} rows; s = 1 on the {coincide} whose values coincide, only there")


def cone(a: Fraction, b: Fraction, s: Array) -> Array:
    """au + bs with u the first axis and s (d−1,) orthogonal to it."""
    return exact([a, *(b * x for x in s)])


def output_square(a: Fraction, b: Fraction, row: Row, directions: tuple[Array, ...]) -> Fraction:
    """‖Σp_k v_k‖² in the cone model."""
    return squared(mix(row, [cone(a, b, s) for s in directions]))


def expected_square(a: Fraction, b: Fraction, rows: Law, law: Law) -> Fraction:
    """E‖Σp_k v_k‖², the row drawn from ``rows`` independently of the directions from ``law``."""
    return expectation(rows, lambda row: expectation(law, lambda s: output_square(a, b, row, s)))


def collisions(row: Row) -> Fraction:
    """Σp_k²."""
    return sum((p * p for p in row), start=Fraction(0))


def uncorrelated() -> Law:
    """Three directions that are dependent and uncorrelated: one frame, signs of product one."""
    frame = [exact([1, 0, 0]), exact(["3/5", "4/5", 0]), exact(["2/3", "-1/3", "2/3"])]
    signs = [s for s in product((1, -1), repeat=3) if s[0] * s[1] * s[2] == 1]
    return [
        (tuple(s * v for s, v in zip(sign, frame, strict=True)), Fraction(1, len(signs)))
        for sign in signs
    ]


def laws(run: Run) -> Iterator[tuple[str, int, Law]]:
    """Laws of directions by number of tokens."""
    for width, count in ((1, 4), (2, 3), (3, run.scale(2, 3)), (5, 2)):
        for m in range(1, count + 1):
            yield f"±axes of R^{width}", m, independent(axes(width), m)
    yield "dependent signs", 3, uncorrelated()


@evidence("causal_asymmetry", kind="exact", statement="causal_asymmetry.cone")
def cone_model_by_exact_expectation(run: Run) -> Outcome:
    """Finite laws of directions, random rows independent of them: Q = a² + (1−a²)E[Σp²]."""
    rng, holds, models = random.Random(run.seed), True, 0
    for _, m, law in laws(run):
        for a, b in COSINES:
            rows = [(random_row(rng, m), Fraction(k, 6)) for k in (1, 2, 3)]
            Q = expected_square(a, b, rows, law)
            holds = holds and CONE_MODEL.holds(a=a, Q=Q, S=expectation(rows, collisions))
            models += 1
    Q, said = dependent_weights()
    needed = not CONE_MODEL.holds(a=Fraction(2, 5), Q=Q, S=(said - Fraction(4, 25)) * 25 / 21)
    return check(
        holds and needed, f"{models} models exact; with dependent weights {Q} and not {said}"
    )


@evidence("causal_asymmetry", kind="exact", statement="causal_asymmetry.cone_uniform")
def cone_model_shortens_with_every_token(run: Run) -> Outcome:
    """Uniform rows over 1..m tokens: Q = a² + (1−a²)/m exactly, strictly falling."""
    holds, longest = True, run.scale(4, 6)
    for a, b in COSINES:
        found = []
        for m in range(1, longest + 1):
            row, law = (Fraction(1, m),) * m, independent(axes(2), m)
            found.append(expected_square(a, b, [(row, ONE)], law))
        for m in range(1, longest):
            holds = holds and CONE_UNIFORM.holds(a=a, m=m, Q=found[m - 1], Q_next=found[m])
    return check(holds, f"m = 1..{longest}, three cosines, directions ±e_1, ±e_2")


def dependent_weights() -> tuple[Fraction, Fraction]:
    """E‖Σp_k v_k‖² with weights that look at the directions, and what the cone model would say."""
    a_square = Fraction(4, 25)
    first = exact([1, 0, 0, 0, 0])
    second = exact(["3/8", "7/8", "1/4", "1/8", "1/8"])
    law = [((first, sign * second), Fraction(1, 2)) for sign in (1, -1)]
    rule: Callable[[tuple[Array, Array]], Row] = lambda s: (  # noqa: E731
        (ONE / 2, ONE / 2) if s[0] @ s[1] > 0 else (ONE, 0 * ONE)
    )
    mixed = expectation(law, lambda s: squared(mix(rule(s), list(s))))
    S = expectation(law, lambda s: collisions(rule(s)))
    return a_square + (1 - a_square) * mixed, a_square + (1 - a_square) * S


def collision_index(prefix: tuple[int, ...]) -> tuple[Fraction, Fraction, int]:
    """‖o_i‖², the collision index, and the largest count, for one-hot values and uniform rows."""
    i = len(prefix)
    counts = {t: prefix.count(t) for t in prefix}
    values = [exact([int(t == u) for u in range(max(prefix) + 1)]) for t in prefix]
    index = sum((Fraction(c, i) ** 2 for c in counts.values()), start=Fraction(0))
    return squared(mix((Fraction(1, i),) * i, values)), index, max(counts.values())


@evidence("causal_asymmetry", kind="exact", statement="causal_asymmetry.collision")
def collision_index_of_every_prefix(run: Run) -> Outcome:
    """Every prefix over 3 tokens up to length 7: the gap holds, attained by one odd token alone."""
    faults, attained, prefixes = [], 0, 0
    for i in range(2, run.scale(6, 7) + 1):
        for prefix in product(range(3), repeat=i):
            s, F, c = collision_index(prefix)
            bound = 1 - Fraction(2 * (i - 1), i * i)
            fine = COLLISION.holds(i=i, c=c, s=s, F=F) and (s == 1) == (c == i)
            tight = c < i and s == bound
            if not fine or tight != (c == i - 1):
                faults.append(str(prefix))
            attained, prefixes = attained + tight, prefixes + 1
    return check(
        not faults,
        "; ".join(faults[:3]) or f"{prefixes} prefixes, {attained} with one odd token attain it",
    )
