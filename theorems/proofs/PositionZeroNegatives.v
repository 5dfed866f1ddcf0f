(******************************************************************************)
(*                        POSITION ZERO NEGATIVES                             *)
(* Variants of the statements that are false, refuted: a constant nudged      *)
(* (nudged_), a hypothesis dropped (without_).                                *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.CollisionIndex Sinkproof.P0Circuit Sinkproof.NormStability.
Require Import Sinkproof.ConeModel Sinkproof.SoftmaxWeights Sinkproof.RepeatedTokens Sinkproof.PositionZeroWitnesses.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- mixing ----------------- *)

Definition nudged_mixing : Prop := forall d p vs, simplex_row (length vs) p -> Forall (unit_vector d) vs ->
  1 - sq d (mix p vs) = 11/10 * pair_sum d p vs.

Lemma half_row : simplex_row 2 [1/2; 1/2].
Proof. repeat split; [repeat constructor; lra|]. rewrite !sum_cons, sum_nil. lra. Qed.

Lemma two_hot : Forall (unit_vector 2) [hot 0; hot 1].
Proof. constructor; [apply hot_unit; lia|]. constructor; [apply hot_unit; lia|constructor]. Qed.

Lemma nudged_mixing_is_false : ~ nudged_mixing.
Proof.
  intros H. specialize (H 2%nat [1/2; 1/2] [hot 0; hot 1] half_row two_hot). unfold sq, inner, mix, hot in H. simpl in H.
  rewrite !sum_below_S, !sum_below_0 in H. simpl in H. unfold sq, inner, sub in H.
  rewrite !sum_below_S, !sum_below_0 in H. simpl in H. lra.
Qed.

Definition without_sum_one : Prop := forall d p vs, length p = length vs -> Forall (fun a => 0 <= a) p ->
  Forall (unit_vector d) vs -> norm d (mix p vs) <= 1.

Lemma without_sum_one_is_false : ~ without_sum_one.
Proof.
  intros H. specialize (H 1%nat [2] [hot 0] eq_refl). assert (P : Forall (fun a => 0 <= a) [2]) by (repeat constructor; lra).
  assert (U : Forall (unit_vector 1) [hot 0]) by (repeat constructor; apply hot_unit; lia). specialize (H P U).
  rewrite (norm_ext 1 _ (scale 2 (hot 0))) in H by (intros; unfold mix, scale; simpl; ring).
  rewrite norm_scale, Rabs_right in H by lra. rewrite (norm_is 1 (hot 0) 1) in H; [lra|lra|].
  rewrite inner_hot by lia. simpl. ring.
Qed.

(* ------------------------------------------------- cone model ------------- *)

Definition without_independence : Prop :=
  forall (A : Type) integrable (E : (A -> R) -> R) d m a u (p : A -> nat -> R) (s : A -> nat -> vec),
  expectation integrable E -> -1 < a < 1 -> unit_vector d u -> cone_directions integrable E d m u s ->
  (forall o, sum_below m (p o) = 1) -> (forall k, (k < m)%nat -> integrable (fun o => p o k ^ 2)) ->
  (forall j k, (j < k < m)%nat -> integrable (fun o => p o j * p o k * inner d (s o j) (s o k))) ->
  E (fun o => cone_square d m a u (p o) (s o)) =
  a ^ 2 + (1 - a ^ 2) * E (fun o => sum_below m (fun k => p o k ^ 2)).

