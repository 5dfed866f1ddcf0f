"""Hypothesis for structure: ties, zeros, masks, uniform rows, whole numbers, tiny L.

Gradients never land on a zero or a tie; this engine draws nothing else, and the judge sees every
draw.  Hypothesis only generates: the other engines climb, and ``shrink`` makes things small.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

from empirics.falsifier.candidate import EXPONENTIAL, Candidate, Head, Mlp, Table, names, vectors
from empirics.falsifier.claim import SIMPLEX, SOFTMAX, FalsifiableClaim
from empirics.falsifier.judge import Judged, Verdict, judge
from empirics.falsifier.tree import TreeModels

SMALL = [Fraction(x) for x in ("0", "0", "1", "-1", "1/2", "-1/2", "1/3", "2", "-2", "1/4")]
WEIGHTS = [Fraction(x) for x in ("1", "1", "1/64", "64", "1/2", "2")]
SCORES = [Fraction(x) for x in ("0", "0", "1", "-1", "1/2")]


class _FoundError(Exception):
    """A counterexample: stop."""


@st.composite
def candidates(draw: st.DrawFn, claim: FalsifiableClaim, tree: TreeModels) -> Candidate:
    """Models of the claim's class in small rationals with many ties."""
    d, order = 3 + len(claim.contents[0]), names(len(claim.contents))
    number = st.sampled_from(SMALL)

    def vector(size: int, of: st.SearchStrategy[Fraction] = number) -> tuple[Fraction, ...]:
        return tuple(draw(st.lists(of, min_size=size, max_size=size)))

    def square() -> tuple[tuple[Fraction, ...], ...]:
        if draw(st.booleans()):  # a multiple of the identity off BOS
            factor = draw(number)
            return tuple(
                tuple(factor if a == b and a else Fraction(0) for b in range(d)) for a in range(d)
            )
        return tuple(vector(d) if a else (Fraction(0),) * d for a in range(d))

    def values() -> dict[str, Any]:
        # Off BOS the token itself, or the trigger's target, or nothing; else as it comes.
        style = draw(st.sampled_from(("own", "target", "zero", "random")))

        def one(name: str, i: int) -> tuple[Fraction, ...]:
            token = vectors(claim.contents)[order.index(name)]
            if style == "random":
                return (Fraction(0), *vector(d - 1))
            if style == "own" and name != "b":
                return tuple(token)
            if style == "target" and name[0] == "t":
                return (Fraction(0), Fraction(1, i), Fraction(i - 1, i), *token[3:])
            return (Fraction(0),) * d

        if not claim.keeps("position_free"):
            places = [(i, name) for i in range(1, tree.L + 1) for name in order]
            return {"positions": {f"{i} {name}": one(name, max(2, i - 1)) for i, name in places}}
        if tree.by_matrix and claim.mechanism != "undivided":
            if len(order) != d:
                return {"matrix": square()}
            columns = [one(name, 2) for name in ("b", "t0", "o0")]  # of one content without width
            return {"matrix": tuple(zip(*columns, strict=True))}
        return {"tokens": {name: one(name, 2) for name in order}}

    def rows() -> dict[str, Any]:
        exponential = claim.own is None and claim.mechanism in EXPONENTIAL
        room = claim.spread or max(WEIGHTS) ** 2
        weights = [w for w in WEIGHTS if max(w, 1 / w) ** 2 <= room]
        score = st.sampled_from(weights if exponential else SCORES)
        if claim.mechanism == "undivided":
            return {"pairs": {name: vector(len(order), score) for name in order}}
        if not tree.free:
            return {"bilinear": tuple(vector(d, score) for _ in range(d))}
        pairs: Table = {}
        if claim.mechanism == SOFTMAX:
            pairs = {name: vector(len(order), score) for name in order}
        return {"pairs": pairs, "prefix": _rows(draw, tree, claim)}

    layers = tuple(
        tuple(Head(**rows(), **values()) for _ in range(claim.heads)) for _ in range(claim.layers)
    )
    mlp = None
    if not claim.keeps("no_mlp"):
        mlp = Mlp(tuple(vector(d + 3) for _ in range(d)), vector(d), square())
    return Candidate(tree.L, claim.contents, layers, claim.residual, claim.anchor, mlp)


def _rows(draw: st.DrawFn, tree: TreeModels, claim: FalsifiableClaim) -> dict[str, Any]:
    """A row for every prefix, from one shape for each role."""
    shapes = st.sampled_from(("bos", "self", "uniform", "others", "half", "zero"))
    shape = {role: draw(shapes) for role in ("before", "trigger", "after")}
    k, found = len(claim.contents), {}
    for ids, speaks in zip(tree.prefixes, tree.speaks.tolist(), strict=True):
        if speaks and claim.mechanism == SOFTMAX:
            continue
        i, after = len(ids), any(t > k for t in ids)
        role = "trigger" if speaks else "after" if after else "before"
        row = [Fraction(0)] * i
        match shape[role] if i > 1 else "bos":
            case "self":
                row[-1] = Fraction(1)
            case "uniform":
                row = [Fraction(1, i)] * i
            case "others":
                row = [Fraction(0), *[Fraction(1, i - 1)] * (i - 1)]
            case "half":
                row[0] = row[-1] = Fraction(1, 2)
            case "zero" if not claim.keeps("rows_sum_to_one"):
                pass
            case _:
                row[0] = Fraction(1)
        found[" ".join(tree.names[t] for t in ids)] = tuple(row)
    return found


def search(
    claim: FalsifiableClaim,
    L: int,
    start: int,
    tries: int,
    seen: Callable[[Candidate, Judged], None],
) -> int:
    """Put ``tries`` draws to the judge, each to ``seen``; stops at a counterexample."""
    tree, count = TreeModels(claim, L), 0
    if not claim.anchor or (claim.mechanism not in (SIMPLEX, SOFTMAX) and claim.own is not None):
        return 0

    def one(example: Candidate) -> None:
        nonlocal count
        count += 1
        judged = judge(example, claim)
        seen(example, judged)
        if judged.verdict is Verdict.REFUTES:
            raise _FoundError

    configured = settings(
        max_examples=tries,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    with suppress(_FoundError):
        seed(start)(configured(given(candidates(claim, tree))(one)))()
    return count
