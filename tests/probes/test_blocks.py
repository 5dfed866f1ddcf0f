"""Blocks, MLPs and attention modules of every family, and hooks that hear and change."""

from __future__ import annotations

import pytest
import torch

from empirics.probes import measure
from empirics.probes.blocks import find_blocks, inputs, listening, outputs
from tests.probes.families import FAMILIES, make, tokens

# transformers' GPT-BigCode, at its import
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is:DeprecationWarning")


@pytest.mark.parametrize("name", FAMILIES)
def test_places_of_every_family(name: str) -> None:
    """Block outputs, attention outputs and MLP inputs can be heard, and attention silenced."""
    model, ids = make(name), tokens(2, 12)
    blocks = find_blocks(model)
    assert [b.module for b in blocks.blocks] == list(model.get_submodule(FAMILIES[name].blocks))
    layer = measure(model, ids).layers[-1]
    block = layer.block
    assert block.index == 1
    assert block.mlp is not None
    heard: dict[str, torch.Tensor] = {}
    places = [
        outputs(block.module, lambda h: heard.update(block=h)),
        outputs(layer.module, lambda h: heard.update(attention=h)),
        inputs(block.mlp, lambda h: heard.update(mlp=h)),
    ]
    with torch.no_grad(), listening(*places):
        before = model(ids)[0]
    assert heard["block"].shape == (2, 12, 32)
    assert heard["attention"].shape[:2] == (2, 12)
    assert heard["mlp"].numel() == 2 * 12 * 32
    with torch.no_grad(), outputs(layer.module, torch.zeros_like):
        silenced = model(ids)[0]
    with torch.no_grad():
        after = model(ids)[0]
    assert float((silenced - before).abs().max()) > 1e-4
    assert torch.equal(after, before)


def test_a_changed_model_can_be_measured() -> None:
    """What a hook puts in place is what is measured."""
    model, ids = make("llama"), tokens(1, 12)
    with inputs(find_blocks(model).blocks[0].module, torch.zeros_like):
        found = measure(model, ids)
    assert float(found.states[-1][0].norms.max()) == 0
    assert found.figures["first_token_share"] == pytest.approx(
        found.figures["uniform_importance"][0], abs=1e-6
    )
    assert float(measure(model, ids).states[-1][0].norms.min()) > 0
