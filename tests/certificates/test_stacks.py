"""Stacks: bounds hold of planted and random stacks, and the checker finds the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from constructions.directions import identity_off_bos, matrix
from empirics.certificates import checker, stack_bounds
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness
from empirics.certificates.check_command import verified
from empirics.certificates.command import certify_command
from empirics.certificates.forms import Head, from_matrices
from tests.certificates.model_files import save
from tests.certificates.test_checker import get, leaves, put, resealed
from tests.certificates.test_soundness import random_head
from theorems.trigger_task import BOS, ORDINARY, TRIGGER


def planted(n: int, K: int = 6, deviation: Fraction = Fraction(0)) -> list[Head]:
    """Layer 1 sinks and averages, keeping BOS; in layer 2 BOS-like states see each other only."""
    width = n + 3
    first = matrix(width, {(ORDINARY, BOS): K, (TRIGGER, BOS): -30})
    keep = identity_off_bos(width) + matrix(width, {(BOS, BOS): 1})
    apart = {(ORDINARY, BOS): -30, (TRIGGER, BOS): -30}
    apart |= {(BOS, ORDINARY): -30, (BOS, TRIGGER): -30}
    scale = identity_off_bos(width) * (1 + deviation)
    return [from_matrices(first, keep), from_matrices(matrix(width, apart), scale)]


def leaky(n: int, *, own: int = -30, others: int = -30) -> list[Head]:
    """Layer 2 separates BOS-like states from the trigger's less well: e^own, e^others."""
    width = n + 3
    first, second = planted(n)
    apart = {(ORDINARY, BOS): own, (TRIGGER, BOS): own}
    apart |= {(BOS, ORDINARY): others, (BOS, TRIGGER): others}
    return [first, from_matrices(matrix(width, apart), np.array(second.M, dtype=object))]


def reached(heads: list[Head], length: int, seed: int = 0) -> Fraction:
    given = Attacker(heads, "softmax", length, seed).worst("error").given
    return Fraction(as_witness(heads, "softmax", "error", given)["at_least"])


@pytest.mark.parametrize("n", [0, 2])
@pytest.mark.parametrize("length", [4, 6])
def test_planted_stacks_are_bounded_within_a_small_factor(n: int, length: int):
    for heads in (planted(n), planted(n, 9, Fraction(1, 20))):
        found = stack_bounds.bounds(heads, length)
        worst = reached(heads, length)
        assert worst <= found.eta < Fraction(5, 2) * worst
        assert not found.vacuous


@pytest.mark.parametrize("n", [0, 1])
def test_what_leaks_in_the_second_layer_is_in_the_bound(n: int):
    for heads in (leaky(n, own=-4), leaky(n, others=-4), leaky(n, others=-1)):
        found = stack_bounds.bounds(heads, 5)
        assert reached(heads, 5) <= found.eta
    # far above what the first layer alone leaves, 4e^-6
    assert reached(leaky(n, own=-4), 5) > Fraction(1, 50)
    assert reached(leaky(n, others=-1), 5) > Fraction(1, 20)


def test_off_the_trigger_the_first_layer_counts_exactly():
    length, n = 5, 1
    S = 4 * float(np.exp(-6))
    found = stack_bounds.bounds(planted(n), length)
    assert 0 <= float(found.mass[0]) - S / (1 + S) < 1e-6
    assert found.composed < Fraction(11, 10) * found.mass[0]


@pytest.mark.parametrize("seed", range(12))
def test_attacks_never_beat_the_bounds_of_random_stacks(seed: int):
    size = 8 << seed % 3
    heads = [random_head(seed % 3, seed, size=size), random_head(seed % 3, seed + 99, size=size)]
    heads += [random_head(seed % 3, seed + 999, size=size)] if seed % 4 == 0 else []
    found = stack_bounds.bounds(heads, 4 + seed % 3)
    assert reached(heads, 4 + seed % 3, seed) <= found.eta
    if seed % 3 == 0:  # planted stacks with random content: not vacuous
        mild = [
            Head(
                [
                    [x + y / 64 for x, y in zip(r, s, strict=True)]
                    for r, s in zip(p.A, q.A, strict=True)
                ],
                p.M,
            )
            for p, q in zip(planted(seed % 3), heads, strict=False)
        ]
        bound = stack_bounds.bounds(mild, 5)
        assert reached(mild, 5, seed) <= bound.eta < 1


def test_split_encloses_the_logits_of_mixtures():
    rng = np.random.default_rng(0)
    head = random_head(2, 3)
    E = np.array(head.A, dtype=object)
    split = stack_bounds.Split.of(E)
    with stack_bounds.precision(96):
        mixed = stack_bounds.Mixtures(*(stack_bounds.arb(x) / 4 for x in (1, 1, 2, 0)))
        ball = split(mixed.ordinary(2), mixed.trigger(2))
        for _ in range(200):
            off, bos = rng.uniform(0, 0.25, 2)
            part = rng.uniform(0, off)
            x = np.array([1 - off, part, off - part, *rng.uniform(-off, off, 2)])
            y = np.array([bos, 0.5, 0.5 - bos, *rng.uniform(-1, 1, 2)])
            assert ball.contains(stack_bounds.arb(float(x @ E.astype(float) @ y)))


@pytest.fixture
def made(tmp_path: Path, capsys) -> tuple[dict, Path]:
    tensors = {}
    for layer, head in enumerate(planted(2)):
        A, M = (torch.tensor([[float(x) for x in row] for row in m]) for m in (head.A, head.M))
        A = A + torch.randn(A.shape, generator=torch.Generator().manual_seed(layer)) / 32
        named = {"W_Q": torch.eye(5), "W_K": A, "W_V": M, "W_O": torch.eye(5)}
        tensors |= {f"layers.{layer}.{name}.weight": w for name, w in named.items()}
    path = save(tmp_path / "m.safetensors", tensors, {"layout": "ours", "length": "6"})
    return certify_command(path, as_json=True), path


def test_certificates_are_checked_and_changed_ones_rejected(made):
    content, path = made
    assert "error ≤" in verified(content, path)
    assert content["figures"]["vacuous"] is False
    bounds = [w for w in leaves(content["figures"], ("figures",)) if w[1].endswith("_at_most")]
    for where in bounds:
        bound = Fraction(get(content, where))
        if bound > 0:  # the check's own bounds may be a little lower
            with pytest.raises(checker.Rejected):
                verified(resealed(put(content, where, str(bound / 2))), path)
    more = ("figures", "witness", "error", "at_least")
    for layer, one in enumerate(content["figures"]["witness"]["mass"]):
        least, most = Fraction(one["at_least"]), content["figures"]["mass_at_most"][layer]
        assert 0 < least <= Fraction(most)
        where = ("figures", "witness", "mass", layer, "at_least")
        with pytest.raises(checker.Rejected, match="mass that its input reaches"):
            verified(resealed(put(content, where, str(least * Fraction(10001, 10000)))), path)
    for where, value in (
        (more, "2"),
        (("figures", "vacuous"), True),
        (("figures", "hints"), []),
        (("figures", "witness", "mass"), []),
    ):
        with pytest.raises(checker.Rejected):
            verified(resealed(put(content, where, value)), path)
