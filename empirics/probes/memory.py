"""Whether there is room for full matrices, before the model runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from theorems.errors import UserError


def available() -> int:
    """Bytes of memory that this machine has to give."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def need_room_for_matrices(config: Any, rows: int, length: int) -> None:
    """Raises ``UserError`` if float32 matrices of all layers and heads take over half of that."""
    text = config.get_text_config()
    size = 4 * text.num_hidden_layers * text.num_attention_heads * rows * length**2
    if size > available() / 2:
        raise UserError(
            f"full matrices of {text.num_hidden_layers} layers × {text.num_attention_heads} heads "
            f"at N = {length} take {size / 2**30:.1f} GiB, and {available() / 2**30:.1f} GiB are "
            "there: leave out matrices=True, which no metric needs, or shorten the input"
        )
