"""Arithmetic cores: the inequality at the heart of a proof, decided by z3 for all real values.

A *core* is an implication between polynomial inequalities in finitely many real unknowns.  It is
written with sympy, so its conclusion can be the very object that a ``Statement`` prints and tests.
``prove`` refutes "hypotheses and not conclusion", in the order in which a person would argue: each
step is shown from what is known so far, and then counts as known.

A step is first tried as *linear* arithmetic, with every monomial read as an unknown of its own.
That forgets what a monomial is, so what it proves is true; products of known inequalities are
added where a step names them (``products``), as one does by hand.  Only where this fails is z3's
nonlinear procedure asked, whose answers are harder to check.

A refutation is a model: it counts after all hypotheses and the conclusion are re-evaluated at it
in exact rational arithmetic.  What z3 does not decide in time is ``undecided``, never proved.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import sympy as sp
import z3

from theorems.expressions import interpret
from theorems.smt_terms import Linear, Terms, ask

TIMEOUT_S = 10.0


class Status(StrEnum):
    """What became of a core."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """The answer to a core; ``model`` is its counterexample, replayed exactly, if refuted.

    ``linear`` and ``nonlinear`` count the inferences of a proof by the procedure that made them.
    """

    status: Status
    reason: str = ""
    model: Mapping[str, Fraction] = field(default_factory=dict)
    seconds: float = 0.0
    linear: int = 0
    nonlinear: int = 0

    def __bool__(self) -> bool:
        raise TypeError("a verdict is proved, refuted or undecided: compare its status")


@dataclass(frozen=True, eq=False)
class Show:
    """A step: ``formula`` follows from what is known (or only from the facts in ``using``).

    ``products`` are pairs of facts a ≥ 0, b ≥ 0 whose product ab ≥ 0 may be used, or of an
    equation a = 0 and a factor.  With ``assuming`` the step shows "assuming ⇒ formula".
    """

    formula: sp.Basic
    products: tuple[tuple[sp.Rel, sp.Basic | int], ...] = ()
    using: tuple[sp.Basic, ...] | None = None
    assuming: sp.Basic = sp.true


@dataclass(frozen=True, eq=False)
class Apply:
    """A step: a core that is itself proved, with its symbols replaced by the expressions ``at``."""

    lemma: Core
    at: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    assuming: sp.Basic = sp.true


@dataclass(frozen=True, eq=False)
class Core:
    """For all real values of ``symbols``: if all ``hypotheses`` hold then so does ``conclusion``.

    ``symbols`` says what each unknown stands for, ``says`` the core in words, ``hints`` are the
    intermediate steps of its proof.  ``narrow`` are extra conditions under which models are looked
    for: they make a counterexample easier to find and play no part in a proof.
    """

    name: str
    symbols: Mapping[str, str]
    hypotheses: tuple[sp.Basic, ...]
    conclusion: sp.Basic
    says: str
    hints: tuple[Show | Apply, ...] = ()
    narrow: tuple[sp.Basic, ...] = ()

    def __post_init__(self) -> None:
        names = [s.name for s in self.unknowns]
        twins = {n for n in names if names.count(n) > 1}
        if twins:
            raise ValueError(f"core {self.name}: two different symbols are called {sorted(twins)}")
        if unexplained := set(names) - set(self.symbols):
            raise ValueError(f"core {self.name}: {sorted(unexplained)} not explained")

    @property
    def unknowns(self) -> list[sp.Symbol]:
        """The symbols that occur, by name."""
        formulas = (*self.hypotheses, self.conclusion, *self.narrow)
        return sorted(set().union(*(f.free_symbols for f in formulas)), key=lambda s: s.name)

    def false(self, says: str, **changes: Any) -> Core:
        """A variant that should be refuted: some fields changed, no proof steps."""
        return replace(
            self, **{"name": f"{self.name} (false)", "says": says, "hints": ()} | changes
        )


def without(core: Core, *dropped: sp.Basic) -> tuple[sp.Basic, ...]:
    """The hypotheses of ``core`` without ``dropped``, each of which must be one of them."""
    if missing := [d for d in dropped if d not in core.hypotheses]:
        raise ValueError(f"core {core.name} has no hypothesis {missing[0]}")
    return tuple(h for h in core.hypotheses if h not in dropped)


_PROVED: weakref.WeakKeyDictionary[Core, Verdict] = weakref.WeakKeyDictionary()


def prove(core: Core, timeout_s: float = TIMEOUT_S) -> Verdict:
    """Decide ``core``; each call of the solver ends after ``timeout_s`` seconds.

    A core that was proved is not proved again.  A failed hint makes a core undecided, or refuted
    if a counterexample to the core itself is found.
    """
    if core in _PROVED:
        return _PROVED[core]
    start = time.perf_counter()
    argument = _Argument(core, timeout_s)
    gap = argument.gap()
    if gap is None:
        verdict = Verdict(
            Status.PROVED,
            seconds=time.perf_counter() - start,
            linear=argument.linear,
            nonlinear=argument.nonlinear,
        )
        _PROVED[core] = verdict
        return verdict
    model = counterexample(core, timeout_s)
    seconds = time.perf_counter() - start
    if model is None:
        return Verdict(Status.UNDECIDED, gap, seconds=seconds)
    return Verdict(Status.REFUTED, gap, model, seconds)


def counterexample(core: Core, timeout_s: float = TIMEOUT_S) -> dict[str, Fraction] | None:
    """A rational point where all hypotheses hold and the conclusion fails, exactly, or None."""
    return _point(core, (*core.hypotheses, *core.narrow), core.conclusion, timeout_s)


def inhabitant(core: Core, timeout_s: float = TIMEOUT_S) -> dict[str, Fraction] | None:
    """A rational point where all hypotheses hold, exactly: the core is not vacuous.  Or None."""
    return _point(core, (*core.hypotheses, *core.narrow), sp.false, timeout_s) or _point(
        core, core.hypotheses, sp.false, timeout_s
    )


class _Argument:
    """A core's proof on the way: what is known so far, and by which procedure it was shown."""

    def __init__(self, core: Core, timeout_s: float) -> None:
        self.core = core
        self.timeout_s = timeout_s
        self.known = [fact for h in core.hypotheses for fact in _conjuncts(h)]
        self.linear = self.nonlinear = 0

    def gap(self) -> str | None:
        """Take every step and the conclusion: None if they follow, else where it breaks."""
        for base in _denominators(self.core):
            if not self.follows(self.known, sp.Or(base > 0, base < 0)):
                return f"{self.core.name} divides by {base}, which may vanish"
        steps = (*self.core.hints, Show(self.core.conclusion))
        for number, hint in enumerate(steps, start=1):
            local = [*self.known, *_conjuncts(hint.assuming)]
            if isinstance(hint, Apply):
                gap, shown = self.apply(local, hint)
            else:
                gap, shown = self.show(local, hint), hint.formula
            if gap:
                return f"step {number} of {len(steps)} of {self.core.name}: {gap}"
            if hint.assuming != sp.true:
                shown = sp.Implies(hint.assuming, shown)
            self.known += _conjuncts(shown)
        return None

    def show(self, local: list[sp.Basic], hint: Show) -> str | None:
        """None if the step is shown from what is known in ``local``, else what is missing."""
        facts = local if hint.using is None else [*hint.using, *_conjuncts(hint.assuming)]
        multiplied = [f for pair in hint.products for f in pair if isinstance(f, sp.Rel)]
        for fact in (*facts, *multiplied):
            if not self.follows(local, fact):
                return f"{fact} is used and not known"
        products = [product(a, b) for a, b in hint.products]
        shown = self.follows([*facts, *products], hint.formula)
        return None if shown else f"{hint.formula} not shown"

    def apply(self, local: list[sp.Basic], hint: Apply) -> tuple[str | None, sp.Basic]:
        """What a lemma gives here, and None if it applies, else what is missing."""
        at = {s: sp.sympify(e) for s, e in hint.at.items()}
        shown = hint.lemma.conclusion.xreplace(at)
        status = prove(hint.lemma, self.timeout_s).status
        if status is not Status.PROVED:
            return f"lemma {hint.lemma.name} is {status}", shown
        for hypothesis in hint.lemma.hypotheses:
            instance = hypothesis.xreplace(at)
            if not self.follows(local, instance):
                return f"hypothesis {instance} of {hint.lemma.name} not shown", shown
        return None, shown

    def follows(self, facts: list[sp.Basic], goal: sp.Basic) -> bool:
        """Whether z3 shows that ``facts`` imply ``goal``: as linear arithmetic, else nonlinear."""
        if goal in facts:
            return True
        if ask(Linear(), facts, goal, self.timeout_s)[0] == z3.unsat:
            self.linear += 1
            return True
        self.nonlinear += 1
        return ask(Terms(), facts, goal, self.timeout_s)[0] == z3.unsat


