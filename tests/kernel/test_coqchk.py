"""The independent checker, once: all modules, no unsafe flag, no axiom of our own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from theorems import kernel


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqchk") is None, reason="Coq is not installed")
def test_coqchk_accepts_the_whole_development() -> None:
    assert "CONTEXT SUMMARY" in kernel.checked()


CLEAN = """CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Reals.ClassicalDedekindReals.sig_forall_dec

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>
"""


@pytest.mark.parametrize(
    ("summary", "refusal"),
    [
        (CLEAN, None),
        (CLEAN.replace("fixpoints: <none>", "fixpoints: Sinkproof.Evil.loop"), "unsafe"),
        (CLEAN.replace("type-in-type: <none>", "type-in-type: X.y"), "type-in-type"),
        (CLEAN.replace("Coq.Reals.Cl", "Sinkproof.Evil.easy\n    Coq.Cl"), "lists Sinkproof.Evil"),
        (CLEAN.replace("Coq.Reals.ClassicalDedekindReals.sig_f", "Coq.X.f"), "lists Coq.X.f"),
        ("", "does not say"),
    ],
)
def test_its_summary_is_read_strictly(
    summary: str, refusal: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kernel, "_run", lambda *_, **__: summary)
    if refusal is None:
        assert kernel.coqchk(tmp_path, ["M"]) == summary
    else:
        with pytest.raises(kernel.KernelError, match=refusal):
            kernel.coqchk(tmp_path, ["M"])
