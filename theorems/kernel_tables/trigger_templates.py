"""The trigger task: the words around each pinned inequality, in Coq's terms.

A template repeats the words of the registry's ``setting`` as Coq text.  Every hypothesis of the
registry's statement has its numbered place in it, so none can be changed unseen; the proof shows
that the whole is equivalent to the statement in ``proofs/Statements.v``, where L ≥ 4 is said of a
natural number and ranges such as 0 ≤ α ≤ 1 follow from the model.
"""

from __future__ import annotations

from theorems.kernel_tables.rows import Template

LEMMAS = """\
Lemma registry_kappa_is (L : nat) : (4 <= L)%nat -> registry_kappa L = kappa L.
Proof. intros H. apply PinLemmas.four_le in H. unfold registry_kappa, kappa. field. lra. Qed.
Lemma registry_P0_is (L : nat) eta : 4 <= INR L -> registry_P0 L eta = softmax_P0 L eta.
Proof. intros four. unfold registry_P0, softmax_P0. field. lra. Qed.
Ltac lengths L :=
  assert (four : (4 <= L)%nat) by (assumption || lia || (apply PinLemmas.four_back; lra));
  pose proof (PinLemmas.four_le L four); pose proof (registry_kappa_is L four) as same.
Ltac seen_facts :=
  match goal with simplex : simplex_attention ?K ?L ?att |- _ =>
    match goal with
    | r : nontrigger_row K L ?p |- _ =>
        pose proof (PinLemmas.weight_range K L att p simplex (proj1 r))
    | r : before_trigger_row K L ?p |- _ =>
        pose proof (PinLemmas.weight_range K L att p simplex (proj1 (proj1 r)))
    end
  end.
Ltac error_facts :=
  match goal with
  | e : error_le ?n ?L ?K ?out ?eta, r : nontrigger_row ?K ?L ?p |- _ =>
      pose proof (Task.error_le_nonneg n L K out eta p (proj1 r) e)
  | e : error_le ?n ?L ?K ?out ?eta, r : before_trigger_row ?K ?L ?p |- _ =>
      pose proof (Task.error_le_nonneg n L K out eta p (proj1 (proj1 r)) e)
  | four : (4 <= ?L)%nat, some : nonempty ?K, e : error_le ?n ?L ?K ?out ?eta |- _ =>
      pose proof (PinLemmas.error_nonneg n L K out eta four some e)
  | four : (4 <= ?L)%nat, some : nonempty ?K, e : error_no_bos_le ?n ?L ?K ?out ?eta |- _ =>
      pose proof (PinLemmas.error_no_bos_nonneg n L K out eta four some e)
  | four : (4 <= ?L)%nat, law : is_law ?mu, e : mean_error_le ?n ?L ?mu ?out ?eta |- _ =>
      pose proof (PinLemmas.mean_error_nonneg n L mu out eta four law e)
  end.
Ltac facts := try seen_facts; try error_facts.
Ltac both_ways := split; intros statement; red in statement |- *; intros.
Ltac premise statement :=
  match type of statement with
  | forall _ : list token, _ =>
      match goal with p : list token |- _ => specialize (statement p) end
  | ?A -> _ => let proof := fresh in assert (proof : A) by (assumption || lra);
               specialize (statement proof); clear proof
  end.
"""
"""What the proofs below use; none of it is trusted, as every type is fixed before."""

BOTH = "both_ways; lengths L; facts; rewrite ?same in *;\n"

MODEL = "forall (n L : nat) K V att"
WORDS = (
    "{0} -> nonempty K -> simplex_attention K L att -> "
    "error_le n L K (attention_output n V att) eta -> {1} ->"
)
SOFTMAX = (
    "{0} -> simplex_attention K L att -> trigger_rows_softmax K L score att -> "
    "error_le n L K (attention_output n V att) eta -> {1} ->"
)
STACK = (
    "forall (n L : nat) K (D : nat) M att eta, {0} -> {1} -> nonempty K -> "
    "(forall l, (l < D)%nat -> simplex_attention K L (att l)) -> "
    "error_le n L K (stack n M att D) eta -> {2} -> {3} ->"
)
STACK_PROOF = """both_ways; lengths L; facts;
assert (one : (1 <= D)%nat) by (assumption || (apply PinLemmas.one_back; lra));
pose proof (PinLemmas.one_le D one); rewrite ?same in *;
specialize (statement n L K D M att eta); rewrite ?same in statement; repeat premise statement;
"""
TWO_HEADS = (
    "forall (n L : nat) (s : R), let att1 := bilinear_softmax n (bos_scores 0 (- s)) in "
    "let att2 := bilinear_softmax n (bos_scores 0 s) in "
    "let out p k := attention_output n (apply (n + 3) off_bos) att1 p k "
    "+ attention_output n (apply (n + 3) (fun i j => - off_bos i j)) att2 p k in"
)
ALPHA = {"alpha": "(bos_weight att p)", "epsilon": "eps"}
MASS = {"m": "(1 - bos_weight att p)"}


