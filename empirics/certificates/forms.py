"""A head as the two matrices through which it acts, in exact rationals and our token layout.

z_ik = x_iᵀ A x_k with A = W_QᵀW_K, and values M x_k with M = W_O W_V.  Weights are dyadic
rationals, so both products are exact.  Our layout is BOS, trigger, ordinary, content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat

from empirics.certificates.weights import Matrices
from theorems.trigger_task import CONTENT

Exact = list[list[Fraction]]


@dataclass(frozen=True)
class Head:
    """A and M, each (d, d), in Fractions."""

    A: Exact
    M: Exact

    @property
    def width(self) -> int:
        return len(self.A)

    @property
    def content_dim(self) -> int:
        return self.width - CONTENT


def order(layout: str, width: int) -> list[int]:
    """Where the file keeps each coordinate of our layout: the position of ours[k] in the file."""
    if layout == "ours":
        return list(range(width))
    return [0, 1, width - 1, *range(2, width - 1)]


def heads(layer: Matrices, layout: str, count: int = 1) -> list[Head]:
    """The ``count`` heads of a layer, whose hidden rows are split evenly and in order."""
    place = order(layout, layer.W_Q.shape[1])
    found = []
    parts = zip(
        np.split(layer.W_Q[:, place], count),
        np.split(layer.W_K[:, place], count),
        np.split(layer.W_V[:, place], count),
        np.split(layer.W_O[place], count, axis=1),
        strict=True,
    )
    for q, k, v, o in parts:
        found.append(Head(_product(q.T, k), _product(o, v)))
    return found


def from_matrices(A: np.ndarray, M: np.ndarray) -> Head:
    """A head given by (d, d) arrays of Fractions, as constructions write them."""
    return Head(*([[Fraction(x) for x in row] for row in matrix] for matrix in (A, M)))


def _product(left: np.ndarray, right: np.ndarray) -> Exact:
    product = _rational(left) * _rational(right)
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in product.tolist()]


def _rational(matrix: Sequence[Sequence[float]] | np.ndarray) -> fmpq_mat:
    return fmpq_mat([[fmpq(*float(x).as_integer_ratio()) for x in row] for row in matrix])
