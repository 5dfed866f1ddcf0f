"""The judge: a candidate's error and mass off BOS over every input, exactly, against a claim.

Inputs and targets are those of ``theorems.trigger_task``, rows those of ``theorems.attention``;
every input over the content set is gone through in rational arithmetic.  Only a bound with a
fractional power is a ball, and a comparison that the ball does not decide stays undecided.

The judge of ``empirics.certificates`` bounds one input of a network with real contents in balls,
from below; this one needs the supremum itself, over a finite content set, and for rows that are
tables of prefixes.  Both take inputs, targets and mechanisms from the same definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from constructions.enumeration import as_fmpq, as_fraction, check_rows
from empirics.falsifier.bound import Number, ball
from empirics.falsifier.candidate import Candidate, Head, Table, names, vectors
from empirics.falsifier.claim import BILINEAR, FLOOR, MASS, SIMPLEX, SOFTMAX, FalsifiableClaim
from theorems.arrays import Array
from theorems.attention import MECHANISMS, causal_mask, is_simplex
from theorems.errors import UserError
from theorems.trigger_task import TriggerTask


class Verdict(StrEnum):
    REFUTES = "refutes"
    AGREES = "agrees"
    OUTSIDE = "outside"  # the claim does not speak of this error
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Judged:
    """Exact error η and mass m of a candidate, the claim's bound there, and the verdict.

    ``ratio`` is m over the bound (the floor over η for floors): above 1 is a violation; ``None``
    where the claim says nothing, or 0 ≤ 0.
    """

    verdict: Verdict
    eta: Fraction
    m: Fraction
    bound: Number | None
    ratio: float | None


def judge(candidate: Candidate, claim: FalsifiableClaim) -> Judged:
    """The candidate against the claim.  Raises ``UserError`` if it is not in the claim's class."""
    eta, m = measure(candidate, claim)
    return compare(claim, candidate.length, eta, m)


def compare(claim: FalsifiableClaim, length: int, eta: Fraction, m: Fraction) -> Judged:
    """What the claim says of a model with error ``eta`` and mass ``m``."""
    limit = claim.limit(length)
    bound = claim.bound_at(length, **({"eta": eta} if claim.kind == MASS else {"m": m}))
    if bound is None or (limit is not None and eta > limit):
        return Judged(Verdict.OUTSIDE, eta, m, bound, None)
    low, high = (bound, m) if claim.kind == MASS else (eta, bound)
    if isinstance(low, arb) or isinstance(high, arb):
        low, high = ball(low), ball(high)
        decided = bool(low < high) or bool(low >= high)
    else:
        decided = True
    verdict = Verdict.UNDECIDED
    if decided:
        verdict = Verdict.REFUTES if bool(low < high) else Verdict.AGREES
    return Judged(verdict, eta, m, bound, _quotient(float(high), float(low)))


def _quotient(high: float, low: float) -> float | None:
    if low > 0:
        return high / low
    if high == low:
        return None  # 0 of 0: a model without error says nothing of how tight a bound is
    return float("inf") if high > low else 0.0


def measure(candidate: Candidate, claim: FalsifiableClaim) -> tuple[Fraction, Fraction]:
    """η, and the largest over inputs and rows of the smallest 1 − |α| over heads and layers."""
    belongs(candidate, claim)
    task = TriggerTask(candidate.length, candidate.width - 3)
    content_set = as_fmpq(
        np.array(candidate.contents, dtype=object).reshape(
            len(candidate.contents), task.content_dim
        )
    )
    model = Exact(candidate, claim)
    eta, m = Fraction(0), Fraction(0)
    first = 0 if candidate.anchor else 1
    for j, tokens in task.every_input(content_set):
        ids = model.ids(tokens, task)[:, first:]
        tokens = tokens if task.content_dim else as_fmpq(tokens)
        outputs, bos = model.run(tokens[:, first:], ids, j)
        off = abs(outputs - task.targets(tokens)[:, first:])
        off = off if claim.keeps("bos_row") else off[:, 1:]
        eta = max(eta, as_fraction(off.max()))
        least = np.min([1 - abs(alpha) for alpha in bos], axis=0)
        chosen = {
            "all": [i for i in range(1, task.length) if i != j - 1],
            "before": list(range(1, j - 1)),
            "after": list(range(j, task.length)),
            "two": [1],
        }[claim.rows]
        if candidate.anchor and chosen:
            m = max(m, as_fraction(least[:, chosen].max()))
    return eta, m


