"""Statements on spikes and sinks as Hypothesis tests that follow the loaded profile.

``pytest -m search --hypothesis-profile=explore`` runs these for long; a failure is a counterexample
in exact figures.
"""

from __future__ import annotations

import pytest
from hypothesis import currently_in_test_context, given, note, target
from hypothesis import strategies as st

from empirics.search import attention_mass as mass
from empirics.search import decoupling as apart
from empirics.search import head_sizes as heads
from empirics.search import spike_norms as norms
from empirics.search import spike_states as states
from empirics.search.drawn import Drawn, judged
from empirics.search.judge import tightened
from theorems import spike_chain
from theorems.head_dimension import CEILING, LOGIT
from theorems.head_norm_tradeoff import ENTRYWISE, SQUARES
from theorems.logit_gap import CONVERSE, LOGIT_GAP, STRICT
from theorems.norm_sparsifies import FAR, NEAR, SPARSE
from theorems.quadratic_amplifier import PAIR, QUADRATIC, RANK_ONE
from theorems.rope_budget import BUDGET, DIRICHLET
from theorems.sandwich_bound import SANDWICH
from theorems.silence_by_averaging import SILENCE, UNEVEN
from theorems.sink_is_gate import GATE, HALF
from theorems.spike_gauge import GAUGE, LIPSCHITZ
from theorems.statement import Statement

pytestmark = pytest.mark.search

PAIRS = (
    (QUADRATIC, states.units()),
    (PAIR, states.pairs()),
    (RANK_ONE, states.forms()),
    (NEAR, norms.normed_states()),
    (FAR, norms.normed_states()),
    (SPARSE, norms.normed_states()),
    (LOGIT_GAP, mass.rows_with_a_gap()),
    (STRICT, mass.rows_with_a_gap()),
    (CONVERSE, mass.rows_with_a_mean()),
    (spike_chain.DIRECTION, norms.tilted_spikes()),
    (spike_chain.GAP, norms.spiked_heads()),
    (spike_chain.NETWORK, apart.loud_prompts()),
    (SANDWICH, norms.stacks()),
    (CEILING, heads.bounded_rows()),
    (LOGIT, heads.rotated_heads()),
    (GAUGE, norms.gauged()),
    (LIPSCHITZ, norms.two_spikes()),
    (GATE, mass.gated_heads()),
    (HALF, mass.half_open()),
    (SILENCE, mass.averages()),
    (UNEVEN, mass.averages()),
    (BUDGET, heads.rotary_heads()),
    (DIRICHLET, heads.rotations()),
    (ENTRYWISE, heads.weighted_heads()),
    (SQUARES, heads.weighted_heads()),
)


def holds(statement: Statement, drawn: Drawn) -> None:
    verdict = judged(statement)(drawn)[statement.name]
    if currently_in_test_context():
        if verdict.applies and verdict.ratio is not None:
            target(float(verdict.ratio))
        if not verdict.holds:
            note(f"refuted at {dict(verdict.figures)}: {drawn.figures()}")
    assert verdict.holds


@pytest.mark.parametrize(("statement", "examples"), PAIRS, ids=lambda x: getattr(x, "name", ""))
def test_no_example_breaks_it(statement: Statement, examples: st.SearchStrategy[Drawn]) -> None:
    @given(examples)
    def property_(drawn: Drawn) -> None:
        holds(statement, drawn)

    property_()


@given(apart.quiet_sequences())
def test_no_sequence_lacks_its_quiet_sink(example: apart.Quiet) -> None:
    panel = apart.judge(example)
    assert all(v.holds for v in panel.values() if not v.planted)


def test_a_false_statement_would_fail() -> None:
    row = Drawn({"m": 2, "E": 1, "alpha": mass.Fraction(1, 2)})
    holds(LOGIT_GAP, row)
    with pytest.raises(AssertionError):
        holds(tightened(LOGIT_GAP), row)
