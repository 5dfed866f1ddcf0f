"""Softmax given by its logits, judged in Arb balls.

Rational logits have irrational softmax weights, so no rational arithmetic is exact about them.  The
rows are computed in balls that surely contain them (``flint.arb``); a judge must treat overlapping
balls as undecided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from constructions.balls import balls
from empirics.strategies.attention_models import attention_models, solutions
from empirics.strategies.draws import rationals, tasks, vectors
from empirics.strategies.model import Model, strings
from empirics.strategies.row_rules import PairWeights, Prefix, Sink
from empirics.strategies.solutions import trigger_error
from theorems.arrays import Array
from theorems.attention import causal_mask, softmax
from theorems.trigger_task import TriggerTask

FLOOR = Fraction(-40)
"""The logit of a key that should have no weight: e⁻⁴⁰ is about 4·10⁻¹⁸."""


@dataclass(frozen=True)
class LogitModel:
    """Values from ``model`` (its rule is not used), logits by token pair, a slope per distance.

    ``logits`` is a table as in ``PairWeights``; ``slope`` times the distance i − k is subtracted,
    as ALiBi does.
    """

    model: Model
    logits: tuple[tuple[Fraction, ...], ...]
    slope: Fraction

    @property
    def family(self) -> str:
        return self.model.family

    @property
    def position_free(self) -> bool:
        """Whether logits depend on the two tokens alone."""
        return self.slope == 0

    def rows(self, tokens: Array) -> np.ndarray:
        """Softmax rows (N, L, L) in balls on exact tokens (N, L, d)."""
        index = PairWeights(len(self.model.contents), self.logits).index
        length = tokens.shape[-2]
        distance = np.subtract.outer(range(length), range(length))
        past = np.where(causal_mask(distance), distance, 0).astype(object)
        tables = [
            [[self.logits[index(q)][index(k)] for k in sequence] for q in sequence]
            for sequence in self.model.read(tokens)
        ]
        return softmax(balls(np.array(tables, dtype=object) - self.slope * past))

    def outputs(self, tokens: Array) -> np.ndarray:
        """Outputs (N, L, d) in balls."""
        return self.rows(tokens) @ balls(self.model.value(tokens))

    def figures(self) -> dict[str, Any]:
        """Everything but the rows, which are softmax of the logits."""
        known = self.model.figures()
        del known["rows by prefix"]
        return {**known, "logits": [strings(r) for r in self.logits], "slope": str(self.slope)}


@dataclass(frozen=True)
class PrefixLogits:
    """``model`` with its rows as softmax of logits, an arbitrary rational function of the prefix.

    Logits are the logarithms of the rule's weights, rounded to multiples of 2^−30, and ``FLOOR``
    where a weight is zero.  So the sharp layers of Theorem 1, which no position-free softmax comes
    near, are limits of such models.
    """

    model: Model

    @property
    def family(self) -> str:
        return f"logits by prefix, {self.model.family}"

    @property
    def position_free(self) -> bool:
        return False

    def logits(self, prefix: Prefix) -> tuple[Fraction, ...]:
        """The logits of the query that sees ``prefix``, one for each visible key."""
        return tuple(
            max(
                FLOOR,
                Fraction(round(2**30 * (math.log(w.numerator) - math.log(w.denominator)))) / 2**30,
            )
            if w > 0
            else FLOOR
            for w in self.model.rule(prefix)
        )

    def rows(self, tokens: Array) -> np.ndarray:
        """Softmax rows (N, L, L) in balls on exact tokens (N, L, d)."""
        length, known = tokens.shape[-2], {}
        table = np.full((*tokens.shape[:-2], length, length), Fraction(0), dtype=object)
        for s, sequence in enumerate(self.model.read(tokens)):
            for i in range(length):
                prefix = sequence[: i + 1]
                if prefix not in known:
                    known[prefix] = self.logits(prefix)
                table[s, i, : i + 1] = known[prefix]
        return softmax(balls(table))

    def figures(self) -> dict[str, Any]:
        """Those of the model, whose rows are the softmax up to rounding."""
        return {**self.model.figures(), "family": self.family}


@st.composite
def sharp_logit_models(draw: st.DrawFn, task: TriggerTask | None = None) -> PrefixLogits:
    """Logits for the models of the corner family, near which Theorem 1 is sharp."""
    return PrefixLogits(draw(attention_models(task, family="corner", max_inputs=24)))


@st.composite
def logit_models(draw: st.DrawFn, task: TriggerTask | None = None) -> LogitModel:
    """Softmax sinks: ordinary queries score high on BOS, the trigger low, all others near zero.

    The BOS logit of ordinary queries leaves about the mass off BOS that the error pays for.
    """
    task = draw(tasks(max_length=5, max_content_dim=1)) if task is None else task
    solution = draw(solutions(task, "plain", max_inputs=24))
    size = len(solution.contents)
    # BOS logits of ordinary queries that leave a mass off BOS of a drawn multiple of the error.
    error = min(Fraction(2, 5), trigger_error(solution))
    part = draw(st.sampled_from([Fraction(x) for x in ("2", "1", "9/5", "1/2", "1/8")]))
    mass = float(error * part) + 1e-4
    keep = Fraction(round(64 * math.log((task.length - 2) * (1 - mass) / mass)), 64)
    nudge = draw(st.sampled_from((Fraction(0), Fraction(1, 100), Fraction(1))))
    entries = rationals(1).map(lambda x: nudge * x)
    table = [list(draw(vectors(1 + 2 * size, entries))) for _ in range(1 + 2 * size)]
    for query in range(1, 1 + 2 * size):
        table[query][0] += keep if query <= size else -draw(st.sampled_from((10, 14, 6)))
    slope = draw(st.sampled_from((Fraction(0), Fraction(0), Fraction(1, 100), Fraction(1, 2))))
    family = f"logits, {solution.family}"
    model = Model(family, task, solution.contents, solution.values, Sink())
    return LogitModel(model, tuple(map(tuple, table)), slope)
