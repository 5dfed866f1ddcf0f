"""Search for an attention row that breaks a statement on gaps, gates or averages."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from constructions.averaged_silence import power
from constructions.one_row import weighted_row
from constructions.sink_gate import with_sink
from empirics.search.drawn import Drawn, fractions, survives
from empirics.search.report import NEAR
from theorems.arrays import exact
from theorems.evidence import Outcome, Run, evidence
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT, E, G, alpha, m
from theorems.silence_by_averaging import SILENCE, UNEVEN, V, sigma
from theorems.silence_by_averaging import alpha as sink
from theorems.sink_is_gate import GATE, HALF, S, o, u, w

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


SIZES = fractions(Fraction(1, 9), 9)
OTHER_GATE = replace(
    GATE, name="sink_is_gate, the sink's own share (planted)", conclusion=sp.Eq(o, w / (S + w) * u)
)
EARLIER = replace(
    HALF,
    name="sink_is_gate.half, half at m = e^Δ (planted)",
    conclusion=sp.Eq((2 * alpha - 1) * (E + m - 1), E - m),
)
WHATEVER_KEYS = replace(
    SILENCE,
    name="silence_by_averaging, whatever the number of keys (planted)",
    conclusion=sigma**2 * (1 - sink) ** 2 <= V,
)


@st.composite
def gated_heads(draw: st.DrawFn) -> Drawn:
    """One entry of a head with a zero-value sink, and of the head without it."""
    weights = exact(draw(st.lists(SIZES, min_size=1, max_size=6)))
    sink_weight = draw(SIZES)
    values = exact([[draw(fractions(-9, 9))] for _ in weights])
    out = with_sink(sink_weight, weights, values)[0]
    inner = (weighted_row(weights) @ values)[0]
    return Drawn({"o": out, "u": inner, "S": weights.sum(), "w": sink_weight})


@st.composite
def half_open(draw: st.DrawFn) -> Drawn:
    """The sink's mass over m keys that are all ln E below it."""
    keys, E = draw(st.integers(1, 30)), draw(SIZES)
    return Drawn({"m": keys, "E": E, "alpha": weighted_row(exact([E, *[1] * (keys - 1)]))[0]})


@st.composite
def averages(draw: st.DrawFn) -> Drawn:
    """A simplex row over a sink and up to six keys, and the power of its output over all signs."""
    weights = exact(
        [
            draw(SIZES | st.just(Fraction(0))),
            *draw(st.lists(SIZES | st.just(Fraction(1)), min_size=2, max_size=6)),
        ]
    )
    row, size = weighted_row(weights), draw(fractions(0, 4))
    at = {"m": len(row) - 1, "alpha": row[0], "sigma": size, "V": power(row[1:], size)}
    return Drawn({**at, "x": max(row[1:])}, {"row": row})


@evidence("sink_is_gate", kind="searched")
def no_head_that_differs_from_its_gate(run: Run) -> Outcome:
    """No head with a zero-value sink differs from the gated head; another gate does."""
    return survives(run, GATE, gated_heads(), OTHER_GATE)


@evidence("sink_is_gate", kind="searched", statement="sink_is_gate.half")
def no_other_half(run: Run) -> Outcome:
    """No sink passes ½ elsewhere than at m = 1 + e^Δ."""
    return survives(run, HALF, half_open(), EARLIER)


@evidence("silence_by_averaging", kind="searched")
def no_row_more_silent(run: Run) -> Outcome:
    """No row over independent signs is more silent than its bound; false bounds fall."""
    return survives(run, SILENCE, averages(), WHATEVER_KEYS, reach=NEAR, tries=(60, 80, 2000))


@evidence("silence_by_averaging", kind="searched", statement="silence_by_averaging.uneven")
def no_uneven_row_more_silent(run: Run) -> Outcome:
    """No row with an uneven weight is more silent than its bound; 1.3 times the bound falls."""
    return survives(run, UNEVEN, averages(), reach=NEAR, tries=(60, 80, 2000))
