"""Searched evidence from the falsifier: a theorem stands where its false neighbour falls."""

from __future__ import annotations

from dataclasses import replace

from empirics.falsifier.claim import BILINEAR, FalsifiableClaim, named
from empirics.falsifier.search import Report, falsify
from theorems.evidence import Outcome, Run, check, evidence

PLANTED_BUDGET = 3_000_000


def stands(true: FalsifiableClaim, planted: FalsifiableClaim, run: Run, near: float) -> Outcome:
    """Passed when ``true`` survives its budget at a ratio of at least ``near`` and ``planted``
    is refuted."""
    budget = run.scale(40_000, 120_000, 2_000_000)
    report = falsify(true, seed=run.seed, budget=budget)
    if report.refuted:
        return check(False, f"REFUTED: {report.as_json()['figures']}", witness=report.as_json())
    fallen = falsify(planted, seed=run.seed, budget=PLANTED_BUDGET, small=False)
    return check(
        fallen.refuted and report.best >= near,
        f"no counterexample in {report.models} models, best {report.best:.4f} of the bound"
        f"{'' if report.best >= near else f', below {near}'}; {planted.bound} "
        f"{'refuted' if fallen.refuted else 'NOT refuted'} after {fallen.models}",
        models=report.models,
        best=report.best,
        best_at=_figures(report),
        planted=fallen.models,
    )


def _figures(report: Report) -> dict[str, str]:
    at = report.best_at
    return {} if at is None else {"eta": str(at.eta), "m": str(at.m)}


@evidence("one_layer_sink", kind="searched")
def falsifier_on_simplex_rows(run: Run) -> Outcome:
    """The falsifier comes within 5 % of η/(κ−η) and not above; a bound 5 % lower falls."""
    claim = replace(named("one_layer_sink"), lengths=(4,))
    return stands(claim, claim.changed(bound="0.95*eta/(kappa - eta)"), run, 0.95)


@evidence("one_layer_sink", kind="searched", statement="one_layer_sink.softmax_after")
def falsifier_on_bilinear_softmax(run: Run) -> Outcome:
    """Gradient search over bilinear softmax stays below 4η; 3.8η falls."""
    claim = replace(named("one_layer_sink.softmax_after").changed(mechanism=BILINEAR), lengths=(4,))
    return stands(claim, claim.changed(bound="3.8*eta"), run, 0.9)


@evidence("deep_sink", kind="searched")
def falsifier_on_stacks(run: Run) -> Outcome:
    """Gradient search over stacks of two layers stays below the rate; 0.7η in its place falls."""
    claim = replace(named("deep_sink"), lengths=(4,))
    return stands(claim, claim.changed(bound="(0.7*eta/(kappa - eta))**(1/D)"), run, 0.75)


@evidence("anchor_needed", kind="searched")
def falsifier_without_bos(run: Run) -> Outcome:
    """Without BOS the least error found is κ to 1 %; a floor of 1.05κ falls."""
    claim = replace(named("anchor_needed"), lengths=(4,))
    return stands(claim, claim.changed(bound="1.05*kappa"), run, 0.99)


@evidence("mechanisms", kind="searched", statement="mechanisms.undivided")
def falsifier_on_undivided_scores(run: Run) -> Outcome:
    """Undivided scores stay above 1/48 at L = 5, to 1 %; a floor 5 % higher falls."""
    claim = replace(named("mechanisms.undivided"), lengths=(5,))
    return stands(claim, claim.changed(bound=f"1.05*({claim.bound})"), run, 0.99)
