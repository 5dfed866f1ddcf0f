"""The trigger-conditional task as properties, each checked without the code that defines it.

A property takes a task, one input (exact tokens) and a function that gives targets, and says
whether it holds.  The faults below are wrong definitions; each must break some property.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from empirics.strategies import inputs, rationals, tasks
from empirics.strategies.model import strings
from theorems.arrays import Array
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

Targets = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Input:
    """One input of a task, with a seed for a permutation."""

    task: TriggerTask
    tokens: Array
    seed: int

    @property
    def trigger(self) -> int:
        """The 0-based index of the trigger, found by looking at every flag."""
        (where,) = [i for i, x in enumerate(self.tokens) if x[TRIGGER] == 1]
        return where

    def figures(self) -> dict[str, Any]:
        """The tokens as ``"p/q"`` strings."""
        return {"tokens": [strings(x) for x in self.tokens], "seed": self.seed}


@st.composite
def task_inputs(draw: st.DrawFn, max_length: int = 8) -> Input:
    """Inputs of tasks with L ≥ 3 and n ≤ 3, with dyadic contents so that floats hold them."""
    task = draw(tasks(3, max_length, 3))
    tokens = draw(inputs(task, rationals(4, (1, 2, 8))))
    return Input(task, tokens, draw(st.integers(0, 999)))


def well_formed(x: Input, targets: Targets) -> bool:
    """One BOS first, one trigger at 3..L, the rest ordinary; flags exclude each other."""
    flags = x.tokens[:, :CONTENT]
    one_each = all(sorted(row) == [0, 0, 1] for row in flags.tolist())
    kinds = [row.index(1) for row in flags.tolist()]
    body = kinds[1:]
    no_content = all(c == 0 for c in x.tokens[0, CONTENT:])
    triggers = body.count(TRIGGER), body.count(BOS)
    return one_each and kinds[0] == BOS and triggers == (1, 0) and x.trigger >= 2 and no_content


def zero_elsewhere(x: Input, targets: Targets) -> bool:
    """Every row but the trigger's is zero: BOS, before, and after."""
    y = targets(x.tokens)
    return all(v == 0 for i, row in enumerate(y) if i != x.trigger for v in row)


def mean_at_trigger(x: Input, targets: Targets) -> bool:
    """The trigger's row times j−1 is the sum of tokens 2..j, by hand."""
    y, j = targets(x.tokens), x.trigger
    for c in range(x.task.width):
        total = Fraction(0)
        for k in range(1, j + 1):
            total += x.tokens[k, c]
        if y[j, c] * j != total:
            return False
    return True


def order_before_does_not_matter(x: Input, targets: Targets) -> bool:
    """Permuting the ordinary tokens before the trigger leaves its target."""
    rng = np.random.default_rng(x.seed)
    order = np.concatenate([[0], 1 + rng.permutation(x.trigger - 1)])
    moved = x.tokens.copy()
    moved[: x.trigger] = x.tokens[order]
    return bool((targets(moved) == targets(x.tokens)).all())


def later_tokens_do_not_matter(x: Input, targets: Targets) -> bool:
    """Other contents after the trigger change no target."""
    moved = x.tokens.copy()
    moved[x.trigger + 1 :, CONTENT:] += Fraction(17, 3)
    return bool((targets(moved) == targets(x.tokens)).all())


def contents_shift(x: Input, targets: Targets) -> bool:
    """Adding a constant to all contents adds it to the target: the trigger's content counts too."""
    moved = x.tokens.copy()
    moved[1:, CONTENT:] += Fraction(5, 7)
    change = targets(moved)[x.trigger] - targets(x.tokens)[x.trigger]
    return all(v == Fraction(5, 7) for v in change[CONTENT:]) and not any(change[:CONTENT])


def floats_agree(x: Input, targets: Targets) -> bool:
    """Double-precision tokens give the exact target, to four units in the last place."""
    exact = targets(x.tokens)
    rounded = targets(x.tokens.astype(float))
    scale = max([Fraction(1), *(abs(v) for v in x.tokens.flat)])
    allowed = 4 * scale * Fraction(2) ** -52
    pairs = zip(exact.flat, rounded.flat, strict=True)
    return all(abs(a - Fraction(float(b))) <= allowed for a, b in pairs)


def loss_sees_every_row(x: Input, targets: Targets) -> bool:
    """``error`` is the largest difference, whichever row it stands in, the BOS row included."""
    y = x.task.targets(x.tokens)
    for i in range(x.task.length):
        out = y.copy()
        out[i, ORDINARY] += Fraction(1, 9)
        if x.task.error(out, x.tokens) != Fraction(1, 9):
            return False
    return True


PROPERTIES: dict[str, Callable[[Input, Targets], bool]] = {
    f.__name__: f
    for f in (
        well_formed,
        zero_elsewhere,
        mean_at_trigger,
        order_before_does_not_matter,
        later_tokens_do_not_matter,
        contents_shift,
        floats_agree,
        loss_sees_every_row,
    )
}
"""Every property by name."""


def _faulty(
    task: TriggerTask, tokens: Array, change: Callable[[int], tuple[int, int, int]]
) -> Array:
    """Targets whose trigger row sums tokens ``first..last`` and divides by ``divisor``."""
    y = task.targets(tokens).copy()
    j = next(i for i, x in enumerate(tokens) if x[TRIGGER] == 1)
    first, last, divisor = change(j)
    total = tokens[first : last + 1].sum(axis=0)
    y[j] = total / divisor
    return y


def excluding_trigger(task: TriggerTask, tokens: Array) -> Array:
    """The mean stops before the trigger."""
    return _faulty(task, tokens, lambda j: (1, j - 1, j - 1))


def including_bos(task: TriggerTask, tokens: Array) -> Array:
    """The mean starts at BOS."""
    return _faulty(task, tokens, lambda j: (0, j, j + 1))


def divided_by_position(task: TriggerTask, tokens: Array) -> Array:
    """The sum is divided by j for j − 1."""
    return _faulty(task, tokens, lambda j: (1, j, j + 1))


def peeking(task: TriggerTask, tokens: Array) -> Array:
    """The mean runs one token past the trigger."""
    return _faulty(task, tokens, lambda j: (1, j + 1, j))


def kept_after_trigger(task: TriggerTask, tokens: Array) -> Array:
    """The target stays on after the trigger."""
    y = task.targets(tokens).copy()
    j = next(i for i, x in enumerate(tokens) if x[TRIGGER] == 1)
    y[j + 1 :] = y[j]
    return y


FAULTS: dict[str, tuple[Callable[[TriggerTask, Array], Array], str]] = {
    "mean excludes the trigger": (excluding_trigger, "mean_at_trigger"),
    "mean includes BOS": (including_bos, "mean_at_trigger"),
    "divided by j": (divided_by_position, "mean_at_trigger"),
    "one token too far": (peeking, "later_tokens_do_not_matter"),
    "target kept after the trigger": (kept_after_trigger, "zero_elsewhere"),
}
"""Wrong definitions of the target, each with the property that must catch it."""
