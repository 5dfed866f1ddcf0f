(******************************************************************************)
(*                                AVERAGE                                     *)
(* A small expected error is enough: with high probability every position     *)
(* before the trigger sinks. Position-free softmax at the trigger's rows.     *)
(*   mean mu f == the mean of f over one content                              *)
(*   expect_X, average_X == both are linear and monotone                      *)
(*   average_count == on average (L-1)/2 contents stand before the trigger    *)
(*   average_first_two == trigger positions 3 and 4 are two of the L-2        *)
(*   low_content == the contents x with value (o channel) below 2/3 - s       *)
(*   low_rare == s times their mass is at most the expected errors at j = 3   *)
(*               and j = 4: by deletion no such x has both short rows, after  *)
(*               (x, y) and after y, good                                     *)
(*   sink_unless == a sequence with error <= s and no low content sinks       *)
(*   one_layer_sink_average_proof == Markov's inequality and a union bound    *)
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
Lemma expect_count f k m : (k <= m)%nat -> expect mu m (fun cs => sum (map f (firstn k cs))) = INR k * mean mu f.
Proof.
  revert m; induction k as [|k IH]; intros m Hk; [rewrite Rmult_0_l; apply (expect_const m 0)|].
  destruct m as [|m]; [lia|]. rewrite expect_S, S_INR.
  rewrite (mean_ext _ (fun c => f c + INR k * mean mu f)); [rewrite mean_plus, mean_const; ring|].
  intros c. transitivity (expect mu m (fun cs => f c + sum (map f (firstn k cs)))); [reflexivity|].
  rewrite expect_plus, expect_const, IH by lia. reflexivity.
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

(* 1 + 2 + ... + m *)
Lemma sum_positions m : sum (map (fun j => INR (j - 2)) (seq 3 m)) = INR m * (INR m + 1) / 2.
Proof.
  induction m as [|m IH]; [cbn [seq map]; rewrite sum_nil; simpl; lra|].
  rewrite seq_S, map_app, sum_app, IH. cbn [map]. rewrite sum_cons, sum_nil.
  replace (3 + m - 2)%nat with (S m) by lia. rewrite S_INR. field.
Qed.

Lemma average_count L f : (4 <= L)%nat ->
  average mu L (fun j cs => sum (map f (firstn (j - 2) cs))) = (INR L - 1) / 2 * mean mu f.
Proof.
  intros HL. unfold average. rewrite (map_ext_in _ (fun j => mean mu f * INR (j - 2))).
  - rewrite sum_map_scal, sum_positions. pose proof (INR_4 L HL). rewrite minus_INR by lia. simpl (INR 2). field. lra.
  - intros j Hj. apply in_seq in Hj. rewrite expect_count by lia. ring.
Qed.

(* positions 3 and 4 are two of the L - 2 *)
Lemma average_first_two L F : (4 <= L)%nat -> (forall j cs, draw mu L j cs -> 0 <= F j cs) ->
  expect mu (L - 1) (F 3%nat) + expect mu (L - 1) (F 4%nat) <= (INR L - 2) * average mu L F.
Proof.
  intros HL HF. pose proof (INR_4 L HL). unfold average. set (E := fun j => expect mu (L - 1) (F j)).
  replace (INR (L - 2)) with (INR L - 2) by (rewrite minus_INR by lia; reflexivity).
  change (E 3%nat + E 4%nat <= (INR L - 2) * (sum (map E (seq 3 (L - 2))) / (INR L - 2))).
  replace ((INR L - 2) * (sum (map E (seq 3 (L - 2))) / (INR L - 2))) with (sum (map E (seq 3 (L - 2)))) by (field; lra).
  replace (L - 2)%nat with (S (S (L - 4))) by lia. cbn [seq map]. rewrite !sum_cons.
  assert (0 <= sum (map E (seq 5 (L - 4)))); [|lra].
  apply sum_nonneg, Forall_map, Forall_forall. intros j Hj. apply in_seq in Hj. unfold E.
  rewrite <- (expect_const (L - 1) 0). apply expect_le. intros cs Hl Hc.
  apply HF. repeat split; auto; lia.
Qed.
End Expectation.

(* ------------------------------------------------- the model -------------- *)

Section Model.
Variables (n L : nat) (mu : law) (V : vec -> vec) (att : attention) (score : token -> token -> R) (s : R).
Variable err : nat -> list content -> R.
Hypothesis HL : (4 <= L)%nat.
Hypothesis Hmu : is_law mu.
Hypothesis Hatt : simplex_attention (support mu) L att.
Hypothesis Hsoft : trigger_rows_softmax (support mu) L score att.
Hypothesis Herr : forall j cs, draw mu L j cs -> forall i k, (1 <= i <= L)%nat -> (k < n + 3)%nat ->
  Rabs (attention_output n V att (firstn i (sequence_of j cs)) k - target n (firstn i (sequence_of j cs)) k) <= err j cs.
Hypothesis Hs : 0 < s <= 1/6.

Local Notation out := (attention_output n V att).
Local Notation o := ordinary_coord.

Definition row_error (p : list token) : R := Rabs (out p o - target n p o).

Lemma row_error_nonneg p : 0 <= row_error p.
Proof. apply Rabs_pos. Qed.

Lemma row_error_le j cs i : draw mu L j cs -> (1 <= i <= L)%nat -> row_error (firstn i (sequence_of j cs)) <= err j cs.
Proof. intros Hd Hi. apply Herr; try assumption. unfold o. lia. Qed.

Lemma err_nonneg j cs : draw mu L j cs -> 0 <= err j cs.
Proof. intros Hd. eapply Rle_trans; [apply row_error_nonneg|apply (row_error_le j cs 1 Hd)]. lia. Qed.

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
  assert (D : 2/3 - long_row x y b <= V (embed n (Ordinary x)) o); [|unfold o in *; lra].
  assert (Eq : forall p, att p = pair_softmax score p -> out p o = attention_output n V (pair_softmax score) p o)
    by (intros p E; unfold attention_output; rewrite E; reflexivity).
  apply (deletion_lemma_proof n V score x y b (long_row x y b) (short_row y b)); [lra| |].
  - rewrite <- Eq; [apply Rle_refl|].
    apply (Hsoft _ b); [|reflexivity].
    apply (trigger_visible (support mu) L [x; y] b []); try (repeat constructor; assumption); simpl; try assumption; lia.
  - rewrite <- Eq; [apply Rle_refl|].
    apply (Hsoft _ b); [|reflexivity].
    apply (trigger_visible (support mu) L [y] b []); try (repeat constructor; assumption); simpl; try assumption; lia.
Qed.

(* the sequences with the trigger at 3 begin with (y, b), those with the trigger at 4 with (x, y, b) *)
Lemma short_mean : mean mu (fun y => mean mu (fun b => short_row y b)) <= expect mu (L - 1) (err 3%nat).
Proof.
  replace (L - 1)%nat with (S (S (L - 3))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb.
  rewrite <- (expect_const mu Hmu (L - 3) (short_row y b)). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
  apply (row_error_le 3 (y :: b :: cs) 3); [|lia]. repeat split; try lia; [simpl; lia|repeat constructor; assumption].
Qed.

Lemma long_mean : mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row x y b))) <= expect mu (L - 1) (err 4%nat).
Proof.
  replace (L - 1)%nat with (S (S (S (L - 4)))) by lia. rewrite expect_S. apply mean_le; [exact Hmu|]. intros x Hx.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros y Hy.
  rewrite expect_S. apply mean_le; [exact Hmu|]. intros b Hb.
  rewrite <- (expect_const mu Hmu (L - 4) (long_row x y b)). apply expect_le; [exact Hmu|]. intros cs Hl Hc.
  apply (row_error_le 4 (x :: y :: b :: cs) 4); [|lia]. repeat split; try lia; [simpl; lia|repeat constructor; assumption].
