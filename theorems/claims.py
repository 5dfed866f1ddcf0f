"""The registry: every claim that the suite answers for, by id.

>>> from theorems import claims
>>> claims.get("A4").id
'relu_no_sink'

A claim that is stated has a home module of its own name; one that is so far only a paper's sentence
is listed from ``theorems.papers`` with no statement, and stays open until it has evidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from theorems import (
    anchor_needed,
    causal_asymmetry,
    decoupling,
    deep_sink,
    first_layer_ceiling,
    head_dimension,
    head_norm_tradeoff,
    logit_gap,
    mechanisms,
    nonlinearity_needed,
    norm_sparsifies,
    norm_stability,
    one_layer_sink,
    p0_circuit,
    papers,
    quadratic_amplifier,
    relu_no_sink,
    repeated_tokens,
    rope_budget,
    sandwich_bound,
    silence_by_averaging,
    sink_free_softmax,
    sink_is_gate,
    sink_price,
    spike_chain,
    spike_gauge,
    trigger_task,
)
from theorems.claim import Claim
from theorems.errors import UserError

HOMES = (
    trigger_task,
    one_layer_sink,
    deep_sink,
    relu_no_sink,
    sink_price,
    anchor_needed,
    mechanisms,
    sink_free_softmax,
    first_layer_ceiling,
    p0_circuit,
    causal_asymmetry,
    norm_stability,
    repeated_tokens,
    nonlinearity_needed,
    quadratic_amplifier,
    norm_sparsifies,
    logit_gap,
    spike_chain,
    sandwich_bound,
    head_dimension,
    decoupling,
    spike_gauge,
    sink_is_gate,
    silence_by_averaging,
    rope_budget,
    head_norm_tradeoff,
)
"""The home modules, in the order of the papers' claims."""


def everything() -> list[Claim]:
    """All claims: the papers' in their order, then our own."""
    stated = {module.CLAIM.id: module.CLAIM for module in HOMES}
    ordered: dict[str, Claim] = {}
    for paper_claim in papers.CLAIMS.values():
        for home in paper_claim.homes:
            ordered.setdefault(home, stated.get(home) or _unstated(home))
    ordered.update({id: claim for id, claim in stated.items() if id not in ordered})
    return list(ordered.values())


def get(name: str) -> Claim:
    """The claim with id ``name``, or the first that answers the paper's claim ``name``.

    Raises ``UserError`` naming what there is.
    """
    return find(name)[0]


def find(name: str) -> list[Claim]:
    """The claims that ``name`` (an id, or a paper's id such as ``A8``) stands for.

    The name of a statement other than a claim's own stands for that claim with it alone.
    """
    known = everything()
    found = [c for c in known if name == c.id or name.upper() in c.papers]
    if not found:
        found = [replace(c, statements=(s,)) for c in known for s in c.statements if s.name == name]
    if not found:
        raise UserError(
            f"unknown claim {name!r}: `sinkproof list` shows the names; give one of them, a "
            "paper's id such as A2, or a statement such as one_layer_sink.linear"
        )
    return found


def select(names: Iterable[str]) -> list[Claim]:
    """The claims that ``names`` stand for, each once, with all statements asked of it in order."""
    chosen: dict[str, set[str]] = {}
    for claim in (c for name in names for c in find(name)):
        chosen.setdefault(claim.id, set()).update(s.name for s in claim.statements)
    return [
        replace(c, statements=tuple(s for s in c.statements if s.name in chosen[c.id]))
        for c in map(get, chosen)
    ]


def _unstated(home: str) -> Claim:
    answered = [p for p in papers.CLAIMS.values() if home in p.homes]
    return Claim(home, answered[0].text, tuple(p.id for p in answered))
