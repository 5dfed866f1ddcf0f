"""Certificates: the bounds for one head as JSON with exact rationals, and what they say of T1.

``produce`` bounds, attacks and judges; the result is an object that ``checker`` verifies from the
weights alone.  ``mass`` is 1 − α_i1 for softmax (how far from a sink) and α_i1 for ReLU (how far
from none).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from empirics.certificates import box_bounds, relu_bounds, softmax_bounds, stack_bounds
from empirics.certificates.attack import LAST, SEARCHED, Attacker
from empirics.certificates.box_attack import witnesses
from empirics.certificates.forms import Head
from empirics.certificates.judge import Input, judge
from empirics.certificates.row_judge import judge_row, place
from empirics.certificates.softmax_bounds import Bounds
from empirics.certificates.vertices import round_down
from theorems import one_layer_sink, sink_price
from theorems.errors import UserError
from theorems.files import versions
from theorems.statement import Statement

FORMAT = "sinkproof-certificate-1"
BOUNDS = {"softmax": softmax_bounds.bounds, "relu": relu_bounds.bounds}
METHOD = (
    "gaps and logits at every vertex of the content box, exponentials in Arb rounded outward, "
    "deviation of W_O W_V from the identity in closed form"
)


LONGEST = 2**50
"""Largest L: counts are exact in double precision."""


def check_length(length: int) -> None:
    """Raises ``UserError`` outside 4 ≤ L ≤ ``LONGEST``."""
    if not 4 <= length <= LONGEST:
        raise UserError(f"length L = {length}: certificates are for L ≥ 4, up to 2^50")


def searched(length: int, *, last: bool = False) -> str:
    """Where worst inputs were searched; ``last`` says that the last position may have been."""
    if length <= SEARCHED:
        return "every position"
    if last and length <= LAST:
        return f"positions up to {SEARCHED}, and the last for the mass; not the others"
    return f"positions up to {SEARCHED}; worst input not searched beyond"


def bound(head: Head, attention: str, length: int) -> Bounds:
    """The bounds for ``head``.  Raises ``UserError`` outside L ≥ 4, softmax and ReLU."""
    if attention not in BOUNDS:
        raise UserError(f"no certificate for attention {attention!r}: choose softmax or relu")
    check_length(length)
    return BOUNDS[attention](head, length)


def produce(
    head: Head,
    attention: str,
    length: int,
    *,
    subject: str,
    settings: dict[str, Any],
    seed: int = 0,
) -> dict[str, Any]:
    """The certificate for ``head``; ``settings`` name the weights, their layout and shape."""
    found = bound(head, attention, length)
    attacker = Attacker(head, attention, length, seed)
    worst = {kind: attacker.worst(kind) for kind in ("mass", "error")}
    witness = {
        kind: as_witness(head, attention, kind, found.given, found.position)
        for kind, found in worst.items()
    }
    figures: dict[str, Any] = {
        "mass_at_most": {
            "before": {str(i): str(x) for i, x in found.before.items()},
            "after": {str(i): str(x) for i, x in found.after.items()},
        },
        "error_at_most": {k: str(x) for k, x in found.rows.items()},
        "witness": witness,
    }
    if found.logits:
        figures["logits_at_most"] = {k: str(x) for k, x in found.logits.items()}
    eta_low = Fraction(witness["error"]["at_least"])
    if attention == "softmax":
        figures |= theorems_at(length, found, eta_low)
    about = {
        "attention": attention,
        "length": length,
        "contents": f"[-1,1]^{head.content_dim}",
        **settings,
        "method": METHOD,
        "worst_inputs": searched(length, last=attention == "softmax"),
        "precision": "fixed point of up to 50 bits, Arb at 53 bits; witnesses at 96 bits",
    }
    return sealed(subject, figures, about)


def produce_stack(
    heads: Sequence[Head], length: int, *, subject: str, settings: dict[str, Any], seed: int = 0
) -> dict[str, Any]:
    """The certificate for a stack of single softmax heads without residual."""
    check_length(length)
    found = stack_bounds.bounds(heads, length)
    worst = Attacker(heads, "softmax", length, seed).worst("error").given
    layers = [[head] for head in heads]
    searched_masses = witnesses(layers, length, residual=False, seed=seed)["mass"]
    figures = {
        "mass_at_most": [str(m) for m in found.mass],
        "composed_mass_at_most": str(found.composed),
        "error_at_most": {k: str(x) for k, x in found.rows.items()},
        "vacuous": found.vacuous,
        "hints": [[[str(x) for x in v] for v in vectors] for vectors in found.hints],
        "witness": {
            "error": as_witness(heads, "softmax", "error", worst),
            "mass": [layer[0] for layer in searched_masses],
        },
    }
    about = {
        "attention": "softmax",
        "length": length,
        "contents": f"[-1,1]^{heads[0].content_dim}",
        **settings,
        "method": "first layer as for one head; mixtures of tokens in balls through the others",
        "worst_inputs": searched(length),
        "precision": f"Arb at {stack_bounds.PRECISION} bits; witnesses at 96 bits",
    }
    return sealed(subject, figures, about)


def produce_boxes(
    layers: Sequence[Sequence[Head]],
    length: int,
    *,
    residual: bool,
    subject: str,
    settings: dict[str, Any],
    seed: int = 0,
) -> dict[str, Any]:
    """The certificate for softmax layers with several heads or a residual stream."""
    check_length(length)
    found = box_bounds.bounds(layers, length, residual=residual)
    figures = {
        "mass_at_most": [[str(m) for m in layer] for layer in found.mass],
        "error_at_most": {k: str(x) for k, x in found.rows.items()},
        "vacuous": found.eta >= 1,
        "witness": witnesses(layers, length, residual=residual, seed=seed),
    }
    about = {
        "attention": "softmax",
        "length": length,
        "contents": f"[-1,1]^{layers[0][0].content_dim}",
        "heads": len(layers[0]),
        "residual": residual,
        **settings,
        "method": "heads of the first layer at vertices; boxes of states through the others",
        "worst_inputs": searched(length),
        "precision": f"Arb at {box_bounds.PRECISION} bits; witnesses at 96 bits",
    }
    return sealed(subject, figures, about)


def sealed(subject: str, figures: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """A certificate with its digest."""
    certificate = {
        "format": FORMAT,
        "subject": subject,
        "status": "certified",
        "figures": figures,
        "settings": {"heads": 1, "residual": False, **settings},
        "versions": versions(),
    }
    return {**certificate, "digest": digest(certificate)}


def as_witness(
    head: Head | Sequence[Head],
    attention: str,
    kind: str,
    given: Input,
    position: int | None = None,
) -> dict[str, Any]:
    """An input, up to the position in question, with what it surely reaches there.

    Of one head only the row at ``position`` is judged, by default the one that floats see worst.
    """
    if isinstance(head, Head):
        position = position or place(head, attention, kind, given)
        row = judge_row(head, attention, given, position)
        errors, bos = row.error_low, (row.bos_low, row.bos_high)
    else:
        seen = judge(head, attention, given)
        position = int(seen.error_low.max(axis=1).argmax()) + 1
        errors = seen.error_low[position - 1]
        bos = seen.bos_low[position - 1], seen.bos_high[position - 1]
    where = {"position": position}
    if kind == "mass":
        value = 1 - bos[1] if attention == "softmax" else bos[0]
    else:
        coordinate = int(errors.argmax())
        where, value = {**where, "coordinate": coordinate}, errors[coordinate]
    contents = [[str(x) for x in row] for row in given.contents[: position - 1]]
    least = str(max(round_down(value), Fraction(0)))
    return {"at_least": least, **where, "trigger": given.trigger, "contents": contents}


def theorems_at(length: int, found: Bounds, eta_low: Fraction) -> dict[str, Any]:
    """The statements at the largest possible mass off BOS and the least possible error.

    Where an inequality holds even there, it holds of this model for every input.  A false verdict
    would not refute it: that takes a witness's mass and the upper bound on the error.
    """
    before, after = max(found.before.values()), max(found.after.values())
    at = {"L": length, "eta": eta_low}
    statements: list[tuple[Statement, dict[str, Any]]] = [
        (one_layer_sink.SHARP, {"alpha": 1 - found.mass}),
        (one_layer_sink.LINEAR, {"alpha": 1 - found.mass}),
        (one_layer_sink.BEFORE, {"m": before}),
        (one_layer_sink.AFTER, {"m": after}),
        (sink_price.STATEMENT, {"alpha": 1 - found.mass, "epsilon": found.mass}),
    ]
    kappa = Fraction(length - 3, 4 * (length - 1))
    return {
        "theorem_1_holds": found.mass * (kappa - eta_low) <= eta_low,
        "statements": {s.name: s.holds(**at, **more) for s, more in statements},
        "theorem_1_floor": str(1 - found.eta / (kappa - found.eta)) if found.eta < kappa else None,
    }


def digest(certificate: dict[str, Any]) -> str:
    """SHA-256 of the certificate's canonical JSON, against accidents only."""
    text = json.dumps(certificate, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
