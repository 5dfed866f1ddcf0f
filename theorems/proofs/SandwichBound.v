(******************************************************************************)
(*                            SANDWICH BOUND                                  *)
(* The residual stream of post-norm blocks grows by at most gamma sqrt d in   *)
(* each block.                                                                *)
(*     norm_times_le == scales of size <= gamma lengthen by at most gamma     *)
(*     sup_ge, sup_le == the sup norm is the least bound on the coordinates   *)
(*     on_first c == the vector with c at coordinate 0 alone                  *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.NormSparsifies Sinkproof.Silu.
Open Scope R_scope.

Lemma square_abs_le a b : Rabs a <= b -> a * a <= b * b.
Proof.
  intros H. pose proof (Rabs_pos a). replace (a * a) with (Rabs a * Rabs a) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
  apply Rmult_le_compat; lra.
Qed.

Lemma norm_times_le d gamma g x : 0 <= gamma -> (forall k, (k < d)%nat -> Rabs (g k) <= gamma) ->
  norm d (fun k => g k * x k) <= gamma * norm d x.
Proof.
  intros P G. apply norm_le; [apply Rmult_le_pos; [exact P|apply norm_nonneg]|].
  replace (gamma * norm d x * (gamma * norm d x)) with (gamma * gamma * (norm d x * norm d x)) by ring. rewrite norm_sq.
  unfold inner. rewrite <- sum_below_scal. apply sum_below_le. intros k Hk.
  replace (g k * x k * (g k * x k)) with (g k * g k * (x k * x k)) by ring.
  apply Rmult_le_compat_r; [apply Rle_0_sqr|]. apply square_abs_le, G, Hk.
Qed.

Lemma scaled_norm d gamma g eps x : 0 <= gamma -> 0 <= eps -> (forall k, (k < d)%nat -> Rabs (g k) <= gamma) ->
  norm d (fun k => g k * rms_norm d eps x k) <= gamma * sqrt (INR d).
Proof.
  intros P E G. eapply Rle_trans; [apply (norm_times_le d gamma); [exact P|exact G]|]. apply Rmult_le_compat_l; [exact P|apply rms_norm_norm, E].
Qed.

(* sup d x is the least bound on the coordinates *)
Lemma sup_S d x : sup (S d) x = Rmax (sup d x) (Rabs (x d)).
Proof.
  unfold sup. rewrite seq_S, map_app, fold_right_app. cbn [map fold_right plus]. generalize (map (fun k => Rabs (x k)) (seq 0 d)).
  pose proof (Rabs_pos (x d)) as P. induction l as [|y l IH]; cbn [fold_right].
  - rewrite Rmax_comm. reflexivity.
  - rewrite IH. rewrite Rmax_assoc. reflexivity.
Qed.

Lemma sup_nonneg d x : 0 <= sup d x.
Proof. induction d; [apply Rle_refl|]. rewrite sup_S. eapply Rle_trans; [exact IHd|apply Rmax_l]. Qed.

Lemma sup_ge d x k : (k < d)%nat -> Rabs (x k) <= sup d x.
Proof.
  induction d; intros H; [lia|]. rewrite sup_S. destruct (Nat.eq_dec k d) as [->|N]; [apply Rmax_r|].
  eapply Rle_trans; [apply IHd; lia|apply Rmax_l].
Qed.

Lemma sup_le d x B : 0 <= B -> (forall k, (k < d)%nat -> Rabs (x k) <= B) -> sup d x <= B.
Proof.
  intros P. induction d; intros H; [exact P|]. rewrite sup_S. apply Rmax_lub; [apply IHd; intros; apply H; lia|apply H; lia].
Qed.

Theorem sandwich_bound_proof : sandwich_bound.
Proof.
  intros d B gamma x size Hd P H Hs. induction B as [|B IH]; [simpl INR; lra|].
  assert (L0 : size (x B) <= size (x 0%nat) + sqrt (INR d) * gamma * INR B) by (apply IH; intros b Hb; apply H; lia).
  clear IH. destruct (H B ltac:(lia)) as (out & g & eps & E & G & Y).
  pose proof (scaled_norm d gamma g eps out P E G) as L. rewrite S_INR. destruct Hs as [-> | ->].
  - rewrite (norm_ext d (x (S B)) (add (x B) (fun k => g k * rms_norm d eps out k))) by (intros; unfold add; rewrite Y by assumption; reflexivity).
    eapply Rle_trans; [apply norm_add_le|]. lra.
  - assert (W : 0 <= sqrt (INR d) * gamma) by (apply Rmult_le_pos; [apply sqrt_pos|exact P]).
    apply sup_le.
    + pose proof (sup_nonneg d (x 0%nat)). pose proof (pos_INR B). assert (0 <= sqrt (INR d) * gamma * (INR B + 1)) by (apply Rmult_le_pos; lra). lra.
    + intros k Hk. rewrite Y by exact Hk. eapply Rle_trans; [apply Rabs_triang|]. pose proof (sup_ge d (x B) k Hk).
      pose proof (coordinate_le d (fun k => g k * rms_norm d eps out k) k Hk). lra.
Qed.

Theorem sandwich_blocks_proof : sandwich_blocks.
Proof.
  intros d B gamma x size Hd G H Hs. pose proof (sandwich_bound_proof d B gamma x size Hd ltac:(lra) H Hs) as C.
  assert (S0 : 0 < sqrt (INR d)) by (apply sqrt_lt_R0, lt_0_INR; lia). assert (P : 0 < sqrt (INR d) * gamma) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_le_reg_r with (sqrt (INR d) * gamma); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Definition on_first (c : R) : vec := fun k => match k with O => c | _ => 0 end.

Lemma inner_first d c x : (1 <= d)%nat -> inner d (on_first c) x = c * x 0%nat.
Proof.
  intros H. unfold inner. apply (sum_below_one d 0); [lia|]. intros [|k] _ N; [congruence|simpl; ring].
Qed.

Lemma norm_first d c : (1 <= d)%nat -> 0 <= c -> norm d (on_first c) = c.
Proof. intros H P. apply norm_is; [exact P|]. apply inner_first, H. Qed.

Lemma rms_norm_first d k : (1 <= d)%nat -> rms_norm d 0 (on_first 1) k = on_first (sqrt (INR d)) k.
Proof.
  intros H. unfold rms_norm. rewrite inner_first by exact H. simpl on_first at 2. rewrite Rmult_0_r, Rplus_0_r, Rmult_1_r, sqrt_1.
  destruct k; simpl; field.
Qed.

Lemma sup_first d c : (1 <= d)%nat -> 0 <= c -> sup d (on_first c) = c.
Proof.
  intros H P. apply Rle_antisym.
  - apply sup_le; [exact P|]. intros [|k] _; simpl; rewrite ?Rabs_R0, ?Rabs_pos_eq by exact P; lra.
  - eapply Rle_trans; [|apply (sup_ge d _ 0%nat); lia]. simpl. apply Rle_abs.
Qed.

Theorem sandwich_attained_proof : sandwich_attained.
Proof.
  intros d B gamma a size H G A Hs. exists (fun b => on_first (a + sqrt (INR d) * gamma * INR b)).
  assert (V : forall c, 0 <= c -> size (on_first c) = c) by (intros; destruct Hs as [-> | ->]; [apply norm_first|apply sup_first]; assumption).
  split; [|split; rewrite V].
  - intros b _. exists (on_first 1), (fun _ => gamma), 0. split; [lra|]. split; [intros; rewrite Rabs_pos_eq by exact G; lra|].
    intros k _. rewrite rms_norm_first, S_INR by exact H. destruct k; simpl; ring.
  - simpl INR. ring.
  - simpl INR. lra.
  - reflexivity.
  - apply Rplus_le_le_0_compat; [exact A|]. repeat apply Rmult_le_pos; [apply sqrt_pos|exact G|apply pos_INR].
Qed.

Theorem sandwich_pre_norm_proof : sandwich_pre_norm.
Proof.
  intros d a S s U A P. unfold unit_vector in U. assert (D : INR d <> 0).
  { intros Z. destruct d; [unfold inner in U; rewrite sum_below_0 in U; lra|]. apply (not_0_INR (Datatypes.S d)) in Z; lia || exact Z. }
  rewrite amplifier_pair_proof by apply silu_halves.
  rewrite (inner_ext d s s _ (scale (sqrt (INR d)) s)); [|reflexivity|].
  - rewrite inner_scale_r, U. simpl pow. replace (S / INR d * (sqrt (INR d) * 1 * (sqrt (INR d) * 1 * 1))) with (S / INR d * (sqrt (INR d) * sqrt (INR d))) by ring.
    rewrite sqrt_d_sq. field. exact D.
  - intros k _. unfold rms_norm. rewrite inner_scale_l, inner_scale_r, U, Rmult_1_r, Rmult_0_r, Rplus_0_r, sqrt_square by lra.
    unfold scale. field. lra.
Qed.
