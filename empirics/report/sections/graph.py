"""Which proof rests on which statement, and what is proved with all that it rests on.

A statement and its proofs are separate marks: a proof may have passed while something that it uses
has not.  Edges come from the proofs themselves (``empirics.report.rests_on``).
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from empirics.report.diagram import diagram
from empirics.report.rests_on import rests_on
from empirics.report.sections.section import Known, Section
from theorems import claims
from theorems.evidence import Evidence, Kind
from theorems.ledger import current
from theorems.status import BY_KIND

STRENGTH = list(BY_KIND)
"""Kinds that settle a statement, strongest first."""


def figures(known: Known) -> dict[str, Any]:
    """Every statement with its proofs, what each rests on, and whether all of that is proved."""
    nodes: dict[str, dict[str, Any]] = {}
    for claim in claims.everything():
        for s in claim.statements:
            proofs = [_proof(i, known) for i in known.items if i.settles and i.statement == s.name]
            proofs.sort(key=lambda p: STRENGTH.index(p["kind"]))
            nodes[s.name] = {
                "name": s.name,
                "claim": claim.id,
                "title": s.title,
                "proofs": proofs,
                "rests_on": sorted({name for p in proofs for name in p["rests_on"]}),
            }
    for node in nodes.values():
        node["proved"] = next((p["kind"] for p in node["proofs"] if p["status"] == "passed"), None)
        node["complete"] = complete(node["name"], nodes)
    return {
        "nodes": list(nodes.values()),
        "statements": len(nodes),
        "proved": sum(node["proved"] is not None for node in nodes.values()),
        "complete": sum(node["complete"] for node in nodes.values()),
    }


def _proof(item: Evidence, known: Known) -> dict[str, Any]:
    found = current(item, known.entries)
    return {
        "kind": Kind(item.kind),
        "id": item.id,
        "status": found.status if found else "not-run",
        "rests_on": rests_on(item),
    }


def complete(name: str, nodes: dict[str, dict[str, Any]], above: tuple[str, ...] = ()) -> bool:
    """Whether some proof of ``name`` passed and all that it rests on is complete too.

    A proof that rests on what it proves, through others, proves nothing.
    """
    if name in above or name not in nodes:
        return False
    return any(
        proof["status"] == "passed"
        and all(complete(other, nodes, (*above, name)) for other in proof["rests_on"])
        for proof in nodes[name]["proofs"]
    )


def drawings(found: dict[str, Any]) -> dict[str, Markup]:
    """The statements that rest on others or are rested on."""
    used = {name for node in found["nodes"] for name in node["rests_on"]}
    linked = [node for node in found["nodes"] if node["rests_on"] or node["name"] in used]
    return {"graph": diagram(linked)} if linked else {}


SECTION = Section("graph", "What rests on what", figures, drawings)
