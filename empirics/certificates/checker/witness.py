"""Run the certificate's own worst inputs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from empirics.certificates.checker.verdict import ball, certain
from empirics.certificates.checker.walk import Head

PRECISION = 128
"""Bits of the balls: roundings pass through every layer."""


def run(
    layers: Sequence[Sequence[Head]],
    L: int,
    kind: str,
    said: dict[str, Any],
    *,
    simplex: bool = True,
    residual: bool = False,
    at: tuple[int, int] = (0, 0),
) -> Fraction:
    """The value that the input surely reaches.  Raises ``Rejected`` if it is less than is said.

    A mass is that of the layer and head ``at``, an error that of the last layer's output.  The
    contents may end at the position in question: later ones do not matter.
    """
    trigger, i, n = int(said["trigger"]), int(said["position"]), layers[0][0].n
    contents = [[Fraction(x) for x in row] for row in said["contents"]]
    inside = all(abs(x) <= 1 for row in contents for x in row)
    shape = i - 1 <= len(contents) <= L - 1 and all(len(row) == n for row in contents)
    certain(inside and shape and 3 <= trigger <= L and 1 <= i <= L, "a valid input")
    zero, one = Fraction(0), Fraction(1)
    x = [[one, *[zero] * (n + 2)]]
    for k, content in enumerate(contents[: i - 1], start=2):
        x.append([zero, *((one, zero) if k == trigger else (zero, one)), *content])
    least = Fraction(said["at_least"])
    with ctx.workprec(PRECISION):
        reached = value(layers, x, kind, said, simplex=simplex, residual=residual, at=at)
        certain(bool(ball(least) <= reached), f"the {kind} that its input reaches")
    return least


def value(
    layers: Sequence[Sequence[Head]],
    x: list[list[Fraction]],
    kind: str,
    said: dict[str, Any],
    *,
    simplex: bool,
    residual: bool,
    at: tuple[int, int],
) -> arb:
    """What the last token of ``x`` gets: see ``run``."""
    trigger, i, zero = int(said["trigger"]), int(said["position"]), Fraction(0)
    state = [[ball(v) for v in token] for token in x]
    if kind == "mass":
        certain(i >= 2 and i != trigger, "a non-trigger position")
        for heads in layers[: at[0]]:
            state = after(heads, state, simplex, residual, 1)
        bos = row_of(layers[at[0]][at[1]], state, simplex)[0]
        return 1 - bos if simplex else bos
    r = int(said["coordinate"])
    for index, heads in enumerate(layers):
        last = index == len(layers) - 1
        state = after(heads, state, simplex, residual, i if last else 1)
    seen = sum((token[r] for token in x[1:]), zero)
    expected = (seen / (i - 1) if i == trigger else zero) + (x[-1][r] if residual else zero)
    return abs(state[-1][r] - ball(expected))


def after(
    heads: Sequence[Head], state: list[list[arb]], simplex: bool, residual: bool, first: int
) -> list[list[arb]]:
    """The states of positions ``first``.. after a layer."""
    found = []
    values = [[*zip(*([dot(m, x) for m in balls(h)] for x in state), strict=True)] for h in heads]
    for k in range(first, len(state) + 1):
        new = state[k - 1] if residual else [arb(0)] * len(state[0])
        for head, columns in zip(heads, values, strict=True):
            row = row_of(head, state[:k], simplex)
            new = [a + dot(row, c[:k]) for a, c in zip(new, columns, strict=True)]
        found.append(new)
    return found


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
