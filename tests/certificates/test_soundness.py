"""Bounds hold: of planted heads, of random inputs, of gradient attacks; and not 1 % lower.

No tolerance anywhere: what is compared are exact rationals and ends of balls.
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from constructions.balls import ends
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness, bound
from empirics.certificates.forms import Head
from empirics.certificates.judge import evaluate
from tests.certificates.planted_heads import CASES, Planted
from theorems.trigger_task import TriggerTask

LENGTHS = (4, 7)


def upper(x: object) -> Fraction:
    """The upper end of a ball; a rational itself."""
    return ends(x)[1] if isinstance(x, arb) else Fraction(int(x.p), int(x.q))  # type: ignore[attr-defined]


def lower(x: object) -> Fraction:
    return ends(x)[0] if isinstance(x, arb) else Fraction(int(x.p), int(x.q))  # type: ignore[attr-defined]


def beaten(head: Head, attention: str, length: int, kind: str, seed: int = 0) -> Fraction:
    """What the worst input of all searches surely reaches."""
    given = Attacker(head, attention, length, seed).worst(kind).given
    return Fraction(as_witness(head, attention, kind, given)["at_least"])


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
@pytest.mark.parametrize("length", LENGTHS)
def test_planted_bounds_hold_and_shrunk_by_one_percent_are_beaten(case: Planted, length: int):
    found = bound(case.head, case.attention, length)
    mass, eta = (beaten(case.head, case.attention, length, k) for k in ("mass", "error"))
    assert mass <= found.mass
    assert eta <= found.eta
    assert found.mass == 0 or Fraction(99, 100) * found.mass < mass
    if case.error is not None:
        assert found.eta == 0 or Fraction(99, 100) * found.eta < eta


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
@pytest.mark.parametrize("length", LENGTHS)
def test_planted_bounds_meet_the_closed_forms(case: Planted, length: int):
    found = bound(case.head, case.attention, length)
    for most, form in ((found.mass, case.mass), (found.eta, case.error)):
        if form is not None:
            exact = form(length)
            assert lower_arb(exact) <= most
            assert Fraction(99, 100) * most <= ends(exact)[1]


def lower_arb(x: arb) -> Fraction:
    return ends(x)[0]


def test_bounds_by_position_grow_with_it_and_are_met_there():
    case = CASES[1]
    found = bound(case.head, case.attention, 6)
    assert list(found.before) == [2, 3, 4, 5]
    assert list(found.after) == [4, 5, 6]
    for i, most in (*found.before.items(), *found.after.items()):
        exact = case.mass(i)
        assert ends(exact)[0] <= most
        assert Fraction(99, 100) * most < ends(exact)[1]


def random_head(n: int, seed: int, *, size: int = 8) -> Head:
    """Dyadic entries; the values near the identity, ordinary queries turned to BOS."""
    rng, width = random.Random(seed), n + 3

    def entries() -> list[list[Fraction]]:
        return [[Fraction(rng.randint(-8, 8), size) for _ in range(width)] for _ in range(width)]

    A, M = entries(), entries()
    A[2][0] += rng.randint(0, 6)
    A[1][0] -= rng.randint(0, 6)
    for k in range(1, width):
        M[k][k] += 1
    return Head(A, M)


@pytest.mark.parametrize("attention", ["softmax", "relu"])
def test_ten_thousand_random_inputs_judged_in_balls_never_beat_a_bound(attention: str):
    rng = np.random.default_rng(0)
    for seed in range(10):
        n, length, count = 1 + seed % 2, 4 + seed % 2, 1000
        head = random_head(n, seed, size=8 << seed % 3)
        found = bound(head, attention, length)
        # small dyadic numbers, the vertices among them often
        whole = rng.integers(-10, 11, (count, length - 1, n)).clip(-8, 8)
        contents = np.array([Fraction(int(x), 8) for x in whole.flat], dtype=object)
        triggers = rng.integers(3, length + 1, count)
        error, bos = evaluate([head], attention, contents.reshape(whole.shape), triggers)
        assert max(lower(x) for x in error.flat) <= found.eta
        for row, j in zip(bos, triggers, strict=True):
            for i in range(2, length + 1):
                if i != j:
                    most = (found.before if i < j else found.after)[i]
                    low = lower(row[i - 1])
                    high = upper(row[i - 1])
                    assert (1 - high if attention == "softmax" else low) <= most


@pytest.mark.parametrize("attention", ["softmax", "relu"])
@pytest.mark.parametrize("seed", range(12))
def test_gradient_attacks_never_beat_a_bound(attention: str, seed: int):
    head, length = random_head(1 + seed % 4, seed, size=4 << seed % 4), 4 + seed % 3
    found = bound(head, attention, length)
    assert beaten(head, attention, length, "mass", seed) <= found.mass
    assert beaten(head, attention, length, "error", seed) <= found.eta


def test_rows_where_no_logit_is_positive_are_exactly_zero():
    case = next(c for c in CASES if c.name == "zero error")
    found = bound(case.head, "relu", 5)
    assert max(found.logits.values()) == 0
    assert found.rows == {"bos": 0, "ordinary": 0, "trigger": 0}
    task = TriggerTask(5, 3)
    rng = np.random.default_rng(1)
    contents = np.array([Fraction(int(x), 4) for x in rng.integers(-4, 5, 4 * 3)], dtype=object)
    error, bos = evaluate([case.head], "relu", contents.reshape(1, 4, 3), np.array([4]))
    assert {upper(x) for x in (*error.flat, *bos.flat)} == {0}
    assert task.width == case.head.width
