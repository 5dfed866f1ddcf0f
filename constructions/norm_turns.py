"""How far a normalised state turns when something is added to it: exact cases and the worst one.

``theorems.norm_stability``, after Peng et al. 2026 (arXiv 2603.06591 v2).  The states x and x+δ
have lengths X and Y and an angle φ between them.  With a rational half-angle moved = 2 sin(φ/2) and
‖δ‖² = X² + Y² − 2XY cos φ are rational; what remains irrational is enclosed, each number at the end
that makes the statement harder.

The turn √(2−2√(1−ρ²)) is attained when δ ⟂ x+δ, that is Y = X cos φ, where ρ = sin φ:

>>> case = Turn(half=(Fraction(3, 5), Fraction(4, 5)), X=Fraction(1), Y=Fraction(7, 25))
>>> case.moved, case.step_square, case.cosine
(Fraction(6, 5), Fraction(576, 625), Fraction(7, 25))
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np
from flint import arb, ctx

from constructions.balls import balls, ends
from constructions.decoder import norms, rms_norm
from constructions.directions import random_rationals
from constructions.p0_pre_norm import BITS, ball
from theorems.arrays import Array
from theorems.evidence import Outcome, Run, check, evidence
from theorems.norm_stability import ANY_RATIO, EPSILON, EPSILON_ANY_RATIO, PLATEAU, ROTATION

ONE = Fraction(1)


def root_ends(square: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals on both sides of √``square``; the root itself twice where it is rational."""
    square = max(Fraction(0), square)
    p, q = isqrt(square.numerator), isqrt(square.denominator)
    if p * p == square.numerator and q * q == square.denominator:
        return Fraction(p, q), Fraction(p, q)
    with ctx.workprec(BITS):
        return ends(ball(square).sqrt())


@dataclass(frozen=True)
class Turn:
    """Lengths X, Y of x and x+δ, and (sin, cos) of half the angle between them, all rational."""

    half: tuple[Fraction, Fraction]
    X: Fraction
    Y: Fraction

    @property
    def moved(self) -> Fraction:
        """‖ŷ − x̂‖ = 2 sin(φ/2)."""
        return 2 * self.half[0]

    @property
    def cosine(self) -> Fraction:
        """cos φ."""
        return self.half[1] ** 2 - self.half[0] ** 2

    @property
    def step_square(self) -> Fraction:
        """‖δ‖²."""
        return self.X**2 + self.Y**2 - 2 * self.X * self.Y * self.cosine

    def rotation(self) -> dict[str, Fraction]:
        """The main statement's symbols: ρ from above, and the w that belongs to it from below."""
        rho = root_ends(self.step_square / self.X**2)[1]
        return {"rho": rho, "w": root_ends(1 - rho * rho)[0], "moved": self.moved}

    def any_ratio(self) -> dict[str, Fraction]:
        """The second statement's symbols, ‖δ‖ from below."""
        step = root_ends(self.step_square)[0]
        return {"moved": self.moved, "size": self.X, "size_after": self.Y, "step": step}


def half_angle(t: Fraction) -> tuple[Fraction, Fraction]:
    """(sin, cos) of an angle with tangent of its half t; t in [0, 1] covers half turns φ ≤ 180°."""
    return 2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)


def random_turns(rng: random.Random, count: int) -> Iterator[Turn]:
    """Small and large angles and ratios."""
    for _ in range(count):
        size = 4 ** rng.randint(0, 4)
        half = half_angle(Fraction(rng.randint(0, 60), 60 * size))
        yield Turn(half, ONE, Fraction(rng.randint(1, 90), rng.choice((30, 60, 90 * size))))


def worst_turns() -> Iterator[Turn]:
    """Those that attain the main statement: δ ⟂ x+δ, φ < 90°."""
    for t in range(1, 41):
        half = half_angle(Fraction(t, 100))
        cosine = half[1] ** 2 - half[0] ** 2
        if cosine > 0:
            yield Turn(half, Fraction(3), 3 * cosine)


@evidence("norm_stability", kind="exact")
def the_turn_holds_and_is_attained(run: Run) -> Outcome:
    """Random vectors obey the bound; δ ⟂ x+δ attains it; 1 % less is refuted, √2·ρ approached."""
    rng, holds, inside = random.Random(run.seed), True, 0
    for turn in random_turns(rng, run.scale(300, 1000, 10000)):
        known = turn.rotation()
        inside += ROTATION.applies(**known)
        holds = holds and ROTATION.holds(**known)
    attained = refuted = True
    count, nearest = 0, 0.0
    for turn in worst_turns():
        known = turn.rotation()
        equal = ROTATION.applies(**known) and known["moved"] ** 2 == 2 - 2 * known["w"]
        attained = attained and equal and ROTATION.holds(**known)
        more = known | {"moved": known["moved"] * Fraction(101, 100)}
        refuted = refuted and not ROTATION.holds(**more)
        nearest = max(nearest, float(known["moved"] ** 2 / (2 * known["rho"] ** 2)))
        count += 1
    return check(
        holds and attained and refuted and inside > 50,
        f"{inside} random turns within; {count} with δ ⟂ x+δ attain it, refuted at 1.01; "
        f"moved²/2ρ² up to {nearest:.3f}",
    )


