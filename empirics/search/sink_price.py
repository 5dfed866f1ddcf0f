"""Search for a layer that keeps mass off BOS for less error than the price says."""

from __future__ import annotations

from empirics.search.one_layer_models import FALSE_SIMPLEX
from empirics.search.one_layer_sink import simplex
from empirics.search.report import NEAR, outcome
from theorems.evidence import Outcome, Run, evidence
from theorems.sink_price import STATEMENT


@evidence("sink_price", kind="searched")
def no_layer_below_the_price(run: Run) -> Outcome:
    """No simplex layer keeps ε off BOS with error below εκ/(1+ε); with κ 30 % larger one does."""
    return outcome(simplex(run), STATEMENT.name, (FALSE_SIMPLEX[2].name,), reach=NEAR)
