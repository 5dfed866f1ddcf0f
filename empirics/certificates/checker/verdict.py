"""How a check says no: one sentence, and a comparison that is not certain counts as false."""

from __future__ import annotations

from fractions import Fraction

from flint import arb


class Rejected(Exception):  # noqa: N818 (a verdict, not a fault)
    """The certificate does not establish what it says; the message is one sentence."""


def certain(holds: object, what: str) -> None:
    """Rejects unless ``holds`` is true; of balls, an undecided comparison is false."""
    if holds is not True:
        raise Rejected(f"it does not establish {what}")


def ball(x: Fraction) -> arb:
    """A ball that contains x."""
    return arb(x.numerator) / x.denominator
