(******************************************************************************)
(*                            SPIKE NEGATIVES                                 *)
(* Statements near those of SpikeStatements.v that are false: a constant      *)
(* changed, or a hypothesis left out. Each is refuted by an instance.         *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.LogitGap Sinkproof.Silu Sinkproof.NormSparsifies Sinkproof.SandwichBound Sinkproof.HeadDimension.
Require Import Sinkproof.Silence Sinkproof.SpikeStatementsTests Sinkproof.SpikeWitnesses.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- logit gap -------------- *)

Lemma mass_half : mass [0; 0] 0 = 1/2.
Proof. unfold mass, softmax. simpl. rewrite !sum_cons, sum_nil, exp_0. field. Qed.

Lemma logit_gap_fewer_keys_is_false : ~ (forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->
  1 / (1 + (INR (length z) - 2) * exp (- gap)) <= mass z k).
Proof.
  intros H. specialize (H [0; 0] 0%nat 0 ltac:(simpl; lia) ltac:(constructor; [simpl; lra|constructor])). rewrite mass_half in H.
  simpl length in H. simpl INR in H. replace (1 + 1 - 2) with 0 in H by ring. rewrite Rmult_0_l in H. lra.
Qed.

Lemma logit_gap_without_a_gap_is_false : ~ (forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> 1 / (1 + (INR (length z) - 1) * exp (- gap)) <= mass z k).
Proof.
  intros H. specialize (H [0; 0] 0%nat 1 ltac:(simpl; lia)). rewrite mass_half in H. simpl length in H. simpl INR in H.
  replace (1 + 1 - 1) with 1 in H by ring. rewrite Rmult_1_l in H. assert (L : exp (- (1)) < 1) by (pose proof (exp_increasing (- (1)) 0 ltac:(lra)) as X; rewrite exp_0 in X; exact X).
  pose proof (exp_pos (- (1))). pose proof (inverse_lt (exp (- (1))) 1 ltac:(lra) L). lra.
Qed.

(* ------------------------------------------------- gates ------------------ *)

Lemma gate_of_a_valued_sink_is_false : ~ (forall (z : list R) (vs : list vec) (k i : nat),
  (k < length z)%nat -> (2 <= length z)%nat -> length vs = length z ->
  mix (softmax z) vs i = sigmoid (lse (others k z) - nth k z 0) * mix (softmax (others k z)) (others k vs) i).
Proof.
  intros H. specialize (H [0; 0] [fun _ => 1; fun _ => 0] 0%nat 0%nat ltac:(simpl; lia) ltac:(simpl; lia) eq_refl).
  unfold mix, softmax, others in H. simpl in H. rewrite !sum_cons, !sum_nil, exp_0 in H. lra.
Qed.

Lemma sink_half_shifted_is_false : ~ (forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap = nth k z 0) (others k z) ->
  (2 * mass z k - 1) * (INR (length z) - 2 + exp gap) = 1 + exp gap - INR (length z)).
Proof.
  intros H. specialize (H [1; 0] 0%nat 1 ltac:(simpl; lia) ltac:(constructor; [simpl; lra|constructor])).
  assert (E : 1 < exp 1) by (pose proof (exp_ineq1_le 1); lra).
  replace (mass [1; 0] 0) with (exp 1 / (exp 1 + 1)) in H by (unfold mass, softmax; simpl; rewrite !sum_cons, sum_nil, exp_0; field; lra).
  simpl length in H. simpl INR in H. set (x := exp 1) in *.
  assert (Q : (2 * (x / (x + 1)) - 1) * (1 + 1 - 2 + x) * (x + 1) = (x - 1) * x) by (field; lra). rewrite H in Q.
  assert (0 < x - 1) by lra. replace ((1 + x - (1 + 1)) * (x + 1)) with ((x - 1) * (x + 1)) in Q by ring. apply Rmult_eq_reg_l in Q; lra.
Qed.

(* ------------------------------------------------- amplifier -------------- *)

Lemma silu_remainder_quarter_is_false : ~ (forall a, Rabs (silu a - relu a) <= 1/4).
Proof.
  intros H. specialize (H 1). rewrite silu_relu, Rabs_R1 in H. pose proof exp_1_le. pose proof (exp_pos 1).
  pose proof (inverse_le (exp 1) (274/100) ltac:(lra) ltac:(lra)). lra.