(* a coin turns the second direction; the weights mix only when it agrees with the first *)
Lemma without_independence_is_false : ~ without_independence.
Proof.
  intros H. set (E := fun f : bool -> R => (f true + f false) / 2).
  set (p := fun (o : bool) (k : nat) => if o then 1/2 else match k with 0%nat => 1 | _ => 0 end).
  set (s := fun (o : bool) (k : nat) => match o, k with false, 1%nat => scale (-1) (hot 1) | _, _ => hot 1 end).
  assert (S : forall o k, unit_vector 2 (s o k) /\ orthogonal 2 (hot 0) (s o k)).
  { intros [|] [|[|k]]; unfold s, unit_vector, orthogonal; rewrite ?inner_scale_l, ?inner_scale_r, ?inner_hot by lia; simpl; split; ring. }
  assert (P : forall o, sum_below 2 (p o) = 1) by (intros [|]; unfold p; rewrite !sum_below_S, sum_below_0; field).
  assert (law : expectation (fun _ => True) E).
  { split; [intros c; split; [exact I|unfold E; field]|]. intros f g _ _.
    split; [intros a b; split; [exact I|unfold E; field]|]. unfold E.
    split; intros F; pose proof (F true); pose proof (F false); lra. }
  assert (D : cone_directions (fun _ => True) E 2 2 (hot 0) s).
  { split; [intros; apply S|]. intros j k Hjk corr. split; [exact I|]. assert (j = 0%nat /\ k = 1%nat) as (-> & ->) by lia.
    unfold corr, E, s. rewrite inner_scale_r, inner_hot by lia. simpl. field. }
  specialize (H bool (fun _ => True) E 2%nat 2%nat 0 (hot 0) p s law ltac:(lra) (hot_unit 2 0 ltac:(lia)) D P
    ltac:(intros; exact I) ltac:(intros; exact I)).
  unfold E in H. rewrite !cone_expand in H by (try lra; try apply P; try (apply hot_unit; lia); intros; apply S).
  rewrite !sum_below_S, !sum_below_0 in H. unfold p, s in H. rewrite inner_scale_r, !inner_hot in H by lia. simpl in H. lra.
Qed.

(* ------------------------------------------------- collision index -------- *)

Definition nudged_gap : Prop := forall d V e p, orthonormal d V e -> prefix_of V p -> ~ constant p ->
  sq d (uniform_output e p) <= 1 - 21/10 * (INR (length p) - 1) / INR (length p) ^ 2.

Lemma nudged_gap_is_false : ~ nudged_gap.
Proof.
  intros H. destruct (collision_gap_attained_proof 2%nat 2%nat hot 1%nat 0%nat 0%nat 1%nat (hot_orthonormal 2)) as (C & E); [lia..|].
  change (repeat 0%nat 1 ++ 1%nat :: repeat 0%nat 0) with [0; 1]%nat in *.
  specialize (H 2%nat 2%nat hot [0; 1]%nat (hot_orthonormal 2) ltac:(split; [discriminate|repeat constructor; lia]) C).
  rewrite E in H. simpl in H. lra.
Qed.

Definition without_other_token : Prop := forall d V e p, orthonormal d V e -> prefix_of V p -> (2 <= length p)%nat ->
  sq d (uniform_output e p) <= 1 - 2 * (INR (length p) - 1) / INR (length p) ^ 2.

Lemma without_other_token_is_false : ~ without_other_token.
Proof.
  intros H. assert (P : prefix_of 1 [0; 0]%nat) by (split; [discriminate|repeat constructor; lia]).
  specialize (H 1%nat 1%nat hot _ (hot_orthonormal 1) P ltac:(simpl; lia)).
  rewrite (proj2 (proj2 (collision_index_proof 1%nat 1%nat hot _ (hot_orthonormal 1) P))) in H; [simpl in H; lra|].
  exists 0%nat. reflexivity.
Qed.

(* ------------------------------------------------- repeated tokens -------- *)

Definition without_simplex_rows : Prop :=
  forall (N D : nat) e value rows combine (x : nat -> nat),
  (forall l h i, (l < D)%nat -> (i < N)%nat -> length (rows l h i) = S i /\ Forall (fun a => 0 <= a) (rows l h i)) ->
  (forall i, (i < N)%nat -> x i = x 0%nat) ->
  forall l i c, (l <= D)%nat -> (i < N)%nat ->
  state e value rows combine x l i c = state e value rows combine x l 0 c.

Lemma without_simplex_rows_is_false : ~ without_simplex_rows.
Proof.
  intros H. specialize (H 2%nat 1%nat (fun _ _ => 1) (fun _ _ x => x) (fun _ _ i => repeat 1 (S i)) (fun _ _ heads => heads 0%nat) (fun _ => 0%nat)).
  assert (A : forall l h i : nat, (l < 1)%nat -> (i < 2)%nat -> length (repeat 1 (S i)) = S i /\ Forall (fun a => 0 <= a) (repeat 1 (S i))).
  { intros _ _ i _ _. split; [apply repeat_length|]. apply Forall_forall. intros a Ha. apply repeat_spec in Ha. lra. }
  specialize (H A ltac:(reflexivity) 1%nat 1%nat 0%nat ltac:(lia) ltac:(lia)). unfold state, mix in H. simpl in H. lra.
