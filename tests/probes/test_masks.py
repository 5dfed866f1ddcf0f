"""Packing, KV caches, 4-D masks and windows: the same figures however the tokens are fed."""

from __future__ import annotations

import pytest
import torch

from empirics.probes import measure
from empirics.probes.prompts import batch_of
from tests.probes.families import FAMILIES, make, tokens
from tests.probes.reference import differences, reference
from theorems.errors import UserError

# transformers' GPT-BigCode, at its import
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is:DeprecationWarning")

RECURRENT = ("qwen3_next", "qwen3_5", "minimax", "jamba", "falcon_h1")
LEAKY = ("opt", "gpt_neox", "gpt_oss", "afmoe", *RECURRENT)
"""Their code does not keep packed documents apart (transformers 5.18)."""
PACKED = [n for n, f in FAMILIES.items() if f.causal and n not in LEAKY]
CACHED = [n for n, f in FAMILIES.items() if f.causal and n != "minimax"]


@pytest.mark.parametrize("name", PACKED)
def test_packed_documents_are_prompts_of_their_own(name: str) -> None:
    a, b = tokens(1, 13, seed=1), tokens(1, 18, seed=2)
    ids = torch.cat([a, b], 1)
    positions = torch.cat([torch.arange(13), torch.arange(18)])[None]
    packed = measure(make(name), ids, position_ids=positions).figures
    places = [(0, 0, 13), (0, 13, 31)]
    wanted = reference(FAMILIES[name], make(name), ids, position_ids=positions, prompts=places)
    assert differences(packed, wanted, 1e-5) == []
    apart = [measure(make(name), x).figures["first_token_share"] for x in (a, b)]
    assert packed["first_token_share"] == pytest.approx(sum(apart) / 2, abs=1e-6)


@pytest.mark.parametrize("name", CACHED)
def test_decoding_through_a_cache_changes_nothing(name: str) -> None:
    ids = tokens(2, 24)
    whole = measure(make(name), ids).figures
    decoded = measure(make(name), ids, decode_from=15).figures
    assert differences(decoded, whole, 1e-5) == []


def test_a_mask_that_does_not_fit_the_cache_is_refused() -> None:
    """MiniMax sizes masks by its first layer, which is recurrent and caches no keys (5.18)."""
    with pytest.raises(UserError, match=r"layer 1 .*mask is for 1 × 1 tokens, attention for"):
        measure(make("minimax"), tokens(2, 24), decode_from=15)


def test_decoding_with_left_padding_changes_nothing() -> None:
    ids, mask = tokens(2, 24), torch.ones(2, 24, dtype=torch.long)
    mask[0, :9] = 0
    for name in ("llama", "mistral", "gpt_oss"):
        whole = measure(make(name), ids, mask).figures
        decoded = measure(make(name), ids, mask, decode_from=12).figures
        assert differences(decoded, whole, 1e-5) == []


@pytest.mark.parametrize("form", ["bool", "finfo", "infinite"])
def test_masks_of_four_dimensions(form: str) -> None:
    ids = tokens(2, 24)
    causal = torch.ones(24, 24, dtype=torch.bool).tril()[None, None]
    least = torch.finfo(torch.float32).min if form == "finfo" else -torch.inf
    mask = causal if form == "bool" else torch.zeros(1, 1, 24, 24).masked_fill(~causal, least)
    found = measure(make("llama"), ids, mask).figures
    assert differences(found, measure(make("llama"), ids).figures, 1e-6) == []


def test_a_bias_in_the_mask_is_part_of_the_logits() -> None:
    """ALiBi by hand: attention to the first token falls, and rows still sum to one."""
    ids = tokens(1, 24)
    distance = torch.arange(24)[:, None] - torch.arange(24)[None, :]
    mask = torch.where(distance >= 0, -0.5 * distance.float(), torch.finfo(torch.float32).min)
    with_bias = measure(make("llama"), ids, mask[None, None]).figures
    without = measure(make("llama"), ids).figures
    assert with_bias["first_token_share"] < without["first_token_share"]


def test_a_row_without_keys_is_refused() -> None:
    mask = torch.ones(24, 24, dtype=torch.bool).tril()[None, None].clone()
    mask[0, 0, 5] = False
    with pytest.raises(UserError, match=r"layer 0 \(LlamaDecoderLayer\): the mask lets token 5"):
        measure(make("llama"), tokens(1, 24), mask)


@pytest.mark.parametrize("all_keys", [True, False])
@pytest.mark.parametrize("query", [0, 9, 23])
def test_one_query_that_sees_another_document_is_refused(
    query: int, all_keys: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 4-D mask of two documents in a row, with one entry too many."""
    document = torch.arange(24) // 12
    mask = (document[:, None] == document[None, :]) & torch.ones(24, 24, dtype=torch.bool).tril()
    mask[12 + query // 2, 3] = True
    positions = torch.arange(24)[None] % 12
    mask = mask[None, None]
    ids = tokens(1, 24)
    with pytest.raises(UserError, match="attention_mask=None"):
        measure(make("llama"), ids, mask, position_ids=positions)
    batch = batch_of(ids, None, positions)
    object.__setattr__(batch, "attention_mask", mask)
    monkeypatch.setattr("empirics.probes.measuring.batch_of", lambda *_, **__: batch)
    with pytest.raises(UserError, match=r"layer 0 .*outside their prompt"):
        measure(make("llama"), ids, all_keys=all_keys)


@pytest.mark.parametrize("name", LEAKY)
def test_documents_that_the_model_does_not_keep_apart_are_refused(name: str) -> None:
    ids = tokens(1, 31)
    positions = torch.cat([torch.arange(13), torch.arange(18)])[None]
    with pytest.raises(UserError, match=r"layer 0 .*(outside their prompt|from document)"):
        measure(make(name), ids, position_ids=positions)


def test_windows_cap_the_gu_importance_and_not_the_reachable_one() -> None:
    ids = tokens(1, 32)
    found = measure(make("mistral"), ids)
    for layer in found.layers:
        kept = layer.prompts[0]
        assert int(kept.reach[0]) == 8
        assert float(kept.sums[:, 0].max()) / 32 <= 8 / 32
        assert bool((kept.mass[:, 8:] == 0).all())
    assert any("windows" in sentence for sentence in found.warnings)


def test_only_what_is_real_is_measured() -> None:
    """Whatever the padding is, the figures are the same."""
    mask = torch.ones(2, 24, dtype=torch.long)
    mask[0, :7], mask[1, 20:] = 0, 0
    ids = tokens(2, 24)
    other = torch.where(mask.bool(), ids, 63 - ids)
    one, two = (measure(make("gemma2"), x, mask).figures for x in (ids, other))
    assert differences(one, two, 1e-6) == []
