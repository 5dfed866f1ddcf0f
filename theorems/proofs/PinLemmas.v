(******************************************************************************)
(*                               PIN LEMMAS                                   *)
(* Small facts that the generated gate uses to show that the registry's       *)
(* printed inequality and the statement in Statements.v say the same thing.   *)
(*                                                                            *)
(*          four_le == L >= 4 over the reals                                  *)
(*  error_le_weaken == an error bound may be enlarged                         *)
(*      mass_nonneg == the mass off BOS of a simplex row is not negative      *)
(*         P0_large == P0 >= 2/3 for eta <= kappa                             *)
(*    row_elsewhere == where a row is visible, L >= 3 and a non-trigger row   *)
(*                     exists                                                 *)
(*          premise == tactic: feed a universally quantified statement        *)
(******************************************************************************)
Require Import Reals List Lra Lia.
From Sinkproof Require Import Statements Sums.
Import ListNotations.
Open Scope R_scope.

Lemma four_le (L : nat) : (4 <= L)%nat -> 4 <= INR L.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Lemma error_le_weaken n L K out a b : a <= b -> error_le n L K out a -> error_le n L K out b.
Proof. intros ab H p v k kd. eapply Rle_trans; [apply (H p v k kd) | exact ab]. Qed.

Lemma mass_nonneg K L att p :
  simplex_attention K L att -> nontrigger_row K L p -> 0 <= 1 - bos_weight att p.
Proof.
  intros simplex [seen _]. destruct (simplex p seen) as (_ & nonneg & total).
  unfold bos_weight. destruct (att p) as [|a w]; simpl; [lra|].
  inversion nonneg as [|? ? a0 w0]; subst. rewrite sum_cons in total.
  pose proof (sum_nonneg w w0). lra.
Qed.

Lemma P0_large (L : nat) eta : 4 <= INR L -> eta <= kappa L -> 2 / 3 <= softmax_P0 L eta.
Proof.
  intros four small. unfold softmax_P0, kappa in *.
  assert (2 * eta / (INR L - 3) <= 1 / (2 * (INR L - 1))).
  { apply Rmult_le_reg_r with (INR L - 3); [lra|].
    replace (2 * eta / (INR L - 3) * (INR L - 3)) with (2 * eta) by (field; lra).
    replace (1 / (2 * (INR L - 1)) * (INR L - 3)) with (2 * ((INR L - 3) / (4 * (INR L - 1))))
      by (field; lra). lra. }
  assert (1 / (2 * (INR L - 1)) <= 1 / 6)
    by (unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_le_contravar; lra).
  lra.
Qed.

Lemma row_elsewhere K L q : visible K L q -> 3 <= INR L /\ exists p, nontrigger_row K L p.
Proof.
  intros (_ & rest & before & c & after & shape & nonempty & total & good & contents).
  destruct before as [|b before]; [simpl in nonempty; lia|]. split.
  - rewrite shape in total. simpl in total. rewrite app_length in total. simpl in total.
    assert (three : (3 <= L)%nat) by lia. apply le_INR in three. simpl in three. lra.
  - exists [Bos; Ordinary b]. split; [|exists b; reflexivity]. split; [discriminate|].
    exists (map Ordinary before ++ Trigger c :: map Ordinary after), (b :: before), c, after.
    repeat split; try tauto. rewrite <- total, shape. reflexivity.
Qed.

Ltac premise statement :=
  match type of statement with
  | forall _ : list token, _ =>
      match goal with p : list token |- _ => specialize (statement p) end
  | ?A -> _ => let proof := fresh in assert (proof : A) by (assumption || lra);
               specialize (statement proof); clear proof
  end.