Qed.

Definition nudged_range : Prop := forall (g : nat -> R) (N : nat) (range : R), (2 <= N)%nat ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> g i - g j <= range) ->
  importance N (relative_row g) * INR N <= 1/2 + range + ln (INR N).

(* two equal tokens: 1 + 1/2 against 1/2 + ln 2 *)
Lemma nudged_range_is_false : ~ nudged_range.
Proof.
  intros H. specialize (H (fun _ => 0) 2%nat 0 ltac:(lia) ltac:(intros; lra)).
  assert (L : ln 2 < 1) by (apply exp_lt_inv; rewrite exp_ln by lra; pose proof (exp_ineq1 1 ltac:(lra)); lra).
  unfold importance, weight, relative_row, softmax in H. simpl in H. rewrite !sum_cons, !sum_nil, exp_0 in H.
  replace (1 + 1) with 2 in H by ring. lra.
Qed.

(* ------------------------------------------------- the circuit ------------ *)

Definition nudged_circuit : Prop := forall V N G g (t u : nat) (rest : list nat),
  let p := t :: u :: rest in prefix_of V p -> (length p <= N)%nat -> t <> u ->
  forall i, (1 <= i <= length p)%nat ->
  weight (sink_row V N G g (firstn i p)) 1 = 1 / (1 + 11/10 * (INR i - 1) * exp (- (g * G))).

Lemma nudged_circuit_is_false : ~ nudged_circuit.
Proof.
  intros H. assert (P : prefix_of 2 [0; 1]%nat) by (split; [discriminate|repeat constructor; lia]).
  specialize (H 2%nat 2%nat 0 0 0%nat 1%nat [] P ltac:(simpl; lia) ltac:(lia) 2%nat ltac:(simpl; lia)).
  rewrite (circuit_mass_proof 2%nat 2%nat 0 0 0%nat 1%nat [] P) in H by (simpl; lia).
  rewrite Rmult_0_l, Ropp_0, exp_0 in H. simpl in H. lra.
Qed.

Definition without_length : Prop := forall (V N : nat) (G : R) (p : list nat), prefix_of V p -> (1 <= N)%nat -> 0 < G ->
  (constant p -> spiked V N G p V = G) /\ (~ constant p -> spiked V N G p V = 0).

(* a prefix longer than N: the threshold is too low *)
Lemma without_length_is_false : ~ without_length.
Proof.
  intros H. assert (P : prefix_of 2 [1; 0]%nat) by (split; [discriminate|repeat constructor; lia]).
  destruct (H 2%nat 1%nat 1 _ P ltac:(lia) ltac:(lra)) as (_ & Z). specialize (Z ltac:(intros (t & E); injection E as E1 E2; congruence)).
  unfold spiked in Z. rewrite Nat.eqb_refl, (spike_coordinate 2 2 _ P ltac:(simpl; lia)) in Z.
  rewrite !sum_below_S, sum_below_0, !mixed_value in Z by discriminate.
  unfold count, newest in Z. simpl in Z. rewrite relu_self, relu_zero in Z by lra. lra.
Qed.

(* ------------------------------------------------- stability -------------- *)

Definition nudged_turn : Prop := forall d x delta, norm d x <> 0 -> norm d (add x delta) <> 0 ->
  norm d delta / norm d x < 1 ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) <= 9/10 * turn (norm d delta / norm d x).

Lemma nudged_turn_is_false : ~ nudged_turn.
Proof.
  intros H. destruct (nonvacuous_stability 2 ltac:(lia)) as (x & delta & A & B & (P & C) & D).
  specialize (H 2%nat x delta A B C). rewrite (norm_stability_attained_proof 2%nat x delta A B C D) in H.
  set (rho := norm 2 delta / norm 2 x) in *. assert (0 < turn rho); [|lra]. apply sqrt_lt_R0.
  assert (sqrt (1 - rho ^ 2) < sqrt 1); [|rewrite sqrt_1 in *; lra].
  assert (0 < rho * rho < 1 * 1) by (split; [apply Rmult_lt_0_compat; lra|apply Rmult_le_0_lt_compat; lra]).
  apply sqrt_lt_1_alt. lra.
Qed.

