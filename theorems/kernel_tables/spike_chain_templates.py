"""Averaging, the gauge and the chain of a spike: the words around each pinned inequality."""

from __future__ import annotations

from theorems.kernel_tables.rows import Template

AVERAGING = (
    "forall (d : nat) (sigma : R) (mus : list law) (w : list R){more}, "
    "Forall (centred_law d sigma) mus -> {{0}} -> simplex_row (S (length mus)) w -> "
)
AVERAGED = {
    "m": "(INR (length mus))",
    "alpha": "(hd 0 w)",
    "sigma": "sigma",
    "V": "(output_power d mus w)",
}
LARGE = "unit_vector d u -> norm d b <= B ->"
KEYS = (
    "(k < length keys)%nat -> nth k keys u = spike A u b -> "
    "Forall (fun h => key_score d e q W (rms_norm d 0 h) / sqrt (INR d) <= o) (others k keys) ->"
)
LEAST_GAP = (
    "sqrt (INR d) / sqrt (INR e) * (key_score d e q W u - f * norm d (pulled_back e q W) - o)"
)

TEMPLATES: dict[str, Template] = {
    "silence_by_averaging": Template(
        AVERAGING.format(more="") + "{1} -> {2} -> {conclusion}",
        """split.
- intros statement d sigma mus w (laws & some & row).
  destruct (SpikePins.sink_range _ w row) as [low high].
  specialize (statement d sigma mus w laws (SpikePins.keys mus some) row low high). like statement.
- intros statement d sigma mus w laws some row _ _.
  specialize (statement d sigma mus w (conj laws (conj (SpikePins.width_back _ some) row))).
  like statement.""",
        "56683552c7b0",
        AVERAGED,
    ),
    "silence_uneven": Template(
        AVERAGING.format(more=" (x : R)") + "{1} -> {2} -> In x (tl w) -> {3} -> {4} -> "
        "{conclusion}",
        """split.
- intros statement d sigma mus w x (laws & some & row) m two among.
  destruct (SpikePins.sink_range _ w row) as [low high].
  destruct (SpikePins.weight_range _ w x row among) as [least most].
  specialize (statement d sigma mus w x laws (proj1 (SpikePins.two_keys mus) two) row low high among
    least most).
  replace (-1 + INR (length mus)) with (INR (length mus) - 1) in statement by ring.
  unfold m. like statement.
- intros statement d sigma mus w x laws two row _ _ among _ _.
  apply SpikePins.two_keys in two.
  assert (some : (1 <= length mus)%nat) by lia.
  specialize (statement d sigma mus w x (conj laws (conj some row)) two among).
  cbv zeta in statement.
  replace (-1 + INR (length mus)) with (INR (length mus) - 1) by ring. like statement.""",
        "67eebde101b6",
        {**AVERAGED, "x": "x"},
    ),
    "silence_needed": Template(
        AVERAGING.format(more=" (eta : R)") + "{1} -> {2} -> {3} -> {4} -> {conclusion}",
        """split.
- intros statement d sigma eta mus w (laws & some & row) eta0 silent.
  destruct (SpikePins.sink_range _ w row) as [low high].
  specialize (statement d sigma mus w eta laws (SpikePins.keys mus some) row low high eta0 silent).
  like statement.
- intros statement d sigma mus w eta laws some row _ _ eta0 silent.
  specialize (statement d sigma eta mus w (conj laws (conj (SpikePins.width_back _ some) row)) eta0
    silent). like statement.""",
        "bc13e221483a",
        AVERAGED,
    ),
    "silence_no_sink": Template(
        "forall (d : nat) (sigma eta : R) (mus : list law), Forall (centred_law d sigma) mus -> "
        "{0} -> {1} -> {2} -> let w := 0 :: repeat (/ INR (length mus)) (length mus) in "
        "{conclusion}",
        """split; intros statement d sigma eta mus laws some; apply statement; auto.
- apply SpikePins.keys. exact some.
- apply SpikePins.width_back. exact some.""",
        "d110c90eb5ea",
        AVERAGED,
    ),
    "spike_gauge": Template(
        "forall (d : nat) (c eps : R) (ls : list sublayer) (x : nat -> vec) "
        "(read : (nat -> vec) -> R) (p k : nat), {0} -> let y := decoder d ls x in "
        "let y' := decoder d (map (rescale c) ls) (fun p => scale c (x p)) in {conclusion}",
        "split; intros statement; exact statement.",
        "47104a191eaf",
        {
            "c": "c",
            "h": "(y p k)",
            "h_c": "(y' p k)",
            "y": "(read (normalised d eps y))",
            "y_c": "(read (normalised d (c ^ 2 * eps) y'))",
        },
    ),
    "spike_gauge_direction": Template(
        "forall (d : nat) (a b : R) (u r : vec), {0} -> {1} -> {2} -> {3} -> unit_vector d u -> "
        "orthogonal d u r -> "
        "let v := sub (rms_norm d 0 (spike a u r)) (rms_norm d 0 (spike b u r)) in {conclusion}",
        """split.
- intros statement d a b u r (unit & orth & positive) b0 v.
  specialize (statement d a b u r (SpikePins.has_width d u unit) positive b0
    (VectorLemmas.inner_nonneg d r) unit orth). cbv zeta in statement. unfold v. like statement.
- intros statement d a b u r _ positive b0 _ unit orth v.
  specialize (statement d a b u r (conj unit (conj orth positive)) b0). cbv zeta in statement.
  unfold v. like statement.""",
        "5f87ed801528",
        {"d": "(INR d)", "a": "a", "b": "b", "rho": "(inner d r r)", "Q": "(inner d v v)"},
    ),
    "spike_chain_direction": Template(
        f"forall (d : nat) (A B s : R) (u b : vec), {{0}} -> {{1}} -> {{2}} -> {LARGE} {{3}} -> "
        "{4} -> let v := off_direction d 0 (spike A u b) u in {conclusion}",
        """split; intros statement d A B s u b.
- intros (unit & small & large) s0 s2 v. apply SpikePins.square_form in s2.
  specialize (statement d A B s u b (SpikePins.has_width d u unit)
    (SpikePins.bound_nonneg d b B small) large unit small s0 s2). cbv zeta in statement.
  unfold v. like statement.
- intros _ _ large unit small s0 s2 v. apply SpikePins.square_form in s2.
  specialize (statement d A B s u b (conj unit (conj small large)) s0 s2). cbv zeta in statement.
  unfold v. like statement.""",
        "fc14d58cd363",
        {"d": "(INR d)", "A": "A", "B": "B", "s": "s", "Q": "(inner d v v)"},
    ),
    "spike_chain_gap": Template(
        "forall (d e : nat) (A B s f o : R) (u b q : vec) (W : matrix) (keys : list vec) "
        f"(k : nat), {{0}} -> {{1}} -> {LARGE} (1 <= e)%nat -> {{2}} -> {{3}} -> {{4}} -> {{5}} -> "
        f"{{6}} -> {{7}} -> {KEYS} Forall (fun h => {{conclusion}}) (others k keys)",
        """split; intros statement d e A B s f o u b q W keys k.
- intros (unit & small & large) e1 s0 s2 f0 f2 below is others0. apply SpikePins.square_form in s2.
  assert (f2' : 2 + -2 * s <= f ^ 2) by lra.
  specialize (statement d e A B s f o u b q W keys k (SpikePins.bound_nonneg d b B small) large unit
    small e1 s0 s2 (SpikePins.ratio_positive d e u unit e1) (VectorLemmas.norm_nonneg _ _) f0 f2'
    below is others0).
  revert statement. apply Forall_impl. intros h statement. like statement.
- intros _ large unit small e1 s0 s2 _ _ f0 f2' below is others0. apply SpikePins.square_form in s2.
  assert (f2 : 2 - 2 * s <= f ^ 2) by lra.
  specialize (statement d e A B s f o u b q W keys k (conj unit (conj small large)) e1 s0 s2 f0 f2
    below is others0).
  revert statement. apply Forall_impl. intros h statement. like statement.""",
        "33523b5f81d9",
        {
            "A": "A",
            "B": "B",
            "s": "s",
            "f": "f",
            "o": "o",
            "R": "(sqrt (INR d) / sqrt (INR e))",
            "k": "(key_score d e q W u)",
            "w": "(norm d (pulled_back e q W))",
            "Delta": "(head_logit d e q W (spike A u b) - head_logit d e q W h)",
        },
    ),
    "spike_chain": Template(
        "forall (d e : nat) (A B f o : R) (u b q : vec) (W : matrix) (keys : list vec) (k : nat), "
        f"{{0}} -> {{1}} -> {LARGE} (1 <= e)%nat -> "
        "(f = sqrt 2 * B / A \\/ f = sqrt (2 - 2 * sqrt (1 - B ^ 2 / A ^ 2))) -> "
        f"{KEYS} {{2}} -> {{3}} -> let gap := {LEAST_GAP} in {{conclusion}}",
        """split; intros statement d e A B f o u b q W keys k.
- intros (unit & small & large) e1 f' below is others0 gap. rewrite <- SpikePins.gap_form.
  exact (statement d e A B f o u b q W keys k (SpikePins.bound_nonneg d b B small) large unit small
    e1 f' below is others0 (SpikePins.some_key k keys below) (exp_pos _)).
- intros _ large unit small e1 f' below is others0 _ _ gap. rewrite SpikePins.gap_form.
  exact (statement d e A B f o u b q W keys k (conj unit (conj small large)) e1 f' below is
    others0).""",
        "3f77e4176cdb",
        {
            "A": "A",
            "B": "B",
            "m": "(INR (length keys))",
            "E": f"(exp ({LEAST_GAP}))",
            "alpha": "(mass (map (head_logit d e q W) keys) k)",
        },
    ),
    "spike_chain_network": Template(
        "forall es : list vec, es <> [] -> Forall signs es -> "
        "let xs := map step_up (chain_bos :: map chain_token es) in "
        "let middle := sink_head 1 [step_up chain_bos] in {0} -> {1} -> {conclusion}",
        """split; intros statement es some given; specialize (statement es some given);
cbv zeta in *.
- specialize (statement (SpikePins.two_positions es some) (exp_pos _)).
  destruct statement as (final & spike & share). split; [exact final | split; [exact spike |]].
  rewrite <- share at 2. ring.
- intros _ _. destruct statement as (final & spike & share).
  split; [exact final | split; [exact spike |]]. rewrite <- share at 2. ring.""",
        "27927a8b0de8",
        {
            "i": "(INR (length xs))",
            "E": "(exp (16 / sqrt (1 + 10 / 2400 ^ 2)))",
            "alpha": "(mass (chain_logits 1 xs) 0)",
            "spike": "(Rmax (sup 16 (step_up chain_bos)) (sup 16 middle))",
            "final": "(sup 16 (sub (step_down middle) chain_bos))",
        },
    ),
    "spikes_without_sinks": Template(
        "forall es : list vec, es <> [] -> Forall signs es -> "
        "let xs := chain_bos :: map chain_token es in {0} -> {conclusion}",
        """split; intros statement es some given; specialize (statement es some given);
cbv zeta in *.
- apply statement. pose proof (SpikePins.two_positions es some) as two.
  rewrite map_length in two. exact two.
- intros _. exact statement.""",
        "b0f00377d956",
        {
            "i": "(INR (length xs))",
            "spike": "(fold_right Rmax 0 (map (sup 16) (chain_states 0 xs)))",
            "beta": "(mass (chain_logits 0 (map step_up xs)) 0)",
        },
    ),
}
"""By the name of the Coq statement."""
