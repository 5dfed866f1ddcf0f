(******************************************************************************)
(*                            SPIKE STATEMENTS                                *)
(* A trusted file: theorems on massive activations (spikes) and attention     *)
(* sinks. A theorem X stated here is proved in another file as X_proof : X.   *)
(* Unit lemmas: SpikeStatementsTests.v; witnesses: SpikeWitnesses.v.          *)
(*                                                                            *)
(* Softmax rows: z is the list of the logits of the keys that a query sees    *)
(*      others k xs == the list without its k-th entry (k from 0)             *)
(*         mass z k == the weight that softmax gives to the k-th key          *)
(*  mean_of_others z k == the mean of the other logits                        *)
(*            lse z == ln of the sum of exp z_j;  sigmoid x == 1 / (1 + e^-x) *)
(* SwiGLU                                                                     *)
(*  glu act n d gate up down h == one output: sum of down_i act(gate_i h)     *)
(*                    (up_i h) over n units                                   *)
(*      active_form == its symmetric matrix over the units open at h          *)
(*  paired_gate, paired_up, paired_down == two units for each direction       *)
(* States and blocks                                                          *)
(*      spike a u r == a u + r;  off_direction == RMSNorm of h less sqrt d u  *)
(*  post_norm_blocks == blocks that add their normalised output               *)
(*         qk_logit == a logit of a head with QK-norm, with or without RoPE   *)
(*  expect_all, output_power == means over independent values                 *)
(*  sublayer, decoder, rescale == a pre-norm decoder, and all it writes, times*)
(*                    c                                                       *)
(*  head_logit, pulled_back == a head that reads normalised states            *)
(*  chain_*, step_up, sink_head, step_down == a network with a spike          *)
(*                                                                            *)
(* Source of the claims made quantitative here: Sun et al. 2026,              *)
(* arXiv 2603.05498 (spikes, sparse and sinks).                               *)
(******************************************************************************)
Require Import Reals List Arith.
From Sinkproof Require Import Statements Vectors.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------- softmax rows ----------- *)

Definition others {A} (k : nat) (xs : list A) : list A := firstn k xs ++ skipn (S k) xs.

Definition mass (z : list R) (k : nat) : R := nth k (softmax z) 0.

Definition mean_of_others (z : list R) (k : nat) : R := sum (others k z) / INR (length z - 1).

Definition lse (z : list R) : R := ln (sum (map exp z)).

Definition sigmoid (x : R) : R := 1 / (1 + exp (- x)).

(* ================================================= THE GAP IS THE SINK ==== *)

Definition logit_gap : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->
  1 / (1 + (INR (length z) - 1) * exp (- gap)) <= mass z k.

Definition logit_gap_strict : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->
  Exists (fun y => y + gap < nth k z 0) (others k z) ->
  1 / (1 + (INR (length z) - 1) * exp (- gap)) < mass z k.

Definition logit_gap_attained : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap = nth k z 0) (others k z) ->
  mass z k = 1 / (1 + (INR (length z) - 1) * exp (- gap)).

Definition logit_gap_converse : Prop :=
  forall (z : list R) (k : nat),
  (k < length z)%nat -> (2 <= length z)%nat ->
  mass z k <= 1 / (1 + (INR (length z) - 1) * exp (- (nth k z 0 - mean_of_others z k))).

Definition logit_gap_converse_equality : Prop :=
  forall (z : list R) (k : nat),
  (k < length z)%nat -> (2 <= length z)%nat ->
  mass z k = 1 / (1 + (INR (length z) - 1) * exp (- (nth k z 0 - mean_of_others z k))) <->
  Forall (fun y => y = mean_of_others z k) (others k z).

(* ================================================= A SINK IS A GATE ======= *)

(* a key without a value is a sigmoid gate on the attention to the other keys *)
Definition sink_is_gate : Prop :=
  forall (z : list R) (vs : list vec) (k i : nat),
  (k < length z)%nat -> (2 <= length z)%nat -> length vs = length z ->
  nth k vs (fun _ => 0) i = 0 ->
  mix (softmax z) vs i = sigmoid (lse (others k z) - nth k z 0) * mix (softmax (others k z)) (others k vs) i.

