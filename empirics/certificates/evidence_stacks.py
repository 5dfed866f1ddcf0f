"""Certified evidence: the stored two-layer models (no residual), bounded over every input.

In all of them the first layer sinks and averages, and the second leaves the trigger's state alone
where its logits let it.  Those logits are close to a product of two affine functions of the state;
where one of them can change sign over the box, some contents make the second layer drop the
trigger's state and the error is about 1, although random inputs show less than 0.01.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from empirics.certificates import forms, stack_bounds, weights
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness
from empirics.training.threads import limited_threads
from theorems.deep_sink import POSITION_TWO
from theorems.evidence import Outcome, Run, check, evidence
from theorems.sources import ROOT

LENGTH = 16
STACKS = "results/training/two_layers/*.safetensors"


@functools.lru_cache(maxsize=2)
def stacks(seed: int) -> tuple[tuple[str, stack_bounds.StackBounds, Fraction], ...]:
    """The stored two-layer models: name, bounds over all inputs, an error surely reached."""
    found = []
    for path in sorted(ROOT.glob(STACKS)):
        heads = [forms.heads(layer, "ours")[0] for layer in weights.read(path).layers]
        attacker = Attacker(heads, "softmax", LENGTH, seed)
        with limited_threads(1):
            worst = attacker.ascend("error", steps=2, start=attacker.constant())
        least = Fraction(as_witness(heads, "softmax", "error", worst.given)["at_least"])
        found.append((path.stem, stack_bounds.bounds(heads, LENGTH), least))
    return tuple(found)


@evidence("deep_sink", kind="certified", files=(STACKS,))
def two_layers_over_every_input(run: Run) -> Outcome:
    """Stored two-layer softmax models: a layer sinks at every non-trigger position, every input."""
    models = stacks(run.seed)
    holds, parts = True, []
    for _, found, error in models:
        least = min(found.mass)  # a bound on the smallest mass over layers, at any position
        holds = holds and error <= found.eta
        holds = holds and POSITION_TWO.holds(L=LENGTH, D=2, eta=error, m=least)
        parts.append(least)
    bounded = [m for m in models if not m[1].vacuous]
    failing = [m for m in models if m[2] > Fraction(1, 10)]
    applied = sum(m[2] < Fraction(LENGTH - 3, 4 * (LENGTH - 1)) for m in models)
    figure = (
        f"{len(models)} models, every input: in layer 1 BOS ≥ 1 − {float(max(parts)):.0e} at every "
        f"non-trigger position, in the whole stack ≥ "
        f"{float(1 - max(m[1].composed for m in models)):.2f}; error ≤ "
        f"{float(max(m[1].eta for m in bounded)):.3f} in {len(bounded)} of them, bound vacuous in "
        f"the others, {len(failing)} of which reach an error ≥ "
        f"{float(min(m[2] for m in failing)):.2f} that random inputs do not show; Theorem 2 "
        f"applies to {applied}"
    )
    return check(holds and bool(bounded), figure, errors=[float(m[2]) for m in models])
