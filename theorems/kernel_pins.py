"""The pins: the registry's inequality and Coq's statement say the same thing, proved in the gate.

A statement whose conclusion is a closed-form inequality is printed from sympy as Coq text, between
the words that say for which models and inputs (repeated here), and the gate proves the result
equivalent to the theorem in ``proofs/Statements.v``.  Changing a constant on either side breaks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from theorems import claims
from theorems.coq_text import CoqText
from theorems.expressions import interpret
from theorems.kernel import Pin
from theorems.statement import Statement

PREAMBLE = """\
From Sinkproof Require Import PinLemmas.
Definition registry_kappa (L : nat) : R := {kappa}.
Lemma registry_kappa_is (L : nat) : (4 <= L)%nat -> registry_kappa L = kappa L.
Proof. intros H. apply four_le in H. unfold registry_kappa, kappa. field. lra. Qed.
Definition registry_P0 (L : nat) (eta : R) : R := {P0}.
Lemma registry_P0_is (L : nat) eta : 4 <= INR L -> registry_P0 L eta = softmax_P0 L eta.
Proof. intros four. unfold registry_P0, softmax_P0. field. lra. Qed.
Ltac both_ways :=
  split; intros statement; red in statement |- *; intros;
  match goal with four : (4 <= ?L)%nat |- _ =>
    pose proof (registry_kappa_is L four) as same; pose proof (four_le L four) end;
  match goal with same : registry_kappa _ = _ |- _ => rewrite ?same in * end.
"""

MODEL = "forall (n L : nat) K V att"
WORDS = (
    "(4 <= L)%nat -> nonempty K -> simplex_attention K L att -> "
    "error_le n L K (attention_output n V att) eta ->"
)
SOFTMAX = (
    "simplex_attention K L att -> trigger_rows_softmax K L score att -> "
    "error_le n L K (attention_output n V att) eta ->"
)
STACK = (
    "forall (n L : nat) K (D : nat) M att eta, (4 <= L)%nat -> (1 <= D)%nat -> nonempty K -> "
    "(forall l, (l < D)%nat -> simplex_attention K L (att l)) -> "
    "error_le n L K (stack n M att D) eta -> {3} ->"
)
TWO_HEADS = (
    "forall (n L : nat) (s : R), let att1 := bilinear_softmax n (bos_scores 0 (- s)) in "
    "let att2 := bilinear_softmax n (bos_scores 0 s) in "
    "let out p k := attention_output n (apply (n + 3) off_bos) att1 p k "
    "+ attention_output n (apply (n + 3) (fun i j => - off_bos i j)) att2 p k in"
)
ALPHA = {"alpha": "(bos_weight att p)", "epsilon": "eps"}
MASS = {"m": "(1 - bos_weight att p)"}


@dataclass(frozen=True)
class Template:
    """The registry's statement as Coq text, with ``{0}``, ``{1}`` … for its hypotheses (by position
    in the registry) and ``{conclusion}``; the Coq terms of its symbols; and the pin's proof."""

    text: str
    proof: str
    terms: Mapping[str, str] = field(default_factory=dict)


