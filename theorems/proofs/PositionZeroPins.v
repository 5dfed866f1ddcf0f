(******************************************************************************)
(*                           POSITION ZERO PINS                               *)
(* Small facts that the generated gate uses to show that the registry's       *)
(* printed inequality and PositionZeroStatements.v say the same thing.        *)
(*     most_frequent == some token of a prefix occurs most often              *)
(*    constant_count == a prefix is constant when one token fills it          *)
(*  turn_iff, turn_any == a bound by turn, squared; at any larger ratio too   *)
(*  scaled_turn_iff, scaled_turn_any, quotient_iff, plateau_iff == the same   *)
(*                     for RMSNorm, the linear form and the plateau           *)
(*    ln_INR_nonneg == ln n >= 0 for n >= 1                                   *)
(*    weight_nonneg == a softmax weight is not negative                       *)
(*         two_below == two tokens below V make V >= 2                        *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.CollisionIndex Sinkproof.P0Circuit Sinkproof.SoftmaxWeights Sinkproof.NormStability.
Import ListNotations.
Open Scope R_scope.

Lemma length_at_least_two p : p <> [] -> ~ constant p -> (2 <= length p)%nat.
Proof.
  intros Hn Hc. destruct p as [|s [|t p]]; [congruence| |simpl; lia]. exfalso. apply Hc. exists s. reflexivity.
Qed.

Lemma most_frequent p : p <> [] -> exists c, (1 <= c)%nat /\
  (forall t, (count_occ Nat.eq_dec p t <= c)%nat) /\ (exists t, count_occ Nat.eq_dec p t = c).
Proof.
  intros Hn.
  assert (M : forall n, (exists t, (n <= count_occ Nat.eq_dec p t)%nat) \/ (forall t, (count_occ Nat.eq_dec p t < n)%nat)).
  { intros n. destruct (Exists_dec (fun t => (n <= count_occ Nat.eq_dec p t)%nat) p) as [E|E].
    - intros t. apply le_dec.
    - left. apply Exists_exists in E. destruct E as (t & _ & H). exists t. exact H.
    - destruct n as [|n]; [left; exists 0%nat; lia|]. right. intros t.
      destruct (in_dec Nat.eq_dec t p) as [I|I].
      + destruct (le_lt_dec (S n) (count_occ Nat.eq_dec p t)) as [L|L]; [|exact L].
        exfalso. apply E, Exists_exists. exists t. split; [exact I|exact L].
      + apply (count_occ_not_In Nat.eq_dec) in I. simpl in *. lia. }
  assert (Z : exists t, (1 <= count_occ Nat.eq_dec p t)%nat).
  { destruct p as [|s p]; [congruence|]. exists s. rewrite count_occ_cons_eq by reflexivity. lia. }
  assert (G : forall k c, (length p <= c + k)%nat -> (exists t, (c <= count_occ Nat.eq_dec p t)%nat) -> (1 <= c)%nat ->
    exists c, (1 <= c)%nat /\ (forall t, (count_occ Nat.eq_dec p t <= c)%nat) /\ (exists t, count_occ Nat.eq_dec p t = c)).
  { induction k as [|k IH]; intros c Hk (t & Ht) Hc.
    - exists c. split; [exact Hc|]. split; [|exists t; pose proof (count_occ_bound Nat.eq_dec t p); lia].
      intros s. pose proof (count_occ_bound Nat.eq_dec s p). lia.
    - destruct (M (S c)) as [H|H].
      + apply (IH (S c)); [lia|exact H|lia].
      + exists c. split; [exact Hc|]. split; [intros s; specialize (H s); lia|exists t; specialize (H t); lia]. }
  apply (G (length p) 1%nat); [lia|exact Z|lia].
Qed.

Lemma constant_count p c : (exists t, count_occ Nat.eq_dec p t = c) -> ~ constant p -> (c <= length p - 1)%nat.
Proof.
  intros (t & E) H. pose proof (count_occ_bound Nat.eq_dec t p).
  destruct (Nat.eq_dec c (length p)) as [->|]; [|lia]. exfalso. apply H. exists t. apply all_equal, E.
Qed.

(* a constant prefix has a token that occurs everywhere *)
Lemma count_constant p c : (forall t, (count_occ Nat.eq_dec p t <= c)%nat) -> (c <= length p - 1)%nat -> p <> [] -> ~ constant p.
Proof.
  intros H Hc Hn (t & E). specialize (H t).
  assert (F : count_occ Nat.eq_dec p t = length p).
  { apply INR_eq. pose proof (count_repeat t (length p) t) as C. rewrite <- E, Nat.eqb_refl in C. exact C. }
  destruct p; [congruence|]. simpl length in *. lia.
Qed.

(* ------------------------------------------------- stability -------------- *)

Lemma root_is rho w : 0 <= w -> w ^ 2 = 1 - rho ^ 2 -> sqrt (1 - rho ^ 2) = w.
Proof. intros Hw E. rewrite <- E. replace (w ^ 2) with (w * w) by ring. apply sqrt_square, Hw. Qed.

Lemma root_at_most_one rho w : 0 <= rho < 1 -> 0 <= w -> w ^ 2 = 1 - rho ^ 2 -> w <= 1.
Proof.
  intros Hr Hw E. apply square_le; [lra|]. pose proof (Rle_0_sqr rho). unfold Rsqr in *.
  replace (w * w) with (w ^ 2) by ring. rewrite E. lra.
Qed.

Lemma below_root_iff m x : 0 <= m -> 0 <= x -> (m <= sqrt x <-> m ^ 2 <= x).
Proof.
  intros Hm Hx. replace (m ^ 2) with (m * m) by ring. pose proof (sqrt_pos x). pose proof (sqrt_sqrt x Hx) as E. split; intros H1.
  - rewrite <- E. apply Rmult_le_compat; assumption.
  - apply square_le; [assumption|]. rewrite E. exact H1.
Qed.

Lemma turn_iff rho w m : 0 <= rho < 1 -> 0 <= w -> w ^ 2 = 1 - rho ^ 2 -> 0 <= m ->
  (m <= turn rho <-> m ^ 2 <= 2 - 2 * w).
Proof.
  intros Hr Hw E Hm. unfold turn. rewrite (root_is rho w Hw E). apply below_root_iff; [exact Hm|].
  pose proof (root_at_most_one rho w Hr Hw E). lra.
Qed.

(* any larger ratio, any smaller root *)
Lemma turn_square_le rho large w : 0 <= rho <= large -> large < 1 -> 0 <= w -> w ^ 2 <= 1 - large ^ 2 ->
  turn rho ^ 2 <= 2 - 2 * w /\ turn rho ^ 2 <= 2 * large ^ 2.
Proof.
  intros Hr Hl Hw E. assert (R1 : 0 <= rho < 1) by lra.
  assert (S : rho * rho <= large * large) by (apply Rmult_le_compat; lra).
  replace (turn rho ^ 2) with (turn rho * turn rho) by ring. split.
  - rewrite turn_square by exact R1. assert (w <= sqrt (1 - rho ^ 2)); [|lra].
    apply below_root_iff; [exact Hw| |]; pose proof (pow2_ge_0 w); lra.
  - pose proof (turn_le rho R1) as T. assert (0 <= turn rho) by apply sqrt_pos. pose proof (sqrt_pos 2).
    assert (Q : turn rho * turn rho <= sqrt 2 * rho * (sqrt 2 * rho)) by (apply Rmult_le_compat; lra).
    replace (sqrt 2 * rho * (sqrt 2 * rho)) with (sqrt 2 * sqrt 2 * (rho * rho)) in Q by ring.
    rewrite sqrt_sqrt in Q by lra. lra.
Qed.

Lemma turn_any rho large w m : 0 <= rho <= large -> large < 1 -> 0 <= w -> w ^ 2 <= 1 - large ^ 2 -> 0 <= m ->
  m <= turn rho -> m ^ 2 <= 2 - 2 * w /\ m ^ 2 <= 2 * large ^ 2.
Proof.
  intros Hr Hl Hw E Hm H. destruct (turn_square_le rho large w Hr Hl Hw E) as (A & B).
  assert (m ^ 2 <= turn rho ^ 2) by (apply pow_incr; lra). lra.
Qed.

Lemma scaled_turn_any d rho large w m : 0 <= d -> 0 <= rho <= large -> large < 1 -> 0 <= w ->
  w ^ 2 <= 1 - large ^ 2 -> 0 <= m -> m <= sqrt d * turn rho -> m ^ 2 <= d * (2 - 2 * w).
Proof.
  intros Hd Hr Hl Hw E Hm H. destruct (turn_square_le rho large w Hr Hl Hw E) as (A & _).
  assert (S : m ^ 2 <= (sqrt d * turn rho) ^ 2) by (apply pow_incr; lra).
  replace ((sqrt d * turn rho) ^ 2) with (sqrt d * sqrt d * turn rho ^ 2) in S by ring.
  rewrite sqrt_sqrt in S by exact Hd. apply Rmult_le_compat_l with (r := d) in A; lra.
Qed.

Lemma scaled_turn_iff d rho w m : 0 <= d -> 0 <= rho < 1 -> 0 <= w -> w ^ 2 = 1 - rho ^ 2 -> 0 <= m ->
  (m <= sqrt d * turn rho <-> m ^ 2 <= d * (2 - 2 * w)).
Proof.
  intros Hd Hr Hw E Hm. pose proof (root_at_most_one rho w Hr Hw E). unfold turn. rewrite (root_is rho w Hw E).
  rewrite <- sqrt_mult_alt by exact Hd. apply below_root_iff; [exact Hm|]. apply Rmult_le_pos; lra.
Qed.

(* the best root *)
Lemma best_root rho : 0 <= rho < 1 -> 0 <= sqrt (1 - rho ^ 2) /\ sqrt (1 - rho ^ 2) ^ 2 = 1 - rho ^ 2.
Proof.
  intros H. split; [apply sqrt_pos|]. replace (sqrt (1 - rho ^ 2) ^ 2) with (sqrt (1 - rho ^ 2) * sqrt (1 - rho ^ 2)) by ring.
  apply sqrt_sqrt. assert (rho * rho <= 1 * 1) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma ratio_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros Ha Hb. apply Rmult_le_pos; [exact Ha|]. left. apply Rinv_0_lt_compat, Hb. Qed.

Lemma ratio_le a b r : 0 < b -> a <= r * b -> a / b <= r.
Proof. intros Hb H. apply Rmult_le_reg_r with b; [exact Hb|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma ratio_times a b : 0 < b -> a <= a / b * b.
Proof. intros Hb. right. field. lra. Qed.

Lemma quotient_iff m x y : 0 < y -> (m <= x / y <-> m * y <= x).
Proof.
  intros Hy. split; intros H.
  - apply Rmult_le_compat_r with (r := y) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H; lra.
  - apply Rmult_le_reg_r with y; [exact Hy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma scaled_quotient_iff m r x y : 0 < y -> (m <= r * (x / y) <-> m * y <= r * x).
Proof. intros Hy. replace (r * (x / y)) with (r * x / y) by (field; lra). apply quotient_iff, Hy. Qed.

Lemma plateau_iff m s b : 0 <= m -> 0 < s -> 0 <= b -> (m <= sqrt 2 * (b / s) <-> m ^ 2 * s ^ 2 <= 2 * b ^ 2).
Proof.
  intros Hm Hs Hb. rewrite scaled_quotient_iff by exact Hs.
  replace (sqrt 2 * b) with (sqrt (2 * b ^ 2)).
  - rewrite below_root_iff.
    + replace ((m * s) ^ 2) with (m ^ 2 * s ^ 2) by ring. reflexivity.
    + apply Rmult_le_pos; lra.
    + pose proof (Rle_0_sqr b). unfold Rsqr in *. lra.
  - rewrite sqrt_mult_alt by lra. f_equal. replace (b ^ 2) with (b * b) by ring. apply sqrt_square, Hb.
Qed.

Lemma norm_positive_iff d x : norm d x <> 0 <-> 0 < norm d x.
Proof. pose proof (norm_nonneg d x). split; intros; lra. Qed.

Lemma width_at_least_one d eps x : 0 < rms_size d eps x -> 1 <= INR d.
Proof.
  intros H. destruct d as [|d]; [|rewrite S_INR; pose proof (pos_INR d); lra]. unfold rms_size, sq, inner in H.
  rewrite sum_below_0 in H. simpl in H. rewrite Rmult_0_l, Rplus_0_l, sqrt_0 in H. lra.
Qed.

Lemma root_width d eps x : 0 < rms_size d eps x -> 1 <= sqrt (INR d).
Proof. intros H. rewrite <- sqrt_1. apply sqrt_le_1_alt, (width_at_least_one d eps x H). Qed.

(* ------------------------------------------------- rows ------------------- *)

Lemma ln_INR_nonneg n : 1 <= INR n -> 0 <= ln (INR n).
Proof. intros H. apply exp_mono_inv. rewrite exp_0, exp_ln; lra. Qed.

Lemma weight_nonneg z k : 0 <= weight (softmax z) k.
Proof.
  unfold weight. destruct (lt_dec (k - 1) (length (softmax z))) as [L|L].
  - left. apply (proj1 (Forall_forall _ _) (softmax_pos z)), nth_In, L.
  - rewrite nth_overflow by lia. lra.
Qed.

Lemma two_below t u V : (t < V)%nat -> (u < V)%nat -> t <> u -> 2 <= INR V.
Proof. intros Ht Hu H. assert (L : (2 <= V)%nat) by lia. apply le_INR in L. simpl in L. lra. Qed.

Lemma two_le N : (2 <= N)%nat -> 2 <= INR N.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Lemma two_back N : 2 <= INR N -> (2 <= N)%nat.
Proof. intros H. apply INR_le. simpl. lra. Qed.
