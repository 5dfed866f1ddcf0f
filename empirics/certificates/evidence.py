"""Certified evidence: sixteen trained models of each mechanism, bounded over every input.

The models are those of the paper's first experiment (d = 16, L = 16, contents in [-1,1]¹³), trained
here from seeds 0..15 and kept under ``results/certificates``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from empirics.certificates import checker, forms, weights
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness, bound, produce
from empirics.certificates.forms import Head
from empirics.certificates.softmax_bounds import Bounds
from empirics.certificates.worst_case_training import continue_training
from empirics.training import load_weights
from empirics.training.threads import limited_threads
from theorems import sink_price
from theorems.evidence import Finding, Outcome, Run, check, evidence
from theorems.one_layer_sink import AFTER, BEFORE, LINEAR, SHARP
from theorems.sources import ROOT

FOLDER = "results/certificates/one_layer_{}/*.safetensors"
LENGTH = 16
SINK = Fraction(99, 100)
"""Least BOS weight that a softmax model must be certified to have off the trigger."""


@dataclass(frozen=True)
class Certified:
    """A stored model, its bounds over all inputs, and what one of them surely reaches."""

    name: str
    path: str
    head: Head
    sha256: str
    bounds: Bounds
    error: Fraction
    mass: Fraction

    @property
    def slack(self) -> float:
        """How many times the bound on the error exceeds the worst error found."""
        return float(self.bounds.eta / self.error)


@functools.lru_cache(maxsize=4)
def certified(attention: str, attacked: int, seed: int) -> tuple[Certified, ...]:
    """All stored models of a mechanism; the first ``attacked`` are attacked, others sampled."""
    found = []
    for index, path in enumerate(sorted(ROOT.glob(FOLDER.format(attention)))):
        file = weights.read(path)
        (head,) = forms.heads(file.layers[0], "ours")
        attacker = Attacker(head, attention, LENGTH, seed)
        with limited_threads(1):
            attack = index < attacked
            error = attacker.worst("error") if attack else attacker.sample("error", 200)
            mass = attacker.worst_mass()
        least = [
            Fraction(as_witness(head, attention, kind, one.given)["at_least"])
            for kind, one in (("error", error), ("mass", mass))
        ]
        limits = bound(head, attention, LENGTH)
        found.append(Certified(path.stem, str(path), head, file.sha256, limits, least[0], least[1]))
    return tuple(found)


def checked(models: Sequence[Certified], attention: str, seed: int) -> int:
    """How many certificates of ``models`` the independent checker accepts."""
    accepted = 0
    for one in models:
        settings = {"layout": "ours", "weights_sha256": one.sha256}
        content = produce(
            one.head, attention, LENGTH, subject=one.name, settings=settings, seed=seed
        )
        accepted += bool(checker.check(content, one.path))
    return accepted


def witnesses_within(models: Sequence[Certified]) -> bool:
    """Whether no judged input beats a bound: it would refute the certificate."""
    return all(m.error <= m.bounds.eta and m.mass <= m.bounds.mass for m in models)


def sinks(models: Sequence[Certified], attacked: int, accepted: int) -> Outcome:
    """Passed when every model is certified to sink, tightly, and the checker agrees."""
    least = [1 - m.bounds.mass for m in models]
    slack = max(m.slack for m in models[:attacked])
    gap = max(float(m.bounds.mass / m.mass) for m in models)
    holds = min(least) >= SINK and witnesses_within(models) and slack <= 3 and gap <= 1.5
    figure = (
        f"{len(models)} seeds, every input: BOS ≥ {float(min(least)):.4f} at every non-trigger "
        f"position (1 − BOS at most {gap:.4f} × the worst found); error ≤ "
        f"{float(max(m.bounds.eta for m in models)):.3f} ({slack:.1f} × the worst found, "
        f"{attacked} attacked); {accepted} certificates checked"
    )
    finding = Finding.REPRODUCED if holds else Finding.NOT_REPRODUCED
    return check(holds and accepted > 0, figure, finding=finding, **_figures(models))


def silent(models: Sequence[Certified], attacked: int, accepted: int) -> Outcome:
    """Passed when rows are certified zero, but for seeds with a weight that an input reaches."""
    zero = [m for m in models if max(m.bounds.logits.values()) <= 0]
    others = [m for m in models if m not in zero]
    slack = max(m.slack for m in models[:attacked])
    margin = max(max(m.bounds.logits.values()) for m in zero)
    holds = len(zero) >= len(models) * 9 // 10 and witnesses_within(models) and slack <= 3
    real = all(m.mass > 0 for m in others)
    mended = [m for m in others if closed(m)]
    misses = ", ".join(
        f"{m.name} puts {float(m.mass):.4f} on BOS for one input, at most "
        f"{float(m.bounds.mass):.4f} for any"
        for m in others
    )
    figure = (
        f"every row off the trigger is exactly zero for every input in {len(zero)} of "
        f"{len(models)} seeds (logits ≤ {float(margin):.2f})"
        + (f"; {misses}, and 0 after further worst-case training" if others else "")
        + f"; error ≤ {float(max(m.bounds.eta for m in models)):.3f} ({slack:.1f} × the worst "
        f"found, {attacked} attacked); {accepted} certificates checked"
    )
    finding = Finding.REPRODUCED if holds else Finding.NOT_REPRODUCED
    return check(
        holds and real and mended == others and accepted > 0,
        figure,
        finding=finding,
        **_figures(models),
    )


def closed(model: Certified) -> bool:
    """Whether training on with the worst-case term makes a ReLU model's rows exactly zero."""
    trained, config = load_weights(Path(model.path))
    better, error = continue_training(trained, config, steps=1000)
    layer = weights.Matrices(
        *(getattr(better, name)[0, 0].double().numpy() for name in weights.MATRICES)
    )
    limits = bound(forms.heads(layer, "ours")[0], "relu", LENGTH)
    return error < config.tolerance and max(limits.logits.values()) <= 0


