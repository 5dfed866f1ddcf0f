(******************************************************************************)
(*                             NONLINEARITY                                   *)
(* Two attention layers with a residual and nothing between them cannot send  *)
(* the last token to the first place on both (a,b,b,a,c) and (b,a,a,b,c): the *)
(* two logit differences have opposite signs.                                 *)
(*  bilinear_along == bilinear logits are linear in the key                   *)
(*  softmax_order == a larger weight has a larger logit                       *)
(*     state_gap == h(a) - h(a,b,b,a) = t (value a - value b), t > 0          *)
(*    state_same == c sees the same tokens in both sequences                  *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas.
Import ListNotations.
Open Scope R_scope.

Lemma bilinear_along d A q x u t y : (forall k, y k = x k - t * u k) ->
  bilinear d A q y = bilinear d A q x - t * bilinear d A q u.
Proof.
  intros H. unfold bilinear. rewrite <- sum_below_scal, <- sum_below_minus. apply sum_below_ext. intros i _.
  rewrite <- sum_below_scal, <- sum_below_minus. apply sum_below_ext. intros k _. rewrite H. ring.
Qed.

Lemma bilinear_query d A q q' y : (forall k, q k = q' k) -> bilinear d A q y = bilinear d A q' y.
Proof.
  intros H. apply sum_below_ext. intros i _. apply sum_below_ext. intros k _. rewrite H. reflexivity.
Qed.

Lemma bilinear_opposite d A q u v : (forall k, v k = - u k) -> bilinear d A q v = - bilinear d A q u.
Proof.
  intros H. rewrite (bilinear_along d A q (fun _ => 0) u 1) by (intros; rewrite H; ring).
  assert (E : bilinear d A q (fun _ => 0) = 0).
  { apply sum_below_zero. intros i _. apply sum_below_zero. intros; ring. }
  rewrite E. ring.
Qed.

Lemma softmax_order z j k : (j < length z)%nat -> (k < length z)%nat ->
  nth j (softmax z) 0 < nth k (softmax z) 0 -> nth j z 0 < nth k z 0.
Proof.
  intros Hj Hk H. unfold softmax in H. set (S := sum (map exp z)) in *.
  assert (P : 0 < S) by (apply sum_exp_pos; intros ->; simpl in Hj; lia).
  rewrite (nth_indep _ 0 (exp 0 / S)) in H by (rewrite map_length; exact Hj).
  rewrite (nth_indep (map _ z) 0 (exp 0 / S)) in H by (rewrite map_length; exact Hk).
  rewrite !(map_nth (fun a => exp a / S)) in H. apply exp_lt_inv.
  apply Rmult_lt_reg_r with (/ S); [apply Rinv_0_lt_compat, P|exact H].
Qed.

Section Layers.
Variables (e value : nat -> vec) (score : nat -> nat -> R).

Let h := first_state e value score.

Lemma state_gap a b : exists t, 0 < t /\
  forall k, h [a; b; b; a] k = h [a] k - t * (value a k - value b k).
Proof.
  set (u := exp (score a a)). set (w := exp (score a b)).
  assert (0 < u) by apply exp_pos. assert (0 < w) by apply exp_pos.
  exists (w / (u + w)). split; [apply Rdiv_lt_0_compat; lra|]. intros k.
  unfold h, first_state, newest, add, mix, softmax. simpl. fold u w.
  rewrite !sum_cons, sum_nil. field. lra.
Qed.

Lemma state_same a b c k : h [a; b; b; a; c] k = h [b; a; a; b; c] k.
Proof.
  unfold h, first_state, newest, add, mix, softmax. simpl.
  pose proof (exp_pos (score c a)). pose proof (exp_pos (score c b)). pose proof (exp_pos (score c c)).
  rewrite !sum_cons, sum_nil. field. lra.
Qed.
End Layers.

Theorem nonlinearity_needed_proof : nonlinearity_needed.
Proof.
  intros d e value score A a b c row x y (H1 & H2).
  unfold row, second_row, weight in H1, H2. apply softmax_order in H1; [|simpl; lia..].
  apply softmax_order in H2; [|simpl; lia..]. simpl in H1, H2.
  set (h := first_state e value score) in *.
  destruct (state_gap e value score a b) as (t & Ht & Et). destruct (state_gap e value score b a) as (u & Hu & Eu).
  fold h in Et, Eu. fold x in H1. fold y in H2.
  rewrite (bilinear_along d A _ _ (fun k => value a k - value b k) t _ Et) in H1.
  rewrite (bilinear_along d A _ _ (fun k => value b k - value a k) u _ Eu) in H2.
  rewrite !(bilinear_query d A (h y) (h x)) in H2 by (intros; symmetry; apply state_same).
  rewrite (bilinear_opposite d A (h x) (fun k => value a k - value b k) (fun k => value b k - value a k)) in H2
    by (intros; ring).
  set (B := bilinear d A (h x) (fun k => value a k - value b k)) in *.
  assert (P : 0 < t * B) by lra. assert (Q : 0 < u * - B) by lra.
  rewrite <- (Rmult_0_r t) in P. apply Rmult_lt_reg_l in P; [|exact Ht].
  rewrite <- (Rmult_0_r u) in Q. apply Rmult_lt_reg_l in Q; [|exact Hu]. lra.
Qed.
