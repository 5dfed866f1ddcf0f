(******************************************************************************)
(*                              SPIKE CHAIN                                   *)
(* A large state is near its direction after RMSNorm, so its key wins.        *)
(*     large_cosine == <h, u> >= s |h| with s^2 = 1 - B^2 / A^2               *)
(*   score_pulled == q . W x = (W^T q) . x                                    *)
(*   factor_enough == both distances that spike_chain may use                 *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.NormSparsifies Sinkproof.LogitGap Sinkproof.SandwichBound Sinkproof.HeadDimension Sinkproof.RankOne.
Import ListNotations.
Open Scope R_scope.

Lemma large_cosine d A B s u b : large_state d A B u b -> 0 <= s -> s ^ 2 = 1 - B ^ 2 / A ^ 2 ->
  let h := spike A u b in 0 < norm d h /\ s * norm d h <= inner d h u.
Proof.
  intros (U & N & L) S0 S2 h. unfold unit_vector in U. pose proof (norm_nonneg d b) as B0. set (beta := inner d b u).
  assert (NU : norm d u = 1) by (apply norm_is; lra). pose proof (inner_abs d b u) as K. fold beta in K. rewrite NU, Rmult_1_r in K.
  apply Rabs_le_iff in K.
  assert (Hu : inner d h u = A + beta) by (unfold h, spike; rewrite inner_add_l, inner_scale_l, U; unfold beta; ring).
  assert (Hh : inner d h h = A * A + 2 * A * beta + norm d b * norm d b).
  { unfold h, spike. rewrite inner_add_square, !inner_scale_l, inner_scale_r, U, norm_sq, (inner_sym d u b). fold beta. ring. }
  assert (P : 0 < norm d h).
  { pose proof (inner_abs d h u) as Q. rewrite Hu, NU, Rmult_1_r, Rabs_pos_eq in Q by lra. lra. }
  split; [exact P|]. rewrite Hu. apply square_le; [lra|].
  replace (s * norm d h * (s * norm d h)) with (s ^ 2 * (norm d h * norm d h)) by ring. rewrite norm_sq, S2, Hh.
  assert (A2 : 0 < A * A) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_r with (A * A); [exact A2|].
  replace ((1 - B ^ 2 / A ^ 2) * (A * A + 2 * A * beta + norm d b * norm d b) * (A * A))
    with ((A * A - B * B) * (A * A + 2 * A * beta + norm d b * norm d b)) by (field; lra).
  assert (NB : norm d b * norm d b <= B * B) by (apply Rmult_le_compat; lra).
  assert (BB : 0 <= A * A - B * B) by (assert (B * B <= A * A) by (apply Rmult_le_compat; lra); lra).
  apply Rle_trans with ((A * A - B * B) * (A * A + 2 * A * beta + B * B)); [apply Rmult_le_compat_l; lra|].
  pose proof (Rle_0_sqr (A * beta + B * B)) as Z. unfold Rsqr in Z. lra.
Qed.

Lemma size_norm d h : size d 0 h = norm d h.
Proof. unfold size, norm. f_equal. ring. Qed.

Theorem spike_chain_direction_proof : spike_chain_direction.
Proof.
  intros d A B s u b H S0 S2 v. destruct (large_cosine d A B s u b H S0 S2) as (P & C). destruct H as (U & _). unfold unit_vector in U.
  set (h := spike A u b) in *. unfold v, off_direction.
  rewrite (inner_ext d _ (sub (scale (sqrt (INR d) / norm d h) h) (scale (sqrt (INR d)) u)) _ (sub (scale (sqrt (INR d) / norm d h) h) (scale (sqrt (INR d)) u)))
    by (intros; unfold sub; rewrite rms_norm_is, size_norm; reflexivity).
  rewrite inner_sub_square, !inner_scale_l, !inner_scale_r, U. rewrite <- (norm_sq d h).
  apply Rle_trans with (2 * INR d * (1 - inner d h u / norm d h)).
  - right. pose proof (sqrt_d_sq d) as D. set (w := sqrt (INR d)) in *. rewrite <- D. field. lra.
  - apply Rmult_le_compat_l; [pose proof (pos_INR d); lra|]. apply Rplus_le_compat_l, Ropp_le_contravar.
    apply Rmult_le_reg_r with (norm d h); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma score_pulled d e q W x : key_score d e q W x = inner d (pulled_back e q W) x.
Proof.
  unfold key_score, pulled_back, inner, apply.
  rewrite (sum_below_ext e _ (fun i => sum_below d (fun k => q i * (W i k * x k)))) by (intros; rewrite sum_below_scal; reflexivity).
  rewrite sum_below_swap. apply sum_below_ext. intros k _. rewrite Rmult_comm, <- sum_below_scal. apply sum_below_ext. intros; ring.
Qed.

Theorem spike_chain_gap_proof : spike_chain_gap.
Proof.
  intros d e A B s f o u b q W keys k H He S0 S2 F0 F2 Hk Hn O. apply Forall_forall. intros h Hh. rewrite Forall_forall in O.
  specialize (O h Hh). pose proof (spike_chain_direction_proof d A B s u b H S0 S2) as D. cbv zeta in D.
  assert (Hd : (1 <= d)%nat).
  { destruct d; [|lia]. destruct H as (U & _). unfold unit_vector, inner in U. rewrite sum_below_0 in U. lra. }
  assert (WD : 0 < sqrt (INR d)) by (apply sqrt_lt_R0, lt_0_INR; lia). assert (WE : 0 < sqrt (INR e)) by (apply sqrt_lt_R0, lt_0_INR; lia).
  set (p := pulled_back e q W). set (x := rms_norm d 0 (spike A u b)). set (v := off_direction d 0 (spike A u b) u) in *.
  assert (NV : norm d v <= sqrt (INR d) * f).
  { apply norm_le; [apply Rmult_le_pos; lra|]. replace (sqrt (INR d) * f * (sqrt (INR d) * f)) with (sqrt (INR d) * sqrt (INR d) * f ^ 2) by ring.
    rewrite sqrt_d_sq. eapply Rle_trans; [exact D|]. pose proof (pos_INR d). replace (2 * INR d * (1 - s)) with (INR d * (2 - 2 * s)) by ring.
    apply Rmult_le_compat_l; lra. }
  unfold head_logit. rewrite !score_pulled in *. fold p in O |- *. fold x.
  assert (E : inner d p x = sqrt (INR d) * inner d p u + inner d p v) by (unfold v, off_direction; fold x; rewrite inner_sub_r, inner_scale_r; ring).
  pose proof (inner_abs d p v) as CS. apply Rabs_le_iff in CS. pose proof (norm_nonneg d p) as NP.
  assert (PV : norm d p * norm d v <= norm d p * (sqrt (INR d) * f)) by (apply Rmult_le_compat_l; assumption).
  assert (OO : inner d p (rms_norm d 0 h) <= sqrt (INR d) * o).
  { apply Rmult_le_compat_r with (r := sqrt (INR d)) in O; [|lra]. unfold Rdiv in O. rewrite Rmult_assoc, Rinv_l in O by lra. lra. }
  replace (inner d p x / sqrt (INR e) - inner d p (rms_norm d 0 h) / sqrt (INR e)) with ((inner d p x - inner d p (rms_norm d 0 h)) / sqrt (INR e)) by (field; lra).
  unfold Rdiv. rewrite (Rmult_comm (sqrt (INR d))), Rmult_assoc, (Rmult_comm (_ - _) (/ _)).
  apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, WE|]. rewrite E. lra.
