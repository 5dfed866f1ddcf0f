"""Solutions of the trigger-conditional task to start a search from.

Random models are far from solving the task, so a search over them never meets the hypothesis
η < κ_L and says nothing.  A :class:`Solution` has values and a trigger row that solve the task to
within a drawn error; :func:`saturate` then gives every other row as much mass off BOS as that error
allows, which is where the theorems are tight.  Four families:

``plain``    the identity on every non-BOS token, uniform trigger rows; any content set
``corner``   one content: rows and an error vector are drawn at both ends of the task, the values
             solved from them; the errors often sit in corners of the sup-norm ball
``weights``  the plain solution with position-free softmax weights at the trigger
``elimination``  one content and position-free weights: values solved from the first and last row
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st

from empirics.strategies.draws import directions, simplex_rows
from empirics.strategies.model import (
    Model,
    Values,
    Vector,
    add,
    identity_off_bos,
    linear_values,
    times,
)
from empirics.strategies.row_rules import (
    START,
    BetweenLengths,
    ByRole,
    Gauged,
    PairWeights,
    Prefix,
    Row,
    RowRule,
    Self,
    Shares,
    Spread,
    Token,
    UniformOffBos,
    on_bos,
)
from theorems.trigger_task import ORDINARY, TRIGGER, TriggerTask

ONE, HALF, ZERO = Fraction(1), Fraction(1, 2), Fraction(0)
ORDINARY_0 = Token(ORDINARY, 0)
SHARES_OF_KAPPA = tuple(
    Fraction(x) for x in ("1/1000", "1/50", "1/10", "1/4", "2/5", "9/20", "99/200", "2/3", "9/10")
)
"""Errors to aim at, as parts of κ_L: both ends, and just below κ_L/2, where T1 is last sharp."""


@dataclass(frozen=True)
class Solution:
    """Values and a trigger row that nearly solve ``task`` over ``contents``."""

    family: str
    task: TriggerTask
    contents: tuple[Vector, ...]
    values: Values
    trigger: RowRule


@dataclass(frozen=True)
class UpTo:
    """As much mass off BOS, in the proportions of ``shape``, as keeps the output within ``error``.

    The target of a non-trigger row is zero; an output within ``error`` of it costs nothing more.
    """

    shape: RowRule
    values: Values
    error: Fraction

    def __call__(self, prefix: Prefix) -> Row:
        row = self.shape(prefix)
        total = sum(row[1:], ZERO)
        if not total:
            return on_bos(len(prefix))
        pairs = zip(row[1:], prefix[1:], strict=True)
        off = add(*[times(a / total, self.values.of(t)) for a, t in pairs])
        mass = ONE
        for x, b in zip(off, self.values.bos, strict=True):
            if x != b:
                room = self.error - b if x > b else self.error + b
                mass = min(mass, room / abs(x - b))
        mass = max(mass, ZERO)
        return (1 - mass, *(mass * a / total for a in row[1:]))


def kappa(length: int) -> Fraction:
    """κ_L = (L − 3)/(4(L − 1)), the scale of errors to aim at."""
    return Fraction(length - 3, 4 * (length - 1))


def target(task: TriggerTask, j: int, content: Vector) -> Vector:
    """y_j when every token has the same content: flags (0, u, 1 − u) with u = 1/(j−1)."""
    u = Fraction(1, j - 1)
    return (ZERO, u, 1 - u, *content)


@st.composite
def aligned_errors(draw: st.DrawFn, width: int, error: Fraction) -> list[Vector]:
    """Error vectors for BOS and for the first and last trigger row, of sup norm ≤ ``error``.

    The last two are often plus or minus the first: errors that pull one way, or against each other.
    """
    first = draw(directions(width))
    signs = draw(st.sampled_from(((-1, 1), (1, -1), (1, 1), (-1, -1), ())))
    rest = [times(Fraction(x), first) for x in signs]
    rest = rest or [draw(directions(width)) for _ in range(2)]
    return [times(error, x) for x in (first, *rest)]


def flag_patterns(width: int, error: Fraction) -> Iterator[list[Vector]]:
    """All sign patterns of an error on the two flags at BOS, repeated with either sign after it."""
    for t, o, first, last in itertools.product((-1, 1), repeat=4):
        bos = [ZERO] * width
        bos[TRIGGER], bos[ORDINARY] = t * error, o * error
        yield [tuple(bos), times(Fraction(first), tuple(bos)), times(Fraction(last), tuple(bos))]


@st.composite
def plain_solutions(
    draw: st.DrawFn, task: TriggerTask, contents: tuple[Vector, ...], error: Fraction
) -> Solution:
    """Identity off BOS with every value moved by up to ``error``, trigger rows uniform.

    Then perhaps gauged: trigger values up by μ, ordinary values down as far as the rows allow.
    """
    base = linear_values(task, contents, identity_off_bos(task))
    moved = base.map(lambda t, x: add(x, times(error, draw(directions(task.width)))))
    solution = Solution("plain", task, contents, moved, UniformOffBos())
    up = draw(st.sampled_from((1, 1, 2, 8, 64)))
    down = Fraction(task.length - 2) / (task.length - 1 - Fraction(1, up))
    factors = {TRIGGER: Fraction(up), ORDINARY: down}
    return gauge(solution, lambda t: factors[t.flag])


@st.composite
def corner_solutions(
    draw: st.DrawFn, task: TriggerTask, contents: tuple[Vector, ...], error: Fraction
) -> Solution:
    """One content: the rows at j = 3 and j = L are drawn, p and q solved to be ``error`` off there.

    Between the two the rows are mixed as the targets are, so the error stays within ``error``.  The
    three error vectors are drawn, or else chosen among sign patterns of the flags so that a row
    before the trigger may keep the most mass: a climb over signs is a poor use of examples.
    """
    small = Fraction(1, draw(st.sampled_from((2, 8, 32, 256))))
    u = Fraction(1, task.length - 1)
    plain, last_plain = (ZERO, HALF, HALF), (ZERO, 1 - u, u)
    off, away = (ONE - small, ZERO, small), (ZERO, ONE - small, small)
    ends_known = [(plain, last_plain), (off, last_plain), (plain, away), *[(off, away)] * 3]
    known = st.sampled_from(ends_known)
    drawn = st.tuples(*[simplex_rows(3)] * 2)
    first, last = draw(drawn if draw(st.integers(0, 3)) == 3 else known)
    if first[1] * last[2] == first[2] * last[1]:
        first, last = plain, last_plain
    size = len(contents)

    def values(errors: list[Vector]) -> Values:
        bos, *moves = errors
        ends = []
        for row, j, off_by in ((first, 3, moves[0]), (last, task.length, moves[1])):
            goal = add(target(task, j, contents[0]), off_by)
            ends.append(add(goal, times(-row[0], bos)))
        p, q = _solve((first[1], first[2]), (last[1], last[2]), *ends)
        return Values(bos, (p,) * size, (q,) * size)

    if draw(st.integers(0, 2)):
        choices = [values(errors) for errors in flag_patterns(task.width, error)]
        found = max(choices, key=lambda v: 1 - UpTo(Self(), v, error)((START, ORDINARY_0))[0])
    else:
        found = values(draw(aligned_errors(task.width, error)))
    rule = BetweenLengths(task.length, Spread(*first), Spread(*last))
    return Solution("corner", task, contents, found, rule)


@st.composite
def weighted_solutions(
    draw: st.DrawFn, task: TriggerTask, contents: tuple[Vector, ...], error: Fraction
) -> Solution:
    """The plain solution by softmax: position-free weights near (BOS 0, others equal)."""
    values = linear_values(task, contents, identity_off_bos(task)).map(
        lambda t, x: add(x, times(error, draw(directions(task.width))))
    )
    size = len(contents)
    wobble = st.sampled_from((ZERO, error, -error))
    table = [
        [draw(st.sampled_from((error / 8, error / 64)))]
        + [1 + draw(wobble) / 4 for _ in range(2 * size)]
        for _ in range(1 + 2 * size)
    ]
    rule = PairWeights(size, tuple(map(tuple, table)))
    return Solution("weights", task, contents, values, rule)


@st.composite
def eliminated_solutions(
    draw: st.DrawFn, task: TriggerTask, contents: tuple[Vector, ...], error: Fraction
) -> Solution:
    """One content, trigger weights e on BOS, 1 on ordinary keys, b on itself; p and q solved.

    After k copies the row gives (e·v + k·p + b·q)/(e + k + b); the equations at k = 1 and k = L−2
    are met up to a drawn error.  For L ≥ 5 the rows between them add what they add.
    """
    e = Fraction(1, draw(st.sampled_from((10, 100, 10_000))))
    weights = [ONE, 1 / (1 - error), Fraction(1, 1000), Fraction(1, 10), Fraction(3)]
    b = draw(st.sampled_from([*weights, 1 / (1 - 6 * error)] if 6 * error < 1 else weights))
    bos, *errors = draw(aligned_errors(task.width, error))
    count = task.length - 2
    ends = []
    for k, off_by in zip((1, count), errors, strict=True):
        goal = add(target(task, k + 2, contents[0]), off_by)
        ends.append(add(times(k + b + e, goal), times(-e, bos)))
    p, q = _solve((ONE, b), (Fraction(count), b), *ends)
    size = len(contents)
    values = Values(bos, (p,) * size, (q,) * size)
    row = (e, *(ONE,) * size, *(b,) * size)
    return Solution("elimination", task, contents, values, PairWeights(size, (row,) * len(row)))


def gauge(solution: Solution, factor: object) -> Solution:
    """The same outputs from other values and rows: V′ = v + λ(V − v), weights divided by λ.

    ``factor`` gives λ > 0 for every non-BOS token.  A λ below one needs mass on BOS in every row.
    """
    factors = tuple((t, factor(t)) for t in _tokens(solution))  # type: ignore[operator]
    values, known = solution.values, dict(factors)
    moved = values.map(
        lambda t, x: x if t == START else add(times(1 - known[t], values.bos), times(known[t], x))
    )
    return replace(solution, values=moved, trigger=Gauged(solution.trigger, factors))


def trigger_error(solution: Solution) -> Fraction:
    """The error of a solution at BOS and at the trigger, over all inputs: where it is decided."""
    model = Model(
        solution.family,
        solution.task,
        solution.contents,
        solution.values,
        ByRole(solution.trigger, UniformOffBos(), UniformOffBos()),
    )
    worst = max(abs(x) for x in solution.values.bos)
    for j, tokens in solution.task.every_input(model.content_set):
        goals = solution.task.targets(tokens)[:, j - 1]
        prefixes = [sequence[:j] for sequence in model.read(tokens)]
        for prefix, goal in dict(zip(prefixes, goals, strict=True)).items():
            row = solution.trigger(prefix)
            out = add(*[times(a, solution.values.of(t)) for a, t in zip(row, prefix, strict=True)])
            worst = max(worst, *(abs(x - y) for x, y in zip(out, goal, strict=True)))
    return worst


def saturate(solution: Solution, before: RowRule, after: RowRule, share: Fraction = ONE) -> Model:
    """A model with as much mass off BOS at non-trigger rows as the solution's own error allows.

    ``before`` and ``after`` give the proportions among the other tokens; ``share`` leaves some of
    the mass unused.
    """
    error = trigger_error(solution)
    rules = [Shares(UpTo(shape, solution.values, error), share) for shape in (before, after)]
    return Model(
        solution.family,
        solution.task,
        solution.contents,
        solution.values,
        ByRole(solution.trigger, *rules),
    )


def _tokens(solution: Solution) -> list[Token]:
    size = range(len(solution.contents))
    return [Token(f, c) for f in (ORDINARY, TRIGGER) for c in size]


def _solve(a: Vector, b: Vector, x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """p, q with a₀p + a₁q = x and b₀p + b₁q = y."""
    det = a[0] * b[1] - a[1] * b[0]
    p = times(1 / det, add(times(b[1], x), times(-a[1], y)))
    q = times(1 / det, add(times(a[0], y), times(-b[0], x)))
    return p, q
