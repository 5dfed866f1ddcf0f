"""The examples in the documentation of the strategies run as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import empirics.strategies

NAMES = ["empirics.strategies"] + [
    found.name
    for found in pkgutil.iter_modules(empirics.strategies.__path__, prefix="empirics.strategies.")
]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_and_everything_published_is_there() -> None:
    assert len(doctest.DocTestFinder().find(empirics.strategies)[0].examples) >= 3
    assert all(hasattr(empirics.strategies, name) for name in empirics.strategies.__all__)
