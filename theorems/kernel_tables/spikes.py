"""Spikes and sinks: which Coq theorem proves which statement, words and witnesses."""

from __future__ import annotations

from theorems.kernel_tables.rows import Table

SPIKES = Table()
