"""A graph of statements as SVG: what rests on nothing at the left, arrows to what rests on it.

Each box has two marks: the statement (filled once it is proved with all it rests on) and its best
proof (a letter: K for Coq's kernel, Z for z3, E for exact, C for certified, – for none).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

BOX_HEIGHT, GAP_X, GAP_Y = 34, 90, 12
BEFORE_NAME, LETTER_WIDTH = 48, 7.6
LETTER = {"kernel": "K", "smt": "Z", "exact": "E", "certified": "C", None: "–"}


def levels(nodes: Sequence[dict[str, Any]]) -> dict[str, int]:
    """For each node the length of the longest chain that it rests on; cycles are cut."""
    by_name = {node["name"]: node for node in nodes}

    def level(name: str, above: tuple[str, ...]) -> int:
        below = [n for n in by_name[name]["rests_on"] if n in by_name and n not in above]
        return 1 + max((level(n, (*above, name)) for n in below), default=-1)

    return {name: level(name, ()) for name in by_name}


def diagram(nodes: Sequence[dict[str, Any]]) -> Markup:
    """The graph of ``nodes``, which have name, rests_on, proved and complete."""
    level = levels(nodes)
    depth = max(level.values()) + 1
    columns = [[n for n in nodes if level[n["name"]] == column] for column in range(depth)]
    box = round(BEFORE_NAME + 12 + LETTER_WIDTH * max(len(node["name"]) for node in nodes))
    width = depth * box + (depth - 1) * GAP_X
    tallest = max(len(column) for column in columns)
    height = tallest * (BOX_HEIGHT + GAP_Y) - GAP_Y
    at = {}
    for x, column in enumerate(columns):
        top = (height - len(column) * (BOX_HEIGHT + GAP_Y) + GAP_Y) / 2
        for y, node in enumerate(column):
            at[node["name"]] = (x * (box + GAP_X), top + y * (BOX_HEIGHT + GAP_Y))
    arrows = [
        _arrow(at[name], at[node["name"]], box)
        for node in nodes
        for name in node["rests_on"]
        if name in at
    ]
    boxes = [_box(node, *at[node["name"]], box) for node in nodes]
    label = f"{len(nodes)} statements and {len(arrows)} uses of one in the proof of another"
    start = Markup(
        '<svg class="graph" viewBox="-1 -1 {} {}" style="min-width: {}px; max-width: {}px" '
        'role="group" aria-label="{}">'
    ).format(width + 2, height + 2, round(width * 0.8), round(width * 1.15), label)
    return start + Markup("").join(arrows) + Markup("").join(boxes) + Markup("</svg>")


def _box(node: dict[str, Any], x: float, y: float, width: int) -> Markup:
    proof = node["proved"]
    says = f"{node['name']}: {'proof by ' + proof if proof else 'no proof'}, " + (
        "proved with all it rests on" if node["complete"] else "not proved with all it rests on"
    )
    return Markup(
        '<a href="#{name}" aria-label="{says}"><rect class="box" x="{x}" y="{y}" width="{w}" '
        'height="{h}" rx="6"/><rect class="mark{done}" x="{a}" y="{b}" width="12" height="12" '
        'rx="2"/><text class="letter" x="{c}" y="{d}" text-anchor="middle">{letter}</text>'
        '<text x="{e}" y="{d}">{name}</text></a>'
    ).format(
        name=node["name"], says=says, x=x, y=y, w=width, h=BOX_HEIGHT,
        done=" done" if node["complete"] else "", a=x + 10, b=y + 11, c=x + 34, d=y + 21.5,
        letter=LETTER[proof], e=x + BEFORE_NAME,
    )  # fmt: skip


def _arrow(start: tuple[float, float], end: tuple[float, float], box: int) -> Markup:
    x0, y0 = start[0] + box, start[1] + BOX_HEIGHT / 2
    x1, y1 = end[0], end[1] + BOX_HEIGHT / 2
    bend = (x1 - x0) / 2
    return Markup('<path class="arrow" d="M{} {}C{} {} {} {} {} {}"/>').format(
        x0, y0, x0 + bend, y0, x1 - bend, y1, x1, y1
    )