class Exact:
    """A candidate's numbers as arrays, and its forward pass."""

    def __init__(self, candidate: Candidate, claim: FalsifiableClaim) -> None:
        self.candidate, self.claim = candidate, claim
        self.names = names(len(candidate.contents))
        self.seen: dict[tuple[int, int], list[Array | None]] = {}

    def ids(self, tokens: Array, task: TriggerTask) -> np.ndarray:
        """The index of each token among the names, (N, L): contents in order of ``every_input``."""
        size = len(self.candidate.contents)
        choice = np.indices((size,) * (task.length - 1)).reshape(task.length - 1, -1).T
        flags = (tokens[..., 1:, 1] == 1).astype(int)
        return np.concatenate([np.zeros((len(choice), 1), int), 1 + choice + size * flags], axis=1)

    def run(self, tokens: Array, ids: np.ndarray, trigger: int) -> tuple[Array, list[Array]]:
        """What the model writes (N, L, d), and its BOS weights (N, L) by layer and head."""
        state, bos = tokens, []
        for depth, layer in enumerate(self.candidate.layers):
            update = 0 * state
            for h, head in enumerate(layer):
                rows = self.rows(head, ids)
                if self.candidate.anchor:
                    memory = self.seen.setdefault((depth, h), [None] * ids.shape[1])
                    check_rows(rows, trigger, len(self.candidate.contents), memory, self.simplex)
                elif not is_simplex(rows):
                    raise UserError("some row of the model is not a simplex row")
                bos.append(rows[..., 0])
                update = update + rows @ self.values(head, state, ids)
            state = state + update if self.candidate.residual else update
        state = state - tokens if self.candidate.residual else state
        return (self.after(state, tokens) if self.candidate.mlp else state), bos

    @property
    def simplex(self) -> bool:
        claim = self.claim
        divided = claim.mechanism in (SIMPLEX, SOFTMAX, BILINEAR) and claim.own is None
        return divided and claim.keeps("rows_sum_to_one")

    def rows(self, head: Head, ids: np.ndarray) -> Array:
        """Attention rows (N, L, L)."""
        rows: Array = np.full((*ids.shape, ids.shape[1]), fmpq(0), dtype=object)
        if head.bilinear or head.pairs:
            table = self.bilinear(head) if head.bilinear else _table(head.pairs, self.names)
            pairs = table[ids[:, :, None], ids[:, None, :]]
            rows = self.mechanism(pairs)
        if head.prefix:
            for s, sequence in enumerate(ids):
                for i in range(ids.shape[1]):
                    name = " ".join(self.names[t] for t in sequence[: i + 1])
                    if name in head.prefix:
                        given = head.prefix[name]
                        if len(given) != i + 1 or min(given) < 0:
                            raise UserError(
                                f"the row of {name!r} is negative or has the wrong size"
                            )
                        rows[s, i] = fmpq(0)
                        rows[s, i, : i + 1] = as_fmpq(np.array(given, dtype=object))
        return rows

    def mechanism(self, numbers: Array) -> Array:
        if self.claim.own is not None:
            return self.claim.own.rows(numbers)
        match self.claim.mechanism:
            case "off_by_one":
                return MECHANISMS["weights_off_by_one"].rows(numbers)
            case "sigmoid":  # of logits whose exponentials are given
                return MECHANISMS["linear"].rows(numbers / (1 + numbers))
            case "relu" | "linear":
                return MECHANISMS[self.claim.mechanism].rows(numbers)
            case "undivided":
                return numbers * causal_mask(numbers)
        return MECHANISMS["weights"].rows(numbers)

    def bilinear(self, head: Head) -> Array:
        """The number of every pair of tokens, from the matrix."""
        exponential = self.claim.mechanism in (BILINEAR, "off_by_one", "sigmoid")
        exponential = exponential and self.claim.own is None
        tokens = vectors(self.candidate.contents, whole=exponential)
        table = np.full((len(tokens), len(tokens)), fmpq(0), dtype=object)
        for q, query in enumerate(tokens):
            for k, key in enumerate(tokens):
                total = fmpq(1 if exponential else 0)
                for a, x in enumerate(query):
                    for b, y in enumerate(key):
                        if x and y:
                            entry, power = _fmpq(head.bilinear[a][b]), x * y
                            if exponential:
                                total *= entry ** int(power)
                            else:
                                total += entry * _fmpq(power)
                table[q, k] = total
        return table

    def values(self, head: Head, state: Array, ids: np.ndarray) -> Array:
        """Values (N, L, d) of the tokens, of positions, or of the state."""
        if head.matrix:
            M = as_fmpq(np.array(head.matrix, dtype=object))
            return state @ M.T
        if head.tokens:
            return _table(head.tokens, self.names)[ids]
        found = [[head.positions[f"{i + 1} {self.names[t]}"] for i, t in enumerate(s)] for s in ids]
        flat = as_fmpq(np.array(found, dtype=object))
        return flat.reshape(*ids.shape, -1)

    def after(self, mixed: Array, tokens: Array) -> Array:
        mlp = self.candidate.mlp
        assert mlp is not None
        first, bias, second = (
            as_fmpq(np.array(x, dtype=object)) for x in (mlp.first, mlp.bias, mlp.second)
        )
        hidden = np.concatenate([mixed, tokens[..., :3]], axis=-1) @ first.T + bias
        return (hidden * (hidden > 0)) @ second.T


