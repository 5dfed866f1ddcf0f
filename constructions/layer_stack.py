"""Layers composed without residual share the sink: each may keep the D-th root of what one may.

Ran-Milo 2026, arXiv 2603.11487, Theorem 2, in the form of ``theorems.deep_sink``: some layer has
mass m off BOS at position 2 with m^D (κ_L−η) ≤ η, because the layers are one layer in which
that mass is m^D (``constructions.composition``).

*Averaging stack.*  Every M is the identity off BOS.  Layer 1 averages at the trigger, which
attends to itself from then on; every other row has BOS 1−ρ, itself ρ.  The trigger is exact, the
other rows write ρ^D of their token: the error is exactly ρ^D · max(1, C), C the largest |content|,
and m = ρ in all layers.  So the exponent 1/D is attained.

*Sharp stack.*  Layer 1 is the witness of ``constructions.sharp_witness`` with mass ρ instead of
ρ^D in its silent rows; later layers have M = identity, the trigger and BOS attend to themselves,
other rows BOS 1−ρ, itself ρ.  Composed, that is the witness itself with 1−α = ρ^D: the error is
η with m^D (κ_L−η) = (1−ε)η.  So the constant is attained too, for one content and all D.

>>> from theorems.attention import picture
>>> tokens = TriggerTask(length=4, content_dim=0).tokens(exact([[]] * 3), trigger=3)
>>> stack = averaging_stack(4, 3, layers=2, rho=Fraction(1, 2))
>>> print(picture(stack.layers[0].rows(tokens)))
1.00     .     .     .
0.50  0.50     .     .
   .  0.50  0.50     .
0.50     .     .  0.50
>>> print(picture(stack.rows(tokens)))
1.00     .     .     .
0.75  0.25     .     .
   .  0.50  0.50     .
0.75     .     .  0.25
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from constructions.composition import Layer, Stack, sunk
from constructions.directions import identity_off_bos, matrix
from constructions.roles import Roles, uniform
from constructions.sharp_witness import EPSILON_SMALL, kappa, nudged, sharp_witness
from theorems.arrays import exact
from theorems.deep_sink import ANY_POSITION, POSITION_TWO
from theorems.evidence import Outcome, Run, check, evidence
from theorems.statement import Statement
from theorems.symbols import D
from theorems.trigger_task import CONTENT, TriggerTask


def averaging_stack(length: int, width: int, layers: int, rho: Fraction) -> Stack:
    """The first family, for tokens of ``width`` coordinates and 0 ≤ ρ ≤ 1, in Fractions."""
    M = identity_off_bos(width)
    average = Roles(
        length, ordinary=lambda i: {1: 1 - rho, i: rho}, trigger=lambda j: uniform(2, j)
    )
    keep = Roles(length, ordinary=lambda i: {1: 1 - rho, i: rho}, trigger=lambda j: {j: 1})
    return Stack((Layer(average, M),) + (Layer(keep, M),) * (layers - 1))


def sharp_stack(
    length: int, layers: int, rho: Fraction, epsilon: Fraction, content: Sequence[Any] = ()
) -> tuple[Stack, Fraction]:
    """The second family for the content set {content}, and its error η = κρ^D/(1−ε+ρ^D).

    0 ≤ ρ ≤ 1 and 0 < ε < 1, with ρ^D ≤ 1 the mass off BOS of the composed layer.
    """
    mass = rho**layers
    eta = kappa(length) * mass / (1 - epsilon + mass)
    witness = sharp_witness(length, eta, epsilon, content)
    keep = Roles(length, ordinary=lambda i: {1: 1 - rho, i: rho}, trigger=lambda j: {j: 1})
    first = Roles(length, ordinary=lambda i: {1: 1 - rho, i: rho}, trigger=lambda j: {})
    first.trigger = witness.rows.trigger
    identity = matrix(CONTENT + len(content), {(k, k): 1 for k in range(CONTENT + len(content))})
    return Stack((Layer(first, witness.M),) + (Layer(keep, identity),) * (layers - 1)), eta


RHO = (Fraction(1, 20), Fraction(1, 3), Fraction(1, 2), Fraction(1))
SIZES = [(length, layers) for length in (4, 5, 6) for layers in (1, 2, 3, 4)]


@evidence("deep_sink", kind="exact")
def exponent_is_attained(run: Run) -> Outcome:
    """Averaging stacks: error exactly ρ^D·max(1, C), m = ρ in every layer, the bound holds."""
    content_sets = (exact([["-3/2"]]), exact([[-1], [1]]), exact([["0"], ["3/2"]]))
    holds, applied, count = True, 0, 0
    for length, layers in SIZES:
        for content_set in content_sets if length <= run.scale(4, 5, 6) else content_sets[:1]:
            task, largest = TriggerTask(length, 1), max(1, *abs(content_set).flat)
            for rho in RHO:
                found = sunk(task, averaging_stack(length, task.width, layers, rho), content_set)
                holds = holds and found.error == rho**layers * largest
                at = {"L": length, "D": layers, "m": rho, "eta": found.error}
                holds = holds and found.at_two == found.anywhere == rho
                holds = holds and POSITION_TWO.holds(**at) and ANY_POSITION.holds(**at)
                applied, count = applied + POSITION_TWO.applies(**at), count + 1
    figure = f"{count} stacks, D = 1..4, L = 4..6: η = ρ^D; η < κ_L in {applied}"
    return check(holds and applied > 0, figure, stacks=count, applied=applied)


def _bound_is_attained(statement: Statement) -> Outcome:
    holds, refuted, count = True, True, 0
    for length, layers in SIZES:
        for rho in RHO:
            stack, eta = sharp_stack(length, layers, rho, EPSILON_SMALL, ("-2",))
            found = sunk(TriggerTask(length, 1), stack, exact([[-2]]))
            m = found.at_two if statement is POSITION_TWO else found.anywhere
            at = {"L": length, "D": layers, "m": m, "eta": found.error}
            holds = holds and found.error == eta and m == rho
            holds = holds and statement.applies(**at) and statement.holds(**at)
            holds = holds and statement.excess(**at) == -EPSILON_SMALL * eta
            refuted = refuted and not nudged(statement, "21/20").holds(**at)
            if rho < 1:  # an exponent D − 1 would be a stronger statement
                stronger = statement.conclusion.subs(D, D - 1)
                refuted = refuted and not replace(statement, conclusion=stronger).holds(**at)
            count += 1
    return check(
        holds and refuted,
        f"{count} stacks: m^D(κ−η) = (1 − {EPSILON_SMALL})η; exponent D−1 and κ·1.05 refuted",
        stacks=count,
    )


@evidence("deep_sink", kind="exact")
def deep_bound_is_attained(run: Run) -> Outcome:
    """Sharp stacks: at position 2, m^D (κ−η) = (1−ε)η exactly, for D = 1..4 and L = 4..6."""
    return _bound_is_attained(POSITION_TWO)


@evidence("deep_sink", kind="exact", statement="deep_sink.any_position")
def deep_bound_is_attained_anywhere(run: Run) -> Outcome:
    """Sharp stacks: over all positions before the trigger, m^D (κ−η) = (1−ε)η exactly."""
    return _bound_is_attained(ANY_POSITION)
