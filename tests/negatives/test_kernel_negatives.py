"""The kernel driver says no to every way of cheating that we know, and yes to an honest proof."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from tests.negatives.kernel_cases import CASES, HONEST, PIN, WITNESS, Case
from theorems import claims, kernel, kernel_gate
from theorems.kernel_pins import pin, pins
from theorems.kernel_tables import TEMPLATES, THEOREMS
from theorems.one_layer_sink import delta, e_0, e_x, s
from theorems.statement import Statement
from theorems.symbols import D, L, alpha, eta, kappa, m

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
    found = [kernel_gate.Pin("bound", case.pin, case.pin_proof, "bound")] if case.pin else []
    if case.witness:
        found.append(
            kernel_gate.Pin("nonvacuous", WITNESS, "exact Sinkproof.Proof.nonvacuous_bound.")
        )
    return kernel.check_proofs(
        ["bound"],
        kernel_gate.Pins(tuple(found), lemmas=case.pin_lemmas),
        write(case, folder / "src"),
        folder / "cache",
    )


def test_an_honest_proof_is_accepted(tmp_path: Path) -> None:
    honest = Case(
        "honest",
        refusal="",
        pin=PIN.format(constant="2"),
        proof=HONEST
        + "Example nonvacuous_bound : exists b : R, 0 <= b. Proof. exists 1. lra. Qed.\n",
        witness=True,
    )
    assert judge(honest, tmp_path)["bound"].axioms <= kernel_gate.REALS


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_cheat_is_refused(case: Case, tmp_path: Path) -> None:
    with pytest.raises(kernel.KernelError, match=case.refusal):
        judge(case, tmp_path)


UNLINTED = [c for c in CASES if c.unlinted not in (None, c.refusal)]


@functools.cache
def unlinted() -> dict[str, str]:
    """What the gate says of each case when the sources are not searched, two at a time."""

    def answer(case: Case) -> str:
        with tempfile.TemporaryDirectory() as folder:
            try:
                return f"accepted: {judge(case, Path(folder))}"
            except kernel.KernelError as refusal:
                return str(refusal)

    def listed(folder: Path) -> list[str]:
        return (folder / "_CoqProject").read_text().splitlines()[1:]

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(kernel, "refuse_unsafe", lambda source, file: None)
        patch.setattr(kernel, "project_files", listed)
        return dict(zip((c.name for c in UNLINTED), pool.map(answer, UNLINTED), strict=True))


@pytest.mark.parametrize("case", UNLINTED, ids=lambda c: c.name)
def test_the_gate_refuses_it_without_the_static_check(case: Case) -> None:
    assert case.unlinted is not None
    assert re.search(case.unlinted, unlinted()[case.name])
    assert not unlinted()[case.name].startswith("accepted")


def test_coqchk_alone_refuses_an_axiom_that_is_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the search of the sources nor the gate plays a part here."""
    monkeypatch.setattr(kernel, "refuse_unsafe", lambda source, file: None)
    case = Case(
        "nat",
        refusal="",
        statements="Definition bound : Prop := forall a : nat, a = 0.\n",
        proof="From Sinkproof Require Import Statements.\nVariable easy\u00a0step : bound.\n"
        "Theorem bound_proof : bound. Proof. exact easy\u00a0step. Qed.\n",
    )
    folder = write(case, tmp_path / "src")
    for _ in range(2):  # a refusal is not kept as if it were a clean answer
        with pytest.raises(kernel.KernelError, match=r"coqchk lists Sinkproof\.Proof\.easy"):
            kernel.checked(folder, tmp_path / "cache")


def test_a_clean_answer_of_coqchk_is_kept_for_the_same_objects_only(tmp_path: Path) -> None:
    case = Case(
        "nat",
        refusal="",
        statements="Definition bound : Prop := forall a : nat, a = a.\n",
        proof="From Sinkproof Require Import Statements.\n"
        "Theorem bound_proof : bound. Proof. intros a. reflexivity. Qed.\n",
    )
    folder = write(case, tmp_path / "src")
    summary = kernel.checked(folder, tmp_path / "cache")
    (kept,) = (tmp_path / "cache").glob("*/checked.json")
    assert kernel.checked(folder, tmp_path / "cache") == summary
    kept.write_text(kept.read_text().replace("Proof.vo", "Other.vo"))
    assert kernel.checked(folder, tmp_path / "cache") == summary
    assert "Other.vo" not in kept.read_text()


