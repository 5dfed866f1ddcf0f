"""The metrics, computed from records of layers and states; every one has its definition here.

Masses are α_ik of query i on key k, 1-based within a prompt of T real tokens.  Nothing is averaged
over layers or prompts before an indicator is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import torch

from empirics.probes.prompts import Batch
from empirics.probes.records import LayerRecord
from empirics.probes.states import MASSIVE, MASSIVE_RATIO, State

DEFINITIONS = {
    "sink_rate": "share of (prompt, layer, query head) whose importance of key k exceeds ε, "
    "strict; importance = mean of α_ik over queries i ≥ k, i = k included (Gu et al. 2025); "
    "over all T queries where attention is not causal",
    "sink_rate_reachable": "the same, the mean over the queries that may see key k (windows)",
    "sink_rate_after_layer_0": "the same as sink_rate without layer 0",
    "sink_mass": "mean of α_i1 over queries i ≥ 2 (query 1 can see nothing else)",
    "first_token_share": "mean of α_i1 over queries, heads, layers and prompts, query 1 included",
    "sink_ratio": "share of (prompt, layer, head) with a key in the first half of the prompt whose "
    "importance exceeds the threshold (Sun et al. 2026, who state none)",
    "massive_activations": "largest |h| of block outputs before the final norm; massive: "
    f"|h| > {MASSIVE:g} and |h| ≥ {MASSIVE_RATIO:g} × the lower median of |h| over all tokens and "
    "channels of the prompt (Sun et al. 2024); the ratio is undefined at median 0",
    "norms": "‖h‖₂ of the first token, and the median over the others, at block outputs",
    "p0_cosine": "mean cosine between the first tokens' states of two prompts, over all pairs",
    "value_norms": "‖v‖₂ of the first token, the mean over the others, and their ratio, by KV head",
    "steps": "blocks that at least double (up) or halve (down) the largest |h| of the first token, "
    f"where the larger of the two exceeds {MASSIVE:g}; mean over prompts",
    "sink_logit_mass": "mean over queries of the mass on the learned sink logit, by head",
    "contribution": "mean over queries i ≥ 2 of ‖g_i ⊙ α_i1 v_1 · W_O‖₂ (g the gate, if any), "
    "beside that of all the head writes, ‖g_i ⊙ o_i · W_O‖₂",
}


def harmonic(n: int) -> float:
    """H_n = 1 + 1/2 + … + 1/n."""
    return sum(1 / i for i in range(1, n + 1))


def uniform_importance(k: int, T: int, causal: bool = True) -> float:
    """Importance of key k where every row is uniform over the keys it sees: (H_T − H_{k−1}) /
    (T − k + 1), which is H_T/T at k = 1; 1/T where attention is not causal."""
    return (harmonic(T) - harmonic(k - 1)) / (T - k + 1) if causal else 1 / T


def uniform_sink_mass(T: int, causal: bool = True) -> float:
    """Mean of α_i1 over queries i ≥ 2 of uniform rows: (H_T − 1) / (T − 1), or 1/T."""
    return (harmonic(T) - 1) / (T - 1) if causal else 1 / T


def denominators(T: int, keys: int, causal: bool) -> torch.Tensor:
    """Queries that count for key 1 … ``keys``: T − k + 1, or T where attention is not causal."""
    counts = torch.arange(T, T - keys, -1, dtype=torch.float64)
    return counts if causal else torch.full((keys,), float(T), dtype=torch.float64)


def importance(layer: LayerRecord, prompt: int) -> torch.Tensor:
    """Importance (H, keys) of the keys that were summed: all of them, or the first few."""
    kept = layer.prompts[prompt]
    sums = kept.sums if kept.key_sums is None else kept.key_sums
    return sums / denominators(kept.mass.shape[1], sums.shape[1], layer.causal)


def sink_rates(
    epsilons: Sequence[float], importances: Sequence[torch.Tensor]
) -> dict[str, list[float]]:
    """Percent by ε, for every key that all prompts have."""
    keys = min(x.shape[1] for x in importances)
    stacked = torch.cat([x[:, :keys] for x in importances])
    return {f"{e:g}": [100 * float(x) for x in (stacked > e).double().mean(0)] for e in epsilons}


def rates(layers: Sequence[LayerRecord], epsilons: Sequence[float]) -> dict[str, Any]:
    """The sink rate in its three forms."""
    prompts = range(len(layers[0].prompts))
    every = [importance(layer, p) for layer in layers for p in prompts]
    later = [importance(layer, p) for layer in layers for p in prompts if layer.block.index > 0]
    reachable = [
        layer.prompts[p].sums / layer.prompts[p].reach.clamp(min=1)
        for layer in layers
        for p in prompts
    ]
    return {
        "sink_rate": sink_rates(epsilons, every),
        "sink_rate_after_layer_0": sink_rates(epsilons, later) if later else None,
        "sink_rate_reachable": sink_rates(epsilons, reachable),
    }


def sink_mass(layer: LayerRecord) -> list[float]:
    """By head, the mean over prompts."""
    return _mean([kept.mass[:, 1:].mean(1) for kept in layer.prompts])


def sink_ratio(layers: Sequence[LayerRecord], threshold: float) -> float | None:
    """Percent of heads with a sink in the first half; None where only few keys were summed."""
    if layers[0].prompts[0].key_sums is None:
        return None
    found = []
    for layer in layers:
        for p, kept in enumerate(layer.prompts):
            half = kept.mass.shape[1] // 2
            found.append((importance(layer, p)[:, :half] > threshold).any(1))
    return 100 * float(torch.cat(found).double().mean())


def value_norms(layer: LayerRecord) -> dict[str, list[float]]:
    """By KV head, means over prompts."""
    first = [kept.values[:, 0] for kept in layer.prompts]
    others = [kept.values[:, 1:].mean(1) for kept in layer.prompts]
    return {
        "first": _mean(first),
        "others": _mean(others),
        "ratio": _mean([a / b for a, b in zip(first, others, strict=True)]),
    }


def learned_mass(layer: LayerRecord) -> list[float]:
    """By head, the mean over queries and prompts of the mass on the learned sink."""
    return _mean([kept.learned.mean(1) for kept in layer.prompts if kept.learned is not None])


def token_share(layers: Sequence[LayerRecord], batch: Batch, token: int) -> list[float] | None:
    """By layer, the share of all attention that goes to the tokens with this id, the mean over
    heads, queries and prompts; None where a prompt lacks it or not every key was summed."""
    shares = []
    for layer in layers:
        found = []
        for prompt, kept in zip(batch.prompts, layer.prompts, strict=True):
            where = [k for k, x in enumerate(batch.tokens(prompt)) if x == token]
            if kept.key_sums is None or not where:
                return None
            found.append(float((kept.key_sums[:, where].sum(1) / prompt.length).mean()))
        shares.append(fmean(found))
    return shares


def contribution(layer: LayerRecord) -> dict[str, Any]:
    """By head, means over prompts; or the reason that there is none."""
    if layer.no_contribution or any(kept.contribution is None for kept in layer.prompts):
        return {"not_measured": layer.no_contribution or "no linear map follows attention"}
    found: dict[str, Any] = {
        "first_token": _mean([_after_first(kept.contribution) for kept in layer.prompts]),
        "all": _mean([_after_first(kept.written) for kept in layer.prompts]),
    }
    if layer.prompts[0].gate is not None:
        found["gate"] = _mean([_after_first(kept.gate) for kept in layer.prompts])
    return found


def massive(states: Sequence[State]) -> dict[str, Any]:
    """Of one layer: the largest entries over prompts, the median, and how many are massive."""
    worst = max(range(len(states)), key=lambda p: abs(states[p].top[0][0]))
    state = states[worst]
    size = abs(state.top[0][0])
    return {
        "prompt": worst,
        "top": [
            {"value": value, "token": token, "channel": channel}
            for value, token, channel in state.top
        ],
        "median": state.median,
        "ratio": size / state.median if state.median > 0 else None,
        "massive": sum(s.massive for s in states),
        "elsewhere": max(s.inner for s in states),
    }


def norms(states: Sequence[State]) -> dict[str, float]:
    """Of one layer: means over prompts."""
    first = fmean(float(s.norms[0]) for s in states)
    others = fmean(float(s.norms[1:].median()) for s in states)
    return {"first": first, "others": others, "ratio": first / others if others else float("nan")}


def p0_cosine(states: Sequence[State]) -> float | None:
    """Mean over pairs of prompts; None with a single one or a zero state."""
    if len(states) < 2:
        return None
    unit = torch.stack([s.first for s in states])
    sizes = unit.norm(dim=1, keepdim=True)
    if bool((sizes == 0).any()):
        return None
    gram = (unit / sizes) @ (unit / sizes).T
    n = len(states)
    return float((gram.sum() - gram.diag().sum()) / (n * (n - 1)))


def steps(by_layer: dict[int, list[State]]) -> dict[str, list[int]]:
    """Step-up and step-down blocks."""
    order = sorted(by_layer)
    peaks = [fmean(float(s.first.abs().max()) for s in by_layer[i]) for i in order]
    pairs = list(zip(order[1:], peaks, peaks[1:], strict=False))
    return {
        "up": [i for i, before, after in pairs if after > MASSIVE and after >= 2 * before],
        "down": [i for i, before, after in pairs if before > MASSIVE and before >= 2 * after],
    }


def repeated_start(batch: Batch) -> list[int]:
    """For each prompt, how often its first token is repeated at the start (1: not at all)."""
    counts = []
    for prompt in batch.prompts:
        tokens = batch.tokens(prompt)
        n = 1
        while n < len(tokens) and tokens[n] == tokens[0]:
            n += 1
        counts.append(n)
    return counts


def _after_first(x: torch.Tensor | None) -> torch.Tensor:
    assert x is not None
    return x[:, 1:].mean(1)


def _mean(rows: Sequence[torch.Tensor]) -> list[float]:
    return [float(x) for x in torch.stack(list(rows)).mean(0)]