Qed.

(* the identity is no activation of this kind: the pair writes twice as much *)
Lemma amplifier_of_any_activation_is_false : ~ (forall (act : R -> R) (d : nat) (s : vec) (lambda : R) (h : vec),
  glu act 2 d (paired_gate (fun _ => s)) (paired_up (fun _ => s)) (paired_down (fun _ => lambda)) h = lambda * inner d s h ^ 2).
Proof.
  intros H. specialize (H (fun a => a) 1%nat (fun _ => 1) 1 (fun _ => 1)). revert H.
  unfold glu, paired_gate, paired_up, paired_down, inner, scale. rewrite !sum_below_S, !sum_below_0. simpl. lra.
Qed.

Lemma rank_one_half_is_false : ~ (forall (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R) (h : vec),
  (2 <= d)%nat -> orthonormal_basis d s -> eigenvectors d S s lambda ->
  Rabs (lambda 1%nat) <= Rabs (lambda 0%nat) ->
  (forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat)) ->
  Rabs (bilinear d S h h - lambda 0%nat * inner d (s 0%nat) h ^ 2)
    <= Rabs (lambda 1%nat) / 2 * (inner d h h - inner d (s 0%nat) h ^ 2)).
Proof.
  intros H. assert (E : eigenvectors 2 axis axis (fun _ => 1)).
  { intros j k Hj Hk. unfold apply. change (inner 2 (axis k) (axis j) = 1 * axis j k). rewrite inner_axis by exact Hk.
    unfold axis. rewrite Rmult_1_l, Nat.eqb_sym. destruct (Nat.eqb k j); reflexivity || ring. }
  specialize (H 2%nat axis axis (fun _ => 1) (axis 1) (le_n 2) (axis_basis 2) E (Rle_refl _) (fun _ _ => Rle_refl _)).
  rewrite !inner_axis in H by lia. revert H. unfold bilinear, axis. rewrite !sum_below_S, !sum_below_0. simpl.
  replace (_ - _) with 1 by ring. rewrite Rabs_R1. lra.
Qed.

(* ------------------------------------------------- RMSNorm ---------------- *)

Lemma spike_4_3 : spike_state 2 4 (axis 0) (scale 3 (axis 1)).
Proof.
  split; [|split; [|lra]]; unfold unit_vector, orthogonal; rewrite inner_axis by lia; unfold scale, axis; simpl; ring.
Qed.

Lemma norm_sparsifies_half_is_false : ~ (forall (d : nat) (a eps : R) (u r : vec), spike_state d a u r -> 0 <= eps ->
  let v := off_direction d eps (spike a u r) u in
  inner d v v <= INR d * (inner d r r + INR d * eps) / a ^ 2 / 2).
Proof.
  intros H. specialize (H 2%nat 4 0 (axis 0) (scale 3 (axis 1)) spike_4_3 (Rle_refl 0)).
  pose proof (off_direction_sq 2 4 0 _ _ spike_4_3 (Rle_refl 0)) as Q. cbv zeta in *. rewrite Q in H. clear Q.
  assert (N : size 2 0 (spike 4 (axis 0) (scale 3 (axis 1))) = 5).
  { unfold size. rewrite (spike_square 2 4 _ _ spike_4_3), inner_scale_l, inner_scale_r, inner_axis by lia.
    replace (_ + _) with (5 * 5) by (unfold axis; simpl; ring). apply sqrt_square. lra. }
  rewrite N, inner_scale_l, inner_scale_r, inner_axis in H by lia. unfold axis in H. simpl in H. lra.
Qed.

(* r against u turns the state around *)
Lemma norm_sparsifies_not_orthogonal_is_false : ~ (forall (d : nat) (a eps : R) (u r : vec), unit_vector d u -> 0 < a -> 0 <= eps ->
  let v := off_direction d eps (spike a u r) u in
  inner d v v <= INR d * (inner d r r + INR d * eps) / a ^ 2).
