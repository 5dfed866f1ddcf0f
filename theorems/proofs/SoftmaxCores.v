(******************************************************************************)
(*                             SOFTMAX, CORES                                 *)
(* The arithmetic of one softmax layer, on the two flags o (ordinary) and t   *)
(* (trigger). The trigger's row gives unnormalised weights e to BOS, 1 to     *)
(* each of its n ordinary tokens and B to itself; v, p, q are the values of   *)
(* BOS, of an ordinary token (or a mean of several) and of the trigger.       *)
(*                                                                            *)
(*    row_ok eta n e B v p q y == the row's output is within eta of y         *)
(*  flags_ok eta vo vt qo qt n e B po pt == its flags are near (n, 1)/(n+1)   *)
(*          row_ok_mean == in e, B, p, row_ok is closed under means           *)
(*                   P0 == 1 - 1/(2(N+1)) - 2 eta/(N-1),  N = L - 2           *)
(*       core_ordinary  == P0 <= p_o + eta, and 2/3 <= P0                     *)
(*       core_after     == at most 4 eta off BOS, with or without the trigger *)
(*       core_before    == at most 2 eta / (p_o + eta) off BOS before it      *)
(*       core_slope     == 1 - 18 eta/(N-2) <= p_o + eta, from n = 1, 2, N    *)
(******************************************************************************)
Require Import Reals Lra.
Require Import Sinkproof.Statements Sinkproof.Sums.
Open Scope R_scope.

Definition row_ok (eta n e B v p q y : R) : Prop :=
  (e + n + B) * (y - eta) <= e * v + n * p + B * q <= (e + n + B) * (y + eta).

Definition flags_ok (eta vo vt qo qt n e B po pt : R) : Prop :=
  row_ok eta n e B vo po qo (n / (n + 1)) /\ row_ok eta n e B vt pt qt (1 / (n + 1)).

Definition P0 (N eta : R) : R := 1 - 1 / (2 * (N + 1)) - 2 * eta / (N - 1).

Lemma cancel_mul a x y : 0 < a -> a * x <= a * y -> x <= y.
Proof. intros; apply Rmult_le_reg_l with a; assumption. Qed.

(* ------------------------------------------------- means ------------------ *)

Lemma row_ok_mean eta n v q y s e1 B1 p1 e2 B2 p2 : 0 <= s <= 1 ->
  row_ok eta n e1 B1 v p1 q y -> row_ok eta n e2 B2 v p2 q y ->
  row_ok eta n (s * e1 + (1 - s) * e2) (s * B1 + (1 - s) * B2) v (s * p1 + (1 - s) * p2) q y.
Proof.
  unfold row_ok. intros [Hs Hs'] [A1 A2] [C1 C2].
  apply (mul_le_l s) in A1, A2; [|assumption..].
  apply (mul_le_l (1 - s)) in C1, C2; [|lra..].
  split; lra.
Qed.

Lemma flags_ok_mean eta vo vt qo qt n s e1 B1 po1 pt1 e2 B2 po2 pt2 : 0 <= s <= 1 ->
  flags_ok eta vo vt qo qt n e1 B1 po1 pt1 -> flags_ok eta vo vt qo qt n e2 B2 po2 pt2 ->
  flags_ok eta vo vt qo qt n (s * e1 + (1 - s) * e2) (s * B1 + (1 - s) * B2)
    (s * po1 + (1 - s) * po2) (s * pt1 + (1 - s) * pt2).
Proof. intros Hs [A1 A2] [C1 C2]. split; apply row_ok_mean; assumption. Qed.

(* ------------------------------------------------- rows n = 1 and n = N --- *)

Section Core.
Variables N eta e B vo vt po pt qo qt : R.
Hypothesis HN : 2 <= N.
Hypothesis Heta : 0 <= eta.
Hypothesis Hk : 4 * (N + 1) * eta <= N - 1.          (* eta <= kappa *)
Hypothesis He : 0 <= e.
Hypothesis HB : 0 < B.
Hypothesis Hvo : - eta <= vo <= eta.
Hypothesis Hvt : - eta <= vt <= eta.
Hypothesis row1 : flags_ok eta vo vt qo qt 1 e B po pt.
Hypothesis rowN : flags_ok eta vo vt qo qt N e B po pt.

(* the four rows without quotients *)
Lemma row1_o : (e+1+B)*(1/2-eta) <= e*vo+po+B*qo <= (e+1+B)*(1/2+eta).
Proof. destruct row1 as [H _]. unfold row_ok in H. replace (1/(1+1)) with (1/2) in H by field. lra. Qed.

Lemma row1_t : (e+1+B)*(1/2-eta) <= e*vt+pt+B*qt <= (e+1+B)*(1/2+eta).
Proof. destruct row1 as [_ H]. unfold row_ok in H. replace (1/(1+1)) with (1/2) in H by field. lra. Qed.

Lemma rowN_o : (e+N+B)*(N-(N+1)*eta) <= (N+1)*(e*vo+N*po+B*qo) <= (e+N+B)*(N+(N+1)*eta).
Proof.
  destruct rowN as [[A1 A2] _]. apply (mul_le_l (N+1)) in A1, A2; [|lra..].
  assert (E : (N+1)*(N/(N+1)) = N) by (field; lra).
  replace ((N+1)*((e+N+B)*(N/(N+1)-eta))) with ((e+N+B)*((N+1)*(N/(N+1))-(N+1)*eta)) in A1 by ring.
  replace ((N+1)*((e+N+B)*(N/(N+1)+eta))) with ((e+N+B)*((N+1)*(N/(N+1))+(N+1)*eta)) in A2 by ring.
  rewrite E in A1, A2. split; assumption.
Qed.

Lemma rowN_t : (e+N+B)*(1-(N+1)*eta) <= (N+1)*(e*vt+N*pt+B*qt) <= (e+N+B)*(1+(N+1)*eta).
Proof.
  destruct rowN as [_ [A1 A2]]. apply (mul_le_l (N+1)) in A1, A2; [|lra..].
  assert (E : (N+1)*(1/(N+1)) = 1) by (field; lra).
  replace ((N+1)*((e+N+B)*(1/(N+1)-eta))) with ((e+N+B)*((N+1)*(1/(N+1))-(N+1)*eta)) in A1 by ring.
  replace ((N+1)*((e+N+B)*(1/(N+1)+eta))) with ((e+N+B)*((N+1)*(1/(N+1))+(N+1)*eta)) in A2 by ring.
  rewrite E in A1, A2. split; assumption.
Qed.

Lemma eta_lt : eta < 1/4.
Proof. apply Rnot_le_lt. intro H. assert (A : (N+1)*(1/4) <= (N+1)*eta) by (apply mul_le_l; lra). lra. Qed.

Lemma ordinary_low : (2*N+1)*(N-1) - 4*eta*(N+1) <= 2*(N+1)*(N-1)*(po+eta).
Proof.
  assert (C : 0 <= (e+B)*((N-1) - 4*(N+1)*eta)) by (apply Rmult_le_pos; lra).
  pose proof row1_o as [_ U].
  assert (D : (N+1)*(e*vo+po+B*qo) <= (N+1)*((e+1+B)*(1/2+eta))) by (apply mul_le_l; lra).
  pose proof rowN_o as [X _]. lra.
Qed.

Lemma core_ordinary : 2/3 <= P0 N eta <= po + eta.
Proof.
  assert (P : 0 < 2*(N+1)*(N-1)) by (apply Rmult_lt_0_compat; lra).
  assert (E : 2*(N+1)*(N-1)*P0 N eta = (2*N+1)*(N-1) - 4*eta*(N+1)) by (unfold P0; field; lra).
  split; apply (cancel_mul (2*(N+1)*(N-1))); try exact P; rewrite E.
  - assert (Q : 0 <= (N-1)*(N-2)) by (apply Rmult_le_pos; lra). lra.
  - exact ordinary_low.
Qed.

Lemma trigger_flag : pt <= qt.
Proof.
  pose proof eta_lt as E4.
  assert (S0 : 0 <= 1/2-eta-vt) by lra.
  assert (H4 : 0 <= (N-1)*e*(1/2-eta-vt)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  assert (W : 0 <= (1+B)*(e+N+B)*((N-1) - 4*(N+1)*eta)).
  { apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
  pose proof row1_t as [A1 _]. pose proof rowN_t as [_ A2].
  assert (B1 : (N+1)*(N+B)*((e+1+B)*(1/2-eta)) <= (N+1)*(N+B)*(e*vt+pt+B*qt)).
  { apply mul_le_l; [apply Rmult_le_pos|]; lra. }
  assert (B2 : (1+B)*((N+1)*(e*vt+N*pt+B*qt)) <= (1+B)*((e+N+B)*(1+(N+1)*eta))) by (apply mul_le_l; lra).
  assert (H5 : 0 <= (N+1)*((N-1)*e*(1/2-eta-vt))) by (apply Rmult_le_pos; lra).
  apply (cancel_mul ((N+1)*(B*(N-1)))).
  - apply Rmult_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra].
  - lra.
Qed.

Lemma final x G m : - eta <= x <= eta -> 1/2-eta-x <= G -> 0 <= m -> m*G <= eta-x -> m <= 4*eta.
Proof.
  intros Hx HG Hm H. pose proof eta_lt.
  assert (A : m*(1/2-eta-x) <= m*G) by (apply mul_le_l; lra).
  assert (C : 0 <= (1-4*eta)*(x+eta)) by (apply Rmult_le_pos; lra).
  apply (cancel_mul (1/2-eta-x)); lra.
Qed.

Lemma no_trigger m : 0 <= m -> m*(po-vo) <= eta-vo -> m <= 4*eta.
Proof.
  intros Hm H. pose proof core_ordinary. pose proof eta_lt.
  apply (final vo (po-vo) m); lra.
Qed.

(* ------------------------------------------------- the bounds ------------- *)

Lemma core_before m : 0 <= m -> (1-m)*vo + m*po <= eta -> m * (po + eta) <= 2 * eta.
Proof.
  intros Hm H. pose proof eta_lt as H4.
  assert (M1 : m <= 4*eta) by (apply no_trigger; lra).
  assert (0 <= (1-m)*(vo+eta)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* mp on ordinary tokens, mq on the trigger *)
Lemma core_after mp mq : 0 <= mp -> 0 <= mq ->
  (1-(mp+mq))*vo + mp*po + mq*qo <= eta ->
  (1-(mp+mq))*vt + mp*pt + mq*qt <= eta ->
  mp + mq <= 4*eta.
Proof.
  intros Hp Hq Ro Rt. pose proof trigger_flag as Hqp. pose proof eta_lt as H4.
  pose proof row1_o as [R1o _]. pose proof row1_t as [R1t _].
  destruct (Rle_or_lt po qo) as [C|C].
  - apply no_trigger; [lra|]. assert (mq*po <= mq*qo) by (apply mul_le_l; lra). lra.
  - (* g = (go, gt) >= 0 with sum 1 and g (p - q) = 0 *)
    set (s := (qt-pt)+(po-qo)). assert (Hs : 0 < s) by (unfold s; lra).
    pose proof (Rinv_0_lt_compat s Hs) as Hi.
    set (go := (qt-pt)*/s). set (gt := (po-qo)*/s).
    assert (Hgo : 0 <= go) by (unfold go; apply Rmult_le_pos; lra).
    assert (Hgt : 0 <= gt) by (unfold gt; apply Rmult_le_pos; lra).
    assert (Hg1 : gt = 1-go) by (unfold go, gt, s in *; field; lra).
    assert (Heq : go*(po-qo)+gt*(pt-qt) = 0) by (unfold go, gt; ring).
    clearbody go gt.
    set (x := go*vo+gt*vt). set (G := go*(po-vo)+gt*(pt-vt)).
    assert (x1 : go*(-eta) <= go*vo) by (apply mul_le_l; lra).
    assert (x2 : gt*(-eta) <= gt*vt) by (apply mul_le_l; lra).
    assert (x3 : go*vo <= go*eta) by (apply mul_le_l; lra).
    assert (x4 : gt*vt <= gt*eta) by (apply mul_le_l; lra).
    assert (Hx : -eta <= x <= eta) by (unfold x; rewrite Hg1 in *; lra).
    assert (HB0 : B*(go*(po-qo)+gt*(pt-qt)) = 0) by (rewrite Heq; ring).
    assert (Hm0 : mq*(go*(po-qo)+gt*(pt-qt)) = 0) by (rewrite Heq; ring).
    assert (t1 : go*((e+1+B)*(1/2-eta)) <= go*(e*vo+po+B*qo)) by (apply mul_le_l; lra).
    assert (t2 : gt*((e+1+B)*(1/2-eta)) <= gt*(e*vt+pt+B*qt)) by (apply mul_le_l; lra).
    assert (HG1 : (e+1+B)*(1/2-eta-x) <= (1+B)*G).
    { unfold x, G. rewrite Hg1 in *. lra. }
    assert (Ex : 0 <= e*(1/2-eta-x)) by (apply Rmult_le_pos; lra).
    assert (HG : 1/2-eta-x <= G) by (apply (cancel_mul (1+B)); lra).
    apply (final x G (mp+mq)); try lra.
    assert (r1 : go*((1-(mp+mq))*vo + mp*po + mq*qo) <= go*eta) by (apply mul_le_l; lra).
    assert (r2 : gt*((1-(mp+mq))*vt + mp*pt + mq*qt) <= gt*eta) by (apply mul_le_l; lra).
    unfold x, G. rewrite Hg1 in *. lra.
Qed.

(* ------------------------------------------------- rows n = 1, 2 and N ---- *)

Lemma core_slope : 3 <= N -> flags_ok eta vo vt qo qt 2 e B po pt -> N-2 - 18*eta <= (N-2)*(po+eta).
Proof.
  intros H3 row2. pose proof row1_o as [a1 a2]. pose proof rowN_o as [c1 _].
  assert (b2 : e*vo+2*po+B*qo <= (e+2+B)*(2/3+eta)).
  { destruct row2 as [[_ H] _]. replace (2/(2+1)) with (2/3) in H by field. lra. }
  (* shifted by eta: E = e + B, P = po + eta, R = e (vo + eta) + B (qo + eta) *)
  set (E := e+B). set (P := po+eta). set (R := e*(vo+eta)+B*(qo+eta)).
  assert (HE : 0 <= E) by (unfold E; lra).
  assert (A1 : (E+1)*(1/2) <= P+R) by (unfold E, P, R; lra).
  assert (A2 : P+R <= (E+1)*(1/2+2*eta)) by (unfold E, P, R; lra).
  assert (B2 : 2*P+R <= (E+2)*(2/3+2*eta)) by (unfold E, P, R; lra).
  assert (C1 : (E+N)*N <= (N+1)*(N*P+R)) by (unfold E, P, R; lra).
  clearbody E P R. clear a1 a2 c1 b2 row2.
  assert (B1 : (N+1)*(P+R) <= (N+1)*((E+1)*(1/2+2*eta))) by (apply mul_le_l; lra).
  assert (B3 : (N+1)*(2*P+R) <= (N+1)*((E+2)*(2/3+2*eta))) by (apply mul_le_l; lra).
  destruct (Rle_or_lt E 1) as [C|C].
  - assert (H1 : (N-2)*(N+1)*((E+1)*(1/2)) <= (N-2)*(N+1)*(P+R)) by (apply mul_le_l; [apply Rmult_le_pos|]; lra).
    assert (H2 : (N-1)*((N+1)*(2*P+R)) <= (N-1)*((N+1)*((E+2)*(2/3+2*eta)))) by (apply mul_le_l; lra).
    assert (Ch : (N-1)*((1-E)*((N-2)+12*eta*(N+1))) <= (N-1)*(36*eta*(N+1))) by lra.
    assert (Ch' : (1-E)*((N-2)+12*eta*(N+1)) <= 36*eta*(N+1)) by (apply (cancel_mul (N-1)); lra).
    assert (0 <= (N+1)*(6*eta*(1-E))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    apply (cancel_mul (N+1)); lra.
  - assert (W : 0 <= (E-1)*((N-1)-4*(N+1)*eta)) by (apply Rmult_le_pos; lra).
    assert (Q : (N+1)*((N-1)-4*eta) <= (N+1)*((N-1)*P)) by lra.
    assert (Q' : (N-1)-4*eta <= (N-1)*P) by (apply (cancel_mul (N+1)); lra).
    assert (Q2 : (N-2)*((N-1)-4*eta) <= (N-2)*((N-1)*P)) by (apply mul_le_l; lra).
    apply (cancel_mul (N-1)); [lra|].
    assert (0 <= eta*(18*(N-1)-4*(N-2))) by (apply Rmult_le_pos; lra). lra.
Qed.
End Core.
