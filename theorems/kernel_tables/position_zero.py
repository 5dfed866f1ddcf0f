"""Position zero without BOS: which Coq theorem proves which statement, and its witnesses."""

from __future__ import annotations

from theorems.kernel_tables.circuit_templates import TEMPLATES as CIRCUIT
from theorems.kernel_tables.position_zero_templates import LEMMAS, TEMPLATES
from theorems.kernel_tables.rows import Table, Theorem

THEOREMS = (
    Theorem(
        "mixing_identity",
        "causal_asymmetry",
        "causal_asymmetry",
        "1 − ‖Σp_k v_k‖² = Σ_{k<l} p_k p_l ‖v_k − v_l‖²; the first output is as long as any.",
        witness="nonvacuous_mixing",
        settles=True,
    ),
    Theorem(
        "mixing_equality",
        "causal_asymmetry",
        "causal_asymmetry",
        "Norm one exactly when all values of positive weight coincide.",
        witness="nonvacuous_mixing",
    ),
    Theorem(
        "cone_model",
        "causal_asymmetry",
        "causal_asymmetry.cone",
        "The cone model under any expectation: E‖o‖² = a² + (1 − a²)E[Σp_k²].",
        witness="nonvacuous_cone",
        settles=True,
    ),
    Theorem(
        "cone_uniform",
        "causal_asymmetry",
        "causal_asymmetry.cone_uniform",
        "Uniform weights on m tokens: a² + (1 − a²)/m, strictly less with a token more.",
        witness="nonvacuous_cone",
        settles=True,
    ),
    Theorem(
        "collision_gap",
        "causal_asymmetry",
        "causal_asymmetry.collision",
        "Orthonormal values, uniform attention: the collision index, with a gap.",
        witness="nonvacuous_collision",
        settles=True,
    ),
    Theorem(
        "collision_index",
        "causal_asymmetry",
        "causal_asymmetry.collision",
        "The output has norm one exactly when the prefix is constant.",
        witness="nonvacuous_collision",
    ),
    Theorem(
        "collision_gap_attained",
        "causal_asymmetry",
        "causal_asymmetry.collision",
        "One odd token, wherever it stands, attains the gap.",
        witness="nonvacuous_collision",
    ),
    Theorem(
        "repeated_token",
        "repeated_tokens",
        "repeated_tokens",
        "A constant sequence has one state at all positions, in every layer.",
        witness="nonvacuous_repeated",
        settles=True,
    ),
    Theorem(
        "repeated_token_decay",
        "repeated_tokens",
        "repeated_tokens.alibi",
        "Any logits that are lowest at the largest distance: α_i1 ≤ 1/i.",
        witness="nonvacuous_relative",
        classic=True,
    ),
    Theorem(
        "repeated_token_alibi",
        "repeated_tokens",
        "repeated_tokens.alibi",
        "ALiBi: α_i1 ≤ 1/i.",
        witness="nonvacuous_alibi",
        settles=True,
        classic=True,
    ),
    Theorem(
        "repeated_token_flat",
        "repeated_tokens",
        "repeated_tokens.no_positions",
        "Equal logits: α_i1 = 1/i.",
        witness="nonvacuous_flat",
        settles=True,
    ),
    Theorem(
        "repeated_token_product",
        "repeated_tokens",
        "repeated_tokens.ceiling",
        "Π_{i=2..N}(1 − α_i1) = α_NN for any logits g(i − k).",
        witness="nonvacuous_relative",
    ),
    Theorem(
        "repeated_token_ceiling",
        "repeated_tokens",
        "repeated_tokens.ceiling",
        "The importance ceiling by any ρ with ρ^(N−1) ≤ α_NN.",
        witness="nonvacuous_relative",
        settles=True,
        classic=True,
    ),
    Theorem(
        "repeated_token_range",
        "repeated_tokens",
        "repeated_tokens.range",
        "The importance ceiling by the range of the logits.",
        witness="nonvacuous_relative",
        settles=True,
        classic=True,
    ),
    Theorem(
        "circuit_mass",
        "p0_circuit",
        "p0_circuit",
        "The exact mass on position zero, for all lengths and vocabularies.",
        witness="nonvacuous_circuit",
        settles=True,
    ),
    Theorem(
        "circuit_spike",
        "p0_circuit",
        "p0_circuit.spike",
        "The spike is G on constant prefixes and exactly 0 on all others.",
        witness="nonvacuous_circuit",
        settles=True,
    ),
    Theorem(
        "circuit_shared",
        "p0_circuit",
        "p0_circuit.shared",
        "An initial run of r tokens shares the sink, each less than 1/r.",
        witness="nonvacuous_circuit",
        settles=True,
    ),
    Theorem(
        "circuit_norm",
        "p0_circuit",
        "p0_circuit.norm",
        "‖h_0‖² = 4 + G² and the cosine of two tokens' states.",
        witness="nonvacuous_circuit",
        settles=True,
    ),
    Theorem(
        "circuit_anti_self",
        "p0_circuit",
        "p0_circuit.anti_self",
        "Attention that avoids its own token: a gain of at most 2G, the spike exact.",
        witness="nonvacuous_anti_self",
        settles=True,
    ),
    Theorem(
        "circuit_gain",
        "p0_circuit",
        "p0_circuit.gain",
        "Uniform attention: an MLP that tells one odd token has a slope of at least GN/√2.",
        witness="nonvacuous_gain",
        settles=True,
    ),
    Theorem(
        "norm_stability",
        "norm_stability",
        "norm_stability",
        "A relative change ρ < 1 turns the normalised state by at most √(2 − 2√(1 − ρ²)) ≤ √2·ρ.",
        witness="nonvacuous_stability",
        settles=True,
    ),
    Theorem(
        "norm_stability_attained",
        "norm_stability",
        "norm_stability",
        "Attained when δ is orthogonal to x + δ.",
        witness="nonvacuous_stability",
    ),
    Theorem(
        "norm_stability_any_ratio",
        "norm_stability",
        "norm_stability.any_ratio",
        "For every ratio: at most 2‖δ‖/(‖x‖ + ‖x+δ‖).",
        witness="nonvacuous_stability",
        settles=True,
    ),
    Theorem(
        "norm_stability_any_ratio_attained",
        "norm_stability",
        "norm_stability.any_ratio",
        "Attained by every x + δ that is as long as x.",
        witness="nonvacuous_same_length",
    ),
    Theorem(
        "rms_norm_stability",
        "norm_stability",
        "norm_stability.epsilon",
        "The turn of the state that RMSNorm with its ε makes.",
        witness="nonvacuous_plateau",
        settles=True,
    ),
    Theorem(
        "rms_norm_any_ratio",
        "norm_stability",
        "norm_stability.epsilon_any_ratio",
        "RMSNorm with its ε, for every ratio.",
        witness="nonvacuous_plateau",
        settles=True,
    ),
    Theorem(
        "plateau",
        "norm_stability",
        "norm_stability.plateau",
        "Later blocks of bounded writes turn a state of large norm by at most √2·BC/size.",
        witness="nonvacuous_plateau",
        settles=True,
    ),
    Theorem(
        "first_layer_ceiling",
        "first_layer_ceiling",
        "first_layer_ceiling",
        "Stationary tokens, any logits w(x_i, x_k, i−k): position zero's importance in layer 0.",
        witness="nonvacuous_stationary",
        settles=True,
        classic=True,
    ),
    Theorem(
        "nonlinearity_needed",
        "nonlinearity_needed",
        "nonlinearity_needed",
        "Two attention layers with nothing between them fail on one of two sequences.",
        witness="nonvacuous_one_sequence",
        settles=True,
        classic=True,
    ),
)