Definition sink_gate_mass : Prop :=
  forall (z : list R) (k : nat), (k < length z)%nat -> (2 <= length z)%nat ->
  mass z k = 1 - sigmoid (lse (others k z) - nth k z 0).

(* at a fixed gap the mass over one half falls through zero at m = 1 + e^gap keys *)
Definition sink_half : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap = nth k z 0) (others k z) ->
  (2 * mass z k - 1) * (INR (length z) - 1 + exp gap) = 1 + exp gap - INR (length z).

Definition sink_half_mass : Prop :=
  forall (z : list R) (k : nat) (gap : R),
  (k < length z)%nat -> Forall (fun y => y + gap = nth k z 0) (others k z) ->
  (1/2 <= mass z k <-> INR (length z) <= 1 + exp gap) /\
  (mass z k = 1/2 <-> INR (length z) = 1 + exp gap).

(* ------------------------------------------------- one SwiGLU output ------ *)

(* n units with gate and up vectors; down is one row of the down projection *)
Definition glu (act : R -> R) (n d : nat) (gate up : nat -> vec) (down : nat -> R) (h : vec) : R :=
  sum_below n (fun i => down i * act (inner d (gate i) h) * inner d (up i) h).

(* the symmetric matrix of the units whose gate is open at h *)
Definition active_form (n d : nat) (gate up : nat -> vec) (down : nat -> R) (h : vec) : matrix := fun j l =>
  sum_below n (fun i => if Rlt_dec 0 (inner d (gate i) h)
    then down i * (gate i j * up i l + gate i l * up i j) / 2 else 0).

(* two units for each direction: gates s and -s, up s, down lambda and -lambda *)
Definition paired_gate (s : nat -> vec) (i : nat) : vec :=
  if Nat.even i then s (Nat.div2 i) else scale (-1) (s (Nat.div2 i)).
Definition paired_up (s : nat -> vec) (i : nat) : vec := s (Nat.div2 i).
Definition paired_down (lambda : nat -> R) (i : nat) : R :=
  if Nat.even i then lambda (Nat.div2 i) else - lambda (Nat.div2 i).

Definition halves (act : R -> R) : Prop := forall a, act a - act (- a) = a.

Definition orthonormal_vectors (d : nat) (s : nat -> vec) : Prop :=
  forall i j, (i < d)%nat -> (j < d)%nat -> inner d (s i) (s j) = if (i =? j)%nat then 1 else 0.

(* orthonormal_vectors, and every vector is the sum of its components *)
Definition orthonormal_basis (d : nat) (s : nat -> vec) : Prop :=
  orthonormal_vectors d s /\
  forall (h : vec) k, (k < d)%nat -> h k = sum_below d (fun j => inner d (s j) h * s j k).

Definition eigenvectors (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R) : Prop :=
  forall j k, (j < d)%nat -> (k < d)%nat -> apply d S (s j) k = lambda j * s j k.

(* ================================================= QUADRATIC AMPLIFIER ==== *)

(* the remainder of ReLU, exactly and at most *)
Definition silu_identities : Prop := forall a : R,
  a - silu a = a / (1 + exp a) /\ Rabs (silu a - relu a) = Rabs a / (1 + exp (Rabs a)).

Definition silu_remainder : Prop := forall a : R,
  Rabs (silu a - relu a) <= 557 / 2000 /\ exp (Rabs a) * Rabs (silu a - relu a) <= Rabs a.

(* at h a SwiGLU output is a quadratic form over the units that are open there *)
Definition swiglu_active_set : Prop :=
  forall (n d : nat) (gate up : nat -> vec) (down : nat -> R) (h : vec),
  let a i := inner d (gate i) h in
  let b i := inner d (up i) h in
  Rabs (glu silu n d gate up down h - bilinear d (active_form n d gate up down h) h h)
    <= sum_below n (fun i => Rabs (down i) * Rabs (b i) * (Rabs (a i) / (1 + exp (Rabs (a i))))).