def test_a_stale_object_file_is_not_used(tmp_path: Path) -> None:
    honest = Case("honest", refusal="")
    judge(honest, tmp_path)
    (home,) = (tmp_path / "cache").glob("[!.]*")
    original = (home / "Proof.vo").read_bytes()
    (home / "Proof.vo").write_bytes((home / "Statements.vo").read_bytes())
    assert not kernel._is_intact(home)
    judge(honest, tmp_path)
    assert (home / "Proof.vo").read_bytes() == original


def test_an_object_file_beside_the_sources_is_not_used(tmp_path: Path) -> None:
    judge(Case("honest", refusal=""), tmp_path)
    (home,) = (tmp_path / "cache").glob("[!.]*")
    wrong = replace(CASES[0], proof=HONEST.replace("apply Rmax_r", "exact I"))
    source = write(wrong, tmp_path / "src")
    shutil.copyfile(home / "Proof.vo", source / "Proof.vo")
    with pytest.raises(kernel.KernelError, match="refuses"):
        kernel.check_proofs(["bound"], None, source, tmp_path / "cache")


@pytest.mark.parametrize("answer", ["", "\n", "Axioms:\n", "closed\n", "Section Variables:\nx : R"])
def test_no_answer_is_not_a_yes(answer: str) -> None:
    with pytest.raises(kernel.KernelError, match="no list of assumptions"):
        kernel_gate.read_assumptions(answer, "bound")


@pytest.mark.parametrize(
    "line",
    [
        "e\u00a0f : R",
        "\u00c9vil.e : R",
        "f is assumed to be guarded.",
        "f x",
        "f:R",
        " f : R",
        "f.",
        "(f) : R",
    ],
)
def test_a_line_that_is_not_understood_is_not_a_yes(line: str) -> None:
    with pytest.raises(kernel.KernelError, match="cannot be read"):
        kernel_gate.read_assumptions(f"Axioms:\nclassic : R\n{line}\n", "bound")


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


def honest(coq: str) -> Statement:
    """The registry's statement of the Coq theorem ``coq``."""
    theorem = next(t for t in THEOREMS if t.coq == coq)
    return claims.get(theorem.claim).statement(theorem.statement)


def nudged(coq: str, nudge: sp.Rational, about: str) -> Statement:
    """The statement of ``coq`` with one right side of its conclusion times 1 + nudge."""
    whole = honest(coq).conclusion
    part = next(
        c
        for c in (whole.args if isinstance(whole, sp.And) else (whole,))
        if about in {s.name for s in c.free_symbols}
    )
    wrong = sp.LessThan(part.lts, part.gts * (1 + nudge))
    return replace(honest(coq), conclusion=whole.xreplace({part: wrong}))


def changed(coq: str, old: sp.Basic, new: sp.Basic) -> Statement:
    """The statement of ``coq`` with ``new`` in the place of its hypothesis ``old``."""
    statement = honest(coq)
    assert old in statement.hypotheses
    return replace(
        statement, hypotheses=tuple(new if h == old else h for h in statement.hypotheses)
    )


def answer_to(asked: tuple[str, Statement]) -> str:
    """What the driver says, on the real proofs, when a statement is not what ``coq`` says."""
    coq, statement = asked
    found = replace(pins({}), pins=(pin(coq, statement, TEMPLATES[coq]),))
    try:
        return f"accepted: {kernel.check_proofs([coq], found)}"
    except kernel.KernelError as refusal:
        return str(refusal)


@functools.cache
def answers() -> dict[tuple[str, ...], str]:
    """The answers to all the changes below, several at a time: Coq takes a second for each."""
    asked = {tuple(map(str, row)): (row[0], nudged(*row)) for row in NUDGES}
    asked |= {tuple(map(str, row)): (row[0], changed(*row)) for row in HYPOTHESES}
    kernel.build(kernel.PROOFS, kernel.project_files(kernel.PROOFS), kernel.default_cache())
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(asked, pool.map(answer_to, asked.values()), strict=True))


