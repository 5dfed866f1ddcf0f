(******************************************************************************)
(*                             VECTOR LEMMAS                                  *)
(* The l2 geometry that the proofs on position zero and on spikes share.      *)
(*       sum_below_* == order and sign of finite sums                         *)
(*  inner_*, norm_* == linearity; norm_sq: |x|^2 = <x,x>; norm_eq_0           *)
(*     cauchy_schwarz == <x,y>^2 <= <x,x> <y,y>; inner_le, inner_abs: by norms*)
(*  norm_add_le, norm_sub_le, norm_diff_le == the triangle inequality         *)
(*         mix_* == the weighted sum is linear; mix_const: equal vectors      *)
(*  inner_mix, norm_mix_le == <mix w vs, y> and |mix w vs| by the terms       *)
(*  simplex_* == a simplex row: weights in [0, 1], a weighted mean in bounds  *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- finite sums ------------ *)

Lemma sum_below_le d f g : (forall k, (k < d)%nat -> f k <= g k) -> sum_below d f <= sum_below d g.
Proof.
  induction d; intros H; [rewrite !sum_below_0; lra|]. rewrite !sum_below_S.
  pose proof (H d ltac:(lia)). assert (sum_below d f <= sum_below d g) by (apply IHd; intros; apply H; lia). lra.
Qed.

Lemma sum_below_nonneg d f : (forall k, (k < d)%nat -> 0 <= f k) -> 0 <= sum_below d f.
Proof.
  intros H. rewrite <- (sum_below_zero d (fun _ => 0)) by reflexivity. apply sum_below_le. exact H.
Qed.

Lemma sum_below_term d f j : (j < d)%nat -> (forall k, (k < d)%nat -> 0 <= f k) -> f j <= sum_below d f.
Proof.
  induction d; intros Hj H; [lia|]. rewrite sum_below_S. destruct (Nat.eq_dec j d) as [->|E].
  - pose proof (sum_below_nonneg d f ltac:(intros; apply H; lia)). lra.
  - pose proof (IHd ltac:(lia) ltac:(intros; apply H; lia)). pose proof (H d ltac:(lia)). lra.
Qed.

Lemma sum_below_const d c : sum_below d (fun _ => c) = INR d * c.
Proof. unfold sum_below. rewrite sum_map_const, seq_length. reflexivity. Qed.

Lemma sum_below_minus d f g : sum_below d (fun k => f k - g k) = sum_below d f - sum_below d g.
Proof. induction d; [rewrite !sum_below_0; ring|]. rewrite !sum_below_S, IHd. ring. Qed.

(* the first term taken out *)
Lemma sum_below_first d f : sum_below (S d) f = f 0%nat + sum_below d (fun k => f (S k)).
Proof. induction d; [rewrite sum_below_S, !sum_below_0; ring|]. rewrite sum_below_S, IHd, (sum_below_S d). ring. Qed.

Lemma sum_below_add d e f : sum_below (d + e) f = sum_below d f + sum_below e (fun k => f (d + k)%nat).
Proof.
  induction e; [rewrite Nat.add_0_r, sum_below_0; ring|]. rewrite Nat.add_succ_r, !sum_below_S, IHe. ring.
Qed.

Lemma sum_below_dot {A} d w (f : A -> nat -> R) l :
  sum_below d (fun k => dot w (map (fun a => f a k) l)) = dot w (map (fun a => sum_below d (f a)) l).
Proof.
  revert l; induction w as [|a w IH]; intros [|x l]; simpl; try (apply sum_below_zero; reflexivity).
  rewrite <- IH, <- sum_below_scal, <- sum_below_plus. reflexivity.
Qed.

Lemma sum_below_swap d e (f : nat -> nat -> R) :
  sum_below d (fun i => sum_below e (fun j => f i j)) = sum_below e (fun j => sum_below d (fun i => f i j)).
Proof.
  induction d; [rewrite sum_below_0, sum_below_zero by reflexivity; reflexivity|].
  rewrite sum_below_S, IHd, <- sum_below_plus. apply sum_below_ext. intros. rewrite sum_below_S. reflexivity.
