"""The first layer's share for position zero, exactly, over stationary laws of tokens.

``theorems.first_layer_ceiling``.  A stationary Markov chain with rational transitions gives windows
of T tokens; a first layer has the weights e^{w(x_i, x_k, i−k)} = G(x_i, x_k, i−k) > 0, any table of
rationals.  The expected importance of position zero is then a finite sum of rationals, and only
Λ = E ln(1/α_TT) needs balls.

It can come near: a weight that grows with the distance like a geometric series gives every α_i1 the
same size.  Without stationarity the theorem fails: tokens that begin with a mark of their own, BOS,
let the first layer sink on it.

>>> chain = flat_chain(2)
>>> even = First(chain, lambda query, key, lag: Fraction(1), 3)
>>> print(even.importance(), "=", (1 + Fraction(1, 2) + Fraction(1, 3)) / 3)
11/18 = 11/18
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product

from flint import arb, ctx

from constructions.balls import ends
from constructions.repeated_tokens import BITS, log_above
from constructions.unit_vectors import Law
from theorems.evidence import Outcome, Run, check, evidence
from theorems.first_layer_ceiling import STATEMENT

ONE = Fraction(1)
Weight = Callable[[int, int, int], Fraction]
"""e^logit > 0 of a query token on a key token at a distance."""


@dataclass(frozen=True)
class Chain:
    """A Markov chain: the law of its first token and its transitions, all rational."""

    start: tuple[Fraction, ...]
    steps: tuple[tuple[Fraction, ...], ...]

    @property
    def stationary(self) -> bool:
        """Whether the second token has the law of the first, exactly."""
        after = [
            sum(p * row[t] for p, row in zip(self.start, self.steps, strict=True))
            for t in range(len(self.start))
        ]
        return after == list(self.start)

    def windows(self, T: int) -> Law:
        """All windows of T tokens with positive probability."""
        law = []
        for x in product(range(len(self.start)), repeat=T):
            chance = self.start[x[0]]
            for a, b in pairwise(x):
                chance *= self.steps[a][b]
            if chance > 0:
                law.append((x, chance))
        return law


def flat_chain(V: int) -> Chain:
    """Independent uniform tokens."""
    return Chain((Fraction(1, V),) * V, ((Fraction(1, V),) * V,) * V)


def random_chain(rng: random.Random, V: int) -> Chain:
    """A chain that is stationary by construction: symmetric edge weights, sticky or not."""
    edges = [[Fraction(0)] * V for _ in range(V)]
    for a in range(V):
        for b in range(a + 1):
            edges[a][b] = edges[b][a] = Fraction(rng.choice((1, 1, 2, 9, 40)))
    sums = [sum(row, start=Fraction(0)) for row in edges]
    return Chain(
        tuple(s / sum(sums) for s in sums),
        tuple(tuple(e / s for e in row) for s, row in zip(sums, edges, strict=True)),
    )


@dataclass(frozen=True)
class First:
    """A head of the first layer on windows of T tokens of a chain."""

    chain: Chain
    weight: Weight
    T: int

    @cached_property
    def law(self) -> Law:
        return self.chain.windows(self.T)

    def row(self, x: tuple[int, ...], i: int) -> list[Fraction]:
        """The row of query i (1-based) on the window x."""
        weights = [self.weight(x[i - 1], x[k - 1], i - k) for k in range(1, i + 1)]
        return [w / sum(weights) for w in weights]

    def importance(self) -> Fraction:
        """E[(1/T)Σ_i α_i1]."""
        total = sum(
            (chance * self.row(x, i)[0] for x, chance in self.law for i in range(1, self.T + 1)),
            start=Fraction(0),
        )
        return total / self.T

    def Lambda(self) -> tuple[Fraction, Fraction]:
        """The ends of a ball around Λ = E ln(1/α_TT)."""
        # Finer than the logarithms that it is compared with: Λ = R + ln T does occur.
        with ctx.workprec(2 * BITS):
            total = arb(0)
            for x, chance in self.law:
                last = self.row(x, self.T)[-1]
                log = (arb(last.denominator) / last.numerator).log()
                total += log * chance.numerator / chance.denominator
            return ends(total)

    def range(self) -> Fraction:
        """A rational at least the range of one query's logits."""
        tokens, lags = range(len(self.chain.start)), range(self.T)
        spans = []
        for a in tokens:
            found = [self.weight(a, b, lag) for b in tokens for lag in lags]
            spans.append(max(found) / min(found))
        return log_above(max(spans))

    def known(self) -> dict[str, Fraction]:
        """The values of the statement's symbols; Λ at the end of its ball that is the stricter."""
        return {
            "T": Fraction(self.T),
            "importance": self.importance(),
            "Lambda": self.Lambda()[0],
            "R": self.range(),
            "ell": log_above(Fraction(self.T)),
        }


