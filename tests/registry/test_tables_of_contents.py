"""Each room's docstring is its table of contents: it names every module, and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest


def modules(room: str) -> set[str]:
    """The modules and packages directly in ``room``."""
    package = importlib.import_module(room)
    return {m.name for m in pkgutil.iter_modules(package.__path__)}


@pytest.mark.parametrize("room", ["theorems", "constructions", "empirics"])
def test_every_module_is_in_the_table_of_contents(room: str) -> None:
    listed = re.findall(r"``(\w+)/?``", importlib.import_module(room).__doc__ or "")
    assert modules(room) - set(listed) == set()
    assert len(listed) == len(set(listed)), "named twice"
