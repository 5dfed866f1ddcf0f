"""One construction in three arithmetics: scores times a sharpness K, of which only e^K matters.

A construction scores each pair of tokens with a small whole number s, and its logit is K·s.  In
exact arithmetic K is the logarithm of a rational E, so that e^{Ks} = E^s is rational too and each
mechanism is applied through its exact twin, on the weights E^s.  In balls and in floats K is a
number and the mechanism is the real one of ``theorems.attention``.  Which of these happens is
decided by the tokens that a network is given.

>>> from theorems.arrays import exact
>>> from theorems.trigger_task import BOS, TRIGGER, TriggerTask
>>> tokens = TriggerTask(length=3, content_dim=0).tokens(exact([[], []]), trigger=3)
>>> rows = attention(SOFTMAX, by_flags({(TRIGGER, BOS): -1}), Sharpness(E=Fraction(10)))
>>> print(rows(tokens)[2])
[Fraction(1, 21) Fraction(10, 21) Fraction(10, 21)]
>>> rows(tokens.astype(float))[2].round(4)
array([0.0476, 0.4762, 0.4762])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from constructions.enumeration import RowsFn, as_fraction
from theorems.arrays import Array, is_exact, unit
from theorems.attention import (
    bilinear_logits,
    linear,
    normalise,
    normalise_with_null,
    relu,
    sigmoid,
    softmax,
    softmax_with_sink,
)
from theorems.trigger_task import CONTENT

Scores = Callable[[Array], Array]
"""Tokens (..., L, d) to whole numbers (..., L, L), in the number kind of the tokens."""


@dataclass(frozen=True)
class Sharpness:
    """E = e^K, a positive Fraction; K itself is only ever computed in balls or floats."""

    E: Fraction

    def K(self, like: Array) -> Any:
        """K = log E, in the number kind of ``like`` (balls or floats)."""
        return log(self.E, like)


@dataclass(frozen=True)
class Form:
    """A mechanism twice: from logits, and from their exponentials (its exact twin)."""

    on_logits: Callable[[Array], Array]
    on_weights: Callable[[Array], Array]


def number(value: Fraction, like: Array) -> Any:
    """``value`` in the number kind of ``like``: a Fraction, an fmpq, a ball or a float."""
    return unit(like) * value.numerator / value.denominator


def lift(table: Array, like: Array) -> Array:
    """An array of Fractions in the number kind of ``like``."""
    if not is_exact(like):
        return np.asarray(table, dtype=like.dtype)
    flat = [number(Fraction(v), like) for v in table.flat]
    return np.array(flat, dtype=object).reshape(table.shape)


def is_rational(x: Array) -> bool:
    """Whether ``x`` holds rational numbers, as opposed to balls and floats."""
    return is_exact(x) and not isinstance(x.flat[0], arb)


def log(value: Fraction, like: Array) -> Any:
    """The logarithm of ``value`` > 0 in the number kind of ``like`` (balls or floats)."""
    return number(value, like).log() if is_exact(like) else math.log(value)


def by_flags(scores: Mapping[tuple[int, int], int]) -> Scores:
    """Position-free scores: (query flag, key flag) to a whole number, 0 where nothing is said."""
    table = np.full((CONTENT, CONTENT), Fraction(0), dtype=object)
    for where, score in scores.items():
        table[where] = Fraction(score)

    def of(tokens: Array) -> Array:
        flags = tokens[..., :CONTENT]
        return bilinear_logits(flags, lift(table, flags))

    return of


def exponentials(scores: Array, sharpness: Sharpness) -> Array:
    """e^{Ks} = E^s of an array of whole numbers, in its own number kind."""
    if not is_rational(scores):
        return np.exp(scores * sharpness.K(scores))
    wholes = [int(as_fraction(s)) for s in scores.flat]
    powers = {s: number(sharpness.E**s, scores) for s in set(wholes)}
    return np.array([powers[s] for s in wholes], dtype=object).reshape(scores.shape)


def attention(form: Form, scores: Scores, sharpness: Sharpness) -> RowsFn:
    """The rows of ``form`` with logits K·score, as a function of tokens of any number kind."""

    def rows(tokens: Array) -> Array:
        s = scores(tokens)
        if is_rational(s):
            return form.on_weights(exponentials(s, sharpness))
        return form.on_logits(s * sharpness.K(s))

    return rows


def unsharpened(mechanism: Callable[[Array], Array], scores: Scores) -> RowsFn:
    """A mechanism without exponentials, on the scores themselves: exact in every number kind."""
    return lambda tokens: mechanism(scores(tokens))


def logistic(scores: Array, sharpness: Sharpness) -> Array:
    """σ(K·score) = E^s/(1 + E^s), in the number kind of the scores."""
    weights = exponentials(scores, sharpness)
    return weights / (unit(weights) + weights)


def with_null(S: Fraction) -> Form:
    """Softmax with the sink logit s = log S, S > 0; S = 1 is softmax-off-by-one."""
    return Form(
        lambda z: softmax_with_sink(z, log(S, z)),
        lambda w: normalise_with_null(w, number(S, w)),
    )


def per_visible_sigmoid(weights: Array) -> Array:
    """σ divided by the count of visible non-BOS tokens, from e^z; the twin of ``sigmoid``."""
    return linear(weights / (unit(weights) + weights))


SOFTMAX = Form(softmax, normalise)
SIGMOID = Form(sigmoid, per_visible_sigmoid)
PLAIN = {"linear": linear, "relu": relu}
"""Mechanisms without exponentials, for ``unsharpened``."""
