"""Ways to make a kernel check say yes to something that is not proved, each with its verdict.

Every case is a tiny project: a trusted ``Statements.v`` with one statement, and an untrusted
``Proof.v``.  ``refusal`` is a part of the sentence with which the driver must refuse it, with the
static check of the sources on, and ``unlinted`` the same with that check switched off, so that the
gate alone is seen to hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

STATEMENTS = """\
Require Import Reals.
Open Scope R_scope.
Definition bound : Prop := forall a b : R, 0 <= b -> exists c : R, a <= c /\\ 2 * b <= c.
"""

HONEST = """\
Require Import Reals Lra.
From Sinkproof Require Import Statements.
Open Scope R_scope.
Theorem bound_proof : bound.
Proof.
  intros a b nonneg. exists (Rmax a (2 * b)).
  split; [apply Rmax_l | apply Rmax_r].
Qed.
"""

PIN = """\
Definition registry_bound : Prop :=
  forall a b : R, 0 <= b -> exists c : R, a <= c /\\ {constant} * b <= c.
Lemma pin_bound : registry_bound <-> Statements.bound.
Proof. split; intros s a b H; destruct (s a b H) as (c & C & D); exists c; split; lra. Qed.
"""


def proof(body: str) -> str:
    """``Proof.v`` with the usual imports and ``body``."""
    imports = "Require Import Reals Lra.\nFrom Sinkproof Require Import Statements.\n"
    return f"{imports}Open Scope R_scope.\n{body}"


@dataclass(frozen=True)
class Case:
    """One attempt to cheat, and what the driver must answer."""

    name: str
    refusal: str
    proof: str = HONEST
    statements: str = STATEMENTS
    unlinted: str | None = None
    project: str = "-Q . Sinkproof\nStatements.v\nProof.v\n"
    pin: str | None = None
    more: dict[str, str] = field(default_factory=dict)


CASES = (
    Case(
        "admitted lemma",
        refusal="contains 'Admitted'",
        unlinted="bound rests on",
        proof=proof(
            "Lemma easy : bound. Admitted.\nTheorem bound_proof : bound. Proof. exact easy. Qed.\n"
        ),
    ),
    Case(
        "new axiom",
        refusal="contains 'Axiom'",
        unlinted="bound rests on",
        proof=proof("Axiom easy : bound.\nTheorem bound_proof : bound. Proof. exact easy. Qed.\n"),
    ),
    Case(
        "axiom by another word",
        refusal="contains 'Parameter'",
        unlinted="bound rests on",
        proof=proof(
            "Parameter easy : bound.\nTheorem bound_proof : bound. Proof. exact easy. Qed.\n"
        ),
    ),
    Case(
        "variable outside a section",
        refusal="bound rests on",
        unlinted="bound rests on",
        proof=proof(
            "Variable easy : bound.\nTheorem bound_proof : bound. Proof. exact easy. Qed.\n"
        ),
    ),
    Case(
        "leaked section variable",
        refusal="refuses",
        unlinted="refuses",
        proof=proof(
            "Section S.\nVariable easy : bound.\n"
            "Theorem bound_proof : bound. Proof. exact easy. Qed.\nEnd S.\n"
        ),
    ),
    Case(
        "weakened statement",
        refusal="refuses",
        unlinted="refuses",
        proof=proof(
            "Theorem bound_proof : forall a b : R, 0 <= b -> exists c : R, a <= c /\\ b <= c.\n"
            "Proof. intros a b H. exists (Rmax a b). split; [apply Rmax_l | apply Rmax_r]. Qed.\n"
        ),
    ),
    Case(
        "swapped quantifier",
        refusal="refuses",
        unlinted="refuses",
        statements=STATEMENTS.replace(
            "forall a b : R, 0 <= b -> exists c : R, a <= c /\\ 2 * b <= c",
            "exists c : R, forall a b : R, 0 <= b -> a <= c /\\ 2 * b <= c",
        ),
    ),
    Case(
        "extra hypothesis in the proof",
        refusal="refuses",
        unlinted="refuses",
        proof=proof("Theorem bound_proof : 1 = 0 -> bound.\nProof. intros H. lra. Qed.\n"),
    ),
    Case(
        "vacuous hypothesis in the statement",
        refusal="refuses",
        unlinted="refuses",
        statements=STATEMENTS.replace("0 <= b ->", "0 <= b -> b < 0 ->"),
        proof=proof("Theorem bound_proof : bound.\nProof. intros a b H K. lra. Qed.\n"),
        project="-Q . Sinkproof\nStatements.v\nProof.v\nStatementsTests.v\n",
        more={
            "StatementsTests.v": proof(
                "Example nonvacuous : exists b : R, 0 <= b /\\ b < 0. Proof. exists 1. lra. Qed.\n"
            )
        },
    ),
    Case(
        "unsafe fixpoint",
        refusal="contains 'Unset Guard Checking'",
        unlinted="did not check",
        proof=proof(
            "Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n"
            "Set Guard Checking.\n"
            "Theorem bound_proof : bound.\nProof. destruct (loop 0%nat). Qed.\n"
        ),
    ),
    Case(
        "built with -vos",
        refusal="uses -arg -vos",
        unlinted="uses -arg -vos",
        project="-Q . Sinkproof\n-arg -vos\nStatements.v\nProof.v\n",
        proof=proof("Theorem bound_proof : bound.\nProof. exact I. Qed.\n"),
    ),
    Case(
        "type in type",
        refusal="uses -arg -type-in-type",
        unlinted="uses -arg -type-in-type",
        project="-Q . Sinkproof\n-arg -type-in-type\nStatements.v\nProof.v\n",
    ),
    Case(
        "wrong proof",
        refusal="refuses",
        unlinted="refuses",
        proof=proof("Theorem bound_proof : bound.\nProof. exact I. Qed.\n"),
    ),
    Case(
        "missing theorem",
        refusal="is in no file",
        unlinted="is in no file",
        proof=proof("Lemma other : True.\nProof. exact I. Qed.\n"),
    ),
    Case(
        "theorem only in a comment",
        refusal="is in no file",
        unlinted="is in no file",
        proof=proof("(* Theorem bound_proof : bound. *)\nLemma o : True.\nProof. exact I. Qed.\n"),
    ),
    Case(
        "file left out of _CoqProject",
        refusal="is in no file",
        unlinted="is in no file",
        project="-Q . Sinkproof\nStatements.v\n",
    ),
    Case(
        "constant nudged in Coq",
        refusal="refuses",
        unlinted="refuses",
        statements=STATEMENTS.replace("2 * b", "3 * b"),
        proof=HONEST.replace("2 * b", "3 * b"),
        pin=PIN.format(constant="2"),
    ),
    Case(
        "constant nudged in sympy",
        refusal="refuses",
        unlinted="refuses",
        pin=PIN.format(constant="(21 / 10)"),
    ),
)
