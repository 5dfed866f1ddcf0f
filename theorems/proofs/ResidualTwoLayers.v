(******************************************************************************)
(*                          RESIDUAL, TWO LAYERS                              *)
(* With a residual stream two layers of one softmax head do without a sink:   *)
(* off the trigger a row attends to itself and doubles (layer 0), then halves *)
(* (layer 1); the trigger averages in layer 0 and rests on BOS in layer 1.    *)
(*     prefix_queries == the queries of the prefixes of p are p               *)
(*       softmax_mean == a softmax row keeps the bound of its values          *)
(*      softmax_self  == (0, ..., 0, s) gives its last value, up to e^(-s)    *)
(*      softmax_first == (z, 0, ..., 0) written out                           *)
(*             state1 == the states after layer 0                             *)
(*  nontrigger_output, trigger_output == the two cases of the error bound     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Lists Sinkproof.TwoHeads.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- lists ------------------ *)

Lemma prefix_queries p : map (fun i => query (firstn i p)) (seq 1 (length p)) = p.
Proof.
  induction p as [|t p IH] using rev_ind; [reflexivity|].
  rewrite app_length. simpl length. rewrite Nat.add_1_r, seq_S, map_app. cbn [map].
  transitivity (map (fun i => query (firstn i p)) (seq 1 (length p)) ++ [t]); [|rewrite IH; reflexivity]. f_equal.
  - apply map_ext_in. intros i Hi. apply in_seq in Hi. rewrite firstn_app.
    replace (i - length p)%nat with 0%nat by lia. simpl. rewrite app_nil_r. reflexivity.
  - rewrite firstn_all2 by (rewrite app_length; simpl; lia). rewrite query_app. reflexivity.
Qed.

Lemma softmax_mean {A} z (f : A -> R) (l : list A) B : z <> [] -> length z = length l ->
  (forall a, In a l -> - B <= f a <= B) -> - B <= dot (softmax z) (map f l) <= B.
Proof.
  intros Hz Hl Hf.
  assert (Hp : Forall (fun a => 0 <= a) (softmax z)).
  { generalize (softmax_pos z). apply Forall_impl. intros; lra. }
  assert (C : forall c, dot (softmax z) (map (fun _ => c) l) = c).
  { intros c. rewrite dot_const_map by (rewrite softmax_length; exact Hl). rewrite softmax_sum by exact Hz. ring. }
  split.
  - rewrite <- (C (- B)). apply dot_map_le; [exact Hp|]. intros a Ha. apply Hf; exact Ha.
  - rewrite <- (C B). apply dot_map_le; [exact Hp|]. intros a Ha. apply Hf; exact Ha.
Qed.

Lemma sum_bounds {A} (f : A -> R) (l : list A) B : (forall a, In a l -> - B <= f a <= B) ->
  - (INR (length l) * B) <= sum (map f l) <= INR (length l) * B.
Proof. intros H. apply Rabs_le_iff, sum_map_abs. intros a Ha. apply Rabs_le_iff. auto. Qed.

Lemma dot_tail w z m f : dot (repeat w m ++ [z]) (map f (seq 1 (S m))) = w * sum (map f (seq 1 m)) + z * f (S m).
Proof.
  rewrite seq_S, map_app. rewrite dot_app by (rewrite repeat_length, map_length, seq_length; reflexivity).
  rewrite <- (seq_length m 1) at 1. rewrite <- (map_length f (seq 1 m)), dot_constant. simpl. ring.
Qed.

Lemma inverse_bound E a m : 0 < E -> 0 <= m -> 0 <= a -> a / (m + E) <= a * / E.
Proof.
  intros HE Hm Ha. unfold Rdiv. apply Rmult_le_compat_l; [exact Ha|]. apply Rinv_le_contravar; lra.
Qed.

Lemma softmax_self s m f B : (forall i, - B <= f i <= B) ->
  - (2 * B * (INR m * exp (- s))) <= dot (softmax (repeat 0 m ++ [s])) (map f (seq 1 (S m))) - f (S m)
    <= 2 * B * (INR m * exp (- s)).
