"""Each mechanism against its formula, for Fractions, balls and tensors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from theorems import attention
from theorems.arrays import exact
from theorems.attention import (
    MECHANISMS,
    AttentionLayer,
    attend,
    bilinear_logits,
    causal_mask,
    is_simplex,
    normalise,
)

SQUARES = st.integers(1, 6).flatmap(
    lambda size: st.lists(
        st.lists(st.fractions(-3, 3, max_denominator=6), min_size=size, max_size=size),
        min_size=size,
        max_size=size,
    )
)


def by_hand(name: str, z: list[list[float]]) -> np.ndarray:
    """The rows of mechanism ``name`` straight from its formula, in floats."""
    rows = np.zeros((len(z), len(z)))
    for i, logits in enumerate(z):
        seen = np.array([float(v) for v in logits[: i + 1]])
        if name == "softmax":
            rows[i, : i + 1] = np.exp(seen) / np.exp(seen).sum()
        elif name == "relu":
            rows[i, : i + 1] = np.maximum(seen, 0) / max(1, i)
        elif name == "linear":
            rows[i, : i + 1] = seen / max(1, i)
        else:
            rows[i, : i + 1] = 1 / (1 + np.exp(-seen)) / max(1, i)
    return rows


@given(SQUARES, st.sampled_from(["softmax", "relu", "linear", "sigmoid"]))
def test_rows_follow_the_formula(z: list[list[Fraction]], name: str) -> None:
    floats = torch.tensor([[float(v) for v in row] for row in z], dtype=torch.float64)
    assert np.allclose(MECHANISMS[name].rows(floats).numpy(), by_hand(name, z), atol=1e-14)
    balls = np.array([[arb(v.numerator) / v.denominator for v in row] for row in z], dtype=object)
    enclosed = MECHANISMS[name].rows(balls)
    for ball, value in zip(np.ravel(enclosed), np.ravel(by_hand(name, z)), strict=True):
        assert abs(float(ball) - value) < 1e-14 if isinstance(ball, arb) else ball == value


@given(SQUARES)
def test_softmax_and_positive_weights_give_simplex_rows(z: list[list[Fraction]]) -> None:
    assert is_simplex(normalise(exact([[abs(v) + 1 for v in row] for row in z])))
    assert not is_simplex(exact(np.tril(np.ones((2, 2), int))))


def test_softmax_of_rationals_is_refused() -> None:
    with pytest.raises(TypeError, match="softmax of rational logits is irrational"):
        attention.softmax(exact([[1]]))


def test_softmax_is_stable() -> None:
    rows = attention.softmax(torch.tensor([[0.0, 0.0], [1000.0, -1000.0]]))
    assert torch.equal(rows, torch.tensor([[1.0, 0.0], [1.0, 0.0]]))


def test_a_future_key_is_not_seen() -> None:
    for name in ("softmax", "relu", "linear", "sigmoid"):
        z = torch.randn(2, 5, 5, generator=torch.Generator().manual_seed(1))
        rows = MECHANISMS[name].rows(z)
        assert torch.equal(rows, rows * causal_mask(z))
        changed = torch.where(causal_mask(z), z, torch.tensor(7.0))
        assert torch.equal(MECHANISMS[name].rows(changed), rows)


def test_is_simplex_sees_each_fault() -> None:
    good = exact([["1", "0"], ["1/3", "2/3"]])
    assert is_simplex(good)
    for i, k, value in ((1, 1, "1/3"), (1, 0, "-1/3"), (0, 1, "1/2")):
        bad = good.copy()
        bad[i, k] = Fraction(value)
        assert not is_simplex(bad)


def test_a_layer_is_logits_rows_and_values() -> None:
    tokens = exact([[1, 0], [0, 1], [1, 1]])
    A, M = exact([[0, 1], [2, 0]]), exact([[1, 1], [0, 3]])
    layer = AttentionLayer(A, M, MECHANISMS["relu"])
    logits = bilinear_logits(tokens, A)
    assert logits[2, 1] == 1
    assert logits[1, 0] == 2
    assert (layer(tokens) == attend(layer.rows(tokens), tokens, M)).all()
    assert (layer(tokens)[1] == layer.rows(tokens)[1] @ tokens @ M.T).all()
