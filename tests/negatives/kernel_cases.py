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

PIN = "forall a b : R, 0 <= b -> exists c : R, a <= c /\\ {constant} * b <= c"
WITNESS = "exists b : R, 0 <= b"
PIN_PROOF = (
    "split; intros s a b H; destruct (s a b H) as (c & C & D); exists c; split; "
    "solve [assumption | lra]."
)
FALSE = STATEMENTS.replace("2 * b <= c", "2 * b <= c /\\ c < a")


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
    pin_lemmas: str = ""
    pin_proof: str = PIN_PROOF
    more: dict[str, str] = field(default_factory=dict)
    witness: bool = False


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
        refusal="contains 'Variable' outside a section",
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
        refusal="plain file names like Name.v, not '-arg",
        unlinted="plain file names like Name.v, not '-arg",
        project="-Q . Sinkproof\n-arg -vos\nStatements.v\nProof.v\n",
        proof=proof("Theorem bound_proof : bound.\nProof. exact I. Qed.\n"),
    ),
    Case(
        "type in type",
        refusal="plain file names like Name.v, not '-arg",
        unlinted="plain file names like Name.v, not '-arg",
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
    Case(
        "axiom whose name has a blank that is no blank",
        refusal="outside comments",
        unlinted="cannot be read: Proof.easy",
        statements=FALSE,
        proof=proof(
            "Variable easy\u00a0step : bound.\n"
            "Theorem bound_proof : bound. Proof. exact easy\u00a0step. Qed.\n"
        ),
    ),
    Case(
        "module with an accent",
        refusal="plain file names",
        unlinted="refuses|cannot be read",
        statements=FALSE,
        project="-Q . Sinkproof\nStatements.v\n\u00c9vil.v\nProof.v\n",
        more={"\u00c9vil.v": "From Sinkproof Require Import Statements.\nVariable easy : bound.\n"},
        proof="From Sinkproof Require Import Statements \u00c9vil.\n"
        "Theorem bound_proof : bound. Proof. exact \u00c9vil.easy. Qed.\n",
    ),
    Case(
        "axiom with an accent",
        refusal="outside comments",
        unlinted="cannot be read: Proof.\u00e9asy",
        statements=FALSE,
        proof=proof(
            "Variable \u00e9asy : bound.\n"
            "Theorem bound_proof : bound. Proof. exact \u00e9asy. Qed.\n"
        ),
    ),
    Case(
        "axiom in a module type",
        refusal="contains 'Module'",
        unlinted="bound rests on Proof.M.easy",
        statements=FALSE,
        proof=proof(
            "Module Type T. Hypothesis easy : bound. End T.\nDeclare Module M : T.\n"
            "Theorem bound_proof : bound. Proof. exact M.easy. Qed.\n"
        ),
    ),
    Case(
        "context outside a section",
        refusal="contains 'Context' outside a section",
        unlinted="bound rests on",
        statements=FALSE,
        proof=proof(
            "Section S.\nVariable x : nat.\nEnd S.\nContext (easy : bound).\n"
            "Theorem bound_proof : bound. Proof. exact easy. Qed.\n"
        ),
    ),
    Case(
        "narrow printing",
        refusal="outside a section",
        unlinted="bound rests on",
        statements=FALSE,
        proof=proof(
            "#[global] Set Printing Width 2.\nVariable easy : bound.\n"
            "Theorem bound_proof : bound. Proof. exact easy. Qed.\n"
        ),
    ),
    Case(
        "file with the name of an allowed axiom's module",
        refusal="takes the name of a module of the standard library",
        unlinted="bound rests on (Sinkproof.)?Classical_Prop.classic",
        statements=FALSE,
        project="-Q . Sinkproof\nStatements.v\nClassical_Prop.v\nProof.v\n",
        more={
            "Classical_Prop.v": "From Sinkproof Require Import Statements.\n"
            "Variable classic : bound.\n"
        },
        proof="Require Import Reals.\nFrom Sinkproof Require Import Statements Classical_Prop.\n"
        "Theorem bound_proof : bound. Proof. exact Classical_Prop.classic. Qed.\n",
    ),
    Case(
        "module with the name of an allowed axiom's module",
        refusal="contains 'Module'",
        unlinted="bound rests on",
        statements=FALSE,
        proof=proof(
            "Module Logic. Module Classical_Prop. Variable classic : bound. End Classical_Prop.\n"
            "End Logic.\n"
            "Theorem bound_proof : bound. Proof. exact Logic.Classical_Prop.classic. Qed.\n"
        ),
    ),
    Case(
        "comment that is none",
        refusal="contains 'Admitted'",
        unlinted="is in no file",
        statements=FALSE,
        proof=proof(
            'Notation "#( x" := (x) (at level 0).\nDefinition z := #(* 1.\n'
            "Theorem bound_proof : bound. Admitted.\n"
        ),
    ),
    Case(
        "flag by a variable of make",
        refusal="plain file names",
        project="-Q . Sinkproof\nCOQEXTRAFLAGS = -type-in$(E)-type\nStatements.v\nProof.v\n",
    ),
    Case(
        "flag before the files",
        refusal="must begin with",
        project="-R . Sinkproof\nStatements.v\nProof.v\n",
    ),
    Case(
        "comment in _CoqProject",
        refusal="plain file names",
        project="-Q . Sinkproof\n# Statements.v\nStatements.v\nProof.v\n",
    ),
    Case(
        "file of another folder",
        refusal="plain file names",
        project="-Q . Sinkproof\nStatements.v\n../Proof.v\n",
    ),
    Case(
        "file with the name of a module that the trusted file requires",
        refusal="takes the name of a module of the standard library",
        project="-Q . Sinkproof\nStatements.v\nReals.v\nProof.v\n",
        more={"Reals.v": 'From Coq Require Export Reals.\nNotation "a <= b" := (a = b).\n'},
    ),
    Case(
        "trusted file that rests on an untrusted one",
        refusal="may not rest on files of the project",
        statements=f"From Sinkproof Require Import Proof.\n{STATEMENTS}",
    ),
    Case(
        "trusted file after an untrusted one",
        refusal="must list Statements.v first",
        project="-Q . Sinkproof\nProof.v\nStatements.v\n",
    ),
    Case(
        "second trusted file after an untrusted one",
        refusal="must list Statements.v, Vectors.v first",
        project="-Q . Sinkproof\nStatements.v\nProof.v\nVectors.v\n",
        more={"Vectors.v": "Definition vector := nat -> nat.\n"},
    ),
    Case(
        "second trusted file that rests on an untrusted one",
        refusal="may not rest on files of the project that are not trusted",
        project="-Q . Sinkproof\nStatements.v\nVectors.v\nProof.v\n",
        more={"Vectors.v": "From Sinkproof Require Import Statements Proof.\n"},
    ),
    Case(
        "trusted file that rests on a later one",
        refusal="may not rest on files of the project that are not trusted",
        statements=f"From Sinkproof Require Import Vectors.\n{STATEMENTS}",
        project="-Q . Sinkproof\nStatements.v\nVectors.v\nProof.v\n",
        more={"Vectors.v": "Definition vector := nat -> nat.\n"},
    ),
    Case(
        "statement in two trusted files",
        refusal="bound is defined in several files",
        project="-Q . Sinkproof\nStatements.v\nVectors.v\nProof.v\n",
        more={"Vectors.v": "Definition bound : Prop := True.\n"},
    ),
    Case(
        "iff that is always true",
        refusal="refuses",
        pin=PIN.format(constant="7"),
        proof=HONEST + '\nNotation "A <-> B" := True (only parsing) : type_scope.\n',
        pin_lemmas="From Sinkproof Require Import Proof.",
        pin_proof="exact I.",
    ),
    Case(
        "statement of the same name in the proof file",
        refusal="refuses",
        unlinted="refuses",
        proof=proof("Definition bound : Prop := True.\nTheorem bound_proof : bound.\n")
        + "Proof. exact I. Qed.\n",
    ),
    Case(
        "module named Statements in the proof file",
        refusal="contains 'Module'",
        unlinted="refuses",
        statements=FALSE,
        proof=proof(
            "Module Export Statements. Definition bound := True. End Statements.\n"
            "Theorem bound_proof : True. Proof. exact I. Qed.\n"
        ),
    ),
    Case(
        "order of the reals shadowed for the pin",
        refusal="refuses",
        pin=PIN.format(constant="7"),
        proof=HONEST + "\nDefinition bound : Prop := True.\nDefinition iff (a b : Prop) := True.\n"
        'Notation "a <= b" := (@eq R a a) : R_scope.\n',
        pin_lemmas="From Sinkproof Require Import Proof.",
        pin_proof="exact I.",
    ),
    Case(
        "answers printed by the proof file",
        refusal="contains 'Admitted'",
        unlinted="bound rests on",
        statements=FALSE,
        proof=proof(
            'Goal True. idtac "Closed under the global context". Abort.\n'
            "Theorem bound_proof : bound. Admitted.\n"
        ),
    ),
    Case(
        "missing witness",
        refusal="refuses",
        unlinted="refuses",
        witness=True,
    ),
    Case(
        "witness of something else",
        refusal="refuses",
        unlinted="refuses",
        witness=True,
        proof=HONEST + "Example nonvacuous_bound : True. Proof. exact I. Qed.\n",
    ),
    Case(
        "witness that is assumed",
        refusal="outside a section",
        unlinted="pin nonvacuous rests on",
        witness=True,
        proof=HONEST + "Variable nonvacuous_bound : exists b : R, 0 <= b.\n",
    ),
)