Qed.

Lemma low_rare : s * mean mu low_content <= expect mu (L - 1) (err 3%nat) + expect mu (L - 1) (err 4%nat).
Proof.
  pose proof short_mean as HS. pose proof long_mean as HLg.
  set (M := mean mu (fun y => mean mu (fun b => short_row y b))) in *.
  apply Rle_trans with (mean mu (fun x => mean mu (fun y => mean mu (fun b => long_row x y b)) + M));
    [|rewrite mean_plus, mean_const by exact Hmu; lra].
  rewrite <- mean_scal. apply mean_le; [exact Hmu|]. intros x Hx. unfold M.
  rewrite <- mean_plus, <- (mean_const mu Hmu (s * _)). apply mean_le; [exact Hmu|]. intros y Hy.
  rewrite <- mean_plus, <- (mean_const mu Hmu (s * _)). apply mean_le; [exact Hmu|]. intros b Hb.
  unfold low_content. destruct (low x) eqn:E; [rewrite Rmult_1_r; apply low_spoils; assumption|].
  pose proof (row_error_nonneg [Bos; Ordinary x; Ordinary y; Trigger b]).
  pose proof (row_error_nonneg [Bos; Ordinary y; Trigger b]). unfold long_row, short_row. lra.
Qed.

(* ------------------------------------------------- sequences that sink ---- *)

