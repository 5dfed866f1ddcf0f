"""A counterexample as a file, and its judgement from the file alone.

The file holds the claim, the model and the figures; ``replay`` takes the first two, judges them
anew, and refuses a file whose figures are not those of its model.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from empirics.falsifier.bound import parse
from empirics.falsifier.candidate import Candidate, from_json
from empirics.falsifier.claim import NAMES, FalsifiableClaim
from empirics.falsifier.judge import Judged, Verdict, judge
from theorems.errors import UserError
from theorems.files import versions

LARGEST = 4_000_000


def claim_json(claim: FalsifiableClaim) -> dict[str, Any]:
    """The claim as plain data."""
    return {
        "name": claim.name,
        "bound": claim.bound.text,
        "kind": claim.kind,
        "mechanism": claim.mechanism if claim.own is None else f"own: {claim.own.name}",
        "layers": claim.layers,
        "heads": claim.heads,
        "residual": claim.residual,
        "lengths": list(claim.lengths),
        "contents": [[str(x) for x in c] for c in claim.contents],
        "rows": claim.rows,
        "eta_max": [b.text for b in claim.eta_max],
        "dropped": sorted(claim.dropped),
        "anchor": claim.anchor,
        "spread": None if claim.spread is None else str(claim.spread),
        "says": claim.text(),
    }


def claim_from(data: Any) -> FalsifiableClaim:
    """The claim that ``claim_json`` wrote.  Raises ``UserError`` for anything else."""
    try:
        kind, mechanism = data["kind"], data["mechanism"]
        if kind not in NAMES:
            raise ValueError(f"kind {kind!r}")
        if str(mechanism).startswith("own: "):
            raise UserError("this claim is about a mechanism of one's own: replay it from Python")
        for name in ("layers", "heads"):
            if type(data[name]) is not int:
                raise TypeError(f"{name} is not a whole number")
        if not all(type(x) is int for x in data["lengths"]):
            raise TypeError("lengths are not whole numbers")
        return FalsifiableClaim(
            name=str(data["name"]),
            bound=parse(str(data["bound"]), NAMES[kind]),
            kind=kind,
            mechanism=mechanism,
            layers=data["layers"],
            heads=data["heads"],
            residual=bool(data["residual"]),
            lengths=tuple(data["lengths"]),
            contents=tuple(tuple(Fraction(x) for x in c) for c in data["contents"]),
            rows=data["rows"],
            eta_max=tuple(parse(str(b), ("kappa", "L", "D")) for b in data["eta_max"]),
            dropped=frozenset(data["dropped"]),
            anchor=bool(data["anchor"]),
            spread=None if data["spread"] is None else Fraction(data["spread"]),
        )
    except UserError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise UserError(
            f"the claim in the file is malformed ({type(error).__name__}: {error})"
        ) from None


def figures(judged: Judged) -> dict[str, Any]:
    """Exact figures as text, and readable ones."""
    return {
        "eta": str(judged.eta),
        "m": str(judged.m),
        "bound": str(judged.bound),
        "ratio": judged.ratio,
        "verdict": str(judged.verdict),
    }


def as_json(claim: FalsifiableClaim, candidate: Candidate, judged: Judged) -> dict[str, Any]:
    """The whole file."""
    return {
        "subject": claim.name,
        "status": "refuted" if judged.verdict is Verdict.REFUTES else "not refuted",
        "claim": claim_json(claim),
        "model": candidate.as_json(),
        "figures": figures(judged),
        "versions": versions(),
    }


def read(path: Path) -> dict[str, Any]:
    """The object in the file at ``path``.  Raises ``UserError``."""
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path} has more than {LARGEST} bytes: it is no witness file")
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path} is not a JSON file: give one that falsify --out wrote") from None
    if not isinstance(data, dict) or not isinstance(data.get("figures"), dict):
        raise UserError(f"{path} is no witness file: it holds no figures")
    return data


def replay(path: Path, data: dict[str, Any]) -> tuple[FalsifiableClaim, Candidate, Judged]:
    """Judge ``data``, read from ``path``, anew.

    Raises ``UserError`` if it is no witness or says other figures than its model has.
    """
    if not {"claim", "model"} <= set(data):
        raise UserError(f"{path} is no witness file: it holds no model and claim")
    claim, candidate = claim_from(data["claim"]), from_json(data["model"])
    try:
        judged = judge(candidate, claim)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    except (KeyError, IndexError, ValueError, ZeroDivisionError) as error:
        raise UserError(f"{path}: its model cannot be run ({error})") from None
    said = data["figures"]
    for name in ("eta", "m", "verdict"):
        if said.get(name) != figures(judged)[name]:
            raise UserError(
                f"{path}: the file says {name} = {str(said.get(name))[:40]}, but its model has "
                f"{figures(judged)[name][:40]}: the file was changed"
            )
    return claim, candidate, judged
