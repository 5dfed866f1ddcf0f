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
        "0523ee5f2460",
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
}
"""By the name of the Coq statement."""
