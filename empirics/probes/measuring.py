"""``measure``: run a loaded model once on some tokens, and compute every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from statistics import fmean
from typing import Any

import torch

from empirics.probes import figures
from empirics.probes.attention import ACTIVE, NAME, register
from empirics.probes.blocks import WITHOUT_ATTENTION, Blocks, find_blocks
from empirics.probes.contributions import contributions
from empirics.probes.memory import need_room_for_matrices
from empirics.probes.prompts import SHORTEST, Batch, batch_of
from empirics.probes.records import LayerRecord, Records
from empirics.probes.states import State, states
from theorems.errors import UserError
from theorems.files import versions

EPSILONS = (0.2, 0.3, 0.4)
FIRST_KEYS = 4
SUPPORTED = ("5.17", "5.18")
"""Versions of transformers that all tests of the probes pass with."""


@dataclass(frozen=True)
class Measured:
    """A measurement: the figures, and the records that they come from."""

    subject: str
    figures: dict[str, Any]
    settings: dict[str, Any]
    warnings: tuple[str, ...]
    layers: tuple[LayerRecord, ...]
    states: dict[int, list[State]]
    batch: Batch
    matrices: dict[int, torch.Tensor] = field(default_factory=dict)

    def as_object(self) -> dict[str, Any]:
        """What ``--json`` prints."""
        return {
            "subject": self.subject,
            "status": "measured",
            "figures": self.figures,
            "definitions": figures.DEFINITIONS,
            "warnings": list(self.warnings),
            "settings": self.settings,
            "versions": all_versions(),
        }


def measure(
    model: Any,
    input_ids: Any,
    attention_mask: torch.Tensor | None = None,
    *,
    position_ids: torch.Tensor | None = None,
    epsilons: Sequence[float] = EPSILONS,
    threshold: float = 0.3,
    all_keys: bool = True,
    decode_from: int | None = None,
    special_ids: dict[str, int] | None = None,
    allow_short: bool = False,
    matrices: bool = False,
) -> Measured:
    """Sinks and massive activations of a loaded transformers ``model`` on ``input_ids`` (B, N).

    ``attention_mask`` (B, N) marks real tokens, or is a 4-D mask in the model's own form;
    ``position_ids`` that start again mark packed documents.  ``all_keys=False`` leaves out the
    second pass over logits, and with it the sink ratio and keys beyond the first four.
    ``decode_from`` feeds the tokens from there on one by one through a KV cache.  ``special_ids``
    (name: id) get a share of attention of their own.  ``matrices`` keeps rows (B, H, N, N) by
    layer, if there is room.  The model is left as it was.

    Raises ``UserError``: one sentence naming the layer and the reason, where a figure would be
    wrong.
    """
    batch = batch_of(input_ids, attention_mask, position_ids, allow_short=allow_short)
    blocks = find_blocks(model)
    recurrent = [b for b in blocks.blocks if b.recurrent]
    if recurrent and len(batch.prompts) > len(batch.ids):
        raise UserError(
            f"{recurrent[0]}: a recurrent layer carries its state from document to document: "
            "measure them apart, not packed"
        )
    if matrices:
        need_room_for_matrices(blocks.model.config, len(batch.ids), batch.length)
    records = Records(batch, blocks, keys=FIRST_KEYS, all_keys=all_keys, matrices=matrices)
    with probing(model), states(batch, blocks) as heard, contributions(records, blocks):
        token = ACTIVE.set(records)
        try:
            _run(model, batch, records, decode_from)
        finally:
            ACTIVE.reset(token)
    _check_complete(blocks, records, heard.reduced)
    layers = tuple(records.layers[i] for i in sorted(records.layers))
    found = _figures(layers, heard.reduced, batch, epsilons, threshold, special_ids or {})
    settings = {
        "epsilons": list(epsilons),
        "threshold": threshold,
        "all_keys": all_keys,
        "decode_from": decode_from,
        "dtype": str(next(model.parameters()).dtype).removeprefix("torch."),
        "prompts": [p.length for p in batch.prompts],
    }
    return Measured(
        subject=type(model).__name__,
        figures=found,
        settings=settings,
        warnings=tuple(_warnings(batch, layers)),
        layers=layers,
        states=heard.reduced,
        batch=batch,
        matrices=records.full,
    )


@contextmanager
def probing(model: Any) -> Iterator[None]:
    """The model in evaluation mode with the probe's attention function, and as it was afterwards.

    Raises ``UserError`` where the model's attention does not go through transformers' interface.
    """
    register()
    able = getattr(model, "_can_set_attn_implementation", None)
    if able is None or not able():
        first = find_blocks(model).blocks[0]
        raise UserError(
            f"{first}: {type(model).__name__} computes attention in code of its own, not through "
            "transformers' attention interface, so its rows cannot be seen"
        )
    configs = {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}
    before = [
        (c, c._attn_implementation_internal)
        for c in configs.values()
        if hasattr(c, "_attn_implementation_internal")
    ]
    training = {name: m.training for name, m in model.named_modules()}
    try:
        model.set_attn_implementation(NAME)
        model.eval()
        yield
    finally:
        for config, name in before:
            config._attn_implementation_internal = name
        for name, m in model.named_modules():
            m.training = training[name]


def _run(model: Any, batch: Batch, records: Records, decode_from: int | None) -> None:
    """One forward pass, or a prefill and one pass per token after it."""
    device = next(model.parameters()).device
    ids = batch.ids.to(device)
    N = batch.length
    if decode_from is not None and not 0 < decode_from < N:
        raise UserError(f"decode_from = {decode_from}: choose 1 … {N - 1}")
    if decode_from is not None and len(batch.prompts) > len(ids):
        raise UserError("packed documents cannot be decoded through a KV cache")
    pieces = [(0, N)] if decode_from is None else [(0, decode_from)]
    pieces += [] if decode_from is None else [(i, i + 1) for i in range(decode_from, N)]
    cache = None
    for number, (low, high) in enumerate(pieces, 1):
        records.seen, records.pass_number, records.latest = low, number, None
        given: dict[str, Any] = {"input_ids": ids[:, low:high], "use_cache": len(pieces) > 1}
        if batch.attention_mask is not None:
            mask = batch.attention_mask.to(device)
            given["attention_mask"] = mask[:, :high] if mask.dim() == 2 else mask
        if batch.position_ids is not None:
            given["position_ids"] = batch.position_ids[:, low:high].to(device)
        if cache is not None:
            given["past_key_values"] = cache
        if len(pieces) == 1 and not getattr(model.config, "is_decoder", True):
            given.pop("use_cache")
        try:
            with torch.no_grad():
                result = model(**given)
        except UserError:
            raise
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise UserError(
                f"{type(model).__name__} does not run under the probe: {error}"
            ) from error
        cache = getattr(result, "past_key_values", None)
        if len(pieces) > 1 and cache is None:
            raise UserError(f"{type(model).__name__} returns no KV cache to decode with")


def _check_complete(blocks: Blocks, records: Records, reduced: dict[int, list[State]]) -> None:
    """Every block spoke, and those without attention are of a type that has none."""
    for block in blocks.blocks:
        if block.index not in records.layers and block.kind not in WITHOUT_ATTENTION:
            raise UserError(
                f"{block}: it never called the attention function, though its type is "
                f"{block.kind}, so its rows cannot be seen"
            )
        if block.index not in reduced:
            raise UserError(f"{block}: it was not run on every token")
    if not records.layers:
        raise UserError(
            f"{type(blocks.model).__name__} has no softmax attention: there are no rows to measure"
        )


def _figures(
    layers: Sequence[LayerRecord],
    reduced: dict[int, list[State]],
    batch: Batch,
    epsilons: Sequence[float],
    threshold: float,
    special_ids: dict[str, int],
) -> dict[str, Any]:
    lengths = [p.length for p in batch.prompts]
    causal = all(layer.causal for layer in layers)
    uniform = [
        fmean(figures.uniform_importance(k, T, causal) for T in lengths)
        for k in range(1, min(FIRST_KEYS, *lengths) + 1)
    ]
    mass = {layer.block.index: figures.sink_mass(layer) for layer in layers}
    kinds = sorted({layer.block.kind for layer in layers})
    return {
        **figures.rates(layers, epsilons),
        "heads_counted": sum(layer.heads * len(lengths) for layer in layers),
        "uniform_importance": uniform,
        "sink_mass": mass,
        "sink_mass_by_type": {
            kind: fmean(
                x for layer in layers if layer.block.kind == kind for x in mass[layer.block.index]
            )
            for kind in kinds
        },
        "uniform_sink_mass": fmean(figures.uniform_sink_mass(T, causal) for T in lengths),
        "first_token_share": fmean(
            float(kept.mass.mean()) for layer in layers for kept in layer.prompts
        ),
        "sink_ratio": figures.sink_ratio(layers, threshold),
        "massive_activations": {i: figures.massive(s) for i, s in sorted(reduced.items())},
        "norms": {i: figures.norms(s) for i, s in sorted(reduced.items())},
        "p0_cosine": {i: figures.p0_cosine(s) for i, s in sorted(reduced.items())},
        "value_norms": {layer.block.index: figures.value_norms(layer) for layer in layers},
        "steps": figures.steps(reduced),
        "sink_logit_mass": {
            layer.block.index: figures.learned_mass(layer)
            for layer in layers
            if layer.prompts[0].learned is not None
        },
        "contribution": {layer.block.index: figures.contribution(layer) for layer in layers},
        "special_tokens": {
            name: figures.token_share(layers, batch, token) for name, token in special_ids.items()
        },
        "without_attention": [i for i in reduced if i >= 0 and i not in mass],
    }


def _warnings(batch: Batch, layers: Sequence[LayerRecord]) -> Iterator[str]:
    version = transformers_version()
    if not version.startswith(tuple(f"{v}." for v in SUPPORTED)):
        yield f"transformers {version} is untested: {' and '.join(SUPPORTED)} are"
    short = [p.length for p in batch.prompts if p.length < SHORTEST]
    if short:
        yield (
            f"{len(short)} prompts have fewer than {SHORTEST} tokens: uniform heads count as sinks"
        )
    repeats = max(figures.repeated_start(batch))
    if repeats > 1:
        yield (
            f"a prompt begins with its first token {repeats} times (two BOS?): the sink may be "
            f"spread over keys 1 … {repeats}"
        )
    if any(layer.window for layer in layers):
        yield "windows cap the importance of key 1 at w/T: see sink_rate_reachable"


def all_versions() -> dict[str, str]:
    """Versions of everything that the figures depend on."""
    return {**versions(), "transformers": transformers_version()}


def transformers_version() -> str:
    """The installed version."""
    return metadata.version("transformers")
