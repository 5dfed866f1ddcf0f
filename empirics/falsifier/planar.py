"""One content: the best rows for given values in closed form, and a global search over the values.

On the flags (ordinary, trigger) a layer is three points, v = V(BOS), p = V(ordinary) and
q = V(trigger), and every row chooses freely in their triangle.  By duality of linear programming
both things that a row can do are a maximum or minimum over functionals g with |g_o| + |g_t| = 1:

    distance of a target y from the triangle   max_g  g·y − max(g·v, g·p, g·q)
    largest m with ‖(1−m)v + mx‖ ≤ η           min_g  (η − g·v) / min_x g·(x−v)   where positive

and only g at the ends of the norm's pieces, ±e, and orthogonal to a side can be extreme.  What is
left is six numbers (and the two weights of the trigger's row if that is softmax), searched by
differential evolution; ``rows_for`` then solves the linear programs themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution, linprog

from empirics.falsifier.candidate import Candidate, Head, Table
from empirics.falsifier.claim import SIMPLEX, SOFTMAX, FalsifiableClaim
from empirics.falsifier.judge import ratio_of
from empirics.falsifier.rationals import near, simplex_row, values_for

PENALTY = 20.0
SPAN = 3.0
"""Errors are sought over three decades below the largest that the claim speaks of."""
AXES = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])


def applies(claim: FalsifiableClaim) -> bool:
    """Whether the claim's models are points in a plane."""
    return (
        claim.mechanism in (SIMPLEX, SOFTMAX)
        and claim.contents == ((),)
        and (claim.layers, claim.heads, claim.residual) == (1, 1, False)
        and not claim.dropped & {"position_free", "no_mlp", "rows_sum_to_one", "bos_row"}
    )


