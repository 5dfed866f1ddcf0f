(******************************************************************************)
(*                                AVERAGE                                     *)
(* A small expected error is enough: with high probability every position     *)
(* before the trigger sinks. Position-free softmax at the trigger's rows.     *)
(*   mean mu f == the mean of f over one content                              *)
(*   expect_le, expect_const, expect_plus, expect_scal, expect_count          *)
(*   low_content == the contents x with value (o channel) below 2/3 - s       *)
(*   low_rare == their probability is at most 2 (L-2) eta / s: by deletion no *)
(*               such x has both short rows, after (x, y) and after y, good   *)
(*   sink_where_good == a sequence with error <= s and no low content sinks   *)
(*   one_layer_sink_average_proof == union bound and Markov                   *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith Bool.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Deletion.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- expectation ------------ *)

Definition mean (mu : law) (f : content -> R) : R := sum (map (fun cw => snd cw * f (fst cw)) mu).

Section Expectation.
Variable mu : law.
Hypothesis Hmu : is_law mu.

Lemma expect_S m F : expect mu (S m) F = mean mu (fun c => expect mu m (fun cs => F (c :: cs))).
Proof. reflexivity. Qed.

Lemma mean_le f g : (forall c, support mu c -> f c <= g c) -> mean mu f <= mean mu g.
Proof.
  intros H. apply sum_map_le. intros cw Hc. destruct Hmu as (Hw & _). rewrite Forall_forall in Hw.
  apply mul_le_l; [apply Hw; exact Hc|]. apply H. apply in_map. exact Hc.
Qed.

Lemma mean_const a : mean mu (fun _ => a) = a.
Proof.
  unfold mean. rewrite (map_ext _ (fun cw => a * snd cw)) by (intros; ring).
  rewrite sum_map_scal. destruct Hmu as (_ & ->). ring.
Qed.

Lemma mean_plus f g : mean mu (fun c => f c + g c) = mean mu f + mean mu g.
Proof. unfold mean. rewrite <- sum_map_plus. f_equal. apply map_ext. intros; ring. Qed.

Lemma mean_scal a f : mean mu (fun c => a * f c) = a * mean mu f.
Proof. unfold mean. rewrite <- sum_map_scal. f_equal. apply map_ext. intros; ring. Qed.

Lemma mean_ext f g : (forall c, f c = g c) -> mean mu f = mean mu g.
Proof. intros H. unfold mean. f_equal. apply map_ext. intros; rewrite H; reflexivity. Qed.

Lemma expect_le m F G : (forall cs, length cs = m -> Forall (support mu) cs -> F cs <= G cs) ->
  expect mu m F <= expect mu m G.
Proof.
  revert F G; induction m as [|m IH]; intros F G H; [apply H; auto|]. rewrite !expect_S.
  apply mean_le. intros c Hc. apply IH. intros cs Hl Hs. apply H; [simpl; lia|constructor; assumption].
Qed.

Lemma expect_const m a : expect mu m (fun _ => a) = a.
Proof.
  induction m as [|m IH]; [reflexivity|]. rewrite expect_S, (mean_ext _ (fun _ => a)) by (intros; exact IH).
  apply mean_const.
Qed.

Lemma expect_plus m F G : expect mu m (fun cs => F cs + G cs) = expect mu m F + expect mu m G.
Proof.
  revert F G; induction m as [|m IH]; intros F G; [reflexivity|]. rewrite !expect_S, <- mean_plus.
  apply mean_ext. intros; apply IH.
Qed.

Lemma expect_scal m a F : expect mu m (fun cs => a * F cs) = a * expect mu m F.
Proof.
  revert F; induction m as [|m IH]; intros F; [reflexivity|]. rewrite !expect_S, <- mean_scal.
  apply mean_ext. intros; apply IH.
Qed.

(* the expected sum of f over the first k contents *)
Lemma expect_count f m k : (forall c, 0 <= f c) ->
  expect mu m (fun cs => sum (map f (firstn k cs))) <= INR k * mean mu f.
Proof.
  intros Hf. assert (P : 0 <= mean mu f) by (rewrite <- (mean_const 0); apply mean_le; intros; apply Hf).
  revert k; induction m as [|m IH]; intros k.
  - simpl. rewrite firstn_nil. simpl. rewrite sum_nil. apply Rmult_le_pos; [apply pos_INR|exact P].
  - destruct k as [|k].
    + apply Rle_trans with (expect mu (S m) (fun _ => 0)); [apply expect_le; intros; apply Rle_refl|].
      rewrite expect_const. simpl. lra.
    + rewrite expect_S, S_INR.
      rewrite (mean_ext _ (fun c => f c + expect mu m (fun cs => sum (map f (firstn k cs))))).
      * rewrite mean_plus, mean_const. specialize (IH k). lra.
      * intros c. transitivity (expect mu m (fun cs => f c + sum (map f (firstn k cs)))); [reflexivity|].
        rewrite expect_plus, expect_const. reflexivity.
Qed.

(* average over j *)
Lemma average_le L F G : (4 <= L)%nat -> (forall j cs, draw mu L j cs -> F j cs <= G j cs) -> average mu L F <= average mu L G.
Proof.
  intros HL H. unfold average, Rdiv. apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat. apply lt_0_INR. lia.
  - apply sum_map_le. intros j Hj. apply in_seq in Hj. apply expect_le. intros cs Hl Hs. apply H. repeat split; auto; lia.
Qed.

Lemma average_linear L F G a b : average mu L (fun j cs => a * F j cs + b * G j cs) = a * average mu L F + b * average mu L G.
Proof.
  unfold average. rewrite (map_ext _ (fun j => a * expect mu (L - 1) (F j) + b * expect mu (L - 1) (G j))).
  - rewrite sum_map_plus, !sum_map_scal. unfold Rdiv. ring.
  - intros j. rewrite expect_plus, !expect_scal. reflexivity.
Qed.

Lemma average_const L a : (4 <= L)%nat -> average mu L (fun _ _ => a) = a.
Proof.
  intros HL. unfold average. rewrite (map_ext _ (fun _ => a)) by (intros; apply expect_const).
  rewrite sum_map_const, seq_length. field. apply not_0_INR. lia.
Qed.

(* one j out of L - 2 *)
Lemma expect_of_average L F j : (4 <= L)%nat -> (3 <= j <= L)%nat -> (forall j cs, draw mu L j cs -> 0 <= F j cs) ->
  expect mu (L - 1) (F j) <= INR (L - 2) * average mu L F.
Proof.
  intros HL Hj HF. unfold average. assert (P : 0 < INR (L - 2)) by (apply lt_0_INR; lia).
  replace (INR (L - 2) * _) with (sum (map (fun j => expect mu (L - 1) (F j)) (seq 3 (L - 2)))) by (field; lra).
  assert (Hin : In j (seq 3 (L - 2))) by (apply in_seq; lia).
  assert (G : forall i, In i (seq 3 (L - 2)) -> 0 <= expect mu (L - 1) (F i)).
  { intros i Hi. apply in_seq in Hi. rewrite <- (expect_const (L - 1) 0). apply expect_le.
    intros cs Hl Hs. apply HF. repeat split; auto; lia. }
  revert Hin G. generalize (seq 3 (L - 2)). induction l as [|i l IH]; intros Hin G; [destruct Hin|].
  simpl map. rewrite sum_cons. destruct Hin as [->|Hin].
  - assert (0 <= sum (map (fun j => expect mu (L - 1) (F j)) l)); [|lra].
    apply sum_nonneg, Forall_map, Forall_forall. intros x Hx. apply G. right; exact Hx.
  - assert (0 <= expect mu (L - 1) (F i)) by (apply G; left; reflexivity).
    assert (expect mu (L - 1) (F j) <= sum (map (fun j => expect mu (L - 1) (F j)) l)) by (apply IH; [exact Hin|intros; apply G; right; assumption]).
    lra.
Qed.
End Expectation.

(* ------------------------------------------------- the model -------------- *)

Section Model.
Variables (n L : nat) (mu : law) (V : vec -> vec) (att : attention) (score : token -> token -> R) (eta s : R).
Variable err : nat -> list content -> R.
Hypothesis HL : (4 <= L)%nat.
Hypothesis Hmu : is_law mu.
Hypothesis Hatt : simplex_attention (support mu) L att.
Hypothesis Hsoft : trigger_rows_softmax (support mu) L score att.
Hypothesis Herr : forall j cs, draw mu L j cs -> forall i k, (1 <= i <= L)%nat -> (k < n + 3)%nat ->
  Rabs (attention_output n V att (firstn i (sequence_of j cs)) k - target n (firstn i (sequence_of j cs)) k) <= err j cs.
Hypothesis Hmean : average mu L err <= eta.
Hypothesis Hs : 0 < s <= 1/12.

Local Notation out := (attention_output n V att).
Local Notation o := ordinary_coord.

Definition row_error (p : list token) : R := Rabs (out p o - target n p o).

Lemma row_error_nonneg p : 0 <= row_error p.
Proof. apply Rabs_pos. Qed.

Lemma row_error_le j cs i : draw mu L j cs -> (1 <= i <= L)%nat -> row_error (firstn i (sequence_of j cs)) <= err j cs.
Proof. intros Hd Hi. apply Herr; try assumption. unfold o. lia. Qed.

Lemma err_nonneg j cs : draw mu L j cs -> 0 <= err j cs.
Proof. intros Hd. eapply Rle_trans; [apply row_error_nonneg|apply (row_error_le j cs 1 Hd)]. lia. Qed.

Lemma eta_nonneg : 0 <= eta.
Proof.
  eapply Rle_trans; [|exact Hmean]. rewrite <- (average_const mu Hmu L 0 HL).
  apply average_le; try assumption. intros j cs Hd. apply err_nonneg; exact Hd.
Qed.

(* ------------------------------------------------- low contents ----------- *)

Definition low (x : content) : bool := if Rlt_dec (V (embed n (Ordinary x)) o) (2/3 - s) then true else false.
Definition low_content (x : content) : R := if low x then 1 else 0.

Definition short_row (y b : content) : R := row_error [Bos; Ordinary y; Trigger b].
Definition long_row (x y b : content) : R := row_error [Bos; Ordinary x; Ordinary y; Trigger b].

Lemma support_nonempty : nonempty (support mu).
Proof.
  destruct mu as [|cw m] eqn:E; [destruct Hmu as (_ & H); simpl in H; rewrite sum_nil in H; lra|].
  exists (fst cw). left. reflexivity.
Qed.

(* deletion: a low content spoils one of the two rows *)
Lemma low_spoils x y b : low x = true -> support mu x -> support mu y -> support mu b ->
  s <= long_row x y b + short_row y b.
Proof.
  intros Hx Sx Sy Sb. unfold low in Hx. destruct (Rlt_dec _ _) as [Hlow|]; [|discriminate].
  destruct (Rle_lt_dec s (long_row x y b + short_row y b)) as [C|C]; [exact C|exfalso].
  pose proof (row_error_nonneg [Bos; Ordinary x; Ordinary y; Trigger b]) as P1.
  pose proof (row_error_nonneg [Bos; Ordinary y; Trigger b]) as P2. fold (long_row x y b) in P1. fold (short_row y b) in P2.
  assert (D : 2/3 - s <= V (embed n (Ordinary x)) o); [|unfold o in *; lra].
  assert (Eq : forall p, att p = pair_softmax score p -> out p o = attention_output n V (pair_softmax score) p o)
    by (intros p E; unfold attention_output; rewrite E; reflexivity).
  apply (deletion_lemma_proof n V score x y b s); [lra| |].
  - rewrite <- Eq; [fold (row_error [Bos; Ordinary x; Ordinary y; Trigger b]); fold (long_row x y b); lra|].
    apply (Hsoft _ b); [|reflexivity].
    apply (trigger_visible (support mu) L [x; y] b []); try (repeat constructor; assumption); simpl; try assumption; lia.
  - rewrite <- Eq; [fold (row_error [Bos; Ordinary y; Trigger b]); fold (short_row y b); lra|].
    apply (Hsoft _ b); [|reflexivity].
    apply (trigger_visible (support mu) L [y] b []); try (repeat constructor; assumption); simpl; try assumption; lia.
Qed.

Lemma short_mean : mean mu (fun y => mean mu (fun b => short_row y b)) <= INR (L - 2) * eta.
Proof.
  eapply Rle_trans; [|apply mul_le_l; [apply pos_INR|exact Hmean]].
  eapply Rle_trans; [|apply (expect_of_average mu Hmu L err 3 HL); [lia|exact err_nonneg]].
  replace (L - 1)%nat with (S (S (L - 3))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb.
  rewrite <- (expect_const mu Hmu (L - 3) (short_row y b)). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
  apply (row_error_le 3 (y :: b :: cs) 3); [|lia]. repeat split; try lia; [simpl; lia|repeat constructor; assumption].
Qed.

Lemma long_mean : mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row x y b))) <= INR (L - 2) * eta.
Proof.
  eapply Rle_trans; [|apply mul_le_l; [apply pos_INR|exact Hmean]].
  eapply Rle_trans; [|apply (expect_of_average mu Hmu L err 4 HL); [lia|exact err_nonneg]].
  replace (L - 1)%nat with (S (S (S (L - 4)))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros x Hx.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb.
  rewrite <- (expect_const mu Hmu (L - 4) (long_row x y b)). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
  apply (row_error_le 4 (x :: y :: b :: cs) 4); [|lia]. repeat split; try lia; [simpl; lia|repeat constructor; assumption].
Qed.

Lemma low_bounds x : 0 <= low_content x <= 1.
Proof. unfold low_content. destruct (low x); lra. Qed.

Lemma low_rare : mean mu low_content * s <= 2 * (INR (L - 2) * eta).
Proof.
  pose proof short_mean as HS. pose proof long_mean as HLg.
  set (R3 := mean mu (fun y => mean mu (fun b => short_row y b))) in *.
  set (A := INR (L - 2) * eta) in *.
  assert (B0 : 0 <= mean mu low_content) by (rewrite <- (mean_const mu Hmu 0); apply mean_le; [exact Hmu|intros; apply low_bounds]).
  assert (B1 : mean mu low_content <= 1) by (rewrite <- (mean_const mu Hmu 1); apply mean_le; [exact Hmu|intros; apply low_bounds]).
  assert (A0 : 0 <= A) by (apply Rmult_le_pos; [apply pos_INR|exact eta_nonneg]).
  assert (Step : mean mu (fun x => s * low_content x) <=
                 mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row x y b)) + R3 * low_content x)).
  { apply mean_le; [exact Hmu|]. intros x Hx.
    assert (P4 : 0 <= mean mu (fun y => mean mu (fun b => long_row x y b))).
    { rewrite <- (mean_const mu Hmu 0). apply mean_le; [exact Hmu|]. intros y _.
      rewrite <- (mean_const mu Hmu 0). apply mean_le; [exact Hmu|]. intros b _. apply row_error_nonneg. }
    unfold low_content. destruct (low x) eqn:E; [|lra]. rewrite !Rmult_1_r. unfold R3.
    rewrite <- mean_plus. rewrite <- (mean_const mu Hmu s). apply mean_le; [exact Hmu|]. intros y Hy.
    rewrite <- mean_plus. rewrite <- (mean_const mu Hmu s). apply mean_le; [exact Hmu|]. intros b Hb.
    apply low_spoils; assumption. }
  rewrite mean_plus, !mean_scal in Step.
  assert (R3 * mean mu low_content <= A * mean mu low_content) by (apply Rmult_le_compat_r; assumption).
  assert (A * mean mu low_content <= A * 1) by (apply mul_le_l; assumption). lra.
