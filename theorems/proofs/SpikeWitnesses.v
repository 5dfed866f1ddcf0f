(******************************************************************************)
(*                            SPIKE WITNESSES                                 *)
(* Every hypothesis set of SpikeStatements.v has a witness: no theorem there  *)
(* is true for want of an instance. Each example is asked for by the gate.    *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements.
Import ListNotations.
Open Scope R_scope.

Example nonvacuous_gap : exists (z : list R) (k : nat) (gap : R),
  (k < length z)%nat /\ (2 <= length z)%nat /\ Forall (fun y => y + gap <= nth k z 0) (others k z) /\
  Exists (fun y => y + gap < nth k z 0) (others k z).
Proof.
  exists [0; 1; -1], 1%nat, 1. simpl. repeat split; try lia; [repeat constructor; simpl; lra|].
  apply Exists_exists. exists (-1). simpl. split; [tauto|lra].
Qed.

Example nonvacuous_gap_equal : exists (z : list R) (k : nat) (gap : R),
  (k < length z)%nat /\ (2 <= length z)%nat /\ Forall (fun y => y + gap = nth k z 0) (others k z).
Proof. exists [0; 1; 0], 1%nat, 1. simpl. repeat split; try lia. repeat constructor; simpl; lra. Qed.
