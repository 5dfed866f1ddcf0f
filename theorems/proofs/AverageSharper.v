(******************************************************************************)
(*                            AVERAGE, SHARPER                                *)
(* one_layer_sink_average as a bound on the chance of failure itself, with a  *)
(* smaller constant: (L-2)(L-1)/2 + 1 in place of 2 (L-2)^2 + 1.              *)
(*       chance mu L e == the probability that e j cs holds                   *)
(*    fails att s j cs == some position 2..j-1 has a BOS weight under 1 - 3 s *)
(*        literal_form == for any constant C: failure has probability d with  *)
(*                        d s <= C eta iff some event of probability at least *)
(*                        1 - C eta / s excludes it                           *)
(*  low_rarer == s times the mass of the low contents is at most the expected *)
(*               errors at j = 3 and j = 4, which add up to (L-2) eta         *)
(*    average_sharper == on average (L-1)/2 contents stand before the trigger *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith Bool.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Average.
Import ListNotations.
Open Scope R_scope.

Definition chance (mu : law) (L : nat) (event : nat -> list content -> bool) : R :=
  average mu L (fun j cs => if event j cs then 1 else 0).

Definition fails (att : attention) (s : R) (j : nat) (cs : list content) : bool :=
  existsb (fun i => if Rlt_dec (bos_weight att (firstn i (sequence_of j cs))) (1 - 3 * s) then true else false)
    (seq 2 (j - 2)).

Lemma fails_not att s j cs : fails att s j cs = false <->
  forall i, (2 <= i < j)%nat -> 1 - 3 * s <= bos_weight att (firstn i (sequence_of j cs)).
Proof.
  unfold fails. rewrite <- not_true_iff_false, existsb_exists. split.
  - intros H i Hi. apply Rnot_lt_le. intros Hb. apply H. exists i. split; [apply in_seq; lia|].
    destruct Rlt_dec; [reflexivity|contradiction].
  - intros H (i & Hi & F). apply in_seq in Hi. specialize (H i ltac:(lia)). destruct Rlt_dec; [lra|discriminate].
Qed.

Lemma chance_not mu L event : is_law mu -> (4 <= L)%nat ->
  chance mu L (fun j cs => negb (event j cs)) = 1 - chance mu L event.
Proof.
  intros Hmu HL. unfold chance. transitivity (average mu L (fun j cs => 1 * 1 + -1 * (if event j cs then 1 else 0))).
  - unfold average. f_equal. f_equal. apply map_ext. intros j. apply Rle_antisym; apply expect_le; try exact Hmu;
      intros cs _ _; destruct (event j cs); simpl; lra.
  - rewrite average_linear, average_const by assumption. ring.
Qed.

Lemma chance_le mu L e f : is_law mu -> (4 <= L)%nat ->
  (forall j cs, draw mu L j cs -> e j cs = true -> f j cs = true) -> chance mu L e <= chance mu L f.
Proof.
  intros Hmu HL H. apply average_le; [exact Hmu|exact HL|]. intros j cs Hd.
  destruct (e j cs) eqn:E; [rewrite (H j cs Hd E); lra|]. destruct (f j cs); lra.
Qed.

Lemma literal_form mu L att s eta C : is_law mu -> (4 <= L)%nat -> 0 < s ->
  (exists good : nat -> list content -> bool, 1 - C * eta / s <= chance mu L good /\
     forall j cs, draw mu L j cs -> good j cs = true -> forall i, (2 <= i < j)%nat ->
     1 - 3 * s <= bos_weight att (firstn i (sequence_of j cs)))
  <-> chance mu L (fails att s) * s <= C * eta.
Proof.
  intros Hmu HL Hs. assert (E : C * eta = C * eta / s * s) by (field; lra). split.
  - intros (good & Hp & Hg). rewrite E. apply Rmult_le_compat_r; [lra|].
    assert (H : chance mu L good <= chance mu L (fun j cs => negb (fails att s j cs))).
    { apply chance_le; try assumption. intros j cs Hd G. apply negb_true_iff, fails_not. apply Hg; assumption. }
    rewrite chance_not in H by assumption. lra.
  - intros H. exists (fun j cs => negb (fails att s j cs)). split.
    + rewrite chance_not by assumption. assert (chance mu L (fails att s) <= C * eta / s); [|lra].
      apply Rmult_le_reg_r with s; [exact Hs|]. lra.
    + intros j cs _ G. apply negb_true_iff in G. apply fails_not. exact G.
Qed.

(* ------------------------------------------------- low contents ----------- *)

Lemma low_rarer n L mu V att score s err : (4 <= L)%nat -> is_law mu -> trigger_rows_softmax (support mu) L score att ->
  (forall j cs, draw mu L j cs -> forall i k, (1 <= i <= L)%nat -> (k < n + 3)%nat ->
     let p := firstn i (sequence_of j cs) in Rabs (attention_output n V att p k - target n p k) <= err j cs) ->
  0 < s <= 1/12 ->
  s * mean mu (low_content n V s) <= expect mu (L - 1) (err 3%nat) + expect mu (L - 1) (err 4%nat).
Proof.
  intros HL Hmu Hsoft Herr Hs.
  assert (E3 : mean mu (fun y => mean mu (fun b => short_row n V att y b)) <= expect mu (L - 1) (err 3%nat)).
  { replace (L - 1)%nat with (S (S (L - 3))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy.
    rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb. rewrite <- (expect_const mu Hmu (L - 3) (short_row n V att y b)).
    apply expect_le; [exact Hmu|]. intros cs Hl Hc. apply (Herr 3%nat (y :: b :: cs)) with (i := 3%nat); [|lia|unfold ordinary_coord; lia].
    repeat split; try lia; [simpl; lia|repeat constructor; assumption]. }
  assert (E4 : mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row n V att x y b))) <= expect mu (L - 1) (err 4%nat)).
  { replace (L - 1)%nat with (S (S (S (L - 4)))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros x Hx.
    rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy. rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb.
    rewrite <- (expect_const mu Hmu (L - 4) (long_row n V att x y b)). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
    apply (Herr 4%nat (x :: y :: b :: cs)) with (i := 4%nat); [|lia|unfold ordinary_coord; lia].
    repeat split; try lia; [simpl; lia|repeat constructor; assumption]. }
  set (M3 := mean mu (fun y => mean mu (fun b => short_row n V att y b))) in *.
  apply Rle_trans with (mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row n V att x y b)) + M3)).
  - rewrite <- mean_scal. apply mean_le; [exact Hmu|]. intros x Hx. unfold M3.
    rewrite <- mean_plus, <- (mean_const mu Hmu (s * _)). apply mean_le; [exact Hmu|]. intros y Hy.
    rewrite <- mean_plus, <- (mean_const mu Hmu (s * _)). apply mean_le; [exact Hmu|]. intros b Hb.
    pose proof (row_error_nonneg n V att [Bos; Ordinary x; Ordinary y; Trigger b]).
    pose proof (row_error_nonneg n V att [Bos; Ordinary y; Trigger b]).
    unfold low_content. destruct (low n V s x) eqn:E; [|unfold long_row, short_row; lra].
    rewrite Rmult_1_r. eapply low_spoils; eassumption.
  - rewrite mean_plus, mean_const by exact Hmu. lra.
