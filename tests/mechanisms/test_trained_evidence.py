"""The trained evidence of mechanisms can fail, and says what the models show and no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from empirics.mechanisms import found, heads, price
from empirics.mechanisms.showing import cell_text, draw
from empirics.mechanisms.table import ROWS
from theorems.errors import UserError
from theorems.evidence import Finding


def paid(penalty: float, epsilon: float, error: float, **changes) -> price.Paid:
    floor = epsilon * 13 / 60 / (1 + epsilon)
    return replace(price.Paid(penalty, True, epsilon, error, floor, 1, 0.9), **changes)


CURVE = [paid(0.0, 1e-5, 2e-3), paid(1e-3, 0.02, 0.02), paid(1e-1, 0.9, 0.9)]


def test_models_above_their_price_pass() -> None:
    outcome = price.judged(CURVE)
    assert outcome.status == "passed"
    assert outcome.finding is Finding.REPRODUCED


def test_one_model_below_its_price_fails() -> None:
    assert price.judged([*CURVE, paid(1e-2, 0.5, 0.05)]).status == "failed"
    assert price.judged([]).status == "failed"


def test_without_a_cost_and_without_another_anchor_it_is_not_reproduced() -> None:
    flat = [paid(p, 0.001, 2e-3) for p in (0.0, 1e-3, 1e-1)]
    assert price.judged(flat).finding is Finding.NOT_REPRODUCED
    moved = [replace(one, anchor=2, anchor_mass=0.8) for one in flat]
    assert price.judged(moved).finding is Finding.REPRODUCED
    weak = [replace(one, anchor=2, anchor_mass=0.2) for one in flat]
    assert price.judged(weak).finding is Finding.NOT_REPRODUCED


def test_a_model_read_from_its_figures() -> None:
    model = {"off": [[0.25]], "error": 0.2, "columns": [[[0.1, 0.7, 0.0]]]}
    one = price.paid(model, 1e-3, warm=False)
    assert (one.epsilon, one.anchor, one.anchor_mass) == (0.25, 2, 0.7)
    assert one.floor == pytest.approx(0.25 * 13 / 60 / 1.25)
    assert one.obeys
    assert not replace(one, error=one.floor * 0.99).obeys


def model(*layers: list[float], converged: bool = True) -> dict:
    return {"bos": list(layers), "converged": converged}


def test_sinking_heads_by_layer_and_model() -> None:
    tally = heads.tally([model([0.95, 0.1], [0.99, 0.95]), model([0.2, 0.1], [0.99, 0.1])])
    assert tally.in_models == (3, 1)
    assert tally.by_layer == ((1, 0), (2, 1))
    assert tally.every_layer == 1
    assert tally.distribution() == "1: 1, 3: 1"


SINKS = heads.tally([model([0.95, 0.1], [0.99, 0.95])] * 3)
SILENT = heads.tally([model([0.0, 0.0], [0.0, 0.0])] * 3)


def test_finding_on_heads() -> None:
    assert heads.judged(SINKS, SILENT, "2x2").finding is Finding.REPRODUCED
    partly = heads.tally([model([0.95, 0.1], [0.1, 0.1])] * 3)
    assert heads.judged(partly, SILENT, "2x2").finding is Finding.NOT_REPRODUCED
    assert heads.judged(SINKS, SINKS, "2x2").finding is Finding.NOT_REPRODUCED
    untrained = heads.tally([model([0.95, 0.1], [0.99, 0.95], converged=False)])
    assert heads.judged(untrained, SILENT, "2x2").finding is Finding.INCONCLUSIVE


def test_cells() -> None:
    cell = {
        "models": 16,
        "stopped": 15,
        "share_of_heads": 0.5,
        "bos": {"median": 0.9},
        "through": {"median": 0.9},
        "total": {"median": 1.0},
    }
    assert cell_text(cell) == "15/16, 50 % sink, 0.900"
    assert cell_text(cell | {"through": {"median": 0.1}}).endswith("0.900 (0.100)")
    assert cell_text(cell | {"total": {"median": 0.95}}).endswith("0.900 of 0.950")
    assert cell_text(None) == "–"


def test_figures_need_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("empirics.mechanisms.showing.heads", lambda *_: [])
    with pytest.raises(UserError, match="nothing has been trained"):
        draw(tmp_path / "a.png")
    monkeypatch.setattr(price, "points", list)
    with pytest.raises(UserError, match="no penalised models"):
        price.draw(tmp_path / "b.png")


def test_figures_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw(tmp_path / "a.png", "1x1")
    assert (tmp_path / "a.png").stat().st_size > 5000


FORCED, FREE, RELU = (
    next(row for row in ROWS if row.name == name)
    for name in ("softmax", "softmax-off-by-one", "ReLU / count")
)


def trained(bos: float, error: float) -> dict:
    return {"bos": [[bos]], "least": [[bos]], "error": error, "converged": True}


def test_what_training_finds_is_counted() -> None:
    sunk = found.count(FORCED, "1x1", [trained(0.999, 0.005)] * 2, 16)
    both = found.count(FREE, "1x1", [trained(0.999, 0.005), trained(0.1, 0.005)], 16)
    none = found.count(RELU, "1x1", [trained(0.0, 0.005)] * 2, 16)
    assert (both.sink, both.models, both.obey) == (1, 2, True)
    outcome = found.judged([sunk, both, none])
    assert outcome.status == "passed"
    assert "softmax-off-by-one 1x1: 1 of 2" in outcome.figure
    broken = found.count(FORCED, "1x1", [trained(0.95, 0.005)], 16)
    assert not broken.obey
    assert found.judged([broken]).status == "failed"
    assert found.judged([sunk, found.count(RELU, "1x1", [trained(0.95, 0.005)], 16)]).status == (
        "failed"
    )
    assert found.judged([]).status == "failed"
