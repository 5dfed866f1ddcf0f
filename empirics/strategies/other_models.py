"""Models outside the one-layer theorem: ReLU layers, the task without BOS, all-bilinear softmax."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from constructions.relu_zero_error import relu_zero_error
from empirics.strategies.attention_models import SEEDS, arbitrary_models
from empirics.strategies.draws import (
    content_sets,
    directions,
    inputs,
    rationals,
    simplex_rows,
    tasks,
)
from empirics.strategies.model import (
    Model,
    Values,
    Vector,
    add,
    identity_off_bos,
    linear_values,
    strings,
    times,
)
from empirics.strategies.row_rules import (
    ByRole,
    Mixed,
    PairWeights,
    RowRule,
    Seeded,
    Self,
    Sink,
    Spread,
)
from empirics.strategies.solutions import HALF, ONE, ZERO, kappa, target
from theorems.arrays import Array
from theorems.attention import AttentionLayer
from theorems.trigger_task import TriggerTask


@dataclass(frozen=True, eq=False)
class ReluCase:
    """A ReLU layer and one input (L, d) of ``task``."""

    task: TriggerTask
    layer: AttentionLayer
    tokens: Array
    family: str

    def figures(self) -> dict[str, Any]:
        """A, M and the tokens as ``"p/q"`` strings."""
        parts = {"A": self.layer.A, "M": self.layer.M, "tokens": self.tokens}
        return {name: [strings(row) for row in x] for name, x in parts.items()}


@st.composite
def relu_cases(draw: st.DrawFn, *, solution_only: bool = True) -> ReluCase:
    """The zero-error ReLU layer on any input with rational contents, L ≥ 3 and n ≤ 3.

    Without ``solution_only`` its gauge (A scaled up, M down) and free entries of the BOS column
    of A, which change no output, are drawn as well.
    """
    task = draw(tasks(3, 7, 3))
    tokens = draw(inputs(task, rationals(1000, (1, 2, 7, 101))))
    layer = relu_zero_error(task.width)
    if solution_only:
        return ReluCase(task, layer, tokens, "solution")
    scale = draw(st.sampled_from((ONE, Fraction(3, 2), Fraction(1, 7))))
    A, M = layer.A * scale, layer.M / scale
    A[:, 0] = [draw(rationals()) for _ in range(task.width)]
    return ReluCase(task, AttentionLayer(A, M, layer.mechanism), tokens, "gauge")


@st.composite
def models_without_bos(draw: st.DrawFn, task: TriggerTask | None = None) -> Model:
    """Simplex attention for the task with its BOS token removed; ``rule`` sees no BOS.

    Most put the ordinary value near zero and the trigger's value midway between its targets after
    one and after L−2 ordinary tokens, and let every token attend to itself: the best there is.
    """
    task = draw(tasks()) if task is None else task
    contents = draw(content_sets(task))
    if draw(st.integers(0, 5)) == 5:
        return draw(arbitrary_models(task, contents))
    part = draw(st.sampled_from((ZERO, ZERO, Fraction(1, 100), Fraction(1, 10), ONE)))
    scale = part * kappa(task.length)
    middle = draw(st.sampled_from((HALF, HALF, Fraction(2, 5), ZERO)))

    def near(vector: Vector) -> Vector:
        return add(vector, times(scale, draw(directions(task.width))))

    def between(content: Vector) -> Vector:
        first, last = target(task, 3, content), target(task, task.length, content)
        return add(times(middle, first), times(1 - middle, last))

    zero = (ZERO,) * task.width
    ordinary = tuple(near(zero) for _ in contents)
    values = Values(zero, ordinary, tuple(near(between(c)) for c in contents))
    rule: RowRule = Self()
    if draw(st.booleans()):
        share = draw(st.sampled_from((Fraction(1, 1000), Fraction(1, 20), HALF)))
        rule = ByRole(Mixed(rule, Seeded(draw(SEEDS)), share), Seeded(draw(SEEDS)), Self())
    return Model("midway", task, contents, values, rule)


@dataclass(frozen=True)
class LawModel:
    """A model and a law on its content set: exact probabilities of the contents."""

    model: Model
    law: Vector

    @property
    def family(self) -> str:
        return self.model.family

    def figures(self) -> dict[str, Any]:
        """The model's figures and its law."""
        return {**self.model.figures(), "law": strings(self.law)}

    def probabilities(self, tokens: Array) -> list[Fraction]:
        """The probability of each input (N, L, d), given the trigger's position."""
        out = []
        for sequence in self.model.read(tokens):
            p = ONE
            for token in sequence[1:]:
                p *= self.law[token.content]
            out.append(p)
        return out


@st.composite
def bilinear_models(draw: st.DrawFn, task: TriggerTask | None = None) -> LawModel:
    """Position-free softmax by weights, at the trigger or everywhere, and a law on the contents.

    Most sink: ordinary queries weigh BOS by a large E and the trigger by a small one; one content
    may be an outlier that sinks less and comes rarely.  In one half, rows before the trigger keep a
    fixed mass and those after it keep none.
    """
    task = draw(tasks(max_length=5)) if task is None else task
    # A content named twice would have two probabilities.
    contents = tuple(dict.fromkeys(draw(content_sets(task))))
    size = len(contents)
    values = linear_values(task, contents, identity_off_bos(task))
    sinks = [draw(st.sampled_from((2, 4, 6, 20, 1000, 10_000))) for _ in range(size)]
    keys = (ONE,) * (2 * size)
    loose = Fraction(1, draw(st.sampled_from((10, 100_000))))
    rows = [(ONE, *keys)]
    rows += [(Fraction(e), *keys) for e in sinks]
    rows += [(loose, *keys)] * size
    scale = draw(st.sampled_from((ZERO, ZERO, Fraction(1, 100), Fraction(1, 10))))
    values = values.map(lambda _, x: add(x, times(scale, draw(directions(task.width)))))
    rare = draw(st.sampled_from((1, 1, 8, 64)))
    weights = [Fraction(rare)] * (size - 1) + [ONE]
    law = tuple(w / sum(weights) for w in weights)
    if draw(st.booleans()):
        law = draw(simplex_rows(size))
    family = "sinking" if min(sinks) >= 20 else "loose"
    rule: RowRule = PairWeights(size, tuple(rows))
    if draw(st.booleans()):
        mass = Fraction(1, 1 + sinks[0])
        rule = ByRole(rule, Spread(1 - mass, mass, ZERO), Sink())
    return LawModel(Model(family, task, contents, values, rule), law)
