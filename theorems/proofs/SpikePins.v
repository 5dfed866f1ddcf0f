(******************************************************************************)
(*                               SPIKE PINS                                   *)
(* Lemmas with which the gate proves the registry's statements on spikes      *)
(* equivalent to those of SpikeStatements.v.                                  *)
(*  gap_form, ceiling_form == the bounds as sympy prints them                 *)
(*     key_below == e^gap e^(y - z_k) < 1 says that y + gap < z_k             *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.LogitGap Sinkproof.SandwichBound Sinkproof.Silence.
Import ListNotations.
Open Scope R_scope.

Lemma gap_form gap m : / (1 + / exp gap * (- (1) + m)) = 1 / (1 + (m - 1) * exp (- gap)).
Proof. rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l. f_equal. ring. Qed.

Lemma ceiling_form E m : / (1 + / E ^ 2 * (- (1) + m)) = 1 / (1 + (m - 1) / E ^ 2).
Proof. unfold Rdiv. rewrite Rmult_1_l. f_equal. ring. Qed.

Lemma key_below gap y z : exp gap * exp (y - z) < 1 <-> y + gap < z.
Proof.
  rewrite <- exp_plus, <- exp_0. split; intros H; [apply exp_lt_inv in H; lra|apply exp_increasing; lra].
Qed.

Lemma some_key {A} (k : nat) (z : list A) : (k < length z)%nat -> 1 <= INR (length z).
Proof. intros H. change 1 with (INR 1). apply le_INR. lia. Qed.

Lemma two_keys {A} (z : list A) : (2 <= length z)%nat <-> 2 <= INR (length z).
Proof.
  assert (E : INR 2 = 2) by (simpl; lra). rewrite <- E. split; intros H; [apply le_INR, H|apply INR_le, H].
Qed.

Lemma other_keys (P : R -> Prop) k z : (k < length z)%nat -> Exists P (others k z) -> 2 <= INR (length z).
Proof.
  intros H E. apply two_keys. pose proof (others_length k z H) as L. destruct (others k z); [inversion E|simpl in L; lia].
Qed.

Lemma not_alone z k : (k < length z)%nat -> 0 < sum (map exp (others k z)) -> (2 <= length z)%nat.
Proof.
  intros H P. pose proof (others_length k z H) as L. destruct (others k z); [simpl in P; rewrite ?sum_nil in P; lra|simpl in L; lia].
Qed.

Lemma remainder_nonneg x y a : 0 <= Rabs x * Rabs y * (Rabs a / (1 + exp (Rabs a))).
Proof.
  pose proof (exp_pos (Rabs a)). repeat apply Rmult_le_pos; try apply Rabs_pos. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma width d : (1 <= d)%nat -> 1 <= INR d.
Proof. intros H. change 1 with (INR 1). apply le_INR, H. Qed.

Lemma width_back d : 1 <= INR d -> (1 <= d)%nat.
Proof. intros H. apply INR_le. exact H. Qed.

Lemma has_width d u : unit_vector d u -> 1 <= INR d.
Proof.
  intros U. apply width. destruct d; [|lia]. unfold unit_vector, inner in U. rewrite sum_below_0 in U. lra.
Qed.

Lemma entry_le d r i : (i < d)%nat -> r i ^ 2 <= inner d r r.
Proof.
  intros H. simpl pow. rewrite Rmult_1_r. apply (sum_below_term d (fun k => r k * r k) i H). intros; apply Rle_0_sqr.
Qed.

Lemma root d : sqrt (INR d) ^ 2 = INR d.
Proof. simpl pow. rewrite Rmult_1_r. apply sqrt_sqrt, pos_INR. Qed.

Lemma size_nonneg d size x : size = norm d \/ size = sup d -> 0 <= size x.
Proof. intros [-> | ->]; [apply norm_nonneg|apply sup_nonneg]. Qed.

Lemma exp_ceiling d g : 0 <= g -> 1 <= exp (g * sqrt (INR d)).
Proof.
  intros G. pose proof (exp_ineq1_le (g * sqrt (INR d))). assert (0 <= g * sqrt (INR d)) by (apply Rmult_le_pos; [exact G|apply sqrt_pos]). lra.
Qed.

Lemma square_form A B s : s ^ 2 = 1 + -1 * / A ^ 2 * B ^ 2 <-> s ^ 2 = 1 - B ^ 2 / A ^ 2.
Proof. replace (1 + -1 * / A ^ 2 * B ^ 2) with (1 - B ^ 2 / A ^ 2) by (unfold Rdiv; ring). reflexivity. Qed.

Lemma keys (mus : list law) : (1 <= length mus)%nat -> 1 <= INR (length mus).
Proof. apply width. Qed.

Lemma sink_range m w : simplex_row (S m) w -> 0 <= hd 0 w <= 1.
Proof. intros H. apply (simplex_tail m w H). Qed.

Lemma weight_range m w x : simplex_row (S m) w -> In x (tl w) -> 0 <= x <= 1 + -1 * hd 0 w.
Proof.
  intros H I. destruct (simplex_tail m w H) as (_ & T & _). destruct H as (_ & P & _).
  assert (F : Forall (fun a => 0 <= a) (tl w)) by (destruct P; [constructor|assumption]). rewrite Forall_forall in F.
  split; [apply F, I|]. apply in_split in I. destruct I as (w1 & w2 & E). rewrite E, sum_app, sum_cons in T.
  assert (0 <= sum w1) by (apply sum_nonneg, Forall_forall; intros y Hy; apply F; rewrite E; apply in_app_iff; auto).
  assert (0 <= sum w2) by (apply sum_nonneg, Forall_forall; intros y Hy; apply F; rewrite E; apply in_app_iff; right; right; exact Hy). lra.
Qed.

Lemma bound_nonneg d b B : norm d b <= B -> 0 <= B.
Proof. intros H. eapply Rle_trans; [apply norm_nonneg|exact H]. Qed.

Lemma ratio_positive d e u : unit_vector d u -> (1 <= e)%nat -> 0 < sqrt (INR d) / sqrt (INR e).
Proof.
  intros U E. apply has_width in U. apply Rdiv_lt_0_compat; apply sqrt_lt_R0; [lra|apply lt_0_INR; lia].
Qed.

Lemma two_positions (es : list vec) : es <> [] -> 2 <= INR (length (map step_up (chain_bos :: map chain_token es))).
Proof.
  intros H. apply two_keys. rewrite map_length. simpl. rewrite map_length. destruct es; [congruence|simpl; lia].
Qed.
