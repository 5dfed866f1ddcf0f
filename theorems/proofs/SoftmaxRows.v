(******************************************************************************)
(*                              SOFTMAX ROWS                                  *)
(* Rows of exp-softmax are simplex rows; a family of softmax solutions of the *)
(* task, with its exact error and mass: ordinary queries score s on BOS, the  *)
(* trigger -s, all else 0; E = exp s. Their outputs are S / (E + i - 1) and   *)
(* S / (1/E + i - 1), S the sum of the i - 1 visible tokens but BOS.          *)
(*   token_sum n p k == that S, coordinate k                                  *)
(*   family_output == the outputs                                             *)
(*   flag_sums, content_sum == S at the flags, and |S| <= C (i - 1)           *)
(*   frac_mono == x / (E + x) grows with x                                    *)
(*   softmax_rows_simplex_proof, softmax_family_proof                         *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Lists.
Import ListNotations.
Open Scope R_scope.

Lemma softmax_simplex_row z : z <> [] -> simplex_row (length z) (softmax z).
Proof.
  intros H. split; [apply softmax_length|]. split; [|apply softmax_sum; exact H].
  eapply Forall_impl; [|apply softmax_pos]. intros a Ha. lra.
Qed.

Theorem softmax_rows_simplex_proof : softmax_rows_simplex.
Proof.
  split; [exact softmax_simplex_row|]. split; [exact softmax_pos|].
  intros K L logits H p (Hn & _). rewrite <- H. apply softmax_simplex_row.
  intros E. apply Hn. specialize (H p). rewrite E in H. destruct p; [reflexivity|discriminate].
Qed.

(* ------------------------------------------------- outputs ---------------- *)

Definition token_sum (n : nat) (p : list token) (k : nat) : R := sum (map (fun t => embed n t k) (tl p)).

Lemma tail_length (t : token) q : (length (t :: q) - 1)%nat = length q.
Proof. simpl. apply Nat.sub_0_r. Qed.

Lemma visible_tail K L p : visible K L p -> exists q, p = Bos :: q /\ ~ In Bos q.
Proof.
  intros Hv. assert (G : forall l, ~ In Bos (map Ordinary l)).
  { intros l H. apply in_map_iff in H. destruct H as (x & E & _). discriminate. }
  destruct (visible_cases K L p Hv) as [(cs & -> & _)|(a & c & b & -> & _)]; eexists; (split; [reflexivity|]).
  - apply G.
  - intros H. apply in_app_or in H. destruct H as [H|[H|H]]; [apply (G _ H)|discriminate|apply (G _ H)].
Qed.

Lemma family_output n so st q k : ~ In Bos q -> (k < n + 3)%nat ->
  attention_output n (apply (n + 3) off_bos) (bilinear_softmax n (bos_scores so st)) (Bos :: q) k =
  token_sum n (Bos :: q) k / (exp (bos_logit so st (query (Bos :: q))) + INR (length q)).
Proof.
  intros Hq Hk. unfold attention_output, bilinear_softmax.
  rewrite bos_scores_logits, softmax_head by exact Hq. set (D := exp _ + _).
  simpl map. cbn [dot]. rewrite repeat_const_map, (dot_div_map (fun _ => 1)).
  rewrite apply_off_bos by exact Hk. unfold token_sum. cbn [tl].
  rewrite (map_ext_in _ (fun t => embed n t k)).
  - assert (Z : match k with O => 0 | _ => embed n Bos k end = 0)
      by (destruct k as [|[|[|k]]]; simpl; try destruct (k <? n)%nat; reflexivity).
    rewrite Z. unfold Rdiv. ring.
  - intros t Ht. rewrite apply_off_bos by exact Hk. destruct k; [|ring].
    destruct t; [destruct (Hq Ht)| |]; simpl; ring.
Qed.

(* ------------------------------------------------- sums ------------------- *)

Lemma sum_ordinary n cs k : sum (map (fun t => embed n t k) (map Ordinary cs)) =
  sum (map (fun c => embed n (Ordinary c) k) cs).
Proof. rewrite map_map. reflexivity. Qed.

(* the flags of the tokens but BOS: counts *)
Lemma flag_sums_before n cs : let p := Bos :: map Ordinary cs in
  token_sum n p 0%nat = 0 /\ token_sum n p trigger_coord = 0 /\ token_sum n p ordinary_coord = INR (length cs).
Proof.
  cbv zeta. unfold token_sum. cbn [tl]. rewrite !sum_ordinary. simpl. rewrite !sum_map_const. repeat split; ring.
Qed.

Lemma flag_sums_after n a c b : let p := Bos :: map Ordinary a ++ Trigger c :: map Ordinary b in
  token_sum n p 0%nat = 0 /\ token_sum n p trigger_coord = 1 /\
  token_sum n p ordinary_coord = INR (length a + length b).
Proof.
  cbv zeta. unfold token_sum. cbn [tl]. rewrite !map_app, !sum_app. cbn [map].
  rewrite !sum_cons, !sum_ordinary. simpl. rewrite !sum_map_const, plus_INR. repeat split; ring.
Qed.

Lemma content_sum n K L C p k : visible K L p -> content_sup n K C ->
  Rabs (token_sum n p (S (S (S k)))) <= INR (length p - 1) * C.
Proof.
  intros Hv ((H0 & HC) & _). unfold token_sum. replace (length p - 1)%nat with (length (tl p)) by (destruct p; simpl; lia).
  apply sum_map_abs. intros t Ht.
  assert (Hc : K (content_of t)).
  { assert (G : forall l, Forall K l -> In t (map Ordinary l) -> K (content_of t)).
    { intros l Hl H. apply in_map_iff in H. destruct H as (x & <- & Hx). rewrite Forall_forall in Hl. apply Hl; exact Hx. }
    destruct (visible_cases K L p Hv) as [(cs & -> & Hk & _)|(a & c & b & -> & Ha & Hk & Hb & _)]; cbn [tl] in Ht.
    - apply (G cs); assumption.
    - apply in_app_or in Ht. destruct Ht as [Ht|[<-|Ht]]; [apply (G a); assumption|exact Hk|apply (G b); assumption]. }
  simpl. destruct (Nat.ltb_spec k n) as [Hkn|Hkn]; [apply HC; assumption|rewrite Rabs_R0; exact H0].
Qed.

Lemma frac_mono E x y : 0 < E -> 0 <= x <= y -> x / (E + x) <= y / (E + y).
Proof.
  intros HE Hx. apply Rmult_le_reg_r with ((E + x) * (E + y)); [apply Rmult_lt_0_compat; lra|].
  replace (x / (E + x) * ((E + x) * (E + y))) with (x * E + x * y) by (field; lra).
  replace (y / (E + y) * ((E + x) * (E + y))) with (y * E + x * y) by (field; lra).
  assert (E * x <= E * y) by (apply mul_le_l; lra). lra.
Qed.

(* x / (E + z) and x / (1/E + m) - x / m *)
Lemma abs_div x d B : 0 < d -> Rabs x <= B -> Rabs (x / d) <= B / d.
Proof.
  intros Hd H. unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ d)) by (left; apply Rinv_0_lt_compat; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact H].
