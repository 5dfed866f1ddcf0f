(******************************************************************************)
(*                            SPIKE WITNESSES                                 *)
(* Every hypothesis set of SpikeStatements.v has a witness: no theorem there  *)
(* is true for want of an instance. Each example is asked for by the gate.    *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Require Import Sinkproof.Silu Sinkproof.SandwichBound Sinkproof.HeadDimension Sinkproof.Silence.
Require Import Sinkproof.SpikeChain.
Import ListNotations.
Open Scope R_scope.

Example nonvacuous_gap : exists (z : list R) (k : nat) (gap : R),
  (k < length z)%nat /\ (2 <= length z)%nat /\ Forall (fun y => y + gap <= nth k z 0) (others k z) /\
  Exists (fun y => y + gap < nth k z 0) (others k z).
Proof.
  exists [0; 1; -1], 1%nat, 1. simpl. repeat split; try lia; [repeat constructor; simpl; lra|].
  apply Exists_exists. exists (-1). simpl. split; [tauto|lra].
Qed.

Example nonvacuous_gap_equal : exists (z : list R) (k : nat) (gap : R),
  (k < length z)%nat /\ (2 <= length z)%nat /\ Forall (fun y => y + gap = nth k z 0) (others k z).
Proof. exists [0; 1; 0], 1%nat, 1. simpl. repeat split; try lia. repeat constructor; simpl; lra. Qed.

Example nonvacuous_gate : exists (z : list R) (vs : list vec) (k i : nat),
  (k < length z)%nat /\ (2 <= length z)%nat /\ length vs = length z /\ nth k vs (fun _ => 0) i = 0 /\
  mix (softmax z) vs i <> 0.
Proof.
  exists [0; 0], [fun _ => 0; fun _ => 1], 0%nat, 0%nat. simpl. repeat split; try lia.
  unfold mix, softmax. simpl. rewrite !sum_cons, sum_nil, exp_0. lra.
Qed.

Example nonvacuous_amplifier : halves silu /\
  glu silu 2 1 (paired_gate (fun _ _ => 1)) (paired_up (fun _ _ => 1)) (paired_down (fun _ => 3)) (fun _ => 2) = 12 /\
  exists g : R -> R, forall a, g a + g (- a) = 1.
Proof.
  split; [exact silu_halves|]. split; [|exists (fun _ => 1/2); intros; lra]. rewrite amplifier_pair_proof by exact silu_halves.
  unfold inner. rewrite sum_below_S, sum_below_0. ring.
Qed.

(* the coordinate axes, with eigenvalues 2, -1, 1, 1, ... *)
Definition axis (j : nat) : vec := fun k => if (j =? k)%nat then 1 else 0.

Lemma inner_axis d j x : (j < d)%nat -> inner d (axis j) x = x j.
Proof.
  intros H. unfold inner, axis. rewrite (sum_below_one d j).
  - rewrite Nat.eqb_refl. ring.
  - exact H.
  - intros k _ N. rewrite (proj2 (Nat.eqb_neq j k)) by auto. ring.
Qed.

Lemma axis_basis d : orthonormal_basis d axis.
Proof.
  split.
  - intros i j Hi Hj. rewrite inner_axis by exact Hi. unfold axis. rewrite Nat.eqb_sym. reflexivity.
  - intros h k Hk. rewrite (sum_below_one d k); [|exact Hk|].
    + rewrite inner_axis by exact Hk. unfold axis. rewrite Nat.eqb_refl. ring.
    + intros j _ N. unfold axis at 2. rewrite (proj2 (Nat.eqb_neq j k)) by exact N. ring.
Qed.

Definition values (j : nat) : R := match j with O => 2 | 1%nat => -1 | _ => 1 end.

Example nonvacuous_rank_one : exists (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R),
  (3 <= d)%nat /\ orthonormal_basis d s /\ eigenvectors d S s lambda /\
  0 < Rabs (lambda 1%nat) <= Rabs (lambda 0%nat) /\
  (forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat)).
Proof.
  exists 3%nat, (fun i k => values i * axis i k), axis, values. split; [lia|]. split; [apply axis_basis|]. split; [|split].
  - intros j k Hj Hk. unfold apply.
    rewrite (sum_below_ext 3 _ (fun i => values k * (axis k i * axis j i))) by (intros; ring). rewrite sum_below_scal.
    change (sum_below 3 (fun i => axis k i * axis j i)) with (inner 3 (axis k) (axis j)). rewrite inner_axis by exact Hk.
    unfold axis. destruct (Nat.eqb_spec j k) as [->|N]; ring.
  - simpl. rewrite (Rabs_left (-1)), (Rabs_pos_eq 2); lra.
  - intros j Hj. replace j with 2%nat by lia. simpl. rewrite (Rabs_left (-1)), Rabs_R1; lra.
Qed.

