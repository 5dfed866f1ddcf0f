"""The profiles say what they are, and an explicit choice reaches the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from empirics.search import profiles

ROOT = Path(__file__).parents[2]
EXPECTED = {"ci": (True, 60), "dev": (False, 60), "explore": (False, 5000)}


@pytest.mark.parametrize("name", EXPECTED)
def test_profiles_are_as_described(name: str) -> None:
    profiles.register()
    profile = settings.get_profile(name)
    assert (profile.derandomize, profile.max_examples) == EXPECTED[name]
    assert profile.deadline is None
    assert profile.print_blob
    kept = isinstance(profile.database, DirectoryBasedExampleDatabase)
    assert kept == (name == "explore")


@pytest.mark.parametrize("name", EXPECTED)
def test_the_command_line_chooses_the_profile(name: str, tmp_path: Path) -> None:
    code = (
        "import pytest, sys\n"
        "from empirics.search import profiles\n"
        "class Early:\n"
        "    @pytest.hookimpl(tryfirst=True)\n"
        "    def pytest_configure(self, config):\n"
        "        profiles.register()\n"
        "class Late:\n"
        "    def pytest_sessionstart(self, session):\n"
        "        from hypothesis import settings\n"
        "        print('examples', settings().max_examples)\n"
        f"args = ['--hypothesis-profile={name}', '-c', '/dev/null', '--rootdir', sys.argv[1]]\n"
        "pytest.main([*args, '-p', 'no:cacheprovider', sys.argv[1]], plugins=[Early(), Late()])\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"examples {EXPECTED[name][1]}" in found.stdout
