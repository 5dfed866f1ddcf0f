"""ReLU attention solves the task exactly and never looks at BOS.

Ran-Milo 2026, arXiv 2603.11487, Theorem 3.  The trigger scores 1 on every ordinary token and on
itself; every other pair scores 0:

    A[trigger, ordinary] = A[trigger, trigger] = 1,   A = 0 elsewhere,
    M = identity off BOS,                             M·BOS = 0.

ReLU attention divides by the i−1 visible non-BOS tokens, which is just what makes the trigger's
row the mean.  A row need not sum to one, so every other row can be empty: nothing has to go to BOS.

>>> from theorems.attention import picture
>>> task = TriggerTask(length=5, content_dim=1)
>>> tokens = task.tokens(exact([["1/2"], ["-1"], ["1"], ["1/3"]]), trigger=4)
>>> print(picture(relu_zero_error(task.width).rows(tokens)))
   .     .     .     .     .
   .     .     .     .     .
   .     .     .     .     .
   .  0.33  0.33  0.33     .
   .     .     .     .     .
"""

from __future__ import annotations

import random
from fractions import Fraction

from constructions.directions import identity_off_bos, matrix, random_rationals
from constructions.enumeration import as_fraction
from theorems.arrays import exact
from theorems.attention import MECHANISMS, AttentionLayer
from theorems.evidence import Outcome, Run, check, evidence
from theorems.relu_no_sink import STATEMENT
from theorems.trigger_task import BOS, ORDINARY, TRIGGER, TriggerTask


def relu_zero_error(width: int) -> AttentionLayer:
    """The layer for tokens with ``width`` d = n + 3 coordinates; entries are Fractions."""
    A = matrix(width, {(TRIGGER, ORDINARY): 1, (TRIGGER, TRIGGER): 1})
    return AttentionLayer(A, identity_off_bos(width), MECHANISMS["relu"])


@evidence("relu_no_sink", kind="exact", settles=True)
def zero_error_on_random_contents(run: Run) -> Outcome:
    """Error, BOS weight and silent rows are exactly 0: L ≤ 8, n ≤ 3, random rational contents.

    Every L from 3 to 8, every n from 0 to 3 and every trigger position, each on 3 draws of contents
    (10 in standard mode, 50 in full mode).  All contents and all lengths are the kernel's part.
    """
    draws, rng = run.scale(quick=3, standard=10, full=50), random.Random(run.seed)
    holds, worst, weight, inputs = True, Fraction(0), Fraction(0), 0
    for length in range(3, 9):
        for n in range(4):
            task, layer = TriggerTask(length, n), relu_zero_error(n + 3)
            for j in task.trigger_positions:
                tokens = task.tokens(random_rationals(rng, (draws, length - 1, n)), j)
                rows = layer.rows(tokens)
                error = as_fraction(task.error(rows @ (tokens @ layer.M.T), tokens))
                bos = abs(rows[..., 0]).max()
                silent = (rows[:, [i for i in range(length) if i != j - 1]] == 0).all()
                holds = (
                    holds and bool(silent) and STATEMENT.holds(L=length, n=n, eta=error, alpha=bos)
                )
                worst, weight, inputs = max(worst, error), max(weight, bos), inputs + draws
    return check(
        holds,
        f"error {worst}, BOS weight {weight} on {inputs} inputs: every L = 3..8, n = 0..3 and "
        f"trigger, {draws} draws of random contents each",
        error=str(worst),
        bos_weight=str(weight),
        inputs=inputs,
    )


@evidence("relu_no_sink", kind="exact")
def every_other_entry_matters(run: Run) -> Outcome:
    """Moved by 1/1000, exactly the entries of A and M that touch BOS leave the error at 0."""
    nudge, task = Fraction(1, 1000), TriggerTask(length=4, content_dim=1)
    contents = exact([["1"], ["-1/2"], ["1/3"]])
    inputs = [task.tokens(contents, j) for j in task.trigger_positions]
    as_expected, harmless = True, 0
    for part in ("A", "M"):
        for row in range(task.width):
            for column in range(task.width):
                layer = relu_zero_error(task.width)
                getattr(layer, part)[row, column] += nudge
                error = max(as_fraction(task.error(layer(x), x)) for x in inputs)
                # The BOS query sees BOS alone, and M·BOS = 0 makes weight on BOS harmless.
                touches_bos = column == BOS or (part == "A" and row == BOS)
                as_expected = as_expected and touches_bos == (error == 0)
                harmless += error == 0
    return check(
        as_expected, f"{harmless} of {2 * task.width**2} entries are free, all of them at BOS"
    )
