"""Every metric of every family equals the float64 reference with full matrices, to 1e-5."""

from __future__ import annotations

import pytest
import torch

from empirics.probes import measure
from tests.probes.families import FAMILIES, make, tokens
from tests.probes.reference import differences, reference

BOUND = 1e-5

# transformers' GPT-BigCode, at its import
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is:DeprecationWarning")


@pytest.mark.parametrize("name", FAMILIES)
def test_metrics_are_those_of_full_matrices(name: str) -> None:
    ids = tokens(2, 24)
    found = measure(make(name), ids).figures
    wanted = reference(FAMILIES[name], make(name), ids)
    assert differences(found, wanted, BOUND) == []


@pytest.mark.parametrize("name", FAMILIES)
def test_padding_on_either_side_is_left_out(name: str) -> None:
    ids, mask = tokens(3, 24), torch.ones(3, 24, dtype=torch.long)
    mask[0, :7], mask[1, 19:] = 0, 0
    found = measure(make(name), ids, mask).figures
    places = [(0, 7, 24), (1, 0, 19), (2, 0, 24)]
    wanted = reference(FAMILIES[name], make(name), ids, mask, prompts=places)
    assert differences(found, wanted, BOUND) == []


def test_families_that_must_be_there() -> None:
    assert len(FAMILIES) >= 14
    hit = {"llama", "mistral", "gemma2", "gpt2", "gpt_oss", "qwen3", "qwen3_next", "bert"}
    assert hit <= set(FAMILIES)
