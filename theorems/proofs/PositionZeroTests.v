(******************************************************************************)
(*                          POSITION ZERO TESTS                               *)
(* Unit lemmas for the definitions of Vectors.v and PositionZeroStatements.v, *)
(* so that a wrong one would be seen.                                         *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.CollisionIndex Sinkproof.P0Circuit.
Require Import Sinkproof.SoftmaxWeights Sinkproof.RepeatedTokens Sinkproof.FirstLayerCeiling.
Require Import Sinkproof.PositionZeroWitnesses.
Import ListNotations.
Open Scope R_scope.

Definition pair (a b : R) : vec := fun k => match k with 0%nat => a | 1%nat => b | _ => 0 end.

(* ------------------------------------------------- vectors ---------------- *)

Example inner_value : inner 2 (pair 1 2) (pair 3 4) = 11 /\ inner 1 (pair 1 2) (pair 3 4) = 3 /\ inner 0 (pair 1 2) (pair 3 4) = 0.
Proof. unfold inner, pair. rewrite !sum_below_S, !sum_below_0. repeat split; ring. Qed.

Example norm_value : norm 2 (pair 3 4) = 5 /\ sq 2 (pair 3 4) = 25.
Proof.
  assert (E : sq 2 (pair 3 4) = 25) by (unfold sq, inner, pair; rewrite !sum_below_S, sum_below_0; ring).
  split; [|exact E]. apply norm_is; [lra|]. unfold sq in E. rewrite E. ring.
Qed.

Example vector_operations : add (pair 1 2) (pair 3 4) 1%nat = 6 /\ sub (pair 1 2) (pair 3 4) 1%nat = -2 /\
  scale 3 (pair 1 2) 1%nat = 6 /\ mix [2; 3] [pair 1 0; pair 0 1] 1%nat = 3.
Proof. unfold add, sub, scale, mix, pair. simpl. repeat split; ring. Qed.

Example unit_and_orthogonal : unit_vector 2 (pair (3/5) (4/5)) /\ ~ unit_vector 2 (pair 1 1) /\
  orthogonal 2 (pair 1 2) (pair 2 (-1)) /\ ~ orthogonal 2 (pair 1 2) (pair 2 1).
Proof. unfold unit_vector, orthogonal, inner, pair. rewrite !sum_below_S, !sum_below_0. repeat split; lra. Qed.

(* RMSNorm of (3, 4) with eps = 0 has the square d, here 2, over all coordinates *)
Example rms_norm_square eps : 0 < eps -> sq 2 (rms_norm 2 0 (pair 3 4)) = 2 /\ sq 2 (rms_norm 2 eps (pair 3 4)) < 2.
Proof.
  assert (S : forall e, 0 <= e -> sq 2 (rms_norm 2 e (pair 3 4)) = 2 * 25 / (25 + 2 * e)).
  { intros e He. pose proof (proj2 norm_value) as E. unfold sq in E. unfold sq, inner at 1, rms_norm. rewrite E.
    rewrite !sum_below_S, sum_below_0. simpl (pair 3 4 _). simpl (INR 2).
    assert (Q1 : sqrt (1 + 1) * sqrt (1 + 1) = 2) by (rewrite sqrt_sqrt; lra).
    assert (Q2 : sqrt (25 + (1 + 1) * e) * sqrt (25 + (1 + 1) * e) = 25 + 2 * e) by (rewrite sqrt_sqrt; lra).
    assert (Q3 : 0 < sqrt (25 + (1 + 1) * e)) by (apply sqrt_lt_R0; lra).
    set (a := sqrt (1 + 1)) in *. set (b := sqrt (25 + (1 + 1) * e)) in *.
    rewrite <- Q2, <- Q1. field. lra. }
  intros He. rewrite !S by lra. split; [field|]. apply Rmult_lt_reg_r with (25 + 2 * eps); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Example silu_values : silu 0 = 0 /\ forall a, silu a - silu (- a) = a.
Proof.
  unfold silu. split; [unfold Rdiv; ring|]. intros a. rewrite Ropp_involutive, exp_Ropp. pose proof (exp_pos a). field. lra.
Qed.

(* ------------------------------------------------- mixing ----------------- *)

(* half and half of two orthogonal unit vectors: a quarter of the square 2 *)
Example pair_sum_value : pair_sum 2 [1/2; 1/2] [pair 1 0; pair 0 1] = 1/2 /\
  pair_sum 2 [1/2; 1/4; 1/4] [pair 1 0; pair 1 0; pair 0 1] = 1/2 * (1/4) * 2 + 1/4 * (1/4) * 2.
Proof. unfold pair_sum, sq, inner, sub, pair. simpl. rewrite !sum_below_S, !sum_below_0. split; field. Qed.

(* pair_sum is the double sum over j < k *)
Lemma dot_map_nth {A} (z : A) (f : A -> R) w vs : length w = length vs ->
  dot w (map f vs) = sum_below (length vs) (fun k => nth k w 0 * f (nth k vs z)).
Proof.
  revert vs. induction w as [|a w IH]; intros [|v vs] H; try discriminate; [reflexivity|].
  simpl length. rewrite sum_below_first. simpl. rewrite IH by (injection H; auto). reflexivity.
Qed.

Example pair_sum_is_double d p vs : length p = length vs -> pair_sum d p vs =
  sum_below (length vs) (fun j => sum_below (length vs) (fun k =>
    if (j <? k)%nat then nth j p 0 * nth k p 0 * sq d (sub (nth j vs (fun _ => 0)) (nth k vs (fun _ => 0))) else 0)).
Proof.
  revert vs. induction p as [|a p IH]; intros [|v vs] H; try discriminate; [reflexivity|].
  injection H as H. simpl length. rewrite !sum_below_first.
  change (pair_sum d (a :: p) (v :: vs)) with (a * dot p (map (fun u => sq d (sub v u)) vs) + pair_sum d p vs).
  rewrite (dot_map_nth (A := vec) (fun _ => 0)), IH by exact H. rewrite <- sum_below_scal. cbn [Nat.ltb Nat.leb nth].
  rewrite Rplus_0_l. f_equal.
  - apply sum_below_ext. intros k _. ring.
  - apply sum_below_ext. intros j _. rewrite sum_below_first. cbn [Nat.ltb Nat.leb nth]. rewrite Rplus_0_l. reflexivity.
Qed.

(* a law of finite support is an expectation *)
Example mean_is_expectation {A} (mu : list (A * R)) : is_law_of mu (fun _ => True) -> expectation (fun _ => True) (mean mu).
Proof.
  intros law. split; [intros c; split; [exact I|apply (mean_const mu _ c law)]|]. intros f g _ _. split; [|split].
  - intros a b. split; [exact I|]. rewrite mean_plus. rewrite <- !(Rmult_comm (mean mu _)), <- !mean_scale.
    f_equal; apply (mean_ext mu _ _ _ law); intros; ring.
  - intros H. apply (mean_le mu _ _ _ law). intros; apply H.
  - intros H. apply (mean_ext mu _ _ _ law). intros; apply H.
Qed.

Example mean_value : mean [(1%nat, 1/4); (3%nat, 3/4)] INR = 5/2.
Proof. unfold mean. simpl. rewrite !sum_cons, sum_nil. field. Qed.

(* cone values are unit vectors with the cosine a to the axis *)
Example cone_is_unit d a u s : -1 < a < 1 -> unit_vector d u -> unit_vector d s -> orthogonal d u s ->
  unit_vector d (cone a u s) /\ inner d (cone a u s) u = a.
Proof.
  intros Ha Hu Hs Ho. unfold unit_vector, orthogonal, cone in *.
  assert (B : sqrt (1 - a ^ 2) * sqrt (1 - a ^ 2) = 1 - a ^ 2).
  { apply sqrt_sqrt. assert (0 < (1 - a) * (1 + a)) by (apply Rmult_lt_0_compat; lra). lra. }
  split; rewrite ?inner_add_square, ?inner_add_l, !inner_scale_l, ?inner_scale_r, ?Hu, ?Hs, ?Ho.
  - replace (a * (a * 1) + 2 * (a * (sqrt (1 - a ^ 2) * 0)) + sqrt (1 - a ^ 2) * (sqrt (1 - a ^ 2) * 1))
      with (a ^ 2 + sqrt (1 - a ^ 2) * sqrt (1 - a ^ 2)) by ring. rewrite B. ring.
  - rewrite (inner_sym d s u), Ho. ring.
Qed.

(* ------------------------------------------------- prefixes --------------- *)

Example constant_values : constant [3; 3; 3]%nat /\ ~ constant [3; 4; 3]%nat /\ newest [3; 4; 5]%nat = 5%nat.
Proof.
  split; [exists 3%nat; reflexivity|]. split; [|reflexivity]. intros (t & E). injection E as E1 E2 _. congruence.
Qed.

Example frequency_value : frequency [0; 1; 0; 0]%nat 0 = 3/4 /\ frequency [0; 1; 0; 0]%nat 7 = 0.
Proof. unfold frequency. simpl. split; field. Qed.

Example prefix_of_values : prefix_of 3 [0; 2]%nat /\ ~ prefix_of 3 [] /\ ~ prefix_of 3 [3]%nat.
Proof.
  split; [split; [discriminate|repeat constructor; lia]|]. split; intros (Hn & H); [congruence|].
  inversion H; lia.
Qed.

Example orthonormal_hot V : orthonormal V V hot /\ ~ orthonormal 1 2 hot.
Proof.
  split; [apply hot_orthonormal|]. intros H. specialize (H 1%nat 1%nat ltac:(lia) ltac:(lia)).
  unfold inner, hot in H. rewrite sum_below_S, sum_below_0 in H. simpl in H. lra.
Qed.

(* ------------------------------------------------- rows ------------------- *)

Example weight_values : weight [1/2; 1/3; 1/6] 1 = 1/2 /\ weight [1/2; 1/3; 1/6] 3 = 1/6 /\ weight [1/2] 2 = 0.
Proof. repeat split. Qed.

(* key k of query i has the logit g (i - k): position 1 is the farthest *)
Example relative_row_order g : relative_row g 3 = softmax [g 2%nat; g 1%nat; g 0%nat].
Proof. reflexivity. Qed.

Example product_value : product [2; 3; 4] = 24 /\ product [] = 1.
Proof. unfold product. simpl. split; ring. Qed.

Example importance_uniform N : (1 <= N)%nat -> importance N (fun i => repeat (/ INR i) i) = sum (map (fun i => / INR i) (seq 1 N)) / INR N.
Proof.
  intros HN. unfold importance. f_equal. f_equal. apply map_ext_in. intros i Hi. apply in_seq in Hi.
  destruct i as [|i]; [lia|reflexivity].
Qed.

(* the best rho of the ceiling is a root of the last weight *)
Example best_rho a n : 0 < a -> (1 <= n)%nat -> 0 < Rpower a (1 / INR n) /\ Rpower a (1 / INR n) ^ n = a.
Proof.
  intros Ha Hn. assert (0 < INR n) by (apply lt_0_INR; lia). split; [apply exp_pos|].
  rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult. replace (1 / INR n * INR n) with 1 by (field; lra).
  apply Rpower_1, Ha.
Qed.

Example backward_row_order w : backward_row w [7; 8; 9]%nat 2 = softmax [w 8%nat 7%nat 1%nat; w 8%nat 8%nat 0%nat].
Proof. reflexivity. Qed.

(* the window that begins at the second token has the law of the first two *)
Example not_stationary : ~ stationary 2 [([0; 1]%nat, 1)].
Proof.
  intros (_ & H). specialize (H 1%nat 1%nat (fun x => INR (hd 0%nat x)) ltac:(lia)).
  unfold mean in H. simpl in H. rewrite !sum_cons, sum_nil in H. lra.
Qed.

(* the state of position 1 with one head and a residual *)
Example state_step e value rows combine x : state e value rows combine x 1 1 =
  combine 0%nat (e (x 1%nat)) (fun h => mix (rows 0%nat h 1%nat) [value 0%nat h (e (x 0%nat)); value 0%nat h (e (x 1%nat))]).
Proof. reflexivity. Qed.

(* ------------------------------------------------- the circuit ------------ *)

Example mixed_values : mixed [0; 0; 1]%nat 0%nat = 2/3 /\ mixed [0; 0; 1]%nat 1%nat = 4/3 /\ mixed [0]%nat 0%nat = 2.
Proof. rewrite !mixed_value by discriminate. unfold count, newest. simpl. repeat split; field. Qed.

Example query_is_one V N G p : prefix_of V p -> (length p <= N)%nat -> sum_below V (spiked V N G p) / 2 = 1.
Proof. apply query_one. Qed.

Example unit_of_value : unit_of 2 (pair 3 4) 1%nat = 4/5.
Proof. unfold unit_of, scale. rewrite (proj1 norm_value). simpl. field. Qed.

Example turn_values : turn 0 = 0 /\ turn (4/5) = sqrt (4/5).
Proof.
  unfold turn. replace (1 - 0 ^ 2) with 1 by ring. replace (1 - (4/5) ^ 2) with (3/5 * (3/5)) by field.
  rewrite sqrt_1, sqrt_square by lra. split; [|f_equal; field]. rewrite <- sqrt_0. f_equal. ring.
Qed.

(* without the wish to avoid, uniform attention *)
Example avoiding_nothing p t : avoiding 0 p t = mixed p t.
Proof.
  unfold avoiding, mixed. rewrite (map_ext (fun s => if (s =? newest p)%nat then - 0 else 0) (fun _ => 0)); [reflexivity|].
  intros s. destruct (s =? newest p)%nat; ring.
Qed.
