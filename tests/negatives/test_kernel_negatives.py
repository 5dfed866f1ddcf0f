"""The kernel driver says no to every way of cheating that we know, and yes to an honest proof."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from tests.negatives.kernel_cases import CASES, HONEST, PIN, Case
from theorems import claims, kernel
from theorems.kernel_pins import TEMPLATES, pin_text, pins
from theorems.kernel_theorems import THEOREMS

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


def write(case: Case, folder: Path) -> Path:
    """Lay out the project of ``case`` in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_CoqProject").write_text(case.project)
    (folder / "Statements.v").write_text(case.statements)
    (folder / "Proof.v").write_text(case.proof)
    for name, text in case.more.items():
        (folder / name).write_text(text)
    return folder


def judge(case: Case, folder: Path) -> dict[str, kernel.Proof]:
    """Run the driver on ``case``."""
    found = [kernel.Pin("bound", case.pin)] if case.pin else []
    return kernel.check_proofs(["bound"], found, write(case, folder / "src"), folder / "cache")


def test_an_honest_proof_is_accepted(tmp_path: Path) -> None:
    honest = Case("honest", refusal="", pin=PIN.format(constant="2"))
    assert judge(honest, tmp_path)["bound"].axioms <= kernel.REALS


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_cheat_is_refused(case: Case, tmp_path: Path) -> None:
    with pytest.raises(kernel.KernelError, match=case.refusal):
        judge(case, tmp_path)


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.unlinted != c.refusal], ids=lambda c: c.name
)
def test_the_gate_refuses_it_without_the_static_check(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "refuse_unsafe", lambda source, file: None)
    with pytest.raises(kernel.KernelError, match=case.unlinted):
        judge(case, tmp_path)


def test_a_stale_object_file_is_not_used(tmp_path: Path) -> None:
    honest = Case("honest", refusal="")
    judge(honest, tmp_path)
    (home,) = (tmp_path / "cache").iterdir()
    original = (home / "Proof.vo").read_bytes()
    (home / "Proof.vo").write_bytes((home / "Statements.vo").read_bytes())
    assert not kernel._is_intact(home)
    judge(honest, tmp_path)
    assert (home / "Proof.vo").read_bytes() == original


def test_an_object_file_beside_the_sources_is_not_used(tmp_path: Path) -> None:
    judge(Case("honest", refusal=""), tmp_path)
    (home,) = (tmp_path / "cache").iterdir()
    wrong = replace(CASES[0], proof=HONEST.replace("apply Rmax_r", "exact I"))
    source = write(wrong, tmp_path / "src")
    shutil.copyfile(home / "Proof.vo", source / "Proof.vo")
    with pytest.raises(kernel.KernelError, match="refuses"):
        kernel.check_proofs(["bound"], (), source, tmp_path / "cache")


@pytest.mark.parametrize("answer", ["", "BEGIN bound\nEND bound\n", "Axioms:\n"])
def test_no_answer_is_not_a_yes(answer: str) -> None:
    with pytest.raises(kernel.KernelError, match="no list of assumptions"):
        kernel.read_assumptions(answer, "bound")


NUDGES = [
    ("one_layer_sink_softmax_after", sp.Rational(1, 100), "m"),
    ("one_layer_sink_softmax_after", -sp.Rational(1, 100), "m"),
    ("one_layer_sink_average", -sp.Rational(1, 1000), "delta"),
    ("deletion_lemma", sp.Rational(1, 1000), "v"),
    ("one_layer_sink", sp.Rational(1, 1000), "alpha"),
    ("sink_price", sp.Rational(1, 1000), "eta"),
    ("deep_sink", sp.Rational(1, 1000), "m"),
    ("anchor_needed", -sp.Rational(1, 1000), "eta"),
    ("two_heads", sp.Rational(1, 1000), "eta"),
    ("two_heads", sp.Rational(1, 1000), "alpha"),
    ("residual_two_layers", -sp.Rational(1, 1000), "eta"),
]
"""The Coq name, the relative change, and a symbol of the inequality that is changed."""


def nudged_pin(coq: str, nudge: sp.Rational, about: str) -> kernel.Pin:
    """The pin of ``coq`` with one right side of the registry's conclusion times 1 + nudge."""
    theorem = next(t for t in THEOREMS if t.coq == coq)
    honest = claims.get(theorem.claim).statement(theorem.statement)
    whole = honest.conclusion
    part = next(
        c
        for c in (whole.args if isinstance(whole, sp.And) else (whole,))
        if about in {s.name for s in c.free_symbols}
    )
    wrong = sp.LessThan(part.lts, part.gts * (1 + nudge))
    text = pin_text(coq, replace(honest, conclusion=whole.xreplace({part: wrong})), TEMPLATES[coq])
    for prefix in ("registry", "pin"):
        text = text.replace(f"{prefix}_{coq} ", f"{prefix}_nudged_{coq} ")
    return kernel.Pin(f"nudged_{coq}", text)


@pytest.mark.parametrize(("coq", "nudge", "about"), NUDGES, ids=lambda v: str(v))
def test_a_constant_nudged_in_the_registry_breaks_the_gate(
    coq: str, nudge: sp.Rational, about: str
) -> None:
    """The real proofs; the same pin with a nudge of zero is accepted."""
    names = ["one_layer_sink"]
    preamble = pins({t.coq: (t.claim, t.statement) for t in THEOREMS if t.coq in names})
    assert kernel.check_proofs(names, [*preamble, nudged_pin(coq, sp.Integer(0), about)])
    with pytest.raises(kernel.KernelError, match="coqc refuses"):
        kernel.check_proofs(names, [*preamble, nudged_pin(coq, nudge, about)])