Qed.

Lemma trigger_gap E m x B : 0 < E -> 1 <= m -> Rabs x <= B * m -> 0 <= B ->
  Rabs (x / (/ E + m) - x / m) <= B / (E + 1).
Proof.
  intros HE Hm Hx HB. assert (P : 0 < 1 + m * E) by (assert (0 < m * E) by (apply Rmult_lt_0_compat; lra); lra).
  replace (x / (/ E + m) - x / m) with (- (x / (m * (1 + m * E)))) by (field; repeat split; lra).
  rewrite Rabs_Ropp. eapply Rle_trans; [apply abs_div; [apply Rmult_lt_0_compat; lra|exact Hx]|].
  replace (B * m / (m * (1 + m * E))) with (B * / (1 + m * E)) by (field; lra).
  apply mul_le_l; [exact HB|]. apply Rinv_le_contravar; [lra|].
  assert (1 * E <= m * E) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* ------------------------------------------------- the family ------------- *)

Section Family.
Variables (n L : nat) (K : content -> Prop) (C s : R).
Hypothesis HL : (4 <= L)%nat.
Hypothesis Kne : nonempty K.
Hypothesis HC : content_sup n K C.

Let att := bilinear_softmax n (bos_scores s (- s)).
Let out := attention_output n (apply (n + 3) off_bos) att.
Let E := exp s.
Let flag_error := (INR L - 2) / (E + INR L - 2).
Let content_error := C * (INR L - 1) / (E + INR L - 1).

Lemma E_pos : 0 < E.
Proof. apply exp_pos. Qed.

Lemma flag_frac x : 0 <= x <= INR L - 2 -> x / (E + x) <= flag_error.
Proof.
  intros H. unfold flag_error. replace (E + INR L - 2) with (E + (INR L - 2)) by ring.
  apply frac_mono; [exact E_pos|exact H].
Qed.

