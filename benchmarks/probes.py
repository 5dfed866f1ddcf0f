"""Sink columns beside the model's own forward pass and beside full matrices, in one run.

    python benchmarks/probes.py [--quick] [--json]

On a random Llama (4 layers, 8 heads, width 512) and N tokens:

* *sdpa*: the model's own forward pass, nothing measured;
* *columns*: ``measure(all_keys=False)``: sink columns, states, values, contributions;
* *all keys*: ``measure``: also the importance of every key, a second pass over logits;
* *matrices*: eager attention with ``output_attentions=True``, as other tools do.

Seconds are processor time, the least of several turns taken one after the other.  Memory is the
peak of a process of its own (MB, weights and libraries included), and that above what it held with
the weights loaded (above).  Asserted: at N = 2048 columns take at most 1.25 × the seconds and 1.1 ×
the peak memory of sdpa; at N = 16384 a whole measurement stays within 2 GB above the weights, where
matrices alone take 32 GiB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WIDTH, LAYERS, HEADS = 512, 4, 8
WAYS = ("sdpa", "columns", "all keys", "matrices")
LIMITS = {"seconds": 1.25, "memory": 1.1, "long_megabytes": 2000.0}


def work(way: str, N: int) -> Callable[[], Any]:
    """One run of ``way`` on ``N`` tokens, the model made beforehand."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from transformers import LlamaConfig, LlamaModel

    from empirics.probes import measure

    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=1000,
        hidden_size=WIDTH,
        intermediate_size=3 * WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS // 2,
        max_position_embeddings=N,
    )
    config._attn_implementation = "eager" if way == "matrices" else "sdpa"
    model = LlamaModel(config).eval()
    ids = torch.randint(0, 1000, (1, N))

    def forward() -> Any:
        with torch.no_grad():
            return model(ids, use_cache=False, output_attentions=way == "matrices")

    if way in ("sdpa", "matrices"):
        return forward
    return lambda: measure(model, ids, all_keys=way == "all keys")


def peak(way: str, N: int) -> tuple[float, float]:
    """Peak megabytes of a process of its own, and those above the loaded model."""
    command = [sys.executable, __file__, "--peak", way, str(N)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    total, above = (float(x) for x in shown.stdout.split()[-2:])
    return total, above


def print_peak(way: str, N: int) -> None:
    """What that process does: warm up, reset the kernel's peak, run."""
    run, small = work(way, N), work(way, 64)
    small()  # everything imported and warm
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = status("VmRSS")
    run()
    after = status("VmHWM")
    print(after / 1024, (after - before) / 1024)


def status(name: str) -> int:
    """A line of /proc/self/status, in kB (Linux; ru_maxrss would begin at the parent's peak)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {name}")


def fastest(ways: tuple[str, ...], N: int, turns: int) -> dict[str, float]:
    """Least processor seconds of each way, turn by turn."""
    runs = {way: work(way, N) for way in ways}
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(turns):
        for way, run in runs.items():
            start = time.process_time()
            run()
            best[way] = min(best[way], time.process_time() - start)
    return best


def main() -> int:
    """Print the comparison; exit code 1 if a limit is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer turns, no long run")
    parser.add_argument("--peak", nargs=2, metavar=("WAY", "N"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        print_peak(options.peak[0], int(options.peak[1]))
        return 0
    import torch
    import transformers

    N, long = 2048, 16384
    memory = {way: peak(way, N) for way in WAYS}
    seconds = fastest(WAYS, N, 2 if options.quick else 5)
    rows = [
        {
            "way": way,
            "tokens": N,
            "seconds": seconds[way],
            "times_sdpa": seconds[way] / seconds["sdpa"],
            "megabytes": memory[way][0],
            "memory_times_sdpa": memory[way][0] / memory["sdpa"][0],
            "above_megabytes": memory[way][1],
        }
        for way in WAYS
    ]
    columns = rows[1]
    missed = []
    if columns["times_sdpa"] > LIMITS["seconds"]:
        missed.append(f"columns take {columns['times_sdpa']:.2f} × the seconds of sdpa")
    if columns["memory_times_sdpa"] > LIMITS["memory"]:
        missed.append(f"columns take {columns['memory_times_sdpa']:.2f} × the memory of sdpa")
    if not options.quick:
        total, used = peak("all keys", long)
        matrices = 4 * LAYERS * HEADS * long**2 / 2**20
        rows.append(
            {"way": "all keys", "tokens": long, "megabytes": total, "above_megabytes": used}
        )
        rows.append({"way": "matrices, not run", "tokens": long, "above_megabytes": matrices})
        if used > LIMITS["long_megabytes"]:
            missed.append(f"{long} tokens take {used:.0f} MB")
    if options.json:
        print(
            json.dumps(
                {
                    "subject": "probes",
                    "status": "missed" if missed else "met",
                    "figures": rows,
                    "settings": {"quick": options.quick, "limits": LIMITS},
                    "missed": missed,
                    "versions": {
                        "torch": torch.__version__,
                        "transformers": transformers.__version__,
                    },
                },
                indent=1,
            )
        )
    else:
        print(
            f"{'way':18} {'N':>6} {'seconds':>8} {'× sdpa':>7} {'MB':>8} {'× sdpa':>7} {'above':>8}"
        )
        for row in rows:
            cells = [
                f"{row[key]:{form}}" if key in row else ""
                for key, form in (
                    ("seconds", ".2f"),
                    ("times_sdpa", ".2f"),
                    ("megabytes", ".0f"),
                    ("memory_times_sdpa", ".2f"),
                    ("above_megabytes", ".0f"),
                )
            ]
            print(
                f"{row['way']:18} {row['tokens']:>6} {cells[0]:>8} {cells[1]:>7} {cells[2]:>8} "
                f"{cells[3]:>7} {cells[4]:>8}"
            )
    for sentence in missed:
        print(f"missed: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
