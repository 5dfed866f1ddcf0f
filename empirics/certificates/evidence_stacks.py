"""Certified evidence: the stored two-layer models (no residual), bounded over every input.

In all of them the first layer sinks and averages, and the second leaves the trigger's state alone
where its logits let it.  Those logits are close to a product of two affine functions of the state;
where one of them can change sign over the box, some contents make the second layer drop the
trigger's state and the error is about 1, although random inputs show less than 0.01.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

from empirics.certificates import forms, stack_bounds, weights
from empirics.certificates.attack import Attacker
from empirics.certificates.certificate import as_witness
from empirics.certificates.stack_bounds import StackBounds
from empirics.training.threads import limited_threads
from theorems.deep_sink import POSITION_TWO
from theorems.evidence import Outcome, Run, check, evidence
from theorems.sources import ROOT

LENGTH = 16
KAPPA = POSITION_TWO.constants({"L": Fraction(LENGTH)})["kappa"]
STACKS = "results/training/two_layers/*.safetensors"
FIRST, COMPOSED = Fraction(1, 10**6), Fraction(1, 20)
"""Largest mass off BOS, at any non-trigger position of any input: of layer 1, of the composed rows
(thresholds chosen after the bounds were seen: 6·10⁻⁸ and 0.04)."""
APPLY = 2
"""Least number of models whose bound on the error must be below κ: two were seen to be."""


@functools.lru_cache(maxsize=2)
def stacks(seed: int) -> tuple[tuple[str, StackBounds, Fraction], ...]:
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


def verdict(models: Sequence[tuple[str, StackBounds, Fraction]]) -> Outcome:
    """Passed when layer 1 surely sinks in all models, and so does W in those within Theorem 2.

    Theorem 2 surely applies to a model whose bound on the error is below κ, and to at least
    ``APPLY`` of them it must; there its conclusion is tested with the least error that η can be
    (one that is reached) and the largest mass that the bounds leave.  No reached error may exceed a
    bound.
    """
    within = [m for m in models if m[1].eta < KAPPA]
    beyond = [m for m in models if m[2] >= KAPPA]
    first = max(found.mass[0] for _, found, _ in models)
    composed = max(found.composed for _, found, _ in models)
    holds = first <= FIRST and composed <= COMPOSED and len(within) >= APPLY
    holds = holds and all(error <= found.eta for _, found, error in models)
    for _, found, error in within:
        at = {"L": LENGTH, "D": len(found.mass), "eta": error, "m": min(found.mass)}
        holds = holds and POSITION_TWO.applies(**at) and POSITION_TWO.holds(**at)
    second = max(found.mass[1] for _, found, _ in models)
    figure = (
        f"{len(models)} models, every input, every non-trigger position: 1 − BOS ≤ "
        f"{float(first):.7g} in layer 1, ≤ {float(composed):.7g} in the composed rows, not decided "
        f"in layer 2 by itself (≤ {float(second):.7g}); Theorem 2 surely applies to {len(within)}"
    )
    if within:
        figure += f" (error ≤ {float(max(found.eta for _, found, _ in within)):.3f})"
    if beyond:
        figure += (
            f" and surely not to {len(beyond)}, which reach an error ≥ "
            f"{float(min(error for _, _, error in beyond)):.2f} that random inputs do not show"
        )
    figure += f"; undecided for {len(models) - len(within) - len(beyond)}"
    return check(
        holds,
        figure,
        errors=[float(error) for _, _, error in models],
        masses=[[float(m) for m in found.mass] for _, found, _ in models],
        applies=len(within),
    )


@evidence("deep_sink", kind="certified", files=(STACKS,))
def two_layers_over_every_input(run: Run) -> Outcome:
    """Stored two-layer models, all inputs: layer 1 has BOS ≥ 1 − 10⁻⁶ at all non-trigger rows.

    The composed rows have BOS ≥ 0.95 there.  Of layer 2 by itself nothing is claimed.
    """
    return verdict(stacks(run.seed))
