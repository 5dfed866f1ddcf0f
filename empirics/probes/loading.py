"""A model and its tokenizer from a local folder (safetensors) or GGUF file; nothing is fetched."""

from __future__ import annotations

import os
from contextlib import redirect_stderr
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import torch

from theorems.errors import UserError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
INSTALL = "pip install 'sinkproof[models]'"


@dataclass(frozen=True)
class Loaded:
    """A base model (without language-model head), its tokenizer if it has one, its name."""

    model: Any
    tokenizer: Any
    name: str


def need_transformers() -> None:
    """Raises ``UserError`` that says how to install what measuring models needs."""
    if find_spec("transformers") is None:
        raise UserError(f"measuring models needs transformers: {INSTALL}")


def load(path: Path, dtype: str = "float32") -> Loaded:
    """The model in ``path``: a folder with config.json and safetensors, a GGUF file, or a folder
    with one GGUF file.

    Raises ``UserError`` where that is not what is there, where weights are missing (a model that
    is partly random would be measured), or where transformers cannot load it.
    """
    need_transformers()
    os.environ["HF_HUB_OFFLINE"] = "1"
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    folder, gguf = _place(path)
    source: dict[str, Any] = {"local_files_only": True}
    if gguf:
        if find_spec("gguf") is None:
            raise UserError(f"{path} is GGUF, which needs the package gguf: {INSTALL}")
        source["gguf_file"] = gguf
    else:
        source["use_safetensors"] = True
    try:
        with redirect_stderr(StringIO()):  # progress bars of GGUF conversion
            model, told = transformers.AutoModel.from_pretrained(
                folder, dtype=DTYPES[dtype], output_loading_info=True, **source
            )
    except Exception as error:  # of any kind: files, formats, architectures
        raise UserError(f"transformers cannot load {path}: {_first_line(error)}") from error
    missing = sorted(k for k in told["missing_keys"] if "pooler" not in k)
    if missing:
        raise UserError(
            f"{path} lacks {len(missing)} weights ({missing[0]} …): the model would be partly "
            "random"
        )
    source.pop("use_safetensors", None)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **source)
    except Exception:
        tokenizer = None  # ids can still be given
    return Loaded(model.eval(), tokenizer, path.stem if gguf else folder.resolve().name)


def _place(path: Path) -> tuple[Path, str | None]:
    """The folder, and the name of its GGUF file if it is one."""
    if path.is_file() and path.suffix == ".gguf":
        return path.parent, path.name
    if not path.is_dir():
        raise UserError(f"{path} is neither a folder of a model nor a GGUF file")
    if (path / "config.json").is_file():
        if not list(path.glob("*.safetensors")):
            raise UserError(f"{path} has no safetensors weights: convert them first")
        return path, None
    files = sorted(path.glob("*.gguf"))
    if len(files) != 1:
        raise UserError(
            f"{path} has no config.json and {len(files)} GGUF files: give a model's folder or file"
        )
    return path, files[0].name


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
