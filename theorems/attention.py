"""Attention mechanisms: from logits to causal rows, and from rows to outputs.

One layer with one head and no residual computes o_i = Σ_{k≤i} α_ik M x_k with M = W_O W_V.  A
*mechanism* turns a square array of logits, shape (..., L, L), into rows α of the same shape that
vanish above the diagonal.  *Simplex attention* is any mechanism whose rows are non-negative with
sum one: softmax with any logits is the main example.  ReLU, linear and sigmoid attention divide by
the number of visible non-BOS tokens instead, so their rows need not sum to one and may vanish
(Ran-Milo 2026, arXiv 2603.11487, section 3).  Softmax-off-by-one and softmax with a sink logit have
one more term in the divisor, a slot that holds mass and writes nothing.

This is the only definition of each mechanism: statements, constructions, searches, trainers and
probes share it.  Everything accepts exact arrays and tensors alike (see ``theorems.arrays``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.arrays import Array, is_exact, namespace, unit


def causal_mask(logits: Array) -> Array:
    """Boolean (L, L): key k is visible to query i when k ≤ i."""
    xp = namespace(logits)
    length = logits.shape[-1]
    index = xp.arange(length, device=getattr(logits, "device", None))
    return index[None, :] <= index[:, None]


def normalise(weights: Array) -> Array:
    """Rows proportional to non-negative ``weights``, causally masked: simplex rows, exactly.

    The exact counterpart of softmax: pass e^logit, or any positive rational numbers.
    """
    visible = weights * causal_mask(weights)
    return visible / namespace(weights).sum(visible, axis=-1, keepdims=True)


def softmax(logits: Array) -> Array:
    """α_ik = e^{z_ik} / Σ_{l≤i} e^{z_il} for k ≤ i.

    On exact arrays the entries must have an exponential (python-flint's ``arb``); Fractions raise
    ``TypeError``, since their softmax is irrational.
    """
    xp = namespace(logits)
    if is_exact(logits):
        if not hasattr(logits.flat[0], "exp"):
            raise TypeError(
                "softmax of rational logits is irrational: give weights to `normalise`, "
                "or logits as flint.arb balls"
            )
        return normalise(np.exp(logits))
    masked = xp.where(causal_mask(logits), logits, -xp.inf)
    weights = xp.exp(masked - xp.max(masked, axis=-1, keepdims=True))
    return weights / xp.sum(weights, axis=-1, keepdims=True)


def normalise_with_null(weights: Array, null: Any) -> Array:
    """Rows w_ik / (null + Σ_{l≤i} w_il): the exact counterpart of ``softmax_with_sink``.

    ``null`` = e^s ≥ 0 is the weight of the slot that writes nothing.  A row whose visible weights
    are all zero is zero (if ``null`` > 0).
    """
    visible = weights * causal_mask(weights)
    return visible / (null + namespace(weights).sum(visible, axis=-1, keepdims=True))


def normalise_off_by_one(weights: Array) -> Array:
    """Rows w_ik / (1 + Σ_{l≤i} w_il): the exact counterpart of ``softmax_off_by_one``."""
    return normalise_with_null(weights, unit(weights))


def softmax_with_sink(logits: Array, sink: Any) -> Array:
    """α_ik = e^{z_ik} / (e^s + Σ_{l≤i} e^{z_il}) for k ≤ i, with the sink logit s.

    ``sink`` is a number, or an array with one entry per head that broadcasts against ``logits``'
    axes (..., H) before the last two; finite.  In floats the largest of s and the row's logits is
    subtracted first, so that a row of which every logit is −∞ (all keys masked) is zero, not nan.
    Exact arrays (and then ``sink``) hold ``flint.arb`` balls, as in ``softmax``.
    """
    xp = namespace(logits)
    if is_exact(logits):
        if not hasattr(logits.flat[0], "exp"):
            raise TypeError(
                "softmax of rational logits is irrational: give weights to `normalise_with_null`, "
                "or logits as flint.arb balls"
            )
        return normalise_with_null(np.exp(logits), (unit(logits) * sink).exp())
    given = hasattr(sink, "dtype")
    s = sink if given else xp.asarray(sink, dtype=logits.dtype, device=logits.device)
    s = s[..., None, None]
    masked = xp.where(causal_mask(logits), logits, -xp.inf)
    top = xp.maximum(xp.max(masked, axis=-1, keepdims=True), s)
    weights = xp.exp(masked - top)
    return weights / (xp.exp(s - top) + xp.sum(weights, axis=-1, keepdims=True))


def softmax_off_by_one(logits: Array) -> Array:
    """α_ik = e^{z_ik} / (1 + Σ_{l≤i} e^{z_il}) for k ≤ i: a sink logit of zero.

    In floats m = max(0, largest logit) is subtracted from 0 and from the logits alike.
    """
    return softmax_with_sink(logits, 0)


def relu(logits: Array) -> Array:
    """α_ik = max(0, z_ik) / max(1, i−1) for k ≤ i: divided by the visible non-BOS tokens."""
    return _per_visible(logits * (logits > 0))


def linear(logits: Array) -> Array:
    """α_ik = z_ik / max(1, i−1) for k ≤ i: the same division, no nonlinearity."""
    return _per_visible(logits)


def sigmoid(logits: Array) -> Array:
    """α_ik = σ(z_ik) / max(1, i−1) for k ≤ i.  Exact arrays need entries with an exponential."""
    xp = np if is_exact(logits) else namespace(logits)
    return _per_visible(unit(logits) / (unit(logits) + xp.exp(-logits)))


def _per_visible(weights: Array) -> Array:
    xp = namespace(weights)
    length = weights.shape[-1]
    if is_exact(weights):
        one = unit(weights)
        share = np.array([one / max(1, i) for i in range(length)], dtype=object)
    else:
        index = xp.arange(length, device=weights.device)
        share = 1.0 / xp.astype(xp.where(index > 1, index, 1), weights.dtype)
    return weights * causal_mask(weights) * share[:, None]


@dataclass(frozen=True)
class Mechanism:
    """A named map from logits to rows; ``simplex`` says whether its rows always sum to one."""

    name: str
    rows: Callable[[Array], Array]
    simplex: bool


MECHANISMS: dict[str, Mechanism] = {
    m.name: m
    for m in (
        Mechanism("softmax", softmax, simplex=True),
        Mechanism("weights", normalise, simplex=True),
        Mechanism("relu", relu, simplex=False),
        Mechanism("linear", linear, simplex=False),
        Mechanism("sigmoid", sigmoid, simplex=False),
        Mechanism("softmax_off_by_one", softmax_off_by_one, simplex=False),
        Mechanism("weights_off_by_one", normalise_off_by_one, simplex=False),
    )
}
"""Every mechanism by name; the ``weights`` ones are softmax given its unnormalised weights."""


def sink_logit(sink: Any) -> Mechanism:
    """Softmax with the sink logit ``sink`` (a number, or one per head), as a mechanism."""
    return Mechanism("softmax_with_sink", lambda z: softmax_with_sink(z, sink), simplex=False)


def bilinear_logits(queries: Array, A: Array, keys: Array | None = None) -> Array:
    """Logits z_ik = x_iᵀ A x_k, shape (..., L, L), from tokens (..., L, d) and A (d, d)."""
    xp = namespace(queries)
    return queries @ A @ xp.matrix_transpose(queries if keys is None else keys)


def attend(rows: Array, tokens: Array, M: Array) -> Array:
    """Outputs o_i = Σ_k α_ik M x_k, shape (..., L, d), from rows (..., L, L) and M (d, d)."""
    return rows @ (tokens @ namespace(M).matrix_transpose(M))


def is_simplex(rows: Array) -> bool:
    """Whether every row is non-negative, causal and sums to one: exactly, without tolerance."""
    xp = namespace(rows)
    causal = bool(xp.all((rows == 0) | causal_mask(rows)))
    return causal and bool(xp.all(rows >= 0)) and bool(xp.all(xp.sum(rows, axis=-1) == 1))


@dataclass(frozen=True)
class AttentionLayer:
    """One head without residual: logits x_iᵀ A x_k, a mechanism, values M x_k."""

    A: Array
    M: Array
    mechanism: Mechanism

    def rows(self, tokens: Array) -> Array:
        """Attention rows (..., L, L) on tokens (..., L, d)."""
        return self.mechanism.rows(bilinear_logits(tokens, self.A))

    def __call__(self, tokens: Array) -> Array:
        """Outputs (..., L, d) on tokens (..., L, d)."""
        return attend(self.rows(tokens), tokens, self.M)


def picture(rows: Any, digits: int = 2) -> str:
    """Rows (L, L) as text: one line per query, one column per key, ``.`` for an exact zero.

    >>> from theorems.arrays import exact
    >>> print(picture(exact([["1", "0"], ["1/3", "2/3"]])))
    1.00     .
    0.33  0.67
    """

    def cell(weight: Any) -> str:
        return "." if weight == 0 else f"{float(weight):.{digits}f}"

    return "\n".join("  ".join(f"{cell(a):>{digits + 2}}" for a in row) for row in rows)
