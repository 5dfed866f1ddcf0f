"""One row of attention: what a single query gives to each of its m keys.

Statements about a sink speak of one query and its keys.  The row is the last one of the causal
mechanisms of ``theorems.attention``, so that softmax is defined there and nowhere else.

>>> from theorems.arrays import exact
>>> [str(a) for a in weighted_row(exact(["3", "1", "1"]))]
['3/5', '1/5', '1/5']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theorems.arrays import Array, unit
from theorems.attention import normalise, softmax


def weighted_row(weights: Array) -> Array:
    """The row (m,) proportional to weights (m,) > 0: softmax, given the exponentials."""
    return _last(normalise, weights)


def softmax_row(logits: Array) -> Array:
    """The softmax row (m,) of logits (m,) that are ``flint.arb`` balls or floats."""
    return _last(softmax, logits)


def _last(mechanism: Callable[[Array], Array], entries: Array) -> Any:
    count = len(entries)
    square = np.full((count, count), unit(entries), dtype=entries.dtype)
    square[-1] = entries
    return mechanism(square)[-1]
