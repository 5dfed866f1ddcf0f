"""Certificates beside what a user would pick instead: bound, soundness and seconds, in one run.

    python benchmarks/certificates.py [--models N] [--json]

On stored trained softmax models (d = 16, L = 16, contents in [-1,1]¹³) and two quantities, the
largest mass 1 − α off BOS at a non-trigger position and the largest error η:

* *sampling*: the worst of 10 000 random inputs; *PGD*: sign-gradient ascent, 512 chains; both are
  lower bounds, so as claims about every input they are wrong by what is missing;
* *intervals*: interval arithmetic through queries, keys, scores, softmax, values and outputs, one
  layer after the other, as a general tool does (IBP);
* *linear relaxation*: scores by a linear program with McCormick envelopes for every product of two
  contents, then interval softmax, then each key's share of the error in closed form: what tools of
  the CROWN family relax, with the best planes;
* *certificate*: ``empirics.certificates``; *check*: its independent verification.

A claim is *refuted* when an input, judged in balls, beats it.  The two relaxations are computed in
floats without outward rounding: not refuted here, but not proofs either.  auto_LiRPA itself is not
among them: 0.3, its newest release on the package index, requires torch < 1.13 and does not import
beside torch 2.13 and NumPy 2, since it uses parts of torch.onnx and numpy.lib that are gone there.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_array

from empirics.certificates import checker, forms, weights
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness, produce
from empirics.training.threads import limited_threads
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER

FOLDER = Path(__file__).resolve().parent.parent / "results/certificates/one_layer_softmax"
LENGTH = 16


@dataclass(frozen=True)
class Line:
    """One method on one model: claimed upper bounds and processor seconds."""

    model: str
    method: str
    mass: float
    error: float
    seconds: float
    rigorous: bool


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result of ``work`` and the processor seconds it took."""
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    result = work()
    return result, resource.getrusage(resource.RUSAGE_SELF).ru_utime - start


@dataclass(frozen=True)
class Range:
    """An interval of vectors or matrices, as centre and radius."""

    centre: np.ndarray
    radius: np.ndarray

    def through(self, W: np.ndarray) -> Range:
        return Range(self.centre @ W.T, self.radius @ abs(W).T)

    def dot(self, other: Range) -> tuple[float, float]:
        """Least and largest inner product."""
        centre = float(self.centre @ other.centre)
        spread = float(
            abs(self.centre) @ other.radius
            + self.radius @ abs(other.centre)
            + self.radius @ other.radius
        )
        return centre - spread, centre + spread


def token(flag: int, n: int) -> Range:
    centre, radius = np.zeros(CONTENT + n), np.zeros(CONTENT + n)
    centre[flag], radius[CONTENT:] = 1.0, float(flag != BOS)
    return Range(centre, radius)


def interval_scores(layer: weights.Matrices, query: int) -> dict[int, tuple[float, float]]:
    """Scores of a query on BOS, ordinary and trigger keys by intervals, layer after layer."""
    n = layer.W_Q.shape[1] - CONTENT
    q = token(query, n).through(layer.W_Q)
    return {k: q.dot(token(k, n).through(layer.W_K)) for k in (BOS, TRIGGER, ORDINARY)}


def mccormick(constant: float, x: np.ndarray, y: np.ndarray, C: np.ndarray, sign: float) -> float:
    """The largest (``sign`` 1) or least value of constant + x·c + y·c′ + cᵀC c′ by its relaxation.

    Each product c_a c′_b is a variable w with w ≤ 1 ± (c_a − c′_b) and w ≥ −1 ± (c_a + c′_b).
    """
    n = len(x)
    goal = -sign * np.concatenate([x, y, C.ravel()])
    rows = lil_array((4 * n * n, 2 * n + n * n))
    for k, (a, b) in enumerate(np.ndindex(n, n)):
        for m, (s, t, u) in enumerate(((-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1))):
            rows[4 * k + m, a], rows[4 * k + m, n + b], rows[4 * k + m, 2 * n + k] = s, t, u
    found = linprog(goal, A_ub=rows.tocsr(), b_ub=np.ones(4 * n * n), bounds=(-1, 1))
    return constant - sign * float(found.fun)


def relaxed_gaps(A: np.ndarray, query: int, base: int) -> dict[int, tuple[float, float]]:
    """Scores of a query on each key less that on ``base`` (flags' part for contents of keys)."""
    C, gaps = A[CONTENT:, CONTENT:], {}
    for key in (BOS, TRIGGER, ORDINARY):
        slope = A[CONTENT:, key] - A[CONTENT:, base]
        constant = A[query, key] - A[query, base]
        if key == BOS:
            wide = abs(slope).sum()
            gaps[key] = (constant - wide, constant + wide)
        else:
            y = A[query, CONTENT:]
            gaps[key] = tuple(mccormick(constant, slope, y, C, s) for s in (-1.0, 1.0))
    return gaps


def off_bos(gaps: dict[int, tuple[float, float]]) -> float:
    """The largest mass from upper ends of gaps over BOS."""
    S = (LENGTH - 2) * np.exp(gaps[ORDINARY][1]) + np.exp(gaps[TRIGGER][1])
    return float(S / (1 + S))


