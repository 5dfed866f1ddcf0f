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
(*   after_sharp_wide == softmax_after_sharp, eta <= 1/6 instead of kappa     *)
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

(* x ordinary tokens before the trigger; d = eta' *)
Lemma after_row x d b s vo vt : 1 <= x -> 0 <= (x - 1) * (x - 2) -> 0 <= d -> 1 <= b ->
  b * (1 - 6 * d) = 1 -> b * s = (1 + b) / 2 - 2 * d -> b * (x - 5) <= 2 * (x + 1) ->
  flags_ok d vo vt d (s - d) x 0 b (1 + d * b - d) d.
Proof.
  intros Hx Hx2 Hd Hb Eb Es Hxb. unfold flags_ok, row_ok.
  assert (Eo : (x + 1) * (x / (x + 1)) = x) by (field; lra).
  assert (Et : (x + 1) * (1 / (x + 1)) = 1) by (field; lra).
  set (yo := x / (x + 1)) in *. set (yt := 1 / (x + 1)) in *.
  assert (Edb : d * b = (b - 1) / 6) by lra.
  assert (G1 : 0 <= d * b * ((x - 1) * (x - 2))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|exact Hx2]).
  assert (G2 : 0 <= d * x * (2 * (x + 1) - b * (x - 5))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
  assert (G3 : 0 <= d * ((x - 1) * (x + 1))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  assert (G4 : 0 <= (x - 1) * (b - 1)) by (apply Rmult_le_pos; lra).
  assert (G5 : 0 <= d * (2 * (x + 1) - b * (x - 5))) by (apply Rmult_le_pos; lra).
  assert (F1 : d * b * x = (b - 1) / 6 * x) by (rewrite Edb; ring).
  assert (F2 : d * b * x * x = (b - 1) / 6 * x * x) by (rewrite Edb; ring).
  assert (F3 : b * s * x = ((1 + b) / 2 - 2 * d) * x) by (rewrite Es; ring).
  assert (Y1 : (x + b) * ((x + 1) * yo) = (x + b) * x) by (rewrite Eo; ring).
  assert (Y2 : (x + b) * ((x + 1) * yt) = (x + b) * 1) by (rewrite Et; ring).
  clearbody yo yt.
  split; (split; apply (cancel_mul (x + 1)); [lra| |lra|]); lra.
Qed.

Definition after_special (p : list token) : bool :=
  match p with [_; Ordinary _; Trigger _; Ordinary _] => true | _ => false end.

(* b (x - 5) <= 2 (x + 1) from d <= 1/3 - kappa *)
Lemma after_condition L x d b : (4 <= L)%nat -> 1 <= x <= INR L - 2 -> d <= 1/3 - kappa L -> 0 < b ->
  b * (1 - 6 * d) = 1 -> b * (x - 5) <= 2 * (x + 1).
Proof.
  intros HL Hx Hd Hb Eb. pose proof (INR_4 L HL) as HL4. set (N := INR L - 2) in *.
  assert (Ek : 4 * (N + 1) * kappa L = N - 1) by (unfold kappa, N; field; lra).
  set (k := kappa L) in *. clearbody k.
  assert (A : (N + 1) * (6 * d) <= (N + 1) * (2 - 6 * k)) by (apply mul_le_l; unfold N; lra).
  assert (A2 : N - 5 <= (2 * (N + 1)) * (1 - 6 * d)) by lra.
  assert (A3 : (x + 1) * (N - 5) <= (x + 1) * ((2 * (N + 1)) * (1 - 6 * d))) by (apply mul_le_l; lra).
  assert (A4 : (N + 1) * (x - 5) <= (N + 1) * (2 * (x + 1) * (1 - 6 * d))) by lra.
  assert (A5 : x - 5 <= 2 * (x + 1) * (1 - 6 * d)) by (apply (cancel_mul (N + 1)); unfold N in *; lra).
  assert (A6 : b * (x - 5) <= b * (2 * (x + 1) * (1 - 6 * d))) by (apply mul_le_l; lra).
  replace (b * (2 * (x + 1) * (1 - 6 * d))) with (2 * (x + 1) * (b * (1 - 6 * d))) in A6 by ring.
  rewrite Eb in A6. lra.
Qed.

Lemma after_special_row L eta d b s p : 0 <= d <= eta -> d <= 1/6 -> 1 <= b ->
  b * (1 - 6 * d) = 1 -> b * s = (1 + b) / 2 - 2 * d ->
  let w := [1 - 4 * d; 4 * d / (1 + b); 4 * d * b / (1 + b); 0] in
  let value := value_of (- eta) (- eta) (1 + d * b - d) d d (s - d) in
  visible zero_only L p -> after_special p = true ->
  simplex_row (length p) w /\
  - eta <= dot w (map (fun t => value t 2%nat) p) <= eta /\
  - eta <= dot w (map (fun t => value t 1%nat) p) <= eta.
Proof.
  intros Hd He Hb Eb Es w value Hv S.
  destruct p as [|t [|[|c1|c1] [|[|c2|c2] [|[|c3|c3] [|]]]]]; try discriminate S.
  assert (t = Bos) as -> by (destruct (visible_cases _ _ _ Hv) as [(cs & X & _)|(a & x & y & X & _)]; injection X as ->; reflexivity).
  assert (M : 4 * d * (eta - d) <= 2 * (eta - d)) by (apply Rmult_le_compat_r; lra).
  assert (P1 : 0 <= d * b) by (apply Rmult_le_pos; lra).
  assert (V : (1 - 4 * d) * - eta + 4 * d * (1/2 - d) = - eta + 2 * d + 4 * d * (eta - d)) by field.
  assert (M0 : 0 <= 4 * d * (eta - d)) by (apply Rmult_le_pos; lra).
  unfold w, value. cbn [map dot value_of flags length]. split; [|split].
  - split; [reflexivity|]. split.
    + repeat (apply Forall_cons; [try lra; apply Rle_mult_inv_pos; lra|]). apply Forall_nil.
    + rewrite !sum_cons, sum_nil. field. lra.
  - match goal with |- _ <= ?x <= _ => replace x with ((1 - 4 * d) * - eta + 4 * d * (1/2 - d)) end; [lra|].
    rewrite Rmult_0_l, Rplus_0_r. f_equal.
    transitivity (4 * d / (1 + b) * (1 + d * b - d + b * d + 0)); [|field; lra].
    replace (1 + d * b - d + b * d + 0) with ((1 + b) * (1/2 - d)) by lra. field. lra.
  - match goal with |- _ <= ?x <= _ => replace x with ((1 - 4 * d) * - eta + 4 * d * (1/2 - d)) end; [lra|].
    rewrite Rmult_0_l, Rplus_0_r. f_equal.
    transitivity (4 * d / (1 + b) * (d + (b * s - b * d))); [|field; lra].
    replace (d + (b * s - b * d)) with ((1 + b) * (1/2 - d)) by lra. field. lra.
Qed.

(* eta <= kappa and eta <= 1/3 - kappa give eta <= 1/6, which is enough *)
Lemma after_sharp_wide n L eta small :
  (4 <= L)%nat -> 0 < eta -> eta <= 1/3 - kappa L -> eta <= 1/6 -> 0 < small ->
  exists K M att score,
  nonempty K /\ simplex_attention K L att /\ trigger_rows_softmax K L score att /\
  error_is n L K (attention_output n (apply (n + 3) M) att) eta /\
  exists p, after_trigger_row K L p /\ 4 * eta - small < 1 - bos_weight att p.
Proof.
  intros HL H0 H13 H6 Hs.
  set (tau := Rmin (eta / 2) (small / 8)).
  assert (Ht : 0 < tau) by (unfold tau; apply Rmin_glb_lt; lra).
  assert (Ht1 : tau <= eta / 2) by apply Rmin_l. assert (Ht2 : tau <= small / 8) by apply Rmin_r.
  clearbody tau. set (d := eta - tau). assert (Hd : 0 <= d <= eta) by (unfold d; lra).
  set (b := 1 / (1 - 6 * d)). assert (Eb : b * (1 - 6 * d) = 1) by (unfold b; field; unfold d in *; lra).
  assert (Hb : 1 <= b).
  { apply Rmult_le_reg_r with (1 - 6 * d); [unfold d in *; lra|]. lra. }
  set (s := ((1 + b) / 2 - 2 * d) / b). assert (Es : b * s = (1 + b) / 2 - 2 * d) by (unfold s; field; lra).
  clearbody b s.
  set (w := [1 - 4 * d; 4 * d / (1 + b); 4 * d * b / (1 + b); 0]).
  exists zero_only, (columns (- eta) (- eta) (1 + d * b - d) d d (s - d)),
    (witness_att tau b after_special w), (witness_score tau b).
  assert (SP : forall p, visible zero_only L p -> after_special p = true -> _)
    by (exact (fun p => after_special_row L eta d b s p Hd ltac:(unfold d; lra) Hb Eb Es)).
  cbv zeta in SP. fold w in SP.
  split; [apply zero_only_nonempty|]. split; [|split; [|split]].
  - apply (witness_simplex L eta (- eta) (- eta) (1 + d * b - d) d d (s - d)); [exact HL|exact SP].
  - apply witness_softmax.
  - apply witness_exact; auto; try lra. intros m M0 M2. pose proof M0 as M1. apply le_INR in M1, M2. rewrite plus_INR in M2. simpl in M1, M2.
    assert (X2 : 0 <= (INR m - 1) * (INR m - 2)).
    { destruct (Nat.eq_dec m 1) as [->|Hm]; [simpl; lra|].
      assert (2 <= INR m) by (apply (le_INR 2); lia). apply Rmult_le_pos; lra. }
    pose proof (INR_4 L HL) as HL4.
    assert (HC : b * (INR m - 5) <= 2 * (INR m + 1)) by (apply (after_condition L (INR m) d b HL); lra).
    destruct (after_row (INR m) d b s (- eta) (- eta) M1 X2 (proj1 Hd) Hb Eb Es HC) as [Ro Rt].
    assert (Hw : tau <= (eta - d) * (INR m + b)).
    { unfold d. replace (eta - (eta - tau)) with tau by ring.
      assert (tau * 1 <= tau * (INR m + b)) by (apply mul_le_l; lra). lra. }
    split; (apply (perturb_row d eta); [|lra|lra|exact Hw|assumption]).
    + split; [apply Rle_mult_inv_pos; lra|]. apply (cancel_mul (INR m + 1)); [lra|]. field_simplify; lra.
    + split; [apply Rle_mult_inv_pos; lra|]. apply (cancel_mul (INR m + 1)); [lra|]. field_simplify; lra.
  - exists [Bos; Ordinary zero; Trigger zero; Ordinary zero]. split.
    + apply (after_trigger_intro zero_only L [zero] zero [zero]); try discriminate; simpl; try lia;
        try (constructor; [intros k; reflexivity|constructor]). intros k; reflexivity.
    + unfold bos_weight, witness_att. simpl. unfold d. lra.
Qed.

Theorem softmax_after_sharp_proof : softmax_after_sharp.
Proof. intros n L eta small HL H0 Hk H13 Hs. apply after_sharp_wide; lra || assumption. Qed.
