(******************************************************************************)
(*                              P0 CIRCUIT                                    *)
(* Uniform attention tells a constant prefix from all others; the MLP writes  *)
(* the difference; a later head attends there.                                *)
(*      mixed_value == coordinate t of a mixed state: [t newest] + frequency  *)
(*     margin_other == no coordinate of a mixed prefix passes the threshold   *)
(*        query_one == the query of block 2 is 1                              *)
(*   spike_constant, spike_other == the spike is G, or 0                      *)
(*         run_mass == the softmax mass of a row after a run of r tokens      *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.Lists Sinkproof.CollisionIndex Sinkproof.SoftmaxWeights.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- prefixes --------------- *)

Lemma newest_in p : p <> [] -> In (newest p) p.
Proof.
  intros H. destruct (exists_last H) as (q & t & ->). unfold newest. rewrite last_last.
  apply in_or_app. right. left. reflexivity.
Qed.

Lemma all_equal p t : count_occ Nat.eq_dec p t = length p -> p = repeat t (length p).
Proof.
  induction p as [|s p IH]; intros H; [reflexivity|]. destruct (Nat.eq_dec s t) as [->|E].
  - rewrite count_occ_cons_eq in H by reflexivity. simpl in *. f_equal. apply IH. lia.
  - rewrite count_occ_cons_neq in H by exact E. pose proof (count_occ_bound Nat.eq_dec t p). simpl in H. lia.
Qed.

Lemma count_le p t : count p t <= INR (length p).
Proof. apply le_INR, count_occ_bound. Qed.

Lemma count_other p t : ~ constant p -> count p t <= INR (length p) - 1.
Proof.
  intros H. assert (N : count_occ Nat.eq_dec p t <> length p) by (intros E; apply H; exists t; apply all_equal, E).
  pose proof (count_occ_bound Nat.eq_dec t p). assert (L : (S (count_occ Nat.eq_dec p t) <= length p)%nat) by lia.
  apply le_INR in L. rewrite S_INR in L. unfold count. lra.
Qed.

(* ------------------------------------------------- block 1 ---------------- *)

Lemma uniform_softmax (p : list nat) : p <> [] ->
  softmax (map (fun _ => 0) p) = repeat (/ INR (length p)) (length p).
Proof.
  intros H. rewrite <- repeat_const_map. unfold softmax. rewrite !map_repeat_const, exp_0, sum_repeat, Rmult_1_r.
  unfold Rdiv. rewrite Rmult_1_l. reflexivity.
Qed.

Lemma mixed_value p t : p <> [] -> mixed p t = (if (newest p =? t)%nat then 1 else 0) + count p t / INR (length p).
Proof.
  intros H. unfold mixed, add. f_equal.
  - unfold hot. rewrite Nat.eqb_sym. reflexivity.
  - rewrite uniform_softmax, mix_map, dot_constant_map by exact H.
    assert (E : sum (map (fun s => hot s t) p) = count p t).
    { clear H. induction p as [|s p IH]; [reflexivity|]. simpl map. rewrite sum_cons, IH, count_cons.
      unfold hot. rewrite Nat.eqb_sym. reflexivity. }
    rewrite E. unfold Rdiv. ring.
Qed.

Lemma relu_zero x : x <= 0 -> relu x = 0.
Proof. intros H. apply Rmax_left. lra. Qed.

Lemma relu_self x : 0 <= x -> relu x = x.
Proof. intros H. apply Rmax_right. lra. Qed.

Section Prefix.
Variables (V N : nat) (G : R) (p : list nat).
Hypothesis good : prefix_of V p.
Hypothesis short : (length p <= N)%nat.

Let i := INR (length p).

Lemma length_one : 1 <= i.
Proof. destruct good as (Hn & _). unfold i. destruct p; [congruence|]. apply (le_INR 1). simpl. lia. Qed.

Lemma shares : 0 < / INR N <= / i /\ / i <= 1.
Proof.
  pose proof length_one as H. assert (L : i <= INR N) by (apply le_INR, short). split; [split|].
  - apply Rinv_0_lt_compat. lra.
  - apply Rinv_le_contravar; lra.
  - rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Lemma newest_below : (newest p < V)%nat.
Proof. destruct good as (Hn & H). apply (proj1 (Forall_forall _ p) H), newest_in, Hn. Qed.