def test_the_unchanged_pins_are_accepted() -> None:
    assert kernel.check_proofs(
        list(TEMPLATES), pins({t.coq: (t.claim, t.statement) for t in THEOREMS})
    )


@pytest.mark.parametrize(("coq", "nudge", "about"), NUDGES, ids=lambda v: str(v))
def test_a_constant_nudged_in_the_registry_breaks_the_gate(
    coq: str, nudge: sp.Rational, about: str
) -> None:
    assert nudged(coq, sp.Integer(0), about).conclusion == honest(coq).conclusion
    assert answers()[coq, str(nudge), about].startswith("coqc refuses")


HYPOTHESES = [
    ("one_layer_sink", L >= 4, L >= 3),
    ("one_layer_sink", L >= 4, L >= 5),
    ("one_layer_sink", eta < kappa, eta < 2 * kappa),
    ("one_layer_sink", eta < kappa, eta < kappa / 2),
    ("one_layer_sink", eta >= 0, eta >= sp.Rational(1, 100)),
    ("one_layer_sink", alpha <= 1, alpha <= sp.Rational(1, 2)),
    ("one_layer_sink_linear", L >= 4, L >= 3),
    ("one_layer_sink_epsilon", L >= 4, L >= 3),
    ("one_layer_sink_average", L >= 4, L >= 3),
    ("one_layer_sink_average", L >= 4, L >= 5),
    ("one_layer_sink_average", s <= sp.Rational(1, 6), s <= sp.Rational(1, 5)),
    ("one_layer_sink_average", delta <= 1, delta <= sp.Rational(1, 2)),
    ("one_layer_sink_softmax_after", L >= 4, L >= 3),
    ("one_layer_sink_softmax_after", eta <= kappa, eta <= 2 * kappa),
    ("one_layer_sink_softmax_before", L >= 4, L >= 3),
    ("one_layer_sink_softmax_slope", L >= 5, L >= 4),
    ("deep_sink", L >= 4, L >= 3),
    ("deep_sink", D >= 1, D >= 2),
    ("deep_sink", D >= 1, D >= 0),
    ("deep_sink", m <= 1, m <= sp.Rational(1, 2)),
    ("deep_sink_any_position", L >= 4, L >= 3),
    ("sink_price", L >= 4, L >= 5),
    ("anchor_needed", L >= 4, L >= 3),
    ("two_heads", L >= 3, L >= 4),
    ("residual_two_layers", L >= 3, L >= 4),
    ("deletion_lemma", e_x + e_0 <= sp.Rational(1, 6), e_x + e_0 <= sp.Rational(1, 5)),
]
"""The Coq name, a hypothesis of the registry, and a weaker or stronger one in its place."""


@pytest.mark.parametrize(("coq", "old", "new"), HYPOTHESES, ids=lambda v: str(v))
def test_a_hypothesis_changed_in_the_registry_breaks_the_gate(
    coq: str, old: sp.Basic, new: sp.Basic
) -> None:
    assert answers()[coq, str(old), str(new)].startswith("coqc refuses")


def test_every_hypothesis_has_its_place() -> None:
    statement, template = honest("one_layer_sink"), TEMPLATES["one_layer_sink"]
    assert pin("one_layer_sink", statement, template)
    for wrong in (
        replace(statement, hypotheses=(*statement.hypotheses, L <= 9)),
        replace(statement, hypotheses=statement.hypotheses[:-1]),
    ):
        with pytest.raises(ValueError, match="every hypothesis of the registry must be printed"):
            pin("one_layer_sink", wrong, template)


def test_other_words_ask_for_a_look_at_the_coq_words() -> None:
    for coq, template in TEMPLATES.items():
        statement = honest(coq)
        for wrong in (
            replace(statement, setting=statement.setting.replace("layer", "layers", 1)),
            replace(statement, symbols={**statement.symbols, "L": "half the length"}),
        ):
            with pytest.raises(ValueError, match="read the Coq words of its template again"):
                pin(coq, replace(wrong, setting=wrong.setting + " "), template)
