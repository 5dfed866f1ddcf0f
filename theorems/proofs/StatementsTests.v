(******************************************************************************)
(*                            STATEMENTS, TESTED                              *)
(* Unit lemmas for every definition of Statements.v: small values computed,   *)
(* and what a definition must refuse. A theorem about a wrong definition is   *)
(* worth nothing; these are the checks on the definitions. That no hypothesis *)
(* set is empty is shown in Nonvacuous.v.                                     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task.
Import ListNotations.
Open Scope R_scope.

Definition c1 : content := fun _ => 1.
Definition c2 : content := fun _ => -1.
Definition all : content -> Prop := fun _ => True.

(* ------------------------------------------------- numbers and lists ------ *)

Example sum_value : sum [1; 2; 3] = 6.
Proof. rewrite !sum_cons, sum_nil. ring. Qed.

Example dot_value : dot [1; 2] [3; 4] = 11.
Proof. simpl. ring. Qed.

Example dot_ignores_surplus : dot [1; 2; 5] [3; 4] = 11.
Proof. simpl. ring. Qed.

Example sum_below_value : sum_below 3 INR = 3.
Proof. rewrite !sum_below_S, sum_below_0. simpl. ring. Qed.

Example sum_below_empty f : sum_below 0 f = 0.
Proof. reflexivity. Qed.

(* ------------------------------------------------- tokens ----------------- *)

Example embed_bos n k : embed n Bos k = if (k =? 0)%nat then 1 else 0.
Proof. destruct k as [|[|[|k]]]; simpl; try reflexivity. destruct (k <? n)%nat; reflexivity. Qed.

Example embed_flags n c : map (embed n (Trigger c)) [0; 1; 2]%nat = [0; 1; 0] /\
  map (embed n (Ordinary c)) [0; 1; 2]%nat = [0; 0; 1].
Proof. split; reflexivity. Qed.

Example embed_content n c k : (k < n)%nat ->
  embed n (Trigger c) (k + 3)%nat = c k /\ embed n (Ordinary c) (k + 3)%nat = c k.
Proof.
  intros H. apply Nat.ltb_lt in H. rewrite Nat.add_comm. simpl. rewrite H. split; reflexivity.
Qed.

(* n + 3 coordinates and no more *)
Example embed_nothing_beyond n t k : (n + 3 <= k)%nat -> embed n t k = 0.
Proof.
  intros H. destruct k as [|[|[|k]]]; try lia. simpl.
  assert (E : (k <? n)%nat = false) by (apply Nat.ltb_ge; lia). rewrite E. reflexivity.
Qed.

Example content_of_value k : content_of Bos k = 0 /\ content_of (Trigger c1) k = 1 /\ content_of (Ordinary c2) k = -1.
Proof. repeat split. Qed.

(* ------------------------------------------------- sequences -------------- *)

Example valid_shortest : valid_sequence all 3 [Bos; Ordinary c1; Trigger c2].
Proof. exists [c1], c2, []. repeat split; auto; repeat constructor. Qed.

Example valid_trigger_inside : valid_sequence all 4 [Bos; Ordinary c1; Trigger c2; Ordinary c1].
Proof. exists [c1], c2, [c1]. repeat split; auto; repeat constructor. Qed.

Example valid_trigger_last : valid_sequence all 4 [Bos; Ordinary c1; Ordinary c1; Trigger c2].
Proof. exists [c1; c1], c2, []. repeat split; auto; repeat constructor. Qed.

(* not at position 2, not twice, not absent, BOS first, length L, contents in K *)
Example invalid_trigger_second L x : ~ valid_sequence all L (Bos :: Trigger c1 :: x).
Proof. intros ([|a l] & c & b & E & H & _); simpl in *; [lia|discriminate]. Qed.

Example invalid_two_triggers L : ~ valid_sequence all L [Bos; Ordinary c1; Trigger c1; Trigger c1].
Proof.
  intros ([|a [|a' l]] & c & b & E & H & _); simpl in *; [lia| |discriminate].
  injection E as _ _ E. destruct b; discriminate.
Qed.

Example invalid_no_trigger L : ~ valid_sequence all L [Bos; Ordinary c1; Ordinary c1].
Proof.
  intros (a & c & b & E & _). injection E as E.
  assert (H : In (Trigger c) [Ordinary c1; Ordinary c1]) by (rewrite E; apply in_or_app; right; left; reflexivity).
  destruct H as [H|[H|[]]]; discriminate.
Qed.

Example invalid_no_bos L x : ~ valid_sequence all L (Ordinary c1 :: x).
Proof. intros (a & c & b & E & _). discriminate. Qed.

Example invalid_length : ~ valid_sequence all 4 [Bos; Ordinary c1; Trigger c2].
Proof. intros (a & c & b & _ & _ & H & _). discriminate. Qed.

Example invalid_content L : ~ valid_sequence (fun c => c 0%nat = 1) L [Bos; Ordinary c2; Trigger c1].
Proof.
  intros ([|a l] & c & b & E & _ & _ & Hb & _); [discriminate|].
  injection E as E _. subst a. apply Forall_inv in Hb. unfold c2 in Hb. lra.
Qed.

Example nonempty_value : nonempty all /\ ~ nonempty (fun _ => False).
Proof. split; [exists c1; exact I|intros (c & H); exact H]. Qed.

(* ------------------------------------------------- rows ------------------- *)

Example visible_prefixes : let s := [Bos; Ordinary c1; Trigger c2] in
  visible all 3 [Bos] /\ visible all 3 [Bos; Ordinary c1] /\ visible all 3 s.
Proof.
  repeat split; try discriminate; [exists [Ordinary c1; Trigger c2]|exists [Trigger c2]|exists []]; exact valid_shortest.
Qed.

Example invisible_empty K L : ~ visible K L [].
Proof. intros (H & _). exact (H eq_refl). Qed.

(* an all-ordinary row of full length is no prefix: the trigger must still come *)
Example invisible_full_ordinary : ~ visible all 3 [Bos; Ordinary c1; Ordinary c1].
Proof.
  intros H. destruct (visible_cases _ _ _ H) as [(cs & E & _ & Hl)|(a & c & b & E & _)].
  - injection E as E. apply (f_equal (@length _)) in E. rewrite map_length in E. simpl in E. lia.
  - injection E as E. assert (In (Trigger c) [Ordinary c1; Ordinary c1]) as X by (rewrite E; apply in_or_app; right; left; reflexivity).
    destruct X as [X|[X|[]]]; discriminate.
Qed.

Example invisible_too_long K L p : visible K L p -> (length p <= L)%nat.
Proof.
  intros (_ & r & a & c & b & _ & _ & HL & _). rewrite app_length in HL. lia.
Qed.

Example query_value : query [Bos] = Bos /\ query [Bos; Ordinary c1; Trigger c2] = Trigger c2.
Proof. split; reflexivity. Qed.

Example trigger_seen_value : trigger_seen [Bos; Ordinary c1; Trigger c2] /\ ~ trigger_seen [Bos; Ordinary c1].
Proof.
  split; [exists c2; right; right; left; reflexivity|].
  intros (c & [H|[H|[]]]); discriminate.
Qed.

Example nontrigger_row_excludes K L : ~ nontrigger_row K L [Bos] /\ ~ nontrigger_row K L [Bos; Ordinary c1; Trigger c2].
Proof. split; intros (_ & c & H); discriminate. Qed.

Example before_row : before_trigger_row all 3 [Bos; Ordinary c1].
Proof.
  apply (before_trigger_intro all 3 [c1]); auto; try discriminate; try (repeat constructor). exists c1; exact I.
Qed.

Example after_row : after_trigger_row all 4 [Bos; Ordinary c1; Trigger c2; Ordinary c1].
Proof. apply (after_trigger_intro all 4 [c1] c2 [c1]); auto; try discriminate; repeat constructor. Qed.

Example before_or_after K L p : nontrigger_row K L p -> before_trigger_row K L p \/ after_trigger_row K L p.
Proof.
  intros H. destruct (nontrigger_cases K L p H) as [(cs & _ & E & _)|(a & c & b & _ & E & _)].
  - left. split; [exact H|]. intros (c & Hc). subst p. destruct Hc as [Hc|Hc]; [discriminate|exact (not_in_ordinary _ _ Hc)].
  - right. split; [exact H|]. exists c. subst p. right. apply in_or_app. right. left. reflexivity.
Qed.

(* ------------------------------------------------- targets and errors ----- *)

Example mean_value : mean_of_tokens 1 [Bos; Ordinary c1; Trigger c2] 3%nat = 0 /\
  mean_of_tokens 1 [Bos; Ordinary c1; Ordinary c1; Trigger c2] 3%nat = 1/3 /\
  mean_of_tokens 1 [Bos; Ordinary c1; Trigger c2] bos_coord = 0.
Proof. unfold mean_of_tokens, c1, c2. simpl. rewrite !sum_cons, !sum_nil. repeat split; field. Qed.

Example target_at_trigger : let p := [Bos; Ordinary c1; Trigger c2] in
  target 0 p ordinary_coord = 1/2 /\ target 0 p trigger_coord = 1/2.
Proof. unfold target, mean_of_tokens. simpl. rewrite !sum_cons, !sum_nil. split; field. Qed.

Example target_elsewhere n k : target n [Bos] k = 0 /\ target n [Bos; Ordinary c1] k = 0 /\
  target n [Bos; Ordinary c1; Trigger c2; Ordinary c1] k = 0.
Proof. repeat split. Qed.

Example within_itself n L K goal : within n L K goal goal 0.
Proof. intros p _ k _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra. Qed.

Example error_le_weaken n L K out e e' : error_le n L K out e -> e <= e' -> error_le n L K out e'.
Proof. intros H He p Hp k Hk. eapply Rle_trans; [apply H; assumption|exact He]. Qed.

(* coordinates at n + 3 and above do not count *)
Example error_le_existing n L K out out' e : (forall p k, (k < n + 3)%nat -> out p k = out' p k) ->
  error_le n L K out e -> error_le n L K out' e.
Proof. intros E H p Hp k Hk. rewrite <- E by exact Hk. apply H; assumption. Qed.

Example error_is_unique n L K out e e' : error_is n L K out e -> error_is n L K out e' -> e = e'.
Proof. intros (H1 & H2) (H3 & H4). apply Rle_antisym; auto. Qed.

(* the zero model: wrong by 2/3 at L = 4, on one channel of one target *)
Example error_of_zero : error_is 0 4 all (fun _ _ => 0) (2/3).
Proof.
  split.
  - intros p Hp k Hk. destruct (row_kinds _ _ _ Hp) as [->|[(q & c & _ & Hr)|(a & c & Hn & -> & _ & _ & Hl)]].
    + rewrite target_other, Rminus_0_r, Rabs_R0 by discriminate. lra.
    + rewrite (target_nontrigger _ _ _ _ Hr), Rminus_0_r, Rabs_R0. lra.
    + destruct (target_flags 0 a c) as (To & Tt). unfold ordinary_coord, trigger_coord in *.
      destruct k as [|[|[|k]]]; [|rewrite Tt|rewrite To|lia];
        (destruct a as [|x [|y [|z a]]]; [congruence| | |simpl in Hl; lia]).
      1,2: unfold target, mean_of_tokens; simpl; rewrite !sum_cons, !sum_nil.
      all: simpl; apply Rabs_le_iff; lra.
  - intros e H. assert (Hv : visible all 4 [Bos; Ordinary c1; Ordinary c1; Trigger c2])
      by (split; [discriminate|]; exists []; exact valid_trigger_last).
    specialize (H _ Hv ordinary_coord ltac:(unfold ordinary_coord; lia)).
    unfold target, mean_of_tokens in H. simpl in H. rewrite !sum_cons, !sum_nil in H.
    apply Rabs_le_iff in H. lra.
Qed.

Example kappa_values : kappa 3 = 0 /\ kappa 4 = 1/12 /\ kappa 5 = 1/8 /\ kappa 8 = 5/28.
Proof. unfold kappa. simpl. repeat split; field. Qed.

Example kappa_below_quarter L : (4 <= L)%nat -> 1/12 <= kappa L < 1/4.
Proof. intros H. split; [apply kappa_ge; exact H|]. destruct (kappa_form L H) as (Hu & -> & _). lra. Qed.

(* ------------------------------------------------- models ----------------- *)

Example simplex_row_yes : simplex_row 1 [1] /\ simplex_row 2 [1/2; 1/2] /\ simplex_row 2 [0; 1].
Proof. repeat split; repeat constructor; try lra; rewrite !sum_cons, sum_nil; lra. Qed.

Example simplex_row_no : ~ simplex_row 2 [1/2; 1/4] /\ ~ simplex_row 2 [3/2; -1/2] /\ ~ simplex_row 2 [1].
Proof.
  repeat split; intros (Hl & Hf & Hs); [|inversion Hf; inversion H2; lra|discriminate].
  rewrite !sum_cons, sum_nil in Hs. lra.
Qed.

(* BOS attends to itself: there is nothing else *)
Example simplex_bos_row K L att : nonempty K -> (3 <= L)%nat -> simplex_attention K L att -> bos_weight att [Bos] = 1.
Proof.
  intros Hk HL H. destruct (H [Bos] (bos_visible K L Hk HL)) as (Hl & _ & Hs). unfold bos_weight.
  destruct (att [Bos]) as [|a [|]]; try discriminate. rewrite sum_cons, sum_nil in Hs. simpl. lra.
Qed.

Example bos_weight_value : bos_weight (fun _ => [1/4; 3/4]) [Bos; Ordinary c1] = 1/4.
Proof. reflexivity. Qed.

Example attention_output_value : attention_output 0 (fun x => x) (fun _ => [1/4; 3/4]) [Bos; Ordinary c1] ordinary_coord = 3/4 /\
  attention_output 0 (fun x => x) (fun _ => [1/4; 3/4]) [Bos; Ordinary c1] bos_coord = 1/4.
Proof. unfold attention_output. simpl. split; ring. Qed.

Example apply_value : apply 2 (fun i k => INR (2 * i + k)) (fun k => INR (k + 1)) 1%nat = 8.
Proof. unfold apply. rewrite !sum_below_S, sum_below_0. simpl. ring. Qed.

Example bilinear_value : bilinear 2 (fun i k => INR (2 * i + k)) (fun _ => 1) (fun k => INR k) = 4.
Proof. unfold bilinear. rewrite !sum_below_S, !sum_below_0. simpl. ring. Qed.

Example softmax_one z : softmax [z] = [1].
Proof. unfold softmax. simpl. rewrite sum_cons, sum_nil. f_equal. pose proof (exp_pos z). field. lra. Qed.

Example softmax_equal z : softmax [z; z] = [1/2; 1/2].
Proof. unfold softmax. simpl. rewrite !sum_cons, sum_nil. pose proof (exp_pos z). f_equal; [field; lra|f_equal; field; lra]. Qed.

Example softmax_ratio a b : nth 0 (softmax [a; b]) 0 = exp (a - b) * nth 1 (softmax [a; b]) 0.
Proof.
  unfold softmax. simpl. rewrite !sum_cons, sum_nil. unfold Rminus. rewrite exp_plus, exp_Ropp.
  pose proof (exp_pos a). pose proof (exp_pos b). field. split; lra.
Qed.

Example bilinear_logits_value : bilinear_logits 0 (bos_scores 5 7) [Bos; Ordinary c1] = [5; 0] /\
  bilinear_logits 0 (bos_scores 5 7) [Bos; Ordinary c1; Trigger c2] = [7; 0; 0].
Proof.
  unfold bilinear_logits, bilinear, query. simpl map.
  rewrite !sum_below_S, !sum_below_0. simpl. split; repeat f_equal; ring.
Qed.

(* a bilinear softmax is a softmax of token pairs *)
Example bilinear_is_pair_softmax n A K L :
  trigger_rows_softmax K L (fun x y => bilinear (n + 3) A (embed n x) (embed n y)) (bilinear_softmax n A).
Proof. intros p c _ _. reflexivity. Qed.

Example pair_softmax_value : pair_softmax (fun _ _ => 3) [Bos; Trigger c1] = [1/2; 1/2].
Proof. apply softmax_equal. Qed.

Example softmax_P0_value eta : softmax_P0 4 eta = (5 - 12 * eta) / 6.
Proof. unfold softmax_P0. simpl. field. Qed.

Example off_bos_value x : apply 4 off_bos x 0%nat = 0 /\ apply 4 off_bos x 3%nat = x 3%nat.
Proof. split; apply apply_off_bos; lia. Qed.

Example bos_scores_value : bos_scores 5 7 2%nat 0%nat = 5 /\ bos_scores 5 7 1%nat 0%nat = 7 /\ bos_scores 5 7 0%nat 0%nat = 0 /\ bos_scores 5 7 1%nat 2%nat = 0.
Proof. repeat split. Qed.

Example content_sup_value : content_sup 1 (fun c => c = c1 \/ c = c2) 1 /\ content_sup 0 all 0.
Proof.
  split; split.
  - split; [lra|]. intros c k [->| ->] _; unfold c1, c2; apply Rabs_le_iff; lra.
  - intros B (_ & H). specialize (H c1 0%nat (or_introl eq_refl) ltac:(lia)). unfold c1 in H. rewrite Rabs_R1 in H. exact H.
  - split; [lra|]. intros; lia.
  - intros B (H & _). exact H.
Qed.

Example content_sup_unique n K C C' : content_sup n K C -> content_sup n K C' -> C = C'.
Proof. intros (H1 & H2) (H3 & H4). apply Rle_antisym; auto. Qed.

(* ------------------------------------------------- expected error --------- *)

Definition coin : law := [(c1, 1/4); (c2, 3/4)].

Example is_law_value : is_law coin /\ ~ is_law [(c1, 1/2)] /\ ~ is_law [(c1, 3/2); (c2, -1/2)] /\ ~ is_law [].
Proof.
  unfold is_law, coin. split; [|split; [|split]].
  - split; [repeat constructor; simpl; lra|simpl; rewrite !sum_cons, sum_nil; lra].
  - intros (_ & H). simpl in H. rewrite sum_cons, sum_nil in H. lra.
  - intros (H & _). apply Forall_inv_tail, Forall_inv in H. simpl in H. lra.
  - intros (_ & H). simpl in H. rewrite sum_nil in H. lra.
Qed.

Example support_value : support coin c1 /\ support coin c2 /\ ~ support coin (fun _ => 5).
Proof.
  split; [left; reflexivity|]. split; [right; left; reflexivity|].
  intros [H|[H|[]]]; apply (f_equal (fun f => f 0%nat)) in H; unfold c1, c2 in H; simpl in H; lra.
Qed.

(* independent draws: the mean of a product is the product of the means *)
Example expect_value : expect coin 1 (fun cs => hd c1 cs 0%nat) = -1/2 /\
  expect coin 2 (fun cs => hd c1 cs 0%nat * last cs c1 0%nat) = 1/4 /\ expect coin 0 (fun cs => INR (length cs)) = 0.
Proof.
  unfold coin, c1, c2. simpl. rewrite !sum_cons, !sum_nil. repeat split; field.
Qed.

Example sequence_of_value : sequence_of 3 [c1; c2; c1] = [Bos; Ordinary c1; Trigger c2; Ordinary c1] /\
  sequence_of 4 [c1; c2; c1] = [Bos; Ordinary c1; Ordinary c2; Trigger c1].
Proof. split; reflexivity. Qed.

(* draws are exactly sequences of the task *)
Example draw_valid mu L j cs : draw mu L j cs -> valid_sequence (support mu) L (sequence_of j cs).
Proof.
  intros (Hj & Hl & Hc). unfold sequence_of.
  rewrite <- (firstn_skipn (j - 2) cs) in Hc. apply Forall_app in Hc as (Ha & Hb).
  destruct (skipn (j - 2) cs) as [|c b] eqn:E.
  - apply (f_equal (@length _)) in E. rewrite skipn_length in E. simpl in E. lia.
  - exists (firstn (j - 2) cs), c, b. apply (f_equal (@length _)) in E. rewrite skipn_length in E. simpl in E.
    inversion Hb; subst. split; [reflexivity|]. rewrite firstn_length_le by lia.
    split; [lia|]. split; [|auto]. simpl. rewrite app_length, map_length, firstn_length_le by lia. simpl. rewrite map_length. lia.
Qed.

(* j uniform on {3, ..., L} *)
Example average_value : average [(c1, 1)] 5 (fun j _ => INR j) = 4.
Proof. unfold average. simpl. rewrite !sum_cons, !sum_nil. simpl. field. Qed.

Example mean_error_of_error n L mu out eta : (4 <= L)%nat -> is_law mu -> error_le n L (support mu) out eta ->
  mean_error_le n L mu out eta.
Proof.
  intros HL Hmu H. exists (fun _ _ => eta). split.
  - intros j cs Hd i k Hi Hk. apply H; [|exact Hk]. pose proof (draw_valid mu L j cs Hd) as Hv.
    split; [|exists (skipn i (sequence_of j cs)); rewrite firstn_skipn; exact Hv].
    destruct i; [lia|]. unfold sequence_of. discriminate.
  - assert (E : forall m, expect mu m (fun _ => eta) = eta).
    { destruct Hmu as (_ & Hw). induction m as [|m IH]; [reflexivity|]. simpl.
      rewrite (map_ext _ (fun cw => eta * snd cw)) by (intros; rewrite IH; ring). rewrite sum_map_scal, Hw. ring. }
    unfold average. rewrite (map_ext _ (fun _ => eta)) by (intros; apply E).
    rewrite sum_map_const, seq_length. right. field. apply not_0_INR. lia.
Qed.

(* ------------------------------------------------- no anchor -------------- *)

Example no_bos_rows : no_bos_row all 3 [Ordinary c1] /\ no_bos_row all 3 [Ordinary c1; Trigger c2] /\ ~ no_bos_row all 3 [].
Proof.
  destruct visible_prefixes as (_ & H1 & H2). split; [|split].
  - split; [discriminate|exact H1].
  - split; [discriminate|exact H2].
  - intros (H & _). exact (H eq_refl).
Qed.

Example error_no_bos_counts_L_minus_1 : let p := [Ordinary c1; Trigger c2] in target 0 (Bos :: p) trigger_coord = 1/2.
Proof. apply target_at_trigger. Qed.

(* ------------------------------------------------- depth ------------------ *)

Example stack_zero n M att p k : stack n M att 0 p k = embed n (query p) k.
Proof. reflexivity. Qed.

(* one layer of a stack is attention_output *)
Example stack_one n M att k : stack n M att 1 [Bos; Ordinary c1] k =
  attention_output n (apply (n + 3) (M 0%nat)) (att 0%nat) [Bos; Ordinary c1] k.
Proof. reflexivity. Qed.

Example layer_value n M state : layer n M (fun _ => [1/4; 3/4]) state [Bos; Ordinary c1] 0%nat =
  1/4 * apply (n + 3) M (state [Bos]) 0%nat + 3/4 * apply (n + 3) M (state [Bos; Ordinary c1]) 0%nat.
Proof. unfold layer. simpl. ring. Qed.

Example residual_stack_one n M att k : residual_stack n M att 1 [Bos; Ordinary c1] k =
  embed n (Ordinary c1) k + attention_output n (apply (n + 3) (M 0%nat)) (att 0%nat) [Bos; Ordinary c1] k.
Proof. reflexivity. Qed.

(* ------------------------------------------------- relu ------------------- *)

Example relu_value : relu (-3) = 0 /\ relu 0 = 0 /\ relu 2 = 2.
Proof. unfold relu. repeat split; unfold Rmax; destruct Rle_dec; lra. Qed.

Example trigger_scores_value : trigger_scores 1%nat 1%nat = 1 /\ trigger_scores 1%nat 2%nat = 1 /\ trigger_scores 2%nat 1%nat = 0 /\ trigger_scores 1%nat 0%nat = 0.
Proof. repeat split. Qed.

(* divided by the visible non-BOS tokens: a row of 0, 1/2, 1/2 *)
Example relu_attention_value : relu_attention 0 trigger_scores [Bos; Ordinary c1; Trigger c2] = [0; 1/2; 1/2].
Proof.
  unfold relu_attention, bilinear_logits, bilinear, query. simpl map.
  rewrite !sum_below_S, !sum_below_0. simpl. unfold relu.
  repeat f_equal; unfold Rmax; destruct Rle_dec; lra.
Qed.

(* rows of ReLU attention need not sum to one *)
Example relu_attention_not_simplex : ~ simplex_attention all 3 (relu_attention 0 trigger_scores).
Proof.
  intros H. destruct (H [Bos]) as (_ & _ & Hs); [apply visible_prefixes|].
  unfold relu_attention, bilinear_logits, bilinear, query in Hs. simpl map in Hs.
  rewrite !sum_below_S, !sum_below_0, !sum_cons, sum_nil in Hs. simpl in Hs. unfold relu in Hs.
  rewrite Rmax_left in Hs by lra. lra.
Qed.

Example every_content_value : every_content c1 /\ every_content (fun k => INR k).
Proof. split; exact I. Qed.

(* ------------------------------------------------- beyond ----------------- *)

Example unit_box_value n : unit_box n c1 /\ unit_box n c2 /\ ~ unit_box 1 (fun _ => 2) /\ unit_box 0 (fun _ => 2).
Proof.
  unfold unit_box, c1, c2. repeat split; try (intros; lra); try (intros; lia).
  intros H. specialize (H 0%nat). lra || (assert (-1 <= 2 <= 1) by (apply H; lia); lra).
Qed.

Example self_logits_value : self_logits 5 7 [Bos] = [5] /\ self_logits 5 7 [Bos; Ordinary c1] = [0; 5] /\
  self_logits 5 7 [Bos; Ordinary c1; Trigger c2] = [7; 0; 0].
Proof. repeat split. Qed.

Example residual_attention_value s : residual_attention s 0 [Bos; Ordinary c1] = residual_attention s 1 [Bos; Ordinary c1] /\
  residual_attention 0 0 [Bos; Ordinary c1] = [1/2; 1/2].
Proof. split; [reflexivity|]. apply softmax_equal. Qed.

Example residual_matrices_value : residual_matrices 0 2%nat 2%nat = 1 /\ residual_matrices 1 2%nat 2%nat = -(1/2) /\ residual_matrices 0 0%nat 0%nat = 0 /\ residual_matrices 2 1%nat 1%nat = 0.
Proof. unfold residual_matrices, off_bos. simpl. repeat split; ring. Qed.
