"""The position-zero circuit in two blocks: no BOS, no positions, no token identity.

Peng et al. 2026 (arXiv 2603.06591) find it in trained models: the first block tells position zero
by its unmixed value, its MLP turns that into a large norm in one direction, later heads attend
there.  ``constructions.p0_circuit`` builds it, so two blocks suffice; its variants say what each
part is for.  Width d is the vocabulary's size V plus one (for the coordinate s), tokens are
one-hot, E = e^{gG} with G the size of the spike and g the sharpness of the sink head.
"""

from __future__ import annotations

import sympy as sp

from theorems.claim import Claim
from theorems.statement import Statement

i, r, N, V = sp.symbols("i r N V", integer=True)
alpha, E, G, s, constant, square, cosine = sp.symbols(
    "alpha E G s constant square cosine", real=True
)
X, B, gain, beta, c_0, ell, top = sp.symbols("X B gain beta c_0 ell top", real=True)

PAPER = (
    "Peng et al. 2026: recognition and amplification take two blocks and need no semantic "
    "information; shown in trained models, no construction."
)
CIRCUIT = (
    "Two blocks on V one-hot tokens and a coordinate s, V ≥ 2, no BOS, no positions, sequences of "
    "length at most N.  Block 1: all logits 0, values the identity, residual, then an MLP with "
    "gain GN and threshold 2 − 1/N that writes to s.  Block 2: one head with d_h = 1, query half "
    "the sum of the token coordinates, key s, logit g·s_k."
)
DIFFERS = "  The second token differs from the first; any position i."
_SYMBOLS = {
    "i": "position of the query, 1-based",
    "r": "length of the initial run of equal tokens",
    "N": "largest length",
    "V": "size of the vocabulary",
    "alpha": "attention of the query on position zero",
    "E": "e^{gG}",
    "G": "size of the spike",
    "s": "coordinate s of position i after block 1",
    "constant": "1 if x_1..x_i are all equal, else 0",
}


def explained(*names: str) -> dict[str, str]:
    """The entries of the table of symbols for ``names``."""
    return {name: _SYMBOLS[name] for name in names}


SINK = Statement(
    name="p0_circuit",
    title="Two blocks suffice: the mass on position zero is exactly 1/(1+(i−1)e^(−gG))",
    setting=CIRCUIT + DIFFERS,
    symbols=explained("i", "N", "E", "alpha"),
    hypotheses=(i >= 1, i <= N, E > 0),
    conclusion=sp.Eq(alpha, 1 / (1 + (i - 1) / E)),
    paper=PAPER,
    ours="an explicit network without biases, and the mass in closed form",
    proof_idea=(
        "A prefix of i tokens that is not constant has largest share at most 1 − 1/i ≤ 1 − 1/N, "
        "so only position zero passes the threshold; the others' keys are exactly 0."
    ),
)

SPIKE = Statement(
    name="p0_circuit.spike",
    title="The MLP writes G on constant prefixes and exactly 0 on all others",
    setting=CIRCUIT + "  Any sequence, any position i.",
    symbols=explained("i", "N", "G", "s", "constant"),
    hypotheses=(i >= 1, i <= N, G > 0),
    conclusion=sp.Eq(s, constant * G),
    paper=PAPER,
    ours="recognition without token identity, exact",
    proof_idea="ReLU(2 − (2 − 1/N)) = 1/N on a constant prefix, and 2 − 1/i ≤ 2 − 1/N elsewhere.",
)

SHARED = Statement(
    name="p0_circuit.shared",
    title="An initial run of r equal tokens shares the sink",
    setting=CIRCUIT
    + "  x_1 = … = x_r ≠ x_{r+1}, position i > r; alpha on any one of the first r positions.",
    symbols=explained("i", "r", "N", "E", "alpha"),
    hypotheses=(r >= 1, r < i, i <= N, E > 0),
    conclusion=sp.And(sp.Eq(alpha, E / (r * E + i - r)), alpha * r < 1),
    paper="Peng et al. 2026 repeat the first token and see the loss change; no statement.",
    ours="no member of the run gets 1/r",
    proof_idea="All r prefixes are constant and have the same key G.",
)

NORM = Statement(
    name="p0_circuit.norm",
    title="Position zero has norm √(4+G²) and a direction that hardly depends on the token",
    setting=CIRCUIT + "  h_0 is position zero's state after block 1, for two different tokens.",
    symbols=explained("G", "V")
    | {"square": "‖h_0‖₂²", "cosine": "cosine of h_0 for two different tokens"},
    hypotheses=(V >= 2, G > 0),
    conclusion=sp.And(sp.Eq(square, 4 + G**2), sp.Eq(cosine, G**2 / (4 + G**2))),
    paper=PAPER,
    ours="closed forms; the direction becomes fixed only as G grows",
    proof_idea="h_0 = 2e(x_1) + G e_s.",
)

