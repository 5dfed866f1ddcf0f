"""Softmax-off-by-one and a sink logit per head: by hand, masked, equal in every kind of number."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb

from theorems.arrays import exact
from theorems.attention import (
    MECHANISMS,
    is_simplex,
    normalise,
    normalise_off_by_one,
    normalise_with_null,
    sink_logit,
    softmax,
    softmax_off_by_one,
    softmax_with_sink,
)

LOGITS = np.random.default_rng(7).normal(size=(2, 3, 5, 5)) * 4


def by_hand(logits, s):
    rows = np.zeros_like(logits)
    for index in np.ndindex(logits.shape[:-1]):
        visible = np.exp(logits[index][: index[-1] + 1])
        rows[index][: index[-1] + 1] = visible / (np.exp(s) + visible.sum())
    return rows


@pytest.mark.parametrize("s", [0.0, -3.0, 2.5])
def test_definition(s):
    assert np.allclose(softmax_with_sink(LOGITS, s), by_hand(LOGITS, s), atol=1e-14)
    assert np.allclose(sink_logit(s).rows(LOGITS), by_hand(LOGITS, s), atol=1e-14)


def test_off_by_one_is_the_sink_logit_zero():
    assert (softmax_off_by_one(LOGITS) == softmax_with_sink(LOGITS, 0.0)).all()
    assert not MECHANISMS["softmax_off_by_one"].simplex


def test_one_sink_logit_per_head():
    sinks = np.array([-1.0, 0.0, 2.0])
    rows = softmax_with_sink(LOGITS, sinks)
    for head, s in enumerate(sinks):
        assert np.allclose(rows[:, head], softmax_with_sink(LOGITS[:, head], float(s)), atol=1e-15)


def test_torch_and_numpy_agree_and_a_sink_logit_can_be_learned():
    logits = torch.tensor(LOGITS, requires_grad=True)
    sinks = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True)
    rows = softmax_with_sink(logits, sinks)
    assert np.allclose(rows.detach().numpy(), softmax_with_sink(LOGITS, sinks.detach().numpy()))
    assert torch.autograd.gradcheck(softmax_with_sink, (logits[:1, :, :3, :3], sinks))
    rows.sum().backward()
    assert (sinks.grad < 0).all()


@pytest.mark.parametrize("array", [np.asarray, torch.tensor])
def test_a_row_with_every_key_masked_is_zero(array):
    masked = LOGITS.copy()
    masked[..., 3, :] = -np.inf
    rows = softmax_off_by_one(array(masked))
    assert (rows[..., 3, :] == 0).all()
    assert bool((rows[..., 2, :] >= 0).all())


def test_no_overflow_at_either_end():
    assert softmax_off_by_one(np.full((1, 1), 1e4))[0, 0] == 1
    assert softmax_off_by_one(np.full((1, 1), -1e4))[0, 0] == 0
    assert softmax_with_sink(np.zeros((1, 1)), 1e4)[0, 0] == 0


def test_a_very_low_sink_is_plain_softmax():
    assert np.allclose(softmax_with_sink(LOGITS, -800.0), softmax(LOGITS), atol=1e-15)


def test_exact_twins():
    weights = exact([[2, 9], ["1/2", "3/2"]])
    assert (normalise_off_by_one(weights) == exact([["2/3", 0], ["1/6", "1/2"]])).all()
    assert (normalise_with_null(weights, Fraction(0)) == normalise(weights)).all()
    assert not is_simplex(normalise_off_by_one(weights))
    zero = normalise_with_null(weights * 0, Fraction(1))
    assert (zero == 0).all()


def test_balls_enclose_the_floats():
    logits = np.array([[arb(float(z)) for z in row] for row in LOGITS[0, 0]], dtype=object)
    for s in (0, 2):
        rows = softmax_with_sink(logits, s)
        floats = softmax_with_sink(LOGITS[0, 0], float(s))
        assert np.allclose(np.array([float(r) for r in rows.flat]), floats.ravel(), atol=1e-14)
    assert isinstance(rows[1, 1], arb)


def test_rational_logits_are_refused():
    with pytest.raises(TypeError, match="normalise_with_null"):
        softmax_off_by_one(exact([[1]]))
