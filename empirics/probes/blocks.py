"""A model's blocks, whatever its architecture calls them, and places to listen or to change.

The one thing that is looked up by name is the MLP; blocks are the model's list of
``num_hidden_layers`` modules, and attention modules are those that call the attention function.
Studies and ablations hook in here: ``inputs`` and ``outputs`` of any module, changed on return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from theorems.errors import UserError

MLP_NAMES = ("mlp", "feed_forward", "block_sparse_moe", "ffn", "fc1", "intermediate", "moe")
WITHOUT_ATTENTION = ("linear_attention", "mamba", "mamba2", "conv", "recurrent", "linear", "ssm")
"""Types of layers, in a model's configuration, that have no softmax rows."""

Change = Callable[[torch.Tensor], torch.Tensor | None]


@dataclass(frozen=True)
class Block:
    """One block: its index, its name in the model, and the type that the configuration states."""

    index: int
    name: str
    module: nn.Module
    kind: str

    @property
    def mlp(self) -> nn.Module | None:
        """The MLP (or the first map of it), or None where the block has none under a known name."""
        children = dict(self.module.named_children())
        return next((children[n] for n in MLP_NAMES if n in children), None)

    @property
    def recurrent(self) -> bool:
        """Whether it mixes tokens by other means than attention (also beside it)."""
        convolves = any(isinstance(m, nn.Conv1d) for m in self.module.modules())
        return self.kind in WITHOUT_ATTENTION or convolves

    def __str__(self) -> str:
        return f"layer {self.index} ({type(self.module).__name__})"


@dataclass(frozen=True)
class Blocks:
    """All blocks of a model, by index, and which of its modules lies in which block."""

    model: nn.Module
    blocks: tuple[Block, ...]
    owner: dict[int, Block]

    def of(self, module: nn.Module) -> Block | None:
        """The block that ``module`` lies in."""
        return self.owner.get(id(module))


def find_blocks(model: nn.Module) -> Blocks:
    """The blocks of a loaded transformers model.  Raises ``UserError`` if they are not evident."""
    config: Any = getattr(model, "config", None)
    if config is None:
        raise UserError(f"{type(model).__name__} is not a transformers model: it has no config")
    if getattr(config, "is_encoder_decoder", False):
        raise UserError(
            f"{type(model).__name__} is an encoder-decoder: measure decoders or encoders alone"
        )
    text: Any = config.get_text_config() if hasattr(config, "get_text_config") else config
    depth = getattr(text, "num_hidden_layers", None)
    lists = [
        (name, module)
        for name, module in model.named_modules()
        if isinstance(module, nn.ModuleList) and len(module) == depth
    ]
    outer = [
        (name, module)
        for name, module in lists
        if not any(name.startswith(f"{other}.") for other, _ in lists)
    ]
    if len(outer) != 1:
        raise UserError(
            f"{type(model).__name__} has {len(outer)} lists of {depth} blocks: which of them is "
            "the model is not clear"
        )
    [(name, modules)] = outer
    kinds = _kinds(text, len(modules))
    blocks = tuple(Block(i, f"{name}.{i}", module, kinds[i]) for i, module in enumerate(modules))
    owner: dict[int, Block] = {}
    for block in blocks:
        for part in block.module.modules():
            if id(part) in owner:
                raise UserError(
                    f"{block}: {type(part).__name__} is shared with layer "
                    f"{owner[id(part)].index}, so its calls cannot be told apart"
                )
            owner[id(part)] = block
    return Blocks(model, blocks, owner)


def _kinds(config: Any, depth: int) -> list[str]:
    for name in ("layer_types", "layers_block_type"):
        kinds = getattr(config, name, None)
        if kinds is not None and len(kinds) == depth:
            return [str(kind) for kind in kinds]
    return ["full_attention"] * depth


@contextmanager
def inputs(module: nn.Module, hear: Change) -> Iterator[None]:
    """While open, ``hear`` gets the first tensor that ``module`` is called with; what it returns,
    if anything, is put in its place."""

    def hook(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if args:
            new = hear(args[0])
            return None if new is None else ((new, *args[1:]), kwargs)
        name = "hidden_states" if "hidden_states" in kwargs else next(iter(kwargs))
        new = hear(kwargs[name])
        return None if new is None else (args, {**kwargs, name: new})

    handle = module.register_forward_pre_hook(hook, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def outputs(module: nn.Module, hear: Change) -> Iterator[None]:
    """While open, ``hear`` gets the (first) tensor that ``module`` returns; what it returns, if
    anything, is put in its place."""

    def hook(_: nn.Module, args: Any, result: Any) -> Any:
        if isinstance(result, tuple):
            new = hear(result[0])
            return None if new is None else (new, *result[1:])
        return hear(result)

    handle = module.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def listening(*places: Any) -> Iterator[None]:
    """Several ``inputs`` and ``outputs`` at once."""
    with ExitStack() as stack:
        for place in places:
            stack.enter_context(place)
        yield
