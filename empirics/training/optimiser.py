"""Adam (Kingma & Ba 2015) over one flat tensor, in place: the update of ``torch.optim.Adam``."""

from __future__ import annotations

import torch
from torch import Tensor


class Adam:
    """First and second moments for a tensor of parameters whose axis 2 runs over models.

    No weight decay, no schedule.  All models have taken the same number of steps.
    """

    def __init__(
        self, like: Tensor, lr: float, betas: tuple[float, float], eps: float = 1e-8
    ) -> None:
        self.lr, self.betas, self.eps = lr, betas, eps
        self.mean = torch.zeros_like(like)
        self.square = torch.zeros_like(like)
        self._scratch = torch.empty_like(like)

    def update(self, theta: Tensor, grad: Tensor, step: int) -> None:
        """Take the step numbered ``step`` (from 1): theta changes, grad does not."""
        beta1, beta2 = self.betas
        self.mean.lerp_(grad, 1 - beta1)
        self.square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        # θ −= lr/(1−β₁ᵗ) · mean / (√(square/(1−β₂ᵗ)) + ε)
        torch.sqrt(self.square, out=self._scratch)
        self._scratch.mul_((1 - beta2**step) ** -0.5).add_(self.eps)
        theta.addcdiv_(self.mean, self._scratch, value=-self.lr / (1 - beta1**step))

    def keep(self, models: Tensor) -> None:
        """Forget all but the models at the given indices."""
        self.mean = self.mean.index_select(2, models)
        self.square = self.square.index_select(2, models)
        self._scratch = torch.empty_like(self.mean)

    def restore(self, mean: Tensor, square: Tensor) -> None:
        """Take the moments of a checkpoint."""
        self.mean, self.square = mean, square
        self._scratch = torch.empty_like(mean)
