"""From floats to rationals, and the best values for given rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

CLOSE = 1e-7
LARGEST = 1e4
"""Values are sought within ±10⁴."""


def near(x: float, close: float = CLOSE) -> Fraction:
    """A simple rational within a relative ``close`` of ``x``; 0 below 10⁻¹²."""
    if abs(x) < 1e-12:
        return Fraction(0)
    exact, size = Fraction(x), 8
    while True:
        found = exact.limit_denominator(size)
        if abs(found - exact) <= close * abs(exact):
            return found
        size *= 8


def simplex_row(weights: Sequence[float] | np.ndarray) -> tuple[Fraction, ...]:
    """Non-negative weights as rationals that sum to exactly one."""
    rough = [near(max(0.0, float(w)), 1e-6) if w > 1e-9 else Fraction(0) for w in weights]
    total = sum(rough)
    largest = max(range(len(rough)), key=lambda k: rough[k])
    rough[largest] += 1 - total
    return tuple(rough)


def values_for(design: np.ndarray, targets: np.ndarray) -> np.ndarray | None:
    """The values (F, d) for which ``design`` (R, F) @ values comes closest to ``targets`` (R, d).

    Closest in the sup norm, channel by channel: one linear program each.  Column 0, the BOS flag,
    has target zero and value zero.
    """
    R, F = design.shape
    values = np.zeros((F, targets.shape[1]))
    slack = np.ones((R, 1))
    A = np.block([[design, -slack], [-design, -slack]])
    cost = np.r_[np.zeros(F), 1.0]
    bounds = [(-LARGEST, LARGEST)] * F + [(0, None)]
    for c in range(1, targets.shape[1]):
        b = np.r_[targets[:, c], -targets[:, c]]
        solved = linprog(cost, A_ub=A, b_ub=b, bounds=bounds, method="highs")
        if solved.x is None:
            return None
        values[:, c] = solved.x[:F]
    return values
