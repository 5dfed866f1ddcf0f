"""Every engine finds a planted false claim, and none refutes a true one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from empirics.falsifier import planar, structure
from empirics.falsifier.candidate import Candidate
from empirics.falsifier.claim import FalsifiableClaim, named
from empirics.falsifier.closed_form import PairModels
from empirics.falsifier.gradient import rounds
from empirics.falsifier.judge import Judged, Verdict, judge
from empirics.falsifier.planar import Plane, distance, largest_mass, row_nearest, rows_for, solve
from empirics.falsifier.rationals import near, simplex_row, values_for
from empirics.falsifier.search import falsify
from empirics.falsifier.shrink import shrink
from empirics.falsifier.tree import TreeModels
from theorems.attention import Mechanism, linear
from theorems.errors import UserError

SHARP = replace(named("one_layer_sink"), lengths=(4,))
AFTER = replace(named("one_layer_sink.softmax_after").changed(mechanism="bilinear"), lengths=(4,))
TWO = ((Fraction(-1),), (Fraction(1),))

Engine = Callable[[FalsifiableClaim, int], list[Judged]]


def by_pairs(claim: FalsifiableClaim, seed: int) -> list[Judged]:
    return _round(PairModels(claim, claim.lengths[0]), claim, seed)


def by_prefixes(claim: FalsifiableClaim, seed: int) -> list[Judged]:
    return _round(TreeModels(claim, claim.lengths[0]), claim, seed)


def _round(family, claim: FalsifiableClaim, seed: int) -> list[Judged]:  # type: ignore[no-untyped-def]
    torch.set_num_threads(1)
    done = next(rounds(family, np.random.default_rng(seed), batch=256, steps=200))
    return [judge(one, claim) for one in done.candidates]


def by_programs(claim: FalsifiableClaim, seed: int) -> list[Judged]:
    one, _ = solve(Plane(claim, claim.lengths[0]), seed)
    return [] if one is None else [judge(one, claim)]


def by_structure(claim: FalsifiableClaim, seed: int) -> list[Judged]:
    found: list[Judged] = []

    def keep(one: Candidate, judged: Judged) -> None:
        found.append(judged)

    structure.search(claim, claim.lengths[0], seed, 60, keep)
    return found


CASES = [
    (by_pairs, AFTER, AFTER.changed(bound="3*eta")),
    (by_prefixes, SHARP.changed(contents=TWO), SHARP.drop("single_head")),
    (
        by_prefixes,
        replace(named("deep_sink"), lengths=(4,)),
        replace(named("deep_sink").changed(bound="eta/(kappa - eta)"), lengths=(4,)),
    ),
    (by_programs, SHARP, SHARP.changed(bound="0.95*eta/(kappa - eta)")),
    (
        by_programs,
        replace(named("anchor_needed"), lengths=(6,)),
        replace(named("anchor_needed").changed(bound="1.05*kappa"), lengths=(6,)),
    ),
    (by_structure, SHARP, SHARP.changed(bound="12*eta").drop("length_4")),
    (by_structure, SHARP, SHARP.drop("position_free")),
]


@pytest.mark.parametrize(("engine", "true", "false"), CASES)
def test_finds_the_false_and_spares_the_true(
    engine: Engine, true: FalsifiableClaim, false: FalsifiableClaim
) -> None:
    verdicts = {judged.verdict for judged in engine(true, 0)}
    assert Verdict.REFUTES not in verdicts
    assert any(j.verdict is Verdict.REFUTES for seed in range(4) for j in engine(false, seed))


@pytest.mark.parametrize("L", [4, 16])
def test_the_curve_of_theorem_one_to_two_percent_untold(L: int) -> None:
    """At fixed η < κ/2 the global search finds m within 2 % of η/(κ−η)."""
    claim = replace(SHARP, lengths=(L,))
    for share in (0.1, 0.4) if L == 4 else (0.25,):
        eta = share * float(claim.constants(L)["kappa"])
        one, _ = solve(Plane(claim, L, eta), 0)
        assert one is not None
        judged = judge(one, claim)
        assert judged.ratio is not None
        assert 0.98 < judged.ratio <= 1
        assert float(judged.eta) == pytest.approx(eta, rel=0.01)


def test_closed_forms_are_the_linear_programs() -> None:
    rng = np.random.default_rng(0)
    for _ in range(25):
        v, p, q, y = rng.normal(size=(4, 1, 2))
        eta = float(abs(v).max() * rng.uniform(1, 2))
        points = np.concatenate([v, p, q])
        w = row_nearest(points, y[0], anchor=True)
        assert distance(y[0], (v, p, q))[0] == pytest.approx(abs(w @ points - y[0]).max(), abs=1e-8)
        row = rows_for(points, eta, after=True)
        assert row is not None
        found = largest_mass(np.array([eta]), v, [p, q])[0]
        assert found == pytest.approx(1 - row[0], abs=1e-6)


def test_values_for_is_the_chebyshev_fit() -> None:
    """Two rows that disagree about one value: the middle."""
    values = values_for(np.array([[1.0], [1.0]]), np.array([[0.0, 0.0], [0.0, 1.0]]))
    assert values is not None
    assert values[0, 1] == pytest.approx(0.5)


def test_rationals() -> None:
    assert near(1 / 3) == Fraction(1, 3)
    assert near(1e-15) == 0
    assert abs(near(1e9 / 7) - Fraction(10**9, 7)) < 100
    for row in ([0.2, 0.3, 0.5], [1e-12, 1.0], [0.0, 1 / 3, 2 / 3]):
        exact = simplex_row(row)
        assert sum(exact) == 1
        assert min(exact) >= 0


def test_own_mechanism_from_python() -> None:
    """Squared scores over the count need no sink; the same search, a mechanism of one's own."""
    own = Mechanism("squared / count", lambda z: linear(z * z), simplex=False)
    claim = replace(SHARP.changed(mechanism="bilinear"), own=own)
    report = falsify(claim, budget=600_000)
    assert report.refuted
    assert report.judged is not None
    assert report.judged.verdict is Verdict.REFUTES


