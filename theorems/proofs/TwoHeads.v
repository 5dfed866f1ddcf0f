(******************************************************************************)
(*                                TWO HEADS                                   *)
(* Two softmax heads with opposite value maps: uniform off the trigger, where *)
(* they cancel; at the trigger one avoids BOS and the other goes to BOS.      *)
(*       visible_body == a visible prefix is BOS and tokens other than BOS    *)
(*      off_bos_output == a head with weight w on every non-BOS token and     *)
(*                        value map off_bos writes w times their sum          *)
(*         body_bound  == that sum is at most the number of tokens            *)
(*       uniform_rows  == the BOS weight is 1/i at a non-trigger position i   *)
(*       trigger_gap   == the error at the trigger, for r visible tokens      *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Lists.
Import ListNotations.
Open Scope R_scope.

(* a visible prefix is BOS and a body without BOS *)
Lemma visible_body K L p : visible K L p -> exists r,
  p = Bos :: r /\ ~ In Bos r /\ (length r + 1 <= L)%nat /\
  Forall (fun t => match t with Bos => False | Trigger c => K c | Ordinary c => K c end) r.
Proof.
  assert (O : forall cs, ~ In Bos (map Ordinary cs)).
  { intros cs H. apply in_map_iff in H. destruct H as (x & E & _). discriminate. }
  assert (F : forall cs, Forall K cs ->
    Forall (fun t => match t with Bos => False | Trigger c => K c | Ordinary c => K c end) (map Ordinary cs)).
  { intros cs H. apply Forall_forall. intros t Ht. apply in_map_iff in Ht. destruct Ht as (x & <- & Hx).
    rewrite Forall_forall in H. auto. }
  intros Hv. destruct (visible_cases K L p Hv) as [(cs & -> & H)|(a & c & b & -> & Ha & Hc & Hb & La & Hl)].
  - exists (map Ordinary cs). rewrite map_length. repeat split; [apply O|lia|apply F, H].
  - exists (map Ordinary a ++ Trigger c :: map Ordinary b). rewrite app_length. simpl. rewrite !map_length.
    repeat split; [|lia|].
    + intros H. apply in_app_or in H. destruct H as [H|[H|H]]; [exact (O _ H)|discriminate|exact (O _ H)].
    + apply Forall_app. split; [auto|]. constructor; auto.
Qed.

Definition body_sum (n : nat) (r : list token) (k : nat) : R := sum (map (fun t => embed n t k) r).

Lemma body_bound n r k :
  Forall (fun t => match t with Bos => False | Trigger c => unit_box n c | Ordinary c => unit_box n c end) r ->
  - INR (length r) <= body_sum n r k <= INR (length r).
Proof.
  intros H. apply Rabs_le_iff. unfold body_sum. rewrite <- (Rmult_1_r (INR (length r))).
  apply sum_map_abs. intros t Ht. apply Rabs_le_iff. apply embed_bounds.
  rewrite Forall_forall in H. specialize (H t Ht). destruct t; auto.
Qed.

(* off_bos on one token *)
Definition off_bos_value (n : nat) (t : token) (k : nat) : R := match k with O => 0 | _ => embed n t k end.

Lemma apply_off_bos_embed n t k : (k < n + 3)%nat -> apply (n + 3) off_bos (embed n t) k = off_bos_value n t k.
Proof. intros H. rewrite apply_off_bos by exact H. destruct k; reflexivity. Qed.

Lemma off_bos_sum n r k : ~ In Bos r -> sum (map (fun t => off_bos_value n t k) r) = body_sum n r k.
Proof.
  intros H. unfold body_sum. f_equal. apply map_ext_in. intros t Ht.
  destruct k; [|reflexivity]. destruct t; [contradiction|reflexivity..].
Qed.

Lemma off_bos_bos n k : off_bos_value n Bos k = 0.
Proof.
  destruct k as [|[|[|k]]]; try reflexivity. simpl. destruct (k <? n)%nat; reflexivity.
Qed.

Lemma off_bos_output n att r a w k : (k < n + 3)%nat -> ~ In Bos r ->
  att (Bos :: r) = a :: repeat w (length r) ->
  attention_output n (apply (n + 3) off_bos) att (Bos :: r) k = w * body_sum n r k.
Proof.
  intros Hk Hr E. unfold attention_output. rewrite E. simpl map. simpl dot.
  rewrite apply_off_bos_embed, off_bos_bos by exact Hk.
  rewrite (map_ext (fun t => apply (n + 3) off_bos (embed n t) k) (fun t => off_bos_value n t k))
    by (intros; apply apply_off_bos_embed; exact Hk).
  rewrite dot_constant_map, off_bos_sum by exact Hr. ring.
Qed.

(* the same head with the value map negated *)
Lemma negated_output n att p k : attention_output n (apply (n + 3) (fun i j => - off_bos i j)) att p k =
  - attention_output n (apply (n + 3) off_bos) att p k.
Proof.
  unfold attention_output. transitivity (dot (att p) (map (fun t => -1 * apply (n + 3) off_bos (embed n t) k) p)).
  - apply dot_map_ext. intros t _. unfold apply. rewrite <- sum_below_scal. apply sum_below_ext. intros; ring.
  - rewrite dot_map_scal. ring.
Qed.

Lemma bos_scores_row n o t r : ~ In Bos r ->
  let z := bos_logit o t (query (Bos :: r)) in
  bilinear_softmax n (bos_scores o t) (Bos :: r) =
  exp z / (exp z + INR (length r)) :: repeat (1 / (exp z + INR (length r))) (length r).
Proof. intros H. unfold bilinear_softmax. rewrite bos_scores_logits by exact H. apply softmax_head. Qed.

(* off the trigger, whatever the trigger scores *)
Lemma uniform_rows n L K s p : nontrigger_row K L p ->
  bos_weight (bilinear_softmax n (bos_scores 0 s)) p = / INR (length p).
Proof.
  intros [Hv (c & Q)]. destruct (visible_body _ _ _ Hv) as (r & -> & Hr & _).
  pose proof (bos_scores_row n 0 s r Hr) as E. cbv zeta in E. rewrite Q in E. simpl bos_logit in E. rewrite exp_0 in E.
  unfold bos_weight. rewrite E. simpl hd. simpl length. rewrite S_INR. pose proof (pos_INR (length r)). field. lra.
Qed.

(* E = e^s: the weights 1/(1/E + r) - 1/(E + r) against the mean's 1/r *)
Lemma trigger_gap E r S : 0 < E -> 1 <= r -> - r <= S <= r ->
  Rabs (1 / (/ E + r) * S + - (1 / (E + r) * S) - S / r) <= (r + 1) * / E.
Proof.
  intros HE Hr HS. pose proof (Rinv_0_lt_compat E HE) as HD. set (D := / E) in *.
  assert (ED : E * D = 1) by (unfold D; field; lra).
  set (x := D / (r * (D + r)) + 1 / (E + r)).
  assert (X : 1 / (D + r) * S + - (1 / (E + r) * S) - S / r = - (x * S)) by (unfold x; field; lra).
  assert (X0 : 0 <= x).
  { unfold x. assert (0 < D / (r * (D + r))) by (apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
    assert (0 < 1 / (E + r)) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (X1 : x * r <= (r + 1) * D).
  { assert (A : D / (r * (D + r)) * r <= D).
    { replace (D / (r * (D + r)) * r) with (D / (D + r)) by (field; lra).
      apply Rmult_le_reg_r with (D + r); [lra|]. replace (D / (D + r) * (D + r)) with D by (field; lra).
      assert (D * 1 <= D * (D + r)) by (apply mul_le_l; lra). lra. }
    assert (B : 1 / (E + r) <= D).
    { apply Rmult_le_reg_r with (E + r); [lra|]. replace (1 / (E + r) * (E + r)) with 1 by (field; lra).
      assert (0 <= D * r) by (apply Rmult_le_pos; lra). lra. }
    assert (C : r * (1 / (E + r)) <= r * D) by (apply mul_le_l; lra). unfold x. lra. }
  rewrite X. apply Rabs_le_iff.
  assert (x * S <= x * r) by (apply mul_le_l; lra). assert (x * (- r) <= x * S) by (apply mul_le_l; lra). lra.
Qed.

Theorem two_heads_proof : two_heads.
Proof.
  intros n L s att1 att2 out. split.
  - intros p Hv k Hk. destruct (visible_body _ _ _ Hv) as (r & -> & Hr & Hl & Hb).
    pose proof (bos_scores_row n 0 (- s) r Hr) as E1. pose proof (bos_scores_row n 0 s r Hr) as E2.
    cbv zeta in E1, E2. pose proof (exp_pos (- s)) as HP.
    assert (HL1 : INR (length r) + 1 <= INR L) by (rewrite <- S_INR; apply le_INR; lia).
    unfold out. rewrite negated_output.
    rewrite (off_bos_output n att1 r _ _ k Hk Hr E1), (off_bos_output n att2 r _ _ k Hk Hr E2).
    destruct (query (Bos :: r)) eqn:Q.
    1, 3 : rewrite target_other by (rewrite Q; discriminate); simpl bos_logit;
      match goal with |- Rabs ?x <= _ => replace x with 0 by ring end; rewrite Rabs_R0;
      apply Rmult_le_pos; [pose proof (pos_INR L)|]; lra.
    assert (Hr1 : (1 <= length r)%nat) by (destruct r; [discriminate|simpl; lia]).
    assert (Hr1' : 1 <= INR (length r)) by (apply (le_INR 1); exact Hr1).
    assert (T : target n (Bos :: r) k = body_sum n r k / INR (length r)).
    { unfold target. rewrite Q. unfold mean_of_tokens. simpl tl. simpl length. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity. }
    rewrite T. simpl bos_logit. rewrite exp_Ropp. rewrite exp_Ropp in HP.
    eapply Rle_trans; [apply trigger_gap; [apply exp_pos|exact Hr1'|apply body_bound; exact Hb]|].
    apply Rmult_le_compat_r; lra.
  - intros p Hp. unfold att1, att2. rewrite !(uniform_rows _ _ _ _ _ Hp). repeat split.
    destruct Hp as [Hv (c & Q)]. destruct (visible_body _ _ _ Hv) as (r & -> & _).
    destruct r as [|t r]; [discriminate Q|]. simpl length. rewrite !S_INR. pose proof (pos_INR (length r)).
    replace (1/2) with (/ 2) by lra. apply Rinv_le_contravar; lra.
Qed.
