"""Witnesses: for every theorem with hypotheses, something that meets them, as Coq propositions.

No theorem may be true for want of an instance.  These are read by people, like ``Statements.v``,
whose words they use; the gate asks ``proofs/Nonvacuous.v`` for a proof of each.
"""

from __future__ import annotations

from theorems.kernel_gate import Pin

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


def witness_pins() -> tuple[Pin, ...]:
    """A pin for each witness: the example of that name proves that very proposition."""
    return tuple(
        Pin(name, text.strip(), f"exact Sinkproof.Nonvacuous.{name}.")
        for name, text in WITNESSES.items()
    )
