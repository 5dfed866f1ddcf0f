"""Layers composed without residual are one layer: what Theorem 2 rests on, and its measure.

Ran-Milo 2026, arXiv 2603.11487, Theorem 2.  Without residual and without MLP the stack is one layer
with rows W = A_D ⋯ A_1 (simplex and causal again) and value matrix M_D ⋯ M_1.  BOS attends only to
itself, so position 2, which sees BOS and itself, has a mass off BOS in W that is the product of its
masses in the layers.  The rows of a layer may be any function of the input.

>>> from theorems.arrays import exact
>>> half = Layer(lambda tokens: exact([[1, 0], ["1/2", "1/2"]]), exact([[1]]))
>>> stack = Stack((half, half, half))
>>> print(stack.rows(exact([[0], [1]]))[1], stack(exact([[0], [1]]))[1])
[Fraction(7, 8) Fraction(1, 8)] [Fraction(1, 8)]
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from constructions.directions import random_rationals
from constructions.enumeration import RowsFn, as_fraction, every_case
from theorems.arrays import Array
from theorems.attention import attend, is_simplex, normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.trigger_task import TriggerTask


@dataclass(frozen=True)
class Layer:
    """Rows as a function of the input tokens (arbitrary, so it may be), and a value matrix."""

    rows: RowsFn
    M: Array


@dataclass(frozen=True)
class Stack:
    """Layers without residual: x^{ℓ+1} = A_ℓ x^ℓ M_ℓᵀ."""

    layers: tuple[Layer, ...]

    def __call__(self, tokens: Array) -> Array:
        """The outputs (..., L, d), layer by layer."""
        state = tokens
        for layer in self.layers:
            state = attend(layer.rows(tokens), state, layer.M)
        return state

    def rows(self, tokens: Array) -> Array:
        """W = A_D ⋯ A_1 (..., L, L)."""
        first, *rest = (layer.rows(tokens) for layer in self.layers)
        for rows in rest:
            first = rows @ first
        return first

    @property
    def M(self) -> Array:
        """M_D ⋯ M_1."""
        first, *rest = (layer.M for layer in self.layers)
        for M in rest:
            first = M @ first
        return first


@dataclass(frozen=True)
class Sunk:
    """A stack's exact error, and the largest over inputs of its smallest masses off BOS.

    ``at_two``: the smallest over layers at position 2.  ``anywhere``: the smallest over layers and
    positions 2..i, for the worst non-trigger position i before the trigger, which is i = 2.
    """

    error: Fraction
    at_two: Fraction
    anywhere: Fraction


def sunk(task: TriggerTask, stack: Stack, content_set: Array) -> Sunk:
    """Measure a stack by enumeration; raises ``ValueError`` if composing changed its outputs."""
    error, at_two, anywhere = Fraction(0), Fraction(0), Fraction(0)
    for case in every_case(task, stack.rows, stack.M, content_set):
        if (stack(case.tokens) != case.outputs).any():
            raise ValueError("the composed layer and the stack differ")
        error = max(error, as_fraction(case.error.max()))
        off = np.stack([1 - layer.rows(case.tokens)[..., 0] for layer in stack.layers])
        before = off[:, :, 1 : case.trigger - 1].min(axis=0)
        at_two = max(at_two, before[:, 0].max())
        anywhere = max(anywhere, np.minimum.accumulate(before, axis=1).max())
    return Sunk(error, at_two, anywhere)


def random_layer(rng: random.Random, length: int, width: int) -> Layer:
    """Random positive simplex rows, the same on all inputs, and a random value matrix."""
    rows = normalise(abs(random_rationals(rng, (length, length))) + 1)
    return Layer(lambda tokens: rows, random_rationals(rng, (width, width)))


@evidence("deep_sink", kind="exact")
def stack_is_one_layer(run: Run) -> Outcome:
    """Random stacks are one simplex layer, whose mass at position 2 is the layers' product."""
    rng, holds, count = random.Random(run.seed), True, run.scale(20, 100, 500)
    for _ in range(count):
        length, depth = rng.randint(4, 7), rng.randint(1, 4)
        task = TriggerTask(length, 1)
        tokens = task.tokens(random_rationals(rng, (length - 1, 1)), rng.randint(3, length))
        stack = Stack(tuple(random_layer(rng, length, task.width) for _ in range(depth)))
        W = stack.rows(tokens)
        product = np.prod([1 - layer.rows(tokens)[1, 0] for layer in stack.layers])
        holds = (
            holds and is_simplex(W) and bool((attend(W, tokens, stack.M) == stack(tokens)).all())
        )
        holds = holds and 1 - W[1, 0] == product
    return check(holds, f"{count} random stacks, D = 1..4, L = 4..7", stacks=count)
