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
from empirics.certificates.certificate import produce, produce_boxes, produce_stack
from theorems.errors import UserError
from theorems.files import write_json


def certify_command(
    model: Path,
    *,
    attention: str | None = None,
    length: int | None = None,
    layout: str | None = None,
    heads: int | None = None,
    with_residual: bool | None = None,
    train_on: Path | None = None,
    as_json: bool = False,
    out: Path | None = None,
) -> dict[str, Any]:
    """Certify the model in ``model``; print a table or the certificate, and write it to ``out``.

    With ``train_on`` the model is first trained on with a worst-case term, written there, and the
    result is certified.  Settings that are not given come from the file's metadata, else
    softmax, L = 16, layout author, one head, no residual.
    """
    file = weights.read(model)
    count = int(file.stated("heads") or 1) if heads is None else heads
    residual = bool(file.stated("residual"))
    residual = residual if with_residual is None else with_residual
    if count < 1 or any(x % count for m in file.layers for x in (len(m.W_Q), len(m.W_V))):
        raise UserError(f"{model}: {count} heads do not divide the rows of its matrices")
    attention = attention or file.stated("attention") or "softmax"
    length = int(file.stated("length") or 16) if length is None else length
    layout = layout or file.stated("layout") or "author"
    if layout not in weights.LAYOUTS:
        raise UserError(f"unknown token layout {layout!r}: choose one of ours, author")
    if train_on is not None:
        from empirics.certificates import worst_case_training

        if count > 1 or residual:
            raise UserError("only one head without residual can be trained on")
        error = worst_case_training.train_on(
            file, train_on, attention=attention, length=length, layout=layout
        )
        click.echo(f"wrote {train_on.name}, batch max error {error:.2g}", err=True)
        model, file, layout = train_on, weights.read(train_on), "ours"
    layers = [forms.heads(layer, layout, count) for layer in file.layers]
    about: dict[str, Any] = {
        "subject": model.name,
        "settings": {"layout": layout, "weights_sha256": file.sha256, "width": file.width},
    }
    single = count == 1 and not residual
    if not (single and len(layers) == 1) and attention != "softmax":
        raise UserError("stacks, several heads and residual streams are certified for softmax only")
    if not single:
        certificate = produce_boxes(layers, length, residual=residual, **about)
    elif len(layers) == 1:
        certificate = produce(layers[0][0], attention, length, **about)
    else:
        certificate = produce_stack([layer[0] for layer in layers], length, **about)
    if out is not None:
        write_json(out, certificate)
    if as_json:
        click.echo(json.dumps(certificate, indent=1, ensure_ascii=False))
    else:
        print_certificate(certificate, Console())
    return certificate


def reached(witness: dict[str, Any]) -> str:
    """What a worst input surely reaches."""
    return shown(Fraction(witness["at_least"]))


def shown(bound: Fraction) -> str:
    """A bound, which certificates round outward to at most eight digits, without rounding again."""
    return f"{float(bound):.9g}"


def print_certificate(certificate: dict[str, Any], console: Console) -> None:
    """The certificate's bounds beside the worst inputs found."""
    settings, figures = certificate["settings"], certificate["figures"]
    mass = "1 − BOS weight off the trigger" if settings["attention"] == "softmax" else "BOS weight"
    table = Table(
        title=f"{certificate['subject']}: {settings['attention']}, L = {settings['length']}, "
        f"contents {settings['contents']}, layout {settings['layout']}",
        caption="bound: for every input. worst found: surely reached by the certificate's own "
        f"input (searched: {settings['worst_inputs']}).",
    )
    for name in ("quantity", "bound", "worst found"):
        table.add_column(name, justify="left" if name == "quantity" else "right")
    witness = figures.get("witness", {})
    found = {k: reached(v) for k, v in witness.items() if isinstance(v, dict)}
    masses = figures["mass_at_most"]
    if isinstance(masses, list):
        for layer, most in enumerate(masses, start=1):
            inputs = witness["mass"][layer - 1]
            values, inputs = (x if isinstance(x, list) else [x] for x in (most, inputs))
            limits = ", ".join(shown(Fraction(m)) for m in values)
            least = ", ".join(map(reached, inputs))
            table.add_row(f"{mass}, layer {layer}", limits, least)
    else:
        worst = max(Fraction(x) for side in masses.values() for x in side.values())
        table.add_row(mass, shown(worst), found["mass"])
    if "composed_mass_at_most" in figures:
        whole = Fraction(figures["composed_mass_at_most"])
        table.add_row("1 − BOS weight of the whole stack", shown(whole), "")
    eta = max(Fraction(x) for x in figures["error_at_most"].values())
    bound = shown(eta) if eta < 1 else f"vacuous ({float(eta):.3g})"
    table.add_row("error η", bound, found.get("error", ""))
    for key, z in figures.get("logits_at_most", {}).items():
        table.add_row(f"logit of ordinary queries on {key}", shown(Fraction(z)), "")
    console.print(table)
    length = int(settings["length"])
    silent = eta >= Fraction(length - 3, 4 * (length - 1))
    for name, holds in figures.get("statements", {}).items():
        verdict = "holds for every input" if holds else "not decided"
        if silent:
            verdict = "says nothing here, since the error is not certified below κ_L"
        console.print(f"{name}: {verdict}")
