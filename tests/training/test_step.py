"""The fused step is the derivative of the definition; Adam is torch's; blocks change nothing."""

import pytest
import torch

from empirics.training.config import TRAINABLE, TrainConfig
from empirics.training.data import Stream, generators_for
from empirics.training.model import MATRICES, Weights, forward, initial_weights, task_error
from empirics.training.optimiser import Adam
from empirics.training.step import Step

SHAPES = [
    {"layers": 1, "heads": 1},
    {"layers": 2, "heads": 2, "bos_penalty": 0.3},
    {"layers": 3, "heads": 2, "residual": False},
    {"layers": 2, "heads": 3, "residual": False, "bos": False},
    {"layers": 1, "heads": 2, "residual": True, "bos_penalty": 0.5},
]


def case(attention, shape):
    config = TrainConfig(
        attention=attention,
        batch=6,
        length=7,
        content_dim=2,
        seeds=(0, 1, 2, 3, 4),
        init_std=0.5 if shape["layers"] < 3 else 0.3,
        **shape,
    )
    generators = generators_for(config.seeds)
    weights = initial_weights(config, generators).to(torch.float64)
    return config, weights, Stream(config, generators, dtype=torch.float64).draw()


class Fixed:
    """One batch, given out in parts."""

    def __init__(self, batch):
        self.batch = batch

    def draw(self, *, part):
        b = self.batch
        count = b.padded.shape[1]
        rows = b.rows[part.start * count : part.stop * count]
        first = part.start * count * b.padded.shape[2]
        parts = (x[part] for x in (b.tokens, b.triggers, b.means, b.padded))
        return type(b)(*parts, rows - first, b.contents[part])


def by_definition(config, weights, batch):
    """(gradient, mean squared error, max error) by autograd through the definition."""
    leaves = [getattr(weights, name).clone().requires_grad_() for name in MATRICES]
    seen = forward(Weights(*leaves), batch.tokens, config)
    error = task_error(seen.outputs, batch.tokens, config)
    squared = (error**2).mean((1, 2, 3))
    total = squared.sum()
    if config.bos_penalty:
        quiet = batch.tokens[..., 0] + batch.tokens[..., 1] == 0
        mass = (seen.rows[..., 0] * quiet[:, None, :, None]).sum((1, 2, 3, 4))
        count = config.batch * (config.length - 2) * config.heads * config.layers
        total = total + config.bos_penalty * (mass / count).sum()
    total.backward()
    gradient = Weights(*(leaf.grad for leaf in leaves)).flat()
    return gradient, squared.detach(), error.detach().amax((1, 2, 3))


@pytest.mark.parametrize("attention", TRAINABLE)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("block", [2, 8])
def test_step_is_the_derivative_of_the_definition(attention, shape, block):
    config, weights, batch = case(attention, shape)
    gradient, squared, worst = by_definition(config, weights, batch)
    theta = weights.flat()
    found = torch.empty_like(theta)
    step = Step(config, block=block, dtype=torch.float64)
    for _ in range(2):  # the second time in buffers that are used already
        loss, error = step.gradient(theta, Fixed(batch), found)
    assert (found - gradient).abs().max() <= 1e-12 * gradient.abs().max()
    assert torch.allclose(loss, squared, rtol=1e-12, atol=1e-15)
    assert torch.allclose(error, worst, rtol=1e-12, atol=1e-14)


def test_a_wrong_mask_would_be_seen():
    config, weights, batch = case("softmax", SHAPES[0])
    gradient, _, _ = by_definition(config, weights, batch)
    step = Step(config, dtype=torch.float64)
    step._mask[2, 3] = 0.0  # position 3 sees position 4
    found = torch.empty_like(weights.flat())
    step.gradient(weights.flat(), Fixed(batch), found)
    assert (found - gradient).abs().max() > 1e-6 * gradient.abs().max()


def test_flat_layout_is_a_bijection_and_folds_heads():
    config, weights, _ = case("softmax", SHAPES[1])
    again = Weights.from_flat(weights.flat())
    for name in MATRICES:
        assert torch.equal(getattr(again, name), getattr(weights, name))
    folded = weights.flat()[0].mT @ weights.flat()[1]
    d, h = config.width, 1
    part = slice(h * d, (h + 1) * d)
    A = weights.W_Q[3, 1, part].mT @ weights.W_K[3, 1, part]
    M = weights.W_O[3, 1][:, part] @ weights.W_V[3, 1, part]
    assert torch.allclose(folded[0, 3, 1, h], A)
    assert torch.allclose(folded[1, 3, 1, h].mT, M)


def test_adam_is_torchs():
    start = torch.randn(2, 2, 3, 1, 1, 4, 4, dtype=torch.float64)
    ours, theirs = start.clone(), torch.nn.Parameter(start.clone())
    adam = Adam(ours, lr=0.01, betas=(0.9, 0.95))
    reference = torch.optim.Adam([theirs], lr=0.01, betas=(0.9, 0.95))
    for step in range(1, 30):
        grad = torch.randn_like(start)
        adam.update(ours, grad, step)
        theirs.grad = grad.clone()
        reference.step()
        if step == 10:
            adam.keep(torch.arange(3))
    assert torch.allclose(ours, theirs.detach(), rtol=1e-12, atol=1e-14)


def test_the_step_works_on_every_count_of_models():
    config, weights, batch = case("softmax", SHAPES[0])
    step = Step(config, block=2, dtype=torch.float64)
    theta = weights.flat()
    whole = torch.empty_like(theta)
    step.gradient(theta, Fixed(batch), whole)
    alone = torch.empty_like(theta[:, :, :1])
    step.gradient(theta[:, :, :1].contiguous(), Fixed(batch), alone)
    assert torch.allclose(alone, whole[:, :, :1], rtol=1e-12)
