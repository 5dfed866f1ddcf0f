(******************************************************************************)
(*                                  DEEP                                      *)
(* A stack of D layers without residual and MLP is one layer: the weights of  *)
(* the layers multiply (rows stay simplex rows) and so do the matrices. So    *)
(* one_layer_sink bounds the mass that never left BOS.                        *)
(*   stack_weights D p == the weights of the stack on x_1..x_i                *)
(*   stack_value D == the product of the matrices, as a value map             *)
(*   stack_one_layer == stack D is attention_output of these two              *)
(*   stack_simplex == stack_weights are simplex rows                          *)
(*   stack_mass == if every layer keeps 1 - a >= rho at positions 2..i,       *)
(*                 then the stack keeps rho^D                                 *)
(*   argmin_list == a non-empty list has a smallest entry                     *)
(*   deep_sink_at == both forms at once, for a non-trigger row                *)
(*   deep_sink_proof, deep_sink_any_position_proof                            *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.OneLayer.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- mixing rows ------------ *)

Lemma dot_seq g s m z : length z = m ->
  dot (map g (seq s m)) z = sum_below m (fun j => g (s + j)%nat * nth j z 0).
Proof.
  revert s z; induction m as [|m IH]; intros s [|c z] H; try discriminate; [reflexivity|].
  simpl seq. simpl map. cbn [dot]. rewrite IH by (simpl in H; lia).
  unfold sum_below. simpl seq. simpl map. rewrite sum_cons, Nat.add_0_r. f_equal.
  rewrite <- seq_shift, map_map. f_equal. apply map_ext. intros j.
  rewrite Nat.add_succ_r. reflexivity.
Qed.

Lemma dot_nth r m z : length z = m -> (length r <= m)%nat ->
  dot r z = sum_below m (fun j => nth j r 0 * nth j z 0).
Proof.
  revert m z; induction r as [|a r IH]; intros m z Hz Hr.
  - symmetry. apply sum_below_zero. intros [|k] _; simpl; ring.
  - destruct z as [|c z]; simpl in Hz; subst; [simpl in Hr; lia|].
    cbn [dot]. rewrite (IH (length z) z) by (simpl in Hr; lia || reflexivity).
    unfold sum_below. simpl seq. simpl map. rewrite sum_cons. f_equal.
    rewrite <- seq_shift, map_map. reflexivity.
Qed.

Lemma sum_below_dot {A} m w (f : A -> nat -> R) c is :
  sum_below m (fun j => dot w (map (fun i => f i j) is) * c j) =
  dot w (map (fun i => sum_below m (fun j => f i j * c j)) is).
Proof.
  induction m as [|m IH].
  - rewrite sum_below_0. symmetry. rewrite (dot_map_ext w _ (fun _ => 0 * 0)) by (intros; rewrite sum_below_0; ring).
    rewrite dot_map_scal. ring.
  - rewrite sum_below_S, IH. symmetry.
    rewrite (dot_map_ext w _ (fun i => sum_below m (fun j => f i j * c j) + c m * f i m))
      by (intros; rewrite sum_below_S; ring).
    rewrite dot_map_plus, dot_map_scal. ring.
Qed.

(* the row whose entry j is the w-mean of the entries j of some rows *)
Definition mix_row {A} (m : nat) (w : list R) (rows : A -> list R) (is : list A) : list R :=
  map (fun j => dot w (map (fun i => nth j (rows i) 0) is)) (seq 0 m).

Lemma dot_mix_row {A} m w (rows : A -> list R) is z : length z = m ->
  (forall i, In i is -> (length (rows i) <= m)%nat) ->
  dot (mix_row m w rows is) z = dot w (map (fun i => dot (rows i) z) is).
Proof.
  intros Hz H. unfold mix_row. rewrite dot_seq by exact Hz. simpl.
  rewrite (sum_below_dot m w (fun i j => nth j (rows i) 0) (fun j => nth j z 0)).
  apply dot_map_ext. intros i Hi. symmetry. apply dot_nth; auto.
