"""Attention rows as a picture: queries down, keys across, darker is more weight.

>>> str(heatmap([[1.0], [0.25, 0.75]], "two rows"))[:61]
'<svg viewBox="0 0 200 200" role="img" aria-label="two rows"><'
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

SIDE, EDGE = 200, 16


def heatmap(rows: Sequence[Sequence[float]], label: str, trigger: int | None = None) -> Markup:
    """Causal ``rows`` (row i has i entries, of size 0 to 1); ``trigger``, 1-based, is marked."""
    count = len(rows)
    size = (SIDE - EDGE) / count
    ground = Markup('<path class="ground" d="M{0} {0}{1}Z"/>').format(
        EDGE, "".join(f"H{EDGE + size * (i + 1):.1f}v{size:.2f}" for i in range(count)) + f"H{EDGE}"
    )
    cells = [
        Markup(
            '<rect class="heat" x="{:.1f}" y="{:.1f}" width="{:.2f}" height="{:.2f}" '
            'fill-opacity="{:.3g}"><title>{} → {}: {:.3g}</title></rect>'
        ).format(EDGE + k * size, EDGE + i * size, size, size, min(1.0, value), i + 1, k + 1, value)
        for i, row in enumerate(rows)
        for k, value in enumerate(row)
        if value >= 0.004
    ]
    marks = [Markup('<text x="{:.1f}" y="11" text-anchor="middle">BOS</text>').format(EDGE + size)]
    if trigger is not None:
        middle = EDGE + (trigger - 0.5) * size
        marks.append(Markup('<text x="{:.1f}" y="11" text-anchor="middle">t</text>').format(middle))
        marks.append(
            Markup('<text x="7" y="{:.1f}" text-anchor="middle">t</text>').format(middle + 4)
        )
    start = Markup('<svg viewBox="0 0 {0} {0}" role="img" aria-label="{1}">').format(SIDE, label)
    return start + ground + Markup("").join(cells) + Markup("").join(marks) + Markup("</svg>")