def obeys(models: Sequence[Certified]) -> Outcome:
    """Passed when the statements hold at each model's largest mass and least error."""
    holds, closest = True, 0.0
    kappa = Fraction(LENGTH - 3, 4 * (LENGTH - 1))
    for m in models:
        at: dict[str, Any] = {"L": LENGTH, "eta": m.error}
        before, after = max(m.bounds.before.values()), max(m.bounds.after.values())
        holds = holds and SHARP.applies(**at, alpha=1 - m.bounds.mass)
        holds = holds and SHARP.holds(**at, alpha=1 - m.bounds.mass)
        holds = holds and LINEAR.holds(**at, alpha=1 - m.bounds.mass)
        holds = holds and BEFORE.holds(**at, m=before) and AFTER.holds(**at, m=after)
        closest = max(closest, float(m.bounds.mass * (kappa - m.error) / m.error))
    floors = [float(1 - m.bounds.eta / (kappa - m.bounds.eta)) for m in models]
    figure = (
        f"{len(models)} models: T1 and the softmax forms hold at the largest certified mass off "
        f"BOS and the least error; (1−α)(κ−η) ≤ {closest:.2f}·η.  From the certified error alone "
        f"T1 gives BOS ≥ {min(floors):.2f}"
    )
    return check(holds, figure, closest=closest, floors=floors)


def pays(models: Sequence[Certified]) -> Outcome:
    """Passed when each model's least error is above the price of its largest mass off BOS."""
    kappa = Fraction(LENGTH - 3, 4 * (LENGTH - 1))
    holds, closest = True, float("inf")
    for m in models:
        off = m.bounds.mass
        holds = holds and sink_price.STATEMENT.holds(
            L=LENGTH, alpha=1 - off, epsilon=off, eta=m.error
        )
        closest = min(closest, float(m.error / (off * kappa / (1 + off))))
    figure = (
        f"{len(models)} models: ε certified over every input is at most "
        f"{float(max(m.bounds.mass for m in models)):.2g}; the error surely is ≥ {closest:.0f} × "
        "the floor"
    )
    return check(holds, figure, closest=closest)


def _figures(models: Sequence[Certified]) -> dict[str, Any]:
    return {
        "mass_at_most": [float(m.bounds.mass) for m in models],
        "mass_at_least": [float(m.mass) for m in models],
        "error_at_most": [float(m.bounds.eta) for m in models],
        "error_at_least": [float(m.error) for m in models],
    }


@evidence("one_layer_sink", kind="certified", files=(FOLDER.format("softmax"),))
def trained_models_over_every_input(run: Run) -> Outcome:
    """Sixteen trained softmax models obey Theorem 1 at numbers certified over every input."""
    return obeys(certified("softmax", run.scale(2, 16), run.seed))


@evidence("softmax_trained_sink", kind="certified", files=(FOLDER.format("softmax"),), settles=True)
def softmax_sinks_on_every_input(run: Run) -> Outcome:
    """Sixteen trained softmax models have BOS weight ≥ 0.99 off the trigger, for every input."""
    attacked = run.scale(2, 16)
    models = certified("softmax", attacked, run.seed)
    accepted = checked(models[: run.scale(1, 4, 16)], "softmax", run.seed)
    return sinks(models, attacked, accepted)


@evidence("relu_trained_no_sink", kind="certified", files=(FOLDER.format("relu"),), settles=True)
def relu_is_silent_on_every_input(run: Run) -> Outcome:
    """Trained ReLU has exactly zero rows off the trigger for every input, in most of 16 seeds."""
    attacked = run.scale(2, 16)
    models = certified("relu", attacked, run.seed)
    accepted = checked(models[: run.scale(1, 4, 16)], "relu", run.seed)
    return silent(models, attacked, accepted)


@evidence("sink_price", kind="certified", files=(FOLDER.format("softmax"),))
def trained_models_pay_on_every_input(run: Run) -> Outcome:
    """Trained softmax models: the least error is above the price of the mass certified off BOS."""
    return pays(certified("softmax", run.scale(2, 16), run.seed))
