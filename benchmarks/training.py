"""Model-steps per second of the trainer, beside a plain training loop, in one run.

    python benchmarks/training.py [--quick] [--json] [--threads N]

The plain loop trains one model as a first program would: examples made one by one from a
generator, ``nn.Linear`` matrices, ``torch.softmax``, autograd, ``torch.optim.Adam``.  Both do the
same work per step: batch 128, L = 16, d = 16, forward, mean squared error, backward, Adam, and the
batch's max error for the stop criterion.

*Bound*: floating-point operations of the trainer's matrix products per step, over the machine's
rate on a 1024×1024 product measured here; *share* is the bound over the time taken.  Times are
processor seconds when one thread is used, so that other programs do not change them, else seconds
by the clock; the plain loop and the trainer take turns and the fastest turn of each counts.
Exits with 1 if a ratio is below its floor.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn

from empirics.training.config import TrainConfig
from empirics.training.loop import Training
from empirics.training.threads import limited_threads

SHAPES = ((1, 1), (2, 2), (4, 4))
SEEDS = (1, 32)
FLOORS = {(1, 1, 1): 4.0, (1, 1, 32): 8.0, (2, 2, 32): 2.5, (4, 4, 32): 1.4}
"""Least ratio of the trainer's speed per model to the plain loop's, by layers, heads, seeds."""


class PlainModel(nn.Module):
    """Softmax attention as in the paper's experiments; every head has the full width."""

    def __init__(self, config: TrainConfig) -> None:
        super().__init__()
        d, hidden = config.width, config.heads * config.width
        self.heads, self.residual = config.heads, config.residual
        self.layers = nn.ModuleList()
        for _ in range(config.layers):
            shapes = {
                "W_Q": (d, hidden),
                "W_K": (d, hidden),
                "W_V": (d, hidden),
                "W_O": (hidden, d),
            }
            layer = {name: nn.Linear(*shape, bias=False) for name, shape in shapes.items()}
            self.layers.append(nn.ModuleDict(layer))
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=config.init_std)
        hidden_keys = torch.ones(config.length, config.length).triu(1).bool()
        self.register_buffer("hidden_keys", hidden_keys)

    def forward(self, x: Tensor) -> Tensor:
        B, L, d = x.shape
        for module in self.layers:
            layer = cast(nn.ModuleDict, module)
            q, k, v = (
                layer[name](x).view(B, L, self.heads, d).transpose(1, 2)
                for name in ("W_Q", "W_K", "W_V")
            )
            scores = (q @ k.transpose(-2, -1)).masked_fill(self.hidden_keys, float("-inf"))
            mixed = torch.softmax(scores, dim=-1) @ v
            update = layer["W_O"](mixed.transpose(1, 2).reshape(B, L, self.heads * d))
            x = x + update if self.residual else update
        return x


