"""Threads are set explicitly: by configuration while training and measuring, never by default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def limited_threads(threads: int) -> Iterator[None]:
    """Torch with the given number of threads, and as it was afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