TEMPLATES: dict[str, Template] = {
    "one_layer_sink": Template(
        f"{MODEL} eta, {WORDS} {{4}} -> "
        "forall p, nontrigger_row K L p -> {2} -> {3} -> {conclusion}",
        BOTH + "specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        "24502d132295",
        ALPHA,
    ),
    "one_layer_sink_linear": Template(
        f"{MODEL} eta, {WORDS} forall p, nontrigger_row K L p -> {{2}} -> {{3}} -> {{conclusion}}",
        BOTH + "specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        "24502d132295",
        ALPHA,
    ),
    "one_layer_sink_epsilon": Template(
        f"{MODEL} eta eps, {WORDS} {{4}} -> {{5}} -> "
        "forall p, nontrigger_row K L p -> {2} -> {3} -> {conclusion}",
        """both_ways; lengths L; facts; rewrite ?same in *.
- specialize (statement n L K V att (eps * kappa L / (1 + eps)) eps); rewrite ?same in statement.
  repeat premise statement. lra.
- specialize (statement n L K V att eps).
  assert (error_le n L K (attention_output n V att) (eps * kappa L / (1 + eps)))
    by (eapply PinLemmas.error_le_weaken; [ | eassumption]; lra).
  repeat premise statement. lra.""",
        "4ced7ce5a8de",
        ALPHA,
    ),
    "sink_price": Template(
        f"{MODEL} eta eps p, {WORDS} {{3}} -> nontrigger_row K L p -> {{2}} -> {{4}} -> "
        "{conclusion}",
        """both_ways;
try match goal with some : exists _, _ |- _ => destruct some as (p & row & small) end;
lengths L; facts; rewrite ?same in *.
- specialize (statement n L K V att eta eps p); rewrite ?same in statement.
  repeat premise statement. lra.
- specialize (statement n L K V att eta eps).
  assert (exists p, nontrigger_row K L p /\\ bos_weight att p <= 1 - eps)
    by (exists p; split; [assumption | lra]).
  repeat premise statement. lra.""",
        "4ced7ce5a8de",
        ALPHA,
    ),
    "anchor_needed": Template(
        f"{MODEL} eta, {{0}} -> nonempty K -> simplex_attention_no_bos K L att -> "
        "error_no_bos_le n L K (attention_output n V att) eta -> {1} -> {conclusion}",
        BOTH + "specialize (statement n L K V att eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        "30966121be79",
    ),
    "deep_sink": Template(
        f"{STACK} forall c, K c -> exists l, (l < D)%nat /\\ ({{4}} -> {{5}} -> {{conclusion}})",
        STACK_PROOF
        + """specialize (statement c ltac:(assumption)); destruct statement as (l & below & bound);
exists l; (split; [assumption |]);
assert (seen : visible K L [Bos; Ordinary c]) by (apply PinLemmas.pair_visible; assumption);
match goal with simplex : forall l, _ -> simplex_attention _ _ _ |- _ =>
  destruct (PinLemmas.weight_range K L (att l) [Bos; Ordinary c] (simplex l below) seen) end;
intros; apply bound || lra; lra.""",
        "f42fa6cd5530",
        {"D": "D", "m": "(1 - bos_weight (att l) [Bos; Ordinary c])"},
        {"D": "(INR D)"},
    ),
    "deep_sink_any_position": Template(
        f"{STACK} forall p, before_trigger_row K L p -> exists l i', (l < D)%nat /\\ "
        "(2 <= i' <= length p)%nat /\\ ({4} -> {5} -> {conclusion})",
        STACK_PROOF
        + """destruct statement as (l & i' & below & between & bound);
exists l, i'; (split; [assumption | split; [assumption |]]);
match goal with
| simplex : forall l, _ -> simplex_attention _ _ _, row : before_trigger_row _ _ _ |- _ =>
  destruct (PinLemmas.weight_range K L (att l) (firstn i' p) (simplex l below)
    (PinLemmas.firstn_visible K L i' p ltac:(lia) (proj1 (proj1 row)))) end;
intros; apply bound || lra; lra.""",
        "2878e16f0faf",
        {"D": "D", "m": "(1 - bos_weight (att l) (firstn i' p))"},
        {"D": "(INR D)"},
    ),
    "deletion_lemma": Template(
        "forall n V score (x y b : content) e e', "
        "let out := attention_output n V (pair_softmax score) in "
        "let long := [Bos; Ordinary x; Ordinary y; Trigger b] in "
        "let short := [Bos; Ordinary y; Trigger b] in {0} -> {1} -> {2} -> "
        "Rabs (out long ordinary_coord - target n long ordinary_coord) <= e -> "
        "Rabs (out short ordinary_coord - target n short ordinary_coord) <= e' -> {conclusion}",
        """both_ways;
repeat match goal with bound : Rabs ?x <= ?e |- _ =>
  lazymatch goal with _ : 0 <= e |- _ => fail | _ =>
    assert (0 <= e) by (eapply Rle_trans; [apply (Rabs_pos x) | exact bound]) end end;
specialize (statement n V score x y b e e'); cbv zeta in statement;
repeat premise statement; lra.""",
        "71ee920ec271",
        {"v": "(V (embed n (Ordinary x)) ordinary_coord)", "e_x": "e", "e_0": "e'"},
    ),
    "one_layer_sink_average": Template(
        "forall n L mu V att score eta s, {0} -> is_law mu -> "
        "simplex_attention (support mu) L att -> trigger_rows_softmax (support mu) L score att -> "
        "mean_error_le n L mu (attention_output n V att) eta -> {1} -> {2} -> {3} -> {4} -> {5} -> "
        "{conclusion}",
        BOTH
        + """match goal with law : is_law _ |- _ =>
  pose proof (PinLemmas.chance_range mu L (fails att s) four law) end;
specialize (statement n L mu V att score eta s); repeat premise statement; lra.""",
        "8545f905a9a4",
        {"s": "s", "delta": "(chance mu L (fails att s))"},
    ),
    "one_layer_sink_softmax_after": Template(
        f"{MODEL} score eta, {SOFTMAX} {{4}} -> "
        "forall p, nontrigger_row K L p -> {2} -> {3} -> {conclusion}",
        BOTH + "specialize (statement n L K V att score eta); rewrite ?same in statement; "
        "repeat premise statement; lra.",
        "d3e6edbd82cc",
        MASS,
    ),
    "one_layer_sink_softmax_before": Template(
        f"{MODEL} score eta, {SOFTMAX} {{4}} -> "
        "forall p, before_trigger_row K L p -> {2} -> {3} -> {conclusion}",
        BOTH
        + """specialize (statement n L K V att score eta); rewrite ?same in statement.
all: assert (P : 2 / 3 <= softmax_P0 L eta) by (apply PinLemmas.P0_large; lra).
all: pose proof (registry_P0_is L eta ltac:(lra)) as P0_is; rewrite ?P0_is in *.
all: repeat premise statement.
- assert (0 <= (1 - bos_weight att p) * (softmax_P0 L eta - 2 / 3)) by (apply Rmult_le_pos; lra).
  split; [|lra]. apply Rmult_le_reg_r with (softmax_P0 L eta); [lra|].
  replace (2 * eta / softmax_P0 L eta * softmax_P0 L eta) with (2 * eta) by (field; lra). lra.
- destruct statement as [bound _].
  apply Rmult_le_compat_r with (r := softmax_P0 L eta) in bound; [|lra].
  replace (2 * eta / softmax_P0 L eta * softmax_P0 L eta) with (2 * eta) in bound by (field; lra).
  lra.""",
        "7a7537a7b125",
        {**MASS, "P0": "(registry_P0 L eta)"},
    ),
    "one_layer_sink_softmax_slope": Template(
        f"{MODEL} score eta, {SOFTMAX} {{4}} -> {{5}} -> "
        "forall p, before_trigger_row K L p -> {2} -> {3} -> {conclusion}",
        BOTH
        + """assert (five : (5 <= L)%nat) by (assumption || (apply PinLemmas.five_back; lra));
pose proof (PinLemmas.five_le L five);
specialize (statement n L K V att score eta); rewrite ?same in statement;
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
        "7a7537a7b125",
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
  + intros q seen k below. destruct (PinLemmas.row_elsewhere _ _ _ seen) as (three & p & row).
    specialize (statement q k p _ three positive seen below row (or_introl eq_refl)).
    unfold out. rewrite exp_Ropp. lra.
  + intros p row. pose proof row as [seen _].
    destruct (PinLemmas.row_elsewhere _ _ _ seen) as (three & _).
    specialize (statement p 0%nat p _ three positive seen ltac:(lia) row (or_introl eq_refl)).
    pose proof (TwoHeads.uniform_rows n _ _ (- s) p row) as weight1. fold att1 in weight1.
    pose proof (TwoHeads.uniform_rows n _ _ s p row) as weight2. fold att2 in weight2.
    lra.
- intros q k p a _ _ seen below row weight. destruct statement as (error & weights).
  specialize (error q seen k below). specialize (weights p row). rewrite exp_Ropp in error.
  unfold out. split; lra.""",
        "00241b01014f",
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
  + intros q seen k below. destruct (PinLemmas.row_elsewhere _ _ _ seen) as (three & p & row).
    specialize (statement q k p 0%nat three positive seen below row). lra.
  + intros p l row. pose proof row as [seen _].
    destruct (PinLemmas.row_elsewhere _ _ _ seen) as (three & _).
    specialize (statement p 0%nat p l three positive seen ltac:(lia) row). lra.
- intros q k p l _ _ seen below row. destruct statement as (error & weights).
  specialize (error q seen k below). specialize (weights p l row). split; lra.""",
        "55c003ffa56c",
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
