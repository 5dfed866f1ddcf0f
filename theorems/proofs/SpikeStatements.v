(******************************************************************************)
(*                            SPIKE STATEMENTS                                *)
(* A trusted file: theorems on massive activations (spikes) and attention     *)
(* sinks. A theorem X stated here is proved in another file as X_proof : X.   *)
(* Unit lemmas: SpikeStatementsTests.v; witnesses: SpikeWitnesses.v.          *)
(*                                                                            *)
(* Softmax rows: z is the list of the logits of the keys that a query sees    *)
(*      others k xs == the list without its k-th entry (k from 0)             *)
(*        mass z k == the weight that softmax gives to the k-th key           *)
(*  mean_of_others z k == the mean of the other logits                        *)
(*                                                                            *)
(* Source of the claims made quantitative here: Sun et al. 2026,              *)
(* arXiv 2603.05498 (spikes, sparse and sinks).                               *)
(******************************************************************************)
Require Import Reals List Arith.
From Sinkproof Require Import Statements Vectors.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- softmax rows ----------- *)

Definition others {A} (k : nat) (xs : list A) : list A := firstn k xs ++ skipn (S k) xs.

Definition mass (z : list R) (k : nat) : R := nth k (softmax z) 0.

Definition mean_of_others (z : list R) (k : nat) : R := sum (others k z) / INR (length z - 1).

(* ================================================= THE GAP IS THE SINK ==== *)

Definition logit_gap : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->
  1 / (1 + (INR (length z) - 1) * exp (- gap)) <= mass z k.

Definition logit_gap_strict : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->
  Exists (fun y => y + gap < nth k z 0) (others k z) ->
  1 / (1 + (INR (length z) - 1) * exp (- gap)) < mass z k.

Definition logit_gap_attained : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap = nth k z 0) (others k z) ->
  mass z k = 1 / (1 + (INR (length z) - 1) * exp (- gap)).

Definition logit_gap_converse : Prop :=
  forall (z : list R) (k : nat),
  (k < length z)%nat -> (2 <= length z)%nat ->
  mass z k <= 1 / (1 + (INR (length z) - 1) * exp (- (nth k z 0 - mean_of_others z k))).

Definition logit_gap_converse_equality : Prop :=
  forall (z : list R) (k : nat),
  (k < length z)%nat -> (2 <= length z)%nat ->
  mass z k = 1 / (1 + (INR (length z) - 1) * exp (- (nth k z 0 - mean_of_others z k))) <->
  Forall (fun y => y = mean_of_others z k) (others k z).
