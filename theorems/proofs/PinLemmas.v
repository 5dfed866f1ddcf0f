(******************************************************************************)
(*                               PIN LEMMAS                                   *)
(* Small facts that the generated gate uses to show that the registry's       *)
(* printed inequality and the statement in Statements.v say the same thing.   *)
(*                                                                            *)
(*   four_le, four_back == L >= 4 over nat and over the reals; five_, one_    *)
(*  error_le_weaken == an error bound may be enlarged                         *)
(*  error_nonneg, error_no_bos_nonneg, mean_error_nonneg == it is >= 0        *)
(*     weight_range == the BOS weight of a simplex row is in [0, 1]           *)
(*      mass_nonneg == the mass off BOS of a simplex row is not negative      *)
(*     chance_range == a chance is in [0, 1]                                  *)
(*         P0_large == P0 >= 2/3 for eta <= kappa                             *)
(*  pair_visible, firstn_visible == rows that deep_sink speaks of             *)
(*    row_elsewhere == where a row is visible, L >= 3 and a non-trigger row   *)
(*                     exists                                                 *)
(******************************************************************************)
Require Import Reals List Lra Lia.
From Sinkproof Require Import Statements Sums Task Average.
Import ListNotations.
Open Scope R_scope.

Lemma four_le (L : nat) : (4 <= L)%nat -> 4 <= INR L.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Lemma four_back (L : nat) : 4 <= INR L -> (4 <= L)%nat.
Proof. intros H. apply INR_le. simpl. lra. Qed.

Lemma five_le (L : nat) : (5 <= L)%nat -> 5 <= INR L.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Lemma five_back (L : nat) : 5 <= INR L -> (5 <= L)%nat.
Proof. intros H. apply INR_le. simpl. lra. Qed.

Lemma one_le (D : nat) : (1 <= D)%nat -> 1 <= INR D.
Proof. intros H. apply le_INR in H. exact H. Qed.

Lemma one_back (D : nat) : 1 <= INR D -> (1 <= D)%nat.
Proof. intros H. apply INR_le. exact H. Qed.

Lemma error_le_weaken n L K out a b : a <= b -> error_le n L K out a -> error_le n L K out b.
Proof. intros ab H p v k kd. eapply Rle_trans; [apply (H p v k kd) | exact ab]. Qed.

Lemma error_nonneg n L K out eta : (4 <= L)%nat -> nonempty K -> error_le n L K out eta -> 0 <= eta.
Proof.
  intros four some. apply (error_le_nonneg n L K out eta [Bos]). apply bos_visible; [exact some | lia].
Qed.

Lemma pair_visible (K : content -> Prop) L c : (4 <= L)%nat -> K c -> visible K L [Bos; Ordinary c].
Proof.
  intros four good. apply (ordinary_visible K L [c]).
  - exists c; exact good.
  - lia.
  - repeat constructor; exact good.
  - simpl; lia.
Qed.

Lemma firstn_visible K L i p : (1 <= i)%nat -> visible K L p -> visible K L (firstn i p).
Proof.
  intros one (some & rest & valid). split.
  - destruct p as [|t p]; [congruence|]. destruct i as [|i]; [lia | discriminate].
  - exists (skipn i p ++ rest). rewrite app_assoc, firstn_skipn. exact valid.
Qed.

Lemma error_no_bos_nonneg n L K out eta :
  (4 <= L)%nat -> nonempty K -> error_no_bos_le n L K out eta -> 0 <= eta.
Proof.
  intros four (c & good) error. eapply Rle_trans; [apply Rabs_pos|].
  apply (error [Ordinary c]) with (k := 0%nat); [|lia].
  split; [discriminate|]. apply pair_visible; assumption.
Qed.

Lemma weight_range K L att p : simplex_attention K L att -> visible K L p -> 0 <= bos_weight att p <= 1.
Proof.
  intros simplex seen. destruct (simplex p seen) as (_ & nonneg & total).
  unfold bos_weight. destruct (att p) as [|a w]; simpl; [lra|].
  inversion nonneg as [|? ? a0 w0]; subst. rewrite sum_cons in total.
  pose proof (sum_nonneg w w0). lra.
Qed.

Lemma mass_nonneg K L att p :
  simplex_attention K L att -> nontrigger_row K L p -> 0 <= 1 - bos_weight att p.
Proof. intros simplex [seen _]. destruct (weight_range K L att p simplex seen). lra. Qed.

Lemma average_of_const mu L a : (4 <= L)%nat -> is_law mu -> average mu L (fun _ _ => a) = a.
Proof.
  intros four law. unfold average. rewrite (map_ext _ (fun _ => a)) by (intros; apply expect_const; exact law).
  rewrite sum_map_const, seq_length. field. apply not_0_INR. lia.
Qed.

Lemma chance_range mu L event : (4 <= L)%nat -> is_law mu -> 0 <= chance mu L event <= 1.
Proof.
  intros four law. unfold chance.
  split.
  - eapply Rle_trans; [right; symmetry; apply (average_of_const mu L 0 four law)|].
    apply average_le; try assumption. intros j cs _; destruct (event j cs); lra.
  - eapply Rle_trans; [|right; apply (average_of_const mu L 1 four law)].
    apply average_le; try assumption. intros j cs _; destruct (event j cs); lra.
Qed.

Lemma mean_error_nonneg n L mu out eta : (4 <= L)%nat -> is_law mu -> mean_error_le n L mu out eta -> 0 <= eta.
Proof.
  intros four law (err & bounded & mean). eapply Rle_trans; [|exact mean].
  rewrite <- (average_of_const mu L 0 four law). apply average_le; try assumption. intros j cs drawn.
  eapply Rle_trans; [apply Rabs_pos|]. apply (bounded j cs drawn 1%nat 0%nat); lia.
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
