"""The trained evidence fails where it should: untrained models, sinks in the wrong place."""

from dataclasses import replace

import pytest
import torch

from empirics.training import TrainConfig, Weights, measure, train
from empirics.training.evidence_deep import Depth, noisy, obeys, report, solution
from empirics.training.evidence_one_layer import learnable, obeys_bound, sinks, stays_silent
from empirics.training.evidence_price import needs_an_anchor, pays_the_price
from empirics.training.loop import Trained
from theorems.evidence import Finding

CONFIG = TrainConfig(length=6, content_dim=1, batch=8, seeds=(0, 1), max_steps=2)


@pytest.fixture(scope="module")
def untrained():
    return train(CONFIG, snapshots=(0,))


@pytest.fixture(scope="module")
def seen(untrained):
    return measure(CONFIG, untrained.weights, sequences=50)


def test_untrained_softmax_is_no_sink(untrained, seen):
    outcome = sinks(CONFIG, seen)
    assert outcome.status == "failed"
    assert outcome.finding is Finding.NOT_REPRODUCED
    assert learnable([untrained]).status == "failed"
    assert obeys_bound(CONFIG, seen).status == "failed"  # its error is above κ: nothing is shown
    assert stays_silent(CONFIG, seen).status == "failed"


def test_silence_fails_for_a_weak_sink_and_for_many_faint_ones(seen):
    def models(*most, mean=0.001):
        silent = replace(seen[0].fixed, mean=[[[1.0] + [mean] * 5]])
        return [replace(seen[0], most_bos=x, fixed=silent, random=silent) for x in most]

    assert stays_silent(CONFIG, models(0.0, 0.0, 0.0, 0.0, 0.05)).status == "passed"
    assert stays_silent(CONFIG, models(0.0, 0.0, 0.0, 0.0, 0.15)).status == "failed"
    assert stays_silent(CONFIG, models(0.0, 0.0, 0.0, 0.05, 0.05)).status == "failed"
    loud = stays_silent(CONFIG, models(0.0, 0.0, 0.0, 0.0, 0.05, mean=0.02))
    assert loud.status == "failed"
    assert loud.finding is Finding.NOT_REPRODUCED


def test_silence_shows_the_share_of_models_that_miss_what_was_expected(seen):
    silent = replace(seen[0].fixed, mean=[[[1.0] + [0.0] * 5]])
    models = [
        replace(seen[0], most_bos=x, fixed=silent, random=silent)
        for x in (0.0, 0.0, 0.0, 0.0, 0.05)
    ]
    outcome = stays_silent(CONFIG, models)
    assert "1 of 5 models (20%) miss the expected 0.01 in single rows, up to 0.05" in outcome.figure
    assert outcome.figures["missed"] == 0.2
    assert "0 of 4 models (0%)" in stays_silent(CONFIG, models[:4]).figure


def test_bound_fails_for_a_small_error_without_a_sink(seen):
    fakes = [replace(one, error=0.01, floor=0.9, least_bos=0.5) for one in seen]
    assert obeys_bound(CONFIG, fakes).status == "failed"


def test_price_fails_for_an_impossible_model(monkeypatch, untrained):
    assert pays_the_price(untrained, untrained.snapshots, 50).status == "passed"

    from empirics.training import evidence_price

    real = evidence_price.sample

    def without_error(*args, **kwargs):
        found = real(*args, **kwargs)
        return replace(found, error=found.error * 0.01)

    monkeypatch.setattr(evidence_price, "sample", without_error)
    assert pays_the_price(untrained, untrained.snapshots, 50).status == "failed"


def test_anchor_fails_when_bos_is_there_after_all():
    config = replace(CONFIG, seeds=(0,))
    solved = Trained(config, solution(config, 9.0), (0,), (False,), (0.1,))
    assert needs_an_anchor([solved], 50).status == "failed"


def test_anchor_holds_for_models_without_bos():
    config = replace(CONFIG, bos=False, seeds=(0,))
    assert needs_an_anchor([train(config)], 50).status == "passed"


def test_depth_fails_without_a_sink():
    config = TrainConfig(layers=2, residual=False, length=16, content_dim=1)
    fine = Depth(error=0.01, off=0.1, composed=0.99, layers=(0.99, 0.2))
    assert obeys(config, [fine])
    assert report(config, [fine], "").status == "passed"
    for broken in (
        replace(fine, off=0.3),
        replace(fine, composed=0.9),
        replace(fine, error=0.3),
    ):
        assert report(config, [broken], "").status == "failed"
    unable = replace(fine, error=0.3, composed=0.0, off=1.0)
    assert report(config, [unable, fine], "").status == "passed"
    assert report(config, [unable, fine], "").figures["share"] == 0.5
    assert report(config, [unable, unable, fine], "").status == "failed"


def test_noise_is_added_per_seed():
    config = TrainConfig(layers=2, residual=False, length=6, content_dim=1)
    base = solution(config, 4.0)
    copies = noisy(base, (0, 1), 0.1)
    assert isinstance(copies, Weights)
    assert len(copies) == 2
    assert not torch.equal(copies.W_Q[0], copies.W_Q[1])
    assert torch.equal(noisy(base, (1,), 0.1).W_Q[0], copies.W_Q[1])