def ceiling_used(head: First) -> float:
    """The importance over the ceiling (1 + Λ)/T."""
    known = head.known()
    return float(known["importance"] * head.T / (1 + known["Lambda"]))


def random_weight(rng: random.Random, V: int, T: int) -> Weight:
    """Any table of positive rationals; some grow with the distance."""
    growth = rng.choice((Fraction(1), Fraction(3, 2), Fraction(4)))
    span = rng.choice((1, 4, 100))
    entries = {
        (a, b, lag): Fraction(rng.randint(1, span), rng.randint(1, span)) * growth**lag
        for a, b, lag in product(range(V), range(V), range(T))
    }
    return lambda query, key, lag: entries[query, key, lag]


def geometric_weight(step: Fraction) -> Weight:
    """Weights whose partial sums grow by the factor ``step``: every α_i1, i ≥ 2, is the same."""
    return lambda query, key, lag: step**lag - step ** (lag - 1) if lag else ONE


@evidence("first_layer_ceiling", kind="exact")
def ceiling_by_exact_expectation(run: Run) -> Outcome:
    """Random stationary chains and first layers: below the ceiling, exactly; and near it."""
    rng, holds, nearest, count = random.Random(run.seed), True, 0.0, run.scale(40, 150, 1000)
    for _ in range(count):
        V, T = rng.choice(((2, rng.randint(2, 6)), (3, rng.randint(2, 4))))
        head = First(random_chain(rng, V), random_weight(rng, V, T), T)
        # Λ ≤ R + ln T is judged at the upper end of Λ's ball, the other half at the lower one.
        holds = holds and head.chain.stationary and STATEMENT.holds(**head.known())
        holds = holds and STATEMENT.holds(**head.known() | {"Lambda": head.Lambda()[1]})
        nearest = max(nearest, ceiling_used(head))
    far = First(flat_chain(2), geometric_weight(Fraction(9, 8)), 8)
    return check(
        holds, f"{count} heads reach {nearest:.3f} of it; a geometric one {ceiling_used(far):.3f}"
    )


@evidence("first_layer_ceiling", kind="exact")
def with_bos_it_fails(run: Run) -> Outcome:
    """A first token of its own that takes its share: both forms of the ceiling are broken."""
    T, strong = 12, Fraction(12)
    bos = Chain((ONE, 0 * ONE), ((0 * ONE, ONE), (0 * ONE, ONE)))
    head = First(bos, lambda query, key, lag: strong if key == 0 else ONE, T)
    known, high = head.known(), head.Lambda()[1]
    over = (known["importance"] * T / (1 + x) for x in (high, known["R"] + known["ell"]))
    first, second = (float(x) for x in over)
    violated = not STATEMENT.holds(**known | {"Lambda": high}) and not bos.stationary
    return check(
        violated and first > 1 and second > 1,
        f"importance {float(known['importance']):.3f}: {first:.2f} and {second:.2f} of the two",
    )
