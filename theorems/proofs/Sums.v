(******************************************************************************)
(*                                  SUMS                                      *)
(* Finite sums of reals: lists (sum, dot) and initial segments (sum_below).   *)
(*      sum_*, dot_* == linearity, sign, concatenation, constant lists        *)
(*   dot_last, dot_first_last, ... == rows with weight on few places          *)
(*   sum_below_one == a sum with a single non-zero term                       *)
(*   apply_dot, apply_ext == a matrix is linear over weighted sums of states  *)
(*   apply_off_bos == off_bos keeps every coordinate but the first            *)
(*   softmax_* == softmax has positive terms, length, sum one                 *)
(*   Rabs_le_iff == |x| <= e as two inequalities                              *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements.
Import ListNotations.
Open Scope R_scope.

Arguments sum xs : simpl never.

Lemma sum_nil : sum [] = 0.
Proof. reflexivity. Qed.

Lemma Rabs_le_iff x e : Rabs x <= e <-> - e <= x <= e.
Proof. unfold Rabs; destruct (Rcase_abs x); split; intros; lra. Qed.

Lemma mul_le_l a x y : 0 <= a -> x <= y -> a * x <= a * y.
Proof. intros; apply Rmult_le_compat_l; assumption. Qed.

(* ------------------------------------------------- sum -------------------- *)

Lemma sum_cons x xs : sum (x :: xs) = x + sum xs.
Proof. reflexivity. Qed.

Lemma sum_app xs ys : sum (xs ++ ys) = sum xs + sum ys.
Proof. induction xs; simpl; [simpl; rewrite ?sum_nil; ring|]. rewrite !sum_cons, IHxs. ring. Qed.

Lemma sum_nonneg xs : Forall (fun a => 0 <= a) xs -> 0 <= sum xs.
Proof. induction 1; [simpl; rewrite ?sum_nil; lra|]. rewrite sum_cons. lra. Qed.

Lemma sum_pos xs : xs <> [] -> Forall (fun a => 0 < a) xs -> 0 < sum xs.
Proof.
  intros Hn H. destruct H as [|x xs Hx H]; [congruence|]. rewrite sum_cons.
  assert (0 <= sum xs) by (apply sum_nonneg; revert H; apply Forall_impl; intros; lra). lra.
Qed.

Lemma sum_repeat x m : sum (repeat x m) = INR m * x.
Proof. induction m; [simpl; rewrite ?sum_nil; ring|]. simpl repeat. rewrite sum_cons, IHm, S_INR. ring. Qed.

Lemma sum_map_plus {A} (f g : A -> R) l : sum (map (fun a => f a + g a) l) = sum (map f l) + sum (map g l).
Proof. induction l; simpl map; [simpl; rewrite ?sum_nil; ring|]. rewrite !sum_cons, IHl. ring. Qed.

Lemma sum_map_scal {A} c (f : A -> R) l : sum (map (fun a => c * f a) l) = c * sum (map f l).
Proof. induction l; simpl map; [simpl; rewrite ?sum_nil; ring|]. rewrite !sum_cons, IHl. ring. Qed.

Lemma sum_map_div {A} c (f : A -> R) l : sum (map (fun a => f a / c) l) = sum (map f l) / c.
Proof. induction l; simpl map; [simpl; rewrite ?sum_nil; unfold Rdiv; ring|]. rewrite !sum_cons, IHl. unfold Rdiv; ring. Qed.

Lemma sum_map_const {A} c (l : list A) : sum (map (fun _ => c) l) = INR (length l) * c.
Proof. induction l; [simpl; rewrite ?sum_nil; ring|]. simpl map. rewrite sum_cons, IHl. simpl length. rewrite S_INR. ring. Qed.

Lemma sum_map_le {A} (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> sum (map f l) <= sum (map g l).
Proof.
  induction l as [|a l IH]; intros H; simpl map; [simpl; rewrite ?sum_nil; lra|]. rewrite !sum_cons.
  assert (f a <= g a) by (apply H; left; reflexivity).
  assert (sum (map f l) <= sum (map g l)) by (apply IH; intros; apply H; right; assumption). lra.
Qed.

Lemma sum_map_abs {A} (f : A -> R) B l : (forall a, In a l -> Rabs (f a) <= B) ->
  Rabs (sum (map f l)) <= INR (length l) * B.
Proof.
  intros H. apply Rabs_le_iff. split.
  - replace (- (INR (length l) * B)) with (INR (length l) * (- B)) by ring. rewrite <- sum_map_const.
    apply sum_map_le. intros a Ha. specialize (H a Ha). apply Rabs_le_iff in H. lra.
  - rewrite <- sum_map_const. apply sum_map_le. intros a Ha. specialize (H a Ha). apply Rabs_le_iff in H. lra.
Qed.

(* ------------------------------------------------- dot -------------------- *)

Lemma dot_nil_r w : dot w [] = 0.
Proof. destruct w; reflexivity. Qed.

Lemma dot_app w1 w2 x1 x2 : length w1 = length x1 -> dot (w1 ++ w2) (x1 ++ x2) = dot w1 x1 + dot w2 x2.
Proof.
  revert x1; induction w1 as [|a w1 IH]; intros [|x x1] H; try discriminate; simpl; [ring|].
  rewrite IH by (simpl in H; lia). ring.
Qed.

(* cut the weights where the list is cut *)
Lemma split_weights {A} (w : list R) (x1 x2 : list A) : length w = length (x1 ++ x2) ->
  exists w1 w2, w = w1 ++ w2 /\ length w1 = length x1 /\ length w2 = length x2.
Proof.
  intros H. rewrite app_length in H. exists (firstn (length x1) w), (skipn (length x1) w).
  rewrite firstn_skipn, firstn_length, skipn_length. repeat split; lia.
Qed.

Lemma dot_const w c m : length w = m -> dot w (repeat c m) = sum w * c.
Proof.
  revert m; induction w as [|a w IH]; intros m H; simpl in H; subst; [simpl; rewrite ?sum_nil; ring|].
  simpl. rewrite IH by reflexivity. rewrite sum_cons. ring.
Qed.

Lemma dot_const_map {A} w c (l : list A) : length w = length l -> dot w (map (fun _ => c) l) = sum w * c.
Proof.
  revert l; induction w as [|a w IH]; intros [|x l] H; try discriminate; [simpl; rewrite ?sum_nil; ring|].
  simpl. rewrite IH by (simpl in H; lia). rewrite sum_cons. ring.
Qed.

Lemma dot_zeros m xs : dot (repeat 0 m) xs = 0.
Proof. revert xs; induction m; intros [|x xs]; simpl; auto. rewrite IHm. ring. Qed.

(* weights on single places *)
Lemma dot_zeros_app m w xs ys : length xs = m -> dot (repeat 0 m ++ w) (xs ++ ys) = dot w ys.
Proof. intros H. rewrite dot_app by (rewrite repeat_length; auto). rewrite dot_zeros. ring. Qed.

Lemma dot_last {A} (f : A -> R) p t : dot (repeat 0 (length (p ++ [t]) - 1) ++ [1]) (map f (p ++ [t])) = f t.
Proof.
  rewrite app_length. simpl. rewrite Nat.add_sub, map_app, dot_zeros_app by apply map_length. simpl. ring.
Qed.

Lemma dot_first_last {A} (f : A -> R) a b x p t :
  dot (a :: repeat 0 (length (x :: p ++ [t]) - 2) ++ [b]) (map f (x :: p ++ [t])) = a * f x + b * f t.
Proof.
  simpl. rewrite app_length. simpl. replace (length p + 1 - 1)%nat with (length p) by lia.
  rewrite map_app, dot_zeros_app by apply map_length. simpl. ring.
Qed.

Lemma dot_first_second_last {A} (f : A -> R) a b c x y p t :
  dot (a :: b :: repeat 0 (length (x :: y :: p ++ [t]) - 3) ++ [c]) (map f (x :: y :: p ++ [t])) =
  a * f x + b * f y + c * f t.
Proof.
  simpl. rewrite app_length. simpl. replace (length p + 1 - 1)%nat with (length p) by lia.
  rewrite map_app, dot_zeros_app by apply map_length. simpl. ring.
Qed.

(* rows with few weights *)
Lemma simplex_last m : (1 <= m)%nat -> simplex_row m (repeat 0 (m - 1) ++ [1]).
Proof.
  intros H. split; [rewrite app_length, repeat_length; simpl; lia|]. split.
  - apply Forall_app; split; [|constructor; [lra|constructor]].
    apply Forall_forall; intros x Hx; apply repeat_spec in Hx; lra.
  - rewrite sum_app, sum_repeat, sum_cons, sum_nil. ring.
Qed.

Lemma simplex_first_last m a b : (2 <= m)%nat -> 0 <= a -> 0 <= b -> a + b = 1 ->
  simplex_row m (a :: repeat 0 (m - 2) ++ [b]).
Proof.
  intros H Ha Hb Hs. split; [simpl; rewrite app_length, repeat_length; simpl; lia|]. split.
  - constructor; [exact Ha|]. apply Forall_app; split; [|constructor; [exact Hb|constructor]].
    apply Forall_forall; intros x Hx; apply repeat_spec in Hx; lra.
  - rewrite sum_cons, sum_app, sum_repeat, sum_cons, sum_nil. lra.
Qed.

Lemma simplex_first_second_last m a b c : (3 <= m)%nat -> 0 <= a -> 0 <= b -> 0 <= c -> a + b + c = 1 ->
  simplex_row m (a :: b :: repeat 0 (m - 3) ++ [c]).
Proof.
  intros H Ha Hb Hc Hs. split; [simpl; rewrite app_length, repeat_length; simpl; lia|]. split.
  - constructor; [exact Ha|]. constructor; [exact Hb|]. apply Forall_app; split; [|constructor; [exact Hc|constructor]].
    apply Forall_forall; intros x Hx; apply repeat_spec in Hx; lra.
  - rewrite !sum_cons, sum_app, sum_repeat, sum_cons, sum_nil. lra.
Qed.

Lemma dot_map_ext {A} w (f g : A -> R) l : (forall a, In a l -> f a = g a) -> dot w (map f l) = dot w (map g l).
Proof. intros H. f_equal. apply map_ext_in. exact H. Qed.

Lemma dot_map_plus {A} w (f g : A -> R) l : dot w (map (fun a => f a + g a) l) = dot w (map f l) + dot w (map g l).
Proof. revert l; induction w as [|a w IH]; intros [|x l]; simpl; try ring. rewrite IH. ring. Qed.

Lemma dot_map_scal {A} w c (f : A -> R) l : dot w (map (fun a => c * f a) l) = c * dot w (map f l).
Proof. revert l; induction w as [|a w IH]; intros [|x l]; simpl; try ring. rewrite IH. ring. Qed.

Lemma dot_map_le {A} w (f g : A -> R) l : Forall (fun a => 0 <= a) w -> (forall a, In a l -> f a <= g a) ->
  dot w (map f l) <= dot w (map g l).
Proof.
  intros Hw. revert l; induction Hw as [|a w Ha Hw IH]; intros [|x l] H; simpl; try lra.
  assert (a * f x <= a * g x) by (apply mul_le_l; [lra|apply H; left; reflexivity]).
  assert (dot w (map f l) <= dot w (map g l)) by (apply IH; intros; apply H; right; assumption). lra.
Qed.

(* weights proportional to the constant 1 / c *)
Lemma dot_div_map {A} (f g : A -> R) c l : dot (map (fun a => f a / c) l) (map g l) = sum (map (fun a => f a * g a) l) / c.
Proof. induction l; simpl; [simpl; rewrite ?sum_nil; unfold Rdiv; ring|]. rewrite IHl, sum_cons. unfold Rdiv; ring. Qed.

(* ------------------------------------------------- sum_below -------------- *)

Lemma sum_below_0 f : sum_below 0 f = 0.
Proof. reflexivity. Qed.

Lemma sum_below_S d f : sum_below (S d) f = sum_below d f + f d.
Proof. unfold sum_below. rewrite seq_S, map_app, sum_app. simpl. rewrite sum_cons, sum_nil. ring. Qed.

Lemma sum_below_ext d f g : (forall k, (k < d)%nat -> f k = g k) -> sum_below d f = sum_below d g.
Proof. intros H. unfold sum_below. f_equal. apply map_ext_in. intros k Hk. apply in_seq in Hk. apply H. lia. Qed.

Lemma sum_below_plus d f g : sum_below d (fun k => f k + g k) = sum_below d f + sum_below d g.
Proof. apply sum_map_plus. Qed.

Lemma sum_below_scal d c f : sum_below d (fun k => c * f k) = c * sum_below d f.
Proof. apply sum_map_scal. Qed.

Lemma sum_below_zero d f : (forall k, (k < d)%nat -> f k = 0) -> sum_below d f = 0.
Proof.
  induction d; intros H; [reflexivity|]. rewrite sum_below_S, IHd, H by (try intros; try apply H; lia). ring.
Qed.

Lemma sum_below_one d j f : (j < d)%nat -> (forall k, (k < d)%nat -> k <> j -> f k = 0) -> sum_below d f = f j.
Proof.
  induction d; intros Hj H; [lia|]. rewrite sum_below_S. destruct (Nat.eq_dec j d) as [->|E].
  - rewrite sum_below_zero by (intros; apply H; lia). ring.
  - rewrite IHd by (try (intros; apply H); lia). rewrite (H d) by lia. ring.
Qed.

(* the sum of the three flags and the rest *)
Lemma sum_below_flags n f : sum_below (n + 3) f = f 0%nat + f 1%nat + f 2%nat + sum_below n (fun k => f (S (S (S k)))).
Proof.
  induction n; simpl.
  - rewrite !sum_below_S, !sum_below_0. ring.
  - rewrite !sum_below_S, IHn. replace (n + 3)%nat with (S (S (S n))) by lia. ring.
Qed.

(* ------------------------------------------------- matrices --------------- *)

Lemma apply_ext d M x y i : (forall k, (k < d)%nat -> x k = y k) -> apply d M x i = apply d M y i.
Proof. intros H. apply sum_below_ext. intros k Hk. rewrite H by exact Hk. reflexivity. Qed.

Lemma apply_dot {A} d M w (f : A -> vec) l i :
  apply d M (fun k => dot w (map (fun a => f a k) l)) i = dot w (map (fun a => apply d M (f a) i) l).
Proof.
  revert l; induction w as [|a w IH]; intros [|x l]; simpl;
    try (apply sum_below_zero; intros; ring).
  rewrite <- IH. unfold apply. rewrite <- sum_below_scal, <- sum_below_plus.
  apply sum_below_ext. intros; ring.
Qed.

Lemma apply_off_bos d x i : (i < d)%nat -> apply d off_bos x i = match i with O => 0 | _ => x i end.
Proof.
  intros Hi. unfold apply. destruct i as [|i].
  - apply sum_below_zero. intros; simpl; ring.
  - rewrite (sum_below_one d (S i)) by (try (intros k _ Hk; unfold off_bos; apply Nat.eqb_neq in Hk; rewrite Nat.eqb_sym, Hk); try lia; ring).
    unfold off_bos. rewrite Nat.eqb_refl. ring.
Qed.

(* ------------------------------------------------- softmax ---------------- *)

Lemma sum_exp_pos z : z <> [] -> 0 < sum (map exp z).
Proof.
  intros H. apply sum_pos; [destruct z; [congruence|discriminate]|].
  apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & _). apply exp_pos.
Qed.

Lemma softmax_length z : length (softmax z) = length z.
Proof. apply map_length. Qed.

Lemma softmax_pos z : Forall (fun a => 0 < a) (softmax z).
Proof.
  apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
  apply Rdiv_lt_0_compat; [apply exp_pos|]. apply sum_exp_pos. intros ->. destruct Ha.
Qed.

Lemma softmax_sum z : z <> [] -> sum (softmax z) = 1.
Proof.
  intros H. unfold softmax. rewrite sum_map_div. pose proof (sum_exp_pos z H). unfold Rdiv.
  apply Rinv_r. lra.
Qed.
