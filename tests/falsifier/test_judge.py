"""The judge: exact, the same as the enumeration of constructions, and undecided when it must be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from constructions.enumeration import measure
from constructions.sharp_witness import sharp_witness
from empirics.falsifier.candidate import Candidate, Head, from_json, names
from empirics.falsifier.claim import FalsifiableClaim, named
from empirics.falsifier.closed_form import PairModels
from empirics.falsifier.judge import Verdict, compare, judge
from empirics.falsifier.judge import measure as measure_candidate
from empirics.falsifier.search import Report
from empirics.falsifier.tree import TreeModels
from theorems.arrays import exact
from theorems.errors import UserError
from theorems.trigger_task import TriggerTask

SHARP = named("one_layer_sink")
ONE, HALF, ZERO = Fraction(1), Fraction(1, 2), Fraction(0)
TWO = ((-ONE,), (ONE,))


def witness_candidate(L: int, eta: Fraction, epsilon: Fraction) -> Candidate:
    """The sharp witness of constructions, prefix by prefix."""
    witness, task = sharp_witness(L, eta, epsilon), TriggerTask(L, 0)
    prefix = {}
    for _, tokens in task.every_input(exact([[]])):
        rows = witness.rows(tokens)[0]
        kinds = ["b" if x[0] else "t0" if x[1] else "o0" for x in tokens[0]]
        for i in range(L):
            prefix[" ".join(kinds[: i + 1])] = tuple(rows[i, : i + 1])
    M = tuple(tuple(Fraction(x) for x in row) for row in witness.M)
    return Candidate(L, ((),), ((Head(prefix=prefix, matrix=M),),))


def test_a_model_without_error_says_nothing_of_how_tight_a_bound_is() -> None:
    """0 ≤ 0 is no attained bound."""
    for bound, m in (("eta", 0), ("2*eta/kappa", 0)):
        judged = compare(SHARP.changed(bound=bound), 4, Fraction(0), Fraction(m))
        assert (judged.verdict, judged.ratio) == (Verdict.AGREES, None)
    assert compare(SHARP, 4, Fraction(0), Fraction(1, 9)).ratio == float("inf")


@pytest.mark.parametrize("L", [4, 5, 7])
def test_it_measures_what_constructions_measure(L: int) -> None:
    eta, epsilon = Fraction(1, 40), Fraction(1, 10)
    candidate, witness = witness_candidate(L, eta, epsilon), sharp_witness(L, eta, epsilon)
    found = measure(TriggerTask(L, 0), witness.rows, witness.M, exact([[]]))
    claim = replace(SHARP, lengths=(L,))
    assert measure_candidate(candidate, claim) == (found.error, 1 - found.bos) == (eta, witness.m)
    judged = judge(candidate, claim)
    assert judged.verdict is Verdict.AGREES
    assert judged.ratio == pytest.approx(0.9)
    tight = claim.changed(bound="0.89*eta/(kappa - eta)")
    assert judge(candidate, tight).verdict is Verdict.REFUTES
    outside = replace(claim, eta_max=(claim.changed(bound="kappa/100").bound,))
    assert judge(candidate, outside).verdict is Verdict.OUTSIDE


def test_undecided_stays_undecided() -> None:
    """m = 1/3 against √(1/9): equal, and no ball can say so."""
    root = SHARP.changed(bound="(3*eta)**(1/2)")
    eta, third = Fraction(1, 27), Fraction(1, 3)
    judged = compare(root, 4, eta, third)
    assert judged.verdict is Verdict.UNDECIDED
    assert compare(root, 4, eta, third + Fraction(1, 10**6)).verdict is Verdict.REFUTES
    assert compare(root, 4, eta, third - Fraction(1, 10**6)).verdict is Verdict.AGREES
    report = Report(root, 0, 1)
    report.see(witness_candidate(4, Fraction(1, 40), HALF), judged)
    assert not report.refuted
    assert report.undecided == 1


def random_models(claim: FalsifiableClaim, L: int, count: int) -> list[tuple[Candidate, float]]:
    """Candidates with the error and mass that the float engine gives their like."""
    family = TreeModels(claim, L) if claim.mechanism in ("simplex", "softmax") else None
    models = family or PairModels(claim, L)
    parameters = models.start(np.random.default_rng(3), 3 * count)
    found = []
    for index in range(3 * count):
        one = models.candidate(parameters, index)
        assert one is not None
        _, mass = models.forward([x[..., index : index + 1] for x in parameters])
        found.append((one, max(0.0, float(mass.max()))))
    return found


@pytest.mark.parametrize(
    "claim",
    [
        SHARP.changed(mechanism=m, contents=c, heads=h, lengths=(4,))
        for m, c, h in (
            ("bilinear", TWO, 1),
            ("bilinear", ((),), 2),
            ("off_by_one", TWO, 1),
            ("relu", TWO, 2),
            ("sigmoid", ((),), 1),
            ("linear", ((),), 1),
            ("simplex", TWO, 1),
            ("softmax", ((),), 1),
            ("undivided", TWO, 1),
        )
    ],
    ids=lambda c: f"{c.mechanism}-{len(c.contents)}-{c.heads}",
)
def test_the_engines_floats_are_the_judges_masses(claim: FalsifiableClaim) -> None:
    """The same rows: the mass that a float engine sees is the exact one, to rounding."""
    for candidate, mass in random_models(claim, 4, 1):
        assert float(measure_candidate(candidate, claim)[1]) == pytest.approx(mass, abs=2e-5)


@pytest.mark.parametrize(
    ("claim", "family"),
    [
        (SHARP.changed(mechanism="bilinear", contents=TWO, heads=2, lengths=(4,)), PairModels),
        (SHARP.changed(mechanism="bilinear", contents=TWO, heads=2, lengths=(5,)), TreeModels),
        (SHARP.changed(mechanism="relu", contents=TWO, lengths=(5,)), PairModels),
        (SHARP.changed(contents=TWO, layers=2, heads=2, residual=True, lengths=(4,)), TreeModels),
        (named("deep_sink").changed(layers=3, lengths=(5,)), TreeModels),
        (SHARP.drop("position_free").changed(lengths=(4,)), TreeModels),
        (SHARP.drop("bos_row").changed(lengths=(4,), contents=TWO), TreeModels),
        (SHARP.drop("no_mlp").changed(lengths=(4,)), TreeModels),
    ],
)
def test_the_engines_errors_are_the_judges(claim: FalsifiableClaim, family: type) -> None:
    """A family's error of the rational model it hands over, recomputed from floats of its own."""
    models = family(claim, claim.lengths[0])
    parameters = models.start(np.random.default_rng(5), 6)
    for index in range(6):
        candidate = models.candidate(parameters, index)
        assert candidate is not None
        eta = float(measure_candidate(candidate, claim)[0])
        off, _ = models.forward(back(models, parameters, index, candidate))
        assert eta == pytest.approx(float(off.max()), rel=1e-4, abs=1e-4)


