"""One search: draw models, judge each exactly, climb toward the bounds, keep what was found.

A search is a Hypothesis property run from the inside.  Every example is put to a *panel* of
statements: true ones, whose first violation ends the search and is shrunk, and planted false ones
(a constant 30 % too small), which the same examples must refute.  A search counts the tries to
which a statement's hypotheses applied; one that never applies has tested nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, target
from hypothesis.strategies import SearchStrategy

ROUND = 150
"""Tries before the climb starts afresh: a hill climber needs restarts."""


@dataclass(frozen=True)
class Verdict:
    """What the judge says of one example and one statement.

    ``applies``: the hypotheses hold.  ``holds``: the implication holds.  ``ratio``: how much of the
    bound is reached (1 is equality, above 1 a violation), ``None`` where there is none.
    ``undecided``: balls overlap, so the example says nothing; it does not count as applying.
    """

    applies: bool
    holds: bool
    ratio: Fraction | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    planted: bool = False
    undecided: bool = False


Panel = Mapping[str, Verdict]
"""The verdicts on one example, by name of the statement."""


@dataclass
class Record:
    """What a search found about one statement; ``witness`` refutes it, in exact figures."""

    planted: bool = False
    tries: int = 0
    applied: int = 0
    undecided: int = 0
    best: Fraction | None = None
    best_figures: Mapping[str, Any] = field(default_factory=dict)
    witness: Mapping[str, Any] | None = None
    families: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of the examples to which the hypotheses applied."""
        return self.applied / self.tries if self.tries else 0.0

    def add(self, verdict: Verdict, family: str) -> None:
        """Count one example."""
        self.tries += 1
        self.families[family] += 1
        self.undecided += verdict.undecided
        if verdict.applies:
            self.applied += 1
            if verdict.ratio is not None and (self.best is None or verdict.ratio > self.best):
                self.best = verdict.ratio
                self.best_figures = {**verdict.figures, "family": family}


class _RefutedError(AssertionError):
    """A true statement failed on the example at hand."""


def search(
    examples: SearchStrategy[Any] | Sequence[SearchStrategy[Any]],
    judge: Callable[[Any], Panel],
    *,
    tries: int,
    start: int = 0,
    climb: tuple[str, ...] = (),
) -> dict[str, Record]:
    """Put ``tries`` examples to the panel; the same ``start`` gives the same examples.

    Several strategies take turns, a round each, so that every family is climbed from itself.

    ``climb`` names the statements whose ratios to climb on (default: all).  Stops early only when a
    statement that is not planted is violated; its record then carries the shrunk witness.
    """
    records: dict[str, Record] = {}
    turns = examples if isinstance(examples, Sequence) else [examples]

    def implication(example: Any) -> None:
        family = getattr(example, "family", "")
        refuted = False
        for name, verdict in judge(example).items():
            record = records.setdefault(name, Record(verdict.planted))
            record.add(verdict, family)
            wanted = not climb or name in climb
            if verdict.applies and verdict.ratio is not None and wanted:
                # Families climb apart, so that a good one does not starve the others.
                target(float(verdict.ratio), label=f"{name}: {family}")
            if not verdict.holds and (record.witness is None or not verdict.planted):
                record.witness = {**verdict.figures, **_figures(example)}
            refuted = refuted or not (verdict.holds or verdict.planted)
        if refuted:
            raise _RefutedError

    size = -(-tries // max(len(turns), -(-tries // ROUND)))
    for number, begun in enumerate(range(0, tries, size)):
        configured = settings(
            max_examples=min(size, tries - begun),
            deadline=None,
            database=None,
            derandomize=False,
            phases=[Phase.generate, Phase.target, Phase.shrink],
            print_blob=False,
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
            # Exact enumeration is slow by nature; every other health check stays on.
            suppress_health_check=[HealthCheck.too_slow],
        )
        with suppress(_RefutedError):
            drawn = given(turns[number % len(turns)])(implication)
            seed(1000 * start + number)(configured(drawn))()
        if any(r.witness and not r.planted for r in records.values()):
            break
    return records


def _figures(example: Any) -> Mapping[str, Any]:
    return example.figures() if hasattr(example, "figures") else {"example": repr(example)}