Proof.
  intros Hf. rewrite softmax_tail, dot_tail. rewrite exp_Ropp.
  pose proof (sum_bounds f (seq 1 m) B ltac:(intros; apply Hf)) as HS. rewrite seq_length in HS.
  pose proof (exp_pos s) as HE. set (E := exp s) in *. set (S := sum (map f (seq 1 m))) in *.
  pose proof (Hf (Datatypes.S m)) as HF. set (F := f (Datatypes.S m)) in *.
  pose proof (pos_INR m) as Hm. clearbody E S F.
  replace (1 / (INR m + E) * S + E / (INR m + E) * F - F) with ((S - INR m * F) / (INR m + E)) by (field; lra).
  assert (HB : 0 <= B) by lra.
  assert (U : INR m * F <= INR m * B) by (apply mul_le_l; lra).
  assert (W : INR m * (- B) <= INR m * F) by (apply mul_le_l; lra).
  pose proof (Rinv_0_lt_compat (INR m + E) ltac:(lra)) as HI.
  pose proof (inverse_bound E (INR m * (2 * B)) (INR m) HE Hm ltac:(apply Rmult_le_pos; lra)) as HJ.
  unfold Rdiv in *.
  assert (X : (S - INR m * F) * / (INR m + E) <= INR m * (2 * B) * / (INR m + E)) by (apply Rmult_le_compat_r; lra).
  assert (Y : - (INR m * (2 * B)) * / (INR m + E) <= (S - INR m * F) * / (INR m + E)) by (apply Rmult_le_compat_r; lra).
  split; lra.
Qed.

Lemma softmax_first z m f : dot (softmax (z :: repeat 0 m)) (map f (seq 1 (S m))) =
  (exp z * f 1%nat + sum (map f (seq 2 m))) / (exp z + INR m).
Proof.
  rewrite softmax_head. simpl seq. simpl map. simpl dot.
  pose proof (dot_constant_map (1 / (exp z + INR m)) f (seq 2 m)) as D. rewrite seq_length in D. rewrite D.
  pose proof (exp_pos z). pose proof (pos_INR m). field. lra.
Qed.

(* ------------------------------------------------- layer 0 ---------------- *)

Section Residual.
Variables (n : nat) (s : R) (r : list token).
Hypothesis Hbox : Forall (fun t => match t with Bos => False | Trigger c => unit_box n c | Ordinary c => unit_box n c end) r.

Let p := Bos :: r.
Let m := length r.
Let state1 := residual_stack n residual_matrices (residual_attention s) 1.

Lemma logits_length z q : q <> [] -> length (self_logits s z q) = length q /\ self_logits s z q <> [].
Proof.
  intros Hq. assert (1 <= length q)%nat by (destruct q; [congruence|simpl; lia]).
  assert (E : length (self_logits s z q) = length q).
  { unfold self_logits. destruct (query q); rewrite ?app_length; simpl; rewrite repeat_length; lia. }
  split; [exact E|]. intros Z. rewrite Z in E. simpl in E. lia.
Qed.

Lemma value_bounds t k : In t p -> - 1 <= off_bos_value n t k <= 1.
Proof.
  intros Ht. assert (H : -1 <= embed n t k <= 1).
  { apply embed_bounds. destruct Ht as [<-|Ht]; [exact I|]. rewrite Forall_forall in Hbox.
    specialize (Hbox t Ht). destruct t; auto. }
  destruct k as [|k]; [cbn; lra|]. change (off_bos_value n t (S k)) with (embed n t (S k)). lra.
Qed.

Lemma layer0 q k : (k < n + 3)%nat ->
  state1 q k = embed n (query q) k +
    dot (residual_attention s 0 q) (map (fun i => off_bos_value n (query (firstn i q)) k) (seq 1 (length q))).
Proof.
  intros Hk. unfold state1. simpl residual_stack. unfold layer. f_equal. apply dot_map_ext.
  intros i _. apply apply_off_bos_embed. exact Hk.
Qed.

Lemma layer0_tokens q k : (k < n + 3)%nat ->
  state1 q k = embed n (query q) k + dot (residual_attention s 0 q) (map (fun t => off_bos_value n t k) q).
Proof.
  intros Hk. rewrite layer0 by exact Hk. f_equal. f_equal.
  rewrite <- (map_map (fun i => query (firstn i q)) (fun t => off_bos_value n t k)), prefix_queries. reflexivity.
Qed.

(* the state of position i+1, off its BOS coordinate *)
Definition old (i k : nat) : R := match k with O => 0 | _ => state1 (firstn i p) k end.

