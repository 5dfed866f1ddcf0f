(******************************************************************************)
(*                            NORM SPARSIFIES                                 *)
(* RMSNorm of h = a u + r against the fixed vector sqrt d u.                  *)
(*        size d eps h == sqrt (|h|^2 + d eps), by which RMSNorm divides      *)
(*     spike_square, spike_inner == |h|^2 = a^2 + |r|^2, <h, u> = a           *)
(*     off_direction_sq == the squared distance to sqrt d u                  *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Open Scope R_scope.

Definition size (d : nat) (eps : R) (h : vec) : R := sqrt (inner d h h + INR d * eps).

Lemma size_sq d eps h : 0 <= eps -> size d eps h * size d eps h = inner d h h + INR d * eps.
Proof.
  intros P. apply sqrt_sqrt. pose proof (inner_nonneg d h). assert (0 <= INR d * eps) by (apply Rmult_le_pos; [apply pos_INR|exact P]). lra.
Qed.

Lemma size_nonneg d eps h : 0 <= size d eps h.
Proof. apply sqrt_pos. Qed.

Lemma rms_norm_is d eps h k : rms_norm d eps h k = scale (sqrt (INR d) / size d eps h) h k.
Proof. unfold rms_norm, scale, size, Rdiv. ring. Qed.

Lemma sqrt_d_sq d : sqrt (INR d) * sqrt (INR d) = INR d.
Proof. apply sqrt_sqrt, pos_INR. Qed.

Lemma spike_square d a u r : spike_state d a u r -> inner d (spike a u r) (spike a u r) = a * a + inner d r r.
Proof.
  intros (U & O & _). unfold spike, unit_vector, orthogonal in *. rewrite inner_add_square, !inner_scale_l, inner_scale_r, U, O. ring.
Qed.

Lemma spike_inner d a u r : spike_state d a u r -> inner d (spike a u r) u = a.
Proof.
  intros (U & O & _). unfold spike, unit_vector, orthogonal in *. rewrite inner_add_l, inner_scale_l, U, (inner_sym d r), O. ring.
Qed.

Lemma spike_size d a eps u r : spike_state d a u r -> 0 <= eps -> let N := size d eps (spike a u r) in
  N * N = a * a + (inner d r r + INR d * eps) /\ a <= N /\ 0 < N /\ 0 <= inner d r r + INR d * eps.
Proof.
  intros H P N. pose proof (size_sq d eps (spike a u r) P) as Q. fold N in Q. rewrite spike_square in Q by exact H.
  destruct H as (_ & _ & A). pose proof (inner_nonneg d r). pose proof (size_nonneg d eps (spike a u r)). fold N in H0.
  assert (0 <= INR d * eps) by (apply Rmult_le_pos; [apply pos_INR|exact P]).
  assert (a <= N) by (apply square_le; lra). repeat split; lra.
Qed.

Lemma off_direction_sq d a eps u r : spike_state d a u r -> 0 <= eps -> let N := size d eps (spike a u r) in
  let v := off_direction d eps (spike a u r) u in
  inner d v v = INR d * ((1 - a / N) * (1 - a / N) + inner d r r / (N * N)).
Proof.
  intros H P N v. destruct (spike_size d a eps u r H P) as (Q & _ & N0 & _). fold N in Q, N0. unfold v.
  rewrite (inner_ext d _ (sub (scale (sqrt (INR d) / N) (spike a u r)) (scale (sqrt (INR d)) u)) _ (sub (scale (sqrt (INR d) / N) (spike a u r)) (scale (sqrt (INR d)) u)))
    by (intros; unfold off_direction, sub; rewrite rms_norm_is; reflexivity).
  rewrite inner_sub_square, !inner_scale_l, !inner_scale_r, spike_square, spike_inner, (proj1 H) by exact H.
  pose proof (sqrt_d_sq d) as D. set (w := sqrt (INR d)) in *. rewrite <- D. field. lra.
Qed.

Theorem norm_sparsifies_converse_proof : norm_sparsifies_converse.
Proof.
  intros d a eps u r H P v. pose proof (off_direction_sq d a eps u r H P) as T. cbv zeta in T. unfold v. rewrite T.
  destruct (spike_size d a eps u r H P) as (Q & _ & N0 & _). cbv zeta in Q, N0. set (N := size d eps (spike a u r)) in *.
  replace (a ^ 2 + inner d r r + INR d * eps) with (N * N) by (rewrite Q; ring).
  replace (INR d * inner d r r / (N * N)) with (INR d * (inner d r r / (N * N))) by (unfold Rdiv; ring).
  apply Rmult_le_compat_l; [apply pos_INR|].
  pose proof (Rle_0_sqr (1 - a / N)). unfold Rsqr, Rdiv in *. lra.
Qed.

Theorem norm_sparsifies_proof : norm_sparsifies.
Proof.
  intros d a eps u r H P v. pose proof (off_direction_sq d a eps u r H P) as T. cbv zeta in T. unfold v. rewrite T.
  destruct (spike_size d a eps u r H P) as (Q & AN & N0 & R0). cbv zeta in Q, AN, N0. set (N := size d eps (spike a u r)) in *.
  destruct H as (_ & _ & A0).
  replace (INR d * (inner d r r + INR d * eps) / a ^ 2) with (INR d * ((inner d r r + INR d * eps) * / a ^ 2)) by (unfold Rdiv; ring).
  apply Rmult_le_compat_l; [apply pos_INR|].
  assert (D1 : 0 <= INR d * eps) by (apply Rmult_le_pos; [apply pos_INR|exact P]).
  apply Rle_trans with (2 * (N - a) / N).
  - replace (2 * (N - a) / N) with ((1 - a / N) * (1 - a / N) + (N * N - a * a) / (N * N)) by (field; lra).
    apply Rplus_le_compat_l. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|lra].
  - replace (inner d r r + INR d * eps) with ((N - a) * (N + a)) by lra.
    apply Rmult_le_reg_r with (N * (a * a)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (2 * (N - a) / N * (N * (a * a))) with ((N - a) * (2 * (a * a))) by (field; lra).
    replace ((N - a) * (N + a) * / a ^ 2 * (N * (a * a))) with ((N - a) * (N * (N + a))) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. assert (a * a <= N * N) by (apply Rmult_le_compat; lra). assert (a * a <= N * a) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem norm_sparsifies_sparse_proof : norm_sparsifies_sparse.
Proof.
  intros d a eps u r i H P Hi U. destruct (spike_size d a eps u r H P) as (_ & AN & N0 & _). cbv zeta in AN, N0.
  rewrite rms_norm_is. set (N := size d eps (spike a u r)) in *. unfold spike, scale, add. rewrite U, Rmult_0_r, Rplus_0_l.
  destruct H as (_ & _ & A0). replace ((sqrt (INR d) / N * r i) ^ 2) with (sqrt (INR d) * sqrt (INR d) * (r i ^ 2) * / (N * N)) by (field; lra).
  rewrite sqrt_d_sq. unfold Rdiv. apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR|apply pow2_ge_0]|].
  apply Rinv_le_contravar; [apply pow_lt; exact A0|]. simpl pow. rewrite Rmult_1_r. apply Rmult_le_compat; lra.
