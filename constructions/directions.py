"""Matrices written in named directions, so that a construction reads as what it does to tokens.

>>> from theorems.trigger_task import ORDINARY, TRIGGER
>>> print(matrix(3, {(TRIGGER, ORDINARY): 1}).astype(int))
[[0 0 0]
 [0 0 1]
 [0 0 0]]
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from theorems.arrays import Array, exact
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

Flags = tuple[Any, Any]
"""What a value writes on the flags: its (ordinary, trigger) coordinates."""


def matrix(width: int, entries: Mapping[tuple[int, int], Any]) -> Array:
    """The (d, d) matrix of Fractions with the given (row, column) entries, 0 elsewhere.

    As a bilinear form A, entry (q, k) is the score of a query with flag q on a key with flag k; as
    a value matrix M, entry (out, in) is what direction ``in`` writes to direction ``out``.
    """
    result = exact(np.zeros((width, width), dtype=int))
    for where, value in entries.items():
        result[where] = exact([value])[0]
    return result


def identity_off_bos(width: int) -> Array:
    """M = identity on every direction but BOS, and M·BOS = 0: the value of a token is itself."""
    return matrix(width, {(k, k): 1 for k in range(width) if k != BOS})


def one_content_values(
    content: Sequence[Any], *, bos: Flags, ordinary: Flags, trigger: Flags
) -> Array:
    """The value matrix that writes the given flags for BOS, ordinary and trigger tokens.

    It is for tasks with the single content c.  A target at the trigger has flags that sum to one
    and content c, so content is written as c · (ordinary flag + trigger flag): then its error is
    |c| times the error of the sum of the flags, at most that of the flags themselves when
    ‖c‖ ≤ 1/2 or when the errors of the two flags cancel.
    """
    written = {BOS: bos, ORDINARY: ordinary, TRIGGER: trigger}
    entries: dict[tuple[int, int], Any] = {}
    for token, flags in written.items():
        o, t = exact(list(flags))
        entries[ORDINARY, token], entries[TRIGGER, token] = o, t
        for k, c in enumerate(exact(list(content))):
            entries[CONTENT + k, token] = c * (o + t)
    return matrix(CONTENT + len(content), entries)


def random_rationals(rng: random.Random, shape: tuple[int, ...], bound: int = 9) -> Array:
    """Fractions p/q with |p| ≤ ``bound`` and 1 ≤ q ≤ ``bound``, drawn by ``rng``."""
    count = int(np.prod(shape, dtype=int))
    draws = [Fraction(rng.randint(-bound, bound), rng.randint(1, bound)) for _ in range(count)]
    return np.array(draws, dtype=object).reshape(shape)
