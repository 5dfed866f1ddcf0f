"""Three blocks with the whole life of a spike: step-up, sink head, step-down.

``theorems.spike_chain`` (the life cycle of Sun et al. 2026, arXiv 2603.05498).  Width 16, with the
coordinates s and o that mark BOS and ordinary tokens, two spike channels p and q, and 12 others.

    BOS        2·s + ones on the last six others                    ‖x‖² = 10
    ordinary   2·o ± 1 on each of the twelve others                 ‖x‖² = 16
    u          (3/5, 4/5) on (p, q)

* Step-up: SwiGLU with gates ±s, up s, down ±375u.  BOS has (sᵀx̃)² = 32/5, so 2400·u is written to
  it; ordinary tokens have no s.
* Sink head, d_h = 1: query 2·y(o) = 4, key uᵀy, value and output the first six others, which BOS
  lacks: its value is zero.  Every ordinary query has the logit 16/√(1 + 10/2400²) on BOS and 0
  on all other keys.
* Step-down: gates ±u, up u, down ∓μu with μ = (A²+10)/(16A) = 576001/3840.  On BOS (uᵀy)² =
  16A²/(A²+10), so −A·u is written, and BOS is what it was.

Everything but the exponential is rational: a pair of gates is a square (``quadratic_pairs``), so a
normalised state enters through (sᵀx)²·d/‖x‖².  The exact network runs with e^Δ any rational
number; ``in_balls`` is the network with SiLU, RMSNorm and softmax themselves.

>>> trace = exact_network(E=Fraction(10**6)).run(prompt([0, 4095, 7]))
>>> spiked, final = trace.states[1], trace.states[-1]
>>> print([str(v) for v in STREAM.read(spiked, "p")], [str(v) for v in STREAM.read(spiked, "q")])
['1440', '0', '0', '0'] ['1920', '0', '0', '0']
>>> bool((final[0] == BOS).all()), str(trace.rows[1][0][3, 0])
(True, '1000000/1000003')
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from constructions.ball_statements import surely
from constructions.balls import balls
from constructions.decoder import Block, Decoder, Pointwise, Stream, rms_norm, silu
from constructions.gap_mass import mass_of_gap
from constructions.mlp_after_head import relu
from constructions.networks import Head
from constructions.pushed import sharp
from constructions.quadratic_pairs import amplifier
from constructions.sharpness import number
from theorems.arrays import Array, exact
from theorems.attention import bilinear_logits, normalise, softmax
from theorems.evidence import Outcome, Run, check, evidence
from theorems.spike_chain import CHAIN, DIRECTION, GAP, NETWORK

OTHERS = tuple(f"x{k}" for k in range(1, 13))
STREAM = Stream(("s", "o", "p", "q", *OTHERS))
WIDTH = len(STREAM.names)
BOS = STREAM.vectors({"s": 2} | dict.fromkeys(OTHERS[6:], 1))[0]
S = STREAM.vectors({"s": 1})[0]
U = STREAM.vectors({"p": Fraction(3, 5), "q": Fraction(4, 5)})[0]
SIZE = Fraction(2400)
"""A = ‖λ‖·d·c² with ‖λ‖ = 375, d = 16, c² = 2/5."""
MU = (SIZE**2 + 10) / (16 * SIZE)

SCORES = STREAM.matrix({("o", "p"): 2 * U[2], ("o", "q"): 2 * U[3]})
VALUES = STREAM.matrix({(name, name): 1 for name in OTHERS[:6]})


def ordinary(signs: int) -> Array:
    """The ordinary token whose k-th other coordinate is −1 where bit k of ``signs`` is set."""
    bits = {name: -1 if signs >> k & 1 else 1 for k, name in enumerate(OTHERS)}
    return STREAM.vectors({"o": 2} | bits)[0]


def prompt(signs: Sequence[int]) -> Array:
    """BOS and ordinary tokens, (L, 16)."""
    return np.array([BOS, *[ordinary(k) for k in signs]])


def squared_norm(h: Array) -> Array:
    """‖h‖² (..., 1)."""
    return (h * h).sum(axis=-1, keepdims=True)


def step_up(activation: Pointwise = relu) -> Pointwise:
    """The SwiGLU block that writes 375(sᵀy)²·u."""
    return amplifier([(S, 375 * U)], activation)


def step_down(activation: Pointwise = relu) -> Pointwise:
    """The SwiGLU block that writes −μ(uᵀy)²·u."""
    return amplifier([(U, -MU * U)], activation)


def on_normalised(mlp: Pointwise) -> Pointwise:
    """A quadratic block after RMSNorm, on rational states: its output times d/‖h‖²."""
    return lambda h: mlp(h) * Fraction(WIDTH) / squared_norm(h)


def exact_scores(h: Array) -> Array:
    """Logits over Δ (L, L) on rational states: 0 or 1.

    Raises ``ValueError`` if some squared logit is neither 0 nor Δ² = 256A²/(A²+10).
    """
    sizes = squared_norm(h)[..., 0]
    raw = bilinear_logits(h, SCORES)
    squares = raw**2 * Fraction(WIDTH) ** 2 / (sizes[:, None] * sizes[None, :])
    delta = 256 * SIZE**2 / (SIZE**2 + 10)
    for value, square in zip(raw.flat, squares.flat, strict=True):
        if square not in (0, delta) or value < 0:
            raise ValueError(f"a logit with the square {square} is neither 0 nor Δ")
    return squares / delta


def exact_network(E: Fraction, sink: bool = True, down: Pointwise | None = None) -> Decoder:
    """The three blocks on rational states, with E for e^Δ; without ``sink`` the keys are zero.

    The head reads normalised states: ordinary ones are their own, and BOS has value zero.
    """

    def rows(h: Array) -> Array:
        scores = exact_scores(h) if sink else exact_scores(h) * 0
        return normalise(1 + (E - 1) * scores)

    return Decoder(
        (
            Block(mlp=on_normalised(step_up())),
            Block(heads=(Head(rows, VALUES),)),
            Block(mlp=on_normalised(down or step_down())),
        )
    )


def in_balls(activation: Pointwise, sink: bool = True) -> Decoder:
    """The same network with an activation, RMSNorm and softmax, for states in balls."""
    norm, scores = rms_norm(), SCORES if sink else SCORES * 0
    head = Head(lambda y: softmax(bilinear_logits(y, balls(scores))), VALUES)
    return Decoder(
        (
            Block(mlp=step_up(activation), pre=norm),
            Block(heads=(head,), pre=norm),
            Block(mlp=step_down(activation), pre=norm),
        )
    )


GAPS = (Fraction(1, 2), Fraction(1), Fraction(7), Fraction(9 * 10**6))
"""e^Δ: masses and states are ratios of linear functions of it, equal everywhere if at three."""


def ordinary_tokens_are_alike() -> bool:
    """‖x‖² = 16, x(o) = 2, uᵀx = 0 and sᵀx = 0 for all 4096 ordinary tokens.

    A logit is 2y(o)·uᵀy, a step reads sᵀy or uᵀy: so every ordinary query has the logit Δ on BOS
    and 0 on every ordinary key, and both MLPs write nothing to ordinary tokens.
    """
    tokens = np.array([ordinary(k) for k in range(4096)])
    alike = bool((squared_norm(tokens) == 16).all() and (STREAM.read(tokens, "o") == 2).all())
    return alike and not (tokens @ U).any() and not (tokens @ S).any()


@evidence("spike_chain", kind="exact", statement="spike_chain.network", settles=True)
def rise_sink_and_fall(run: Run) -> Outcome:
    """Exact for all 4096 ordinary tokens and any e^Δ: spike 1920, mass E/(E+i−1), BOS restored."""
    alike, rng, holds = ordinary_tokens_are_alike(), random.Random(run.seed), True
    for E in GAPS:
        length = run.scale(12, 14, 40)
        h = prompt([rng.randrange(4096) for _ in range(length - 1)])
        trace = exact_network(E).run(h)
        spike = max(abs(state[0]).max() for state in (*trace.states, *trace.middles))
        final = abs(trace.states[-1][0] - BOS).max()
        rest = [abs(state[:, [0, 1, *range(4, 16)]]).max() for state in trace.states[:2]]
        holds = holds and max(rest) <= 2 and not trace.states[-1][1:, 2:4].any()
        for i in range(2, length + 1):
            at = {"i": i, "E": E, "alpha": trace.rows[1][0][i - 1, 0]}
            holds = holds and NETWORK.holds(**at, spike=spike, final=final)
    return check(alike and holds, "channels 1440 and 1920, then 0; the other entries at most 2")


@evidence("spike_chain", kind="certified", statement="spike_chain.network")
def the_network_itself_in_balls(run: Run) -> Outcome:
    """SiLU, RMSNorm and softmax in balls: masses .9999983 at 16 keys, .99977 at 2048, BOS back."""
    rng = random.Random(run.seed)
    with ctx.workprec(160):
        h = balls(prompt([rng.randrange(4096) for _ in range(15)]))
        trace = in_balls(silu).run(h)
        delta = 16 / (1 + arb(10) / number(SIZE**2, h)).sqrt()
        masses = [trace.rows[1][0][i, 0] for i in range(1, 16)]
        closed = [mass_of_gap(i + 1, delta) for i in range(1, 16)]
        same = all(bool(abs(a - b) < 1e-30) for a, b in zip(masses, closed, strict=True))
        final = all(bool(abs(x) < 1e-30) for x in trace.states[-1][0] - balls(BOS))
        spike = bool(abs(trace.states[1][0, 3] - 1920) < 1e-30)
        long = mass_of_gap(2048, delta)
        figures = bool(abs(masses[-1] - arb("0.9999983")) < 5e-8)
        figures = figures and bool(abs(long - arb("0.99977")) < 5e-6)
    shown = f"mass {float(masses[-1].mid()):.7f} at 16 keys, {float(long.mid()):.5f} at 2048"
    return check(same and final and spike and figures, shown)


@evidence("spike_chain", kind="certified")
def the_network_meets_the_chain(run: Run) -> Outcome:
    """The chain's explicit gap for A = 2400, B = √10 is within 0.03 of the true one, and enough."""
    A, B = number(SIZE, balls(BOS)), arb(10).sqrt()
    s = (1 - (B / A) ** 2).sqrt()
    sharp_f, simple_f = (2 * (1 - s)).sqrt(), arb(2).sqrt() * B / A
    true = 16 / (1 + arb(10) / A**2).sqrt()
    holds, gaps = True, []
    for f in (sharp_f, simple_f):
        explicit = 4 * (4 - 4 * f)  # √(d/d_h) = 4, q·W_K u = ‖W_Kᵀq‖ = 4, no other key
        gaps.append(explicit)
        for m in (2, 16, 2048):
            at = {"A": A, "B": B, "m": m, "E": explicit.exp(), "alpha": mass_of_gap(m, true)}
            holds = holds and surely(CHAIN, **at)
        at = {"A": A, "B": B, "s": s, "R": 4, "k": 4, "w": 4, "o": 0, "f": f, "Delta": true}
        holds = holds and surely(GAP, **at)
    holds = holds and bool(true - gaps[1] < arb("0.03"))
    shown = ", ".join(f"{float(g.mid()):.4f}" for g in (*gaps, true))
    return check(holds, f"gaps: explicit {shown.replace(', ', ' and ', 1)} in truth")


