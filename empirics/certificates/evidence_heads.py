"""Certified evidence: two residual layers of two heads, eight seeds, over every input.

The paper's second experiment (Ran-Milo 2026: 2 × 2, residual) shows one seed with four sinks in
four heads.  The models here were trained from seeds 0..7 and are kept under
``results/certificates``.

This is one part of what the paper says of heads (A7), so it has no finding of its own when it
passes: it is softmax alone, 2 × 2 alone, and of the second layer it shows a weight of one half, in
most models, which is less than a sink.  ReLU, 4 × 4 and the count of heads are in
``empirics.mechanisms.heads``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

from empirics.certificates import checker, forms, weights
from empirics.certificates.box_bounds import BoxBounds, bounds
from empirics.certificates.certificate import produce_boxes
from theorems.evidence import Finding, Outcome, Run, check, evidence
from theorems.sources import ROOT

FILES = "results/certificates/two_by_two/*.safetensors"
LENGTH, HEADS = 16, 2
FIRST, SECOND = Fraction(95, 100), Fraction(1, 2)
"""Least BOS weight, at every non-trigger position of every input, of a layer's best head: boxes
are tight in the first layer and loose in the second, where a miss is no counterexample."""
MOST = Fraction(3, 4)
"""Share of models whose second layer must reach ``SECOND``."""


@functools.lru_cache(maxsize=1)
def models() -> tuple[tuple[str, BoxBounds], ...]:
    """Bounds of every stored model."""
    found = []
    for path in sorted(ROOT.glob(FILES)):
        layers = [forms.heads(m, "ours", HEADS) for m in weights.read(path).layers]
        found.append((path.stem, bounds(layers, LENGTH, residual=True)))
    return tuple(found)


def accepted(count: int) -> int:
    """How many of the first ``count`` models have certificates that the checker accepts."""
    number = 0
    for path in sorted(ROOT.glob(FILES))[:count]:
        file = weights.read(path)
        made = produce_boxes(
            [forms.heads(m, "ours", HEADS) for m in file.layers],
            LENGTH,
            residual=True,
            subject=path.stem,
            settings={"layout": "ours", "weights_sha256": file.sha256},
        )
        number += bool(checker.check(made, str(path)))
    return number


def verdict(found: Sequence[BoxBounds], checked: int) -> Outcome:
    """Passed when a head of layer 1 surely has BOS ≥ ``FIRST`` in all, of layer 2 ≥ ``SECOND``
    in ``MOST`` of them."""
    first, second = ([1 - min(one.mass[layer]) for one in found] for layer in (0, 1))
    sunk = [best for best in second if best >= SECOND]
    holds = min(first) >= FIRST and len(sunk) >= MOST * len(found) and checked > 0
    heads = [1 - mass for one in found for mass in one.mass[0]]
    figure = (
        f"{len(found)} seeds of softmax, 2 layers × 2 heads, every input, every non-trigger "
        f"position: BOS ≥ {float(min(heads)):.2f} in all {len(heads)} heads of layer 1 and ≥ "
        f"{float(min(first)):.3f} in its best; ≥ 1/2 in a head of layer 2 for {len(sunk)} seeds "
        f"(best: {float(max(second)):.3f}), not decided for {len(found) - len(sunk)}; "
        f"the error is not bounded; {checked} certificates checked"
    )
    finding = None if holds else Finding.INCONCLUSIVE
    masses = [[float(m) for layer in one.mass for m in layer] for one in found]
    return check(holds, figure, finding=finding, masses=masses)


@evidence("heads_that_sink", kind="certified", files=(FILES,))
def softmax_two_by_two_over_every_input(run: Run) -> Outcome:
    """2 × 2 softmax, all inputs: BOS ≥ 0.95 in a head of layer 1, ≥ ½ in 3/4 of layers 2."""
    return verdict([bound for _, bound in models()], accepted(run.scale(1, 8)))
