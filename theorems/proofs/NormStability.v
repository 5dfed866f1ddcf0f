(******************************************************************************)
(*                            NORM STABILITY                                  *)
(* How far a normalised state moves when a vector is added to it.             *)
(*   Everything is about two vectors x, y and the lengths a, b that they are  *)
(*   divided by, with a^2 = |x|^2 + c and b^2 = |y|^2 + c for one c >= 0:     *)
(*   c = 0 is the plain norm, c = d eps that of RMSNorm.                      *)
(*      moved_square == the square of the distance of x/a and y/b, less c     *)
(*                      times the square of 1/a - 1/b                         *)
(*  core_turn, core_linear == the two bounds on it                            *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas.
Import ListNotations.
Open Scope R_scope.

Lemma moved_square d x y a b c : 0 < a -> 0 < b -> a * a = sq d x + c -> b * b = sq d y + c ->
  sq d (sub (scale (/ b) y) (scale (/ a) x)) * (a * b) =
  sq d (sub y x) - (a - b) * (a - b) - c * ((/ a - / b) * (/ a - / b)) * (a * b).
Proof.
  intros Ha Hb Ea Eb. unfold sq in *. rewrite !inner_sub_square, !inner_scale_l, !inner_scale_r.
  replace (inner d x x) with (a * a - c) by lra. replace (inner d y y) with (b * b - c) by lra.
  field. lra.
Qed.

Lemma moved_square_le d x y a b c : 0 < a -> 0 < b -> 0 <= c -> a * a = sq d x + c -> b * b = sq d y + c ->
  sq d (sub (scale (/ b) y) (scale (/ a) x)) * (a * b) <= sq d (sub y x) - (a - b) * (a - b).
Proof.
  intros Ha Hb Hc Ea Eb. rewrite (moved_square d x y a b c) by assumption.
  assert (0 <= c * ((/ a - / b) * (/ a - / b)) * (a * b)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [exact Hc|apply Rle_0_sqr]|apply Rmult_le_pos; lra]. }
  lra.
Qed.

(* ------------------------------------------------- turn ------------------- *)

Lemma turn_square rho : 0 <= rho < 1 -> turn rho * turn rho = 2 - 2 * sqrt (1 - rho ^ 2).
Proof.
  intros H. apply sqrt_sqrt. assert (sqrt (1 - rho ^ 2) <= 1); [|lra].
  rewrite <- sqrt_1 at 2. apply sqrt_le_1_alt. pose proof (Rle_0_sqr rho). unfold Rsqr in *. lra.
Qed.

