"""Problems that users of other tools reported, each as a test of its whole kind."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from empirics.probes import figures, measure
from empirics.probes.attention import NAME, Call, attention_function
from empirics.probes.inputs import from_ids, from_text
from empirics.probes.records import Records
from empirics.probes.visibility import Visibility
from tests.probes.families import FAMILIES, make, tokens
from tests.probes.reference import differences, reference
from theorems.errors import UserError


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_no_attention_weights_are_needed_from_the_model(implementation: str) -> None:
    """transformers #31990, #32086: sdpa returns none; and the model is left as it was."""
    model = make("llama")
    model.set_attn_implementation(implementation)
    model.train()
    found = measure(model, tokens(2, 24)).figures
    assert differences(found, measure(make("llama"), tokens(2, 24)).figures, 1e-6) == []
    assert model.config._attn_implementation == implementation
    assert all(module.training for module in model.modules())
    assert not model.model.layers[0]._forward_hooks


@pytest.mark.parametrize("name", ["llama", "mistral", "gemma3", "bert"])
def test_the_mask_function_is_registered_beside_the_attention_function(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """transformers #45811, #46132: without it masks are silently lost.  Here that is refused or
    seen, for padding and windows alike."""
    from transformers import AttentionMaskInterface

    mask = torch.ones(2, 24, dtype=torch.long)
    mask[0, :7] = 0
    right = measure(make(name), tokens(2, 24), mask)
    for layer in right.layers:
        assert bool((layer.prompts[0].mass[:, 0] > 0).all())
    kept = AttentionMaskInterface._global_mapping
    monkeypatch.setattr("empirics.probes.measuring.register", lambda: None)
    monkeypatch.delitem(kept, NAME)
    with pytest.raises(UserError, match=r"layer 0 .*outside their prompt"):
        measure(make(name), tokens(2, 24), mask)


def test_full_matrices_are_only_kept_on_request_and_if_they_fit() -> None:
    """transformers #9387, #43213: out of memory."""
    ids = tokens(2, 24)
    assert measure(make("llama"), ids).matrices == {}
    rows = measure(make("llama"), ids, matrices=True).matrices
    assert rows[1].shape == (2, 4, 24, 24)
    assert torch.allclose(rows[1].sum(-1), torch.ones(2, 4, 24), atol=1e-5)
    assert bool((rows[1].triu(1) == 0).all())
    with pytest.raises(UserError, match=r"at N = 1000000 take .* GiB"):
        measure(make("llama"), torch.ones(1, 1_000_000, dtype=torch.long), matrices=True)


@pytest.mark.parametrize("repeats", [2, 3, 4])
def test_several_bos_tokens_are_seen(repeats: int) -> None:
    """llama-cpp-python #1501, vllm #27515: two BOS."""
    ids = torch.cat([torch.ones(1, repeats, dtype=torch.long), tokens(1, 20)], 1)
    found = measure(make("llama"), ids)
    assert any(f"{repeats} times" in sentence for sentence in found.warnings)
    assert len(found.figures["sink_rate"]["0.3"]) == 20 + repeats  # and every column is there
    assert not any("times" in s for s in measure(make("llama"), tokens(1, 20)).warnings)


def tokenizer(bos: str | None, adds: bool):  # type: ignore[no-untyped-def]
    """A word tokenizer of transformers that puts BOS in front or not, whatever its flags say."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = {"<s>": 0, "<unk>": 1, "a": 2} | {f"w{i}": i + 3 for i in range(40)}
    inner = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    if adds:
        inner.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 0)]
        )
    return PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=bos)


TEXT = " ".join(f"w{i}" for i in range(40))


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("adds", [True, False])
def test_bos_is_read_off_the_ids_and_not_off_flags(adds: bool, flag: bool) -> None:
    """transformers #30947, #31316: add_bos_token is ignored by fast tokenizers."""
    made = tokenizer("<s>", adds)
    made.add_bos_token = flag
    ids = {bos: from_text(TEXT, made, 10, 3, bos).ids for bos in ("keep", "add", "drop")}
    assert bool((ids["add"][:, 0] == 0).all())
    assert bool((ids["drop"] != 0).all())
    assert torch.equal(ids["keep"], ids["add" if _adds(made) else "drop"])
    assert all(x.shape == (3, 10) for x in ids.values())


def _adds(made) -> bool:  # type: ignore[no-untyped-def]
    return made("w1")["input_ids"][0] == 0


def test_a_tokenizer_without_bos_drops_no_token() -> None:
    """Qwen3 #144, TransformerLens #815: bos_token_id is None."""
    made = tokenizer(None, adds=False)
    assert int(from_text(TEXT, made, 10, 1, "keep").ids[0, 0]) == 3
    assert int(from_text(TEXT, made, 10, 1, "drop").ids[0, 0]) == 3
    with pytest.raises(UserError, match="no BOS"):
        from_text(TEXT, made, 10, 1, "add")


def test_bos_policy_is_told_with_the_figures() -> None:
    """lm-evaluation-harness #1455, #2049: perplexity without BOS."""
    assert "nothing in front" in from_text(TEXT, tokenizer("<s>", False), 10, 1, "keep").bos
    assert "<s>" in from_text(TEXT, tokenizer("<s>", False), 10, 1, "add").bos


def test_short_prompts_and_query_one_are_no_evidence() -> None:
    """transformers #2975: row 1 is always [1, 0, …]; at T ≤ 9 uniform heads count as sinks."""
    for T in range(4, 10):
        assert figures.uniform_importance(1, T) > 0.3
        with pytest.raises(UserError, match=f"prompt of {T} tokens"):
            measure(make("llama"), tokens(1, T))
    assert figures.uniform_importance(1, 10) < 0.3
    flagged = measure(make("llama"), tokens(1, 9), allow_short=True)
    assert any("fewer than 10" in s for s in flagged.warnings)
    model = make("llama")
    for layer in model.model.layers:
        layer.self_attn.q_proj.weight.data.zero_()  # uniform rows
    found = measure(model, tokens(1, 24)).figures
    H = sum(1 / i for i in range(1, 25))
    assert found["uniform_importance"][0] == pytest.approx(H / 24)
    assert found["first_token_share"] == pytest.approx(H / 24, abs=1e-6)
    assert found["sink_mass"][0][0] == pytest.approx((H - 1) / 23, abs=1e-6)
    assert found["uniform_sink_mass"] == pytest.approx((H - 1) / 23)
    assert found["sink_rate"]["0.3"][0] == 0


def test_queries_that_do_not_line_up_with_keys_need_a_mask() -> None:
    """pytorch #108108, flash-attention #517: is_causal is top-left here, bottom-right there."""
    q, k = torch.randn(1, 4, 2, 8), torch.randn(1, 4, 5, 8)
    module = torch.nn.Identity()
    with pytest.raises(UserError, match="2 queries on 5 keys without a mask"):
        attention_function(module, q, k, k, None)
    seen = Visibility(2, 5, q_offset=3, rule=lambda b, h, q, k: k <= q)
    out, _ = attention_function(module, q, k, k, seen)
    s = (q @ k.transpose(-1, -2)) * 8**-0.5
    s[..., 0, 4] = -torch.inf
    assert torch.allclose(out, (s.softmax(-1) @ k).transpose(1, 2), atol=1e-6)


@pytest.mark.parametrize("size", [-3.0, 0.0, 2.0, 30.0])
def test_learned_sinks_are_in_the_denominator(size: float) -> None:
    """transformers #41026, vllm #52156, TransformerEngine #2541: dropped by a backend."""
    ids = tokens(2, 24)
    models = []
    for _ in range(2):
        model = make("gpt_oss")
        for layer in model.model.layers:
            layer.self_attn.sinks.data.fill_(size)
        models.append(model)
    found = measure(models[0], ids).figures
    wanted = reference(FAMILIES["gpt_oss"], models[1], ids)
    assert differences(found, wanted, 1e-5) == []
    learned = [x for xs in found["sink_logit_mass"].values() for x in xs]
    assert (min(learned) > 0.99) if size == 30 else (0 < min(learned) < 0.99)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("name", ["llama", "mistral", "gemma2", "qwen3", "gpt2", "gpt_oss", "bert"])
def test_half_precision_rows_are_rows(
    name: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tt-metal #52045, transformers #18057: rows that do not sum to one.  Queries and keys are half
    precision, rows of them are those of float64, in every layer of the same pass."""
    calls: list[Call] = []
    record = Records.record
    monkeypatch.setattr(Records, "record", lambda self, c: (calls.append(c), record(self, c)))
    measured = measure(make(name, dtype=dtype), tokens(2, 24))
    for call, layer in zip(calls, measured.layers, strict=True):
        k = call.k.double().repeat_interleave(4 // call.k.shape[1], 1)
        s = call.q.double() @ k.transpose(-1, -2) * call.logits.scale
        if call.logits.cap:
            s = call.logits.cap * torch.tanh(s / call.logits.cap)
        everything = slice(0, 24)
        s = s.masked_fill(~call.seen.block(slice(0, 2), everything, everything, s.device), -1e300)
        if call.sink_logits is not None:
            s = torch.cat(
                [s, call.sink_logits.double()[None, :, None, None].expand(2, -1, 24, 1)], -1
            )
        rows = s.softmax(-1)[..., :24]
        for prompt, kept in enumerate(layer.prompts):
            assert torch.allclose(kept.mass, rows[prompt, :, :, 0], atol=1e-6)
            assert torch.allclose(kept.key_sums, rows[prompt].sum(1), atol=1e-5)
    assert measured.settings["dtype"] == str(dtype).removeprefix("torch.")


@pytest.mark.parametrize("name", ["llama", "gpt2", "bert", "gpt_oss", "opt"])
@pytest.mark.parametrize("bad", [math.inf, math.nan, 70000.0])
def test_states_that_are_not_finite_name_their_layer(name: str, bad: float) -> None:
    """transformers #12225, #11076, #39972: overflow in float16."""
    model = make(name, dtype=torch.float16)
    block = model.get_submodule(FAMILIES[name].blocks)[1]

    def spoil(_, args, out):  # type: ignore[no-untyped-def]
        h = out[0] if isinstance(out, tuple) else out
        h = h.clone()
        h[0, 3, 5] = bad
        return (h, *out[1:]) if isinstance(out, tuple) else h

    block.register_forward_hook(spoil)
    with pytest.raises(UserError, match=r"layer 1 .*not finite in float16"):
        measure(model, tokens(2, 24))


def test_encoders_have_no_causal_denominators() -> None:
    """bert #625, attention-analysis #9: (T − k + 1) on an encoder makes late keys sinks."""
    ids = tokens(2, 24)
    ids[:, 0], ids[:, -1] = 1, 2
    found = measure(make("bert"), ids, special_ids={"[CLS]": 1, "[SEP]": 2, "[MASK]": 0})
    for layer in found.layers:
        assert not layer.causal
        total = figures.importance(layer, 0).sum(1)
        assert torch.allclose(total, torch.ones(4, dtype=torch.float64), atol=1e-5)
    shares = found.figures["special_tokens"]
    rows = measure(make("bert"), ids, matrices=True).matrices
    assert shares["[CLS]"][0] == pytest.approx(float(rows[0][..., 0].mean()), abs=1e-6)
    assert shares["[SEP]"][1] == pytest.approx(float(rows[1][..., -1].mean()), abs=1e-6)
    assert shares["[MASK]"] is None
    assert found.figures["uniform_sink_mass"] == pytest.approx(1 / 24)


def test_images_are_refused() -> None:
    """dinov2 #293, #373: another kind of token, with registers; not understood, so refused."""
    from transformers import ViTConfig, ViTModel

    config = ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        image_size=16, patch_size=4,
    )  # fmt: skip
    with pytest.raises(UserError, match="ViTModel does not run under the probe"):
        measure(ViTModel(config), tokens(1, 24))


def test_contributions_of_gates() -> None:
    """gated_attention: mass on P0 no longer implies a contribution."""
    model = make("qwen3_next")
    q = model.model.layers[1].self_attn.q_proj
    torch.nn.init.zeros_(q.weight)
    q.bias = torch.nn.Parameter(torch.full((64,), -20.0))  # gates closed, logits constant
    found = measure(model, tokens(2, 24)).figures
    assert min(found["sink_mass"][1]) > 0.1
    assert max(found["contribution"][1]["gate"]) < 1e-8
    assert max(found["contribution"][1]["first_token"]) < 1e-6
    assert found["without_attention"] == [0]


def test_ids_from_a_file_and_bad_ids(tmp_path: Path) -> None:
    file = tmp_path / "ids"
    file.write_text("1 2 3\n4,5,6\n")
    assert from_ids(str(file), 64).ids.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert from_ids("[[1, 2], [3, 4]]", 64).ids.tolist() == [[1, 2], [3, 4]]
    for wrong in ("1,2,64", "1,-2", "one", "", "[[1],[2,3]]"):
        with pytest.raises(UserError, match="--ids"):
            from_ids(wrong, 64)
