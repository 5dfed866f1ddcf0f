"""The other versions of transformers that the project says it supports, each in a second
environment: its packages in a folder of their own, in front of this environment's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from empirics.probes.measuring import SUPPORTED, transformers_version
from theorems.sources import ROOT

PINNED = "5.18"


@pytest.mark.full
@pytest.mark.parametrize("version", [v for v in SUPPORTED if v != PINNED])
def test_the_same_tests_pass_with_it(version: str, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    wanted = f"transformers=={version}.*"
    got = subprocess.run(
        [*pip, "--target", str(tmp_path), wanted], capture_output=True, text=True, check=False
    )
    if got.returncode:
        pytest.skip(f"no package index gives {wanted}: {got.stderr.strip().splitlines()[-1]}")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not full"]
    done = subprocess.run(
        [*tests, "tests/probes"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "EXPECT_TRANSFORMERS": version},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_version_under_test_is_the_one_meant() -> None:
    expected = os.environ.get("EXPECT_TRANSFORMERS", PINNED)
    assert transformers_version().startswith(f"{expected}.")


def test_an_untested_version_is_said_with_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    from empirics.probes import measure
    from tests.probes.families import make, tokens

    assert not any("untested" in s for s in measure(make("llama"), tokens(1, 20)).warnings)
    monkeypatch.setattr("empirics.probes.measuring.transformers_version", lambda: "5.99.0")
    assert any("5.99.0 is untested" in s for s in measure(make("llama"), tokens(1, 20)).warnings)
