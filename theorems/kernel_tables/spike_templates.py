"""Spikes and sinks: the words around each pinned inequality, in Coq's terms.

As in ``trigger_templates``: the registry's ``setting`` as Coq text, a numbered place for each of
its hypotheses, and a proof that the whole is equivalent to the statement in
``proofs/SpikeStatements.v``.
"""

from __future__ import annotations

from theorems.kernel_tables.rows import Template

LEMMAS = """\
Ltac some_keys z :=
  match goal with below : (_ < length z)%nat |- _ => pose proof (SpikePins.some_key _ z below) end.
Ltac spike_same a b :=
  first [constr_eq a b | replace a with b by (unfold Rdiv; rewrite ?Rinv_mult; ring)].
Ltac like statement :=
  lazymatch type of statement with
  | ?a <= ?b => lazymatch goal with |- ?c <= ?e => spike_same c a; spike_same e b end
  | ?a < ?b => lazymatch goal with |- ?c < ?e => spike_same c a; spike_same e b end
  | ?a = ?b => lazymatch goal with |- ?c = ?e => spike_same c a; spike_same e b end
  end; exact statement.
"""

ROW = "forall (z : list R) (k : nat)"
GAP = "(k < length z)%nat -> Forall (fun y => y + gap <= nth k z 0) (others k z) ->"
KEYS = {"m": "(INR (length z))", "alpha": "(mass z k)"}

SPIKE = "forall (d : nat) (a eps : R) (u r : vec)"
SPIKE_TERMS = {
    "d": "(INR d)",
    "a": "a",
    "rho": "(inner d r r)",
    "epsilon": "eps",
    "Q": ("(inner d (off_direction d eps (spike a u r) u) (off_direction d eps (spike a u r) u))"),
}
SPIKE_PROOF = """split.
- intros statement d a eps u r (unit & orth & positive) eps0 v.
  specialize (statement d a eps u r (SpikePins.has_width d u unit) positive
    (VectorLemmas.inner_nonneg d r) eps0 unit orth). unfold v. like statement.
- intros statement d a eps u r _ positive _ eps0 unit orth.
  specialize (statement d a eps u r (conj unit (conj orth positive)) eps0).
  cbv zeta in statement. like statement."""
SAME_SUM = "rewrite ?(Rplus_comm (inner d r r) (a ^ 2)), ?(Rmult_comm eps (INR d)) in *. "
BLOCKS = "forall (d B : nat) (gamma : R) (x : nat -> vec) (size : vec -> R)"
BLOCK_TERMS = {
    "B": "(INR B)",
    "d": "(INR d)",
    "R": "(sqrt (INR d))",
    "gamma": "gamma",
    "x_0": "(size (x 0%nat))",
    "x_B": "(size (x B))",
}
HEAD = "forall (d : nat) (g : R) (gq gk : vec) (eq : R) (x : vec)"