Lemma prefix_of_sequence j cs i : draw mu L j cs -> (2 <= i < j)%nat ->
  firstn i (sequence_of j cs) = Bos :: map Ordinary (firstn (i - 1) cs).
Proof.
  intros (Hj & Hl & _) Hi. unfold sequence_of. destruct i as [|i]; [lia|]. cbn [firstn]. f_equal.
  rewrite firstn_app, map_length, firstn_length_le by lia.
  replace (i - (j - 2))%nat with 0%nat by lia. rewrite firstn_O, app_nil_r.
  rewrite firstn_map, firstn_firstn. f_equal. f_equal. lia.
Qed.

Lemma sink_unless j cs i : draw mu L j cs -> err j cs <= s ->
  (forall c, In c (firstn (j - 2) cs) -> low c = false) -> (2 <= i < j)%nat ->
  1 - 3 * s <= bos_weight att (firstn i (sequence_of j cs)).
Proof.
  intros Hd Hle Hlow Hi. pose proof Hd as (Hj & Hl & Hc).
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
  { apply dot_map_le; [exact Fw'|]. intros c Hin. specialize (Hlow c (Hsub c Hin)).
    unfold low in Hlow. destruct (Rlt_dec _ _); [discriminate|lra]. }
  rewrite dot_const_map in W by (rewrite map_length in Lw; exact Lw).
  apply Rabs_le_iff in B, E. set (v := V (embed n Bos) o) in *.
  assert (a * (- s) <= a * v) by (apply mul_le_l; lra).
  replace (sum w) with (1 - a) in W by lra. lra.
Qed.

Lemma low_count l : 0 <= sum (map low_content l) /\
  (sum (map low_content l) < 1 -> forall c, In c l -> low c = false).
Proof.
  induction l as [|x l (IH1 & IH2)]; [split; [simpl; rewrite sum_nil; lra|intros _ c []]|].
  simpl map. rewrite sum_cons. unfold low_content at 1 3. split; [destruct (low x); lra|].
  intros H c [<-|Hin]; [|apply IH2; [|exact Hin]]; destruct (low x); reflexivity || lra.
Qed.

(* Markov and the union bound, sequence by sequence *)
Lemma fails_le j cs : draw mu L j cs ->
  s * (if fails att s j cs then 1 else 0) <= err j cs + s * sum (map low_content (firstn (j - 2) cs)).
Proof.
  intros Hd. pose proof (err_nonneg j cs Hd) as He. destruct (low_count (firstn (j - 2) cs)) as (C0 & C).
  set (count := sum _) in *. assert (0 <= s * count) by (apply Rmult_le_pos; lra).
  destruct (fails att s j cs) eqn:F; [|lra]. apply existsb_exists in F. destruct F as (i & Hi & F). apply in_seq in Hi.
  destruct (Rlt_dec _ _) as [B|]; [|discriminate].
  destruct (Rle_lt_dec (err j cs) s) as [E|E]; [|lra]. destruct (Rlt_le_dec count 1) as [D|D].
  - exfalso. apply (Rlt_not_le _ _ B). apply sink_unless; auto. lia.
  - assert (s * 1 <= s * count) by (apply mul_le_l; lra). lra.
Qed.

End Model.

Theorem one_layer_sink_average_proof : one_layer_sink_average.
Proof.
  intros n L mu V att score eta s HL Hmu Hatt Hsoft (err & Herr & Hmean) H0 H1. pose proof (INR_4 L HL) as HL4.
  assert (N : forall j cs, draw mu L j cs -> 0 <= err j cs) by (intros; eapply err_nonneg; eassumption).
  set (rare := s * mean mu (low_content n V s)).
  assert (Hr : rare <= (INR L - 2) * eta).
  { eapply Rle_trans; [eapply low_rare; eauto|]. eapply Rle_trans; [apply average_first_two; eassumption|].
    apply mul_le_l; lra. }
  assert (Hf : average mu L (fun j cs => s * (if fails att s j cs then 1 else 0) + 0 * err j cs) <=
               average mu L (fun j cs => 1 * err j cs + s * sum (map (low_content n V s) (firstn (j - 2) cs)))).
  { apply average_le; [exact Hmu|exact HL|]. intros j cs Hd. rewrite Rmult_0_l, Rplus_0_r, Rmult_1_l.
    eapply fails_le; eauto. }
  rewrite !average_linear, average_count in Hf by assumption.
  replace (s * ((INR L - 1) / 2 * mean mu (low_content n V s))) with (rare * ((INR L - 1) / 2)) in Hf by (unfold rare; field).
  assert (rare * ((INR L - 1) / 2) <= (INR L - 2) * eta * ((INR L - 1) / 2)) by (apply Rmult_le_compat_r; lra).
  unfold chance. lra.
Qed.
