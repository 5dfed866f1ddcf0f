"""Any L: bounds by counts, worst inputs by single rows, and checks that grow no faster."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from empirics.certificates import checker
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness, bound
from empirics.certificates.check_command import verified
from empirics.certificates.checker.softmax import largest_of
from empirics.certificates.command import certify_command
from empirics.certificates.judge import judge
from empirics.certificates.row_judge import judge_row, place
from empirics.certificates.softmax_bounds import ONE_BY_ONE, positions
from empirics.certificates.vertices import undominated
from empirics.training.threads import limited_threads
from tests.certificates.model_files import matrices, save
from tests.certificates.test_checker import put, resealed
from tests.certificates.test_soundness import random_head
from theorems.sources import ROOT


@pytest.mark.parametrize("attention", ["softmax", "relu"])
def test_a_trained_model_is_certified_at_1024_and_checked_within_seconds(attention: str, capsys):
    path = ROOT / f"results/certificates/one_layer_{attention}/seed-0.safetensors"
    start = time.process_time()
    content = certify_command(path, length=1024, as_json=True)
    assert verified(content, path)
    assert time.process_time() - start < 30
    figures, found = content["figures"], content["figures"]["witness"]
    mass = max(Fraction(x) for side in figures["mass_at_most"].values() for x in side.values())
    error = max(Fraction(x) for x in figures["error_at_most"].values())
    assert error <= 3 * Fraction(found["error"]["at_least"])
    if attention == "softmax":
        assert mass <= Fraction(3, 2) * Fraction(found["mass"]["at_least"]) < 1
        assert found["mass"]["position"] == 1024
    else:
        assert mass == 0
    assert "positions up to 32" in content["settings"]["worst_inputs"]


@pytest.mark.parametrize("attention", ["softmax", "relu"])
def test_very_long_sequences_are_bounded_and_the_missing_search_is_stated(
    attention: str, tmp_path: Path, capsys
):
    path = save(tmp_path / "m.safetensors", matrices(2, attention), {"layout": "ours"})
    content = certify_command(path, attention=attention, length=10**7, as_json=True)
    assert "not searched beyond" in content["settings"]["worst_inputs"]
    assert verified(content, path)
    for side in ("before", "after"):
        for position, said in content["figures"]["mass_at_most"][side].items():
            where = ("figures", "mass_at_most", side, position)
            lower = Fraction(said) * Fraction(99, 100)
            if lower > 0 and int(position) > ONE_BY_ONE:
                with pytest.raises(checker.Rejected):
                    verified(resealed(put(content, where, str(lower))), path)
        last = ("figures", "mass_at_most", side)
        shorter = {k: v for k, v in content["figures"]["mass_at_most"][side].items() if len(k) < 5}
        with pytest.raises(checker.Rejected, match="every position"):
            verified(resealed(put(content, last, shorter)), path)


def test_a_bound_on_relus_weight_holds_at_the_first_of_its_positions(tmp_path: Path, capsys):
    """BOS weights fall with the position: leaving one out asks more of the next."""
    tensors = matrices(2, "relu")
    tensors["W_K"][2, 0] = 1.0
    path = save(tmp_path / "m.safetensors", tensors, {"layout": "ours"})
    content = certify_command(path, attention="relu", length=6, as_json=True)
    assert verified(content, path)
    fewer = {k: v for k, v in content["figures"]["mass_at_most"]["before"].items() if k != "2"}
    where = ("figures", "mass_at_most", "before")
    with pytest.raises(checker.Rejected, match="BOS weight at 3"):
        verified(resealed(put(content, where, fewer)), path)
    most = content["figures"]["mass_at_most"]["before"]["2"]
    assert verified(resealed(put(content, where, {**fewer, "3": most})), path)


def test_shared_bounds_are_those_of_every_position():
    head = random_head(2, 5)
    for attention in ("softmax", "relu"):
        long, longer = (bound(head, attention, L) for L in (ONE_BY_ONE, 3 * ONE_BY_ONE))
        for i in (4, 17, ONE_BY_ONE - 1):
            assert long.before[i] == longer.before[i]
            assert long.after[i] == longer.after[i]
    for first, last in ((2, 5), (4, ONE_BY_ONE), (2, ONE_BY_ONE + 1), (4, 10**6)):
        found = positions(first, last)
        assert found[0][0] == first
        assert found[-1][1] == last
        assert all(b[0] == a[1] + 1 for a, b in pairwise(found))


@pytest.mark.parametrize("attention", ["softmax", "relu"])
@pytest.mark.parametrize("n", [0, 2])
def test_a_row_is_judged_as_the_whole_is(attention: str, n: int):
    head = random_head(n, 7)
    given = Attacker(head, attention, 7).sample("error", 3).given
    whole = judge(head, attention, given)
    for i in range(1, 8):
        row = judge_row(head, attention, given, i)
        assert (row.error_low <= whole.error_high[i - 1]).all()
        assert (whole.error_low[i - 1] <= row.error_high).all()
        assert row.bos_low <= whole.bos_high[i - 1]
        assert whole.bos_low[i - 1] <= row.bos_high
    assert (
        whole.error_low.max()
        <= judge_row(
            head, attention, given, place(head, attention, "error", given)
        ).error_high.max()
    )


def test_the_last_row_of_a_long_input_is_the_worst_of_short_ones_too():
    head = random_head(3, 11, size=16)
    with limited_threads(1):
        found = Attacker(head, "softmax", 40).worst_mass()
    assert found.position == 40
    said = as_witness(head, "softmax", "mass", found.given, found.position)
    assert abs(float(Fraction(said["at_least"])) - found.value) < 1e-5
    assert Fraction(said["at_least"]) <= bound(head, "softmax", 40).mass


def test_what_is_dominated_is_left_out_and_nothing_else():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 6, (200, 3))
    kept = set(zip(*undominated(*rows.T.astype(float)), strict=True))
    assert kept == set(largest_of([tuple(map(int, r)) for r in rows]))
    for row in rows:
        assert any(all(x <= y for x, y in zip(row, k, strict=True)) for k in kept)
    for a in kept:
        assert not any(a != b and all(x <= y for x, y in zip(a, b, strict=True)) for b in kept)
