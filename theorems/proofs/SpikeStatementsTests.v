(******************************************************************************)
(*                        SPIKE STATEMENTS, TESTED                            *)
(* Unit lemmas for the definitions of SpikeStatements.v: values and limiting  *)
(* cases, so that a wrong definition would be seen.                           *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- softmax rows ----------- *)

Example others_value : others 0 [7; 8; 9] = [8; 9] /\ others 1 [7; 8; 9] = [7; 9] /\ others 2 [7; 8; 9] = [7; 8].
Proof. repeat split. Qed.

Example mass_value : mass [0; 0; 0; 0] 3 = 1/4 /\ mass [ln 3; 0] 0 = 3/4 /\ mass [ln 3; 0] 1 = 1/4 /\ mass [5] 0 = 1.
Proof.
  unfold mass, softmax. simpl. rewrite !sum_cons, !sum_nil, exp_0, exp_ln by lra. pose proof (exp_pos 5).
  repeat split; field; lra.
Qed.

Example mean_of_others_value : mean_of_others [100; 1; 3] 0 = 2.
Proof. unfold mean_of_others. change (others 0 [100; 1; 3]) with [1; 3]. simpl length. simpl INR. rewrite !sum_cons, sum_nil. lra. Qed.
