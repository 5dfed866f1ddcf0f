"""A constant sequence: all positions are twins, and position zero's share of attention is bounded.

``theorems.repeated_tokens``.  Decoders here are random: a few blocks of a few heads and an MLP, on
a residual stream, in rational arithmetic.  Their logits read the positions through i − k (ALiBi, or
any table), or not at all; on one token repeated N times every position has the state of the first,
exactly.  Two ways out of the theorem: positions added to the embedding, and rows that do not sum
to one.

For the attention itself let the logits on a constant sequence be ln G(i − k).  With partial sums
S_i = G(0) + … + G(i−1), α_i1 = G(i−1)/S_i = 1 − S_{i−1}/S_i, and the product over i = 2..N of
1 − α_i1 telescopes to S_1/S_N = α_NN.  Equal factors make the ceiling an equality:

>>> weights = geometric(Fraction(2), 5)
>>> [str(w) for w in weights], [str(a) for a in relative_rows(weights)[:, 0]]
(['1', '1', '2', '4', '8'], ['1', '1/2', '1/2', '1/2', '1/2'])
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from constructions.balls import balls, ends, largest
from constructions.decoder import Block, Decoder, Mlp, embed, in_kind, rms_norm, silu, softmax_rows
from constructions.directions import random_rationals
from constructions.enumeration import RowsFn, as_fmpq, as_fraction
from constructions.networks import Head
from constructions.p0_pre_norm import BITS
from theorems.arrays import Array, exact
from theorems.attention import normalise, relu, softmax
from theorems.evidence import Outcome, Run, check, evidence
from theorems.repeated_tokens import ALIBI, CEILING, FLAT, RANGE, TWINS

WIDTH, UNITS = 4, 3


def slope(by: int) -> Callable[[Array], Array]:
    """ALiBi's part of a score, −``by``·(i − k)."""
    return lambda lag: -by * lag


def table(rng: random.Random, length: int) -> Callable[[Array], Array]:
    """Any function of i − k, as a table of small whole numbers."""
    entries = {lag: rng.randint(-3, 3) for lag in range(-length, length)}
    return lambda lag: exact([[entries[int(x)] for x in row] for row in lag])


def rope_rows(query: Array, key: Array, pace: int) -> RowsFn:
    """Softmax with rotary positions on one pair: queries and keys turned by ``pace``·arctan(4/3)·i.

    ``query`` and ``key`` are (2, d); the angle has rational sine and cosine.
    """

    def rows(y: Array) -> Array:
        turn = np.linalg.matrix_power(exact([["3/5", "-4/5"], ["4/5", "3/5"]]), pace)
        turns = [exact(np.eye(2, dtype=int))]
        for _ in range(y.shape[-2] - 1):
            turns.append(turns[-1] @ turn)
        rotations = in_kind(np.array(turns), y)

        def turned(weights: Array) -> Array:
            return (rotations @ (y @ in_kind(weights, y).T)[..., None])[..., 0]

        return softmax(turned(query) @ turned(key).T)

    return rows


def random_block(rng: random.Random, length: int, real: bool = False) -> Block:
    """Two heads with positions in the logits, and an MLP; ``real``: RoPE, pre-norm, SwiGLU."""
    heads = tuple(
        Head(
            softmax_rows(
                exact([[rng.randint(-1, 1) for _ in range(WIDTH)] for _ in range(WIDTH)]) * real,
                Fraction(rng.randint(2, 5), rng.randint(1, 3)),
                rng.choice((None, slope(rng.randint(0, 2)), table(rng, length))),
            ),
            random_rationals(rng, (WIDTH, WIDTH), 3),
        )
        for _ in range(2)
    )
    if real:
        query, key = (random_rationals(rng, (2, WIDTH), 2) for _ in range(2))
        heads += (Head(rope_rows(query, key, rng.randint(1, 3)), heads[0].M),)
    into, up = (random_rationals(rng, (UNITS, WIDTH), 3) for _ in range(2))
    down = random_rationals(rng, (WIDTH, UNITS), 3)
    if real:
        return Block(heads, Mlp(into, down, silu, up), pre=rms_norm(Fraction(1, 1000)))
    return Block(heads, Mlp(into, down))


