"""Rows that are free for every prefix, stacks, residual streams, MLPs: models over all prefixes.

A causal model's state at a position depends on the prefix, so it is computed once for every
distinct prefix of every input; a row attends over the prefixes of its own.  Tensors have the
models last.  Slower and more general than ``closed_form``.

``numbers`` are what a model's rows come from: logits by layer, head and prefix (free rows), by
trigger and key token (softmax at the trigger), or matrices (bilinear logits on the input tokens).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.falsifier import tree_starts
from empirics.falsifier.candidate import Candidate, Head, Mlp, names, vectors
from empirics.falsifier.claim import SIMPLEX, SOFTMAX, FalsifiableClaim
from empirics.falsifier.rationals import near, simplex_row, values_for

DTYPE = torch.float64
FAR = -1e9
LOGIT = 12.0


class TreeModels:
    """The family of models of ``claim`` at length L."""

    def __init__(self, claim: FalsifiableClaim, L: int) -> None:
        self.claim, self.L = claim, L
        k = len(claim.contents)
        self.names = names(k)
        order: dict[tuple[int, ...], int] = {}
        self.inputs = []
        for j in range(3, L + 1):
            for choice in product(range(k), repeat=L - 1):
                ids = (0, *(1 + c + k * (i == j) for i, c in enumerate(choice, start=2)))
                self.inputs.append(ids)
                for i in range(1, L + 1):
                    order.setdefault(ids[:i], len(order))
        self.prefixes = list(order)
        N, self.T = len(order), 2 * k + 1
        self.ancestors = torch.zeros((N, L), dtype=torch.long)
        self.visible = torch.zeros((N, L), dtype=torch.bool)
        for prefix, r in order.items():
            for i in range(len(prefix)):
                self.ancestors[r, i], self.visible[r, i] = order[prefix[: i + 1]], True
        self.last = torch.tensor([p[-1] for p in self.prefixes])
        self.keys = self.last[self.ancestors]
        sizes = torch.tensor([len(p) for p in self.prefixes])
        self.position, self.divisor = sizes - 1, (sizes - 1).clamp_min(1)
        tokens = np.array(vectors(claim.contents), dtype=float)
        self.tokens, self.d = torch.tensor(tokens), tokens.shape[1]
        whole = np.array(vectors(claim.contents, whole=self.exponential), dtype=float)
        self.whole = torch.tensor(whole)
        speaks = [p[-1] > k for p in self.prefixes]
        self.targets = torch.tensor(
            np.array(
                [
                    tokens[list(p[1:])].mean(axis=0) if s else np.zeros(self.d)
                    for p, s in zip(self.prefixes, speaks, strict=True)
                ]
            )
        )
        self.speaks = torch.tensor(speaks)
        self.counted = (sizes > 1) | claim.keeps("bos_row")
        self.claimed = torch.tensor([self._claimed(p, k) for p in self.prefixes])
        # A place (input, position) where each prefix occurs, for mechanisms given as functions.
        where = {ids[:i]: (s, i - 1) for s, ids in enumerate(self.inputs) for i in range(1, L + 1)}
        self.places = torch.tensor([where[p] for p in self.prefixes])

    def _claimed(self, prefix: tuple[int, ...], k: int) -> bool:
        if len(prefix) == 1 or prefix[-1] > k:
            return False
        after = any(t > k for t in prefix)
        match self.claim.rows:
            case "before":
                return not after
            case "after":
                return after
            case "two":
                return len(prefix) == 2
        return True

    @property
    def free(self) -> bool:
        return self.claim.own is None and self.claim.mechanism in (SIMPLEX, SOFTMAX)

    @property
    def exponential(self) -> bool:
        mechanism = self.claim.mechanism
        return self.claim.own is None and mechanism in ("bilinear", "off_by_one", "sigmoid")

    @property
    def by_matrix(self) -> bool:
        return not self.free or self.claim.layers > 1 or len(self.claim.contents[0]) == 0

    def start(self, rng: np.random.Generator, batch: int) -> list[Tensor]:
        """Random, perturbed solutions of one layer, and boundary points, a third each."""
        return tree_starts.start(self, rng, batch)

    @property
    def value_shape(self) -> tuple[int, int]:
        """Inputs of the value map (token coordinates, tokens, or positions and tokens) by d."""
        if not self.claim.keeps("position_free"):
            return (self.L * self.T, self.d)
        return (self.d if self.by_matrix else self.T, self.d)

    def rows_of(self, parameters: Sequence[Tensor]) -> Tensor:
        """Rows (D, H, N, L, B) of every prefix."""
        logits = parameters[0]
        hidden = ~self.visible[..., None]
        if self.free:
            scores = logits.masked_fill(hidden, FAR)
            if not self.claim.keeps("rows_sum_to_one"):
                return logits.clamp(-LOGIT, 3.0).exp() * ~hidden
            if self.claim.mechanism == SOFTMAX:
                k = len(self.claim.contents)
                queries = (self.last - 1 - k).clamp_min(0)
                pairs = parameters[2][:, :, queries[:, None], self.keys].clamp(-LOGIT, LOGIT)
                pairs = pairs.masked_fill(hidden, FAR)
                scores = torch.where(self.speaks[:, None, None], pairs, scores)
            return scores.softmax(dim=3)
        if self.exponential:
            logits = logits.clamp(-LOGIT, LOGIT)
        table = torch.einsum("ta,lhabm,sb->lhtsm", self.whole, logits, self.whole)
        if self.claim.own is not None:
            ids = torch.tensor(self.inputs)
            pairs = table[:, :, ids[:, :, None], ids[:, None, :]].movedim(-1, 0)
            rows = self.claim.own.rows(pairs)
            return rows[:, :, :, self.places[:, 0], self.places[:, 1]].movedim(0, -1)
        pairs = table[:, :, self.last[:, None], self.keys]
        share = self.divisor[:, None, None]
        match self.claim.mechanism:
            case "bilinear":
                return pairs.masked_fill(hidden, FAR).softmax(dim=3)
            case "off_by_one":
                w = pairs.exp() * ~hidden
                return w / (1 + w.sum(dim=3, keepdim=True))
            case "sigmoid":
                return pairs.sigmoid() * ~hidden / share
            case "relu":
                return pairs.relu() * ~hidden / share
        return pairs * ~hidden / share

    def run(self, rows: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """State before the last layer (N, d, B), all that was added, what the last layer adds."""
        state = self.tokens[self.last][..., None].expand(-1, -1, rows.shape[-1])
        start, before, update = state, state, torch.zeros_like(state)
        for alpha, V in zip(rows, values, strict=True):
            before = state
            if not self.claim.keeps("position_free"):
                places = self.position * self.T + self.last
                moved = V[:, places]
            elif self.by_matrix:
                moved = torch.einsum("nam,hacm->hncm", state, V)
            else:
                moved = V[:, self.last]
            seen = moved[:, self.ancestors]  # (H, N, L, d, B)
            update = (alpha[..., None, :] * seen).sum(dim=(0, 2))
            state = state + update if self.claim.residual else update
        return before, (state - start if self.claim.residual else state), update

    def forward(self, parameters: list[Tensor]) -> tuple[Tensor, Tensor]:
        """|output − target| (rows·d, B), and the smallest mass over layers and heads (rows, B)."""
        rows = self.rows_of(parameters)
        out = self.run(rows, parameters[1])[1]
        if not self.claim.keeps("no_mlp"):
            out = self.after(out, parameters[-3:])
        off = (out - self.targets[..., None])[self.counted]
        mass = (1 - rows[:, :, self.claimed, 0].abs()).amin(dim=(0, 1))
        return off.abs().flatten(0, 1), mass

    def after(self, mixed: Tensor, mlp: Sequence[Tensor]) -> Tensor:
        flags = self.tokens[self.last][:, :3, None].expand(-1, -1, mixed.shape[-1])
        read = torch.cat([mixed, flags], dim=1)
        hidden = torch.einsum("nam,ham->nhm", read, mlp[0]) + mlp[1]
        return torch.einsum("nhm,chm->ncm", hidden.relu(), mlp[2])

    def candidate(self, parameters: list[Tensor], index: int) -> Candidate | None:
        """Model ``index`` in rational numbers, with the best last values for its rows."""
        one = [x[..., index : index + 1] for x in parameters]
        layers, one = self.exact_rows(one)
        rows = self.rows_of(one) if not self.free else self.again(layers, one)
        exact = [[_near(V) for V in layer] for layer in one[1][..., 0].tolist()]
        values = torch.tensor(np.array(exact, dtype=float))[..., None]
        if self.claim.keeps("no_mlp"):
            before, added, update = self.run(rows, values)
            base = (added - update)[..., 0] if self.claim.residual else 0.0
            design = self.design(rows[-1], before)[self.counted].numpy()
            wanted = (self.targets - base)[self.counted].numpy()
            found = values_for(design, wanted)
            if found is None:
                return None
            exact[-1] = [_near(V) for V in np.split(found, self.claim.heads)]
        heads = [
            tuple(replace(head, **self.named_values(V)) for head, V in zip(layer, Vs, strict=True))
            for layer, Vs in zip(layers, exact, strict=True)
        ]
        mlp = None
        if not self.claim.keeps("no_mlp"):
            first, bias, second = (_near(x[..., 0].tolist()) for x in one[-3:])
            mlp = Mlp(tuple(map(tuple, first)), tuple(bias), tuple(map(tuple, second)))
        return Candidate(self.L, self.claim.contents, tuple(heads), self.claim.residual, mlp=mlp)

    def design(self, alpha: Tensor, before: Tensor) -> Tensor:
        """What each number of the last value map adds to each prefix: (N, H·inputs)."""
        if not self.claim.keeps("position_free"):
            features = torch.eye(self.L * self.T, dtype=DTYPE)[self.position * self.T + self.last]
        elif self.by_matrix:
            features = before[..., 0]
        else:
            features = torch.eye(self.T, dtype=DTYPE)[self.last]
        seen = features[self.ancestors]  # (N, L, inputs)
        parts = torch.einsum("hnl,nlf->hnf", alpha[..., 0], seen)
        return torch.cat(list(parts), dim=1)

    def exact_rows(self, one: list[Tensor]) -> tuple[list[list[Head]], list[Tensor]]:
        """Heads with rational rows; and the parameters with these numbers."""
        if not self.free:
            A = one[0][..., 0]
            given = A.clamp(-LOGIT, LOGIT).exp() if self.exponential else A
            exact = [[_near(x) for x in layer] for layer in given.tolist()]
            back = torch.tensor(np.array(exact, dtype=float))[..., None]
            back = back.log() if self.exponential else back
            heads = [[Head(bilinear=tuple(map(tuple, x))) for x in layer] for layer in exact]
            return heads, [back, *one[1:]]
        heads = [
            [self.free_head(one, depth, h) for h in range(self.claim.heads)]
            for depth in range(self.claim.layers)
        ]
        return heads, one

    def free_head(self, one: list[Tensor], depth: int, h: int) -> Head:
        """One head's rows for every prefix, and its pairs if the trigger's are softmax."""
        summed, softmax = self.claim.keeps("rows_sum_to_one"), self.claim.mechanism == SOFTMAX
        rows = self.rows_of(one)[depth, h, ..., 0].tolist()
        prefix, pairs = {}, {}
        for row, ids, speaks in zip(rows, self.prefixes, self.speaks.tolist(), strict=True):
            if not (softmax and speaks):
                name = " ".join(self.names[t] for t in ids)
                seen = row[: len(ids)]
                prefix[name] = simplex_row(seen) if summed else tuple(map(near, seen))
        if softmax:
            given = one[2][depth, h, ..., 0].clamp(-LOGIT, LOGIT).exp().tolist()
            pairs = {name: (near(1.0),) * self.T for name in self.names[: 1 + len(given)]}
            pairs |= {f"t{c}": tuple(map(near, x)) for c, x in enumerate(given)}
        return Head(prefix=prefix, pairs=pairs)

    def again(self, layers: list[list[Head]], one: list[Tensor]) -> Tensor:
        """Rows in floats from the rational ones."""
        rows = self.rows_of(one).clone()
        for depth, layer in enumerate(layers):
            for h, head in enumerate(layer):
                for r, ids in enumerate(self.prefixes):
                    name = " ".join(self.names[t] for t in ids)
                    if name in head.prefix:
                        numbers = [float(x) for x in head.prefix[name]]
                        rows[depth, h, r, : len(ids), 0] = torch.tensor(numbers, dtype=DTYPE)
        return rows

    def named_values(self, V: Any) -> dict[str, Any]:
        """The value map as a head's field."""
        if not self.claim.keeps("position_free"):
            table = {
                f"{i + 1} {name}": tuple(V[i * self.T + t])
                for i in range(self.L)
                for t, name in enumerate(self.names)
            }
            return {"positions": table}
        if self.by_matrix:
            return {"matrix": tuple(zip(*V, strict=True))}
        return {"tokens": {name: tuple(row) for name, row in zip(self.names, V, strict=True)}}


def _near(x: Any) -> Any:
    """Nested lists of floats as nested lists of simple rationals."""
    if isinstance(x, list | np.ndarray):
        return [_near(v) for v in x]
    return near(float(x))
