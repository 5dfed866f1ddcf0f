"""Spikes and sinks: the table of its theorems, their pins and their witnesses."""

from __future__ import annotations

from theorems.kernel_tables import spike_chain_templates, spike_norm_templates, spike_templates
from theorems.kernel_tables.rows import Table
from theorems.kernel_tables.spike_theorems import THEOREMS

TEMPLATES = (
    spike_templates.TEMPLATES | spike_norm_templates.TEMPLATES | spike_chain_templates.TEMPLATES
)

WITNESSES = {
    "nonvacuous_gap": r"""
exists (z : list R) (k : nat) (gap : R), (k < length z)%nat /\ (2 <= length z)%nat /\ Forall
(fun y => y + gap <= nth k z 0) (others k z) /\ Exists (fun y => y + gap < nth k z 0)
(others k z)""",
    "nonvacuous_gap_equal": r"""
exists (z : list R) (k : nat) (gap : R), (k < length z)%nat /\ (2 <= length z)%nat /\ Forall
(fun y => y + gap = nth k z 0) (others k z)""",
    "nonvacuous_gate": r"""
exists (z : list R) (vs : list vec) (k i : nat), (k < length z)%nat /\ (2 <= length z)%nat /\
length vs = length z /\ nth k vs (fun _ => 0) i = 0 /\ mix (softmax z) vs i <> 0""",
    "nonvacuous_amplifier": r"""
halves silu /\ glu silu 2 1 (paired_gate (fun _ _ => 1)) (paired_up (fun _ _ => 1))
(paired_down (fun _ => 3)) (fun _ => 2) = 12 /\ exists g : R -> R, forall a, g a + g (- a) = 1""",
    "nonvacuous_rank_one": r"""
exists (d : nat) (S : matrix) (s : nat -> vec) (lambda : nat -> R), (3 <= d)%nat /\
orthonormal_basis d s /\ eigenvectors d S s lambda /\ 0 < Rabs (lambda 1%nat) <= Rabs
(lambda 0%nat) /\ (forall j, (2 <= j < d)%nat -> Rabs (lambda j) <= Rabs (lambda 1%nat))""",
    "nonvacuous_spike": r"""
forall a : R, 0 < a -> exists (d e : nat) (u r : vec) (M : matrix) (i : nat), spike_state d a
u r /\ 0 < inner d r r /\ (i < d)%nat /\ u i = 0 /\ (forall x, norm e (apply d M x) <= 1 *
norm d x)""",
    "nonvacuous_sandwich": r"""
forall (d B : nat) (gamma : R), (1 <= d)%nat -> 0 <= gamma -> exists x, post_norm_blocks d B
gamma x /\ norm d (x B) = sqrt (INR d) * gamma * INR B""",
    "nonvacuous_qk": r"""
(forall d m : nat, (1 <= d)%nat -> (1 <= m)%nat -> exists gq gk eq x z, Forall (qk_logit d 1
gq gk eq x) z /\ length z = m) /\ (exists d gq gk, Nat.Even d /\ (1 <= d)%nat /\
rope_scales d 1 gq gk) /\ exists d gq gk eq x z tau T, (1 <= d)%nat /\ Forall (qk_logit d 1
gq gk eq x) z /\ (2 <= length z)%nat /\ 0 < tau < 1 /\ (INR (length z) - 1) * tau /
(1 - tau) = exp T /\ 0 <= T /\ tau <= mass z 0""",
    "nonvacuous_silence": r"""
exists d sigma eta mus w x, averaging_head d sigma mus w /\ sigma <> 0 /\ (2 <= length
mus)%nat /\ In x (tl w) /\ 0 < eta /\ output_power d mus w <= eta ^ 2 /\ sigma ^ 2 <= INR
(length mus) * eta ^ 2""",
    "nonvacuous_gauge": r"""
exists (d : nat) (c : R) (ls : list sublayer) (x : nat -> vec), 0 < c /\ c <> 1 /\ decoder d
ls x 0%nat 0%nat <> x 0%nat 0%nat""",
    "nonvacuous_chain": r"""
exists d e A B s f o u b q W keys k, large_state d A B u b /\ (1 <= e)%nat /\ 0 <= s /\ s ^ 2
= 1 - B ^ 2 / A ^ 2 /\ 0 <= f /\ 2 - 2 * s <= f ^ 2 /\ f = sqrt 2 * B / A /\ 0 < B /\ (2 <=
length keys)%nat /\ (k < length keys)%nat /\ nth k keys u = spike A u b /\ Forall (fun h =>
key_score d e q W (rms_norm d 0 h) / sqrt (INR d) <= o) (others k keys)""",
    "nonvacuous_chain_write": r"""
exists d s lambda tau err (E : nat -> matrix) xi, unit_vector d s /\ 0 < norm d lambda /\
norm d err <= xi /\ (forall k i j, E k i j = E k j i) /\ (forall k j, (k < d)%nat -> (j <
d)%nat -> apply d (E k) s j = 0) /\ (forall k v, (k < d)%nat -> Rabs (bilinear d (E k) v v)
<= tau k * inner d v v) /\ E 0%nat 1%nat 1%nat <> 0""",
    "nonvacuous_network": r"""
exists es : list vec, es <> [] /\ Forall signs es""",
}
"""By the name of the example in ``SpikeWitnesses.v``."""

SPIKES = Table(THEOREMS, TEMPLATES, spike_templates.LEMMAS, WITNESSES, "SpikeWitnesses")
