"""Run the certificate's own worst inputs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from empirics.certificates.checker.verdict import ball, certain
from empirics.certificates.checker.walk import Head


def run(heads: Sequence[Head], simplex: bool, L: int, kind: str, said: dict[str, Any]) -> Fraction:
    """The value that the input surely reaches.  Raises ``Rejected`` if it is less than is said.

    A mass is that of the first layer, an error that of the last layer's output.
    """
    trigger, i = int(said["trigger"]), int(said["position"])
    contents = [[Fraction(x) for x in row] for row in said["contents"]]
    inside = all(abs(x) <= 1 for row in contents for x in row)
    shape = len(contents) == L - 1 and all(len(row) == heads[0].n for row in contents)
    certain(inside and shape and 3 <= trigger <= L and 1 <= i <= L, "a valid input")
    zero, one = Fraction(0), Fraction(1)
    x = [[one, *[zero] * (heads[0].n + 2)]]
    for k, content in enumerate(contents, start=2):
        x.append([zero, *((one, zero) if k == trigger else (zero, one)), *content])
    state = [[ball(v) for v in token] for token in x]
    if kind == "mass":
        certain(i >= 2 and i != trigger, "a non-trigger position")
        bos = row_of(heads[0], state[:i], simplex)[0]
        reached = 1 - bos if simplex else bos
    else:
        r = int(said["coordinate"])
        for head in heads:
            rows = [row_of(head, state[:k], simplex) for k in range(1, i + 1)]
            values = [[dot(m, token) for m in balls(head)] for token in state]
            columns = [*zip(*values[:i], strict=True)]
            state = [[dot(row, c[: len(row)]) for c in columns] for row in rows]
        seen = sum((token[r] for token in x[1:i]), zero)
        reached = abs(state[i - 1][r] - (ball(seen / (i - 1)) if i == trigger else 0))
    least = Fraction(said["at_least"])
    certain(bool(ball(least) <= reached), f"the {kind} that its input reaches")
    return least


def row_of(head: Head, x: list[list[arb]], simplex: bool) -> list[arb]:
    """The attention row of the last token of ``x``."""
    query = [dot(x[-1], [arb(a) for a in column]) for column in zip(*head.A, strict=True)]
    z = [dot(query, key) / head.a for key in x]
    if not simplex:
        return [v.max(arb(0)) / max(1, len(x) - 1) for v in z]
    weights = [v.exp() for v in z]
    total = sum(weights, arb(0))
    return [w / total for w in weights]


def balls(head: Head) -> list[list[arb]]:
    return [[ball(m) for m in row] for row in head.M]


def dot(x: Sequence[arb], y: Sequence[arb]) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))