def difference(decoder: Decoder, start: Array) -> Array:
    """|h_i − h_1| of every state, over layers, positions and coordinates, in one array."""
    trace = decoder.run(start)
    return np.array([abs(h - h[:1]) for h in (*trace.states, *trace.middles)], dtype=object)


def constant(token: Array, length: int) -> Array:
    """States (N, d) of one token (d,) repeated."""
    return embed(token[None], [0] * length)


@evidence("repeated_tokens", kind="exact")
def random_decoders_in_rationals(run: Run) -> Outcome:
    """Random decoders with positions in the logits: no state differs from the first, exactly."""
    rng, holds, count = random.Random(run.seed), True, run.scale(15, 60, 300)
    for _ in range(count):
        length, depth = rng.randint(1, 7), rng.randint(1, 3)
        decoder = Decoder(tuple(random_block(rng, length) for _ in range(depth)))
        start = as_fmpq(constant(random_rationals(rng, (WIDTH,), 3), length))
        delta = as_fraction(difference(decoder, start).max())
        holds = holds and TWINS.holds(N=length, delta=delta)
    return check(holds, f"{count} decoders, depth 1..3, N = 1..7: all states equal")


@evidence("repeated_tokens", kind="certified")
def random_decoders_in_balls(run: Run) -> Outcome:
    """With RMSNorm, SwiGLU, RoPE and content in the logits: each difference's ball holds zero."""
    rng, holds, count, widest = random.Random(run.seed), True, run.scale(8, 30, 200), 0.0
    with ctx.workprec(4 * BITS):
        for _ in range(count):
            length, depth = rng.randint(2, 6), rng.randint(1, 3)
            decoder = Decoder(tuple(random_block(rng, length, real=True) for _ in range(depth)))
            start = balls(constant(random_rationals(rng, (WIDTH,), 3) + 1, length))
            most = largest(difference(decoder, start))
            holds = holds and most.contains(arb(0)) and bool(most < arb(10) ** -30)
            widest = max(widest, float(most.upper()))
    return check(
        bool(holds), f"{count} decoders: differences at most {widest:.0e}, zero among them"
    )


@evidence("repeated_tokens", kind="exact", statement="repeated_tokens")
def ways_out_of_it(run: Run) -> Outcome:
    """Positions in the embedding, or rows that do not sum to one (ReLU): the states differ."""
    length = 4
    token, block = exact([1, 2, 0, -1]), Decoder((random_block(random.Random(1), length),))
    positions = exact([[k, 0, 0, 0] for k in range(length)])
    embedded = as_fraction(difference(block, constant(token, length) + positions).max())
    head = Head(lambda y: relu(y @ y.T), exact(np.eye(WIDTH, dtype=int)), simplex=False)
    loose = as_fraction(difference(Decoder((Block((head,)),)), constant(token, length)).max())
    violated = [not TWINS.holds(N=length, delta=delta) for delta in (embedded, loose)]
    return check(
        all(violated), f"differences of {embedded} with position embeddings, {loose} with ReLU rows"
    )


# The attention on a constant sequence: relative weights G(0), …, G(N−1), logits ln G(i − k).


def relative_rows(weights: Sequence[Fraction]) -> Array:
    """Rows (N, N) of softmax with the logits ln G(i − k), exactly."""
    size = len(weights)
    return normalise(exact([[weights[max(0, i - k)] for k in range(size)] for i in range(size)]))


def geometric(step: Fraction, size: int) -> list[Fraction]:
    """G with S_i = ``step``^(i−1): all α_i1, i ≥ 2, are 1 − 1/step, and the ceiling is attained."""
    return [Fraction(1)] + [step**i - step ** (i - 1) for i in range(1, size)]


def random_weights(rng: random.Random, size: int) -> list[Fraction]:
    """Positive weights that differ by up to some orders of magnitude."""
    span = rng.choice((1, 3, 50, 10**6))
    return [Fraction(rng.randint(1, span), rng.randint(1, span)) for _ in range(size)]


def root_below(x: Fraction, n: int) -> Fraction:
    """A rational at most x^(1/n), within 2⁻⁶⁰ or so of it, for 0 < x ≤ 1."""
    with ctx.workprec(BITS):
        low = ends((arb(x.numerator) / x.denominator).root(n))[0]
    scaled = int(max(Fraction(0), low) * 2**60)
    return Fraction(scaled, 2**60)


