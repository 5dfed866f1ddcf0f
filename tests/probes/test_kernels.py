"""Rows and log-sum-exps in every form of mask, cap and width, on both routes; the self-test."""

from __future__ import annotations

import pytest
import torch

from empirics.probes import kernels
from empirics.probes.kernels import Logits, attend, kernel_works
from empirics.probes.visibility import Visibility, from_tensor

N = 40


def visibilities() -> dict[str, Visibility]:
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    window = (j <= i) & (j > i - 7)
    padded = (j <= i) & (j >= 5)
    return {
        "causal": Visibility(N, N, plain="causal"),
        "all": Visibility(N, N, plain="all"),
        "window": Visibility(N, N, rule=lambda b, h, q, k: (k <= q) & (k > q - 7)),
        "dense": from_tensor(window[None, None], N, N),
        "padded": from_tensor(padded[None, None], N, N),
        "bias": from_tensor(
            torch.where(j <= i, -0.3 * (i - j), torch.finfo(torch.float32).min)[None, None], N, N
        ),
    }


def exact(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, seen: Visibility, cap: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v = (x.double().repeat_interleave(4 // x.shape[1], 1) for x in (q, k, v))
    s = 0.3 * q @ k.transpose(-1, -2)
    s = s if cap is None else cap * torch.tanh(s / cap)
    everything = slice(0, N)
    visible = seen.block(slice(0, 2), everything, everything, torch.device("cpu"))
    bias = seen.added(slice(0, 2), everything, everything)
    s = (s if bias is None else s + bias).masked_fill(~visible, -torch.inf)
    return s.softmax(-1).nan_to_num(0) @ v, s.logsumexp(-1)


@pytest.mark.parametrize("kind", visibilities())
@pytest.mark.parametrize("cap", [None, 1.5])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("rows", [7, 2**22])
def test_attention_and_log_sum_exp(
    kind: str, cap: float | None, wide: bool, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "MASK_ENTRIES", rows * N)
    monkeypatch.setattr(kernels, "SCORE_ENTRIES", rows * N)
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 4, N, 8), torch.randn(2, 2, N, 8), torch.randn(2, 2, N, 8 + 4 * wide)
    seen = visibilities()[kind]
    found = attend(q, k, v, seen, Logits(0.3, cap))
    out, lse = exact(q, k, v, seen, cap)
    empty = lse == -torch.inf
    assert (found.empty is not None) == bool(empty.any()) == (kind == "padded")
    assert torch.allclose(found.output.double(), out, atol=2e-6, rtol=0)
    assert torch.allclose(found.lse.double()[~empty], lse[~empty], atol=2e-6, rtol=0)
    assert bool((found.lse[empty] == 0).all())
    assert bool((found.output[empty] == 0).all())


def test_a_kernel_that_changed_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Base-two logarithms, a missing result, or no kernel at all: the blocked route takes over."""
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 4, N, 8), torch.randn(2, 2, N, 8), torch.randn(2, 2, N, 8)
    seen = visibilities()["causal"]
    wanted = attend(q, k, v, seen, Logits(0.3))
    true = kernels._flash

    def base_two(*given: object) -> tuple[torch.Tensor, torch.Tensor]:
        out, lse = true(*given)  # type: ignore[arg-type]
        return out, lse / 0.6931471805599453

    def gone(*given: object) -> tuple[torch.Tensor, torch.Tensor]:
        raise AttributeError("_scaled_dot_product_flash_attention_for_cpu")

    for changed in (base_two, gone):
        monkeypatch.setattr(kernels, "_flash", changed)
        kernel_works.cache_clear()
        assert not kernel_works(torch.float32)
        found = attend(q, k, v, seen, Logits(0.3))
        assert torch.allclose(found.lse, wanted.lse, atol=2e-6)
        assert torch.allclose(found.output, wanted.output, atol=2e-6)
    monkeypatch.undo()
    kernel_works.cache_clear()
    assert kernel_works(torch.float32)
    assert kernel_works(torch.float64)


def test_half_precision_kernels_would_not_do() -> None:
    """Why half precision is computed in float32."""
    assert not kernel_works(torch.bfloat16)
    assert not kernel_works(torch.float16)


def test_blocks_follow_the_device_of_the_layer() -> None:
    seen = visibilities()["window"].block(
        slice(0, 1), slice(0, 3), slice(0, 9), torch.device("meta")
    )
    assert seen.device.type == "meta"
    assert seen.shape[-2:] == (3, 9)
    q = torch.empty(1, 4, N, 8, device="meta")
    assert Logits(0.3).of(q, q).shape == (1, 4, N, N)
