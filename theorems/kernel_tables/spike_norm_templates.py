"""RMSNorm, sandwich norm and QK-norm: the words around each pinned inequality."""

from __future__ import annotations

from theorems.kernel_tables.rows import Template
from theorems.kernel_tables.spike_templates import KEYS

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
