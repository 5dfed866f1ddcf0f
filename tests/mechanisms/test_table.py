"""The mechanism table: complete, consistent, and its check can fail; a mechanism of one's own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from constructions.directions import identity_off_bos, matrix
from constructions.divided_scores import AVERAGED
from empirics.mechanisms.own import Own, honest, own_row
from empirics.mechanisms.table import ROWS, Necessary, as_objects, consistent, solved
from theorems.attention import MECHANISMS, AttentionLayer, Mechanism, linear, softmax
from theorems.errors import UserError

BY_NAME = {row.name: row for row in ROWS}


def test_every_mechanism_of_the_definitions_has_a_row() -> None:
    text = " ".join(row.name.lower() for row in ROWS)
    for name in MECHANISMS:
        word = {"softmax_off_by_one": "off-by-one"}.get(name, name)
        assert word in text or name.startswith("weights")


def test_rows_as_plain_values() -> None:
    rows = as_objects()
    assert [row["name"] for row in rows] == [row.name for row in ROWS]
    for row in rows:
        assert set(row["solution"]) == {"error", "bos", "gated"}
        assert isinstance(row["training"], dict)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_the_answer_bears_the_construction_out(row) -> None:
    assert consistent(row, length=4 if row.necessary is not Necessary.NO_SOLUTION else 6)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("softmax", {"necessary": Necessary.NO}),
        ("softmax, fixed gate", {"necessary": Necessary.NO}),
        ("softmax, two heads", {"necessary": Necessary.YES}),
        ("sigmoid / count", {"necessary": Necessary.YES}),
        ("sigmoid, undivided", {"necessary": Necessary.NO}),
        ("ReLU / count", {"because": "a_theorem_that_is_not_there"}),
        ("softmax", {"construction": "two heads"}),
        ("softmax-off-by-one", {"construction": "softmax_sink"}),
    ],
)
def test_a_wrong_row_is_noticed(name: str, change) -> None:
    assert not consistent(replace(BY_NAME[name], **change))


def test_a_gate_leaves_less_than_the_attention_mass() -> None:
    figures = solved(BY_NAME["softmax, gate that reads the token"])
    assert 0 < figures.gated < figures.bos / 10**20


def averaging(width: int) -> AttentionLayer:
    return AttentionLayer(matrix(width, AVERAGED), identity_off_bos(width), MECHANISMS["relu"])


def test_own_mechanism_in_fractions() -> None:
    cubed = Mechanism("cubed", lambda z: linear(z * z * z), simplex=False)
    row = own_row(Own(cubed, averaging))
    assert (row.error, row.bos) == (0, 0)
    assert isinstance(row.error, Fraction)
    assert row.necessary == "not by Theorem 1"


def test_own_mechanism_in_floats() -> None:
    def softplus(logits):
        return linear(np.log1p(np.exp(logits)))

    def layer(width: int) -> AttentionLayer:
        A = np.full((width, width), 0.0)
        A[:3, :3] = -40.0
        A[1, 1] = A[1, 2] = np.log(np.e - 1)  # softplus is one there
        M = identity_off_bos(width).astype(float)
        return AttentionLayer(A, M, Mechanism("softplus", softplus, simplex=False))

    row = own_row(Own(Mechanism("softplus", softplus, simplex=False), layer))
    assert row.error < 1e-12
    assert row.bos < 1e-12


def test_own_mechanism_without_a_solution() -> None:
    hard = Mechanism("cold softmax", lambda z: softmax(10 * z), simplex=True)
    row = own_row(Own(hard))
    assert row.necessary == "yes, by Theorem 1"
    assert row.error is None


def test_own_mechanism_trained() -> None:
    from empirics.mechanisms.train_own import trained_summary

    found = trained_summary(MECHANISMS["relu"], seeds=2, max_steps=3)
    assert found["models"] == 2
    assert found["stopped"] == 0
    assert found["steps"]["most"] == 3


@pytest.mark.parametrize(
    ("rows", "simplex", "says"),
    [
        (linear, True, "said to sum to one"),
        (softmax, False, "said to need not sum to one"),
        (lambda z: np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True), True, "after its own"),
        (lambda z: linear(z) / 0.0, False, "finite"),
        (lambda z: z[..., 0], False, "of that shape"),
    ],
)
def test_dishonest_mechanisms_are_refused(rows, simplex: bool, says: str) -> None:
    with np.errstate(all="ignore"), pytest.raises(UserError, match=says):
        honest(Mechanism("mine", rows, simplex))
