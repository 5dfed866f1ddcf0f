(******************************************************************************)
(*                                 LISTS                                      *)
(* Softmax rows written out: the weights and outputs that the proofs about    *)
(* exp-softmax need.                                                          *)
(*        mass score q p == sum of the exp-scores of query q over the keys p  *)
(*    pair_softmax_output == the output of such a row, as one quotient        *)
(*  softmax_head, softmax_tail == softmax of (z, 0, ..., 0) and (0, ..., 0, z)*)
(* dot_constant, dot_constant_map == a constant list of weights               *)
(*       bos_scores_logits == what the matrix bos_scores gives                *)
(*           embed_bounds == coordinates of contents in [-1, 1]               *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- a row of pairs --------- *)

Definition mass (score : token -> token -> R) (q : token) (p : list token) : R :=
  sum (map (fun t => exp (score q t)) p).

Lemma mass_nonneg score q p : 0 <= mass score q p.
Proof.
  apply sum_nonneg, Forall_forall. intros x Hx. apply in_map_iff in Hx.
  destruct Hx as (t & <- & _). left. apply exp_pos.
Qed.

Lemma mass_pos score q p : p <> [] -> 0 < mass score q p.
Proof.
  intros Hp. destruct p as [|t p]; [congruence|]. unfold mass. simpl map. rewrite sum_cons.
  pose proof (exp_pos (score q t)). pose proof (mass_nonneg score q p) as H1. unfold mass in H1. lra.
Qed.

Lemma mass_app score q p r : mass score q (p ++ r) = mass score q p + mass score q r.
Proof. unfold mass. rewrite map_app. apply sum_app. Qed.

Lemma pair_softmax_output n V score p k :
  attention_output n V (pair_softmax score) p k =
  sum (map (fun t => exp (score (query p) t) * V (embed n t) k) p) / mass score (query p) p.
Proof.
  unfold attention_output, pair_softmax, softmax, mass. rewrite !map_map. apply dot_div_map.
Qed.

(* ------------------------------------------------- one special logit ------ *)

Lemma map_repeat_const {A B} (f : A -> B) x m : map f (repeat x m) = repeat (f x) m.
Proof. induction m; simpl; [reflexivity|]. rewrite IHm. reflexivity. Qed.

Lemma repeat_const_map {A B} (y : B) (l : list A) : repeat y (length l) = map (fun _ => y) l.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.

Lemma softmax_head z m :
  softmax (z :: repeat 0 m) = exp z / (exp z + INR m) :: repeat (1 / (exp z + INR m)) m.
Proof.
  unfold softmax. simpl map. rewrite sum_cons, !map_repeat_const, exp_0, sum_repeat, Rmult_1_r.
  reflexivity.
Qed.

Lemma softmax_tail z m :
  softmax (repeat 0 m ++ [z]) = repeat (1 / (INR m + exp z)) m ++ [exp z / (INR m + exp z)].
Proof.
  unfold softmax. rewrite !map_app, sum_app, !map_repeat_const. simpl map.
  rewrite sum_cons, sum_nil, exp_0, sum_repeat, Rmult_1_r, Rplus_0_r. reflexivity.
Qed.

Lemma dot_constant a xs : dot (repeat a (length xs)) xs = a * sum xs.
Proof. induction xs; simpl; [rewrite sum_nil; ring|]. rewrite IHxs, sum_cons. ring. Qed.

Lemma dot_constant_map {A} a (f : A -> R) l : dot (repeat a (length l)) (map f l) = a * sum (map f l).
Proof. rewrite <- (map_length f l). apply dot_constant. Qed.

(* ------------------------------------------------- bos_scores ------------- *)

Lemma bilinear_bos_scores n o t x y :
  bilinear (n + 3) (bos_scores o t) x y = (o * x 2%nat + t * x 1%nat) * y 0%nat.
Proof.
  assert (E : forall i, sum_below (n + 3) (fun k => x i * bos_scores o t i k * y k)
                        = x i * bos_scores o t i 0%nat * y 0%nat).
  { intros i. apply (sum_below_one _ 0%nat); [lia|]. intros [|k] _ Hk; [congruence|].
    destruct i as [|[|[|i]]]; simpl; ring. }
  unfold bilinear. rewrite (sum_below_ext _ _ (fun i => x i * bos_scores o t i 0%nat * y 0%nat)) by (intros; apply E).
  rewrite sum_below_flags, sum_below_zero by (intros; simpl; ring). simpl. ring.
Qed.

Definition bos_logit (o t : R) (q : token) : R :=
  match q with Bos => 0 | Trigger _ => t | Ordinary _ => o end.

Lemma bos_scores_logits n o t p : ~ In Bos p ->
  bilinear_logits n (bos_scores o t) (Bos :: p) = bos_logit o t (query (Bos :: p)) :: repeat 0 (length p).
Proof.
  intros H. unfold bilinear_logits. simpl map. f_equal.
  - rewrite bilinear_bos_scores. destruct (query (Bos :: p)); simpl; ring.
  - rewrite repeat_const_map. apply map_ext_in. intros u Hu. rewrite bilinear_bos_scores.
    destruct u; [contradiction|simpl; ring..].
Qed.

(* ------------------------------------------------- the unit box ----------- *)

Lemma embed_bounds n t k : match t with Bos => True | Trigger c => unit_box n c | Ordinary c => unit_box n c end ->
  -1 <= embed n t k <= 1.
Proof.
  intros H. destruct k as [|[|[|k]]]; [destruct t; simpl; lra..|]. unfold embed.
  destruct (k <? n)%nat eqn:E; [|lra]. apply Nat.ltb_lt in E.
  destruct t; simpl; [lra|apply H; exact E..].
Qed.
