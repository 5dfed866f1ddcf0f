"""From records to an outcome: what a search must show before it counts as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from empirics.search.engine import Record
from theorems.evidence import Outcome, check

SHARE = 0.5
"""The least share of the examples to which a statement's hypotheses must apply."""
NEAR = Fraction(3, 4)
"""How much of a sharp bound a search must come to: what a constant 30 % off could not hide."""


def outcome(
    records: Mapping[str, Record],
    statement: str,
    planted: tuple[str, ...],
    *,
    share: float = SHARE,
    reach: Fraction | None = None,
) -> Outcome:
    """Passed when the statement survived, applied often enough, and every planted one fell.

    ``planted`` names the false statements that the same examples must refute (at least one).
    ``reach`` is the least ratio to the bound that the search must have come to.  A true statement's
    violation is reported with its exact witness.
    """
    record = records[statement]
    if record.witness is not None:
        return check(
            False, f"REFUTED after {record.tries} tries", counterexample=dict(record.witness)
        )
    fallen = [name for name in planted if records[name].witness is not None]
    enough = record.applied > 0 and record.share >= share
    climbed = reach is None or (record.best is not None and record.best >= reach)
    passed = bool(planted) and len(fallen) == len(planted) and enough and climbed
    parts = [f"no counterexample in {record.tries} tries, {record.share:.0%} within the hypotheses"]
    if not enough:
        parts.append(f"too few: {share:.0%} are needed")
    if record.undecided:
        parts.append(f"{record.undecided} undecided")
    if record.best is not None:
        parts.append(f"best {float(record.best):.4f} of the bound")
    if not climbed:
        parts.append(f"which is below {float(reach or 0):.2f}: the search did not climb")
    parts.append(f"{len(fallen)} of {len(planted)} planted falsehoods found")
    return check(
        passed,
        "; ".join(parts),
        tries=record.tries,
        applied=record.applied,
        best=str(record.best) if record.best is not None else None,
        best_at=_text(record.best_figures),
        families=dict(record.families),
        planted={name: _text(records[name].witness or {}) for name in planted},
    )


def _text(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures without their longest part: a planted falsehood needs no witness to be replayed."""
    return {key: value for key, value in figures.items() if key != "rows by prefix"}
