"""Definitions at their edges, on planted states and rows."""

from __future__ import annotations

import pytest
import torch

from empirics.probes import figures, measure
from empirics.probes.prompts import batch_of
from empirics.probes.states import State, reduce
from tests.probes.families import make, tokens


def state(value: float, median: float = 0.05) -> State:
    """20 tokens, 30 channels: ±``median`` everywhere, ``value`` at token 0, channel 7."""
    h = torch.full((20, 30), median)
    h[0, 7] = value
    return reduce(h, "planted")


@pytest.mark.parametrize(
    ("value", "median", "massive"),
    [
        (100.0, 0.05, 0),  # |h| > 100, strict
        (100.001, 0.05, 1),
        (-101.0, 0.05, 1),
        (653.0, 0.94, 0),  # 695 × the median: over 100 is not enough
        (1000.0, 1.0, 1),  # ≥ 1000 ×
        (999.0, 1.0, 0),
        (500.0, 0.0, 0),  # median 0: undefined, never infinite
    ],
)
def test_massive_is_both_conditions(value: float, median: float, massive: int) -> None:
    made = state(value, median)
    assert made.massive == massive
    told = figures.massive([made])
    assert told["top"][0] == {"value": pytest.approx(value), "token": 0, "channel": 7}
    assert (
        told["ratio"] is None
        if median == 0
        else told["ratio"] == pytest.approx(abs(value) / median)
    )


def test_the_median_is_the_lower_one_over_everything() -> None:
    assert reduce(torch.tensor([[1.0, -2.0], [3.0, 4.0]]), "planted").median == 2.0


def test_steps_double_or_halve_above_a_hundred() -> None:
    sizes = {-1: 1.0, 0: 60.0, 1: 99.0, 2: 500.0, 3: 600.0, 4: 301.0, 5: 150.0, 6: 80.0}
    by_layer = {i: [state(x)] for i, x in sizes.items()}
    assert figures.steps(by_layer) == {"up": [2], "down": [5]}


def test_cosines_are_over_pairs_of_prompts() -> None:
    rows = [torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 2.0]]), torch.tensor([[3.0, 3.0]])]
    states = [reduce(torch.cat([x, x]), "planted") for x in rows]
    assert figures.p0_cosine(states) == pytest.approx(2 * 0.5**0.5 / 3)
    assert figures.p0_cosine(states[:1]) is None
    assert figures.p0_cosine([*states, reduce(torch.zeros(2, 2), "planted")]) is None


def test_uniform_importance_of_every_key() -> None:
    T = 30
    rows = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]
    for k in range(1, T + 1):
        wanted = float(rows[k - 1 :, k - 1].mean())
        assert figures.uniform_importance(k, T) == pytest.approx(wanted)


def test_late_keys_are_sinks_of_any_head_that_looks_at_itself() -> None:
    """Why no metric here is "some key": the identity gives 1/3, 1/2 and 1 to the last three."""
    T = 30
    counts = figures.denominators(T, T, causal=True)
    assert (1 / counts)[-3:].tolist() == pytest.approx([1 / 3, 1 / 2, 1])


def test_the_indicator_comes_before_the_mean_over_prompts() -> None:
    """Heads over ε in one prompt of two are half a sink, however large there."""
    high, low = torch.tensor([[0.9]]), torch.tensor([[0.0]])
    assert figures.sink_rates([0.3], [high, low])["0.3"] == [50.0]
    assert figures.sink_rates([0.3], [torch.tensor([[0.3]], dtype=torch.float64)])["0.3"] == [
        0.0
    ]  # strict


def test_repeated_starts() -> None:
    ids = torch.tensor([[1, 1, 1, *range(5, 15)], [*range(5, 18)]])
    assert figures.repeated_start(batch_of(ids)) == [3, 1]


def test_all_keys_and_first_keys_agree() -> None:
    ids = tokens(2, 24)
    whole, quick = (measure(make("llama"), ids, all_keys=x).figures for x in (True, False))
    for epsilon, rates in quick["sink_rate"].items():
        assert rates == whole["sink_rate"][epsilon][:4]
    assert quick["sink_ratio"] is None
    assert quick["sink_mass"] == whole["sink_mass"]