TEMPLATES: dict[str, Template] = {
    "logit_gap": Template(
        f"{ROW} (gap : R), {{0}} -> {{1}} -> {GAP} {{conclusion}}",
        """split; intros statement z k gap; specialize (statement z k gap);
rewrite ?SpikePins.gap_form in *; intros; some_keys z; pose proof (exp_pos gap); auto.""",
        "a7359388742d",
        {**KEYS, "E": "(exp gap)"},
    ),
    "logit_gap_strict": Template(
        f"{ROW} (gap x : R), {{0}} -> {{1}} -> {{2}} -> {GAP} "
        "Exists (fun y => x = exp (y - nth k z 0)) (others k z) -> {3} -> {conclusion}",
        """split.
- intros statement z k gap below least some. rewrite <- SpikePins.gap_form.
  pose proof (SpikePins.other_keys _ k z below some) as two.
  apply Exists_exists in some. destruct some as (y & among & further).
  apply (statement z k gap (exp (y - nth k z 0)) two (exp_pos _) (exp_pos _) below least).
  + apply Exists_exists. exists y. auto.
  + apply SpikePins.key_below. exact further.
- intros statement z k gap x _ _ _ below least some further. rewrite SpikePins.gap_form.
  apply (statement z k gap below least). revert some. apply Exists_impl.
  intros y is. rewrite is in further. apply SpikePins.key_below. exact further.""",
        "9ccfedc0b15c",
        {**KEYS, "E": "(exp gap)", "x": "x"},
    ),
    "logit_gap_converse": Template(
        f"{ROW}, {{0}} -> {{1}} -> (k < length z)%nat -> {{conclusion}}",
        """split; intros statement z k; specialize (statement z k);
rewrite ?SpikePins.gap_form in *; rewrite ?SpikePins.two_keys in *; intros;
apply statement; assumption || apply exp_pos.""",
        "b68c88345160",
        {**KEYS, "G": "(exp (nth k z 0 - mean_of_others z k))"},
    ),
    "sink_is_gate": Template(
        f"{ROW} (vs : list vec) (i : nat), {{0}} -> {{1}} -> (k < length z)%nat -> "
        "length vs = length z -> nth k vs (fun _ => 0) i = 0 -> {conclusion}",
        """split.
- intros statement z vs k i below two same none.
  destruct (SinkIsGate.gate_of_sink z k below two) as (positive & _ & gate). rewrite gate.
  specialize (statement z k vs i positive (exp_pos _) below same none). rewrite statement.
  unfold Rdiv. rewrite (Rplus_comm (exp _)). ring.
- intros statement z k vs i positive _ below same none.
  pose proof (SpikePins.not_alone z k below positive) as two.
  destruct (SinkIsGate.gate_of_sink z k below two) as (_ & _ & gate).
  rewrite (statement z vs k i below two same none), gate.
  unfold Rdiv. rewrite (Rplus_comm (exp _)). ring.""",
        "f76612e41e75",
        {
            "o": "(mix (softmax z) vs i)",
            "u": "(mix (softmax (others k z)) (others k vs) i)",
            "S": "(sum (map exp (others k z)))",
            "w": "(exp (nth k z 0))",
        },
    ),
    "sink_half": Template(
        f"{ROW} (gap : R), {{0}} -> {{1}} -> (k < length z)%nat -> "
        "Forall (fun y => y + gap = nth k z 0) (others k z) -> {conclusion}",
        """split; intros statement z k gap; intros; some_keys z; pose proof (exp_pos gap);
specialize (statement z k gap); repeat specialize (statement ltac:(assumption));
like statement.""",
        "5085b7b64387",
        {**KEYS, "E": "(exp gap)"},
    ),
    "silu_remainder": Template(
        "forall a : R, {0} -> {1} -> {conclusion}",
        """split; intros statement a; specialize (statement a).
- pose proof (Rabs_pos a). pose proof (exp_ineq1_le (Rabs a)).
  assert (1 <= exp (Rabs a)) by lra. auto.
- intros _ _. exact statement.""",
        "bb07d3dd9911",
        {"a": "(Rabs a)", "E": "(exp (Rabs a))", "r": "(Rabs (silu a - relu a))"},
    ),
    "swiglu_active_set": Template(
        "forall (n d : nat) (gate up : nat -> vec) (down : nat -> R) (h : vec), "
        "let a i := inner d (gate i) h in let b i := inner d (up i) h in {0} -> {conclusion}",
        """split; intros statement n d gate up down h; specialize (statement n d gate up down h);
cbv zeta in *.
- match type of statement with 0 <= ?r -> _ => assert (0 <= r) end.
  { apply VectorLemmas.sum_below_nonneg. intros. apply SpikePins.remainder_nonneg. }
  specialize (statement ltac:(assumption)). rewrite Rabs_minus_sym. unfold Rminus.
  rewrite <- (Rmult_1_l (glu _ _ _ _ _ _ _)), Ropp_mult_distr_l. exact statement.
- intros _. rewrite Rabs_minus_sym in statement. unfold Rminus in statement.
  rewrite <- (Rmult_1_l (glu _ _ _ _ _ _ _)), Ropp_mult_distr_l in statement. exact statement.""",
        "964d2cf600c2",
        {
            "out": "(glu silu n d gate up down h)",
            "form": "(bilinear d (active_form n d gate up down h) h h)",
            "R": (
                "(sum_below n (fun i => Rabs (down i) * Rabs (b i) * "
                "(Rabs (a i) / (1 + exp (Rabs (a i))))))"
            ),
        },
    ),
    "amplifier_pair": Template(
        "forall (act : R -> R) (d : nat) (s : vec) (lambda : R) (h : vec), halves act -> {0} -> "
        "{conclusion}",
        "split; intros statement act d s lambda h; intros; "
        "apply statement; assumption || apply exp_pos.",
        "eb55ff21bcb3",
        {
            "out": (
                "(glu act 2 d (paired_gate (fun _ => s)) (paired_up (fun _ => s)) "
                "(paired_down (fun _ => lambda)) h)"
            ),
            "lambda_1": "lambda",
            "t": "(inner d s h)",
            "E": "(exp (inner d s h))",
        },
    ),
    "rank_one_bound": Template(
        "forall (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R) (h : vec), "
        "(2 <= d)%nat -> orthonormal_basis d s -> eigenvectors d S s lambda -> {0} -> "
        "(forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat)) -> {1} -> "
        "{conclusion}",
        """split; intros statement d S s lambda h two basis eigen order rest;
specialize (statement d S s lambda h two basis eigen order rest).
- specialize (statement (RankOne.component_le d s h 0%nat basis ltac:(lia))).
  replace (bilinear d S h h - lambda 0%nat * inner d (s 0%nat) h ^ 2)
    with (bilinear d S h h + -1 * lambda 0%nat * inner d (s 0%nat) h ^ 2) by ring.
  like statement.
- intros _.
  replace (bilinear d S h h + -1 * lambda 0%nat * inner d (s 0%nat) h ^ 2)
    with (bilinear d S h h - lambda 0%nat * inner d (s 0%nat) h ^ 2) by ring.
  like statement.""",
        "96fbc9b46153",
        {
            "form": "(bilinear d S h h)",
            "lambda_1": "(lambda 0%nat)",
            "lambda_2": "(lambda 1%nat)",
            "t": "(inner d (s 0%nat) h)",
            "N": "(inner d h h)",
        },
    ),
    "norm_sparsifies": Template(
        f"{SPIKE}, {{0}} -> {{1}} -> {{2}} -> {{3}} -> unit_vector d u -> orthogonal d u r -> "
        f"{{conclusion}}",
        SPIKE_PROOF,
        "06beed8c7e41",
        SPIKE_TERMS,
    ),
    "norm_sparsifies_converse": Template(
        f"{SPIKE}, {{0}} -> {{1}} -> {{2}} -> {{3}} -> unit_vector d u -> orthogonal d u r -> "
        f"{{conclusion}}",
        SPIKE_PROOF.replace("like statement", SAME_SUM + "like statement"),
        "06beed8c7e41",
        SPIKE_TERMS,
    ),
    "norm_sparsifies_sparse": Template(
        f"{SPIKE} (i : nat), {{0}} -> {{1}} -> {{2}} -> {{3}} -> unit_vector d u -> "
        "orthogonal d u r -> (i < d)%nat -> u i = 0 -> {4} -> {conclusion}",
        """split.
- intros statement d a eps u r i (unit & orth & positive) eps0 below off.
  specialize (statement d a eps u r i (SpikePins.has_width d u unit) positive
    (VectorLemmas.inner_nonneg d r) eps0 unit orth below off (SpikePins.entry_le d r i below)).
  like statement.
- intros statement d a eps u r i _ positive _ eps0 unit orth below off _.
  specialize (statement d a eps u r i (conj unit (conj orth positive)) eps0 below off).
  like statement.""",
        "56ad9c933463",
        {**SPIKE_TERMS, "Y": "(rms_norm d eps (spike a u r) i ^ 2)", "t": "(r i)"},
    ),
    "norm_bounds": Template(
        "forall (d : nat) (eps : R) (h : vec) (i : nat), {0} -> 0 <= eps -> (i < d)%nat -> "
        "{conclusion}",
        """split; intros statement d eps h i; intros; apply statement; auto.
change 1 with (INR 1). apply le_INR. lia.""",
        "f64ecc1b7277",
        {"d": "(INR d)", "Y": "(rms_norm d eps h i ^ 2)"},
    ),
    "norm_sparsifies_keys": Template(
        f"{SPIKE} (e : nat) (w : R) (M : matrix), {{0}} -> {{1}} -> {{2}} -> {{3}} -> "
        "unit_vector d u -> orthogonal d u r -> {4} -> "
        "(forall x, norm e (apply d M x) <= w * norm d x) -> "
        "let key := apply d M (off_direction d eps (spike a u r) u) in {conclusion}",
        """split.
- intros statement d e a eps w u r M (unit & orth & positive) eps0 w0 spectral k.
  specialize (statement d a eps u r e w M (SpikePins.has_width d u unit) positive
    (VectorLemmas.inner_nonneg d r) eps0 unit orth w0 spectral).
  cbv zeta in statement. unfold k. like statement.
- intros statement d a eps u r e w M _ positive _ eps0 unit orth w0 spectral key.
  specialize (statement d e a eps w u r M (conj unit (conj orth positive)) eps0 w0 spectral).
  cbv zeta in statement. unfold key. like statement.""",
        "346eacef9b7f",
        {**SPIKE_TERMS, "K": "(inner e key key)", "w": "w"},
    ),
    "sandwich_bound": Template(
        f"{BLOCKS}, {{0}} -> {{1}} -> {{2}} -> {{3}} -> {{4}} -> post_norm_blocks d B gamma x -> "
        "(size = norm d \\/ size = sup d) -> {5} -> {conclusion}",
        """split; intros statement d B gamma x size.
- intros width gamma0 blocks kind.
  specialize (statement d B gamma x size (pos_INR B) (SpikePins.width d width) (sqrt_pos _)
    (SpikePins.root d) gamma0 blocks kind (SpikePins.size_nonneg d size _ kind)).
  like statement.
- intros _ width _ _ gamma0 blocks kind _.
  specialize (statement d B gamma x size (SpikePins.width_back d width) gamma0 blocks kind).
  like statement.""",
        "c3dfc03de457",
        BLOCK_TERMS,
    ),
    "sandwich_blocks": Template(
        f"{BLOCKS}, {{0}} -> {{1}} -> {{2}} -> {{3}} -> {{4}} -> post_norm_blocks d B gamma x -> "
        "(size = norm d \\/ size = sup d) -> {5} -> {6} -> {conclusion}",
        """split; intros statement d B gamma x size.
- intros width gamma0 blocks kind.
  specialize (statement d B gamma x size (pos_INR B) (SpikePins.width d width) (sqrt_pos _)
    (SpikePins.root d) (Rlt_le _ _ gamma0) blocks kind
    (SpikePins.size_nonneg d size _ kind) gamma0).
  like statement.
- intros _ width _ _ _ blocks kind _ gamma0.
  specialize (statement d B gamma x size (SpikePins.width_back d width) gamma0 blocks kind).
  like statement.""",
        "67c201e5b067",
        {**BLOCK_TERMS, "A": "(size (x B))"},
    ),
    "sandwich_pre_norm": Template(
        "forall (d : nat) (a S : R) (s : vec), {0} -> {1} -> unit_vector d s -> 0 < a -> "
        "{conclusion}",
        """split; intros statement d a S s; intros; apply statement; auto.
apply (SpikePins.has_width d s). assumption.""",
        "cbfd8d84c540",
        {
            "S": "S",
            "d": "(INR d)",
            "out": (
                "(glu silu 2 d (paired_gate (fun _ => s)) (paired_up (fun _ => s)) "
                "(paired_down (fun _ => S / INR d)) (rms_norm d 0 (scale a s)))"
            ),
        },
    ),
    "head_dimension": Template(
        f"{HEAD} (z : list R) (k : nat), (1 <= d)%nat -> 0 <= g -> {{0}} -> {{1}} -> "
        "Forall (qk_logit d g gq gk eq x) z -> (k < length z)%nat -> {conclusion}",
        """split; intros statement d g gq gk eq x z k width g0;
specialize (statement d g gq gk eq x z k width g0);
rewrite SpikePins.ceiling_form in *.
- intros heads below.
  exact (statement (SpikePins.some_key k z below) (SpikePins.exp_ceiling d g g0) heads below).
- intros _ _ heads below. exact (statement heads below).""",
        "e8656e684750",
        {**KEYS, "E": "(exp (g * sqrt (INR d)))"},
    ),
    "head_dimension_logit": Template(
        f"{HEAD} (z : R), {{0}} -> {{1}} -> qk_logit d g gq gk eq x z -> {{conclusion}}",
        """split; intros statement d g gq gk eq x z width g0 logit.
- apply statement with gq gk eq x; auto. apply SpikePins.width. exact width.
- apply statement with gq gk eq x; auto. apply SpikePins.width_back. exact width.""",
        "c692ee86cca0",
        {"d_h": "(INR d)", "g": "g", "z": "z"},
    ),
    "head_dimension_needed": Template(
        f"{HEAD} (tau T : R) (z : list R) (k : nat), {{0}} -> {{1}} -> "
        "Forall (qk_logit d g gq gk eq x) z -> (k < length z)%nat -> 0 < tau < 1 -> "
        "(INR (length z) - 1) * tau / (1 - tau) = exp T -> {2} -> tau <= mass z k -> {conclusion}",
        """split.
- intros statement d g tau T gq gk eq x z k width g0 heads below tau01 is T0 massive.
  specialize (statement d g gq gk eq x tau T z k (SpikePins.width d width) g0 heads below tau01 is
    T0 massive). like statement.
- intros statement d g gq gk eq x tau T z k width g0 heads below tau01 is T0 massive.
  specialize (statement d g tau T gq gk eq x z k (SpikePins.width_back d width) g0 heads below tau01
    is T0 massive). like statement.""",
        "96d820289057",
        {"d_h": "(INR d)", "g": "g", "T": "T"},
    ),
}
"""By the name of the Coq statement."""
