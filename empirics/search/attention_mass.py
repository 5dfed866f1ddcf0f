"""Search for a softmax row whose mass breaks a statement on logit gaps."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from constructions.one_row import weighted_row
from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.report import NEAR
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, evidence
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT, E, G, alpha, m

FEWER_KEYS = replace(
    LOGIT_GAP, name="logit_gap, one key fewer (planted)", conclusion=1 / (1 + (m - 2) / E) <= alpha
)
ALL_KEYS = replace(
    CONVERSE, name="logit_gap.converse, m keys (planted)", conclusion=alpha <= 1 / (1 + m / G)
)
NOT_STRICT = replace(
    STRICT,
    name="logit_gap.strict, at the gap itself (planted)",
    hypotheses=(*STRICT.hypotheses[:-1], STRICT.hypotheses[-1].lts <= 1),
)
WEIGHTS = fractions(Fraction(1, 12), 1) | st.just(Fraction(1))


@st.composite
def rows_with_a_gap(draw: st.DrawFn) -> Drawn:
    """A row of up to 12 keys, none of which is nearer to the sink than the gap."""
    E = draw(fractions(Fraction(1, 4), 40))
    others = draw(st.lists(WEIGHTS, min_size=1, max_size=11))
    row = weighted_row(exact([E, *others]))
    lowest = min(others) / E
    return Drawn({"m": len(row), "E": E, "alpha": row[0], "x": lowest}, {"row": row})


@st.composite
def rows_with_a_mean(draw: st.DrawFn) -> Drawn:
    """A row whose other weights are powers of 2 with exponents of mean zero."""
    G = draw(fractions(Fraction(1, 4), 40))
    exponents = draw(st.lists(st.integers(-3, 3), max_size=10))
    others = [Fraction(2) ** e for e in (*exponents, -sum(exponents))]
    row = weighted_row(exact([G, *others]))
    return Drawn({"m": len(row), "G": G, "alpha": row[0]}, {"row": row})


@evidence("logit_gap", kind="searched")
def no_row_with_less_mass_than_its_gap(run: Run) -> Outcome:
    """No row with a gap has less than 1/(1 + (m−1)e^(−Δ)) on the sink; false bounds fall."""
    return survives(run, LOGIT_GAP, rows_with_a_gap(), FEWER_KEYS, reach=NEAR)


@evidence("logit_gap", kind="searched", statement="logit_gap.strict")
def no_uneven_row_attains_it(run: Run) -> Outcome:
    """No row with one key further below attains the bound; with none it is attained."""
    return survives(run, STRICT, rows_with_a_gap(), NOT_STRICT, share=0.3)


@evidence("logit_gap", kind="searched", statement="logit_gap.converse")
def no_row_with_more_mass_than_its_mean_gap(run: Run) -> Outcome:
    """No row has more mass than its gap over the mean of the others allows; false bounds fall."""
    return survives(run, CONVERSE, rows_with_a_mean(), ALL_KEYS, reach=NEAR)