Example nonvacuous_spike : forall a : R, 0 < a -> exists (d e : nat) (u r : vec) (M : matrix) (i : nat),
  spike_state d a u r /\ 0 < inner d r r /\ (i < d)%nat /\ u i = 0 /\
  (forall x, norm e (apply d M x) <= 1 * norm d x).
Proof.
  intros a A. exists 2%nat, 2%nat, (axis 0), (axis 1), (fun _ _ => 0), 1%nat.
  split; [|split; [|split; [|split]]].
  - split; [|split; [|exact A]]; unfold unit_vector, orthogonal; rewrite inner_axis by lia; reflexivity.
  - rewrite inner_axis by lia. unfold axis. simpl. lra.
  - lia.
  - reflexivity.
  - intros x. rewrite norm_zero; [rewrite Rmult_1_l; apply norm_nonneg|].
    intros k _. apply sum_below_zero. intros; ring.
Qed.

Example nonvacuous_sandwich : forall (d B : nat) (gamma : R), (1 <= d)%nat -> 0 <= gamma ->
  exists x, post_norm_blocks d B gamma x /\ norm d (x B) = sqrt (INR d) * gamma * INR B.
Proof.
  intros d B gamma H G. destruct (sandwich_attained_proof d B gamma 0 (norm d) H G (Rle_refl 0) (or_introl eq_refl)) as (x & P & _ & E).
  exists x. split; [exact P|]. rewrite E. ring.
Qed.

Example nonvacuous_qk : (forall d m : nat, (1 <= d)%nat -> (1 <= m)%nat ->
    exists gq gk eq x z, Forall (qk_logit d 1 gq gk eq x) z /\ length z = m) /\
  (exists d gq gk, Nat.Even d /\ (1 <= d)%nat /\ rope_scales d 1 gq gk) /\
  exists d gq gk eq x z tau T, (1 <= d)%nat /\ Forall (qk_logit d 1 gq gk eq x) z /\ (2 <= length z)%nat /\
    0 < tau < 1 /\ (INR (length z) - 1) * tau / (1 - tau) = exp T /\ 0 <= T /\ tau <= mass z 0.