def plain_example(config: TrainConfig, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """One sequence and its target, (L, d) each."""
    x = torch.zeros(config.length, config.width)
    x[0, 0] = 1.0
    trigger = int(torch.randint(2, config.length, (1,), generator=generator))
    x[1:, 2] = 1.0
    x[trigger, 1], x[trigger, 2] = 1.0, 0.0
    contents = torch.rand(config.length - 1, config.content_dim, generator=generator)
    x[1:, 3:] = 2 * contents - 1
    y = x.clone() if config.residual else torch.zeros_like(x)
    y[trigger] += x[1 : trigger + 1].mean(dim=0)
    return x, y


def plain_loop(config: TrainConfig) -> Callable[[], None]:
    """A function that makes one step of the plain loop."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    model = PlainModel(config)
    optimiser = torch.optim.Adam(model.parameters(), lr=float(config.lr or 0), betas=config.betas)

    def step() -> None:
        pairs = [plain_example(config, generator) for _ in range(config.batch)]
        x, y = (torch.stack(column) for column in zip(*pairs, strict=True))
        optimiser.zero_grad()
        out = model(x)
        loss = nn.functional.mse_loss(out, y)
        loss.backward()
        optimiser.step()
        (out.detach() - y).abs().max().item()

    return step


def our_loop(config: TrainConfig) -> tuple[Callable[[], None], Training]:
    """The same for the trainer: one step of all its models."""
    training = Training(config)

    def step() -> None:
        with torch.no_grad():
            training.advance()

    return step, training


def operations(config: TrainConfig) -> float:
    """Floating-point operations of the matrix products in one step of one model.

    Per head: forward xA, scores, rows·x, ·M; backward the gradients of M, of rows·x, of rows, of
    queries, of A; above the first layer also the state's gradient in its three roles.
    """
    N, B, d = config.tokens, config.batch, config.width
    project, mix = 2 * B * N * d * d, 2 * B * N * N * d
    first, above = 5 * project + 4 * mix, 6 * project + 6 * mix
    return float(config.heads * (first + (config.layers - 1) * above))


def matmul_rate() -> float:
    """Floating-point operations per second of a 1024×1024 float32 product, here and now."""
    a, b = torch.randn(1024, 1024), torch.randn(1024, 1024)
    out = torch.empty(1024, 1024)
    return 2 * 1024**3 / fastest([lambda: torch.mm(a, b, out=out)], 5, 5)[0]


def fastest(steps: Sequence[Callable[[], object]], rounds: int, repeats: int) -> list[float]:
    """Seconds of one call of each function: the best of ``rounds`` turns of ``repeats`` calls."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    best = [float("inf")] * len(steps)
    for _ in range(rounds):
        for index, step in enumerate(steps):
            step()
            start = clock()
            for _ in range(repeats):
                step()
            best[index] = min(best[index], (clock() - start) / repeats)
    return best


def compare(
    layers: int, heads: int, rate: float, threads: int, quick: bool
) -> list[dict[str, Any]]:
    """One row per number of seeds, against the same plain loop."""

    def config(seeds: int) -> TrainConfig:
        # A tolerance that is never met keeps every model in the run.
        return TrainConfig(
            layers=layers, heads=heads, seeds=tuple(range(seeds)), threads=threads, tolerance=1e-30
        )

    one = config(1)
    loops = [our_loop(config(seeds)) for seeds in SEEDS]
    steps = [plain_loop(one), *(step for step, _ in loops)]
    plain, *ours = fastest(steps, rounds=3 if quick else 8, repeats=2 if quick else 5)
    bound = operations(one) / rate
    rows: list[dict[str, Any]] = []
    for seeds, seconds, (_, training) in zip(SEEDS, ours, loops, strict=True):
        per_model = seconds / seeds
        rows.append(
            {
                "layers": layers,
                "heads": heads,
                "seeds": seeds,
                "model_steps_per_second": 1 / per_model,
                "plain_steps_per_second": 1 / plain,
                "ratio": plain / per_model,
                "floor": FLOORS.get((layers, heads, seeds)),
                "bound_microseconds": bound * 1e6,
                "share_of_bound": bound / per_model,
                "buffer_megabytes": training.memory() / 2**20,
            }
        )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer turns: less steady figures")
    parser.add_argument("--threads", type=int, default=1, help="threads of both loops (default 1)")
    options = parser.parse_args()
    with limited_threads(options.threads):
        rate = matmul_rate()
        rows = [
            row
            for layers, heads in SHAPES
            for row in compare(layers, heads, rate, options.threads, options.quick)
        ]
    missed = [row for row in rows if row["floor"] and row["ratio"] < row["floor"]]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if options.json:
        result = {
            "subject": "training",
            "status": "failed" if missed else "passed",
            "figures": {"rows": rows, "gigaflops": rate / 1e9, "peak_megabytes": peak},
            "settings": {"threads": options.threads, "quick": options.quick},
            "versions": {"torch": torch.__version__},
        }
        print(json.dumps(result))
        return bool(missed)
    print(f"matrix products: {rate / 1e9:.0f} GFLOP/s on {options.threads} thread(s)")
    print("layers×heads  seeds  model-steps/s   plain   ratio  floor  bound µs  share  buffers MB")
    for row in rows:
        floor = f"{row['floor']:.1f}" if row["floor"] else "–"
        print(
            f"{row['layers']:>8}×{row['heads']:<3}  {row['seeds']:>5}"
            f"  {row['model_steps_per_second']:>13.0f}  {row['plain_steps_per_second']:>6.0f}"
            f"  {row['ratio']:>6.1f}  {floor:>5}  {row['bound_microseconds']:>8.0f}"
            f"  {row['share_of_bound']:>5.0%}  {row['buffer_megabytes']:>10.1f}"
        )
    print(f"peak memory of the process, torch included: {peak:.0f} MB")
    for row in missed:
        print(f"too slow: {row['layers']}×{row['heads']} with {row['seeds']} seed(s)")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
