"""Several heads and residual streams: boxes hold, and the checker finds the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch
from flint import arb

from constructions.balls import balls, ends
from empirics.certificates import box_bounds, checker
from empirics.certificates.box_attack import BoxAttacker, witnesses
from empirics.certificates.check_command import verified
from empirics.certificates.checker import boxes, walk
from empirics.certificates.command import certify_command
from empirics.certificates.forms import Head
from tests.certificates.model_files import save
from tests.certificates.test_checker import put, resealed
from tests.certificates.test_soundness import random_head
from theorems.attention import MECHANISMS, attend, bilinear_logits
from theorems.trigger_task import TriggerTask


def stack(seed: int, *, heads: int, layers: int, n: int, size: int = 64) -> list[list[Head]]:
    """Random heads whose ordinary queries turn to BOS, the less so the smaller ``size``."""
    found = []
    for layer in range(layers):
        row = []
        for h in range(heads):
            head = random_head(n, 100 * seed + 10 * layer + h, size=size)
            head.A[2][0] += 5
            row.append(Head(head.A, [[x / (4 if size > 8 else 1) for x in r] for r in head.M]))
        found.append(row)
    return found


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("size", [64, 4, 1])
@pytest.mark.parametrize("seed", range(3))
def test_no_random_input_beats_a_box(seed: int, size: int, residual: bool):
    n, length = seed % 3, 4 + seed % 2
    layers = stack(seed, heads=2, layers=2, n=n, size=size)
    found = box_bounds.bounds(layers, length, residual=residual)
    assert size < 64 or max(found.mass[0]) < Fraction(1, 2)
    task, rng = TriggerTask(length, n), np.random.default_rng(seed)
    for _ in range(60):
        # vertices and centres, where functions of the contents are extreme
        contents = np.array(
            [arb(int(x)) for x in rng.integers(-1, 2, (length - 1) * n)], dtype=object
        )
        j = int(rng.integers(3, length + 1))
        if n:
            tokens = task.tokens(contents.reshape(length - 1, n), j)
        else:
            kinds = [0] + [1 if i == j else 2 for i in range(2, length + 1)]
            tokens = np.eye(3, dtype=int)[kinds].astype(object) * arb(1)
        state = tokens
        for index, layer in enumerate(layers):
            update = 0 * state
            for h, head in enumerate(layer):
                A, M = (balls(np.array(m, dtype=object)) for m in (head.A, head.M))
                rows = MECHANISMS["softmax"].rows(bilinear_logits(state, A))
                for i in range(2, length + 1):
                    if i != j:
                        assert ends(1 - rows[i - 1, 0])[0] <= found.mass[index][h]
                update = update + attend(rows, state, M)
            state = state + update if residual else update
        wrong = abs(state - task.targets(tokens) - (tokens if residual else 0 * tokens))
        kinds = {0: "bos", j - 1: "trigger"}
        for i in range(length):
            worst = max(ends(x)[0] for x in wrong[i])
            assert worst <= found.rows[kinds.get(i, "ordinary")]


@pytest.fixture(params=[True, False])
def made(request, tmp_path: Path, capsys) -> tuple[dict, Path]:
    tensors = {}
    for layer in range(2):
        generator = torch.Generator().manual_seed(layer)
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            shape = (5, 10) if name == "W_O" else (10, 5)
            w = torch.randn(shape, generator=generator) / 16
            tensors[f"layers.{layer}.{name}.weight"] = w
    path = save(tmp_path / "m.safetensors", tensors, {"layout": "ours", "length": "6"})
    return certify_command(path, heads=2, with_residual=request.param, as_json=True), path


def test_certificates_are_checked_and_changed_ones_rejected(made):
    content, path = made
    assert "by layers and heads" in verified(content, path)
    for layer, head in np.ndindex(2, 2):
        where = ("figures", "mass_at_most", layer, head)
        bound = Fraction(content["figures"]["mass_at_most"][layer][head])
        with pytest.raises(checker.Rejected):
            verified(resealed(put(content, where, str(bound * Fraction(9, 10)))), path)
    said = content["figures"]["witness"]
    for where, most in (
        (("error",), max(map(Fraction, content["figures"]["error_at_most"].values()))),
        *(
            (("mass", i, h), Fraction(content["figures"]["mass_at_most"][i][h]))
            for i, h in np.ndindex(2, 2)
        ),
    ):
        one = said["error"] if where == ("error",) else said["mass"][where[1]][where[2]]
        least = Fraction(one["at_least"])
        assert 0 < least <= most
        assert len(one["contents"]) == one["position"] - 1
        place = ("figures", "witness", *where, "at_least")
        with pytest.raises(checker.Rejected, match="that its input reaches"):
            verified(resealed(put(content, place, str(least * Fraction(10001, 10000)))), path)
    for where, value in (
        (("settings", "heads"), 1),
        (("figures", "witness"), {}),
        (("figures", "mass_at_most"), [["1"]]),
        (("figures", "error_at_most", "trigger"), "1/100"),
        (("figures", "vacuous"), not content["figures"]["vacuous"]),
    ):
        with pytest.raises(checker.Rejected):
            verified(resealed(put(content, where, value)), path)


def test_the_first_layers_bounds_are_reached_and_the_attack_beats_sampling():
    layers = stack(3, heads=2, layers=2, n=2)
    found = box_bounds.bounds(layers, 6, residual=True)
    said = witnesses(layers, 6, residual=True)
    for h in range(2):
        reached = Fraction(said["mass"][0][h]["at_least"])
        assert reached <= found.mass[0][h] <= reached * Fraction(3, 2)
    attacker = BoxAttacker(layers, 6, residual=True)
    sampled, searched = attacker.search(steps=0), attacker.search()
    assert all(searched.values[k] >= v for k, v in sampled.values.items())
    assert searched.values[None] > sampled.values[None]


@pytest.mark.parametrize("size", [64, 8, 4, 1])
def test_wide_balls_are_no_tighter_than_exact_intervals(size: int):
    """The ball of e^x for a wide x reaches below 0: a weight must not profit from that."""
    for seed in range(4):
        layers = stack(seed, heads=1, layers=2, n=2, size=size)
        found = box_bounds.bounds(layers, 5, residual=True)
        figures = {
            "mass_at_most": [[str(m) for m in layer] for layer in found.mass],
            "error_at_most": {k: str(x) for k, x in found.rows.items()},
        }
        boxes.verify([[exact(h) for h in layer] for layer in layers], 5, figures, True)


def exact(head: Head) -> walk.Head:
    unit = 2**20
    A, M = ([[int(x * unit) for x in row] for row in m] for m in (head.A, head.M))
    assert [[Fraction(x, unit) for x in row] for row in A] == head.A
    return walk.Head(A, M, unit, unit)
