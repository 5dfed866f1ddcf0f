"""Attention rows by role: one row for an ordinary query, one for the trigger, at each position.

A simplex row may be any function of the prefix.  The witnesses need no more than this: position i
attends in one way if it holds the trigger and in another if it does not, whatever the contents.

>>> from theorems.attention import picture
>>> from theorems.trigger_task import TriggerTask
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[], [], []]), trigger=3)
>>> rows = Roles(4, ordinary=lambda i: {1: "1/2", i: "1/2"}, trigger=lambda j: {2: 1})
>>> print(picture(rows(tokens)))
1.00     .     .     .
0.50  0.50     .     .
   .  1.00     .     .
0.50     .     .  0.50
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from theorems.arrays import Array, exact
from theorems.trigger_task import TRIGGER

Row = Callable[[int], Mapping[int, Any]]
"""From a 1-based position to the weights of its row, by 1-based key."""


class Roles:
    """A function from tokens (..., L, d) to rows (..., L, L); call it like a mechanism's rows.

    ``ordinary`` is asked for positions 2..L and ``trigger`` for 3..L; the BOS row is (1, 0, …).
    """

    def __init__(self, length: int, *, ordinary: Row, trigger: Row) -> None:
        self.ordinary = exact(np.zeros((length, length), dtype=int))
        self.trigger = self.ordinary.copy()
        self.ordinary[0, 0] = exact([1])[0]
        for table, row, first in ((self.ordinary, ordinary, 2), (self.trigger, trigger, 3)):
            for i in range(first, length + 1):
                for key, weight in row(i).items():
                    table[i - 1, key - 1] += exact([weight])[0]

    def __call__(self, tokens: Array) -> Array:
        here = tokens[..., TRIGGER : TRIGGER + 1]
        return self.trigger * here + self.ordinary * (1 - here)


def uniform(first: int, last: int, total: Any = 1) -> dict[int, Any]:
    """``total`` spread evenly over the positions ``first``..``last`` (1-based, inclusive)."""
    share = exact([total])[0] / (last - first + 1)
    return dict.fromkeys(range(first, last + 1), share)
