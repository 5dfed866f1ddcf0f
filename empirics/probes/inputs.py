"""Prompts for a model: ids that the user gives, or a text cut into pieces of equal length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch

from theorems.errors import UserError


@dataclass(frozen=True)
class Prompts:
    """Ids (B, N), what was done about BOS, and ids of special tokens by name."""

    ids: torch.Tensor
    bos: str
    special: dict[str, int]


def from_ids(given: str, vocabulary: int) -> Prompts:
    """Ids as "5,8,13", or a file with one prompt a line (or JSON lists) of equal lengths."""
    try:
        is_file = Path(given).is_file()
    except OSError:  # a long list of ids is no file name
        is_file = False
    text = Path(given).read_text(encoding="utf-8") if is_file else given
    try:
        rows = json.loads(text) if text.lstrip().startswith("[") else text.strip().splitlines()
        rows = rows if rows and isinstance(rows[0], list | str) else [rows]
        ids = [
            [int(x) for x in (row.replace(",", " ").split() if isinstance(row, str) else row)]
            for row in rows
        ]
    except (ValueError, TypeError):
        raise UserError(
            "--ids takes token ids such as 5,8,13, or a file with one prompt a line"
        ) from None
    if len({len(row) for row in ids}) != 1 or not ids[0]:
        raise UserError("--ids: give prompts of equal lengths")
    bad = [x for row in ids for x in row if not 0 <= x < vocabulary]
    if bad:
        raise UserError(f"--ids: {bad[0]} is not a token of this model (0 … {vocabulary - 1})")
    return Prompts(torch.tensor(ids), "ids as given", {})


def from_text(text: str, tokenizer: Any, length: int, prompts: int, bos: str) -> Prompts:
    """Up to ``prompts`` pieces of ``length`` tokens each, special tokens included.

    ``bos`` is "keep" (what the tokenizer puts around a text, as its ids show), "add" or "drop".
    """
    if tokenizer is None:
        raise UserError("the model comes without a tokenizer: give token ids with --ids")
    raw = list(tokenizer(text, add_special_tokens=False)["input_ids"])
    before, after = _around(tokenizer)
    token = tokenizer.bos_token_id
    if bos == "add":
        if token is None:
            raise UserError("the tokenizer has no BOS token: use --bos keep")
        before = before if token in before else [token, *before]
    elif bos == "drop":
        before = [x for x in before if x != token]
    room = length - len(before) - len(after)
    if room < 1:
        raise UserError(f"--length {length} leaves no room beside the special tokens")
    pieces = [raw[i : i + room] for i in range(0, len(raw) - room + 1, room)][:prompts]
    if not pieces:
        raise UserError(
            f"the text has {len(raw)} tokens, fewer than --length {length} needs: give a longer one"
        )
    ids = [[*before, *piece, *after] for piece in pieces]
    names = {tokenizer.convert_ids_to_tokens(x): x for x in (*before, *after)}
    said = (
        f"{[n for n, x in names.items() if x in before]} in front" if before else "nothing in front"
    )
    return Prompts(torch.tensor(ids), f"{bos}: {said}", names)


def default_text() -> str:
    """The text that is measured where none is given (part of the package)."""
    return (files("empirics.probes") / "text.txt").read_text(encoding="utf-8")


def _around(tokenizer: Any) -> tuple[list[int], list[int]]:
    """What the tokenizer puts before and after a text, read off its ids and not its flags."""
    bare = list(tokenizer("a", add_special_tokens=False)["input_ids"])
    full = list(tokenizer("a")["input_ids"])
    for i in range(len(full) - len(bare) + 1):
        if full[i : i + len(bare)] == bare:
            return full[:i], full[i + len(bare) :]
    return [], []
