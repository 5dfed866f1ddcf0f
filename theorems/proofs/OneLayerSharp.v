(******************************************************************************)
(*                            ONE LAYER, SHARP                                *)
(* The witness that one_layer_sink cannot be improved. One content (zero),    *)
(* flags (o, t), R = 1/eps:                                                   *)
(*   v = (-eta, eta),  q = v + R (1/2 + 2 eta, 1/2 - 2 eta),  p = s (1, -1),  *)
(*   s = (2 kappa - 3 eta + eps eta) / (1 - eps).                             *)
(* The trigger's row mixes (1-eps) v + eps q and (1-eps) p + eps q so that    *)
(* its error runs from eta to -eta as j runs from 3 to L; the other rows put  *)
(* off = 2 eta / (s + eta) on themselves: an error of exactly eta.            *)
(*   sharp_att == these rows                                                  *)
(*   one_layer_sink_sharp_proof                                               *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.ThreeTokens.
Import ListNotations.
Open Scope R_scope.

Section Witness.
Variables (n L : nat) (eta eps : R).
Hypothesis HL : (4 <= L)%nat.
Hypothesis Heta : 0 <= eta.
Hypothesis Hk : 2 * eta <= kappa L.
Hypothesis Heps : 0 < eps < 1.

Let u := 1 / (INR L - 1).
Let vo := - eta.
Let vt := eta.
Let qo := - eta + (1/2 + 2 * eta) / eps.
Let qt := eta + (1/2 - 2 * eta) / eps.
Let s := (2 * kappa L - 3 * eta + eps * eta) / (1 - eps).
Let off := (1 - eps) * eta / (kappa L - eta).

(* theta = (u_j - u)/(1/2 - u) for u_j = 1/(j-1); 1/2 - u = 2 kappa *)
Definition theta (j : nat) : R := (1 / (INR j - 1) - u) / (2 * kappa L).

Definition sharp_att : attention := fun p =>
  match query p with
  | Bos => [1]
  | Ordinary _ => (1 - off) :: repeat 0 (length p - 2) ++ [off]
  | Trigger _ => let th := theta (length p) in
      th * (1 - eps) :: (1 - th) * (1 - eps) :: repeat 0 (length p - 3) ++ [eps]
  end.

Lemma off_bounds : 0 <= off <= 1 /\ off * (s + eta) = 2 * eta.
Proof.
  pose proof (kappa_pos L HL). assert (P : 0 < kappa L - eta) by lra.
  assert (E : off * (kappa L - eta) = (1 - eps) * eta) by (unfold off; field; lra).
  assert (0 <= eps * eta) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - eps) * eta) by (apply Rmult_le_pos; lra).
  split; [split|].
  - unfold off. apply Rle_mult_inv_pos; lra.
  - apply Rmult_le_reg_r with (kappa L - eta); lra.
  - unfold off, s. field. lra.
Qed.

Lemma theta_bounds j : (3 <= j <= L)%nat -> 0 <= theta j <= 1 /\ theta j * (1/2 - u) = 1 / (INR j - 1) - u.
Proof.
  intros (H1 & H2). apply le_INR in H1, H2. simpl in H1. pose proof (kappa_pos L HL).
  destruct (kappa_form L HL) as ((Hu0 & Hu1) & Hkap & _). fold u in Hu0, Hu1, Hkap.
  assert (E : theta j * (2 * kappa L) = 1 / (INR j - 1) - u) by (unfold theta; field; lra).
  assert (P1 : u <= 1 / (INR j - 1)).
  { unfold u, Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. }
  assert (P2 : 1 / (INR j - 1) <= 1/2).
  { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. }
  split; [split|].
  - unfold theta. apply Rle_mult_inv_pos; lra.
  - apply Rmult_le_reg_r with (2 * kappa L); lra.
  - rewrite <- E. f_equal. lra.
Qed.

Lemma sharp_simplex : simplex_attention zero_only L sharp_att.
Proof.
  intros p Hv. unfold sharp_att. destruct off_bounds as ((O0 & O1) & _).
  destruct (row_kinds _ _ _ Hv) as [->|[(q & c & -> & _)|(a & c & Hn & -> & _ & _ & Hl)]].
  - simpl. split; [reflexivity|]. split; [repeat constructor; lra|]. rewrite sum_cons, sum_nil. ring.
  - rewrite app_comm_cons, query_app. apply simplex_first_last; try lra. rewrite app_length; simpl; lia.
  - rewrite app_comm_cons, query_app. destruct a as [|x a]; [congruence|].
    assert (Hlen : length ((Bos :: map Ordinary (x :: a)) ++ [Trigger c]) = (length a + 3)%nat)
      by (rewrite app_length; simpl; rewrite map_length; lia).
    destruct (theta_bounds (length ((Bos :: map Ordinary (x :: a)) ++ [Trigger c]))) as ((T0 & T1) & _).
    { rewrite Hlen. simpl in Hl. lia. }
    apply simplex_first_second_last; try (apply Rmult_le_pos; lra); try lra. rewrite Hlen; lia.
Qed.

