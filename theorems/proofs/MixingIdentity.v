(******************************************************************************)
(*                            MIXING IDENTITY                                 *)
(* One minus the square of a weighted mean of unit vectors is the weighted    *)
(* sum of their squared distances; so only equal vectors keep their length.   *)
(*        pair_identity == for any weights and vectors, (sum p)(sum p_k |v_k|^2)*)
(*                         - |sum p_k v_k|^2 = pair_sum                       *)
(*  pair_sum_nonneg, pair_sum_zero == its sign, and when it vanishes          *)
(******************************************************************************)
Require Import Reals Lra Lia List.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas.
Import ListNotations.
Open Scope R_scope.

Lemma sq_ext d x y : (forall c, (c < d)%nat -> x c = y c) -> sq d x = sq d y.
Proof. intros H. apply inner_ext; exact H. Qed.

(* sum_k w_k |v - u_k|^2 *)
Lemma distances d v w us : length w = length us ->
  dot w (map (fun u => sq d (sub v u)) us) =
  sum w * sq d v - 2 * inner d (mix w us) v + dot w (map (sq d) us).
Proof.
  revert us; induction w as [|a w IH]; intros [|u us] H; try discriminate; simpl map; simpl dot.
  - rewrite sum_nil, (inner_zero_l d (mix [] [])) by reflexivity. ring.
  - injection H as H. rewrite IH, sum_cons by exact H.
    replace (inner d (mix (a :: w) (u :: us)) v) with (a * inner d u v + inner d (mix w us) v).
    + unfold sq at 1. rewrite inner_sub_square, (inner_sym d v u). unfold sq. ring.
    + rewrite <- inner_scale_l, <- inner_add_l. reflexivity.
Qed.

Lemma pair_identity d p vs : length p = length vs ->
  sum p * dot p (map (sq d) vs) - sq d (mix p vs) = pair_sum d p vs.
Proof.
  revert vs; induction p as [|a p IH]; intros [|v vs] H; try discriminate; simpl map; simpl dot; simpl pair_sum.
  - rewrite sum_nil. unfold sq. rewrite (inner_zero_l d (mix [] [])) by reflexivity. ring.
  - injection H as H. rewrite <- IH, distances, sum_cons by exact H.
    rewrite (sq_ext d (mix (a :: p) (v :: vs)) (add (scale a v) (mix p vs))) by reflexivity.
    unfold sq at 3. rewrite inner_add_square, !inner_scale_l, inner_scale_r, (inner_sym d v (mix p vs)).
    unfold sq. ring.
Qed.

Lemma units_dot d p vs : length p = length vs -> Forall (unit_vector d) vs -> dot p (map (sq d) vs) = sum p.
Proof.
  intros Hl H. rewrite (dot_map_ext p _ (fun _ => 1)).
  - rewrite dot_const_map by exact Hl. ring.
  - intros v Hv. exact (proj1 (Forall_forall _ vs) H v Hv).
Qed.

Lemma unit_mix d p vs : simplex_row (length vs) p -> Forall (unit_vector d) vs ->
  1 - sq d (mix p vs) = pair_sum d p vs.
Proof.
  intros (Hl & _ & Hs) Hu. rewrite <- pair_identity, units_dot, Hs by assumption. ring.
Qed.

(* ------------------------------------------------- when it vanishes ------- *)

Lemma distances_nonneg d v w us : Forall (fun a => 0 <= a) w -> 0 <= dot w (map (fun u => sq d (sub v u)) us).
Proof.
  intros Hw. apply dot_nonneg; [exact Hw|]. apply Forall_forall. intros x Hx.
  apply in_map_iff in Hx. destruct Hx as (u & <- & _). apply inner_nonneg.
Qed.

Lemma pair_sum_nonneg d p vs : Forall (fun a => 0 <= a) p -> 0 <= pair_sum d p vs.
Proof.
  intros Hp. revert vs; induction Hp as [|a p Ha Hp IH]; intros [|v vs]; simpl; try lra.
  pose proof (Rmult_le_pos _ _ Ha (distances_nonneg d v p vs Hp)). specialize (IH vs). lra.
Qed.

Lemma distances_zero d v w us k : Forall (fun a => 0 <= a) w -> length w = length us ->
  dot w (map (fun u => sq d (sub v u)) us) = 0 -> (k < length us)%nat -> 0 < nth k w 0 ->
  forall c, (c < d)%nat -> v c = nth k us (fun _ => 0) c.
Proof.
  intros Hw. revert us k; induction Hw as [|a w Ha Hw IH]; intros [|u us] k Hl H Hk Hp; simpl in *; try lia.
  pose proof (inner_nonneg d (sub v u)) as H1. fold (sq d (sub v u)) in H1.
  pose proof (Rmult_le_pos _ _ Ha H1). pose proof (distances_nonneg d v w us Hw).
  destruct k as [|k].
  - intros c Hc. assert (E : sq d (sub v u) = 0) by (destruct (Rmult_integral a (sq d (sub v u))); lra).
    pose proof (inner_eq_0 d _ E c Hc) as E1. unfold sub in E1. lra.
  - apply IH; try assumption; try lia; lra.
Qed.

