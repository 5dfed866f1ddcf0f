(******************************************************************************)
(*                                RANK ONE                                    *)
(* A symmetric form against its first eigenvalue, in an orthonormal basis of  *)
(* eigenvectors.                                                              *)
(*        parseval == |h|^2 is the sum of the squares of the components       *)
(*     form_spectral == h^T S h is the same sum with the eigenvalues          *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements Sinkproof.Silu.
Open Scope R_scope.

Lemma bilinear_apply d S x y : bilinear d S x y = inner d x (apply d S y).
Proof.
  unfold bilinear, inner, apply. apply sum_below_ext. intros i _. rewrite <- sum_below_scal. apply sum_below_ext. intros; ring.
Qed.

Lemma parseval d s h : orthonormal_basis d s -> inner d h h = sum_below d (fun j => inner d (s j) h ^ 2).
Proof.
  intros (_ & B). unfold inner at 1.
  rewrite (sum_below_ext d _ (fun k => sum_below d (fun j => inner d (s j) h * (s j k * h k)))).
  - rewrite sum_below_swap. apply sum_below_ext. intros j _. rewrite sum_below_scal. unfold inner. ring.
  - intros k Hk. rewrite (B h k Hk) at 1. rewrite Rmult_comm, <- sum_below_scal. apply sum_below_ext. intros; ring.
Qed.

Lemma form_spectral d S s lambda h : orthonormal_basis d s -> eigenvectors d S s lambda ->
  bilinear d S h h = sum_below d (fun j => lambda j * inner d (s j) h ^ 2).
Proof.
  intros B E. rewrite bilinear_apply. unfold inner at 1.
  rewrite (sum_below_ext d _ (fun k => sum_below d (fun j => lambda j * inner d (s j) h * (s j k * h k)))).
  - rewrite sum_below_swap. apply sum_below_ext. intros j _. rewrite sum_below_scal. unfold inner. ring.
  - intros k Hk.
    replace (apply d S h k) with (sum_below d (fun j => lambda j * inner d (s j) h * s j k)).
    + rewrite <- sum_below_scal. apply sum_below_ext. intros; ring.
    + unfold apply. rewrite (sum_below_ext d (fun i => S k i * h i) (fun i => sum_below d (fun j => inner d (s j) h * (S k i * s j i)))).
      * rewrite sum_below_swap. apply sum_below_ext. intros j Hj. rewrite sum_below_scal.
        change (sum_below d (fun i => S k i * s j i)) with (apply d S (s j) k). rewrite E by assumption. ring.
      * intros i Hi. rewrite (proj2 B h i Hi) at 1. rewrite <- sum_below_scal. apply sum_below_ext. intros; ring.
Qed.

Lemma component_le d s h i : orthonormal_basis d s -> (i < d)%nat -> inner d (s i) h ^ 2 <= inner d h h.
Proof.
  intros B Hi. rewrite (parseval d s h B). apply (sum_below_term d (fun j => inner d (s j) h ^ 2) i Hi).
  intros; apply pow2_ge_0.
Qed.

Theorem rank_one_bound_proof : rank_one_bound.
Proof.
  intros d S s lambda h two B E _ M. set (mu := Rabs (lambda 1%nat)) in *. rewrite (form_spectral d S s lambda h B E), (parseval d s h B).
  destruct d as [|d]; [lia|]. rewrite !sum_below_first.
  replace (lambda 0%nat * _ + _ - _) with (sum_below d (fun k => lambda (Datatypes.S k) * inner (Datatypes.S d) (s (Datatypes.S k)) h ^ 2)) by ring.
  match goal with |- _ <= mu * (?p + ?q - ?p) => replace (p + q - p) with q by ring end.
  rewrite <- sum_below_scal. apply sum_below_abs. intros i Hi. rewrite Rabs_mult, (Rabs_pos_eq (_ ^ 2)) by apply pow2_ge_0.
  apply Rmult_le_compat_r; [apply pow2_ge_0|]. destruct i as [|i]; [unfold mu; lra|apply M; lia].
Qed.

Theorem rank_one_attained_proof : rank_one_attained.
Proof.
  intros d S s lambda O E two. rewrite bilinear_apply.
  rewrite (inner_ext d (s 1%nat) (s 1%nat) _ (scale (lambda 1%nat) (s 1%nat))) by (intros; try apply E; try reflexivity; lia).
  rewrite inner_scale_r, !O by lia. simpl. replace (lambda 1%nat * 1 - _) with (lambda 1%nat) by ring. ring.
Qed.
