"""A measurement as tables: each metric with its figure and baseline, layers, definitions."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from empirics.probes.figures import DEFINITIONS
from empirics.probes.measuring import Measured

Row = tuple[str, str, str]


def print_measured(measured: Measured, console: Console) -> None:
    """The report for people."""
    lengths = measured.settings["prompts"]
    shortest, longest = min(lengths), max(lengths)
    span = f"{shortest}" if shortest == longest else f"{shortest} … {longest}"
    console.print(
        f"{measured.subject}: {len(lengths)} prompts of T = {span} tokens, "
        f"{measured.settings['dtype']}; BOS {measured.settings.get('bos', 'as in the ids')}",
        highlight=False,
    )
    console.print(
        f"sink rates are shares of {measured.figures['heads_counted']} (prompt, layer, query head)",
        highlight=False,
    )
    for sentence in measured.warnings:
        console.print(f"warning: {sentence}", highlight=False)
    table = Table(box=None, pad_edge=False)
    for name in ("metric", "figure", "baseline"):
        table.add_column(name, overflow="fold")
    for row in rows(measured):
        table.add_row(*row)
    console.print(table)
    console.print(_by_layer(measured))
    missing = [x["not_measured"] for x in measured.figures["contribution"].values() if len(x) == 1]
    for reason in sorted(set(missing)):
        console.print(f"contributions are not measured everywhere: {reason}", highlight=False)
    words = Table(box=None, pad_edge=False, show_header=False)
    words.add_column(style="bold")
    words.add_column(overflow="fold")
    for name, text in DEFINITIONS.items():
        words.add_row(name, text)
    console.print(words)


def rows(measured: Measured) -> list[Row]:
    """Metric, figure, baseline."""
    f = measured.figures
    uniform = f["uniform_importance"]
    bars = "importance if uniform " + " ".join(f"{u:.3f}" for u in uniform)
    made: list[Row] = []
    for kind in ("sink_rate", "sink_rate_after_layer_0", "sink_rate_reachable"):
        for n, (epsilon, rates) in enumerate((f[kind] or {}).items()):
            shown = "  ".join(f"{x:.1f}" for x in rates[: len(uniform)])
            at = f" % at k = 1 … {len(uniform)}" if n == 0 else " %"
            made.append((f"{kind}, ε = {epsilon}", shown + at, "" if n else bars))
    share, kinds = f["first_token_share"], f["sink_mass_by_type"].items()
    made += [
        ("first_token_share", f"{100 * share:.1f} %", f"uniform {100 * uniform[0]:.1f} %"),
        (
            "sink_mass, mean over heads",
            ", ".join(f"{kind} {x:.3f}" for kind, x in kinds),
            f"uniform {f['uniform_sink_mass']:.3f}",
        ),
    ]
    if f["sink_ratio"] is not None:
        bar = measured.settings["threshold"]
        made.append(("sink_ratio", f"{f['sink_ratio']:.1f} %", f"threshold {bar}"))
    for name, shares in f["special_tokens"].items():
        if shares is not None:
            mean = 100 * sum(shares) / len(shares)
            made.append((f"attention on {name}", f"{mean:.1f} %", "mean over layers and heads"))
    return made + _states(f)


def _states(f: dict[str, Any]) -> list[Row]:
    layers = {i: x for i, x in f["massive_activations"].items() if i >= 0}
    worst = max(layers, key=lambda i: abs(layers[i]["top"][0]["value"]))
    top, ratio = layers[worst]["top"][0], layers[worst]["ratio"]
    massive = sum(x["massive"] for x in layers.values())
    where = sum(x["massive"] > 0 for x in layers.values())
    made = [
        (
            "massive_activations",
            f"{top['value']:.4g} in channel {top['channel']} at token {top['token']}, layer {worst}"
            f"; massive: {massive} entries in {where} of {len(layers)} layers",
            f"ratio to median {ratio:.4g}" if ratio else "median 0: ratio undefined",
        )
    ]
    up, down = f["steps"]["up"], f["steps"]["down"]
    made.append(("steps", f"up {up or '–'}, down {down or '–'}", f"of {len(layers)} blocks"))
    cosines = [x for i, x in f["p0_cosine"].items() if x is not None and i >= 0]
    if cosines:
        given = f["p0_cosine"].get(-1)
        made.append(
            (
                "p0_cosine",
                f"{min(cosines):.3f} … {max(cosines):.3f} over layers",
                "–" if given is None else f"input {given:.3f}",
            )
        )
    return made


def _by_layer(measured: Measured) -> Table:
    f = measured.figures
    table = Table(box=None, pad_edge=False, title="by layer", title_justify="left")
    names = ("layer", "type", "sink mass", "max", "‖P0‖", "‖others‖", "max |h|", "at", "‖v‖")
    for name in (*names, "written", *(["learned"] if f["sink_logit_mass"] else [])):
        table.add_column(name, justify="left" if name in ("type", "at") else "right", no_wrap=True)
    kinds = {layer.block.index: layer.block.kind for layer in measured.layers}
    for i, norm in f["norms"].items():
        top = f["massive_activations"][i]["top"][0]
        kind = kinds.get(i, "–" if i < 0 else "no rows").removesuffix("_attention")
        cells = [str(i) if i >= 0 else "input", kind]
        mass = f["sink_mass"].get(i)
        cells += [f"{_mean(mass):.3f}", f"{max(mass):.3f}"] if mass else ["", ""]
        cells += [f"{norm['first']:.4g}", f"{norm['others']:.4g}", f"{abs(top['value']):.4g}"]
        cells += [f"t{top['token']} c{top['channel']}"]
        cells += [f"{_mean(f['value_norms'][i]['ratio']):.2f}" if mass else ""]
        written = f["contribution"].get(i, {})
        total = sum(written.get("all", [0.0]))
        cells += [f"{sum(written['first_token']) / total:.2f}" if total else ""]
        if f["sink_logit_mass"]:
            learned = f["sink_logit_mass"].get(i)
            cells += [f"{_mean(learned):.3f}" if learned else ""]
        table.add_row(*cells)
    table.caption = (
        "max: over heads; t, c: token and channel of the largest |h|; ‖v‖: first over others; "
        "written: contribution of the first token over all that heads write"
    )
    return table


def _mean(xs: list[float]) -> float:
    return sum(xs) / len(xs)