Lemma pair_sum_zero d p vs : Forall (fun a => 0 <= a) p -> length p = length vs -> pair_sum d p vs = 0 ->
  forall j k, (j < k < length vs)%nat -> 0 < nth j p 0 -> 0 < nth k p 0 ->
  forall c, (c < d)%nat -> nth j vs (fun _ => 0) c = nth k vs (fun _ => 0) c.
Proof.
  intros Hp. revert vs; induction Hp as [|a p Ha Hp IH]; intros [|v vs] Hl H j k Hjk Hj Hk c Hc; simpl in *; try lia.
  pose proof (distances_nonneg d v p vs Hp) as D. pose proof (Rmult_le_pos _ _ Ha D).
  pose proof (pair_sum_nonneg d p vs Hp). destruct k as [|k]; [lia|]. destruct j as [|j].
  - apply (distances_zero d v p vs); try assumption; try lia.
    destruct (Rmult_integral a (dot p (map (fun u => sq d (sub v u)) vs))); lra.
  - apply IH; try assumption; try lia; lra.
Qed.

(* all values of positive weight are the same vector: the mean is that vector *)
Lemma mix_same w vs v c : length w = length vs ->
  (forall k, (k < length vs)%nat -> nth k w 0 <> 0 -> nth k vs (fun _ => 0) c = v c) ->
  mix w vs c = sum w * v c.
Proof.
  revert vs; induction w as [|a w IH]; intros [|u us] Hl H; try discriminate; [unfold mix; simpl; rewrite sum_nil; ring|].
  rewrite mix_cons, sum_cons, IH.
  - destruct (Req_dec a 0) as [->|E]; [ring|]. rewrite <- (H 0%nat ltac:(simpl; lia) E). simpl. ring.
  - simpl in Hl. lia.
  - intros k Hk. apply (H (S k)). simpl. lia.
Qed.

Lemma positive_weight p : Forall (fun a => 0 <= a) p -> sum p = 1 ->
  exists j, (j < length p)%nat /\ 0 < nth j p 0.
Proof.
  induction 1 as [|a p Ha Hp IH]; intros Hs; [rewrite sum_nil in Hs; lra|].
  rewrite sum_cons in Hs. destruct (Rle_lt_or_eq_dec 0 a Ha) as [H|H].
  - exists 0%nat. simpl. split; [lia|exact H].
  - destruct IH as (j & Hj & H1); [lra|]. exists (S j). simpl. split; [lia|exact H1].
Qed.

Theorem mixing_equality_proof : mixing_equality.
Proof.
  intros d p vs Hrow Hu. pose proof (unit_mix d p vs Hrow Hu) as E.
  destruct Hrow as (Hl & Hp & Hs). assert (Z : norm d (mix p vs) = 1 <-> pair_sum d p vs = 0).
  { rewrite <- E. unfold sq. split; intros H.
    - rewrite <- norm_sq, H. ring.
    - apply norm_is; lra. }
  split; [exact Z|]. rewrite Z. split.
  - intros H j k Hj Hk Wj Wk c Hc.
    destruct (Nat.lt_trichotomy j k) as [L|[->|L]]; [|reflexivity|symmetry];
      apply (pair_sum_zero d p vs); try assumption; lia.
  - intros H. apply Z. destruct (positive_weight p Hp Hs) as (j & Hj & Wj).
    assert (U : unit_vector d (nth j vs (fun _ => 0))).
    { apply (proj1 (Forall_forall _ vs) Hu). apply nth_In. lia. }
    rewrite (norm_ext d _ (nth j vs (fun _ => 0))).
    + apply norm_is; [lra|]. rewrite U. ring.
    + intros c Hc. rewrite (mix_same _ _ (nth j vs (fun _ => 0))); [rewrite Hs; ring|exact Hl|].
      intros k Hk W. apply H; try assumption; try lia.
      assert (N : 0 <= nth k p 0) by (apply (proj1 (Forall_forall _ p) Hp), nth_In; rewrite Hl; exact Hk).
      destruct (Rle_lt_or_eq_dec 0 (nth k p 0) N); [assumption|congruence].
Qed.

Theorem mixing_identity_proof : mixing_identity.
Proof.
  intros d rows vs i Hu Hrow Hi out.
  assert (F : forall k, (1 <= k <= length vs)%nat -> 1 - sq d (out k) = pair_sum d (rows k) (firstn k vs)).
  { intros k Hk. apply unit_mix.
    - rewrite firstn_length, Nat.min_l by lia. apply Hrow, Hk.
    - rewrite <- (firstn_skipn k vs) in Hu. apply Forall_app in Hu. apply Hu. }
  assert (E : sq d (out 1%nat) = 1).
  { destruct vs as [|v vs]; [simpl in Hi; lia|]. assert (A : unit_vector d v) by (inversion Hu; assumption).
    destruct (Hrow 1%nat ltac:(simpl; lia)) as (Hl & _ & Hs). unfold out.
    destruct (rows 1%nat) as [|a [|b r]]; try discriminate. rewrite sum_cons, sum_nil in Hs.
    rewrite (sq_ext d _ v); [exact A|]. intros c _. unfold mix. simpl. replace a with 1 by lra. ring. }
  split; [apply F, Hi|]. split; [exact E|]. rewrite E.
  pose proof (pair_sum_nonneg d (rows i) (firstn i vs) (proj1 (proj2 (Hrow i Hi)))) as N.
  rewrite <- (F i Hi) in N. lra.
Qed.
