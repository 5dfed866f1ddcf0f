(******************************************************************************)
(*                                  SILU                                      *)
(* SiLU against ReLU, and a SwiGLU output as a quadratic form.                *)
(*    silu_is, exp_series == SiLU by e^a; e^x is above its Taylor sums        *)
(*   bilinear_sum, bilinear_outer == the form of a sum, of a product         *)
(*   sum_pairs == a sum over 2r units, two at a time                          *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SpikeStatements.
Open Scope R_scope.

Lemma silu_is a : silu a = a * exp a / (1 + exp a).
Proof. unfold silu. rewrite exp_Ropp. pose proof (exp_pos a). field. lra. Qed.

Lemma silu_complement a : a - silu a = a / (1 + exp a).
Proof. rewrite silu_is. pose proof (exp_pos a). field. lra. Qed.

Lemma silu_halves : halves silu.
Proof.
  intros a. rewrite !silu_is, exp_Ropp. pose proof (exp_pos a). field. lra.
Qed.

Lemma silu_relu a : Rabs (silu a - relu a) = Rabs a / (1 + exp (Rabs a)).
Proof.
  unfold relu. destruct (Rle_dec 0 a) as [P|N].
  - rewrite Rmax_right, (Rabs_pos_eq a) by exact P. rewrite Rabs_minus_sym, silu_complement.
    pose proof (exp_pos a). apply Rabs_pos_eq, Rle_mult_inv_pos; lra.
  - rewrite Rmax_left, (Rabs_left a) by lra. unfold silu. pose proof (exp_pos (- a)).
    rewrite Rminus_0_r. unfold Rdiv. rewrite Rabs_mult, (Rabs_left a), Rabs_inv, (Rabs_pos_eq (1 + _)) by lra. reflexivity.
Qed.

Lemma exp_series x n : 0 <= x -> E1 x n <= exp x.
Proof.
  intros P. apply (growing_ineq (E1 x)); [|apply E1_cvg]. intros k. unfold E1. rewrite tech5.
  assert (0 <= / INR (fact (S k)) * x ^ S k); [|lra]. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0|apply pow_le, P].
Qed.