TEMPLATES: dict[str, Template] = {
    "one_layer_sink": Template(
        f"{MODEL} eta, {WORDS} {{4}} -> forall p, nontrigger_row K L p -> {{conclusion}}",
        "both_ways; specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        ALPHA,
    ),
    "one_layer_sink_linear": Template(
        f"{MODEL} eta, {WORDS} forall p, nontrigger_row K L p -> {{conclusion}}",
        "both_ways; specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        ALPHA,
    ),
    "one_layer_sink_epsilon": Template(
        f"{MODEL} eta eps, {WORDS} {{4}} -> {{5}} -> "
        "forall p, nontrigger_row K L p -> {conclusion}",
        """both_ways.
- specialize (statement n L K V att (eps * kappa L / (1 + eps)) eps); rewrite ?same in statement.
  repeat premise statement. lra.
- specialize (statement n L K V att eps).
  assert (error_le n L K (attention_output n V att) (eps * kappa L / (1 + eps)))
    by (eapply error_le_weaken; [ | eassumption]; lra).
  repeat premise statement. lra.""",
        ALPHA,
    ),
    "sink_price": Template(
        f"{MODEL} eta eps p, {WORDS} {{3}} -> nontrigger_row K L p -> {{4}} -> {{conclusion}}",
        """both_ways.
- match goal with some : exists _, _ |- _ => destruct some as (p & row & small) end.
  specialize (statement n L K V att eta eps p); rewrite ?same in statement.
  repeat premise statement. lra.
- specialize (statement n L K V att eta eps).
  assert (exists p, nontrigger_row K L p /\\ bos_weight att p <= 1 - eps)
    by (exists p; split; [assumption | lra]).
  repeat premise statement. lra.""",
        ALPHA,
    ),
    "anchor_needed": Template(
        f"{MODEL} eta, (4 <= L)%nat -> nonempty K -> simplex_attention_no_bos K L att -> "
        "error_no_bos_le n L K (attention_output n V att) eta -> {conclusion}",
        "both_ways; specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
    ),
    "deep_sink": Template(
        f"{STACK} forall c, K c -> exists l, (l < D)%nat /\\ {{conclusion}}",
        "both_ways; specialize (statement n L K D M att eta); rewrite ?same in statement; "
        "repeat premise statement; specialize (statement c ltac:(assumption)); "
        "destruct statement as (l & below & bound); exists l; (split; [assumption | lra]).",
        {"D": "D", "m": "(1 - bos_weight (att l) [Bos; Ordinary c])"},
    ),
    "deep_sink_any_position": Template(
        f"{STACK} forall p, before_trigger_row K L p -> exists l i', (l < D)%nat /\\ "
        "(2 <= i' <= length p)%nat /\\ {conclusion}",
        "both_ways; specialize (statement n L K D M att eta); rewrite ?same in statement; "
        "repeat premise statement; destruct statement as (l & i' & below & between & bound); "
        "exists l, i'; (split; [assumption | split; [assumption | lra]]).",
        {"D": "D", "m": "(1 - bos_weight (att l) (firstn i' p))"},
    ),
    "deletion_lemma": Template(
        "forall n V score (x y b : content) e e', "
        "let out := attention_output n V (pair_softmax score) in "
        "let long := [Bos; Ordinary x; Ordinary y; Trigger b] in "
        "let short := [Bos; Ordinary y; Trigger b] in {2} -> "
        "Rabs (out long ordinary_coord - target n long ordinary_coord) <= e -> "
        "Rabs (out short ordinary_coord - target n short ordinary_coord) <= e' -> {conclusion}",
        "split; intros statement; red in statement |- *; intros; "
        "specialize (statement n V score x y b e e'); cbv zeta in statement; "
        "repeat premise statement; lra.",
        {"v": "(V (embed n (Ordinary x)) ordinary_coord)", "e_x": "e", "e_0": "e'"},
    ),
    "one_layer_sink_average": Template(
        "forall n L mu V att score eta s, (4 <= L)%nat -> is_law mu -> "
        "simplex_attention (support mu) L att -> trigger_rows_softmax (support mu) L score att -> "
        "mean_error_le n L mu (attention_output n V att) eta -> {2} -> {3} -> {conclusion}",
        "both_ways; specialize (statement n L mu V att score eta s); "
        "repeat premise statement; lra.",
        {"s": "s", "delta": "(chance mu L (fails att s))"},
    ),
    "one_layer_sink_softmax_after": Template(
        f"{MODEL} score eta, (4 <= L)%nat -> {SOFTMAX} {{4}} -> "
        "forall p, nontrigger_row K L p -> {conclusion}",
        "both_ways; specialize (statement n L K V att score eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        MASS,
    ),
    "one_layer_sink_softmax_before": Template(
        f"{MODEL} score eta, (4 <= L)%nat -> {SOFTMAX} {{4}} -> "
        "forall p, before_trigger_row K L p -> {conclusion}",
        """both_ways; specialize (statement n L K V att score eta); rewrite ?same in statement.
all: assert (P : 2 / 3 <= softmax_P0 L eta) by (apply P0_large; lra).
all: pose proof (registry_P0_is L eta ltac:(lra)) as P0_is; rewrite ?P0_is in *.
all: match goal with r : before_trigger_row _ _ _ |- _ => pose proof r as row end.
all: repeat premise statement.
- assert (0 <= 1 - bos_weight att p) by (eapply mass_nonneg; [eassumption | apply row]).
  assert (0 <= (1 - bos_weight att p) * (softmax_P0 L eta - 2 / 3)) by (apply Rmult_le_pos; lra).
  split; [|lra]. apply Rmult_le_reg_r with (softmax_P0 L eta); [lra|].
  replace (2 * eta / softmax_P0 L eta * softmax_P0 L eta) with (2 * eta) by (field; lra). lra.
- destruct statement as [bound _].
  apply Rmult_le_compat_r with (r := softmax_P0 L eta) in bound; [|lra].
  replace (2 * eta / softmax_P0 L eta * softmax_P0 L eta) with (2 * eta) in bound by (field; lra).
  lra.""",
        {**MASS, "P0": "(registry_P0 L eta)"},
    ),
    "one_layer_sink_softmax_slope": Template(
        f"{MODEL} score eta, (5 <= L)%nat -> {SOFTMAX} {{4}} -> {{5}} -> "
        "forall p, before_trigger_row K L p -> {conclusion}",
        """split; intros statement; red in statement |- *; intros;
assert (four : (4 <= L)%nat) by lia; pose proof (registry_kappa_is L four) as same;
assert (5 <= INR L)
  by (pose proof (le_INR 5 L ltac:(assumption)) as five; simpl in five; lra);
rewrite ?same in *; specialize (statement n L K V att score eta); rewrite ?same in statement;
replace ((- 4) + INR L) with (INR L - 4) in * by ring;
assert (Q : 18 * eta / (INR L - 4) < 1)
  by (apply Rmult_lt_reg_r with (INR L - 4); [lra|];
      replace (18 * eta / (INR L - 4) * (INR L - 4)) with (18 * eta) by (field; lra); lra);
set (q := 18 * eta / (INR L - 4)) in *; repeat premise statement.
- apply Rmult_le_reg_r with (1 - q); [lra|].
  replace (2 * eta / (1 - q) * (1 - q)) with (2 * eta) by (field; lra). unfold q. lra.
- apply Rmult_le_compat_r with (r := 1 - q) in statement; [|lra].
  replace (2 * eta / (1 - q) * (1 - q)) with (2 * eta) in statement by (field; lra).
  unfold q in statement. lra.""",
        MASS,
    ),
    "two_heads": Template(
        f"{TWO_HEADS} forall q k p a, {{0}} -> {{1}} -> visible (unit_box n) L q -> "
        "(k < n + 3)%nat -> nontrigger_row (unit_box n) L p -> "
        "(a = bos_weight att1 p \\/ a = bos_weight att2 p) -> {conclusion}",
        """split; intros statement n L s att1 att2 out;
specialize (statement n L s); cbv zeta in statement; fold att1 att2 in statement;
pose proof (exp_pos s) as positive.
- split.
  + intros q seen k below. destruct (row_elsewhere _ _ _ seen) as (three & p & row).
    specialize (statement q k p _ three positive seen below row (or_introl eq_refl)).
    unfold out. rewrite exp_Ropp. lra.
  + intros p row. pose proof row as [seen _].
    destruct (row_elsewhere _ _ _ seen) as (three & _).
    specialize (statement p 0%nat p _ three positive seen ltac:(lia) row (or_introl eq_refl)).
    pose proof (TwoHeads.uniform_rows n _ _ (- s) p row) as weight1. fold att1 in weight1.
    pose proof (TwoHeads.uniform_rows n _ _ s p row) as weight2. fold att2 in weight2.
    lra.
- intros q k p a _ _ seen below row weight. destruct statement as (error & weights).
  specialize (error q seen k below). specialize (weights p row). rewrite exp_Ropp in error.
  unfold out. split; lra.""",
        {
            "E": "(exp s)",
            "alpha": "a",
            "eta": "(Rabs (out q k - target n q k))",
        },
    ),
    "residual_two_layers": Template(
        "forall (n L : nat) (s : R) q k p l, {0} -> {1} -> visible (unit_box n) L q -> "
        "(k < n + 3)%nat -> nontrigger_row (unit_box n) L p -> {conclusion}",
        """split; intros statement n L s; specialize (statement n L s);
pose proof (exp_pos s) as positive; rewrite ?exp_Ropp in *.
- split.
  + intros q seen k below. destruct (row_elsewhere _ _ _ seen) as (three & p & row).
    specialize (statement q k p 0%nat three positive seen below row). lra.
  + intros p l row. pose proof row as [seen _].
    destruct (row_elsewhere _ _ _ seen) as (three & _).
    specialize (statement p 0%nat p l three positive seen ltac:(lia) row). lra.
- intros q k p l _ _ seen below row. destruct statement as (error & weights).
  specialize (error q seen k below). specialize (weights p l row). split; lra.""",
        {
            "E": "(exp s)",
            "alpha": "(bos_weight (residual_attention s l) p)",
            "eta": (
                "(Rabs (residual_stack n residual_matrices (residual_attention s) 2 q k "
                "- (embed n (query q) k + target n q k)))"
            ),
        },
    ),
}
"""By the name of the Coq statement."""


