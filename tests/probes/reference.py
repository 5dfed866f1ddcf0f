"""Every metric once more, from full N × N matrices in float64, written to be read and not reused.

The model runs in float64 with an attention function that builds softmax rows with transformers' own
eager mask.  Blocks and projections are found by the names in the table of families.
"""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

import torch

from tests.probes.families import Family

SEEN: list[dict[str, Any]] = []


def full_matrix(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Eager attention; keeps rows, values and output."""
    heads = query.shape[1]
    q = query.double()
    k, v = (x.double().repeat_interleave(heads // x.shape[1], 1) for x in (key, value))
    s = torch.einsum("bhid,bhjd->bhij", q, k) * (scaling or q.shape[-1] ** -0.5)
    if softcap:
        s = softcap * torch.tanh(s / softcap)
    if attention_mask is not None:
        s = s.masked_fill(attention_mask[..., : s.shape[-1]] < -1, -torch.inf)
    if s_aux is not None:
        column = s_aux.double().reshape(1, -1, 1, 1).expand(len(s), -1, s.shape[2], 1)
        s = torch.cat([s, column], -1)
    rows = torch.exp(s - s.amax(-1, keepdim=True))
    rows = rows / rows.sum(-1, keepdim=True)
    learned = None
    if s_aux is not None:
        learned, rows = rows[..., -1], rows[..., :-1]
    out = rows @ v
    out = out.nan_to_num(0.0)  # rows of padding that see no key
    SEEN.append(
        {"rows": rows, "learned": learned, "v": v, "kv": value.double(), "out": out, "q": module}
    )
    return out.transpose(1, 2).to(query.dtype).contiguous(), None


def reference(
    family: Family,
    model: Any,
    ids: torch.Tensor,
    mask: torch.Tensor | None = None,
    position_ids: torch.Tensor | None = None,
    prompts: list[tuple[int, int, int]] | None = None,
    exact: bool = True,
) -> dict[str, Any]:
    """The figures of ``measure`` for prompts (row, first, end), computed from full matrices."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionInterface.register("reference", full_matrix)
    AttentionMaskInterface.register("reference", eager_mask)
    model = model.double() if exact else model
    model.set_attn_implementation("reference")
    if hasattr(model.config, "num_experts") or hasattr(model.config, "num_local_experts"):
        model.set_experts_implementation("eager")  # the other ones have no float64
    SEEN.clear()
    states: dict[int, torch.Tensor] = {}
    gates: list[torch.Tensor] = []
    blocks = model.get_submodule(family.blocks)

    def kept(i: int) -> Any:
        def hook(_: Any, args: Any, out: Any) -> None:
            states[i] = (out[0] if isinstance(out, tuple) else out).double()

        return hook

    def entering(_: Any, args: Any, kwargs: Any) -> None:
        states[-1] = (args[0] if args else kwargs["hidden_states"]).double()

    handles = [b.register_forward_hook(kept(i)) for i, b in enumerate(blocks)]
    handles.append(blocks[0].register_forward_pre_hook(entering, with_kwargs=True))
    given: dict[str, Any] = {"input_ids": ids}
    if family.causal:
        given["use_cache"] = False  # with a cache transformers does not see packing
    given |= {} if mask is None else {"attention_mask": mask}
    given |= {} if position_ids is None else {"position_ids": position_ids}
    if family.gate:
        for block in blocks:
            if hasattr(block, "self_attn"):
                source = block.self_attn.get_submodule(family.gate)
                handles.append(source.register_forward_hook(lambda m, a, o: gates.append(o)))
    with torch.no_grad():
        model(**given)
    for handle in handles:
        handle.remove()
    where = {id(m): i for i, b in enumerate(blocks) for m in b.modules()}
    layers = {where[id(call["q"])]: call for call in SEEN}
    places = prompts or [(row, 0, ids.shape[1]) for row in range(len(ids))]
    for number, (i, call) in enumerate(sorted(layers.items())):
        call["W"] = blocks[i].get_submodule(family.projection).weight.detach().double()
        if type(blocks[i].get_submodule(family.projection)).__name__ == "Conv1D":
            call["W"] = call["W"].T
        call["gate"] = _gate(gates[number], call) if family.gate else None
    return _metrics(family, model, layers, states, places)


def _gate(source: torch.Tensor, call: dict[str, Any]) -> torch.Tensor:
    """The last D channels of each head: of a doubled query map, or all of a gate's own map."""
    B, H, n, D = call["out"].shape
    return torch.sigmoid(source.double().view(B, n, H, -1)[..., -D:]).transpose(1, 2)


def _importance(family: Family, rows: torch.Tensor, k: int) -> torch.Tensor:
    """(H,) of key k (from 0) of rows (H, T, T)."""
    T = rows.shape[1]
    return rows[:, :, k].sum(1) / (T - k if family.causal else T)


def _metrics(
    family: Family,
    model: Any,
    layers: dict[int, dict[str, Any]],
    states: dict[int, torch.Tensor],
    places: list[tuple[int, int, int]],
) -> dict[str, Any]:
    own = {i: [call["rows"][b, :, s:e, s:e] for b, s, e in places] for i, call in layers.items()}
    shortest = min(e - s for _, s, e in places)
    epsilons = (0.2, 0.3, 0.4)
    indices = [(i, p) for i in own for p in range(len(places))]

    def rate(epsilon: float, k: int, chosen: list[tuple[int, int]]) -> float:
        hits = [float(x) > epsilon for i, p in chosen for x in _importance(family, own[i][p], k)]
        return 100 * sum(hits) / len(hits)

    def reachable(epsilon: float, k: int) -> float:
        hits = []
        for i, p in indices:
            rows = own[i][p]
            reach = int((rows[:, :, k] > 0).any(0).sum())
            hits += [float(x) / max(reach, 1) > epsilon for x in rows[:, :, k].sum(1)]
        return 100 * sum(hits) / len(hits)

    later = [(i, p) for i, p in indices if i > 0]
    half_hits = [
        any(
            float(_importance(family, own[i][p], k)[h]) > 0.3 for k in range(len(own[i][p][0]) // 2)
        )
        for i, p in indices
        for h in range(len(own[i][p]))
    ]
    found: dict[str, Any] = {
        "sink_rate": {f"{e:g}": [rate(e, k, indices) for k in range(shortest)] for e in epsilons},
        "sink_rate_after_layer_0": {
            f"{e:g}": [rate(e, k, later) for k in range(shortest)] for e in epsilons
        },
        "sink_rate_reachable": {f"{e:g}": [reachable(e, k) for k in range(4)] for e in epsilons},
        "sink_mass": {
            i: [fmean(float(r[h, 1:, 0].mean()) for r in rows) for h in range(len(rows[0]))]
            for i, rows in own.items()
        },
        "first_token_share": fmean(float(own[i][p][:, :, 0].mean()) for i, p in indices),
        "sink_ratio": 100 * sum(half_hits) / len(half_hits),
    }
    found |= _of_states(states, places)
    found["value_norms"], found["contribution"], found["sink_logit_mass"] = {}, {}, {}
    for i, call in layers.items():
        values = [call["kv"][b, :, s:e].norm(dim=-1) for b, s, e in places]
        first = [[float(v[h, 0]) for v in values] for h in range(len(values[0]))]
        rest = [[float(v[h, 1:].mean()) for v in values] for h in range(len(values[0]))]
        found["value_norms"][i] = {
            "first": [fmean(x) for x in first],
            "others": [fmean(x) for x in rest],
            "ratio": [
                fmean(a / b for a, b in zip(x, y, strict=True))
                for x, y in zip(first, rest, strict=True)
            ],
        }
        found["contribution"][i] = _contribution(call, places)
        if call["learned"] is not None:
            parts = [call["learned"][b, :, s:e].mean(1) for b, s, e in places]
            found["sink_logit_mass"][i] = [
                fmean(float(x[h]) for x in parts) for h in range(len(parts[0]))
            ]
    return found


def _contribution(call: dict[str, Any], places: list[tuple[int, int, int]]) -> dict[str, Any]:
    H, D = call["out"].shape[1], call["out"].shape[3]
    first, everything, gates = [], [], []
    for h in range(H):
        W = call["W"][:, h * D : (h + 1) * D]
        for b, s, e in places:
            mass = call["rows"][b, h, s + 1 : e, s]
            gate = 1.0 if call["gate"] is None else call["gate"][b, h, s + 1 : e]
            sink = mass[:, None] * call["v"][b, h, s][None]
            first.append(float(((gate * sink) @ W.T).norm(dim=-1).mean()))
            everything.append(
                float(((gate * call["out"][b, h, s + 1 : e]) @ W.T).norm(dim=-1).mean())
            )
            if call["gate"] is not None:
                gates.append(float(gate.mean()))
    n = len(places)

    def by_head(xs: list[float]) -> list[float]:
        return [fmean(xs[h * n : (h + 1) * n]) for h in range(H)]

    found = {"first_token": by_head(first), "all": by_head(everything)}
    return {**found, "gate": by_head(gates)} if gates else found


def _of_states(
    states: dict[int, torch.Tensor], places: list[tuple[int, int, int]]
) -> dict[str, Any]:
    found: dict[str, Any] = {"massive_activations": {}, "norms": {}, "p0_cosine": {}}
    peaks = {}
    for i in sorted(states):
        own = [states[i][b, s:e] for b, s, e in places]
        worst = max(range(len(own)), key=lambda p: float(own[p].abs().max()))
        h = own[worst]
        flat = sorted(
            ((abs(float(x)), float(x), t, c) for t, row in enumerate(h) for c, x in enumerate(row)),
            reverse=True,
        )
        median = sorted(x[0] for x in flat)[(len(flat) - 1) // 2]
        massive = 0
        for x in own:
            middle = sorted(x.abs().flatten().tolist())[(x.numel() - 1) // 2]
            massive += sum(
                y > 100 and y >= 1000 * middle and middle > 0 for y in x.abs().flatten().tolist()
            )
        found["massive_activations"][i] = {
            "prompt": worst,
            "top": [{"value": x, "token": t, "channel": c} for _, x, t, c in flat[:5]],
            "median": median,
            "ratio": flat[0][0] / median,
            "massive": massive,
            "elsewhere": max(float(x[1:].abs().max()) for x in own),
        }
        first = fmean(math.sqrt(float((x[0] ** 2).sum())) for x in own)
        middles = []
        for x in own:
            sizes = sorted(math.sqrt(float((y**2).sum())) for y in x[1:])
            middles.append(sizes[(len(sizes) - 1) // 2])
        found["norms"][i] = {
            "first": first,
            "others": fmean(middles),
            "ratio": first / fmean(middles),
        }
        cosines = [
            float(torch.nn.functional.cosine_similarity(own[a][0], own[b][0], dim=0))
            for a in range(len(own))
            for b in range(a)
        ]
        found["p0_cosine"][i] = fmean(cosines) if cosines else None
        peaks[i] = fmean(float(x[0].abs().max()) for x in own)
    before = {i: peaks[i - 1] for i in peaks if i >= 0}
    found["steps"] = {
        "up": [i for i in before if peaks[i] > 100 and peaks[i] / before[i] >= 2],
        "down": [i for i in before if before[i] > 100 and before[i] / peaks[i] >= 2],
    }
    return found


def differences(found: Any, wanted: Any, bound: float, at: str = "") -> list[str]:
    """Where ``found`` differs from ``wanted`` by more than ``bound`` × max(1, |wanted|)."""
    if isinstance(wanted, dict) and not set(wanted) <= set(found):
        return [f"{at}: lacks {set(wanted) - set(found)}"]
    if isinstance(wanted, dict):
        return [
            line
            for key in wanted
            for line in differences(found[key], wanted[key], bound, f"{at}/{key}")
        ]
    if isinstance(wanted, list | tuple):
        if len(found) != len(wanted):
            return [f"{at}: {len(found)} entries for {len(wanted)}"]
        return [
            line
            for k, (a, b) in enumerate(zip(found, wanted, strict=True))
            for line in differences(a, b, bound, f"{at}/{k}")
        ]
    if isinstance(wanted, float):
        near = isinstance(found, float) and abs(found - wanted) <= bound * max(1.0, abs(wanted))
        return [] if near else [f"{at}: {found} for {wanted}"]
    return [] if found == wanted else [f"{at}: {found} for {wanted}"]
