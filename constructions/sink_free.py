"""What is asked of every sink-free solution, written once: its error and its BOS weight.

A ``Construction`` is a network for each task and sharpness E = e^K, with closed forms for its
error and for the largest BOS weight at a non-trigger position.  ``exactly`` compares both with
every input over finite content sets at small lengths and, at L = 16, with all contents in [-1,1]ⁿ
at once; ``in_balls`` runs the real mechanism in ball arithmetic, at L = 16 and n = 13 too, and
judges the upper ends.  Both also ask the statement that the construction is for.

>>> from constructions import two_heads
>>> closed = two_heads.SOLUTION.closed(4, Fraction(10))
>>> print(closed.error, closed.error_without_contents, closed.bos)
106/403 212/1209 1/2
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx

from constructions.balls import ends
from constructions.directions import random_rationals
from constructions.enumeration import as_fraction
from constructions.networks import Found, Network, box, inspect, look
from constructions.sharpness import Sharpness, lift
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check
from theorems.statement import Statement
from theorems.trigger_task import TriggerTask


@dataclass(frozen=True)
class Closed:
    """η over contents in [-1,1]ⁿ, η without contents (n = 0), and the largest BOS weight."""

    error: Any
    error_without_contents: Any
    bos: Any


@dataclass(frozen=True)
class Construction:
    """A sink-free solution: ``closed(L, E)`` are its closed forms, in the number kind of E.

    ``symbols`` are further values that the statement asks for.  With ``error_is_bound`` the
    errors in the closed form are only upper bounds.
    """

    name: str
    build: Callable[[TriggerTask, Sharpness], Network]
    closed: Callable[[int, Any], Closed]
    statement: Statement
    symbols: Mapping[str, Any] = field(default_factory=dict)
    error_is_bound: bool = False

    def at(self, length: int, E: Fraction) -> Callable[[TriggerTask], Network]:
        return lambda task: self.build(task, Sharpness(E))

    def agrees(self, error: Any, closed: Any, attained: bool = True) -> bool:
        """Whether an exact error is what the closed form says; below it where not attained."""
        exact_form = attained and not self.error_is_bound
        return bool(error == closed if exact_form else error <= closed)

    def obeys(self, length: int, E: Any, error: Any, bos: Any) -> bool:
        """Whether the statement applies and holds at these figures, exactly."""
        at = {"L": length, "E": E, "eta": error, "alpha": bos, **self.symbols}
        return self.statement.applies(**at) and self.statement.holds(**at)


VERTICES = {
    "no contents": exact(np.zeros((1, 0), dtype=int)),
    "±1": exact([[-1], [1]]),
    "±1 ±1": exact(list(product((-1, 1), repeat=2))),
}
"""Content sets on which the error over the box [-1,1]ⁿ is attained; the first is n = 0."""
INSIDE = exact([["0"], ["1/2"], ["-1/3"]])
SHARPNESSES = (Fraction(1), Fraction(3, 2), Fraction(10), Fraction(10**6))
FULL_LENGTH, FULL_CONTENTS = 16, 13
BITS = 96
"""Working precision of the balls."""
SLACK = Fraction(1, 10**12)
"""r: the largest radius, as a share of the bound, of a ball around a bound that is attained."""


def exactly(construction: Construction, run: Run) -> Outcome:
    """Whether enumeration, and the box at L = 16, give the closed forms; in rational arithmetic."""
    longest, inputs = run.scale(4, 5, 6), 0
    faults: list[str] = []
    for length, E in product(range(3, longest + 1), SHARPNESSES):
        closed = construction.closed(length, E)
        if length > 5 and E not in SHARPNESSES[2:]:
            continue
        for name, content_set in (*VERTICES.items(), ("inside", INSIDE)):
            n = content_set.shape[1]
            if content_set.shape[0] ** (length - 1) > 300:
                continue
            task = TriggerTask(length, n)
            found = inspect(task, construction.build(task, Sharpness(E)), content_set)
            inputs += found.inputs
            error = closed.error if n else closed.error_without_contents
            as_stated = construction.agrees(found.error, error, attained=name != "inside")
            if not (as_stated and found.bos == closed.bos):
                faults.append(f"L = {length}, E = {E}, {name}: {found} against {closed}")
            if not construction.obeys(length, E, found.error, found.bos):
                faults.append(f"L = {length}, E = {E}: {construction.statement.name} fails")
    for E in SHARPNESSES[run.scale(2, 0) :]:
        length, closed = FULL_LENGTH, construction.closed(FULL_LENGTH, E)
        error = box(length, construction.at(length, E))
        fits = construction.agrees(error, closed.error)
        if not fits or not construction.obeys(length, E, error, closed.bos):
            faults.append(f"L = {length}, E = {E}: {error} over the box, not {closed.error}")
    form = "η within its bound" if construction.error_is_bound else "η exactly as stated"
    figure = "; ".join(faults[:3]) or (
        f"{form} on {inputs} inputs, L = 3..{longest}, and for all contents in [-1,1]ⁿ at L = 16; "
        f"there at e^K = 10⁶ η = {float(error):.2g}, BOS ≤ {float(closed.bos):.2g}"
    )
    return check(not faults, figure, inputs=inputs, error=str(error), bos=str(closed.bos))


def full_size(rng: random.Random, like: Array) -> Iterator[Array]:
    """Tokens at L = 16, n = 13 with contents in [-1,1], once for each trigger position."""
    task = TriggerTask(FULL_LENGTH, FULL_CONTENTS)
    for j in task.trigger_positions:
        contents = random_rationals(rng, (1, task.length - 1, task.content_dim), bound=64)
        inside = contents / max(1, abs(contents).max())
        inside[0, 0] = Fraction(rng.choice((-1, 1)))
        yield task.tokens(lift(inside, like), j)


def in_balls(construction: Construction, run: Run, bits: int = BITS) -> Outcome:
    """Whether the real mechanism obeys the statement, in ball arithmetic of ``bits`` bits.

    Judged are the upper ends of the balls of η and of the largest BOS weight, each by itself.
    Where the statement is strict, it must hold at the upper end.  Where it is attained no upper end
    of a ball can pass: there the number is *consistent with* its bound, with radius ≤ r·bound,
    r = ``SLACK``.  So an upper end never exceeds 1 + r times the closed form, whatever the
    statement allows, and too few bits fail.  The closed forms themselves, exact rationals, must
    obey the statement, and the balls must enclose them where they are attained: the BOS weight
    always, η on the vertices at L = 4 (elsewhere it may be smaller).
    """
    rng, faults, widest, strict, judged = random.Random(run.seed), [], 0.0, 0, 0
    for E in (Fraction(20), Fraction(10**4), Fraction(10**8)):
        with ctx.workprec(bits):
            ball = np.array([arb(1)], dtype=object)
            small = TriggerTask(4, 1)
            inputs = [t for _, t in small.every_input(lift(VERTICES["±1"], ball))]
            full = TriggerTask(FULL_LENGTH, FULL_CONTENTS)
            for task, batches in ((small, inputs), (full, full_size(rng, ball))):
                found = look(task, construction.build(task, Sharpness(E)), batches)
                closed, length = construction.closed(task.length, E), task.length
                attained = task is small and not construction.error_is_bound
                if not construction.obeys(length, E, closed.error, closed.bos):
                    faults.append(f"L = {length}, E = {E}: {construction.statement.name} fails")
                error, bos = ends(arb(found.error)), ends(arb(found.bos))
                cases = (
                    ("η", error, closed.error, attained, (error[1], closed.bos)),
                    ("BOS", bos, closed.bos, True, (closed.error, bos[1])),
                )
                for name, (low, high), form, equal, at in cases:
                    certain = construction.obeys(length, E, *at)
                    strict, judged = strict + certain, judged + 1
                    near = low <= form and high <= (1 + SLACK) * form
                    near = near and (high - low <= 2 * SLACK * form)
                    if not near or (equal and not low <= form <= high):
                        faults.append(
                            f"L = {length}, E = {E}: {name} in [{float(low):.3g}, "
                            f"{float(high):.3g}], closed form {float(form):.3g}"
                        )
                    widest = max(widest, float((high - low) / form) if form else float(high - low))
        worst = float(error[1])
    figure = "; ".join(faults[:3]) or (
        f"e^K = 20, 10⁴, 10⁸: L = 4 on all vertices, L = 16 with n = 13; {strict} of {judged} "
        f"upper ends within their bound, the others consistent with one that is attained, "
        f"radius ≤ {widest / 2:.0e} of it; η ≤ {worst:.2g} at the last"
    )
    return check(not faults, figure, widest=widest)


def rounded(found: Found) -> dict[str, float]:
    """Extremes as floats, for tables."""
    names = ("error", "bos", "gated", "bos_trigger")
    return {k: float(as_fraction(v) if isinstance(v, Fraction) else v) for k, v in
            ((name, getattr(found, name)) for name in names)}  # fmt: skip
