(******************************************************************************)
(*                             CHAIN NETWORK                                  *)
(* The network with the whole life of a spike, and the same without its sink. *)
(*   write_square_is == x + c v (s . x)^2 16 / |x|^2                          *)
(*   up_bos, up_token, down_bos, down_still == the two steps on every state   *)
(*     logits_sink == the sink head's logits: the gap on BOS, 0 elsewhere     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith FunctionalExtensionality.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.LogitGap Sinkproof.Silu Sinkproof.NormSparsifies Sinkproof.SandwichBound.
Import ListNotations.
Open Scope R_scope.

Lemma sqrt_16 : sqrt (INR 16) = 4.
Proof. replace (INR 16) with (4 * 4) by (simpl; lra). apply sqrt_square. lra. Qed.

Lemma rms_16 x k : rms_norm 16 0 x k = 4 * x k / norm 16 x.
Proof. unfold rms_norm, norm. rewrite sqrt_16, Rmult_0_r, Rplus_0_r. reflexivity. Qed.

Lemma inner_rms s x : inner 16 s (rms_norm 16 0 x) = 4 * inner 16 s x / norm 16 x.
Proof.
  rewrite (inner_ext 16 s s _ (scale (4 / norm 16 x) x)); [|reflexivity|intros; rewrite rms_16; unfold scale, Rdiv; ring].
  rewrite inner_scale_r. unfold Rdiv. ring.
Qed.

Lemma write_square_is s v c x : 0 < inner 16 x x ->
  write_square s v c x = fun k => x k + c * v k * (16 * inner 16 s x ^ 2 / inner 16 x x).
Proof.
  intros P. apply functional_extensionality. intros k. unfold write_square. rewrite amplifier_pair_proof by apply silu_halves.
  rewrite inner_rms, <- (norm_sq 16 x). assert (0 < norm 16 x) by (apply sqrt_lt_R0, P). field. lra.
Qed.

Ltac sum_16 := unfold inner; rewrite !sum_below_S, sum_below_0; cbn -[IZR].

Lemma bos_square : inner 16 chain_bos chain_bos = 10.
Proof. sum_16. ring. Qed.

Lemma token_square e : signs e -> inner 16 (chain_token e) (chain_token e) = 16.
Proof.
  intros H. assert (Q : forall k, e k * e k = 1) by (intros k; destruct (H k) as [-> | ->]; ring). sum_16. rewrite !Q. ring.
Qed.

Definition risen : vec := fun k => chain_bos k + 2400 * chain_u k.

Lemma up_bos : step_up chain_bos = risen.
Proof.
  unfold step_up. rewrite write_square_is by (rewrite bos_square; lra). apply functional_extensionality. intros k.
  rewrite bos_square. replace (inner 16 chain_s chain_bos) with 2 by (sum_16; ring). unfold risen. field.
Qed.

Lemma up_token e : signs e -> step_up (chain_token e) = chain_token e.
Proof.
  intros H. unfold step_up. rewrite write_square_is by (rewrite token_square by exact H; lra). apply functional_extensionality. intros k.
  replace (inner 16 chain_s (chain_token e)) with 0 by (sum_16; ring). unfold Rdiv. ring.
Qed.

Lemma risen_square : inner 16 risen risen = 2400 ^ 2 + 10.
Proof. unfold risen. sum_16. field. Qed.

Lemma risen_u : inner 16 chain_u risen = 2400.
Proof. unfold risen. sum_16. field. Qed.

Lemma down_bos : step_down risen = chain_bos.
Proof.
  unfold step_down. rewrite write_square_is by (rewrite risen_square; lra). apply functional_extensionality. intros k.
  rewrite risen_square, risen_u. unfold risen. field.
Qed.

(* step_down leaves alone what has nothing along u *)
Lemma down_still x : inner 16 chain_u x = 0 -> 0 < inner 16 x x -> step_down x = x.
Proof.
  intros O P. unfold step_down. rewrite write_square_is by exact P. apply functional_extensionality. intros k. rewrite O. unfold Rdiv. ring.
Qed.

Lemma chain_value_risen : chain_value risen = fun _ => 0.
Proof.
  apply functional_extensionality. intros k. unfold chain_value. rewrite rms_16.
  set (n := norm 16 risen). unfold risen, chain_bos, chain_u.
  do 10 (destruct k as [|k]; [cbn -[IZR n]; unfold Rdiv; ring|]). reflexivity.
Qed.

Lemma softmax_single z : softmax [z] = [1].
Proof. unfold softmax. simpl. rewrite ?sum_cons, ?sum_nil. f_equal. pose proof (exp_pos z). field. lra. Qed.

Lemma head_bos sink : sink_head sink [risen] = risen.
Proof.
  apply functional_extensionality. intros k. unfold sink_head, chain_logits. cbn [map last]. rewrite softmax_single, chain_value_risen.
  unfold mix. simpl. ring.
Qed.

Lemma token_norm e : signs e -> norm 16 (chain_token e) = 4.
Proof. intros H. apply norm_is; [lra|]. rewrite token_square by exact H. ring. Qed.

Lemma ups es : Forall signs es -> map step_up (chain_bos :: map chain_token es) = risen :: map chain_token es.
Proof.
  intros H. cbn [map]. rewrite up_bos, map_map. f_equal. apply map_ext_in. intros e He. rewrite Forall_forall in H. apply up_token, H, He.
Qed.

Lemma last_token es e : last (risen :: map chain_token (es ++ [e])) chain_bos = chain_token e.
Proof. rewrite map_app. cbn [map]. rewrite app_comm_cons. apply last_last. Qed.

Lemma gap_value : 2 * (4 * 2 / 4) * (4 * 2400 / sqrt (2400 ^ 2 + 10)) = 16 / sqrt (1 + 10 / 2400 ^ 2).
Proof.
  replace (2400 ^ 2 + 10) with (2400 * 2400 * (1 + 10 / 2400 ^ 2)) by field.
  assert (P : 0 < 1 + 10 / 2400 ^ 2) by lra.
  rewrite sqrt_mult_alt, sqrt_square by lra. pose proof (sqrt_lt_R0 _ P). field. lra.
Qed.

Lemma logits_sink sink es e : Forall signs (es ++ [e]) ->
  chain_logits sink (risen :: map chain_token (es ++ [e])) =
  sink * (16 / sqrt (1 + 10 / 2400 ^ 2)) :: map (fun _ => 0) (es ++ [e]).
Proof.
  intros H. unfold chain_logits. rewrite last_token. rewrite Forall_forall in H.
  assert (Se : signs e) by (apply H, in_app_iff; right; left; reflexivity).
  rewrite !rms_16, token_norm by exact Se. replace (chain_token e 1%nat) with 2 by reflexivity. cbn [map]. f_equal.
  - rewrite inner_rms, risen_u. replace (norm 16 risen) with (sqrt (2400 ^ 2 + 10)) by (unfold norm; rewrite risen_square; reflexivity).
    rewrite <- gap_value. ring.
  - rewrite map_map. apply map_ext_in. intros x Hx. rewrite inner_rms. replace (inner 16 chain_u (chain_token x)) with 0 by (sum_16; ring).
    unfold Rdiv. ring.
Qed.

Lemma sup_is d x B k : 0 <= B -> (forall j, (j < d)%nat -> Rabs (x j) <= B) -> (k < d)%nat -> Rabs (x k) = B -> sup d x = B.
Proof. intros P H Hk E. apply Rle_antisym; [apply sup_le; assumption|]. rewrite <- E. apply sup_ge, Hk. Qed.

Lemma abs_le_of x B : - B <= x <= B -> Rabs x <= B.
Proof. apply Rabs_le_iff. Qed.

Lemma sup_risen : sup 16 risen = 1920.
Proof.
  apply (sup_is 16 risen 1920 3%nat); [lra| |lia|unfold risen; simpl; rewrite Rabs_pos_eq; lra].
  intros k Hk. apply abs_le_of. unfold risen, chain_bos, chain_u. do 16 (destruct k as [|k]; [cbn -[IZR]; lra|]). lia.
Qed.

Theorem spike_chain_network_proof : spike_chain_network.
Proof.
  intros es some H xs middle E. unfold middle. rewrite up_bos, head_bos, down_bos, sup_risen. split; [|split].
  - apply Rle_antisym; [|apply sup_nonneg]. apply sup_le; [lra|]. intros k _. unfold sub. rewrite Rminus_eq_0, Rabs_R0. lra.
  - apply Rmax_left. lra.
  - destruct (exists_last some) as (before & e & ->). unfold xs. rewrite ups, logits_sink by exact H. rewrite Rmult_1_l.
    set (gap := 16 / sqrt (1 + 10 / 2400 ^ 2)) in *. rewrite (logit_gap_attained_proof _ 0%nat gap).
    + cbn [length]. rewrite !map_length. unfold E. rewrite exp_Ropp. pose proof (exp_pos gap). rewrite S_INR.
      pose proof (pos_INR (length (before ++ [e]))). field. split; lra.
    + simpl. lia.
    + apply Forall_forall. intros y Hy. change (In y (map (fun _ : vec => 0) (before ++ [e]))) in Hy. apply in_map_iff in Hy.
      destruct Hy as (v & <- & _). simpl. ring.
Qed.

(* ------------------------------------------------- without the sink ------- *)

Lemma largest {A} (f : A -> R) B l : 0 <= B -> (forall x, In x l -> f x <= B) -> (exists x, In x l /\ f x = B) ->
  fold_right Rmax 0 (map f l) = B.
Proof.
  intros P H (x & Hx & E). apply Rle_antisym.
  - clear x Hx E. induction l as [|y l IH]; [exact P|]. simpl. apply Rmax_lub; [apply H; left; reflexivity|apply IH; intros; apply H; right; assumption].
  - rewrite <- E. clear E H. induction l as [|y l IH]; [destruct Hx|]. simpl. destruct Hx as [->|Hx]; [apply Rmax_l|].
    eapply Rle_trans; [apply IH, Hx|apply Rmax_r].
Qed.

Lemma token_entry e k : signs e -> Rabs (chain_token e k) <= 2 /\ (andb (4 <=? k)%nat (k <? 10)%nat = true -> Rabs (chain_token e k) <= 1).
Proof.
  intros H. assert (Q : Rabs (e k) <= 1) by (destruct (H k) as [-> | ->]; rewrite ?Rabs_R1, ?Rabs_Ropp, ?Rabs_R1; try (rewrite Rabs_left); lra).
  unfold chain_token. destruct k as [|[|k]].
  - cbn -[IZR]. rewrite Rabs_R0. split; intros; lra.
  - cbn -[IZR]. rewrite Rabs_pos_eq by lra. split; [lra|discriminate].
  - destruct (andb (4 <=? S (S k))%nat (S (S k) <? 16)%nat); rewrite ?Rabs_R0; split; intros; lra.
Qed.

Lemma value_entry x k : x = risen \/ (exists e, signs e /\ x = chain_token e) ->
  Rabs (chain_value x k) <= 1 /\ (andb (4 <=? k)%nat (k <? 10)%nat = false -> chain_value x k = 0).
Proof.
  intros H. unfold chain_value. destruct (andb (4 <=? k)%nat (k <? 10)%nat) eqn:D; [|rewrite Rabs_R0; split; intros; lra].
  split; [|discriminate]. destruct H as [->|(e & He & ->)].
  - assert (Z : chain_value risen k = 0) by (rewrite chain_value_risen; reflexivity). unfold chain_value in Z. rewrite D in Z.
    rewrite Z, Rabs_R0. lra.
  - rewrite rms_16, token_norm by exact He. replace (4 * chain_token e k / 4) with (chain_token e k) by field. apply token_entry; assumption.
Qed.

Lemma mix_entry w vs k : simplex_row (length vs) w -> (forall v, In v vs -> Rabs (v k) <= 1) -> Rabs (mix w vs k) <= 1.
Proof.
  intros S H. replace (mix w vs k) with (dot w (map (fun v : vec => v k) vs)) by reflexivity. apply Rabs_le_iff.
  assert (B : forall v, In v vs -> -1 <= v k <= 1) by (intros v Hv; apply Rabs_le_iff, H, Hv). split.
  - pose proof (simplex_mean_le (length vs) w 1 (fun v : vec => -1 * v k) vs S eq_refl) as L. rewrite dot_map_scal in L.
    assert (-1 * dot w (map (fun v : vec => v k) vs) <= 1) by (apply L; intros v Hv; specialize (B v Hv); lra). lra.
  - apply (simplex_mean_le (length vs) w 1 (fun v : vec => v k) vs S eq_refl). intros v Hv. apply B, Hv.
Qed.

Lemma softmax_row z : z <> [] -> simplex_row (length z) (softmax z).
Proof.
  intros H. split; [apply softmax_length|]. split; [|apply softmax_sum, H].
  eapply Forall_impl; [|apply softmax_pos]. intros; lra.
Qed.

Lemma mix_null w vs k : (forall v, In v vs -> v k = 0) -> mix w vs k = 0.
Proof.
  intros H. unfold mix. revert w. induction vs as [|v vs IH]; intros [|a w]; try reflexivity. simpl.
  rewrite IH by (intros; apply H; right; assumption). rewrite H by (left; reflexivity). ring.
Qed.

(* what the head leaves at a later position: entries at most 2, nothing along u, 2 at coordinate 1 *)
Lemma middle_token sink es e : Forall signs (es ++ [e]) -> let x := sink_head sink (risen :: map chain_token (es ++ [e])) in
  (forall k, Rabs (x k) <= 2) /\ x 2%nat = 0 /\ x 3%nat = 0 /\ x 1%nat = 2.
Proof.
  intros H x. rewrite Forall_forall in H.
  assert (Se : signs e) by (apply H, in_app_iff; right; left; reflexivity).
  set (xs := risen :: map chain_token (es ++ [e])) in *. set (vs := map chain_value xs).
  assert (V : forall v k, In v vs -> Rabs (v k) <= 1 /\ (andb (4 <=? k)%nat (k <? 10)%nat = false -> v k = 0)).
  { intros v k Hv. apply in_map_iff in Hv. destruct Hv as (y & <- & Hy). apply value_entry.
    destruct Hy as [<-|Hy]; [left; reflexivity|right]. apply in_map_iff in Hy. destruct Hy as (a & <- & Ha). exists a. auto. }
  assert (X : forall k, x k = chain_token e k + mix (softmax (chain_logits sink xs)) vs k).
  { intros k. unfold x, sink_head. unfold xs at 1. rewrite last_token. reflexivity. }
  assert (Off : forall k, andb (4 <=? k)%nat (k <? 10)%nat = false -> x k = chain_token e k).
  { intros k D. rewrite X, mix_null; [ring|]. intros v Hv. apply V; assumption. }
  split; [|split; [|split]]; try (rewrite Off by reflexivity; reflexivity).
  intros k. destruct (andb (4 <=? k)%nat (k <? 10)%nat) eqn:D; [|rewrite Off by exact D; apply token_entry, Se].
  rewrite X. eapply Rle_trans; [apply Rabs_triang|]. destruct (token_entry e k Se) as (_ & T). specialize (T D).
  assert (Rabs (mix (softmax (chain_logits sink xs)) vs k) <= 1); [|lra]. apply mix_entry; [|intros v Hv; apply V, Hv].
  unfold vs. rewrite map_length. replace (length xs) with (length (chain_logits sink xs)) by apply map_length. apply softmax_row. discriminate.
Qed.

Lemma down_middle x : (forall k, Rabs (x k) <= 2) /\ x 2%nat = 0 /\ x 3%nat = 0 /\ x 1%nat = 2 -> step_down x = x.
Proof.
  intros (_ & X2 & X3 & X1). apply down_still.
  - sum_16. rewrite X2, X3. ring.
  - apply Rlt_le_trans with (x 1%nat * x 1%nat); [rewrite X1; lra|].
    apply (sum_below_term 16 (fun k => x k * x k) 1%nat); [lia|]. intros; apply Rle_0_sqr.
Qed.

Lemma sup_small d x : (forall k, Rabs (x k) <= 2) -> sup d x <= 1920.
Proof. intros H. apply sup_le; [lra|]. intros k _. specialize (H k). lra. Qed.

Lemma bos_small k : Rabs (chain_bos k) <= 2.
Proof.
  unfold chain_bos. destruct k; [rewrite Rabs_pos_eq; lra|]. destruct (andb _ _); rewrite ?Rabs_R0, ?Rabs_R1; lra.
Qed.

Theorem spikes_without_sinks_proof : spikes_without_sinks.
Proof.
  intros es some H xs. pose proof H as H'. rewrite Forall_forall in H'. split.
  - assert (M : forall x, In x (map (fun i => sink_head 0 (firstn i (map step_up xs))) (seq 1 (length xs))) ->
      x = risen \/ ((forall k, Rabs (x k) <= 2) /\ x 2%nat = 0 /\ x 3%nat = 0 /\ x 1%nat = 2)).
    { intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi. unfold xs. rewrite ups by exact H.
      destruct i as [|j]; [lia|]. cbn [firstn]. rewrite firstn_map.
      assert (F : Forall signs (firstn j es)).
      { apply Forall_forall. intros e He. apply H'. rewrite <- (firstn_skipn j es). apply in_app_iff. left. exact He. }
      destruct (firstn j es) as [|a l] eqn:E; [left; apply head_bos|]. right.
      destruct (@exists_last _ (a :: l) ltac:(discriminate)) as (b & e & Eb). rewrite Eb in F |- *. apply middle_token. exact F. }
    apply largest; [lra| |].
    + intros x Hx. unfold chain_states in Hx. rewrite !in_app_iff in Hx. destruct Hx as [Hx|[Hx|[Hx|Hx]]].
      * destruct Hx as [<-|Hx]; [apply sup_small, bos_small|]. apply in_map_iff in Hx. destruct Hx as (e & <- & He).
        apply sup_small. intros k. apply token_entry. auto.
      * unfold xs in Hx. rewrite ups in Hx by exact H. destruct Hx as [<-|Hx]; [rewrite sup_risen; lra|].
        apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply sup_small. intros k. apply token_entry. auto.
      * apply M in Hx. destruct Hx as [->|(B & _)]; [rewrite sup_risen; lra|apply sup_small, B].
      * apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). apply M in Hy. destruct Hy as [->|Y].
        { rewrite down_bos. apply sup_small, bos_small. }
        { rewrite down_middle by exact Y. apply sup_small, Y. }
    + exists risen. split; [|apply sup_risen]. unfold chain_states. rewrite !in_app_iff. right. left. unfold xs. rewrite ups by exact H. left. reflexivity.
  - unfold xs. destruct (exists_last some) as (before & e & ->). rewrite ups, logits_sink by exact H. rewrite Rmult_0_l.
    rewrite (logit_gap_attained_proof _ 0%nat 0).
    + cbn [length]. rewrite !map_length, Ropp_0, exp_0, S_INR. pose proof (pos_INR (length (before ++ [e]))). field. lra.
    + simpl. lia.
    + apply Forall_forall. intros y Hy. change (In y (map (fun _ : vec => 0) (before ++ [e]))) in Hy. apply in_map_iff in Hy.
      destruct Hy as (v & <- & _). simpl. ring.
Qed.
