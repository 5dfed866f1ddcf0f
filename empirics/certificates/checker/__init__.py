"""Verify a certificate of one head from the certificate and the weights alone.

Nothing here is shared with the program that writes certificates: weights become integers of one
unit, vertices are walked in Gray-code order in exact integers, exponentials are Arb balls, and a
claim counts only if the comparison is certain.  ``softmax_bounds`` and ``relu_bounds`` say why
vertices are enough; ``files`` reads, ``walk`` enumerates, ``softmax`` and ``relu`` compare, and
``witness`` runs the certificate's own worst inputs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from empirics.certificates.checker import boxes, relu, softmax, stack
from empirics.certificates.checker.files import opened
from empirics.certificates.checker.verdict import Rejected, at_least, at_most, certain
from empirics.certificates.checker.walk import Head
from empirics.certificates.checker.witness import run

__all__ = ["Rejected", "check"]


def check(certificate: dict[str, Any], model: str) -> str:
    """What is established, in a sentence.  Raises ``Rejected``, one sentence, otherwise."""
    matrices, settings, figures = opened(certificate, model)
    layers = [[Head(**head) for head in layer] for layer in matrices]
    heads, head, L = [layer[0] for layer in layers], layers[0][0], int(settings["length"])
    if L < 4 or settings["contents"] != f"[-1,1]^{head.n}" or head.n > 16:
        raise Rejected("its length, contents or width are not ones it can speak about")
    if settings["heads"] > 1 or settings["residual"]:
        return of_boxes(layers, L, settings, figures)
    if len(heads) > 1:
        return of_stack(heads, L, settings, figures)
    rows = numbers(figures["error_at_most"])
    before, after = (
        {int(k): Fraction(v) for k, v in figures["mass_at_most"][w].items()}
        for w in ("before", "after")
    )
    for first, last, places in ((2, L - 1, before), (4, L, after)):
        if not first <= min(places) or max(places) != last:
            raise Rejected("the certificate does not speak about every position")
    simplex = settings["attention"] == "softmax"
    if simplex:
        softmax.verify(head, before, after, rows)
    elif settings["attention"] == "relu":
        relu.verify(head, L, before, after, rows, numbers(figures["logits_at_most"]))
    else:
        raise Rejected("the certificate is for an attention that this check does not know")
    mass, eta = max([*before.values(), *after.values()]), max(rows.values())
    least = {
        kind: run([[head]], L, kind, figures["witness"][kind], simplex=simplex)
        for kind in ("mass", "error")
    }
    certain(least["mass"] <= mass and least["error"] <= eta, "a witness beats its own bound")
    if not simplex:
        return f"BOS weight ≤ {at_most(mass)} off the trigger, error ≤ {at_most(eta)}"
    kappa, low = Fraction(L - 3, 4 * (L - 1)), least["error"]
    holds = mass * (kappa - low) <= low  # Theorem 1, at the largest mass and the least error
    certain(figures["theorem_1_holds"] is holds, "the verdict on Theorem 1")
    return f"BOS weight ≥ {at_least(1 - mass)} off the trigger, error ≤ {at_most(eta)}"


def of_stack(heads: list[Head], L: int, settings: dict[str, Any], figures: dict[str, Any]) -> str:
    """The same for several layers, whose certificate bounds the error and the mass of the whole."""
    if settings["attention"] != "softmax":
        raise Rejected("stacks are certified for softmax only")
    eta = stack.verify(heads, L, figures)
    least = run([[h] for h in heads], L, "error", figures["witness"]["error"])
    certain(least <= eta, "a witness beats its own bound")
    bounds, witness = (
        [[x] for x in m] for m in (figures["mass_at_most"], figures["witness"]["mass"])
    )
    masses([[h] for h in heads], L, bounds, witness, False)
    mass = Fraction(figures["composed_mass_at_most"])
    certain(figures["vacuous"] is (eta >= 1), "whether its bound on the error is vacuous")
    error = "error not bounded" if eta >= 1 else f"error ≤ {at_most(eta)}"
    return f"weight of BOS in the whole stack ≥ {at_least(1 - mass)} off the trigger, {error}"


def of_boxes(
    layers: list[list[Head]], L: int, settings: dict[str, Any], figures: dict[str, Any]
) -> str:
    """The same for several heads or a residual stream: masses by layer and head."""
    if settings["attention"] != "softmax":
        raise Rejected("several heads and residual streams are certified for softmax only")
    residual = settings["residual"] is True
    boxes.verify(layers, L, figures, residual)
    eta = max(numbers(figures["error_at_most"]).values())
    reached = run(layers, L, "error", figures["witness"]["error"], residual=residual)
    certain(reached <= eta, "a witness beats its own bound")
    masses(layers, L, figures["mass_at_most"], figures["witness"]["mass"], residual)
    certain(figures["vacuous"] is (eta >= 1), "whether its bound on the error is vacuous")
    least = [[at_least(1 - Fraction(m)) for m in layer] for layer in figures["mass_at_most"]]
    listed = "; ".join(", ".join(layer) for layer in least)
    error = "error not bounded" if eta >= 1 else f"error ≤ {at_most(eta)}"
    return f"BOS weight off the trigger, by layers and heads, ≥ {listed}; {error}"


def masses(
    layers: list[list[Head]], L: int, bounds: list[list[str]], witness: Any, residual: bool
) -> None:
    """Whether the inputs for the mass of every head reach what they say, and beat no bound."""
    for index, heads in enumerate(layers):
        certain(len(heads) == len(bounds[index]) == len(witness[index]), "an input for every head")
        for k, said in enumerate(witness[index]):
            reached = run(layers, L, "mass", said, residual=residual, at=(index, k))
            certain(reached <= Fraction(bounds[index][k]), "a witness beats its own bound")


def numbers(said: dict[str, str]) -> dict[str, Fraction]:
    return {key: Fraction(value) for key, value in said.items()}
