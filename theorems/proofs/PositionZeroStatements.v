(******************************************************************************)
(*                        POSITION ZERO WITHOUT BOS                           *)
(* A trusted file: the theorems on the first position of a causal decoder     *)
(* that has no BOS token, as definitions. A theorem X stated here is proved   *)
(* in another file as  X_proof : X.  Unit lemmas: PositionZeroTests.v;        *)
(* witnesses: PositionZeroWitnesses.v. Norms are l2 norms over d coordinates. *)
(*                                                                            *)
(*       sq d x == the square of the norm of x                                *)
(* pair_sum d p vs == sum over k < l of p_k p_l |v_k - v_l|^2                 *)
(*  expectation, cone_directions, cone_square == the cone model of values     *)
(*    newest p == the last token of a prefix x_1..x_i: the query of position i*)
(*  frequency p t == the share of the prefix p that is the token t            *)
(*  state ... l i == the residual stream of position i (from 0) after l layers*)
(*  relative_row g i == softmax row of position i (from 1), logits g (i - k)  *)
(*  weight row k == the weight on key k = 1, 2, ...                           *)
(*  importance N rows == the mean over i = 1..N of the weight of i on key 1   *)
(*  hot, mixed, spiked, sink_row == the circuit of two blocks                 *)
(*  avoiding, avoiding_spike == its block 1 when it avoids the query's token  *)
(*  unit_of d x, turn rho == x / |x|; sqrt (2 - 2 sqrt (1 - rho^2))           *)
(*    mean mu f == the mean of f under a law of finite support                *)
(*  backward_row w x i == softmax row of position i, logits w(x_i, x_k, i-k)  *)
(*  first_state, second_row == two attention layers with nothing between      *)
(*                                                                            *)
(* Source of the claims made exact here: Peng et al. 2026, arXiv 2603.06591;  *)
(* repeated tokens also in Barbero et al. 2025, arXiv 2504.02732. The         *)
(* statements and their constants are our own.                                *)
(******************************************************************************)
Require Import Reals List Arith.
From Sinkproof Require Import Statements Vectors.
Import ListNotations.
Open Scope R_scope.

Definition sq (d : nat) (x : vec) : R := inner d x x.

(* ================================================= MIXING ================= *)

Fixpoint pair_sum (d : nat) (p : list R) (vs : list vec) : R :=
  match p, vs with
  | a :: p', v :: vs' => a * dot p' (map (fun u => sq d (sub v u)) vs') + pair_sum d p' vs'
  | _, _ => 0
  end.

(* row i of a causal head weighs the first i values. Any unit vectors, any simplex rows: an
   identity, and the first output, which sees only its own value, is as long as any *)
Definition mixing_identity : Prop :=
  forall (d : nat) (rows : nat -> list R) (vs : list vec) (i : nat), Forall (unit_vector d) vs ->
  (forall k, (1 <= k <= length vs)%nat -> simplex_row k (rows k)) -> (1 <= i <= length vs)%nat ->
  let out k := mix (rows k) (firstn k vs) in
  1 - sq d (out i) = pair_sum d (rows i) (firstn i vs) /\
  sq d (out 1%nat) = 1 /\ sq d (out i) <= sq d (out 1%nat).

(* norm one exactly when all values of positive weight coincide *)
Definition mixing_equality : Prop :=
  forall d p vs, simplex_row (length vs) p -> Forall (unit_vector d) vs ->
  (norm d (mix p vs) = 1 <-> pair_sum d p vs = 0) /\
  (norm d (mix p vs) = 1 <->
   forall j k, (j < length vs)%nat -> (k < length vs)%nat -> 0 < nth j p 0 -> 0 < nth k p 0 ->
   forall c, (c < d)%nat -> nth j vs (fun _ => 0) c = nth k vs (fun _ => 0) c).