Lemma firstn_in i t : In t (firstn i p) -> In t p.
Proof. intros H. rewrite <- (firstn_skipn i p). apply in_or_app. left. exact H. Qed.

Lemma old_bounds i k : (k < n + 3)%nat -> (1 <= i)%nat -> - 2 <= old i k <= 2.
Proof.
  intros Hk Hi. destruct k as [|k]; simpl old; [lra|]. rewrite layer0_tokens by exact Hk.
  set (q := firstn i p).
  assert (Hq : q <> []) by (unfold q, p; destruct i; [lia|discriminate]).
  destruct (logits_length (- s) q Hq) as [L1 L2].
  pose proof (softmax_mean (self_logits s (- s) q) (fun t => off_bos_value n t (S k)) q 1 L2 L1) as B.
  assert (Hd : forall t, In t q -> - 1 <= off_bos_value n t (S k) <= 1).
  { intros t Ht. apply value_bounds. apply (firstn_in i). exact Ht. }
  specialize (B Hd). change (softmax (self_logits s (- s) q)) with (residual_attention s 0 q) in B.
  assert (Hx : - 1 <= embed n (query q) (S k) <= 1).
  { apply (Hd (query q)). destruct (exists_last Hq) as (q' & t & E). rewrite E, query_app.
    apply in_or_app. right. left. reflexivity. }
  lra.
Qed.

Lemma old_one k : (k < n + 3)%nat -> old 1 k = 0.
Proof.
  intros Hk. destruct k as [|k]; [reflexivity|]. unfold old, p. cbn [firstn]. rewrite layer0_tokens by exact Hk.
  change (embed n (query [Bos]) (S k)) with (off_bos_value n Bos (S k)). cbn [map]. rewrite off_bos_bos.
  destruct (residual_attention s 0 [Bos]) as [|a w]; simpl; [ring|]. destruct w; simpl; ring.
Qed.

(* ------------------------------------------------- layer 1 ---------------- *)

Lemma layer1 k : (k < n + 3)%nat ->
  residual_stack n residual_matrices (residual_attention s) 2 p k =
  state1 p k + dot (residual_attention s 1 p) (map (fun i => - (1/2) * old i k) (seq 1 (S m))).
Proof.
  intros Hk.
  change (residual_stack n residual_matrices (residual_attention s) 2 p k)
    with (state1 p k + layer n (residual_matrices 1) (residual_attention s 1) state1 p k).
  unfold layer. f_equal. apply dot_map_ext. intros i _. transitivity (- (1/2) * apply (n + 3) off_bos (state1 (firstn i p)) k).
  - unfold apply. rewrite <- sum_below_scal. apply sum_below_ext. intros j _. cbn [residual_matrices]. ring.
  - rewrite apply_off_bos by exact Hk. destruct k; reflexivity.
Qed.

Lemma dot_all_zero w (l : list nat) : dot w (map (fun _ => 0) l) = 0.
Proof. revert l; induction w as [|a w IH]; intros [|x l]; simpl; auto. rewrite IH. ring. Qed.

(* the BOS coordinate never changes *)
Lemma bos_channel : residual_stack n residual_matrices (residual_attention s) 2 p 0%nat = embed n (query p) 0%nat.
Proof.
  rewrite layer1, layer0 by lia. simpl old. simpl off_bos_value.
  rewrite (map_ext (fun _ : nat => - (1/2) * 0) (fun _ => 0)) by (intros; ring). rewrite !dot_all_zero. ring.
Qed.

Lemma state1_all k : state1 p (S k) = old (S m) (S k).
Proof.
  unfold old. change (S m) with (length p). rewrite firstn_all. reflexivity.
Qed.

Lemma nontrigger_output k : (forall c, query p <> Trigger c) -> (S k < n + 3)%nat ->
  Rabs (residual_stack n residual_matrices (residual_attention s) 2 p (S k) - embed n (query p) (S k))
    <= 3 * (INR m * exp (- s)).
Proof.
  intros Hq Hk. rewrite layer1 by exact Hk.
  assert (A : forall l, residual_attention s l p = softmax (repeat 0 m ++ [s])).
  { intros l. unfold residual_attention, self_logits. destruct (query p) eqn:E; [|destruct (Hq _ eq_refl)|];
      simpl length; rewrite Nat.sub_succ, Nat.sub_0_r; reflexivity. }
  rewrite A. set (D := INR m * exp (- s)).
  pose (g := fun i => match i with O => 0 | _ => - (1/2) * old i (S k) end).
  assert (G : map (fun i => - (1/2) * old i (S k)) (seq 1 (S m)) = map g (seq 1 (S m))).
  { apply map_ext_in. intros i Hi. apply in_seq in Hi. destruct i; [lia|]. reflexivity. }
  rewrite G. pose proof (softmax_self s m g 1) as H1.
  assert (B1 : forall i, - 1 <= g i <= 1).
  { intros [|i]; unfold g; [lra|]. pose proof (old_bounds (S i) (S k) Hk ltac:(lia)). lra. }
  specialize (H1 B1). fold D in H1. change (g (S m)) with (- (1/2) * old (S m) (S k)) in H1. rewrite <- state1_all in H1.
  pose (h := fun i => match i with O => 0 | _ => off_bos_value n (query (firstn i p)) (S k) end).
  assert (B2 : forall i, - 1 <= h i <= 1).
  { intros [|i]; unfold h; [lra|]. apply value_bounds. set (q := firstn (S i) p).
    destruct (exists_last (l := q)) as (q' & t & E); [discriminate|].
    apply (firstn_in (S i)). fold q. rewrite E, query_app. apply in_or_app. right. left. reflexivity. }
  pose proof (softmax_self s m h 1 B2) as H2. fold D in H2.
  assert (HL : h (S m) = embed n (query p) (S k)).
  { unfold h. change (S m) with (length p) at 1. rewrite firstn_all. reflexivity. }
  rewrite HL in H2.
  assert (E0 : state1 p (S k) = embed n (query p) (S k) + dot (softmax (repeat 0 m ++ [s])) (map h (seq 1 (S m)))).
  { rewrite layer0 by exact Hk. rewrite A. f_equal. f_equal. change (length p) with (S m).
    apply map_ext_in. intros i Hi. apply in_seq in Hi. destruct i; [lia|]. reflexivity. }
  apply Rabs_le_iff. fold D. lra.
Qed.

Lemma trigger_output c k : query p = Trigger c -> (S k < n + 3)%nat ->
  Rabs (residual_stack n residual_matrices (residual_attention s) 2 p (S k)
        - (embed n (query p) (S k) + target n p (S k))) <= (INR m + 1) * exp (- s).
Proof.
  intros Hq Hk. rewrite layer1 by exact Hk.
  assert (Hm : (1 <= m)%nat) by (unfold m, p in *; destruct r; [discriminate|simpl; lia]).
  apply (le_INR 1) in Hm. simpl (INR 1) in Hm.
  assert (A0 : residual_attention s 0 p = softmax (- s :: repeat 0 m)).
  { unfold residual_attention, self_logits. rewrite Hq. simpl length. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity. }
  assert (A1 : residual_attention s 1 p = softmax (s :: repeat 0 m)).
  { unfold residual_attention, self_logits. rewrite Hq. simpl length. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity. }
  assert (T : target n p (S k) = body_sum n r (S k) / INR m).
  { unfold target. rewrite Hq. unfold mean_of_tokens, p. simpl tl. simpl length.
    rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity. }
  rewrite T, layer0_tokens, A0, A1 by exact Hk.
  assert (E0 : dot (softmax (- s :: repeat 0 m)) (map (fun t => off_bos_value n t (S k)) p)
               = body_sum n r (S k) / (exp (- s) + INR m)).
  { rewrite softmax_head. unfold p. cbn [map dot]. rewrite off_bos_bos.
    change (fun t => off_bos_value n t (S k)) with (fun t => embed n t (S k)).
    unfold m. rewrite dot_constant_map.
    unfold body_sum, Rdiv. ring. }
  rewrite E0, softmax_first, old_one by exact Hk.
  pose proof (body_bound n r (S k) Hbox) as HS. fold m in HS. set (S0 := body_sum n r (S k)) in *.
  set (Y := sum (map (fun i => - (1/2) * old i (S k)) (seq 2 m))).
  assert (HY : - (INR m * 1) <= Y <= INR m * 1).
  { unfold Y. rewrite <- (seq_length m 2) at 1 4. apply sum_bounds. intros i Hi. apply in_seq in Hi.
    pose proof (old_bounds i (S k) Hk ltac:(lia)). lra. }
  pose proof (exp_pos s) as HE. pose proof (exp_pos (- s)) as HD.
  assert (ED : exp (- s) = / exp s) by apply exp_Ropp.
  set (D := exp (- s)) in *. set (E := exp s) in *. set (M := INR m) in *. clearbody S0 Y D E M.
  assert (Z1 : - D <= S0 / (D + M) - S0 / M <= D).
  { set (x := D / (M * (D + M))).
    assert (X0 : 0 <= x) by (left; unfold x; apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
    assert (X1 : x * M <= D).
    { replace (x * M) with (D / (D + M)) by (unfold x; field; lra).
      apply Rmult_le_reg_r with (D + M); [lra|]. replace (D / (D + M) * (D + M)) with D by (field; lra).
      assert (D * 1 <= D * (D + M)) by (apply mul_le_l; lra). lra. }
    replace (S0 / (D + M) - S0 / M) with (- (x * S0)) by (unfold x; field; lra).
    assert (x * S0 <= x * M) by (apply mul_le_l; lra). assert (x * (- M) <= x * S0) by (apply mul_le_l; lra). lra. }
  assert (Z2 : - (M * D) <= (E * (- (1/2) * 0) + Y) / (E + M) <= M * D).
  { pose proof (inverse_bound E M M HE ltac:(lra) ltac:(lra)) as J. rewrite (Rplus_comm M E) in J. rewrite <- ED in J.
    pose proof (Rinv_0_lt_compat (E + M) ltac:(lra)) as HI. unfold Rdiv in *.
    assert (Y * / (E + M) <= M * / (E + M)) by (apply Rmult_le_compat_r; lra).
    assert (- M * / (E + M) <= Y * / (E + M)) by (apply Rmult_le_compat_r; lra). lra. }
  apply Rabs_le_iff. lra.
Qed.
End Residual.

(* ------------------------------------------------- the theorem ------------ *)

Theorem residual_two_layers_proof : residual_two_layers.
Proof.
  intros n L s. split.
  - intros p Hv k Hk. destruct (visible_body _ _ _ Hv) as (r & -> & Hr & Hl & Hb).
    pose proof (exp_pos (- s)) as HP. pose proof (pos_INR (length r)) as Hm.
    assert (HL1 : INR (length r) + 1 <= INR L) by (rewrite <- S_INR; apply le_INR; lia).
    assert (HD : (INR (length r) + 1) * exp (- s) <= INR L * exp (- s)) by (apply Rmult_le_compat_r; lra).
    assert (HD0 : 0 <= INR (length r) * exp (- s)) by (apply Rmult_le_pos; lra).
    destruct k as [|k].
    + rewrite bos_channel by exact Hb.
      assert (T : target n (Bos :: r) 0%nat = 0).
      { unfold target. destruct (query (Bos :: r)); try reflexivity. unfold mean_of_tokens. simpl tl.
        fold (body_sum n r 0%nat). rewrite <- off_bos_sum by exact Hr. simpl off_bos_value. rewrite sum_map_const.
        unfold Rdiv. ring. }
      rewrite T. match goal with |- Rabs ?x <= _ => replace x with 0 by ring end. rewrite Rabs_R0. lra.
    + assert ((exists c, query (Bos :: r) = Trigger c) \/ forall c, query (Bos :: r) <> Trigger c) as [(c & Q)|Q].
      { destruct (query (Bos :: r)) as [|c|c]; [right; discriminate|left; exists c; reflexivity|right; discriminate]. }
      * eapply Rle_trans; [apply (trigger_output n s r Hb c); assumption|]. lra.
      * rewrite target_other, Rplus_0_r by exact Q.
        eapply Rle_trans; [apply nontrigger_output; assumption|]. lra.
  - intros p l [Hv (c & Q)]. destruct (visible_body _ _ _ Hv) as (r & -> & Hr & _ & _).
    unfold bos_weight, residual_attention, self_logits. rewrite Q. simpl length. rewrite Nat.sub_succ, Nat.sub_0_r.
    rewrite softmax_tail. destruct r as [|t r]; [discriminate|]. simpl repeat. simpl app. simpl hd.
    pose proof (exp_pos s). pose proof (pos_INR (length (t :: r))).
    rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; [assumption|].
    change (exp s <= INR (length (t :: r)) + exp s). lra.
Qed.
