"""Position zero without BOS: the words around each pinned statement, in Coq's terms.

As in ``trigger_templates``, each hypothesis of the registry has its numbered place.
"""

from __future__ import annotations

from theorems.kernel_tables.rows import Template

LEMMAS = """\
Ltac meet statement :=
  match type of statement with
  | ?A -> _ => let proof := fresh in assert (proof : A) by (assumption || lra || lia);
               specialize (statement proof); clear proof
  end.
"""
"""What the proofs below use; none of it is trusted, as every type is fixed before."""

_CONE = "(E (fun o => cone_square d {m} a u (fun _ => / INR {m}) ({s} o)))"
_ROW = "(weight (second_row d A (first_state e value score) {x}) {k})"
_X, _Y = "[a; b; b; a; c]", "[b; a; a; b; c]"

TEMPLATES: dict[str, Template] = {
    "mixing_identity": Template(
        "forall d rows vs (i : nat), Forall (unit_vector d) vs -> "
        "(forall k, (1 <= k <= length vs)%nat -> simplex_row k (rows k)) -> "
        "(i <= length vs)%nat -> {0} -> {conclusion}",
        """split; intros statement d rows vs i units simplex.
- intros (one & below). apply PinLemmas.one_le in one.
  specialize (statement d rows vs i units simplex below). meet statement.
  cbv zeta. repeat split; lra.
- intros below one. apply PinLemmas.one_back in one.
  destruct (statement d rows vs i units simplex (conj one below)) as (A & B & C).
  repeat split; lra.""",
        "395fc95c8fde",
        {
            "i": "(INR i)",
            "s": "(sq d (mix (rows i) (firstn i vs)))",
            "s_0": "(sq d (mix (rows 1%nat) (firstn 1 vs)))",
            "D": "(pair_sum d (rows i) (firstn i vs))",
        },
    ),
    "cone_model": Template(
        "forall (A : Type) integrable (E : (A -> R) -> R) d m a u (p : A -> nat -> R) "
        "(s : A -> nat -> vec), expectation integrable E -> {0} -> {1} -> unit_vector d u -> "
        "cone_directions integrable E d m u s -> (forall o, sum_below m (p o) = 1) -> "
        "(forall k, (k < m)%nat -> integrable (fun o => p o k ^ 2)) -> "
        "(forall j k, (j < k < m)%nat -> let pair o := p o j * p o k in "
        "let corr o := inner d (s o j) (s o k) in integrable (fun o => pair o * corr o) /\\ "
        "E (fun o => pair o * corr o) = E pair * E corr) -> {conclusion}",
        """split; intros statement A integrable E d m a u p s law.
- intros (low & high) unit directions total squares pairs.
  specialize (statement A integrable E d m a u p s law). repeat meet statement. lra.
- intros high low unit directions total squares pairs.
  specialize (statement A integrable E d m a u p s law (conj low high)).
  repeat meet statement. lra.""",
        "dfedae8891af",
        {
            "a": "a",
            "Q": "(E (fun o => cone_square d m a u (p o) (s o)))",
            "S": "(E (fun o => sum_below m (fun k => p o k ^ 2)))",
        },
    ),
    "cone_uniform": Template(
        "forall (A : Type) integrable (E : (A -> R) -> R) d m a u (s s' : A -> nat -> vec), "
        "expectation integrable E -> {0} -> {1} -> unit_vector d u -> {2} -> "
        "cone_directions integrable E d m u s -> cone_directions integrable E d (S m) u s' -> "
        "{conclusion}",
        """split; intros statement A integrable E d m a u s s' law.
- intros (low & high) unit one here more. apply PinLemmas.one_le in one.
  specialize (statement A integrable E d m a u s s' law). repeat meet statement.
  cbv zeta. split; lra.
- intros high low unit one here more. apply PinLemmas.one_back in one.
  specialize (statement A integrable E d m a u s s' law (conj low high)).
  repeat meet statement. cbv zeta in statement. split; lra.""",
        "24a59e3a9875",
        {
            "a": "a",
            "m": "(INR m)",
            "Q": _CONE.format(m="m", s="s"),
            "Q_next": _CONE.format(m="(S m)", s="s'"),
        },
    ),
    "collision_gap": Template(
        "forall d V e (p : list nat) (c : nat), orthonormal d V e -> prefix_of V p -> "
        "(forall t, (count_occ Nat.eq_dec p t <= c)%nat) -> "
        "(exists t, count_occ Nat.eq_dec p t = c) -> {0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement d V e p.
- intros values tokens other.
  destruct (PositionZeroPins.most_frequent p (proj1 tokens)) as (c & one & most & some).
  pose proof (PositionZeroPins.length_at_least_two p (proj1 tokens) other) as two.
  pose proof (PositionZeroPins.constant_count p c some other) as less.
  apply le_INR in less. rewrite minus_INR in less by lia. simpl INR in less.
  apply PinLemmas.one_le in one. apply PositionZeroPins.two_le in two.
  specialize (statement d V e p c values tokens most some). repeat meet statement.
  unfold Rdiv in *. rewrite ?pow_inv in *. destruct statement as (A & B). split; lra.
- intros c values tokens most some two one less.
  assert (other : ~ constant p).
  { apply (PositionZeroPins.count_constant p c most); [|exact (proj1 tokens)].
    apply PositionZeroPins.two_back in two. apply INR_le. rewrite minus_INR by lia.
    simpl INR. lra. }
  destruct (statement d V e p values tokens other) as (A & B).
  unfold Rdiv in *. rewrite ?pow_inv in *. split; lra.""",
        "9c014fcbb02a",
        {
            "i": "(INR (length p))",
            "c": "(INR c)",
            "s": "(sq d (uniform_output e p))",
            "F": "(sum_below V (fun t => frequency p t ^ 2))",
        },
    ),
    "repeated_token": Template(
        "forall (N D : nat) e value rows combine (x : nat -> nat), {0} -> "
        "(forall l h i, (l < D)%nat -> (i < N)%nat -> simplex_row (S i) (rows l h i)) -> "
        "(forall i, (i < N)%nat -> x i = x 0%nat) -> "
        "forall l i c, (l <= D)%nat -> (i < N)%nat -> {conclusion}",
        """split; intros statement N D e value rows combine x.
- intros simplex same l i c layer position.
  assert (one : 1 <= INR N) by (apply PinLemmas.one_le; lia).
  specialize (statement N D e value rows combine x). repeat meet statement.
  specialize (statement l i c layer position).
  apply Rminus_diag_uniq. destruct (Req_dec (state e value rows combine x l i c -
    state e value rows combine x l 0 c) 0) as [zero|other]; [exact zero|].
  destruct (Rabs_no_R0 _ other statement).
- intros one simplex same l i c layer position.
  rewrite (statement N D e value rows combine x simplex same l i c layer position).
  rewrite Rminus_diag_eq by reflexivity. apply Rabs_R0.""",
        "25340e62a525",
        {
            "N": "(INR N)",
            "delta": (
                "(Rabs (state e value rows combine x l i c - state e value rows combine x l 0 c))"
            ),
        },
    ),
    "repeated_token_alibi": Template(
        "forall (level slope : R) (i : nat), {0} -> {1} -> {conclusion}",
        """split; intros statement level slope i one flat.
- apply PinLemmas.one_le in one. specialize (statement level slope i). repeat meet statement.
  exact statement.
- apply PinLemmas.one_back in one. exact (statement level slope i one flat).""",
        "489a588f0490",
        {
            "i": "(INR i)",
            "slope": "slope",
            "alpha": "(weight (relative_row (fun j => level - slope * INR j) i) 1)",
        },
    ),
    "repeated_token_flat": Template(
        "forall (g : nat -> R) (i : nat), {0} -> (forall k, (k < i)%nat -> g k = g 0%nat) -> "
        "{conclusion}",
        """split; intros statement g i one same.
- apply PinLemmas.one_le in one. exact (statement g i one same).
- apply PinLemmas.one_back in one. exact (statement g i one same).""",
        "b49398edc169",
        {"i": "(INR i)", "alpha": "(weight (relative_row g i) 1)"},
    ),
    "repeated_token_ceiling": Template(
        "forall (g : nat -> R) (N : nat) (rho : R), {0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement g N rho.
- intros two low power. apply PositionZeroPins.two_le in two. specialize (statement g N rho).
  repeat meet statement. lra.
- intros two low power. apply PositionZeroPins.two_back in two.
  specialize (statement g N rho two). repeat meet statement. lra.""",
        "537fcd1b1866",
        {
            "N": "(INR N)",
            "rho": "rho",
            "alpha": "(weight (relative_row g N) N)",
            "importance": "(importance N (relative_row g))",
        },
    ),
    "repeated_token_range": Template(
        "forall (g : nat -> R) (N : nat) (range ell : R), "
        "(forall i j, (i < N)%nat -> (j < N)%nat -> g i - g j <= range) -> "
        "ln (INR N) <= ell -> {0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement g N.
- intros range two within. pose proof (within 0%nat 0%nat ltac:(lia) ltac:(lia)).
  apply PositionZeroPins.two_le in two.
  pose proof (PositionZeroPins.ln_INR_nonneg N ltac:(lra)).
  specialize (statement g N range (ln (INR N)) within). repeat meet statement. lra.
- intros range ell within above two low log. apply PositionZeroPins.two_back in two.
  specialize (statement g N range two within). lra.""",
        "ae85c242c323",
        {
            "N": "(INR N)",
            "R": "range",
            "ell": "ell",
            "importance": "(importance N (relative_row g))",
        },
    ),
    "first_layer_ceiling": Template(
        "forall (T : nat) mu w range ell, stationary T mu -> "
        "(forall a b j b' j', (j < T)%nat -> (j' < T)%nat -> w a b j - w a b' j' <= range) -> "
        "ln (INR T) <= ell -> {0} -> {1} -> {2} -> {conclusion}",
        """split; intros statement T mu w range.
- intros one law within.
  pose proof (within 0%nat 0%nat 0%nat 0%nat 0%nat ltac:(lia) ltac:(lia)).
  apply PinLemmas.one_le in one. pose proof (PositionZeroPins.ln_INR_nonneg T one).
  specialize (statement T mu w range (ln (INR T)) law within). repeat meet statement.
  cbv zeta. split; lra.
- intros ell law within above one low log. apply PinLemmas.one_back in one.
  destruct (statement T mu w range one law within) as (A & B). split; lra.""",
        "4f51227cf8be",
        {
            "T": "(INR T)",
            "R": "range",
            "ell": "ell",
            "importance": "(mean mu (fun x => importance T (backward_row w x)))",
            "Lambda": "(mean mu (fun x => ln (1 / weight (backward_row w x T) T)))",
        },
    ),
    "nonlinearity_needed": Template(
        "forall d (e value : nat -> vec) score A (a b c : nat), "
        "{0} -> {1} -> {2} -> {3} -> {conclusion}",
        """split; intros statement d e value score A a b c.
- intros row x y (first & second).
  specialize (statement d e value score A a b c).
  assert (pos : forall p k, 0 <= weight (row p) k)
    by (intros; apply PositionZeroPins.weight_nonneg).
  fold row in statement.
  specialize (statement (pos _ _) (pos _ _) (pos _ _) (pos _ _)). fold x y in statement.
  apply (Rle_not_lt _ _ statement). apply Rmin_glb_lt; lra.
- intros p1 p4 q1 q4. specialize (statement d e value score A a b c).
  cbv zeta in statement.
  match goal with |- Rmin ?l ?r <= 0 =>
    destruct (Rlt_le_dec 0 l) as [H|H]; [|pose proof (Rmin_l l r); lra];
    destruct (Rlt_le_dec 0 r) as [K|K]; [exfalso|pose proof (Rmin_r l r); lra] end.
  apply statement; split; lra.""",
        "f7a6e91b9870",
        {
            "p_1": _ROW.format(x=_X, k=1),
            "p_4": _ROW.format(x=_X, k=4),
            "q_1": _ROW.format(x=_Y, k=1),
            "q_4": _ROW.format(x=_Y, k=4),
        },
    ),
}
"""By the name of the Coq statement."""