def trigger_error(M: np.ndarray, scores: dict[int, tuple[float, float]], *, apart: bool) -> float:
    """The error of the trigger's row from intervals of its scores.

    Each weight lies in its interval; with ``apart`` output and target are two intervals, otherwise
    key k gives at most the largest |α(Mx)_j − x_j/r| over its weight and contents.
    """
    worst = 0.0
    for r in range(2, LENGTH):
        keys = [BOS, TRIGGER] + [ORDINARY] * (r - 1)
        low, high = (np.exp([scores[k][side] for k in keys]) for side in (0, 1))
        least, most = low / (low + high.sum() - high), high / (high + low.sum() - low)
        for j, row in enumerate(M):
            one, total = np.eye(len(M))[j], 0.0
            for k, a, b in zip(keys, least, most, strict=True):
                share = 0.0 if k == BOS else 1.0 / r
                ends = [
                    abs(w * row[k] - share * one[k]) + abs(w * row - share * one)[CONTENT:].sum()
                    if k != BOS
                    else abs(w * row[k])
                    for w in (a, b)
                ]
                if apart and k != BOS:
                    ends = [b * (abs(row[k]) + abs(row[CONTENT:]).sum()) + share * one.sum()]
                total += max(ends)
            worst = max(worst, total)
    return worst


def silent_error(M: np.ndarray, mass: float) -> float:
    value = np.maximum(abs(M[:, ORDINARY]), abs(M[:, TRIGGER])) + abs(M[:, CONTENT:]).sum(axis=1)
    return float(((1 - mass) * abs(M[:, BOS]) + mass * value).max())


def by_intervals(layer: weights.Matrices) -> tuple[float, float]:
    M = layer.W_O @ layer.W_V
    ordinary, at_trigger = (interval_scores(layer, q) for q in (ORDINARY, TRIGGER))
    gaps = {k: (low, high - ordinary[BOS][0]) for k, (low, high) in ordinary.items()}
    mass = off_bos(gaps)
    return mass, max(silent_error(M, mass), trigger_error(M, at_trigger, apart=True))


def by_relaxation(layer: weights.Matrices) -> tuple[float, float]:
    A, M = layer.W_Q.T @ layer.W_K, layer.W_O @ layer.W_V
    mass = off_bos(relaxed_gaps(A, ORDINARY, BOS))
    error = trigger_error(M, relaxed_gaps(A, TRIGGER, ORDINARY), apart=False)
    return mass, max(silent_error(M, mass), error)


def measure(path: Path) -> tuple[list[Line], float, float]:
    """The lines of one model, and the worst mass and error that an input surely reaches."""
    file = weights.read(path)
    layer = file.layers[0]
    (head,) = forms.heads(layer, "ours")
    attacker = Attacker(head, "softmax", LENGTH)
    lines, judged = [], {"mass": Fraction(0), "error": Fraction(0)}

    def add(method: str, found: tuple[float, float], seconds: float, rigorous: bool) -> None:
        lines.append(Line(path.stem, method, float(found[0]), float(found[1]), seconds, rigorous))

    searches: dict[str, Callable[[str], Any]] = {
        "sampling": lambda kind: attacker.sample(kind, 10_000),
        "PGD": lambda kind: attacker.ascend(kind, 512, 40),
    }
    for method, search in searches.items():
        found, seconds = timed(lambda s=search: (s("mass"), s("error")))
        add(method, (found[0].value, found[1].value), seconds, False)
    for method, relax in (("intervals", by_intervals), ("linear relaxation", by_relaxation)):
        found, seconds = timed(lambda r=relax: r(layer))
        add(method, found, seconds, False)
    settings = {"layout": "ours", "weights_sha256": file.sha256}
    made, seconds = timed(
        lambda: produce(head, "softmax", LENGTH, subject=path.stem, settings=settings)
    )
    masses = made["figures"]["mass_at_most"].values()
    claims = (
        max(float(Fraction(x)) for side in masses for x in side.values()),
        max(float(Fraction(x)) for x in made["figures"]["error_at_most"].values()),
    )
    add("certificate", claims, seconds, True)
    add("check", claims, timed(lambda: checker.check(made, str(path)))[1], True)
    for kind in judged:
        judged[kind] = max(
            Fraction(made["figures"]["witness"][kind]["at_least"]),
            *(
                Fraction(as_witness(head, "softmax", kind, search(kind).given)["at_least"])
                for search in searches.values()
            ),
        )
    return lines, float(judged["mass"]), float(judged["error"])


def main() -> int:
    """Print the comparison; exit code 1 if a rigorous claim is refuted or a figure is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=int, default=2, help="stored models to go through")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows, missed = [], []
    with limited_threads(1):
        for path in sorted(FOLDER.glob("*.safetensors"))[: options.models]:
            lines, mass, error = measure(path)
            for line in lines:
                refuted = bool(line.mass < mass or line.error < error)
                row = {**asdict(line), "refuted": refuted}
                rows.append(
                    {**row, "mass_ratio": line.mass / mass, "error_ratio": line.error / error}
                )
                if line.rigorous and (refuted or line.error > 3 * error or line.mass > 1.5 * mass):
                    missed.append(f"{line.model}: {line.method}")
                limit = {"certificate": 10.0, "check": 5.0}.get(line.method, float("inf"))
                missed += [f"{line.model}: {line.method} is slow"] if line.seconds > limit else []
    if options.json:
        print(
            json.dumps(
                {
                    "subject": "certificates",
                    "status": "missed" if missed else "met",
                    "figures": rows,
                    "missed": missed,
                },
                indent=1,
            )
        )
    else:
        print(
            f"{'model':8} {'method':18} {'1 − α ≤':>11} {'× worst':>8} {'η ≤':>9} {'× worst':>8}"
            f" {'seconds':>8}  claim for every input"
        )
        for r in rows:
            verdict = "proved" if r["rigorous"] else "refuted" if r["refuted"] else "not rigorous"
            print(
                f"{r['model']:8} {r['method']:18} {r['mass']:11.3g} {r['mass_ratio']:8.3g} "
                f"{r['error']:9.3g} {r['error_ratio']:8.3g} {r['seconds']:8.2f}  {verdict}"
            )
    for sentence in missed:
        print(f"missed: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
