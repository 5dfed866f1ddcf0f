"""Batches are the task's: tokens bit for bit, means to rounding, also against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from empirics.training.config import TrainConfig
from empirics.training.data import Stream, generators_for
from theorems.arrays import exact

CONFIGS = [
    TrainConfig(length=5, content_dim=2, batch=16, seeds=(0, 1)),
    TrainConfig(length=6, content_dim=1, batch=16, seeds=(3, 1), bos=False),
    TrainConfig(length=4, content_dim=0, batch=4, seeds=(2,)),
    TrainConfig(seeds=(0,)),
]


def draw(config, dtype=torch.float32, trigger=None):
    return Stream(config, generators_for(config.seeds), dtype=dtype).draw(trigger)


def trigger_means(config, full, triggers):
    """The rows of the task's targets at the triggers."""
    targets = config.task.targets(full)
    index = (triggers - 1)[..., None, None].expand(*triggers.shape, 1, config.width)
    return targets.gather(-2, index)[..., 0, :]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tokens_and_means_are_the_tasks(config, dtype):
    batch = draw(config, dtype)
    full = config.task.tokens(batch.contents.contiguous(), batch.triggers)
    assert torch.equal(batch.tokens, full if config.bos else full[..., 1:, :])
    ulp = torch.finfo(dtype).eps
    wanted = trigger_means(config, full, batch.triggers)
    assert (batch.means - wanted).abs().max() <= 4 * ulp
    at_trigger = batch.padded.view(-1, config.width)[batch.rows]
    assert (at_trigger[:, 1] == 1).all()
    assert torch.equal(batch.padded[:, :, config.length - config.tokens :], batch.tokens)


@given(
    length=st.integers(4, 9),
    content_dim=st.integers(0, 3),
    batch=st.integers(1, 5),
    seeds=st.sets(st.integers(0, 2**40), min_size=1, max_size=3),
    bos=st.booleans(),
)
def test_tokens_are_the_tasks_for_every_shape(length, content_dim, batch, seeds, bos):
    config = TrainConfig(
        length=length, content_dim=content_dim, batch=batch, seeds=tuple(seeds), bos=bos
    )
    drawn = draw(config)
    full = config.task.tokens(drawn.contents.contiguous(), drawn.triggers)
    assert torch.equal(drawn.tokens, full if bos else full[..., 1:, :])
    wanted = trigger_means(config, full, drawn.triggers)
    assert (drawn.means - wanted).abs().max() <= 4 * torch.finfo(torch.float32).eps


@pytest.mark.parametrize("config", CONFIGS[:3])
def test_means_agree_with_exact_fractions(config):
    batch = draw(config)
    contents = [[Fraction(x) for x in row] for row in batch.contents.flatten(0, -2).tolist()]
    shape = batch.contents.shape
    array = np.array(contents, dtype=object).reshape(shape) if shape[-1] else None
    fractions = exact(array) if array is not None else np.empty(shape, dtype=object)
    full = config.task.tokens(fractions, batch.triggers.numpy())
    targets = config.task.targets(full)
    for s in range(shape[0]):
        for b in range(shape[1]):
            row = targets[s, b, int(batch.triggers[s, b]) - 1]
            for wanted, got in zip(row, batch.means[s, b].tolist(), strict=True):
                assert abs(Fraction(got) - wanted) <= Fraction(1, 2**22)


def test_contents_fill_the_box_and_triggers_their_range():
    config = TrainConfig(batch=2000, length=7, content_dim=3)
    batch = draw(config)
    contents = batch.contents
    assert contents.min() >= -1
    assert contents.max() <= 1
    assert abs(contents.mean()) < 0.02
    assert abs(contents.var() - 1 / 3) < 0.01
    counts = torch.bincount(batch.triggers.flatten(), minlength=8)
    assert counts[:3].sum() == 0
    assert counts[3:].min() > 2000 / 5 * 0.8


def test_a_fixed_trigger_is_used():
    batch = draw(CONFIGS[0], trigger=4)
    assert (batch.triggers == 4).all()


def test_a_seeds_data_do_not_depend_on_the_others():
    alone = draw(TrainConfig(length=5, content_dim=2, batch=16, seeds=(1,)))
    together = draw(CONFIGS[0])
    assert torch.equal(alone.tokens[0], together.tokens[1])
    assert not torch.equal(together.tokens[0], together.tokens[1])


def test_streams_of_one_seed_differ():
    first, second = (torch.rand(4, generator=generators_for([7], k)[0]) for k in (0, 1))
    assert not torch.equal(first, second)


def test_parts_are_the_whole():
    config = CONFIGS[0]
    whole = draw(config)
    stream = Stream(config, generators_for(config.seeds), block=1)
    for s in (0, 1):
        part = stream.draw(part=slice(s, s + 1))
        assert torch.equal(part.tokens[0], whole.tokens[s])
        assert torch.equal(part.means[0], whole.means[s])
        assert (part.padded.view(-1, config.width)[part.rows][:, 1] == 1).all()
