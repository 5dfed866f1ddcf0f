"""Search for a state, block or form that breaks a statement on how spikes rise and are normalised.

Everything is rational: gates are given by e^a, norms by points with rational length.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.report import NEAR
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, evidence
from theorems.quadratic_amplifier import PAIR, QUADRATIC, RANK_ONE, N, lambda_1, t

SMALL = fractions(-6, 6)
BOTH_SIGNS = replace(
    RANK_ONE,
    name="quadratic_amplifier.rank_one, the leading term as a bound (planted)",
    conclusion=RANK_ONE.conclusion.lts <= lambda_1 * t**2,
)
UNNORMALISED = replace(
    RANK_ONE,
    name="quadratic_amplifier.rank_one, without the second eigenvalue (planted)",
    conclusion=RANK_ONE.conclusion.lts <= (N - t**2),
)


@st.composite
def units(draw: st.DrawFn) -> Drawn:
    """SwiGLU units with gates a, E = e^a taken as any rational on the right side of 1."""
    out = form = R = Fraction(0)
    drawn = draw(st.lists(st.tuples(SMALL, SMALL, fractions(1, 9)), min_size=1, max_size=4))
    for weight, gate, size in drawn:
        E = size if gate >= 0 else 1 / size
        out += weight * gate * E / (1 + E)
        form += weight * max(gate, Fraction(0))
        R += abs(weight) * abs(gate) / (1 + size)
    return Drawn({"out": out, "form": form, "R": R}, {"units": drawn})


@st.composite
def pairs(draw: st.DrawFn) -> Drawn:
    """A pair of gates ±s as written, E = e^t taken as any positive rational."""
    size, t, E = draw(SMALL), draw(SMALL), draw(fractions(Fraction(1, 9), 9))
    written = size * t * t * E / (1 + E) - size * t * (-t) / (1 + E)
    return Drawn({"out": written, "lambda_1": size, "t": t, "E": E})


@st.composite
def forms(draw: st.DrawFn) -> Drawn:
    """A diagonal form of rank three and a vector; its eigenvectors may be turned at will."""
    values = sorted(draw(st.tuples(SMALL, SMALL, SMALL)), key=abs, reverse=True)
    h = exact(draw(st.tuples(SMALL, SMALL, SMALL)))
    figures: dict[str, Any] = {
        "form": h @ np.diag(exact(values)) @ h,
        "lambda_1": values[0],
        "lambda_2": values[1],
        "t": h[0],
        "N": h @ h,
    }
    return Drawn(figures, {"eigenvalues": values, "h": h})


@evidence("quadratic_amplifier", kind="searched")
def no_block_further_from_its_form(run: Run) -> Outcome:
    """No SwiGLU units are further from their active form than R; R over 1.3 is broken."""
    return survives(run, QUADRATIC, units(), reach=NEAR)


@evidence("quadratic_amplifier", kind="searched", statement="quadratic_amplifier.pair")
def no_pair_that_errs(run: Run) -> Outcome:
    """No pair of gates differs from λt²; a pair taken as λ|t| does."""
    linear = replace(
        PAIR,
        name="quadratic_amplifier.pair, linear (planted)",
        conclusion=PAIR.conclusion.subs(t**2, abs(t)),
    )
    return survives(run, PAIR, pairs(), linear)


@evidence("quadratic_amplifier", kind="searched", statement="quadratic_amplifier.rank_one")
def no_form_further_from_rank_one(run: Run) -> Outcome:
    """No form is further from its leading term than the second eigenvalue allows."""
    return survives(run, RANK_ONE, forms(), BOTH_SIGNS, UNNORMALISED, reach=NEAR)
