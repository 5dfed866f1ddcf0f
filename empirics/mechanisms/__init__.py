"""Mechanisms side by side: the table, a mechanism of one's own, and the sweeps that fill it.

``table`` (the rows and what they rest on), ``showing`` (terminal and figure), ``own`` (a row from a
few lines), ``variants`` and ``variant_run`` (gates, sink logits, MLPs by autograd), ``jobs``,
``job_run``, ``sweep``, ``collect`` (runs that stop and resume), ``figures``, ``summary``,
``trained`` (what models do with their attention), ``heads`` and ``price`` (trained evidence).
"""

from empirics.mechanisms.own import Own, OwnRow, own_row
from empirics.mechanisms.table import ROWS, Row, solved

__all__ = ["ROWS", "Own", "OwnRow", "Row", "own_row", "solved"]