Qed.

(* ------------------------------------------------- positions -------------- *)

Lemma expect_count_exact mu f k m : is_law mu -> (k <= m)%nat ->
  expect mu m (fun cs => sum (map f (firstn k cs))) = INR k * mean mu f.
Proof.
  intros Hmu. revert m; induction k as [|k IH]; intros m Hk.
  - rewrite Rmult_0_l. apply (expect_const mu Hmu m 0).
  - destruct m as [|m]; [lia|]. rewrite expect_S, S_INR.
    rewrite (mean_ext mu _ (fun c => f c + INR k * mean mu f)).
    + rewrite mean_plus, mean_const by exact Hmu. ring.
    + intros c. transitivity (expect mu m (fun cs => f c + sum (map f (firstn k cs)))); [reflexivity|].
      rewrite expect_plus, expect_const, IH by (exact Hmu || lia). reflexivity.
Qed.

(* 1 + 2 + ... + m *)
Lemma sum_positions m : sum (map (fun j => INR (j - 2)) (seq 3 m)) = INR m * (INR m + 1) / 2.
Proof.
  induction m as [|m IH]; [cbn [seq map]; rewrite sum_nil; simpl; lra|].
  rewrite seq_S, map_app, sum_app, IH. cbn [map]. rewrite sum_cons, sum_nil.
  replace (3 + m - 2)%nat with (S m) by lia. rewrite S_INR. field.
Qed.

Lemma average_count mu L f : is_law mu -> (4 <= L)%nat ->
  average mu L (fun j cs => sum (map f (firstn (j - 2) cs))) = (INR L - 1) / 2 * mean mu f.