(* c e^x lies above its tangent at -ln c, and that above x - c *)
Lemma silu_peak x : x / (1 + exp x) <= 557 / 2000.
Proof.
  pose proof (exp_pos x) as P. apply Rmult_le_reg_r with (1 + exp x); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (T : 2000 / 557 <= exp (2557 / 2000)).
  { eapply Rle_trans; [|apply (exp_series _ 7); lra]. unfold E1, sum_f_R0, fact, INR, pow. simpl. lra. }
  pose proof (exp_ineq1_le (x - 2557 / 2000)) as L. unfold Rminus in L. rewrite exp_plus, exp_Ropp in L.
  set (y := exp (2557 / 2000)) in *. assert (Q : / y <= 557 / 2000).
  { replace (557 / 2000) with (/ (2000 / 557)) by field. apply Rinv_le_contravar; lra. }
  assert (exp x * / y <= exp x * (557 / 2000)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem silu_identities_proof : silu_identities.
Proof. intros a. split; [apply silu_complement|apply silu_relu]. Qed.

Theorem silu_remainder_proof : silu_remainder.
Proof.
  intros a. rewrite silu_relu. split; [apply silu_peak|]. pose proof (exp_pos (Rabs a)) as P. pose proof (Rabs_pos a) as A.
  apply Rmult_le_reg_r with (1 + exp (Rabs a)); [lra|].
  replace (exp (Rabs a) * (Rabs a / (1 + exp (Rabs a))) * (1 + exp (Rabs a))) with (exp (Rabs a) * Rabs a) by (field; lra). lra.
Qed.

Theorem activations_halve_proof : activations_halve.
Proof.
  split; [exact silu_halves|]. split.
  - intros a. unfold relu, Rmax. destruct (Rle_dec 0 a), (Rle_dec 0 (- a)); lra.
  - intros g H a. specialize (H a). replace (a * g a - - a * g (- a)) with (a * (g a + g (- a))) by ring. rewrite H. ring.
Qed.

(* ------------------------------------------------- the active set --------- *)

Lemma bilinear_ext d A B x y : (forall i k, (i < d)%nat -> (k < d)%nat -> A i k = B i k) -> bilinear d A x y = bilinear d B x y.
Proof. intros H. apply sum_below_ext. intros i Hi. apply sum_below_ext. intros k Hk. rewrite H by assumption. reflexivity. Qed.

Lemma bilinear_plus d A B x y : bilinear d (fun j l => A j l + B j l) x y = bilinear d A x y + bilinear d B x y.
Proof.
  unfold bilinear. rewrite <- sum_below_plus. apply sum_below_ext. intros. rewrite <- sum_below_plus.
  apply sum_below_ext. intros. ring.
Qed.

Lemma bilinear_zero d x y : bilinear d (fun _ _ => 0) x y = 0.
Proof. apply sum_below_zero. intros. apply sum_below_zero. intros. ring. Qed.

Lemma bilinear_sum n d (A : nat -> matrix) x y :
  bilinear d (fun j l => sum_below n (fun i => A i j l)) x y = sum_below n (fun i => bilinear d (A i) x y).
Proof.
  induction n; [apply bilinear_zero|]. rewrite sum_below_S, <- IHn, <- bilinear_plus.
  apply bilinear_ext. intros. cbv beta. rewrite sum_below_S. reflexivity.
Qed.

Lemma bilinear_outer d c u v x y : bilinear d (fun j l => c * (u j * v l)) x y = c * (inner d u x * inner d v y).
Proof.
  unfold bilinear. rewrite (sum_below_ext d _ (fun j => c * inner d v y * (u j * x j))).
  - rewrite sum_below_scal. unfold inner. ring.
  - intros j _. unfold inner. rewrite (sum_below_ext d _ (fun l => c * (u j * x j) * (v l * y l))) by (intros; ring).
    rewrite sum_below_scal. ring.
Qed.

Lemma active_form_is n d gate up down h : bilinear d (active_form n d gate up down h) h h =
  sum_below n (fun i => down i * relu (inner d (gate i) h) * inner d (up i) h).
Proof.
  unfold active_form. rewrite bilinear_sum. apply sum_below_ext. intros i _. unfold relu.
  destruct (Rlt_dec 0 (inner d (gate i) h)) as [P|N].
  - rewrite Rmax_right by lra.
    rewrite (bilinear_ext d _ (fun j l => sum_below 2 (fun t => match t with O => down i / 2 * (gate i j * up i l) | _ => down i / 2 * (up i j * gate i l) end)))
      by (intros; rewrite !sum_below_S, sum_below_0; field).
    rewrite bilinear_sum, !sum_below_S, sum_below_0, !bilinear_outer. field.
  - rewrite Rmax_left by lra. rewrite (bilinear_ext d _ (fun j l => 0 * (gate i j * up i l))) by (intros; ring).
    rewrite bilinear_outer. ring.
Qed.

Lemma sum_below_abs n f g : (forall i, (i < n)%nat -> Rabs (f i) <= g i) -> Rabs (sum_below n f) <= sum_below n g.
Proof.
  induction n; intros H; [rewrite !sum_below_0, Rabs_R0; lra|]. rewrite !sum_below_S. eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [apply IHn; intros; apply H; lia|apply H; lia].
Qed.

Theorem swiglu_active_set_proof : swiglu_active_set.
Proof.
  intros n d gate up down h a b. rewrite active_form_is. unfold glu. rewrite <- sum_below_minus. apply sum_below_abs. intros i _.
  fold (a i) (b i). rewrite <- silu_relu.
  replace (down i * silu (a i) * b i - down i * relu (a i) * b i) with (down i * b i * (silu (a i) - relu (a i))) by ring.
  rewrite !Rabs_mult. lra.
Qed.

(* ------------------------------------------------- the exact amplifier ---- *)

Lemma sum_pairs r f : sum_below (2 * r) f = sum_below r (fun j => f (2 * j)%nat + f (S (2 * j))).
Proof.
  induction r; [reflexivity|]. replace (2 * S r)%nat with (S (S (2 * r))) by lia. rewrite !sum_below_S, IHr. ring.
Qed.

Theorem amplifier_rank_proof : amplifier_rank.
Proof.
  intros act r d s lambda h H. unfold glu. rewrite sum_pairs. apply sum_below_ext. intros j _.
  unfold paired_gate, paired_up, paired_down.
  assert (E : Nat.even (2 * j) = true) by (apply Nat.even_spec; exists j; reflexivity).
  rewrite Nat.even_succ, <- Nat.negb_even, E, Nat.div2_double, Nat.div2_succ_double. cbn [negb].
  rewrite inner_scale_l. specialize (H (inner d (s j) h)). set (x := inner d (s j) h) in *. replace (-1 * x) with (- x) by ring.
  replace (act x) with (x + act (- x)) by lra. ring.
Qed.

Theorem amplifier_pair_proof : amplifier_pair.
Proof.
  intros act d s lambda h H. pose proof (amplifier_rank_proof act 1%nat d (fun _ => s) (fun _ => lambda) h H) as A.
  rewrite sum_below_S, sum_below_0, Rplus_0_l in A. exact A.
Qed.