@dataclass(frozen=True)
class Plane:
    """The claim at one length, with η fixed or free."""

    claim: FalsifiableClaim
    L: int
    eta: float | None = None

    @property
    def limit(self) -> float:
        limit = self.claim.limit(self.L)
        return 0.5 if limit is None else max(float(limit), 1e-3)

    @property
    def box(self) -> list[tuple[float, float]]:
        """Ranges of: log₁₀ η, v, p, angle and log₁₀ size of q − v, logs of e and β."""
        top = np.log10(self.limit)
        # The ends of the range are left to the linear programs, which move the error a little.
        span = (top - SPAN, top - 1e-5) if self.eta is None else (np.log10(self.eta),) * 2
        free = [span, (-1, 1), (-1, 1), (-1.5, 1.5), (-1.5, 1.5), (-np.pi, np.pi), (-1, 4)]
        return free + ([(-12, 4), (-12, 4)] if self.claim.mechanism == SOFTMAX else [])

    def read(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Parameters (P, S) as η (S,) and points (S, 2)."""
        eta = 10 ** x[0]
        v = x[1:3].T * (eta[:, None] if self.claim.keeps("bos_row") else 1.5)
        v = v if self.claim.anchor else 1e6 * np.ones_like(v)
        q = 10 ** x[6][:, None] * np.stack([np.cos(x[5]), np.sin(x[5])], axis=1)
        q = q + (v if self.claim.anchor else 0)
        found = {"eta": eta, "v": v, "p": x[3:5].T, "q": q}
        if self.claim.mechanism == SOFTMAX:
            found |= {"e": np.exp(x[7]), "beta": np.exp(x[8])}
        return found

    def error(self, at: dict[str, np.ndarray]) -> np.ndarray:
        """How far the trigger's rows stay from their targets, at best."""
        v, p, q = at["v"], at["p"], at["q"]
        worst = np.zeros(len(v))
        for n in range(1, self.L - 1):
            y = np.array([n, 1.0]) / (n + 1)
            if "e" in at:
                e, b = at["e"][:, None], at["beta"][:, None]
                off = abs((e * v + n * p + b * q) / (e + n + b) - y).max(axis=1)
            else:
                corners = (v, p, q) if self.claim.anchor else (p, q)
                off = distance(y, corners)
            worst = np.maximum(worst, off)
        if not self.claim.anchor:
            worst = np.maximum(worst, abs(p).max(axis=1))
        return worst

    def mass(self, at: dict[str, np.ndarray]) -> np.ndarray:
        """The largest mass off BOS of a claimed row with error η."""
        ends = [at["p"]]
        if self.claim.rows in ("all", "after") and self.L > 3:
            ends.append(at["q"])
        return largest_mass(at["eta"], at["v"], ends)

    def cost(self, x: np.ndarray) -> np.ndarray:
        """−log of the ratio, plus the penalty of an error above η; for (P,) or (P, S)."""
        wide = np.atleast_2d(x.T).T
        with np.errstate(all="ignore"):
            at = self.read(wide)
            error = self.error(at)
            if not self.claim.anchor:
                ratio = ratio_of(self.claim, self.L, error, np.ones(len(error)))
                return -np.log(ratio)
            ratio = ratio_of(self.claim, self.L, at["eta"], self.mass(at))
            ratio = np.where(np.isfinite(ratio) & (ratio > 1e-9), ratio, 1e-9)
            over = np.maximum(0, np.log(np.maximum(error, 1e-300) / at["eta"]))
        found = -np.log(ratio) + PENALTY * over
        return found if x.ndim > 1 else found[0]


def distance(y: np.ndarray, corners: tuple[np.ndarray, ...]) -> np.ndarray:
    """Sup-norm distance (S,) of y from the hulls of ``corners`` (S, 2)."""
    worst = np.zeros(len(corners[0]))
    for g in functionals(corners):
        reach = np.max([(g * c).sum(axis=-1) for c in corners], axis=0)
        worst = np.maximum(worst, (g * y).sum(axis=-1) - reach)
    return worst


def largest_mass(eta: np.ndarray, v: np.ndarray, ends: list[np.ndarray]) -> np.ndarray:
    """The largest m ≤ 1 (S,) for which (1−m)v + mx is within η for some x in the hull of ends.

    0 where there is none (v may be outside when the BOS row does not count).
    """
    best, least = np.ones(len(v)), np.zeros(len(v))
    for g in functionals(tuple(ends)):
        rise = np.min([(g * (x - v)).sum(axis=-1) for x in ends], axis=0)
        room = eta - (g * v).sum(axis=-1)
        best = np.where(rise > 0, np.minimum(best, np.maximum(room, 0) / rise), best)
        least = np.where((rise < 0) & (room < 0), np.maximum(least, room / rise), least)
    return np.where(best >= least, best, 0.0)


def functionals(corners: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    """±e, and both signs of the unit normals of the sides."""
    found = [np.broadcast_to(axis, corners[0].shape) for axis in AXES]
    for k, a in enumerate(corners):
        for b in corners[k + 1 :]:
            side = b - a
            normal = np.stack([-side[:, 1], side[:, 0]], axis=1)
            normal = normal / np.maximum(abs(normal).sum(axis=1, keepdims=True), 1e-300)
            found += [normal, -normal]
    return found


def solve(
    plane: Plane, seed: int, *, generations: int = 400, stop: Callable[[], bool] = lambda: False
) -> tuple[Candidate | None, int]:
    """The best layer of one global search, in rationals, and the number of models tried."""
    tried = 0

    def cost(x: np.ndarray) -> np.ndarray:
        nonlocal tried
        tried += x.shape[1] if x.ndim > 1 else 1
        return plane.cost(x)

    found = differential_evolution(
        cost,
        plane.box,
        maxiter=generations,
        popsize=15,
        tol=1e-8,
        rng=np.random.default_rng(seed),
        vectorized=True,
        updating="deferred",
        polish=False,
        callback=lambda intermediate_result: stop(),
    )
    return layer(plane, {k: x[0] for k, x in plane.read(found.x[:, None]).items()}), tried


def layer(plane: Plane, at: dict[str, Any]) -> Candidate | None:
    """The layer with these values: rows by linear programs, then the values that suit them best."""
    L, claim, softmax = plane.L, plane.claim, "e" in at
    points = np.array([at["v"], at["p"], at["q"]])
    weights: dict[int, np.ndarray] = {}
    silent = {"before": np.array([0, 1.0, 0]), "after": np.array([0, 1.0, 0])}
    if claim.anchor:
        for when in silent:
            found = rows_for(points, at["eta"], when == "after")
            if found is None:
                return None
            silent[when] = found
    for n in range(1, L - 1):
        if softmax:
            w = np.array([at["e"], n, at["beta"]])
            weights[n] = w / w.sum()
        else:
            weights[n] = row_nearest(points, np.array([n, 1.0]) / (n + 1), claim.anchor)
    rows = [*weights.values(), silent["before"], silent["after"]]
    targets = [np.array([0.0, 1.0, n]) / (n + 1) for n in weights] + [np.zeros(3)] * 2
    if claim.anchor and claim.keeps("bos_row"):
        rows.append(np.array([1.0, 0, 0]))
        targets.append(np.zeros(3))
    values = values_for(np.array(rows), np.array(targets))
    if values is None:
        return None
    tokens = {
        name: tuple(near(x) for x in row)
        for name, row in zip(("b", "o0", "t0"), values, strict=True)
    }
    pairs: Table = {}
    if softmax:
        one = (near(1.0),) * 3
        pairs = {"b": one, "o0": one, "t0": (near(at["e"]), near(1.0), near(at["beta"]))}
    prefix = prefixes(L, silent, {} if softmax else weights, claim.anchor)
    head = Head(prefix=prefix, pairs=pairs, tokens=tokens)
    return Candidate(L, ((),), ((head,),), anchor=claim.anchor)


def row_nearest(points: np.ndarray, y: np.ndarray, anchor: bool) -> np.ndarray:
    """The weights of BOS, ordinary tokens and trigger that come nearest to y: a linear program."""
    cost = [0.0, 0, 0, 1]
    A = [[*points[:, c], -1] for c in (0, 1)] + [[*-points[:, c], -1] for c in (0, 1)]
    bounds = [(0, 1 if anchor else 0), (0, 1), (0, 1), (0, None)]
    solved = linprog(cost, A_ub=A, b_ub=[*y, *-y], A_eq=[[1, 1, 1, 0]], b_eq=[1], bounds=bounds)
    return np.array([1.0, 0, 0]) if solved.x is None else solved.x[:3]


def rows_for(points: np.ndarray, eta: float, after: bool) -> np.ndarray | None:
    """The weights with the largest mass off BOS that write at most η: a linear program."""
    A = [list(points[:, c]) for c in (0, 1)] + [list(-points[:, c]) for c in (0, 1)]
    bounds = [(0, 1), (0, 1), (0, 1 if after else 0)]
    solved = linprog(
        [1.0, 0, 0], A_ub=A, b_ub=[eta * (1 + 1e-9)] * 4, A_eq=[[1, 1, 1]], b_eq=[1], bounds=bounds
    )
    return None if solved.x is None else solved.x


def prefixes(
    L: int, silent: dict[str, np.ndarray], trigger: dict[int, np.ndarray], anchor: bool
) -> dict[str, tuple[Any, ...]]:
    """A row for every prefix of every input with one content."""
    start = ["b"] if anchor else []
    rows: dict[str, tuple[Any, ...]] = {"b": (near(1.0),)} if anchor else {}

    def put(sequence: list[str], w: np.ndarray) -> None:
        """All of the mass on ordinary tokens on the last one, and the trigger's on the trigger."""
        full = np.zeros(len(sequence))
        last = max((k for k, name in enumerate(sequence) if name == "o0"), default=0)
        if anchor:
            full[0] = w[0]
        full[last] += w[1]
        if "t0" in sequence:
            full[sequence.index("t0")] += w[2]
        rows[" ".join(sequence)] = simplex_row(full)

    for j in range(3, L + 1):
        for i in range(2, L + 1):
            sequence = [*start, *("t0" if k == j else "o0" for k in range(2, i + 1))]
            if i < j:
                put(sequence, silent["before"])
            elif i > j:
                put(sequence, silent["after"])
            elif trigger:
                put(sequence, trigger[j - 2])
    return rows