(* ------------------------------------------------- cone model ------------- *)
(* Chance is any expectation E: linear and monotone on the integrable random  *)
(* variables, E c = c. The values are a u + sqrt(1 - a^2) s_k, the directions *)
(* s_k are orthogonal to the axis u and uncorrelated.                         *)

Definition expectation {A : Type} (integrable : (A -> R) -> Prop) (E : (A -> R) -> R) : Prop :=
  (forall c, integrable (fun _ => c) /\ E (fun _ => c) = c) /\
  (forall f g, integrable f -> integrable g ->
     (forall a b, integrable (fun o => a * f o + b * g o) /\ E (fun o => a * f o + b * g o) = a * E f + b * E g) /\
     ((forall o, f o <= g o) -> E f <= E g) /\ ((forall o, f o = g o) -> E f = E g)).

Definition cone_directions {A : Type} (integrable : (A -> R) -> Prop) (E : (A -> R) -> R)
  (d m : nat) (u : vec) (s : A -> nat -> vec) : Prop :=
  (forall o k, (k < m)%nat -> unit_vector d (s o k) /\ orthogonal d u (s o k)) /\
  (forall j k, (j < k < m)%nat ->
     let corr o := inner d (s o j) (s o k) in integrable corr /\ E corr = 0).

Definition cone (a : R) (u s : vec) : vec := add (scale a u) (scale (sqrt (1 - a ^ 2)) s).

(* the square of the output with weights p_k on m cone values *)
Definition cone_square (d m : nat) (a : R) (u : vec) (p : nat -> R) (s : nat -> vec) : R :=
  sq d (mix (map p (seq 0 m)) (map (fun k => cone a u (s k)) (seq 0 m))).

(* weights of sum one, random or not, independent of the directions *)
Definition cone_model : Prop :=
  forall (A : Type) integrable (E : (A -> R) -> R) d m a u (p : A -> nat -> R) (s : A -> nat -> vec),
  expectation integrable E -> -1 < a < 1 -> unit_vector d u -> cone_directions integrable E d m u s ->
  (forall o, sum_below m (p o) = 1) -> (forall k, (k < m)%nat -> integrable (fun o => p o k ^ 2)) ->
  (forall j k, (j < k < m)%nat ->
     let pair o := p o j * p o k in let corr o := inner d (s o j) (s o k) in
     integrable (fun o => pair o * corr o) /\ E (fun o => pair o * corr o) = E pair * E corr) ->
  E (fun o => cone_square d m a u (p o) (s o)) =
  a ^ 2 + (1 - a ^ 2) * E (fun o => sum_below m (fun k => p o k ^ 2)).

