"""Theorem 1 from the expected error, checked by enumeration over finite laws of contents.

Ran-Milo 2026, arXiv 2603.11487, Theorem 1, speaks of random contents: small error forces a sink
"with high probability".  In ``theorems.one_layer_sink`` (average) contents are i.i.d. from any law,
the trigger position is uniform, E[largest error of the sequence] ≤ η, and for every s ≤ 1/6 the
probability δ that some position before the trigger has α < 1−3s is at most ((L−2)(L−1)/2 + 1)η/s.

With a finite law both sides are finite sums of rationals.  Weights may depend on the pair of tokens
in any way, which includes bilinear softmax, x_iᵀAx_k = ln of the weight.

*Leaky sink*, the layer that comes closest for small s: the softmax solution with large E, but
ordinary tokens of one content, drawn with a small probability π, put only 1−m on BOS and m on their
own content.  Then δ is about the probability to meet that content before the trigger, π(L−1)/2, and
the error is about m if it is met on any ordinary token, π(L−2).  With m just above 3s, δs/η is
(L−1)/(6(L−2)).

*No sink*, at s near 1/6: an error just over κ_L allows BOS weight 0 everywhere, so that δ = 1 and
δs/η is near s/κ_L, which is 2 at L = 4.

>>> from theorems.attention import picture
>>> law = {("0",): "9/10", ("1",): "1/10"}
>>> model = leaky_sink(law, mass=Fraction(1, 4), E=Fraction(1000))
>>> tokens = TriggerTask(length=4, content_dim=1).tokens(exact([["1"], ["0"], ["0"]]), trigger=4)
>>> print(picture(model.rows(tokens[None])[0]))
1.00     .     .     .
0.75  0.25     .     .
1.00  0.00  0.00     .
0.00  0.33  0.33  0.33
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import sympy as sp

from constructions.directions import identity_off_bos, random_rationals
from constructions.enumeration import as_fraction, every_case
from theorems.arrays import Array, exact
from theorems.attention import normalise
from theorems.evidence import Outcome, Run, check, evidence
from theorems.one_layer_sink import AVERAGE
from theorems.statement import Statement
from theorems.symbols import eta as eta_symbol
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

Law = Mapping[tuple[str, ...], str]
"""Contents with their probabilities, all of them written as rationals."""


@dataclass(frozen=True)
class PairModel:
    """Weights by pairs of tokens, and a value matrix.

    ``table`` is (2|K|+1, 2|K|+1), positive: BOS, then the ordinary tokens with the contents of
    ``law`` in order, then the triggers with these contents.
    """

    law: Law
    table: Array
    M: Array

    def rows(self, tokens: Array) -> Array:
        """Attention rows (N, L, L) of tokens (N, L, d): the weights, normalised."""
        index = {tuple(exact(list(c))): k for k, c in enumerate(self.law)}
        kind = np.zeros(tokens.shape[:-1], dtype=int)
        for where in np.ndindex(*kind.shape):
            token = tokens[where]
            if token[BOS] == 0:
                kind[where] = (
                    1 + index[tuple(token[CONTENT:])] + len(self.law) * int(token[TRIGGER])
                )
        return normalise(self.table[kind[..., :, None], kind[..., None, :]])

    @property
    def content_set(self) -> Array:
        """The contents of the law, (|K|, n)."""
        return exact([list(c) for c in self.law])


@dataclass(frozen=True)
class Averages:
    """Exact E[largest error of the sequence], and how likely each worst BOS weight is."""

    eta: Fraction
    worst_bos: tuple[tuple[Fraction, Fraction], ...]  # (smallest α before the trigger, probability)

    def delta(self, s: Fraction) -> Fraction:
        """The probability that some position before the trigger has α < 1 − 3s."""
        return sum((p for alpha, p in self.worst_bos if alpha < 1 - 3 * s), Fraction(0))


def averages(length: int, model: PairModel) -> Averages:
    """Both, by going through all inputs with their probabilities."""
    content_set = model.content_set
    task = TriggerTask(length, content_set.shape[1])
    law = {tuple(exact(list(c))): Fraction(p) for c, p in model.law.items()}
    eta, weights = Fraction(0), []
    for case in every_case(task, model.rows, model.M, content_set):
        for tokens, error, bos in zip(case.tokens, case.error, case.bos_before, strict=True):
            probability = Fraction(1, len(task.trigger_positions))
            for token in tokens[1:]:
                probability *= law[tuple(token[CONTENT:])]
            eta += probability * as_fraction(error)
            weights.append((as_fraction(min(bos)), probability))
    return Averages(eta, tuple(weights))


def sink_table(size: int, E: Fraction) -> Array:
    """The softmax solution as a table for ``size`` contents: E on BOS, 1/E for the trigger."""
    table = exact(np.ones((2 * size + 1, 2 * size + 1), dtype=int))
    table[1 : size + 1, 0] = E
    table[size + 1 :, 0] = 1 / E
    return table


def leaky_sink(law: Law, mass: Fraction, E: Fraction) -> PairModel:
    """Ordinary queries with the last content of ``law`` put 1−mass on BOS, mass on their like."""
    leaky, table = len(law), sink_table(len(law), E)
    table[leaky, :] = 1 / E
    table[leaky, 0], table[leaky, leaky] = 1 - mass, mass
    return PairModel(law, table, identity_off_bos(CONTENT + len(next(iter(law)))))


def no_sink(length: int) -> PairModel:
    """One content, no weight on BOS, the error just over κ_L: the trigger writes a middle target.

    Weights that should vanish are 1/E, so that all are positive; E = 10⁶.
    """
    little = Fraction(1, 10**6)
    table = exact([[1, little, little], [little**2, 1, little], [little, little, 1]])
    M, u = exact(np.zeros((CONTENT, CONTENT), dtype=int)), Fraction(1, length - 1)
    M[ORDINARY, TRIGGER] = (Fraction(3, 2) - u) / 2
    M[TRIGGER, TRIGGER] = (Fraction(1, 2) + u) / 2
    return PairModel({(): "1"}, table, M)


LAWS: tuple[Law, ...] = (
    {("1/2",): "1"},
    {("1",): "1/2", ("-1",): "1/2"},
    {("0",): "99/100", ("1",): "1/100"},
    {("0", "0"): "1/3", ("1", "0"): "1/3", ("0", "1"): "1/3"},
)
S_VALUES = tuple(Fraction(1, k) for k in (6, 13, 16, 30, 100, 1000))


def models(rng: random.Random, law: Law, per_family: int) -> list[PairModel]:
    """Softmax sinks at several E, the same perturbed in weights and values, and arbitrary ones."""
    size, M = len(law), identity_off_bos(CONTENT + len(next(iter(law))))
    found = []
    for k in range(per_family):
        E = Fraction(10) ** (k % 4 + 1)
        sink = PairModel(law, sink_table(size, E), M)
        factors = abs(random_rationals(rng, sink.table.shape)) + Fraction(1, 9)
        noise = random_rationals(rng, M.shape) / (100 * 2 ** (k % 5))
        found += [sink, PairModel(law, sink.table * factors, M + noise)]
        found += [PairModel(law, factors**3, M + 20 * noise)]
        if size > 1:
            found.append(leaky_sink(law, 4 * Fraction(1, 13 + 5 * k), E**2))
    return found


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.average")
def finite_laws_obey(run: Run) -> Outcome:
    """E[max error] and P(some α < 1−3s) by enumeration satisfy the bound, for every law and s."""
    rng, holds, count, sinkless = random.Random(run.seed), True, 0, 0
    for law in LAWS:
        for length in range(4, (5 if len(law) < 3 else 4) + run.scale(0, 1) + 1):
            for model in models(rng, law, run.scale(2, 3, 12)):
                found = averages(length, model)
                for s in S_VALUES:
                    delta = found.delta(s)
                    at = {"L": length, "eta": found.eta, "s": s, "delta": delta}
                    holds = holds and AVERAGE.applies(**at) and AVERAGE.holds(**at)
                    count, sinkless = count + 1, sinkless + (delta > 0)
    return check(holds and sinkless > 0, f"{count} pairs (model, s); δ > 0 in {sinkless} of them")


@evidence("one_layer_sink", kind="exact", statement="one_layer_sink.average")
def average_gap(run: Run) -> Outcome:
    """δs/η comes near 2 at L = 4, where (L−2)(L−1)/2 + 1 is 4, and past 1/5 at s = 1/13."""
    holds, near = True, dict[Fraction, list[Fraction]]()
    rare: Law = {("0",): "999/1000", ("1",): "1/1000"}
    for length in range(4, run.scale(5, 6) + 1):
        for s in (Fraction(1, 13), Fraction(1, 6)):
            leaky = leaky_sink(rare, 3 * s * Fraction(1001, 1000), Fraction(10**7))
            for model in (leaky, no_sink(length)):
                found = averages(length, model)
                at = {"L": length, "eta": found.eta, "s": s, "delta": found.delta(s)}
                holds = holds and AVERAGE.applies(**at) and AVERAGE.holds(**at)
                near.setdefault(s, []).append(found.delta(s) * s / found.eta)
                if model is not leaky and (length, s) == (4, S_VALUES[0]):
                    holds = holds and not stricter("19/10").holds(**at)
                elif model is leaky:
                    holds = holds and not stricter("1/5").holds(**at)
    figures = ", ".join(f"{float(max(near[s])):.3f} at s = {s}" for s in near)
    return check(holds, f"δs/η up to {figures}, against 4 at L = 4")


def stricter(constant: str) -> Statement:
    """The statement with ``constant`` for (L−2)(L−1)/2 + 1."""
    left, eta = AVERAGE.conclusion.args[0], eta_symbol
    return replace(AVERAGE, conclusion=left <= sp.Rational(constant) * eta)