Qed.

(* also where RMSNorm divides by zero: every state there is zero *)
Lemma rms_norm_inner d eps h : 0 <= eps -> inner d (rms_norm d eps h) (rms_norm d eps h) <= INR d.
Proof.
  intros P. rewrite (inner_ext d _ _ _ _ (fun k _ => rms_norm_is d eps h k) (fun k _ => rms_norm_is d eps h k)).
  rewrite inner_scale_l, inner_scale_r. pose proof (size_sq d eps h P) as Q. pose proof (inner_nonneg d h) as I. pose proof (pos_INR d) as D0.
  assert (0 <= INR d * eps) by (apply Rmult_le_pos; lra).
  destruct (Req_dec (size d eps h) 0) as [Z|Z].
  - rewrite Z in *. replace (inner d h h) with 0 by lra. lra.
  - set (N := size d eps h) in *. assert (N0 : 0 < N * N) by (pose proof (Rsqr_pos_lt N Z); unfold Rsqr in *; lra).
    replace (sqrt (INR d) / N * (sqrt (INR d) / N * inner d h h)) with (sqrt (INR d) * sqrt (INR d) * (inner d h h / (N * N))) by (field; exact Z).
    rewrite sqrt_d_sq. rewrite <- (Rmult_1_r (INR d)) at 2. apply Rmult_le_compat_l; [exact D0|].
    apply Rmult_le_reg_r with (N * N); [exact N0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma rms_norm_norm d eps h : 0 <= eps -> norm d (rms_norm d eps h) <= sqrt (INR d).
Proof. intros P. apply norm_le; [apply sqrt_pos|]. rewrite sqrt_d_sq. apply rms_norm_inner, P. Qed.

Lemma coordinate_le d x k : (k < d)%nat -> Rabs (x k) <= norm d x.
Proof.
  intros Hk. apply square_le; [apply norm_nonneg|]. rewrite norm_sq, <- Rabs_mult, Rabs_pos_eq by apply Rle_0_sqr.
  apply (sum_below_term d (fun k => x k * x k) k Hk). intros; apply Rle_0_sqr.
Qed.

Theorem norm_bounds_proof : norm_bounds.
Proof.
  intros d eps h i P Hi. eapply Rle_trans; [|apply (rms_norm_inner d eps h P)].
  simpl pow. rewrite Rmult_1_r. apply (sum_below_term d (fun k => rms_norm d eps h k * rms_norm d eps h k) i Hi). intros; apply Rle_0_sqr.
Qed.

Theorem norm_sparsifies_keys_proof : norm_sparsifies_keys.
Proof.
  intros d e a eps w u r M H P W L k. specialize (L (off_direction d eps (spike a u r) u)). fold k in L.
  pose proof (norm_sparsifies_proof d a eps u r H P) as B. cbv zeta in B. set (v := off_direction d eps (spike a u r) u) in *.
  rewrite <- norm_sq in B |- *. pose proof (norm_nonneg e k). pose proof (norm_nonneg d v).
  apply Rle_trans with (w * norm d v * (w * norm d v)); [apply Rmult_le_compat; assumption|].
  replace (w * norm d v * (w * norm d v)) with (w ^ 2 * (norm d v * norm d v)) by ring.
  apply Rmult_le_compat_l; [apply pow2_ge_0|exact B].
Qed.