Proof.
  intros H. assert (U : unit_vector 1 (axis 0)) by (unfold unit_vector; rewrite inner_axis by lia; reflexivity).
  specialize (H 1%nat 1 0 (axis 0) (scale (-3/2) (axis 0)) U ltac:(lra) (Rle_refl 0)). revert H.
  unfold off_direction, spike, rms_norm, inner, sub, add, scale, axis. rewrite !sum_below_S, !sum_below_0. simpl.
  replace (0 + _ * _ + 1 * 0) with (1/2 * (1/2)) by field. rewrite sqrt_square, sqrt_1 by lra. lra.
Qed.

Lemma gauge_direction_of_opposite_spikes_is_false : ~ (forall (d : nat) (a b : R) (u r : vec), unit_vector d u -> 0 < a -> 0 < b ->
  let v := sub (rms_norm d 0 (spike a u r)) (rms_norm d 0 (spike (- b) u r)) in
  inner d v v <= INR d * inner d r r * (1 / a - 1 / b) ^ 2).
Proof.
  intros H. assert (U : unit_vector 1 (axis 0)) by (unfold unit_vector; rewrite inner_axis by lia; reflexivity).
  specialize (H 1%nat 1 1 (axis 0) (fun _ => 0) U ltac:(lra) ltac:(lra)). revert H.
  unfold spike, rms_norm, inner, sub, add, scale, axis. rewrite !sum_below_S, !sum_below_0. simpl.
  repeat match goal with |- context [sqrt ?x] => progress replace x with (1 * 1) by ring end. rewrite sqrt_square by lra. lra.
Qed.

(* ------------------------------------------------- sandwich norm ---------- *)

Lemma sandwich_half_is_false : ~ (forall (d B : nat) (gamma : R) (x : nat -> vec), post_norm_blocks d B gamma x ->
  norm d (x B) <= norm d (x 0%nat) + sqrt (INR d) * gamma * INR B / 2).
Proof.
  intros H. destruct (sandwich_attained_proof 1%nat 1%nat 1 0 (norm 1%nat) (le_n 1) ltac:(lra) (Rle_refl 0) (or_introl eq_refl)) as (x & P & Z & E).
  specialize (H 1%nat 1%nat 1 x P). rewrite Z, E in H. simpl INR in H. rewrite sqrt_1 in H. lra.
Qed.

Lemma sandwich_without_norm_is_false : ~ (forall (d B : nat) (gamma : R) (x : nat -> vec), (1 <= d)%nat -> 0 <= gamma ->
  norm d (x B) <= norm d (x 0%nat) + sqrt (INR d) * gamma * INR B).
Proof.
  intros H. specialize (H 1%nat 1%nat 0 (fun b => on_first (INR b)) (le_n 1) (Rle_refl 0)).
  cbv beta in H. rewrite !norm_first in H by (apply le_n || apply pos_INR). simpl INR in H. lra.
Qed.

(* ------------------------------------------------- head dimension --------- *)

Lemma head_dimension_unsquared_is_false : ~ (forall (d : nat) (g : R) (gq gk : vec) (eq : R) (x : vec) (z : list R) (k : nat),
  (1 <= d)%nat -> 0 <= g -> Forall (qk_logit d g gq gk eq x) z -> (k < length z)%nat ->
  mass z k <= 1 / (1 + (INR (length z) - 1) / exp (g * sqrt (INR d)))).
Proof.
  intros H. destruct (head_dimension_attained_proof 1%nat 2%nat 1 (le_n 1) ltac:(lia) ltac:(lra)) as (gq & gk & eq & x & z & F & L & _ & E).
  specialize (H 1%nat 1 gq gk eq x z 0%nat (le_n 1) ltac:(lra) F ltac:(lia)). rewrite E, L in H. simpl INR in H. rewrite sqrt_1, Rmult_1_r in H.
  assert (G : 1 < exp 1) by (pose proof (exp_ineq1_le 1); lra). set (e := exp 1) in *.
  assert (Q : (1 + 1 - 1) / e ^ 2 < (1 + 1 - 1) / e).
  { unfold Rdiv. apply Rmult_lt_compat_l; [lra|]. assert (1 * e < e * e) by (apply Rmult_lt_compat_r; lra).
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; [lra|simpl; rewrite Rmult_1_r; lra]|simpl; lra]. }
  apply inverse_lt in Q; [lra|]. apply Rle_mult_inv_pos; [lra|]. apply pow_lt. lra.
