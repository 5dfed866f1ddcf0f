"""Position zero without BOS: which Coq theorem proves which statement, words and witnesses."""

from __future__ import annotations

from theorems.kernel_tables.rows import Table

POSITION_ZERO = Table()
