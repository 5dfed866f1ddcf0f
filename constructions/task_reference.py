"""The task a second time, by hand: one token after the other, as its definition reads.

``theorems.trigger_task`` computes whole batches by cumulative sums.  Here the same task (Ran-Milo
2026, arXiv 2603.11487, section 3) is written in plain loops over Fractions that share nothing with
it, and the two are compared on every input of every small size.

>>> for token, target in zip(*by_hand([["1"], ["1/2"], ["3"]], trigger=3), strict=True):
...     print(*token, "|", *target)
1 0 0 0 | 0 0 0 0
0 0 1 1 | 0 0 0 0
0 1 0 1/2 | 0 1/2 1/2 3/4
0 0 1 3 | 0 0 0 0
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from constructions.directions import random_rationals
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.trigger_task import TriggerTask

Table = list[list[Fraction]]


def by_hand(contents: Sequence[Sequence[Any]], trigger: int) -> tuple[Table, Table]:
    """Tokens and targets, a list of rows each, for the contents of positions 2..L."""
    n = len(contents[0])
    tokens = [[Fraction(1), Fraction(0), Fraction(0)] + [Fraction(0)] * n]
    for position, content in enumerate(contents, start=2):
        here = position == trigger
        flags = [Fraction(0), Fraction(int(here)), Fraction(int(not here))]
        tokens.append(flags + [Fraction(c) for c in content])
    targets = []
    for position in range(1, len(tokens) + 1):
        target = [Fraction(0)] * (n + 3)
        if position == trigger:
            seen = tokens[1:position]
            target = [sum(column, Fraction(0)) / len(seen) for column in zip(*seen, strict=True)]
        targets.append(target)
    return tokens, targets


def agrees(task: TriggerTask, contents: Any, trigger: int) -> bool:
    """Whether both definitions give the same tokens, targets and non-trigger positions."""
    tokens = task.tokens(contents, trigger)
    expected_tokens, expected_targets = by_hand(contents.tolist(), trigger)
    positions = [2 <= i != trigger for i in range(1, task.length + 1)]
    return (
        tokens.tolist() == expected_tokens
        and task.targets(tokens).tolist() == expected_targets
        and task.non_trigger(tokens).tolist() == positions
    )


@evidence("trigger_task", kind="exact")
def definition_agrees_with_loops(run: Run) -> Outcome:
    """Vectorised and by-hand definitions agree on all inputs of small sizes and on random ones."""
    rng, holds, count = random.Random(run.seed), True, 0
    values = [Fraction(-1), Fraction(2, 3)]
    for length, n in product(range(3, run.scale(6, 7, 8) + 1), range(4)):
        task = TriggerTask(length, n)
        grid = [[a, *[-a] * (n - 1)][:n] for a in values] if n else [[]]
        for j in task.trigger_positions:
            for chosen in product(grid, repeat=length - 1):
                holds, count = holds and agrees(task, exact(list(chosen)), j), count + 1
            for _ in range(3):
                contents = random_rationals(rng, (length - 1, n))
                holds, count = holds and agrees(task, contents, j), count + 1
    return check(holds, f"{count} inputs, n = 0..3", inputs=count)


@evidence("trigger_task", kind="exact")
def batches_agree_with_single_inputs(run: Run) -> Outcome:
    """Enumeration yields each valid input once; mixed triggers in a batch change nothing."""
    holds, count = True, 0
    content_set = exact([["0"], ["1"], ["-1/2"]])
    for length in range(3, run.scale(5, 6, 7) + 1):
        task, seen = TriggerTask(length, 1), set()
        for j, tokens in task.every_input(content_set):
            for one in tokens:
                seen.add(tuple(one.flat))
                expected, _ = by_hand(one[1:, 3:].tolist(), j)
                holds, count = holds and one.tolist() == expected, count + 1
        holds = holds and len(seen) == len(task.trigger_positions) * 3 ** (length - 1)
        triggers = exact(list(task.trigger_positions)).astype(int)
        contents = random_rationals(random.Random(run.seed), (len(triggers), length - 1, 1))
        mixed = task.tokens(contents, triggers)
        holds = holds and all(
            mixed[k].tolist() == task.tokens(contents[k], int(j)).tolist()
            for k, j in enumerate(triggers)
        )
    return check(holds, f"{count} inputs enumerated, each once", inputs=count)