Lemma spike_coordinate : mixed p V = 0.
Proof.
  rewrite mixed_value by apply good. pose proof newest_below. destruct (Nat.eqb_spec (newest p) V); [lia|].
  assert (E : count p V = 0).
  { unfold count. rewrite (proj1 (count_occ_not_In Nat.eq_dec p V)); [reflexivity|]. intros Hin.
    pose proof (proj1 (Forall_forall _ p) (proj2 good) V Hin). simpl in *. lia. }
  rewrite E. unfold Rdiv. ring.
Qed.

Lemma query_one : sum_below V (spiked V N G p) / 2 = 1.
Proof.
  rewrite (sum_below_ext V _ (fun t => (if (newest p =? t)%nat then 1 else 0) * 1 + / i * count p t)).
  - rewrite sum_below_plus, sum_below_scal, (sum_indicator V (newest p) (fun _ => 1) newest_below).
    rewrite (counts_total V p (proj2 good)). pose proof length_one. fold i. field. lra.
  - intros t Ht. unfold spiked. destruct (Nat.eqb_spec t V); [lia|].
    rewrite mixed_value by apply good. unfold i, Rdiv. ring.
Qed.

(* a coordinate below the threshold *)
Lemma margin_other t : ~ constant p \/ newest p <> t -> relu (mixed p t - (2 - 1 / INR N)) = 0.
Proof.
  intros H. apply relu_zero. rewrite mixed_value by apply good. fold i. pose proof length_one as L.
  destruct shares as (S1 & S2). unfold Rdiv at 2. rewrite Rmult_1_l.
  assert (C : forall c, count p t <= c -> count p t / i <= c * / i).
  { intros c Hc. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact Hc]. }
  destruct (Nat.eqb_spec (newest p) t) as [E|E].
  - destruct H as [H|H]; [|congruence]. specialize (C _ (count_other p t H)). fold i in C.
    replace ((i - 1) * / i) with (1 - / i) in C by (field; lra). lra.
  - specialize (C _ (count_le p t)). fold i in C. rewrite Rinv_r in C by lra. lra.
Qed.

Lemma spike_is x : sum_below V (fun t => relu (mixed p t - (2 - 1 / INR N))) = x ->
  spiked V N G p V = G * INR N * x.
Proof. intros H. unfold spiked. rewrite Nat.eqb_refl, spike_coordinate, H. ring. Qed.

Lemma spike_other : ~ constant p -> spiked V N G p V = 0.
Proof.
  intros H. rewrite (spike_is 0); [ring|]. apply sum_below_zero. intros t _. apply margin_other. left. exact H.
Qed.

Lemma spike_constant : constant p -> spiked V N G p V = G.
Proof.
  intros (t & E). pose proof length_one as L. destruct shares as (S1 & _). assert (Hn : p <> []) by apply good.
  assert (Et : newest p = t).
  { pose proof (newest_in p Hn) as I. rewrite E in I at 2. apply repeat_spec in I. exact I. }
  assert (Hc : count p t = i).
  { pose proof (count_repeat t (length p) t) as C. rewrite <- E, Nat.eqb_refl in C. exact C. }
  rewrite (spike_is (/ INR N)).
  - pose proof (Rinv_neq_0_compat (/ INR N) ltac:(lra)) as Z. rewrite Rinv_inv in Z. field. exact Z.
  - rewrite (sum_below_one V t).
    + rewrite mixed_value, Et, Nat.eqb_refl, Hc by exact Hn. fold i. rewrite relu_self.
      * unfold Rdiv. rewrite Rinv_r by lra. ring.
      * unfold Rdiv. rewrite Rinv_r by lra. lra.
    + rewrite <- Et. apply newest_below.
    + intros k _ Hk. apply margin_other. right. congruence.
Qed.
End Prefix.

Theorem circuit_spike_proof : circuit_spike.
Proof.
  intros V N G p Hp HN _. split; intros H; [apply spike_constant|apply spike_other]; assumption.
Qed.

(* ------------------------------------------------- block 2 ---------------- *)

Lemma firstn_prefix V p k : prefix_of V p -> (1 <= k)%nat -> prefix_of V (firstn k p).
Proof.
  intros (Hn & H) Hk. split; [destruct p; [congruence|destruct k; [lia|discriminate]]|].
  rewrite <- (firstn_skipn k p) in H. apply Forall_app in H. apply H.
Qed.

