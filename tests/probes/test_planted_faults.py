"""Faults planted in the probe: the comparison with full matrices must see each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from empirics.probes import attention, contributions, figures, measure, records
from empirics.probes.kernels import Logits
from tests.probes.families import FAMILIES, make, tokens
from tests.probes.reference import differences, reference
from theorems.errors import UserError

Plant = Callable[[pytest.MonkeyPatch], None]


def no_cap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attention, "Logits", lambda scale, cap: Logits(scale))


def wrong_scale(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attention, "Logits", lambda scale, cap: Logits(1.01 * scale, cap))


def no_learned_sink(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(torch, "logaddexp", lambda a, b: a + 0 * b)


def no_window(patch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    true = attention._visibility

    def causal(*given: Any) -> Any:
        return replace(true(*given), plain="causal")

    patch.setattr(attention, "_visibility", causal)


def key_heads_in_the_wrong_order(patch: pytest.MonkeyPatch) -> None:
    def interleaved(x: torch.Tensor, heads: int) -> torch.Tensor:
        return x if x.shape[1] == heads else x.repeat(1, heads // x.shape[1], 1, 1)

    patch.setattr(records, "spread", interleaved)


def denominator_of_the_other_kind(patch: pytest.MonkeyPatch) -> None:
    true = figures.denominators
    patch.setattr(figures, "denominators", lambda T, keys, causal: true(T, keys, not causal))


def no_gate(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(contributions, "_gate", lambda *given: None)


def base_two(patch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    true = attention.attend
    patch.setattr(
        attention, "attend", lambda *given: replace(f := true(*given), lse=f.lse / 0.6931)
    )


FAULTS: list[tuple[str, Plant]] = [
    ("gemma2", no_cap),
    ("granite", wrong_scale),
    ("gpt_oss", no_learned_sink),
    ("mistral", no_window),
    ("llama", key_heads_in_the_wrong_order),
    ("llama", denominator_of_the_other_kind),
    ("bert", denominator_of_the_other_kind),
    ("qwen3_next", no_gate),
    ("llama", base_two),
]


@pytest.mark.parametrize(("name", "plant"), FAULTS, ids=lambda x: getattr(x, "__name__", x))
def test_a_planted_fault_is_seen(name: str, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = tokens(2, 24)
    wanted = reference(FAMILIES[name], make(name), ids)
    plant(monkeypatch)
    try:
        found = measure(make(name), ids).figures
    except UserError as error:
        refused = str(error)
    else:
        assert differences(found, wanted, 1e-5)
        return
    assert "rows do not sum to one" in refused
