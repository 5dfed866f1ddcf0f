"""Stacks of layers without residual and without MLP, in exact rationals.

The first layer has a value for every token, the layers above a matrix each.  Every layer has its
own rule for the rows, an arbitrary function of the prefix.  The interesting stacks hide mass: each
layer keeps a share ρ off BOS, so that ρ^D reaches the output.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from empirics.strategies.attention_models import SEEDS, solutions
from empirics.strategies.draws import tasks, vectors
from empirics.strategies.model import Model, strings
from empirics.strategies.row_rules import (
    ByRole,
    Mixed,
    Prefix,
    Row,
    RowRule,
    Seeded,
    Self,
)
from empirics.strategies.solutions import UpTo, trigger_error
from theorems.arrays import Array
from theorems.trigger_task import TriggerTask


@dataclass(frozen=True)
class Above:
    """A layer above the first: its rows and its matrix, given by rows of fractions."""

    rule: RowRule
    matrix: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Stack:
    """``first`` and the layers above it, D = 1 + len(above) of them."""

    first: Model
    above: tuple[Above, ...]

    @property
    def family(self) -> str:
        """How it was built, with its number of layers."""
        return f"{self.first.family}, D = {self.depth}"

    @property
    def depth(self) -> int:
        """The number D of layers."""
        return 1 + len(self.above)

    @property
    def task(self) -> TriggerTask:
        return self.first.task

    @property
    def layers(self) -> list[Model]:
        """The layers as models that differ in their rules alone, for their rows."""
        return [self.first, *(replace(self.first, rule=a.rule) for a in self.above)]

    def rows(self, tokens: Array) -> np.ndarray:
        """The rows of the composition, A_D ⋯ A_1."""
        product = self.first.rows(tokens)
        for layer in self.layers[1:]:
            product = layer.rows(tokens) @ product
        return product

    def value(self, tokens: Array) -> np.ndarray:
        """The values of the composition, M_D ⋯ M_2 V(x)."""
        out = self.first.value(tokens)
        for layer in self.above:
            out = out @ _matrix(layer.matrix, tokens).T
        return out

    def outputs(self, tokens: Array) -> np.ndarray:
        """The outputs, layer after layer: x ← A_ℓ x M_ℓᵀ."""
        x = self.first.rows(tokens) @ self.first.value(tokens)
        for model, layer in zip(self.layers[1:], self.above, strict=True):
            x = model.rows(tokens) @ (x @ _matrix(layer.matrix, tokens).T)
        return x

    def figures(self) -> dict[str, Any]:
        """Every figure of every layer, as ``"p/q"`` strings."""
        tables = [layer.figures()["rows by prefix"] for layer in self.layers]
        return {
            **self.first.figures(),
            "D": self.depth,
            "rows by prefix": tables,
            "matrices": [[strings(row) for row in a.matrix] for a in self.above],
        }


@dataclass(frozen=True)
class Root:
    """BOS and itself, with the D-th root of the mass that ``base`` puts off BOS, rounded down."""

    base: RowRule
    depth: int
    denominator: int = 256

    def __call__(self, prefix: Prefix) -> Row:
        mass = 1 - self.base(prefix)[0]
        low, high = 0, self.denominator
        while low < high:
            middle = (low + high + 1) // 2
            fits = Fraction(middle, self.denominator) ** self.depth <= mass
            low, high = (middle, high) if fits else (low, middle - 1)
        share = Fraction(low, self.denominator)
        row = [Fraction(0)] * len(prefix)
        row[0], row[-1] = 1 - share, row[-1] + share
        return tuple(row)


def _scaled_identity(width: int, factors: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
    zero = Fraction(0)
    return tuple(tuple(factors[k] if k == c else zero for c in range(width)) for k in range(width))


@st.composite
def stacks(
    draw: st.DrawFn,
    task: TriggerTask | None = None,
    max_layers: int = 3,
    *,
    family: str | None = None,
) -> Stack:
    """Stacks of 1 to ``max_layers`` layers: the first solves the task, the others pass it on.

    A layer above rescales the coordinates and the first layer's values undo it (a gauge).  At a
    non-trigger position every layer keeps the D-th root of the mass that the error allows, or, one
    time in three, something else: all of it in one layer, or rows nudged by an arbitrary function.
    """
    task = draw(tasks(max_length=5)) if task is None else task
    depth = draw(st.integers(1, max_layers))
    family = family or draw(st.sampled_from(("corner", "plain")))
    solution = draw(solutions(task, family))
    keep = UpTo(Self(), solution.values, trigger_error(solution))
    root = Root(keep, depth)
    rules: list[tuple[RowRule, RowRule]] = [(solution.trigger, root)]
    rules += [(Self(), root)] * (depth - 1)
    match draw(st.sampled_from(("roots", "roots", "roots", "one layer", "nudged"))):
        case "one layer":
            rules = [(solution.trigger, keep), *[(Self(), Self())] * (depth - 1)]
        case "nudged":
            share = draw(st.sampled_from((Fraction(1, 1000), Fraction(1, 50))))
            seed = draw(SEEDS)
            rules = [
                (Mixed(t, Seeded(seed + k), share), Mixed(r, Seeded(seed + k), share))
                for k, (t, r) in enumerate(rules)
            ]
    layers = [ByRole(t, r, r) for t, r in rules]
    scales = [draw(vectors(task.width, st.sampled_from(SCALES))) for _ in range(depth - 1)]
    undo = [Fraction(1)] * task.width
    for factors in scales:
        undo = [u / f for u, f in zip(undo, factors, strict=True)]
    values = solution.values.map(lambda _, x: tuple(u * y for u, y in zip(undo, x, strict=True)))
    first = Model(solution.family, task, solution.contents, values, layers[0])
    matrices = [_scaled_identity(task.width, factors) for factors in scales]
    above = [Above(r, M) for r, M in zip(layers[1:], matrices, strict=True)]
    return Stack(first, tuple(above))


SCALES = tuple(Fraction(x) for x in ("1", "1", "-1", "2", "1/3"))


def _matrix(rows: tuple[tuple[Fraction, ...], ...], like: Array) -> np.ndarray:
    number = type(like.flat[0])
    entries = [[number(x.numerator, x.denominator) for x in row] for row in rows]
    return np.array(entries, dtype=object)
