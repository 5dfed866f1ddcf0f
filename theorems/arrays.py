"""Exact numbers and tensors through one door.

The task and the attention mechanisms are written once, for every kind of number.  Exact work
uses numpy object arrays whose entries are ``fractions.Fraction`` (or python-flint's ``fmpq`` and
``arb``); training uses torch tensors.  Both reach the same code through the array API, so this
module, like all of ``theorems``, never imports torch itself.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import array_api_compat
import numpy as np

Array = Any
"""A numpy array (floats, or objects that are exact numbers) or a torch tensor."""


def namespace(*arrays: Array) -> Any:
    """The array-API namespace (numpy's or torch's) that ``arrays`` belong to."""
    return array_api_compat.array_namespace(*arrays)


def is_exact(x: Array) -> bool:
    """Whether ``x`` holds objects (exact numbers or balls) rather than machine floats."""
    return getattr(x, "dtype", None) == np.dtype(object)


def exact(values: Iterable[Any] | Array) -> np.ndarray:
    """``values`` (nested integers, fractions, strings such as ``"1/3"``) as an array of Fractions.

    Floats are refused: their decimal reading is not what they hold.
    """
    array = np.asarray(values, dtype=object)
    return np.array([_fraction(v) for v in array.flat], dtype=object).reshape(array.shape)


def unit(x: Array) -> Any:
    """The number one, in the kind of number that ``x`` holds.

    Python integers are refused, because ``1 / 2`` on them silently becomes a float.
    """
    if not is_exact(x):
        return 1.0
    kind = type(x.flat[0]) if x.size else Fraction
    if issubclass(kind, int | float):
        raise TypeError(
            f"an exact array holds Fraction, fmpq or arb entries, not {kind.__name__}: "
            "build it with theorems.arrays.exact"
        )
    return kind(1)


def zeros(shape: tuple[int, ...], like: Array) -> Array:
    """An array of zeros of ``shape`` in the namespace and number kind of ``like``."""
    if is_exact(like):
        return np.full(shape, unit(like) * 0, dtype=object)
    return namespace(like).zeros(shape, dtype=like.dtype, device=like.device)


def sup_norm(x: Array) -> Any:
    """The largest absolute value of all entries, zero for an empty array.

    For balls this is a ball that contains the maximum: ``<`` between overlapping balls is false
    both ways, so Python's ``max`` could return one that misses it.
    """
    if is_exact(x):
        sizes = [abs(v) for v in x.flat]
        if sizes and hasattr(sizes[0], "max"):
            return functools.reduce(lambda a, b: a.max(b), sizes)
        return max(sizes, default=Fraction(0))
    xp = namespace(x)
    return xp.max(xp.abs(x))


def _fraction(value: Any) -> Fraction:
    if isinstance(value, float | np.floating):
        raise TypeError(f"{value!r} is a float: write it as a fraction, for instance '1/3'")
    return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