WITNESSES: dict[str, str] = {
    "nonvacuous_mixing": r"""
forall m, (1 <= m)%nat -> exists vs rows, length vs = m /\ Forall (unit_vector m) vs /\ (forall j
k, (j < k < m)%nat -> orthogonal m (nth j vs (fun _ => 0)) (nth k vs (fun _ => 0))) /\ (forall k,
(1 <= k <= m)%nat -> simplex_row k (rows k))""",
    "nonvacuous_cone": r"""
forall m a, (1 <= m)%nat -> -1 < a < 1 -> exists (A : Type) integrable (E : (A -> R) -> R) d u (p
: A -> nat -> R) (s : A -> nat -> vec), expectation integrable E /\ unit_vector d u /\
cone_directions integrable E d m u s /\ cone_directions integrable E d (S m) u s /\ (forall o,
sum_below m (p o) = 1) /\ (forall k, (k < m)%nat -> integrable (fun o => p o k ^ 2)) /\ (forall j
k, (j < k < m)%nat -> let pair o := p o j * p o k in let corr o := inner d (s o j) (s o k) in
integrable (fun o => pair o * corr o) /\ E (fun o => pair o * corr o) = E pair * E corr)""",
    "nonvacuous_collision": r"""
forall V, (2 <= V)%nat -> exists d e p, orthonormal d V e /\ prefix_of V p /\ ~ constant p""",
    "nonvacuous_repeated": r"""
forall (N : nat), (1 <= N)%nat -> exists rows (x : nat -> nat), (forall l h i : nat, simplex_row
(S i) (rows l h i)) /\ (forall i, (i < N)%nat -> x i = x 0%nat)""",
    "nonvacuous_relative": r"""
forall (N : nat), (2 <= N)%nat -> exists (g : nat -> R) rho range, 0 < rho /\ rho ^ (N - 1) <=
weight (relative_row g N) N /\ (forall k, (k < N)%nat -> g (N - 1)%nat <= g k) /\ g 1%nat < g
0%nat /\ (forall i j, (i < N)%nat -> (j < N)%nat -> g i - g j <= range)""",
    "nonvacuous_circuit": r"""
forall V (r : nat) rest, (2 <= V)%nat -> (1 <= r)%nat -> Forall (fun t => (t < V)%nat) rest ->
exists (t u N : nat) (G : R), let p := repeat t r ++ u :: rest in prefix_of V p /\ (length p <=
N)%nat /\ t <> u /\ 0 < G /\ ~ constant p /\ constant (firstn r p) /\ prefix_of V (firstn r p) /\
(1 <= N)%nat""",
    "nonvacuous_stability": r"""
forall d, (2 <= d)%nat -> exists x delta, norm d x <> 0 /\ norm d (add x delta) <> 0 /\ 0 < norm d
delta / norm d x < 1 /\ orthogonal d delta (add x delta)""",
    "nonvacuous_plateau": r"""
forall d, (2 <= d)%nat -> exists x delta eps (writes : list vec) C, 0 < eps /\ 0 < rms_size d eps
x /\ 0 < rms_size d eps (add x delta) /\ norm d delta / rms_size d eps x < 1 /\ 0 <= C /\ Forall
(fun w => norm d w <= C) writes /\ 0 < INR (length writes) * C < norm d x""",
    "nonvacuous_stationary": r"""
forall T, (1 <= T)%nat -> exists mu (w : nat -> nat -> nat -> R) range, stationary T mu /\ length
mu = 2%nat /\ w 0%nat 0%nat 1%nat < w 0%nat 0%nat 0%nat /\ (forall a b j b' j', (j < T)%nat -> (j'
< T)%nat -> w a b j - w a b' j' <= range)""",
    "nonvacuous_one_sequence": r"""
exists d (e value : nat -> vec) score A (a b c : nat), let row := second_row d A (first_state e
value score) in let x := [a; b; b; a; c] in let y := [b; a; a; b; c] in weight (row x) 4 < weight
(row x) 1 /\ weight (row y) 1 < weight (row y) 4""",
    "nonvacuous_flat": r"""
forall (level : R), exists g : nat -> R, g 0%nat = level /\ forall k, g k = g 0%nat""",
    "nonvacuous_alibi": r"""
exists level slope : R, 0 < slope /\ level - slope * INR 1 < level""",
    "nonvacuous_anti_self": r"""
forall V N, (1 <= V)%nat -> (2 <= N)%nat -> exists G beta gain, 0 < G /\ INR N - 1 <= exp beta /\
exists t, (t < V)%nat /\ avoiding_spike V N beta gain [t] = G""",
    "nonvacuous_gain": r"""
forall V a b, (2 <= V)%nat -> (1 <= b)%nat -> exists s t G steep (mlp : vec -> R), (s < V)%nat /\
(t < V)%nat /\ s <> t /\ 0 < G /\ 0 <= steep /\ (forall x y, Rabs (mlp x - mlp y) <= steep * norm
V (sub x y)) /\ mlp (mixed (repeat s (length (repeat s a ++ t :: repeat s b)))) = G /\ mlp (mixed
(repeat s a ++ t :: repeat s b)) = 0""",
    "nonvacuous_same_length": r"""
forall d, (1 <= d)%nat -> exists x delta, norm d x <> 0 /\ norm d delta <> 0 /\ norm d (add x
delta) = norm d x""",
}
"""By the name of the example in ``PositionZeroWitnesses.v``."""

POSITION_ZERO = Table(
    THEOREMS,
    TEMPLATES | CIRCUIT,
    LEMMAS,
    WITNESSES,
    "PositionZeroWitnesses",
)
