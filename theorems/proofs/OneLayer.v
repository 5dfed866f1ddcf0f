(******************************************************************************)
(*                               ONE LAYER                                    *)
(* A single layer of simplex attention that solves the task must sink:        *)
(*   (1 - a)(kappa - eta) <= eta  at every non-trigger position.              *)
(* Only the two flag channels (ordinary o, trigger t) are looked at.          *)
(*                                                                            *)
(*   annihilator == a functional g, |g_o| + |g_t| = 1, that vanishes on a     *)
(*                  given vector                                              *)
(*   core == the inequality for one ordinary value p, one trigger value q     *)
(*   reach W X == the ordinary part X of total weight W behaves like W times  *)
(*                one value p in the trigger's equation for the target Y      *)
(*   reach_add == mixing: reach is closed under sums (weights over a_1)       *)
(*   trigger_row == the trigger's row after m copies of one ordinary token    *)
(*   one_layer_sink_proof, _linear_, _epsilon_, sink_price_proof              *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- functionals ------------ *)

Lemma annihilator a b : exists go gt, Rabs go + Rabs gt = 1 /\ go * a + gt * b = 0.
Proof.
  pose proof (Rabs_pos a). pose proof (Rabs_pos b).
  destruct (Req_dec (Rabs a + Rabs b) 0) as [E|E].
  - exists 1, 0. rewrite Rabs_R1, Rabs_R0. split; [ring|].
    destruct (Req_dec a 0) as [->|Ha]; [ring|]. apply Rabs_no_R0 in Ha. lra.
  - exists (b / (Rabs a + Rabs b)), (- a / (Rabs a + Rabs b)). split; [|field; lra].
    unfold Rdiv. rewrite !Rabs_mult, Rabs_Ropp.
    rewrite (Rabs_right (/ _)) by (left; apply Rinv_0_lt_compat; lra). field. lra.
Qed.

Lemma functional_le go gt a b e : Rabs go + Rabs gt = 1 -> Rabs a <= e -> Rabs b <= e ->
  Rabs (go * a + gt * b) <= e.
Proof.
  intros H A B. eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
  pose proof (mul_le_l _ _ _ (Rabs_pos go) A). pose proof (mul_le_l _ _ _ (Rabs_pos gt) B).
  replace e with ((Rabs go + Rabs gt) * e) by (rewrite H; ring). lra.
Qed.

Lemma same_sign a b : Rabs a + Rabs b = 1 -> 0 <= a * b -> Rabs (a + b) = 1.
Proof.
  intros H P. destruct (Req_dec a 0) as [->|Ha]; [rewrite Rplus_0_l, <- H, Rabs_R0; ring|].
  destruct (Req_dec b 0) as [->|Hb]; [rewrite Rplus_0_r, <- H, Rabs_R0; ring|].
  rewrite <- H. unfold Rabs; destruct (Rcase_abs (a + b)), (Rcase_abs a), (Rcase_abs b); try lra; exfalso.
  all: try (assert (0 < - a * b) by (apply Rmult_lt_0_compat; lra); lra).
  all: try (assert (0 < a * - b) by (apply Rmult_lt_0_compat; lra); lra).
Qed.

Lemma opposite_sign a b : Rabs a + Rabs b = 1 -> a * b < 0 -> Rabs (a - b) = 1.
Proof.
  intros H P. rewrite <- H. unfold Rabs; destruct (Rcase_abs (a - b)), (Rcase_abs a), (Rcase_abs b); try lra; exfalso.
  all: try (assert (0 <= - a * - b) by (apply Rmult_le_pos; lra); lra).
  all: try (assert (0 <= a * b) by (apply Rmult_le_pos; lra); lra).
Qed.

(* a row of weights a0, a1, a2 on v, p, q that is eta-close to y *)
Definition close_row (eta a0 a1 a2 v p q y : R) : Prop := Rabs (a0 * v + a1 * p + a2 * q - y) <= eta.

(* g (row - y) is s G + g v - g y : the functional kills p - q *)
Lemma functional_row eta go gt a0 a1 a2 vo vt po pt qo qt yo yt :
  Rabs go + Rabs gt = 1 -> go * (po - qo) + gt * (pt - qt) = 0 -> a0 + a1 + a2 = 1 ->
  close_row eta a0 a1 a2 vo po qo yo -> close_row eta a0 a1 a2 vt pt qt yt ->
  Rabs ((a1 + a2) * (go * (qo - vo) + gt * (qt - vt)) + (go * vo + gt * vt) - (go * yo + gt * yt)) <= eta.
Proof.
  intros Hn Hk Hs Ho Ht. pose proof (functional_le _ _ _ _ _ Hn Ho Ht) as F.
  replace ((a1 + a2) * (go * (qo - vo) + gt * (qt - vt)) + (go * vo + gt * vt) - (go * yo + gt * yt))
    with (go * (a0 * vo + a1 * po + a2 * qo - yo) + gt * (a0 * vt + a1 * pt + a2 * qt - yt)
          - a1 * (go * (po - qo) + gt * (pt - qt)) + (1 - (a0 + a1 + a2)) * (go * vo + gt * vt)) by ring.
  rewrite Hk, Hs. replace (_ - a1 * 0 + _) with
    (go * (a0 * vo + a1 * po + a2 * qo - yo) + gt * (a0 * vt + a1 * pt + a2 * qt - yt)) by ring. exact F.
Qed.

Lemma scaled_le s x : -1 <= s <= 1 -> Rabs (s * x) <= Rabs x.
Proof.
  intros H. rewrite Rabs_mult. rewrite <- (Rmult_1_l (Rabs x)) at 2.
  apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rabs_le_iff. exact H.
Qed.

(* u = 1/(L-1); the row (1-m) v + w p + x q near 0, rows A and C near the two targets *)
Lemma core eta u m w x vo vt po pt qo qt A0 A1 A2 C0 C1 C2 : 0 < u -> u <= 1/3 ->
  0 <= A0 -> 0 <= A1 -> 0 <= A2 -> A0 + A1 + A2 = 1 -> 0 <= C0 -> 0 <= C1 -> 0 <= C2 -> C0 + C1 + C2 = 1 ->
  Rabs vo <= eta -> Rabs vt <= eta -> 0 <= m -> m = w + x ->
  close_row eta (1 - m) w x vo po qo 0 -> close_row eta (1 - m) w x vt pt qt 0 ->
  close_row eta A0 A1 A2 vo po qo (1/2) -> close_row eta A0 A1 A2 vt pt qt (1/2) ->
  close_row eta C0 C1 C2 vo po qo (1 - u) -> close_row eta C0 C1 C2 vt pt qt u ->
  m * ((1 - 2 * u) / 4 - eta) <= eta.
Proof.
  intros Hu Hu1 HA0 HA1 HA2 HAs HC0 HC1 HC2 HCs Hvo Hvt Hm Em Ro Rt Ao At Co Ct.
  destruct (annihilator (po - qo) (pt - qt)) as (go & gt & Hn & Hk).
  assert (HRs : 1 - m + w + x = 1) by lra.
  pose proof (functional_row _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hn Hk HRs Ro Rt) as FR.
  pose proof (functional_row _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hn Hk HAs Ao At) as FA.
  pose proof (functional_row _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hn Hk HCs Co Ct) as FC.
  pose proof (functional_le _ _ _ _ _ Hn Hvo Hvt) as FB.
  set (G := go * (qo - vo) + gt * (qt - vt)) in *. set (B := go * vo + gt * vt) in *.
  rewrite <- Em in FR. replace (m * G + B - (go * 0 + gt * 0)) with (m * G + B) in FR by ring.
  assert (HG : Rabs (m * G) <= 2 * eta).
  { replace (m * G) with ((m * G + B) + - B) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  clearbody G B. assert (Hs : 0 <= A1 + A2 <= 1) by lra. assert (Hr : 0 <= C1 + C2 <= 1) by lra.
  set (s := A1 + A2) in *. set (r := C1 + C2) in *. clearbody s r.
  assert (HL : (1 - 2 * u) / 2 - 2 * eta <= Rabs G).
  { destruct (Rle_lt_dec 0 (go * gt)) as [Sg|Sg].
    - assert (E : Rabs ((go + gt) / 2) = 1/2)
        by (unfold Rdiv; rewrite Rabs_mult, same_sign, (Rabs_right (/ 2)) by (assumption || lra); lra).
      pose proof (scaled_le s G ltac:(lra)).
      apply Rabs_le_iff in FA, FB.
      assert (Rabs ((go + gt) / 2) <= Rabs G + 2 * eta).
      { apply Rabs_le_iff. apply Rabs_le_iff in H. lra. }
      lra.
    - assert (E : Rabs ((1 - 2 * u) / 2 * (go - gt)) = (1 - 2 * u) / 2)
        by (rewrite Rabs_mult, opposite_sign, Rabs_right by (assumption || lra); ring).
      pose proof (scaled_le (r - s) G ltac:(lra)).
      apply Rabs_le_iff in FA, FC.
      assert (Rabs ((1 - 2 * u) / 2 * (go - gt)) <= Rabs G + 2 * eta).
      { apply Rabs_le_iff. apply Rabs_le_iff in H. lra. }
      lra. }
  rewrite Rabs_mult, (Rabs_right m) in HG by lra. pose proof (mul_le_l m _ _ Hm HL). lra.
Qed.

(* ------------------------------------------------- mixing ----------------- *)
(* v, q, y: the flags (o, t) of BOS, of the trigger and of the target           *)

Definition reach (eta vo vt qo qt yo yt W Xo Xt : R) : Prop :=
  (W = 0 /\ Xo = 0 /\ Xt = 0) \/
  (0 < W /\ exists a0 a1 a2, 0 <= a0 /\ 0 <= a1 /\ 0 <= a2 /\ a0 + a1 + a2 = 1 /\
     Rabs (W * (a0 * vo + a2 * qo - yo) + a1 * Xo) <= W * eta /\
     Rabs (W * (a0 * vt + a2 * qt - yt) + a1 * Xt) <= W * eta).

(* one value, one weight *)
Lemma reach_one eta vo vt qo qt yo yt w po pt a0 a1 a2 : 0 <= w ->
  0 <= a0 -> 0 <= a1 -> 0 <= a2 -> a0 + a1 + a2 = 1 ->
  close_row eta a0 a1 a2 vo po qo yo -> close_row eta a0 a1 a2 vt pt qt yt ->
  reach eta vo vt qo qt yo yt w (w * po) (w * pt).
Proof.
  intros Hw H0 H1 H2 Hs Ho Ht. destruct (Req_dec w 0) as [->|Hn]; [left; repeat split; ring|].
  right. split; [lra|]. exists a0, a1, a2. repeat split; try assumption.
  - replace (w * (a0 * vo + a2 * qo - yo) + a1 * (w * po)) with (w * (a0 * vo + a1 * po + a2 * qo - yo)) by ring.
    rewrite Rabs_mult, (Rabs_right w) by lra. apply mul_le_l; assumption.
  - replace (w * (a0 * vt + a2 * qt - yt) + a1 * (w * pt)) with (w * (a0 * vt + a1 * pt + a2 * qt - yt)) by ring.
    rewrite Rabs_mult, (Rabs_right w) by lra. apply mul_le_l; assumption.
Qed.

(* back: an average value *)
Lemma reach_value eta vo vt qo qt yo yt W Xo Xt : 0 < W -> reach eta vo vt qo qt yo yt W Xo Xt ->
  exists a0 a1 a2, 0 <= a0 /\ 0 <= a1 /\ 0 <= a2 /\ a0 + a1 + a2 = 1 /\
    close_row eta a0 a1 a2 vo (Xo / W) qo yo /\ close_row eta a0 a1 a2 vt (Xt / W) qt yt.
Proof.
  intros HW [(E & _)|(_ & a0 & a1 & a2 & H0 & H1 & H2 & Hs & Ho & Ht)]; [lra|].
  exists a0, a1, a2. repeat split; try assumption; unfold close_row; apply Rmult_le_reg_l with W; try lra;
    rewrite <- (Rabs_right W) at 1 by lra; rewrite <- Rabs_mult.
  - replace (W * (a0 * vo + a1 * (Xo / W) + a2 * qo - yo)) with (W * (a0 * vo + a2 * qo - yo) + a1 * Xo) by (field; lra). exact Ho.
  - replace (W * (a0 * vt + a1 * (Xt / W) + a2 * qt - yt)) with (W * (a0 * vt + a2 * qt - yt) + a1 * Xt) by (field; lra). exact Ht.
Qed.

(* a channel, both a1 and b1 positive: weights t1 = W1/a1 and t2 = W2/b1 *)
Lemma mix_channel eta t1 t2 a0 a1 a2 b0 b1 b2 v q y X1 X2 : 0 < t1 -> 0 < t2 -> 0 <= a1 -> 0 <= b1 ->
  0 < t1 * a1 + t2 * b1 ->
  Rabs (t1 * a1 * (a0 * v + a2 * q - y) + a1 * X1) <= t1 * a1 * eta -> 0 < a1 ->
  Rabs (t2 * b1 * (b0 * v + b2 * q - y) + b1 * X2) <= t2 * b1 * eta -> 0 < b1 ->
  Rabs ((t1 * a1 + t2 * b1) * ((t1 * a0 + t2 * b0) / (t1 + t2) * v + (t1 * a2 + t2 * b2) / (t1 + t2) * q - y)
        + (t1 * a1 + t2 * b1) / (t1 + t2) * (X1 + X2)) <= (t1 * a1 + t2 * b1) * eta.
Proof.
  intros Ht1 Ht2 Ha Hb HW E1 Pa E2 Pb.
  assert (N1 : Rabs (t1 * (a0 * v + a2 * q - y) + X1) <= t1 * eta).
  { apply Rmult_le_reg_l with a1; [exact Pa|]. rewrite <- (Rabs_right a1) at 1 by lra. rewrite <- Rabs_mult.
    replace (a1 * (t1 * (a0 * v + a2 * q - y) + X1)) with (t1 * a1 * (a0 * v + a2 * q - y) + a1 * X1) by ring. lra. }
  assert (N2 : Rabs (t2 * (b0 * v + b2 * q - y) + X2) <= t2 * eta).
  { apply Rmult_le_reg_l with b1; [exact Pb|]. rewrite <- (Rabs_right b1) at 1 by lra. rewrite <- Rabs_mult.
    replace (b1 * (t2 * (b0 * v + b2 * q - y) + X2)) with (t2 * b1 * (b0 * v + b2 * q - y) + b1 * X2) by ring. lra. }
  set (W := t1 * a1 + t2 * b1) in *. clearbody W.
  replace (W * ((t1 * a0 + t2 * b0) / (t1 + t2) * v + (t1 * a2 + t2 * b2) / (t1 + t2) * q - y) + W / (t1 + t2) * (X1 + X2))
    with (W / (t1 + t2) * ((t1 * (a0 * v + a2 * q - y) + X1) + (t2 * (b0 * v + b2 * q - y) + X2))) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (W / (t1 + t2))) by (left; apply Rdiv_lt_0_compat; lra).
  replace (W * eta) with (W / (t1 + t2) * ((t1 + t2) * eta)) by (field; lra).
  apply mul_le_l; [left; apply Rdiv_lt_0_compat; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(* if no weight falls on ordinary tokens the row does not depend on X *)
Lemma mix_free eta W W' a0 a2 v q y X X' : 0 < W -> 0 < W' ->
  Rabs (W * (a0 * v + a2 * q - y) + 0 * X) <= W * eta ->
  Rabs (W' * (a0 * v + a2 * q - y) + 0 * X') <= W' * eta.
Proof.
  intros H H' E. rewrite Rmult_0_l, Rplus_0_r, Rabs_mult in *. rewrite (Rabs_right W) in E by lra.
  rewrite (Rabs_right W') by lra. apply mul_le_l; [lra|]. apply Rmult_le_reg_l with W; assumption.
Qed.

Lemma reach_add eta vo vt qo qt yo yt W1 X1o X1t W2 X2o X2t :
  reach eta vo vt qo qt yo yt W1 X1o X1t -> reach eta vo vt qo qt yo yt W2 X2o X2t ->
  reach eta vo vt qo qt yo yt (W1 + W2) (X1o + X2o) (X1t + X2t).
Proof.
  intros [(-> & -> & ->)|(P1 & a0 & a1 & a2 & A0 & A1 & A2 & As & Ao & At)]
         [(-> & -> & ->)|(P2 & b0 & b1 & b2 & B0 & B1 & B2 & Bs & Bo & Bt)].
  - left; repeat split; ring.
  - rewrite !Rplus_0_l. right. split; [lra|]. exists b0, b1, b2. tauto.
  - rewrite !Rplus_0_r. right. split; [lra|]. exists a0, a1, a2. tauto.
  - right. split; [lra|]. destruct (Req_dec a1 0) as [Z|Za].
    { subst a1. exists a0, 0, a2. repeat split; auto.
      - eapply mix_free; [exact P1|lra|exact Ao].
      - eapply mix_free; [exact P1|lra|exact At]. }
    destruct (Req_dec b1 0) as [Z|Zb].
    { subst b1. exists b0, 0, b2. repeat split; auto.
      - eapply mix_free; [exact P2|lra|exact Bo].
      - eapply mix_free; [exact P2|lra|exact Bt]. }
    assert (T1 : 0 < W1 / a1) by (apply Rdiv_lt_0_compat; lra).
    assert (T2 : 0 < W2 / b1) by (apply Rdiv_lt_0_compat; lra).
    assert (E1 : W1 = W1 / a1 * a1) by (field; lra). assert (E2 : W2 = W2 / b1 * b1) by (field; lra).
    set (t1 := W1 / a1) in *. set (t2 := W2 / b1) in *. clearbody t1 t2. subst W1 W2.
    exists ((t1 * a0 + t2 * b0) / (t1 + t2)), ((t1 * a1 + t2 * b1) / (t1 + t2)), ((t1 * a2 + t2 * b2) / (t1 + t2)).
    assert (0 <= t1 * a0) by (apply Rmult_le_pos; lra). assert (0 <= t2 * b0) by (apply Rmult_le_pos; lra).
    assert (0 <= t1 * a2) by (apply Rmult_le_pos; lra). assert (0 <= t2 * b2) by (apply Rmult_le_pos; lra).
    repeat split; try (apply Rle_mult_inv_pos; lra).
    + replace (_ + _ + _) with ((t1 * (a0 + a1 + a2) + t2 * (b0 + b1 + b2)) / (t1 + t2)) by (field; lra).
      rewrite As, Bs. field. lra.
    + apply mix_channel; lra.
    + apply mix_channel; lra.
Qed.

(* ------------------------------------------------- rows of the model ------ *)

Section Model.
Variables (n L : nat) (K : content -> Prop) (V : vec -> vec) (att : attention) (eta : R).
Hypothesis HL : (4 <= L)%nat.
Hypothesis Kne : nonempty K.
Hypothesis Hatt : simplex_attention K L att.
Hypothesis Herr : error_le n L K (attention_output n V att) eta.

Local Notation o := ordinary_coord.
Local Notation t := trigger_coord.
Local Notation val tok k := (V (embed n tok) k).

(* the BOS row: its value is near 0 *)
Lemma bos_value k : (k < n + 3)%nat -> Rabs (val Bos k) <= eta.
Proof. apply (error_of_bos n L K V att); auto. lia. Qed.

(* the trigger's row after m >= 1 copies of one ordinary token *)
Lemma trigger_row m c b : K c -> K b -> (1 <= m)%nat -> (m + 2 <= L)%nat ->
  exists a0 a1 a2, 0 <= a0 /\ 0 <= a1 /\ 0 <= a2 /\ a0 + a1 + a2 = 1 /\
    close_row eta a0 a1 a2 (val Bos o) (val (Ordinary c) o) (val (Trigger b) o) (INR m / (INR m + 1)) /\
    close_row eta a0 a1 a2 (val Bos t) (val (Ordinary c) t) (val (Trigger b) t) (1 / (INR m + 1)).
Proof.
  intros Hc Hb H1 H2. set (p := Bos :: map Ordinary (repeat c m) ++ Trigger b :: map Ordinary []).
  assert (Hv : visible K L p).
  { apply trigger_visible; auto; try (apply Forall_repeat; assumption); rewrite ?repeat_length; simpl; lia. }
  destruct (Hatt p Hv) as (Hl & Hf & Hs). destruct (att p) as [|a0 w] eqn:Ea; [discriminate|].
  injection Hl as Hl. apply Forall_inv_tail in Hf as Hw. apply Forall_inv in Hf.
  destruct (split_weights w (map Ordinary (repeat c m)) [Trigger b] Hl) as (w1 & w2 & -> & l1 & l2).
  destruct w2 as [|a2 [|]]; try discriminate l2. clear l2. apply Forall_app in Hw as (Hw1 & Hw2).
  apply Forall_inv in Hw2. rewrite sum_cons, sum_app, sum_cons, sum_nil in Hs.
  exists a0, (sum w1), a2. pose proof (sum_nonneg w1 Hw1).
  assert (Out : forall k, attention_output n V att p k = a0 * val Bos k + sum w1 * val (Ordinary c) k + a2 * val (Trigger b) k).
  { intros k. unfold attention_output. rewrite Ea. unfold p. simpl map. rewrite map_app. cbn [dot].
    rewrite dot_app by (rewrite map_length; exact l1). simpl dot at 2.
    rewrite map_map, (map_ext_in _ (fun _ => val (Ordinary c) k))
      by (intros x Hx; apply repeat_spec in Hx; subst; reflexivity).
    rewrite dot_const_map by (rewrite map_length in l1; exact l1). ring. }
  destruct (target_flags n (repeat c m) b) as (To & Tt). rewrite repeat_length in To, Tt.
  repeat split; try lra; unfold close_row; rewrite <- Out.
  - rewrite <- To. apply (Herr p Hv). unfold ordinary_coord. lia.
  - rewrite <- Tt. apply (Herr p Hv). unfold trigger_coord. lia.
Qed.

(* mixing over a list of ordinary tokens, for the target after m of them *)
Lemma reach_row b m cs w : K b -> (1 <= m)%nat -> (m + 2 <= L)%nat -> Forall K cs ->
  length w = length cs -> Forall (fun a => 0 <= a) w ->
  reach eta (val Bos o) (val Bos t) (val (Trigger b) o) (val (Trigger b) t) (INR m / (INR m + 1)) (1 / (INR m + 1))
    (sum w) (dot w (map (fun c => val (Ordinary c) o) cs)) (dot w (map (fun c => val (Ordinary c) t) cs)).
Proof.
  intros Hb H1 H2 Hc. revert w; induction Hc as [|c cs Kc Hc IH]; intros [|a w] Hl Hw; try discriminate; simpl.
  - left. repeat split; reflexivity.
  - rewrite sum_cons. apply reach_add.
    + destruct (trigger_row m c b Kc Hb H1 H2) as (a0 & a1 & a2 & A0 & A1 & A2 & As & Ao & At).
      apply Forall_inv in Hw. apply (reach_one _ _ _ _ _ _ _ a _ _ a0 a1 a2); assumption.
    + apply IH; [simpl in Hl; lia|apply Forall_inv_tail in Hw; exact Hw].
Qed.

(* the row a0 v + (ordinary part X of weight W) + x q, near 0, with W = 0 or reachable X *)
Lemma sink_row b a0 W x Xo Xt : K b -> 0 <= a0 -> 0 <= W -> 0 <= x -> a0 + W + x = 1 ->
  (forall m, (1 <= m)%nat -> (m + 2 <= L)%nat ->
     reach eta (val Bos o) (val Bos t) (val (Trigger b) o) (val (Trigger b) t)
       (INR m / (INR m + 1)) (1 / (INR m + 1)) W Xo Xt) ->
  Rabs (a0 * val Bos o + Xo + x * val (Trigger b) o) <= eta ->
  Rabs (a0 * val Bos t + Xt + x * val (Trigger b) t) <= eta ->
  (1 - a0) * (kappa L - eta) <= eta.
Proof.
  intros Hb Ha HW Hx Hs HR Ro Rt.
  destruct (kappa_form L HL) as ((Hu0 & Hu1) & Hk & Hyo & Hyt). set (u := 1 / (INR L - 1)) in *.
  assert (exists po pt, Xo = W * po /\ Xt = W * pt /\ forall m, (1 <= m)%nat -> (m + 2 <= L)%nat ->
    exists a0 a1 a2, 0 <= a0 /\ 0 <= a1 /\ 0 <= a2 /\ a0 + a1 + a2 = 1 /\
    close_row eta a0 a1 a2 (val Bos o) po (val (Trigger b) o) (INR m / (INR m + 1)) /\
    close_row eta a0 a1 a2 (val Bos t) pt (val (Trigger b) t) (1 / (INR m + 1))) as (po & pt & Eo & Et & HP).
  { destruct (Req_dec W 0) as [Z|Z].
    - destruct (HR 1%nat ltac:(lia) ltac:(lia)) as [(_ & -> & ->)|(F & _)]; [|lra].
      exists (val (Ordinary b) o), (val (Ordinary b) t). rewrite Z. repeat split; try ring.
      intros m h1 h2. apply trigger_row; assumption.
    - exists (Xo / W), (Xt / W). repeat split; try (field; lra).
      intros m h1 h2. apply reach_value; [lra|]. apply HR; assumption. }
  destruct (HP 1%nat ltac:(lia) ltac:(lia)) as (A0 & A1 & A2 & h0 & h1 & h2 & hs & Ao & At).
  destruct (HP (L - 2)%nat ltac:(lia) ltac:(lia)) as (C0 & C1 & C2 & g0 & g1 & g2 & gs & Co & Ct).
  rewrite <- Hyo in Co. rewrite <- Hyt in Ct.
  replace (INR 1 / (INR 1 + 1)) with (1/2) in Ao by (simpl; lra).
  replace (1 / (INR 1 + 1)) with (1/2) in At by (simpl; lra).
  rewrite Hk. apply (core eta u (1 - a0) W x (val Bos o) (val Bos t) po pt (val (Trigger b) o) (val (Trigger b) t) A0 A1 A2 C0 C1 C2);
    try assumption; try lra; try (apply bos_value; unfold ordinary_coord, trigger_coord; lia); unfold close_row.
  - replace ((1 - (1 - a0)) * val Bos o + W * po + x * val (Trigger b) o - 0) with (a0 * val Bos o + Xo + x * val (Trigger b) o) by (rewrite Eo; ring). exact Ro.
  - replace ((1 - (1 - a0)) * val Bos t + W * pt + x * val (Trigger b) t - 0) with (a0 * val Bos t + Xt + x * val (Trigger b) t) by (rewrite Et; ring). exact Rt.
Qed.

Lemma sink p : nontrigger_row K L p -> (1 - bos_weight att p) * (kappa L - eta) <= eta.
Proof.
  intros Hr. assert (Hv : visible K L p) by apply Hr.
  destruct (Hatt p Hv) as (Hl & Hf & Hs).
  pose proof (Herr p Hv o ltac:(unfold ordinary_coord; lia)) as Eo. pose proof (Herr p Hv t ltac:(unfold trigger_coord; lia)) as Et.
  rewrite (target_nontrigger n K L p Hr), Rminus_0_r in Eo, Et. unfold attention_output in Eo, Et.
  unfold bos_weight. destruct (nontrigger_cases K L p Hr) as [(cs & _ & -> & HK & _)|(a & c & b & _ & -> & Ka & Kc & Kb & _)].
  - (* before the trigger: no weight on a trigger, whose content is any in K *)
    destruct Kne as (b & Hb). destruct (att (Bos :: map Ordinary cs)) as [|a0 w]; [discriminate|]. simpl hd.
    injection Hl as Hl. rewrite map_length in Hl. apply Forall_inv_tail in Hf as Hw. apply Forall_inv in Hf.
    rewrite sum_cons in Hs. simpl map in Eo, Et. rewrite map_map in Eo, Et. cbn [dot] in Eo, Et.
    apply (sink_row b a0 (sum w) 0 (dot w (map (fun c => val (Ordinary c) o) cs)) (dot w (map (fun c => val (Ordinary c) t) cs)));
      try assumption; try lra; try (apply sum_nonneg; assumption).
    + intros m h1 h2. apply reach_row; assumption.
    + rewrite Rmult_0_l, Rplus_0_r. exact Eo.
    + rewrite Rmult_0_l, Rplus_0_r. exact Et.
  - destruct (att _) as [|a0 w]; [discriminate|]. simpl hd.
    injection Hl as Hl. apply Forall_inv_tail in Hf as Hw. apply Forall_inv in Hf.
    destruct (split_weights w (map Ordinary a) (Trigger c :: map Ordinary b) Hl) as (w1 & w2 & -> & l1 & l2).
    destruct w2 as [|x w2]; [discriminate l2|]. injection l2 as l2. rewrite map_length in l1, l2.
    apply Forall_app in Hw as (Hw1 & Hw2). apply Forall_inv_tail in Hw2 as Hw3. apply Forall_inv in Hw2.
    rewrite sum_cons, sum_app, sum_cons in Hs.
    simpl map in Eo, Et. rewrite map_app in Eo, Et. cbn [dot] in Eo, Et.
    rewrite dot_app in Eo, Et by (rewrite !map_length; exact l1).
    simpl map in Eo, Et. cbn [dot] in Eo, Et. rewrite !map_map in Eo, Et.
    pose proof (sum_nonneg w1 Hw1). pose proof (sum_nonneg w2 Hw3).
    apply (sink_row c a0 (sum w1 + sum w2) x
      (dot w1 (map (fun c => val (Ordinary c) o) a) + dot w2 (map (fun c => val (Ordinary c) o) b))
      (dot w1 (map (fun c => val (Ordinary c) t) a) + dot w2 (map (fun c => val (Ordinary c) t) b)));
      try assumption; try lra.
    + intros m h1 h2. apply reach_add; apply reach_row; assumption.
    + match goal with |- Rabs ?y <= _ => match type of Eo with Rabs ?z <= _ => replace y with z by ring end end. exact Eo.
    + match goal with |- Rabs ?y <= _ => match type of Et with Rabs ?z <= _ => replace y with z by ring end end. exact Et.
Qed.

Lemma error_nonneg : 0 <= eta.
Proof. eapply Rle_trans; [apply Rabs_pos|]. apply (bos_value 0). lia. Qed.

End Model.

(* ------------------------------------------------- theorems --------------- *)

Theorem one_layer_sink_proof : one_layer_sink.
Proof. intros n L K V att eta HL Kne Hatt Herr _ p Hp. eapply sink; eassumption. Qed.

Lemma weight_le_1 K L att p : simplex_attention K L att -> visible K L p -> 0 <= bos_weight att p <= 1.
Proof.
  intros Hatt Hv. destruct (Hatt p Hv) as (_ & Hf & Hs). unfold bos_weight.
  destruct (att p) as [|a w]; simpl; [lra|]. apply Forall_inv_tail in Hf as Hw. apply Forall_inv in Hf.
  apply sum_nonneg in Hw. rewrite sum_cons in Hs. lra.
Qed.

Theorem one_layer_sink_linear_proof : one_layer_sink_linear.
Proof.
  intros n L K V att eta HL Kne Hatt Herr p Hp. pose proof (kappa_pos L HL) as Hk.
  pose proof (sink n L K V att eta HL Kne Hatt Herr p Hp) as S. destruct Hp as (Hv & _).
  destruct (weight_le_1 K L att p Hatt Hv) as (H0 & H1).
  pose proof (error_nonneg n L K V att eta HL Kne Hatt Herr) as He. set (a := bos_weight att p) in *.
  assert ((1 - a) * eta <= 1 * eta) by (apply Rmult_le_compat_r; lra).
  assert ((1 - a) * kappa L <= 2 * eta) by lra.
  assert (1 - a <= 2 * eta / kappa L); [|lra].
  apply Rmult_le_reg_r with (kappa L); [exact Hk|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Theorem one_layer_sink_epsilon_proof : one_layer_sink_epsilon.
Proof.
  intros n L K V att eps HL Kne Hatt He Herr p Hp. pose proof (kappa_pos L HL) as Hk.
  pose proof (sink n L K V att _ HL Kne Hatt Herr p Hp) as S. set (a := bos_weight att p) in *.
  replace (kappa L - eps * kappa L / (1 + eps)) with (kappa L / (1 + eps)) in S by (field; lra).
  assert (P : 0 < kappa L / (1 + eps)) by (apply Rdiv_lt_0_compat; lra).
  replace (eps * kappa L / (1 + eps)) with (eps * (kappa L / (1 + eps))) in S by (field; lra).
  apply Rmult_le_reg_r in S; lra.
Qed.

Theorem sink_price_proof : sink_price.
Proof.
  intros n L K V att eta eps HL Kne Hatt He Herr (p & Hp & Ha). pose proof (kappa_pos L HL) as Hk.
  pose proof (sink n L K V att eta HL Kne Hatt Herr p Hp) as S.
  pose proof (error_nonneg n L K V att eta HL Kne Hatt Herr) as Hn.
  destruct (Rle_lt_dec (kappa L) eta) as [B|B].
  - apply Rle_trans with (kappa L); [|exact B]. apply Rmult_le_reg_r with (1 + eps); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - assert (eps * (kappa L - eta) <= (1 - bos_weight att p) * (kappa L - eta)) by (apply Rmult_le_compat_r; lra).
    apply Rmult_le_reg_r with (1 + eps); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
