"""A counterexample made small: fewer heads and layers, simple rationals, and still one.

Every step is judged exactly and kept only if the claim stays refuted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from empirics.falsifier.candidate import Candidate, Head, Table
from empirics.falsifier.claim import FalsifiableClaim
from empirics.falsifier.judge import Verdict, judge

DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 1024, 4096, 10**5, 10**6)
TRIES = 250
"""Judgements that shrinking may take."""


def shrink(candidate: Candidate, claim: FalsifiableClaim, tries: int = TRIES) -> Candidate:
    """A simpler counterexample to ``claim``; ``candidate`` must be one."""
    left = tries

    def holds(smaller: Candidate) -> bool:
        nonlocal left
        left -= 1
        try:
            return judge(smaller, claim).verdict is Verdict.REFUTES
        except (ValueError, ZeroDivisionError):
            return False  # no longer one of the models that the claim is about

    for smaller in fewer_parts(candidate):
        if holds(smaller):
            candidate = smaller
    for d in DENOMINATORS:
        coarse = rounded(candidate, d)
        if holds(coarse):
            candidate = coarse
            break
    numbers = sorted(set(candidate.numbers()), key=lambda x: -x.denominator)
    for x in numbers:
        for d in DENOMINATORS:
            if left <= 0:
                return candidate
            y = x.limit_denominator(d)
            if d >= x.denominator:
                break
            simpler = replaced(candidate, x, y)
            if holds(simpler):
                candidate = simpler
                break
    return candidate


def fewer_parts(candidate: Candidate) -> Iterator[Candidate]:
    """The candidate without one of its layers, or one of its heads."""
    layers = candidate.layers
    for k in range(len(layers)):
        if len(layers) > 1:
            yield replace(candidate, layers=layers[:k] + layers[k + 1 :])
    for k, layer in enumerate(layers):
        for h in range(len(layer)):
            if len(layer) > 1:
                fewer = (*layers[:k], layer[:h] + layer[h + 1 :], *layers[k + 1 :])
                yield replace(candidate, layers=fewer)


def rounded(candidate: Candidate, denominator: int) -> Candidate:
    """Every number with a denominator of at most this; rows that summed to one still do."""
    return _mended(candidate.mapped(lambda x: x.limit_denominator(denominator)), candidate)


def replaced(candidate: Candidate, x: Fraction, y: Fraction) -> Candidate:
    """``x`` replaced by ``y`` wherever it stands."""
    return _mended(candidate.mapped(lambda z: y if z == x else z), candidate)


def _mended(new: Candidate, old: Candidate) -> Candidate:
    layers = tuple(
        tuple(_mended_head(a, b) for a, b in zip(layer, before, strict=True))
        for layer, before in zip(new.layers, old.layers, strict=True)
    )
    return replace(new, layers=layers)


def _mended_head(new: Head, old: Head) -> Head:
    prefix: Table = {
        name: _summing(row) if sum(old.prefix[name]) == 1 else row
        for name, row in new.prefix.items()
    }
    return replace(new, prefix=prefix)


def _summing(row: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The row with its largest entry moved so that the sum is one."""
    k = max(range(len(row)), key=lambda i: row[i])
    return (*row[:k], row[k] + 1 - sum(row), *row[k + 1 :])