@evidence("norm_stability", kind="exact", statement="norm_stability.any_ratio")
def any_ratio_holds_and_is_attained(run: Run) -> Outcome:
    """Random vectors of any ratio obey 2‖δ‖/(‖x‖+‖x+δ‖); equal lengths and reversals attain it."""
    rng, holds = random.Random(run.seed), True
    for turn in random_turns(rng, run.scale(300, 1000, 10000)):
        # Equal lengths attain it, and are below with ‖δ‖ exact.
        holds = holds and ANY_RATIO.holds(**turn.any_ratio())
    equal = [Turn(half_angle(Fraction(t, 10)), Fraction(2), Fraction(2)) for t in range(1, 11)]
    reversed_ = [Turn((ONE, 0 * ONE), ONE, Fraction(k, 3)) for k in (1, 2, 5)]
    attained = all(ANY_RATIO.excess(**turn.any_ratio()) == 0 for turn in (*equal, *reversed_))
    return check(holds and attained, "random turns within; 13 exact cases of equality")


def moved_by_rms_norm(x: Array, delta: Array, epsilon: Fraction) -> tuple[arb, arb, arb, arb]:
    """In balls: the distance moved, the two sizes √(‖·‖² + dε), and ‖δ‖."""
    norm, width = rms_norm(epsilon), len(x)
    before, after, step = balls(x), balls(x + delta), balls(delta)
    moved = norms(norm(after) - norm(before))
    sizes = [(norms(v) ** 2 + ball(width * epsilon)).sqrt() for v in (before, after)]
    return moved, sizes[0], sizes[1], norms(step)


@evidence("norm_stability", kind="certified", statement="norm_stability.epsilon")
def rms_norm_in_balls(run: Run) -> Outcome:
    """RMSNorm with ε on random vectors: the turn for ρ < 1, in balls of 128 bits."""
    return _rms(run, ratio_below_one=True)


@evidence("norm_stability", kind="certified", statement="norm_stability.epsilon_any_ratio")
def rms_norm_any_ratio_in_balls(run: Run) -> Outcome:
    """RMSNorm with ε on random vectors: the bound for every ratio, in balls of 128 bits."""
    return _rms(run, ratio_below_one=False)


def _rms(run: Run, ratio_below_one: bool) -> Outcome:
    rng, holds, applied, nearest = random.Random(run.seed), True, 0, 0.0
    for _ in range(run.scale(200, 600, 5000)):
        width = rng.randint(2, 6)
        x = random_rationals(rng, (width,)) + Fraction(1, 11)
        delta = random_rationals(rng, (width,)) * Fraction(1, rng.choice((1, 5, 100))) + Fraction(
            1, 97
        )
        epsilon = rng.choice((Fraction(0), Fraction(1, 10**5), ONE))
        with ctx.workprec(BITS):
            moved, size, after, step = moved_by_rms_norm(x, delta, epsilon)
            rho = ends(step / size)[1]
            most = ends(moved)[1]
            if ratio_below_one:
                w = root_ends(1 - rho * rho)[0]
                known = {"d": Fraction(width), "rho": rho, "w": w, "moved": most}
                statement, bound = EPSILON, (width * (2 - 2 * ball(w))).sqrt()
            else:
                low = {"size": ends(size)[0], "size_after": ends(after)[0], "step": ends(step)[0]}
                known = low | {"moved": most, "root_d": root_ends(Fraction(width))[0]}
                statement, bound = EPSILON_ANY_RATIO, 2 * arb(width).sqrt() * step / (size + after)
            applies = statement.applies(**known)
            applied += applies
            holds = holds and statement.holds(**known)
            if applies:
                nearest = max(nearest, float(moved / bound))
    return check(holds and applied > 50, f"{applied} pairs, {nearest:.4f} of the bound reached")


@evidence("norm_stability", kind="certified", statement="norm_stability.plateau")
def plateau_in_balls(run: Run) -> Outcome:
    """A spike of G = 10..3000 under B blocks that write at most C: moved ≤ √2·BC/size."""
    rng, holds, nearest, count = random.Random(run.seed), True, 0.0, 0
    for G in (Fraction(10), Fraction(100), Fraction(3000)):
        for blocks in (1, 5, 24):
            for _ in range(run.scale(5, 20, 200)):
                x = random_rationals(rng, (6,))
                x[0] = G
                writes = random_rationals(rng, (blocks, 6), 3)
                with ctx.workprec(BITS):
                    C = max(ends(n)[1] for n in norms(balls(writes)))
                    sizes = norms(balls(np.array([x, x + writes.sum(axis=0)])))
                    before, after = (
                        balls(v) / s
                        for v, s in zip((x, x + writes.sum(axis=0)), sizes, strict=True)
                    )
                    moved, size = ends(norms(after - before))[1], ends(sizes[0])[0]
                known = {"B": Fraction(blocks), "C": C, "size": size, "moved": moved}
                if PLATEAU.applies(**known):
                    holds, count = holds and PLATEAU.holds(**known), count + 1
                    nearest = max(nearest, float(moved * size / (blocks * C)))
    return check(
        holds and count > 20, f"{count} plateaus, moved·size/(BC) up to {nearest:.3f} < √2"
    )