Qed.

Lemma nth_nonneg r j : Forall (fun a => 0 <= a) r -> 0 <= nth j r 0.
Proof. intros H; revert j; induction H; intros [|j]; simpl; try lra; auto. Qed.

Lemma dot_nonneg {A} w (f : A -> R) is : Forall (fun a => 0 <= a) w -> (forall i, In i is -> 0 <= f i) ->
  0 <= dot w (map f is).
Proof.
  intros Hw H. eapply Rle_trans; [|apply (dot_map_le w (fun _ => 0 * 0) f is Hw); intros i Hi; specialize (H i Hi); lra].
  rewrite dot_map_scal. lra.
Qed.

(* ------------------------------------------------- the stack -------------- *)

Fixpoint stack_weights (att : nat -> attention) (D : nat) (p : list token) : list R :=
  match D with
  | O => repeat 0 (length p - 1) ++ [1]
  | S l => mix_row (length p) (att l p) (fun i => stack_weights att l (firstn i p)) (seq 1 (length p))
  end.

Fixpoint stack_value (n : nat) (M : nat -> matrix) (D : nat) (x : vec) : vec :=
  match D with
  | O => x
  | S l => apply (n + 3) (M l) (stack_value n M l x)
  end.

Lemma stack_weights_length att D p : p <> [] -> length (stack_weights att D p) = length p.
Proof.
  intros Hn. destruct D; simpl.
  - rewrite app_length, repeat_length. destruct p; [congruence|simpl; lia].
  - unfold mix_row. rewrite map_length, seq_length. reflexivity.
Qed.

Lemma firstn_nonempty {A} i (p : list A) : (1 <= i <= length p)%nat -> firstn i p <> [].
Proof. intros H E. apply (f_equal (@length A)) in E. rewrite firstn_length_le in E; simpl in E; lia. Qed.

Lemma stack_rows_length att D p i : In i (seq 1 (length p)) -> length (stack_weights att D (firstn i p)) = i.
Proof.
  intros Hi. apply in_seq in Hi. rewrite stack_weights_length by (apply firstn_nonempty; lia).
  apply firstn_length_le. lia.
Qed.

(* a row on x_1..x_i reads no further than i *)
Lemma dot_firstn {A} r i (f : A -> R) p : length r = i -> (i <= length p)%nat ->
  dot r (map f (firstn i p)) = dot r (map f p).
Proof.
  intros Hr Hi. rewrite <- (firstn_skipn i p) at 2. rewrite map_app.
  rewrite <- (app_nil_r r) at 2. rewrite dot_app by (rewrite map_length, firstn_length_le; lia).
  simpl. ring.
Qed.

Lemma stack_one_layer n M att D p : p <> [] -> forall k,
  stack n M att D p k = attention_output n (stack_value n M D) (stack_weights att D) p k.
Proof.
  unfold attention_output. revert p; induction D as [|D IH]; intros p Hn k.
  - destruct (exists_last Hn) as (q & t & ->). simpl. rewrite query_app.
    rewrite (dot_last (fun t => embed n t k)). reflexivity.
  - simpl. unfold layer. rewrite dot_mix_row.
    + apply dot_map_ext. intros i Hi. pose proof (stack_rows_length att D p i Hi) as Hl. apply in_seq in Hi.
      rewrite <- (dot_firstn _ i) by (assumption || lia).
      rewrite <- (apply_dot (n + 3) (M D) _ (fun t => stack_value n M D (embed n t))).
      apply apply_ext. intros j _. apply IH. apply firstn_nonempty. lia.
    + apply map_length.
    + intros i Hi. rewrite stack_rows_length by exact Hi. apply in_seq in Hi. lia.
Qed.

Lemma visible_firstn K L p i : visible K L p -> (1 <= i <= length p)%nat -> visible K L (firstn i p).
Proof.
  intros (Hn & rest & H) Hi. split; [apply firstn_nonempty; exact Hi|].
  exists (skipn i p ++ rest). rewrite app_assoc, firstn_skipn. exact H.