PRE_NORM = Statement(
    name="p0_circuit.pre_norm",
    title="The circuit with RMSNorm before each part and no biases",
    setting=(
        "The same network with pre-norm RMSNorm(ε), d = V + 1; learned scales divided into the "
        "next matrix, thresholds relative to the sum of the normalised token coordinates.  X = "
        "e^{gab}, a = 1/√(4/d + ε), b = G/√((G²+4)/d + ε).  The spike is G on constant prefixes, "
        "0 elsewhere." + DIFFERS
    ),
    symbols=explained("i", "N", "alpha") | {"X": "e^{gab}"},
    hypotheses=(i >= 1, i <= N, X > 0),
    conclusion=alpha >= 1 / (1 + (i - 1) / X),
    paper=PAPER,
    ours=(
        "what trained models have, with real softmax and roots enclosed in balls; not attained, "
        "since a mixed query has norm below 2"
    ),
    proof_idea="The MLP is homogeneous in the normalised state; the query's norm is at most 2.",
)

SWIGLU = Statement(
    name="p0_circuit.swiglu",
    title="The circuit with pre-norm and SwiGLU",
    setting=(
        "As with pre-norm, the MLP a SwiGLU without biases: gate βp_t, up Σy/2, the scale such "
        "that the spike is G on constant prefixes.  X = e^{gab}, a = 1/√((4+s₋²)/d + ε), b = "
        "G/√((G²+4)/d + ε), s₋ the largest |s| off constant prefixes; c_0 = 1/√(4/d+ε)." + DIFFERS
    ),
    symbols=explained("i", "N", "alpha", "s")
    | {
        "X": "e^{gab}",
        "beta": "sharpness β of the gate",
        "c_0": "1/√(4/d + ε)",
        "ell": "ln V (or more)",
        "s": "largest coordinate s off constant prefixes",
    },
    hypotheses=(i >= 1, i <= N, X > 0, c_0 > 0, ell >= 0, beta * c_0 >= N + ell),
    conclusion=sp.And(alpha >= 1 / (1 + (i - 1) / X), s <= 0),
    paper=PAPER,
    ours="SiLU leaks a little, and never with the spike's sign; a β that is too small flips it",
    proof_idea=(
        "Off constant prefixes every gate is negative; on them one is βc₀/N and the other V−1 are "
        "too negative to cancel it."
    ),
)

ANTI_SELF = Statement(
    name="p0_circuit.anti_self",
    title="Attention that avoids its own token needs a gain of at most 2G, whatever the length",
    setting=(
        "The same network with logits −β·1[x_k = x_i] in block 1, B = e^β; MLP threshold "
        "1 + (N−1)/(N−1+B) and the gain that makes the spike G.  s is exactly G on constant "
        "prefixes and 0 elsewhere."
    ),
    symbols=explained("N", "G") | {"B": "e^β", "gain": "gain of the MLP"},
    hypotheses=(N >= 2, G > 0, B >= N - 1),
    conclusion=sp.And(sp.Eq(gain, G * (1 + (N - 1) / B)), gain <= 2 * G),
    paper=PAPER,
    ours="recognition is cheap when the first attention already looks for other tokens",
    proof_idea="A prefix with another token gives the query's own at most (N−1)/(N−1+B) ≤ ½.",
)

GAIN = Statement(
    name="p0_circuit.gain",
    title="Uniform attention in block 1 forces a gain that grows with the length",
    setting=(
        "Uniform attention in block 1 on one-hot tokens; any MLP, Lipschitz in ℓ₂, that writes G "
        "on the constant prefix of length N and 0 on one with one odd token before its end."
    ),
    symbols=explained("N", "G") | {"square": "square of the Lipschitz constant of the MLP"},
    hypotheses=(N >= 2, G > 0, square >= 0),
    conclusion=2 * square >= G**2 * N**2,
    paper=PAPER,
    ours="the two states differ by √2/N only; attained by the circuit itself for two tokens",
    proof_idea="|s − s′| ≤ Lipschitz constant · ‖h − h′‖ with ‖h − h′‖ = √2/N.",
)

NO_MLP = Statement(
    name="p0_circuit.no_mlp",
    title="No MLP, no spike: pre-norm alone makes the sink",
    setting=(
        "Two blocks of attention only with RMSNorm (ε = 0) before each, d = V, no BOS, no "
        "positions; block 1 uniform, block 2 with logit −g·u_i u_k, u half the sum of the "
        "normalised coordinates.  X = e^{gd(2i−1)/(16i²)}; top = the largest |h|." + DIFFERS
    ),
    symbols=explained("i", "alpha")
    | {"X": "e^{gd(2i−1)/(16i²)}", "top": "largest |coordinate| of any state"},
    hypotheses=(i >= 2, X > 0),
    conclusion=sp.And(alpha >= 1 / (1 + (i - 1) / X), top <= 2),
    paper="Peng et al. 2026: the MLP amplifies, and the sink follows from the norm.",
    ours="so the MLP and the spike are sufficient, not necessary",
    proof_idea="Mixed states are shorter, so their normalised coordinates are larger.",
)

CLAIM = Claim(
    id="p0_circuit",
    title="Two blocks recognise position zero, amplify it and attend to it, without BOS",
    papers=("B2", "B4"),
    statements=(SINK, SPIKE, SHARED, NORM, PRE_NORM, SWIGLU, ANTI_SELF, GAIN, NO_MLP),
)
