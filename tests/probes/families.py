"""Tiny random models of many architectures: where their blocks and projections are, by name."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch

SHAPE = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "initializer_range": 0.25,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


@dataclass(frozen=True)
class Family:
    """How to make a model of a family, and what the reference must know about it."""

    config: str
    model: str
    settings: dict[str, Any] = field(default_factory=dict)
    blocks: str = "model.layers"
    projection: str = "self_attn.o_proj"
    causal: bool = True
    gate: str = ""  # the map that a gate is read from, in the attention module
    own_shape: bool = False


def _llama_like(name: str, **settings: Any) -> Family:
    return Family(f"{name}Config", f"{name}ForCausalLM", settings)


LAYERS = {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 8}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}

FAMILIES = {
    "llama": _llama_like("Llama"),
    "mistral": _llama_like("Mistral", sliding_window=8, head_dim=8),
    "mixtral": _llama_like("Mixtral", sliding_window=None, num_local_experts=4),
    "qwen2": _llama_like("Qwen2", use_sliding_window=True, **LAYERS),
    "qwen3": _llama_like("Qwen3", head_dim=16),
    "gemma": _llama_like("Gemma", head_dim=8, num_key_value_heads=1),
    "gemma2": _llama_like("Gemma2", head_dim=8, attn_logit_softcapping=2.0, **LAYERS),
    "gemma3": Family(
        "Gemma3TextConfig",
        "Gemma3ForCausalLM",
        {"head_dim": 8, "query_pre_attn_scalar": 8, **LAYERS},
    ),
    "phi": Family("PhiConfig", "PhiForCausalLM", projection="self_attn.dense"),
    "phi3": _llama_like("Phi3"),
    "olmo2": _llama_like("Olmo2"),
    "olmo3": _llama_like("Olmo3", **LAYERS),
    "smollm3": _llama_like("SmolLM3", no_rope_layers=[1, 0]),
    "cohere": _llama_like("Cohere"),
    "cohere2": _llama_like("Cohere2", **LAYERS),
    "granite": _llama_like("Granite", attention_multiplier=0.2),
    "starcoder2": _llama_like("Starcoder2", sliding_window=8),
    "stablelm": _llama_like("StableLm"),
    "gpt_oss": _llama_like("GptOss", head_dim=8, num_local_experts=4, **LAYERS),
    "qwen3_next": Family(
        "Qwen3NextConfig",
        "Qwen3NextForCausalLM",
        {
            "head_dim": 8,
            "layer_types": ["linear_attention", "full_attention"],
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "linear_key_head_dim": 8,
            "linear_value_head_dim": 8,
            "shared_expert_intermediate_size": 16,
            **EXPERTS,
        },
        gate="q_proj",
    ),
    "qwen3_5": Family(
        "Qwen3_5TextConfig",
        "Qwen3_5ForCausalLM",
        {
            "head_dim": 8,
            "layer_types": ["linear_attention", "full_attention"],
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "linear_key_head_dim": 8,
            "linear_value_head_dim": 8,
        },
        gate="q_proj",
    ),
    "afmoe": Family("AfmoeConfig", "AfmoeForCausalLM", {"head_dim": 8, **LAYERS}, gate="gate_proj"),
    "deepseek_v3": _llama_like(
        "DeepseekV3",
        q_lora_rank=None,
        kv_lora_rank=8,
        qk_rope_head_dim=4,
        qk_nope_head_dim=8,
        v_head_dim=8,
        num_key_value_heads=4,
        n_routed_experts=4,
        num_experts_per_tok=2,
        n_group=1,
        topk_group=1,
        moe_intermediate_size=16,
        first_k_dense_replace=2,
    ),
    "minimax": _llama_like(
        "MiniMax",
        layer_types=["linear_attention", "full_attention"],
        num_local_experts=4,
        block_size=8,
        head_dim=8,
    ),
    "jamba": _llama_like(
        "Jamba",
        attn_layer_period=2,
        attn_layer_offset=1,
        expert_layer_period=4,
        expert_layer_offset=3,
        use_mamba_kernels=False,
        mamba_dt_rank=4,
    ),
    "falcon_h1": _llama_like(
        "FalconH1",
        mamba_d_ssm=32,
        mamba_n_heads=4,
        mamba_d_head=8,
        mamba_d_state=8,
        mamba_chunk_size=8,
    ),
    "exaone4": _llama_like("Exaone4", **LAYERS),
    "glm4": _llama_like("Glm4", head_dim=8),
    "nemotron": _llama_like("Nemotron"),
    "apertus": _llama_like("Apertus"),
    "helium": _llama_like("Helium", head_dim=8),
    "seed_oss": _llama_like("SeedOss", head_dim=8),
    "qwen3_moe": _llama_like("Qwen3Moe", head_dim=8, **EXPERTS),
    "mimo_v2_flash": _llama_like("MiMoV2Flash", head_dim=8, v_head_dim=8, **LAYERS),
    "gpt2": Family(
        "GPT2Config",
        "GPT2LMHeadModel",
        {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128, "vocab_size": 64},
        blocks="transformer.h",
        projection="attn.c_proj",
        own_shape=True,
    ),
    "gpt_bigcode": Family(
        "GPTBigCodeConfig",
        "GPTBigCodeForCausalLM",
        {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128, "vocab_size": 64},
        blocks="transformer.h",
        projection="attn.c_proj",
        own_shape=True,
    ),
    "gpt_neox": Family(
        "GPTNeoXConfig",
        "GPTNeoXForCausalLM",
        {"rotary_pct": 0.5},
        blocks="gpt_neox.layers",
        projection="attention.dense",
    ),
    "opt": Family(
        "OPTConfig",
        "OPTForCausalLM",
        {"ffn_dim": 48, "word_embed_proj_dim": 32, "init_std": 0.25},
        blocks="model.decoder.layers",
        projection="self_attn.out_proj",
    ),
    "bert": Family(
        "BertConfig",
        "BertModel",
        blocks="encoder.layer",
        projection="attention.output.dense",
        causal=False,
    ),
    "roberta": Family(
        "RobertaConfig",
        "RobertaModel",
        blocks="encoder.layer",
        projection="attention.output.dense",
        causal=False,
    ),
    "distilbert": Family(
        "DistilBertConfig",
        "DistilBertModel",
        {"dim": 32, "hidden_dim": 48, "n_layers": 2, "n_heads": 4},
        blocks="transformer.layer",
        projection="attention.out_lin",
        causal=False,
    ),
    "modernbert": Family(
        "ModernBertConfig",
        "ModernBertModel",
        {"local_attention": 8, "global_attn_every_n_layers": 2},
        blocks="layers",
        projection="attn.Wo",
        causal=False,
    ),
}


@cache
def _made(name: str, seed: int) -> Any:
    import transformers

    family = FAMILIES[name]
    shape = {"initializer_range": 0.25} if family.own_shape else SHAPE
    config = getattr(transformers, family.config)(**{**shape, **family.settings})
    torch.manual_seed(seed)
    return getattr(transformers, family.model)(config).eval()


def make(name: str, *, dtype: torch.dtype = torch.float32, seed: int = 0) -> Any:
    """A fresh copy of the family's tiny model."""
    return copy.deepcopy(_made(name, seed)).to(dtype)


def tokens(rows: int, length: int, seed: int = 0) -> torch.Tensor:
    """Random ids (rows, length), none special and none twice in a row (no ties between tokens)."""
    generator = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(61, generator=generator)[:length] + 3 for _ in range(rows)])