def _fmpq(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _table(rows: Table, order: list[str]) -> Array:
    """Rows by name as an array in ``order``; a name that is missing is a row of zeros."""
    width = len(next(iter(rows.values())))
    zero = (Fraction(0),) * width
    return as_fmpq(np.array([rows.get(name, zero) for name in order], dtype=object))


def belongs(candidate: Candidate, claim: FalsifiableClaim) -> None:
    """Refuse a candidate that is not one of the models of which the claim speaks."""

    def need(holds: bool, what: str) -> None:
        if not holds:
            raise UserError(f"the model is not one that the claim is about: {what}")

    d, heads = candidate.width, [h for layer in candidate.layers for h in layer]
    need(candidate.length in claim.lengths, f"length {candidate.length}")
    need(candidate.contents == claim.contents, "other contents")
    need(candidate.anchor == claim.anchor, "BOS is there or not")
    need(len(candidate.layers) <= claim.layers, f"{len(candidate.layers)} layers")
    need(max(map(len, candidate.layers)) <= claim.heads, "too many heads")
    need(candidate.residual == claim.residual, "residual stream or not")
    need(candidate.mlp is None or not claim.keeps("no_mlp"), "an MLP")
    T, own = len(names(len(candidate.contents))), claim.own is not None
    exponential = not own and claim.mechanism not in ("relu", "linear", "undivided")
    if claim.spread is not None:
        for head in heads:
            for row in head.bilinear:  # one content: a row of the matrix is a query
                need(max(row) <= claim.spread * min(row), "weights spread too far")
    for head in heads:
        need(bool(head.bilinear) + bool(head.pairs) <= 1, "two kinds of logits in one head")
        need(bool(head.tokens) + bool(head.positions) + bool(head.matrix) == 1, "its values")
        need(not head.positions or not claim.keeps("position_free"), "values read positions")
        need(not head.tokens or len(candidate.layers) == 1, "values by token in a stack")
        for table, size in ((head.pairs, T), (head.tokens, d), (head.positions, d)):
            need(all(len(v) == size for v in table.values()), "a row of the wrong size")
        for matrix in (head.bilinear, head.matrix):
            need(not matrix or [len(v) for v in matrix] == [d] * d, "a matrix of the wrong size")
        if exponential:
            numbers = [x for rows in (*head.bilinear, *head.pairs.values()) for x in rows]
            need(all(x > 0 for x in numbers), "an exponential that is not positive")
        _rows_belong(head, claim, need)


def _rows_belong(head: Head, claim: FalsifiableClaim, need: Callable[[bool, str], None]) -> None:
    own = claim.own is not None
    if own or claim.mechanism not in (SIMPLEX, SOFTMAX, "undivided"):
        need(bool(head.bilinear) and not head.prefix, "its rows are not those of the mechanism")
        matrix = bool(head.matrix) or not claim.keeps("position_free")
        need(matrix, "its values are not a matrix")
    elif claim.mechanism == "undivided":
        need(bool(head.pairs) and not head.prefix, "its rows are not undivided scores")
    elif claim.mechanism == SOFTMAX:
        triggers = [name for name in head.prefix if name.split()[-1][0] == "t"]
        need(not triggers, "the trigger's row is not softmax of pairs")


def ratio_of(claim: FalsifiableClaim, length: int, eta: Any, m: Any) -> Any:
    """The ratio in floats, arrays or tensors; NaN or negative where the claim says nothing."""
    known = {k: float(v) for k, v in claim.constants(length).items()}
    if claim.kind == FLOOR:
        return claim.bound.floats({**known, "m": m}) / eta
    return m / claim.bound.floats({**known, "eta": eta})