(* SiLU, ReLU and GELU (a g(a) with g(a) + g(-a) = 1) alike *)
Definition activations_halve : Prop :=
  halves silu /\ halves relu /\
  forall g : R -> R, (forall a, g a + g (- a) = 1) -> halves (fun a => a * g a).

Definition amplifier_pair : Prop :=
  forall (act : R -> R) (d : nat) (s : vec) (lambda : R) (h : vec), halves act ->
  glu act 2 d (paired_gate (fun _ => s)) (paired_up (fun _ => s)) (paired_down (fun _ => lambda)) h
    = lambda * inner d s h ^ 2.

(* 2r units give a form of rank r with no error *)
Definition amplifier_rank : Prop :=
  forall (act : R -> R) (r d : nat) (s : nat -> vec) (lambda : nat -> R) (h : vec), halves act ->
  glu act (2 * r) d (paired_gate s) (paired_up s) (paired_down lambda) h
    = sum_below r (fun j => lambda j * inner d (s j) h ^ 2).

(* eigenvalues ordered by absolute value: the first alone is nearly the form *)
Definition rank_one_bound : Prop :=
  forall (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R) (h : vec),
  (2 <= d)%nat -> orthonormal_basis d s -> eigenvectors d S s lambda ->
  Rabs (lambda 1%nat) <= Rabs (lambda 0%nat) ->
  (forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat)) ->
  Rabs (bilinear d S h h - lambda 0%nat * inner d (s 0%nat) h ^ 2)
    <= Rabs (lambda 1%nat) * (inner d h h - inner d (s 0%nat) h ^ 2).

Definition rank_one_attained : Prop :=
  forall (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R),
  orthonormal_vectors d s -> eigenvectors d S s lambda -> (2 <= d)%nat ->
  Rabs (bilinear d S (s 1%nat) (s 1%nat) - lambda 0%nat * (inner d (s 0%nat) (s 1%nat)) ^ 2)
    = Rabs (lambda 1%nat) * (inner d (s 1%nat) (s 1%nat) - (inner d (s 0%nat) (s 1%nat)) ^ 2).

(* ================================================= NORM SPARSIFIES ======== *)
(* h = a u + r, u a unit vector, r orthogonal to it, a > 0.                    *)

Definition spike (a : R) (u r : vec) : vec := add (scale a u) r.

Definition spike_state (d : nat) (a : R) (u r : vec) : Prop := unit_vector d u /\ orthogonal d u r /\ 0 < a.

(* what separates RMSNorm(h) from the fixed vector sqrt d u *)
Definition off_direction (d : nat) (eps : R) (h u : vec) : vec :=
  sub (rms_norm d eps h) (scale (sqrt (INR d)) u).

Definition norm_sparsifies : Prop :=
  forall (d : nat) (a eps : R) (u r : vec), spike_state d a u r -> 0 <= eps ->
  let v := off_direction d eps (spike a u r) u in
  inner d v v <= INR d * (inner d r r + INR d * eps) / a ^ 2.

Definition norm_sparsifies_converse : Prop :=
  forall (d : nat) (a eps : R) (u r : vec), spike_state d a u r -> 0 <= eps ->
  let v := off_direction d eps (spike a u r) u in
  INR d * inner d r r / (a ^ 2 + inner d r r + INR d * eps) <= inner d v v.

Definition norm_sparsifies_sparse : Prop :=
  forall (d : nat) (a eps : R) (u r : vec) (i : nat), spike_state d a u r -> 0 <= eps ->
  (i < d)%nat -> u i = 0 ->
  rms_norm d eps (spike a u r) i ^ 2 <= INR d * r i ^ 2 / a ^ 2.

Definition norm_bounds : Prop :=
  forall (d : nat) (eps : R) (h : vec) (i : nat), 0 <= eps -> (i < d)%nat ->
  rms_norm d eps h i ^ 2 <= INR d.