Lemma content_frac x : 0 <= x <= INR L - 1 -> C * (x / (E + x)) <= content_error.
Proof.
  intros H. unfold content_error, Rdiv. rewrite Rmult_assoc. apply mul_le_l; [apply HC|].
  replace (E + INR L - 1) with (E + (INR L - 1)) by ring. apply frac_mono; [exact E_pos|exact H].
Qed.

Lemma frac_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros. apply Rle_mult_inv_pos; assumption. Qed.

(* rows off the trigger *)
Lemma nontrigger_error p k : nontrigger_row K L p -> (k < n + 3)%nat ->
  Rabs (out p k - target n p k) <= Rmax flag_error content_error.
Proof.
  intros Hr Hk. rewrite (target_nontrigger n K L p Hr), Rminus_0_r. pose proof E_pos as HE. pose proof (INR_4 L HL) as HL4.
  destruct (visible_tail K L p (proj1 Hr)) as (q & Ep & Hq).
  assert (EO : out p k = token_sum n p k / (E + INR (length p - 1))).
  { rewrite Ep. unfold out, att. rewrite family_output by assumption. rewrite tail_length.
    rewrite <- Ep. destruct Hr as (_ & c & ->). reflexivity. }
  rewrite EO. clear EO. assert (Hlen : (1 <= length p - 1 <= L - 1)%nat).
  { destruct (nontrigger_cases K L p Hr) as [(cs & Hn & -> & _ & Hl)|(a & c & b & _ & -> & _ & _ & _ & Ha & Hl)]; simpl.
    - rewrite map_length. destruct cs; [congruence|]; simpl in *; lia.
    - rewrite app_length. simpl. rewrite !map_length. lia. }
  destruct Hlen as (H1 & H2). apply le_INR in H1, H2. rewrite (minus_INR L 1) in H2 by lia. change (INR 1) with 1 in H1, H2.
  set (m := INR (length p - 1)) in *.
  assert (Zero : Rabs (0 / (E + m)) <= Rmax flag_error content_error).
  { eapply Rle_trans; [|apply Rmax_l]. unfold Rdiv. rewrite Rmult_0_l, Rabs_R0. unfold flag_error.
    apply frac_nonneg; lra. }
  destruct k as [|[|[|k]]].
  4:{ eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [apply abs_div; [lra|apply (content_sum n K L C); [apply Hr|exact HC]]|].
      fold m. replace (m * C / (E + m)) with (C * (m / (E + m))) by (field; lra). apply content_frac. lra. }
  all: destruct (nontrigger_cases K L p Hr) as [(cs & Hn & Ec & _ & Hl)|(a & c & b & _ & Ec & _ & _ & _ & Ha & Hl)];
    [destruct (flag_sums_before n cs) as (F0 & F1 & F2)|destruct (flag_sums_after n a c b) as (F0 & F1 & F2)];
    rewrite <- Ec in F0, F1, F2; unfold trigger_coord, ordinary_coord in F1, F2; rewrite ?F0, ?F1, ?F2; try exact Zero.
  - (* the trigger's flag, after the trigger *)
    eapply Rle_trans; [|apply Rmax_l]. rewrite Rabs_right by (apply Rle_ge, frac_nonneg; lra).
    apply Rle_trans with (1 / (E + 1)); [|apply flag_frac; lra].
    unfold Rdiv. apply mul_le_l; [lra|]. apply Rinv_le_contravar; lra.
  - eapply Rle_trans; [|apply Rmax_l].
    assert (Em : m = INR (length cs)) by (unfold m; rewrite Ec, tail_length, map_length; reflexivity).
    rewrite <- Em. rewrite Rabs_right by (apply Rle_ge, frac_nonneg; lra). apply flag_frac.
    apply le_INR in Hl. rewrite plus_INR in Hl. simpl in Hl. lra.
  - eapply Rle_trans; [|apply Rmax_l].
    assert (Em : m = INR (length a + length b) + 1).
    { unfold m. rewrite Ec, tail_length, app_length. simpl length. rewrite !map_length.
      rewrite Nat.add_succ_r, S_INR. reflexivity. }
    apply le_INR in Hl. rewrite plus_INR in Hl. simpl (INR 2) in Hl.
    set (x := INR (length a + length b)) in *. pose proof (pos_INR (length a + length b)).
    rewrite Rabs_right by (apply Rle_ge, frac_nonneg; lra).
    apply Rle_trans with (x / (E + x)); [|apply flag_frac; unfold x in *; lra].
    unfold Rdiv. apply mul_le_l; [assumption|]. apply Rinv_le_contravar; unfold x in *; lra.
Qed.

(* the trigger's row *)
Lemma trigger_error a c k : let p := Bos :: map Ordinary a ++ [Trigger c] in visible K L p -> (1 <= length a)%nat ->
  (k < n + 3)%nat -> Rabs (out p k - target n p k) <= Rmax flag_error content_error.
Proof.
  intros p Hv Ha Hk. pose proof E_pos as HE. pose proof (INR_4 L HL) as HL4.
  destruct (visible_tail K L p Hv) as (q & Ep & Hq). assert (Eq : query p = Trigger c) by apply (query_app (Bos :: map Ordinary a)).
  set (m := INR (length p - 1)).
  assert (EO : out p k = token_sum n p k / (/ E + m)).
  { unfold m. rewrite Ep. unfold out, att. rewrite family_output by assumption. rewrite tail_length.
    rewrite <- Ep, Eq. unfold E. rewrite <- exp_Ropp. reflexivity. }
  assert (ET : target n p k = token_sum n p k / m) by (unfold target; rewrite Eq; reflexivity).
  assert (Em : m = INR (length a) + 1).
  { unfold m, p. rewrite tail_length, app_length, map_length, plus_INR. reflexivity. }
  apply le_INR in Ha. simpl in Ha. rewrite EO, ET.
  assert (One : 1 / (E + 1) <= flag_error) by (apply flag_frac; lra).
  destruct k as [|[|[|k]]].
  4:{ eapply Rle_trans; [|apply Rmax_r]. apply Rle_trans with (C / (E + 1)).
      - apply trigger_gap; [exact HE|lra| |apply HC]. rewrite Rmult_comm.
        apply (content_sum n K L C); [exact Hv|exact HC].
      - replace (C / (E + 1)) with (C * (1 / (E + 1))) by (field; lra). apply content_frac. lra. }
  all: destruct (flag_sums_after n a c []) as (F0 & F1 & F2); fold p in F0, F1, F2;
    simpl in F0, F1, F2; fold p in F0, F1, F2; unfold trigger_coord, ordinary_coord in F1, F2; rewrite ?F0, ?F1, ?F2.
  all: eapply Rle_trans; [|apply Rmax_l]; eapply Rle_trans; [|exact One]; apply trigger_gap; try lra.
  - rewrite Rabs_R0. lra.
  - rewrite Rabs_right; lra.
  - rewrite Nat.add_0_r, Rabs_right by lra. lra.
Qed.

Lemma family_error : error_le n L K out (Rmax flag_error content_error).
Proof.
  intros p Hv k Hk. destruct (row_kinds K L p Hv) as [->|[(q & c & _ & Hr)|(a & c & Hn & -> & _)]].
  - pose proof (INR_4 L HL). pose proof E_pos.
    unfold out, att. rewrite family_output by (exact Hk || intros []). rewrite target_other by discriminate.
    unfold token_sum. simpl. rewrite sum_nil. unfold Rdiv. rewrite Rmult_0_l, Rminus_0_r, Rabs_R0.
    eapply Rle_trans; [|apply Rmax_l]. apply frac_nonneg; lra.
  - apply nontrigger_error; assumption.
  - apply trigger_error; try assumption. destruct a; [congruence|simpl; lia].
Qed.

(* both terms are reached: position L - 1 before the trigger; position L after it *)
Lemma family_exact e : error_le n L K out e -> Rmax flag_error content_error <= e.
Proof.
  intros He. pose proof (INR_4 L HL) as HL4. pose proof E_pos as HE. apply Rmax_lub.
  - destruct Kne as (c & Hc). set (cs := repeat c (L - 2)).
    assert (Hr : before_trigger_row K L (Bos :: map Ordinary cs)).
    { apply before_trigger_intro; auto; [lia| |apply Forall_repeat; exact Hc|unfold cs; rewrite repeat_length; lia].
      unfold cs. destruct (L - 2)%nat eqn:Z; [lia|discriminate]. }
    pose proof (He _ (proj1 (proj1 Hr)) ordinary_coord ltac:(unfold ordinary_coord; lia)) as B.
    rewrite (target_nontrigger n K L _ (proj1 Hr)), Rminus_0_r in B. unfold out, att in B.
    assert (Hb : ~ In Bos (map Ordinary cs)) by (intros H; apply in_map_iff in H; destruct H as (x & Z & _); discriminate).
    rewrite family_output in B by (exact Hb || (unfold ordinary_coord; lia)).
    destruct (proj1 Hr) as (_ & y & Hy). rewrite Hy in B. simpl bos_logit in B.
    destruct (flag_sums_before n cs) as (_ & _ & F2). rewrite F2, map_length in B.
    unfold cs in B. rewrite repeat_length, minus_INR in B by lia. simpl (INR 2) in B. fold E in B.
    rewrite Rabs_right in B by (apply Rle_ge, frac_nonneg; lra).
    unfold flag_error. replace (E + INR L - 2) with (E + (INR L - 2)) by ring. exact B.
  - assert (He0 : 0 <= e) by (apply (error_le_nonneg n L K out e [Bos]); [apply bos_visible; [exact Kne|lia]|exact He]).
    assert (HB : C <= e * ((E + (INR L - 1)) / (INR L - 1))).
    { apply HC. assert (P : 0 < (E + (INR L - 1)) / (INR L - 1)) by (apply Rdiv_lt_0_compat; lra).
      split; [apply Rmult_le_pos; lra|]. intros c k Hc Hk. set (a := repeat c (L - 3)).
      assert (Hr : after_trigger_row K L (Bos :: map Ordinary a ++ Trigger c :: map Ordinary [c])).
      { apply after_trigger_intro; auto; try discriminate; try (apply Forall_repeat; exact Hc);
          unfold a; rewrite ?repeat_length; simpl; lia. }
      pose proof (He _ (proj1 (proj1 Hr)) (S (S (S k))) ltac:(lia)) as B.
      rewrite (target_nontrigger n K L _ (proj1 Hr)), Rminus_0_r in B.
      destruct (visible_tail K L _ (proj1 (proj1 Hr))) as (q & Ep & Hq). injection Ep as Ep.
      change (map Ordinary a ++ Trigger c :: map Ordinary [c] = q) in Ep. subst q.
      unfold out, att in B. rewrite family_output in B by (exact Hq || lia).
      destruct (proj1 Hr) as (_ & y & Hy). rewrite Hy in B. simpl bos_logit in B. fold E in B.
      replace (INR (length (map Ordinary a ++ Trigger c :: map Ordinary [c]))) with (INR L - 1) in B.
      2:{ rewrite app_length, map_length. unfold a. rewrite repeat_length. simpl length.
          replace (L - 3 + 2)%nat with (L - 1)%nat by lia. rewrite minus_INR by lia. reflexivity. }
      replace (token_sum n _ _) with ((INR L - 1) * c k) in B.
      2:{ unfold token_sum. cbn [tl]. rewrite map_app, sum_app. cbn [map]. rewrite !sum_cons, sum_nil, sum_ordinary.
          assert (Hkn : (k <? n)%nat = true) by (apply Nat.ltb_lt; exact Hk).
          rewrite (map_ext_in _ (fun _ => c k)).
          - rewrite sum_map_const. unfold a. rewrite repeat_length, minus_INR by lia. simpl. rewrite Hkn. ring.
          - intros x Hx. apply repeat_spec in Hx. subst x. simpl. rewrite Hkn. reflexivity. }
      apply Rmult_le_reg_r with ((INR L - 1) / (E + (INR L - 1))); [apply Rdiv_lt_0_compat; lra|].
      replace (e * ((E + (INR L - 1)) / (INR L - 1)) * ((INR L - 1) / (E + (INR L - 1)))) with e by (field; lra).
      eapply Rle_trans; [|exact B]. right.
      replace ((INR L - 1) * c k / (E + (INR L - 1))) with (c k * ((INR L - 1) / (E + (INR L - 1)))) by (field; lra).
      rewrite Rabs_mult, (Rabs_right ((INR L - 1) / _)) by (apply Rle_ge, frac_nonneg; lra). reflexivity. }
    unfold content_error. replace (E + INR L - 1) with (E + (INR L - 1)) by ring.
    apply Rmult_le_reg_r with ((E + (INR L - 1)) / (INR L - 1)); [apply Rdiv_lt_0_compat; lra|].
    replace (C * (INR L - 1) / (E + (INR L - 1)) * ((E + (INR L - 1)) / (INR L - 1))) with C by (field; lra). exact HB.
Qed.

Lemma family_mass p : nontrigger_row K L p -> 1 - bos_weight att p = (INR (length p) - 1) / (E + INR (length p) - 1).
Proof.
  intros Hr. destruct (visible_tail K L p (proj1 Hr)) as (q & Ep & Hq). destruct Hr as (_ & c & Hc).
  unfold bos_weight, att, bilinear_softmax. rewrite Ep in *. rewrite bos_scores_logits, softmax_head, Hc by exact Hq.
  simpl hd. simpl length. rewrite S_INR. pose proof E_pos as HE. pose proof (pos_INR (length q)). fold E. field. lra.
Qed.

End Family.

Theorem softmax_family_proof : softmax_family.
Proof.
  intros n L K C s HL Kne HC. split; [split|].
  - apply family_error; assumption.
  - intros e. apply family_exact; assumption.
  - intros p. apply family_mass; assumption.
Qed.
