(******************************************************************************)
(*                            SOFTMAX WEIGHTS                                 *)
(* The weight of one key in a softmax row over keys 1..i, and rows whose      *)
(* logits depend on the distance.                                             *)
(*    weight_softmax == exp z_k / sum_j exp z_j                               *)
(*      sum_backward == sum over keys k of f (i - k) is the sum over distances*)
(*   first_weight, last_weight == the two ends of such a row                  *)
(*    product_le_exp == prod x_i <= exp (sum (x_i - 1)) for x_i >= 0          *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas.
Import ListNotations.
Open Scope R_scope.

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; apply exp_increasing, H|right; reflexivity]. Qed.

Lemma exp_mono_inv x y : exp x <= exp y -> x <= y.
Proof. intros [H|H]; [left; apply exp_lt_inv, H|right; apply exp_inv, H]. Qed.

Lemma nth_keys (f : nat -> R) i k : (1 <= k <= i)%nat -> nth (k - 1) (map f (seq 1 i)) 0 = f k.
Proof.
  intros H. rewrite (nth_indep _ 0 (f 0%nat)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. f_equal. lia.
Qed.

Definition mass_of (f : nat -> R) (i : nat) : R := sum (map (fun k => exp (f k)) (seq 1 i)).

Lemma mass_of_pos f i : (1 <= i)%nat -> 0 < mass_of f i.
Proof.
  intros H. apply sum_pos; [destruct i; [lia|discriminate]|]. apply Forall_forall. intros x Hx.
  apply in_map_iff in Hx. destruct Hx as (k & <- & _). apply exp_pos.
Qed.

Lemma weight_softmax f i k : (1 <= k <= i)%nat -> weight (softmax (map f (seq 1 i))) k = exp (f k) / mass_of f i.
Proof. intros H. unfold weight, softmax, mass_of. rewrite !map_map. apply nth_keys, H. Qed.

Lemma sum_backward (f : nat -> R) i : sum (map (fun k => f (i - k)%nat) (seq 1 i)) = sum_below i f.
Proof.
  induction i; [reflexivity|]. simpl seq. simpl map. rewrite sum_cons, Nat.sub_0_r, sum_below_S, <- IHi.
  rewrite <- seq_shift, map_map. rewrite Rplus_comm. reflexivity.
Qed.

Lemma sum_below_keys (f : nat -> R) i : sum (map f (seq 1 i)) = sum_below i (fun k => f (S k)).
Proof. unfold sum_below. rewrite <- seq_shift, map_map. reflexivity. Qed.

(* ------------------------------------------------- by distance ------------ *)

Definition distance_mass (g : nat -> R) (i : nat) : R := sum_below i (fun j => exp (g j)).

Lemma distance_mass_S g i : distance_mass g (S i) = distance_mass g i + exp (g i).
Proof. apply sum_below_S. Qed.

Lemma distance_mass_pos g i : (1 <= i)%nat -> 0 < distance_mass g i.
Proof.
  intros H. destruct i as [|i]; [lia|]. rewrite distance_mass_S. pose proof (exp_pos (g i)).
  assert (0 <= distance_mass g i) by (apply sum_below_nonneg; intros; left; apply exp_pos). lra.
Qed.

Lemma mass_backward g i : mass_of (fun k => g (i - k)%nat) i = distance_mass g i.
Proof. apply (sum_backward (fun j => exp (g j))). Qed.

Lemma first_weight g i : (1 <= i)%nat -> weight (relative_row g i) 1 = exp (g (i - 1)%nat) / distance_mass g i.
Proof. intros H. unfold relative_row. rewrite weight_softmax, mass_backward by lia. reflexivity. Qed.

Lemma last_weight g i : (1 <= i)%nat -> weight (relative_row g i) i = exp (g 0%nat) / distance_mass g i.
Proof. intros H. unfold relative_row. rewrite weight_softmax, mass_backward by lia. rewrite Nat.sub_diag. reflexivity. Qed.

(* the mass off position 1 *)
Lemma off_first g i : (1 <= i)%nat -> 1 - weight (relative_row g (S i)) 1 = distance_mass g i / distance_mass g (S i).
Proof.
  intros H. rewrite first_weight by lia. replace (S i - 1)%nat with i by lia.
  pose proof (distance_mass_pos g (S i) ltac:(lia)). rewrite distance_mass_S in *. field. lra.
Qed.

(* ------------------------------------------------- products --------------- *)

Lemma product_app xs ys : product (xs ++ ys) = product xs * product ys.
Proof. unfold product. induction xs; simpl; [ring|]. rewrite IHxs. ring. Qed.

Lemma product_nonneg xs : Forall (fun x => 0 <= x) xs -> 0 <= product xs.
Proof. induction 1; simpl; [lra|]. apply Rmult_le_pos; assumption. Qed.

Lemma product_le_exp xs : Forall (fun x => 0 <= x) xs -> product xs <= exp (sum (map (fun x => x - 1) xs)).
Proof.
  induction 1 as [|x xs Hx H IH]; simpl.
  - rewrite sum_nil, exp_0. lra.
  - rewrite sum_cons, exp_plus. apply Rmult_le_compat; [exact Hx|apply product_nonneg, H| |exact IH].
    pose proof (exp_ineq1_le (x - 1)). lra.
Qed.

Lemma product_scaled rho xs : product (map (fun x => x * rho) xs) = product xs * rho ^ length xs.
Proof. unfold product. induction xs; simpl; [ring|]. rewrite IHxs. ring. Qed.
