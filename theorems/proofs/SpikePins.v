(******************************************************************************)
(*                               SPIKE PINS                                   *)
(* Lemmas with which the gate proves the registry's statements on spikes      *)
(* equivalent to those of SpikeStatements.v.                                  *)
(*        gap_form == the bound as sympy prints it                            *)
(*     key_below == e^gap e^(y - z_k) < 1 says that y + gap < z_k             *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements Sinkproof.LogitGap.
Open Scope R_scope.

Lemma gap_form gap m : / (1 + / exp gap * (- (1) + m)) = 1 / (1 + (m - 1) * exp (- gap)).
Proof. rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l. f_equal. ring. Qed.

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
