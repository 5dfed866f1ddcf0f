"""What the probe does not understand it refuses, in a sentence that names layer and reason."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch

from empirics.probes import measure
from tests.probes.families import make, tokens
from theorems.errors import UserError

SMALL = {"vocab_size": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
OWN_CODE = {
    "Bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "Mpt": {"d_model": 32, "n_layers": 2, "n_heads": 4},
    "Falcon": {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4},
    "GPTJ": {"n_embd": 32, "n_layer": 2, "n_head": 4, "rotary_dim": 4, "n_positions": 64},
    "GPTNeo": {
        "hidden_size": 32,
        "num_layers": 2,
        "num_heads": 4,
        "attention_types": [[["global"], 2]],
    },
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", OWN_CODE)
def test_attention_in_code_of_its_own(name: str) -> None:
    """ALiBi families among them: their rows do not pass through the interface."""
    import transformers

    config = getattr(transformers, f"{name}Config")(**SMALL, **OWN_CODE[name])
    model = getattr(transformers, f"{name}ForCausalLM")(config)
    with pytest.raises(UserError, match=r"layer 0 \(\w+\): .* code of its own"):
        measure(model, tokens(1, 24))


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("DiffLlama", {}, r"layer 0 .*called twice"),  # a difference of two softmaxes
        ("Mamba", {"state_size": 8}, "no softmax attention"),
    ],
)
def test_other_mechanisms(name: str, settings: dict[str, Any], sentence: str) -> None:
    import transformers

    shape = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 48}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2} if name == "DiffLlama" else {}
    config = getattr(transformers, f"{name}Config")(**SMALL, **shape, **heads, **settings)
    with pytest.raises(UserError, match=sentence):
        measure(getattr(transformers, f"{name}ForCausalLM")(config), tokens(1, 24))


def test_a_norm_between_attention_and_projection() -> None:
    """BitNet: the mass is measured, the contribution is not, with the reason."""
    from transformers import BitNetConfig, BitNetForCausalLM

    config = BitNetConfig(
        **SMALL, hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2,
    )  # fmt: skip
    found = measure(BitNetForCausalLM(config), tokens(1, 24)).figures
    assert all(set(x) == {"not_measured"} for x in found["contribution"].values())


def test_encoder_decoders() -> None:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(**SMALL, d_model=32, d_ff=48, num_layers=2, num_heads=4, d_kv=8)
    with pytest.raises(UserError, match="encoder-decoder"):
        measure(T5ForConditionalGeneration(config), tokens(1, 24))


def test_not_a_transformers_model() -> None:
    with pytest.raises(UserError, match="not a transformers model"):
        measure(torch.nn.Linear(3, 3), tokens(1, 24))


def _wrapped(model: Any, layer: int, **extra: Any) -> Any:
    attention = model.model.layers[layer].self_attn
    attention.forward = partial(attention.forward, **extra)
    return model


def test_an_unknown_keyword() -> None:
    model = _wrapped(make("llama"), 1, head_scale=torch.ones(4))
    with pytest.raises(UserError, match=r"layer 1 \(LlamaDecoderLayer\): .*'head_scale'"):
        measure(model, tokens(1, 24))
    measure(_wrapped(make("llama"), 1, head_scale=None), tokens(1, 24))  # says nothing


def test_a_layer_that_never_calls_attention() -> None:
    class Averages(torch.nn.Module):
        def forward(self, hidden_states: torch.Tensor, **_: Any) -> tuple[torch.Tensor, None]:
            return hidden_states.cumsum(1), None

    model = make("llama")
    model.model.layers[1].self_attn = Averages()
    with pytest.raises(UserError, match=r"layer 1 .*never called the attention function"):
        measure(model, tokens(1, 24))


def test_a_layer_that_calls_attention_twice() -> None:
    model = make("llama")
    attention = model.model.layers[0].self_attn
    once = attention.forward

    def twice(*args: Any, **kwargs: Any) -> Any:
        once(*args, **kwargs)
        return once(*args, **kwargs)

    attention.forward = twice
    with pytest.raises(UserError, match=r"layer 0 .*called twice"):
        measure(model, tokens(1, 24))


def test_blocks_that_share_a_module() -> None:
    model = make("llama")
    model.model.layers[1] = model.model.layers[0]
    with pytest.raises(UserError, match=r"layer 1 .*shared with layer 0"):
        measure(model, tokens(1, 24))


def test_a_layer_that_is_skipped() -> None:
    model = make("llama")
    model.model.layers[1].forward = lambda hidden_states, **_: hidden_states
    with pytest.raises(UserError, match=r"layer 1 .*never called"):
        measure(model, tokens(1, 24))


def test_something_between_attention_and_its_projection() -> None:
    """Mass is right and stays; the contribution alone is not measured, with the reason."""
    model = make("llama")
    projection = model.model.layers[1].self_attn.o_proj
    model.model.layers[1].self_attn.o_proj = torch.nn.Sequential(torch.nn.Tanh(), projection)
    found = measure(model, tokens(1, 24)).figures
    assert "between attention and its projection" in found["contribution"][1]["not_measured"]
    assert set(found["contribution"][0]) == {"first_token", "all"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"attention_mask": torch.ones(1, 23)}, "one entry per token"),
        ({"attention_mask": torch.ones(24)}, "the 4-D mask"),
        ({"attention_mask": torch.zeros(1, 24)}, "no real token"),
        ({"attention_mask": torch.ones(1, 24).index_fill(1, torch.tensor([9]), 0)}, "between real"),
        ({"position_ids": torch.arange(23)[None]}, "one position per token"),
        ({"decode_from": 24}, "choose 1"),
        ({"decode_from": 0}, "choose 1"),
    ],
)
def test_wrong_input(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        measure(make("llama"), tokens(1, 24), **given)


@pytest.mark.parametrize(
    "ids", [torch.ones(1, 24), torch.ones(1, 2, 12).long(), torch.ones(0).long()]
)
def test_wrong_ids(ids: torch.Tensor) -> None:
    with pytest.raises(UserError, match="give token ids"):
        measure(make("llama"), ids)


def test_packing_with_a_mask_or_a_cache() -> None:
    ids, positions = tokens(1, 31), torch.cat([torch.arange(13), torch.arange(18)])[None]
    with pytest.raises(UserError, match="attention_mask=None"):
        measure(make("llama"), ids, torch.ones(1, 31), position_ids=positions)
    with pytest.raises(UserError, match="KV cache"):
        measure(make("llama"), ids, position_ids=positions, decode_from=20)
