"""What the kernel is asked, part by part: theorems, the words of their pins, and witnesses.

* ``rows``: what a table holds
* ``trigger_task``, ``trigger_templates``: the trigger task (``Statements.v``)
* ``position_zero``, ``position_zero_templates``, ``circuit_templates``: position zero without BOS
  (``PositionZeroStatements.v``)
* ``spikes``, ``spike_theorems``: spikes and sinks (``SpikeStatements.v``); the words of its pins in
  ``spike_templates``, ``spike_norm_templates``, ``spike_chain_templates``
"""

from __future__ import annotations

from theorems.kernel_gate import Pin
from theorems.kernel_tables.position_zero import POSITION_ZERO
from theorems.kernel_tables.rows import Template, Theorem
from theorems.kernel_tables.spikes import SPIKES
from theorems.kernel_tables.trigger_task import TRIGGER_TASK

TABLES = (TRIGGER_TASK, POSITION_ZERO, SPIKES)

THEOREMS: tuple[Theorem, ...] = tuple(theorem for table in TABLES for theorem in table.theorems)
TEMPLATES: dict[str, Template] = {k: v for table in TABLES for k, v in table.templates.items()}
LEMMAS = "".join(table.lemmas for table in TABLES)
WITNESSES: dict[str, str] = {k: v for table in TABLES for k, v in table.witnesses.items()}


def witness_pins() -> tuple[Pin, ...]:
    """A pin for each witness: the example of that name proves that very proposition."""
    return tuple(
        Pin(name, text.strip(), f"exact Sinkproof.{table.witness_file}.{name}.")
        for table in TABLES
        for name, text in table.witnesses.items()
    )
