"""Faults of the cone model, of constant sequences, of the first layer's ceiling and of the turn."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from constructions.cone_model import dependent_weights, disagreement, mix
from constructions.decoder import Block, Decoder
from constructions.first_layer_law import Chain, First, flat_chain
from constructions.networks import Head
from constructions.norm_turns import Turn, half_angle, root_ends
from constructions.unit_vectors import expectation, squared
from tests.negatives.planted_faults import Fault, answer
from theorems.arrays import exact
from theorems.attention import normalise, relu
from theorems.causal_asymmetry import CONE_MODEL, MIXING
from theorems.first_layer_ceiling import STATEMENT as CEILING
from theorems.norm_stability import ROTATION


def mixture(
    values: Callable[[bool], list[Any]], row: Callable[[bool], Any]
) -> Callable[[bool], str]:
    """The mixing identity on two values of the plane."""

    def look(planted: bool) -> str:
        v, p = [exact(x) for x in values(planted)], exact(row(planted))
        known = {"s": squared(mix(tuple(p), v)), "D": disagreement(tuple(p), v)}
        return str(MIXING.holds(i=2, s_0=squared(v[0]), **known))

    return look


UNITS = [["3/5", "4/5"], ["1", "0"]]
LONGER = [["3/5", "4/5"], ["2", "0"]]


def weights_that_look(planted: bool) -> str:
    """The cone model of ``constructions.cunitmodel`` with weights that read the directions."""
    Q, said = dependent_weights()
    a_square = Fraction(4, 25)
    S = ((Q if not planted else said) - a_square) / (1 - a_square)
    return str(CONE_MODEL.holds(a=Fraction(2, 5), Q=Q, S=S))


def twins(planted: bool, start: list[list[int]], simplex: bool) -> str:
    """One head that averages, on a token repeated three times."""
    rows = relu if planted and not simplex else normalise
    head = Head(lambda y: rows(y @ y.T), exact(np.eye(2, dtype=int)), simplex=False)
    states = Decoder((Block((head,)),)).run(exact(start)).states[1]
    return "equal states" if (states == states[:1]).all() else "different states"


def position_embedding(planted: bool) -> str:
    return twins(planted, [[1, k * planted] for k in range(3)], simplex=True)


def rows_of_another_sum(planted: bool) -> str:
    return twins(planted, [[1, 1]] * 3, simplex=False)


def law_of_another_mass(planted: bool) -> str:
    law = [(1, Fraction(1, 2)), (3, Fraction(1, 3 if planted else 2))]
    return answer(lambda: expectation(law, Fraction))


def start_of_its_own(planted: bool) -> str:
    """A chain that begins with a token of its own, against one that does not."""
    unit, none = Fraction(1), Fraction(0)
    bos = Chain((unit, none), ((none, unit), (none, unit)))
    head = First(
        bos if planted else flat_chain(2),
        lambda query, key, lag: Fraction(12) if key == 0 else unit,
        8,
    )
    return str(CEILING.holds(**head.known()))


def shorter_step(planted: bool) -> str:
    """The worst turn, δ ⟂ x+δ, with a step that is measured 1 % too short."""
    half = half_angle(Fraction(1, 5))
    turn = Turn(half, Fraction(1), half[1] ** 2 - half[0] ** 2)
    rho = turn.rotation()["rho"] * (Fraction(99, 100) if planted else 1)
    w = root_ends(1 - rho * rho)[0]
    return str(ROTATION.holds(rho=rho, w=w, moved=turn.moved))


FAULTS = (
    Fault(
        "values of another norm",
        mixture(lambda planted: LONGER if planted else UNITS, lambda _: ["1/3", "2/3"]),
        "True",
        "False",
    ),
    Fault(
        "a mixing row of another sum",
        mixture(lambda _: UNITS, lambda planted: ["1/3", "1/3" if planted else "2/3"]),
        "True",
        "False",
    ),
    Fault("weights that look at the directions", weights_that_look, "True", "False"),
    Fault("positions in the embedding", position_embedding, "equal states", "different states"),
    Fault("ReLU rows on a repeated token", rows_of_another_sum, "equal states", "different states"),
    Fault(
        "a law that does not sum to one",
        law_of_another_mass,
        "2",
        "ValueError: the probabilities do not sum to one",
    ),
    Fault("a window that begins with BOS", start_of_its_own, "True", "False"),
    Fault("a step 1 % too short", shorter_step, "True", "False"),
)