Lemma turn_le rho : 0 <= rho < 1 -> turn rho <= sqrt 2 * rho.
Proof.
  intros H. pose proof (sqrt_pos 2). apply square_le; [apply Rmult_le_pos; lra|].
  rewrite turn_square by exact H.
  replace (sqrt 2 * rho * (sqrt 2 * rho)) with (sqrt 2 * sqrt 2 * rho ^ 2) by ring.
  rewrite sqrt_sqrt by lra. set (q := 1 - rho ^ 2).
  assert (Q : 0 <= q <= 1).
  { unfold q. pose proof (Rle_0_sqr rho). unfold Rsqr in *. assert (rho * rho <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
  assert (q <= sqrt q); [|unfold q in *; lra].
  apply square_le; [apply sqrt_pos|]. rewrite sqrt_sqrt by lra.
  assert (q * q <= 1 * q) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* b^2 + a^2 (1 - rho^2) >= 2 a b sqrt (1 - rho^2) *)
Lemma core_turn a b rho m delta : 0 < a -> 0 < b -> 0 <= rho < 1 -> delta = rho * a -> 0 <= m ->
  m * m * (a * b) <= delta * delta - (a - b) * (a - b) -> m <= turn rho.
Proof.
  intros Ha Hb Hr -> Hm H. apply square_le; [apply sqrt_pos|]. rewrite turn_square by exact Hr.
  set (s := sqrt (1 - rho ^ 2)). assert (S2 : s * s = 1 - rho ^ 2).
  { apply sqrt_sqrt. assert (rho * rho <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
  pose proof (Rle_0_sqr (b - a * s)) as Q. unfold Rsqr in Q.
  apply Rmult_le_reg_r with (a * b); [apply Rmult_lt_0_compat; lra|].
  assert (E : a * a * (s * s) = a * a * (1 - rho ^ 2)) by (rewrite S2; reflexivity). lra.
Qed.

Lemma core_linear a b m delta : 0 < a -> 0 < b -> 0 <= delta <= a + b ->
  m * m * (a * b) <= delta * delta - (a - b) * (a - b) -> m <= 2 * delta / (a + b).
Proof.
  intros Ha Hb Hd H. apply square_le.
  - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  - assert (P : 0 < a * b) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_reg_r with (a * b * ((a + b) * (a + b))).
    { apply Rmult_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]. }
    replace (2 * delta / (a + b) * (2 * delta / (a + b)) * (a * b * ((a + b) * (a + b))))
      with (4 * (delta * delta) * (a * b)) by (field; lra).
    assert (S : 0 <= (a + b) * (a + b)) by (apply Rle_0_sqr). pose proof (Rmult_le_compat_r _ _ _ S H) as H1.
    assert (D : delta * delta <= (a + b) * (a + b)) by (apply Rmult_le_compat; lra).
    assert (T : 0 <= (a - b) * (a - b)) by (apply Rle_0_sqr). pose proof (Rmult_le_compat_l _ _ _ T D) as H2. lra.
Qed.

(* ------------------------------------------------- the statements --------- *)

Section Stability.
Variables (d : nat) (x delta : vec) (a b c : R).
Hypothesis c_nonneg : 0 <= c.
Hypothesis a_pos : 0 < a.
Hypothesis b_pos : 0 < b.
Hypothesis a_is : a * a = sq d x + c.
Hypothesis b_is : b * b = sq d (add x delta) + c.

Let moved := norm d (sub (scale (/ b) (add x delta)) (scale (/ a) x)).

Lemma moved_core : moved * moved * (a * b) <= norm d delta * norm d delta - (a - b) * (a - b).
Proof.
  unfold moved. rewrite !norm_sq. pose proof (moved_square_le d x (add x delta) a b c) as H. unfold sq in H.
  rewrite (inner_ext d delta (sub (add x delta) x) delta (sub (add x delta) x))
    by (intros; unfold sub, add; ring). apply H; assumption.
Qed.

Lemma moved_turn : norm d delta / a < 1 -> moved <= turn (norm d delta / a).
Proof.
  intros H. assert (0 <= norm d delta / a).
  { apply Rmult_le_pos; [apply norm_nonneg|]. left. apply Rinv_0_lt_compat, a_pos. }
  apply (core_turn a b _ moved (norm d delta)); try assumption; try lra.
  - field. lra.
  - apply norm_nonneg.
  - exact moved_core.
Qed.

Lemma length_at_least y r : 0 < r -> r * r = sq d y + c -> norm d y <= r.
Proof. intros Hr E. apply norm_le; [lra|]. unfold sq in E. lra. Qed.

Lemma moved_linear : moved <= 2 * norm d delta / (a + b).
Proof.
  apply core_linear; try assumption; [|exact moved_core]. split; [apply norm_nonneg|].
  pose proof (length_at_least x a a_pos a_is). pose proof (length_at_least (add x delta) b b_pos b_is).
  rewrite (norm_ext d delta (sub (add x delta) x)) by (intros; unfold sub, add; ring).
  pose proof (norm_sub_le d (add x delta) x). lra.
Qed.
End Stability.

Lemma norm_positive d x : norm d x <> 0 -> 0 < norm d x.
Proof. intros H. pose proof (norm_nonneg d x). lra. Qed.

(* a right angle at x + delta: nothing is lost *)
Lemma moved_attained d x delta : 0 < norm d x -> 0 < norm d (add x delta) -> norm d delta / norm d x < 1 ->
  orthogonal d delta (add x delta) ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) = turn (norm d delta / norm d x).
Proof.
  intros Ha Hb Hr Ho. set (y := add x delta) in *. set (a := norm d x) in *. set (b := norm d y) in *.
  pose proof (norm_nonneg d delta) as Hd. set (rho := norm d delta / a).
  assert (R0 : 0 <= rho < 1).
  { split; [|exact Hr]. apply Rmult_le_pos; [exact Hd|]. left. apply Rinv_0_lt_compat, Ha. }
  assert (P : a * a = b * b + norm d delta * norm d delta).
  { unfold a, b. rewrite !norm_sq.
    rewrite (inner_ext d x (sub y delta) x (sub y delta)) by (intros; unfold y, sub, add; ring).
    rewrite inner_sub_square, (inner_sym d y delta). unfold orthogonal in Ho. rewrite Ho. ring. }
  assert (B : b = a * sqrt (1 - rho ^ 2)).
  { assert (E : b / a = sqrt (1 - rho ^ 2)).
    { rewrite <- (sqrt_square (b / a)) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, Ha]).
      f_equal. replace (b / a * (b / a)) with ((b * b) / (a * a)) by (field; lra).
      replace (b * b) with (a * a - norm d delta * norm d delta) by lra. unfold rho. field. lra. }
    rewrite <- E. field. lra. }
  assert (S0 : 0 < sqrt (1 - rho ^ 2)).
  { apply (Rmult_lt_reg_l a); [exact Ha|]. rewrite <- B. lra. }
  apply norm_is; [apply sqrt_pos|]. rewrite turn_square by exact R0.
  apply Rmult_eq_reg_r with (a * b); [|apply Rmult_integral_contrapositive; lra].
  pose proof (moved_square d x y a b 0 Ha Hb) as E. unfold sq in E. unfold unit_of. fold a b. rewrite E.
  - rewrite (inner_ext d (sub y x) delta (sub y x) delta) by (intros; unfold y, sub, add; ring).
    rewrite <- norm_sq. replace (norm d delta * norm d delta) with (a * a - b * b) by lra.
    rewrite B. ring.
  - unfold a. rewrite norm_sq. ring.
  - unfold b. rewrite norm_sq. ring.
