(******************************************************************************)
(*                              THREE TOKENS                                  *)
(* Help for explicit witnesses: one content, zero, so that there are three    *)
(* tokens and a linear value map is three columns in the flag channels.       *)
(*   zero_only == the content set {0}                                         *)
(*   columns v p q == the matrix that maps BOS to v, ordinary to p, trigger   *)
(*                    to q; a column is a pair (o, t); all else is 0          *)
(*   columns_apply == what it does to the three tokens                        *)
(*   three_error == the error, from the two flag channels                     *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task.
Import ListNotations.
Open Scope R_scope.

Definition zero : content := fun _ => 0.

Definition zero_only : content -> Prop := fun c => forall k, c k = 0.

Lemma zero_only_nonempty : nonempty zero_only.
Proof. exists zero. intros k. reflexivity. Qed.

Definition columns (vo vt po pt qo qt : R) : matrix := fun i k =>
  match i, k with
  | 2%nat, 0%nat => vo | 2%nat, 2%nat => po | 2%nat, 1%nat => qo
  | 1%nat, 0%nat => vt | 1%nat, 2%nat => pt | 1%nat, 1%nat => qt
  | _, _ => 0
  end.

(* the flags of a value: (o, t) at coordinates 2 and 1, zero elsewhere *)
Definition flags (o t : R) : vec := fun k => match k with 2%nat => o | 1%nat => t | _ => 0 end.

Lemma embed_content_zero n y k : zero_only (content_of y) -> embed n y (S (S (S k))) = 0.
Proof. intros H. simpl. destruct (k <? n)%nat; [apply H|reflexivity]. Qed.

Definition value_of (vo vt po pt qo qt : R) (y : token) : vec :=
  match y with Bos => flags vo vt | Ordinary _ => flags po pt | Trigger _ => flags qo qt end.

Lemma columns_apply n vo vt po pt qo qt y k : zero_only (content_of y) ->
  apply (n + 3) (columns vo vt po pt qo qt) (embed n y) k = value_of vo vt po pt qo qt y k.
Proof.
  intros H. unfold apply. rewrite sum_below_flags.
  rewrite (sum_below_zero n) by (intros j _; rewrite embed_content_zero by exact H; ring).
  destruct y; destruct k as [|[|[|k]]]; simpl; ring.
Qed.

(* tokens of the task over {0}; zero_only is about functions, so contents need not be equal *)
Lemma visible_zero L p : visible zero_only L p -> Forall (fun y => zero_only (content_of y)) p.
Proof.
  assert (G : forall l, Forall zero_only l -> Forall (fun y => zero_only (content_of y)) (map Ordinary l))
    by (intros l H; apply Forall_map; exact H).
  intros H. destruct (visible_cases _ _ _ H) as [(cs & -> & Hc & _)|(a & c & b & -> & Ha & Hc & Hb & _)];
    (constructor; [intros k; reflexivity|]).
  - apply G; exact Hc.
  - apply Forall_app; split; [apply G; exact Ha|]. constructor; [exact Hc|apply G; exact Hb].
Qed.

Lemma three_output n L vo vt po pt qo qt att p k : visible zero_only L p ->
  attention_output n (apply (n + 3) (columns vo vt po pt qo qt)) att p k =
  dot (att p) (map (fun y => value_of vo vt po pt qo qt y k) p).
Proof.
  intros H. apply dot_map_ext. intros y Hy. apply columns_apply.
  apply visible_zero in H. rewrite Forall_forall in H. apply H. exact Hy.
Qed.

(* only the two flag channels matter *)
Lemma value_of_other vo vt po pt qo qt y k : k <> ordinary_coord -> k <> trigger_coord ->
  value_of vo vt po pt qo qt y k = 0.
Proof.
  unfold ordinary_coord, trigger_coord. intros.
  destruct y; destruct k as [|[|[|k]]]; simpl; try reflexivity; lia.
Qed.

Lemma target_zero n L p k : visible zero_only L p -> k <> ordinary_coord -> k <> trigger_coord -> target n p k = 0.
Proof.
  intros H Ho Ht. unfold target. destruct (query p) as [|c|c]; try reflexivity. unfold mean_of_tokens.
  rewrite (map_ext_in _ (fun _ => 0)), sum_map_const; [unfold Rdiv; ring|].
  intros y Hy. apply visible_zero in H as Hz. rewrite Forall_forall in Hz.
  assert (Hy' : In y p) by (destruct p; [destruct Hy|right; exact Hy]). specialize (Hz y Hy').
  unfold ordinary_coord, trigger_coord in *.
  destruct k as [|[|[|k]]]; try lia; [|apply embed_content_zero; exact Hz].
  destruct (visible_cases _ _ _ H) as [(cs & -> & _)|(a & d & b & -> & _)]; cbn [tl] in Hy.
  - apply in_map_iff in Hy. destruct Hy as (x & <- & _). reflexivity.
  - apply in_app_or in Hy. destruct Hy as [Hy|[<-|Hy]]; [| reflexivity|];
      apply in_map_iff in Hy; destruct Hy as (x & <- & _); reflexivity.
Qed.

Lemma three_error n L vo vt po pt qo qt att eta : 0 <= eta ->
  (forall p, visible zero_only L p ->
     Rabs (dot (att p) (map (fun y => value_of vo vt po pt qo qt y ordinary_coord) p) - target n p ordinary_coord) <= eta /\
     Rabs (dot (att p) (map (fun y => value_of vo vt po pt qo qt y trigger_coord) p) - target n p trigger_coord) <= eta) ->
  error_le n L zero_only (attention_output n (apply (n + 3) (columns vo vt po pt qo qt)) att) eta.
Proof.
  intros He H p Hp k Hk. rewrite (three_output n L) by exact Hp. destruct (H p Hp) as (Ho & Ht).
  destruct (Nat.eq_dec k ordinary_coord) as [->|No]; [exact Ho|].
  destruct (Nat.eq_dec k trigger_coord) as [->|Nt]; [exact Ht|].
  rewrite (target_zero n L) by assumption.
  rewrite (dot_map_ext _ _ (fun _ => 0 * 0)) by (intros; rewrite value_of_other by assumption; ring).
  rewrite dot_map_scal. replace (0 * _ - 0) with 0 by ring. rewrite Rabs_R0. exact He.
Qed.