Definition without_small_ratio : Prop := forall d x delta, norm d x <> 0 -> norm d (add x delta) <> 0 ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) <= sqrt 2 * (norm d delta / norm d x) /\
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) <= sqrt 2.

(* the opposite vector: a distance of 2 *)
Lemma without_small_ratio_is_false : ~ without_small_ratio.
Proof.
  intros H. assert (N1 : norm 1 (hot 0) = 1) by (apply norm_is; [lra|]; rewrite inner_hot by lia; simpl; ring).
  set (delta := scale (-2) (hot 0)). assert (E : forall k, add (hot 0) delta k = scale (-1) (hot 0) k)
    by (intros; unfold add, delta, scale; ring).
  assert (NE : norm 1 (add (hot 0) delta) = 1).
  { rewrite (norm_ext 1 _ (scale (-1) (hot 0))) by (intros; apply E). rewrite norm_scale, N1, Rabs_left; lra. }
  destruct (H 1%nat (hot 0) delta) as (_ & L); [lra..|].
  rewrite (norm_ext 1 _ (scale (-2) (hot 0))) in L.
  - rewrite norm_scale, N1, Rabs_left in L by lra. pose proof (sqrt_sqrt 2 ltac:(lra)) as S.
    assert (2 * 2 <= sqrt 2 * sqrt 2) by (apply Rmult_le_compat; lra). lra.
  - intros k _. unfold sub, unit_of. rewrite NE, N1. unfold scale at 1 2. rewrite E. unfold scale. field.
Qed.

(* ------------------------------------------------- the first layer -------- *)

Definition without_stationary : Prop :=
  forall (T : nat) (mu : list (list nat * R)) (w : nat -> nat -> nat -> R),
  (1 <= T)%nat -> is_law_of mu (fun x => length x = T) ->
  mean mu (fun x => importance T (backward_row w x)) * INR T <=
  1 + mean mu (fun x => ln (1 / weight (backward_row w x T) T)).

Lemma ln_3_small : ln 3 < 6/5.
Proof.
  apply exp_lt_inv. rewrite exp_ln by lra. set (x := exp (3/20)).
  assert (X : 23/20 <= x) by (unfold x; pose proof (exp_ineq1_le (3/20)); lra).
  assert (E : exp (6/5) = x * x * (x * x) * (x * x * (x * x)))
    by (unfold x; rewrite <- !exp_plus; f_equal; field).
  assert (A : 132/100 <= x * x) by (assert (23/20 * (23/20) <= x * x) by (apply Rmult_le_compat; lra); lra).
  assert (B : 174/100 <= x * x * (x * x)) by (assert (132/100 * (132/100) <= x * x * (x * x)) by (apply Rmult_le_compat; lra); lra).
  assert (174/100 * (174/100) <= x * x * (x * x) * (x * x * (x * x))) by (apply Rmult_le_compat; lra). lra.
Qed.

(* always the text 0, 1, 2: its second token looks at the first alone, its third at all *)
Lemma without_stationary_is_false : ~ without_stationary.
Proof.
  intros H. specialize (H 3%nat [([0; 1; 2]%nat, 1)] (fun a b _ => match a, b with 1%nat, 0%nat => ln 9 | _, _ => 0 end) ltac:(lia)).
  assert (L : is_law_of [([0; 1; 2]%nat, 1)] (fun x => length x = 3%nat)).
  { split; [repeat constructor; simpl; lra|]. simpl. rewrite sum_cons, sum_nil. ring. }
  specialize (H L). unfold mean, importance, weight, backward_row, softmax in H. simpl in H.
  rewrite !sum_cons, !sum_nil, exp_0, exp_ln in H by lra.
  replace (1 / (1 / (1 + (1 + (1 + 0))))) with 3 in H by field. pose proof ln_3_small. lra.
Qed.

(* ------------------------------------------------- a nonlinearity --------- *)

Definition without_second_sequence : Prop := forall d (e value : nat -> vec) score A (a b c : nat),
  let row := second_row d A (first_state e value score) in
  let x := [a; b; b; a; c] in weight (row x) 1 <= weight (row x) 4.

Lemma without_second_sequence_is_false : ~ without_second_sequence.
Proof.
  intros H. destruct nonvacuous_one_sequence as (d & e & value & score & A & a & b & c & F).
  specialize (H d e value score A a b c). cbv zeta in F, H. lra.
Qed.