Proof.
  intros Hmu HL. unfold average.
  rewrite (map_ext_in _ (fun j => mean mu f * INR (j - 2))).
  - rewrite sum_map_scal, sum_positions. pose proof (INR_4 L HL). rewrite minus_INR by lia. simpl (INR 2). field. lra.
  - intros j Hj. apply in_seq in Hj. rewrite expect_count_exact by (exact Hmu || lia). ring.
Qed.

(* positions 3 and 4 are two of the L - 2 *)
Lemma average_first_two mu L F : is_law mu -> (4 <= L)%nat -> (forall j cs, draw mu L j cs -> 0 <= F j cs) ->
  expect mu (L - 1) (F 3%nat) + expect mu (L - 1) (F 4%nat) <= (INR L - 2) * average mu L F.
Proof.
  intros Hmu HL HF. pose proof (INR_4 L HL). unfold average. set (E := fun j => expect mu (L - 1) (F j)).
  replace (INR (L - 2)) with (INR L - 2) by (rewrite minus_INR by lia; reflexivity).
  change (E 3%nat + E 4%nat <= (INR L - 2) * (sum (map E (seq 3 (L - 2))) / (INR L - 2))).
  replace ((INR L - 2) * (sum (map E (seq 3 (L - 2))) / (INR L - 2))) with (sum (map E (seq 3 (L - 2)))) by (field; lra).
  replace (L - 2)%nat with (S (S (L - 4))) by lia. cbn [seq map]. rewrite !sum_cons.
  assert (0 <= sum (map E (seq 5 (L - 4)))); [|lra].
  apply sum_nonneg, Forall_map, Forall_forall. intros j Hj. apply in_seq in Hj. unfold E.
  rewrite <- (expect_const mu Hmu (L - 1) 0). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
  apply HF. repeat split; auto; lia.
Qed.

Lemma average_sharper n L mu V att score eta s : (4 <= L)%nat -> is_law mu ->
  simplex_attention (support mu) L att -> trigger_rows_softmax (support mu) L score att ->
  mean_error_le n L mu (attention_output n V att) eta -> 0 < s <= 1/12 ->
  chance mu L (fails att s) * s <= ((INR L - 2) * (INR L - 1) / 2 + 1) * eta.
Proof.
  intros HL Hmu Hatt Hsoft (err & Herr & Hmean) Hs. pose proof (INR_4 L HL) as HL4.
  assert (H0 : forall j cs, draw mu L j cs -> 0 <= err j cs) by (intros; eapply err_nonneg; eassumption).
  set (rare := s * mean mu (low_content n V s)).
  assert (Hr : rare <= (INR L - 2) * eta).
  { eapply Rle_trans; [eapply low_rarer; eassumption|]. eapply Rle_trans; [apply average_first_two; eassumption|].
    apply mul_le_l; lra. }
  assert (Hf : average mu L (fun j cs => s * (if fails att s j cs then 1 else 0) + 0 * 0) <=
               average mu L (fun j cs => 1 * err j cs + s * sum (map (low_content n V s) (firstn (j - 2) cs)))).
  { apply average_le; [exact Hmu|exact HL|]. intros j cs Hd.
    assert (B : 1 - (if good n V s err j cs then 1 else 0) <= / s * err j cs + 1 * sum (map (low_content n V s) (firstn (j - 2) cs)))
      by (eapply bad_le; eassumption).
    apply (Rmult_le_compat_l s) in B; [|lra].
    replace (s * (/ s * err j cs + 1 * sum (map (low_content n V s) (firstn (j - 2) cs))))
      with (1 * err j cs + s * sum (map (low_content n V s) (firstn (j - 2) cs))) in B by (field; lra).
    destruct (fails att s j cs) eqn:F; destruct (good n V s err j cs) eqn:G; try lra.
    exfalso. assert (fails att s j cs = false); [|congruence]. apply fails_not. intros i Hi. eapply sink_where_good; eassumption. }
  rewrite !average_linear, average_const, average_count in Hf by assumption.
  replace (s * ((INR L - 1) / 2 * mean mu (low_content n V s))) with (rare * ((INR L - 1) / 2)) in Hf by (unfold rare; field).
  assert (rare * ((INR L - 1) / 2) <= (INR L - 2) * eta * ((INR L - 1) / 2)) by (apply Rmult_le_compat_r; lra).
  unfold chance. lra.
Qed.
