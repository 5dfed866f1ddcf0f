(******************************************************************************)
(*                              SPIKE GAUGE                                   *)
(* Rescaling all that is written to the stream changes nothing that is read   *)
(* from it through RMSNorm.                                                   *)
(*   rms_norm_rescaled == RMSNorm of c x with c^2 eps is that of x with eps   *)
(*     after_rescaled == one sublayer                                         *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith FunctionalExtensionality.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.NormSparsifies.
Import ListNotations.
Open Scope R_scope.

Lemma rms_norm_rescaled d c eps x : 0 < c -> rms_norm d (c ^ 2 * eps) (scale c x) = rms_norm d eps x.
Proof.
  intros C. apply functional_extensionality. intros k. unfold rms_norm. rewrite inner_scale_l, inner_scale_r.
  replace (c * (c * inner d x x) + INR d * (c ^ 2 * eps)) with (c * c * (inner d x x + INR d * eps)) by ring.
  rewrite sqrt_mult_alt, sqrt_square by (try apply Rlt_le, Rmult_lt_0_compat; lra). unfold scale, Rdiv. rewrite Rinv_mult.
  replace (sqrt (INR d) * (c * x k) * (/ c * / sqrt (inner d x x + INR d * eps))) with (c * / c * (sqrt (INR d) * x k * / sqrt (inner d x x + INR d * eps))) by ring.
  rewrite Rinv_r by lra. ring.
Qed.

Lemma normalised_rescaled d c eps x : 0 < c -> normalised d (c ^ 2 * eps) (fun p => scale c (x p)) = normalised d eps x.
Proof. intros C. apply functional_extensionality. intros p. apply rms_norm_rescaled, C. Qed.

Lemma apply_rescaled d c M x k : apply d (fun i j => c * M i j) x k = c * apply d M x k.
Proof. unfold apply. rewrite <- sum_below_scal. apply sum_below_ext. intros; ring. Qed.

Lemma after_rescaled d c l x : 0 < c -> after d (rescale c l) (fun p => scale c (x p)) = fun p => scale c (after d l x p).
Proof.
  intros C. apply functional_extensionality. intros p. apply functional_extensionality. intros k.
  unfold after, rescale, inside, compute, write, bias, norm_eps. destruct l. rewrite normalised_rescaled, apply_rescaled by exact C. unfold scale. ring.
Qed.

Lemma decoder_rescaled d c ls x : 0 < c -> decoder d (map (rescale c) ls) (fun p => scale c (x p)) = fun p => scale c (decoder d ls x p).
Proof.
  intros C. revert x. unfold decoder. induction ls as [|l ls IH]; intros x; [reflexivity|]. cbn [map fold_left].
  rewrite after_rescaled by exact C. apply IH.
Qed.

Theorem spike_gauge_proof : spike_gauge.
Proof.
  intros d c eps ls x read p k C y y'. unfold y'. rewrite decoder_rescaled by exact C. fold y.
  rewrite (normalised_rescaled d c eps y C). split; reflexivity.
Qed.

Theorem spike_gauge_direction_proof : spike_gauge_direction.
Proof.
  intros d a b u r H B0 v. assert (H' : spike_state d b u r) by (destruct H as (U & O & _); split; [|split]; assumption).
  destruct (spike_size d a 0 u r H (Rle_refl 0)) as (QA & LA & PA & R0). destruct (spike_size d b 0 u r H' (Rle_refl 0)) as (QB & LB & PB & _).
  cbv zeta in QA, LA, PA, QB, LB, PB. set (na := size d 0 (spike a u r)) in *. set (nb := size d 0 (spike b u r)) in *.
  rewrite Rmult_0_r, Rplus_0_r in *. set (rho := inner d r r) in *.
  assert (X : inner d (spike a u r) (spike b u r) = a * b + rho).
  { destruct H as (U & O & _). unfold unit_vector, orthogonal in *. unfold spike.
    rewrite inner_add_l, !inner_add_r, !inner_scale_l, !inner_scale_r, U, O, (inner_sym d r u), O. unfold rho. ring. }
  assert (V : inner d v v = INR d * (2 - 2 * (a * b + rho) / (na * nb))).
  { unfold v. rewrite (inner_ext d _ (sub (scale (sqrt (INR d) / na) (spike a u r)) (scale (sqrt (INR d) / nb) (spike b u r))) _ (sub (scale (sqrt (INR d) / na) (spike a u r)) (scale (sqrt (INR d) / nb) (spike b u r))))
      by (intros; unfold sub; rewrite !rms_norm_is; reflexivity).
    rewrite inner_sub_square, !inner_scale_l, !inner_scale_r, X, !spike_square by assumption. fold rho.
    pose proof (sqrt_d_sq d) as D. set (w := sqrt (INR d)) in *. rewrite <- D, <- QA, <- QB. field. lra. }
  rewrite V, Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR|]. destruct H as (_ & _ & A0).
  assert (P2 : (na * nb) * (na * nb) - (a * b + rho) * (a * b + rho) = rho * (a - b) ^ 2).
  { replace (na * nb * (na * nb)) with (na * na * (nb * nb)) by ring. rewrite QA, QB. ring. }
  assert (AB : 0 < a * b) by (apply Rmult_lt_0_compat; lra). assert (P0 : 0 < na * nb) by (apply Rmult_lt_0_compat; lra).
  assert (P1 : a * b + rho <= na * nb).
  { apply square_le; [lra|]. assert (0 <= rho * (a - b) ^ 2) by (apply Rmult_le_pos; [exact R0|apply pow2_ge_0]). lra. }
  set (P := na * nb) in *. set (c := a * b + rho) in *.
  replace (2 - 2 * c / P) with (2 * (rho * (a - b) ^ 2) / (P * (P + c))) by (rewrite <- P2; field; unfold c; lra).
  replace (rho * (1 / a - 1 / b) ^ 2) with (2 * (rho * (a - b) ^ 2) / (a * b * (2 * (a * b)))) by (field; lra).
  unfold Rdiv. apply Rmult_le_compat_l.
  - assert (0 <= rho * (a - b) ^ 2) by (apply Rmult_le_pos; [exact R0|apply pow2_ge_0]). lra.
  - apply Rinv_le_contravar; [repeat apply Rmult_lt_0_compat; lra|]. unfold c in *. apply Rmult_le_compat; lra.
Qed.