Qed.

Lemma stack_simplex K L att D : (forall l, (l < D)%nat -> simplex_attention K L (att l)) ->
  simplex_attention K L (stack_weights att D).
Proof.
  induction D as [|D IH]; intros Ha p Hv; assert (Hn : p <> []) by apply Hv.
  - split; [apply stack_weights_length; exact Hn|]. simpl. split.
    + apply Forall_app; split; [apply Forall_repeat; lra|]. constructor; [lra|constructor].
    + rewrite sum_app, sum_repeat, sum_cons, sum_nil. ring.
  - specialize (IH (fun l Hl => Ha l (Nat.lt_lt_succ_r _ _ Hl))).
    destruct (Ha D (Nat.lt_succ_diag_r D) p Hv) as (Hl & Hf & Hs).
    assert (Hrow : forall i, In i (seq 1 (length p)) -> simplex_row i (stack_weights att D (firstn i p))).
    { intros i Hi. split; [apply stack_rows_length; exact Hi|]. apply in_seq in Hi.
      apply (IH (firstn i p)). apply visible_firstn; [exact Hv|lia]. }
    split; [apply stack_weights_length; exact Hn|]. split; simpl.
    + apply Forall_map, Forall_forall. intros j _. apply dot_nonneg; [exact Hf|].
      intros i Hi. apply nth_nonneg. apply Hrow. exact Hi.
    + set (w := mix_row _ _ _ _).
      assert (E : forall m w, length w = m -> sum w = dot w (repeat 1 m)) by (intros; rewrite dot_const by assumption; ring).
      rewrite (E (length p)) by (apply (stack_weights_length att (S D)); exact Hn). unfold w.
      rewrite dot_mix_row.
      * rewrite (dot_map_ext _ _ (fun _ => 1)).
        { rewrite dot_const_map by (rewrite seq_length; exact Hl). rewrite Hs. ring. }
        intros i Hi. destruct (Hrow i Hi) as (Hli & _ & Hsi). apply in_seq in Hi.
        rewrite <- (map_id (repeat 1 (length p))). rewrite <- (dot_firstn _ i) by (rewrite ?repeat_length; lia).
        rewrite map_id. assert (F : firstn i (repeat 1 (length p)) = repeat 1 i).
        { replace (length p) with (i + (length p - i))%nat by lia. rewrite repeat_app.
          rewrite firstn_app, repeat_length, Nat.sub_diag, firstn_O, app_nil_r.
          rewrite <- (repeat_length 1 i) at 1. apply firstn_all. }
        rewrite F, <- E by assumption. exact Hsi.
      * apply repeat_length.
      * intros i Hi. destruct (Hrow i Hi) as (-> & _). apply in_seq in Hi. lia.
Qed.

(* ------------------------------------------------- mass ------------------- *)

Lemma hd_map_seq (g : nat -> R) m : (0 < m)%nat -> hd 0 (map g (seq 0 m)) = g 0%nat.
Proof. destruct m; [lia|reflexivity]. Qed.

(* the mass off BOS: layer by layer *)
Lemma stack_bos K L att D p : (forall l, (l <= D)%nat -> simplex_attention K L (att l)) -> visible K L p ->
  1 - bos_weight (stack_weights att (S D)) p =
  dot (att D p) (map (fun i => 1 - bos_weight (stack_weights att D) (firstn i p)) (seq 1 (length p))).
