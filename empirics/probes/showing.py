"""A measurement as tables: each metric with its figure, its baseline and its definition."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from empirics.probes.figures import DEFINITIONS
from empirics.probes.measuring import Measured


def print_measured(measured: Measured, console: Console) -> None:
    """The report for people."""
    lengths = measured.settings["prompts"]
    span = f"{min(lengths)}" if min(lengths) == max(lengths) else f"{min(lengths)}–{max(lengths)}"
    console.print(
        f"{measured.subject}: {len(lengths)} prompts of T = {span} tokens, "
        f"{measured.settings['dtype']}, BOS {measured.settings.get('bos', 'as given')}",
        highlight=False,
    )
    for sentence in measured.warnings:
        console.print(f"warning: {sentence}", highlight=False)
    table = Table(box=None, pad_edge=False)
    for name in ("metric", "figure", "baseline", "definition"):
        table.add_column(name, overflow="fold")
    for row in rows(measured):
        table.add_row(*row)
    console.print(table)
    console.print(_by_layer(measured))


def rows(measured: Measured) -> list[tuple[str, str, str, str]]:
    """Metric, figure, baseline, definition."""
    f = measured.figures
    made: list[tuple[str, str, str, str]] = []
    uniform = f["uniform_importance"]
    for kind in ("sink_rate", "sink_rate_after_layer_0", "sink_rate_reachable"):
        for epsilon, rates in (f[kind] or {}).items():
            shown = " ".join(f"{x:.1f}" for x in rates[: len(uniform)])
            bars = "uniform importance " + " ".join(f"{u:.3f}" for u in uniform)
            text = f"{DEFINITIONS[kind]}; k = 1 … {len(uniform)}"
            seen = bool(made) and made[-1][3] in (text, "as above")
            made.append(
                (
                    f"{kind}, ε = {epsilon}",
                    f"{shown} %",
                    "as above" if seen else bars,
                    "as above" if seen else text,
                )
            )
    share = f["first_token_share"]
    made.append(
        (
            "first_token_share",
            f"{100 * share:.1f} %",
            f"uniform {100 * uniform[0]:.1f} %",
            DEFINITIONS["first_token_share"],
        )
    )
    by_type = ", ".join(f"{k} {x:.3f}" for k, x in f["sink_mass_by_type"].items())
    made.append(
        ("sink_mass", by_type, f"uniform {f['uniform_sink_mass']:.3f}", DEFINITIONS["sink_mass"])
    )
    if f["sink_ratio"] is not None:
        made.append(
            (
                "sink_ratio",
                f"{f['sink_ratio']:.1f} %",
                f"threshold {measured.settings['threshold']}",
                DEFINITIONS["sink_ratio"],
            )
        )
    made += _states(f)
    return made


def _states(f: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    made = []
    layers = {i: x for i, x in f["massive_activations"].items() if i >= 0}
    worst = max(layers, key=lambda i: abs(layers[i]["top"][0]["value"]))
    top, ratio = layers[worst]["top"][0], layers[worst]["ratio"]
    massive = sum(x["massive"] for x in layers.values())
    where = sum(x["massive"] > 0 for x in layers.values())
    made.append(
        (
            "massive_activations",
            f"{top['value']:.4g} in channel {top['channel']} at token {top['token']}, "
            f"layer {worst}; {massive} entries in {where} layers massive",
            f"ratio to median {ratio:.4g}" if ratio else "median 0: ratio undefined",
            DEFINITIONS["massive_activations"],
        )
    )
    up, down = f["steps"]["up"], f["steps"]["down"]
    made.append(("steps", f"up {up or '–'}, down {down or '–'}", "–", DEFINITIONS["steps"]))
    cosines = [x for i, x in f["p0_cosine"].items() if x is not None and i >= 0]
    if cosines:
        made.append(
            (
                "p0_cosine",
                f"{min(cosines):.3f} … {max(cosines):.3f} over layers",
                _number(f["p0_cosine"].get(-1), "input {:.3f}"),
                DEFINITIONS["p0_cosine"],
            )
        )
    for name, shares in f["special_tokens"].items():
        if shares is not None:
            made.append(
                (
                    f"share of {name}",
                    f"{100 * sum(shares) / len(shares):.1f} %",
                    "–",
                    "share of all attention on tokens of this kind, mean over layers and heads",
                )
            )
    return made


def _by_layer(measured: Measured) -> Table:
    f = measured.figures
    table = Table(box=None, pad_edge=False, title="by layer", title_justify="left")
    for name in ("layer", "type", "sink mass: mean", "max", "‖P0‖", "‖others‖", "max |h|", "at",
                 "‖v‖ ratio", "‖α v W_O‖ / all"):  # fmt: skip
        table.add_column(name, justify="left" if name in ("type", "at") else "right")
    kinds = {layer.block.index: layer.block.kind for layer in measured.layers}
    learned = f["sink_logit_mass"]
    if learned:
        table.add_column("sink logit", justify="right")
    for i, norm in f["norms"].items():
        top = f["massive_activations"][i]["top"][0]
        cells = [str(i) if i >= 0 else "input", kinds.get(i, "–" if i < 0 else "no attention")]
        if i in f["sink_mass"]:
            mass, values = f["sink_mass"][i], f["value_norms"][i]["ratio"]
            cells += [f"{sum(mass) / len(mass):.3f}", f"{max(mass):.3f}"]
        else:
            mass, values = [], []
            cells += ["", ""]
        cells += [f"{norm['first']:.4g}", f"{norm['others']:.4g}", f"{abs(top['value']):.4g}"]
        cells += [f"token {top['token']}, channel {top['channel']}"]
        cells += [f"{sum(values) / len(values):.2f}" if values else ""]
        written = f["contribution"].get(i, {})
        share = "not measured" if "not_measured" in written else ""
        if written.get("all"):
            share = f"{sum(written['first_token']) / max(sum(written['all']), 1e-300):.2f}"
        cells += [share]
        if learned:
            own = learned.get(i)
            cells += [f"{sum(own) / len(own):.3f}" if own else ""]
        table.add_row(*cells)
    return table


def _number(x: float | None, form: str) -> str:
    return "–" if x is None else form.format(x)