Lemma run_constant t r k (rest : list nat) : (k <= r)%nat -> constant (firstn k (repeat t r ++ rest)).
Proof.
  intros H. exists t. rewrite firstn_app, repeat_length. replace (k - r)%nat with 0%nat by lia.
  rewrite firstn_O, app_nil_r. assert (E : firstn k (repeat t r) = repeat t k).
  { revert k H. induction r; intros [|k] H; simpl; try reflexivity; try lia. rewrite IHr by lia. reflexivity. }
  rewrite E, repeat_length. reflexivity.
Qed.

Lemma run_over t u r k (rest : list nat) : t <> u -> (1 <= r)%nat -> (r < k)%nat ->
  ~ constant (firstn k (repeat t r ++ u :: rest)).
Proof.
  intros Htu Hr Hk (v & E). rewrite firstn_app, repeat_length in E. rewrite firstn_all2 in E by (rewrite repeat_length; lia).
  destruct (k - r)%nat as [|m] eqn:Em; [lia|]. simpl firstn in E. destruct r as [|r]; [lia|]. set (n := length _) in E.
  assert (F : forall x, In x (repeat t (S r) ++ u :: firstn m rest) -> x = v)
    by (intros x Hx; rewrite E in Hx; apply repeat_spec in Hx; exact Hx).
  apply Htu. rewrite (F t), (F u); [reflexivity| |left; reflexivity].
  apply in_or_app. right. left. reflexivity.
Qed.

(* the mass of a row after a run of r tokens, and each weight of the run *)
Lemma run_weights V N G g t r u rest : let p := repeat t r ++ u :: rest in
  prefix_of V p -> (length p <= N)%nat -> (1 <= r)%nat -> t <> u ->
  forall k, (1 <= k <= r)%nat -> let E := exp (g * G) in
  weight (sink_row V N G g p) k = E / (INR r * E + INR (length p) - INR r).
Proof.
  intros p Hp HN Hr Htu k Hk E.
  assert (Lp : length p = (r + S (length rest))%nat) by (unfold p; rewrite app_length, repeat_length; reflexivity).
  assert (Hpre : forall j, (1 <= j <= length p)%nat -> prefix_of V (firstn j p) /\ (length (firstn j p) <= N)%nat).
  { intros j Hj. split; [apply firstn_prefix; [exact Hp|lia]|]. rewrite firstn_length. lia. }
  set (z := fun j => g * (sum_below V (spiked V N G p) / 2) * spiked V N G (firstn j p) V).
  assert (Z1 : forall j, (1 <= j <= r)%nat -> z j = g * G).
  { intros j Hj. unfold z. rewrite query_one by assumption. destruct (Hpre j ltac:(lia)) as (A & B).
    rewrite spike_constant by (try assumption; apply run_constant; lia). ring. }
  assert (Z0 : forall j, (r < j <= length p)%nat -> z j = 0).
  { intros j Hj. unfold z. destruct (Hpre j ltac:(lia)) as (A & B).
    rewrite spike_other by (try assumption; apply run_over; try assumption; lia). ring. }
  assert (M : mass_of z (length p) = INR r * E + INR (length p) - INR r).
  { unfold mass_of. rewrite Lp, seq_app, map_app, sum_app.
    rewrite (map_ext_in (fun j => exp (z j)) (fun _ => E) (seq 1 r)).
    - rewrite (map_ext_in (fun j => exp (z j)) (fun _ => 1)).
      + rewrite !sum_map_const, !seq_length, plus_INR. ring.
      + intros j Hj. apply in_seq in Hj. rewrite Z0 by lia. apply exp_0.
    - intros j Hj. apply in_seq in Hj. rewrite Z1 by lia. reflexivity. }
  unfold sink_row. fold z. rewrite weight_softmax by lia. rewrite M, Z1 by exact Hk. reflexivity.
Qed.

Theorem circuit_shared_proof : circuit_shared.
Proof.
  intros V N G g r t u rest p Hp HN Hr Htu k Hk E. pose proof (run_weights V N G g t r u rest Hp HN Hr Htu k Hk) as W.
  fold p E in W. split; [exact W|]. rewrite W. pose proof (exp_pos (g * G)) as P. fold E in P.
  assert (R1 : 1 <= INR r) by (apply (le_INR 1 _ Hr)).
  assert (Lp : INR (length p) = INR r + 1 + INR (length rest)).
  { unfold p. rewrite app_length, repeat_length. simpl. rewrite plus_INR, S_INR. ring. }
  pose proof (pos_INR (length rest)). assert (RE : 0 < INR r * E) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_lt_reg_r with (INR r * (INR r * E + INR (length p) - INR r)); [apply Rmult_lt_0_compat; lra|].
  replace (E / (INR r * E + INR (length p) - INR r) * (INR r * (INR r * E + INR (length p) - INR r)))
    with (INR r * E) by (field; lra).
  replace (1 / INR r * (INR r * (INR r * E + INR (length p) - INR r)))
    with (INR r * E + INR (length p) - INR r) by (field; lra). lra.