Qed.

Lemma plain_square d y : norm d y * norm d y = sq d y + 0.
Proof. rewrite norm_sq. unfold sq. ring. Qed.

Theorem norm_stability_proof : norm_stability.
Proof.
  intros d x delta Hx Hy rho moved Hr. apply norm_positive in Hx. apply norm_positive in Hy. split.
  - apply (moved_turn d x delta _ _ 0); try apply plain_square; try assumption. lra.
  - apply turn_le. split; [|exact Hr]. apply Rmult_le_pos; [apply norm_nonneg|]. left. apply Rinv_0_lt_compat, Hx.
Qed.

Theorem norm_stability_attained_proof : norm_stability_attained.
Proof.
  intros d x delta Hx Hy Hr Ho. apply norm_positive in Hx. apply norm_positive in Hy.
  apply moved_attained; assumption.
Qed.

Theorem norm_stability_any_ratio_proof : norm_stability_any_ratio.
Proof.
  intros d x delta Hx Hy. apply norm_positive in Hx. apply norm_positive in Hy.
  apply (moved_linear d x delta _ _ 0); try apply plain_square; try assumption. lra.
Qed.

Theorem norm_stability_any_ratio_attained_proof : norm_stability_any_ratio_attained.
Proof.
  intros d x delta Hx E. apply norm_positive in Hx.
  rewrite (norm_ext d _ (scale (/ norm d x) delta)) by (intros; unfold sub, unit_of, scale; rewrite E; unfold add; ring).
  rewrite norm_scale, E, Rabs_right by (left; apply Rinv_0_lt_compat, Hx). field. lra.
