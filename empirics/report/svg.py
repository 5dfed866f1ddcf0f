"""Plots as SVG that takes its colours from the page, so that it follows dark mode.

>>> plot = Plot("error by length", x=Axis("L", 4, 16), y=Axis("η", 0.001, 1, log=True))
>>> plot.line([(4, 0.01), (16, 0.1)], colour=1)
>>> print(plot.svg()[:70])
<svg viewBox="0 0 640 360" role="img" aria-label="error by length" dat
"""

from __future__ import annotations

import itertools
import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from markupsafe import Markup, escape

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 78, 14, 12, 58
Point = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """What an axis shows, and from where to where."""

    title: str
    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """Where ``value`` lies between the ends, 0 to 1, cut off at the ends."""
        if self.log:
            low, high, at = (math.log10(max(v, 1e-300)) for v in (self.low, self.high, value))
        else:
            low, high, at = self.low, self.high, value
        return min(1.0, max(0.0, (at - low) / (high - low)))

    def ticks(self) -> list[float]:
        """Powers of ten, or about five round numbers."""
        if self.log:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high) + 1e-9)
            return [10.0**k for k in range(first, last + 1, max(1, (last - first) // 5))]
        rough = (self.high - self.low) / 5
        unit = 10 ** math.floor(math.log10(rough))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
        first = math.ceil(self.low / step - 1e-9)
        return [step * k for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass
class Plot:
    """Two axes, and what is drawn between them in drawing order."""

    label: str
    x: Axis
    y: Axis
    parts: list[Markup] = field(default_factory=list)

    def at(self, x: float, y: float) -> Point:
        """The place of a point in the drawing."""
        across = LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM)

    def line(
        self, points: Iterable[Point], colour: int, id: str = "", *, dashed: bool = False
    ) -> None:
        """A line through ``points``, in colour 1 to 5; ``id`` names it for scripts."""
        placed = " ".join(f"{a:.1f},{b:.1f}" for a, b in (self.at(*p) for p in points))
        dashes = Markup(' stroke-dasharray="5 4"') if dashed else ""
        line = Markup('<polyline id="{}" class="line k{}"{} points="{}"/>')
        self.parts.append(line.format(id or self._id(), colour, dashes, placed))

    def dots(
        self,
        points: Iterable[Point],
        colour: int,
        id: str = "",
        *,
        titles: Iterable[str] = (),
        size: float = 3.5,
        hollow: bool = False,
    ) -> None:
        """Dots at ``points``; ``titles`` are shown when one is pointed at."""
        drawn = []
        dot = Markup('<circle class="dot k{}{}" cx="{:.1f}" cy="{:.1f}" r="{}">{}</circle>')
        for point, title in itertools.zip_longest(points, titles):
            named = Markup("<title>{}</title>").format(title) if title else ""
            drawn.append(
                dot.format(colour, " hollow" if hollow else "", *self.at(*point), size, named)
            )
        group = Markup('<g id="{}">{}</g>')
        self.parts.append(group.format(id or self._id(), Markup("").join(drawn)))

    def _id(self) -> str:
        return f"{zlib.crc32(self.label.encode()):08x}-{len(self.parts)}"

    def svg(self) -> Markup:
        """The whole drawing; ``data-frame`` lets a script place points as ``at`` does."""
        start = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}" data-frame="{}">{}')
        parts = (self._axes(), *self.parts, Markup("</svg>"))
        return start.format(
            WIDTH, HEIGHT, self.label, json.dumps(self._frame()), Markup("").join(parts)
        )

    def _frame(self) -> list[dict[str, object]]:
        corners = (self.at(self.x.low, self.y.low), self.at(self.x.high, self.y.high))
        return [
            {"low": axis.low, "high": axis.high, "log": axis.log, "from": a, "to": b}
            for axis, a, b in zip((self.x, self.y), *corners, strict=True)
        ]

    def _axes(self) -> Markup:
        left, floor = self.at(self.x.low, self.y.low)
        right, ceiling = self.at(self.x.high, self.y.high)
        drawn = [
            Markup('<path class="axis" d="M{} {}V{}H{}"/>').format(left, ceiling, floor, right)
        ]
        for value in self.x.ticks():
            at, _ = self.at(value, self.y.low)
            drawn.append(_text(at, floor + 20, _number(value), "middle"))
        for value in self.y.ticks():
            _, at = self.at(self.x.low, value)
            grid = Markup('<path class="grid" d="M{} {:.1f}H{}"/>').format(left, at, right)
            drawn += [grid, _text(left - 6, at + 4, _number(value), "end")]
        drawn.append(_text((left + right) / 2, HEIGHT - 8, self.x.title, "middle"))
        middle = (floor + ceiling) / 2
        turned = Markup(
            '<text transform="translate(13 {}) rotate(-90)" text-anchor="middle">{}</text>'
        )
        drawn.append(turned.format(middle, self.y.title))
        return Markup("").join(drawn)


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(
        x, y, anchor, escape(text)
    )


def _number(value: float) -> str:
    if value and (abs(value) < 0.001 or abs(value) >= 10_000):
        power = round(math.log10(abs(value)))
        return f"10{str(power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return f"{value:.4g}"
