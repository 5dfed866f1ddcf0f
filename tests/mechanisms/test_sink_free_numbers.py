"""The same networks in floats, and their outputs from a prefix alone."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from constructions.directions import random_rationals
from constructions.networks import box, inspect, look
from constructions.sharpness import Sharpness
from constructions.sink_free import VERTICES, full_size
from constructions.ways_out import SOLUTIONS
from theorems.trigger_task import TriggerTask

FULL = TriggerTask(16, 13)
FLOATS = np.ones(1)
BY_NAME = {s.name: s for s in SOLUTIONS}
POSITIONLESS = BY_NAME["residual, no positions"]


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda s: s.name)
def test_outputs_come_from_the_prefix_alone(solution) -> None:
    rng, length = random.Random(3), 5
    task = TriggerTask(length, 2)
    tokens = task.tokens(random_rationals(rng, (length - 1, 2)), 3)
    network = solution.build(task, Sharpness(Fraction(7)))
    whole = network.run(tokens).outputs
    for i in range(1, length + 1):
        assert (network.run(tokens[:i]).outputs == whole[:i]).all()


@pytest.mark.parametrize(
    "solution", [s for s in SOLUTIONS if s is not POSITIONLESS], ids=lambda s: s.name
)
def test_in_floats_at_full_size(solution) -> None:
    E = Fraction(10**6)
    network = solution.build(FULL, Sharpness(E))
    seen = look(FULL, network, full_size(random.Random(1), FLOATS))
    closed = solution.closed(16, E)
    assert seen.error <= float(closed.error) + 1e-14
    assert abs(seen.bos - float(closed.bos)) < 1e-14
    assert seen.inputs == 14


def test_floats_lose_the_deep_stack_beyond_length_ten() -> None:
    E = Fraction(10**20)
    errors = {}
    for length in (4, 8, 16):
        task = TriggerTask(length, 1)
        rng = np.random.default_rng(0)
        batches = [
            task.tokens(rng.uniform(-1, 1, (4, length - 1, 1)), j) for j in task.trigger_positions
        ]
        errors[length] = look(task, POSITIONLESS.build(task, Sharpness(E)), batches).error
    assert errors[4] < 1e-12
    assert errors[8] < 1e-6
    assert errors[16] > 1e-3


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda s: s.name)
@pytest.mark.parametrize("length", [4, 5])
def test_the_box_is_the_largest_over_its_vertices(solution, length: int) -> None:
    E = Fraction(13)
    task = TriggerTask(length, 1)
    found = inspect(task, solution.build(task, Sharpness(E)), VERTICES["±1"])
    assert box(length, solution.at(length, E)) == found.error
