"""Evidence: what was checked for a claim, how, and what that kind of check trusts.

A function becomes evidence where it is written, by a decorator::

    @evidence("relu_no_sink", kind="exact")
    def zero_error_for_small_sizes(run: Run) -> Outcome:
        "The ReLU solution has error exactly 0 for every L <= 8, n <= 3."
        ...
        return check(worst == 0, f"error {worst} over {count} inputs", inputs=count)

The same function is a row of ``sinkproof verify``, a test of ``pytest`` and an entry of the ledger.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

ROOMS = ("theorems", "constructions", "empirics")
"""The packages that may declare evidence; import goes one way, left to right."""


class Kind(StrEnum):
    """What a piece of evidence rests on, strongest first."""

    KERNEL = "kernel"  # Coq's kernel and the axioms it lists
    SMT = "smt"  # z3 on an arithmetic core
    EXACT = "exact"  # rational arithmetic on stated inputs
    CERTIFIED = "certified"  # ball arithmetic, rounded outward
    SEARCHED = "searched"  # no counterexample in N tries, and planted false variants found
    TRAINED = "trained"  # models trained here, from seeds
    MEASURED = "measured"  # models trained elsewhere


class Mode(StrEnum):
    """How much to run; each includes the ones before it."""

    QUICK = "quick"
    STANDARD = "standard"
    FULL = "full"

    @property
    def rank(self) -> int:
        return list(Mode).index(self)


class Finding(StrEnum):
    """What training or measuring says about an empirical claim."""

    REPRODUCED = "reproduced"
    SMALL_SCALE = "reproduced at small scale"
    NOT_REPRODUCED = "not reproduced"
    INCONCLUSIVE = "inconclusive"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Run:
    """How an evidence function is being run: its mode, seed and where it reports progress."""

    mode: Mode = Mode.QUICK
    seed: int = 0
    progress: Callable[[float, str], None] = lambda share, note: None

    def scale(self, quick: int, standard: int | None = None, full: int | None = None) -> int:
        """A size by mode; a mode without its own size takes that of the mode before it."""
        standard = quick if standard is None else standard
        full = standard if full is None else full
        return {Mode.QUICK: quick, Mode.STANDARD: standard, Mode.FULL: full}[self.mode]


@dataclass(frozen=True)
class Outcome:
    """The result of one run.  ``status`` is passed, failed or not-run; never empty-handed."""

    status: str
    figure: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    finding: Finding | None = None
    seconds: float = 0.0


class NotRun(Exception):  # noqa: N818 (a verdict, not a fault)
    """Raised by evidence that cannot run here; the message says what is missing."""


def check(holds: object, figure: str, *, finding: Finding | None = None, **figures: Any) -> Outcome:
    """Passed when ``holds`` is true, failed when it is false, with the figure either way.

    Raises ``TypeError`` for anything but a truth value: a list of verdicts is not a verdict.
    """
    if type(holds).__name__ not in ("bool", "bool_"):
        raise TypeError(f"check needs True or False, not {type(holds).__name__}")
    return Outcome("passed" if holds else "failed", figure, figures, finding)


@dataclass(frozen=True)
class Evidence:
    """A declared piece of evidence: which claim and statement it is for, and its function."""

    claim: str
    kind: Kind
    statement: str
    mode: Mode
    function: Callable[[Run], Outcome]
    files: tuple[str, ...] = ()
    settles: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def id(self) -> str:
        """``claim/kind/name``: unique, and the name of its test."""
        return f"{self.claim}/{self.kind}/{self.name}"

    @property
    def module(self) -> str:
        return self.function.__module__

    @property
    def says(self) -> str:
        """The first line of its docstring: what passing means."""
        return (self.function.__doc__ or "").strip().splitlines()[0]

    def collect(self, run: Run) -> Outcome:
        """Run it.  An exception is a failure with its message, ``NotRun`` is not-run."""
        start = time.perf_counter()
        try:
            outcome = self.function(run)
            if not isinstance(outcome, Outcome):
                raise TypeError(f"returned {type(outcome).__name__}, not an outcome")
        except NotRun as reason:
            outcome = Outcome("not-run", str(reason))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            outcome = Outcome(
                "failed",
                f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})",
            )
        return replace(outcome, seconds=time.perf_counter() - start)


_DECLARED: dict[str, Evidence] = {}


def evidence(
    claim: str,
    *,
    kind: str,
    statement: str | None = None,
    mode: str = "quick",
    files: tuple[str, ...] = (),
    settles: bool = False,
) -> Callable[[Callable[[Run], Outcome]], Callable[[Run], Outcome]]:
    """Declare the decorated function as evidence for ``claim``.

    ``statement`` names the statement of the claim that it supports (default: the claim's own).
    ``mode`` is the smallest mode in which it runs.  ``files`` are patterns, from the project's
    root, of what it rests on beyond the Python modules that it imports (proofs, results).
    With ``settles``, passing gives the statement the status of its kind: a proof of the statement
    itself, the explicit network that a constructive statement speaks of, the bound that an
    empirical claim asks for.  Witnesses, examples, attained bounds and searches settle nothing.
    Raises ``ValueError`` on a second declaration of the same id or a missing docstring.
    """

    def declare(function: Callable[[Run], Outcome]) -> Callable[[Run], Outcome]:
        item = Evidence(claim, Kind(kind), statement or claim, Mode(mode), function, files, settles)
        if not (function.__doc__ or "").strip():
            raise ValueError(f"evidence {item.id} needs a docstring that says what passing means")
        known = _DECLARED.get(item.id)
        if known:
            raise ValueError(f"evidence {item.id} is declared in {known.module} and {item.module}")
        _DECLARED[item.id] = item
        return function

    return declare


def discover(rooms: tuple[str, ...] = ROOMS) -> list[Evidence]:
    """Import every module of ``rooms`` and return what they declare, in the order of ids."""
    for room in rooms:
        package = importlib.import_module(room)
        for found in pkgutil.walk_packages(package.__path__, prefix=f"{room}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    return [_DECLARED[key] for key in sorted(_DECLARED)]