Qed.

(* ------------------------------------------------- RMSNorm ---------------- *)

Lemma rms_size_square d eps x : 0 <= eps -> rms_size d eps x * rms_size d eps x = sq d x + INR d * eps.
Proof.
  intros He. apply sqrt_sqrt. pose proof (inner_nonneg d x). pose proof (Rmult_le_pos _ _ (pos_INR d) He).
  unfold sq. lra.
Qed.

Lemma rms_moved d eps x delta : norm d (sub (rms_norm d eps (add x delta)) (rms_norm d eps x)) =
  sqrt (INR d) * norm d (sub (scale (/ rms_size d eps (add x delta)) (add x delta)) (scale (/ rms_size d eps x) x)).
Proof.
  rewrite <- (Rabs_right (sqrt (INR d))) at 1 by (apply Rle_ge, sqrt_pos).
  rewrite <- norm_scale. apply norm_ext. intros k _. unfold rms_norm, sub, scale, Rdiv, rms_size, sq. ring.
Qed.

Theorem rms_norm_stability_proof : rms_norm_stability.
Proof.
  intros d eps x delta He Hx Hy rho Hr. rewrite rms_moved. apply Rmult_le_compat_l; [apply sqrt_pos|].
  pose proof (Rmult_le_pos _ _ (pos_INR d) He).
  apply (moved_turn d x delta _ _ (INR d * eps)); try apply rms_size_square; assumption.
Qed.

Theorem rms_norm_any_ratio_proof : rms_norm_any_ratio.
Proof.
  intros d eps x delta He Hx Hy. rewrite rms_moved. apply Rmult_le_compat_l; [apply sqrt_pos|].
  pose proof (Rmult_le_pos _ _ (pos_INR d) He).
  apply (moved_linear d x delta _ _ (INR d * eps)); try apply rms_size_square; assumption.
Qed.

(* ------------------------------------------------- plateau ---------------- *)

Definition total (writes : list vec) : vec := fold_right add (fun _ => 0) writes.

Lemma total_norm d writes C : Forall (fun w => norm d w <= C) writes -> norm d (total writes) <= INR (length writes) * C.
Proof.
  induction 1 as [|w ws Hw H IH]; simpl length.
  - simpl. rewrite norm_zero by reflexivity. lra.
  - rewrite S_INR. simpl. pose proof (norm_add_le d w (total ws)). lra.
Qed.

Lemma later_is x writes k : fold_right add x writes k = add x (total writes) k.
Proof. induction writes as [|w ws IH]; simpl; unfold add in *; [ring|]. rewrite IH. unfold total. simpl. unfold add. ring. Qed.

Theorem plateau_proof : plateau.
Proof.
  intros d x writes C _ Hw Hs. pose proof (total_norm d writes C Hw) as Ht.
  set (delta := total writes) in *. pose proof (norm_nonneg d delta) as H0.
  assert (Hy : 0 < norm d (add x delta)).
  { pose proof (norm_sub_le d (add x delta) delta) as T.
    rewrite (norm_ext d (sub (add x delta) delta) x) in T by (intros; unfold sub, add; ring). lra. }
  assert (Hp : 0 < norm d x) by lra.
  assert (L : norm d delta / norm d x <= INR (length writes) * C / norm d x).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; lra. }
  assert (B : INR (length writes) * C / norm d x < 1).
  { apply Rmult_lt_reg_r with (norm d x); [exact Hp|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  destruct (norm_stability_proof d x delta) as (H1 & H2); try lra.
  rewrite (norm_ext d _ (sub (unit_of d (add x delta)) (unit_of d x))).
  - pose proof (Rmult_le_compat_l (sqrt 2) _ _ (sqrt_pos 2) L). lra.
  - intros k _. unfold sub, unit_of, scale.
    rewrite (norm_ext d (fold_right add x writes) (add x delta)) by (intros; apply later_is).
    rewrite later_is. reflexivity.
Qed.