Proof.
  intros Ha Hv. destruct (Ha D (le_n D) p Hv) as (Hl & _ & Hs).
  assert (E : bos_weight (stack_weights att (S D)) p =
    dot (att D p) (map (fun i => bos_weight (stack_weights att D) (firstn i p)) (seq 1 (length p)))).
  { unfold bos_weight at 1. cbn [stack_weights]. unfold mix_row.
    rewrite hd_map_seq by (destruct p; [destruct Hv; congruence|simpl; lia]).
    apply dot_map_ext. intros i _. unfold bos_weight. destruct (stack_weights att D _); reflexivity. }
  rewrite E, (dot_map_ext _ (fun i => 1 - _) (fun i => 1 + (-1) * bos_weight (stack_weights att D) (firstn i p))) by (intros; ring).
  rewrite dot_map_plus, dot_map_scal. rewrite dot_const_map by (rewrite seq_length; exact Hl). rewrite Hs. ring.
Qed.

Lemma stack_mass K L att rho D p : (forall l, (l < D)%nat -> simplex_attention K L (att l)) ->
  visible K L p -> 0 <= rho ->
  (forall l i, (l < D)%nat -> (2 <= i <= length p)%nat -> rho <= 1 - bos_weight (att l) (firstn i p)) ->
  (2 <= length p)%nat -> rho ^ D <= 1 - bos_weight (stack_weights att D) p.
Proof.
  intros Ha Hv Hr. revert p Hv. induction D as [|D IH]; intros p Hv H Hp.
  - simpl. unfold bos_weight. simpl. destruct (length p - 1)%nat eqn:E; [lia|]. simpl. lra.
  - rewrite (stack_bos K L) by (try (intros; apply Ha; lia); assumption).
    destruct (Ha D (Nat.lt_succ_diag_r D) p Hv) as (Hl & Hf & Hs).
    assert (Hrow : forall i, (2 <= i <= length p)%nat -> rho ^ D <= 1 - bos_weight (stack_weights att D) (firstn i p)).
    { intros i Hi. apply IH.
      - intros; apply Ha; lia.
      - apply visible_firstn; [exact Hv|lia].
      - intros l k Hl' Hk. rewrite firstn_length_le in Hk by lia.
        rewrite firstn_firstn, Nat.min_l by lia. apply H; lia.
      - rewrite firstn_length_le; lia. }
    pose proof (H D (length p) (Nat.lt_succ_diag_r D) ltac:(lia)) as Hrho. rewrite firstn_all in Hrho.
    assert (HS : simplex_attention K L (stack_weights att D)) by (apply stack_simplex; intros; apply Ha; lia).
    pose proof (pow_le rho D Hr).
    destruct (att D p) as [|a w] eqn:Ew; [simpl in Hl; lia|].
    destruct (length p) as [|m] eqn:Em; [lia|]. injection Hl as Hl.
    cbn [seq map dot]. rewrite sum_cons in Hs. apply Forall_inv_tail in Hf as Hw. apply Forall_inv in Hf.
    assert (H1 : 0 <= 1 - bos_weight (stack_weights att D) (firstn 1 p)).
    { destruct (weight_le_1 K L (stack_weights att D) (firstn 1 p) HS); [apply visible_firstn; [exact Hv|lia]|lra]. }
    assert (H2 : dot w (map (fun _ => rho ^ D) (seq 2 m)) <=
                 dot w (map (fun i => 1 - bos_weight (stack_weights att D) (firstn i p)) (seq 2 m))).
    { apply dot_map_le; [exact Hw|]. intros i Hi. apply in_seq in Hi. apply Hrow. lia. }
    rewrite dot_const_map in H2 by (rewrite seq_length; exact Hl).
    assert (H3 : 0 <= a * (1 - bos_weight (stack_weights att D) (firstn 1 p))) by (apply Rmult_le_pos; assumption).
    unfold bos_weight in Hrho. rewrite Ew in Hrho. simpl in Hrho.
    assert (H4 : rho * rho ^ D <= sum w * rho ^ D) by (apply Rmult_le_compat_r; lra).
    change (rho ^ S D) with (rho * rho ^ D). lra.
Qed.

(* ------------------------------------------------- theorem ---------------- *)