Lemma sharp_error : error_le n L zero_only (attention_output n (apply (n + 3) (columns vo vt s (- s) qo qt)) sharp_att) eta.
Proof.
  destruct off_bounds as (_ & EO). apply three_error; [exact Heta|]. intros p Hv. unfold sharp_att.
  destruct (row_kinds _ _ _ Hv) as [->|[(q & c & -> & Hr)|(a & c & Hn & -> & _ & _ & Hl)]].
  - simpl. rewrite !target_other by discriminate. unfold vo, vt. split; apply Rabs_le_iff; lra.
  - rewrite !(target_nontrigger _ _ _ _ Hr). rewrite app_comm_cons, query_app, <- app_comm_cons.
    rewrite !dot_first_last. simpl. unfold vo, vt. split; apply Rabs_le_iff; lra.
  - destruct (target_flags n a c) as (To & Tt). rewrite To, Tt.
    rewrite app_comm_cons, query_app, <- app_comm_cons.
    destruct a as [|x a]; [congruence|].
    change (Bos :: map Ordinary (x :: a) ++ [Trigger c]) with (Bos :: Ordinary x :: map Ordinary a ++ [Trigger c]).
    assert (Hlen : length (Bos :: Ordinary x :: map Ordinary a ++ [Trigger c]) = (length a + 3)%nat)
      by (simpl; rewrite app_length, map_length; simpl; lia).
    cbv zeta. rewrite !dot_first_second_last, Hlen.
    destruct (theta_bounds (length a + 3)) as ((T0 & T1) & ET); [simpl in Hl; lia|].
    set (th := theta (length a + 3)) in *.
    simpl length. simpl value_of. unfold flags.
    destruct (kappa_form L HL) as (_ & Hkap & _). fold u in Hkap.
    assert (Pa : 0 <= INR (length a)) by apply pos_INR.
    rewrite plus_INR in ET. replace (INR 3) with 3 in ET by (simpl; lra). rewrite S_INR.
    assert (Y : INR (length a) + 1 = (INR (length a) + 1 + 1) - 1) by ring.
    replace ((INR (length a) + 1) / (INR (length a) + 1 + 1)) with (1 - 1 / (INR (length a) + 3 - 1)) by (field; lra).
    replace (1 / (INR (length a) + 1 + 1)) with (1 / (INR (length a) + 3 - 1)) by (f_equal; ring).
    set (uj := 1 / (INR (length a) + 3 - 1)) in *. clearbody uj th.
    assert (Eq : eps * qo = - eps * eta + (1/2 + 2 * eta)) by (unfold qo; field; lra).
    assert (Et : eps * qt = eps * eta + (1/2 - 2 * eta)) by (unfold qt; field; lra).
    assert (Es : (1 - eps) * s = 2 * kappa L - 3 * eta + eps * eta) by (unfold s; field; lra).
    assert (B : - eta <= (2 * th - 1) * eta <= eta).
    { assert (0 <= th * eta) by (apply Rmult_le_pos; lra). assert (0 <= (1 - th) * eta) by (apply Rmult_le_pos; lra). lra. }
    split; apply Rabs_le_iff.
    + replace (th * (1 - eps) * vo + (1 - th) * (1 - eps) * s + eps * qo - (1 - uj)) with
        (th * (1 - eps) * vo + (1 - th) * ((1 - eps) * s) + eps * qo - (1 - uj)) by ring.
      rewrite Es, Eq, Hkap. unfold vo. replace uj with (th * (1/2 - u) + u) by (rewrite ET; ring).
      match goal with |- _ <= ?x <= _ => replace x with ((2 * th - 1) * eta) by field end. exact B.
    + replace (th * (1 - eps) * vt + (1 - th) * (1 - eps) * - s + eps * qt - uj) with
        (th * (1 - eps) * vt - (1 - th) * ((1 - eps) * s) + eps * qt - uj) by ring.
      rewrite Es, Et, Hkap. unfold vt. replace uj with (th * (1/2 - u) + u) by (rewrite ET; ring).
      match goal with |- _ <= ?x <= _ => replace x with (- ((2 * th - 1) * eta)) by field end. lra.
Qed.

Lemma sharp_exact : forall e,
  error_le n L zero_only (attention_output n (apply (n + 3) (columns vo vt s (- s) qo qt)) sharp_att) e -> eta <= e.
Proof.
  intros e He. pose proof (error_of_bos n L zero_only _ _ e trigger_coord ltac:(lia) zero_only_nonempty sharp_simplex He) as B.
  rewrite columns_apply in B by (intros k; reflexivity). simpl in B. unfold vt in B.
  rewrite Rabs_right in B by lra. apply B. unfold trigger_coord. lia.
Qed.

Lemma sharp_bos p : nontrigger_row zero_only L p -> (1 - bos_weight sharp_att p) * (kappa L - eta) = (1 - eps) * eta.
Proof.
  intros (_ & c & Hc). unfold bos_weight, sharp_att. rewrite Hc. simpl hd.
  pose proof (kappa_pos L HL). unfold off. field. lra.
Qed.

End Witness.

Theorem one_layer_sink_sharp_proof : one_layer_sink_sharp.
Proof.
  intros n L eta eps HL Heta Hk Heps.
  exists zero_only. eexists. exists (sharp_att L eta eps).
  split; [exact zero_only_nonempty|]. split; [apply sharp_simplex; assumption|].
  split; [split; [apply sharp_error; assumption|apply sharp_exact; assumption]|].
  apply sharp_bos; assumption.
Qed.
