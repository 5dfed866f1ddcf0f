"""Tests of the probes need the extra ``models``; under CI its absence is an error, not a skip."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

HERE = find_spec("transformers") is not None

if not HERE and os.environ.get("CI"):
    raise RuntimeError("CI must install the extra 'models': transformers is absent")
if HERE:
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # transformers' own, at its import
        import transformers
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()

WITHOUT = {"test_without_transformers.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if HERE:
        return
    skip = pytest.mark.skip(reason="needs transformers: pip install 'sinkproof[models]'")
    for item in items:
        if "tests/probes" in str(item.path) and item.path.name not in WITHOUT:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Torch on one thread."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
