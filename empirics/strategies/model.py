"""A one-layer attention model over a finite content set, in exact rationals.

A :class:`Model` is a task, a finite content set, a value for every token and a rule for the rows:
everything that the theorems of one layer allow (any simplex rows, any token-wise value map), and
nothing that an exact judge cannot follow.  ``rows`` and ``value`` are the two functions that
``constructions.enumeration.measure`` asks for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from empirics.strategies.row_rules import START, Prefix, RowRule, Token
from theorems.arrays import Array, exact
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Values:
    """The value of every token: v = V(BOS), p(c) = V(ordinary c), q(c) = V(trigger c)."""

    bos: Vector
    ordinary: tuple[Vector, ...]
    trigger: tuple[Vector, ...]

    def of(self, token: Token) -> Vector:
        """The value of ``token``."""
        if token.flag == BOS:
            return self.bos
        return (self.trigger if token.flag == TRIGGER else self.ordinary)[token.content]

    def map(self, change: Any) -> Values:
        """``change(token, value)`` applied to every entry, in a fixed order."""
        size = range(len(self.ordinary))
        return Values(
            change(START, self.bos),
            tuple(change(Token(ORDINARY, c), self.ordinary[c]) for c in size),
            tuple(change(Token(TRIGGER, c), self.trigger[c]) for c in size),
        )


@dataclass(frozen=True)
class Model:
    """One layer: ``rule`` gives the rows, ``values`` the value of each token over ``contents``.

    ``family`` says how the model was built.
    """

    family: str
    task: TriggerTask
    contents: tuple[Vector, ...]
    values: Values
    rule: RowRule

    @property
    def content_set(self) -> np.ndarray:
        """The content set as an exact array of shape (|K|, n)."""
        shape = (len(self.contents), self.task.content_dim)
        return exact(np.array(self.contents, dtype=object).reshape(shape))

    @property
    def alphabet(self) -> list[Token]:
        """Every token there is: BOS, then each content as an ordinary token and as a trigger."""
        size = range(len(self.contents))
        return [START, *(Token(f, c) for c in size for f in (ORDINARY, TRIGGER))]

    def with_values(self, values: Values, family: str | None = None) -> Model:
        """The same rows with other values."""
        return replace(self, values=values, family=family or self.family)

    def read(self, tokens: Array) -> list[Prefix]:
        """Exact tokens (..., L, d) as lists of :class:`Token`, flattened over leading axes.

        Raises ``KeyError`` for a content outside the content set.
        """
        number, exactly = {}, type(tokens.flat[0])
        for token in reversed(self.alphabet):
            flags = [exactly(int(token.flag == f)) for f in (BOS, TRIGGER, ORDINARY)]
            content = (Fraction(0),) * self.task.content_dim
            content = content if token == START else self.contents[token.content]
            number[(*flags, *_numbers(content, exactly))] = token
        flat = tokens.reshape(-1, *tokens.shape[-2:])
        return [tuple(number[tuple(x)] for x in sequence) for sequence in flat]

    def rows(self, tokens: Array) -> np.ndarray:
        """Attention rows (..., L, L) on exact tokens (..., L, d), zero above the diagonal.

        Entries are of the tokens' kind: ``Fraction``, or python-flint's faster ``fmpq``.
        """
        length, number = tokens.shape[-2], type(tokens.flat[0])
        known: dict[Prefix, list[Any]] = {}
        out = np.full((*tokens.shape[:-2], length, length), number(0), dtype=object)
        flat = out.reshape(-1, length, length)
        for s, sequence in enumerate(self.read(tokens)):
            for i in range(length):
                prefix = sequence[: i + 1]
                if prefix not in known:
                    known[prefix] = _numbers(self.rule(prefix), number)
                flat[s, i, : i + 1] = known[prefix]
        return out

    def value(self, tokens: Array) -> np.ndarray:
        """The values (..., L, width) of exact tokens (..., L, d)."""
        number = type(tokens.flat[0])
        known = {t: _numbers(self.values.of(t), number) for t in self.alphabet}
        listed = [[known[t] for t in sequence] for sequence in self.read(tokens)]
        return np.array(listed, dtype=object).reshape(*tokens.shape[:-1], -1)

    def figures(self) -> dict[str, Any]:
        """Everything the model consists of, as ``"p/q"`` strings: enough to judge it again."""
        rows = {}
        for _, tokens in self.task.every_input(self.content_set):
            for sequence in self.read(tokens):
                for i in range(len(sequence)):
                    prefix = sequence[: i + 1]
                    key = " ".join("bto"[t.flag] + str(t.content) for t in prefix)
                    rows[key] = strings(self.rule(prefix))
        return {
            "family": self.family,
            "L": self.task.length,
            "n": self.task.content_dim,
            "contents": [strings(c) for c in self.contents],
            "value of BOS": strings(self.values.bos),
            "values of ordinary tokens": [strings(p) for p in self.values.ordinary],
            "values of triggers": [strings(q) for q in self.values.trigger],
            "rows by prefix": rows,
        }


def _numbers(vector: Vector, kind: Any) -> list[Any]:
    return [kind(x.numerator, x.denominator) for x in vector]


def strings(vector: Any) -> list[str]:
    """Exact numbers as ``"p/q"`` strings."""
    return [str(x) for x in vector]


def add(*terms: Vector) -> Vector:
    """The sum of vectors."""
    return tuple(sum(xs, Fraction(0)) for xs in zip(*terms, strict=True))


def times(factor: Fraction, vector: Vector) -> Vector:
    """A multiple of a vector."""
    return tuple(factor * x for x in vector)


def linear_values(task: TriggerTask, contents: tuple[Vector, ...], M: np.ndarray) -> Values:
    """The values M x of a matrix M (width, width), exact."""

    def value(flag: int, content: Vector) -> Vector:
        x = [Fraction(0)] * CONTENT + list(content)
        x[flag] = Fraction(1)
        return tuple(M @ np.array(x, dtype=object))

    return Values(
        value(BOS, (Fraction(0),) * task.content_dim),
        tuple(value(ORDINARY, c) for c in contents),
        tuple(value(TRIGGER, c) for c in contents),
    )


def identity_off_bos(task: TriggerTask) -> np.ndarray:
    """The matrix of the plain solution: the identity, except that BOS goes to zero."""
    M = np.full((task.width, task.width), Fraction(0), dtype=object)
    for k in range(1, task.width):
        M[k, k] = Fraction(1)
    return M