(* uniform weights on m tokens, and on one more *)
Definition cone_uniform : Prop :=
  forall (A : Type) integrable (E : (A -> R) -> R) d m a u (s s' : A -> nat -> vec),
  expectation integrable E -> -1 < a < 1 -> unit_vector d u -> (1 <= m)%nat ->
  cone_directions integrable E d m u s -> cone_directions integrable E d (S m) u s' ->
  let mean n (s : A -> nat -> vec) := E (fun o => cone_square d n a u (fun _ => / INR n) (s o)) in
  mean m s = a ^ 2 + (1 - a ^ 2) / INR m /\ mean (S m) s' < mean m s.

(* ================================================= COLLISION INDEX ======== *)
(* Tokens are numbers below V; the value of token t is a unit vector e t, and *)
(* values of different tokens are orthogonal; the attention is uniform.       *)

Definition orthonormal (d V : nat) (e : nat -> vec) : Prop :=
  forall s t, (s < V)%nat -> (t < V)%nat -> inner d (e s) (e t) = if (s =? t)%nat then 1 else 0.

Definition prefix_of (V : nat) (p : list nat) : Prop := p <> [] /\ Forall (fun t => (t < V)%nat) p.

Definition constant (p : list nat) : Prop := exists t, p = repeat t (length p).

Definition frequency (p : list nat) (t : nat) : R := INR (count_occ Nat.eq_dec p t) / INR (length p).

Definition uniform_output (e : nat -> vec) (p : list nat) : vec :=
  mix (repeat (/ INR (length p)) (length p)) (map e p).

Definition collision_index : Prop :=
  forall (d V : nat) (e : nat -> vec) (p : list nat), orthonormal d V e -> prefix_of V p ->
  sq d (uniform_output e p) = sum_below V (fun t => frequency p t ^ 2) /\
  (sq d (uniform_output e p) = 1 <-> constant p).

Definition collision_gap : Prop :=
  forall d V e p, orthonormal d V e -> prefix_of V p -> ~ constant p ->
  sq d (uniform_output e p) = sum_below V (fun t => frequency p t ^ 2) /\
  sq d (uniform_output e p) <= 1 - 2 * (INR (length p) - 1) / INR (length p) ^ 2.

(* attained by one odd token, wherever it stands *)
Definition collision_gap_attained : Prop :=
  forall d V e (a b s t : nat), orthonormal d V e -> (s < V)%nat -> (t < V)%nat -> s <> t -> (1 <= a + b)%nat ->
  let p := repeat s a ++ t :: repeat s b in
  ~ constant p /\
  sq d (uniform_output e p) = 1 - 2 * (INR (length p) - 1) / INR (length p) ^ 2.

(* ================================================= REPEATED TOKENS ======== *)
(* A causal decoder: state l i is the residual stream of position i (from 0)  *)
(* after l layers. Layer l has any number of heads; head h of position i puts *)
(* the weights rows l h i on the values of positions 0..i; combine, any       *)
(* function of the state and of the heads' outputs, stands for the output     *)
(* projection, residuals, norms, MLPs and experts of the position.            *)

Fixpoint state (e : nat -> vec) (value : nat -> nat -> vec -> vec) (rows : nat -> nat -> nat -> list R)
  (combine : nat -> vec -> (nat -> vec) -> vec) (x : nat -> nat) (l i : nat) : vec :=
  match l with
  | O => e (x i)
  | S l' => combine l' (state e value rows combine x l' i)
      (fun h => mix (rows l' h i) (map (fun k => value l' h (state e value rows combine x l' k)) (seq 0 (S i))))
  end.

(* a constant sequence: all positions are in the same state in every layer *)
Definition repeated_token : Prop :=
  forall (N D : nat) e value rows combine (x : nat -> nat),
  (forall l h i, (l < D)%nat -> (i < N)%nat -> simplex_row (S i) (rows l h i)) ->
  (forall i, (i < N)%nat -> x i = x 0%nat) ->
  forall l i c, (l <= D)%nat -> (i < N)%nat ->
  state e value rows combine x l i c = state e value rows combine x l 0 c.

(* logits that depend on the distance alone, as all do on a constant sequence *)
Definition relative_row (g : nat -> R) (i : nat) : list R := softmax (map (fun k => g (i - k)%nat) (seq 1 i)).

Definition weight (row : list R) (k : nat) : R := nth (k - 1) row 0.   (* keys k = 1, 2, ... *)

Definition product (xs : list R) : R := fold_right Rmult 1 xs.

Definition importance (N : nat) (rows : nat -> list R) : R :=
  sum (map (fun i => weight (rows i) 1) (seq 1 N)) / INR N.

(* no distance is less preferred than the largest one *)
Definition repeated_token_decay : Prop :=
  forall (g : nat -> R) (i : nat), (1 <= i)%nat -> (forall k, (k < i)%nat -> g (i - 1)%nat <= g k) ->
  weight (relative_row g i) 1 * INR i <= 1.

Definition repeated_token_alibi : Prop :=
  forall (level slope : R) (i : nat), (1 <= i)%nat -> 0 <= slope ->
  weight (relative_row (fun j => level - slope * INR j) i) 1 * INR i <= 1.

Definition repeated_token_flat : Prop :=
  forall (g : nat -> R) (i : nat), (1 <= i)%nat -> (forall k, (k < i)%nat -> g k = g 0%nat) ->
  weight (relative_row g i) 1 * INR i = 1.

Definition repeated_token_product : Prop :=
  forall (g : nat -> R) (N : nat), (1 <= N)%nat ->
  product (map (fun i => 1 - weight (relative_row g i) 1) (seq 2 (N - 1))) = weight (relative_row g N) N.

Definition repeated_token_ceiling : Prop :=
  forall (g : nat -> R) (N : nat) (rho : R), (2 <= N)%nat ->
  0 <= rho -> rho ^ (N - 1) <= weight (relative_row g N) N ->
  importance N (relative_row g) * INR N <= 1 + (INR N - 1) * (1 - rho).

(* range bounds the differences of the logits *)
Definition repeated_token_range : Prop :=
  forall (g : nat -> R) (N : nat) (range : R), (2 <= N)%nat ->
  (forall i j, (i < N)%nat -> (j < N)%nat -> g i - g j <= range) ->
  importance N (relative_row g) * INR N <= 1 + range + ln (INR N).

(* ================================================= THE CIRCUIT ============ *)
(* Two blocks, no BOS, no positions. Coordinates 0..V-1 are one-hot, V is the *)
(* coordinate of the spike. Block 1: all logits 0, value identity, residual;  *)
(* its MLP adds G N sum_t relu(h(t) - (2 - 1/N)) to coordinate V. Block 2:    *)
(* the query is half the sum of the one-hot coordinates, the key is the spike.*)

Definition newest (p : list nat) : nat := last p 0%nat.

Definition hot (t : nat) : vec := fun k => if (k =? t)%nat then 1 else 0.

Definition mixed (p : list nat) : vec :=
  add (hot (newest p)) (mix (softmax (map (fun _ => 0) p)) (map hot p)).

Definition spiked (V N : nat) (G : R) (p : list nat) : vec := fun k =>
  if (k =? V)%nat then mixed p V + G * INR N * sum_below V (fun t => relu (mixed p t - (2 - 1 / INR N)))
  else mixed p k.

Definition sink_row (V N : nat) (G g : R) (p : list nat) : list R :=
  softmax (map (fun k => g * (sum_below V (spiked V N G p) / 2) * spiked V N G (firstn k p) V)
               (seq 1 (length p))).

Definition circuit_spike : Prop :=
  forall (V N : nat) (G : R) (p : list nat), prefix_of V p -> (length p <= N)%nat -> 0 < G ->
  (constant p -> spiked V N G p V = G) /\ (~ constant p -> spiked V N G p V = 0).

(* the second token differs from the first: the exact mass on position zero *)
Definition circuit_mass : Prop :=
  forall V N G g (t u : nat) (rest : list nat),
  let p := t :: u :: rest in prefix_of V p -> (length p <= N)%nat -> t <> u ->
  forall i, (1 <= i <= length p)%nat ->
  weight (sink_row V N G g (firstn i p)) 1 = 1 / (1 + (INR i - 1) * exp (- (g * G))).

(* an initial run of r tokens shares the sink *)
Definition circuit_shared : Prop :=
  forall V N G g (r t u : nat) (rest : list nat),
  let p := repeat t r ++ u :: rest in prefix_of V p -> (length p <= N)%nat -> (1 <= r)%nat -> t <> u ->
  forall k, (1 <= k <= r)%nat ->
  let E := exp (g * G) in
  weight (sink_row V N G g p) k = E / (INR r * E + INR (length p) - INR r) /\
  weight (sink_row V N G g p) k < 1 / INR r.

(* position zero: its norm, and the cosine between the states of two tokens *)
Definition circuit_norm : Prop :=
  forall V N G (t u : nat), (1 <= N)%nat -> (t < V)%nat -> (u < V)%nat -> t <> u -> 0 < G ->
  let h t := spiked V N G [t] in
  sq (S V) (h t) = 4 + G ^ 2 /\
  inner (S V) (h t) (h u) / (norm (S V) (h t) * norm (S V) (h u)) = G ^ 2 / (4 + G ^ 2).

(* Block 1 avoids the query's own token: logit - beta on it, 0 on all others. *)
(* The MLP has a threshold of its own and the gain that makes the spike G.    *)

Definition avoiding (beta : R) (p : list nat) : vec :=
  add (hot (newest p)) (mix (softmax (map (fun t => if (t =? newest p)%nat then - beta else 0) p)) (map hot p)).

Definition avoiding_spike (V N : nat) (beta gain : R) (p : list nat) : R :=
  gain * sum_below V (fun t => relu (avoiding beta p t - (1 + (INR N - 1) / (INR N - 1 + exp beta)))).

Definition circuit_anti_self : Prop :=
  forall (V N : nat) (G beta gain : R), (2 <= N)%nat -> 0 < G -> INR N - 1 <= exp beta ->
  let spike := avoiding_spike V N beta gain in
  (exists t, (t < V)%nat /\ spike [t] = G) ->
  (gain = G * (1 + (INR N - 1) / exp beta) /\ gain <= 2 * G) /\
  forall p, prefix_of V p -> (length p <= N)%nat ->
  (constant p -> spike p = G) /\ (~ constant p -> spike p = 0).

(* uniform attention: an MLP that tells N equal tokens from one odd among them is steep *)
Definition circuit_gain : Prop :=
  forall (V a b s t : nat) (G steep : R) (mlp : vec -> R), (s < V)%nat -> (t < V)%nat -> s <> t -> (1 <= b)%nat ->
  let odd := repeat s a ++ t :: repeat s b in let N := length odd in
  0 < G -> 0 <= steep -> (forall x y, Rabs (mlp x - mlp y) <= steep * norm V (sub x y)) ->
  mlp (mixed (repeat s N)) = G -> mlp (mixed odd) = 0 ->
  G ^ 2 * INR N ^ 2 <= 2 * steep ^ 2.

(* ================================================= STABILITY ============== *)

Definition unit_of (d : nat) (x : vec) : vec := scale (/ norm d x) x.

Definition turn (rho : R) : R := sqrt (2 - 2 * sqrt (1 - rho ^ 2)).

Definition norm_stability : Prop :=
  forall (d : nat) (x delta : vec), norm d x <> 0 -> norm d (add x delta) <> 0 ->
  let rho := norm d delta / norm d x in
  let moved := norm d (sub (unit_of d (add x delta)) (unit_of d x)) in
  rho < 1 -> moved <= turn rho /\ turn rho <= sqrt 2 * rho.

Definition norm_stability_attained : Prop :=
  forall d x delta, norm d x <> 0 -> norm d (add x delta) <> 0 ->
  norm d delta / norm d x < 1 -> orthogonal d delta (add x delta) ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) = turn (norm d delta / norm d x).

Definition norm_stability_any_ratio : Prop :=
  forall d x delta, norm d x <> 0 -> norm d (add x delta) <> 0 ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) <= 2 * norm d delta / (norm d x + norm d (add x delta)).

(* attained by every x + delta that is as long as x *)
Definition norm_stability_any_ratio_attained : Prop :=
  forall d x delta, norm d x <> 0 -> norm d (add x delta) = norm d x ->
  norm d (sub (unit_of d (add x delta)) (unit_of d x)) = 2 * norm d delta / (norm d x + norm d (add x delta)).

(* RMSNorm with its eps: |x|^2 + d eps takes the place of |x|^2 *)
Definition rms_size (d : nat) (eps : R) (x : vec) : R := sqrt (sq d x + INR d * eps).

Definition rms_norm_stability : Prop :=
  forall d eps x delta, 0 <= eps -> 0 < rms_size d eps x -> 0 < rms_size d eps (add x delta) ->
  let rho := norm d delta / rms_size d eps x in rho < 1 ->
  norm d (sub (rms_norm d eps (add x delta)) (rms_norm d eps x)) <= sqrt (INR d) * turn rho.

Definition rms_norm_any_ratio : Prop :=
  forall d eps x delta, 0 <= eps -> 0 < rms_size d eps x -> 0 < rms_size d eps (add x delta) ->
  norm d (sub (rms_norm d eps (add x delta)) (rms_norm d eps x)) <=
  sqrt (INR d) * (2 * norm d delta / (rms_size d eps x + rms_size d eps (add x delta))).

(* B later blocks, each writing a vector of norm at most C to a state of norm size *)
Definition plateau : Prop :=
  forall d x (writes : list vec) (C : R), 0 <= C ->
  Forall (fun w => norm d w <= C) writes -> INR (length writes) * C < norm d x ->
  norm d (sub (unit_of d (fold_right add x writes)) (unit_of d x)) <=
  sqrt 2 * (INR (length writes) * C / norm d x).

(* ================================================= THE FIRST LAYER ======== *)
(* Stationary tokens: every window of the same length has the same law. The   *)
(* logits are any function of the two tokens and of their distance; range     *)
(* bounds the differences of one query's logits.                              *)

Definition mean {A : Type} (mu : list (A * R)) (f : A -> R) : R :=
  sum (map (fun x => snd x * f (fst x)) mu).

Definition is_law_of {A : Type} (mu : list (A * R)) (possible : A -> Prop) : Prop :=
  Forall (fun x => 0 <= snd x /\ possible (fst x)) mu /\ sum (map snd mu) = 1.

Definition stationary (T : nat) (mu : list (list nat * R)) : Prop :=
  is_law_of mu (fun x => length x = T) /\
  forall a m (F : list nat -> R), (a + m <= T)%nat ->
  mean mu (fun x => F (firstn m (skipn a x))) = mean mu (fun x => F (firstn m x)).

Definition backward_row (w : nat -> nat -> nat -> R) (x : list nat) (i : nat) : list R :=
  softmax (map (fun k => w (nth (i - 1) x 0%nat) (nth (k - 1) x 0%nat) (i - k)%nat) (seq 1 i)).

Definition first_layer_ceiling : Prop :=
  forall (T : nat) (mu : list (list nat * R)) (w : nat -> nat -> nat -> R) (range : R),
  (1 <= T)%nat -> stationary T mu ->
  (forall a b j b' j', (j < T)%nat -> (j' < T)%nat -> w a b j - w a b' j' <= range) ->
  let surprise := mean mu (fun x => ln (1 / weight (backward_row w x T) T)) in
  mean mu (fun x => importance T (backward_row w x)) * INR T <= 1 + surprise /\
  surprise <= range + ln (INR T).

(* ================================================= A NONLINEARITY ========= *)
(* Two layers of one head with residual, no positions, no norm, no MLP. In    *)
(* layer 1 the logits and the values are any functions of the tokens; layer 2 *)
(* has bilinear logits.                                                       *)

Definition first_state (e value : nat -> vec) (score : nat -> nat -> R) (p : list nat) : vec :=
  add (e (newest p)) (mix (softmax (map (score (newest p)) p)) (map value p)).

Definition second_row (d : nat) (A : matrix) (h : list nat -> vec) (p : list nat) : list R :=
  softmax (map (fun k => bilinear d A (h p) (h (firstn k p))) (seq 1 (length p))).

Definition nonlinearity_needed : Prop :=
  forall d (e value : nat -> vec) score A (a b c : nat),
  let row := second_row d A (first_state e value score) in
  let x := [a; b; b; a; c] in let y := [b; a; a; b; c] in
  ~ (weight (row x) 4 < weight (row x) 1 /\ weight (row y) 4 < weight (row y) 1).