def tilted(t: Fraction) -> dict[str, Fraction]:
    """The worst b: A = 1, B = sin φ, t = tan(φ/4), A·u + b at the angle φ to u and b across it.

    Everything is rational: s = cos φ, and the distance 2 sin(φ/2) of the two unit vectors.
    """
    c, z = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)  # of φ/2
    return {"A": Fraction(1), "B": 2 * c * z, "s": c**2 - z**2, "f": 2 * z}


TILTS = (Fraction(1, 3), Fraction(1, 10), Fraction(1, 1000))


@evidence("spike_chain", kind="exact", statement="spike_chain.direction")
def a_perpendicular_rest_attains_the_distance(run: Run) -> Outcome:
    """b across A·u + b attains the distance at three angles; 1.01 times tighter it fails."""
    holds = True
    for t in TILTS:
        at = tilted(t)
        h = at["s"] * exact([at["s"], at["B"]])  # A·u + b, of length s
        b = h - exact([1, 0])
        holds = holds and b @ b == at["B"] ** 2 and b @ h == 0
        unit = h / at["s"] - exact([1, 0])
        for d in (2, 16):
            holds = holds and sharp(DIRECTION, d=d, A=1, B=at["B"], s=at["s"], Q=d * (unit @ unit))
    return check(holds, "equality at three angles")


@evidence("spike_chain", kind="exact", statement="spike_chain.gap")
def a_query_along_the_difference_attains_the_gap(run: Run) -> Outcome:
    """A query that reads only h̃ − √d·u attains the gap; √2·B/A instead of f is strict."""
    holds = True
    for t in TILTS:
        at = tilted(t)
        turned = exact([at["s"], at["B"]])  # h̃/√d
        u = exact([1, 0])
        key = (u - turned) / at["f"]  # W_Kᵀq, of length 1
        R, o = Fraction(4), Fraction(-3)
        values = {**at, "R": R, "w": 1, "k": key @ u, "o": o, "Delta": R * (key @ turned) - R * o}
        holds = holds and GAP.applies(**values) and GAP.excess(**values) == 0
        looser = values | {"f": Fraction(3, 2) * at["B"]}
        holds = holds and GAP.applies(**looser) and GAP.excess(**looser) < 0
        tighter = values | {"f": Fraction(99, 100) * at["f"]}
        holds = holds and not GAP.applies(**tighter) and GAP.excess(**tighter) > 0
    return check(holds, "equality at three angles; a distance 1% smaller is refuted")
