"""The task's guards, and the same task for exact arrays and tensors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from theorems.arrays import exact
from theorems.trigger_task import BOS, ORDINARY, STATEMENT, TRIGGER, TriggerTask


@pytest.mark.parametrize(("length", "n"), [(2, 1), (0, 1), (4, -1)])
def test_impossible_sizes_are_refused(length: int, n: int) -> None:
    with pytest.raises(ValueError, match=r"too short|is negative"):
        TriggerTask(length, n)


def test_wrong_shapes_and_positions_are_refused() -> None:
    task = TriggerTask(4, 1)
    with pytest.raises(ValueError, match=r"needs \(3, 1\)"):
        task.tokens(exact([[1], [2]]), 3)
    for j in (0, 1, 2, 5):
        with pytest.raises(ValueError, match=r"outside 3\.\.4"):
            task.tokens(exact([[1], [2], [3]]), j)


def test_the_worked_example() -> None:
    task = TriggerTask(5, 1)
    tokens = task.tokens(exact([[1], [2], [6], [9]]), 4)
    expected = exact([["0", "1/3", "2/3", "3"]])
    assert (task.targets(tokens)[3] == expected).all(), "(1 + 2 + 6)/3 = 3, two of three ordinary"
    assert (np.delete(task.targets(tokens), 3, axis=0) == 0).all()
    assert list(task.non_trigger(tokens)) == [False, True, True, False, True]


@given(st.integers(3, 8), st.integers(0, 3), st.randoms(use_true_random=False), st.data())
def test_tensors_and_fractions_agree(length: int, n: int, rng: object, data: st.DataObject) -> None:
    j = data.draw(st.integers(3, length))
    task = TriggerTask(length, n)
    values = np.array(
        [[Fraction(rng.randint(-8, 8), 8) for _ in range(n)] for _ in range(length - 1)],  # type: ignore[attr-defined]
        dtype=object,
    ).reshape(length - 1, n)
    tokens = task.tokens(values, j)
    as_tensor = torch.tensor(values.astype(float), dtype=torch.float64)
    same = task.tokens(as_tensor, torch.tensor(j))
    assert np.array_equal(tokens.astype(float), same.numpy())
    assert np.allclose(task.targets(tokens).astype(float), task.targets(same).numpy(), atol=1e-15)
    at_trigger = task.targets(tokens)[j - 1]
    assert STATEMENT.holds(j=j, L=length, y_o=at_trigger[ORDINARY], y_t=at_trigger[TRIGGER])
    assert at_trigger[BOS] == 0


def test_batches_with_different_triggers() -> None:
    task = TriggerTask(5, 2)
    contents = torch.randn(3, 4, 2, generator=torch.Generator().manual_seed(0))
    together = task.tokens(contents, torch.tensor([3, 4, 5]))
    alone = torch.stack([task.tokens(c, j) for c, j in zip(contents, (3, 4, 5), strict=True)])
    assert torch.equal(together, alone)


def test_every_input_is_there_once() -> None:
    task = TriggerTask(4, 1)
    seen = [(j, tuple(x.flat)) for j, batch in task.every_input(exact([[0], [1]])) for x in batch]
    assert len(seen) == len(set(seen)) == 2 * 2**3
