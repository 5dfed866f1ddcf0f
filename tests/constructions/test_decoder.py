"""The decoder: its blocks add what they write, and what is not rational is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from constructions.balls import balls
from constructions.decoder import (
    Block,
    Decoder,
    Mlp,
    Stream,
    embed,
    every_sequence,
    norms,
    rms_norm,
    silu,
    softmax_rows,
)
from constructions.networks import Head
from theorems.arrays import exact

STREAM = Stream(("a", "b", "s"))
STATES = embed(STREAM.vectors({"a": 1, "s": -2}, {"b": 3, "s": "1/2"}), [0, 1, 1, 0])
HEAD = Head(
    softmax_rows(STREAM.matrix({("a", "s"): 2, ("b", "b"): 1}), Fraction(3)),
    STREAM.matrix({("s", "a"): 1, ("a", "b"): -1}),
)
MLP = Mlp(into=STREAM.vectors({"a": 1}, {"s": -1}), down=STREAM.vectors({"s": 5}, {"b": 1}).T)


def by_hand(h: np.ndarray) -> np.ndarray:
    """The block in floats, with loops."""
    out = h.copy()
    for i in range(len(h)):
        logits = np.array(
            [2 * h[i][0] * h[k][2] + h[i][1] * h[k][1] for k in range(i + 1)]
        ) * np.log(3)
        weights = np.exp(logits) / np.exp(logits).sum()
        for k in range(i + 1):
            out[i] += weights[k] * np.array([-h[k][1], 0, h[k][0]])
    for i in range(len(h)):
        a, s = out[i][0], out[i][2]
        out[i] += [0, max(0, -s), 5 * max(0, a)]
    return out


def test_a_block_is_what_it_says_in_floats_and_in_balls() -> None:
    block = Block(heads=(HEAD,), mlp=MLP)
    states = STATES.astype(float)
    want = by_hand(states)
    assert np.allclose(Decoder((block,)).run(states).states[-1], want, rtol=0, atol=1e-12)
    found = Decoder((block,)).run(balls(STATES)).states[-1]
    assert all(abs(float(a.mid()) - w) < 1e-12 for a, w in zip(found.flat, want.flat, strict=True))


def test_pre_and_post_norms_stand_where_they_should() -> None:
    double = Block(mlp=lambda y: y, pre=lambda h: 2 * h, post=lambda w: -w / 3)
    assert (Decoder((double,)).run(STATES).states[-1] == STATES / 3).all()


def test_a_gated_mlp_multiplies() -> None:
    gated = Mlp(
        into=STREAM.vectors({"a": 1}),
        up=STREAM.vectors({"s": 1}),
        down=STREAM.vectors({"b": 1}).T,
    )
    assert gated(STATES)[:, 1].tolist() == [-2, 0, 0, -2]


def test_rms_norm_and_silu_in_balls_and_floats() -> None:
    x = exact([["3", "4", "0"]])
    for epsilon in (Fraction(0), Fraction(1, 7)):
        want = np.sqrt(3) * np.array([3, 4, 0]) / np.sqrt(25 + 3 * float(epsilon)) / 2
        for found in (
            rms_norm(epsilon, "1/2")(balls(x)),
            rms_norm(epsilon, "1/2")(x.astype(float)),
        ):
            assert np.allclose([float(v) for v in found[0]], want, rtol=0, atol=1e-14)
    assert [float(v) for v in norms(balls(x))] == [5.0]
    want = 3 / (1 + np.exp(-3))
    assert float(silu(balls(x))[0, 0]) == pytest.approx(want, abs=1e-14)


def test_irrational_steps_refuse_rational_states() -> None:
    with pytest.raises(TypeError, match="a norm of rational numbers is irrational"):
        rms_norm()(STATES)
    with pytest.raises(TypeError, match="SiLU of rational numbers is irrational"):
        silu(STATES)
    half = softmax_rows(STREAM.matrix({("a", "a"): "1/2"}), Fraction(3))
    with pytest.raises(ValueError, match="score 1/2 is not a whole number"):
        half(STATES)


def test_positions_enter_through_the_bias_only() -> None:
    rows = softmax_rows(STREAM.matrix({}), Fraction(2), bias=lambda lag: -lag)(STATES)
    assert [str(w) for w in rows[2, :3]] == ["1/7", "2/7", "4/7"]


def test_every_sequence_is_there_once() -> None:
    found = every_sequence(3, 4)
    assert found.shape == (81, 4)
    assert len({tuple(s) for s in found.tolist()}) == 81


def test_an_unknown_coordinate_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        STREAM.at("z")