Qed.

(* s = sqrt (1 - t) is at least 1 - t, t = B^2 / A^2 *)
Lemma factor_enough A B f : 0 <= B -> B < A -> f = sqrt 2 * B / A \/ f = sqrt (2 - 2 * sqrt (1 - B ^ 2 / A ^ 2)) ->
  let s := sqrt (1 - B ^ 2 / A ^ 2) in 0 <= s /\ s ^ 2 = 1 - B ^ 2 / A ^ 2 /\ 0 <= f /\ 2 - 2 * s <= f ^ 2.
Proof.
  intros B0 L F s. set (t := B ^ 2 / A ^ 2) in *.
  assert (T : 0 <= t <= 1).
  { assert (B * B <= A * A) by (apply Rmult_le_compat; lra). assert (0 < A * A) by (apply Rmult_lt_0_compat; lra). unfold t. simpl. rewrite !Rmult_1_r. split.
    - apply Rle_mult_inv_pos; [apply Rmult_le_pos; lra|lra].
    - apply Rmult_le_reg_r with (A * A); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (S0 : 0 <= s) by apply sqrt_pos. assert (SS : s * s = 1 - t) by (apply sqrt_sqrt; lra).
  assert (S1 : s <= 1) by (apply square_le; lra). assert (ST : 1 - t <= s) by (rewrite <- SS; rewrite <- (Rmult_1_r s) at 3; apply Rmult_le_compat_l; lra).
  split; [exact S0|]. split; [simpl; rewrite Rmult_1_r; exact SS|]. destruct F as [-> | ->].
  - split; [apply Rle_mult_inv_pos; [apply Rmult_le_pos; [apply sqrt_pos|lra]|lra]|].
    replace ((sqrt 2 * B / A) ^ 2) with (sqrt 2 * sqrt 2 * (B ^ 2 / A ^ 2)) by (field; lra). rewrite sqrt_sqrt by lra. fold t. lra.
  - split; [apply sqrt_pos|]. simpl. rewrite Rmult_1_r, sqrt_sqrt; fold s; lra.
Qed.

Theorem spike_chain_proof : spike_chain.
Proof.
  intros d e A B f o u b q W keys k H He F Hk Hn O gap. destruct H as (U & N & L).
  assert (B0 : 0 <= B) by (eapply Rle_trans; [apply norm_nonneg|exact N]).
  destruct (factor_enough A B f B0 L F) as (S0 & S2 & F0 & F2). set (s := sqrt (1 - B ^ 2 / A ^ 2)) in *.
  pose proof (spike_chain_gap_proof d e A B s f o u b q W keys k (conj U (conj N L)) He S0 S2 F0 F2 Hk Hn O) as G. fold gap in G.
  rewrite <- (map_length (head_logit d e q W) keys). apply logit_gap_proof; [rewrite map_length; exact Hk|].
  rewrite (nth_map _ k keys u), Hn, others_map by exact Hk. apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (h & <- & Hh).
  rewrite Forall_forall in G. specialize (G h Hh). lra.
Qed.

(* ------------------------------------------------- what the block writes -- *)

Lemma inner_apply_sym d M x y : (forall i j, M i j = M j i) -> inner d x (apply d M y) = inner d (apply d M x) y.
Proof.
  intros S. unfold inner, apply. rewrite (sum_below_ext d _ (fun i => sum_below d (fun k => x i * M i k * y k)))
    by (intros; rewrite <- sum_below_scal; apply sum_below_ext; intros; ring).
  rewrite sum_below_swap. apply sum_below_ext. intros k _. rewrite Rmult_comm, <- sum_below_scal. apply sum_below_ext. intros i _. rewrite (S k i). ring.
Qed.

(* a form that vanishes along s sees only what is orthogonal to s *)
Lemma form_across d M s y : (forall i j, M i j = M j i) -> (forall j, (j < d)%nat -> apply d M s j = 0) ->
  let z := sub y (scale (inner d s y) s) in bilinear d M y y = bilinear d M z z.
Proof.
  intros S K z. rewrite !bilinear_apply. set (t := inner d s y).
  assert (Az : forall j, (j < d)%nat -> apply d M z j = apply d M y j).
  { intros j Hj. replace (apply d M z j) with (apply d M y j - t * apply d M s j); [rewrite K by exact Hj; ring|].
    unfold z, apply, sub, scale. fold t. rewrite <- sum_below_scal, <- sum_below_minus. apply sum_below_ext. intros; ring. }
  rewrite (inner_ext d z z (apply d M z) (apply d M y)) by (intros; try apply Az; auto).
  unfold z. fold t. rewrite inner_sub_l, inner_scale_l, (inner_apply_sym d M s y S), (inner_zero_l d (apply d M s) y) by exact K. ring.
Qed.

Theorem spike_chain_write_proof : spike_chain_write.
Proof.
  intros d x y s lambda tau err E xi U P X S K T A B. unfold unit_vector in U.
  set (z := sub y (scale (inner d s y) s)). set (e := fun k => bilinear d (E k) y y : R).
  assert (Z : inner d z z = inner d y y - inner d s y ^ 2).
  { unfold z. rewrite inner_sub_square, !inner_scale_r, inner_scale_l, U, (inner_sym d y s). ring. }
  exists (add x (add e err)). split; [|split].
  - assert (Ne : norm d e <= norm d tau * inner d z z).
    { pose proof (inner_nonneg d z) as Z0. apply norm_le; [apply Rmult_le_pos; [apply norm_nonneg|exact Z0]|].
      replace (norm d tau * inner d z z * (norm d tau * inner d z z)) with (inner d z z * inner d z z * (norm d tau * norm d tau)) by ring.
      rewrite norm_sq. unfold inner at 1 4. rewrite <- sum_below_scal. apply sum_below_le. intros k Hk.
      replace (inner d z z * inner d z z * (tau k * tau k)) with (tau k * inner d z z * (tau k * inner d z z)) by ring.
      apply square_abs_le. unfold e. rewrite (form_across d (E k) s y) by auto. apply T, Hk. }
    unfold B. rewrite <- Z. eapply Rle_trans; [apply norm_add_le|]. pose proof (norm_add_le d e err). lra.
  - unfold unit_vector. rewrite inner_scale_l, inner_scale_r, <- norm_sq. field. lra.
  - intros k Hk. unfold spike, add, scale, A, e. field. lra.
Qed.