def back(models, parameters, index: int, candidate: Candidate):  # type: ignore[no-untyped-def]
    """The parameters of model ``index`` with the values of its candidate."""
    import torch

    one = [x[..., index : index + 1].clone() for x in parameters]
    order = names(len(candidate.contents))
    for depth, layer in enumerate(candidate.layers):
        for h, head in enumerate(layer):
            if head.matrix:
                V = np.array(head.matrix, dtype=float).T
            elif head.tokens:
                V = np.array([head.tokens[n] for n in order], dtype=float)
            else:
                V = np.array(list(head.positions.values()), dtype=float)
            where = one[1][h] if isinstance(models, PairModels) else one[1][depth, h]
            where[..., 0] = torch.tensor(V)
    return one


def good() -> Candidate:
    return witness_candidate(4, Fraction(1, 40), HALF)


def with_row(name: str, row: tuple[Fraction, ...]) -> Candidate:
    head = good().layers[0][0]
    return replace(good(), layers=((replace(head, prefix={**head.prefix, name: row}),),))


FOREIGN = {
    "another length": replace(good(), length=5),
    "other contents": replace(good(), contents=TWO),
    "two layers": replace(good(), layers=good().layers * 2),
    "two heads": replace(good(), layers=(good().layers[0] * 2,)),
    "residual": replace(good(), residual=True),
    "no BOS": replace(good(), anchor=False),
    "negative row": with_row("b o0", (Fraction(3, 2), -HALF)),
    "row of sum two": with_row("b o0", (ONE, ONE)),
    "short row": with_row("b o0", (ONE,)),
    "values by position": replace(
        good(), layers=((Head(prefix=good().layers[0][0].prefix, positions={"1 b": (ZERO,) * 3}),),)
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_models_that_the_claim_does_not_speak_of_are_refused(what: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        judge(FOREIGN[what], replace(SHARP, lengths=(4,)))


def test_softmax_claims_need_pairs_and_positive_weights() -> None:
    claim = replace(named("one_layer_sink.softmax_after"), lengths=(4,))
    with pytest.raises(UserError, match="not softmax of pairs"):
        judge(good(), claim)
    bilinear = replace(SHARP.changed(mechanism="bilinear"), lengths=(4,))
    eye = ((ZERO,) * 3,) * 3
    head = Head(bilinear=((ONE, ONE, ONE), (ONE, ZERO, ONE), (ONE, ONE, ONE)), matrix=eye)
    with pytest.raises(UserError, match="not positive"):
        judge(Candidate(4, ((),), ((head,),)), bilinear)


def test_json_round_trip_is_exact() -> None:
    assert from_json(good().as_json()) == good()
