(******************************************************************************)
(*                               NONVACUOUS                                   *)
(* Every hypothesis set of Statements.v has a witness: no theorem there is    *)
(* true for want of an instance.                                              *)
(*   nonvacuous_rows == rows before, at and after the trigger exist           *)
(*   nonvacuous_X == a model (or numbers) that meets the hypotheses of X      *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.ThreeTokens.
Require Import Sinkproof.OneLayerSharp Sinkproof.SoftmaxRows Sinkproof.Anchor Sinkproof.ModelsTests.
Import ListNotations.
Open Scope R_scope.

Example nonvacuous_rows K L : nonempty K -> (4 <= L)%nat ->
  (exists p, before_trigger_row K L p) /\
  (exists p c, visible K L p /\ query p = Trigger c) /\
  (exists p, after_trigger_row K L p).
Proof.
  intros (c & Hc) HL. split; [|split].
  - exists (Bos :: map Ordinary [c]). apply before_trigger_intro; try discriminate; try (simpl; lia).
    exists c; exact Hc. repeat constructor; exact Hc.
  - exists (Bos :: map Ordinary [c] ++ Trigger c :: map Ordinary []), c. split; [|reflexivity].
    apply trigger_visible; try (repeat constructor; exact Hc); try exact Hc; simpl; lia.
  - exists (Bos :: map Ordinary [c] ++ Trigger c :: map Ordinary [c]).
    apply after_trigger_intro; try discriminate; try (repeat constructor; exact Hc); try exact Hc; simpl; lia.
Qed.

(* one_layer_sink, _linear, _epsilon: a model with any error up to kappa / 2 *)
Example nonvacuous_one_layer n L eta : (4 <= L)%nat -> 0 <= eta -> 2 * eta <= kappa L ->
  exists K M att, nonempty K /\ simplex_attention K L att /\ error_is n L K (attention_output n (apply (n + 3) M) att) eta.
Proof.
  intros HL H0 H1. destruct (one_layer_sink_sharp_proof n L eta (1/2)) as (K & M & att & A & B & C & _); try assumption; [lra|].
  exists K, M, att. auto.
Qed.

Example nonvacuous_one_layer_sharp : exists L eta eps, (4 <= L)%nat /\ 0 < eta /\ 2 * eta <= kappa L /\ 0 < eps < 1.
Proof. exists 4%nat, (1/24), (1/2). unfold kappa. simpl. repeat split; lra || lia. Qed.

(* sink_price: half of the mass off BOS, at error kappa / 2 *)
Example nonvacuous_price n L : (4 <= L)%nat -> exists K M att eta,
  nonempty K /\ simplex_attention K L att /\ error_le n L K (attention_output n (apply (n + 3) M) att) eta /\
  exists p, nontrigger_row K L p /\ bos_weight att p <= 1 - 1/2.
Proof.
  intros HL. pose proof (kappa_pos L HL) as Hk.
  destruct (one_layer_sink_sharp_proof n L (kappa L / 2) (1/2)) as (K & M & att & A & B & C & D); try assumption; try lra.
  exists K, M, att, (kappa L / 2). split; [exact A|]. split; [exact B|]. split; [apply C|].
  destruct (nonvacuous_rows K L A HL) as ((p & Hp & _) & _). exists p. split; [exact Hp|].
  specialize (D p Hp). apply Rmult_le_reg_r with (kappa L / 2); lra.
Qed.

(* the softmax bounds: the softmax family with one content, any small error *)
Lemma zero_content_sup n : content_sup n zero_only 0.
Proof. split; [split; [lra|]|]. intros c k H _; rewrite H, Rabs_R0; lra. intros B (H & _); exact H. Qed.

Lemma family_small n L delta : (4 <= L)%nat -> 0 < delta -> exists s eta, 0 < eta < delta /\
  error_le n L zero_only (attention_output n (apply (n + 3) off_bos) (bilinear_softmax n (bos_scores s (- s)))) eta.
Proof.
  intros HL Hd. pose proof (INR_4 L HL) as HL4. set (X := INR L / delta).
  assert (HX : 0 < X) by (apply Rdiv_lt_0_compat; lra). assert (EX : X * delta = INR L) by (unfold X; field; lra).
  exists (ln X), ((INR L - 2) / (X + INR L - 2)).
  destruct (softmax_family_proof n L zero_only 0 (ln X) HL zero_only_nonempty (zero_content_sup n)) as ((H & _) & _).
  rewrite exp_ln in H by exact HX. split; [split|].
  - apply Rdiv_lt_0_compat; lra.
  - apply Rmult_lt_reg_r with (X + INR L - 2); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
    assert (0 < delta * (INR L - 2)) by (apply Rmult_lt_0_compat; lra). lra.
  - intros p Hp k Hk. eapply Rle_trans; [apply H; assumption|]. apply Rmax_lub; [lra|].
    unfold Rdiv. rewrite !Rmult_0_l. apply Rle_mult_inv_pos; lra.
Qed.

Example nonvacuous_softmax n L : (4 <= L)%nat -> exists K M att score eta,
  nonempty K /\ simplex_attention K L att /\ trigger_rows_softmax K L score att /\
  error_le n L K (attention_output n (apply (n + 3) M) att) eta /\
  0 < eta <= kappa L /\ ((5 <= L)%nat -> 18 * eta < INR L - 4).
Proof.
  intros HL. destruct (family_small n L (1/100) HL ltac:(lra)) as (s & eta & He & H).
  exists zero_only, off_bos, (bilinear_softmax n (bos_scores s (- s))),
    (fun x y => bilinear (n + 3) (bos_scores s (- s)) (embed n x) (embed n y)), eta.
  split; [exact zero_only_nonempty|]. split.
  - apply softmax_rows_simplex_proof. intros p. apply map_length.
  - split; [intros p c _ _; reflexivity|]. split; [exact H|]. pose proof (kappa_ge L HL). split; [lra|].
    intros H5. apply le_INR in H5. simpl in H5. lra.
Qed.

Example nonvacuous_softmax_after_sharp : exists L eta small,
  (4 <= L)%nat /\ 0 < eta /\ eta <= kappa L /\ 0 < small.
Proof. exists 4%nat, (1/20), 1. unfold kappa. simpl. repeat split; lra || lia. Qed.

Example nonvacuous_softmax_before_sharp : exists eta small, 0 < eta /\ eta <= 1/12 /\ 0 < small.
Proof. exists (1/12), 1. lra. Qed.

Example nonvacuous_deletion : exists n V score x y b e e',
  let out := attention_output n V (pair_softmax score) in
  let long := [Bos; Ordinary x; Ordinary y; Trigger b] in
  let short := [Bos; Ordinary y; Trigger b] in
  0 < e /\ 0 < e' /\ e + e' <= 1/6 /\
  Rabs (out long ordinary_coord - target n long ordinary_coord) <= e /\
  Rabs (out short ordinary_coord - target n short ordinary_coord) <= e'.
Proof.
  destruct (family_small 0 4 (1/100) (le_n 4) ltac:(lra)) as (s & eta & He & H).
  exists 0%nat, (apply 3 off_bos), (fun x y => bilinear 3 (bos_scores s (- s)) (embed 0 x) (embed 0 y)), zero, zero, zero, eta, eta.
  cbv zeta. split; [lra|]. split; [lra|]. split; [lra|].
  assert (Z : zero_only zero) by (intros k; reflexivity).
  split; apply H; try (unfold ordinary_coord; simpl; lia).
  - apply (trigger_visible zero_only 4 [zero; zero] zero []); try (repeat constructor; exact Z); try exact Z; simpl; lia.
  - apply (trigger_visible zero_only 4 [zero] zero []); try (repeat constructor; exact Z); try exact Z; simpl; lia.
Qed.

(* one content, and a bound that says something: the chance of failure is below one *)
Example nonvacuous_average n L : (4 <= L)%nat -> exists mu V att score eta s,
  is_law mu /\ simplex_attention (support mu) L att /\ trigger_rows_softmax (support mu) L score att /\
  mean_error_le n L mu (attention_output n V att) eta /\ 0 < s <= 1/6 /\
  ((INR L - 2) * (INR L - 1) / 2 + 1) * eta < 1 * s.
Proof.
  intros HL. pose proof (INR_4 L HL) as HL4. set (N := (INR L - 2) * (INR L - 1) / 2 + 1).
  assert (HN : 0 < N) by (assert (0 <= (INR L - 2) * (INR L - 1)) by (apply Rmult_le_pos; lra); unfold N; lra).
  destruct (family_small n L (1/6/N) HL) as (t & eta & He & H); [apply Rdiv_lt_0_compat; lra|].
  assert (Hmu : is_law [(zero, 1)]) by (split; [repeat constructor; simpl; lra|simpl; rewrite sum_cons, sum_nil; ring]).
  exists [(zero, 1)], (apply (n + 3) off_bos), (bilinear_softmax n (bos_scores t (- t))),
    (fun x y => bilinear (n + 3) (bos_scores t (- t)) (embed n x) (embed n y)), eta, (1/6).
  split; [exact Hmu|]. split; [apply softmax_rows_simplex_proof; intros p; apply map_length|].
  split; [intros p c _ _; reflexivity|]. split; [|split; [lra|]].
  - apply mean_error_of_error; [exact HL|exact Hmu|]. intros p Hp. apply H.
    destruct Hp as (Hn & r & a & c & b & E & La & Hl & Ka & Kc & Kb). split; [exact Hn|]. exists r, a, c, b.
    assert (G : forall x, support [(zero, 1)] x -> zero_only x) by (intros x [<-|[]] k; reflexivity).
    repeat split; try assumption; try (apply G; assumption); eapply Forall_impl; try exact G; assumption.
  - assert (N * eta < N * (1/6/N)) by (apply Rmult_lt_compat_l; lra).
    replace (N * (1/6/N)) with (1/6) in * by (field; lra). lra.
Qed.

Example nonvacuous_family n L : (4 <= L)%nat -> exists K C, nonempty K /\ content_sup (S n) K C /\ C = 1.
Proof.
  intros _. exists (fun c => c = fun _ => 1), 1. split; [eexists; reflexivity|]. split; [|reflexivity]. split.
  - split; [lra|]. intros c k -> _. rewrite Rabs_R1. lra.
  - intros B (_ & H). specialize (H (fun _ => 1) 0%nat eq_refl ltac:(lia)). cbv beta in H. rewrite Rabs_R1 in H. exact H.
Qed.

Example nonvacuous_anchor n L : (4 <= L)%nat -> exists K M att,
  nonempty K /\ simplex_attention_no_bos K L att /\ error_no_bos_le n L K (attention_output n (apply (n + 3) M) att) (kappa L).
Proof. intros HL. exact (anchor_needed_attained_proof n L HL). Qed.

(* deep_sink: one_layer's witness, then D - 1 layers that hand every state on *)
Definition identity : matrix := fun i k => if (i =? k)%nat then 1 else 0.

Lemma apply_identity d x i : (i < d)%nat -> apply d identity x i = x i.
Proof.
  intros Hi. unfold apply, identity. rewrite (sum_below_one d i) by
    (try exact Hi; intros k _ Hk; rewrite (proj2 (Nat.eqb_neq i k)) by auto; ring).
  rewrite Nat.eqb_refl. ring.
Qed.

Definition hand_on : attention := fun p => repeat 0 (length p - 1) ++ [1].

Lemma hand_on_layer n state p k : p <> [] -> (k < n + 3)%nat -> layer n identity hand_on state p k = state p k.
Proof.
  intros Hn Hk. unfold layer, hand_on. destruct (length p) as [|m] eqn:E; [destruct p; [congruence|discriminate]|].
  rewrite seq_S. rewrite <- (seq_length m 1) at 1.
  replace (S (length (seq 1 m)) - 1)%nat with (length (seq 1 m ++ [(1 + m)%nat]) - 1)%nat by (rewrite app_length; simpl; lia).
  rewrite (dot_last (fun i => apply (n + 3) identity (state (firstn i p)) k)).
  rewrite apply_identity by exact Hk. change (1 + m)%nat with (S m). rewrite <- E, firstn_all. reflexivity.
Qed.

Lemma map_query_firstn {A} (f : token -> A) p : map (fun i => f (query (firstn i p))) (seq 1 (length p)) = map f p.
Proof.
  induction p as [|t p IH] using rev_ind; [reflexivity|].
  rewrite app_length, Nat.add_1_r, seq_S, !map_app, <- IH. f_equal.
  - apply map_ext_in. intros i Hi. apply in_seq in Hi. rewrite firstn_app.
    replace (i - length p)%nat with 0%nat by lia. rewrite firstn_O, app_nil_r. reflexivity.
  - cbn [map]. rewrite firstn_all2 by (rewrite app_length; simpl; lia). rewrite query_app. reflexivity.
Qed.

Definition then_identity (M : matrix) (l : nat) : matrix := match l with O => M | _ => identity end.
Definition then_hand_on (att : attention) (l : nat) : attention := match l with O => att | _ => hand_on end.

Example nonvacuous_deep n L D : (4 <= L)%nat -> (1 <= D)%nat -> exists K M att eta,
  nonempty K /\ (forall l, (l < D)%nat -> simplex_attention K L (att l)) /\
  error_le n L K (stack n M att D) eta /\ 0 < eta < kappa L.
Proof.
  intros HL HD. pose proof (kappa_pos L HL) as Hk.
  destruct (nonvacuous_one_layer n L (kappa L / 2) HL) as (K & M & att & A & B & (C & _)); try lra.
  exists K, (then_identity M), (then_hand_on att), (kappa L / 2).
  split; [exact A|]. split; [|split; [|lra]].
  - intros [|l] _; [exact B|]. intros p (Hp & _). apply simplex_last. destruct p; [congruence|simpl; lia].
  - destruct D as [|D]; [lia|]. clear HD. intros p Hp k Hkn.
    assert (Hn : p <> []) by apply Hp. replace (stack n _ _ (S D) p k) with (attention_output n (apply (n + 3) M) att p k); [apply C; assumption|].
    revert p Hp Hn k Hkn. induction D as [|D IH]; intros p Hp Hn k Hkn.
    + simpl. unfold layer, attention_output. f_equal. symmetry. apply (map_query_firstn (fun t => apply (n + 3) M (embed n t) k)).
    + change (stack n (then_identity M) (then_hand_on att) (S (S D)) p k)
        with (layer n identity hand_on (stack n (then_identity M) (then_hand_on att) (S D)) p k).
      rewrite hand_on_layer by assumption. apply IH; assumption.
Qed.

Example nonvacuous_relu L : (4 <= L)%nat ->
  (exists p c, visible every_content L p /\ query p = Trigger c) /\ (exists p, nontrigger_row every_content L p).
Proof.
  intros HL. destruct (nonvacuous_rows every_content L) as ((p & Hp & _) & Ht & _); [exists (fun _ => 0); exact I|exact HL|].
  split; [exact Ht|]. exists p. exact Hp.
Qed.

(* two_heads, residual_two_layers *)
Example nonvacuous_unit_box n L : (4 <= L)%nat ->
  (exists p, before_trigger_row (unit_box n) L p) /\ (exists p, after_trigger_row (unit_box n) L p).
Proof.
  intros HL. destruct (nonvacuous_rows (unit_box n) L) as (H1 & _ & H2); [exists zero; intros k _; unfold zero; lra|exact HL|].
  split; assumption.
Qed.