Proof.
  split; [|split].
  - intros d m Hd Hm. destruct (head_dimension_attained_proof d m 1 Hd Hm ltac:(lra)) as (gq & gk & eq & x & z & F & L & _).
    exists gq, gk, eq, x, z. split; assumption.
  - exists 2%nat, (fun _ => 1), (fun _ => 1). split; [exists 1%nat; reflexivity|]. split; [lia|].
    split; [exists 1%nat; reflexivity|]. intros; rewrite Rmult_1_l, Rabs_R1; lra.
  - destruct (head_dimension_attained_proof 1%nat 2%nat 1 ltac:(lia) ltac:(lia) ltac:(lra)) as (gq & gk & eq & x & z & F & L & _ & E).
    exists 1%nat, gq, gk, eq, x, z, (1/2), 0. rewrite L, exp_0. simpl INR. split; [lia|]. split; [exact F|]. split; [lia|].
    split; [lra|]. split; [field|]. split; [lra|]. rewrite E. simpl INR. rewrite sqrt_1, Rmult_1_r.
    assert (G : 1 <= exp 1) by (pose proof (exp_ineq1_le 1); lra). assert (1 <= exp 1 ^ 2) by (simpl; rewrite Rmult_1_r; apply Rle_trans with (1 * 1); [lra|apply Rmult_le_compat; lra]).
    unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar.
    + apply Rplus_lt_le_0_compat; [lra|]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
    + assert (/ exp 1 ^ 2 <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in *. lra.
Qed.

(* a fair sign *)
Definition sign : law := [(fun _ => 1, 1/2); (fun _ => -1, 1/2)].

Lemma sign_centred : centred_law 1 1 sign.
Proof.
  unfold sign. split; [|split].
  - split; [constructor; [simpl; lra|constructor; [simpl; lra|constructor]]|simpl; rewrite !sum_cons, sum_nil; lra].
  - intros k _. simpl. rewrite !sum_cons, sum_nil. lra.
  - unfold inner. simpl. rewrite !sum_cons, sum_nil, !sum_below_S, !sum_below_0. lra.
Qed.

Example nonvacuous_silence : exists d sigma eta mus w x, averaging_head d sigma mus w /\ sigma <> 0 /\
  (2 <= length mus)%nat /\ In x (tl w) /\ 0 < eta /\ output_power d mus w <= eta ^ 2 /\
  sigma ^ 2 <= INR (length mus) * eta ^ 2.
Proof.
  assert (H : averaging_head 1 1 [sign; sign] [1/2; 1/4; 1/4]).
  { split; [constructor; [apply sign_centred|constructor; [apply sign_centred|constructor]]|]. split; [simpl; lia|]. split; [reflexivity|].
    split; [apply Forall_forall; intros a [<-|[<-|[<-|[]]]]; lra|rewrite !sum_cons, sum_nil; lra]. }
  exists 1%nat, 1, 1, [sign; sign], [1/2; 1/4; 1/4], (1/4). split; [exact H|]. split; [lra|]. split; [simpl; lia|].
  split; [simpl; auto|]. split; [lra|]. split; [|simpl; lra].
  rewrite (power_is 1 1 _ _ H). cbn [tl]. rewrite !squares_cons. unfold squares. simpl. rewrite sum_nil. lra.
Qed.

(* one sublayer that copies the normalised stream to twice its bias *)
Example nonvacuous_gauge : exists (d : nat) (c : R) (ls : list sublayer) (x : nat -> vec), 0 < c /\ c <> 1 /\
  decoder d ls x 0%nat 0%nat <> x 0%nat 0%nat.
Proof.
  exists 1%nat, 3, [Sublayer 1 (fun y => y) (fun _ _ => 0) (fun _ => 2) 0], (fun _ _ => 1).
  split; [lra|]. split; [lra|]. unfold decoder, after, apply. cbn [fold_left inside write bias compute norm_eps].
  rewrite sum_below_S, sum_below_0. lra.
Qed.

Example nonvacuous_chain : exists d e A B s f o u b q W keys k, large_state d A B u b /\ (1 <= e)%nat /\
  0 <= s /\ s ^ 2 = 1 - B ^ 2 / A ^ 2 /\ 0 <= f /\ 2 - 2 * s <= f ^ 2 /\ f = sqrt 2 * B / A /\ 0 < B /\
  (2 <= length keys)%nat /\ (k < length keys)%nat /\ nth k keys u = spike A u b /\
  Forall (fun h => key_score d e q W (rms_norm d 0 h) / sqrt (INR d) <= o) (others k keys).
Proof.
  destruct (factor_enough 2 1 (sqrt 2 * 1 / 2) ltac:(lra) ltac:(lra) (or_introl eq_refl)) as (S0 & S2 & F0 & F2).
  exists 2%nat, 1%nat, 2, 1, (sqrt (1 - 1 ^ 2 / 2 ^ 2)), (sqrt 2 * 1 / 2), 0, (axis 0), (axis 1), (fun _ => 1), (fun _ _ => 0),
    [spike 2 (axis 0) (axis 1); axis 1], 0%nat.
  split; [|split; [lia|split; [exact S0|split; [exact S2|split; [exact F0|split; [exact F2|split; [reflexivity|split; [lra|]]]]]]]].
  - split; [unfold unit_vector; rewrite inner_axis by lia; reflexivity|]. split; [|lra].
    right. apply norm_is; [lra|]. rewrite inner_axis by lia. unfold axis. simpl. ring.
  - simpl length. split; [lia|]. split; [lia|]. split; [reflexivity|]. constructor; [|constructor]. unfold key_score, inner.
    rewrite sum_below_zero; [unfold Rdiv; rewrite Rmult_0_l; lra|]. intros i _. unfold apply. rewrite sum_below_zero; [ring|]. intros; ring.
Qed.

Example nonvacuous_network : exists es : list vec, es <> [] /\ Forall signs es.
Proof. exists [fun _ => 1; fun _ => -1]. split; [discriminate|]. repeat apply Forall_cons; try apply Forall_nil; intros k; lra. Qed.

(* the rest reads the second axis alone *)
Example nonvacuous_chain_write : exists d s lambda tau err (E : nat -> matrix) xi, unit_vector d s /\ 0 < norm d lambda /\
  norm d err <= xi /\ (forall k i j, E k i j = E k j i) /\
  (forall k j, (k < d)%nat -> (j < d)%nat -> apply d (E k) s j = 0) /\
  (forall k v, (k < d)%nat -> Rabs (bilinear d (E k) v v) <= tau k * inner d v v) /\ E 0%nat 1%nat 1%nat <> 0.
Proof.
  exists 2%nat, (axis 0), (axis 1), (fun _ => 1), (fun _ => 0), (fun _ i j => axis 1 i * axis 1 j), 0.
  split; [unfold unit_vector; rewrite inner_axis by lia; reflexivity|].
  split; [rewrite (norm_is 2 (axis 1) 1); [lra|lra|rewrite inner_axis by lia; unfold axis; simpl; ring]|].
  split; [rewrite norm_zero by reflexivity; lra|]. split; [intros; ring|]. split; [|split].
  - intros k j _ _. unfold apply, axis. rewrite !sum_below_S, sum_below_0. simpl. ring.
  - intros k v _. unfold bilinear, inner, axis. rewrite !sum_below_S, !sum_below_0. simpl.
    rewrite Rabs_pos_eq; pose proof (Rle_0_sqr (v 0%nat)); pose proof (Rle_0_sqr (v 1%nat)); unfold Rsqr in *; lra.
  - unfold axis. simpl. lra.
Qed.
