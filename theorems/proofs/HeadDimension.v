(******************************************************************************)
(*                            HEAD DIMENSION                                  *)
(* Under QK-norm logits are bounded by the head size, and so is a sink.       *)
(*     products_le == a sum of products bounded by two norms                  *)
(*     turned_le == one pair of coordinates, turned                           *)
(*       logit_le == |q . k| / sqrt d <= g sqrt d                             *)
(*     gap_at_most == the converse of logit_gap: no mass without a gap        *)
(*     exp_1_le, exp_7_25 == numbers for head_dimension_14                    *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.NormSparsifies Sinkproof.Silu Sinkproof.SandwichBound Sinkproof.LogitGap.
Import ListNotations.
Open Scope R_scope.

Lemma products_le h g t (P Q : vec) : 0 <= g -> (forall p, (p < h)%nat -> Rabs (t p) <= g * (P p * Q p)) ->
  Rabs (sum_below h t) <= g * (norm h P * norm h Q).
Proof.
  intros G H. eapply Rle_trans; [apply (sum_below_abs h t (fun p => g * (P p * Q p))), H|].
  rewrite sum_below_scal. apply Rmult_le_compat_l; [exact G|apply inner_le].
Qed.

Lemma abs_le_sqrt t b : t * t <= b * b -> 0 <= b -> Rabs t <= b.
Proof.
  intros H P. apply square_le; [exact P|]. rewrite <- Rabs_mult, Rabs_pos_eq by apply Rle_0_sqr. exact H.
Qed.

(* with q_i = a_i x_i, k_j = b_j y_j and all |a_i b_j| <= g *)
Lemma turned_le g a0 a1 b0 b1 x0 x1 y0 y1 c s : 0 <= g -> c * c + s * s = 1 ->
  Rabs (a0 * b0) <= g -> Rabs (a0 * b1) <= g -> Rabs (a1 * b0) <= g -> Rabs (a1 * b1) <= g ->
  Rabs (a0 * x0 * (c * (b0 * y0) - s * (b1 * y1)) + a1 * x1 * (s * (b0 * y0) + c * (b1 * y1)))
    <= g * (sqrt (x0 * x0 + x1 * x1) * sqrt (y0 * y0 + y1 * y1)).
Proof.
  intros G One H00 H01 H10 H11.
  assert (X : 0 <= x0 * x0 + x1 * x1) by (apply Rplus_le_le_0_compat; apply Rle_0_sqr).
  assert (Y : 0 <= y0 * y0 + y1 * y1) by (apply Rplus_le_le_0_compat; apply Rle_0_sqr).
  apply abs_le_sqrt; [|repeat apply Rmult_le_pos; try apply sqrt_pos; exact G].
  replace (g * (sqrt (x0 * x0 + x1 * x1) * sqrt (y0 * y0 + y1 * y1)) * (g * (sqrt (x0 * x0 + x1 * x1) * sqrt (y0 * y0 + y1 * y1))))
    with (g * g * ((sqrt (x0 * x0 + x1 * x1) * sqrt (x0 * x0 + x1 * x1)) * (sqrt (y0 * y0 + y1 * y1) * sqrt (y0 * y0 + y1 * y1)))) by ring.
  rewrite !sqrt_sqrt by assumption.
  set (A := a0 * x0 * (b0 * y0) + a1 * x1 * (b1 * y1)). set (B := a1 * x1 * (b0 * y0) - a0 * x0 * (b1 * y1)).
  replace (a0 * x0 * (c * (b0 * y0) - s * (b1 * y1)) + a1 * x1 * (s * (b0 * y0) + c * (b1 * y1))) with (c * A + s * B) by (unfold A, B; ring).
  apply Rle_trans with (A * A + B * B).
  - assert (E : A * A + B * B = (c * A + s * B) * (c * A + s * B) + (c * B - s * A) * (c * B - s * A)).
    { rewrite <- (Rmult_1_l (A * A + B * B)), <- One. ring. }
    pose proof (Rle_0_sqr (c * B - s * A)) as Z. unfold Rsqr in Z. lra.
  - replace (A * A + B * B) with (a0 * b0 * (a0 * b0) * (x0 * x0 * (y0 * y0)) + a0 * b1 * (a0 * b1) * (x0 * x0 * (y1 * y1))
      + a1 * b0 * (a1 * b0) * (x1 * x1 * (y0 * y0)) + a1 * b1 * (a1 * b1) * (x1 * x1 * (y1 * y1))) by (unfold A, B; ring).
    replace (g * g * ((x0 * x0 + x1 * x1) * (y0 * y0 + y1 * y1))) with (g * g * (x0 * x0 * (y0 * y0)) + g * g * (x0 * x0 * (y1 * y1))
      + g * g * (x1 * x1 * (y0 * y0)) + g * g * (x1 * x1 * (y1 * y1))) by ring.
    repeat apply Rplus_le_compat; (apply Rmult_le_compat_r; [apply Rmult_le_pos; apply Rle_0_sqr|apply square_abs_le; assumption]).
Qed.

Lemma norm_abs d x : norm d (fun k => Rabs (x k)) = norm d x.
Proof.
  unfold norm. f_equal. apply sum_below_ext. intros k _. rewrite <- Rabs_mult. apply Rabs_pos_eq, Rle_0_sqr.
Qed.

Lemma plain_le d g gq gk x y : 0 <= g -> plain_scales d g gq gk -> Rabs (inner d (times gq x) (times gk y)) <= g * (norm d x * norm d y).
Proof.
  intros G H. rewrite <- (norm_abs d x), <- (norm_abs d y).
  apply products_le; [exact G|]. intros i Hi. unfold times. replace (gq i * x i * (gk i * y i)) with (gq i * gk i * (x i * y i)) by ring.
  rewrite Rabs_mult, (Rabs_mult (x i)). apply Rmult_le_compat_r; [apply Rmult_le_pos; apply Rabs_pos|apply H, Hi].
Qed.

Lemma norm_pairs h x : norm (2 * h) x = norm h (fun p => sqrt (x (2 * p)%nat * x (2 * p)%nat + x (S (2 * p)) * x (S (2 * p)))).
Proof.
  unfold norm, inner. f_equal. rewrite sum_pairs. apply sum_below_ext. intros p _. symmetry. apply sqrt_sqrt.
  apply Rplus_le_le_0_compat; apply Rle_0_sqr.
Qed.

Lemma rope_le d g gq gk turn x y : 0 <= g -> rope_scales d g gq gk ->
  Rabs (inner d (times gq x) (rotate turn (times gk y))) <= g * (norm d x * norm d y).
Proof.
  intros G ((h & ->) & H). rewrite !norm_pairs. unfold inner. rewrite sum_pairs. apply products_le; [exact G|]. intros p Hp.
  assert (E : Nat.even (2 * p) = true) by (apply Nat.even_spec; exists p; reflexivity).
  assert (O : Nat.even (S (2 * p)) = false) by (rewrite Nat.even_succ, <- Nat.negb_even, E; reflexivity).
  unfold rotate, times. rewrite E, O, Nat.div2_double, Nat.div2_succ_double, Nat.pred_succ.
  pose proof (sin2_cos2 (turn p)) as SC. unfold Rsqr in SC.
  assert (D : forall i j, (i = 2 * p \/ i = S (2 * p))%nat -> (j = 2 * p \/ j = S (2 * p))%nat -> Rabs (gq i * gk j) <= g).
  { intros i j [-> | ->] [-> | ->]; apply H; rewrite ?Nat.div2_double, ?Nat.div2_succ_double; lia. }
  apply turned_le; try exact G; try (apply D; auto). lra.
Qed.

Lemma logit_le d g gq gk eq x z : (1 <= d)%nat -> 0 <= g -> qk_logit d g gq gk eq x z -> Rabs z <= g * sqrt (INR d).
Proof.
  intros Hd G (ek & y & turn & E1 & E2 & Hz). cbv zeta in Hz. assert (S0 : 0 < sqrt (INR d)) by (apply sqrt_lt_R0, lt_0_INR; lia).
  pose proof (rms_norm_norm d eq x E1) as X. pose proof (rms_norm_norm d ek y E2) as Y.
  pose proof (norm_nonneg d (rms_norm d eq x)). pose proof (norm_nonneg d (rms_norm d ek y)).
  assert (N : exists t, z = t / sqrt (INR d) /\ Rabs t <= g * (norm d (rms_norm d eq x) * norm d (rms_norm d ek y))).
  { destruct Hz as [(Sc & ->)|(Sc & ->)]; eexists; (split; [reflexivity|]); [apply plain_le|apply rope_le]; assumption. }
  destruct N as (t & -> & B). unfold Rdiv. rewrite Rabs_mult, Rabs_inv, (Rabs_pos_eq (sqrt _)) by lra.
  apply Rmult_le_reg_r with (sqrt (INR d)); [exact S0|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  eapply Rle_trans; [exact B|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact G|]. apply Rmult_le_compat; assumption.
Qed.

Theorem head_dimension_logit_proof : head_dimension_logit.
Proof.
  intros d g gq gk eq x z Hd G H. pose proof (logit_le d g gq gk eq x z Hd G H) as B. apply square_abs_le in B.
  simpl pow. rewrite !Rmult_1_r. eapply Rle_trans; [exact B|]. right.
  replace (g * sqrt (INR d) * (g * sqrt (INR d))) with (sqrt (INR d) * sqrt (INR d) * (g * g)) by ring. rewrite sqrt_d_sq. reflexivity.
Qed.

Lemma sum_ge_const {A} (f : A -> R) B l : Forall (fun a => B <= f a) l -> INR (length l) * B <= sum (map f l).
Proof.
  intros H. rewrite <- sum_map_const. apply sum_map_le. intros a Ha. rewrite Forall_forall in H. apply H, Ha.
Qed.

Lemma gap_at_most z k gap : (k < length z)%nat -> Forall (fun y => nth k z 0 <= y + gap) (others k z) ->
  mass z k <= 1 / (1 + (INR (length z) - 1) * exp (- gap)).
Proof.
  intros H G. rewrite mass_others, (length_INR k) by exact H. apply inverse_le.
  - apply Rmult_le_pos; [apply pos_INR|apply Rlt_le, exp_pos].
  - apply sum_ge_const. revert G. apply Forall_impl. intros y Hy. apply exp_le. lra.
Qed.

Lemma in_others {A} (x : A) k xs : In x (others k xs) -> In x xs.
Proof.
  revert k. induction xs as [|y xs IH]; intros [|k] H; try exact H.
  - right. exact H.
  - destruct H as [H|H]; [left; exact H|right; apply (IH k), H].
Qed.

Lemma exp_twice M m : 1 + (m - 1) * exp (- (2 * M)) = 1 + (m - 1) / exp M ^ 2.
Proof.
  rewrite exp_Ropp. replace (2 * M) with (M + M) by ring. rewrite exp_plus. simpl pow. rewrite Rmult_1_r. reflexivity.
Qed.

Theorem head_dimension_proof : head_dimension.
Proof.
  intros d g gq gk eq x z k Hd G F H. rewrite Forall_forall in F.
  assert (B : forall y, In y z -> - (g * sqrt (INR d)) <= y <= g * sqrt (INR d))
    by (intros y Hy; apply Rabs_le_iff, (logit_le d g gq gk eq x); auto).
  rewrite <- exp_twice. apply gap_at_most; [exact H|]. apply Forall_forall. intros y Hy. apply in_others, B in Hy.
  specialize (B (nth k z 0) (nth_In z 0 H)). lra.
Qed.

Lemma rms_norm_sign d s k : (1 <= d)%nat -> s * s = 1 -> rms_norm d 0 (on_first s) k = on_first (s * sqrt (INR d)) k.
Proof.
  intros H O. unfold rms_norm. rewrite inner_first by exact H. simpl on_first at 2. rewrite Rmult_0_r, Rplus_0_r, O, sqrt_1.
  destruct k; simpl; field.
Qed.

(* the query and the sink's key point one way, the other keys the other way *)
Theorem head_dimension_attained_proof : head_dimension_attained.
Proof.
  intros d m g Hd Hm G. set (M := g * sqrt (INR d)).
  assert (W : 0 < sqrt (INR d)) by (apply sqrt_lt_R0, lt_0_INR; lia).
  assert (V : forall s, s * s = 1 -> qk_logit d g (fun _ => g) (fun _ => 1) 0 (on_first 1) (s * M)).
  { intros s O. exists 0, (on_first s), (fun _ => 0). split; [lra|]. split; [lra|]. left. split; [intros i _; rewrite Rmult_1_r, Rabs_pos_eq; lra|].
    rewrite (inner_ext d _ (on_first (M)) _ (on_first (s * sqrt (INR d)))).
    - rewrite inner_first by exact Hd. simpl. unfold M. field. lra.
    - intros k _. unfold times. rewrite rms_norm_sign by (assumption || ring). destruct k; simpl; unfold M; ring.
    - intros k _. unfold times. rewrite rms_norm_sign by assumption. ring. }
  exists (fun _ => g), (fun _ => 1), 0, (on_first 1), (1 * M :: repeat (-1 * M) (m - 1)). split; [|split; [|split]].
  - constructor; [apply V; ring|]. apply Forall_forall. intros v Hv. apply repeat_spec in Hv. subst. apply V. ring.
  - simpl. rewrite repeat_length. lia.
  - simpl. ring.
  - rewrite (logit_gap_attained_proof _ 0%nat (2 * M)), exp_twice.
    + simpl length. rewrite repeat_length. replace (S (m - 1)) with m by lia. reflexivity.
    + simpl. lia.
    + apply Forall_forall. intros y Hy. change (In y (repeat (-1 * M) (m - 1))) in Hy. apply repeat_spec in Hy. subst. simpl. ring.
Qed.

Lemma mass_needs_gap tau x : 0 < tau < 1 -> 0 <= x -> tau <= 1 / (1 + x) -> x * tau <= 1 - tau.
Proof.
  intros T X H. apply Rmult_le_compat_r with (r := 1 + x) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H by lra. lra.
Qed.

Theorem head_dimension_needed_proof : head_dimension_needed.
Proof.
  intros d g tau T gq gk eq x z k Hd G F H Ht EX T0 Hm. pose proof (head_dimension_proof d g gq gk eq x z k Hd ltac:(lra) F H) as U.
  rewrite <- exp_twice in U. set (m1 := INR (length z) - 1) in *. set (M := g * sqrt (INR d)) in *.
  assert (m1 >= 0). { unfold m1. rewrite (length_INR k) by exact H. apply Rle_ge, pos_INR. }
  assert (L : T <= 2 * M).
  { apply Rnot_lt_le. intros L. apply exp_increasing in L. pose proof (exp_pos (- (2 * M))). pose proof (exp_pos (2 * M)).
    assert (B : m1 * exp (- (2 * M)) * tau <= 1 - tau) by (apply mass_needs_gap; [exact Ht|apply Rmult_le_pos; lra|lra]).
    assert (EX' : m1 * tau = exp T * (1 - tau)) by (rewrite <- EX; field; lra).
    replace (m1 * exp (- (2 * M)) * tau) with (exp (- (2 * M)) * (m1 * tau)) in B by ring. rewrite EX' in B.
    assert (exp (- (2 * M)) * exp (2 * M) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
    assert (exp (- (2 * M)) * exp (2 * M) < exp (- (2 * M)) * exp T) by (apply Rmult_lt_compat_l; assumption).
    assert (1 * (1 - tau) < exp (- (2 * M)) * exp T * (1 - tau)) by (apply Rmult_lt_compat_r; lra). lra. }
  rewrite <- (sqrt_d_sq d). assert (P : 0 < 4 * g ^ 2) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; exact G]).
  apply Rmult_le_reg_r with (4 * g ^ 2); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (sqrt (INR d) * sqrt (INR d) * (4 * g ^ 2)) with (2 * M * (2 * M)) by (unfold M; ring).
  simpl pow. rewrite Rmult_1_r. apply Rmult_le_compat; assumption.
Qed.

Lemma exp_pow x n : exp x ^ n = exp (INR n * x).
Proof.
  induction n; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|]. rewrite S_INR. simpl pow. rewrite IHn, <- exp_plus. f_equal. ring.
Qed.

Lemma exp_1_le : exp 1 <= 274 / 100.
Proof.
  assert (P : 100 / 274 <= exp (-1)).
  { replace (-1) with (INR 64 * (-1/64)) by (simpl INR; lra). rewrite <- exp_pow.
    apply Rle_trans with ((63/64) ^ 64); [simpl; lra|]. apply pow_incr. pose proof (exp_ineq1_le (-1/64)). lra. }
  replace (-1) with (- (1)) in P by ring. rewrite exp_Ropp in P. pose proof (exp_pos 1).
  apply Rinv_le_contravar in P; [|lra]. rewrite Rinv_inv in P. lra.
Qed.

Lemma exp_7_25 : exp (29 / 4) < 1755.
Proof.
  replace (29 / 4) with (1 + 1 + 1 + 1 + 1 + 1 + 1 + 1/4) by lra. rewrite !exp_plus. pose proof exp_1_le as E. pose proof (exp_pos 1).
  assert (Q : exp (1/4) <= 1296 / 1000).
  { assert (P : 1000 / 1296 <= exp (- (1/4))).
    { replace (- (1/4)) with (INR 4 * (-1/16)) by (simpl INR; lra). rewrite <- exp_pow.
      apply Rle_trans with ((15/16) ^ 4); [simpl; lra|]. apply pow_incr. pose proof (exp_ineq1_le (-1/16)). lra. }
    rewrite exp_Ropp in P. pose proof (exp_pos (1/4)). apply Rinv_le_contravar in P; [|lra]. rewrite Rinv_inv in P. lra. }
  assert (exp 1 ^ 7 <= (274/100) ^ 7) by (apply pow_incr; lra). pose proof (exp_pos (1/4)).
  apply Rle_lt_trans with (exp 1 ^ 7 * exp (1/4)); [simpl; lra|].
  apply Rle_lt_trans with ((274/100) ^ 7 * (1296 / 1000)); [|simpl; lra]. apply Rmult_le_compat; try lra. apply pow_le. lra.
Qed.

Theorem head_dimension_14_proof : head_dimension_14.
Proof.
  intros d gq gk eq x z k Hd F L H Hm. destruct (le_lt_dec 14 d) as [G|G]; [exact G|exfalso].
  pose proof (head_dimension_proof d 1 gq gk eq x z k Hd ltac:(lra) F ltac:(lia)) as U. rewrite L, <- exp_twice in U.
  set (s := 2 * (1 * sqrt (INR d))) in *.
  assert (E : exp s <= exp (29/4)).
  { apply exp_le. assert (sqrt (INR d) <= 29/8); [|unfold s; lra]. rewrite <- (sqrt_square (29/8)) by lra.
    apply sqrt_le_1_alt. apply Rle_trans with 13; [|lra]. replace 13 with (INR 13) by (simpl; lra). apply le_INR. lia. }
  pose proof exp_7_25. pose proof (exp_pos s). pose proof (exp_pos (- s)). assert (I : INR 4096 = 4096) by (rewrite INR_IZR_INZ; reflexivity).
  rewrite I in U. assert (X : (4096 - 1) * exp (- s) * (3/10) <= 1 - 3/10) by (apply mass_needs_gap; lra).
  assert (Y : exp (- s) * exp s = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  assert (exp (- s) * exp s <= exp (- s) * exp (29/4)) by (apply Rmult_le_compat_l; lra).
  assert (exp (- s) * exp (29/4) < exp (- s) * 1755) by (apply Rmult_lt_compat_l; lra). lra.
Qed.