Qed.

(* ------------------------------------------------- good sequences --------- *)

Definition good (j : nat) (cs : list content) : bool :=
  (if Rle_dec (err j cs) s then true else false) && forallb (fun c => negb (low c)) (firstn (j - 2) cs).

Lemma forallb_count l : forallb (fun c => negb (low c)) l = false -> 1 <= sum (map low_content l).
Proof.
  induction l as [|c l IH]; intros H; [discriminate|]. simpl map. rewrite sum_cons.
  assert (0 <= sum (map low_content l)) by (apply sum_nonneg, Forall_map, Forall_forall; intros; apply low_bounds).
  simpl in H. unfold low_content at 1. destruct (low c); simpl in H; [lra|]. specialize (IH H). lra.
Qed.

Lemma bad_le j cs : draw mu L j cs ->
  1 - (if good j cs then 1 else 0) <= / s * err j cs + 1 * sum (map low_content (firstn (j - 2) cs)).
Proof.
  intros Hd. pose proof (err_nonneg j cs Hd) as He.
  assert (Hi : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  assert (0 <= / s * err j cs) by (apply Rmult_le_pos; lra).
  assert (0 <= sum (map low_content (firstn (j - 2) cs))) by (apply sum_nonneg, Forall_map, Forall_forall; intros; apply low_bounds).
  unfold good. destruct (Rle_dec (err j cs) s) as [C|C]; simpl.
  - destruct (forallb _ _) eqn:F; [lra|]. apply forallb_count in F. lra.
  - assert (/ s * s <= / s * err j cs) by (apply mul_le_l; lra). rewrite Rinv_l in H1 by lra. lra.
Qed.

Lemma good_likely : 1 - (2 * (INR L - 2) ^ 2 + 1) * eta / s <= average mu L (fun j cs => if good j cs then 1 else 0).
Proof.
  assert (Hi : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  assert (EL : INR (L - 2) = INR L - 2) by (rewrite minus_INR by lia; simpl; ring).
  pose proof (average_le mu Hmu L (fun j cs => 1 * 1 + -1 * (if good j cs then 1 else 0))
    (fun j cs => / s * err j cs + 1 * sum (map low_content (firstn (j - 2) cs))) HL) as A.
  rewrite !average_linear, average_const in A by assumption.
  assert (C : average mu L (fun j cs => sum (map low_content (firstn (j - 2) cs))) <= INR (L - 2) * mean mu low_content).
  { rewrite <- (average_const mu Hmu L (INR (L - 2) * mean mu low_content) HL) at 1.
    unfold average, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; lia|].
    apply sum_map_le. intros j Hj. apply in_seq in Hj. rewrite expect_const by exact Hmu.
    eapply Rle_trans; [apply expect_count; [exact Hmu|intros; apply low_bounds]|].
    apply Rmult_le_compat_r; [|apply le_INR; lia].
    rewrite <- (mean_const mu Hmu 0). apply mean_le; [exact Hmu|intros; apply low_bounds]. }
  assert (D : mean mu low_content <= 2 * (INR (L - 2) * eta) * / s).
  { apply Rmult_le_reg_r with s; [lra|]. rewrite Rmult_assoc, Rinv_l by lra. pose proof low_rare. lra. }
  assert (D2 : INR (L - 2) * mean mu low_content <= INR (L - 2) * (2 * (INR (L - 2) * eta) * / s))
    by (apply mul_le_l; [apply pos_INR|exact D]).
  assert (D3 : / s * average mu L err <= / s * eta) by (apply mul_le_l; lra).
  rewrite EL in *. unfold Rdiv.
  replace ((2 * (INR L - 2) ^ 2 + 1) * eta * / s) with ((INR L - 2) * (2 * ((INR L - 2) * eta) * / s) + / s * eta) by ring.
  assert (A' : 1 * 1 + -1 * average mu L (fun j cs => if good j cs then 1 else 0) <=
    / s * average mu L err + 1 * average mu L (fun j cs => sum (map low_content (firstn (j - 2) cs)))).
  { apply A. intros j cs Hd. pose proof (bad_le j cs Hd). lra. }
  lra.
Qed.

Lemma prefix_of_sequence j cs i : draw mu L j cs -> (2 <= i < j)%nat ->
  firstn i (sequence_of j cs) = Bos :: map Ordinary (firstn (i - 1) cs).
Proof.
  intros (Hj & Hl & _) Hi. unfold sequence_of. destruct i as [|i]; [lia|]. cbn [firstn]. f_equal.
  rewrite firstn_app, map_length, firstn_length_le by lia.
  replace (i - (j - 2))%nat with 0%nat by lia. rewrite firstn_O, app_nil_r.
  rewrite firstn_map, firstn_firstn. f_equal. f_equal. lia.
Qed.

Lemma sink_where_good j cs i : draw mu L j cs -> good j cs = true -> (2 <= i < j)%nat ->
  1 - 3 * s <= bos_weight att (firstn i (sequence_of j cs)).
Proof.
  intros Hd Hg Hi. unfold good in Hg. apply andb_prop in Hg. destruct Hg as (He & Hlow).
  destruct (Rle_dec (err j cs) s) as [Hle|]; [|discriminate]. clear He.
  pose proof Hd as (Hj & Hl & Hc).
  set (l := firstn (i - 1) cs).
  assert (Hll : length l = (i - 1)%nat) by (unfold l; apply firstn_length_le; lia).
  assert (Hsub : forall c, In c l -> In c (firstn (j - 2) cs)).
  { intros c Hin. unfold l in Hin. replace (i - 1)%nat with (Nat.min (i - 1) (j - 2)) in Hin by lia.
    rewrite <- firstn_firstn in Hin. rewrite <- (firstn_skipn (i - 1) (firstn (j - 2) cs)). apply in_or_app. left; exact Hin. }
  assert (Hv : visible (support mu) L (Bos :: map Ordinary l)).
  { apply ordinary_visible; [exact support_nonempty|lia| |lia]. apply Forall_forall. intros c Hin.
    rewrite Forall_forall in Hc. apply Hc. rewrite <- (firstn_skipn (i - 1) cs). apply in_or_app. left; exact Hin. }
  pose proof (row_error_le j cs i Hd ltac:(lia)) as E. rewrite (prefix_of_sequence j cs i Hd Hi) in *. fold l in E |- *.
  unfold row_error in E. rewrite target_other in E.
  2:{ destruct l as [|c l'] eqn:El; [simpl in Hll; lia|]. intros c0.
      destruct (query_ordinary [Bos] c l') as (x & Hx & _). intros H.
      assert (Ordinary x = Trigger c0) by (rewrite <- Hx; exact H). discriminate. }
  pose proof (row_error_le j cs 1 Hd ltac:(lia)) as B. unfold row_error in B.
  change (firstn 1 (sequence_of j cs)) with [Bos] in B. rewrite target_other in B by discriminate.
  destruct (Hatt [Bos] (bos_visible (support mu) L support_nonempty ltac:(lia))) as (Lb & _ & Sb).
  unfold attention_output in B, E. destruct (att [Bos]) as [|one [|]]; try discriminate Lb.
  rewrite sum_cons, sum_nil in Sb. simpl in B. replace one with 1 in B by lra.
  destruct (Hatt _ Hv) as (Lw & Fw & Sw). unfold bos_weight. destruct (att (Bos :: map Ordinary l)) as [|a w]; [discriminate|].
  simpl hd. injection Lw as Lw. apply Forall_inv_tail in Fw as Fw'. apply Forall_inv in Fw. rewrite sum_cons in Sw.
  cbn [map dot] in E. rewrite map_map in E.
  assert (W : dot w (map (fun _ => 2/3 - s) l) <= dot w (map (fun c => V (embed n (Ordinary c)) o) l)).
  { apply dot_map_le; [exact Fw'|]. intros c Hin. rewrite forallb_forall in Hlow. specialize (Hlow c (Hsub c Hin)).
    unfold low in Hlow. destruct (Rlt_dec _ _); [discriminate|lra]. }
  rewrite dot_const_map in W by (rewrite map_length in Lw; exact Lw).
  apply Rabs_le_iff in B, E. set (v := V (embed n Bos) o) in *.
  assert (a * (- s) <= a * v) by (apply mul_le_l; lra).
  replace (sum w) with (1 - a) in W by lra. lra.
Qed.

End Model.

Theorem one_layer_sink_average_proof : one_layer_sink_average.
Proof.
  intros n L mu V att score eta s HL Hmu Hatt Hsoft (err & Herr & Hmean) H0 H1.
  exists (good n V s err). split.
  - apply (good_likely n L mu V att score eta s err); auto.
  - intros j cs Hd Hg i Hi. eapply sink_where_good; eassumption.
Qed.