def test_what_no_engine_searches_is_refused() -> None:
    claim = named("mechanisms.undivided").changed(layers=2)
    with pytest.raises(UserError, match="undivided"):
        falsify(claim, budget=1000)


def test_a_bound_on_the_spread_of_weights_is_kept() -> None:
    """(L−1)/(4(L−1+e^R)) is a floor by m ≤ 4η; a floor of κ/2 is not, at e^R = 100."""
    claim = named("anchor_needed").changed(bound="(L-1)/(4*(L-1 + 100))")
    claim = replace(claim, anchor=True, mechanism="bilinear", lengths=(4,), spread=Fraction(100))
    report = falsify(claim, budget=200_000)
    assert not report.refuted
    assert report.best > 0.05
    assert falsify(claim.changed(bound="kappa/2"), budget=3_000_000, small=False).refuted


def test_planar_applies_to_planes_only() -> None:
    assert planar.applies(SHARP)
    for other in (SHARP.changed(contents=TWO), SHARP.drop("bos_row"), SHARP.drop("single_head")):
        assert not planar.applies(other)


def test_shrinking_keeps_a_counterexample_and_makes_it_simpler() -> None:
    claim = SHARP.changed(bound="0.9*eta/(kappa - eta)")
    report = falsify(claim, seed=2, small=False)
    assert report.witness is not None
    small = shrink(report.witness, claim)
    assert judge(small, claim).verdict is Verdict.REFUTES
    assert size(small) < size(report.witness)


def size(candidate: Candidate) -> int:
    """Digits of all numbers."""
    return sum(len(str(x)) for x in candidate.numbers())


def test_the_same_seed_gives_the_same_search() -> None:
    claim = AFTER.changed(bound="3*eta")
    first, second = (falsify(claim, seed=5, small=False) for _ in range(2))
    assert (first.witness, first.models) == (second.witness, second.models)
