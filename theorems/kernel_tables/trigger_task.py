"""The trigger task: which Coq theorem proves which statement, and its witnesses.

No theorem may be true for want of an instance.  Witnesses are read by people, like
``Statements.v``, whose words they use; the gate asks ``proofs/Nonvacuous.v`` for a proof of each.
"""

from __future__ import annotations

from theorems.kernel_tables.rows import Table, Theorem
from theorems.kernel_tables.trigger_templates import LEMMAS, TEMPLATES

THEOREMS = (
    Theorem(
        "one_layer_sink",
        "one_layer_sink",
        "one_layer_sink",
        "Theorem 1, sharp form: every non-trigger position, any simplex attention and values.",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_linear",
        "one_layer_sink",
        "one_layer_sink.linear",
        "The linear form, for every error.",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_epsilon",
        "one_layer_sink",
        "one_layer_sink.epsilon",
        "The paper's own form with the explicit η(ε) = εκ_L/(1+ε).",
        witness="nonvacuous_one_layer",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_sharp",
        "one_layer_sink",
        "one_layer_sink",
        "The bound cannot be improved: a family with error exactly η comes as near as wanted.",
        witness="nonvacuous_one_layer_sharp",
    ),
    Theorem(
        "one_layer_sink_softmax_after",
        "one_layer_sink",
        "one_layer_sink.softmax_after",
        "Softmax: m ≤ 4η at every non-trigger position.",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_softmax_before",
        "one_layer_sink",
        "one_layer_sink.softmax_before",
        "Softmax, before the trigger: m ≤ 2η/P₀ ≤ 3η.",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_softmax_slope",
        "one_layer_sink",
        "one_layer_sink.softmax_slope",
        "Softmax, before the trigger, L ≥ 5: m ≤ 2η/(1 − 18η/(L−4)).",
        witness="nonvacuous_softmax",
        settles=True,
    ),
    Theorem(
        "softmax_after_sharp",
        "one_layer_sink",
        "one_layer_sink.softmax_after",
        "4η is a supremum for every η ≤ κ_L: one content, error exactly η, mass as near "
        "4η as wanted.",
        witness="nonvacuous_softmax_after_sharp",
        classic=True,
    ),
    Theorem(
        "softmax_before_sharp",
        "one_layer_sink",
        "one_layer_sink.softmax_before",
        "At L = 4 the bound 12η/(5 − 12η) is a supremum, approached with error exactly η.",
        witness="nonvacuous_softmax_before_sharp",
        classic=True,
    ),
    Theorem(
        "deletion_identity",
        "one_layer_sink",
        "one_layer_sink.deletion",
        "Removing one visible token leaves the other weights in proportion.",
    ),
    Theorem(
        "deletion_lemma",
        "one_layer_sink",
        "one_layer_sink.deletion",
        "The deletion lemma, the step on which the expected-error form rests.",
        witness="nonvacuous_deletion",
        settles=True,
    ),
    Theorem(
        "one_layer_sink_average",
        "one_layer_sink",
        "one_layer_sink.average",
        "Expected error η, laws of finite support: some position before the trigger has α "
        "< 1 − 3s with probability at most ((L−2)(L−1)/2 + 1)η/s.",
        witness="nonvacuous_average",
        settles=True,
    ),
    Theorem(
        "softmax_rows_simplex",
        "one_layer_sink",
        "one_layer_sink",
        "Softmax of any logits gives simplex rows, so the theorem applies to softmax.",
    ),
    Theorem(
        "softmax_family",
        "one_layer_sink",
        "one_layer_sink",
        "Softmax attains a linear rate: the explicit solution's exact error and mass off BOS.",
        witness="nonvacuous_family",
    ),
    Theorem(
        "deep_sink",
        "deep_sink",
        "deep_sink",
        "Theorem 2 with a rate: at position 2 some layer sinks, for any number of layers.",
        witness="nonvacuous_deep",
        settles=True,
    ),
    Theorem(
        "deep_sink_any_position",
        "deep_sink",
        "deep_sink.any_position",
        "Theorem 2 at any position before the trigger.",
        witness="nonvacuous_deep",
        settles=True,
    ),
    Theorem(
        "relu_no_sink",
        "relu_no_sink",
        "relu_no_sink",
        "Theorem 3 for all lengths, widths and real contents: error 0, BOS weight 0.",
        witness="nonvacuous_relu",
        settles=True,
    ),
    Theorem(
        "sink_price",
        "sink_price",
        "sink_price",
        "ε of the mass off BOS anywhere costs an error of εκ_L/(1+ε).",
        witness="nonvacuous_price",
        settles=True,
    ),
    Theorem(
        "anchor_needed",
        "anchor_needed",
        "anchor_needed",
        "Without BOS every simplex attention has error at least κ_L.",
        witness="nonvacuous_anchor",
        settles=True,
    ),
    Theorem(
        "anchor_needed_attained",
        "anchor_needed",
        "anchor_needed",
        "The floor κ_L is attained.",
    ),
    Theorem(
        "two_heads",
        "sink_free_softmax",
        "sink_free_softmax",
        "Two heads in one layer: error at most L·e^(−K), BOS weight 1/i ≤ ½ off the trigger.",
        witness="nonvacuous_unit_box",
        settles=True,
    ),
    Theorem(
        "residual_two_layers",
        "sink_free_softmax",
        "sink_free_softmax.residual",
        "A residual stream of depth two: error at most 3L·e^(−K), BOS weight at most e^(−K).",
        witness="nonvacuous_unit_box",
        settles=True,
    ),
)

