(******************************************************************************)
(*                            REPEATED TOKENS                                 *)
(* A constant sequence: equal states everywhere, by induction over layers;    *)
(* and what softmax over distances can give to position zero.                 *)
(*         off_list == the masses off position zero of rows 2..N              *)
(*  importance_total == N times the importance is 1 + sum of first weights    *)
(*  importance_by_log == it is at most 1 + ln (1 / alpha_NN)                  *)
(*      log_by_range == ln (1 / alpha_NN) <= range + ln N                     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SoftmaxWeights.
Import ListNotations.
Open Scope R_scope.

Theorem repeated_token_proof : repeated_token.
Proof.
  intros N D e value rows combine x Hrow Hx l i c Hl Hi.
  enough (E : state e value rows combine x l i = state e value rows combine x l 0) by (rewrite E; reflexivity).
  revert i Hi. clear c. induction l as [|l IH]; intros i Hi; [simpl; rewrite Hx by exact Hi; reflexivity|].
  cbn [state]. rewrite (IH ltac:(lia) i Hi). f_equal.
  apply FunctionalExtensionality.functional_extensionality. intros h.
  apply FunctionalExtensionality.functional_extensionality. intros c.
  assert (M : forall j, (j < N)%nat ->
    mix (rows l h j) (map (fun k => value l h (state e value rows combine x l k)) (seq 0 (S j))) c =
    value l h (state e value rows combine x l 0) c).
  { intros j Hj. destruct (Hrow l h j ltac:(lia) Hj) as (Hlen & _ & Hsum).
    rewrite (mix_const _ _ (value l h (state e value rows combine x l 0))).
    - rewrite Hsum. ring.
    - rewrite map_length, seq_length. exact Hlen.
    - intros u Hu. apply in_map_iff in Hu. destruct Hu as (k & <- & Hk). apply in_seq in Hk.
      rewrite (IH ltac:(lia) k ltac:(lia)). reflexivity. }
  rewrite !M by lia. reflexivity.
Qed.

(* ------------------------------------------------- decay ------------------ *)

Theorem repeated_token_decay_proof : repeated_token_decay.
Proof.
  intros g i Hi Hg. rewrite first_weight by exact Hi. pose proof (distance_mass_pos g i Hi) as Hp.
  apply Rmult_le_reg_r with (distance_mass g i); [exact Hp|].
  replace (exp (g (i - 1)%nat) / distance_mass g i * INR i * distance_mass g i)
    with (INR i * exp (g (i - 1)%nat)) by (field; lra).
  rewrite Rmult_1_l, <- sum_below_const. apply sum_below_le. intros k Hk. apply exp_mono, Hg, Hk.
Qed.

Theorem repeated_token_alibi_proof : repeated_token_alibi.
Proof.
  intros level slope i Hi Hs. apply repeated_token_decay_proof; [exact Hi|]. intros k Hk.
  assert (slope * INR k <= slope * INR (i - 1)); [|lra].
  apply Rmult_le_compat_l; [exact Hs|]. apply le_INR. lia.
Qed.

Theorem repeated_token_flat_proof : repeated_token_flat.
Proof.
  intros g i Hi Hc. rewrite first_weight by exact Hi. unfold distance_mass.
  rewrite (sum_below_ext i _ (fun _ => exp (g 0%nat))) by (intros k Hk; rewrite (Hc k Hk); reflexivity).
  rewrite sum_below_const, (Hc (i - 1)%nat) by lia.
  pose proof (exp_pos (g 0%nat)). assert (0 < INR i) by (apply lt_0_INR; lia). field. lra.
Qed.

(* ------------------------------------------------- the product ------------ *)

Definition off_list (g : nat -> R) (n : nat) : list R := map (fun i => 1 - weight (relative_row g i) 1) (seq 2 n).

Lemma off_list_product g n : product (off_list g n) = weight (relative_row g (S n)) (S n).
Proof.
  rewrite last_weight by lia. induction n.
  - unfold distance_mass. rewrite sum_below_S, sum_below_0. simpl. pose proof (exp_pos (g 0%nat)). field. lra.
  - unfold off_list. rewrite seq_S, map_app, product_app. fold (off_list g n). rewrite IHn. simpl map.
    change (2 + n)%nat with (S (S n)). rewrite off_first by lia.
    pose proof (distance_mass_pos g (S n) ltac:(lia)). pose proof (distance_mass_pos g (S (S n)) ltac:(lia)).
    unfold product. simpl fold_right. field. lra.
Qed.

Lemma off_list_nonneg g n : Forall (fun x => 0 <= x) (off_list g n).
Proof.
  apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi.
  destruct i as [|i]; [lia|]. rewrite off_first by lia. apply Rmult_le_pos.
  - left. apply distance_mass_pos. lia.
  - left. apply Rinv_0_lt_compat, distance_mass_pos. lia.
Qed.

Theorem repeated_token_product_proof : repeated_token_product.
Proof.
  intros g N HN. fold (off_list g (N - 1)). rewrite off_list_product. replace (S (N - 1)) with N by lia. reflexivity.
Qed.

(* ------------------------------------------------- importance ------------- *)

Lemma importance_total g n : importance (S n) (relative_row g) * INR (S n) =
  1 - sum (map (fun x => x - 1) (off_list g n)).
Proof.
  unfold importance, off_list. simpl seq. simpl map. rewrite sum_cons, map_map.
  rewrite first_weight by lia. unfold distance_mass. rewrite sum_below_S, sum_below_0. simpl (1 - 1)%nat.
  rewrite (map_ext (fun i => 1 - weight (relative_row g i) 1 - 1) (fun i => -1 * weight (relative_row g i) 1)) by (intros; ring).
  rewrite sum_map_scal. pose proof (exp_pos (g 0%nat)). pose proof (lt_0_INR (S n) ltac:(lia)). field. lra.
Qed.

Lemma sum_minus_one xs : sum (map (fun x => x - 1) xs) = sum xs - INR (length xs).
Proof. induction xs; [simpl; rewrite sum_nil; ring|]. simpl map. rewrite !sum_cons, IHxs. simpl length. rewrite S_INR. ring. Qed.

Lemma mean_at_least_root rho xs : Forall (fun x => 0 <= x) xs -> 0 <= rho -> rho ^ length xs <= product xs ->
  INR (length xs) * rho <= sum xs.
Proof.
  intros Hx Hr H. destruct (Rle_lt_or_eq_dec 0 rho Hr) as [P|<-]; [|pose proof (sum_nonneg xs Hx); lra].
  set (ys := map (fun x => x * / rho) xs).
  assert (Y : Forall (fun y => 0 <= y) ys).
  { apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hi).
    apply Rmult_le_pos; [exact (proj1 (Forall_forall _ xs) Hx x Hi)|]. left. apply Rinv_0_lt_compat, P. }
  pose proof (product_le_exp ys Y) as E. unfold ys in E at 1. rewrite product_scaled, pow_inv in E.
  pose proof (pow_lt rho (length xs) P) as Q.
  assert (1 <= product xs * / rho ^ length xs).
  { apply Rmult_le_reg_r with (rho ^ length xs); [exact Q|]. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (S0 : 0 <= sum (map (fun y => y - 1) ys)) by (apply exp_mono_inv; rewrite exp_0; lra).
  rewrite sum_minus_one in S0. unfold ys in S0. rewrite map_length in S0.
  change (map (fun x => x * / rho) xs) with (map (fun x => x / rho) xs) in S0. rewrite (sum_map_div rho (fun x => x)), map_id in S0. apply Rmult_le_compat_r with (r := rho) in S0; [|lra].
  replace ((sum xs / rho - INR (length xs)) * rho) with (sum xs - INR (length xs) * rho) in S0 by (field; lra). lra.
Qed.

Theorem repeated_token_ceiling_proof : repeated_token_ceiling.
Proof.
  intros g N rho HN Hr H. replace N with (S (N - 1)) by lia. rewrite importance_total.
  rewrite sum_minus_one. set (n := (N - 1)%nat) in *.
  pose proof (mean_at_least_root rho (off_list g n) (off_list_nonneg g n) Hr) as M.
  assert (L : length (off_list g n) = n) by (unfold off_list; rewrite map_length, seq_length; reflexivity).
  rewrite L, off_list_product in M. rewrite L, S_INR. replace (S n) with N in M by (unfold n; lia).
  specialize (M H). lra.
Qed.

(* the sum of the first weights by the last query's weight on itself *)
Lemma importance_by_log g N : (1 <= N)%nat ->
  importance N (relative_row g) * INR N <= 1 + ln (1 / weight (relative_row g N) N).
Proof.
  intros HN. replace N with (S (N - 1)) at 1 2 by lia. rewrite importance_total.
  set (n := (N - 1)%nat). pose proof (product_le_exp _ (off_list_nonneg g n)) as E.
  rewrite off_list_product in E. replace (S n) with N in E by (unfold n; lia).
  set (s := sum (map (fun x => x - 1) (off_list g n))) in *.
  assert (P : 0 < weight (relative_row g N) N).
  { rewrite last_weight by exact HN. apply Rdiv_lt_0_compat; [apply exp_pos|apply distance_mass_pos, HN]. }
  set (a := weight (relative_row g N) N) in *.
  assert (- s <= ln (1 / a)); [|lra]. apply exp_mono_inv. rewrite exp_ln by (apply Rdiv_lt_0_compat; lra).
  rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; assumption.
Qed.

Lemma log_by_range g N range : (1 <= N)%nat -> (forall j, (j < N)%nat -> g j - g 0%nat <= range) ->
  ln (1 / weight (relative_row g N) N) <= range + ln (INR N).
Proof.
  intros HN Hg. assert (P : 0 < INR N) by (apply lt_0_INR; lia).
  rewrite last_weight by exact HN. pose proof (distance_mass_pos g N HN) as D. pose proof (exp_pos (g 0%nat)) as G.
  apply exp_mono_inv. rewrite exp_plus, !exp_ln; [|exact P|].
  - replace (1 / (exp (g 0%nat) / distance_mass g N)) with (distance_mass g N / exp (g 0%nat)) by (field; lra).
    apply Rmult_le_reg_r with (exp (g 0%nat)); [exact G|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (exp range * INR N * exp (g 0%nat)) with (INR N * (exp range * exp (g 0%nat))) by ring.
    unfold distance_mass. rewrite <- sum_below_const. apply sum_below_le. intros j Hj.
    rewrite <- exp_plus. apply exp_mono. specialize (Hg j Hj). lra.
  - apply Rdiv_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; lra.
Qed.

Theorem repeated_token_range_proof : repeated_token_range.
Proof.
  intros g N range HN Hg. pose proof (importance_by_log g N ltac:(lia)).
  pose proof (log_by_range g N range ltac:(lia) ltac:(intros; apply Hg; lia)). lra.
Qed.
