"""Numbers between 0 and 1 as a strip of dots, one a number.

>>> str(strip([0.1, 0.9], "two")).count("<circle")
2
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

WIDTH, HEIGHT = 150, 22


def strip(values: Sequence[float], label: str, colour: int = 1) -> Markup:
    """Dots from left (0) to right (1), a little up and down so that they can be told apart."""
    start = Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        WIDTH, HEIGHT, label
    )
    line = Markup('<path class="grid" d="M5 {0}H{1}M5 4V18M{1} 4V18"/>').format(
        HEIGHT / 2, WIDTH - 5
    )
    dot = Markup('<circle class="dot k{}" cx="{:.1f}" cy="{:.1f}" r="2.6"/>')
    dots = [
        dot.format(colour, 5 + min(1.0, max(0.0, v)) * (WIDTH - 10), HEIGHT / 2 + (k % 5 - 2) * 2.4)
        for k, v in enumerate(values)
    ]
    return start + line + Markup("").join(dots) + Markup("</svg>")
