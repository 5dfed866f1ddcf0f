"""A counterexample judged again from its figures alone.

A search reports a model as ``"p/q"`` strings.  This module turns them back into an error and the
smallest BOS weights by plain loops over Fractions.  It shares nothing with the search: neither the
models, nor the enumeration, nor the task's own code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any


@dataclass(frozen=True)
class Replayed:
    """η, and the smallest BOS weight of the rows before and of those after the trigger."""

    error: Fraction
    bos_before: Fraction
    bos_after: Fraction


def numbers(strings: list[str]) -> list[Fraction]:
    """``"p/q"`` strings as Fractions."""
    return [Fraction(x) for x in strings]


def sequences(length: int, contents: int) -> Iterator[list[str]]:
    """Every valid input, as token names: ``b0``, then ``o1`` or ``t1`` with the content's index."""
    for j in range(3, length + 1):
        for choice in product(range(contents), repeat=length - 1):
            names = [("t" if k == j else "o") + str(c) for k, c in enumerate(choice, start=2)]
            yield ["b0", *names]


def replay(figures: Mapping[str, Any]) -> Replayed:
    """Judge the one-layer model that ``figures`` describe (see ``Model.figures``).

    Raises ``ValueError`` if a row is negative somewhere or does not sum to one.
    """
    contents = [numbers(c) for c in figures["contents"]]
    ordinary = [numbers(p) for p in figures["values of ordinary tokens"]]
    trigger = [numbers(q) for q in figures["values of triggers"]]
    value = {"b0": numbers(figures["value of BOS"])}
    token = {"b0": numbers(["1", "0", "0"] + ["0"] * figures["n"])}
    # The same content may be listed twice; it is one token, whose values are those listed first.
    first = [contents.index(c) for c in contents]
    for k, c in enumerate(contents):
        value[f"o{k}"], value[f"t{k}"] = ordinary[first[k]], trigger[first[k]]
        token[f"o{k}"] = numbers(["0", "0", "1"]) + c
        token[f"t{k}"] = numbers(["0", "1", "0"]) + c
    rows = {key: numbers(row) for key, row in figures["rows by prefix"].items()}
    error, before, after = Fraction(0), Fraction(1), Fraction(1)
    for names in sequences(figures["L"], len(contents)):
        where = next(i for i, name in enumerate(names) if name[0] == "t")
        for i, name in enumerate(names):
            seen = names[: i + 1]
            row = rows[" ".join(x[0] + str(first[int(x[1:])] if x != "b0" else 0) for x in seen)]
            if min(row) < 0 or sum(row) != 1:
                raise ValueError(f"the row of {' '.join(seen)} is not a simplex row")
            for axis in range(3 + figures["n"]):
                out = sum((a * value[x][axis] for a, x in zip(row, seen, strict=True)), Fraction(0))
                goal = Fraction(0)
                if name[0] == "t":
                    goal = sum((token[x][axis] for x in seen[1:]), Fraction(0)) / i
                error = max(error, abs(out - goal))
            if 0 < i < where:
                before = min(before, row[0])
            if i > where:
                after = min(after, row[0])
    return Replayed(error, before, after)
