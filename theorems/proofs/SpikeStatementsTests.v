(******************************************************************************)
(*                        SPIKE STATEMENTS, TESTED                            *)
(* Unit lemmas for the definitions of SpikeStatements.v: values and limiting  *)
(* cases, so that a wrong definition would be seen.                           *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
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

Example lse_value : lse [ln 3; ln 5] = ln 8.
Proof. unfold lse. simpl. rewrite !sum_cons, sum_nil, !exp_ln by lra. f_equal. ring. Qed.

Example sigmoid_value : sigmoid 0 = 1/2 /\ sigmoid (ln 3) = 3/4.
Proof. unfold sigmoid. rewrite Ropp_0, exp_0, exp_Ropp, exp_ln by lra. split; field. Qed.

(* ------------------------------------------------- SwiGLU ----------------- *)

Definition axis_0 : vec := fun k => match k with O => 1 | _ => 0 end.
Definition axis_1 : vec := fun k => match k with 1%nat => 1 | _ => 0 end.
Definition two_three : vec := fun k => match k with O => 2 | _ => -3 end.

Ltac sums := unfold inner, apply, bilinear; rewrite ?sum_below_S, ?sum_below_0; simpl.

Example glu_value : glu (fun a => a + 1) 1 2 (fun _ => axis_0) (fun _ => axis_1) (fun _ => 5) two_three = 5 * (2 + 1) * -3.
Proof. unfold glu. sums. ring. Qed.

(* the first unit is open at two_three, the second is shut *)
Example active_form_value :
  let gate i := match i with O => axis_0 | _ => axis_1 end in
  let A := active_form 2 2 gate (fun _ => axis_1) (fun _ => 4) two_three in
  A 0%nat 0%nat = 0 /\ A 0%nat 1%nat = 2 /\ A 1%nat 0%nat = 2 /\ A 1%nat 1%nat = 0.
Proof.
  intros gate A. unfold A, active_form, gate, two_three, axis_0, axis_1. rewrite !sum_below_S, !sum_below_0. cbn [Nat.eqb].
  repeat (match goal with |- context [Rlt_dec 0 ?t] =>
    let D := fresh in destruct (Rlt_dec 0 t) as [D|D]; revert D; sums; intros D; try (exfalso; lra) end);
  repeat split; simpl; lra.
Qed.

Example paired_values : paired_gate (fun _ => axis_0) 3 0%nat = -1 /\ paired_gate (fun _ => axis_0) 2 0%nat = 1 /\
  paired_up (fun j => match j with O => axis_0 | _ => axis_1 end) 3 1%nat = 1 /\
  paired_down (fun j => INR j) 2 = 1 /\ paired_down (fun j => INR j) 3 = -1.
Proof. unfold paired_gate, paired_up, paired_down, scale, axis_0, axis_1. simpl. repeat split; ring. Qed.

Example halves_no : ~ halves (fun a => a) /\ ~ halves (fun a => a * a).
Proof. split; intros H; specialize (H 1); lra. Qed.

Example orthonormal_no : ~ orthonormal_vectors 2 (fun _ => axis_0).
Proof. intros H. specialize (H 0%nat 1%nat ltac:(lia) ltac:(lia)). revert H. sums. lra. Qed.

(* orthonormal_vectors vectors that leave a direction out are no basis *)
Example basis_no : ~ orthonormal_basis 1 (fun _ => axis_1).
Proof. intros (H & _). specialize (H 0%nat 0%nat ltac:(lia) ltac:(lia)). revert H. sums. lra. Qed.

Example eigenvectors_no : ~ eigenvectors 1 (fun _ _ => 3) (fun _ => axis_0) (fun _ => 2).
Proof. intros H. specialize (H 0%nat 0%nat ltac:(lia) ltac:(lia)). revert H. sums. lra. Qed.

(* ------------------------------------------------- states ----------------- *)

Example spike_value : spike 7 axis_0 two_three 0%nat = 9 /\ spike 7 axis_0 two_three 1%nat = -3.
Proof. unfold spike, add, scale, axis_0, two_three. split; ring. Qed.

Example spike_state_no : ~ spike_state 2 7 axis_0 two_three /\ ~ spike_state 2 7 two_three axis_0 /\ ~ spike_state 2 0 axis_0 axis_1.
Proof. repeat split; intros (U & O & A); revert U O A; unfold unit_vector, orthogonal; sums; lra. Qed.

(* (3, 4) has RMSNorm (3, 4) sqrt 2 / 5 *)
Example off_direction_value : off_direction 2 0 (fun k => match k with O => 3 | _ => 4 end) axis_0 1%nat = sqrt 2 * (4/5) /\
  off_direction 2 0 (fun k => match k with O => 3 | _ => 4 end) axis_0 0%nat = sqrt 2 * (3/5 - 1).
Proof.
  unfold off_direction, sub, scale, rms_norm, axis_0. sums. replace (0 + 3 * 3 + 4 * 4 + (1 + 1) * 0) with (5 * 5) by ring.
  rewrite sqrt_square by lra. replace (1 + 1) with 2 by ring. split; field.
Qed.

Example sup_value : sup 2 two_three = 3 /\ sup 1 two_three = 2 /\ sup 0 two_three = 0.
Proof.
  unfold sup, two_three. simpl. rewrite (Rabs_left (-3)), (Rabs_pos_eq 2) by lra.
  repeat split; rewrite ?(Rmax_left (- -3)), ?(Rmax_right 2), ?(Rmax_left 2) by lra; lra.
Qed.

(* ------------------------------------------------- heads ------------------ *)

(* a quarter turn takes (2, -3) to (3, 2) and leaves lengths alone *)
Example rotate_value : rotate (fun _ => PI / 2) two_three 0%nat = 3 /\ rotate (fun _ => PI / 2) two_three 1%nat = 2 /\
  rotate (fun _ => 0) two_three 1%nat = -3.
Proof. unfold rotate, two_three. simpl. rewrite cos_PI2, sin_PI2, cos_0, sin_0. repeat split; ring. Qed.

Example plain_scales_no : plain_scales 2 1 axis_0 axis_0 /\ ~ plain_scales 1 1 (fun _ => 2) (fun _ => -1).
Proof.
  split; [intros [|i] _; unfold axis_0; rewrite Rabs_pos_eq; lra|].
  intros H. specialize (H 0%nat ltac:(lia)). rewrite Rabs_left in H; lra.
Qed.

(* within a pair every two scales meet; across pairs they do not *)
Example rope_scales_no : plain_scales 2 1 (scale 2 axis_0) (scale 2 axis_1) /\ ~ rope_scales 2 1 (scale 2 axis_0) (scale 2 axis_1) /\
  ~ rope_scales 1 1 axis_0 axis_0 /\
  rope_scales 4 1 (fun i => if (i <? 2)%nat then 2 else 0) (fun i => if (i <? 2)%nat then 0 else 2).
Proof.
  split; [|split; [|split]].
  - intros [|[|i]] Hi; unfold scale, axis_0, axis_1; rewrite Rabs_pos_eq; lra.
  - intros (_ & H). specialize (H 0%nat 1%nat ltac:(lia) ltac:(lia) eq_refl). unfold scale, axis_0, axis_1 in H. rewrite Rabs_pos_eq in H; lra.
  - intros ((h & H) & _). lia.
  - split; [exists 2%nat; reflexivity|]. intros i j Hi Hj.
    destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|[|j]]]]; try lia; intros E; try discriminate E; simpl; rewrite Rabs_pos_eq; lra.
Qed.
