"""A claim: one thing that is said about attention sinks, with the statements that make it exact."""

from __future__ import annotations

from dataclasses import dataclass

from theorems.statement import Statement


@dataclass(frozen=True)
class Claim:
    """``id`` is the name of its home module; ``papers`` the ids of the papers' claims it answers.

    The first statement is the claim's own: its evidence decides the claim's status.  An empirical
    claim has no statement; it is judged by what was trained or measured.
    """

    id: str
    title: str
    papers: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()

    def statement(self, name: str) -> Statement:
        """The statement called ``name``.  Raises ``KeyError`` listing the names there are."""
        for s in self.statements:
            if s.name == name:
                return s
        raise KeyError(f"{self.id} has no statement {name!r}: {[s.name for s in self.statements]}")
