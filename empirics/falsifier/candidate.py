"""A candidate counterexample: a model in rational numbers, with nothing left to floats.

Tokens have names: ``b`` for BOS, ``o0`` ``t0`` … for ordinary and trigger with the first content.
A head says its rows in one of three ways, and its values in one of three:

    prefix     a row for each prefix, by name ("b o0 t0")
    pairs      a number for each pair of tokens, query by query, keys in the order of ``names``
    bilinear   a matrix, over the coordinates of a token, contents scaled to whole numbers

For softmax-like mechanisms the numbers of pairs and matrices are exponentials of logits, positive
rationals, since exp is onto: the weight of (q, k) is Π E_ab^(q_a k_b).  So softmax rows are exact
rationals.  Values are by token, by position and token ("3 t0"), or a matrix over the state.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from theorems.errors import UserError

Vector = tuple[Fraction, ...]
Table = Mapping[str, Vector]
EXPONENTIAL = {"softmax", "simplex", "bilinear", "off_by_one", "sigmoid"}
"""Mechanisms whose numbers are e^logit."""


@dataclass(frozen=True)
class Head:
    """Rows by prefix, by pairs or by a matrix; values by tokens, positions or a matrix."""

    prefix: Table = field(default_factory=dict)
    pairs: Table = field(default_factory=dict)
    bilinear: tuple[Vector, ...] = ()
    tokens: Table = field(default_factory=dict)
    positions: Table = field(default_factory=dict)
    matrix: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Mlp:
    """W₂ ReLU(W₁ (o; flags of the own token) + b₁), for every token alike."""

    first: tuple[Vector, ...]
    bias: Vector
    second: tuple[Vector, ...]


@dataclass(frozen=True)
class Candidate:
    """A model for sequences of ``length`` over ``contents``."""

    length: int
    contents: tuple[Vector, ...]
    layers: tuple[tuple[Head, ...], ...]
    residual: bool = False
    anchor: bool = True
    mlp: Mlp | None = None

    @property
    def width(self) -> int:
        return 3 + len(self.contents[0])

    def as_json(self) -> dict[str, Any]:
        """Nested dictionaries and lists with numbers as ``"p/q"``."""
        return _plain(self)

    def numbers(self) -> Iterator[Fraction]:
        """Every number of the model."""
        yield from _leaves([[vars(h) for h in layer] for layer in self.layers])
        if self.mlp:
            yield from _leaves(vars(self.mlp))

    def mapped(self, change: Any) -> Candidate:
        """The model with every number of its heads and MLP changed."""
        layers = tuple(
            tuple(Head(**{k: _map(v, change) for k, v in vars(h).items()}) for h in layer)
            for layer in self.layers
        )
        mlp = self.mlp and Mlp(**{k: _map(v, change) for k, v in vars(self.mlp).items()})
        return replace(self, layers=layers, mlp=mlp)


def names(contents: int) -> list[str]:
    """Token names: BOS, ordinary tokens, triggers."""
    return ["b", *(f"o{k}" for k in range(contents)), *(f"t{k}" for k in range(contents))]


def scale(contents: tuple[Vector, ...]) -> int:
    """The least number that makes all contents whole."""
    return math.lcm(*(x.denominator for c in contents for x in c), 1)


def vectors(contents: tuple[Vector, ...], whole: bool = False) -> list[list[Fraction]]:
    """The coordinates of each token by ``names``; with ``whole``, contents times ``scale``."""
    factor = scale(contents) if whole else 1
    zero, one = Fraction(0), Fraction(1)
    rows = [[one, zero, zero, *(zero for _ in contents[0])]]
    for flags in ((zero, zero, one), (zero, one, zero)):
        rows += [[*flags, *(factor * x for x in c)] for c in contents]
    return rows


def from_json(data: Any) -> Candidate:
    """A candidate from what ``as_json`` gave.  Raises ``UserError`` for anything else."""
    try:
        layers = tuple(tuple(_head(h) for h in layer) for layer in data["layers"])
        mlp = data["mlp"]
        found = Candidate(
            length=_whole(data["length"]),
            contents=_rows(data["contents"]),
            layers=layers,
            residual=_truth(data["residual"]),
            anchor=_truth(data["anchor"]),
            mlp=mlp and Mlp(_rows(mlp["first"]), _vector(mlp["bias"]), _rows(mlp["second"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise UserError(
            f"the model in the file is malformed ({type(error).__name__}: {error})"
        ) from None
    if not found.layers or not all(found.layers) or not found.contents:
        raise UserError("the model in the file has no head or no content")
    return found


def _head(data: Mapping[str, Any]) -> Head:
    return Head(
        prefix=_table(data["prefix"]),
        pairs=_table(data["pairs"]),
        bilinear=_rows(data["bilinear"]),
        tokens=_table(data["tokens"]),
        positions=_table(data["positions"]),
        matrix=_rows(data["matrix"]),
    )


def _table(data: Mapping[str, Any]) -> dict[str, Vector]:
    return {str(k): _vector(v) for k, v in data.items()}


def _rows(data: Any) -> tuple[Vector, ...]:
    if not isinstance(data, list):
        raise TypeError("a matrix is a list of lists")
    return tuple(_vector(v) for v in data)


def _vector(data: Any) -> Vector:
    if not isinstance(data, list) or not all(isinstance(x, str) and len(x) < 4000 for x in data):
        raise TypeError("numbers are written as lists of strings such as '1/3'")
    return tuple(Fraction(x) for x in data)


def _whole(x: Any) -> int:
    if type(x) is not int or not 3 <= x <= 64:
        raise ValueError(f"length {x!r}")
    return x


def _truth(x: Any) -> bool:
    if type(x) is not bool:
        raise TypeError(f"{x!r} is not true or false")
    return x


def _plain(x: Any) -> Any:
    match x:
        case Fraction():
            return str(x)
        case tuple() | list():
            return [_plain(v) for v in x]
        case Mapping():
            return {k: _plain(v) for k, v in x.items()}
        case Head() | Mlp() | Candidate():
            return {k: _plain(v) for k, v in vars(x).items()}
    return x


def _leaves(x: Any) -> Iterator[Fraction]:
    if isinstance(x, Fraction):
        yield x
    elif isinstance(x, Mapping):
        for v in x.values():
            yield from _leaves(v)
    elif isinstance(x, tuple | list):
        for v in x:
            yield from _leaves(v)


def _map(x: Any, change: Any) -> Any:
    if isinstance(x, Fraction):
        return change(x)
    if isinstance(x, Mapping):
        return {k: _map(v, change) for k, v in x.items()}
    return tuple(_map(v, change) for v in x)
