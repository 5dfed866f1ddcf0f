"""The position-zero circuit and the stability of normalised states: words around each pin."""

from __future__ import annotations

from theorems.kernel_tables.rows import Template

_MOVED = "(norm d (sub (unit_of d (add x delta)) (unit_of d x)))"
_RMS = "(norm d (sub (rms_norm d eps (add x delta)) (rms_norm d eps x)))"
_P0 = {"i": "(INR i)", "N": "(INR N)", "E": "(exp (g * G))", "G": "G"}

TEMPLATES: dict[str, Template] = {
    "circuit_mass": Template(
        "forall (V N : nat) (G g : R) (t u : nat) rest (i : nat), prefix_of V (t :: u :: rest) -> "
        "(length (t :: u :: rest) <= N)%nat -> t <> u -> (i <= length (t :: u :: rest))%nat -> "
        "{0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement V N G g t u rest.
- intros p good short other i (one & below). apply PinLemmas.one_le in one.
  specialize (statement V N G g t u rest i good short other below).
  pose proof (le_INR i N ltac:(unfold p in *; lia)). pose proof (exp_pos (g * G)).
  repeat meet statement. fold p in statement. rewrite statement, exp_Ropp.
  assert (0 <= (INR i - 1) * / exp (g * G))
    by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  field. lra.
- intros i good short other below one above positive. apply PinLemmas.one_back in one.
  rewrite (statement V N G g t u rest good short other i (conj one below)), exp_Ropp.
  apply PinLemmas.one_le in one. assert (0 <= (INR i - 1) * / exp (g * G))
    by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  field. lra.""",
        "db9cd3fe9e76",
        {**_P0, "alpha": "(weight (sink_row V N G g (firstn i (t :: u :: rest))) 1)"},
    ),
    "circuit_spike": Template(
        "forall (V N : nat) (G : R) (p : list nat) (indicator : R), prefix_of V p -> "
        "(constant p /\\ indicator = 1 \\/ ~ constant p /\\ indicator = 0) -> "
        "{0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement V N G p.
- intros good short positive. apply le_INR in short.
  assert (one : 1 <= INR (length p))
    by (destruct p; [destruct (proj1 good eq_refl)|apply PinLemmas.one_le; simpl; lia]).
  split; intros what.
  + specialize (statement V N G p 1 good (or_introl (conj what eq_refl))).
    repeat meet statement. lra.
  + specialize (statement V N G p 0 good (or_intror (conj what eq_refl))).
    repeat meet statement. lra.
- intros indicator good which one short positive. apply INR_le in short.
  destruct (statement V N G p good short positive) as (yes & no).
  destruct which as [(what & ->)|(what & ->)];
    [specialize (yes what)|specialize (no what)]; lra.""",
        "f1811a6f481b",
        {
            "i": "(INR (length p))",
            "N": "(INR N)",
            "G": "G",
            "s": "(spiked V N G p V)",
            "constant": "indicator",
        },
    ),
    "circuit_shared": Template(
        "forall (V N : nat) (G g : R) (r t u : nat) rest k, "
        "prefix_of V (repeat t r ++ u :: rest) -> t <> u -> (1 <= k <= r)%nat -> "
        "{0} -> {1} -> {2} -> {3} -> {conclusion}",
        """split; intros statement V N G g r t u rest.
- intros p good short one other k between. pose proof (exp_pos (g * G)).
  assert (longer : (r < length p)%nat)
    by (unfold p; rewrite app_length, repeat_length; simpl; lia).
  specialize (statement V N G g r t u rest k good other between). fold p in statement.
  apply le_INR in short. apply lt_INR in longer. apply PinLemmas.one_le in one.
  repeat meet statement. destruct statement as (less & mass). cbv zeta. split.
  + rewrite mass. unfold Rdiv. f_equal. f_equal. ring.
  + apply Rmult_lt_reg_r with (INR r); [lra|].
    replace (1 / INR r * INR r) with 1 by (field; lra). lra.
- intros k good other between one longer short positive. apply PinLemmas.one_back in one.
  apply INR_le in short.
  destruct (statement V N G g r t u rest good short one other k between) as (mass & less).
  apply PinLemmas.one_le in one. split.
  + apply Rmult_lt_compat_r with (r := INR r) in less; [|lra].
    replace (1 / INR r * INR r) with 1 in less by (field; lra). lra.
  + rewrite mass. unfold Rdiv. f_equal. f_equal. ring.""",
        "2922e97d5fcf",
        {
            **_P0,
            "i": "(INR (length (repeat t r ++ u :: rest)))",
            "r": "(INR r)",
            "alpha": "(weight (sink_row V N G g (repeat t r ++ u :: rest)) k)",
        },
    ),
    "circuit_norm": Template(
        "forall (V N : nat) (G : R) (t u : nat), (1 <= N)%nat -> (t < V)%nat -> (u < V)%nat -> "
        "t <> u -> {0} -> {1} -> {conclusion}",
        """split; intros statement V N G t u one below_t below_u other.
- intros positive. pose proof (PositionZeroPins.two_below t u V below_t below_u other).
  specialize (statement V N G t u one below_t below_u other). repeat meet statement.
  exact statement.
- intros two positive. exact (statement V N G t u one below_t below_u other positive).""",
        "ee259b3292ef",
        {
            "V": "(INR V)",
            "G": "G",
            "square": "(sq (S V) (spiked V N G [t]))",
            "cosine": (
                "(inner (S V) (spiked V N G [t]) (spiked V N G [u]) / "
                "(norm (S V) (spiked V N G [t]) * norm (S V) (spiked V N G [u])))"
            ),
        },
    ),
    "circuit_anti_self": Template(
        "forall (V N : nat) (G beta gain : R), "
        "(exists t, (t < V)%nat /\\ avoiding_spike V N beta gain [t] = G) -> "
        "{0} -> {1} -> {2} -> {conclusion} /\\ "
        "(forall p, prefix_of V p -> (length p <= N)%nat -> "
        "(constant p -> avoiding_spike V N beta gain p = G) /\\ "
        "(~ constant p -> avoiding_spike V N beta gain p = 0))",
        """split; intros statement V N G beta gain.
- intros two positive large spike scaled. apply PositionZeroPins.two_le in two.
  specialize (statement V N G beta gain scaled). repeat meet statement.
  destruct statement as ((A & B) & C). split; [split; lra|exact C].
- intros scaled two positive large. apply PositionZeroPins.two_back in two.
  destruct (statement V N G beta gain two positive ltac:(lra) scaled) as ((A & B) & C).
  split; [split; lra|exact C].""",
        "bfc81e91f9bf",
        {"N": "(INR N)", "G": "G", "B": "(exp beta)", "gain": "gain"},
    ),
    "circuit_gain": Template(
        "forall (V a b s t : nat) (G steep : R) (mlp : vec -> R), (s < V)%nat -> (t < V)%nat -> "
        "s <> t -> (1 <= b)%nat -> 0 <= steep -> "
        "(forall x y, Rabs (mlp x - mlp y) <= steep * norm V (sub x y)) -> "
        "mlp (mixed (repeat s (length (repeat s a ++ t :: repeat s b)))) = G -> "
        "mlp (mixed (repeat s a ++ t :: repeat s b)) = 0 -> "
        "{0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement V a b s t G steep mlp here there other later.
- intros odd N positive low slope same differ.
  assert (two : 2 <= INR N).
  { apply PositionZeroPins.two_le. unfold N, odd. rewrite app_length, repeat_length.
    simpl. rewrite repeat_length. lia. }
  pose proof (pow2_ge_0 steep).
  specialize (statement V a b s t G steep mlp here there other later low slope same differ).
  fold odd N in statement. repeat meet statement. lra.
- intros low slope same differ two positive square.
  pose proof (statement V a b s t G steep mlp here there other later positive low slope same
    differ) as bound. cbv zeta in bound. lra.""",
        "4ef804c6ee57",
        {
            "N": "(INR (length (repeat s a ++ t :: repeat s b)))",
            "G": "G",
            "square": "(steep ^ 2)",
        },
    ),
    "norm_stability": Template(
        "forall d x delta rho w, norm d x <> 0 -> norm d (add x delta) <> 0 -> "
        "norm d delta <= rho * norm d x -> {0} -> {1} -> {2} -> {3} -> {4} -> {conclusion}",
        """split; intros statement d x delta.
- intros here there rho moved small. pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (proj1 (PositionZeroPins.norm_positive_iff d x) here).
  assert (low : 0 <= rho) by (apply PositionZeroPins.ratio_nonneg; assumption).
  destruct (PositionZeroPins.best_root rho (conj low small)) as (root & square).
  assert (0 <= moved) by apply VectorLemmas.norm_nonneg.
  pose proof (PositionZeroPins.ratio_times (norm d delta) (norm d x) ltac:(assumption)).
  specialize (statement d x delta rho (sqrt (1 - rho ^ 2)) here there).
  fold moved rho in statement. repeat meet statement. split.
  + apply (PositionZeroPins.turn_iff rho (sqrt (1 - rho ^ 2))); lra.
  + apply NormStability.turn_le. lra.
- intros rho w here there ratio low small root square distance.
  pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (proj1 (PositionZeroPins.norm_positive_iff d x) here) as positive.
  pose proof (PositionZeroPins.ratio_le _ _ _ positive ratio) as below.
  pose proof (PositionZeroPins.ratio_nonneg (norm d delta) _ ltac:(assumption) positive) as above.
  destruct (statement d x delta here there ltac:(lra)) as (turned & _).
  destruct (PositionZeroPins.turn_any (norm d delta / norm d x) rho w _
    (conj above below) small root ltac:(lra) distance turned) as (A & B).
  split; lra.""",
        "428b60af9bb4",
        {"rho": "rho", "w": "w", "moved": _MOVED},
    ),
    "norm_stability_any_ratio": Template(
        "forall d x delta, {0} -> {1} -> {2} -> {3} -> {conclusion}",
        """split; intros statement d x delta.
- intros here there. apply PositionZeroPins.norm_positive_iff in here, there.
  pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (VectorLemmas.norm_nonneg d (sub (unit_of d (add x delta)) (unit_of d x))).
  specialize (statement d x delta). repeat meet statement.
  apply PositionZeroPins.quotient_iff; lra.
- intros here there step moved.
  assert (A : norm d x <> 0) by lra. assert (B : norm d (add x delta) <> 0) by lra.
  specialize (statement d x delta A B). apply PositionZeroPins.quotient_iff in statement; lra.""",
        "1b1ed9537786",
        {
            "size": "(norm d x)",
            "size_after": "(norm d (add x delta))",
            "step": "(norm d delta)",
            "moved": _MOVED,
        },
    ),
    "rms_norm_stability": Template(
        "forall d eps x delta rho w, 0 <= eps -> 0 < rms_size d eps x -> "
        "0 < rms_size d eps (add x delta) -> norm d delta <= rho * rms_size d eps x -> "
        "{0} -> {1} -> {2} -> {3} -> {4} -> {5} -> {conclusion}",
        """split; intros statement d eps x delta.
- intros nonneg here there rho small. set (moved := norm d (sub _ _)).
  pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (PositionZeroPins.width_at_least_one d eps x here).
  assert (low : 0 <= rho) by (apply PositionZeroPins.ratio_nonneg; assumption).
  destruct (PositionZeroPins.best_root rho (conj low small)) as (root & square).
  assert (0 <= moved) by apply VectorLemmas.norm_nonneg.
  pose proof (PositionZeroPins.ratio_times (norm d delta) (rms_size d eps x) here).
  specialize (statement d eps x delta rho (sqrt (1 - rho ^ 2)) nonneg here there).
  fold moved rho in statement. repeat meet statement.
  apply (PositionZeroPins.scaled_turn_iff (INR d) rho (sqrt (1 - rho ^ 2))); lra.
- intros rho w nonneg here there ratio width low small distance root square.
  pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (PositionZeroPins.ratio_le _ _ _ here ratio) as below.
  pose proof (PositionZeroPins.ratio_nonneg (norm d delta) _ ltac:(assumption) here) as above.
  pose proof (statement d eps x delta nonneg here there ltac:(lra)) as turned.
  pose proof (PositionZeroPins.scaled_turn_any (INR d) _ rho w _ ltac:(lra)
    (conj above below) small root ltac:(lra) distance turned). lra.""",
        "da8238bd8282",
        {"d": "(INR d)", "rho": "rho", "w": "w", "moved": _RMS},
    ),
    "rms_norm_any_ratio": Template(
        "forall d eps x delta, 0 <= eps -> {0} -> {1} -> {2} -> {3} -> {4} -> {conclusion}",
        """split; intros statement d eps x delta nonneg.
- intros here there. pose proof (VectorLemmas.norm_nonneg d delta).
  pose proof (PositionZeroPins.root_width d eps x here).
  pose proof (VectorLemmas.norm_nonneg d
    (sub (rms_norm d eps (add x delta)) (rms_norm d eps x))).
  specialize (statement d eps x delta nonneg). repeat meet statement.
  apply PositionZeroPins.scaled_quotient_iff; lra.
- intros width here there step moved. specialize (statement d eps x delta nonneg here there).
  apply PositionZeroPins.scaled_quotient_iff in statement; lra.""",
        "632328397d9c",
        {
            "root_d": "(sqrt (INR d))",
            "size": "(rms_size d eps x)",
            "size_after": "(rms_size d eps (add x delta))",
            "step": "(norm d delta)",
            "moved": _RMS,
        },
    ),
    "plateau": Template(
        "forall d x (writes : list vec) C, Forall (fun w => norm d w <= C) writes -> "
        "{0} -> {1} -> {2} -> {3} -> {4} -> {conclusion}",
        """split; intros statement d x writes C.
- intros low bounded small. set (moved := norm d (sub _ _)).
  assert (0 <= moved) by apply VectorLemmas.norm_nonneg.
  pose proof (pos_INR (length writes)).
  assert (0 <= INR (length writes) * C) by (apply Rmult_le_pos; lra).
  specialize (statement d x writes C bounded). fold moved in statement. repeat meet statement.
  apply PositionZeroPins.plateau_iff; try lra.
- intros bounded many low size small distance.
  assert (less : INR (length writes) * C < norm d x) by lra.
  specialize (statement d x writes C low bounded less).
  apply PositionZeroPins.plateau_iff in statement; try lra. apply Rmult_le_pos; lra.""",
        "b28d9d4bd140",
        {
            "B": "(INR (length writes))",
            "C": "C",
            "size": "(norm d x)",
            "moved": "(norm d (sub (unit_of d (fold_right add x writes)) (unit_of d x)))",
        },
    ),
}
"""By the name of the Coq statement."""
