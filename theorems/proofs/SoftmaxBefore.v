(******************************************************************************)
(*                            SOFTMAX, BEFORE                                 *)
(* Before the trigger a softmax row misses BOS by 2 eta / P0, at most 3 eta,  *)
(* and from L = 5 on by 2 eta / (1 - 18 eta/(L-4)). Math in SoftmaxCores,     *)
(* rows in SoftmaxAfter.                                                      *)
(*     softmax_P0_form == softmax_P0 of Statements is P0 at N = L - 2         *)
(*        before_mass  == a row before the trigger, with an ordinary flag po  *)
(*                        and weight 1 - a, has (1 - a) (po + eta) <= 2 eta   *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.SoftmaxCores Sinkproof.SoftmaxAfter.
Import ListNotations.
Open Scope R_scope.

Lemma softmax_P0_form L eta : (4 <= L)%nat -> softmax_P0 L eta = P0 (INR (L - 2)) eta.
Proof.
  intros HL. pose proof (INR_4 L HL). rewrite minus_INR by lia. simpl (INR 2). unfold softmax_P0, P0.
  replace (INR L - (1 + 1) + 1) with (INR L - 1) by ring.
  replace (INR L - (1 + 1) - 1) with (INR L - 3) by ring.
  reflexivity.
Qed.

Lemma le_div_of_mul m P c : 0 < P -> m * P <= c -> m <= c / P.
Proof. intros HP H. apply (cancel_mul P); [assumption|]. replace (P * (c / P)) with c by (field; lra). lra. Qed.

Lemma before_mass n L K V att score eta p :
  (4 <= L)%nat -> simplex_attention K L att -> trigger_rows_softmax K L score att ->
  error_le n L K (attention_output n V att) eta -> eta <= kappa L -> before_trigger_row K L p ->
  0 <= eta /\ 0 <= 1 - bos_weight att p /\
  exists po, (1 - bos_weight att p) * (po + eta) <= 2 * eta /\ softmax_P0 L eta <= po + eta /\ 2/3 <= softmax_P0 L eta /\
  ((5 <= L)%nat -> INR L - 4 - 18 * eta <= (INR L - 4) * (po + eta)).
Proof.
  intros HL Hs Ht He Hk Hp. destruct (kappa_clear L eta HL Hk) as (EN & HN & Hk').
  pose proof Hp as [Hr _].
  assert (He0 : 0 <= eta) by (destruct Hr as [Hv _]; eapply error_le_nonneg; eassumption).
  pose proof (row_bound n L K V att eta He p 2%nat Hr ltac:(lia)) as Ro.
  destruct (before_trigger_cases K L p Hp) as (cs & Hn & -> & Hc & Hl).
  assert (exists b, K b) as (b & Kb).
  { destruct cs as [|b cs]; [congruence|]. exists b. inversion Hc; assumption. }
  destruct (split_before n L K V att score eta HL Hs Ht He cs Hn Hc Hl b Kb)
    as (e & B & po & pt & mp & (HE & HB & HR) & Hm & <- & Eo).
  rewrite Eo in Ro.
  pose proof (bos_bound n L K V att eta HL Hs He 2%nat ltac:(exists b; assumption) ltac:(lia)) as Hv.
  pose proof (HR 1%nat ltac:(lia) ltac:(lia)) as R1. pose proof (HR (L - 2)%nat ltac:(lia) ltac:(lia)) as RN.
  split; [exact He0|]. split; [exact Hm|]. exists po. rewrite softmax_P0_form by exact HL.
  destruct (core_ordinary _ _ _ _ _ _ _ _ _ _ HN Hk' HE HB R1 RN) as [P1 P2].
  split; [|split; [exact P2|split; [exact P1|]]].
  - apply (core_before _ _ _ _ _ _ _ _ _ _ HN Hk' HE HB Hv R1 RN); [exact Hm|lra].
  - intros HL5. pose proof (HR 2%nat ltac:(lia) ltac:(lia)) as R2.
    assert (5 <= INR L) by (apply le_INR in HL5; simpl in HL5; lra).
    pose proof (core_slope _ _ _ _ _ _ _ _ _ _ HN He0 Hk' HE HB R1 RN ltac:(lra) R2) as S.
    rewrite EN in S. lra.
Qed.

Theorem one_layer_sink_softmax_before_proof : one_layer_sink_softmax_before.
Proof.
  intros n L K V att score eta HL Hs Ht He Hk p Hp.
  destruct (before_mass n L K V att score eta p HL Hs Ht He Hk Hp) as (He0 & Hm & po & H & P1 & P2 & _).
  set (m := 1 - bos_weight att p) in *. set (P := softmax_P0 L eta) in *. clearbody m P.
  assert (HP : m * P <= 2 * eta) by (assert (m * P <= m * (po + eta)) by (apply mul_le_l; lra); lra).
  split; [apply le_div_of_mul; lra|].
  assert (m * (2/3) <= m * P) by (apply mul_le_l; lra). lra.
Qed.

Theorem one_layer_sink_softmax_slope_proof : one_layer_sink_softmax_slope.
Proof.
  intros n L K V att score eta HL Hs Ht He Hk H18 p Hp.
  destruct (before_mass n L K V att score eta p ltac:(lia) Hs Ht He Hk Hp) as (He0 & Hm & po & H & _ & _ & S).
  specialize (S HL). set (m := 1 - bos_weight att p) in *. clearbody m.
  assert (HL5 : 5 <= INR L) by (apply le_INR in HL; simpl in HL; lra).
  set (D := INR L - 4) in *.
  assert (HD : 1 <= D) by (unfold D; lra). clearbody D.
  assert (E : D * (1 - 18 * eta / D) = D - 18 * eta) by (field; lra).
  assert (HP : 0 < 1 - 18 * eta / D).
  { apply Rmult_lt_reg_l with D; [lra|]. rewrite E. lra. }
  assert (HQ : 1 - 18 * eta / D <= po + eta) by (apply (cancel_mul D); lra).
  apply le_div_of_mul; [exact HP|].
  assert (m * (1 - 18 * eta / D) <= m * (po + eta)) by (apply mul_le_l; lra). lra.
Qed.