(* keys: M = W_K diag(scales) multiplies lengths by at most w *)
Definition norm_sparsifies_keys : Prop :=
  forall (d e : nat) (a eps w : R) (u r : vec) (M : matrix), spike_state d a u r -> 0 <= eps ->
  0 <= w -> (forall x, norm e (apply d M x) <= w * norm d x) ->
  let k := apply d M (off_direction d eps (spike a u r) u) in
  inner e k k <= w ^ 2 * (INR d * (inner d r r + INR d * eps) / a ^ 2).

(* ================================================= SANDWICH BOUND ========= *)
(* A post-norm block adds its RMS-normalised output, times scales g.           *)

Definition post_norm_block (d : nat) (gamma : R) (x y : vec) : Prop :=
  exists (out g : vec) (eps : R), 0 <= eps /\ (forall k, (k < d)%nat -> Rabs (g k) <= gamma) /\
  forall k, (k < d)%nat -> y k = x k + g k * rms_norm d eps out k.

Definition post_norm_blocks (d B : nat) (gamma : R) (x : nat -> vec) : Prop :=
  forall b, (b < B)%nat -> post_norm_block d gamma (x b) (x (S b)).

Definition sup (d : nat) (x : vec) : R := fold_right Rmax 0 (map (fun k => Rabs (x k)) (seq 0 d)).

Definition sandwich_bound : Prop :=
  forall (d B : nat) (gamma : R) (x : nat -> vec) (size : vec -> R),
  (1 <= d)%nat -> 0 <= gamma -> post_norm_blocks d B gamma x -> size = norm d \/ size = sup d ->
  size (x B) <= size (x 0%nat) + sqrt (INR d) * gamma * INR B.

(* so a spike takes blocks *)
Definition sandwich_blocks : Prop :=
  forall (d B : nat) (gamma : R) (x : nat -> vec) (size : vec -> R),
  (1 <= d)%nat -> 0 < gamma -> post_norm_blocks d B gamma x -> size = norm d \/ size = sup d ->
  (size (x B) - size (x 0%nat)) / (sqrt (INR d) * gamma) <= INR B.

Definition sandwich_attained : Prop :=
  forall (d B : nat) (gamma a : R) (size : vec -> R),
  (1 <= d)%nat -> 0 <= gamma -> 0 <= a -> size = norm d \/ size = sup d ->
  exists x : nat -> vec, post_norm_blocks d B gamma x /\
  size (x 0%nat) = a /\ size (x B) = a + sqrt (INR d) * gamma * INR B.

(* without the norm after it one SwiGLU block of two units writes a spike of any size *)
Definition sandwich_pre_norm : Prop :=
  forall (d : nat) (a S : R) (s : vec), unit_vector d s -> 0 < a -> 0 <= S ->
  glu silu 2 d (paired_gate (fun _ => s)) (paired_up (fun _ => s)) (paired_down (fun _ => S / INR d))
    (rms_norm d 0 (scale a s)) = S.