def pins(homes: Mapping[str, tuple[str, str]]) -> list[Pin]:
    """The pins of the theorems in ``homes`` (Coq name → claim, statement) that have a template."""
    made: list[Pin] = []
    for name, (claim, statement) in homes.items():
        if name in TEMPLATES:
            text = pin_text(name, claims.get(claim).statement(statement), TEMPLATES[name])
            made.append(Pin(name, text if made else _preamble() + text))
    return made


def pin_text(name: str, statement: Statement, template: Template) -> str:
    """``registry_X``, the statement as the registry has it, and its equivalence with Coq's X."""
    terms = {"L": "(INR L)", "eta": "eta", "kappa": "(registry_kappa L)", **template.terms}
    for symbol, expression in statement.where.items():
        terms.setdefault(symbol.name, _coq(expression, terms))
    printed = {
        str(i): _coq(h, terms)
        for i, h in enumerate(statement.hypotheses)
        if f"{{{i}}}" in template.text
    }
    printed["conclusion"] = _coq(statement.conclusion, terms)
    text = template.text
    for key, value in printed.items():
        text = text.replace(f"{{{key}}}", value)
    return (
        f"Definition registry_{name} : Prop := {text}.\n"
        f"Lemma pin_{name} : registry_{name} <-> Statements.{name}.\n"
        f"Proof.\n{template.proof}\nQed."
    )


def _preamble() -> str:
    where = claims.get("one_layer_sink").statement("one_layer_sink.softmax_before").where
    text = PREAMBLE
    for symbol, expression in where.items():
        printed = _coq(expression, {"L": "(INR L)", "eta": "eta"})
        text = text.replace(f"{{{symbol.name}}}", printed)
    return text


def _coq(expression: object, terms: Mapping[str, str]) -> str:
    text: str = interpret(expression, terms, CoqText())
    return text