Qed.

(* ------------------------------------------------- inner product ---------- *)

Lemma inner_ext d x x' y y' : (forall k, (k < d)%nat -> x k = x' k) -> (forall k, (k < d)%nat -> y k = y' k) ->
  inner d x y = inner d x' y'.
Proof. intros Hx Hy. apply sum_below_ext. intros k Hk. rewrite Hx, Hy by exact Hk. reflexivity. Qed.

Lemma inner_sym d x y : inner d x y = inner d y x.
Proof. apply sum_below_ext. intros; ring. Qed.

Lemma inner_add_l d x y z : inner d (add x y) z = inner d x z + inner d y z.
Proof. unfold inner, add. rewrite <- sum_below_plus. apply sum_below_ext. intros; ring. Qed.

Lemma inner_add_r d x y z : inner d z (add x y) = inner d z x + inner d z y.
Proof. rewrite inner_sym, inner_add_l, !(inner_sym d z). reflexivity. Qed.

Lemma inner_sub_l d x y z : inner d (sub x y) z = inner d x z - inner d y z.
Proof. unfold inner, sub. rewrite <- sum_below_minus. apply sum_below_ext. intros; ring. Qed.

Lemma inner_sub_r d x y z : inner d z (sub x y) = inner d z x - inner d z y.
Proof. rewrite inner_sym, inner_sub_l, !(inner_sym d z). reflexivity. Qed.

Lemma inner_scale_l d a x y : inner d (scale a x) y = a * inner d x y.
Proof. unfold inner, scale. rewrite <- sum_below_scal. apply sum_below_ext. intros; ring. Qed.

Lemma inner_scale_r d a x y : inner d x (scale a y) = a * inner d x y.
Proof. rewrite inner_sym, inner_scale_l, (inner_sym d y). reflexivity. Qed.

Lemma inner_nonneg d x : 0 <= inner d x x.
Proof. apply sum_below_nonneg. intros k _. apply Rle_0_sqr. Qed.

Lemma inner_eq_0 d x : inner d x x = 0 -> forall k, (k < d)%nat -> x k = 0.
Proof.
  intros H k Hk. pose proof (sum_below_term d (fun k => x k * x k) k Hk (fun j _ => Rle_0_sqr (x j))) as T.
  unfold inner in H. apply Rsqr_0_uniq. unfold Rsqr in *. pose proof (Rle_0_sqr (x k)). unfold Rsqr in *. lra.
Qed.

Lemma inner_zero_l d x y : (forall k, (k < d)%nat -> x k = 0) -> inner d x y = 0.
Proof. intros H. apply sum_below_zero. intros k Hk. rewrite H by exact Hk. ring. Qed.

Lemma inner_sub_square d x y : inner d (sub x y) (sub x y) = inner d x x - 2 * inner d x y + inner d y y.
Proof. rewrite inner_sub_l, !inner_sub_r, (inner_sym d y x). ring. Qed.

Lemma inner_add_square d x y : inner d (add x y) (add x y) = inner d x x + 2 * inner d x y + inner d y y.
Proof. rewrite inner_add_l, !inner_add_r, (inner_sym d y x). ring. Qed.

Lemma cauchy_schwarz d x y : inner d x y * inner d x y <= inner d x x * inner d y y.
Proof.
  destruct (Req_dec (inner d y y) 0) as [E|E].
  - assert (inner d x y = 0) as -> by (rewrite inner_sym; apply inner_zero_l, inner_eq_0, E). rewrite E. lra.
  - pose proof (inner_nonneg d y). set (Y := inner d y y) in *. set (c := inner d x y).
    pose proof (inner_nonneg d (sub (scale Y x) (scale c y))) as H0.
    rewrite inner_sub_square, !inner_scale_l, !inner_scale_r in H0. fold Y c in H0.
    apply Rmult_le_reg_l with Y; lra.
Qed.

(* ------------------------------------------------- norm ------------------- *)