Qed.

Theorem circuit_mass_proof : circuit_mass.
Proof.
  intros V N G g t u rest p Hp HN Htu i Hi. pose proof (exp_pos (g * G)) as P. rewrite exp_Ropp.
  destruct i as [|[|i]]; [lia| |].
  - unfold p. simpl firstn. unfold sink_row. simpl length.
    rewrite weight_softmax by lia. unfold mass_of. simpl map. rewrite sum_cons, sum_nil. simpl INR.
    set (x := exp _). assert (0 < x) by apply exp_pos. field. lra.
  - assert (E : firstn (S (S i)) p = repeat t 1 ++ u :: firstn i rest) by reflexivity.
    pose proof (run_weights V N G g t 1 u (firstn i rest)) as W. cbv zeta in W. rewrite <- E in W.
    rewrite W; try assumption; try lia.
    + rewrite firstn_length, Nat.min_l by lia. simpl (INR 1). rewrite (S_INR (S i)).
      pose proof (pos_INR (S i)). field. repeat split; try lra; assert (0 < exp (g * G) * 1) by lra; lra.
    + apply firstn_prefix; [exact Hp|lia].
    + rewrite firstn_length. lia.
Qed.

(* ------------------------------------------------- the state of P0 -------- *)

Lemma single_state V N G t : (1 <= N)%nat -> (t < V)%nat ->
  forall k, (k < S V)%nat -> spiked V N G [t] k = add (scale 2 (hot t)) (scale G (hot V)) k.
Proof.
  intros HN Ht k Hk. assert (Hp : prefix_of V [t]) by (split; [discriminate|repeat constructor; exact Ht]).
  unfold add, scale, hot. destruct (Nat.eqb_spec k V) as [->|E].
  - rewrite spike_constant by (try assumption; exists t; reflexivity). destruct (Nat.eqb_spec V t); [lia|ring].
  - unfold spiked. destruct (Nat.eqb_spec k V); [congruence|]. rewrite mixed_value by discriminate.
    change (newest [t]) with t. rewrite count_cons, (Nat.eqb_sym t k).
    unfold count. simpl. destruct (k =? t)%nat; field.
Qed.

Lemma inner_hot d s t : (s < d)%nat -> inner d (hot s) (hot t) = if (s =? t)%nat then 1 else 0.
Proof.
  intros H. unfold inner. rewrite (sum_below_one d s); [|exact H|].
  - unfold hot. rewrite Nat.eqb_refl. destruct (s =? t)%nat; ring.
  - intros k _ Hk. unfold hot. apply Nat.eqb_neq in Hk. rewrite Hk. ring.
Qed.

Lemma single_inner V N G t u : (1 <= N)%nat -> (t < V)%nat -> (u < V)%nat ->
  inner (S V) (spiked V N G [t]) (spiked V N G [u]) = (if (t =? u)%nat then 4 else 0) + G ^ 2.
Proof.
  intros HN Ht Hu. rewrite (inner_ext _ _ _ _ _ (single_state V N G t HN Ht) (single_state V N G u HN Hu)).
  rewrite inner_add_l, !inner_add_r, !inner_scale_l, !inner_scale_r, !inner_hot, Nat.eqb_refl by lia.
  destruct (Nat.eqb_spec t V), (Nat.eqb_spec V u); try lia. destruct (t =? u)%nat; ring.
Qed.

Theorem circuit_norm_proof : circuit_norm.
Proof.
  intros V N G t u HN Ht Hu Htu HG h. pose proof (single_inner V N G t t HN Ht Ht) as Ett.
  pose proof (single_inner V N G u u HN Hu Hu) as Euu. pose proof (single_inner V N G t u HN Ht Hu) as Etu.
  rewrite Nat.eqb_refl in Ett, Euu. apply Nat.eqb_neq in Htu. rewrite Htu in Etu.
  split; [exact Ett|]. unfold h. rewrite Etu. unfold norm. rewrite Ett, Euu.
  assert (P : 0 < 4 + G ^ 2) by (assert (0 < G ^ 2) by (apply pow_lt, HG); lra).
  rewrite sqrt_sqrt by lra. rewrite Rplus_0_l. reflexivity.
Qed.
