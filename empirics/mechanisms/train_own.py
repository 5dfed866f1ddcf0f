"""One layer of a mechanism of one's own, trained by autograd: its training column."""

from __future__ import annotations

from typing import Any

from empirics.mechanisms.figures import figures
from empirics.mechanisms.summary import summary
from empirics.mechanisms.variant_run import VariantRun, look_at
from empirics.mechanisms.variants import of_mechanism
from empirics.training.config import TrainConfig
from theorems.attention import Mechanism

STEPS = 5000


def trained_summary(mechanism: Mechanism, seeds: int, max_steps: int = STEPS) -> dict[str, Any]:
    """Train one layer from seeds 0..seeds−1 as in the paper's protocol, and sum up what it does."""
    config = TrainConfig(seeds=tuple(range(seeds)), max_steps=max_steps)
    variant = of_mechanism(mechanism)
    done = VariantRun(variant, config).train()
    models = []
    for index, seed in enumerate(config.seeds):
        seen, tokens, error = look_at(
            variant, config, done.theta[:, :, index : index + 1], seed, 200
        )
        found = figures(seen.rows[0], tokens[0], error[0])
        head = {"seed": seed, "steps": done.steps[index], "converged": done.converged[index]}
        models.append(head | found)
    return summary(models)
