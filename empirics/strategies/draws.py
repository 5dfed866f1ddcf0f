"""Strategies for numbers, tasks, content sets and inputs.

Everything is a small rational, so that an exact judge can follow, and the awkward cases are drawn
on purpose rather than by luck: zeros, ties, repeated contents, the shortest task, no content at
all (n = 0), the trigger last.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from empirics.strategies.model import Vector
from theorems.arrays import exact
from theorems.trigger_task import TriggerTask

HALVES = tuple(Fraction(k, 2) for k in range(-2, 3))
"""−1, −½, 0, ½, 1."""

BUDGET = 64
"""The largest number of inputs over a content set that ``content_sets`` allows by default."""


def rationals(top: int = 3, denominators: tuple[int, ...] = (1, 2, 3, 5)) -> st.SearchStrategy:
    """Fractions of absolute value at most ``top`` with one of a few denominators."""
    return st.sampled_from(denominators).flatmap(
        lambda q: st.integers(-top * q, top * q).map(lambda p: Fraction(p, q))
    )


def vectors(size: int, entries: st.SearchStrategy | None = None) -> st.SearchStrategy[Vector]:
    """Tuples of ``size`` fractions."""
    return st.tuples(*[rationals() if entries is None else entries] * size)


def directions(size: int) -> st.SearchStrategy[Vector]:
    """Vectors of sup norm at most one; most of them are corners, where sup-norm bounds are met."""
    corners = vectors(size, st.sampled_from((Fraction(-1), Fraction(1))))
    return st.integers(0, 3).flatmap(
        lambda k: vectors(size, st.sampled_from(HALVES)) if k == 3 else corners
    )


def simplex_rows(size: int, top: int = 4) -> st.SearchStrategy[Vector]:
    """Exact points of the simplex with ``size`` ≥ 1 entries; zeros, ties and vertices included."""
    weights = st.lists(st.integers(0, top), min_size=size, max_size=size).filter(any)
    return weights.map(lambda w: tuple(Fraction(x, sum(w)) for x in w))


def tasks(
    min_length: int = 4, max_length: int = 6, max_content_dim: int = 2
) -> st.SearchStrategy[TriggerTask]:
    """Trigger-conditional tasks of small size; L = ``min_length`` and n = 0 are frequent."""
    lengths = st.one_of(st.just(min_length), st.integers(min_length, max_length))
    widths = st.one_of(st.just(0), st.integers(0, max_content_dim))
    return st.builds(TriggerTask, lengths, widths)


@st.composite
def content_sets(
    draw: st.DrawFn, task: TriggerTask, max_inputs: int = BUDGET, max_size: int = 3
) -> tuple[Vector, ...]:
    """Non-empty content sets of ``task``, small enough that an enumeration stays cheap.

    A set may name the same content twice; n = 0 leaves only the empty content, and a small
    ``max_inputs`` one content.
    """
    fits = [
        size
        for size in range(1, max_size + 1)
        if (task.length - 2) * size ** (task.length - 1) <= max_inputs
    ]
    largest = max(fits, default=1) if task.content_dim else 1
    size = draw(st.integers(1, largest))
    return tuple(draw(vectors(task.content_dim, st.sampled_from(HALVES))) for _ in range(size))


@st.composite
def inputs(draw: st.DrawFn, task: TriggerTask, entries: st.SearchStrategy | None = None) -> object:
    """One valid input of ``task``: exact tokens (L, d) with free contents and trigger.

    >>> from hypothesis import find
    >>> tokens = find(inputs(TriggerTask(4, 1)), lambda x: True)
    >>> print(tokens[:, 1].tolist())
    [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)]
    """
    n = task.content_dim
    contents = [draw(vectors(n, entries)) for _ in range(task.length - 1)]
    table = exact(np.array(contents, dtype=object).reshape(task.length - 1, n))
    return task.tokens(table, draw(st.sampled_from(list(task.trigger_positions))))
