"""Searches for bad inputs: candidates by floats, to be judged in balls.

Three sources, each batched: uniform sampling; a sign-gradient ascent from random contents
(projected gradient descent on minus the error); and inputs put together from the bounds' own worst
cases, polished by the same ascent.  None of them proves anything: a judged candidate is a lower
bound of the supremum, and shows how tight a certificate is.

Since a position sees only what precedes it, inputs of more than ``SEARCHED`` positions are searched
by their beginnings; of one softmax head also the last position, where most mass can be off BOS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.certificates.forms import Exact, Head
from empirics.certificates.judge import Input
from empirics.certificates.vertices import signs
from empirics.training.threads import limited_threads
from theorems.attention import MECHANISMS, attend, bilinear_logits
from theorems.trigger_task import BOS, CONTENT, ORDINARY, TRIGGER, TriggerTask

SEARCHED = 32
"""Longest beginning that is searched."""
LAST = 4096
"""Largest L whose last position is searched too."""


@dataclass(frozen=True)
class Found:
    """The worst input of a search and its value in floats; ``position`` if it is known."""

    value: float
    given: Input
    position: int | None = None


class Attacker:
    """Searches against one head, in double precision; deterministic for a seed."""

    def __init__(
        self, head: Head | Sequence[Head], attention: str, length: int, seed: int = 0
    ) -> None:
        heads = [head] if isinstance(head, Head) else list(head)
        self.length, length = length, min(length, SEARCHED)
        self.task = TriggerTask(length, heads[0].content_dim)
        self.rows = MECHANISMS[attention].rows
        self.layers = [(tensor(h.A), tensor(h.M)) for h in heads]
        self.A, self.M = self.layers[0]
        self.simplex = MECHANISMS[attention].simplex
        self.generator = torch.Generator().manual_seed(seed)
        self.most = max(8, 2**24 // length**2)  # sequences in a batch, by memory

    def errors(self, contents: Tensor, triggers: Tensor) -> Tensor:
        """|output − target| per channel, largest over positions: (B, d)."""
        tokens = self.task.tokens(contents, triggers)
        state = tokens
        for A, M in self.layers:
            state = attend(self.rows(bilinear_logits(state, A)), state, M)
        return (state - self.task.targets(tokens)).abs().amax(dim=1)

    def masses(self, contents: Tensor, triggers: Tensor) -> Tensor:
        """Largest mass at a non-trigger position: off BOS for softmax, on BOS for ReLU: (B,)."""
        tokens = self.task.tokens(contents, triggers)
        bos = self.rows(bilinear_logits(tokens, self.A))[..., BOS]
        mass = 1 - bos if self.simplex else bos
        return torch.where(self.task.non_trigger(tokens), mass, -1.0).amax(dim=1)

    def uniform(self, count: int) -> tuple[Tensor, Tensor]:
        """Random inputs: contents (count, L−1, n) uniform in the box, triggers (count,).

        Fewer than ``count`` where sequences are so long that they would not fit.
        """
        count = min(count, self.most)
        shape = (count, self.task.length - 1, self.task.content_dim)
        contents = 2 * torch.rand(shape, generator=self.generator, dtype=torch.float64) - 1
        return contents, torch.randint(3, self.task.length + 1, (count,), generator=self.generator)

    def sample(self, kind: str, count: int) -> Found:
        """The worst of ``count`` uniform inputs; ``kind`` is "error" or "mass"."""
        contents, triggers = self.uniform(count)
        return self._best(kind, contents, triggers)

    def ascend(
        self,
        kind: str,
        count: int = 128,
        steps: int = 30,
        start: tuple[Tensor, Tensor] | None = None,
    ) -> Found:
        """Sign-gradient ascent, by channels: chain k of an error attack goes up channel k mod d."""
        contents, triggers = self.uniform(count) if start is None else start
        contents = contents.clone()
        channel = torch.arange(len(contents)) % self.M.shape[0]
        best = self._best(kind, contents, triggers)
        for step in range(steps if contents.numel() else 0):
            contents.requires_grad_(True)
            if kind == "mass":
                goal = self.masses(contents, triggers).clamp(min=1e-300).log().sum()
            else:
                errors = self.errors(contents, triggers)
                goal = errors.gather(1, channel[:, None]).sum()
            (slope,) = torch.autograd.grad(goal, contents)
            with torch.no_grad():
                size = 2.0 if step % 2 else 1.0 / (1 + step)
                contents = (contents + size * slope.sign()).clamp(-1, 1)
            found = self._best(kind, contents, triggers)
            best = max(best, found, key=lambda f: f.value)
        return best

    def built(self) -> tuple[Tensor, Tensor]:
        """Inputs for the error of the trigger's row, two for each trigger position and channel.

        The trigger's content makes its logits spread most; its keys come in two groups, +1 and −1
        on the channel, each made to score high or low, or to meet the deviation of M, whichever
        is larger.
        """
        L, n, d = self.task.length, self.task.content_dim, self.M.shape[0]
        C, y = self.A[CONTENT:, CONTENT:], self.A[TRIGGER, CONTENT:]
        b = (torch.randint(0, 2, (4 * d, n), generator=self.generator) * 2 - 1).to(y)
        for _ in range(20):
            b = torch.where((y + b @ C).sign() @ C.T >= 0, 1.0, -1.0).to(y)
        order = (y + b @ C).abs().sum(dim=1).argsort(descending=True)
        b = b[order[0]]
        q = (y + b @ C) * (
            1 if self.simplex else float(self.M[CONTENT:, CONTENT:].diagonal().mean()) if n else 1
        )
        scale = 1.0 if self.simplex else float(self.A[TRIGGER, ORDINARY])
        D = scale * self.M[:, CONTENT:] - torch.eye(d, dtype=y.dtype)[:, CONTENT:]
        contents, triggers = [], []
        each = max(1, (L - 2) * 2 * d // min(self.most, 2048))
        for j in self.task.trigger_positions[::-1][::each]:
            for channel in range(d):
                for sign in (1.0, -1.0):
                    up = torch.where(q + sign * D[channel] >= 0, 1.0, -1.0).to(y)
                    down = torch.where(-q + sign * D[channel] >= 0, 1.0, -1.0).to(y)
                    if channel >= CONTENT:
                        up[channel - CONTENT], down[channel - CONTENT] = sign, -sign
                    body = torch.stack([up if k % 2 else down for k in range(L - 1)])
                    body[j - 2] = b
                    contents.append(body)
                    triggers.append(j)
        return torch.stack(contents)[: self.most], torch.tensor(triggers)[: self.most]

    def constant(self) -> tuple[Tensor, Tensor]:
        """Inputs for stacks: all contents at one vertex, where layer 2 scores the trigger least."""
        (_, M), (A, _) = self.layers[:2]
        E = M.T @ A @ M
        sides = [E[CONTENT:, ORDINARY], E[ORDINARY, CONTENT:]]
        vertices = [s * torch.where(side >= 0, 1.0, -1.0).to(A) for side in sides for s in (1, -1)]
        shape = (1, self.task.length - 1, 1)
        places = self.task.trigger_positions[: self.most // 4]
        contents = [v.repeat(shape) for v in vertices for _ in places]
        return torch.cat(contents), torch.tensor([*places] * len(vertices))

    def worst(self, kind: str) -> Found:
        """The worst input of all three sources, on one thread."""
        with limited_threads(1):
            return self._worst(kind)

    def _worst(self, kind: str) -> Found:
        found = [self.sample(kind, 512), self.ascend(kind)]
        if kind == "error" and self.task.content_dim:
            start = self.built()
            found += [self.ascend(kind, steps=4, start=start)]
        if len(self.layers) > 1:
            found += [self.ascend(kind, steps=4, start=self.constant())]
        if kind == "mass":
            found += [self.worst_mass()]
        return max(found, key=lambda f: f.value)

    def worst_mass(self) -> Found:
        """The worst input for the mass, put together from the bound's own worst cases."""
        if self.simplex and self.task.length < self.length <= LAST:
            return self.last_row()
        return self._best("mass", *self.sinkless())

    def last_row(self) -> Found:
        """For softmax, the last position of a long input with one content for all other keys."""
        c, keys, logits = self._vertices()
        key, own = logits
        others = (self.length - 3) * key[ORDINARY].exp() + key[TRIGGER].exp()
        S = others + own.exp()
        k = int(S.argmax())
        contents = keys[k].repeat(self.length - 1, 1)
        contents[-1] = c[k]
        given = Input.of(contents.numpy(), self.length - 1)
        return Found(float(S[k] / (1 + S[k])), given, self.length)

    def sinkless(self) -> tuple[Tensor, Tensor]:
        """Inputs with the most mass: for softmax off BOS at the last query, for ReLU on BOS.

        The last query has the worst vertices as contents and sees the worst keys for each; for
        ReLU the token at position 2 has the content that BOS attracts most.
        """
        L = self.task.length
        if not self.simplex:
            drawn = torch.where(self.A[CONTENT:, BOS] >= 0, 1.0, -1.0).to(self.A)
            return drawn.repeat(1, L - 1, 1), torch.tensor([L])
        c, keys, (key, _) = self._vertices()
        top = key[ORDINARY].argsort(descending=True)[: min(64, self.most)]
        contents = keys[top][:, None].repeat(1, L - 1, 1)
        contents[:, -1] = c[top]
        return contents, torch.full((len(top),), L - 1)

    def _vertices(self) -> tuple[Tensor, Tensor, tuple[dict[int, Tensor], Tensor]]:
        """Contents of an ordinary query, the worst contents of its keys, and its logits over BOS
        on ordinary keys and the trigger, and on itself."""
        C, y = self.A[CONTENT:, CONTENT:], self.A[ORDINARY, CONTENT:]
        c = torch.from_numpy(signs(self.task.content_dim)).to(y)
        q = y + c @ C
        flags = {
            key: self.A[ORDINARY, key]
            - self.A[ORDINARY, BOS]
            + c @ (self.A[CONTENT:, key] - self.A[CONTENT:, BOS])
            for key in (ORDINARY, TRIGGER)
        }
        steep, own = q.abs().sum(dim=1), (q * c).sum(dim=1)
        logits = {key: z + steep for key, z in flags.items()}, flags[ORDINARY] + own
        return c, torch.where(q >= 0, 1.0, -1.0).to(y), logits

    def _best(self, kind: str, contents: Tensor, triggers: Tensor) -> Found:
        with torch.no_grad():
            if kind == "mass":
                values = self.masses(contents, triggers)
            else:
                values = self.errors(contents, triggers).amax(dim=1)
            k = int(values.argmax())
            return Found(float(values[k]), Input.of(contents[k].detach().numpy(), int(triggers[k])))


def tensor(matrix: Exact) -> Tensor:
    """The matrix in double precision."""
    return torch.tensor([[float(x) for x in row] for row in matrix], dtype=torch.float64)
