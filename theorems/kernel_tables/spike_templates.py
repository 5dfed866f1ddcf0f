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
}
"""By the name of the Coq statement."""
