"""Statements on spikes and sinks that say a little too much, too little or something else.

As in ``kernel_position_zero_cases``: the gate must refuse each changed pin.  The variants that Coq
itself refutes are in ``SpikeNegatives.v``.
"""

from __future__ import annotations

import sympy as sp

from tests.negatives.kernel_position_zero_cases import (
    LESS,
    MORE,
    Case,
    hypothesis,
    larger_side,
    shifted,
    symbol,
)

CASES = (
    Case("logit_gap", "m times 0.9", symbol("m", lambda s: LESS * s)),
    Case("logit_gap_converse", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("logit_gap_strict", "x E up to 1.1", hypothesis(3, shifted(sp.Rational(1, 10)))),
    Case("sink_is_gate", "S times 1.1", symbol("S", lambda s: MORE * s)),
    Case("sink_half", "two keys or more", hypothesis(0, shifted(sp.Integer(1)))),
    Case("swiglu_active_set", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("rank_one_bound", "nine tenths of it", larger_side(lambda r: LESS * r)),
    Case("norm_sparsifies", "Q times 1.1", symbol("Q", lambda s: MORE * s)),
    Case("norm_sparsifies_sparse", "d times 1.1", symbol("d", lambda s: MORE * s)),
    Case("sandwich_bound", "gamma times 0.9", symbol("gamma", lambda s: LESS * s)),
    Case("sandwich_blocks", "d two or more", hypothesis(1, shifted(sp.Integer(1)))),
    Case("head_dimension", "E times 1.1", symbol("E", lambda s: MORE * s)),
    Case("head_dimension_needed", "T from 0.1", hypothesis(2, shifted(sp.Rational(1, 10)))),
    Case("silence_by_averaging", "sigma times 1.1", symbol("sigma", lambda s: MORE * s)),
    Case("silence_needed", "eta times 0.9", symbol("eta", lambda s: LESS * s)),
    Case("spike_gauge", "c times 1.1", symbol("c", lambda s: MORE * s)),
    Case("spike_gauge_direction", "rho times 0.9", symbol("rho", lambda s: LESS * s)),
    Case("spike_chain_direction", "Q times 1.1", symbol("Q", lambda s: MORE * s)),
    Case("spike_chain_gap", "f from 0.1", hypothesis(6, shifted(sp.Rational(1, 10)))),
    Case("spike_chain_network", "E times 1.1", symbol("E", lambda s: MORE * s)),
    Case("spikes_without_sinks", "spike times 1.1", symbol("spike", lambda s: MORE * s)),
)
