(******************************************************************************)
(*                          FIRST LAYER CEILING                               *)
(* Read backwards from the query, a prefix is any window of the text; so the  *)
(* expected importance of position zero is that of one row over distances.    *)
(*   mean_sum, mean_le == linearity and order of the mean                     *)
(*     from_last w T x == the logits of the last query by distance            *)
(*       window_weight == the row of the window that ends at the last token   *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Vectors Sinkproof.PositionZeroStatements.
Require Import Sinkproof.Sums Sinkproof.VectorLemmas Sinkproof.SoftmaxWeights Sinkproof.RepeatedTokens.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- means ------------------ *)

Lemma mean_ext {A} (mu : list (A * R)) possible f g : is_law_of mu possible ->
  (forall x, possible x -> f x = g x) -> mean mu f = mean mu g.
Proof.
  intros (H & _) E. unfold mean. f_equal. apply map_ext_in. intros x Hx.
  rewrite E; [reflexivity|]. apply (proj1 (Forall_forall _ mu) H x Hx).
Qed.

Lemma mean_le {A} (mu : list (A * R)) possible f g : is_law_of mu possible ->
  (forall x, possible x -> f x <= g x) -> mean mu f <= mean mu g.
Proof.
  intros (H & _) E. apply sum_map_le. intros x Hx. destruct (proj1 (Forall_forall _ mu) H x Hx) as (P & Q).
  apply Rmult_le_compat_l; [exact P|apply E, Q].
Qed.

Lemma mean_const {A} (mu : list (A * R)) possible c : is_law_of mu possible -> mean mu (fun _ => c) = c.
Proof.
  intros (_ & H). unfold mean. rewrite (map_ext _ (fun x => c * snd x)) by (intros; ring).
  rewrite sum_map_scal, H. ring.
Qed.

Lemma mean_plus {A} (mu : list (A * R)) f g : mean mu (fun x => f x + g x) = mean mu f + mean mu g.
Proof. unfold mean. rewrite <- sum_map_plus. f_equal. apply map_ext. intros; ring. Qed.

Lemma mean_scale {A} (mu : list (A * R)) f c : mean mu (fun x => f x * c) = mean mu f * c.
Proof.
  unfold mean. rewrite (map_ext _ (fun x => c * (snd x * f (fst x)))) by (intros; ring).
  rewrite sum_map_scal. ring.
Qed.

Lemma mean_sum {A} (mu : list (A * R)) (f : nat -> A -> R) l :
  mean mu (fun x => sum (map (fun i => f i x) l)) = sum (map (fun i => mean mu (f i)) l).
Proof.
  induction l as [|i l IH]; simpl map.
  - unfold mean. rewrite (map_ext _ (fun _ => 0)) by (intros; rewrite sum_nil; ring).
    rewrite sum_map_const, sum_nil. ring.
  - rewrite sum_cons, <- IH, <- mean_plus. unfold mean. f_equal.
Qed.

(* ------------------------------------------------- windows ---------------- *)

Definition from_last (w : nat -> nat -> nat -> R) (T : nat) (x : list nat) (j : nat) : R :=
  w (nth (T - 1) x 0%nat) (nth (T - 1 - j) x 0%nat) j.

Lemma nth_firstn_below {A} (x : list A) i k z : (k < i)%nat -> nth k (firstn i x) z = nth k x z.
Proof.
  revert i k; induction x as [|a x IH]; intros [|i] [|k] H; simpl; try reflexivity; try lia. apply IH. lia.
Qed.

Lemma nth_skipn_at {A} (x : list A) a k z : nth k (skipn a x) z = nth (a + k) x z.
Proof. revert x; induction a as [|a IH]; intros [|y x]; simpl; try reflexivity; [destruct k; reflexivity|apply IH]. Qed.

Lemma backward_prefix w x i : backward_row w (firstn i x) i = backward_row w x i.
Proof.
  unfold backward_row. f_equal. apply map_ext_in. intros k Hk. apply in_seq in Hk.
  rewrite !nth_firstn_below by lia. reflexivity.
Qed.

Lemma window_weight w T x i : (1 <= i <= T)%nat ->
  backward_row w (firstn i (skipn (T - i) x)) i = relative_row (from_last w T x) i.
Proof.
  intros H. rewrite backward_prefix. unfold backward_row, relative_row. f_equal. apply map_ext_in. intros k Hk.
  apply in_seq in Hk. unfold from_last. rewrite !nth_skipn_at. f_equal; f_equal; lia.
Qed.

Theorem first_layer_ceiling_proof : first_layer_ceiling.
Proof.
  intros T mu w range HT (Hmu & Hst) Hw.
  assert (Last : forall x, backward_row w x T = relative_row (from_last w T x) T).
  { intros x. rewrite <- (window_weight w T x T) by lia. rewrite Nat.sub_diag, backward_prefix. reflexivity. }
  assert (HTR : 0 < INR T) by (apply lt_0_INR; lia). split.
  - rewrite <- mean_scale.
    rewrite (mean_ext mu _ _ (fun x => sum (map (fun i => weight (backward_row w (firstn i x) i) 1) (seq 1 T))) Hmu).
    2:{ intros x _. unfold importance. rewrite (map_ext (fun i => weight (backward_row w (firstn i x) i) 1) (fun i => weight (backward_row w x i) 1))
        by (intros; rewrite backward_prefix; reflexivity). field. lra. }
    rewrite (mean_sum mu (fun i x => weight (backward_row w (firstn i x) i) 1)).
    rewrite (map_ext_in _ (fun i => mean mu (fun x => weight (relative_row (from_last w T x) i) 1))).
    2:{ intros i Hi. apply in_seq in Hi. rewrite <- (Hst (T - i)%nat i (fun y => weight (backward_row w y i) 1)) by lia.
        apply (mean_ext mu _ _ _ Hmu). intros x _. rewrite window_weight by lia. reflexivity. }
    rewrite <- (mean_sum mu (fun i x => weight (relative_row (from_last w T x) i) 1)).
    assert (One : forall f, mean mu (fun x => 1 + f x) = 1 + mean mu f)
      by (intros; rewrite mean_plus, (mean_const mu _ 1 Hmu); reflexivity).
    rewrite <- One. apply (mean_le mu _ _ _ Hmu). intros x _. rewrite Last.
    eapply Rle_trans; [|apply importance_by_log, HT]. right. unfold importance. field. lra.
  - rewrite <- (mean_const mu _ (range + ln (INR T)) Hmu). apply (mean_le mu _ _ _ Hmu). intros x _. rewrite Last.
    apply log_by_range; [exact HT|]. intros j Hj. unfold from_last. apply Hw; lia.
Qed.
