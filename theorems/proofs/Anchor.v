(******************************************************************************)
(*                                 ANCHOR                                     *)
(* Without BOS the task cannot be solved: every simplex attention has error   *)
(* at least kappa, and kappa is attained.                                     *)
(*   weight_grows == the trigger's own weight a cannot serve both targets     *)
(*   no_bos_trigger_row == the trigger's row after m copies of one token      *)
(*   anchor_needed_proof, anchor_needed_attained_proof                        *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Task Sinkproof.ThreeTokens.
Import ListNotations.
Open Scope R_scope.

(* (1-a) p + a q near (1/2, 1/2) and (1-c) p + c q near (1-u, u), p near 0 *)
Lemma weight_grows eta u a c po pt qo qt : 0 < u <= 1/3 -> eta < (1 - 2 * u) / 4 ->
  0 <= a <= 1 -> 0 <= c <= 1 -> Rabs po <= eta -> Rabs pt <= eta ->
  Rabs ((1 - a) * po + a * qo - 1/2) <= eta -> Rabs ((1 - a) * pt + a * qt - 1/2) <= eta ->
  Rabs ((1 - c) * po + c * qo - (1 - u)) <= eta -> Rabs ((1 - c) * pt + c * qt - u) <= eta -> False.
Proof.
  rewrite !Rabs_le_iff. intros Hu He Ha Hc Ho Ht Ao At Co Ct.
  assert (Grow : forall p q, p <= eta -> 1/2 - eta <= (1 - a) * p + a * q -> 0 < q - p).
  { intros p q Hp H. apply Rnot_le_lt. intros C.
    assert (a * (q - p) <= 0) by (rewrite <- (Rmult_0_r a); apply mul_le_l; lra). lra. }
  assert (Go : 0 < qo - po) by (apply Grow; lra). assert (Gt : 0 < qt - pt) by (apply Grow; lra).
  destruct (Rle_lt_dec c a) as [C|C].
  - assert (c * (qo - po) <= a * (qo - po)) by (apply Rmult_le_compat_r; lra). lra.
  - assert (a * (qt - pt) <= c * (qt - pt)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma no_bos_trigger_row n L (K : content -> Prop) (V : vec -> vec) (att : attention) eta m c : (3 <= L)%nat -> K c ->
  simplex_attention_no_bos K L att -> error_no_bos_le n L K (attention_output n V att) eta ->
  (1 <= m)%nat -> (m + 2 <= L)%nat ->
  exists a, 0 <= a <= 1 /\
    Rabs ((1 - a) * V (embed n (Ordinary c)) ordinary_coord + a * V (embed n (Trigger c)) ordinary_coord - INR m / (INR m + 1)) <= eta /\
    Rabs ((1 - a) * V (embed n (Ordinary c)) trigger_coord + a * V (embed n (Trigger c)) trigger_coord - 1 / (INR m + 1)) <= eta.
Proof.
  intros HL Hc Hatt Herr H1 H2. set (p := map Ordinary (repeat c m) ++ [Trigger c]).
  assert (Hp : no_bos_row K L p).
  { split; [unfold p; destruct (map Ordinary _); discriminate|].
    apply (trigger_visible K L (repeat c m) c []); auto; try (apply Forall_repeat; assumption);
      rewrite ?repeat_length; simpl; lia. }
  destruct (Hatt p Hp) as (Hl & Hf & Hs).
  destruct (split_weights (att p) (map Ordinary (repeat c m)) [Trigger c] Hl) as (w & w2 & Ew & l1 & l2).
  destruct w2 as [|a [|]]; try discriminate l2. rewrite Ew in Hf, Hs. apply Forall_app in Hf as (Hw & Ha).
  apply Forall_inv in Ha. apply sum_nonneg in Hw. rewrite sum_app, sum_cons, sum_nil in Hs.
  exists a. split; [lra|].
  assert (Out : forall k, attention_output n V att p k = (1 - a) * V (embed n (Ordinary c)) k + a * V (embed n (Trigger c)) k).
  { intros k. unfold attention_output. rewrite Ew. unfold p. rewrite map_app.
    rewrite dot_app by (rewrite map_length; exact l1).
    rewrite map_map, (map_ext_in _ (fun _ => V (embed n (Ordinary c)) k))
      by (intros x Hx; apply repeat_spec in Hx; subst; reflexivity).
    rewrite dot_const_map by (rewrite map_length in l1; exact l1). simpl. replace (1 - a) with (sum w) by lra. ring. }
  destruct (target_flags n (repeat c m) c) as (To & Tt). rewrite repeat_length in To, Tt.
  split; rewrite <- Out.
  - rewrite <- To. apply (Herr p Hp). unfold ordinary_coord. lia.
  - rewrite <- Tt. apply (Herr p Hp). unfold trigger_coord. lia.
Qed.

Theorem anchor_needed_proof : anchor_needed.
Proof.
  intros n L K V att eta HL (c & Hc) Hatt Herr. apply Rnot_lt_le. intros He.
  destruct (kappa_form L HL) as (Hu & Hkap & Hyo & Hyt). rewrite Hkap in He.
  assert (Hp : forall k, (k < n + 3)%nat -> Rabs (V (embed n (Ordinary c)) k) <= eta).
  { intros k Hk. assert (Hv : no_bos_row K L [Ordinary c]).
    { split; [discriminate|]. apply (ordinary_visible K L [c]); [exists c; exact Hc|lia|repeat constructor; exact Hc|simpl; lia]. }
    pose proof (Herr _ Hv k Hk) as E. destruct (Hatt _ Hv) as (Hl & _ & Hs).
    unfold attention_output in E. rewrite target_other in E by discriminate.
    destruct (att [Ordinary c]) as [|a [|]]; try discriminate Hl. rewrite sum_cons, sum_nil in Hs. simpl in E.
    replace (V (embed n (Ordinary c)) k) with (a * V (embed n (Ordinary c)) k + 0 - 0); [exact E|].
    replace a with 1 by lra. ring. }
  destruct (no_bos_trigger_row n L K V att eta 1 c ltac:(lia) Hc Hatt Herr ltac:(lia) ltac:(lia)) as (a & Ha & Ao & At).
  destruct (no_bos_trigger_row n L K V att eta (L - 2) c ltac:(lia) Hc Hatt Herr ltac:(lia) ltac:(lia)) as (b & Hb & Bo & Bt).
  rewrite <- Hyo in Bo. rewrite <- Hyt in Bt.
  replace (INR 1 / (INR 1 + 1)) with (1/2) in Ao by (simpl; lra).
  replace (1 / (INR 1 + 1)) with (1/2) in At by (simpl; lra).
  refine (weight_grows _ _ _ _ _ _ _ _ Hu He Ha Hb (Hp ordinary_coord _) (Hp trigger_coord _) Ao At Bo Bt);
    unfold ordinary_coord, trigger_coord; lia.
Qed.

(* p = 0, q half-way between the extreme targets, every token attends to itself *)
Theorem anchor_needed_attained_proof : anchor_needed_attained.
Proof.
  intros n L HL. destruct (kappa_form L HL) as (Hu & Hkap & _). set (u := 1 / (INR L - 1)) in *.
  exists zero_only, (columns 0 0 0 0 (3/4 - u/2) (1/4 + u/2)), (fun p => repeat 0 (length p - 1) ++ [1]).
  split; [exact zero_only_nonempty|]. split.
  - intros p (Hn & _). apply simplex_last. destruct p; [congruence|simpl; lia].
  - intros p (Hn & Hv) k Hk. unfold attention_output.
    destruct (exists_last Hn) as (q & t & ->). rewrite (dot_last (fun t => apply _ _ (embed n t) k)).
    assert (Hz : zero_only (content_of t)).
    { apply visible_zero in Hv. rewrite Forall_forall in Hv. apply Hv. right. apply in_or_app. right. left. reflexivity. }
    rewrite columns_apply by exact Hz. pose proof (kappa_pos L HL).
    destruct (row_kinds _ _ _ Hv) as [E|[(q' & c & E & Hr)|(a & c & Ha & E & _ & _ & Hl)]].
    + injection E as E. destruct q; discriminate.
    + rewrite (target_nontrigger _ _ _ _ Hr). injection E as E. apply app_inj_tail in E. destruct E as (_ & ->).
      replace (_ - 0) with 0; [rewrite Rabs_R0; lra|]. destruct k as [|[|[|k]]]; simpl; ring.
    + destruct (Nat.eq_dec k ordinary_coord) as [->|No]; [|destruct (Nat.eq_dec k trigger_coord) as [->|Nt]].
      3:{ rewrite value_of_other, (target_zero n L _ k Hv) by assumption. rewrite Rminus_0_r, Rabs_R0. lra. }
      all: rewrite E; destruct (target_flags n a c) as (To & Tt); rewrite ?To, ?Tt.
      all: injection E as E; apply app_inj_tail in E; destruct E as (_ & ->); simpl.
      all: assert (H1 : 1 <= INR (length a)) by (destruct a; [congruence|]; simpl length; rewrite S_INR; pose proof (pos_INR (length a)); lra).
      all: apply le_INR in Hl; rewrite plus_INR in Hl; simpl in Hl.
      all: assert (P1 : u <= 1 / (INR (length a) + 1)) by (unfold u, Rdiv; rewrite !Rmult_1_l; apply Rinv_le_contravar; lra).
      all: assert (P2 : 1 / (INR (length a) + 1) <= 1/2) by (unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_le_contravar; lra).
      all: rewrite Hkap; apply Rabs_le_iff.
      * replace (INR (length a) / (INR (length a) + 1)) with (1 - 1 / (INR (length a) + 1)) by (field; lra). lra.
      * lra.
Qed.
