"""Figures as JSON can hold them: six digits, and ``None`` where there is no finite number."""

from __future__ import annotations

import math
from typing import Any


def plain(value: Any) -> Any:
    """``value`` with every float in it rounded to six digits; not finite becomes ``None``.

    Works through lists, tuples and dictionaries; anything else is passed on.

    >>> plain({"a": [0.123456789, float("nan")], "b": "text", "c": -0.0})
    {'a': [0.123457, None], 'b': 'text', 'c': 0.0}
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if not isinstance(value, float):
        return value
    return float(f"{value:.6g}") + 0.0 if math.isfinite(value) else None
