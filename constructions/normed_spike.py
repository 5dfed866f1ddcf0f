"""A spike through RMSNorm: how near to a constant, exactly, on both sides.

``theorems.norm_sparsifies`` (after Sun et al. 2026, arXiv 2603.05498).  The state

    h = cos φ·u + sin φ·v,   u, v unit and perpendicular,   cos φ = (1−t²)/(1+t²) rational,

has length 1, so RMSNorm(h) = √d·h and everything is rational.  Its distance to √d·u is squared
Q = 2d(1−c), c = cos φ, between d(1−c²) and d(1−c²)/c²: the two bounds are (1+c)/2 and (1+c)/(2c²)
times the truth.  A larger spike means a smaller t, and both tend to 1.

>>> state = spike(width=4, t=Fraction(1, 3))
>>> print(state, float(distance(state)))
[Fraction(4, 5) Fraction(3, 5) Fraction(0, 1) Fraction(0, 1)] 1.6
"""

from __future__ import annotations

import random
from fractions import Fraction

from flint import arb

from constructions.ball_statements import surely, surely_broken
from constructions.balls import balls
from constructions.decoder import rms_norm
from constructions.directions import random_rationals
from constructions.pushed import gap, pushed, sharp
from theorems.arrays import Array, exact
from theorems.evidence import Outcome, Run, check, evidence
from theorems.norm_sparsifies import BOUNDED, FAR, KEYS, NEAR, SPARSE

SHARES = tuple(Fraction(1, 2**k) for k in range(1, 13))
"""t = tan(φ/2): from a spike of 3/4 times the rest to one of 2048 times."""


def spike(width: int, t: Fraction, M: Fraction = Fraction(1)) -> Array:
    """The state of length M at the angle φ from the first coordinate, t = tan(φ/2)."""
    c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    return M * exact([c, s, *[0] * (width - 2)])


def distance(state: Array) -> Fraction:
    """‖RMSNorm(h) − √d·e₀‖² of a state of length 1."""
    first = exact([1, *[0] * (len(state) - 1)])
    return len(state) * ((state - first) @ (state - first))


def _figures(width: int, t: Fraction) -> dict[str, Fraction | int]:
    state = spike(width, t)
    rest = state[1] ** 2
    return {"d": width, "a": state[0], "rho": rest, "epsilon": Fraction(0), "Q": distance(state)}


@evidence("norm_sparsifies", kind="exact")
def the_upper_bound_is_approached(run: Run) -> Outcome:
    """The upper bound holds with the stated gap 2c²/(1+c), and 1.01 times tighter it fails."""
    holds, failed, least = True, 0, Fraction(0)
    for width in (2, 16, 4096):
        for t in SHARES:
            at = _figures(width, t)
            c = at["a"]
            holds = holds and NEAR.holds(**at) and gap(NEAR, **at) == 2 * c**2 / (1 + c)
            failed += not pushed(NEAR).holds(**at)
            least = max(least, gap(NEAR, **at))
    figure = (
        f"{float(least):.7f} of the bound at t = 1/4096; 1.01 times tighter fails {failed} times"
    )
    return check(holds and failed > 0 and least > Fraction(999999, 10**6), figure)


@evidence("norm_sparsifies", kind="exact", statement="norm_sparsifies.converse")
def the_lower_bound_is_approached(run: Run) -> Outcome:
    """The lower bound holds with the stated gap (1+c)/2, and 1.01 times tighter it fails."""
    holds, failed = True, 0
    for width in (2, 16, 4096):
        for t in SHARES:
            at = _figures(width, t)
            holds = holds and FAR.holds(**at) and gap(FAR, **at) == (1 + at["a"]) / 2
            failed += not pushed(FAR).holds(**at)
    return check(holds and failed > 0, f"(1+c)/2 of the truth; 1.01 times fails {failed} times")


@evidence("norm_sparsifies", kind="exact", statement="norm_sparsifies.sparse")
def entries_off_the_spike_are_small(run: Run) -> Outcome:
    """Off the spike an entry is c times its bound, and 1.05 times tighter the bound fails."""
    holds, failed = True, 0
    for width in (2, 16, 4096):
        for t in SHARES:
            at = _figures(width, t)
            entry = {**at, "Y": width * at["rho"], "t": spike(width, t)[1]}
            holds = holds and SPARSE.holds(**entry) and gap(SPARSE, **entry) == at["a"] ** 2
            failed += not pushed(SPARSE, "21/20").holds(**entry)
    return check(holds and failed > 0, f"c² of the squared bound; tighter it fails {failed} times")


@evidence("norm_sparsifies", kind="exact", statement="norm_sparsifies.bounded")
def one_coordinate_attains_the_root_of_d(run: Run) -> Outcome:
    """A state with one coordinate has the normalised entry √d; 1.01 times tighter is refuted."""
    return check(all(sharp(BOUNDED, d=d, Y=d) for d in (1, 16, 4096)), "equality at three widths")


@evidence("norm_sparsifies", kind="exact", statement="norm_sparsifies.keys")
def a_key_map_of_one_row_attains_its_share(run: Run) -> Outcome:
    """W_K that reads exactly the direction of the difference keeps all of the distance."""
    holds = True
    for t in SHARES:
        at = _figures(2, t)
        state = spike(2, t)
        difference = state - exact([1, 0])
        # W_K = w·(difference)ᵀ/‖difference‖ has spectral norm w and maps it to w·‖difference‖.
        w = Fraction(3)
        K = w**2 * 2 * (difference @ difference)
        values = {**at, "K": K, "w": w}
        holds = holds and KEYS.holds(**values) and gap(KEYS, **values) == gap(NEAR, **at)
    return check(holds, "the gap of a key is the gap of the state, 2c²/(1+c)")


@evidence("norm_sparsifies", kind="certified")
def random_states_with_epsilon(run: Run) -> Outcome:
    """Random states under RMSNorm with ε in balls: both bounds surely hold; without ε one fails."""
    rng, holds, count, without = random.Random(run.seed), True, run.scale(60, 400), 0
    for _ in range(count):
        width = rng.randint(2, 6)
        h = random_rationals(rng, (width,))
        h[0] = Fraction(rng.randint(1, 900))
        epsilon = Fraction(rng.randint(1, 50), 7)
        y = rms_norm(epsilon)(balls(h))
        y[0] = y[0] - arb(width).sqrt()
        rho = h[1:] @ h[1:]
        at = {"d": width, "a": h[0], "rho": rho, "epsilon": epsilon, "Q": (y * y).sum()}
        holds = holds and surely(NEAR, **at) and surely(FAR, **at)
        entries = [
            surely(SPARSE, **at | {"Y": y[k] ** 2, "t": h[k]}) or h[k] == 0 for k in range(1, width)
        ]
        holds = holds and all(entries)
        without += surely_broken(NEAR, **at | {"epsilon": 0})
    figure = f"{count} states surely within both bounds; with ε left out {without} break the upper"
    return check(holds and without > 0, figure)
