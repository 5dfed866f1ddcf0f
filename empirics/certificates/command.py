"""``sinkproof certify``: write a certificate for a model."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from empirics.certificates import forms, weights
from empirics.certificates.certificate import produce, produce_stack
from theorems.errors import UserError
from theorems.files import write_json


def certify_command(
    model: Path,
    *,
    attention: str | None = None,
    length: int | None = None,
    layout: str | None = None,
    as_json: bool = False,
    out: Path | None = None,
) -> dict[str, Any]:
    """Certify the model in ``model``; print a table or the certificate, and write it to ``out``.

    Settings that are not given come from the file's metadata, else softmax, L = 16, layout author.
    """
    file = weights.read(model)
    if (file.stated("heads") or 1) != 1 or file.stated("residual"):
        raise UserError(
            f"{model} has several heads in a layer or a residual stream: certificates are for one "
            "head in each layer without residual"
        )
    attention = attention or file.stated("attention") or "softmax"
    length = length or int(file.stated("length") or 16)
    layout = layout or file.stated("layout") or "author"
    if layout not in weights.LAYOUTS:
        raise UserError(f"unknown token layout {layout!r}: choose one of ours, author")
    heads = [forms.heads(layer, layout)[0] for layer in file.layers]
    about: dict[str, Any] = {
        "subject": model.name,
        "settings": {"layout": layout, "weights_sha256": file.sha256, "width": file.width},
    }
    if len(heads) == 1:
        certificate = produce(heads[0], attention, length, **about)
    elif attention == "softmax":
        certificate = produce_stack(heads, length, **about)
    else:
        raise UserError("stacks are certified for softmax only")
    if out is not None:
        write_json(out, certificate)
    if as_json:
        click.echo(json.dumps(certificate, indent=1, ensure_ascii=False))
    else:
        print_certificate(certificate, Console())
    return certificate


def print_certificate(certificate: dict[str, Any], console: Console) -> None:
    """The certificate's bounds beside the worst inputs found."""
    settings, figures = certificate["settings"], certificate["figures"]
    mass = "1 − BOS weight off the trigger" if settings["attention"] == "softmax" else "BOS weight"
    table = Table(
        title=f"{certificate['subject']}: {settings['attention']}, L = {settings['length']}, "
        f"contents {settings['contents']}, layout {settings['layout']}",
        caption="bound: for every input. worst found: surely reached by the certificate's own "
        "input.",
    )
    for name in ("quantity", "bound", "worst found"):
        table.add_column(name, justify="left" if name == "quantity" else "right")
    found = {k: f"{float(Fraction(v['at_least'])):.6g}" for k, v in figures["witness"].items()}
    masses = figures["mass_at_most"]
    if isinstance(masses, list):
        for layer, most in enumerate(masses, start=1):
            table.add_row(f"{mass}, layer {layer}", f"{float(Fraction(most)):.6g}", "")
        most = Fraction(figures["composed_mass_at_most"])
        table.add_row("1 − BOS weight of the whole stack", f"{float(most):.6g}", "")
    else:
        most = max(Fraction(x) for side in masses.values() for x in side.values())
        table.add_row(mass, f"{float(most):.6g}", found["mass"])
    eta = max(Fraction(x) for x in figures["error_at_most"].values())
    bound = f"{float(eta):.6g}" if eta < 1 else f"vacuous ({float(eta):.3g})"
    table.add_row("error η", bound, found["error"])
    for key, z in figures.get("logits_at_most", {}).items():
        table.add_row(f"logit of ordinary queries on {key}", f"{float(Fraction(z)):.6g}", "")
    console.print(table)
    for name, holds in figures.get("statements", {}).items():
        console.print(f"{name}: {'holds for every input' if holds else 'not decided'}")
