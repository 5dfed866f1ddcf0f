(******************************************************************************)
(*                                  RELU                                      *)
(* ReLU attention solves the task with error zero and no weight on BOS.       *)
(*   trigger_score == the logits of trigger_scores: 1 from a trigger to a     *)
(*                    non-BOS token, 0 otherwise                              *)
(*   relu_row == a row of relu_attention                                      *)
(*   relu_no_sink_proof                                                       *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task.
Import ListNotations.
Open Scope R_scope.

Lemma trigger_score n x y : bilinear (n + 3) trigger_scores (embed n x) (embed n y) =
  match x, y with
  | Trigger _, Trigger _ | Trigger _, Ordinary _ => 1
  | _, _ => 0
  end.
Proof.
  unfold bilinear. rewrite (sum_below_one _ trigger_coord).
  - rewrite sum_below_flags. rewrite (sum_below_zero n) by (intros; simpl; ring).
    unfold trigger_coord. destruct x, y; simpl; ring.
  - unfold trigger_coord. lia.
  - intros i _ Hi. apply sum_below_zero. intros k _. unfold trigger_coord in Hi.
    destruct i as [|[|i]]; simpl; [ring|lia|ring].
Qed.

Lemma relu_0 : relu 0 = 0.
Proof. apply Rmax_left. lra. Qed.

Lemma relu_1 : relu 1 = 1.
Proof. apply Rmax_right. lra. Qed.

Lemma relu_row n p : relu_attention n trigger_scores p =
  map (fun y => relu (match query p, y with
                      | Trigger _, Trigger _ | Trigger _, Ordinary _ => 1 | _, _ => 0 end)
                / INR (Nat.max 1 (length p - 1))) p.
Proof.
  unfold relu_attention, bilinear_logits. rewrite map_map. apply map_ext.
  intros y. rewrite trigger_score. reflexivity.
Qed.

(* off the trigger: a row of zeros *)
Lemma relu_row_zero n p : (forall c, query p <> Trigger c) ->
  relu_attention n trigger_scores p = map (fun _ => 0) p.
Proof.
  intros H. rewrite relu_row. apply map_ext. intros y.
  destruct (query p) as [|c|c]; [|destruct (H c eq_refl)|]; rewrite relu_0; unfold Rdiv; ring.
Qed.

(* at the trigger: zero on BOS, the same weight on every other token *)
Lemma relu_row_trigger n p c : query (Bos :: p) = Trigger c -> Forall (fun y => y <> Bos) p -> p <> [] ->
  relu_attention n trigger_scores (Bos :: p) = 0 :: map (fun _ => 1 / INR (length p)) p.
Proof.
  intros E Hp Hn. rewrite relu_row, E. cbn [map]. f_equal.
  - rewrite relu_0. unfold Rdiv; ring.
  - apply map_ext_in. intros y Hy. rewrite Forall_forall in Hp. specialize (Hp y Hy).
    replace (Nat.max 1 (length (Bos :: p) - 1)) with (length p) by (destruct p; [congruence|simpl length; lia]).
    destruct y; [congruence| |]; rewrite relu_1; reflexivity.
Qed.

Theorem relu_no_sink_proof : relu_no_sink.
Proof.
  intros n L p Hv att. destruct (query p) as [|c|c] eqn:E.
  2:{ (* the trigger's row *)
    destruct (visible_cases _ _ _ Hv) as [(cs & -> & _)|(a & b & d & -> & _)].
    { exfalso. destruct cs as [|x cs]; [discriminate|].
      destruct (query_ordinary [Bos] x cs) as (y & Hy & _). enough (Trigger c = Ordinary y) by discriminate. rewrite <- E. exact Hy. }
    set (q := map Ordinary a ++ Trigger b :: map Ordinary d) in *.
    assert (Hq : Forall (fun y => y <> Bos) q).
    { apply Forall_app; split; [|constructor; [discriminate|]]; apply Forall_map, Forall_forall; discriminate. }
    assert (Hn : q <> []) by (unfold q; destruct (map Ordinary a); discriminate).
    assert (Er : att (Bos :: q) = 0 :: map (fun _ => 1 / INR (length q)) q) by (eapply relu_row_trigger; eassumption).
    split; [|split].
    - intros k Hk. unfold attention_output. rewrite Er. simpl map. cbn [dot].
      rewrite (dot_div_map (fun _ => 1) (fun t => apply (n + 3) off_bos (embed n t) k)).
      unfold target. rewrite E. unfold mean_of_tokens. cbn [tl].
      replace (length (Bos :: q) - 1)%nat with (length q) by (simpl length; lia).
      rewrite Rmult_0_l, Rplus_0_l. f_equal. f_equal. apply map_ext_in. intros y Hy.
      rewrite apply_off_bos, Rmult_1_l by exact Hk. rewrite Forall_forall in Hq. specialize (Hq y Hy).
      destruct k; [|reflexivity]. destruct y; [congruence| |]; reflexivity.
    - unfold bos_weight. rewrite Er. reflexivity.
    - intros H. destruct (H c eq_refl). }
  all: assert (H : forall c, query p <> Trigger c) by (rewrite E; discriminate);
    assert (Er : att p = map (fun _ => 0) p) by (apply relu_row_zero; exact H);
    split; [|split].
  1,4: intros k Hk; rewrite target_other by exact H; unfold attention_output; rewrite Er;
    clear; induction p as [|y p IH]; simpl; [reflexivity|rewrite IH; ring].
  1,3: unfold bos_weight; rewrite Er; destruct p; reflexivity.
  1,2: intros _; rewrite Er; apply Forall_map, Forall_forall; reflexivity.
Qed.
