"""What is installed, and which kinds of evidence can run here."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from theorems.evidence import Kind, discover
from theorems.files import versions
from theorems.sources import ROOT


def examine() -> dict[str, Any]:
    """What is installed, and which kinds of evidence can run here."""
    coq = shutil.which("coqc")
    coq_version = None
    if coq:
        shown = subprocess.run([coq, "--version"], capture_output=True, text=True, check=False)
        coq_version = shown.stdout.partition("version ")[2].partition("\n")[0] or "unknown"
    optional = {n: importlib.util.find_spec(n) is not None for n in ("matplotlib", "transformers")}
    kinds = {str(kind): True for kind in Kind} | {"kernel": coq is not None}
    return {
        "subject": "doctor",
        "status": "complete" if coq else "incomplete",
        "figures": {"evidence": len(discover())},
        "kinds": kinds,
        "coq": coq_version,
        "optional": optional,
        "settings": {"ledger": (ROOT / "results" / "ledger").is_dir(), "processors": processors()},
        "versions": versions(),
    }


def print_findings(table: Mapping[str, Any], console: Console) -> None:
    """The doctor's findings as lines."""
    for name, version in table["versions"].items():
        console.print(f"{name:14} {version}", highlight=False)
    missing = "absent: install it with `apt-get install coq`; kernel evidence is not run without it"
    console.print(f"{'coq':14} {table['coq'] or missing}", highlight=False)
    for name, there in table["optional"].items():
        console.print(f"{name:14} {'installed' if there else 'absent (optional)'}", highlight=False)
    able = [k for k, there in table["kinds"].items() if there]
    console.print(f"evidence that can run here: {', '.join(able)}", highlight=False)


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