WITNESSES = {
    "nonvacuous_one_layer": r"""
forall (n : nat) (L : nat) (eta : R), (4 <= L)%nat -> 0 <= eta -> 2 * eta <= kappa L ->
exists K M att, nonempty K /\ simplex_attention K L att /\ error_is n L K
(attention_output n (apply (n + 3) M) att) eta""",
    "nonvacuous_one_layer_sharp": r"""
exists L eta eps, (4 <= L)%nat /\ 0 < eta /\ 2 * eta <= kappa L /\ 0 < eps < 1""",
    "nonvacuous_softmax": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> exists K M att score eta, nonempty K /\
simplex_attention K L att /\ trigger_rows_softmax K L score att /\ error_le n L K
(attention_output n (apply (n + 3) M) att) eta /\ 0 < eta <= kappa L /\ ((5 <= L)%nat ->
18 * eta < INR L - 4)""",
    "nonvacuous_softmax_after_sharp": r"""
exists L eta small, (4 <= L)%nat /\ 0 < eta /\ eta <= kappa L /\ 0 < small""",
    "nonvacuous_softmax_before_sharp": r"""
exists eta small, 0 < eta /\ eta <= 1/12 /\ 0 < small""",
    "nonvacuous_deletion": r"""
exists n V score x y b e e', let out := attention_output n V (pair_softmax score) in let
long := [Bos; Ordinary x; Ordinary y; Trigger b] in let short := [Bos; Ordinary y; Trigger
b] in 0 < e /\ 0 < e' /\ e + e' <= 1/6 /\ Rabs (out long ordinary_coord - target n long
ordinary_coord) <= e /\ Rabs (out short ordinary_coord - target n short ordinary_coord) <=
e'""",
    "nonvacuous_average": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> exists mu V att score eta s, is_law mu /\
simplex_attention (support mu) L att /\ trigger_rows_softmax (support mu) L score att /\
mean_error_le n L mu (attention_output n V att) eta /\ 0 < s <= 1/6 /\ ((INR L - 2) * (INR
L - 1) / 2 + 1) * eta < 1 * s""",
    "nonvacuous_family": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> exists K C, nonempty K /\ content_sup (S n) K
C /\ C = 1""",
    "nonvacuous_deep": r"""
forall (n : nat) (L : nat) (D : nat), (4 <= L)%nat -> (1 <= D)%nat -> exists K M att eta,
nonempty K /\ (forall l, (l < D)%nat -> simplex_attention K L (att l)) /\ error_le n L K
(stack n M att D) eta /\ 0 < eta < kappa L""",
    "nonvacuous_relu": r"""
forall (L : nat), (4 <= L)%nat -> (exists p c, visible every_content L p /\ query p =
Trigger c) /\ (exists p, nontrigger_row every_content L p)""",
    "nonvacuous_price": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> exists K M att eta, nonempty K /\
simplex_attention K L att /\ error_le n L K (attention_output n (apply (n + 3) M) att) eta
/\ exists p, nontrigger_row K L p /\ bos_weight att p <= 1 - 1/2""",
    "nonvacuous_anchor": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> exists K M att, nonempty K /\
simplex_attention_no_bos K L att /\ error_no_bos_le n L K (attention_output n (apply (n +
3) M) att) (kappa L)""",
    "nonvacuous_unit_box": r"""
forall (n : nat) (L : nat), (4 <= L)%nat -> (exists p, before_trigger_row (unit_box n) L
p) /\ (exists p, after_trigger_row (unit_box n) L p)""",
}
"""By the name of the example in ``Nonvacuous.v``."""

TRIGGER_TASK = Table(THEOREMS, TEMPLATES, LEMMAS, WITNESSES, "Nonvacuous")