Lemma norm_nonneg d x : 0 <= norm d x.
Proof. apply sqrt_pos. Qed.

Lemma norm_sq d x : norm d x * norm d x = inner d x x.
Proof. apply sqrt_sqrt, inner_nonneg. Qed.

Lemma norm_ext d x y : (forall k, (k < d)%nat -> x k = y k) -> norm d x = norm d y.
Proof. intros H. unfold norm. rewrite (inner_ext d x y x y) by exact H. reflexivity. Qed.

Lemma norm_eq_0 d x : norm d x = 0 -> forall k, (k < d)%nat -> x k = 0.
Proof. intros H. apply inner_eq_0. rewrite <- norm_sq, H. ring. Qed.

Lemma norm_zero d x : (forall k, (k < d)%nat -> x k = 0) -> norm d x = 0.
Proof. intros H. unfold norm. rewrite inner_zero_l by exact H. apply sqrt_0. Qed.

Lemma norm_le d x a : 0 <= a -> inner d x x <= a * a -> norm d x <= a.
Proof. intros Ha H. unfold norm. rewrite <- (sqrt_square a Ha). apply sqrt_le_1_alt, H. Qed.

Lemma norm_is d x a : 0 <= a -> inner d x x = a * a -> norm d x = a.
Proof. intros Ha H. unfold norm. rewrite H. apply sqrt_square, Ha. Qed.

Lemma square_le a b : 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros Hb H. destruct (Rle_dec a b); [assumption|]. assert (b * b < a * a) by (apply Rmult_le_0_lt_compat; lra). lra. Qed.

Lemma inner_le d x y : inner d x y <= norm d x * norm d y.
Proof.
  pose proof (norm_nonneg d x). pose proof (norm_nonneg d y). apply square_le; [apply Rmult_le_pos; assumption|].
  replace (norm d x * norm d y * (norm d x * norm d y)) with (norm d x * norm d x * (norm d y * norm d y)) by ring.
  rewrite !norm_sq. apply cauchy_schwarz.
Qed.

Lemma norm_scale d a x : norm d (scale a x) = Rabs a * norm d x.
Proof.
  apply norm_is; [apply Rmult_le_pos; [apply Rabs_pos|apply norm_nonneg]|].
  replace (Rabs a * norm d x * (Rabs a * norm d x)) with (Rabs a * Rabs a * (norm d x * norm d x)) by ring.
  rewrite norm_sq, inner_scale_l, inner_scale_r. pose proof (Rsqr_abs a) as E. unfold Rsqr in E. rewrite <- E. ring.
Qed.

Lemma inner_abs d x y : Rabs (inner d x y) <= norm d x * norm d y.
Proof.
  apply Rabs_le_iff. split; [|apply inner_le].
  pose proof (inner_le d (scale (-1) x) y) as H. rewrite inner_scale_l, norm_scale in H.
  replace (Rabs (-1)) with 1 in H by (rewrite Rabs_left; lra). lra.
Qed.

Lemma norm_add_le d x y : norm d (add x y) <= norm d x + norm d y.
Proof.
  pose proof (norm_nonneg d x). pose proof (norm_nonneg d y). apply norm_le; [lra|].
  rewrite inner_add_square, <- !norm_sq. pose proof (inner_le d x y). lra.
Qed.

Lemma norm_sub_sym d x y : norm d (sub x y) = norm d (sub y x).
Proof. unfold norm. f_equal. rewrite !inner_sub_square, (inner_sym d x y). ring. Qed.

Lemma norm_sub_le d x y : norm d (sub x y) <= norm d x + norm d y.
Proof.
  pose proof (norm_add_le d x (scale (-1) y)) as H. rewrite norm_scale in H.
  replace (Rabs (-1)) with 1 in H by (rewrite Rabs_left; lra).
  rewrite (norm_ext d (sub x y) (add x (scale (-1) y))) by (intros; unfold sub, add, scale; ring). lra.
Qed.

