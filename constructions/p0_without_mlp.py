"""A sink on position zero without MLP and without a spike: pre-norm alone makes it.

``theorems.p0_circuit`` and ``theorems.nonlinearity_needed``.  Two blocks of attention only, RMSNorm
with ε = 0 before each, d = V one-hot tokens, no BOS, no positions.  Block 1 averages and undoes the
norm of a one-hot token, so h_i = e(x_i) + shares.  Mixing makes a state shorter:

    ‖h_0‖² = 4,      ‖h_i‖² ≤ 4 − 4/i + 2/i² off constant prefixes,

and u = Σy/2 = √d/‖h‖, half the sum of the *normalised* coordinates, is smallest at position zero.
Block 2 has logits −g·u_i u_k, so it prefers position zero:

    mass ≥ 1/(1 + (i−1) e^{−gd(2i−1)/(16i²)}),      max |h| = 2.

The norm is the only nonlinearity here, and without any such a network cannot exist.

>>> from theorems.attention import picture
>>> network = without_mlp(3, E=Fraction(10**40))
>>> print(picture(network.run([0, 1, 1, 0], balls).rows[1][0]))
1.00     .     .     .
1.00  0.00     .     .
1.00  0.00  0.00     .
1.00  0.00  0.00  0.00
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from constructions.balls import balls, ends, largest, smallest
from constructions.decoder import (
    Block,
    Decoder,
    Stream,
    every_sequence,
    identity,
    rms_norm,
    softmax_rows,
)
from constructions.enumeration import as_fraction
from constructions.networks import Head
from constructions.p0_circuit import Circuit, constant_prefixes, names
from constructions.p0_pre_norm import BITS, ball, root
from theorems.evidence import Outcome, Run, check, evidence
from theorems.nonlinearity_needed import NORM
from theorems.p0_circuit import NO_MLP

A, B, C = 0, 1, 2
FIRST, SECOND = (A, B, B, A, C), (B, A, A, B, C)
"""The two sequences on which no network without a nonlinearity prefers position zero."""


def without_mlp(V: int, E: Fraction, *, norm: bool = True) -> Circuit:
    """The network for V tokens, E = e^g; without ``norm`` both RMSNorms are left out."""
    tokens = names(V)
    stream = Stream(tokens)
    undo = root(V, 1, Fraction(0)) if norm else Fraction(1)
    average = Head(softmax_rows(stream.matrix({})), stream.matrix({(t, t): undo for t in tokens}))
    product = stream.matrix({(t, u): Fraction(-1, 4) for t in tokens for u in tokens})
    prefer = Head(softmax_rows(product, E), stream.matrix({}))
    pre = rms_norm() if norm else identity
    return Circuit(stream, Decoder((Block((average,), pre=pre), Block((prefer,), pre=pre))), 0)


def strength(E: Fraction, V: int, i: int) -> arb:
    """X = e^{gd(2i−1)/(16i²)} with d = V, E = e^g."""
    return (ball(E).log() * ball(Fraction(V * (2 * i - 1), 16 * i * i))).exp()


def largest_coordinate(V: int, length: int) -> Fraction:
    """max |h| over all states of all sequences, exactly: the states do not depend on the norm."""
    trace = without_mlp(V, Fraction(1), norm=False).run(every_sequence(V, length))
    return max(as_fraction(abs(state).max()) for state in trace.states)


@evidence("p0_circuit", kind="certified", statement="p0_circuit.no_mlp")
def norm_alone_in_balls(run: Run) -> Outcome:
    """Attention and RMSNorm only: the mass bound on all sequences over 2 and 3 tokens."""
    faults, sequences, most = [], 0, 0.0
    with ctx.workprec(BITS):
        for V, length in ((2, run.scale(7, 9)), (3, run.scale(6, 7))):
            top = largest_coordinate(V, length)
            for E in (Fraction(3), Fraction(10**30)):
                network, ids = without_mlp(V, E), every_sequence(V, length)
                trace, same = network.run(ids, balls), constant_prefixes(ids)
                sequences += len(ids)
                if not all(largest(abs(state)).overlaps(ball(top)) for state in trace.states[1:]):
                    faults.append(f"V = {V}: the states are not those without norm")
                weights = trace.rows[1][0][~same[:, 1], :, 0]
                for i in range(2, length + 1):
                    mass, X = smallest(weights[:, i - 1]), strength(E, V, i)
                    known = {"i": i, "alpha": ends(mass)[0], "X": ends(X)[1], "top": top}
                    if not NO_MLP.holds(**known):
                        faults.append(f"V = {V}, E = {E}, i = {i}: mass {mass}")
                    most = max(most, float((1 - mass) * (i - 1 + X) / (i - 1)))
    figure = "; ".join(faults[:3]) or (
        f"{sequences} sequences: the mass missed is at most {most:.3f} of what the bound allows; "
        f"no coordinate over {top}"
    )
    return check(not faults, figure, sequences=sequences)


def preference(ids: tuple[int, ...]) -> arb:
    """u_5(u_4 − u_1), the score by which the fifth position prefers position zero to the fourth."""
    network = without_mlp(3, Fraction(1))
    y = rms_norm()(network.run(np.array(ids), balls).states[1])
    u = y.sum(axis=-1) / 2
    return u[4] * (u[3] - u[0])


@evidence(
    "nonlinearity_needed",
    kind="certified",
    statement="nonlinearity_needed.rms_norm",
    settles=True,
)
def norm_repairs_it(run: Run) -> Outcome:
    """On both sequences position zero's score is higher than position four's, so for every g."""
    holds, leads = True, []
    with ctx.workprec(BITS):
        scores = [preference(ids) for ids in (FIRST, SECOND)]
        for g in (Fraction(1, 100), Fraction(1), Fraction(50)):
            known = {"g": g}
            for name, score in zip("pq", scores, strict=True):
                # The weights of the two keys in the proportion of their exponentials.
                low = ends((ball(g) * score).exp())[0]
                known |= {f"{name}_1": low / (1 + low), f"{name}_4": 1 / (1 + low)}
            holds = holds and NORM.holds(**known)
        for E in (Fraction(3), Fraction(10**30)):
            rows = without_mlp(3, E).run(np.array([FIRST, SECOND]), balls).rows[1][0][:, 4]
            gap = smallest(rows[:, 0] - rows[:, 3])
            holds = holds and bool(gap > 0)
            leads.append(f"{float(gap):.3g}")
        holds = holds and all(score > 0 for score in scores)
    return check(
        bool(holds),
        f"scores ahead by {', '.join(f'{float(s):.4f}g' for s in scores)}; "
        f"α_51 − α_54 = {', '.join(leads)} at e^g = 3, 10³⁰",
    )