(* ================================================= HEAD DIMENSION ========= *)
(* QK-norm: each head's query and key is RMS-normalised and multiplied by      *)
(* scales, coordinate by coordinate; RoPE then turns pairs (2p, 2p + 1), of    *)
(* the key against the query by the angle turn p.                              *)

Definition times (g x : vec) : vec := fun k => g k * x k.

Definition rotate (turn : nat -> R) (x : vec) : vec := fun i =>
  let p := Nat.div2 i in
  if Nat.even i then cos (turn p) * x i - sin (turn p) * x (S i)
  else sin (turn p) * x (pred i) + cos (turn p) * x i.

Definition plain_scales (d : nat) (g : R) (gq gk : vec) : Prop :=
  forall i, (i < d)%nat -> Rabs (gq i * gk i) <= g.

Definition rope_scales (d : nat) (g : R) (gq gk : vec) : Prop :=
  Nat.Even d /\ forall i j, (i < d)%nat -> (j < d)%nat -> Nat.div2 i = Nat.div2 j -> Rabs (gq i * gk j) <= g.

(* a logit of such a head for the query from x, with or without RoPE *)
Definition qk_logit (d : nat) (g : R) (gq gk : vec) (eq : R) (x : vec) (z : R) : Prop :=
  exists (ek : R) (y : vec) (turn : nat -> R), 0 <= eq /\ 0 <= ek /\
  let q := times gq (rms_norm d eq x) in
  let k := times gk (rms_norm d ek y) in
  (plain_scales d g gq gk /\ z = inner d q k / sqrt (INR d) \/
   rope_scales d g gq gk /\ z = inner d q (rotate turn k) / sqrt (INR d)).

Definition head_dimension_logit : Prop :=
  forall (d : nat) (g : R) (gq gk : vec) (eq : R) (x : vec) (z : R), (1 <= d)%nat -> 0 <= g ->
  qk_logit d g gq gk eq x z -> z ^ 2 <= INR d * g ^ 2.

Definition head_dimension : Prop :=
  forall (d : nat) (g : R) (gq gk : vec) (eq : R) (x : vec) (z : list R) (k : nat), (1 <= d)%nat -> 0 <= g ->
  Forall (qk_logit d g gq gk eq x) z -> (k < length z)%nat ->
  mass z k <= 1 / (1 + (INR (length z) - 1) / exp (g * sqrt (INR d)) ^ 2).

(* for every head size, number of keys and scale *)
Definition head_dimension_attained : Prop :=
  forall (d m : nat) (g : R), (1 <= d)%nat -> (1 <= m)%nat -> 0 <= g ->
  exists (gq gk : vec) (eq : R) (x : vec) (z : list R), Forall (qk_logit d g gq gk eq x) z /\ length z = m /\
  nth 0 z 0 = g * sqrt (INR d) /\
  mass z 0 = 1 / (1 + (INR m - 1) / exp (g * sqrt (INR d)) ^ 2).

(* the smallest head that can give the mass tau to a key; T = ln ((m-1) tau / (1-tau)) *)
Definition head_dimension_needed : Prop :=
  forall (d : nat) (g tau T : R) (gq gk : vec) (eq : R) (x : vec) (z : list R) (k : nat), (1 <= d)%nat -> 0 < g ->
  Forall (qk_logit d g gq gk eq x) z -> (k < length z)%nat ->
  0 < tau < 1 -> (INR (length z) - 1) * tau / (1 - tau) = exp T -> 0 <= T ->
  tau <= mass z k -> T ^ 2 / (4 * g ^ 2) <= INR d.

(* 14 coordinates at 4096 keys, scales 1 and mass 0.3 *)
Definition head_dimension_14 : Prop :=
  forall (d : nat) (gq gk : vec) (eq : R) (x : vec) (z : list R) (k : nat), (1 <= d)%nat ->
  Forall (qk_logit d 1 gq gk eq x) z -> length z = 4096%nat -> (k < 4096)%nat ->
  3/10 <= mass z k -> (14 <= d)%nat.

(* ================================================= SILENCE BY AVERAGING === *)
(* A simplex row w on a sink of value zero and on other keys, the values of    *)
(* which are independent, each with its own law of finite support.             *)

Fixpoint expect_all (mus : list law) (F : list vec -> R) : R :=
  match mus with
  | [] => F []
  | mu :: rest => sum (map (fun cw => snd cw * expect_all rest (fun vs => F (fst cw :: vs))) mu)
  end.

(* mean zero, mean square sigma^2 *)
Definition centred_law (d : nat) (sigma : R) (mu : law) : Prop :=
  is_law mu /\ (forall k, (k < d)%nat -> sum (map (fun cw => snd cw * fst cw k) mu) = 0) /\
  sum (map (fun cw => snd cw * inner d (fst cw) (fst cw)) mu) = sigma ^ 2.

(* the mean square of the head's output *)
Definition output_power (d : nat) (mus : list law) (w : list R) : R :=
  expect_all mus (fun vs => let o := mix w ((fun _ => 0) :: vs) in inner d o o).

Definition averaging_head (d : nat) (sigma : R) (mus : list law) (w : list R) : Prop :=
  Forall (centred_law d sigma) mus /\ (1 <= length mus)%nat /\ simplex_row (S (length mus)) w.

Definition silence_by_averaging : Prop :=
  forall (d : nat) (sigma : R) (mus : list law) (w : list R), averaging_head d sigma mus w ->
  sigma ^ 2 * (1 - hd 0 w) ^ 2 / INR (length mus) <= output_power d mus w.

(* x is the weight of a key other than the sink *)
Definition silence_uneven : Prop :=
  forall (d : nat) (sigma : R) (mus : list law) (w : list R) (x : R), averaging_head d sigma mus w ->
  let m := INR (length mus) in
  (2 <= length mus)%nat -> In x (tl w) ->
  sigma ^ 2 * ((1 - hd 0 w) ^ 2 / m + m / (m - 1) * (x - (1 - hd 0 w) / m) ^ 2) <= output_power d mus w.

Definition silence_equality : Prop :=
  forall (d : nat) (sigma : R) (mus : list law) (w : list R), averaging_head d sigma mus w -> sigma <> 0 ->
  output_power d mus w = sigma ^ 2 * (1 - hd 0 w) ^ 2 / INR (length mus) <->
  Forall (fun a => a = (1 - hd 0 w) / INR (length mus)) (tl w).

(* silence eta leaves the sink all but eta sqrt m / sigma of the mass *)
Definition silence_needed : Prop :=
  forall (d : nat) (sigma eta : R) (mus : list law) (w : list R), averaging_head d sigma mus w -> 0 <= eta ->
  output_power d mus w <= eta ^ 2 -> sigma ^ 2 * (1 - hd 0 w) ^ 2 <= INR (length mus) * eta ^ 2.

(* over sigma^2 / eta^2 keys uniform weights without a sink are silent *)
Definition silence_no_sink : Prop :=
  forall (d : nat) (sigma eta : R) (mus : list law), Forall (centred_law d sigma) mus -> (1 <= length mus)%nat ->
  0 < eta -> sigma ^ 2 <= INR (length mus) * eta ^ 2 ->
  output_power d mus (0 :: repeat (/ INR (length mus)) (length mus)) <= eta ^ 2.

(* ================================================= SPIKES ARE GAUGE ======= *)
(* A pre-norm decoder: each sublayer reads the stream of all positions through *)
(* RMSNorm, by any map (attention, an MLP), and writes to it linearly.         *)

Record sublayer := Sublayer {
  inside : nat;                               (* width of what it computes *)
  compute : (nat -> vec) -> nat -> vec;       (* position by position, from all positions *)
  write : matrix;
  bias : vec;
  norm_eps : R }.

Definition normalised (d : nat) (eps : R) (x : nat -> vec) : nat -> vec := fun p => rms_norm d eps (x p).

Definition after (d : nat) (l : sublayer) (x : nat -> vec) : nat -> vec := fun p k =>
  x p k + (apply (inside l) (write l) (compute l (normalised d (norm_eps l) x) p) k + bias l k).

Definition decoder (d : nat) (ls : list sublayer) (x : nat -> vec) : nat -> vec :=
  fold_left (fun y l => after d l y) ls x.

Definition rescale (c : R) (l : sublayer) : sublayer :=
  Sublayer (inside l) (compute l) (fun i k => c * write l i k) (scale c (bias l)) (c ^ 2 * norm_eps l).

(* read is whatever is computed from the normalised stream: an attention weight, an
   entry, an output; each depth is a decoder of its own *)
Definition spike_gauge : Prop :=
  forall (d : nat) (c eps : R) (ls : list sublayer) (x : nat -> vec) (read : (nat -> vec) -> R) (p k : nat), 0 < c ->
  let y := decoder d ls x in
  let y' := decoder d (map (rescale c) ls) (fun p => scale c (x p)) in
  read (normalised d (c ^ 2 * eps) y') = read (normalised d eps y) /\ y' p k = c * y p k.

Definition spike_gauge_direction : Prop :=
  forall (d : nat) (a b : R) (u r : vec), spike_state d a u r -> 0 < b ->
  let v := sub (rms_norm d 0 (spike a u r)) (rms_norm d 0 (spike b u r)) in
  inner d v v <= INR d * inner d r r * (1 / a - 1 / b) ^ 2.

(* ================================================= THE CHAIN ============== *)
(* A state A u + b with |b| <= B < A, without eps; a head that reads it among  *)
(* other states through RMSNorm.                                               *)

Definition large_state (d : nat) (A B : R) (u b : vec) : Prop := unit_vector d u /\ norm d b <= B /\ B < A.

Definition spike_chain_direction : Prop :=
  forall (d : nat) (A B s : R) (u b : vec), large_state d A B u b ->
  0 <= s -> s ^ 2 = 1 - B ^ 2 / A ^ 2 ->
  let v := off_direction d 0 (spike A u b) u in
  inner d v v <= 2 * INR d * (1 - s).

(* where such a state comes from: a block that writes lambda_k (s . y)^2, a symmetric rest
   E_k with E_k s = 0 and |v^T E_k v| <= tau_k |v|^2, and an error of norm at most xi;
   for a normalised y the rest is |tau| d (1 - c^2), c^2 = (s . y)^2 / d *)
Definition spike_chain_write : Prop :=
  forall (d : nat) (x y s lambda tau err : vec) (E : nat -> matrix) (xi : R),
  unit_vector d s -> 0 < norm d lambda -> norm d err <= xi ->
  (forall k i j, E k i j = E k j i) ->
  (forall k j, (k < d)%nat -> (j < d)%nat -> apply d (E k) s j = 0) ->
  (forall k v, (k < d)%nat -> Rabs (bilinear d (E k) v v) <= tau k * inner d v v) ->
  let A := norm d lambda * inner d s y ^ 2 in
  let B := norm d x + norm d tau * (inner d y y - inner d s y ^ 2) + xi in
  exists b : vec, norm d b <= B /\ unit_vector d (scale (/ norm d lambda) lambda) /\
  forall k, (k < d)%nat ->
  x k + (lambda k * inner d s y ^ 2 + bilinear d (E k) y y + err k) = spike A (scale (/ norm d lambda) lambda) b k.

Definition key_score (d e : nat) (q : vec) (W : matrix) (x : vec) : R := inner e q (apply d W x).

Definition head_logit (d e : nat) (q : vec) (W : matrix) (h : vec) : R :=
  key_score d e q W (rms_norm d 0 h) / sqrt (INR e).

(* W^T q *)
Definition pulled_back (e : nat) (q : vec) (W : matrix) : vec := apply e (fun j i => W i j) q.

(* o bounds what the other states score *)
Definition spike_chain_gap : Prop :=
  forall (d e : nat) (A B s f o : R) (u b q : vec) (W : matrix) (keys : list vec) (k : nat),
  large_state d A B u b -> (1 <= e)%nat -> 0 <= s -> s ^ 2 = 1 - B ^ 2 / A ^ 2 ->
  0 <= f -> 2 - 2 * s <= f ^ 2 ->
  (k < length keys)%nat -> nth k keys u = spike A u b ->
  Forall (fun h => key_score d e q W (rms_norm d 0 h) / sqrt (INR d) <= o) (others k keys) ->
  Forall (fun h => sqrt (INR d) / sqrt (INR e) * (key_score d e q W u - f * norm d (pulled_back e q W) - o)
    <= head_logit d e q W (spike A u b) - head_logit d e q W h) (others k keys).

Definition spike_chain : Prop :=
  forall (d e : nat) (A B f o : R) (u b q : vec) (W : matrix) (keys : list vec) (k : nat),
  large_state d A B u b -> (1 <= e)%nat ->
  f = sqrt 2 * B / A \/ f = sqrt (2 - 2 * sqrt (1 - B ^ 2 / A ^ 2)) ->
  (k < length keys)%nat -> nth k keys u = spike A u b ->
  Forall (fun h => key_score d e q W (rms_norm d 0 h) / sqrt (INR d) <= o) (others k keys) ->
  let gap := sqrt (INR d) / sqrt (INR e) * (key_score d e q W u - f * norm d (pulled_back e q W) - o) in
  1 / (1 + (INR (length keys) - 1) * exp (- gap)) <= mass (map (head_logit d e q W) keys) k.

(* ================================================= A NETWORK'S SPIKE ====== *)
(* Width 16: coordinate 0 marks BOS, 1 ordinary tokens, 2 and 3 are the spike  *)
(* channels, 4..15 the others. Step-up, sink head, step-down, each after       *)
(* RMSNorm without eps; a token is followed by no other once it is BOS.        *)

Definition chain_bos : vec := fun k =>
  match k with 0%nat => 2 | _ => if andb (10 <=? k)%nat (k <? 16)%nat then 1 else 0 end.

(* one of 2^12: signs e on the others *)
Definition signs (e : vec) : Prop := forall k, e k = 1 \/ e k = -1.
Definition chain_token (e : vec) : vec := fun k =>
  match k with 1%nat => 2 | _ => if andb (4 <=? k)%nat (k <? 16)%nat then e k else 0 end.

Definition chain_s : vec := fun k => match k with 0%nat => 1 | _ => 0 end.
Definition chain_u : vec := fun k => match k with 2%nat => 3/5 | 3%nat => 4/5 | _ => 0 end.

(* the SwiGLU block with gates s and -s, up s, down c v and -c v *)
Definition write_square (s v : vec) (c : R) (x : vec) : vec := fun k =>
  x k + glu silu 2 16 (paired_gate (fun _ => s)) (paired_up (fun _ => s)) (paired_down (fun _ => c * v k)) (rms_norm 16 0 x).

Definition step_up : vec -> vec := write_square chain_s chain_u 375.
Definition step_down : vec -> vec := write_square chain_u chain_u (- (576001 / 3840)).

(* head of dimension 1: query 2 y_1, key (times sink) u . y, value and output y_4..y_9 *)
Definition chain_logits (sink : R) (xs : list vec) : list R :=
  map (fun x => 2 * rms_norm 16 0 (last xs chain_bos) 1%nat * (sink * inner 16 chain_u (rms_norm 16 0 x))) xs.

Definition chain_value (x : vec) : vec := fun k => if andb (4 <=? k)%nat (k <? 10)%nat then rms_norm 16 0 x k else 0.

Definition sink_head (sink : R) (xs : list vec) : vec := fun k =>
  last xs chain_bos k + mix (softmax (chain_logits sink xs)) (map chain_value xs) k.

(* BOS rises to (1440, 1920), every later query sinks, BOS falls back to what it was *)
Definition spike_chain_network : Prop :=
  forall es : list vec, es <> [] -> Forall signs es ->
  let xs := map step_up (chain_bos :: map chain_token es) in
  let middle := sink_head 1 [step_up chain_bos] in
  let E := exp (16 / sqrt (1 + 10 / 2400 ^ 2)) in
  sup 16 (sub (step_down middle) chain_bos) = 0 /\
  Rmax (sup 16 (step_up chain_bos)) (sup 16 middle) = 1920 /\
  mass (chain_logits 1 xs) 0 * (E + INR (length xs) - 1) = E.

(* with the sink head's keys at zero: every state of the run up to the last position *)
Definition chain_states (sink : R) (xs : list vec) : list vec :=
  let ups := map step_up xs in
  let mids := map (fun i => sink_head sink (firstn i ups)) (seq 1 (length xs)) in
  xs ++ ups ++ mids ++ map step_down mids.

Definition spikes_without_sinks : Prop :=
  forall es : list vec, es <> [] -> Forall signs es ->
  let xs := chain_bos :: map chain_token es in
  fold_right Rmax 0 (map (sup 16) (chain_states 0 xs)) = 1920 /\
  mass (chain_logits 0 (map step_up xs)) 0 * INR (length xs) = 1.
