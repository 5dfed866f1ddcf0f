(******************************************************************************)
(*                                SILENCE                                     *)
(* The mean square of a weighted sum of independent centred values is         *)
(* sigma^2 times the sum of the squared weights; the least such sum.          *)
(*     expect_square == with a fixed vector c added                           *)
(*   squares w == the sum of the squared weights                              *)
(*   squares_least, squares_uneven, squares_uniform == Cauchy-Schwarz, with   *)
(*                   one weight apart, and for equal weights                  *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Import ListNotations.
Open Scope R_scope.

Lemma expect_all_ext mus F G : (forall vs, F vs = G vs) -> expect_all mus F = expect_all mus G.
Proof.
  revert F G. induction mus as [|mu mus IH]; intros F G H; simpl; [apply H|]. f_equal. apply map_ext. intros cw. f_equal.
  apply IH. intros vs. apply H.
Qed.

Definition squares (w : list R) : R := sum (map (fun a => a * a) w).

Lemma squares_cons a w : squares (a :: w) = a * a + squares w.
Proof. apply sum_cons. Qed.

Lemma mean_inner d c (mu : law) : sum (map (fun cw => snd cw * inner d c (fst cw)) mu) =
  sum_below d (fun k => c k * sum (map (fun cw => snd cw * fst cw k) mu)).
Proof.
  induction mu as [|(v, p) mu IH].
  - symmetry. apply sum_below_zero. intros; simpl; rewrite ?sum_nil; ring.
  - cbn [map]. rewrite sum_cons, IH. cbn [fst snd]. unfold inner. rewrite <- sum_below_scal, <- sum_below_plus.
    apply sum_below_ext. intros k _. cbn [map]. rewrite sum_cons. cbn [fst snd]. ring.
Qed.

Lemma expect_square d sigma mus w c : Forall (centred_law d sigma) mus -> length w = length mus ->
  expect_all mus (fun vs => inner d (add c (mix w vs)) (add c (mix w vs))) = inner d c c + sigma ^ 2 * squares w.
Proof.
  intros H. revert w c. induction H as [|mu mus (L & M & V) H IH]; intros w c E.
  - destruct w; [|discriminate]. simpl. unfold squares. simpl map. rewrite sum_nil.
    rewrite (inner_ext d _ c _ c) by (intros; unfold add, mix; simpl; ring). ring.
  - destruct w as [|a w]; [discriminate|]. cbn [expect_all]. injection E as E. unfold law, content, vec in *.
    assert (One : forall cw : content * R, expect_all mus (fun vs => inner d (add c (mix (a :: w) (fst cw :: vs))) (add c (mix (a :: w) (fst cw :: vs))))
      = inner d c c + 2 * a * inner d c (fst cw) + a * a * inner d (fst cw) (fst cw) + sigma ^ 2 * squares w).
    { intros cw. rewrite (expect_all_ext mus _ (fun vs => inner d (add (add c (scale a (fst cw))) (mix w vs)) (add (add c (scale a (fst cw))) (mix w vs)))).
      - rewrite IH by exact E. rewrite inner_add_square, inner_scale_l, !inner_scale_r. ring.
      - intros vs. apply inner_ext; intros; unfold add, scale; rewrite mix_cons; ring. }
    rewrite (map_ext _ (fun cw => (inner d c c + sigma ^ 2 * squares w) * snd cw + (2 * a * (snd cw * inner d c (fst cw)) + a * a * (snd cw * inner d (fst cw) (fst cw)))))
      by (intros (v, p); rewrite One; cbn [fst snd]; ring).
    rewrite !sum_map_plus, !sum_map_scal. pose proof (mean_inner d c mu) as I.
    destruct L as (_ & T). unfold law, content, vec in *. rewrite V, I, T, squares_cons.
    rewrite sum_below_zero by (intros k Hk; rewrite M by exact Hk; ring). ring.
Qed.

Lemma power_is d sigma mus w : averaging_head d sigma mus w -> output_power d mus w = sigma ^ 2 * squares (tl w).
Proof.
  intros (F & One & (L & _ & _)). destruct w as [|a w]; [discriminate|]. injection L as L. simpl tl. unfold output_power.
  rewrite (expect_all_ext mus _ (fun vs => inner d (add (fun _ => 0) (mix w vs)) (add (fun _ => 0) (mix w vs)))).
  - rewrite (expect_square d sigma) by assumption. rewrite (inner_zero_l d (fun _ => 0)) by reflexivity. ring.
  - intros vs. cbv zeta. apply inner_ext; intros; unfold add; rewrite mix_cons; ring.
Qed.

Lemma squares_around w t : squares w = sum (map (fun a => (a - t) ^ 2) w) + 2 * t * sum w - INR (length w) * t ^ 2.
Proof.
  induction w as [|a w IH]; [unfold squares; simpl; rewrite ?sum_nil; ring|].
  cbn [map length]. rewrite squares_cons, !sum_cons, S_INR, IH. ring.
Qed.

Lemma squares_dev w : (1 <= length w)%nat -> let m := INR (length w) in
  squares w = sum w ^ 2 / m + sum (map (fun a => (a - sum w / m) ^ 2) w).
Proof.
  intros H m. assert (0 < m) by (apply lt_0_INR; lia). rewrite (squares_around w (sum w / m)). fold m. field. lra.
Qed.

Lemma dev_nonneg t w : 0 <= sum (map (fun a => (a - t) ^ 2) w).
Proof. apply sum_nonneg, Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (a & <- & _). apply pow2_ge_0. Qed.

Lemma squares_least w : (1 <= length w)%nat -> sum w ^ 2 / INR (length w) <= squares w.
Proof. intros H. rewrite (squares_dev w H). pose proof (dev_nonneg (sum w / INR (length w)) w). lra. Qed.

(* x stands first after the others are moved aside *)
Lemma squares_uneven w x : (2 <= length w)%nat -> In x w -> let m := INR (length w) in
  sum w ^ 2 / m + m / (m - 1) * (x - sum w / m) ^ 2 <= squares w.
Proof.
  intros H I m. apply in_split in I. destruct I as (w1 & w2 & ->).
  assert (L : length (w1 ++ w2) = (length (w1 ++ x :: w2) - 1)%nat) by (rewrite !app_length; simpl; lia).
  assert (Q : squares (w1 ++ x :: w2) = x * x + squares (w1 ++ w2)) by (unfold squares; rewrite !map_app, !sum_app; cbn [map]; rewrite sum_cons; ring).
  assert (T : sum (w1 ++ x :: w2) = x + sum (w1 ++ w2)) by (rewrite !sum_app, sum_cons; ring).
  pose proof (squares_least (w1 ++ w2) ltac:(lia)) as B. rewrite L, minus_INR in B by lia. simpl (INR 1) in B. fold m in B.
  rewrite Q, T. assert (2 <= m) by (unfold m; replace 2 with (INR 2) by (simpl; lra); apply le_INR; lia).
  set (y := sum (w1 ++ w2)) in *.
  replace ((x + y) ^ 2 / m + m / (m - 1) * (x - (x + y) / m) ^ 2) with (x * x + y ^ 2 / (m - 1)) by (field; lra). lra.
Qed.

Lemma simplex_tail m w : simplex_row (S m) w -> length (tl w) = m /\ sum (tl w) = 1 - hd 0 w /\ 0 <= hd 0 w <= 1.
Proof.
  intros (L & P & One). destruct w as [|a w]; [discriminate|]. simpl. rewrite sum_cons in One. inversion P as [|? ? A P']; subst.
  pose proof (sum_nonneg w P'). split; [injection L as L; exact L|]. lra.
Qed.

Theorem silence_by_averaging_proof : silence_by_averaging.
Proof.
  intros d sigma mus w H. rewrite (power_is d sigma mus w H). destruct H as (_ & One & Row). apply simplex_tail in Row. destruct Row as (L & T & _).
  pose proof (squares_least (tl w) ltac:(lia)) as B. rewrite L, T in B. unfold Rdiv in *. rewrite Rmult_assoc.
  apply Rmult_le_compat_l; [apply pow2_ge_0|exact B].
Qed.

Theorem silence_uneven_proof : silence_uneven.
Proof.
  intros d sigma mus w x H m two I. rewrite (power_is d sigma mus w H). destruct H as (_ & _ & Row). apply simplex_tail in Row. destruct Row as (L & T & _).
  pose proof (squares_uneven (tl w) x ltac:(lia) I) as B. rewrite L, T in B. apply Rmult_le_compat_l; [apply pow2_ge_0|exact B].
Qed.

Lemma squares_equal w t : Forall (fun a => a = t) w -> squares w = INR (length w) * t ^ 2.
Proof.
  induction 1 as [|a w -> _ IH]; [unfold squares; simpl; rewrite ?sum_nil; ring|]. cbn [length]. rewrite squares_cons, S_INR, IH. ring.
Qed.

Theorem silence_equality_proof : silence_equality.
Proof.
  intros d sigma mus w H S0. rewrite (power_is d sigma mus w H). destruct H as (_ & One & Row). apply simplex_tail in Row. destruct Row as (L & T & _).
  assert (M : 0 < INR (length mus)) by (apply lt_0_INR; lia). assert (S2 : 0 < sigma ^ 2) by (simpl; rewrite Rmult_1_r; apply Rsqr_pos_lt in S0; exact S0). split.
  - intros E. unfold Rdiv in E. rewrite Rmult_assoc in E. apply Rmult_eq_reg_l in E; [|lra].
    pose proof (squares_dev (tl w) ltac:(lia)) as D. cbv zeta in D. rewrite L, T in D. unfold Rdiv at 1 in D. rewrite E in D.
    apply Forall_forall. intros a Ha. apply in_split in Ha. destruct Ha as (w1 & w2 & Ew). rewrite Ew, map_app, sum_app in D. cbn [map] in D. rewrite sum_cons in D.
    set (t := (1 - hd 0 w) / INR (length mus)) in *.
    pose proof (dev_nonneg t w1). pose proof (dev_nonneg t w2). pose proof (pow2_ge_0 (a - t)).
    assert (Z : (a - t) ^ 2 = 0) by lra. simpl in Z. rewrite Rmult_1_r in Z. apply Rmult_integral in Z. lra.
  - intros F. rewrite (squares_equal _ _ F), L. field. lra.
Qed.

Theorem silence_needed_proof : silence_needed.
Proof.
  intros d sigma eta mus w H _ V. pose proof (silence_by_averaging_proof d sigma mus w H) as B. destruct H as (_ & One & _).
  assert (M : 0 < INR (length mus)) by (apply lt_0_INR; lia). apply Rmult_le_reg_r with (/ INR (length mus)); [apply Rinv_0_lt_compat, M|].
  replace (INR (length mus) * eta ^ 2 * / INR (length mus)) with (eta ^ 2) by (field; lra). unfold Rdiv in B. lra.
Qed.

Lemma uniform_row m : (1 <= m)%nat -> simplex_row (S m) (0 :: repeat (/ INR m) m).
Proof.
  intros H. assert (M : 0 < INR m) by (apply lt_0_INR; lia). split; [simpl; rewrite repeat_length; reflexivity|]. split.
  - constructor; [lra|]. apply Forall_forall. intros a Ha. apply repeat_spec in Ha. subst. left. apply Rinv_0_lt_compat, M.
  - rewrite sum_cons, sum_repeat, Rinv_r by lra. ring.
Qed.

Theorem silence_no_sink_proof : silence_no_sink.
Proof.
  intros d sigma eta mus F One _ E. rewrite (power_is d sigma) by (split; [exact F|split; [exact One|apply uniform_row, One]]). cbn [tl].
  assert (M : 0 < INR (length mus)) by (apply lt_0_INR; lia).
  rewrite (squares_equal _ (/ INR (length mus))), repeat_length by (apply Forall_forall; intros a Ha; apply repeat_spec in Ha; exact Ha).
  apply Rmult_le_reg_r with (INR (length mus)); [exact M|].
  replace (sigma ^ 2 * (INR (length mus) * (/ INR (length mus)) ^ 2) * INR (length mus)) with (sigma ^ 2) by (field; lra). lra.
Qed.