def product(a: sp.Basic, b: sp.Basic) -> sp.Basic:
    """Two facts multiplied: ab ≥ 0 from a, b ≥ 0, ab > 0 from a, b > 0, ab = 0 from a = 0."""
    if isinstance(a, sp.Equality):
        factor = _slack(b) if isinstance(b, sp.Rel) else b
        return sp.Eq((a.lhs - a.rhs) * factor, 0)
    strict = all(isinstance(f, sp.StrictLessThan | sp.StrictGreaterThan) for f in (a, b))
    return (sp.Gt if strict else sp.Ge)(_slack(a) * _slack(b), 0)


def _slack(fact: sp.Basic) -> sp.Expr:
    if not isinstance(fact, sp.Gt | sp.Ge | sp.Lt | sp.Le):
        raise TypeError(f"{fact} is no inequality and cannot be multiplied")
    return fact.gts - fact.lts


def _denominators(core: Core) -> list[sp.Expr]:
    """What the core's hypotheses and conclusion divide by."""
    powers = set().union(*(f.atoms(sp.Pow) for f in (*core.hypotheses, core.conclusion)))
    return sorted({p.base for p in powers if p.exp.is_negative}, key=str)


def _conjuncts(formula: sp.Basic) -> list[sp.Basic]:
    return list(formula.args) if isinstance(formula, sp.And) else [formula]


