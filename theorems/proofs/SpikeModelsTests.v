(******************************************************************************)
(*                          SPIKE MODELS, TESTED                              *)
(* Unit lemmas for the second half of SpikeStatements.v, as in                *)
(* SpikeStatementsTests.v: averages, decoders, heads and the network.         *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.Sums Sinkproof.SpikeStatements.
Require Import Sinkproof.SpikeStatementsTests Sinkproof.ChainNetwork.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- averages --------------- *)

Definition coin : law := [(fun _ => 1, 1/2); (fun _ => 3, 1/2)].
Definition point (x : R) : law := [(fun _ => x, 1)].

(* independent: the mean of a product is the product of the means *)
Example expect_all_value :
  expect_all [coin; coin] (fun vs => nth 0 vs (fun _ => 0) 0%nat * nth 1 vs (fun _ => 0) 0%nat) = 2 * 2 /\
  expect_all [coin] (fun vs => nth 0 vs (fun _ => 0) 0%nat ^ 2) = 5 /\
  expect_all [coin; point 7] (fun vs => nth 1 vs (fun _ => 0) 0%nat) = 7 /\ expect_all [] (fun vs => INR (length vs)) = 0.
Proof. unfold coin, point. simpl. rewrite !sum_cons, !sum_nil. repeat split; lra. Qed.

Example centred_law_no : ~ centred_law 1 1 coin /\ ~ centred_law 1 1 (point 0) /\ centred_law 1 0 (point 0).
Proof.
  unfold coin, point. repeat split; try (intros (_ & M & V)).
  - specialize (M 0%nat ltac:(lia)). simpl in M. rewrite !sum_cons, sum_nil in M. lra.
  - revert V. cbn [map fst snd]. rewrite sum_cons, sum_nil. sums. lra.
  - constructor; [simpl; lra|constructor].
  - simpl. rewrite sum_cons, sum_nil. ring.
  - intros k _. simpl. rewrite sum_cons, sum_nil. ring.
  - cbn [map fst snd]. rewrite sum_cons, sum_nil. sums. ring.
Qed.

(* the sink's weight 1/2 counts for nothing, the key's for 1/2 of 4 *)
Example output_power_value : output_power 1 [point 4] [1/2; 1/2] = 4.
Proof. unfold output_power, point, mix. cbn [expect_all map fst snd]. rewrite sum_cons, sum_nil. sums. lra. Qed.

(* ------------------------------------------------- decoders --------------- *)

(* the first sublayer adds 10 times its input and the bias 1, the second 5 *)
Definition copy (eps : R) : sublayer := Sublayer 1 (fun y => y) (fun _ _ => 10) (fun _ => 1) eps.
Definition five : sublayer := Sublayer 1 (fun _ _ _ => 0) (fun _ _ => 0) (fun _ => 5) 0.

Example decoder_value : decoder 1 [copy 3; five] (fun _ _ => 1) 0%nat 0%nat = 1 + (10 * (1/2) + 1) + 5.
Proof.
  unfold decoder, copy, five, after, normalised, rms_norm. simpl. sums. rewrite sqrt_1.
  replace (0 + 1 * 1 + 1 * 3) with (2 * 2) by ring. rewrite sqrt_square by lra. field.
Qed.

Example decoder_none d x : decoder d [] x = x.
Proof. reflexivity. Qed.

Example rescale_value : write (rescale 3 (copy 7)) 0%nat 0%nat = 30 /\ bias (rescale 3 (copy 7)) 0%nat = 3 /\
  norm_eps (rescale 3 (copy 7)) = 63 /\ inside (rescale 3 (copy 7)) = 1%nat.
Proof. unfold rescale, copy, scale. simpl. repeat split; ring. Qed.

(* ------------------------------------------------- heads ------------------ *)

Example large_state_no : ~ large_state 1 1 1 axis_0 axis_0 /\ ~ large_state 1 3 (1/2) axis_0 axis_0 /\ ~ large_state 2 3 2 two_three axis_0.
Proof.
  assert (N : norm 1 axis_0 = 1) by (unfold norm; sums; replace (0 + 1 * 1) with 1 by ring; apply sqrt_1).
  repeat split; intros (U & B & L); try lra. revert U. unfold unit_vector, two_three. sums. lra.
Qed.

Definition W : matrix := fun i k => INR (2 * i + k + 1).   (* rows (1, 2) and (3, 4) *)

Example key_score_value : key_score 2 2 two_three W (fun k => INR (k + 1)) = 2 * 5 - 3 * 11.
Proof. unfold key_score, W, two_three. sums. ring. Qed.

Example pulled_back_value : pulled_back 2 two_three W 0%nat = 2 * 1 - 3 * 3 /\ pulled_back 2 two_three W 1%nat = 2 * 2 - 3 * 4.
Proof. unfold pulled_back, W, two_three. sums. split; ring. Qed.

(* d = 1, d_h = 4: RMSNorm gives 1, the score is halved *)
Example head_logit_value : head_logit 1 4 (fun _ => 1) (fun _ _ => 1) (fun _ => 7) = 2.
Proof.
  unfold head_logit, key_score, rms_norm. sums. replace (0 + 7 * 7 + 1 * 0) with (7 * 7) by ring. rewrite sqrt_square, sqrt_1 by lra.
  replace (1 + 1 + 1 + 1) with (2 * 2) by ring. rewrite sqrt_square by lra. field.
Qed.

(* ------------------------------------------------- the network ------------ *)

Example channels : step_up chain_bos 2%nat = 1440 /\ step_up chain_bos 3%nat = 1920 /\ step_up chain_bos 0%nat = 2 /\
  step_up chain_bos 10%nat = 1 /\ step_up chain_bos 9%nat = 0 /\ step_up chain_bos 16%nat = 0.
Proof. rewrite up_bos. unfold risen, chain_bos, chain_u. simpl. repeat split; field. Qed.

Example tokens_differ : chain_token (fun _ => 1) 4%nat = 1 /\ chain_token (fun _ => -1) 15%nat = -1 /\
  chain_token (fun _ => 1) 1%nat = 2 /\ chain_token (fun _ => 1) 3%nat = 0 /\ chain_token (fun _ => 1) 16%nat = 0.
Proof. repeat split. Qed.

Example signs_no : ~ signs (fun _ => 0).
Proof. intros H. specialize (H 0%nat). lra. Qed.

(* the head reads the last token as its query, and writes the keys' first six others *)
Example head_value : let e := fun _ => 1 in
  sink_head 0 [step_up chain_bos; chain_token e] 4%nat = 1 + 1/2 /\ sink_head 0 [step_up chain_bos; chain_token e] 10%nat = 1 /\
  length (chain_states 0 [chain_bos; chain_token e]) = 8%nat.
Proof.
  intros e. assert (S1 : signs e) by (intros k; left; reflexivity). rewrite up_bos.
  assert (Z : chain_logits 0 [risen; chain_token e] = [0; 0]) by (unfold chain_logits; simpl; repeat f_equal; ring).
  unfold sink_head. rewrite Z. unfold mix, softmax. cbn [map last]. rewrite !sum_cons, sum_nil, exp_0, chain_value_risen.
  split; [|split; [|reflexivity]]; unfold chain_value; rewrite rms_16, token_norm by exact S1; simpl; unfold e; field.
Qed.
