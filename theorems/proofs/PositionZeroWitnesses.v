(******************************************************************************)
(*                        POSITION ZERO WITNESSES                             *)
(* Every hypothesis set of PositionZeroStatements.v is met by something that  *)
(* is not degenerate; the gate asks for each of these by its own words.       *)
(*   hot_orthonormal == one-hot vectors; uniform_rows: rows of equal weights  *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.CollisionIndex Sinkproof.P0Circuit Sinkproof.SoftmaxWeights Sinkproof.CircuitGain.
Import ListNotations.
Open Scope R_scope.

Lemma hot_unit d t : (t < d)%nat -> unit_vector d (hot t).
Proof. intros H. unfold unit_vector. rewrite inner_hot, Nat.eqb_refl by exact H. reflexivity. Qed.

Lemma hot_orthonormal V : orthonormal V V hot.
Proof. intros s t Hs _. apply inner_hot, Hs. Qed.

(* different values, rows that mix them *)
Example nonvacuous_mixing m : (1 <= m)%nat -> exists vs rows, length vs = m /\ Forall (unit_vector m) vs /\
  (forall j k, (j < k < m)%nat -> orthogonal m (nth j vs (fun _ => 0)) (nth k vs (fun _ => 0))) /\
  (forall k, (1 <= k <= m)%nat -> simplex_row k (rows k)).
Proof.
  intros Hm. exists (map hot (seq 0 m)), (fun k => repeat (/ INR k) k). split; [|split; [|split]].
  - rewrite map_length, seq_length. reflexivity.
  - apply Forall_forall. intros v Hv. apply in_map_iff in Hv. destruct Hv as (k & <- & Hk). apply in_seq in Hk.
    apply hot_unit. lia.
  - intros j k Hjk. unfold orthogonal.
    rewrite !(nth_indep _ (fun _ => 0) (hot 0)) by (rewrite map_length, seq_length; lia).
    rewrite !(map_nth hot), !seq_nth, inner_hot by lia. simpl. destruct (Nat.eqb_spec j k); [lia|reflexivity].
  - intros k Hk. apply simplex_uniform. lia.
Qed.

(* orthogonal directions, drawn with certainty; uniform weights *)
Example nonvacuous_cone m a : (1 <= m)%nat -> -1 < a < 1 ->
  exists (A : Type) integrable (E : (A -> R) -> R) d u (p : A -> nat -> R) (s : A -> nat -> vec),
  expectation integrable E /\ unit_vector d u /\
  cone_directions integrable E d m u s /\ cone_directions integrable E d (S m) u s /\
  (forall o, sum_below m (p o) = 1) /\ (forall k, (k < m)%nat -> integrable (fun o => p o k ^ 2)) /\
  (forall j k, (j < k < m)%nat ->
     let pair o := p o j * p o k in let corr o := inner d (s o j) (s o k) in
     integrable (fun o => pair o * corr o) /\ E (fun o => pair o * corr o) = E pair * E corr).
Proof.
  intros Hm Ha. exists unit, (fun _ => True), (fun f => f tt), (S (S m)), (hot 0), (fun _ _ => / INR m), (fun _ k => hot (S k)).
  assert (D : forall n, (n <= S m)%nat -> cone_directions (fun _ : unit -> R => True) (fun f => f tt) (S (S m)) n (hot 0) (fun _ k => hot (S k))).
  { intros n Hn. split.
    - intros _ k Hk. split; [apply hot_unit; lia|]. unfold orthogonal. rewrite inner_hot by lia. reflexivity.
    - intros j k Hjk corr. split; [exact I|]. unfold corr. rewrite inner_hot by lia.
      destruct (Nat.eqb_spec (S j) (S k)); [lia|reflexivity]. }
  split; [|split; [|split; [|split; [|split; [|split]]]]].
  - split; [intros c; split; [exact I|reflexivity]|]. intros f g _ _. split; [intros a' b; split; [exact I|reflexivity]|].
    split; intros H; apply H.
  - apply hot_unit. lia.
  - apply D. lia.
  - apply D. lia.
  - intros _. rewrite sum_below_const. field. apply not_0_INR. lia.
  - intros; exact I.
  - intros j k Hjk pair corr. split; [exact I|reflexivity].
Qed.

Example nonvacuous_collision V : (2 <= V)%nat -> exists d e p, orthonormal d V e /\ prefix_of V p /\ ~ constant p.
Proof.
  intros HV. exists V, hot, [0; 1]%nat. split; [apply hot_orthonormal|]. split.
  - split; [discriminate|]. constructor; [lia|]. constructor; [lia|constructor].
  - intros (t & E). injection E as E1 E2. congruence.
Qed.

Example nonvacuous_repeated (N : nat) : (1 <= N)%nat -> exists rows (x : nat -> nat),
  (forall l h i : nat, simplex_row (S i) (rows l h i)) /\ (forall i, (i < N)%nat -> x i = x 0%nat).
Proof.
  intros _. exists (fun _ _ i => repeat (/ INR (S i)) (S i)), (fun _ => 7%nat). split; [|reflexivity].
  intros l h i. apply simplex_uniform. lia.
Qed.

(* ALiBi with slope 1, and a root that is positive *)
Example nonvacuous_relative (N : nat) : (2 <= N)%nat -> exists (g : nat -> R) rho range,
  0 < rho /\ rho ^ (N - 1) <= weight (relative_row g N) N /\
  (forall k, (k < N)%nat -> g (N - 1)%nat <= g k) /\ g 1%nat < g 0%nat /\
  (forall i j, (i < N)%nat -> (j < N)%nat -> g i - g j <= range).
Proof.
  intros HN. set (g := fun j => - INR j). assert (P : 0 < weight (relative_row g N) N <= 1).
  { rewrite last_weight by lia. pose proof (distance_mass_pos g N ltac:(lia)) as D. split.
    - apply Rdiv_lt_0_compat; [apply exp_pos|exact D].
    - apply Rmult_le_reg_r with (distance_mass g N); [exact D|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      rewrite Rmult_1_r, Rmult_1_l.
      apply (sum_below_term N (fun j => exp (g j)) 0%nat); [lia|]. intros; left; apply exp_pos. }
  exists g, (weight (relative_row g N) N), (INR N). split; [apply P|]. split; [|split; [|split]].
  - rewrite <- (pow_1 (weight _ _)) at 2. set (y := weight _ _) in *.
    assert (Q : forall m, y ^ S m <= y ^ 1).
    { induction m; [lra|]. rewrite <- tech_pow_Rmult. assert (y * y ^ S m <= 1 * y ^ S m); [|lra].
      apply Rmult_le_compat_r; [|lra]. left. apply pow_lt. lra. }
    replace (N - 1)%nat with (S (N - 2)) by lia. apply Q.
  - intros k Hk. unfold g. assert (L : (k <= N - 1)%nat) by lia. apply le_INR in L. lra.
  - unfold g. simpl. lra.
  - intros i j Hi Hj. unfold g. pose proof (pos_INR i). assert (L : (j <= N)%nat) by lia. apply le_INR in L. lra.
Qed.

(* a run, then another token, then anything *)
Example nonvacuous_circuit V (r : nat) rest : (2 <= V)%nat -> (1 <= r)%nat -> Forall (fun t => (t < V)%nat) rest ->
  exists (t u N : nat) (G : R), let p := repeat t r ++ u :: rest in
  prefix_of V p /\ (length p <= N)%nat /\ t <> u /\ 0 < G /\ ~ constant p /\
  constant (firstn r p) /\ prefix_of V (firstn r p) /\ (1 <= N)%nat.
Proof.
  intros HV Hr Hrest. exists 0%nat, 1%nat, (length (repeat 0%nat r ++ 1%nat :: rest)), 1. cbv zeta.
  set (p := repeat 0%nat r ++ 1%nat :: rest). assert (Hp : prefix_of V p).
  { split; [unfold p; destruct r; [lia|discriminate]|]. unfold p. apply Forall_app. split.
    - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. lia.
    - constructor; [lia|exact Hrest]. }
  split; [exact Hp|]. split; [lia|]. split; [lia|]. split; [lra|].
  assert (L : (r < length p)%nat) by (unfold p; rewrite app_length, repeat_length; simpl; lia).
  split; [|split; [|split]].
  - rewrite <- (firstn_all p). apply run_over; try assumption; lia.
  - unfold p. apply run_constant. lia.
  - apply firstn_prefix; [exact Hp|lia].
  - lia.
Qed.

(* a step of half the norm, at a right angle to where it ends *)
Example nonvacuous_stability d : (2 <= d)%nat -> exists x delta,
  norm d x <> 0 /\ norm d (add x delta) <> 0 /\ 0 < norm d delta / norm d x < 1 /\ orthogonal d delta (add x delta).
Proof.
  intros Hd. exists (add (scale 2 (hot 0)) (scale (-1) (hot 1))), (hot 1).
  assert (E : forall k, add (add (scale 2 (hot 0)) (scale (-1) (hot 1))) (hot 1) k = scale 2 (hot 0) k)
    by (intros; unfold add, scale; ring).
  assert (N1 : norm d (hot 1) = 1).
  { apply norm_is; [lra|]. rewrite inner_hot by lia. simpl. ring. }
  assert (X : inner d (add (scale 2 (hot 0)) (scale (-1) (hot 1))) (add (scale 2 (hot 0)) (scale (-1) (hot 1))) = 5).
  { rewrite inner_add_square, !inner_scale_l, !inner_scale_r, !inner_hot by lia. simpl. ring. }
  assert (NX : 1 < norm d (add (scale 2 (hot 0)) (scale (-1) (hot 1)))).
  { unfold norm. rewrite X, <- sqrt_1. apply sqrt_lt_1_alt. lra. }
  split; [lra|]. split; [|split].
  - rewrite (norm_ext d _ (scale 2 (hot 0))) by (intros; apply E). unfold norm.
    rewrite inner_scale_l, inner_scale_r, inner_hot by lia. simpl. apply Rgt_not_eq, sqrt_lt_R0. lra.
  - rewrite N1. split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_lt_reg_r with (norm d (add (scale 2 (hot 0)) (scale (-1) (hot 1)))); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - unfold orthogonal. rewrite (inner_ext d _ (hot 1) _ (scale 2 (hot 0))) by (intros; try apply E; reflexivity).
    rewrite inner_scale_r, inner_hot by lia. simpl. ring.
Qed.

(* the same step under RMSNorm with eps = 1, and as the write of a later block *)
Example nonvacuous_plateau d : (2 <= d)%nat -> exists x delta eps (writes : list vec) C, 0 < eps /\
  0 < rms_size d eps x /\ 0 < rms_size d eps (add x delta) /\ norm d delta / rms_size d eps x < 1 /\
  0 <= C /\ Forall (fun w => norm d w <= C) writes /\ 0 < INR (length writes) * C < norm d x.
Proof.
  intros Hd. assert (ID : 2 <= INR d) by (apply le_INR in Hd; simpl in Hd; lra).
  exists (scale 2 (hot 0)), (hot 1), 1, [hot 1], 1.
  assert (N1 : norm d (hot 1) = 1).
  { apply norm_is; [lra|]. rewrite inner_hot by lia. simpl. ring. }
  assert (X : sq d (scale 2 (hot 0)) = 4).
  { unfold sq. rewrite inner_scale_l, inner_scale_r, inner_hot by lia. simpl. ring. }
  assert (NX : norm d (scale 2 (hot 0)) = 2) by (apply norm_is; [lra|]; unfold sq in X; rewrite X; ring).
  assert (Big : 1 < rms_size d 1 (scale 2 (hot 0)))
    by (unfold rms_size; rewrite X, <- sqrt_1 at 1; apply sqrt_lt_1_alt; lra).
  rewrite N1, NX. pose proof (inner_nonneg d (add (scale 2 (hot 0)) (hot 1))).
  split; [lra|]. split; [lra|]. split; [apply sqrt_lt_R0; unfold sq; lra|]. split; [|split; [lra|split]].
  - apply Rmult_lt_reg_r with (rms_size d 1 (scale 2 (hot 0))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - constructor; [lra|constructor].
  - simpl. lra.
Qed.

Lemma firstn_repeat {A} (t : A) n m : (n <= m)%nat -> firstn n (repeat t m) = repeat t n.
Proof. revert m. induction n as [|n IH]; intros [|m] H; simpl; try reflexivity; try lia. rewrite IH by lia. reflexivity. Qed.

Lemma skipn_repeat {A} (t : A) n m : (n <= m)%nat -> skipn n (repeat t m) = repeat t (m - n).
Proof. revert m. induction n as [|n IH]; intros [|m] H; simpl; try reflexivity; try lia. apply IH. lia. Qed.

(* a fair coin chooses the token of the whole text; logits that fall with the distance *)
Example nonvacuous_stationary T : (1 <= T)%nat -> exists mu (w : nat -> nat -> nat -> R) range,
  stationary T mu /\ length mu = 2%nat /\ w 0%nat 0%nat 1%nat < w 0%nat 0%nat 0%nat /\
  (forall a b j b' j', (j < T)%nat -> (j' < T)%nat -> w a b j - w a b' j' <= range).
Proof.
  intros HT. exists [(repeat 0%nat T, 1/2); (repeat 1%nat T, 1/2)], (fun _ _ j => - INR j), (INR T).
  split; [split; [split|]|split; [|split]].
  - repeat constructor; simpl; try lra; apply repeat_length.
  - unfold sum. simpl. lra.
  - intros a m F H. unfold mean. simpl. rewrite !skipn_repeat, !firstn_repeat by lia. reflexivity.
  - reflexivity.
  - simpl. lra.
  - intros a b j b' j' Hj Hj'. pose proof (pos_INR j). assert (L : (j' <= T)%nat) by lia. apply le_INR in L. lra.
Qed.

(* each of the two sequences alone can be served *)
Example nonvacuous_one_sequence : exists d (e value : nat -> vec) score A (a b c : nat),
  let row := second_row d A (first_state e value score) in
  let x := [a; b; b; a; c] in let y := [b; a; a; b; c] in
  weight (row x) 4 < weight (row x) 1 /\ weight (row y) 1 < weight (row y) 4.
Proof.
  exists 1%nat, (fun _ _ => 0), (fun t _ => match t with 0%nat => 1 | _ => 0 end), (fun _ _ => 0), (fun _ _ => 1), 0%nat, 1%nat, 1%nat.
  cbv zeta. set (h := first_state _ _ _).
  assert (H1 : h [0; 1; 1; 0; 1]%nat 0%nat = 2/5 /\ h [1; 0; 0; 1; 1]%nat 0%nat = 2/5 /\
               h [0]%nat 0%nat = 1 /\ h [1]%nat 0%nat = 0 /\ h [0; 1; 1; 0]%nat 0%nat = 1/2 /\ h [1; 0; 0; 1]%nat 0%nat = 1/2).
  { unfold h, first_state, add, mix, softmax, newest. simpl. rewrite !sum_cons, sum_nil, exp_0. repeat split; field. }
  destruct H1 as (Q1 & Q2 & A1 & B1 & A4 & B4).
  assert (Z : forall p k, bilinear 1 (fun _ _ => 1) (h p) (h k) = h p 0%nat * h k 0%nat).
  { intros p k. unfold bilinear. rewrite !sum_below_S, !sum_below_0. ring. }
  unfold second_row, weight, softmax. cbn [length seq map firstn nth Nat.sub].
  rewrite !Z, Q1, Q2, A1, B1, A4, B4.
  split; apply Rmult_lt_compat_r; try (apply exp_increasing; lra); apply Rinv_0_lt_compat;
    rewrite !sum_cons, sum_nil; repeat match goal with |- context [exp ?x] =>
      lazymatch goal with _ : 0 < exp x |- _ => fail | _ => pose proof (exp_pos x) end end; lra.
Qed.

(* no positions: all logits equal *)
Example nonvacuous_flat (level : R) : exists g : nat -> R, g 0%nat = level /\ forall k, g k = g 0%nat.
Proof. exists (fun _ => level). split; reflexivity. Qed.

Example nonvacuous_alibi : exists level slope : R, 0 < slope /\ level - slope * INR 1 < level.
Proof. exists 0, 1. simpl. lra. Qed.

Example nonvacuous_anti_self V N : (1 <= V)%nat -> (2 <= N)%nat -> exists G beta gain, 0 < G /\ INR N - 1 <= exp beta /\
  exists t, (t < V)%nat /\ avoiding_spike V N beta gain [t] = G.
Proof.
  intros HV HN. pose proof (exp_ineq1_le (INR N)) as E. assert (2 <= INR N) by (apply le_INR in HN; simpl in HN; lra). set (B := exp (INR N)) in *.
  exists 1, (INR N), (1 / (B / (INR N - 1 + B))). split; [lra|]. split; [fold B; lra|]. exists 0%nat. split; [lia|].
  unfold avoiding_spike. rewrite (spike_same V N (INR N) [0%nat]); fold B.
  - field. split; lra.
  - split; [discriminate|repeat constructor; lia].
  - simpl. lia.
  - exact HN.
  - exists 0%nat. reflexivity.
Qed.

(* the unit that reads coordinate s: slope 1, G = 1/N *)
Example nonvacuous_gain V a b : (2 <= V)%nat -> (1 <= b)%nat -> exists s t G steep (mlp : vec -> R),
  (s < V)%nat /\ (t < V)%nat /\ s <> t /\ 0 < G /\ 0 <= steep /\
  (forall x y, Rabs (mlp x - mlp y) <= steep * norm V (sub x y)) /\
  mlp (mixed (repeat s (length (repeat s a ++ t :: repeat s b)))) = G /\ mlp (mixed (repeat s a ++ t :: repeat s b)) = 0.
Proof.
  intros HV Hb. set (p := repeat 0%nat a ++ 1%nat :: repeat 0%nat b).
  assert (L : INR (length p) = INR a + INR b + 1).
  { unfold p. rewrite app_length. simpl. rewrite !repeat_length, plus_INR, S_INR. ring. }
  pose proof (pos_INR a). pose proof (pos_INR b).
  exists 0%nat, 1%nat, (/ INR (length p)), 1, (fun x => x 0%nat - (2 - / INR (length p))). fold p.
  split; [lia|]. split; [lia|]. split; [lia|]. split; [apply Rinv_0_lt_compat; lra|]. split; [lra|]. split; [|split].
  - intros x y. rewrite Rmult_1_l. replace (x 0%nat - _ - _) with (sub x y 0%nat) by (unfold sub; ring).
    rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr.
    apply (sum_below_term V (fun k => sub x y k * sub x y k) 0%nat); [lia|]. intros; apply Rle_0_sqr.
  - rewrite mixed_value by (unfold p; rewrite app_length; simpl; rewrite Nat.add_succ_r; discriminate).
    rewrite newest_repeat, count_repeat, repeat_length by (unfold p; rewrite app_length; simpl; lia). simpl. field. lra.
  - rewrite mixed_value by (unfold p; destruct a; discriminate).
    assert (E : newest p = 0%nat).
    { unfold p. change (repeat 0%nat a ++ 1%nat :: repeat 0%nat b) with (repeat 0%nat a ++ [1%nat] ++ repeat 0%nat b).
      rewrite app_assoc. destruct b as [|b]; [lia|]. simpl repeat. rewrite newest_app. apply (newest_repeat 0 (S b)). lia. }
    rewrite E. unfold p at 1. rewrite count_app, count_cons, !count_repeat. simpl. rewrite L. field. lra.
Qed.

(* x turned into its opposite *)
Example nonvacuous_same_length d : (1 <= d)%nat -> exists x delta,
  norm d x <> 0 /\ norm d delta <> 0 /\ norm d (add x delta) = norm d x.
Proof.
  intros Hd. exists (hot 0), (scale (-2) (hot 0)).
  assert (N1 : norm d (hot 0) = 1) by (apply norm_is; [lra|]; rewrite inner_hot by lia; simpl; ring).
  rewrite (norm_ext d (add _ _) (scale (-1) (hot 0))) by (intros; unfold add, scale; ring).
  rewrite !norm_scale, N1, !Rabs_left by lra. repeat split; lra.
Qed.