def _point(
    core: Core, facts: tuple[sp.Basic, ...], goal: sp.Basic, timeout_s: float
) -> dict[str, Fraction] | None:
    algebra = Terms()
    answer, solver = ask(algebra, facts, goal, timeout_s)
    while answer == z3.sat:
        model = solver.model()
        values = {
            s.name: model.eval(algebra.unknown(s.name), model_completion=True)
            for s in core.unknowns
        }
        irrational = [name for name, v in values.items() if not z3.is_rational_value(v)]
        if not irrational:
            point = {name: v.as_fraction() for name, v in values.items()}
            return point if replay(core, facts, goal, point) else None
        # Ask again with a rational number near the first irrational one.
        name = irrational[0]
        solver.add(algebra.unknown(name) == values[name].approx(10))
        answer = solver.check()
    return None


def replay(
    core: Core, facts: Iterable[sp.Basic], goal: sp.Basic, values: Mapping[str, Fraction]
) -> bool:
    """Whether all ``facts`` hold and ``goal`` fails at ``values``, in exact rational arithmetic.

    Symbols that stand for whole numbers must be whole; a division by zero is no counterexample.
    """
    if any(s.is_integer and values[s.name].denominator != 1 for s in core.unknowns):
        return False
    try:
        return all(interpret(f, values) is True for f in facts) and not interpret(goal, values)
    except ZeroDivisionError:
        return False
