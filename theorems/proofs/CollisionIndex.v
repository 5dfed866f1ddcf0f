(******************************************************************************)
(*                            COLLISION INDEX                                 *)
(* Uniform attention on orthonormal values: the square of the output's length *)
(* is the chance that two places of the prefix, drawn with replacement, hold  *)
(* the same token.                                                            *)
(*        occurrences == inner products with the values count tokens          *)
(*       counts_total == the counts of all tokens add up to the length        *)
(*       squares_le_square == sum of squares <= square of the sum             *)
(*       largest_two == without a constant prefix, sum c_t^2 <= c^2 + (i-c)^2 *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.Lists.
Import ListNotations.
Open Scope R_scope.

Definition count (p : list nat) (t : nat) : R := INR (count_occ Nat.eq_dec p t).

Lemma count_cons p s t : count (s :: p) t = (if (s =? t)%nat then 1 else 0) + count p t.
Proof.
  unfold count. destruct (Nat.eqb_spec s t) as [->|E].
  - rewrite count_occ_cons_eq by reflexivity. rewrite S_INR. ring.
  - rewrite count_occ_cons_neq by exact E. ring.
Qed.

Lemma count_nonneg p t : 0 <= count p t.
Proof. apply pos_INR. Qed.

Lemma sum_indicator V s (f : nat -> R) : (s < V)%nat -> sum_below V (fun t => (if (s =? t)%nat then 1 else 0) * f t) = f s.
Proof.
  intros H. rewrite (sum_below_one V s); [|exact H|].
  - rewrite Nat.eqb_refl. ring.
  - intros k _ E. apply Nat.eqb_neq in E. rewrite Nat.eqb_sym, E. ring.
Qed.

Lemma counts_total V p : Forall (fun t => (t < V)%nat) p -> sum_below V (count p) = INR (length p).
Proof.
  induction 1 as [|s p Hs H IH].
  - rewrite sum_below_zero by reflexivity. reflexivity.
  - simpl length. rewrite S_INR, <- IH.
    rewrite (sum_below_ext _ (count (s :: p)) (fun t => (if (s =? t)%nat then 1 else 0) * 1 + count p t))
      by (intros; rewrite count_cons; ring).
    rewrite sum_below_plus, (sum_indicator V s (fun _ => 1) Hs). ring.
Qed.

(* sum_k <e s, e p_k> counts s *)
Lemma occurrences d V e p s : orthonormal d V e -> Forall (fun t => (t < V)%nat) p -> (s < V)%nat ->
  sum (map (fun t => inner d (e t) (e s)) p) = count p s.
Proof.
  intros He Hp Hs. induction Hp as [|t p Ht H IH]; [reflexivity|].
  simpl map. rewrite sum_cons, IH, count_cons, He by assumption. reflexivity.
Qed.

Lemma sum_over_tokens V p (f : nat -> R) : Forall (fun t => (t < V)%nat) p ->
  sum (map f p) = sum_below V (fun t => count p t * f t).
Proof.
  induction 1 as [|s p Hs H IH].
  - rewrite sum_below_zero; [reflexivity|]. intros; unfold count; simpl; ring.
  - simpl map. rewrite sum_cons, IH.
    rewrite (sum_below_ext _ (fun t => count (s :: p) t * f t)
      (fun t => (if (s =? t)%nat then 1 else 0) * f t + count p t * f t)) by (intros; rewrite count_cons; ring).
    rewrite sum_below_plus, sum_indicator by exact Hs. reflexivity.
Qed.

Lemma uniform_square d V e p : orthonormal d V e -> prefix_of V p ->
  sq d (uniform_output e p) = sum_below V (fun t => count p t ^ 2) / INR (length p) ^ 2.
Proof.
  intros He (Hn & Hp). set (a := / INR (length p)).
  assert (D : forall y, inner d (uniform_output e p) y = a * sum (map (fun t => inner d (e t) y) p)).
  { intros y. unfold uniform_output. fold a. rewrite inner_mix, map_map.
    rewrite <- (map_length (fun t => inner d (e t) y) p). apply dot_constant. }
  unfold sq. rewrite D.
  rewrite (map_ext_in _ (fun t => a * count p t)).
  - rewrite sum_map_scal, (sum_over_tokens V) by exact Hp. unfold Rdiv, a.
    rewrite (sum_below_ext V (fun t => count p t * count p t) (fun t => count p t ^ 2)) by (intros; ring).
    replace (/ INR (length p) ^ 2) with (/ INR (length p) * / INR (length p)); [ring|].
    field. apply not_0_INR. destruct p; [congruence|discriminate].
  - intros t Ht. rewrite inner_sym, D, (occurrences d V); try assumption; [reflexivity|].
    exact (proj1 (Forall_forall _ p) Hp t Ht).
Qed.

(* ------------------------------------------------- the gap ---------------- *)

Lemma squares_le_square d f : (forall k, (k < d)%nat -> 0 <= f k) -> sum_below d (fun k => f k ^ 2) <= sum_below d f ^ 2.
Proof.
  induction d; intros H; [rewrite !sum_below_0; lra|]. rewrite !sum_below_S.
  assert (A : sum_below d (fun k => f k ^ 2) <= sum_below d f ^ 2) by (apply IHd; intros; apply H; lia).
  assert (B : 0 <= sum_below d f * f d).
  { apply Rmult_le_pos; [apply sum_below_nonneg; intros; apply H; lia|apply H; lia]. }
  replace ((sum_below d f + f d) ^ 2) with (sum_below d f ^ 2 + 2 * (sum_below d f * f d) + f d ^ 2) by ring. lra.
Qed.

(* the term of s taken out *)
Lemma sum_without V s f : (s < V)%nat ->
  sum_below V f = f s + sum_below V (fun t => if (s =? t)%nat then 0 else f t).
Proof.
  intros H. rewrite <- (sum_indicator V s f H) at 1. rewrite <- sum_below_plus.
  apply sum_below_ext. intros t _. destruct (s =? t)%nat; ring.
Qed.

Lemma largest_two V s p : (s < V)%nat -> Forall (fun t => (t < V)%nat) p ->
  sum_below V (fun t => count p t ^ 2) <= count p s ^ 2 + (INR (length p) - count p s) ^ 2.
Proof.
  intros Hs Hp. rewrite (sum_without V s (fun t => count p t ^ 2)) by exact Hs. apply Rplus_le_compat_l.
  set (g := fun t => if (s =? t)%nat then 0 else count p t).
  replace (INR (length p) - count p s) with (sum_below V g).
  - rewrite (sum_below_ext _ _ (fun t => g t ^ 2)).
    + apply squares_le_square. intros t _. unfold g. destruct (s =? t)%nat; [lra|apply count_nonneg].
    + intros t _. unfold g. destruct (s =? t)%nat; ring.
  - pose proof (sum_without V s (count p) Hs) as E. rewrite counts_total in E by exact Hp. unfold g. lra.
Qed.

Lemma constant_iff s p : constant (s :: p) <-> count (s :: p) s = INR (length (s :: p)).
Proof.
  split.
  - intros (t & E). simpl in E. injection E as -> E. rewrite E. unfold count.
    rewrite count_occ_cons_eq by reflexivity. simpl length. do 2 f_equal.
    rewrite repeat_length. generalize (length p). intros n.
    induction n; simpl; [reflexivity|]. destruct (Nat.eq_dec t t); congruence.
  - intros E. unfold count in E. apply INR_eq in E. exists s. induction p as [|t p IH]; [reflexivity|].
    destruct (Nat.eq_dec t s) as [->|Ht].
    + simpl. f_equal. apply IH. simpl in *. destruct (Nat.eq_dec s s); [|congruence]. lia.
    + exfalso. pose proof (count_occ_bound Nat.eq_dec s p) as B. rewrite count_occ_cons_eq in E by reflexivity.
      rewrite count_occ_cons_neq in E by exact Ht. simpl in E. lia.
Qed.

(* both parts: the first token's count is between 1 and i - 1 *)
Lemma count_range s p : ~ constant (s :: p) -> 1 <= count (s :: p) s <= INR (length (s :: p)) - 1.
Proof.
  intros H. rewrite constant_iff in H. unfold count in *. pose proof (count_occ_bound Nat.eq_dec s (s :: p)) as B.
  assert (A : (1 <= count_occ Nat.eq_dec (s :: p) s)%nat) by (rewrite count_occ_cons_eq by reflexivity; lia).
  split; [apply (le_INR 1 _ A)|].
  assert (C : (S (count_occ Nat.eq_dec (s :: p) s) <= length (s :: p))%nat).
  { assert (count_occ Nat.eq_dec (s :: p) s <> length (s :: p)) by (intros E; apply H; rewrite E; reflexivity). lia. }
  apply le_INR in C. rewrite S_INR in C. lra.
Qed.

Lemma length_pos {A} (p : list A) : p <> [] -> 0 < INR (length p).
Proof. intros H. apply lt_0_INR. destruct p; [congruence|simpl; lia]. Qed.

Lemma gap_counts V p : prefix_of V p -> ~ constant p ->
  sum_below V (fun t => count p t ^ 2) <= INR (length p) ^ 2 - 2 * (INR (length p) - 1).
Proof.
  intros (Hn & Hp) Hc. destruct p as [|s p]; [congruence|]. pose proof (count_range s p Hc) as R.
  assert (Hs : (s < V)%nat) by (inversion Hp; assumption).
  pose proof (largest_two V s (s :: p) Hs Hp) as H. set (i := INR (length (s :: p))) in *. set (c := count (s :: p) s) in *.
  assert (0 <= (c - 1) * (i - 1 - c)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma square_is_index d V e p : orthonormal d V e -> prefix_of V p ->
  sq d (uniform_output e p) = sum_below V (fun t => frequency p t ^ 2).
Proof.
  intros He Hp. pose proof (length_pos p (proj1 Hp)) as Hi.
  rewrite (uniform_square d V) by assumption. unfold Rdiv. rewrite Rmult_comm, <- sum_below_scal.
  apply sum_below_ext. intros t _. unfold frequency. fold (count p t). field. lra.
Qed.

Theorem collision_gap_proof : collision_gap.
Proof.
  intros d V e p He Hp Hc. split; [apply square_is_index; assumption|]. rewrite (uniform_square d V) by assumption.
  pose proof (length_pos p (proj1 Hp)) as Hi. pose proof (gap_counts V p Hp Hc) as G. set (i := INR (length p)) in *.
  assert (0 < i ^ 2) by (apply pow_lt, Hi). apply Rmult_le_reg_r with (i ^ 2); [assumption|].
  replace ((1 - 2 * (i - 1) / i ^ 2) * i ^ 2) with (i ^ 2 - 2 * (i - 1)) by (field; lra).
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma constant_output (e : nat -> vec) p t c : p <> [] -> p = repeat t (length p) -> uniform_output e p c = e t c.
Proof.
  intros Hn E. pose proof (length_pos p Hn). unfold uniform_output. rewrite (mix_const _ _ (e t)).
  - rewrite sum_repeat. field. lra.
  - rewrite repeat_length, map_length. reflexivity.
  - intros u Hu. apply in_map_iff in Hu. destruct Hu as (s & <- & Hs). rewrite E in Hs.
    apply repeat_spec in Hs. subst. reflexivity.
Qed.

Theorem collision_index_proof : collision_index.
Proof.
  intros d V e p He Hp. split.
  - apply square_is_index; assumption.
  - split.
    + intros H. destruct p as [|s p]; [destruct (proj1 Hp eq_refl)|].
      apply constant_iff. rewrite (uniform_square d V) in H by assumption.
      destruct (Req_dec (count (s :: p) s) (INR (length (s :: p)))) as [E|E]; [exact E|exfalso].
      assert (Hc : ~ constant (s :: p)) by (rewrite constant_iff; exact E).
      pose proof (gap_counts V _ Hp Hc) as G. pose proof (count_range s p Hc) as R.
      set (i := INR (length (s :: p))) in *. assert (0 < i ^ 2) by (apply pow_lt; lra).
      apply (f_equal (fun z => z * i ^ 2)) in H. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H by lra. lra.
    + intros (t & E). unfold sq.
      assert (O : forall c, uniform_output e p c = e t c) by (intros; apply constant_output; [exact (proj1 Hp)|exact E]).
      rewrite (inner_ext d _ (e t) _ (e t)) by (intros; apply O). rewrite He, Nat.eqb_refl; [reflexivity| |];
        apply (proj1 (Forall_forall _ p) (proj2 Hp)); rewrite E; destruct p; try (destruct (proj1 Hp eq_refl));
        left; reflexivity.
Qed.

(* ------------------------------------------------- one odd token ---------- *)

Lemma count_app p q t : count (p ++ q) t = count p t + count q t.
Proof. unfold count. rewrite count_occ_app, plus_INR. reflexivity. Qed.

Lemma count_repeat s n t : count (repeat s n) t = if (s =? t)%nat then INR n else 0.
Proof.
  induction n; [unfold count; simpl; destruct (s =? t)%nat; reflexivity|].
  simpl repeat. rewrite count_cons, IHn, S_INR. destruct (s =? t)%nat; ring.
Qed.

Theorem collision_gap_attained_proof : collision_gap_attained.
Proof.
  intros d V e a b s t He Hs Ht Hst Hab p.
  assert (Len : INR (length p) = INR a + INR b + 1).
  { unfold p. rewrite app_length. simpl. rewrite !repeat_length, plus_INR, S_INR. ring. }
  assert (Hp : prefix_of V p).
  { split; [unfold p; destruct a; discriminate|]. unfold p. apply Forall_app. split; [|constructor; [exact Ht|]];
      apply Forall_forall; intros x Hx; apply repeat_spec in Hx; subst; exact Hs. }
  assert (C : forall u, count p u = if (s =? u)%nat then INR a + INR b else if (t =? u)%nat then 1 else 0).
  { intros u. unfold p. rewrite count_app, count_cons, !count_repeat.
    destruct (Nat.eqb_spec s u) as [->|E]; [|destruct (t =? u)%nat; ring].
    apply not_eq_sym, Nat.eqb_neq in Hst. rewrite Hst. ring. }
  assert (AB : 1 <= INR a + INR b) by (rewrite <- plus_INR; apply (le_INR 1 _ Hab)).
  split.
  - intros (u & E). pose proof (count_repeat u (length p) s) as E1. rewrite <- E, C, Nat.eqb_refl, Len in E1.
    destruct (u =? s)%nat; lra.
  - rewrite (uniform_square d V) by assumption. rewrite Len.
    rewrite (sum_without V s), (sum_without V t), sum_below_zero by
      (try assumption; intros u _; rewrite C; destruct (s =? u)%nat, (t =? u)%nat; ring).
    rewrite !C, !Nat.eqb_refl. apply Nat.eqb_neq in Hst. rewrite Hst. field. lra.
Qed.