(* | |x| - |y| | <= |x - y|, one side; the other by norm_sub_sym *)
Lemma norm_diff_le d x y : norm d x - norm d y <= norm d (sub x y).
Proof.
  pose proof (norm_add_le d (sub x y) y) as H.
  rewrite (norm_ext d (add (sub x y) y) x) in H by (intros; unfold sub, add; ring). lra.
Qed.

(* ------------------------------------------------- mix -------------------- *)

Lemma mix_map {A} w (f : A -> vec) l k : mix w (map f l) k = dot w (map (fun a => f a k) l).
Proof. unfold mix. rewrite map_map. reflexivity. Qed.

Lemma mix_cons a w v vs k : mix (a :: w) (v :: vs) k = a * v k + mix w vs k.
Proof. reflexivity. Qed.

(* a weighted sum of equal vectors *)
Lemma mix_const w vs v k : length w = length vs -> (forall u, In u vs -> u k = v k) ->
  mix w vs k = sum w * v k.
Proof.
  intros Hl H. unfold mix. rewrite (dot_map_ext w _ (fun _ => v k)) by exact H. apply dot_const_map, Hl.
Qed.

Lemma inner_mix d w vs y : inner d (mix w vs) y = dot w (map (fun v => inner d v y) vs).
Proof.
  unfold inner, mix. rewrite <- sum_below_dot. apply sum_below_ext. intros k _.
  rewrite Rmult_comm, <- dot_map_scal. apply dot_map_ext. intros; ring.
Qed.

Lemma norm_mix_le d w vs : Forall (fun a => 0 <= a) w -> norm d (mix w vs) <= dot w (map (norm d) vs).
Proof.
  intros Hw. revert vs; induction Hw as [|a w Ha Hw IH]; intros [|v vs];
    try (rewrite norm_zero by reflexivity; simpl; lra).
  simpl map. simpl dot. rewrite (norm_ext d _ (add (scale a v) (mix w vs))) by reflexivity.
  pose proof (norm_add_le d (scale a v) (mix w vs)) as H. rewrite norm_scale, Rabs_right in H by lra.
  specialize (IH vs). lra.
Qed.

(* ------------------------------------------------- simplex rows ----------- *)

Lemma dot_nonneg w xs : Forall (fun a => 0 <= a) w -> Forall (fun a => 0 <= a) xs -> 0 <= dot w xs.
Proof.
  intros Hw. revert xs; induction Hw as [|a w Ha Hw IH]; intros xs Hx; simpl; [lra|].
  destruct Hx as [|x xs Hx Hxs]; [lra|]. specialize (IH xs Hxs). pose proof (Rmult_le_pos a x Ha Hx). lra.
Qed.

Lemma simplex_weight m w a : simplex_row m w -> In a w -> 0 <= a <= 1.
Proof.
  intros (_ & Hw & Hs) Ha. pose proof (proj1 (Forall_forall _ w) Hw a Ha) as H0. split; [exact H0|].
  apply in_split in Ha. destruct Ha as (w1 & w2 & ->).
  apply Forall_app in Hw. destruct Hw as (H1 & H2). inversion H2; subst.
  rewrite sum_app, sum_cons in Hs. pose proof (sum_nonneg w1 H1). pose proof (sum_nonneg w2 H5). lra.
Qed.

Lemma simplex_mean_le m w B {A} (f : A -> R) l : simplex_row m w -> length l = m -> (forall a, In a l -> f a <= B) ->
  dot w (map f l) <= B.
Proof.
  intros (Hl & Hw & Hs) Hm H. replace B with (dot w (map (fun _ => B) l)).
  - apply dot_map_le; assumption.
  - rewrite dot_const_map, Hs by congruence. ring.
Qed.

Lemma simplex_uniform m : (1 <= m)%nat -> simplex_row m (repeat (/ INR m) m).
Proof.
  intros H. assert (0 < INR m) by (apply lt_0_INR; lia). split; [apply repeat_length|]. split.
  - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. left. apply Rinv_0_lt_compat. assumption.
  - rewrite sum_repeat. field. lra.
Qed.
