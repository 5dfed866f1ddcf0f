"""A stack under sandwich norm that grows as fast as the bound allows, and a pre-norm block.

``theorems.sandwich_bound`` (after Sun et al. 2026, arXiv 2603.05498).  The state is a·e₀ and every
block writes what it reads; normalised that is γ√d·e₀ each time, so after B blocks the state is
(a + Bγ√d)·e₀: the bound itself, in ℓ₂ and in sup norm.  Without the norm on the output one
SwiGLU block writes any size (``quadratic_pairs``).

>>> print(spike_after(blocks=64, width=4096, gamma=Fraction(1), start=Fraction(1)))
4097
"""

from __future__ import annotations

import random
from fractions import Fraction

from flint import arb

from constructions.ball_statements import surely, surely_broken
from constructions.balls import balls
from constructions.decoder import Block, Decoder, Pointwise, identity, norms, rms_norm
from constructions.directions import random_rationals
from constructions.mlp_after_head import relu
from constructions.pushed import sharp
from constructions.quadratic_pairs import amplifier, random_block
from constructions.rational_norm import rational_rms_norm
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.sandwich_bound import BLOCKS, PRE_NORM, SANDWICH


def along(width: int, size: Fraction) -> Array:
    """The state size·e₀ (1, d)."""
    return exact([[size, *[0] * (width - 1)]])


def greedy_stack(blocks: int, gamma: Fraction) -> Decoder:
    """Blocks whose MLP writes its input, under an output norm of scale ``gamma``."""
    norm = rational_rms_norm(scale=gamma)
    return Decoder(tuple(Block(mlp=identity, post=norm) for _ in range(blocks)))


def spike_after(blocks: int, width: int, gamma: Fraction, start: Fraction) -> Fraction:
    """The one non-zero entry of the state after ``blocks``; √width must be rational."""
    entry: Fraction = greedy_stack(blocks, gamma).run(along(width, start)).states[-1][0, 0]
    return entry


def pair_of_size(width: int, size: Fraction) -> Block:
    """A pre-norm block that writes ``size`` along e₀ on every state along e₀."""
    e_0 = along(width, Fraction(1))[0]
    return Block(mlp=amplifier([(e_0, size / width * e_0)], relu), pre=rational_rms_norm())


def scaled(norm: Pointwise, gammas: Array) -> Pointwise:
    """``norm`` with the learned scales ``gammas`` (d,)."""
    return lambda x: norm(x) * balls(gammas)


@evidence("sandwich_bound", kind="exact")
def the_greedy_stack_attains_it(run: Run) -> Outcome:
    """Blocks that write one direction attain the bound for every B; 1.01 times tighter fails."""
    holds, most = True, run.scale(12, 16, 64)
    for width, root in ((1, 1), (16, 4), (256, 16)):
        for gamma in (Fraction(1), Fraction(2, 7)):
            for blocks in (0, 1, 2, most):
                reached = spike_after(blocks, width, gamma, Fraction(3))
                at = {"B": blocks, "d": width, "R": root, "gamma": gamma, "x_0": 3}
                holds = holds and sharp(SANDWICH, **at, x_B=reached)
    limit = spike_after(64, 4096, Fraction(1), Fraction(1))
    figure = f"equality for up to {most} blocks; at d = 4096, 64 blocks, γ = 1 it allows {limit}"
    return check(holds, figure)


@evidence("sandwich_bound", kind="exact", statement="sandwich_bound.blocks")
def the_greedy_stack_needs_every_block(run: Run) -> Outcome:
    """The spike of B greedy blocks takes B blocks by the bound; one per cent fewer fails."""
    holds = True
    for blocks in (1, 2, 17):
        reached = spike_after(blocks, 16, Fraction(1, 2), Fraction(3))
        at = {"B": blocks, "d": 16, "R": 4, "gamma": Fraction(1, 2), "x_0": 3, "A": reached}
        holds = holds and sharp(BLOCKS, **at)
    return check(holds, "equality at 1, 2 and 17 blocks")


@evidence("sandwich_bound", kind="exact", statement="sandwich_bound.pre_norm")
def one_pre_norm_block_writes_any_size(run: Run) -> Outcome:
    """One pair writes 1, 2400 and 10⁹ exactly, whatever the size of the state it reads."""
    holds = True
    for width in (1, 16, 256):
        for size in (Fraction(1), Fraction(2400), Fraction(10**9)):
            for start in (Fraction(1, 5), Fraction(77)):
                state = pair_of_size(width, size)(along(width, start))[1]
                holds = holds and PRE_NORM.holds(d=width, S=size, out=state[0, 0] - start)
    return check(holds, "three sizes at three widths, exact")


@evidence("sandwich_bound", kind="certified")
def random_stacks_stay_below(run: Run) -> Outcome:
    """Random SwiGLU stacks with ε in balls surely stay below; without output norms many exceed."""
    rng, holds, above, count = random.Random(run.seed), True, 0, run.scale(20, 100)
    for _ in range(count):
        width, blocks = 3, rng.randint(1, 4)
        gammas = abs(random_rationals(rng, (width,))) + Fraction(1, 9)
        mlps = [random_block(rng, width, 3) for _ in range(blocks)]
        start = balls(random_rationals(rng, (1, width)) + Fraction(1, 3))
        norm = rms_norm(Fraction(1, 7))
        sandwiched = [Block(mlp=f, pre=norm, post=scaled(norm, gammas)) for f in mlps]
        plain = [Block(mlp=f, pre=norm) for f in mlps]
        gamma = max(gammas)
        at = {"B": blocks, "d": width, "R": arb(width).sqrt(), "gamma": gamma}
        at["x_0"] = norms(start)[0]
        reached = norms(Decoder(tuple(sandwiched)).run(start).states[-1])[0]
        holds = holds and surely(SANDWICH, **at, x_B=reached)
        loud = norms(Decoder(tuple(plain)).run(start).states[-1])[0]
        above += surely_broken(SANDWICH, **at, x_B=loud)
    figure = f"{count} stacks surely below; without the output norm {above} exceed the bound"
    return check(holds and above > 0, figure)
