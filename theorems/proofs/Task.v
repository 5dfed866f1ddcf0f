(******************************************************************************)
(*                                  TASK                                      *)
(* What the prefixes of valid sequences look like, their queries and targets. *)
(*   visible_cases == a visible prefix is  BOS, ordinary ...  or              *)
(*                    BOS, ordinary ..., trigger, ordinary ...                *)
(*   ordinary_visible, trigger_visible == all of these are visible            *)
(*   nontrigger_cases == the same for the rows that are not the trigger's     *)
(*   row_kinds == BOS alone, or last token ordinary, or last token trigger    *)
(*   target_trigger, target_other == the targets                              *)
(*   kappa_pos, kappa_form == 0 < kappa = (1 - 2u)/4, u = 1/(L-1) <= 1/3      *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- kappa ------------------ *)

Lemma INR_ge L m : (m <= L)%nat -> INR m <= INR L.
Proof. apply le_INR. Qed.

Lemma INR_4 L : (4 <= L)%nat -> 4 <= INR L.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Lemma kappa_pos L : (4 <= L)%nat -> 0 < kappa L.
Proof. intros H. apply INR_4 in H. unfold kappa. apply Rdiv_lt_0_compat; lra. Qed.

Lemma kappa_form L : (4 <= L)%nat -> let u := 1 / (INR L - 1) in
  0 < u <= 1/3 /\ kappa L = (1 - 2 * u) / 4 /\
  1 - u = INR (L - 2) / (INR (L - 2) + 1) /\ u = 1 / (INR (L - 2) + 1).
Proof.
  intros H u. pose proof (INR_4 L H). rewrite minus_INR by lia. simpl (INR 2). unfold u, kappa.
  repeat split; try (field; lra); try (f_equal; lra).
  - apply Rdiv_lt_0_compat; lra.
  - apply Rmult_le_reg_l with (INR L - 1); [lra|]. field_simplify; lra.
Qed.

Lemma kappa_ge L : (4 <= L)%nat -> 1/12 <= kappa L.
Proof.
  intros H. destruct (kappa_form L H) as ((? & ?) & -> & _). lra.
Qed.

Lemma error_le_nonneg n L K out eta p : visible K L p -> error_le n L K out eta -> 0 <= eta.
Proof. intros Hp H. eapply Rle_trans; [apply Rabs_pos|]. apply (H p Hp 0%nat). lia. Qed.

(* ------------------------------------------------- queries ---------------- *)

Lemma query_app p t : query (p ++ [t]) = t.
Proof. apply last_last. Qed.

Lemma query_cons t u p : query (t :: u :: p) = query (u :: p).
Proof. reflexivity. Qed.

(* the query of a list that ends in ordinary tokens *)
Lemma query_ordinary p c cs : exists c', query (p ++ map Ordinary (c :: cs)) = Ordinary c' /\ In c' (c :: cs).
Proof.
  destruct (exists_last (l := c :: cs)) as (l & c' & E); [discriminate|]. exists c'.
  rewrite E, map_app, app_assoc. split; [apply query_app|apply in_or_app; right; left; reflexivity].
Qed.

Lemma not_in_ordinary c l : ~ In (Trigger c) (map Ordinary l).
Proof. intros H. apply in_map_iff in H. destruct H as (x & E & _). discriminate. Qed.

(* ------------------------------------------------- visible prefixes ------- *)

Lemma visible_cases K L p : visible K L p ->
  (exists cs, p = Bos :: map Ordinary cs /\ Forall K cs /\ (length cs + 2 <= L)%nat) \/
  (exists a c b, p = Bos :: map Ordinary a ++ Trigger c :: map Ordinary b /\
     Forall K a /\ K c /\ Forall K b /\ (1 <= length a)%nat /\ (length a + length b + 2 <= L)%nat).
Proof.
  intros (Hn & rest & a & c & b & E & La & HL & Ka & Kc & Kb).
  destruct p as [|t p]; [congruence|]. simpl in E. injection E as -> E.
  assert (HL' : (length a + length b + 2 = L)%nat).
  { rewrite <- HL. simpl. rewrite E, app_length. simpl. rewrite !map_length. lia. }
  clear HL. destruct (app_eq_app _ _ _ _ E) as (l & [(E1 & E2)|(E1 & E2)]).
  - destruct l as [|x l]; simpl in E2.
    + left. exists a. rewrite app_nil_r in E1. subst p. repeat split; auto. lia.
    + right. injection E2 as E2 E3. subst x p. symmetry in E3.
      destruct (map_eq_app _ _ _ _ (eq_sym E3)) as (b1 & b2 & -> & <- & _).
      exists a, c, b1. apply Forall_app in Kb. rewrite app_length in HL'. repeat split; try tauto. lia.
  - left. destruct (map_eq_app _ _ _ _ E1) as (a1 & a2 & -> & <- & _).
    exists a1. apply Forall_app in Ka. rewrite app_length in HL'. repeat split; try tauto. lia.
Qed.

Lemma Forall_repeat {A} (P : A -> Prop) x m : P x -> Forall P (repeat x m).
Proof. intros H. induction m; simpl; constructor; assumption. Qed.

Lemma ordinary_visible K L cs : nonempty K -> (3 <= L)%nat -> Forall K cs -> (length cs + 2 <= L)%nat ->
  visible K L (Bos :: map Ordinary cs).
Proof.
  intros (b & Hb) HL Hc Hl. split; [discriminate|].
  exists (map Ordinary (repeat b (L - 2 - length cs)) ++ [Trigger b]).
  exists (cs ++ repeat b (L - 2 - length cs)), b, []. simpl. rewrite map_app, <- app_assoc.
  repeat split; auto.
  - rewrite app_length, repeat_length. lia.
  - rewrite !app_length, !map_length, repeat_length. simpl. lia.
  - apply Forall_app; split; [assumption|]. apply Forall_repeat; assumption.
Qed.

Lemma trigger_visible K L a c b : Forall K a -> K c -> Forall K b ->
  (1 <= length a)%nat -> (length a + length b + 2 <= L)%nat ->
  visible K L (Bos :: map Ordinary a ++ Trigger c :: map Ordinary b).
Proof.
  intros Ka Kc Kb La HL. split; [discriminate|].
  exists (map Ordinary (repeat c (L - 2 - length a - length b))).
  exists a, c, (b ++ repeat c (L - 2 - length a - length b)). simpl.
  rewrite map_app, <- app_assoc. simpl. repeat split; auto.
  - rewrite app_length. simpl. rewrite app_length, !map_length, repeat_length. lia.
  - apply Forall_app; split; [assumption|]. apply Forall_repeat; assumption.
Qed.

Lemma bos_visible K L : nonempty K -> (3 <= L)%nat -> visible K L [Bos].
Proof. intros. apply (ordinary_visible K L []); simpl; auto; lia. Qed.

(* the non-trigger rows *)
Lemma nontrigger_cases K L p : nontrigger_row K L p ->
  (exists cs, cs <> [] /\ p = Bos :: map Ordinary cs /\ Forall K cs /\ (length cs + 2 <= L)%nat) \/
  (exists a c b, b <> [] /\ p = Bos :: map Ordinary a ++ Trigger c :: map Ordinary b /\
     Forall K a /\ K c /\ Forall K b /\ (1 <= length a)%nat /\ (length a + length b + 2 <= L)%nat).
Proof.
  intros (Hv & x & Hx). destruct (visible_cases K L p Hv) as [(cs & -> & H)|(a & c & b & -> & H)].
  - left. exists cs. split; [|tauto]. intros ->. discriminate.
  - right. exists a, c, b. split; [|tauto]. intros ->. simpl map in Hx.
    rewrite app_comm_cons, query_app in Hx. discriminate.
Qed.

Lemma before_trigger_cases K L p : before_trigger_row K L p ->
  exists cs, cs <> [] /\ p = Bos :: map Ordinary cs /\ Forall K cs /\ (length cs + 2 <= L)%nat.
Proof.
  intros (Hr & Hn). destruct (nontrigger_cases K L p Hr) as [H|(a & c & b & _ & -> & _)]; [exact H|].
  exfalso. apply Hn. exists c. right. apply in_or_app. right. left. reflexivity.
Qed.

Lemma after_trigger_cases K L p : after_trigger_row K L p ->
  exists a c b, b <> [] /\ p = Bos :: map Ordinary a ++ Trigger c :: map Ordinary b /\
     Forall K a /\ K c /\ Forall K b /\ (1 <= length a)%nat /\ (length a + length b + 2 <= L)%nat.
Proof.
  intros (Hr & c & Hc). destruct (nontrigger_cases K L p Hr) as [(cs & _ & -> & _)|H]; [|exact H].
  destruct Hc as [Hc|Hc]; [discriminate|]. destruct (not_in_ordinary _ _ Hc).
Qed.

(* every row, by its query *)
Lemma row_kinds K L p : visible K L p ->
  p = [Bos] \/
  (exists q c, p = Bos :: q ++ [Ordinary c] /\ nontrigger_row K L p) \/
  (exists a c, a <> [] /\ p = Bos :: map Ordinary a ++ [Trigger c] /\ Forall K a /\ K c /\ (length a + 2 <= L)%nat).
Proof.
  intros Hv. destruct (visible_cases K L p Hv) as [(cs & E & H)|(a & c & b & E & Ka & Kc & Kb & La & HL)].
  - destruct cs as [|c cs]; [left; exact E|]. right; left.
    destruct (exists_last (l := c :: cs)) as (l & x & El); [discriminate|].
    rewrite El, map_app in E. simpl in E. exists (map Ordinary l), x. split; [exact E|].
    split; [exact Hv|]. exists x. rewrite E, app_comm_cons. apply query_app.
  - right. destruct b as [|y b].
    + right. exists a, c. split; [intros ->; simpl in La; lia|]. simpl in E, HL. repeat split; auto. lia.
    + left. destruct (exists_last (l := y :: b)) as (l & x & El); [discriminate|].
      rewrite El, map_app in E. simpl in E. exists (map Ordinary a ++ Trigger c :: map Ordinary l), x.
      split; [rewrite E, <- app_assoc; reflexivity|].
      split; [exact Hv|]. exists x. rewrite E, !app_comm_cons, app_assoc. apply query_app.
Qed.

(* ... are rows of the task *)
Lemma before_trigger_intro K L cs : nonempty K -> (3 <= L)%nat -> cs <> [] -> Forall K cs ->
  (length cs + 2 <= L)%nat -> before_trigger_row K L (Bos :: map Ordinary cs).
Proof.
  intros Kn HL Hn Hc Hl. split.
  - split; [apply ordinary_visible; assumption|]. destruct cs as [|c cs]; [congruence|].
    destruct (query_ordinary [Bos] c cs) as (x & Hx & _). exists x. exact Hx.
  - intros (c & [H|H]); [discriminate|]. destruct (not_in_ordinary _ _ H).
Qed.

Lemma after_trigger_intro K L a c b : b <> [] -> Forall K a -> K c -> Forall K b ->
  (1 <= length a)%nat -> (length a + length b + 2 <= L)%nat ->
  after_trigger_row K L (Bos :: map Ordinary a ++ Trigger c :: map Ordinary b).
Proof.
  intros Hn Ka Kc Kb La HL. split.
  - split; [apply trigger_visible; assumption|]. destruct b as [|x b]; [congruence|].
    destruct (query_ordinary (Bos :: map Ordinary a ++ [Trigger c]) x b) as (y & Hy & _).
    exists y. rewrite <- Hy. rewrite <- app_comm_cons, <- app_assoc. reflexivity.
  - exists c. right. apply in_or_app. right. left. reflexivity.
Qed.

(* ------------------------------------------------- targets ---------------- *)

Lemma target_other n p : (forall c, query p <> Trigger c) -> forall k, target n p k = 0.
Proof. intros H k. unfold target. destruct (query p) eqn:E; auto. destruct (H c eq_refl). Qed.

Lemma target_nontrigger n K L p : nontrigger_row K L p -> forall k, target n p k = 0.
Proof. intros (_ & c & Hc). apply target_other. rewrite Hc. discriminate. Qed.

Lemma target_trigger n p b k : target n (Bos :: p ++ [Trigger b]) k =
  (sum (map (fun t => embed n t k) p) + embed n (Trigger b) k) / (INR (length p) + 1).
Proof.
  unfold target. rewrite app_comm_cons, query_app. unfold mean_of_tokens. simpl tl.
  rewrite map_app, sum_app. simpl map. rewrite sum_cons, sum_nil, Rplus_0_r.
  replace (length ((Bos :: p) ++ [Trigger b]) - 1)%nat with (S (length p)) by (rewrite app_length; simpl; lia).
  rewrite S_INR. reflexivity.
Qed.

(* its flags after m ordinary tokens: (m, 1) / (m + 1) *)
Lemma target_flags n a b :
  target n (Bos :: map Ordinary a ++ [Trigger b]) ordinary_coord = INR (length a) / (INR (length a) + 1) /\
  target n (Bos :: map Ordinary a ++ [Trigger b]) trigger_coord = 1 / (INR (length a) + 1).
Proof.
  rewrite !target_trigger, !map_length, !map_map. simpl.
  rewrite !sum_map_const. split; f_equal; ring.
Qed.

(* the BOS row outputs the value of BOS: an error below it is impossible *)
Lemma error_of_bos n L K V att e k : (3 <= L)%nat -> nonempty K -> simplex_attention K L att ->
  error_le n L K (attention_output n V att) e -> (k < n + 3)%nat -> Rabs (V (embed n Bos) k) <= e.
Proof.
  intros HL Kne Hatt Herr Hk. pose proof (bos_visible K L Kne HL) as Hv.
  pose proof (Herr _ Hv k Hk) as E. destruct (Hatt _ Hv) as (Hl & _ & Hs).
  unfold attention_output in E. rewrite target_other in E by discriminate.
  destruct (att [Bos]) as [|a [|]]; try discriminate Hl. rewrite sum_cons, sum_nil in Hs. simpl in E.
  replace (V (embed n Bos) k) with (a * V (embed n Bos) k + 0 - 0); [exact E|]. replace a with 1 by lra. ring.
Qed.
