(******************************************************************************)
(*                                 VECTORS                                    *)
(* A trusted file: vectors of d coordinates, norms and the maps of a decoder  *)
(* block, as definitions. The statements on position zero and on spikes are   *)
(* written in these words. A vector is a function of which coordinates        *)
(* 0..d-1 exist.                                                              *)
(*                                                                            *)
(*   inner d x y == sum of x_k y_k over k < d                                 *)
(*      norm d x == the l2 norm                                               *)
(*  add, sub, scale == coordinate by coordinate                               *)
(*      mix w vs == sum of w_j v_j, a weighted sum of a list of vectors       *)
(*  rms_norm d eps x == sqrt d x / sqrt (|x|^2 + d eps): RMSNorm without      *)
(*                   learned scales                                           *)
(*        silu a == a / (1 + e^-a)                                            *)
(******************************************************************************)
Require Import Reals List.
From Sinkproof Require Import Statements.
Import ListNotations.
Open Scope R_scope.

Definition inner (d : nat) (x y : vec) : R := sum_below d (fun k => x k * y k).

Definition norm (d : nat) (x : vec) : R := sqrt (inner d x x).

Definition unit_vector (d : nat) (x : vec) : Prop := inner d x x = 1.

Definition orthogonal (d : nat) (x y : vec) : Prop := inner d x y = 0.

Definition add (x y : vec) : vec := fun k => x k + y k.

Definition sub (x y : vec) : vec := fun k => x k - y k.

Definition scale (a : R) (x : vec) : vec := fun k => a * x k.

Definition mix (w : list R) (vs : list vec) : vec := fun k => dot w (map (fun v => v k) vs).

Definition rms_norm (d : nat) (eps : R) (x : vec) : vec := fun k =>
  sqrt (INR d) * x k / sqrt (inner d x x + INR d * eps).

Definition silu (a : R) : R := a / (1 + exp (- a)).
