"""One sympy object gives text, LaTeX and an exact predicate, and floats cannot slip in."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

from theorems import claims
from theorems.expressions import interpret
from theorems.one_layer_sink import SHARP, softmax_before_bound, softmax_before_curve
from theorems.plain_text import plain
from theorems.statement import Statement

ALL = [s for c in claims.everything() for s in c.statements]


@pytest.mark.parametrize("statement", ALL, ids=lambda s: s.name)
def test_text_latex_and_words_are_complete(statement: Statement) -> None:
    assert statement.title
    assert statement.setting
    assert statement.paper
    assert statement.ours
    assert statement.proof_idea
    assert "then" in statement.text()
    assert r"\Rightarrow" in statement.latex()


def test_text_reads_as_written() -> None:
    assert "If    L ≥ 4,  η ≥ 0,  α ≥ 0,  α ≤ 1,  η < κ" in SHARP.text()
    assert "then  (1 − α)·(κ − η) ≤ η" in SHARP.text()
    assert "where κ = (L − 3)/(4·L − 4)" in SHARP.text()


def test_the_predicate_is_exact_at_the_edge() -> None:
    eta, L = Fraction(1, 100), 16
    kappa = Fraction(13, 60)
    edge = 1 - eta / (kappa - eta)
    assert SHARP.holds(L=L, alpha=edge, eta=eta)
    assert SHARP.excess(L=L, alpha=edge, eta=eta) == 0
    assert not SHARP.holds(L=L, alpha=edge - Fraction(1, 10**30), eta=eta)


def test_a_statement_that_does_not_apply_holds() -> None:
    assert not SHARP.applies(L=16, alpha=Fraction(0), eta=Fraction(1, 2))
    assert SHARP.holds(L=16, alpha=Fraction(0), eta=Fraction(1, 2))
    assert not SHARP.holds(L=16, alpha=Fraction(0), eta=Fraction(0))


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="alpha given as float"):
        SHARP.holds(L=16, alpha=0.5, eta=Fraction(0))


def test_a_missing_value_is_named() -> None:
    with pytest.raises(KeyError, match="no value given for alpha"):
        SHARP.holds(L=16, eta=Fraction(0))


def test_an_unexplained_symbol_is_refused() -> None:
    x = sp.Symbol("x")
    with pytest.raises(ValueError, match=r"\['x'\] not explained"):
        Statement("s", "t", "u", {}, (), x <= 1)


def test_tensors_give_the_same_excess() -> None:
    alpha = torch.tensor([0.5, 0.9], dtype=torch.float64)
    got = SHARP.excess(L=16, alpha=alpha, eta=0.01)
    want = [SHARP.excess(L=16, alpha=Fraction(a), eta=Fraction(1, 100)) for a in ("1/2", "9/10")]
    assert np.allclose(got.numpy(), [float(w) for w in want], atol=1e-15)


@given(st.integers(4, 12), st.fractions(0, 1, max_denominator=50))
def test_the_exact_curve_is_below_both_bounds(length: int, share: Fraction) -> None:
    error = share * Fraction(length - 3, 4 * (length - 1))
    if error > 0:
        assert softmax_before_curve(length, error) <= softmax_before_bound(length, error)


def test_the_exact_curve_has_the_known_values() -> None:
    at = {("4", "1/100"): "2.459", ("4", "3/50"): "2.804", ("16", "1/100"): "2.026"}
    for (length, error), ratio in at.items():
        found = softmax_before_curve(int(length), Fraction(error)) / Fraction(error)
        assert f"{float(found):.3f}" == ratio


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (sp.Symbol("kappa") - sp.Symbol("eta"), "κ − η"),
        (1 - sp.Symbol("alpha"), "1 − α"),
        (sp.Eq(sp.Symbol("y_o"), 0), "y_o = 0"),
        (sp.Symbol("x") - (sp.Symbol("y") + 1) * 2, "x − 2·y − 2"),
        (-sp.Symbol("x"), "-x"),
    ],
)
def test_plain_text(expression: sp.Basic, text: str) -> None:
    assert plain(expression) == text


def test_interpret_refuses_what_it_does_not_know() -> None:
    with pytest.raises(TypeError, match="sin"):
        interpret(sp.sin(sp.Symbol("x")), {"x": Fraction(1)})
    with pytest.raises(ValueError, match="not a whole number"):
        interpret(sp.sqrt(sp.Symbol("x")), {"x": Fraction(1)})
