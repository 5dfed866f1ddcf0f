"""Without the extra ``models`` everything else works, and ``measure`` says how to install it."""

from __future__ import annotations

import subprocess
import sys

HIDE = """
import sys
from importlib.machinery import PathFinder
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("transformers", "tokenizers", "gguf", "accelerate"):
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Hidden())
import importlib.util
find = importlib.util.find_spec
def hidden(name, package=None):
    return None if name.partition(".")[0] in ("transformers", "gguf") else find(name, package)
importlib.util.find_spec = hidden
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDE + code], capture_output=True, text=True, check=False
    )


def test_the_command_says_how_to_install_it() -> None:
    done = run("sys.argv[1:] = ['measure', 'x']\nfrom empirics.command_line import main\nmain()")
    assert done.returncode == 2
    assert done.stderr == "sinkproof: measuring models needs transformers: " + (
        "pip install 'sinkproof[models]'\n"
    )


def test_other_commands_need_none_of_it() -> None:
    done = run(
        "import empirics.probes\nsys.argv[1:] = ['list']\n"
        "from empirics.command_line import main\nmain()"
    )
    assert done.returncode == 0, done.stderr
    assert "one_layer_sink" in done.stdout