Lemma argmin_list {A} (f : A -> R) xs : xs <> [] -> exists x, In x xs /\ forall y, In y xs -> f x <= f y.
Proof.
  induction xs as [|a xs IH]; intros H; [congruence|]. destruct xs as [|b xs].
  - exists a. split; [left; reflexivity|]. intros y [->|[]]. lra.
  - destruct IH as (x & Hx & Hmin); [discriminate|]. destruct (Rle_lt_dec (f a) (f x)) as [C|C].
    + exists a. split; [left; reflexivity|]. intros y [->|Hy]; [lra|]. specialize (Hmin y Hy). lra.
    + exists x. split; [right; exact Hx|]. intros y [->|Hy]; [lra|]. apply Hmin. exact Hy.
Qed.

Lemma deep_sink_at n L K D M att eta p : (4 <= L)%nat -> (1 <= D)%nat -> nonempty K ->
  (forall l, (l < D)%nat -> simplex_attention K L (att l)) ->
  error_le n L K (stack n M att D) eta -> eta < kappa L ->
  nontrigger_row K L p -> (2 <= length p)%nat -> exists l i', (l < D)%nat /\ (2 <= i' <= length p)%nat /\
     (1 - bos_weight (att l) (firstn i' p)) ^ D * (kappa L - eta) <= eta.
Proof.
  intros HL HD Kne Ha Herr He Hp Hlen. pose proof (stack_simplex K L att D Ha) as HS.
  assert (HE : error_le n L K (attention_output n (stack_value n M D) (stack_weights att D)) eta).
  { intros q Hq k Hk. rewrite <- stack_one_layer by apply Hq. apply Herr; assumption. }
  pose proof (sink n L K _ _ eta HL Kne HS HE p Hp) as S.
  destruct (argmin_list (fun li => 1 - bos_weight (att (fst li)) (firstn (snd li) p))
             (list_prod (seq 0 D) (seq 2 (length p - 1)))) as ((l & i) & Hin & Hmin).
  { destruct D as [|D]; [lia|]. replace (length p - 1)%nat with (Datatypes.S (length p - 2)) by lia. discriminate. }
  apply in_prod_iff in Hin. destruct Hin as (Hl & Hi). apply in_seq in Hl, Hi. simpl fst in Hmin. simpl snd in Hmin.
  exists l, i. split; [lia|]. split; [lia|].
  assert (Hv : visible K L p) by apply Hp.
  assert (R0 : 0 <= 1 - bos_weight (att l) (firstn i p)).
  { destruct (weight_le_1 K L (att l) (firstn i p)); [apply Ha; lia|apply visible_firstn; [exact Hv|lia]|lra]. }
  pose proof (stack_mass K L att _ D p Ha Hv R0) as HM.
  eapply Rle_trans; [|exact S]. apply Rmult_le_compat_r; [lra|]. apply HM; [|exact Hlen].
  intros l' i' Hl' Hi'. apply (Hmin (l', i')). apply in_prod; apply in_seq; lia.
Qed.

Theorem deep_sink_proof : deep_sink.
Proof.
  intros n L K D M att eta HL HD Kne Ha Herr He c Hc.
  assert (Hr : before_trigger_row K L (Bos :: map Ordinary [c]))
    by (apply before_trigger_intro; auto; try discriminate; simpl; lia).
  destruct (deep_sink_at n L K D M att eta _ HL HD Kne Ha Herr He (proj1 Hr)) as (l & i & Hl & Hi & H); [simpl; lia|].
  exists l. split; [exact Hl|]. simpl in Hi. replace i with 2%nat in H by lia. exact H.
Qed.

Theorem deep_sink_any_position_proof : deep_sink_any_position.
Proof.
  intros n L K D M att eta HL HD Kne Ha Herr He p Hr.
  apply (deep_sink_at n L K D M att eta p HL HD Kne Ha Herr He (proj1 Hr)).
  destruct (before_trigger_cases K L p Hr) as (cs & Hn & -> & _). destruct cs; [congruence|simpl; lia].
Qed.
