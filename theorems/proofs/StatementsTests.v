(******************************************************************************)
(*                            STATEMENTS, TESTED                              *)
(* Unit lemmas for every definition of Statements.v: small values computed,   *)
(* and what a definition must refuse. A theorem about a wrong definition is   *)
(* worth nothing; these are the checks on the definitions. Here: numbers,     *)
(* tokens, the task. In ModelsTests.v: models, chance, depth. That no         *)
(* hypothesis set is empty is shown in Nonvacuous.v.                          *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task.
Import ListNotations.
Open Scope R_scope.

Definition c1 : content := fun _ => 1.
Definition c2 : content := fun _ => -1.
Definition all : content -> Prop := fun _ => True.

(* ------------------------------------------------- numbers and lists ------ *)

Example sum_value : sum [1; 2; 3] = 6.
Proof. rewrite !sum_cons, sum_nil. ring. Qed.

Example dot_value : dot [1; 2] [3; 4] = 11.
Proof. simpl. ring. Qed.

Example dot_ignores_surplus : dot [1; 2; 5] [3; 4] = 11.
Proof. simpl. ring. Qed.

Example sum_below_value : sum_below 3 INR = 3.
Proof. rewrite !sum_below_S, sum_below_0. simpl. ring. Qed.

Example sum_below_empty f : sum_below 0 f = 0.
Proof. reflexivity. Qed.

(* ------------------------------------------------- tokens ----------------- *)

Example embed_bos n k : embed n Bos k = if (k =? 0)%nat then 1 else 0.
Proof. destruct k as [|[|[|k]]]; simpl; try reflexivity. destruct (k <? n)%nat; reflexivity. Qed.

Example embed_flags n c : map (embed n (Trigger c)) [0; 1; 2]%nat = [0; 1; 0] /\
  map (embed n (Ordinary c)) [0; 1; 2]%nat = [0; 0; 1].
Proof. split; reflexivity. Qed.

Example embed_content n c k : (k < n)%nat ->
  embed n (Trigger c) (k + 3)%nat = c k /\ embed n (Ordinary c) (k + 3)%nat = c k.
Proof.
  intros H. apply Nat.ltb_lt in H. rewrite Nat.add_comm. simpl. rewrite H. split; reflexivity.
Qed.

(* n + 3 coordinates and no more *)
Example embed_nothing_beyond n t k : (n + 3 <= k)%nat -> embed n t k = 0.
Proof.
  intros H. destruct k as [|[|[|k]]]; try lia. simpl.
  assert (E : (k <? n)%nat = false) by (apply Nat.ltb_ge; lia). rewrite E. reflexivity.
Qed.

Example content_of_value k : content_of Bos k = 0 /\ content_of (Trigger c1) k = 1 /\ content_of (Ordinary c2) k = -1.
Proof. repeat split. Qed.

(* ------------------------------------------------- sequences -------------- *)

Example valid_shortest : valid_sequence all 3 [Bos; Ordinary c1; Trigger c2].
Proof. exists [c1], c2, []. repeat split; auto; repeat constructor. Qed.

Example valid_trigger_inside : valid_sequence all 4 [Bos; Ordinary c1; Trigger c2; Ordinary c1].
Proof. exists [c1], c2, [c1]. repeat split; auto; repeat constructor. Qed.

Example valid_trigger_last : valid_sequence all 4 [Bos; Ordinary c1; Ordinary c1; Trigger c2].
Proof. exists [c1; c1], c2, []. repeat split; auto; repeat constructor. Qed.

(* not at position 2, not twice, not absent, BOS first, length L, contents in K *)
Example invalid_trigger_second L x : ~ valid_sequence all L (Bos :: Trigger c1 :: x).
Proof. intros ([|a l] & c & b & E & H & _); simpl in *; [lia|discriminate]. Qed.

Example invalid_two_triggers L : ~ valid_sequence all L [Bos; Ordinary c1; Trigger c1; Trigger c1].
Proof.
  intros ([|a [|a' l]] & c & b & E & H & _); simpl in *; [lia| |discriminate].
  injection E as _ _ E. destruct b; discriminate.
Qed.

Example invalid_no_trigger L : ~ valid_sequence all L [Bos; Ordinary c1; Ordinary c1].
Proof.
  intros (a & c & b & E & _). injection E as E.
  assert (H : In (Trigger c) [Ordinary c1; Ordinary c1]) by (rewrite E; apply in_or_app; right; left; reflexivity).
  destruct H as [H|[H|[]]]; discriminate.
Qed.

Example invalid_no_bos L x : ~ valid_sequence all L (Ordinary c1 :: x).
Proof. intros (a & c & b & E & _). discriminate. Qed.

Example invalid_length : ~ valid_sequence all 4 [Bos; Ordinary c1; Trigger c2].
Proof. intros (a & c & b & _ & _ & H & _). discriminate. Qed.

Example invalid_content L : ~ valid_sequence (fun c => c 0%nat = 1) L [Bos; Ordinary c2; Trigger c1].
Proof.
  intros ([|a l] & c & b & E & _ & _ & Hb & _); [discriminate|].
  injection E as E _. subst a. apply Forall_inv in Hb. unfold c2 in Hb. lra.
Qed.

Example nonempty_value : nonempty all /\ ~ nonempty (fun _ => False).
Proof. split; [exists c1; exact I|intros (c & H); exact H]. Qed.

(* ------------------------------------------------- rows ------------------- *)

Example visible_prefixes : let s := [Bos; Ordinary c1; Trigger c2] in
  visible all 3 [Bos] /\ visible all 3 [Bos; Ordinary c1] /\ visible all 3 s.
Proof.
  repeat split; try discriminate; [exists [Ordinary c1; Trigger c2]|exists [Trigger c2]|exists []]; exact valid_shortest.
Qed.

Example invisible_empty K L : ~ visible K L [].
Proof. intros (H & _). exact (H eq_refl). Qed.

(* an all-ordinary row of full length is no prefix: the trigger must still come *)
Example invisible_full_ordinary : ~ visible all 3 [Bos; Ordinary c1; Ordinary c1].
Proof.
  intros H. destruct (visible_cases _ _ _ H) as [(cs & E & _ & Hl)|(a & c & b & E & _)].
  - injection E as E. apply (f_equal (@length _)) in E. rewrite map_length in E. simpl in E. lia.
  - injection E as E. assert (In (Trigger c) [Ordinary c1; Ordinary c1]) as X by (rewrite E; apply in_or_app; right; left; reflexivity).
    destruct X as [X|[X|[]]]; discriminate.
Qed.

Example invisible_too_long K L p : visible K L p -> (length p <= L)%nat.
Proof.
  intros (_ & r & a & c & b & _ & _ & HL & _). rewrite app_length in HL. lia.
Qed.

Example query_value : query [Bos] = Bos /\ query [Bos; Ordinary c1; Trigger c2] = Trigger c2.
Proof. split; reflexivity. Qed.

Example trigger_seen_value : trigger_seen [Bos; Ordinary c1; Trigger c2] /\ ~ trigger_seen [Bos; Ordinary c1].
Proof.
  split; [exists c2; right; right; left; reflexivity|].
  intros (c & [H|[H|[]]]); discriminate.
Qed.

Example nontrigger_row_excludes K L : ~ nontrigger_row K L [Bos] /\ ~ nontrigger_row K L [Bos; Ordinary c1; Trigger c2].
Proof. split; intros (_ & c & H); discriminate. Qed.

Example before_row : before_trigger_row all 3 [Bos; Ordinary c1].
Proof.
  apply (before_trigger_intro all 3 [c1]); auto; try discriminate; try (repeat constructor). exists c1; exact I.
Qed.

Example after_row : after_trigger_row all 4 [Bos; Ordinary c1; Trigger c2; Ordinary c1].
Proof. apply (after_trigger_intro all 4 [c1] c2 [c1]); auto; try discriminate; repeat constructor. Qed.

Example before_or_after K L p : nontrigger_row K L p -> before_trigger_row K L p \/ after_trigger_row K L p.
Proof.
  intros H. destruct (nontrigger_cases K L p H) as [(cs & _ & E & _)|(a & c & b & _ & E & _)].
  - left. split; [exact H|]. intros (c & Hc). subst p. destruct Hc as [Hc|Hc]; [discriminate|exact (not_in_ordinary _ _ Hc)].
  - right. split; [exact H|]. exists c. subst p. right. apply in_or_app. right. left. reflexivity.
Qed.

(* ------------------------------------------------- targets and errors ----- *)

Example mean_value : mean_of_tokens 1 [Bos; Ordinary c1; Trigger c2] 3%nat = 0 /\
  mean_of_tokens 1 [Bos; Ordinary c1; Ordinary c1; Trigger c2] 3%nat = 1/3 /\
  mean_of_tokens 1 [Bos; Ordinary c1; Trigger c2] bos_coord = 0.
Proof. unfold mean_of_tokens, c1, c2. simpl. rewrite !sum_cons, !sum_nil. repeat split; field. Qed.

Example target_at_trigger : let p := [Bos; Ordinary c1; Trigger c2] in
  target 0 p ordinary_coord = 1/2 /\ target 0 p trigger_coord = 1/2.
Proof. unfold target, mean_of_tokens. simpl. rewrite !sum_cons, !sum_nil. split; field. Qed.

Example target_elsewhere n k : target n [Bos] k = 0 /\ target n [Bos; Ordinary c1] k = 0 /\
  target n [Bos; Ordinary c1; Trigger c2; Ordinary c1] k = 0.
Proof. repeat split. Qed.

Example within_itself n L K goal : within n L K goal goal 0.
Proof. intros p _ k _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra. Qed.

Example error_le_weaken n L K out e e' : error_le n L K out e -> e <= e' -> error_le n L K out e'.
Proof. intros H He p Hp k Hk. eapply Rle_trans; [apply H; assumption|exact He]. Qed.

(* coordinates at n + 3 and above do not count *)
Example error_le_existing n L K out out' e : (forall p k, (k < n + 3)%nat -> out p k = out' p k) ->
  error_le n L K out e -> error_le n L K out' e.
Proof. intros E H p Hp k Hk. rewrite <- E by exact Hk. apply H; assumption. Qed.

Example error_is_unique n L K out e e' : error_is n L K out e -> error_is n L K out e' -> e = e'.
Proof. intros (H1 & H2) (H3 & H4). apply Rle_antisym; auto. Qed.

(* the zero model: wrong by 2/3 at L = 4, on one channel of one target *)
Example error_of_zero : error_is 0 4 all (fun _ _ => 0) (2/3).
Proof.
  split.
  - intros p Hp k Hk. destruct (row_kinds _ _ _ Hp) as [->|[(q & c & _ & Hr)|(a & c & Hn & -> & _ & _ & Hl)]].
    + rewrite target_other, Rminus_0_r, Rabs_R0 by discriminate. lra.
    + rewrite (target_nontrigger _ _ _ _ Hr), Rminus_0_r, Rabs_R0. lra.
    + destruct (target_flags 0 a c) as (To & Tt). unfold ordinary_coord, trigger_coord in *.
      destruct k as [|[|[|k]]]; [|rewrite Tt|rewrite To|lia];
        (destruct a as [|x [|y [|z a]]]; [congruence| | |simpl in Hl; lia]).
      1,2: unfold target, mean_of_tokens; simpl; rewrite !sum_cons, !sum_nil.
      all: simpl; apply Rabs_le_iff; lra.
  - intros e H. assert (Hv : visible all 4 [Bos; Ordinary c1; Ordinary c1; Trigger c2])
      by (split; [discriminate|]; exists []; exact valid_trigger_last).
    specialize (H _ Hv ordinary_coord ltac:(unfold ordinary_coord; lia)).
    unfold target, mean_of_tokens in H. simpl in H. rewrite !sum_cons, !sum_nil in H.
    apply Rabs_le_iff in H. lra.
Qed.

Example kappa_values : kappa 3 = 0 /\ kappa 4 = 1/12 /\ kappa 5 = 1/8 /\ kappa 8 = 5/28.
Proof. unfold kappa. simpl. repeat split; field. Qed.

Example kappa_below_quarter L : (4 <= L)%nat -> 1/12 <= kappa L < 1/4.
Proof. intros H. split; [apply kappa_ge; exact H|]. destruct (kappa_form L H) as (Hu & -> & _). lra. Qed.