Qed.

(* RoPE mixes the two scales of a pair: products coordinate by coordinate do not bound its logits *)
Lemma rope_with_plain_scales_is_false : ~ (forall (d : nat) (g : R) (gq gk x y : vec) (turn : nat -> R), (1 <= d)%nat -> 0 <= g ->
  plain_scales d g gq gk ->
  (inner d (times gq (rms_norm d 0 x)) (rotate turn (times gk (rms_norm d 0 y))) / sqrt (INR d)) ^ 2 <= INR d * g ^ 2).
Proof.
  intros H. specialize (H 2%nat 0 axis_0 axis_1 axis_0 axis_1 (fun _ => PI / 2) ltac:(lia) (Rle_refl 0)).
  assert (P : plain_scales 2 0 axis_0 axis_1) by (intros [|[|i]] Hi; unfold axis_0, axis_1; rewrite Rabs_pos_eq; lra).
  specialize (H P). revert H. unfold times, rotate, rms_norm, inner, axis_0, axis_1. rewrite !sum_below_S, !sum_below_0. simpl.
  rewrite cos_PI2, sin_PI2. repeat match goal with |- context [sqrt (?a + (1 + 1) * 0)] => replace (a + (1 + 1) * 0) with (1 * 1) by ring end.
  rewrite sqrt_square by lra. pose proof (sqrt_sqrt (1 + 1) ltac:(lra)) as Q. assert (S0 : 0 < sqrt (1 + 1)) by (apply sqrt_lt_R0; lra).
  set (w := sqrt (1 + 1)) in *. intros H. assert (E : ((0 + 1 * (w * 1 / 1) * (0 * (0 * (w * 0 / 1)) - 1 * (1 * (w * 1 / 1))) + 0 * (w * 0 / 1) * (1 * (0 * (w * 0 / 1)) + 0 * (1 * (w * 1 / 1)))) / w) ^ 2 = w * w) by (field; lra).
  simpl in E. lra.
Qed.

(* ------------------------------------------------- averaging -------------- *)

Lemma sign_row : averaging_head 1 1 [sign; sign] [1/2; 1/4; 1/4].
Proof.
  split; [constructor; [apply sign_centred|constructor; [apply sign_centred|constructor]]|]. split; [simpl; lia|]. split; [reflexivity|].
  split; [apply Forall_forall; intros a [<-|[<-|[<-|[]]]]; lra|rewrite !sum_cons, sum_nil; lra].
Qed.

Lemma silence_undivided_is_false : ~ (forall (d : nat) (sigma : R) (mus : list law) (w : list R), averaging_head d sigma mus w ->
  sigma ^ 2 * (1 - hd 0 w) ^ 2 <= output_power d mus w).
Proof.
  intros H. specialize (H 1%nat 1 _ _ sign_row). rewrite (power_is 1 1 _ _ sign_row) in H. cbn [tl hd] in H.
  rewrite !squares_cons in H. unfold squares in H. simpl in H. rewrite sum_nil in H. lra.
Qed.

Lemma silence_of_any_row_is_false : ~ (forall (d : nat) (sigma : R) (mus : list law) (w : list R), Forall (centred_law d sigma) mus ->
  (1 <= length mus)%nat -> length w = S (length mus) ->
  sigma ^ 2 * (1 - hd 0 w) ^ 2 / INR (length mus) <= output_power d mus w).
Proof.
  intros H. specialize (H 1%nat 1 [sign] [1/2; 0] ltac:(constructor; [apply sign_centred|constructor]) (le_n 1) eq_refl). revert H.
  unfold output_power, expect_all, sign, inner, mix. simpl. rewrite !sum_cons, !sum_nil, !sum_below_S, !sum_below_0. lra.
Qed.

(* ------------------------------------------------- gauge ------------------ *)

(* eps must grow with the square of the factor *)
Lemma gauge_with_eps_times_c_is_false : ~ (forall (d : nat) (c eps : R) (x : vec) (k : nat), 0 < c ->
  rms_norm d (c * eps) (scale c x) k = rms_norm d eps x k).
