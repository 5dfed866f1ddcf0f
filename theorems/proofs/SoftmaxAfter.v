(******************************************************************************)
(*                           SOFTMAX, AFTER AND BEFORE                        *)
(* One softmax layer: at most 4 eta of a non-trigger row misses BOS. Only the *)
(* trigger's rows need be position-free softmax (math in SoftmaxCores).       *)
(*   rows_at b e B po pt == flags_ok for 1, ..., L-2 ordinary tokens before   *)
(*                   a trigger of content b                                   *)
(*       content_rows == each content c has its e and B, after dividing by    *)
(*                   its own exp-score                                        *)
(*          mean_rows == so has any mean of contents                          *)
(*     split_row == a non-trigger row is BOS, a mean of contents, the trigger *)
(*                                                                            *)
(* A quantitative form of Theorem 1 of Ran-Milo 2026, arXiv 2603.11487.       *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Lists Sinkproof.SoftmaxCores.
Import ListNotations.
Open Scope R_scope.

(* eta <= kappa without quotients, N = L - 2 *)
Lemma kappa_clear L eta : (4 <= L)%nat -> eta <= kappa L ->
  INR (L - 2) = INR L - 2 /\ 2 <= INR (L - 2) /\ 4 * (INR (L - 2) + 1) * eta <= INR (L - 2) - 1.
Proof.
  intros HL H. pose proof (INR_4 L HL). rewrite minus_INR by lia. simpl (INR 2).
  repeat split; try lra. apply (mul_le_l (4 * (INR L - 1))) in H; [|lra].
  replace (4 * (INR L - 1) * kappa L) with (INR L - 3) in H by (unfold kappa; field; lra). lra.
Qed.

Section After.
Variables (n L : nat) (K : content -> Prop) (V : vec -> vec) (att : attention).
Variables (score : token -> token -> R) (eta : R).
Hypothesis HL : (4 <= L)%nat.
Hypothesis Hsimplex : simplex_attention K L att.
Hypothesis Hscore : trigger_rows_softmax K L score att.
Hypothesis Herror : error_le n L K (attention_output n V att) eta.

Let v := V (embed n Bos).
Let p_ c := V (embed n (Ordinary c)).
Let q_ b := V (embed n (Trigger b)).

(* the flags of a row off the trigger *)
Lemma row_bound p k : nontrigger_row K L p -> (k < n + 3)%nat ->
  - eta <= attention_output n V att p k <= eta.
Proof.
  intros Hp Hk. destruct Hp as [Hv Hq]. pose proof (Herror p Hv k Hk) as H.
  rewrite (target_nontrigger n K L p) in H by (split; assumption). rewrite Rminus_0_r in H.
  apply Rabs_le_iff. exact H.
Qed.

Lemma bos_bound k : nonempty K -> (k < n + 3)%nat -> - eta <= v k <= eta.
Proof.
  intros Kn Hk. apply Rabs_le_iff, (error_of_bos n L K V att); auto. lia.
Qed.

(* ------------------------------------------------- rows of the trigger ---- *)

Definition rows_at (b : content) (e B po pt : R) : Prop :=
  0 <= e /\ 0 < B /\
  forall m, (1 <= m)%nat -> (m + 2 <= L)%nat ->
  flags_ok eta (v 2%nat) (v 1%nat) (q_ b 2%nat) (q_ b 1%nat) (INR m) e B po pt.

Lemma trigger_output b c m k :
  let a t := exp (score (Trigger b) t) in
  K b -> K c -> (1 <= m)%nat -> (m + 2 <= L)%nat -> (k < n + 3)%nat ->
  attention_output n V att (Bos :: map Ordinary (repeat c m) ++ [Trigger b]) k
    * (a Bos + INR m * a (Ordinary c) + a (Trigger b)) =
  a Bos * v k + INR m * a (Ordinary c) * p_ c k + a (Trigger b) * q_ b k.
Proof.
  intros a Kb Kc H1 H2 Hk. set (p := Bos :: map Ordinary (repeat c m) ++ [Trigger b]).
  assert (Hq : query p = Trigger b) by (unfold p; rewrite app_comm_cons; apply query_app).
  assert (Hv : visible K L p).
  { apply (trigger_visible K L (repeat c m) b []); auto using Forall_repeat; rewrite repeat_length; simpl; lia. }
  assert (E : attention_output n V att p k = attention_output n V (pair_softmax score) p k).
  { unfold attention_output. rewrite (Hscore p b Hv Hq). reflexivity. }
  assert (D : mass score (query p) p = a Bos + INR m * a (Ordinary c) + a (Trigger b)).
  { rewrite Hq. unfold p, mass. simpl map.
    rewrite !map_app, sum_cons, sum_app, !map_repeat_const, sum_repeat. simpl map.
    rewrite sum_cons, sum_nil. unfold a. ring. }
  rewrite E, pair_softmax_output, D, Hq.
  assert (P : 0 < a Bos + INR m * a (Ordinary c) + a (Trigger b)).
  { rewrite <- D. apply mass_pos. discriminate. }
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold p. simpl map. rewrite !map_app, sum_cons, sum_app, !map_repeat_const, sum_repeat. simpl map.
  rewrite sum_cons, sum_nil. unfold a, v, p_, q_. ring.
Qed.

Lemma content_rows b c : K b -> K c ->
  exists e B, rows_at b e B (p_ c 2%nat) (p_ c 1%nat).
Proof.
  intros Kb Kc. pose (a t := exp (score (Trigger b) t)).
  assert (Pa : forall t, 0 < a t) by (intros; apply exp_pos).
  pose proof (Pa (Ordinary c)) as P.
  exists (a Bos / a (Ordinary c)), (a (Trigger b) / a (Ordinary c)).
  split; [left; apply Rdiv_lt_0_compat; apply Pa|]. split; [apply Rdiv_lt_0_compat; apply Pa|].
  intros m H1 H2.
  assert (Hrow : forall k y, (k < n + 3)%nat ->
    target n (Bos :: map Ordinary (repeat c m) ++ [Trigger b]) k = y ->
    row_ok eta (INR m) (a Bos / a (Ordinary c)) (a (Trigger b) / a (Ordinary c)) (v k) (p_ c k) (q_ b k) y).
  { intros k y Hk Hy. pose proof (trigger_output b c m k Kb Kc H1 H2 Hk) as O. fold a in O. simpl in O.
    assert (Hv : visible K L (Bos :: map Ordinary (repeat c m) ++ [Trigger b])).
    { apply (trigger_visible K L (repeat c m) b []); auto using Forall_repeat; rewrite repeat_length; simpl; lia. }
    pose proof (Herror _ Hv k Hk) as H. rewrite Hy in H. apply Rabs_le_iff in H.
    set (o := attention_output n V att (Bos :: map Ordinary (repeat c m) ++ [Trigger b]) k) in *. clearbody o.
    set (s := a Bos / a (Ordinary c) + INR m + a (Trigger b) / a (Ordinary c)).
    assert (Hs : 0 <= s).
    { unfold s. pose proof (pos_INR m). pose proof (Rdiv_lt_0_compat _ _ (Pa Bos) P).
      pose proof (Rdiv_lt_0_compat _ _ (Pa (Trigger b)) P). lra. }
    assert (Es : s * o = a Bos / a (Ordinary c) * v k + INR m * p_ c k + a (Trigger b) / a (Ordinary c) * q_ b k).
    { apply Rmult_eq_reg_l with (a (Ordinary c)); [|lra].
      transitivity (o * (a Bos + INR m * a (Ordinary c) + a (Trigger b))); [unfold s; field; lra|].
      rewrite O. field. lra. }
    unfold row_ok. fold s. rewrite <- Es. split; apply mul_le_l; lra. }
  destruct (target_flags n (repeat c m) b) as [To Tt]. rewrite repeat_length in To, Tt.
  split; apply Hrow; try lia; assumption.
Qed.

Lemma mean_rows b cs ws : K b -> Forall K cs -> Forall (fun w => 0 <= w) ws -> length ws = length cs ->
  exists e B po pt, rows_at b e B po pt /\
  dot ws (map (fun c => p_ c 2%nat) cs) = sum ws * po /\
  dot ws (map (fun c => p_ c 1%nat) cs) = sum ws * pt.
Proof.
  intros Kb Kcs Hw. revert cs Kcs. induction Hw as [|w ws Hw Hws IH]; intros [|c cs] Kcs Hl; try discriminate.
  - destruct (content_rows b b Kb Kb) as (e & B & H). exists e, B, (p_ b 2%nat), (p_ b 1%nat).
    split; [exact H|]. rewrite sum_nil. simpl. split; ring.
  - inversion Kcs as [|x l Kc Kcs']; subst.
    destruct (IH cs Kcs' ltac:(simpl in Hl; lia)) as (e & B & po & pt & (He & HB & HR) & Do & Dt).
    destruct (content_rows b c Kb Kc) as (e' & B' & (He' & HB' & HR')).
    pose proof (sum_nonneg ws Hws) as HW. rewrite sum_cons. simpl map. simpl dot. rewrite Do, Dt.
    destruct (Req_dec (w + sum ws) 0) as [Z|Z].
    + exists e, B, po, pt. split; [exact (conj He (conj HB HR))|].
      assert (Zw : w = 0) by lra. assert (ZW : sum ws = 0) by lra. rewrite Zw, ZW. split; ring.
    + set (W := w + sum ws) in *. assert (HWp : 0 < W) by (unfold W in *; lra).
      set (s := w / W). assert (Hs : 0 <= s <= 1).
      { unfold s. split; apply (cancel_mul W); auto.
        - replace (W * (w / W)) with w by (field; lra). lra.
        - replace (W * (w / W)) with w by (field; lra). unfold W; lra. }
      assert (Es : W * s = w) by (unfold s; field; lra).
      assert (Es' : W * (1 - s) = sum ws) by (rewrite Rmult_minus_distr_l, Es; unfold W; ring).
      exists (s * e' + (1 - s) * e), (s * B' + (1 - s) * B),
             (s * p_ c 2%nat + (1 - s) * po), (s * p_ c 1%nat + (1 - s) * pt).
      clearbody s. assert (S' : 0 <= 1 - s) by lra. split; [split; [|split]|].
      * pose proof (Rmult_le_pos s e'). pose proof (Rmult_le_pos (1 - s) e). lra.
      * destruct (Req_dec s 0) as [->|Hs0]; [lra|].
        pose proof (Rmult_lt_0_compat s B' ltac:(lra) HB'). pose proof (Rmult_le_pos (1 - s) B S' ltac:(lra)). lra.
      * intros m M1 M2. apply flags_ok_mean; auto.
      * rewrite <- Es, <- Es'. split; ring.
Qed.

(* ------------------------------------------------- other rows ------------- *)

(* BOS, ordinary tokens of total weight mp, the trigger of weight mq *)
Lemma split_before cs : cs <> [] -> Forall K cs -> (length cs + 2 <= L)%nat ->
  forall b, K b ->
  let p := Bos :: map Ordinary cs in
  exists e B po pt mp, rows_at b e B po pt /\ 0 <= mp /\ mp = 1 - bos_weight att p /\
  attention_output n V att p 2%nat = (1 - mp) * v 2%nat + mp * po.
Proof.
  intros Hn Hc Hl b Kb p.
  assert (Hv : visible K L p) by (apply ordinary_visible; auto; [exists b; assumption|lia]).
  destruct (Hsimplex p Hv) as (Hlen & Hpos & Hsum). unfold bos_weight, attention_output.
  destruct (att p) as [|a0 ws]; [discriminate|]. simpl in Hlen. rewrite map_length in Hlen.
  rewrite sum_cons in Hsum. inversion Hpos as [|x l Ha0 Hws]; subst.
  destruct (mean_rows b cs ws Kb Hc Hws ltac:(lia)) as (e & B & po & pt & HR & Do & _).
  exists e, B, po, pt, (sum ws). simpl hd. pose proof (sum_nonneg ws Hws).
  split; [exact HR|]. split; [lra|]. split; [lra|].
  unfold p. simpl map. simpl dot. rewrite map_map. unfold p_ in Do. rewrite Do.
  fold v. replace a0 with (1 - sum ws) by lra. reflexivity.
Qed.

Lemma split_after a c b : b <> [] -> Forall K a -> K c -> Forall K b ->
  (1 <= length a)%nat -> (length a + length b + 2 <= L)%nat ->
  let p := Bos :: map Ordinary a ++ Trigger c :: map Ordinary b in
  exists e B po pt mp mq, rows_at c e B po pt /\ 0 <= mp /\ 0 <= mq /\ mp + mq = 1 - bos_weight att p /\
  attention_output n V att p 2%nat = (1 - (mp + mq)) * v 2%nat + mp * po + mq * q_ c 2%nat /\
  attention_output n V att p 1%nat = (1 - (mp + mq)) * v 1%nat + mp * pt + mq * q_ c 1%nat.
Proof.
  intros Hn Ha Hc Hb La HL' p.
  assert (Hv : visible K L p) by (apply trigger_visible; assumption).
  destruct (Hsimplex p Hv) as (Hlen & Hpos & Hsum). unfold bos_weight, attention_output.
  destruct (att p) as [|a0 ws]; [discriminate|]. simpl in Hlen. injection Hlen as Hlen.
  rewrite sum_cons in Hsum. inversion Hpos as [|x l Ha0 Hws]; subst.
  destruct (split_weights ws _ _ Hlen) as (w1 & w2' & -> & L1 & L2).
  destruct w2' as [|wt w2]; [discriminate|]. simpl in L2. injection L2 as L2.
  rewrite map_length in L1, L2. rewrite sum_app, sum_cons in Hsum.
  apply Forall_app in Hws. destruct Hws as [Hw1 Hws]. inversion Hws as [|x l Hwt Hw2]; subst.
  destruct (mean_rows c (a ++ b) (w1 ++ w2) Hc) as (e & B & po & pt & HR & Do & Dt);
    [apply Forall_app; split; assumption..|rewrite !app_length; lia|].
  rewrite map_app, dot_app, sum_app in Do, Dt by (rewrite map_length; assumption).
  exists e, B, po, pt, (sum w1 + sum w2), wt. simpl hd.
  pose proof (sum_nonneg _ Hw1). pose proof (sum_nonneg _ Hw2).
  split; [exact HR|]. split; [lra|]. split; [assumption|]. split; [lra|].
  assert (Ea : a0 = 1 - (sum w1 + sum w2 + wt)) by lra.
  split; unfold p; simpl map; rewrite map_app; simpl map; simpl dot;
    rewrite dot_app by (rewrite !map_length; assumption); simpl dot; rewrite !map_map;
    unfold p_ in Do, Dt; fold v; fold (q_ c).
  - rewrite <- Do, Ea. ring.
  - rewrite <- Dt, Ea. ring.
Qed.

Lemma after_bound : eta <= kappa L -> forall p, nontrigger_row K L p -> 1 - bos_weight att p <= 4 * eta.
Proof.
  intros He p Hp. destruct (kappa_clear L eta HL He) as (EN & HN & Hk).
  assert (He0 : 0 <= eta) by (destruct Hp as [Hv _]; eapply error_le_nonneg; eassumption).
  pose proof (row_bound p 2%nat Hp ltac:(lia)) as Ro. pose proof (row_bound p 1%nat Hp ltac:(lia)) as Rt.
  destruct (nontrigger_cases K L p Hp) as [(cs & Hn & -> & Hc & Hl)|(a & c & b & Hn & -> & Ha & Hc & Hb & La & Hl)].
  - assert (exists b, K b) as (b & Kb).
    { destruct cs as [|b cs]; [congruence|]. exists b. inversion Hc; assumption. }
    destruct (split_before cs Hn Hc Hl b Kb) as (e & B & po & pt & mp & (HE & HB & HR) & Hm & <- & Eo).
    rewrite Eo in Ro. pose proof (bos_bound 2%nat ltac:(exists b; assumption) ltac:(lia)).
    apply (no_trigger (INR (L - 2)) eta e B (v 2%nat) (v 1%nat) po pt (q_ b 2%nat) (q_ b 1%nat)); auto; try lra.
    + apply (HR 1%nat); lia.
    + apply HR; lia.
  - destruct (split_after a c b Hn Ha Hc Hb La Hl) as (e & B & po & pt & mp & mq & (HE & HB & HR) & Hmp & Hmq & <- & Eo & Et).
    rewrite Eo in Ro. rewrite Et in Rt.
    apply (core_after (INR (L - 2)) eta e B (v 2%nat) (v 1%nat) po pt (q_ c 2%nat) (q_ c 1%nat)); auto; try lra.
    + apply bos_bound; [exists c; assumption|lia].
    + apply bos_bound; [exists c; assumption|lia].
    + apply (HR 1%nat); lia.
    + apply HR; lia.
Qed.
End After.

Theorem one_layer_sink_softmax_after_proof : one_layer_sink_softmax_after.
Proof.
  intros n L K V att score eta HL Hs Ht He Hk p Hp.
  exact (after_bound n L K V att score eta HL Hs Ht He Hk p Hp).
Qed.
