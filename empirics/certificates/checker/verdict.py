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


def at_least(x: Fraction) -> str:
    """x with six decimals, rounded down."""
    return f"{(x * 10**6).__floor__() / 10**6:.6f}"


def at_most(x: Fraction) -> str:
    """x with six significant digits, rounded up."""
    shown = f"{float(x):.5e}"
    least = Fraction(shown)
    unit = Fraction(10) ** (int(shown.split("e")[1]) - 5)
    return f"{float(least + unit if least < x else least):.6g}"
