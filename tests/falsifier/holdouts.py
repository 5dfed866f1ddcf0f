"""False claims that are not in the corpus, written after the engines were done.

Other lengths, other content sets, two changes at once, other forms of a bound.
"""

from __future__ import annotations

from fractions import Fraction

from empirics.falsifier.claim import FalsifiableClaim, named
from empirics.falsifier.command import changed_claim

TWO = "-1 1"
THREE = "-1 0 2"


def claim(name: str, **changes: object) -> FalsifiableClaim:
    """As the command line builds it."""
    options: dict = {
        "bound": None,
        "heads": None,
        "layers": None,
        "residual": None,
        "mechanism": None,
        "rows": None,
        "lengths": (),
        "contents": None,
        "eta_max": None,
        "drop": (),
    }
    return changed_claim(name, **{**options, **changes})


SHARP, AFTER = "one_layer_sink", "one_layer_sink.softmax_after"
HOLDOUTS = {
    "sharp, L = 8": claim(SHARP, bound="0.9*eta/(kappa - eta)", lengths=(8,)),
    "sharp, L = 16": claim(SHARP, bound="0.95*eta/(kappa - eta)", lengths=(16,)),
    "sharp, L = 32": claim(SHARP, bound="0.93*eta/(kappa - eta)", lengths=(32,)),
    "linear, L = 7": claim(SHARP + ".linear", bound="1.85*eta/kappa", lengths=(7,)),
    "affine": claim(SHARP, bound="2*eta + 0.05"),
    "constant": claim(SHARP, bound="0.3"),
    "root": claim(SHARP, bound="eta**(1/2)"),
    "bilinear, L = 6": claim(AFTER, bound="3.7*eta", mechanism="bilinear", lengths=(6,)),
    "bilinear, two contents": claim(
        AFTER, bound="3*eta", mechanism="bilinear", contents=TWO, lengths=(4,)
    ),
    "bilinear before, two contents": claim(
        AFTER, bound="1.8*eta", mechanism="bilinear", contents=TWO, rows="before", lengths=(4,)
    ),
    "simplex, two contents": claim(SHARP, bound="3*eta", contents=TWO, lengths=(4,)),
    "threshold": claim(AFTER, bound="4*eta", eta_max="1.1*kappa"),
    "deep, L = 6": claim("deep_sink", bound="(0.6*eta/(kappa-eta))**(1/D)", lengths=(6,)),
    "deep, D = 4": claim("deep_sink", bound="(0.5*eta/(kappa-eta))**(1/D)", layers=4, lengths=(4,)),
    "two heads at depth two": claim("deep_sink", heads=2),
    "MLP and two contents": claim(SHARP, drop=("no_mlp",), contents=TWO, lengths=(4,)),
    "residual, D = 3": claim(SHARP, drop=("no_residual",), layers=3, lengths=(5,)),
    "positions, bilinear": claim(SHARP, drop=("position_free",), mechanism="bilinear"),
    "sigmoid, L = 6": claim(SHARP, mechanism="sigmoid", lengths=(6,)),
    "off by one, L = 8": claim(SHARP, mechanism="off_by_one", lengths=(8,)),
    "relu, three contents": claim(SHARP, mechanism="relu", contents=THREE, lengths=(4,)),
    "no anchor, L = 16": claim("anchor_needed", bound="1.1*kappa", lengths=(16,)),
    "price, L = 12": claim("sink_price", bound="1.1*m*kappa/(1+m)", lengths=(12,)),
    "L = 3, softmax": claim(AFTER, bound="12*eta", drop=("length_4",)),
    "two heads and a residual": claim(SHARP, bound="1.9*eta", heads=2, residual=True),
}
assert all(isinstance(c.lengths[0], int) for c in HOLDOUTS.values())
assert named(SHARP).limit(4) == Fraction(1, 12)
