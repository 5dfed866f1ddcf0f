"""Attention rows as functions of the prefix, in exact rationals.

The theorems quantify over *simplex attention*: the row of a position is any non-negative vector of
sum one that depends on the whole prefix in any way.  A :data:`RowRule` is such a function.  Rules
are small frozen dataclasses, so that a model prints as the figures it consists of, and compose:
``Mixed(UniformOffBos(), Seeded(7), 1/100)`` is a solution's row nudged by an arbitrary function.

BOS sees only itself, so every rule answers ``(1,)`` there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from theorems.trigger_task import BOS, ORDINARY, TRIGGER


class Token(NamedTuple):
    """A token by its flag (BOS, TRIGGER, ORDINARY) and the index of its content in the set."""

    flag: int
    content: int


START = Token(BOS, 0)
Prefix = tuple[Token, ...]
"""The tokens that a query sees; the query itself comes last."""
Row = tuple[Fraction, ...]
RowRule = Callable[[Prefix], Row]


def proportional(weights: list[Fraction] | list[int]) -> Row:
    """The simplex row proportional to ``weights``; all weight on BOS when they are all zero."""
    total = sum(weights)
    if not total:
        return on_bos(len(weights))
    return tuple(Fraction(w) / total for w in weights)


def on_bos(size: int) -> Row:
    """The sink: everything on BOS."""
    return (Fraction(1), *(Fraction(0),) * (size - 1))


@dataclass(frozen=True)
class Sink:
    """All weight on BOS."""

    def __call__(self, prefix: Prefix) -> Row:
        return on_bos(len(prefix))


@dataclass(frozen=True)
class UniformOffBos:
    """The same weight on every token but BOS: the trigger's row in the plain solution."""

    def __call__(self, prefix: Prefix) -> Row:
        return proportional([0] + [1] * (len(prefix) - 1))


@dataclass(frozen=True)
class Self:
    """All weight on the query itself."""

    def __call__(self, prefix: Prefix) -> Row:
        return (*(Fraction(0),) * (len(prefix) - 1), Fraction(1))


@dataclass(frozen=True)
class Spread:
    """``bos`` on BOS, ``trigger`` on the trigger, ``ordinary`` shared by the ordinary keys.

    A part whose keys are not visible goes to BOS.
    """

    bos: Fraction
    ordinary: Fraction
    trigger: Fraction

    def __call__(self, prefix: Prefix) -> Row:
        count = sum(t.flag == ORDINARY for t in prefix)
        seen = any(t.flag == TRIGGER for t in prefix)
        share = {
            BOS: Fraction(0),
            ORDINARY: self.ordinary / count if count else Fraction(0),
            TRIGGER: self.trigger if seen else Fraction(0),
        }
        row = [share[t.flag] for t in prefix]
        row[0] = 1 - sum(row, Fraction(0))
        return tuple(row)


@dataclass(frozen=True)
class BetweenLengths:
    """``first`` at length 3, ``last`` at ``length``, between them in step with the targets.

    y_j is the point (1−θ)·y_L + θ·y_3 with θ = (u_j − u_L)/(½ − u_L), u_j = 1/(j−1); the rows are
    mixed with the same θ, so that two exact rows give exact rows everywhere.
    """

    length: int
    first: RowRule
    last: RowRule

    def __call__(self, prefix: Prefix) -> Row:
        far = Fraction(1, self.length - 1)
        theta = (Fraction(1, max(2, len(prefix) - 1)) - far) / (Fraction(1, 2) - far)
        pairs = zip(self.first(prefix), self.last(prefix), strict=True)
        return tuple(theta * a + (1 - theta) * b for a, b in pairs)


@dataclass(frozen=True)
class PairWeights:
    """Position-free softmax by its unnormalised weights: a positive table [query][key].

    Tokens are numbered BOS, then ordinary by content, then trigger by content.
    """

    contents: int
    table: tuple[tuple[Fraction, ...], ...]

    def index(self, token: Token) -> int:
        """The row or column of the table that ``token`` uses."""
        return {BOS: 0, ORDINARY: 1, TRIGGER: 1 + self.contents}[token.flag] + token.content

    def __call__(self, prefix: Prefix) -> Row:
        weights = self.table[self.index(prefix[-1])]
        return proportional([weights[self.index(key)] for key in prefix])


@dataclass(frozen=True)
class Seeded:
    """An arbitrary function of the prefix: small integer weights from a generator keyed by it.

    ``top`` bounds the weights; with ``top = 1`` rows are uniform on random subsets.  Ties, zeros
    and one-hot rows are frequent on purpose.
    """

    seed: int
    top: int = 3

    def __call__(self, prefix: Prefix) -> Row:
        key = ".".join(f"{t.flag}{t.content}" for t in prefix)
        generator = random.Random(f"{self.seed}:{key}")
        return proportional([generator.randint(0, self.top) for _ in prefix])


@dataclass(frozen=True)
class ByRole:
    """One rule for the trigger's row, one for the positions before it, one for those after it."""

    trigger: RowRule
    before: RowRule
    after: RowRule

    def __call__(self, prefix: Prefix) -> Row:
        if len(prefix) == 1:
            return on_bos(1)
        if prefix[-1].flag == TRIGGER:
            return self.trigger(prefix)
        past = any(t.flag == TRIGGER for t in prefix)
        return (self.after if past else self.before)(prefix)


@dataclass(frozen=True)
class Mixed:
    """(1 − share)·base + share·other: a perturbation that keeps rows on the simplex."""

    base: RowRule
    other: RowRule
    share: Fraction

    def __call__(self, prefix: Prefix) -> Row:
        if not self.share:
            return self.base(prefix)
        pairs = zip(self.base(prefix), self.other(prefix), strict=True)
        return tuple((1 - self.share) * a + self.share * b for a, b in pairs)


@dataclass(frozen=True)
class Gauged:
    """Weights divided by a factor per token, the rest put on BOS.

    With values V′ = v + λ·(V − v) (see ``solutions.gauge``) the outputs do not change.  Factors
    below one are fine as long as the row has mass on BOS to give.
    """

    base: RowRule
    factors: tuple[tuple[Token, Fraction], ...]

    def __call__(self, prefix: Prefix) -> Row:
        factor = dict(self.factors)
        row = [a / factor.get(t, 1) for a, t in zip(self.base(prefix), prefix, strict=True)]
        row[0] = 1 - sum(row[1:], Fraction(0))
        return tuple(row)


@dataclass(frozen=True)
class Shares:
    """The same row as ``base`` with its mass off BOS multiplied by ``share``."""

    base: RowRule
    share: Fraction

    def __call__(self, prefix: Prefix) -> Row:
        row = [self.share * a for a in self.base(prefix)]
        row[0] = 1 - sum(row[1:], Fraction(0))
        return tuple(row)