Proof.
  intros H. specialize (H 1%nat 3 1 (axis 0) 0%nat ltac:(lra)). revert H.
  unfold rms_norm, inner, scale, axis. rewrite !sum_below_S, !sum_below_0. simpl. rewrite sqrt_1.
  replace (0 + 3 * 1 * (3 * 1) + 1 * (3 * 1)) with 12 by ring. replace (0 + 1 * 1 + 1 * 1) with 2 by ring. intros H.
  pose proof (sqrt_sqrt 12 ltac:(lra)). pose proof (sqrt_sqrt 2 ltac:(lra)). pose proof (sqrt_lt_R0 12 ltac:(lra)). pose proof (sqrt_lt_R0 2 ltac:(lra)).
  assert (E : 3 * sqrt 2 = sqrt 12) by (apply Rmult_eq_reg_r with (/ sqrt 2 * / sqrt 12); [|apply Rmult_integral_contrapositive_currified; apply Rinv_neq_0_compat; lra];
    transitivity (1 * (3 * 1) / sqrt 12); [field; lra|rewrite H; field; lra]).
  assert (9 * (sqrt 2 * sqrt 2) = sqrt 12 * sqrt 12) by (rewrite <- E; ring). lra.
Qed.

Lemma gauge_of_a_negative_factor_is_false : ~ (forall (d : nat) (c eps : R) (x : vec) (k : nat),
  rms_norm d (c ^ 2 * eps) (scale c x) k = rms_norm d eps x k).
Proof.
  intros H. specialize (H 1%nat (-1) 0 (axis 0) 0%nat). revert H.
  unfold rms_norm, inner, scale, axis. rewrite !sum_below_S, !sum_below_0. simpl.
  repeat match goal with |- context [sqrt ?x] => progress replace x with (1 * 1) by ring end. rewrite sqrt_square by lra. lra.
Qed.

(* ------------------------------------------------- chain ------------------ *)

(* A = 5, B = 3: the state (16, 12) / 5, of cosine exactly s = 4/5 *)
Lemma chain_direction_half_is_false : ~ (forall (d : nat) (A B s : R) (u b : vec), large_state d A B u b ->
  0 <= s -> s ^ 2 = 1 - B ^ 2 / A ^ 2 ->
  let v := off_direction d 0 (spike A u b) u in inner d v v <= INR d * (1 - s)).
Proof.
  intros H. set (b := fun k => match k with 0%nat => -9/5 | 1%nat => 12/5 | _ => 0 end : R).
  assert (L : large_state 2 5 3 (axis 0) b).
  { split; [unfold unit_vector; rewrite inner_axis by lia; reflexivity|]. split; [|lra]. right. apply norm_is; [lra|].
    unfold inner, b. rewrite !sum_below_S, sum_below_0. field. }
  specialize (H 2%nat 5 3 (4/5) (axis 0) b L ltac:(lra) ltac:(lra)). revert H.
  unfold off_direction, spike, rms_norm, inner, sub, add, scale, axis, b. rewrite !sum_below_S, !sum_below_0. simpl.
  replace (0 + _ * _ + _ * _ + (1 + 1) * 0) with (4 * 4) by field. rewrite sqrt_square by lra.
  pose proof (sqrt_sqrt (1 + 1) ltac:(lra)) as Q. set (w := sqrt (1 + 1)) in *.
  match goal with |- ?q <= _ -> _ => replace q with (w * w * (2/5)) by field end. lra.
Qed.

Lemma chain_direction_of_any_rest_is_false : ~ (forall (d : nat) (A B s : R) (u b : vec), unit_vector d u -> 0 <= B -> B < A ->
  0 <= s -> s ^ 2 = 1 - B ^ 2 / A ^ 2 ->
  let v := off_direction d 0 (spike A u b) u in inner d v v <= 2 * INR d * (1 - s)).
Proof.
  intros H. assert (U : unit_vector 1 (axis 0)) by (unfold unit_vector; rewrite inner_axis by lia; reflexivity).
  specialize (H 1%nat 1 0 1 (axis 0) (scale (-2) (axis 0)) U ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). revert H.
  unfold off_direction, spike, rms_norm, inner, sub, add, scale, axis. rewrite !sum_below_S, !sum_below_0. simpl.
  replace (0 + _ * _ + 1 * 0) with (1 * 1) by ring. rewrite sqrt_square, sqrt_1 by lra. lra.
Qed.
