"""The parts of the kernel driver that need no Coq, and the table of theorems against the files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import sympy as sp

from theorems import claims, kernel, kernel_gate, kernel_sources
from theorems.coq_text import CoqText
from theorems.expressions import interpret
from theorems.kernel_tables import TEMPLATES, THEOREMS, WITNESSES
from theorems.kernel_theorems import proofs


def test_every_proved_statement_is_in_the_table_and_back() -> None:
    files = kernel.project_files(kernel.PROOFS)
    text = {
        f: kernel_sources.without_comments((kernel.PROOFS / f).read_text("utf-8")) for f in files
    }
    proved = {
        name for source in text.values() for name in re.findall(r"Theorem (\w+)_proof\b", source)
    }
    stated = {
        name
        for file in kernel_sources.trusted_files(files)
        for name in re.findall(r"Definition (\w+) : Prop", text[file])
    }
    assert proved == {t.coq for t in THEOREMS}
    assert stated == proved, "a statement without a proof, or a proof without a statement"


def test_every_source_file_is_in_the_project() -> None:
    listed = set(kernel.project_files(kernel.PROOFS))
    assert listed == {path.name for path in kernel.PROOFS.glob("*.v")}


def test_theorems_name_statements_of_the_registry() -> None:
    for theorem in THEOREMS:
        assert claims.get(theorem.claim).statement(theorem.statement)
    assert set(TEMPLATES) <= {t.coq for t in THEOREMS}


def test_theorems_with_hypotheses_have_a_witness() -> None:
    assert {t.witness for t in THEOREMS if t.witness} == set(WITNESSES)
    for theorem in THEOREMS:
        assert bool(theorem.witness) or theorem.coq in (
            "deletion_identity",  # its one hypothesis says that a list is not empty
            "softmax_rows_simplex",  # the same
            "anchor_needed_attained",  # it states that a model exists
            "silu_identities",  # it speaks of every real number
            "silu_remainder",  # the same
            "swiglu_active_set",  # it speaks of every block and state
        )


def test_what_settles_a_statement_is_pinned_to_it() -> None:
    settled = {t.coq for t in THEOREMS if t.settles}
    assert settled == {*TEMPLATES, "relu_no_sink"}
    statements = [t.statement for t in THEOREMS if t.settles]
    assert len(statements) == len(set(statements)), "two theorems settle one statement"


def test_comments_and_strings_are_not_code() -> None:
    source = 'A (* Lemma (* nested *) still *) B "Axiom" C'
    assert kernel_sources.without_comments(source).split() == ["A", "B", "C"]
    assert '"Axiom"' in kernel_sources.without_comments(source, strings=True)


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("Lemma x : False. Admitted.", "contains 'Admitted'"),
        ("(* even in a comment: Admitted *)", "contains 'Admitted'"),
        ("Definition z := #(* 1.", "a comment begins after a blank"),
        ("Lemma \u00e9 : True.", "only ASCII"),
        ('Notation "\u00a0" := True.', "only ASCII"),
        ("Variables x y : nat.", "outside a section"),
        ("Section A.\nSection B.\nEnd B.\nEnd A.\nHypotheses x : nat.", "outside a section"),
        ("Declare Instance x : T.", "contains 'Declare Instance'"),
        ("Section A.\nVariable x : nat.\nEnd A.\n(* \u00e9, Variable *)", None),
        ('Definition variable := "Variable".', None),
    ],
)
def test_sources_are_searched(source: str, refusal: str | None) -> None:
    if refusal is None:
        kernel.refuse_unsafe(source, "File.v")
    else:
        with pytest.raises(kernel.KernelError, match=refusal):
            kernel.refuse_unsafe(source, "File.v")


def test_axioms_are_read_with_their_types_on_one_line_or_several() -> None:
    answer = "Axioms:\nsig_a : forall x : nat, x = x\nLib.sig_b\n  : forall n : nat,\n    n = n\n"
    assert kernel_gate.read_assumptions(answer, "t") == {"sig_a", "Lib.sig_b"}
    assert kernel_gate.read_assumptions(f"{kernel_gate.CLOSED}\n", "u") == frozenset()


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (sp.Rational(-1, 12), "(- (1 / 12))"),
        (sp.Symbol("x") ** 2, "(x ^ 2)"),
        (1 / sp.Symbol("x"), "(/ x)"),
        (sp.Symbol("x") ** -2, "(/ (x ^ 2))"),
        (sp.Symbol("x") ** (sp.Symbol("N") - 1), "(x ^ (N - 1))"),
        (sp.Abs(sp.Symbol("x")), "(Rabs x)"),
        (sp.Min(1, sp.Symbol("x"), evaluate=False), "(Rmin 1 x)"),
    ],
)
def test_sympy_prints_as_coq(expression: sp.Expr, text: str) -> None:
    assert interpret(expression, {"x": "x", "N": "(INR N)"}, CoqText()) == text


@pytest.mark.parametrize("exponent", [sp.Rational(1, 2), 1 - sp.Symbol("N"), -sp.Symbol("N")])
def test_a_power_without_a_coq_form_is_refused(exponent: sp.Expr) -> None:
    with pytest.raises(ValueError, match="has no Coq form here"):
        interpret(sp.Symbol("x") ** exponent, {"x": "x", "N": "(INR N)"}, CoqText())


def test_what_is_kept_beside_a_build_speaks_of_its_object_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "_is_intact", lambda built: True)
    answers = iter(["first", "second"])
    stamp = tmp_path / "built.json"
    stamp.write_text(json.dumps({"objects": {"A.vo": "1"}}))
    assert kernel._kept(tmp_path, "name", lambda: next(answers)) == "first"
    assert kernel._kept(tmp_path, "name", lambda: next(answers)) == "first"
    stamp.write_text(json.dumps({"objects": {"A.vo": "2"}}))
    assert kernel._kept(tmp_path, "name", lambda: next(answers)) == "second"


@pytest.mark.kernel
@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_each_theorem_lists_its_own_axioms() -> None:
    own = {name: proof.axioms for name, proof in proofs().items()}
    assert all(own[t.coq] <= t.allowed for t in THEOREMS)
    assert own["one_layer_sink"] < own["softmax_after_sharp"], "exp needs more than the reals do"
