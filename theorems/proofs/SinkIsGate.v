(******************************************************************************)
(*                              SINK IS GATE                                  *)
(* Softmax attention with a key whose value is zero is the attention to the   *)
(* other keys, times a sigmoid.                                               *)
(*      dot_others == a weighted sum, its k-th term apart                     *)
(*     gate_of_sink == the sigmoid is the share of the other keys             *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements Sinkproof.LogitGap.
Import ListNotations.
Open Scope R_scope.

Lemma dot_others k w xs : (k < length xs)%nat -> length w = length xs ->
  dot w xs = nth k w 0 * nth k xs 0 + dot (others k w) (others k xs).
Proof.
  intros H E. destruct (nth_split xs 0 H) as (x1 & x2 & Ex & L1). remember (nth k xs 0) as x. clear Heqx.
  assert (H' : (k < length w)%nat) by lia.
  destruct (nth_split w 0 H') as (w1 & w2 & Ew & L2). remember (nth k w 0) as a. clear Heqa.
  subst w xs. rewrite <- L1 at 2. rewrite others_at. rewrite <- L2 at 1. rewrite others_at.
  rewrite !dot_app by congruence. simpl. ring.
Qed.

Lemma dot_scale c (f g : R -> R) l xs : (forall y, In y l -> f y = c * g y) -> dot (map f l) xs = c * dot (map g l) xs.
Proof.
  revert xs; induction l as [|y l IH]; intros [|x xs] H; simpl; try ring.
  rewrite (H y) by (left; reflexivity). rewrite IH by (intros; apply H; right; assumption). ring.
Qed.

Lemma others_nonempty {A} k (xs : list A) : (k < length xs)%nat -> (2 <= length xs)%nat -> others k xs <> [].
Proof. intros H H2 E. pose proof (others_length k xs H) as L. rewrite E in L. simpl in L. lia. Qed.

Lemma gate_of_sink z k : (k < length z)%nat -> (2 <= length z)%nat ->
  let rest := sum (map exp (others k z)) in
  0 < rest /\ sum (map exp z) = exp (nth k z 0) + rest /\
  sigmoid (lse (others k z) - nth k z 0) = rest / (exp (nth k z 0) + rest).
Proof.
  intros H H2 rest. assert (P : 0 < rest) by (apply sum_exp_pos, others_nonempty; assumption). pose proof (exp_pos (nth k z 0)).
  split; [exact P|]. split.
  - rewrite (sum_others k (map exp z)) by (rewrite map_length; exact H).
    rewrite others_map, (nth_map exp k z 0) by exact H. reflexivity.
  - unfold sigmoid, lse. fold rest. rewrite Ropp_minus_distr. unfold Rminus. rewrite exp_plus, exp_Ropp, exp_ln by exact P.
    field. split; lra.
Qed.

Theorem sink_is_gate_proof : sink_is_gate.
Proof.
  intros z vs k i H H2 L V. destruct (gate_of_sink z k H H2) as (P & total & ->). pose proof (exp_pos (nth k z 0)) as E.
  set (rest := sum (map exp (others k z))) in *.
  unfold mix. rewrite (dot_others k) by (rewrite ?map_length, ?softmax_length; unfold vec in *; lia).
  rewrite (nth_map (fun v : vec => v i) k vs (fun _ => 0)), V by (unfold vec in *; lia).
  rewrite Rmult_0_r, Rplus_0_l. rewrite !others_map. unfold softmax. rewrite others_map, total. fold rest.
  apply dot_scale. intros y _. field. split; lra.
Qed.

Theorem sink_gate_mass_proof : sink_gate_mass.
Proof.
  intros z k H H2. destruct (gate_of_sink z k H H2) as (P & total & ->). pose proof (exp_pos (nth k z 0)) as E.
  set (rest := sum (map exp (others k z))) in *.
  unfold mass, softmax. rewrite (nth_map _ k z 0), total by exact H. fold rest. field. lra.
Qed.

Theorem sink_half_proof : sink_half.
Proof.
  intros z k gap H G. rewrite (logit_gap_attained_proof z k gap H G), exp_Ropp. pose proof (exp_pos gap) as P.
  assert (1 <= INR (length z)) by (change 1 with (INR 1); apply le_INR; lia). field. split; lra.
Qed.

Theorem sink_half_mass_proof : sink_half_mass.
Proof.
  intros z k gap H G. rewrite (logit_gap_attained_proof z k gap H G), exp_Ropp. pose proof (exp_pos gap) as P.
  assert (1 <= INR (length z)) by (change 1 with (INR 1); apply le_INR; lia).
  set (x := (INR (length z) - 1) * / exp gap). replace (INR (length z)) with (1 + x * exp gap) by (unfold x; field; lra).
  assert (0 <= x) by (apply Rle_mult_inv_pos; lra). replace (1/2) with (1 / (1 + 1)) by lra.
  replace (1 + exp gap) with (1 + 1 * exp gap) by ring. split; split; intros Q.
  - apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|]. apply Rnot_lt_le. intros L. apply inverse_lt in L; lra.
  - apply Rplus_le_reg_l, Rmult_le_reg_r in Q; [|lra]. apply inverse_le; lra.
  - apply (proj1 (inverse_eq x 1 ltac:(lra) ltac:(lra))) in Q. rewrite Q. reflexivity.
  - apply Rplus_eq_reg_l, Rmult_eq_reg_r in Q; [|lra]. apply (proj2 (inverse_eq x 1 ltac:(lra) ltac:(lra))). exact Q.
Qed.
