(******************************************************************************)
(*                                DELETION                                    *)
(* Position-free softmax: removing one visible token, the query kept, leaves  *)
(* the ratios of the other weights. So a token's value is forced by two rows. *)
(*   delete_token == weight of x between 0 and 1, and the row as a mean of    *)
(*                   the value of x and of the row without x                  *)
(******************************************************************************)
Require Import Reals Lra Lia List Arith.
Require Import Sinkproof.Statements Sinkproof.Sums Sinkproof.Lists.
Import ListNotations.
Open Scope R_scope.

Lemma query_delete p x r : r <> [] -> query (p ++ x :: r) = query (p ++ r).
Proof.
  intros Hr. destruct (exists_last Hr) as (r' & t & ->). unfold query.
  rewrite app_comm_cons, !app_assoc, !last_last. reflexivity.
Qed.

Lemma nth_pair_softmax score p x r :
  nth (length p) (pair_softmax score (p ++ x :: r)) 0 =
  exp (score (query (p ++ x :: r)) x) / mass score (query (p ++ x :: r)) (p ++ x :: r).
Proof.
  set (q := query (p ++ x :: r)). unfold pair_softmax, softmax. fold q. rewrite !map_map.
  fold (mass score q (p ++ x :: r)). set (Z := mass score q (p ++ x :: r)).
  rewrite map_app. simpl map. rewrite <- (map_length (fun t => exp (score q t) / Z) p) at 1.
  apply nth_middle.
Qed.

Theorem deletion_identity_proof : deletion_identity.
Proof.
  intros n V score p r x k Hr a. unfold a. rewrite nth_pair_softmax, !pair_softmax_output, query_delete by exact Hr.
  set (q := query (p ++ r)). set (ex := exp (score q x)).
  assert (P : 0 < ex) by apply exp_pos.
  assert (Z : 0 < mass score q (p ++ r)) by (apply mass_pos; intros E; apply app_eq_nil in E; tauto).
  assert (E : mass score q (p ++ x :: r) = ex + mass score q (p ++ r)).
  { rewrite !mass_app. unfold mass. simpl map. rewrite sum_cons. fold ex. ring. }
  rewrite E. rewrite !map_app, !sum_app. simpl map. rewrite sum_cons. fold ex.
  set (M := mass score q (p ++ r)) in *. clearbody M.
  split; [split|].
  - apply Rdiv_lt_0_compat; lra.
  - apply Rmult_lt_reg_r with (ex + M); [lra|]. replace (ex / (ex + M) * (ex + M)) with ex by (field; lra). lra.
  - field. lra.
Qed.

Theorem deletion_lemma_proof : deletion_lemma.
Proof.
  intros n V score x y b e e' out long short He Hl Hs.
  destruct (deletion_identity_proof n V score [Bos] [Ordinary y; Trigger b] (Ordinary x) ordinary_coord ltac:(discriminate))
    as ((A1 & A2) & E).
  simpl app in E, A1, A2. fold out long short in E. rewrite E in Hl. clear E. fold long in A1, A2.
  set (a := nth (length [Bos]) (pair_softmax score long) 0) in *. clearbody a.
  assert (Tl : target n long ordinary_coord = 2/3).
  { unfold target, mean_of_tokens, long. simpl. rewrite !sum_cons, sum_nil. field. }
  assert (Ts : target n short ordinary_coord = 1/2).
  { unfold target, mean_of_tokens, short. simpl. rewrite !sum_cons, sum_nil. field. }
  rewrite Tl in Hl. rewrite Ts in Hs. apply Rabs_le_iff in Hl, Hs.
  set (s := out short ordinary_coord) in *. set (v := V (embed n (Ordinary x)) ordinary_coord) in *. clearbody s v.
  assert (H : (1 - a) * s <= (1 - a) * (1/2 + e')) by (apply mul_le_l; lra).
  assert (G : 0 <= (1 - a) * (1/6 - e - e')) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_l with a; [exact A1|]. lra.
Qed.
