(******************************************************************************)
(*                               STATEMENTS                                   *)
(* The trusted file: the task, the models and every theorem, as definitions.  *)
(* No proof is needed to read it. A theorem X stated here is proved in        *)
(* another file as  X_proof : X.  Unit lemmas: StatementsTests.v and          *)
(* ModelsTests.v; witnesses for every hypothesis set: Nonvacuous.v.           *)
(*                                                                            *)
(* Numbers and lists                                                          *)
(*        sum xs == sum of a list of reals                                    *)
(*      dot w xs == sum of w_k * x_k                                          *)
(*   sum_below d f == f 0 + ... + f (d-1)                                     *)
(* Tokens (d = n + 3 coordinates: BOS 0, trigger 1, ordinary 2, content 3..)  *)
(*     embed n t == the vector of token t; zero at coordinates >= n + 3       *)
(* Task (content set K, length L; positions 1..L, position 1 is BOS)          *)
(*  valid_sequence K L s == BOS, ordinary ..., one trigger at a position in   *)
(*                   {3,...,L}, ordinary ...; L tokens, all contents in K     *)
(*  visible K L p == p is a non-empty prefix x_1..x_i of a valid sequence;    *)
(*                   it stands for position i: x_i is the query, the last     *)
(*  nontrigger_row, before_trigger_row, after_trigger_row == p is a position  *)
(*                   i >= 2 whose token is ordinary (and the trigger has not  *)
(*                   yet been / has already been seen)                        *)
(*    target n p == mean of the non-BOS tokens at the trigger, 0 elsewhere    *)
(*  error_le, error_is == the sup over all valid inputs, positions and the    *)
(*                   n + 3 existing coordinates is <= eta / is eta            *)
(*       kappa L == (L-3) / (4 (L-1))                                         *)
(* Models                                                                     *)
(*     attention == a row of weights on x_1..x_i, any function of the prefix  *)
(*  simplex_attention K L a == its rows are non-negative and sum to one       *)
(*  attention_output n V a == one layer, one head, no residual, value map V   *)
(*       softmax == exp z_k / sum of exp z                                    *)
(*  bos_weight a p == the weight on position 1                                *)
(* Chance                                                                     *)
(*           law == contents with probabilities; contents independent         *)
(*  average mu L F == the mean of F over the trigger's position, uniform on   *)
(*                   {3,...,L}, and over the L - 1 contents                   *)
(*  mean_error_le == the mean of a sequence's largest error is <= eta         *)
(*        chance == the probability of an event                               *)
(*         fails == a position before the trigger has a BOS weight < 1 - 3 s  *)
(*                                                                            *)
(* Source of the task and of the three theorems made quantitative here:       *)
(* Ran-Milo 2026, arXiv 2603.11487 (its Theorems 1, 2 and 3).                 *)
(******************************************************************************)
Require Import Reals List Arith.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- numbers and lists ------ *)

Definition sum (xs : list R) : R := fold_right Rplus 0 xs.

Fixpoint dot (w xs : list R) : R :=
  match w, xs with
  | a :: w', x :: xs' => a * x + dot w' xs'
  | _, _ => 0
  end.

Definition sum_below (d : nat) (f : nat -> R) : R := sum (map f (seq 0 d)).

(* ------------------------------------------------- tokens ----------------- *)

Definition vec := nat -> R.
Definition content := nat -> R.   (* only coordinates 0..n-1 are ever embedded *)

Inductive token := Bos | Trigger (c : content) | Ordinary (c : content).

Definition bos_coord : nat := 0%nat.
Definition trigger_coord : nat := 1%nat.
Definition ordinary_coord : nat := 2%nat.

Definition content_of (t : token) : content :=
  match t with Bos => fun _ => 0 | Trigger c => c | Ordinary c => c end.

Definition embed (n : nat) (t : token) : vec := fun k =>
  match k with
  | 0%nat => match t with Bos => 1 | _ => 0 end
  | 1%nat => match t with Trigger _ => 1 | _ => 0 end
  | 2%nat => match t with Ordinary _ => 1 | _ => 0 end
  | S (S (S m)) => if (m <? n)%nat then content_of t m else 0
  end.

(* ------------------------------------------------- the task --------------- *)

Definition nonempty (K : content -> Prop) : Prop := exists c, K c.

Definition valid_sequence (K : content -> Prop) (L : nat) (s : list token) : Prop :=
  exists (before : list content) (c : content) (after : list content),
    s = Bos :: map Ordinary before ++ Trigger c :: map Ordinary after /\
    (1 <= length before)%nat /\ length s = L /\
    Forall K before /\ K c /\ Forall K after.

Definition visible (K : content -> Prop) (L : nat) (p : list token) : Prop :=
  p <> [] /\ exists rest, valid_sequence K L (p ++ rest).

Definition query (p : list token) : token := last p Bos.

Definition trigger_seen (p : list token) : Prop := exists c, In (Trigger c) p.

Definition nontrigger_row (K : content -> Prop) (L : nat) (p : list token) : Prop :=
  visible K L p /\ exists c, query p = Ordinary c.

Definition before_trigger_row K L p : Prop := nontrigger_row K L p /\ ~ trigger_seen p.
Definition after_trigger_row K L p : Prop := nontrigger_row K L p /\ trigger_seen p.

(* tl drops BOS *)
Definition mean_of_tokens (n : nat) (p : list token) : vec := fun k =>
  sum (map (fun t => embed n t k) (tl p)) / INR (length p - 1).

Definition target (n : nat) (p : list token) : vec :=
  match query p with Trigger _ => mean_of_tokens n p | _ => fun _ => 0 end.

(* out stays within eta of goal: all valid inputs, positions, existing coordinates *)
Definition within (n L : nat) (K : content -> Prop) (goal out : list token -> vec) (eta : R) : Prop :=
  forall p, visible K L p -> forall k, (k < n + 3)%nat -> Rabs (out p k - goal p k) <= eta.

Definition error_le n L K (out : list token -> vec) (eta : R) : Prop :=
  within n L K (target n) out eta.

Definition error_is n L K (out : list token -> vec) (eta : R) : Prop :=
  error_le n L K out eta /\ forall e, error_le n L K out e -> eta <= e.

Definition kappa (L : nat) : R := (INR L - 3) / (4 * (INR L - 1)).

(* ------------------------------------------------- models ----------------- *)

Definition attention := list token -> list R.

Definition bos_weight (att : attention) (p : list token) : R := hd 0 (att p).

Definition simplex_row (m : nat) (w : list R) : Prop :=
  length w = m /\ Forall (fun a => 0 <= a) w /\ sum w = 1.

Definition simplex_attention (K : content -> Prop) (L : nat) (att : attention) : Prop :=
  forall p, visible K L p -> simplex_row (length p) (att p).

Definition attention_output (n : nat) (V : vec -> vec) (att : attention) (p : list token) : vec :=
  fun k => dot (att p) (map (fun t => V (embed n t) k) p).

Definition matrix := nat -> nat -> R.

Definition apply (d : nat) (M : matrix) (x : vec) : vec := fun i => sum_below d (fun k => M i k * x k).

Definition bilinear (d : nat) (A : matrix) (x y : vec) : R :=
  sum_below d (fun i => sum_below d (fun k => x i * A i k * y k)).

Definition softmax (z : list R) : list R := map (fun a => exp a / sum (map exp z)) z.

(* logits of the query against each visible token, x_i^T A x_k : no positions *)
Definition bilinear_logits (n : nat) (A : matrix) (p : list token) : list R :=
  map (fun t => bilinear (n + 3) A (embed n (query p)) (embed n t)) p.

Definition bilinear_softmax (n : nat) (A : matrix) : attention := fun p => softmax (bilinear_logits n A p).

(* position-free softmax at the trigger's rows only: the logit depends on the pair of
   tokens alone (bilinear_softmax is an instance); the other rows are left arbitrary *)
Definition pair_softmax (score : token -> token -> R) : attention := fun p =>
  softmax (map (score (query p)) p).

Definition trigger_rows_softmax (K : content -> Prop) (L : nat) (score : token -> token -> R) (att : attention) : Prop :=
  forall p c, visible K L p -> query p = Trigger c -> att p = pair_softmax score p.

(* ================================================= ONE LAYER MUST SINK ==== *)
(* Any content set, any token-wise value map, any simplex attention.          *)

Definition one_layer_sink : Prop :=
  forall (n L : nat) (K : content -> Prop) (V : vec -> vec) (att : attention) (eta : R),
  (4 <= L)%nat -> nonempty K -> simplex_attention K L att ->
  error_le n L K (attention_output n V att) eta -> eta < kappa L ->
  forall p, nontrigger_row K L p ->
  (1 - bos_weight att p) * (kappa L - eta) <= eta.

Definition one_layer_sink_linear : Prop :=
  forall n L K V att eta,
  (4 <= L)%nat -> nonempty K -> simplex_attention K L att ->
  error_le n L K (attention_output n V att) eta ->
  forall p, nontrigger_row K L p ->
  1 - 2 * eta / kappa L <= bos_weight att p.

(* for every eps there is an error, eps kappa / (1 + eps), that forces a >= 1 - eps *)
Definition one_layer_sink_epsilon : Prop :=
  forall n L K V att eps,
  (4 <= L)%nat -> nonempty K -> simplex_attention K L att -> 0 <= eps ->
  error_le n L K (attention_output n V att) (eps * kappa L / (1 + eps)) ->
  forall p, nontrigger_row K L p ->
  1 - eps <= bos_weight att p.

(* the bound of one_layer_sink cannot be improved: with one content and a linear value
   map its left side is (1 - eps) eta at every non-trigger position, error exactly eta *)
Definition one_layer_sink_sharp : Prop :=
  forall (n L : nat) (eta eps : R),
  (4 <= L)%nat -> 0 <= eta -> 2 * eta <= kappa L -> 0 < eps < 1 ->
  exists (K : content -> Prop) (M : matrix) (att : attention),
  nonempty K /\ simplex_attention K L att /\
  error_is n L K (attention_output n (apply (n + 3) M) att) eta /\
  forall p, nontrigger_row K L p ->
  (1 - bos_weight att p) * (kappa L - eta) = (1 - eps) * eta.

(* removing the sink at one position of one input has a price *)
Definition sink_price : Prop :=
  forall n L K V att eta eps,
  (4 <= L)%nat -> nonempty K -> simplex_attention K L att -> 0 <= eps ->
  error_le n L K (attention_output n V att) eta ->
  (exists p, nontrigger_row K L p /\ bos_weight att p <= 1 - eps) ->
  eps * kappa L / (1 + eps) <= eta.

(* ================================================= SOFTMAX ================ *)

Definition softmax_rows_simplex : Prop :=
  (forall z : list R, z <> [] -> simplex_row (length z) (softmax z)) /\
  (forall z : list R, Forall (fun a => 0 < a) (softmax z)) /\
  (forall K L (logits : list token -> list R), (forall p, length (logits p) = length p) ->
     simplex_attention K L (fun p => softmax (logits p))).

(* 4 eta, at every non-trigger position, before or after the trigger *)
Definition one_layer_sink_softmax_after : Prop :=
  forall n L K V att score eta,
  (4 <= L)%nat -> simplex_attention K L att -> trigger_rows_softmax K L score att ->
  error_le n L K (attention_output n V att) eta -> eta <= kappa L ->
  forall p, nontrigger_row K L p ->
  1 - bos_weight att p <= 4 * eta.

Definition softmax_P0 (L : nat) (eta : R) : R := 1 - 1 / (2 * (INR L - 1)) - 2 * eta / (INR L - 3).

Definition one_layer_sink_softmax_before : Prop :=
  forall n L K V att score eta,
  (4 <= L)%nat -> simplex_attention K L att -> trigger_rows_softmax K L score att ->
  error_le n L K (attention_output n V att) eta -> eta <= kappa L ->
  forall p, before_trigger_row K L p ->
  1 - bos_weight att p <= 2 * eta / softmax_P0 L eta /\
  1 - bos_weight att p <= 3 * eta.

Definition one_layer_sink_softmax_slope : Prop :=
  forall n L K V att score eta,
  (5 <= L)%nat -> simplex_attention K L att -> trigger_rows_softmax K L score att ->
  error_le n L K (attention_output n V att) eta -> eta <= kappa L -> 18 * eta < INR L - 4 ->
  forall p, before_trigger_row K L p ->
  1 - bos_weight att p <= 2 * eta / (1 - 18 * eta / (INR L - 4)).

(* both constants are suprema: approached, with error exactly eta, by one content and a
   linear value map (not reached in general, as exp gives every weight a positive size) *)
Definition softmax_after_sharp : Prop :=
  forall n L eta small,
  (4 <= L)%nat -> 0 < eta -> eta <= kappa L -> 0 < small ->
  exists K M att score,
  nonempty K /\ simplex_attention K L att /\ trigger_rows_softmax K L score att /\
  error_is n L K (attention_output n (apply (n + 3) M) att) eta /\
  exists p, after_trigger_row K L p /\ 4 * eta - small < 1 - bos_weight att p.

Definition softmax_before_sharp : Prop :=
  forall n eta small,
  0 < eta -> eta <= 1/12 -> 0 < small ->
  exists K M att score,
  nonempty K /\ simplex_attention K 4 att /\ trigger_rows_softmax K 4 score att /\
  error_is n 4 K (attention_output n (apply (n + 3) M) att) eta /\
  exists p, before_trigger_row K 4 p /\
  12 * eta / (5 - 12 * eta) - small < 1 - bos_weight att p.

(* deletion: same query, one visible token removed; the other weights keep their ratios *)
Definition deletion_identity : Prop :=
  forall n V score (p r : list token) (x : token) (k : nat),
  r <> [] ->
  let a := nth (length p) (pair_softmax score (p ++ x :: r)) 0 in
  0 < a < 1 /\
  attention_output n V (pair_softmax score) (p ++ x :: r) k =
    a * V (embed n x) k + (1 - a) * attention_output n V (pair_softmax score) (p ++ r) k.

(* two good rows, contents arbitrary (distinct or not): the value of x is forced *)
Definition deletion_lemma : Prop :=
  forall n V score (x y b : content) (e e' : R),
  let out := attention_output n V (pair_softmax score) in
  let long := [Bos; Ordinary x; Ordinary y; Trigger b] in
  let short := [Bos; Ordinary y; Trigger b] in
  e + e' <= 1/6 ->
  Rabs (out long ordinary_coord - target n long ordinary_coord) <= e ->
  Rabs (out short ordinary_coord - target n short ordinary_coord) <= e' ->
  2/3 - e <= V (embed n (Ordinary x)) ordinary_coord.

(* M keeps every coordinate but BOS *)
Definition off_bos : matrix := fun i k =>
  match i with O => 0 | _ => if (i =? k)%nat then 1 else 0 end.

(* one non-zero column: score on BOS, s from ordinary queries and s' from triggers *)
Definition bos_scores (ordinary trigger : R) : matrix := fun i k =>
  match i, k with 2%nat, O => ordinary | 1%nat, O => trigger | _, _ => 0 end.

(* C is the sup norm of the contents of K, over n coordinates (0 where n = 0) *)
Definition content_sup (n : nat) (K : content -> Prop) (C : R) : Prop :=
  let bound B := 0 <= B /\ forall c k, K c -> (k < n)%nat -> Rabs (c k) <= B in
  bound C /\ forall B, bound B -> C <= B.

(* a linear rate is attained by softmax: exact error, exact mass off BOS *)
Definition softmax_family : Prop :=
  forall n L K (C s : R),
  (4 <= L)%nat -> nonempty K -> content_sup n K C ->
  let att := bilinear_softmax n (bos_scores s (- s)) in
  let E := exp s in
  error_is n L K (attention_output n (apply (n + 3) off_bos) att)
    (Rmax ((INR L - 2) / (E + INR L - 2)) (C * (INR L - 1) / (E + INR L - 1))) /\
  forall p, nontrigger_row K L p ->
  1 - bos_weight att p = (INR (length p) - 1) / (E + INR (length p) - 1).

(* ================================================= EXPECTED ERROR ========= *)
(* Contents drawn independently from a law of finite support, the trigger's   *)
(* too; its position j uniform on {3,...,L} and independent of them.          *)

Definition law := list (content * R).   (* contents with their probabilities *)

Definition is_law (mu : law) : Prop := Forall (fun cw => 0 <= snd cw) mu /\ sum (map snd mu) = 1.

Definition support (mu : law) : content -> Prop := fun c => In c (map fst mu).

(* the mean of F over m independent contents *)
Fixpoint expect (mu : law) (m : nat) (F : list content -> R) : R :=
  match m with
  | O => F []
  | S m' => sum (map (fun cw => snd cw * expect mu m' (fun cs => F (fst cw :: cs))) mu)
  end.

(* the sequence with contents c_2 ... c_L and the trigger at position j *)
Definition sequence_of (j : nat) (cs : list content) : list token :=
  Bos :: map Ordinary (firstn (j - 2) cs) ++
  match skipn (j - 2) cs with [] => [] | c :: after => Trigger c :: map Ordinary after end.

Definition draw (mu : law) (L j : nat) (cs : list content) : Prop :=
  (3 <= j <= L)%nat /\ length cs = (L - 1)%nat /\ Forall (support mu) cs.

Definition average (mu : law) (L : nat) (F : nat -> list content -> R) : R :=
  sum (map (fun j => expect mu (L - 1) (F j)) (seq 3 (L - 2))) / INR (L - 2).

(* some bound on the errors of each sequence (their maximum is one) has mean <= eta *)
Definition mean_error_le n L mu (out : list token -> vec) (eta : R) : Prop :=
  exists err : nat -> list content -> R,
  (forall j cs, draw mu L j cs -> forall i k, (1 <= i <= L)%nat -> (k < n + 3)%nat ->
     let p := firstn i (sequence_of j cs) in Rabs (out p k - target n p k) <= err j cs) /\
  average mu L err <= eta.

Definition chance (mu : law) (L : nat) (event : nat -> list content -> bool) : R :=
  average mu L (fun j cs => if event j cs then 1 else 0).

(* some position 2, ..., j-1 has a BOS weight under 1 - 3 s *)
Definition fails (att : attention) (s : R) (j : nat) (cs : list content) : bool :=
  existsb (fun i => if Rlt_dec (bos_weight att (firstn i (sequence_of j cs))) (1 - 3 * s) then true else false)
    (seq 2 (j - 2)).

(* with high probability all positions before the trigger sink *)
Definition one_layer_sink_average : Prop :=
  forall n L mu V att score eta s,
  (4 <= L)%nat -> is_law mu -> simplex_attention (support mu) L att ->
  trigger_rows_softmax (support mu) L score att ->
  mean_error_le n L mu (attention_output n V att) eta -> 0 < s -> s <= 1/6 ->
  chance mu L (fails att s) * s <= ((INR L - 2) * (INR L - 1) / 2 + 1) * eta.

(* ================================================= NO ANCHOR, NO TASK ===== *)
(* The task without BOS: the same sequences, targets and coordinates with     *)
(* position 1 removed, L - 1 tokens.                                          *)

Definition no_bos_row (K : content -> Prop) (L : nat) (p : list token) : Prop :=
  p <> [] /\ visible K L (Bos :: p).

Definition simplex_attention_no_bos K L (att : attention) : Prop :=
  forall p, no_bos_row K L p -> simplex_row (length p) (att p).

Definition error_no_bos_le n L K (out : list token -> vec) (eta : R) : Prop :=
  forall p, no_bos_row K L p -> forall k, (k < n + 3)%nat ->
  Rabs (out p k - target n (Bos :: p) k) <= eta.

Definition anchor_needed : Prop :=
  forall n L K V att eta,
  (4 <= L)%nat -> nonempty K -> simplex_attention_no_bos K L att ->
  error_no_bos_le n L K (attention_output n V att) eta ->
  kappa L <= eta.

Definition anchor_needed_attained : Prop :=
  forall n L, (4 <= L)%nat ->
  exists K M att,
  nonempty K /\ simplex_attention_no_bos K L att /\
  error_no_bos_le n L K (attention_output n (apply (n + 3) M) att) (kappa L).

(* ================================================= DEPTH ================== *)
(* D layers without residual and without MLP; the attention of layer l is any *)
(* function of l and of the input prefix. The state of position i after D     *)
(* layers is  stack D (x_1..x_i).                                             *)

Definition layer n (M : matrix) (att : attention) (state : list token -> vec) (p : list token) : vec :=
  fun k => dot (att p) (map (fun i => apply (n + 3) M (state (firstn i p)) k) (seq 1 (length p))).

Fixpoint stack (n : nat) (M : nat -> matrix) (att : nat -> attention) (D : nat) : list token -> vec :=
  match D with
  | O => fun p => embed n (query p)
  | S l => layer n (M l) (att l) (stack n M att l)
  end.

(* position 2 sinks in some layer *)
Definition deep_sink : Prop :=
  forall (n L : nat) K (D : nat) (M : nat -> matrix) (att : nat -> attention) (eta : R),
  (4 <= L)%nat -> (1 <= D)%nat -> nonempty K ->
  (forall l, (l < D)%nat -> simplex_attention K L (att l)) ->
  error_le n L K (stack n M att D) eta -> eta < kappa L ->
  forall c, K c -> exists l, (l < D)%nat /\
     (1 - bos_weight (att l) [Bos; Ordinary c]) ^ D * (kappa L - eta) <= eta.

(* every position i before the trigger sees some position i' in 2..i sink *)
Definition deep_sink_any_position : Prop :=
  forall (n L : nat) K (D : nat) (M : nat -> matrix) (att : nat -> attention) (eta : R),
  (4 <= L)%nat -> (1 <= D)%nat -> nonempty K ->
  (forall l, (l < D)%nat -> simplex_attention K L (att l)) ->
  error_le n L K (stack n M att D) eta -> eta < kappa L ->
  forall p, before_trigger_row K L p -> exists l i', (l < D)%nat /\ (2 <= i' <= length p)%nat /\
     (1 - bos_weight (att l) (firstn i' p)) ^ D * (kappa L - eta) <= eta.

(* ================================================= RELU DOES NOT ========== *)

Definition relu (x : R) : R := Rmax 0 x.

(* divided by the number of visible non-BOS tokens, at least 1 *)
Definition relu_attention (n : nat) (A : matrix) : attention := fun p =>
  map (fun z => relu z / INR (Nat.max 1 (length p - 1))) (bilinear_logits n A p).

(* the trigger scores 1 on ordinary tokens and on triggers; all other scores are 0 *)
Definition trigger_scores : matrix := fun i k =>
  match i, k with 1%nat, 1%nat => 1 | 1%nat, 2%nat => 1 | _, _ => 0 end.

Definition every_content : content -> Prop := fun _ => True.

Definition relu_no_sink : Prop :=
  forall (n L : nat) (p : list token), visible every_content L p ->
  let att := relu_attention n trigger_scores in
  (forall k, (k < n + 3)%nat -> attention_output n (apply (n + 3) off_bos) att p k = target n p k) /\
  bos_weight att p = 0 /\
  ((forall c, query p <> Trigger c) -> Forall (fun a => a = 0) (att p)).

(* ================================================= WHERE NECESSITY ENDS === *)

Definition unit_box (n : nat) : content -> Prop := fun c => forall k, (k < n)%nat -> -1 <= c k <= 1.

(* two heads, uniform off the trigger, cancel there; no head sinks off the trigger *)
Definition two_heads : Prop :=
  forall (n L : nat) (s : R),
  let att1 := bilinear_softmax n (bos_scores 0 (- s)) in
  let att2 := bilinear_softmax n (bos_scores 0 s) in
  let out p k := attention_output n (apply (n + 3) off_bos) att1 p k
               + attention_output n (apply (n + 3) (fun i j => - off_bos i j)) att2 p k in
  error_le n L (unit_box n) out (INR L * exp (- s)) /\
  forall p, nontrigger_row (unit_box n) L p ->
  bos_weight att1 p = / INR (length p) /\ bos_weight att2 p = / INR (length p) /\ / INR (length p) <= 1/2.

(* a residual stream, two layers of one head, logits that read positions: off the
   trigger a row attends to itself; the trigger is uniform off BOS in layer 0 and
   goes to BOS in layer 1. The BOS weight off the trigger tends to zero. *)
Fixpoint residual_stack (n : nat) (M : nat -> matrix) (att : nat -> attention) (D : nat) : list token -> vec :=
  match D with
  | O => fun p => embed n (query p)
  | S l => fun p k => residual_stack n M att l p k
                    + layer n (M l) (att l) (residual_stack n M att l) p k
  end.

Definition self_logits (s on_bos : R) (p : list token) : list R :=
  match query p with
  | Trigger _ => on_bos :: repeat 0 (length p - 1)
  | _ => repeat 0 (length p - 1) ++ [s]
  end.

Definition residual_attention (s : R) (l : nat) : attention := fun p =>
  softmax (self_logits s (match l with O => - s | _ => s end) p).

Definition residual_matrices (l : nat) : matrix := fun i k =>
  match l with O => off_bos i k | 1%nat => - (1/2) * off_bos i k | _ => 0 end.

Definition residual_two_layers : Prop :=
  forall (n L : nat) (s : R),
  within n L (unit_box n) (fun p k => embed n (query p) k + target n p k)
    (residual_stack n residual_matrices (residual_attention s) 2) (3 * INR L * exp (- s)) /\
  forall p l, nontrigger_row (unit_box n) L p ->
  bos_weight (residual_attention s l) p <= exp (- s).
