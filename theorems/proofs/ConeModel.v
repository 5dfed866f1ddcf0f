(******************************************************************************)
(*                              CONE MODEL                                    *)
(* The expected square of a weighted mean of values on a cone: the axis gives *)
(* a^2, the directions give (1 - a^2) times the expected sum of p_k^2, as the *)
(* cross terms have mean zero.                                                *)
(*    square_of_sum == (sum p_k)^2 written as squares and pairs j < k         *)
(*      cone_expand == the square of the output for one outcome               *)
(*   expect_sum, expect_pairs == an expectation of finite sums                *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas.
Import ListNotations.
Open Scope R_scope.

Definition combine_below (m : nat) (p : nat -> R) (s : nat -> vec) : vec := fun c => sum_below m (fun k => p k * s k c).

Lemma dot_maps {A} (f g : A -> R) l : dot (map f l) (map g l) = sum (map (fun a => f a * g a) l).
Proof. induction l; simpl; [rewrite sum_nil; reflexivity|]. rewrite IHl, sum_cons. reflexivity. Qed.

Lemma mix_below m p (s : nat -> vec) c : mix (map p (seq 0 m)) (map s (seq 0 m)) c = combine_below m p s c.
Proof. unfold mix. rewrite map_map. apply dot_maps. Qed.

Lemma combine_S m p s c : combine_below (S m) p s c = add (combine_below m p s) (scale (p m) (s m)) c.
Proof. unfold combine_below. rewrite sum_below_S. reflexivity. Qed.

Lemma inner_combine d m p s y : inner d (combine_below m p s) y = sum_below m (fun k => p k * inner d (s k) y).
Proof.
  induction m; [apply inner_zero_l; reflexivity|]. rewrite sum_below_S, <- IHm, <- inner_scale_l, <- inner_add_l.
  apply inner_ext; [intros; apply combine_S|reflexivity].
Qed.

Lemma square_of_sum d m p s : (forall k, (k < m)%nat -> unit_vector d (s k)) ->
  sq d (combine_below m p s) = sum_below m (fun k => p k ^ 2)
    + 2 * sum_below m (fun k => sum_below k (fun j => p j * p k * inner d (s j) (s k))).
Proof.
  induction m; intros H; [rewrite !sum_below_0; unfold sq; rewrite inner_zero_l by reflexivity; ring|].
  rewrite !sum_below_S. unfold sq.
  rewrite (inner_ext d _ (add (combine_below m p s) (scale (p m) (s m))) _ (add (combine_below m p s) (scale (p m) (s m))))
    by (intros; apply combine_S).
  rewrite inner_add_square. fold (sq d (combine_below m p s)).
  rewrite inner_scale_l, !inner_scale_r, inner_combine, (H m), IHm by (try (intros; apply H); lia).
  rewrite (sum_below_ext m (fun j => p j * p m * inner d (s j) (s m)) (fun j => p m * (p j * inner d (s j) (s m))))
    by (intros; ring).
  rewrite sum_below_scal. ring.
Qed.

(* one outcome: axis, squares, pairs *)
Lemma cone_expand d m a u p s : -1 < a < 1 -> unit_vector d u -> sum_below m p = 1 ->
  (forall k, (k < m)%nat -> unit_vector d (s k) /\ orthogonal d u (s k)) ->
  cone_square d m a u p s = a ^ 2 + (1 - a ^ 2) * (sum_below m (fun k => p k ^ 2)
    + 2 * sum_below m (fun k => sum_below k (fun j => p j * p k * inner d (s j) (s k)))).
Proof.
  intros Ha Hu Hp Hs. rewrite <- square_of_sum by (intros; apply Hs; assumption).
  unfold cone_square. set (b := sqrt (1 - a ^ 2)).
  assert (B : b * b = 1 - a ^ 2).
  { apply sqrt_sqrt. assert (0 < (1 - a) * (1 + a)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (E : forall c, mix (map p (seq 0 m)) (map (fun k => cone a u (s k)) (seq 0 m)) c =
    add (scale a u) (scale b (combine_below m p s)) c).
  { intros c. rewrite (mix_below m p (fun k => cone a u (s k))). unfold combine_below, cone, add, scale. fold b.
    rewrite (sum_below_ext m _ (fun k => a * u c * p k + b * (p k * s k c))) by (intros; ring).
    rewrite sum_below_plus, !sum_below_scal, Hp. ring. }
  unfold sq at 1. rewrite (inner_ext d _ _ _ _ (fun c _ => E c) (fun c _ => E c)).
  rewrite inner_add_square, !inner_scale_l, !inner_scale_r, Hu, (inner_sym d u).
  fold (sq d (combine_below m p s)). rewrite inner_combine.
  rewrite (sum_below_zero m) by (intros k Hk; rewrite inner_sym, (proj2 (Hs k Hk)); ring).
  rewrite <- B. ring.
Qed.

(* ------------------------------------------------- expectations ----------- *)

Section Expectation.
Variables (A : Type) (integrable : (A -> R) -> Prop) (E : (A -> R) -> R).
Hypothesis law : expectation integrable E.

Lemma expect_linear f g a b : integrable f -> integrable g ->
  integrable (fun o => a * f o + b * g o) /\ E (fun o => a * f o + b * g o) = a * E f + b * E g.
Proof. intros Hf Hg. apply (proj2 law f g Hf Hg). Qed.

Lemma expect_ext f g : integrable f -> integrable g -> (forall o, f o = g o) -> E f = E g.
Proof. intros Hf Hg. apply (proj2 law f g Hf Hg). Qed.

Lemma functions_equal (f g : A -> R) : (forall o, f o = g o) -> f = g.
Proof. apply FunctionalExtensionality.functional_extensionality. Qed.

Lemma expect_sum m (f : nat -> A -> R) : (forall k, (k < m)%nat -> integrable (f k)) ->
  integrable (fun o => sum_below m (fun k => f k o)) /\
  E (fun o => sum_below m (fun k => f k o)) = sum_below m (fun k => E (f k)).
Proof.
  induction m; intros H; [rewrite sum_below_0; exact (proj1 law 0)|].
  destruct IHm as (I & S); [intros; apply H; lia|].
  rewrite (functions_equal _ (fun o => 1 * sum_below m (fun k => f k o) + 1 * f m o))
    by (intros; rewrite sum_below_S; ring).
  destruct (expect_linear _ (f m) 1 1 I (H m ltac:(lia))) as (I' & S'). split; [exact I'|].
  rewrite S', S, sum_below_S. ring.
Qed.

Lemma expect_scaled c f : integrable f -> integrable (fun o => c * f o) /\ E (fun o => c * f o) = c * E f.
Proof.
  intros H. rewrite (functions_equal _ (fun o => c * f o + 0 * f o)) by (intros; ring).
  destruct (expect_linear f f c 0 H H) as (I & S). split; [exact I|]. rewrite S. ring.
Qed.

(* pairs of mean zero vanish *)
Lemma expect_pairs m (f : nat -> nat -> A -> R) : (forall j k, (j < k < m)%nat -> integrable (f j k) /\ E (f j k) = 0) ->
  integrable (fun o => sum_below m (fun k => sum_below k (fun j => f j k o))) /\
  E (fun o => sum_below m (fun k => sum_below k (fun j => f j k o))) = 0.
Proof.
  intros H. destruct (expect_sum m (fun k o => sum_below k (fun j => f j k o))) as (I & S).
  - intros k Hk. apply (expect_sum k (fun j => f j k)). intros j Hj. apply H. lia.
  - split; [exact I|]. rewrite S. apply sum_below_zero. intros k Hk.
    destruct (expect_sum k (fun j => f j k)) as (_ & S'); [intros; apply H; lia|].
    rewrite S'. apply sum_below_zero. intros j Hj. apply H. lia.
Qed.
End Expectation.

Theorem cone_model_proof : cone_model.
Proof.
  intros A integrable E d m a u p s law Ha Hu (Hs & Hc) Hp Hi Hx.
  set (pairs := fun o => sum_below m (fun k => sum_below k (fun j => p o j * p o k * inner d (s o j) (s o k)))).
  set (squares := fun o => sum_below m (fun k => p o k ^ 2)).
  rewrite (functions_equal A _ (fun o => 1 * (a ^ 2) + 1 * ((1 - a ^ 2) * squares o + 2 * (1 - a ^ 2) * pairs o))).
  2:{ intros o. rewrite cone_expand by (try assumption; try apply Hp; intros; apply Hs; assumption).
      unfold squares, pairs. ring. }
  destruct (expect_sum A integrable E law m (fun k o => p o k ^ 2) Hi) as (I1 & _). fold squares in I1.
  destruct (expect_pairs A integrable E law m (fun j k o => p o j * p o k * inner d (s o j) (s o k))) as (I2 & S2).
  { intros j k Hjk. destruct (Hx j k Hjk) as (I & S). split; [exact I|]. rewrite S, (proj2 (Hc j k Hjk)). ring. }
  fold pairs in I2, S2.
  destruct (expect_linear A integrable E law squares pairs (1 - a ^ 2) (2 * (1 - a ^ 2)) I1 I2) as (I3 & S3).
  destruct (expect_linear A integrable E law (fun _ => a ^ 2) _ 1 1 (proj1 (proj1 law _)) I3) as (_ & S4).
  rewrite S4, S3, S2, (proj2 (proj1 law _)). unfold squares. ring.
Qed.

Lemma cone_uniform_value A integrable (E : (A -> R) -> R) d m a u s :
  expectation integrable E -> -1 < a < 1 -> unit_vector d u -> (1 <= m)%nat -> cone_directions integrable E d m u s ->
  E (fun o => cone_square d m a u (fun _ => / INR m) (s o)) = a ^ 2 + (1 - a ^ 2) / INR m.
Proof.
  intros law Ha Hu Hm Hs. assert (M : 0 < INR m) by (apply lt_0_INR; lia).
  rewrite (cone_model_proof A integrable E d m a u (fun _ _ => / INR m) s); try assumption.
  - rewrite (proj2 (proj1 law _)), sum_below_const. field. lra.
  - intros _. rewrite sum_below_const. field. lra.
  - intros k _. apply (proj1 law).
  - intros j k Hjk pair corr. destruct (proj2 Hs j k Hjk) as (I & Z). fold corr in I, Z.
    destruct (expect_scaled A integrable E law (/ INR m * / INR m) corr I) as (I' & S). unfold pair.
    split; [exact I'|]. rewrite S, Z. ring.
Qed.

Theorem cone_uniform_proof : cone_uniform.
Proof.
  intros A integrable E d m a u s s' law Ha Hu Hm Hs Hs' mean. unfold mean.
  rewrite (cone_uniform_value A integrable E d m a u s), (cone_uniform_value A integrable E d (S m) a u s') by (assumption || lia).
  split; [reflexivity|]. apply Rplus_lt_compat_l. unfold Rdiv. apply Rmult_lt_compat_l.
  - assert (0 < (1 - a) * (1 + a)) by (apply Rmult_lt_0_compat; lra). lra.
  - assert (0 < INR m) by (apply lt_0_INR; lia). apply Rinv_lt_contravar; [|rewrite S_INR; lra].
    apply Rmult_lt_0_compat; [|rewrite S_INR]; lra.
Qed.