def log_above(x: Fraction) -> Fraction:
    """A rational at least ln x, x ≥ 1."""
    with ctx.workprec(BITS):
        return max(Fraction(0), ends((arb(x.numerator) / x.denominator).log())[1])


@evidence("repeated_tokens", kind="exact", statement="repeated_tokens.no_positions")
def equal_shares(run: Run) -> Outcome:
    """Constant logits: α_i1 = 1/i for every i up to 64."""
    column = relative_rows([Fraction(7, 3)] * 64)[:, 0]
    return check(
        all(FLAT.holds(i=i, alpha=a) for i, a in enumerate(column, start=1)), "i = 1..64, exactly"
    )


@evidence("repeated_tokens", kind="exact", statement="repeated_tokens.alibi")
def alibi_gives_less(run: Run) -> Outcome:
    """ALiBi with e^slope = 1, 11/10, 2: at most 1/i; with weights that grow it is more."""
    holds = True
    for e_slope in (Fraction(1), Fraction(11, 10), Fraction(2)):
        column = relative_rows([e_slope**-j for j in range(32)])[:, 0]
        for i, a in enumerate(column, start=1):
            holds = holds and ALIBI.holds(i=i, alpha=a, slope=log_above(e_slope))
    growing = relative_rows([Fraction(2) ** j for j in range(32)])[:, 0]
    broken = all(a * i > 1 for i, a in enumerate(growing, start=1) if i > 1)
    return check(holds and broken, f"i = 1..32; a slope of −ln 2 gives {float(growing[-1]):.2f}")


@evidence("repeated_tokens", kind="exact", statement="repeated_tokens.ceiling")
def ceiling_holds_and_is_attained(run: Run) -> Outcome:
    """Random relative weights stay below; equal factors attain it; 1 % lower is refuted."""
    rng, holds, nearest = random.Random(run.seed), True, 0.0
    for _ in range(run.scale(100, 400, 3000)):
        size = rng.randint(2, 12)
        rows = relative_rows(random_weights(rng, size))
        alpha, importance = rows[-1, -1], sum(rows[:, 0]) / size
        holds = holds and alpha == np.prod([Fraction(1), *(1 - rows[1:, 0])])
        known = {"N": size, "importance": importance, "alpha": alpha}
        rho = root_below(alpha, size - 1)
        holds = holds and CEILING.applies(rho=rho, **known) and CEILING.holds(rho=rho, **known)
        nearest = max(nearest, float(importance * size / (1 + (size - 1) * (1 - rho))))
    attained = refuted = True
    for size in range(2, 17):
        for step in (Fraction(3, 2), Fraction(10)):
            rows, rho = relative_rows(geometric(step, size)), 1 / step
            known = {"N": size, "alpha": rows[-1, -1], "importance": sum(rows[:, 0]) / size}
            attained = attained and rows[-1, -1] == rho ** (size - 1)
            attained = attained and CEILING.excess(rho=rho, **known) == 0
            more = known | {"importance": known["importance"] * Fraction(101, 100)}
            refuted = refuted and not CEILING.holds(rho=rho, **more)
    return check(
        holds and attained and refuted,
        f"random weights reach {nearest:.3f} of it, geometric ones attain it; 1 % more refuted",
    )


@evidence("repeated_tokens", kind="exact", statement="repeated_tokens.range")
def range_of_the_logits(run: Run) -> Outcome:
    """Random relative weights: importance at most (1 + R + ln N)/N; the figure at N = 64."""
    rng, holds, nearest = random.Random(run.seed), True, 0.0
    for _ in range(run.scale(100, 400, 3000)):
        size = rng.randint(2, 40)
        weights = random_weights(rng, size)
        R, ell = log_above(max(weights) / min(weights)), log_above(Fraction(size))
        importance = sum(relative_rows(weights)[:, 0]) / size
        holds = holds and RANGE.holds(N=size, importance=importance, R=R, ell=ell)
        nearest = max(nearest, float(importance * size / (1 + R + ell)))
    simple = 0.3 * 64 - 1 - float(log_above(Fraction(64)))
    rho = (64 - 0.3 * 64) / 63
    sharp = -63 * float(np.log(rho)) - float(np.log(64))
    return check(
        holds, f"reaches {nearest:.3f} of it; over 0.3 at N = 64: R > {simple:.1f} or {sharp:.1f}"
    )
