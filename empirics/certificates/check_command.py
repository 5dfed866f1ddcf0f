"""``sinkproof certify --check``: verify a certificate, with the checker's own code only."""

from __future__ import annotations

import json
from pathlib import Path

import click

from empirics.certificates import checker
from theorems.errors import UserError


def check_command(certificate: Path, model: Path) -> None:
    """Check ``certificate`` against ``model``: exit code 1 and one sentence if it is rejected."""
    try:
        content = json.loads(certificate.read_text(encoding="utf-8"))
        model.open("rb").close()
    except OSError as error:
        raise UserError(f"cannot read {error.filename}: {error.strerror}") from None
    except ValueError:
        raise UserError(f"{certificate} is not a JSON file") from None
    try:
        established = verified(content, model)
    except checker.Rejected as reason:
        click.echo(f"sinkproof: {certificate.name} is rejected: {reason}", err=True)
        raise click.exceptions.Exit(1) from None
    click.echo(f"{certificate.name} holds of {model.name}, for every input: {established}")


def verified(content: object, model: Path) -> str:
    """What the checker establishes; whatever malformed input raises is ``Rejected`` too."""
    try:
        return checker.check(content, str(model))  # type: ignore[arg-type]
    except checker.Rejected:
        raise
    except Exception as error:
        raise checker.Rejected(
            f"the certificate or the model is malformed ({type(error).__name__})"
        ) from None
