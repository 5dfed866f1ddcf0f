(******************************************************************************)
(*                             CIRCUIT GAIN                                   *)
(* What recognising position zero costs: a gain of at most 2 G when block 1   *)
(* avoids the query's own token, a slope of G N / sqrt 2 when it is uniform.  *)
(*  avoiding_value == coordinate t of a state that avoids its own token       *)
(*      spike_same == on a constant prefix one unit passes, by B/(N - 1 + B)  *)
(*     spike_none == on any other no unit passes                              *)
(*   states_apart == two states one odd token apart: sqrt 2 / N               *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.Lists Sinkproof.CollisionIndex Sinkproof.P0Circuit.
Import ListNotations.
Open Scope R_scope.

Section Avoiding.
Variables (V N : nat) (beta : R) (p : list nat).
Hypothesis good : prefix_of V p.
Hypothesis short : (length p <= N)%nat.
Hypothesis two : (2 <= N)%nat.

Let B := exp beta.
Let own := count p (newest p).
Let others := INR (length p) - own.

Lemma B_pos : 0 < B.
Proof. apply exp_pos. Qed.

Lemma own_at_least_one : 1 <= own.
Proof.
  unfold own, count. pose proof (newest_in p (proj1 good)) as I.
  apply (count_occ_In Nat.eq_dec) in I. apply (le_INR 1). exact I.
Qed.

(* the unnormalised weights: 1/B on the own token, 1 on the others *)
Lemma own_mass (f : nat -> R) : sum (map (fun t => exp (if (t =? newest p)%nat then - beta else 0) * f t) p) =
  sum_below V (fun t => count p t * ((if (t =? newest p)%nat then / B else 1) * f t)).
Proof.
  rewrite (sum_over_tokens V p) by apply good. apply sum_below_ext. intros t _.
  destruct (t =? newest p)%nat; [rewrite exp_Ropp; reflexivity|rewrite exp_0; reflexivity].
Qed.

Lemma total_mass : sum (map exp (map (fun t => if (t =? newest p)%nat then - beta else 0) p)) = own / B + others.
Proof.
  rewrite map_map, (map_ext _ (fun t => exp (if (t =? newest p)%nat then - beta else 0) * 1)) by (intros; ring).
  rewrite own_mass, (sum_without V (newest p)) by (apply (newest_below V p), good).
  rewrite Nat.eqb_refl. pose proof (sum_without V (newest p) (count p) (newest_below V p good)) as E.
  rewrite counts_total in E by apply good. fold own in E |- *.
  rewrite (sum_below_ext V _ (fun t => if (newest p =? t)%nat then 0 else count p t)).
  - unfold others. rewrite E. unfold Rdiv. ring.
  - intros t _. rewrite (Nat.eqb_sym t). destruct (newest p =? t)%nat; ring.
Qed.

Lemma avoiding_value t : avoiding beta p t = (if (newest p =? t)%nat then 1 else 0)
  + count p t * (if (t =? newest p)%nat then / B else 1) / (own / B + others).
Proof.
  unfold avoiding, add. f_equal; [unfold hot; rewrite Nat.eqb_sym; reflexivity|].
  rewrite mix_map. unfold softmax. rewrite total_mass, map_map, dot_div_map. f_equal.
  rewrite (own_mass (fun s => hot s t)).
  destruct (lt_dec t V) as [L|L].
  - rewrite (sum_below_one V t _ L).
    + unfold hot. rewrite Nat.eqb_refl. ring.
    + intros k _ Hk. unfold hot. apply not_eq_sym, Nat.eqb_neq in Hk. rewrite Hk. ring.
  - rewrite sum_below_zero.
    + unfold count. rewrite (proj1 (count_occ_not_In Nat.eq_dec p t)); [simpl; ring|]. intros I.
      pose proof (proj1 (Forall_forall _ p) (proj2 good) t I). simpl in *. lia.
    + intros k Hk. unfold hot. destruct (Nat.eqb_spec t k); [lia|ring].
Qed.

Let threshold := 1 + (INR N - 1) / (INR N - 1 + B).

Lemma N_at_least_two : 2 <= INR N.
Proof. apply le_INR in two. simpl in two. lra. Qed.

Lemma threshold_above_one : 1 <= threshold.
Proof.
  pose proof N_at_least_two. pose proof B_pos. unfold threshold.
  assert (0 <= (INR N - 1) / (INR N - 1 + B)); [|lra].
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma mass_pos : 0 < own / B + others.
Proof.
  pose proof own_at_least_one. pose proof B_pos. pose proof (count_le p (newest p)). fold own in H1.
  assert (0 < own / B) by (apply Rdiv_lt_0_compat; lra). unfold others. lra.
Qed.

(* no other token passes *)
Lemma other_below t : newest p <> t -> relu (avoiding beta p t - threshold) = 0.
Proof.
  intros H. apply relu_zero. rewrite avoiding_value. pose proof threshold_above_one. pose proof mass_pos as M.
  destruct (Nat.eqb_spec (newest p) t); [contradiction|]. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec (newest p) t); [contradiction|].
  assert (count p t * 1 / (own / B + others) <= 1); [|lra].
  apply Rmult_le_reg_r with (own / B + others); [exact M|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
  assert (C : count p t <= others).
  { pose proof (sum_without V (newest p) (count p) (newest_below V p good)) as E. rewrite counts_total in E by apply good.
    fold own in E. unfold others. rewrite E.
    destruct (lt_dec t V) as [L|L].
    - assert (T : (if (newest p =? t)%nat then 0 else count p t) <= sum_below V (fun t => if (newest p =? t)%nat then 0 else count p t)).
      { apply (sum_below_term V (fun t => if (newest p =? t)%nat then 0 else count p t) t L).
        intros k _. destruct (newest p =? k)%nat; [lra|apply count_nonneg]. }
      apply Nat.eqb_neq in H. rewrite H in T. lra.
    - assert (count p t = 0) as ->.
      { unfold count. rewrite (proj1 (count_occ_not_In Nat.eq_dec p t)); [reflexivity|]. intros I.
        pose proof (proj1 (Forall_forall _ p) (proj2 good) t I). simpl in *. lia. }
      assert (0 <= sum_below V (fun t => if (newest p =? t)%nat then 0 else count p t)); [|lra].
      apply sum_below_nonneg. intros k _. destruct (newest p =? k)%nat; [lra|apply count_nonneg]. }
  pose proof own_at_least_one. pose proof B_pos. assert (0 < own / B) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma spike_sum : sum_below V (fun t => relu (avoiding beta p t - threshold)) = relu (avoiding beta p (newest p) - threshold).
Proof.
  apply (sum_below_one V (newest p) (fun t => relu (avoiding beta p t - threshold))); [apply (newest_below V p), good|].
  intros k _ Hk. apply other_below. congruence.
Qed.

Lemma own_value : avoiding beta p (newest p) = 1 + own / B / (own / B + others).
Proof. rewrite avoiding_value, Nat.eqb_refl. reflexivity. Qed.

Lemma spike_same : constant p -> sum_below V (fun t => relu (avoiding beta p t - threshold)) = B / (INR N - 1 + B).
Proof.
  intros (t & E). rewrite spike_sum, own_value. pose proof own_at_least_one. pose proof B_pos. pose proof N_at_least_two.
  assert (O : others = 0).
  { unfold others, own. pose proof (newest_in p (proj1 good)) as I. rewrite E in I at 2. apply repeat_spec in I. rewrite I.
    pose proof (count_repeat t (length p) t) as C. rewrite <- E, Nat.eqb_refl in C. rewrite C. ring. }
  rewrite O, Rplus_0_r. assert (0 < own / B) by (apply Rdiv_lt_0_compat; lra).
  unfold Rdiv at 1. rewrite Rinv_r by lra. unfold threshold.
  replace (1 + 1 - (1 + (INR N - 1) / (INR N - 1 + B))) with (B / (INR N - 1 + B)) by (field; lra).
  apply relu_self. left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma spike_none : ~ constant p -> sum_below V (fun t => relu (avoiding beta p t - threshold)) = 0.
Proof.
  intros H. rewrite spike_sum, own_value. pose proof own_at_least_one as O1. pose proof B_pos. pose proof N_at_least_two.
  pose proof (count_other p (newest p) H) as C. fold own in C. pose proof (le_INR _ _ short) as L.
  apply relu_zero. unfold threshold.
  assert (own / B / (own / B + others) <= (INR N - 1) / (INR N - 1 + B)); [|lra].
  assert (P : 0 < own + others * B) by (assert (0 <= others * B) by (apply Rmult_le_pos; unfold others; lra); lra).
  replace (own / B / (own / B + others)) with (own / (own + others * B)) by (field; repeat split; lra).
  apply Rmult_le_reg_r with ((own + others * B) * (INR N - 1 + B)); [apply Rmult_lt_0_compat; lra|].
  replace (own / (own + others * B) * ((own + others * B) * (INR N - 1 + B))) with (own * (INR N - 1) + own * B) by (field; lra).
  replace ((INR N - 1) / (INR N - 1 + B) * ((own + others * B) * (INR N - 1 + B)))
    with (own * (INR N - 1) + (INR N - 1) * others * B) by (field; lra).
  assert (own * 1 <= (INR N - 1) * others) by (apply Rmult_le_compat; unfold others; lra).
  assert (own * B <= (INR N - 1) * others * B) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Avoiding.

Theorem circuit_anti_self_proof : circuit_anti_self.
Proof.
  intros V N G beta gain HN HG HB spike (t & Ht & E). pose proof (exp_pos beta) as P. set (B := exp beta) in *.
  assert (N2 : 2 <= INR N) by (apply le_INR in HN; simpl in HN; lra).
  assert (E1 : gain * (B / (INR N - 1 + B)) = G).
  { rewrite <- E. unfold spike, avoiding_spike. fold B. f_equal. symmetry. apply (spike_same V N beta [t]); try assumption.
    - split; [discriminate|repeat constructor; exact Ht].
    - simpl. lia.
    - exists t. reflexivity. }
  assert (E2 : gain = G * (1 + (INR N - 1) / B)) by (rewrite <- E1; field; lra).
  split; [split; [exact E2|]|].
  - assert ((INR N - 1) / B <= 1).
    { apply Rmult_le_reg_r with B; [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    assert (G * ((INR N - 1) / B) <= G * 1) by (apply Rmult_le_compat_l; lra). lra.
  - intros p Hp Hl. split; intros H; unfold spike, avoiding_spike.
    + rewrite <- E1. f_equal. apply (spike_same V N beta p); assumption.
    + rewrite (spike_none V N beta p); try assumption. ring.
Qed.

(* ------------------------------------------------- uniform attention ------ *)

Lemma newest_app p t q : newest (p ++ t :: q) = newest (t :: q).
Proof. unfold newest. induction p as [|s p IH]; [reflexivity|]. simpl app. destruct (p ++ t :: q) eqn:E; [destruct p; discriminate|]. exact IH. Qed.

Lemma newest_repeat s n : (1 <= n)%nat -> newest (repeat s n) = s.
Proof.
  intros H. assert (I : In (newest (repeat s n)) (repeat s n)) by (apply newest_in; destruct n; [lia|discriminate]).
  apply repeat_spec in I. exact I.
Qed.

Lemma states_apart V a b s t : (s < V)%nat -> (t < V)%nat -> s <> t -> (1 <= b)%nat ->
  let odd := repeat s a ++ t :: repeat s b in let N := length odd in
  INR N ^ 2 * inner V (sub (mixed (repeat s N)) (mixed odd)) (sub (mixed (repeat s N)) (mixed odd)) = 2.
Proof.
  intros Hs Ht Hst Hb odd N.
  assert (HN : INR N = INR a + INR b + 1).
  { unfold N, odd. rewrite app_length. simpl. rewrite !repeat_length, plus_INR, S_INR. ring. }
  pose proof (pos_INR a). pose proof (pos_INR b).
  assert (N1 : (1 <= N)%nat) by (unfold N, odd; rewrite app_length; simpl; lia).
  assert (D : forall k, sub (mixed (repeat s N)) (mixed odd) k = scale (/ INR N) (sub (hot s) (hot t)) k).
  { intros k. unfold sub. rewrite !mixed_value; [|unfold odd; destruct a; discriminate|destruct N; [lia|discriminate]].
    rewrite newest_repeat by exact N1. replace (newest odd) with s.
    2:{ unfold odd. change (repeat s a ++ t :: repeat s b) with (repeat s a ++ [t] ++ repeat s b). rewrite app_assoc.
        destruct b as [|b]; [lia|]. simpl repeat. rewrite newest_app. symmetry. apply (newest_repeat s (S b)). lia. }
    rewrite repeat_length. fold N. unfold odd. rewrite count_app, count_cons, !count_repeat, HN.
    unfold scale, hot. rewrite !(Nat.eqb_sym k).
    destruct (Nat.eqb_spec s k), (Nat.eqb_spec t k); try congruence; field; lra. }
  rewrite (inner_ext V _ _ _ _ (fun k _ => D k) (fun k _ => D k)), inner_scale_l, inner_scale_r, inner_sub_square.
  rewrite !inner_hot by assumption. rewrite !Nat.eqb_refl. apply Nat.eqb_neq in Hst. rewrite Hst. field. lra.
Qed.

Lemma gain_step V a b s t G steep (mlp : vec -> R) : (s < V)%nat -> (t < V)%nat -> s <> t -> (1 <= b)%nat ->
  let odd := repeat s a ++ t :: repeat s b in let N := length odd in
  0 < G -> 0 <= steep -> (forall x y, Rabs (mlp x - mlp y) <= steep * norm V (sub x y)) ->
  mlp (mixed (repeat s N)) = G -> mlp (mixed odd) = 0 -> G ^ 2 * INR N ^ 2 <= 2 * steep ^ 2.
Proof.
  intros Hs Ht Hst Hb odd N HG HL Hm E1 E0. pose proof (states_apart V a b s t Hs Ht Hst Hb) as A. cbv zeta in A. fold odd N in A.
  specialize (Hm (mixed (repeat s N)) (mixed odd)). rewrite E1, E0, Rminus_0_r, Rabs_right in Hm by lra.
  rewrite <- norm_sq in A. set (x := norm V (sub (mixed (repeat s N)) (mixed odd))) in *.
  assert (S : G * G <= steep * x * (steep * x)) by (apply Rmult_le_compat; lra).
  assert (Q : 0 <= INR N ^ 2) by (apply pow2_ge_0). pose proof (Rmult_le_compat_r _ _ _ Q S) as T.
  replace (steep * x * (steep * x) * INR N ^ 2) with (steep ^ 2 * (INR N ^ 2 * (x * x))) in T by ring.
  rewrite A in T. replace (G ^ 2) with (G * G) by ring. lra.
Qed.

Theorem circuit_gain_proof : circuit_gain.
Proof. intros V a b s t G steep mlp. apply gain_step. Qed.
