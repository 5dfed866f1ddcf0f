(******************************************************************************)
(*                              MODELS, TESTED                                *)
(* Unit lemmas for the second half of Statements.v, as in StatementsTests.v:  *)
(* models, softmax, chance, the task without BOS, depth, ReLU, and the models *)
(* without a sink.                                                            *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.StatementsTests.
Import ListNotations.
Open Scope R_scope.

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

(* at L = 4 the trigger is at 4 or at 3 *)
Example chance_value : chance coin 4 (fun j _ => (4 <=? j)%nat) = 1/2 /\
  chance coin 4 (fun j cs => true) = 1 /\ chance coin 4 (fun j cs => false) = 0.
Proof. unfold chance, average, coin. simpl. rewrite !sum_cons, !sum_nil. simpl. repeat split; field. Qed.

Example fails_iff att s j cs : fails att s j cs = true <->
  exists i, (2 <= i < j)%nat /\ bos_weight att (firstn i (sequence_of j cs)) < 1 - 3 * s.
Proof.
  unfold fails. rewrite existsb_exists. split; intros (i & Hi & F); exists i.
  - apply in_seq in Hi. split; [lia|]. destruct Rlt_dec; [assumption|discriminate].
  - split; [apply in_seq; lia|]. destruct Rlt_dec; [reflexivity|contradiction].
Qed.

(* weight 1/2 at position 2 fails strictly under 1 - 3 s; weight 0 at the trigger itself does not count *)
Example fails_value : let att p := match length p with 2%nat => [1/2; 1/2] | _ => [1] end in
  fails att (1/12) 3 [c1; c2; c1] = true /\ fails att (1/6) 3 [c1; c2; c1] = false /\
  fails (fun p => match length p with 3%nat => [0; 1; 0] | _ => [1] end) (1/12) 3 [c1; c2; c1] = false.
Proof. unfold fails, bos_weight. simpl. repeat split; destruct Rlt_dec; simpl; reflexivity || lra. Qed.

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
