"""Run the certificate's own worst inputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from empirics.certificates.checker.verdict import ball, certain
from empirics.certificates.checker.walk import Head


def run(head: Head, simplex: bool, L: int, kind: str, said: dict[str, Any]) -> Fraction:
    """The value that the input surely reaches.  Raises ``Rejected`` if it is less than is said."""
    trigger, i = int(said["trigger"]), int(said["position"])
    contents = [[Fraction(x) for x in row] for row in said["contents"]]
    inside = all(abs(x) <= 1 for row in contents for x in row)
    shape = len(contents) == L - 1 and all(len(row) == head.n for row in contents)
    certain(inside and shape and 3 <= trigger <= L and 1 <= i <= L, "a valid input")
    zero, one = Fraction(0), Fraction(1)
    x = [[one, *[zero] * (head.n + 2)]]
    for k, content in enumerate(contents, start=2):
        x.append([zero, *((one, zero) if k == trigger else (zero, one)), *content])
    alpha = row_of(head, x[:i], simplex)
    if kind == "mass":
        certain(i >= 2 and i != trigger, "a non-trigger position")
        reached = 1 - alpha[0] if simplex else alpha[0]
    else:
        r = int(said["coordinate"])
        values = [ball(dot(head.M[r], token)) for token in x]
        output = sum((a * value for a, value in zip(alpha, values, strict=False)), arb(0))
        seen = sum((token[r] for token in x[1:i]), zero)
        reached = abs(output - (ball(seen / (i - 1)) if i == trigger else 0))
    least = Fraction(said["at_least"])
    certain(bool(ball(least) <= reached), f"the {kind} that its input reaches")
    return least


def row_of(head: Head, x: list[list[Fraction]], simplex: bool) -> list[arb]:
    """The attention row of the last token of ``x``."""
    i, columns = len(x), zip(*head.A, strict=True)
    query = [
        sum((a * b for a, b in zip(x[-1], column, strict=True)), Fraction(0)) for column in columns
    ]
    z = [dot(query, key) / head.a for key in x]
    if not simplex:
        return [ball(max(v, Fraction(0)) / max(1, i - 1)) for v in z]
    weights = [ball(v).exp() for v in z]
    total = sum(weights, arb(0))
    return [w / total for w in weights]


def dot(x: list[Fraction], y: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))
