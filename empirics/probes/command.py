"""``sinkproof measure``: load, measure, print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theorems.errors import UserError


def measure_command(
    path: Path,
    *,
    text: Path | None,
    ids: str | None,
    length: int,
    prompts: int,
    bos: str,
    dtype: str,
    plot: Path | None,
) -> Any:
    """Measure the model in ``path`` and return ``Measured``; figures are drawn into ``plot``."""
    if text is not None and ids is not None:
        raise UserError("give either --text or --ids")
    if ids is not None and bos != "keep":
        raise UserError("--bos changes texts; ids are taken as they are given")
    from empirics.probes.loading import load, need_transformers

    need_transformers()
    if plot is not None:
        from empirics.probes.plots import need_matplotlib

        need_matplotlib()
    from dataclasses import replace

    from empirics.probes.inputs import default_text, from_ids, from_text
    from empirics.probes.measuring import measure

    loaded = load(path, dtype)
    if ids is not None:
        given = from_ids(ids, loaded.model.config.get_text_config().vocab_size)
    else:
        words = default_text() if text is None else _read(text)
        given = from_text(words, loaded.tokenizer, length, prompts, bos)
    found = measure(loaded.model, given.ids, special_ids=given.special)
    settings = {**found.settings, "bos": given.bos, "text": str(text or ids or "built in")}
    found = replace(found, subject=loaded.name, settings=settings)
    if plot is not None:
        from empirics.probes.plots import draw

        draw(found, plot)
    return found


def _read(path: Path) -> str:
    if not path.is_file():
        raise UserError(f"there is no text {path}: give a file")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path} is not text in UTF-8") from None
