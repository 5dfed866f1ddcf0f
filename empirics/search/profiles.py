"""Hypothesis profiles: one for continuous integration, one for the desk, one for long searches.

``pytest -m search --hypothesis-profile=explore`` is a long random search that keeps what it finds
in ``.hypothesis``.  Evidence sets its own sizes by mode and follows no profile.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

COMMON: dict[str, Any] = {
    # Exact enumeration takes as long as it takes; a wall clock has no place in a proof check.
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
}


def register() -> None:
    """Register the profiles ``ci``, ``dev`` and ``explore`` and load ``ci``.

    ``ci`` draws the same examples every time.  ``--hypothesis-profile`` chooses another.
    """
    settings.register_profile(
        "ci", max_examples=60, derandomize=True, database=None, print_blob=True, **COMMON
    )
    settings.register_profile(
        "dev", max_examples=60, derandomize=False, database=None, print_blob=True, **COMMON
    )
    settings.register_profile(
        "explore",
        max_examples=5000,
        derandomize=False,
        database=DirectoryBasedExampleDatabase(".hypothesis"),
        print_blob=True,
        **COMMON,
    )
    settings.load_profile("ci")
