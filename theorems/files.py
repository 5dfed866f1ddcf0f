"""Files that a hard stop cannot spoil, and the versions that a result depends on."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any

from theorems.errors import UserError

PACKAGES = ("sinkproof", "numpy", "sympy", "torch", "z3-solver", "python-flint", "hypothesis")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def write_atomically(path: Path, content: bytes) -> None:
    """Write ``path`` in full or not at all, even if the machine stops meanwhile.

    Makes missing folders.  Raises ``UserError`` where it may not write.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror or error}; choose a folder that you may write to"
        ) from None


def write_json(path: Path, content: Any) -> None:
    """Write ``content`` as JSON in one step: a reader sees the old file or the new one."""
    text = json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n"
    write_atomically(path, text.encode())
