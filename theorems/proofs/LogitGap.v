(******************************************************************************)
(*                                LOGIT GAP                                   *)
(* The mass of a softmax row on one key, from the gap of its logit to others. *)
(*        nth_map == an entry of a mapped list                                *)
(*      sum_others == the sum without the k-th entry                          *)
(*     mass_others == mass = 1 / (1 + sum over the others of e^(z_j - z_k))   *)
(*   jensen, jensen_strict == the mean of exp is at least exp of the mean     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements.
Import ListNotations.
Open Scope R_scope.

Lemma others_length {A} k (xs : list A) : (k < length xs)%nat -> length (others k xs) = (length xs - 1)%nat.
Proof. intros H. unfold others. rewrite app_length, firstn_length, skipn_length. lia. Qed.

Lemma others_at {A} (l1 l2 : list A) x : others (length l1) (l1 ++ x :: l2) = l1 ++ l2.
Proof.
  unfold others. rewrite firstn_app, firstn_all, Nat.sub_diag, firstn_O, app_nil_r. f_equal.
  rewrite skipn_app, skipn_all2 by lia. replace (S (length l1) - length l1)%nat with 1%nat by lia. reflexivity.
Qed.

Lemma others_map {A B} (f : A -> B) k xs : others k (map f xs) = map f (others k xs).
Proof. unfold others. rewrite map_app, firstn_map, skipn_map. reflexivity. Qed.

Lemma nth_map {A B} (f : A -> B) k xs d d' : (k < length xs)%nat -> nth k (map f xs) d' = f (nth k xs d).
Proof. intros H. rewrite (nth_indep _ d' (f d)) by (rewrite map_length; exact H). apply map_nth. Qed.

Lemma sum_others k xs : (k < length xs)%nat -> sum xs = nth k xs 0 + sum (others k xs).
Proof.
  intros H. destruct (nth_split xs 0 H) as (l1 & l2 & E & L). remember (nth k xs 0) as x. clear Heqx. subst.
  rewrite others_at, !sum_app, sum_cons. ring.
Qed.

Lemma length_INR {A} k (xs : list A) : (k < length xs)%nat -> INR (length xs) - 1 = INR (length (others k xs)).
Proof. intros H. rewrite others_length, minus_INR by lia. reflexivity. Qed.

Definition rest (z : list R) (k : nat) : R := sum (map (fun y => exp (y - nth k z 0)) (others k z)).

Lemma rest_nonneg z k : 0 <= rest z k.
Proof.
  apply sum_nonneg. apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & _).
  apply Rlt_le, exp_pos.
Qed.

Lemma mass_others z k : (k < length z)%nat -> mass z k = 1 / (1 + rest z k).
Proof.
  intros H. unfold mass, softmax. rewrite (nth_map _ k z 0) by exact H.
  rewrite (sum_others k (map exp z)), others_map, (nth_map exp k z 0) by (rewrite ?map_length; exact H).
  set (zk := nth k z 0). replace (sum (map exp (others k z))) with (exp zk * rest z k).
  - pose proof (exp_pos zk). pose proof (rest_nonneg z k). field. split; [lra|].
    assert (0 <= exp zk * rest z k) by (apply Rmult_le_pos; lra). lra.
  - unfold rest. rewrite <- sum_map_scal. f_equal. apply map_ext. intros y. rewrite <- exp_plus. f_equal. unfold zk. ring.
Qed.

Lemma inverse_le x y : 0 <= x -> x <= y -> 1 / (1 + y) <= 1 / (1 + x).
Proof. intros. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. Qed.

Lemma inverse_lt x y : 0 <= x -> x < y -> 1 / (1 + y) < 1 / (1 + x).
Proof. intros. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra|lra]. Qed.

Lemma inverse_eq x y : 0 <= x -> 0 <= y -> 1 / (1 + x) = 1 / (1 + y) <-> x = y.
Proof.
  intros. split; [|intros ->; reflexivity]. intros E. destruct (Rtotal_order x y) as [L|[L|L]]; [|exact L|];
    apply inverse_lt in L; lra.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [L| ->]; [left; apply exp_increasing; exact L|right; reflexivity]. Qed.

(* ------------------------------------------------- a gap is enough -------- *)

Lemma sum_le_const {A} (f : A -> R) B l : Forall (fun a => f a <= B) l -> sum (map f l) <= INR (length l) * B.
Proof.
  intros H. rewrite <- sum_map_const. apply sum_map_le. intros a Ha. rewrite Forall_forall in H. apply H, Ha.
Qed.

Lemma sum_lt_const {A} (f : A -> R) B l : Forall (fun a => f a <= B) l -> Exists (fun a => f a < B) l ->
  sum (map f l) < INR (length l) * B.
Proof.
  induction l as [|a l IH]; intros H E; inversion H; subst; inversion E; subst; cbn [map length]; rewrite sum_cons, S_INR.
  - pose proof (sum_le_const f B l H3). lra.
  - specialize (IH H3 H1). lra.
Qed.

Theorem logit_gap_proof : logit_gap.
Proof.
  intros z k gap H G. rewrite mass_others, (length_INR k) by exact H. apply inverse_le; [apply rest_nonneg|].
  apply sum_le_const. revert G. apply Forall_impl. intros y Hy. apply exp_le. lra.
