"""One layer whose logits depend on token pairs, thousands of models at once, over every input.

A row depends on its query token and on how often each token stands before it, so there are few
distinct rows: 25 for L = 4 and contents ±1, for 48 rows of 12 inputs.  With weight w_qk for a
pair and counts n_rk, row r writes Σ_k n_rk w_qk V_k over its divisor: one small matrix, the same
for all models, times the products w_qk V_k.  Tensors have the models last: (H, …, B).

``Head`` h has a matrix A (d, d), on contents scaled to whole numbers, or a number for each pair
(T, T); and values M (d, d) or V (T, d).  The supremum over all inputs is exact up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import torch
from torch import Tensor

from empirics.falsifier.candidate import Candidate, Head, names, vectors
from empirics.falsifier.claim import FalsifiableClaim
from empirics.falsifier.rationals import near, values_for

LOGIT = 14.0
"""Entries of A are held within ±14: beyond, e^logit changes nothing that the error shows."""
DTYPE = torch.float64


@dataclass(frozen=True)
class Rows:
    """The distinct rows of one query token: counts (R, T), targets (R, d), divisors and kinds."""

    query: int
    counts: Tensor
    targets: Tensor
    divisor: Tensor
    claimed: Tensor


def distinct_rows(claim: FalsifiableClaim, L: int) -> list[Rows]:
    """All rows over all inputs, query by query.  ``claimed``: whether the claim speaks of it."""
    k = len(claim.contents)
    T, tokens = 2 * k + 1, np.array(vectors(claim.contents), dtype=float)
    found: dict[int, list[tuple[list[int], np.ndarray, int, bool]]] = {q: [] for q in range(T)}
    zero = np.zeros(tokens.shape[1])

    def counts(kinds: tuple[int, ...]) -> list[int]:
        return np.bincount(np.array([0, *kinds]), minlength=T).tolist()

    if claim.keeps("bos_row"):
        found[0].append((counts(()), zero, 1, False))
    for i in range(2, L + 1):
        for others in combinations_with_replacement(range(k), i - 2):
            ordinary = tuple(1 + c for c in others)
            for own in range(k):
                silent = (*ordinary, 1 + own)
                claimed = claim.rows in ("all", "before") or (claim.rows == "two" and i == 2)
                # The last position is before the trigger in no input.
                if i < L:
                    found[1 + own].append((counts(silent), zero, i, claimed))
                if i >= 3:
                    seen = (*ordinary, 1 + k + own)
                    mean = tokens[list(seen)].mean(axis=0)
                    found[1 + k + own].append((counts(seen), mean, i, False))
        if i >= 4:
            for others in combinations_with_replacement(range(k), i - 3):
                for trigger, own in product(range(k), range(k)):
                    seen = (*(1 + c for c in others), 1 + k + trigger, 1 + own)
                    found[1 + own].append((counts(seen), zero, i, claim.rows in ("all", "after")))
    return [
        Rows(
            q,
            torch.tensor([r[0] for r in rows], dtype=DTYPE),
            torch.tensor(np.array([r[1] for r in rows]), dtype=DTYPE),
            torch.tensor([max(1, r[2] - 1) for r in rows], dtype=DTYPE),
            torch.tensor([r[3] for r in rows]),
        )
        for q, rows in found.items()
        if rows
    ]


class PairModels:
    """The family of models of ``claim`` at length L."""

    def __init__(self, claim: FalsifiableClaim, L: int) -> None:
        self.claim, self.L = claim, L
        self.rows = distinct_rows(claim, L)
        self.tokens = torch.tensor(np.array(vectors(claim.contents), dtype=float), dtype=DTYPE)
        whole = np.array(vectors(claim.contents, whole=self.exponential), dtype=float)
        self.whole = torch.tensor(whole, dtype=DTYPE)
        self.T, self.d = self.tokens.shape
        self.by_pairs = claim.mechanism == "undivided"

    @property
    def exponential(self) -> bool:
        return self.claim.own is None and self.claim.mechanism in (
            "bilinear",
            "off_by_one",
            "sigmoid",
        )

    @property
    def reach(self) -> float:
        """The largest |logit|; a bound on the spread of weights is kept with a little room."""
        spread = self.claim.spread
        return LOGIT if spread is None else float(np.log(float(spread))) / 2 * (1 - 1e-6) - 1e-6

    def start(self, rng: np.random.Generator, batch: int) -> list[Tensor]:
        """Random, perturbed published solutions, and boundary points, a third each."""
        H, d = self.claim.heads, self.d
        size = self.T if self.by_pairs else d
        spread = rng.choice([0.5, 1.0, 3.0], size=batch)
        A = rng.normal(size=(H, size, size, batch)) * spread
        V = rng.normal(size=(H, size, d, batch)) * rng.choice([0.3, 1.0], size=batch)
        third = batch // 3
        logits, values = self.solution()
        noise = rng.choice([0.03, 0.3, 1.0], size=third)
        sharp = rng.uniform(0.5, 6.0, size=third) if self.exponential else 1.0
        A[..., :third] = A[..., :third] * noise + logits[None, :, :, None] * sharp
        V[..., :third] = V[..., :third] * noise
        V[0, ..., :third] += values[..., None]
        corner = rng.choice([-6.0, 0.0, 6.0], size=(H, size, size, third))
        A[..., third : 2 * third] = corner + 0.1 * A[..., third : 2 * third]
        V[..., third : 2 * third] *= 10 ** rng.uniform(-1, 1.5, size=third)
        V[:, :, 0] = 0
        return [torch.tensor(A), torch.tensor(V)]

    def solution(self) -> tuple[np.ndarray, np.ndarray]:
        """The published solution of the mechanism: logits at sharpness one, and the values."""
        size, k = (self.T, len(self.claim.contents)) if self.by_pairs else (self.d, 1)
        logits = np.zeros((size, size))
        o, t = (slice(1, 1 + k), slice(1 + k, None)) if self.by_pairs else (2, 1)
        if self.claim.mechanism == "bilinear":
            logits[o, 0], logits[t, 0] = 1, -1
        else:
            if self.exponential:
                logits[:, :] = -1.0 if self.by_pairs else 0.0
                logits[o, 0] = logits[o, o] = logits[o, t] = logits[t, 0] = -1
            logits[t, o] = logits[t, t] = 1
        values = self.tokens.numpy().copy() if self.by_pairs else np.eye(self.d)
        values[0] = 0
        values[:, 0] = 0
        return logits, values

    def weights(self, A: Tensor) -> Tensor:
        """Unnormalised weights (H, T, T, B) of pairs."""
        if self.exponential:
            A = A.clamp(-self.reach, self.reach)
        if not self.by_pairs:
            A = torch.einsum("ta,habm,sb->htsm", self.whole, A, self.whole)
        if self.exponential:
            return A.sigmoid() if self.claim.mechanism == "sigmoid" else A.exp()
        return A.relu() if self.claim.mechanism == "relu" else A

    def forward(self, parameters: list[Tensor]) -> tuple[Tensor, Tensor]:
        """|output − target| (rows·d, B), and the mass m off BOS (claimed rows, B)."""
        A, V = parameters
        w = self.weights(A)
        values = V if self.by_pairs else torch.einsum("ta,hacm->htcm", self.tokens, V)
        off, mass = [], []
        for rows in self.rows:
            weights = w[:, rows.query]
            share = rows.counts @ weights  # (H, R, B)
            divisor = self.divisor(share, rows)
            H, T, d, B = values.shape
            written = rows.counts @ (weights[:, :, None] * values).reshape(H, T, d * B)
            out = (written.reshape(H, -1, d, B) / divisor[:, :, None]).sum(dim=0)
            off.append((out - rows.targets[..., None])[:, 1:].reshape(-1, B))
            if rows.claimed.any():
                alpha = weights[:, None, 0] / divisor[:, rows.claimed]
                mass.append((1 - alpha.abs()).amin(dim=0))
        return torch.cat(off).abs(), torch.cat(mass)

    def divisor(self, share: Tensor, rows: Rows) -> Tensor:
        match self.claim.mechanism:
            case "bilinear":
                return share
            case "off_by_one":
                return 1 + share
            case "undivided":
                return torch.ones_like(share)
        return rows.divisor[None, :, None].expand_as(share)

    def candidate(self, parameters: list[Tensor], index: int) -> Candidate | None:
        """Model ``index`` in rational numbers, with the best values for its rows."""
        A = parameters[0][..., index].numpy()
        if self.exponential:
            A = np.exp(np.clip(A, -self.reach, self.reach))
        numbers = [[[near(x) for x in row] for row in head] for head in A]
        again = np.array(numbers, dtype=float)
        again = np.log(again) if self.exponential else again
        w = self.weights(torch.tensor(again)[..., None])[..., 0].numpy()
        design, targets = [], []
        for rows in self.rows:
            counts = rows.counts.numpy()
            share = torch.tensor(np.einsum("rt,ht->hr", counts, w[:, rows.query]))[..., None]
            divisor = self.divisor(share, rows)[..., 0].numpy()
            part = counts[None] * w[:, rows.query][:, None] / divisor[..., None]  # (H, R, T)
            part = part if self.by_pairs else part @ self.tokens.numpy()
            design.append(np.concatenate(list(part), axis=1))
            targets.append(rows.targets.numpy())
        values = values_for(np.concatenate(design), np.concatenate(targets))
        if values is None:
            return None
        heads = []
        for h, V in enumerate(np.split(values, len(numbers))):
            exact = [[near(x) for x in row] for row in V]
            if self.by_pairs:
                order = names(len(self.claim.contents))
                heads.append(Head(pairs=_named(order, numbers[h]), tokens=_named(order, exact)))
            else:
                transposed = tuple(zip(*exact, strict=True))
                heads.append(Head(bilinear=tuple(map(tuple, numbers[h])), matrix=transposed))
        return Candidate(self.L, self.claim.contents, (tuple(heads),), self.claim.residual)


def _named(order: list[str], rows: list[list[Fraction]]) -> dict[str, tuple[Fraction, ...]]:
    return {name: tuple(row) for name, row in zip(order, rows, strict=True)}
