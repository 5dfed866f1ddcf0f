(******************************************************************************)
(*                             SOFTMAX, SHARP                                 *)
(* The constants of SoftmaxAfter and (at L = 4) SoftmaxBefore are suprema.    *)
(* Witnesses: one content (zero), so three tokens, and a linear value map;    *)
(* the trigger's row has unnormalised weights e on BOS, 1 on each ordinary    *)
(* token, B on itself. All other rows put everything on BOS, but one.         *)
(*    witness_att e B special w == that attention; the row where special      *)
(*                      holds has the weights w                               *)
(*      witness_error == it solves the task within eta, if its rows do        *)
(*      witness_exact == its error is exactly eta if BOS has the o-flag -eta  *)
(*         before_row == the trigger's rows before the trigger, e = B = tau   *)
(*  after_row, perturb_row == the trigger's rows for e = 0, and for small e   *)
(*  after_special_row == the row (BOS, ordinary, trigger, ordinary), d near   *)
(*                       eta: weights 1 - 4 d, 2 d, 2 d, 0                    *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.Lists.
Require Import Sinkproof.ThreeTokens Sinkproof.SoftmaxCores.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- the witness ------------ *)

Definition witness_score (e B : R) (q t : token) : R :=
  match t with Bos => ln e | Ordinary _ => 0 | Trigger _ => ln B end.

Definition witness_att (e B : R) (special : list token -> bool) (w : list R) : attention := fun p =>
  match query p with
  | Trigger _ => pair_softmax (witness_score e B) p
  | _ => if special p then w else 1 :: repeat 0 (length p - 1)
  end.

Lemma simplex_first m : (1 <= m)%nat -> simplex_row m (1 :: repeat 0 (m - 1)).
Proof.
  intros H. split; [simpl; rewrite repeat_length; lia|]. split.
  - constructor; [lra|]. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. lra.
  - rewrite sum_cons, sum_repeat. ring.
Qed.

Lemma pair_softmax_simplex score p : p <> [] -> simplex_row (length p) (pair_softmax score p).
Proof.
  intros H. assert (Hz : map (score (query p)) p <> []) by (destruct p; [congruence|discriminate]).
  unfold pair_softmax. split; [rewrite softmax_length, map_length; reflexivity|].
  split; [|apply softmax_sum; exact Hz].
  generalize (softmax_pos (map (score (query p)) p)). apply Forall_impl. intros; lra.
Qed.

Section Witness.
Variables (n L : nat) (eta vo vt po pt qo qt e B : R) (special : list token -> bool) (w : list R).
Hypothesis HL : (4 <= L)%nat.
Hypothesis Heta : 0 <= eta.
Hypothesis He : 0 < e.
Hypothesis HB : 0 < B.
Hypothesis Hvo : - eta <= vo <= eta.
Hypothesis Hvt : - eta <= vt <= eta.
Hypothesis Hrows : forall m, (1 <= m)%nat -> (m + 2 <= L)%nat -> flags_ok eta vo vt qo qt (INR m) e B po pt.
Let value := value_of vo vt po pt qo qt.
Hypothesis Hspecial : forall p, visible zero_only L p -> special p = true ->
  simplex_row (length p) w /\
  - eta <= dot w (map (fun t => value t 2%nat) p) <= eta /\
  - eta <= dot w (map (fun t => value t 1%nat) p) <= eta.

Let att := witness_att e B special w.

Lemma witness_simplex : simplex_attention zero_only L att.
Proof.
  intros p Hv. pose proof Hv as [Hn _].
  assert (Hl : (1 <= length p)%nat) by (destruct p; [congruence|simpl; lia]).
  assert (H : simplex_row (length p) (if special p then w else 1 :: repeat 0 (length p - 1))).
  { destruct (special p) eqn:S; [apply Hspecial; assumption|apply simplex_first; exact Hl]. }
  unfold att, witness_att. destruct (query p); [exact H|apply pair_softmax_simplex; exact Hn|exact H].
Qed.

Lemma witness_softmax : trigger_rows_softmax zero_only L (witness_score e B) att.
Proof. intros p c _ Q. unfold att, witness_att. rewrite Q. reflexivity. Qed.

Lemma trigger_row_output a c k : let p := Bos :: map Ordinary a ++ [Trigger c] in
  dot (att p) (map (fun t => value t k) p) * (e + INR (length a) + B) =
  e * value Bos k + INR (length a) * value (Ordinary c) k + B * value (Trigger c) k.
Proof.
  intros p. assert (Q : query p = Trigger c) by (unfold p; rewrite app_comm_cons; apply query_app).
  unfold att, witness_att. rewrite Q. unfold pair_softmax, softmax. rewrite Q, !map_map, dot_div_map.
  assert (D : sum (map (fun t => exp (witness_score e B (Trigger c) t)) p) = e + INR (length a) + B).
  { unfold p. cbn [map]. rewrite map_app, map_map, sum_cons, sum_app. cbn [map witness_score].
    rewrite sum_map_const, sum_cons, sum_nil, exp_0, !exp_ln by assumption. ring. }
  rewrite D. pose proof (pos_INR (length a)).
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold p. cbn [map]. rewrite map_app, map_map, sum_cons, sum_app. cbn [map witness_score].
  rewrite exp_0, !exp_ln by assumption.
  rewrite (map_ext (fun x => 1 * value (Ordinary x) k) (fun _ => value (Ordinary c) k))
    by (intros x; unfold value; simpl; ring).
  rewrite sum_map_const, sum_cons, sum_nil. ring.
Qed.

Lemma near_of_row o y v p q m : row_ok eta m e B v p q y -> 0 <= m ->
  o * (e + m + B) = e * v + m * p + B * q -> Rabs (o - y) <= eta.
Proof.
  intros [H1 H2] Hm E. rewrite <- E in H1, H2. apply Rabs_le_iff.
  assert (y - eta <= o) by (apply (cancel_mul (e + m + B)); lra).
  assert (o <= y + eta) by (apply (cancel_mul (e + m + B)); lra). lra.
Qed.

Lemma witness_error : error_le n L zero_only (attention_output n (apply (n + 3) (columns vo vt po pt qo qt)) att) eta.
Proof.
  apply three_error; [exact Heta|]. fold value. intros p Hv.
  unfold ordinary_coord, trigger_coord.
  assert (N : (forall c, query p <> Trigger c) ->
    - eta <= dot (att p) (map (fun t => value t 2%nat) p) <= eta /\
    - eta <= dot (att p) (map (fun t => value t 1%nat) p) <= eta).
  { intros Q. assert (E : att p = if special p then w else 1 :: repeat 0 (length p - 1)).
    { unfold att, witness_att. destruct (query p); [reflexivity|destruct (Q c eq_refl)|reflexivity]. }
    rewrite E. destruct (special p) eqn:S; [apply Hspecial; assumption|].
    destruct (visible_cases _ _ _ Hv) as [(cs & -> & _)|(a & c & b & -> & _)]; cbn [map dot];
      rewrite !dot_zeros; unfold value; simpl; lra. }
  destruct (row_kinds _ _ _ Hv) as [->|[(q & c & -> & Hr)|(a & c & Hn & -> & Ha & Hc & Hl)]].
  - rewrite !target_other, !Rminus_0_r by discriminate. rewrite !Rabs_le_iff. apply N. discriminate.
  - rewrite !(target_nontrigger _ _ _ _ Hr), !Rminus_0_r, !Rabs_le_iff. apply N.
    rewrite app_comm_cons, query_app. discriminate.
  - destruct (target_flags n a c) as [To Tt]. unfold ordinary_coord in To. unfold trigger_coord in Tt. rewrite To, Tt.
    destruct (Hrows (length a)) as [Ro Rt]; [destruct a; [congruence|simpl; lia]|exact Hl|].
    pose proof (pos_INR (length a)).
    split; (eapply near_of_row; [eassumption|assumption|]).
    + apply (trigger_row_output a c 2).
    + apply (trigger_row_output a c 1).
Qed.

Lemma witness_exact : vo = - eta ->
  error_is n L zero_only (attention_output n (apply (n + 3) (columns vo vt po pt qo qt)) att) eta.
Proof.
  intros Ev. split; [exact witness_error|]. intros x Hx.
  pose proof (error_of_bos n L zero_only _ att x 2 ltac:(lia) zero_only_nonempty witness_simplex Hx ltac:(lia)) as H.
  rewrite columns_apply in H by (intros k; reflexivity). simpl in H. rewrite Ev in H.
  apply Rabs_le_iff in H. lra.
Qed.
End Witness.

(* ------------------------------------------------- before the trigger ----- *)

Section Before.
Variables eta tau : R.
Hypothesis Heta : 0 < eta <= 1/12.
Hypothesis Htau : 0 < tau <= 1/2.

Let po := 5/6 - 3 * eta + 2 * tau * (1/6 - 2 * eta).
Let pt := 1/6 - tau / 3.
Let qo := ((1 + 2 * tau) * (1/2 + eta) - tau * - eta - po) / tau.
Let qt := ((1 + 2 * tau) / 2 - pt) / tau.
Let m := 2 * eta / (po + eta).
Definition before_special (p : list token) : bool := match p with [_; Ordinary _] => true | _ => false end.

Lemma before_row k : (1 <= k)%nat -> (k + 2 <= 4)%nat -> flags_ok eta (- eta) 0 qo qt (INR k) tau tau po pt.
Proof.
  intros H1 H2. assert (Eo : tau * qo = (1 + 2 * tau) * (1/2 + eta) - tau * - eta - po) by (unfold qo; field; lra).
  assert (Et : tau * qt = (1 + 2 * tau) / 2 - pt) by (unfold qt; field; lra).
  assert (P : 0 <= tau * eta) by (apply Rmult_le_pos; lra).
  assert (C : (k = 1 \/ k = 2)%nat) by lia. unfold flags_ok, row_ok. rewrite Eo, Et.
  destruct C as [-> | ->]; simpl INR; unfold po, pt;
    try replace (1 / (1 + 1)) with (1/2) by field;
    try replace ((1 + 1) / (1 + 1 + 1)) with (2/3) by field;
    try replace (1 / (1 + 1 + 1)) with (1/3) by field; repeat split; lra.
Qed.

Lemma before_mass_bounds : 2/3 <= po + eta /\ 0 <= m <= 3 * eta /\ m * (po + eta) = 2 * eta.
Proof.
  assert (X : 0 <= 2 * tau * (1/6 - 2 * eta)) by (apply Rmult_le_pos; lra).
  assert (P : 2/3 <= po + eta) by (unfold po; lra).
  assert (E : m * (po + eta) = 2 * eta) by (unfold m; field; lra).
  split; [exact P|]. split; [|exact E].
  assert (M0 : 0 <= m) by (unfold m; apply Rle_mult_inv_pos; lra).
  split; [exact M0|]. assert (m * (2/3) <= m * (po + eta)) by (apply mul_le_l; lra). lra.
Qed.

Lemma before_mass_large : 12 * eta / (5 - 12 * eta) - tau < m.
Proof.
  destruct before_mass_bounds as (P & M & E).
  set (m0 := 12 * eta / (5 - 12 * eta)). assert (E0 : m0 * (5/6 - 2 * eta) = 2 * eta) by (unfold m0; field; lra).
  assert (X : m * (2 * tau * (1/6 - 2 * eta)) <= 1/4 * (2 * tau * (1/6 - 2 * eta))).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]. }
  assert (Y : 0 <= tau * eta) by (apply Rmult_le_pos; lra).
  assert (D : (m0 - m) * (5/6 - 2 * eta) <= tau / 12) by (unfold po in E; lra).
  apply Rnot_le_lt. intros H.
  assert (Z : tau * (5/6 - 2 * eta) <= (m0 - m) * (5/6 - 2 * eta)) by (apply Rmult_le_compat_r; lra).
  assert (tau * eta <= tau * (1/12)) by (apply mul_le_l; lra). lra.
Qed.

Lemma before_special_row p : visible zero_only 4 p -> before_special p = true ->
  simplex_row (length p) [1 - m; m] /\
  - eta <= dot [1 - m; m] (map (fun t => value_of (- eta) 0 po pt qo qt t 2%nat) p) <= eta /\
  - eta <= dot [1 - m; m] (map (fun t => value_of (- eta) 0 po pt qo qt t 1%nat) p) <= eta.
Proof.
  intros Hv S. destruct before_mass_bounds as (P & M & E).
  destruct p as [|t [|[|c|c] [|]]]; try discriminate S.
  assert (t = Bos) as -> by (destruct (visible_cases _ _ _ Hv) as [(cs & X & _)|(a & d & b & X & _)]; injection X as ->; reflexivity).
  cbn [map dot value_of flags length]. split; [|split].
  - split; [reflexivity|]. split; [repeat (apply Forall_cons; [lra|]); apply Forall_nil|]. rewrite !sum_cons, sum_nil. ring.
  - lra.
  - assert (0 <= m * pt) by (unfold pt; apply Rmult_le_pos; lra).
    assert (m * pt <= m * (1/6)) by (unfold pt; apply mul_le_l; lra). lra.
Qed.
End Before.

Theorem softmax_before_sharp_proof : softmax_before_sharp.
Proof.
  intros n eta small H0 H1 Hs. set (tau := Rmin small (1/2)).
  assert (Ht : 0 < tau <= 1/2) by (unfold tau; split; [apply Rmin_glb_lt; lra|apply Rmin_r]).
  assert (Hts : tau <= small) by apply Rmin_l. clearbody tau.
  set (po := 5/6 - 3 * eta + 2 * tau * (1/6 - 2 * eta)). set (pt := 1/6 - tau / 3).
  set (qo := ((1 + 2 * tau) * (1/2 + eta) - tau * - eta - po) / tau).
  set (qt := ((1 + 2 * tau) / 2 - pt) / tau). set (m := 2 * eta / (po + eta)).
  pose proof (before_special_row eta tau (conj H0 H1) Ht) as SP.
  pose proof (before_row eta tau (conj H0 H1) Ht) as BR.
  pose proof (before_mass_large eta tau (conj H0 H1) Ht) as ML.
  fold po pt qo qt m in SP, BR, ML.
  exists zero_only, (columns (- eta) 0 po pt qo qt), (witness_att tau tau before_special [1 - m; m]), (witness_score tau tau).
  split; [apply zero_only_nonempty|]. split; [|split; [|split]].
  - apply (witness_simplex 4 eta (- eta) 0 po pt qo qt); [lia|exact SP].
  - apply witness_softmax.
  - apply witness_exact; auto; lra.
  - exists [Bos; Ordinary zero]. split.
    + apply (before_trigger_intro zero_only 4 [zero]); [apply zero_only_nonempty|lia|discriminate| |simpl; lia].
      constructor; [intros k; reflexivity|constructor].
    + unfold bos_weight, witness_att. simpl. lra.
Qed.

(* ------------------------------------------------- after the trigger ------ *)

(* BOS may get a small weight *)
Lemma perturb_row eta' eta m e B v p q y : 0 <= y <= 1 -> - eta <= v <= eta -> 0 <= e ->
  e <= (eta - eta') * (m + B) -> row_ok eta' m 0 B v p q y -> row_ok eta m e B v p q y.
Proof.
  unfold row_ok. intros Hy Hv He Hs [A1 A2].
  assert (e * v <= e * (y + eta)) by (apply mul_le_l; lra).
  assert (e * (y - eta - 1) <= e * v) by (apply mul_le_l; lra). lra.
Qed.

(* m ordinary tokens before the trigger: too little by 2 d / (m + 1) on both flags *)
Lemma after_row m d vo vt : 1 <= m -> 0 <= d -> flags_ok d vo vt (-2 * d) (1 - 2 * d) m 0 1 1 0.
Proof.
  intros Hm Hd. unfold flags_ok, row_ok.
  assert (Eo : (m + 1) * (m / (m + 1)) = m) by (field; lra).
  assert (Et : (m + 1) * (1 / (m + 1)) = 1) by (field; lra).
  assert (0 <= d * (m - 1)) by (apply Rmult_le_pos; lra).
  rewrite !Rplus_0_l. split; split; lra.
Qed.

Definition after_special (p : list token) : bool :=
  match p with [_; Ordinary _; Trigger _; Ordinary _] => true | _ => false end.

Lemma after_special_row L eta d p : 0 <= d <= eta -> eta <= 1/4 ->
  let w := [1 - 4 * d; 2 * d; 2 * d; 0] in
  let value := value_of (- eta) (- eta) 1 0 (-2 * d) (1 - 2 * d) in
  visible zero_only L p -> after_special p = true ->
  simplex_row (length p) w /\
  - eta <= dot w (map (fun t => value t 2%nat) p) <= eta /\
  - eta <= dot w (map (fun t => value t 1%nat) p) <= eta.
Proof.
  intros Hd He w value Hv S.
  destruct p as [|t [|[|c1|c1] [|[|c2|c2] [|[|c3|c3] [|]]]]]; try discriminate S.
  assert (t = Bos) as -> by (destruct (visible_cases _ _ _ Hv) as [(cs & X & _)|(a & x & y & X & _)]; injection X as ->; reflexivity).
  assert (0 <= 4 * d * (eta - d)) by (apply Rmult_le_pos; lra).
  assert (4 * d * (eta - d) <= 1 * (eta - d)) by (apply Rmult_le_compat_r; lra).
  unfold w, value. cbn [map dot value_of flags length]. split; [|split; lra].
  split; [reflexivity|]. split; [repeat (apply Forall_cons; [lra|]); apply Forall_nil|].
  rewrite !sum_cons, sum_nil. ring.
Qed.

Theorem softmax_after_sharp_proof : softmax_after_sharp.
Proof.
  intros n L eta small HL H0 Hk Hs.
  assert (He : eta <= 1/4) by (destruct (kappa_form L HL) as (Hu & Ek & _); lra). clear Hk.
  set (tau := Rmin (eta / 2) (small / 8)).
  assert (Ht : 0 < tau) by (unfold tau; apply Rmin_glb_lt; lra).
  assert (Ht1 : tau <= eta / 2) by apply Rmin_l. assert (Ht2 : tau <= small / 8) by apply Rmin_r.
  clearbody tau. set (d := eta - tau). assert (Hd : 0 <= d <= eta) by (unfold d; lra).
  exists zero_only, (columns (- eta) (- eta) 1 0 (-2 * d) (1 - 2 * d)),
    (witness_att tau 1 after_special [1 - 4 * d; 2 * d; 2 * d; 0]), (witness_score tau 1).
  pose proof (fun p => after_special_row L eta d p Hd He) as SP. cbv zeta in SP.
  split; [apply zero_only_nonempty|]. split; [|split; [|split]].
  - apply (witness_simplex L eta (- eta) (- eta) 1 0 (-2 * d) (1 - 2 * d)); [exact HL|exact SP].
  - apply witness_softmax.
  - apply witness_exact; auto; try lra. intros m M0 _. apply (le_INR 1) in M0. simpl (INR 1) in M0.
    destruct (after_row (INR m) d (- eta) (- eta) M0 (proj1 Hd)) as (Ro & Rt).
    assert (Hw : tau <= (eta - d) * (INR m + 1)).
    { unfold d. replace (eta - (eta - tau)) with tau by ring.
      assert (tau * 1 <= tau * (INR m + 1)) by (apply mul_le_l; lra). lra. }
    split; (apply (perturb_row d eta); [|lra|lra|exact Hw|assumption]).
    + split; [apply Rle_mult_inv_pos; lra|]. apply (cancel_mul (INR m + 1)); [lra|]. field_simplify; lra.
    + split; [apply Rle_mult_inv_pos; lra|]. apply (cancel_mul (INR m + 1)); [lra|]. field_simplify; lra.
  - exists [Bos; Ordinary zero; Trigger zero; Ordinary zero]. split.
    + apply (after_trigger_intro zero_only L [zero] zero [zero]); try discriminate; simpl; try lia;
        try (constructor; [intros k; reflexivity|constructor]). intros k; reflexivity.
    + unfold bos_weight, witness_att. simpl. unfold d. lra.
Qed.