Qed.

Theorem logit_gap_strict_proof : logit_gap_strict.
Proof.
  intros z k gap H G E. rewrite mass_others, (length_INR k) by exact H. apply inverse_lt; [apply rest_nonneg|].
  apply sum_lt_const; [revert G; apply Forall_impl; intros y Hy; apply exp_le; lra|].
  revert E. apply Exists_impl. intros y Hy. apply exp_increasing. lra.
Qed.

Theorem logit_gap_attained_proof : logit_gap_attained.
Proof.
  intros z k gap H G. rewrite mass_others, (length_INR k) by exact H. do 2 f_equal. unfold rest.
  rewrite <- sum_map_const. f_equal. apply map_ext_in. intros y Hy. rewrite Forall_forall in G. f_equal.
  specialize (G y Hy). lra.
Qed.

(* ------------------------------------------------- mass needs a gap ------- *)

Lemma jensen l : INR (length l) + sum l <= sum (map exp l).
Proof.
  induction l as [|x l IH]; cbn [map length]; [rewrite !sum_nil; simpl; lra|].
  rewrite !sum_cons, S_INR. pose proof (exp_ineq1_le x). lra.
Qed.

Lemma jensen_strict l : Exists (fun x => x <> 0) l -> INR (length l) + sum l < sum (map exp l).
Proof.
  induction l as [|x l IH]; intros E; inversion E; subst; cbn [map length]; rewrite !sum_cons, S_INR.
  - pose proof (exp_ineq1 x H0). pose proof (jensen l). lra.
  - specialize (IH H0). pose proof (exp_ineq1_le x). lra.
Qed.

(* the deviations from the mean add up to zero *)
Lemma rest_mean z k : (k < length z)%nat -> (2 <= length z)%nat ->
  let away := map (fun y => y - mean_of_others z k) (others k z) in
  sum away = 0 /\ length away = length (others k z) /\
  rest z k = exp (- (nth k z 0 - mean_of_others z k)) * sum (map exp away).
Proof.
  intros H H2 away. set (b := mean_of_others z k).
  assert (P : INR (length (others k z)) <> 0) by (rewrite others_length by exact H; apply not_0_INR; lia).
  split; [|split].
  - unfold away. rewrite (map_ext _ (fun y => y + - b)) by (intros; unfold b; ring).
    rewrite (sum_map_plus (fun y => y) (fun _ => - b)), map_id, sum_map_const.
    unfold b, mean_of_others. rewrite <- (others_length k z) by exact H. field. exact P.
  - apply map_length.
  - unfold rest, away. rewrite map_map, <- sum_map_scal. f_equal. apply map_ext. intros y. rewrite <- exp_plus. f_equal.
    fold b. ring.
Qed.

Theorem logit_gap_converse_proof : logit_gap_converse.
Proof.
  intros z k H H2. rewrite mass_others, (length_INR k) by exact H. destruct (rest_mean z k H H2) as (S0 & L & ->).
  set (g := exp (- (nth k z 0 - mean_of_others z k))). pose proof (exp_pos (- (nth k z 0 - mean_of_others z k))) as P. fold g in P.
  pose proof (jensen (map (fun y => y - mean_of_others z k) (others k z))) as J. rewrite S0, L in J.
  rewrite (Rmult_comm _ g). apply inverse_le; [apply Rmult_le_pos; [lra|apply pos_INR]|].
  apply Rmult_le_compat_l; lra.
Qed.

Theorem logit_gap_converse_equality_proof : logit_gap_converse_equality.
Proof.
  intros z k H H2. rewrite mass_others, (length_INR k) by exact H. pose proof (rest_nonneg z k) as P0.
  destruct (rest_mean z k H H2) as (S0 & L & E). rewrite E in *.
  set (g := exp (- (nth k z 0 - mean_of_others z k))) in *. pose proof (exp_pos (- (nth k z 0 - mean_of_others z k))) as P. fold g in P.
  set (away := map (fun y => y - mean_of_others z k) (others k z)) in *.
  rewrite inverse_eq; [|exact P0|apply Rmult_le_pos; [apply pos_INR|lra]]. split.
  - intros Q. rewrite (Rmult_comm _ g) in Q. apply Rmult_eq_reg_l in Q; [|lra].
    apply Forall_forall. intros y Hy. destruct (Req_dec y (mean_of_others z k)) as [D|D]; [exact D|exfalso].
    assert (X : Exists (fun x => x <> 0) away)
      by (apply Exists_exists; exists (y - mean_of_others z k); split; [apply in_map_iff; exists y; split; [reflexivity|exact Hy]|lra]).
    apply jensen_strict in X. rewrite S0, L in X. lra.
  - intros F. rewrite (Rmult_comm _ g). f_equal. unfold away. rewrite <- L. unfold away. rewrite map_map.
    rewrite map_length, <- (Rmult_1_r (INR _)), <- sum_map_const. f_equal. apply map_ext_in. intros y Hy.
    rewrite Forall_forall in F. rewrite (F y Hy). unfold Rminus. rewrite Rplus_opp_r. apply exp_0.
Qed.
